// Writes the results while the run goes on: passes the exploration's messages to the writer of the folder
// (output/writer.h), and adds the checkpoints, the live view and the targets.
//
//   run_results_open -> run_results_start -> { run_results_take, run_results_progress } -> run_results_finish
//   -> run_results_free
#ifndef TAMAR_RUN_RUN_RESULTS_H
#define TAMAR_RUN_RUN_RESULTS_H

#include "cluster/sharing.h"
#include "explore/explore.h"
#include "output/writer.h"

struct run_results;
struct target_set;

struct known_reports;

struct run_results_options {
    struct writer_options writer;
    const struct target_set *targets;  // NULL: none
    const struct known_reports *known; // NULL: none
    double checkpoint_seconds;         // least time between two checkpoints
    bool live;                         // write coverage.json also while the run goes on
    bool brief;                        // print no summary: the command prints its own
};

// Makes the folder. Returns NULL if an error has been reported.
struct run_results *run_results_open(const struct run_results_options *options);
// Adds the results of exploring the sliced programs first. `sliced` must outlive the results.
void run_results_sliced(struct run_results *results, const struct summary_slice *sliced, uint32_t count);
// Names the fuzzer, whose results are read whenever the summary is written. NULL: no fuzzer.
struct fuzz;
void run_results_fuzzed(struct run_results *results, struct fuzz *fuzz);
void run_results_start(struct run_results *results, struct explore *explore,
                       const struct ir_program *program);
// Call it if several processes explore: while `running`, they hold the states. `sharing` must outlive the results.
void run_results_share(struct run_results *results, struct sharing sharing, bool running);
// Renumbers the tests: test i, from 1, becomes test numbers[i]. `numbers` is a permutation.
void run_results_renumber(struct run_results *results, const uint32_t *numbers, uint32_t count);
// Takes a message of the exploration. Returns the finding that a test is the first to show, else NULL.
const struct finding *run_results_take(struct run_results *results, const struct message *message);
// Writes the results that are due. Returns false if nothing can be written any more.
bool run_results_progress(struct run_results *results);
// Writes all results and prints the summary; `json`: as JSON instead of text.
void run_results_finish(struct run_results *results, bool json, bool color);
const char *run_results_folder(const struct run_results *results);
bool run_results_failed(const struct run_results *results);
void run_results_free(struct run_results *results);

#endif
