// The common part of `tamar run`, `tamar reach` and `tamar regress`.
#ifndef TAMAR_CLI_RUN_COMMAND_H
#define TAMAR_CLI_RUN_COMMAND_H

#include "run/run_options.h"

struct command;

// Runs the command. `reach`: the run looks only for its targets.
int run_command_call(const struct command *command, char **argv, bool reach, const struct run_hooks *hooks);

#endif
