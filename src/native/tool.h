// Compilers and other tools that are started for a program under test. They run in the sandbox, since the program or a
// results folder determines their arguments.
#ifndef TAMAR_NATIVE_TOOL_H
#define TAMAR_NATIVE_TOOL_H

#include "base/process.h"

// Runs a tool of /usr/bin in a private copy of the host's files, starting in `directory`; only `folder` keeps what it writes.
// `work`: a folder of Tamar's own for its messages. Frees the command. False: it failed, and its messages were shown.
bool tool_run(struct process_command *command, const char *work, const char *directory, const char *folder);

#endif
