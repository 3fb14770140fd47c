// Futexes: waiting for a word of memory to change.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

enum { // <linux/futex.h>
    FUTEX_WAIT = 0,
    FUTEX_WAKE = 1,
    FUTEX_REQUEUE = 3,
    FUTEX_CMP_REQUEUE = 4,
    FUTEX_WAKE_OP = 5,
    FUTEX_WAIT_BITSET = 9,
    FUTEX_WAKE_BITSET = 10,
    FUTEX_COMMAND = 127,
    FUTEX_REALTIME = 256,
};

static bool waits_at(const struct task *task, const int *address) {
    return task->futex == address && !task->woken && (task->process == PROCESS || __tamar_is_shared(address));
}

long __tamar_futex_wake(const int *address, int most, unsigned int bits) {
    int woken = 0;
    for (struct task *task = KERNEL->tasks; task && woken < most; task = task->next)
        if (waits_at(task, address) && (task->futex_bits & bits)) {
            task->woken = true;
            woken++;
        }
    return woken;
}

static long requeue(const int *from, int wake, int most, const int *to) {
    long woken = __tamar_futex_wake(from, wake, ~0u), moved = 0;
    for (struct task *task = KERNEL->tasks; task && moved < most; task = task->next)
        if (waits_at(task, from)) {
            task->futex = to;
            moved++;
        }
    return woken + moved;
}

static unsigned long deadline_of(int operation, const struct timespec *time) {
    if (!time) return 0;
    if ((operation & FUTEX_COMMAND) == FUTEX_WAIT) return __tamar_time() + __tamar_span(time);
    unsigned long at = __tamar_span(time) + (operation & FUTEX_REALTIME ? 0 : KERNEL->start);
    return at ? at : 1;
}

static long wait_at(const int *address, int value, unsigned long deadline, unsigned int bits) {
    struct task *task = KERNEL->task;
    while (*(const volatile int *)address == value) {
        task->futex = address;
        task->futex_bits = bits;
        long error = __tamar_wait(deadline, WAIT_RESTART, "waiting for a lock that is never released");
        bool woken = task->woken;
        task->futex = NULL;
        if (woken) return 0;
        if (error) return error;
    }
    return -EAGAIN;
}

// WAKE_OP: sets *second = *second OP argument, then wakes waiters of both.
static long wake_op(int *first, int most, int *second, int more, unsigned int how) {
    unsigned int operation = how >> 28 & 7, comparison = how >> 24 & 15;
    int argument = (int)(how << 8) >> 20, other = (int)(how << 20) >> 20, old = *second;
    if (how & 1u << 31) argument = 1 << (argument & 31);
    int results[] = {argument, old + argument, old | argument, old & ~argument, old ^ argument};
    if (operation > 4 || comparison > 5) return -ENOSYS;
    *second = results[operation];
    bool holds[] = {old == other, old != other, old<other, old <= other, old> other, old >= other};
    long woken = __tamar_futex_wake(first, most, ~0u);
    return holds[comparison] ? woken + __tamar_futex_wake(second, more, ~0u) : woken;
}

long __tamar_sys_futex(long address, long operation, long value, long timeout, long address2, long value3) {
    int *at = POINTER(address), *second = POINTER(address2), most = (int)value;
    unsigned int bits = ~0u;
    switch ((int)operation & FUTEX_COMMAND) {
    case FUTEX_WAIT_BITSET: bits = (unsigned int)value3; /* fall through */
    case FUTEX_WAIT: return wait_at(at, (int)value, deadline_of((int)operation, POINTER(timeout)), bits);
    case FUTEX_WAKE_BITSET: bits = (unsigned int)value3; /* fall through */
    case FUTEX_WAKE: return __tamar_futex_wake(at, most, bits);
    case FUTEX_CMP_REQUEUE:
        if (*(volatile int *)at != (int)value3) return -EAGAIN;
        /* fall through */
    case FUTEX_REQUEUE: return requeue(at, most, (int)timeout, second);
    case FUTEX_WAKE_OP: return wake_op(at, most, second, (int)timeout, (unsigned int)value3);
    default: return -ENOSYS;
    }
}
