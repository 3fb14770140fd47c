// Runs a fuzzer beside the exploration (--fuzz). Both run independently, and exchange inputs:
//
//   fuzzer -> scout (concrete run) -> seed        if it covers new code, the cheapest first; crashes at once
//   test of the exploration -> fuzzer's queue     if it covers new code
//
// On one processor, the side that has covered more per second of its own time gets more time
// (docs/howto/fuzzer-seeds.md has the rule).
#ifndef TAMAR_RUN_FUZZ_H
#define TAMAR_RUN_FUZZ_H

#include "explore/explore.h"
#include "output/summary.h"
#include "run/program_inputs.h"
#include "run/seed_files.h"

enum { FUZZ_AUTO, FUZZ_AFL, FUZZ_LIBFUZZER, FUZZ_NONE }; // in the order of the words of --fuzz

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

// Returns whether the tool is installed and fits the program. If not, an error has been reported.
bool fuzz_check(const struct fuzz_setup *setup);
// Checks a dictionary, which both fuzzers read: lines NAME="word", comments, empty lines. Returns false if an error
// has been reported.
bool fuzz_check_dictionary(const char *path);
// Starts to build the program for the fuzzer. `folder` is the results folder. Returns NULL if an error has been
// reported.
struct fuzz *fuzz_open(const struct fuzz_setup *setup, const char *folder);
// Names the exploration that gets the seeds. `options` must outlive `fuzz`.
void fuzz_start(struct fuzz *fuzz, struct explore *explore, const struct explore_options *options);
// Does the work that is due; call it often.
void fuzz_tick(struct fuzz *fuzz);
// Waits 20 ms. Returns false if the fuzzer is over.
bool fuzz_wait(struct fuzz *fuzz);
// Gives the fuzzer a test of the exploration.
void fuzz_give(struct fuzz *fuzz, const struct test_case *test);
// Ends the fuzzer. Its results can still be read.
void fuzz_stop(struct fuzz *fuzz);
// Fills in the counters and bugs of the fuzzer.
void fuzz_summary(struct fuzz *fuzz, struct summary_fuzz *summary);
// Returns the number of bugs that only the fuzzer's inputs show: the exploration has not reached them.
uint32_t fuzz_unfollowed_bugs(struct fuzz *fuzz);
void fuzz_free(struct fuzz *fuzz);

#endif
