// The sandbox: the one way in which native code of a program under test is run.
//
// A sandboxed process has namespaces of its own (processes, mounts, network, IPC, host name, users), a root that is built for
// it, no capabilities, no way to gain privileges, a filter of system calls that checks the architecture, and limits on time,
// memory, processes and file size. When it ends, every process that it started is killed. Where the system does not
// allow this, nothing is run: sandbox_run reports why, unless the user switched the sandbox off.
#ifndef TAMAR_NATIVE_SANDBOX_H
#define TAMAR_NATIVE_SANDBOX_H

#include "base/text.h"

#include <stdatomic.h>
#include <sys/types.h>

// --no-sandbox: from here on native code runs with all rights of the user; only limits remain.
void sandbox_switch_off(void);
bool sandbox_is_off(void);

// How the host's files appear.
enum sandbox_view {
    SANDBOX_READS,  // as they are, read-only
    SANDBOX_COPIES, // the same, but writable: what is written is private, and gone at the end
    SANDBOX_SHARES, // as they are, the folders of `writable` shared with the host; network and terminal shared, too
};

// Which system calls are allowed.
enum sandbox_calls {
    SANDBOX_PROGRAM, // those of ordinary programs
    SANDBOX_MODEL,   // those of runtime/native: the program's own calls are answered by the kernel's model
};

struct sandbox_file { // a file that is placed before the program starts (SANDBOX_COPIES)
    const char *path; // absolute, in the sandbox
    const void *bytes;
    size_t size;
};

struct sandbox {
    enum sandbox_view view;
    enum sandbox_calls calls;
    const char *program;          // the file to run: absolute
    const char *const *words;     // its argv, NULL-terminated
    const char *const *variables; // its environment, NULL-terminated
    const char *directory;        // where it starts
    int input, output,
        errors; // descriptors for its standard streams; -1: nothing to read, a pipe that is drained
    int extra;  // inherited as descriptor 3; -1: none
    const char *const *writable; // folders of the host that it may write to, NULL-terminated; may be NULL
    const struct sandbox_file *files;
    uint32_t file_count;
    const char *const
        *hidden;     // paths that are removed from its view (SANDBOX_COPIES), NULL-terminated; may be NULL
    double seconds;  // 0: no limit
    uint64_t memory; // bytes that all its processes together may use; 0: no limit
    uint64_t address_space, stack; // bytes; 0: no limit
    bool traces_itself;            // ptrace inside of the sandbox is allowed (LeakSanitizer needs it)
    bool writes_files;             // SANDBOX_MODEL: files may be opened for writing, too
    // In memory that is shared with process 1: percent of the time in which its processes may run, 0 to 100; they are stopped in
    // the rest. NULL: always.
    const atomic_int *share;
};

// SANDBOX_LIMIT(name, text): why the sandbox ended a program.
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
    bool started;             // false: an error has been reported
    enum sandbox_limit limit; // that ended the program
    int status;               // as waitpid gives it; of a program that a limit ended, that of SIGKILL
};

// Runs the program and waits for its end.
void sandbox_run(const struct sandbox *sandbox, struct sandbox_end *end);

// ---- in steps, for a caller that traces the program, or does something else meanwhile

struct sandbox_process {
    pid_t init;    // process 1 of the sandbox (without sandbox: of the program's own process group)
    pid_t program; // as this process knows it
    int channel;
};
// Starts the sandbox up to the point before execve. False: an error has been reported.
bool sandbox_begin(const struct sandbox *sandbox, struct sandbox_process *process);
void sandbox_go(const struct sandbox_process *process); // execve
void sandbox_await(const struct sandbox *sandbox, const struct sandbox_process *process,
                   struct sandbox_end *end);
// Has it ended? Does not wait.
bool sandbox_has_ended(const struct sandbox *sandbox, const struct sandbox_process *process,
                       struct sandbox_end *end);
void sandbox_finish(struct sandbox_process *process); // kills what is left of it

// ---- computing: a forked copy of this process that has given up everything but computing

// As fork: 0 in the copy, which is contained and has no descriptor but `answer`, as number 3; -1: an error has been reported.
// `prepare`, if any, is called in the copy before the filter of system calls is in force; false: exit status 125.
pid_t sandbox_fork_computing(int answer, bool (*prepare)(void *), void *context, double seconds);

#endif
