// Functions that musl's threads need from the VM: the thread pointer, and cancellable system calls without assembly.
#include "runtime/intrinsics.h"
#include "runtime/linux/linux.h"

#include <sched.h>
#include <stdarg.h>

int __set_thread_area(void *pointer);
long __syscall_cp_asm(volatile void *cancel, long n, long a, long b, long c, long d, long e, long f);
long __cancel(void);
int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...);
void __unmapself(void *base, size_t size);
void __restore_rt(void);

// pthread_cancel checks whether a signal arrived between these addresses. Signals are not asynchronous here: none
// does.
const char __cp_begin[1], __cp_end[1], __cp_cancel[1];

int __set_thread_area(void *pointer) {
    __tamar_set_thread_pointer(pointer);
    return 0;
}

long __syscall_cp_asm(volatile void *cancel, long n, long a, long b, long c, long d, long e, long f) {
    if (*(volatile int *)cancel) return __cancel();
    return __tamar_syscall(n, a, b, c, d, e, f);
}

int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...) {
    int *parent_id = NULL, *child_id = NULL;
    void *pointer = NULL;
    va_list more;
    va_start(more, argument);
    if (flags & (CLONE_PARENT_SETTID | CLONE_SETTLS | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID)) {
        parent_id = va_arg(more, int *);
        pointer = va_arg(more, void *);
        child_id = va_arg(more, int *);
    }
    va_end(more);
    return (int)__tamar_clone(function, stack, flags, argument, parent_id, pointer, child_id);
}

// A thread cannot unmap its own stack: the next task does.
void __unmapself(void *base, size_t size) {
    __tamar_abandon_stack(base, size);
    __tamar_syscall(SYS_exit, 0, 0, 0, 0, 0, 0);
}

// The kernel would return from a signal handler through it; here the runtime calls handlers as functions.
void __restore_rt(void) {}
