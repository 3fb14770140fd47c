// run.db: an SQLite database of statistics over time. Each call is one transaction, so that a killed run keeps the
// rows written so far.
#ifndef TAMAR_DATABASE_H
#define TAMAR_DATABASE_H

#include "message/finding.h"
#include "message/test_case.h"
#include "output/summary.h"

struct database;
struct results;

// Creates the database, or opens the database of a resumed run. Returns NULL if an error has been reported.
struct database *database_open(struct results *results);
// Returns true if FOLDER/run.db is intact or does not exist. Otherwise `problem` gets the reason (database_read.c).
bool database_is_whole(const char *folder, struct text *problem);
void database_free(struct database *database);

// Adds a row to `progress`: the current state of the run.
void database_progress(struct database *database, const struct summary *summary);
// Adds a row to `tests`. `finding`: the bug that the test shows, or NULL.
void database_test(struct database *database, const struct test_case *test, const struct finding *finding);
// Renumbers the tests: test i (from 1) becomes test numbers[i].
void database_renumber(struct database *database, const uint32_t *numbers, uint32_t count);
// Replaces the tables of the solver's layers and of the summary.
void database_finish(struct database *database, const struct summary *summary);

// Adds "progress", "tests" and "layers" of FOLDER/run.db as lists of rows. Without a database the lists are empty
// (database_read.c).
struct json;
void database_add_json(struct json *json, const char *folder);

#endif
