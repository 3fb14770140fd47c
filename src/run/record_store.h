// `tamar record`: from a native run to a seed.
//
// The system calls of a native run are traced (record_trace.c): the data that the program reads from standard input,
// files and connections is copied. The program itself is not changed. The copy becomes a test in a folder
// (record_store.c) in the format of a results folder, so that the same code reads both. Afterwards the engine follows
// the test (record_follow.c), which gives the decisions and constraints.
#ifndef TAMAR_RUN_RECORD_STORE_H
#define TAMAR_RUN_RECORD_STORE_H

#include "base/arena.h"
#include "base/text.h"
#include "message/finding.h"
#include "message/test_case.h"

#define RECORD_FOLDER "tamar-seeds"

struct record_store {
    const char *folder; // absolute
    struct arena *arena;
};

// Makes the folder and its missing files; several processes may do so at once. Returns false if an error has been
// reported.
bool record_open(struct record_store *store, struct arena *arena, const char *folder);
// Describes the program that the seeds are for, replacing an earlier description. `words`: its command line; `bitcode`:
// the program; `version`: Tamar's.
bool record_describe(struct record_store *store, const char *name, const char *const *words, uint32_t count,
                     const struct text *bitcode, const char *version);
// Adds a test. Returns false if there is a test with the same input already; *number is then its number. *failed: it
// could not be written.
bool record_add(struct record_store *store, struct test_case *test, uint32_t *number, bool *failed);
// Replaces a test by this one, with its constraints. Returns false if an error has been reported.
bool record_replace(struct record_store *store, const struct test_case *test, const struct finding *finding,
                    const struct text *constraints);
void record_note(const struct record_store *store, const char *line); // adds a line to the folder's log

// Follows the seeds with these numbers in the engine, on the program that the folder describes. Seeds that have
// decisions are skipped unless `again`. Returns false if an error has been reported.
bool record_follow(struct record_store *store, const uint32_t *numbers, uint32_t count, bool again);

struct record_list {
    uint32_t *at;
    uint32_t count, capacity;
};
void record_numbers(const struct record_store *store, struct record_list *numbers); // ascending

#endif
