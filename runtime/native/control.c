// Start, constructors, threads.
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"

extern char **__environ;
char **__tamar_native_environment;
void __tamar_native_trace_start(void);
void __tamar_native_names(void);

// Variables for Tamar itself (TAMAR_...) are not the program's business: what follows on the stack moves down
// over them.
static void hide_own_variables(long *sp) {
    static char *all[4096];
    char **variables = (char **)(sp + 1 + sp[0] + 1), **from = variables, **to = variables;
    unsigned int count = 0;
    for (; *from; from++) {
        const char *own = "TAMAR_", *name = *from;
        if (count < sizeof all / sizeof all[0] - 1) all[count++] = *from;
        while (*own && *own == *name) own++, name++;
        if (*own) *to++ = *from;
    }
    __tamar_native_environment = all;
    *to++ = NULL;
    long *pair = (long *)(from + 1), *out = (long *)to;
    do {
        out[0] = pair[0], out[1] = pair[1];
        out += 2;
        pair += 2;
    } while (out[-2]);
}

__TAMAR_NORETURN void __tamar_native_start(long *sp);
void __tamar_native_start(long *sp) {
    hide_own_variables(sp);
    __environ = (char **)(sp + 1 + sp[0] + 1); // musl sets it later; the file system asks earlier
    __tamar_native_trace_start();
    __tamar_native_names();
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

void __tamar_use(void *a, void *b, void *c) {}
