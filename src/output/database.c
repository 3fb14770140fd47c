#include "output/database.h"

#include "base/alloc.h"
#include "base/text.h"
#include "output/results.h"
#include "output/tests.h"

#include <sqlite3.h>
#include <stdio.h>

struct database {
    sqlite3 *handle;
    struct results *results;
    sqlite3_stmt *progress, *test;
};

// Columns of `progress`: COLUMN(name, type, its value for a summary s).
#define PROGRESS(COLUMN)                                                                                     \
    COLUMN(seconds, REAL, s->time.wall)                                                                      \
    COLUMN(solver_seconds, REAL, s->time.solver)                                                             \
    COLUMN(states, INTEGER, s->counts.states)                                                                \
    COLUMN(completed, INTEGER, s->counts.completed)                                                          \
    COLUMN(errors, INTEGER, s->counts.errors)                                                                \
    COLUMN(incomplete, INTEGER, s->counts.incomplete)                                                        \
    COLUMN(killed, INTEGER, s->counts.killed)                                                                \
    COLUMN(tests, INTEGER, s->counts.tests)                                                                  \
    COLUMN(bugs, INTEGER, s->bug_count)                                                                      \
    COLUMN(instructions, INTEGER, s->counts.instructions)                                                    \
    COLUMN(forks, INTEGER, s->counts.forks)                                                                  \
    COLUMN(queries, INTEGER, s->solver.queries)                                                              \
    COLUMN(queries_sat, INTEGER, counters_answered(&s->solver, LAYER_GROUP_SAT))                             \
    COLUMN(lines, INTEGER, s->coverage.line.covered)                                                         \
    COLUMN(blocks, INTEGER, s->coverage.block.covered)                                                       \
    COLUMN(edges, INTEGER, s->coverage.edge.covered)                                                         \
    COLUMN(conditions, INTEGER, s->coverage.condition.covered)                                               \
    COLUMN(memory, INTEGER, s->peak_memory)

static const char schema[] =
    "PRAGMA synchronous = OFF;" // results must survive a kill, but not a power failure; first, since WAL syncs
    "PRAGMA journal_mode = WAL;"
    "BEGIN;" // all tables, or none
    "CREATE TABLE IF NOT EXISTS progress ("
#define COLUMN(name, type, value) #name " " #type ","
    PROGRESS(COLUMN)
#undef COLUMN
        "at TEXT DEFAULT CURRENT_TIMESTAMP);"
        "CREATE TABLE IF NOT EXISTS tests (number INTEGER PRIMARY KEY, seconds REAL, outcome TEXT, "
        "exit_status INTEGER,"
        " bug TEXT, instructions INTEGER, decisions INTEGER, new_edges INTEGER);"
        "CREATE TABLE IF NOT EXISTS bugs (kind TEXT, file TEXT, line INTEGER, function TEXT, message TEXT, "
        "test INTEGER,"
        " paths INTEGER, fingerprint TEXT, column INTEGER, occurrences INTEGER);"
        "CREATE TABLE IF NOT EXISTS layers (name TEXT PRIMARY KEY, asked INTEGER, answered INTEGER, seconds "
        "REAL);"
        "CREATE TABLE IF NOT EXISTS solver (name TEXT PRIMARY KEY, value INTEGER, what TEXT);"
        "CREATE TABLE IF NOT EXISTS gave_up (what TEXT, file TEXT, line INTEGER, count INTEGER);"
        "CREATE TABLE IF NOT EXISTS options (name TEXT PRIMARY KEY, value TEXT);"
        "CREATE TABLE IF NOT EXISTS run (name TEXT PRIMARY KEY, value);"
        "COMMIT;";

static void fail(struct database *database) {
    results_fail(database->results, "run.db", sqlite3_errmsg(database->handle));
}

static bool execute(struct database *database, const char *statements) {
    if (results_failed(database->results)) return false;
    if (sqlite3_exec(database->handle, statements, NULL, NULL, NULL) == SQLITE_OK) return true;
    fail(database);
    return false;
}

static sqlite3_stmt *prepare(struct database *database, const char *statement) {
    sqlite3_stmt *result = NULL;
    if (results_failed(database->results)) return NULL;
    if (sqlite3_prepare_v2(database->handle, statement, -1, &result, NULL) != SQLITE_OK) fail(database);
    return result;
}

// Runs a statement whose values are bound, and resets it.
static void step(struct database *database, sqlite3_stmt *statement) {
    if (!statement || results_failed(database->results)) return;
    if (sqlite3_step(statement) != SQLITE_DONE) fail(database);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
}

struct database *database_open(struct results *results) {
    struct database *database = NEW(struct database);
    struct text path = results_path(results, "run.db");
    database->results = results;
    bool good = sqlite3_open(path.at, &database->handle) == SQLITE_OK;
    text_free(&path);
    if (!good) fail(database);
    if (good) good = execute(database, schema);
    database->progress = prepare(database, "INSERT INTO progress ("
#define COLUMN(name, type, value) #name ","
                                 PROGRESS(COLUMN)
#undef COLUMN
                                     "at) VALUES ("
#define COLUMN(name, type, value) "?,"
                                 PROGRESS(COLUMN)
#undef COLUMN
                                     "CURRENT_TIMESTAMP)");
    database->test = prepare(database, "INSERT OR REPLACE INTO tests VALUES (?,?,?,?,?,?,?,?)");
    if (good && !results_failed(results)) return database;
    database_free(database);
    return NULL;
}

void database_free(struct database *database) {
    if (!database) return;
    sqlite3_finalize(database->progress);
    sqlite3_finalize(database->test);
    sqlite3_close(database->handle);
    DELETE(database);
}

void database_progress(struct database *database, const struct summary *s) {
    sqlite3_stmt *to = database->progress;
    int column = 1;
    if (!to || results_failed(database->results)) return;
#define BIND_REAL(value)          sqlite3_bind_double(to, column++, value)
#define BIND_INTEGER(value)       sqlite3_bind_int64(to, column++, (sqlite3_int64)(value))
#define COLUMN(name, type, value) BIND_##type(value);
    PROGRESS(COLUMN)
#undef COLUMN
    step(database, to);
}

void database_test(struct database *database, const struct test_case *test, const struct finding *finding) {
    sqlite3_stmt *to = database->test;
    int column = 1;
    if (!to || results_failed(database->results)) return;
    BIND_INTEGER(test->number);
    BIND_REAL(test->seconds);
    sqlite3_bind_text(to, column++, test_outcome_names[test->outcome], -1, SQLITE_STATIC);
    BIND_INTEGER(test->exit_status);
    if (finding)
        sqlite3_bind_text(to, column++, finding_name(finding), -1, SQLITE_TRANSIENT);
    else
        column++;
    BIND_INTEGER(test->instructions);
    BIND_INTEGER(test->decision_count);
    BIND_INTEGER(test->fresh_count);
    step(database, to);
}

static void put_bugs(struct database *database, const struct summary *summary) {
    sqlite3_stmt *to = prepare(database, "INSERT INTO bugs VALUES (?,?,?,?,?,?,?,?,?,?)");
    for (uint32_t i = 0; i < summary->bug_count && to; i++) {
        const struct finding *bug = summary->bugs[i];
        int column = 1;
        sqlite3_bind_text(to, column++, bug->kind, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(to, column++, bug->place.file, -1, SQLITE_TRANSIENT);
        BIND_INTEGER(bug->place.line);
        sqlite3_bind_text(to, column++, bug->place.function, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(to, column++, bug->message, -1, SQLITE_TRANSIENT);
        BIND_INTEGER(bug->test);
        BIND_INTEGER(bug->paths);
        sqlite3_bind_text(to, column++, finding_hex(bug), -1, SQLITE_TRANSIENT);
        BIND_INTEGER(bug->place.column);
        BIND_INTEGER(bug->occurrences);
        step(database, to);
    }
    sqlite3_finalize(to);
}

static void put_layer(struct database *database, sqlite3_stmt *to, const char *name,
                      struct layer_counters layer) {
    int column = 1;
    if (!to) return;
    sqlite3_bind_text(to, column++, name, -1, SQLITE_TRANSIENT);
    BIND_INTEGER(layer.asked);
    BIND_INTEGER(layer.answered);
    BIND_REAL((double)layer.nanoseconds * 1e-9);
    step(database, to);
}

static void put_layers(struct database *database, const struct solver_counters *solver) {
    sqlite3_stmt *to = prepare(database, "INSERT INTO layers VALUES (?,?,?,?)");
    for (unsigned i = 0; i < LAYER_COUNT; i++)
        put_layer(database, to, layer_facts[i].name, solver->layers[i]);
    sqlite3_finalize(to);
}

static void put_counter(struct database *database, sqlite3_stmt *to, const char *name, uint64_t value,
                        const char *what) {
    int column = 1;
    if (!to) return;
    sqlite3_bind_text(to, column++, name, -1, SQLITE_STATIC);
    BIND_INTEGER(value);
    sqlite3_bind_text(to, column++, what, -1, SQLITE_STATIC);
    step(database, to);
}

static void put_counters(struct database *database, const struct solver_counters *solver) {
    sqlite3_stmt *to = prepare(database, "INSERT INTO solver VALUES (?,?,?)");
#define COUNTER(name, meaning) put_counter(database, to, #name, solver->name, meaning);
    SOLVER_COUNTERS(COUNTER)
#undef COUNTER
    sqlite3_finalize(to);
}

static void put_given_up(struct database *database, const struct summary *summary) {
    sqlite3_stmt *to = prepare(database, "INSERT INTO gave_up VALUES (?,?,?,?)");
    for (uint32_t i = 0; i < summary->gave_up_count && to; i++) {
        int column = 1;
        sqlite3_bind_text(to, column++, summary->gave_up[i].what, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(to, column++, summary->gave_up[i].place.file, -1, SQLITE_TRANSIENT);
        BIND_INTEGER(summary->gave_up[i].place.line);
        BIND_INTEGER(summary->gave_up[i].count);
        step(database, to);
    }
    sqlite3_finalize(to);
}

static void put_options(struct database *database, const struct summary *summary) {
    sqlite3_stmt *to = prepare(database, "INSERT OR REPLACE INTO options VALUES (?,?)");
    for (uint32_t i = 0; i < summary->option_count && to; i++) {
        sqlite3_bind_text(to, 1, summary->options[i].name, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(to, 2, summary->options[i].value, -1, SQLITE_TRANSIENT);
        step(database, to);
    }
    sqlite3_finalize(to);
}

static void put_run(struct database *database, const struct summary *summary) {
    sqlite3_stmt *to = prepare(database, "INSERT OR REPLACE INTO run VALUES ('end',?),('complete',?),"
                                         "('program',?),('running',?)");
    if (!to) return;
    sqlite3_bind_text(to, 1, summary->end, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(to, 2, summary->complete);
    sqlite3_bind_text(to, 3, summary->program, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(to, 4, summary->running);
    step(database, to);
    sqlite3_finalize(to);
}

void database_renumber(struct database *database, const uint32_t *numbers, uint32_t count) {
    execute(database, "BEGIN");
    sqlite3_stmt *change = prepare(database, "UPDATE tests SET number = ? WHERE number = ?");
    for (uint32_t i = 1; i <= count; i++) { // first to negative numbers, so that no two are ever equal
        if (change) sqlite3_bind_int64(change, 1, -(int64_t)numbers[i]);
        if (change) sqlite3_bind_int64(change, 2, i);
        step(database, change);
    }
    sqlite3_finalize(change);
    execute(database, "UPDATE tests SET number = -number WHERE number < 0; COMMIT");
}

void database_finish(struct database *database, const struct summary *summary) {
    if (!execute(database,
                 "BEGIN; DELETE FROM bugs; DELETE FROM layers; DELETE FROM solver; DELETE FROM gave_up;"))
        return;
    put_bugs(database, summary);
    put_layers(database, &summary->solver);
    put_counters(database, &summary->solver);
    put_given_up(database, summary);
    put_options(database, summary);
    put_run(database, summary);
    execute(database, "COMMIT;");
    if (!summary->running) execute(database, "PRAGMA journal_mode = DELETE;"); // leaves one file
}
