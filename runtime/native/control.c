// Start, end, threads, messages.
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"

#include <errno.h>
#include <signal.h>

static char **environment;

static size_t length_of(const char *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

const char *__tamar_native_variable(const char *name) {
    size_t length = length_of(name);
    for (char **p = environment; p && *p; p++) {
        size_t i = 0;
        while (i < length && (*p)[i] == name[i]) i++;
        if (i == length && (*p)[i] == '=') return *p + i + 1;
    }
    return NULL;
}

void __tamar_native_say(const char *a, const char *b, const char *c) {
    const char *parts[] = {a, b, c, "\n"};
    for (int i = 0; i < 4; i++) RAW3(SYS_write, 2, parts[i], length_of(parts[i]));
}

__TAMAR_NORETURN void __tamar_native_start(long *sp);
void __tamar_native_start(long *sp) {
    environment = (char **)(sp + 1 + sp[0] + 1);
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

void __tamar_exit(int status) {
    for (;;) RAW3(SYS_exit_group, status, 0, 0);
}

// By the real signal, so that whoever watches sees the real end.
void __tamar_killed(int signal) {
    struct {
        void (*handler)(int);
        unsigned long flags;
        void (*restorer)(void);
        unsigned long mask;
    } action = {SIG_DFL, 0, NULL, 0};
    unsigned long none = 0;
    RAW4(SYS_rt_sigaction, signal, &action, 0, 8);
    RAW4(SYS_rt_sigprocmask, SIG_SETMASK, &none, 0, 8);
    RAW3(SYS_tkill, raw(SYS_gettid, 0, 0, 0, 0, 0, 0), signal, 0);
    __tamar_exit(128 + signal);
}

// The line that the replay looks for; the end is an abort, as a sanitizer's would be.
void __tamar_report(const char *kind, const char *message) {
    __tamar_native_say("tamar: ", kind, ": ");
    __tamar_native_say("  ", message, "");
    __tamar_killed(SIGABRT);
}

void __tamar_not_modelled(const char *what) {
    if (__tamar_host_value(__TAMAR_UNMODELLED_ERRORS)) return;
    __tamar_native_say("tamar: not modelled: ", what, "");
    __tamar_exit(125);
}

void __tamar_gave_up(const char *what) {}
void __tamar_stop(void) { __tamar_exit(0); }

void *__tamar_thread_pointer(void) {
    void *pointer;
    __asm__ volatile("mov %%fs:0, %0" : "=r"(pointer));
    return pointer;
}

void __tamar_set_thread_pointer(void *pointer) { RAW3(SYS_arch_prctl, 0x1002, pointer, 0); }

int __tamar_call3(void *function, unsigned long a, unsigned long b, unsigned long c) {
    return ((int (*)(unsigned long, unsigned long, unsigned long))function)(a, b, c);
}
