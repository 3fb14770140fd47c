// `tamar record`: from a native run to a seed.
//
// A program that runs natively is watched through its system calls (record_trace.c): what it reads from standard input,
// from files and from connections is copied on the way, and nothing else about it changes. The copy becomes a test in
// a folder (record_store.c) that has the form of a run's results, so that whatever reads those reads it, too.
// Afterwards the engine follows the test (record_follow.c), which gives the decisions and constraints.
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

// Makes the folder and its files as far as they are missing; several processes may do so at once. False: an error has been
// reported.
bool record_open(struct record_store *store, struct arena *arena, const char *folder);
// The program that the seeds are for: `words` say what it is, `bitcode` is the program; `version` is Tamar's. Replaces what
// stands there.
bool record_describe(struct record_store *store, const char *name, const char *const *words, uint32_t count,
                     const struct text *bitcode, const char *version);
// A new test, unless the same input is there already (*number is then its number, and false is returned). The caller
// looks at *failed.
bool record_add(struct record_store *store, struct test_case *test, uint32_t *number, bool *failed);
// Writes a test with its constraints in place of what stands there. False: an error has been reported.
bool record_replace(struct record_store *store, const struct test_case *test, const struct finding *finding,
                    const struct text *constraints);
void record_note(const struct record_store *store, const char *line); // into the folder's log

// Follows the seeds with these numbers (all: those that have no decisions yet, or with `again` every one) in the engine,
// on the program that the folder describes. False: an error has been reported.
bool record_follow(struct record_store *store, const uint32_t *numbers, uint32_t count, bool again);

struct record_list {
    uint32_t *at;
    uint32_t count, capacity;
};
void record_numbers(const struct record_store *store, struct record_list *numbers); // ascending

#endif
