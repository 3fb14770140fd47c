// Runs with targets: which lines are wanted, the native proof, and the verdicts.
#ifndef TAMAR_RUN_REACHED_H
#define TAMAR_RUN_REACHED_H

#include "run/run_options.h"
#include "run/target_set.h"

// The targets that the options name and, for `tamar reach`, the first operands, which are taken out. NULL: the user was
// told, or (*none) there are none.
struct target_set *reached_wanted(const struct run_options *options, struct operands *operands, bool reach,
                                  bool *none);
// Runs the tests that reach a line natively, and notes which lines they execute there.
void reached_prove(struct target_set *set, const struct explore_result *result, const char *folder);
// One line for each target, for people.
void reached_print(const struct target_set *set, const struct explore_result *result,
                   const struct ir_program *program);
int reached_status(const struct target_set *set, const struct explore_result *result);

#endif
