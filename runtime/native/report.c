// The end of a program, and its messages. Also part of libtamar.a, which is
// linked with other C libraries: uses nothing of a library except the environment.
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"

#include <signal.h>

extern char **__environ;
extern char **__tamar_native_environment __attribute__((weak)); // all variables, if some are hidden

static size_t length_of(const char *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

const char *__tamar_native_variable(const char *name) {
    size_t length = length_of(name);
    char **all =
        &__tamar_native_environment && __tamar_native_environment ? __tamar_native_environment : __environ;
    for (char **p = all; p && *p; p++) {
        size_t i = 0;
        while (i < length && (*p)[i] == name[i]) i++;
        if (i == length && (*p)[i] == '=') return *p + i + 1;
    }
    return NULL;
}

void __tamar_native_say(const char *a, const char *b, const char *c) {
    const char *parts[] = {"tamar: ", a, b, c, "\n"};
    for (int i = 0; i < 5; i++) RAW3(SYS_write, 2, parts[i], length_of(parts[i]));
}

// In programs with several processes: returns true if another process will end the program.
int __tamar_native_ends(int status, int signal) __attribute__((weak));

// Writes the counts of a gcov build.
void __tamar_native_counts(void) __attribute__((weak));

void __tamar_exit(int status) {
    if (__tamar_native_counts) __tamar_native_counts();
    if (__tamar_native_ends) (void)__tamar_native_ends(status, 0);
    for (;;) RAW3(SYS_exit_group, status, 0, 0);
}

// Uses the real signal, so that the parent process sees the real cause.
void __tamar_killed(int signal) {
    if (__tamar_native_counts) __tamar_native_counts();
    if (__tamar_native_ends && __tamar_native_ends(128 + signal, signal))
        for (;;) RAW3(SYS_exit_group, 0, 0, 0);
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

// Prints the line that the replay looks for, and aborts, as a sanitizer would.
void __tamar_report(const char *kind, const char *message) {
    __tamar_native_say(kind, ": ", message);
    __tamar_killed(SIGABRT);
}

void __tamar_not_modelled(const char *what) {
    const char *errors = __tamar_native_variable("TAMAR_UNMODELLED_ERRORS");
    if (errors && *errors == '1') return;
    __tamar_native_say("not modelled: ", what, "");
    __tamar_exit(125);
}

void __tamar_gave_up(const char *what) {}
void __tamar_one_of_several(const char *what) {}
void __tamar_stop(void) { __tamar_exit(0); }
