// The results of a run as it goes: tests and reports when they are found, the rest now and then and at the
// end.
//
//   run_results_open -> run_results_start -> { run_results_test, run_results_progress } -> run_results_finish
//   -> run_results_free
#ifndef TAMAR_CLI_RUN_RESULTS_H
#define TAMAR_CLI_RUN_RESULTS_H

#include "explore/explore.h"
#include "output/finding.h"

struct run_results;
struct summary_slice;
struct operands;

struct run_results_options {
    const char *out; // NULL: tamar-out-N
    bool reopen;     // `out` is there already: the run goes on
    const char *const
        *command;             // the words after `tamar run`, NULL-terminated: how the run can be set up again
    const char *kind;         // the command: "run", "reach", "regress"
    const char *program;      // what the user named
    const char *stdin;        // --stdin; NULL: none
    const char *const *words; // the operands: files, and the compiler's flags
    uint32_t word_count;
    const char *directory;
    const struct text *bitcode;
    const struct option_table *table;
    const void *values;
    const struct target_set *targets; // NULL: none
    bool brief;                       // no summary for people: somebody else says what counts
};

// Makes the folder. NULL: the user was told.
struct run_results *run_results_open(const struct run_results_options *options);
// What was explored before, sliced; must outlive the results.
void run_results_sliced(struct run_results *results, const struct summary_slice *sliced, uint32_t count);
void run_results_start(struct run_results *results, struct explore *explore,
                       const struct ir_program *program);
// Not NULL: the test shows a bug that no earlier one did.
const struct finding *run_results_test(struct run_results *results, const struct test_case *test);
// False: nothing can be written any more.
bool run_results_progress(struct run_results *results);
// Writes everything; `json`: the summary on standard output as well, instead of the text for people.
void run_results_finish(struct run_results *results, bool json, bool color);
const char *run_results_folder(const struct run_results *results);
bool run_results_failed(const struct run_results *results);
void run_results_free(struct run_results *results);

#endif
