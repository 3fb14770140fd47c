// The native run that `tamar record` watches, through its system calls: what it reads from standard input, from files and from
// connections is copied on the way, and nothing else about it changes.
#ifndef TAMAR_NATIVE_RECORD_TRACE_H
#define TAMAR_NATIVE_RECORD_TRACE_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "message/test_case.h"

struct recording {
    struct arena *arena;
    vec(struct test_input) inputs; // standard input, files, connections; no arguments
    int status;                    // as waitpid has it
    bool watched;                  // false: the system does not allow it, and the program ran alone
    uint64_t bytes;                // of all inputs, also those that were too large to be kept
    bool too_large;
    struct text notes; // what cannot be given again: a line each
};

// Runs the program with our streams, directory, variables and network, in a sandbox. False: it cannot be started, and the error has been
// reported.
bool record_trace(const char *program, char *const *arguments, uint64_t most, struct recording *recording);
void recording_free(struct recording *recording);

#endif
