// A fuzzer beside the exploration (--fuzz). Both run on their own, and exchange inputs:
//
//   fuzzer -> scout (concrete run) -> seed        where it covers what nothing had covered, the cheapest first; crashes at once
//   test of the exploration -> fuzzer's queue     where it covers something new
//
// Where there is one processor for both, the one that has found more new coverage in its time gets more of it (share.c's rule is in
// docs/howto/fuzzer-seeds.md).
#ifndef TAMAR_RUN_FUZZ_H
#define TAMAR_RUN_FUZZ_H

#include "explore/explore.h"
#include "output/summary.h"
#include "run/program_inputs.h"
#include "run/seed_files.h"

enum { FUZZ_AUTO, FUZZ_AFL, FUZZ_LIBFUZZER, FUZZ_NONE }; // as --fuzz has them

struct fuzz;

struct fuzz_setup {
    unsigned choice; // FUZZ_...
    const struct ir_program *program;
    const struct text *bitcode;
    const struct program_inputs *program_inputs;
    const struct seeds *seeds;
    const char *directory;
    const char *dictionary; // --dict, NULL: none
    uint64_t memory;        // bytes for the fuzzer
    uint64_t random_seed;
};

// Whether it can be had: the tool is installed and fits the program. False: an error has been reported.
bool fuzz_check(const struct fuzz_setup *setup);
// A file of words that both fuzzers take: lines NAME="word", comments, empty lines. False: an error has been reported.
bool fuzz_check_dictionary(const char *path);
// The folder is that of the results. NULL: an error has been reported.
struct fuzz *fuzz_open(const struct fuzz_setup *setup, const char *folder);
// From here on seeds go to this exploration; the options must outlive the fuzz.
void fuzz_start(struct fuzz *fuzz, struct explore *explore, const struct explore_options *options);
// Does a little of everything that is due; to be called often.
void fuzz_tick(struct fuzz *fuzz);
// Waits a moment; false: nothing can come any more.
bool fuzz_wait(struct fuzz *fuzz);
void fuzz_give(struct fuzz *fuzz, const struct test_case *test);
// Ends the fuzzer. What it found until then stays to be asked for.
void fuzz_stop(struct fuzz *fuzz);
void fuzz_summary(struct fuzz *fuzz, struct summary_fuzz *summary);
// Bugs that only the fuzzer's inputs show: the exploration has not come to them.
uint32_t fuzz_unfollowed_bugs(struct fuzz *fuzz);
void fuzz_free(struct fuzz *fuzz);

#endif
