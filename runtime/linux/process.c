// The end of the process, and other processes, of which there are none yet.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

long __tamar_sys_exit_group(long status) {
    __tamar_linux_end();
    __tamar_exit((int)status & 255);
}
long __tamar_sys_exit(long status) { return __tamar_sys_exit_group(status); }

static long refuse(const char *what) {
    __tamar_not_modelled(what);
    return -ENOSYS;
}
long __tamar_sys_fork(void) { return refuse("system call fork"); }
long __tamar_sys_vfork(void) { return refuse("system call vfork"); }
long __tamar_sys_clone(long flags, long stack, long parent, long child, long tls) {
    return refuse("system call clone");
}
long __tamar_sys_execve(long path, long argv, long envp) { return refuse("system call execve"); }
long __tamar_sys_execveat(long directory, long path, long argv, long envp, long flags) {
    return refuse("system call execveat");
}
long __tamar_sys_wait4(long process, long status, long options, long usage) { return -ECHILD; }
long __tamar_sys_waitid(long kind, long process, long info, long options, long usage) { return -ECHILD; }

// With one thread nobody wakes a waiter but a signal or the time-out.
long __tamar_sys_futex(long address, long operation, long value, long timeout, long address2, long value3) {
    enum { WAIT = 0, WAKE = 1, WAIT_BITSET = 9, COMMAND = 127 };
    const struct timespec *time = POINTER(timeout);
    switch ((int)operation & COMMAND) {
    case WAIT:
    case WAIT_BITSET:
        if (*(volatile int *)POINTER(address) != (int)value) return -EAGAIN;
        if (time) {
            unsigned long span = (unsigned long)time->tv_sec * 1000000000ul + (unsigned long)time->tv_nsec;
            bool absolute = ((int)operation & COMMAND) == WAIT_BITSET;
            long result = __tamar_wait_until(absolute ? span : __tamar_time() + span, "futex");
            return result < 0 ? result : -ETIMEDOUT;
        }
        return __tamar_wait_until(0, "deadlock: waiting for a lock that nobody will release");
    case WAKE: return 0;
    default: return -ENOSYS;
    }
}
