// run.db: SQLite, statistics over time. Each call is a transaction of its own, so that a run that is killed
// leaves what it had.
#ifndef TAMAR_DATABASE_H
#define TAMAR_DATABASE_H

#include "message/finding.h"
#include "message/test_case.h"
#include "output/summary.h"

struct database;
struct results;

// A new one, or that of a run that goes on. NULL: it failed, and was said.
struct database *database_open(struct results *results);
// Whether FOLDER/run.db is whole, or not there at all. False: `problem` gets the reason (database_read.c).
bool database_is_whole(const char *folder, struct text *problem);
void database_free(struct database *database);

// A row of `progress`: what the run looks like now.
void database_progress(struct database *database, const struct summary *summary);
// A row of `tests`. `finding`: the one that it shows, or NULL.
void database_test(struct database *database, const struct test_case *test, const struct finding *finding);
// Test i, from 1, becomes test numbers[i].
void database_renumber(struct database *database, const uint32_t *numbers, uint32_t count);
// The layers of the solver, and what is in the summary: replaced as a whole.
void database_finish(struct database *database, const struct summary *summary);

// "progress", "tests" and "layers" of FOLDER/run.db as lists of rows (database_read.c); empty where there is none.
struct json;
void database_add_json(struct json *json, const char *folder);

#endif
