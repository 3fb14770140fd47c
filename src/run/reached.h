// The targets of a run: finds those that the user named, runs native programs to prove that they were reached, and
// prints the verdicts.
#ifndef TAMAR_RUN_REACHED_H
#define TAMAR_RUN_REACHED_H

#include "run/run_options.h"
#include "run/target_set.h"

// Returns the targets that the options name and, for `tamar reach`, the first operands, which are removed. Returns
// NULL if an error has been reported, or if there are no targets (*none is then set).
struct target_set *reached_wanted(const struct run_options *options, struct operands *operands, bool reach,
                                  bool *none);
// Runs the tests that reach a target natively, and notes the target lines that these runs execute.
void reached_prove(struct target_set *set, const struct explore_result *result, const char *folder);
// Prints one line for each target.
void reached_print(const struct target_set *set, const struct explore_result *result,
                   const struct ir_program *program);
// Returns the exit status.
int reached_status(const struct target_set *set, const struct explore_result *result);

#endif
