// Traces the system calls of a native run for `tamar record`: copies the data that it reads from standard input, files
// and connections, and changes nothing else.
#ifndef TAMAR_NATIVE_RECORD_TRACE_H
#define TAMAR_NATIVE_RECORD_TRACE_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "message/test_case.h"

struct recording {
    struct arena *arena;
    vec(struct test_input) inputs; // standard input, files, connections; no arguments
    int status;                    // as returned by waitpid
    bool traced;                   // false: the system does not allow tracing; the program ran untraced
    uint64_t bytes;                // size of all inputs, also of those that were too large to be kept
    bool too_large;
    struct text notes; // inputs that a replay cannot repeat, one per line
};

// Runs the program in a sandbox, with the streams, directory, variables and network of this process. Returns false if
// it cannot be started; an error has been reported.
bool record_trace(const char *program, char *const *arguments, uint64_t most, struct recording *recording);
void recording_free(struct recording *recording);

#endif
