// Reads run.db, for `tamar report` and for the check of a resumed run.
#include "base/json.h"
#include "output/database.h"

#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#define MOST_POINTS 500 // most points of a curve
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

// Adds the rows of a query as a list of lists; an empty list if the query fails.
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

static bool answers(sqlite3 *database, const char *query, struct text *problem) {
    sqlite3_stmt *rows = NULL;
    bool good =
        sqlite3_prepare_v2(database, query, -1, &rows, NULL) == SQLITE_OK && sqlite3_step(rows) == SQLITE_ROW;
    if (!good) text_add(problem, "%s", sqlite3_errmsg(database));
    const char *said = good ? (const char *)sqlite3_column_text(rows, 0) : NULL;
    if (said && strcmp(said, "ok") != 0) {
        text_add(problem, "%.*s", (int)strcspn(said, "\n"), said);
        good = false;
    }
    sqlite3_finalize(rows);
    return good;
}

bool database_is_whole(const char *folder, struct text *problem) {
    // Each query returns one row, also from empty tables; a missing table or column is an error.
    static const char *const queries[] = {
        "SELECT 'ok' FROM (SELECT max(seconds), max(memory) FROM progress)",
        "SELECT 'ok' FROM (SELECT max(number), max(new_edges) FROM tests)",
        "SELECT 'ok' FROM (SELECT count(occurrences) FROM bugs)",
        "SELECT 'ok' FROM (SELECT count(*) FROM layers), (SELECT count(*) FROM solver)",
        "SELECT 'ok' FROM (SELECT count(*) FROM gave_up), (SELECT count(*) FROM options)",
        "SELECT 'ok' FROM (SELECT count(*) FROM run)"};
    struct text path = {0}, none = {0};
    sqlite3 *database = NULL;
    text_add(&path, "%s/run.db", folder);
    bool good = access(path.at, F_OK) != 0;
    if (!good) {
        good = sqlite3_open_v2(path.at, &database, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK;
        if (!good) text_add(problem, "%s", sqlite3_errmsg(database));
        if (good) good = answers(database, "PRAGMA integrity_check(1)", problem);
        // A database without any table is valid: the run was killed before it created them.
        bool made = good && answers(database, "SELECT 'ok' FROM sqlite_master LIMIT 1", &none);
        for (unsigned i = 0; made && good && i < COUNT(queries); i++)
            good = answers(database, queries[i], problem);
        sqlite3_close(database);
    }
    text_free(&none);
    text_free(&path);
    return good;
}
