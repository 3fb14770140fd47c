// Internals of the sandbox. Three processes take part:
//
//   tamar     sandbox.c: clones process 1 into new namespaces, writes its user map, waits for its reports
//   process 1 sandbox_init.c: builds the root, starts the program, enforces its limits; when it ends, the
//             kernel kills all processes of the namespace
//   program   drops its privileges, then execve
//
// They communicate over one socket pair: tamar sends a byte to start the next step; process 1 and the program send
// `report`s.
#ifndef TAMAR_NATIVE_SANDBOX_INT_H
#define TAMAR_NATIVE_SANDBOX_INT_H

#include "native/sandbox.h"

#include <dirent.h>

enum report_kind {
    REPORT_REFUSED, // the system does not allow `what`: `value` is errno
    REPORT_HELD,    // the program waits before execve; the sender's process id is in the credentials
    REPORT_NO_EXEC, // execve failed: `value` is errno
    REPORT_ENDED,   // the program ended: `value` is its wait status
    REPORT_LIMIT,   // ended by enum sandbox_limit `value`
};

struct report {
    enum report_kind kind;
    int value;
    char what[120];
};

#define MOST_PROCESSES   512
#define MOST_SHARED      4096                  // processes of a program under `tamar record`
#define MOST_DESCRIPTORS 1024                  // open files of a process, as in the kernel model
#define MOST_QUEUED      ((uint64_t)800 << 10) // bytes in POSIX message queues, Linux's default
#define MOST_FILES       200000u               // files in the private copy
#define LARGEST_FILE     ((uint64_t)256 << 20)
#define PRIVATE_FILES    ((uint64_t)1 << 30) // total size of the files that a program writes, in bytes

// sandbox_init.c: runs process 1, or without sandbox the parent of the program. Does not return.
NORETURN void sandbox_be_init(const struct sandbox *sandbox, const int streams[3], int channel);
void sandbox_give_up_capabilities(void); // exits with 126 on failure

// sandbox_usage.c: what all processes but process 1 use. `proc` is the sandbox's /proc. Returns false if the use of a
// process cannot be read.
struct sandbox_usage {
    uint64_t threads, bytes;
};
bool sandbox_measure(const struct sandbox *sandbox, DIR *proc, struct sandbox_usage *usage);

// sandbox_root.c: makes the sandbox's file system the root of this process. Returns NULL, or the failed step, with
// errno.
const char *sandbox_enter_root(const struct sandbox *sandbox);
const char *sandbox_enter_empty_root(void);

// sandbox_filter.c: restricts the system calls of this process permanently. Returns false if that is not possible.
bool sandbox_filter_program(bool traces_itself, bool shares);
bool sandbox_filter_model(bool writes_files);
bool sandbox_filter_computing(void);

#endif
