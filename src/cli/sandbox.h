// A native program run where it can do no harm: no network, nothing to write but its own folder, limits on
// time and memory.
#ifndef TAMAR_CLI_SANDBOX_H
#define TAMAR_CLI_SANDBOX_H

#include "base/text.h"

struct sandbox {
    const char *program;          // the file to run
    const char *const *words;     // its argv, NULL-terminated
    const char *const *variables; // its environment, NULL-terminated
    const char *input;            // standard input; NULL: empty
    const char *output;           // standard output; NULL: a pipe that leads nowhere
    const char *errors;           // standard error: a file
    const char *directory;        // where it starts
    const char *writable;         // the one folder that it may write to
    double seconds;
    uint64_t memory, stack; // bytes; 0: no limit
};

struct sandbox_end {
    bool started; // false: errno of the attempt in `status`
    bool timed_out;
    bool contained; // false: the system does not allow to shut off the network and the file system
    int status;     // as waitpid gives it
};

void sandbox_run(const struct sandbox *sandbox, struct sandbox_end *end);

#endif
