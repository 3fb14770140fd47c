// What `tamar run`, `tamar reach` and `tamar regress` have in common.
#ifndef TAMAR_CLI_RUN_COMMAND_H
#define TAMAR_CLI_RUN_COMMAND_H

#include "run/run_options.h"

struct command;

// The whole of `tamar run`, or of `tamar reach`, where only the targets count.
int run_command_call(const struct command *command, char **argv, bool reach, const struct run_hooks *hooks);

#endif
