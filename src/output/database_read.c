// run.db read back, for pages.
#include "base/json.h"
#include "output/database.h"

#include <sqlite3.h>

#define MOST_POINTS 500 // of a curve
#define MOST_TESTS  200000

static void add_row(struct json *json, sqlite3_stmt *row) {
    json_open(json, '[');
    for (int i = 0; i < sqlite3_column_count(row); i++) switch (sqlite3_column_type(row, i)) {
        case SQLITE_INTEGER: json_integer(json, sqlite3_column_int64(row, i)); break;
        case SQLITE_FLOAT: json_real(json, sqlite3_column_double(row, i)); break;
        default: json_string(json, (const char *)sqlite3_column_text(row, i)); break;
        }
    json_close(json, ']');
}

// The rows of a query as a list of lists; an empty list when it cannot be answered.
static void add_rows(struct json *json, sqlite3 *database, const char *key, const char *query, int limit) {
    sqlite3_stmt *rows = NULL;
    json_key(json, key);
    json_open(json, '[');
    if (database && sqlite3_prepare_v2(database, query, -1, &rows, NULL) == SQLITE_OK) {
        sqlite3_bind_int(rows, 1, limit);
        while (sqlite3_step(rows) == SQLITE_ROW) add_row(json, rows);
    }
    sqlite3_finalize(rows);
    json_close(json, ']');
}

void database_add_json(struct json *json, const char *folder) {
    struct text path = {0};
    sqlite3 *database = NULL;
    text_add(&path, "%s/run.db", folder);
    if (sqlite3_open_v2(path.at, &database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        sqlite3_close(database);
        database = NULL;
    }
    text_free(&path);
    add_rows(
        json, database, "progress",
        "SELECT seconds, lines, edges, conditions, completed + errors, states, tests, bugs, solver_seconds,"
        " instructions FROM progress WHERE rowid = (SELECT max(rowid) FROM progress) OR"
        " rowid % (1 + (SELECT max(rowid) FROM progress) / ?) = 0 ORDER BY seconds",
        MOST_POINTS);
    add_rows(
        json, database, "tests",
        "SELECT number, seconds, outcome, exit_status, bug, instructions, decisions, new_edges FROM tests"
        " ORDER BY number LIMIT ?",
        MOST_TESTS);
    add_rows(json, database, "layers",
             "SELECT name, asked, answered, seconds FROM layers WHERE ? ORDER BY rowid", 1);
    sqlite3_close(database);
}
