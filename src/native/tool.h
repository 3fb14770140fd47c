// Compilers and other tools that are started for a program under test. They run in the sandbox, since the program or a
// results folder determines their arguments.
#ifndef TAMAR_NATIVE_TOOL_H
#define TAMAR_NATIVE_TOOL_H

#include "base/process.h"

// Adds the libraries of a program that is linked with the host's C library: the functions of harnesses, and those of
// musl that the host's library may lack.
void tool_add_host_libraries(struct process_command *command);

// Runs a tool of /usr/bin in `directory`, in a private view of the host's files: only writes to `folder` persist.
// `work`: a folder of Tamar for the messages of the tool. Frees the command. Returns false if the tool failed; its
// messages have been printed.
bool tool_run(struct process_command *command, const char *work, const char *directory, const char *folder);

// Runs the compiler with words that a results folder names, in the current directory: a front_compiler
// (front/front.h).
int tool_compile(char *const *words, const char *messages, const char *folder);

#endif
