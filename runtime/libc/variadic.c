// Wrappers of system calls whose last arguments are optional. musl's read them even if they
// were not passed, which the VM correctly reports as a bug; these check first which are needed.
#include "runtime/linux/syscalls.h"

#include "runtime/intrinsics.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static long result_of(long value) {
    if (value >= 0 || value < -4095) return value;
    errno = (int)-value;
    return -1;
}

static int makes_file(long flags) { return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE; }

static int fcntl_takes(int command) {
    switch (command) {
    case F_GETFD:
    case F_GETFL:
    case F_GETOWN:
    case F_GETSIG:
    case F_GETLEASE:
    case F_GETPIPE_SZ: return 0;
    default: return 1;
    }
}

static int ioctl_takes(int request) {
    switch ((unsigned)request) {
    case FIOCLEX:
    case FIONCLEX:
    case TIOCNOTTY:
    case TIOCEXCL:
    case TIOCNXCL:
    case TIOCCONS:
    case TIOCSBRK:
    case TIOCCBRK: return 0;
    default: return 1;
    }
}

static int prctl_takes(int option) {
    switch (option) {
    case PR_GET_DUMPABLE:
    case PR_GET_KEEPCAPS:
    case PR_GET_TIMING:
    case PR_GET_SECUREBITS:
    case PR_GET_NO_NEW_PRIVS: return 0;
    default: return 1;
    }
}

int fcntl(int descriptor, int command, ...) {
    va_list more;
    unsigned long argument = 0;
    va_start(more, command);
    if (fcntl_takes(command)) switch (command) {
        case F_SETFL: argument = (unsigned long)va_arg(more, int) | O_LARGEFILE; break;
        case F_DUPFD:
        case F_DUPFD_CLOEXEC:
        case F_SETFD:
        case F_SETOWN:
        case F_SETSIG:
        case F_SETLEASE:
        case F_NOTIFY:
        case F_SETPIPE_SZ: argument = (unsigned long)va_arg(more, int); break;
        default: argument = (unsigned long)va_arg(more, void *); break;
        }
    va_end(more);
    return (int)result_of(__tamar_syscall(SYS_fcntl, descriptor, command, (long)argument, 0, 0, 0));
}

int ioctl(int descriptor, int request, ...) {
    va_list more;
    void *argument = NULL;
    va_start(more, request);
    if (ioctl_takes(request)) argument = va_arg(more, void *);
    va_end(more);
    return (int)result_of(__tamar_syscall(SYS_ioctl, descriptor, request, (long)argument, 0, 0, 0));
}

static int argument_count(long n) {
#define COUNT_CASE(name, count)                                                                              \
    case SYS_##name: return count;
    switch (n) {
        SYSCALL_TABLE(COUNT_CASE)
    default: return 0; // not modelled: the arguments do not matter
    }
}

// Returns the number of arguments that were passed. In some calls, an earlier argument determines whether the last one
// exists. `known`: number of arguments read so far.
static int passed_count(long n, const long *given, int known) {
    switch (n) {
    case SYS_open: return known == 2 && !makes_file(given[1]) ? 2 : 3;
    case SYS_openat: return known == 3 && !makes_file(given[2]) ? 3 : 4;
    case SYS_fcntl: return known == 2 && !fcntl_takes((int)given[1]) ? 2 : 3;
    case SYS_ioctl: return known == 2 && !ioctl_takes((int)given[1]) ? 2 : 3;
    case SYS_prctl: return known == 1 && !prctl_takes((int)given[0]) ? 1 : 2;
    default: return argument_count(n);
    }
}

long syscall(long n, ...) {
    va_list more;
    long arguments[6] = {0};
    va_start(more, n);
    for (int i = 0; i < passed_count(n, arguments, i); i++) arguments[i] = va_arg(more, long);
    va_end(more);
    return result_of(__tamar_syscall(n, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                                     arguments[5]));
}

int prctl(int option, ...) {
    va_list more;
    unsigned long argument = 0;
    va_start(more, option);
    if (prctl_takes(option)) argument = va_arg(more, unsigned long);
    va_end(more);
    return (int)result_of(__tamar_syscall(SYS_prctl, option, (long)argument, 0, 0, 0, 0));
}
