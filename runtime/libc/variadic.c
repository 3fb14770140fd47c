// Wrappers of system calls whose last arguments are optional. musl's take them whether they were passed or
// not, which the machine rightly calls a bug; these look at what is asked for first.
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

int fcntl(int descriptor, int command, ...) {
    va_list more;
    unsigned long argument = 0;
    va_start(more, command);
    switch (command) {
    case F_GETFD:
    case F_GETFL:
    case F_GETOWN:
    case F_GETSIG:
    case F_GETLEASE:
    case F_GETPIPE_SZ: break;
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
    switch ((unsigned)request) {
    case FIOCLEX:
    case FIONCLEX:
    case TIOCNOTTY:
    case TIOCEXCL:
    case TIOCNXCL:
    case TIOCCONS:
    case TIOCSBRK:
    case TIOCCBRK: break;
    default: argument = va_arg(more, void *); break;
    }
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

long syscall(long n, ...) {
    va_list more;
    long arguments[6] = {0};
    int count = argument_count(n);
    va_start(more, n);
    for (int i = 0; i < count; i++) arguments[i] = va_arg(more, long);
    va_end(more);
    return result_of(__tamar_syscall(n, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                                     arguments[5]));
}

int prctl(int option, ...) {
    va_list more;
    unsigned long argument = 0;
    va_start(more, option);
    switch (option) {
    case PR_GET_DUMPABLE:
    case PR_GET_KEEPCAPS:
    case PR_GET_TIMING:
    case PR_GET_SECUREBITS:
    case PR_GET_NO_NEW_PRIVS: break;
    default: argument = va_arg(more, unsigned long); break;
    }
    va_end(more);
    return (int)result_of(__tamar_syscall(SYS_prctl, option, (long)argument, 0, 0, 0, 0));
}
