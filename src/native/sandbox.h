// The sandbox: all native code of a program under test is run in it.
//
// A sandboxed process has its own namespaces (processes, mounts, IPC, users; unless SANDBOX_SHARES also network and
// host name) and its own root. It has no capabilities and cannot gain privileges. A filter of system calls refuses
// dangerous calls and other architectures. The number of processes is limited; unless SANDBOX_SHARES, so are time,
// memory and file size. When the process ends, every process that it started is killed. If the system does not allow
// this, nothing is run: sandbox_run reports why, unless the user switched the sandbox off.
#ifndef TAMAR_NATIVE_SANDBOX_H
#define TAMAR_NATIVE_SANDBOX_H

#include "base/text.h"

#include <stdatomic.h>
#include <sys/types.h>

// --no-sandbox: makes all later native code run with all rights of the user; only limits of time, file size and
// address space remain.
void sandbox_switch_off(void);
bool sandbox_is_off(void);

// How the host's files appear.
enum sandbox_view {
    SANDBOX_READS,  // read-only
    SANDBOX_COPIES, // writable, but writes are private and discarded at the end
    SANDBOX_SHARES, // read-only except the folders in `writable`; network and terminal are the host's
};

// Which system calls are allowed.
enum sandbox_calls {
    SANDBOX_PROGRAM, // the calls of ordinary programs
    SANDBOX_MODEL,   // the calls of runtime/native; the kernel model answers the program's own calls
};

struct sandbox_file { // a file that is created before the program starts (SANDBOX_COPIES)
    const char *path; // absolute, in the sandbox
    const void *bytes;
    size_t size;
};

struct sandbox {
    enum sandbox_view view;
    enum sandbox_calls calls;
    const char *program;          // the file to run, absolute
    const char *const *words;     // its argv, NULL-terminated
    const char *const *variables; // its environment, NULL-terminated
    const char *directory;        // where the program is started
    int input, output, errors;    // descriptors for its standard streams; -1: empty input, discarded output
    int extra;                    // inherited as descriptor 3; -1: none
    const char *const *writable;  // folders of the host that it may write to, NULL-terminated; may be NULL
    const struct sandbox_file *files;
    uint32_t file_count;
    const char *const
        *hidden;     // paths that are removed from its view (SANDBOX_COPIES), NULL-terminated; may be NULL
    double seconds;  // time limit; 0: none
    uint64_t memory; // bytes for all processes together; 0: no limit
    uint64_t address_space, stack; // bytes; 0: no limit
    bool traces_itself;            // allow ptrace in the sandbox (LeakSanitizer needs it)
    bool writes_files;             // SANDBOX_MODEL: files may be opened for writing, too
    // Percentage of the time in which the processes may run, 0 to 100; they are stopped for the rest. In memory
    // shared with process 1. NULL: always.
    const atomic_int *share;
};

// LIMIT(name, text): why the sandbox ended a program.
#define SANDBOX_LIMITS(LIMIT)                                                                                \
    LIMIT(NONE, "")                                                                                          \
    LIMIT(TIME, "it did not end in time")                                                                    \
    LIMIT(MEMORY, "it used more memory than is allowed")                                                     \
    LIMIT(PROCESSES, "it started more processes than are allowed")
enum sandbox_limit {
#define LIMIT(name, text) SANDBOX_LIMIT_##name,
    SANDBOX_LIMITS(LIMIT)
#undef LIMIT
        SANDBOX_LIMIT_COUNT
};
extern const char *const sandbox_limit_texts[SANDBOX_LIMIT_COUNT];

struct sandbox_end {
    bool started;             // false if an error has been reported
    enum sandbox_limit limit; // the limit that ended the program
    int status;               // wait status; killed by SIGKILL if a limit ended the program
};

// Runs the program and waits for its end.
void sandbox_run(const struct sandbox *sandbox, struct sandbox_end *end);

// ---- in steps, for a caller that traces the program or does other work meanwhile

struct sandbox_process {
    pid_t init;    // process 1 of the sandbox; without a sandbox: the program's parent
    pid_t program; // process id in the caller's PID namespace
    int channel;
};
// Starts the sandbox up to the point before execve. Returns false if an error has been reported.
bool sandbox_begin(const struct sandbox *sandbox, struct sandbox_process *process);
void sandbox_go(const struct sandbox_process *process); // execve
void sandbox_await(const struct sandbox *sandbox, const struct sandbox_process *process,
                   struct sandbox_end *end);
// Returns true if it has ended; does not wait.
bool sandbox_has_ended(const struct sandbox *sandbox, const struct sandbox_process *process,
                       struct sandbox_end *end);
void sandbox_finish(struct sandbox_process *process); // kills the remaining processes

// ---- computing: a forked copy of this process that may only compute

// Returns like fork: 0 in the sandboxed copy, which has only the descriptor `answer`, as number 3; -1 if an error has
// been reported. `prepare`, unless NULL, is called in the copy before the filter of system calls is installed; if it
// returns false, the exit status is 125.
pid_t sandbox_fork_computing(int answer, bool (*prepare)(void *), void *context, double seconds);

#endif
