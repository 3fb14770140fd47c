// Dispatches all system calls.
#include "runtime/linux/calls.h"
#include "runtime/linux/peer.h"

#define ARGUMENTS_0
#define ARGUMENTS_1 a
#define ARGUMENTS_2 a, b
#define ARGUMENTS_3 a, b, c
#define ARGUMENTS_4 a, b, c, d
#define ARGUMENTS_5 a, b, c, d, e
#define ARGUMENTS_6 a, b, c, d, e, f

static long not_modelled(const char *name) {
    __tamar_not_modelled(name);
    return -ENOSYS;
}

static long not_modelled_number(long n) {
    static const char start[] = "system call ";
    char text[sizeof start + 24], *p = text + sizeof text;
    unsigned long value = n < 0 ? -(unsigned long)n : (unsigned long)n;
    *--p = 0;
    do *--p = (char)('0' + value % 10);
    while (value /= 10);
    if (n < 0) *--p = '-';
    p -= sizeof start - 1;
    memcpy(p, start, sizeof start - 1);
    return not_modelled(p);
}

// Whether one of these pointers (digits: argument numbers) leads to the first page and would be accessed.
static bool faults(const long *arguments, int descriptor, int pointers, int size) {
    if (descriptor && !__tamar_file((int)arguments[descriptor - 1])) return false;
    if (size && !arguments[size - 1]) return false;
    for (; pointers; pointers /= 10)
        if (__tamar_is_bad(arguments[pointers % 10 - 1])) return true;
    return false;
}

static bool is_fault(long n, const long *arguments) {
    switch (n) {
#define FAULT(name, descriptor, pointers, size)                                                              \
    case SYS_##name: return faults(arguments, descriptor, pointers, size);
        FAULT_TABLE(FAULT)
#undef FAULT
    default: return false;
    }
}

static long dispatch(long n, long a, long b, long c, long d, long e, long f) {
#define CASE(name, count)                                                                                    \
    case SYS_##name: return __tamar_sys_##name(ARGUMENTS_##count);
#define UNMODELLED_CASE(name)                                                                                \
    case SYS_##name: return not_modelled("system call " #name);
    switch (n) {
        SYSCALL_TABLE(CASE)
        UNMODELLED_TABLE(UNMODELLED_CASE)
    default: return not_modelled_number(n);
    }
}

long __tamar_syscall(long n, long a, long b, long c, long d, long e, long f) {
    long result = KERNEL->failures ? __tamar_failure(n, a) : 0;
    long arguments[] = {a, b, c, d, e, f};
    if (!result) result = is_fault(n, arguments) ? -EFAULT : dispatch(n, a, b, c, d, e, f);
    if (KERNEL->peers) __tamar_peers_run(); // the call may have enabled one of their steps
    __tamar_signal_deliver();
    return result;
}
