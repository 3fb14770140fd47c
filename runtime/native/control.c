// Start, constructors, threads.
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"

extern char **__environ;

__TAMAR_NORETURN void __tamar_native_start(long *sp);
void __tamar_native_start(long *sp) {
    __environ = (char **)(sp + 1 + sp[0] + 1); // musl sets it later; the file system asks earlier
    __tamar_start(sp);
}

extern void (*const __init_array_start[])(int, char **, char **) __attribute__((weak));
extern void (*const __init_array_end[])(int, char **, char **) __attribute__((weak));
extern void (*const __fini_array_start[])(void) __attribute__((weak));
extern void (*const __fini_array_end[])(void) __attribute__((weak));

void __tamar_constructors(int argc, char **argv, char **envp) {
    for (void (*const *f)(int, char **, char **) = __init_array_start; f < __init_array_end; f++)
        (*f)(argc, argv, envp);
}

void __tamar_destructors(void) {
    for (void (*const *f)(void) = __fini_array_end; f > __fini_array_start;) (*--f)();
}

void *__tamar_thread_pointer(void) {
    void *pointer;
    __asm__ volatile("mov %%fs:0, %0" : "=r"(pointer));
    return pointer;
}

void __tamar_set_thread_pointer(void *pointer) { RAW3(SYS_arch_prctl, 0x1002, pointer, 0); }

int __tamar_call3(void *function, unsigned long a, unsigned long b, unsigned long c) {
    return ((int (*)(unsigned long, unsigned long, unsigned long))function)(a, b, c);
}
