// Functions declared in include/gnu, except error() and obstacks. Compiled
// into the bitcode library and, for native programs, into libtamar.a.
#include "include/gnu/execinfo.h"
#include "include/gnu/gnu/libc-version.h"
#include "include/gnu/malloc.h"
#include "include/gnu/mcheck.h"
#include "include/gnu/sys/single_threaded.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void *rawmemchr(const void *at, int c);
char *canonicalize_file_name(const char *path);

void *rawmemchr(const void *at, int c) {
    const unsigned char *p = at;
    while (*p != (unsigned char)c) p++;
    return (void *)p;
}

char *canonicalize_file_name(const char *path) { return realpath(path, NULL); }

struct mallinfo mallinfo(void) { return (struct mallinfo){0}; }
struct mallinfo2 mallinfo2(void) { return (struct mallinfo2){0}; }
int mallopt(int parameter, int value) { return 1; }
int malloc_trim(size_t pad) { return 0; }

int backtrace(void **buffer, int size) { return 0; }
char **backtrace_symbols(void *const *buffer, int size) {
    return calloc((size_t)(size < 0 ? 0 : size) + 1, sizeof(char *));
}
void backtrace_symbols_fd(void *const *buffer, int size, int descriptor) {}

const char *gnu_get_libc_version(void) { return "2.36"; }
const char *gnu_get_libc_release(void) { return "stable"; }
char __libc_single_threaded;

int mcheck(void (*report)(enum mcheck_status status)) { return 0; }
int mcheck_pedantic(void (*report)(enum mcheck_status status)) { return 0; }
void mcheck_check_all(void) {}
enum mcheck_status mprobe(void *object) { return MCHECK_DISABLED; }
void mtrace(void) {}
void muntrace(void) {}

struct statx;
int statx(int folder, const char *path, int flags, unsigned int mask, struct statx *result);
int statx(int folder, const char *path, int flags, unsigned int mask, struct statx *result) {
    return (int)syscall(SYS_statx, folder, path, flags, mask, result);
}

void __assert_perror_fail(int number, const char *file, unsigned int line, const char *function);
void __assert_perror_fail(int number, const char *file, unsigned int line, const char *function) {
    fprintf(stderr, "%s:%u: %s: unexpected error: %s\n", file, line, function, strerror(number));
    abort();
}

int group_member(gid_t group);
int group_member(gid_t group) {
    gid_t groups[64];
    int count = getgroups(64, groups);
    for (int i = 0; i < count; i++)
        if (groups[i] == group) return 1;
    return getegid() == group;
}

void closefrom(int first);
void closefrom(int first) {
    for (int i = first < 0 ? 0 : first; i < 1024; i++) close(i);
}
int close_range(unsigned int first, unsigned int last, int flags);
int close_range(unsigned int first, unsigned int last, int flags) {
    if (first > last) {
        errno = EINVAL;
        return -1;
    }
    enum { CLOEXEC = 4 };
    for (unsigned int i = first; i <= last && i < 1024; i++) {
        if (flags & CLOEXEC)
            fcntl((int)i, F_SETFD, FD_CLOEXEC);
        else
            close((int)i);
    }
    return 0;
}

int rpmatch(const char *answer);
int rpmatch(const char *answer) {
    return *answer == 'y' || *answer == 'Y' ? 1 : *answer == 'n' || *answer == 'N' ? 0 : -1;
}
void *memfrob(void *at, size_t size);
void *memfrob(void *at, size_t size) {
    for (size_t i = 0; i < size; i++) ((unsigned char *)at)[i] ^= 42;
    return at;
}
char *strfry(char *text);
char *strfry(char *text) { return text; } // also an anagram

int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags);
int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags) {
    return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
}

static const char *const signal_names[] = {
    [SIGHUP] = "HUP",       [SIGINT] = "INT",   [SIGQUIT] = "QUIT",   [SIGILL] = "ILL",   [SIGTRAP] = "TRAP",
    [SIGABRT] = "ABRT",     [SIGBUS] = "BUS",   [SIGFPE] = "FPE",     [SIGKILL] = "KILL", [SIGUSR1] = "USR1",
    [SIGSEGV] = "SEGV",     [SIGUSR2] = "USR2", [SIGPIPE] = "PIPE",   [SIGALRM] = "ALRM", [SIGTERM] = "TERM",
    [SIGSTKFLT] = "STKFLT", [SIGCHLD] = "CHLD", [SIGCONT] = "CONT",   [SIGSTOP] = "STOP", [SIGTSTP] = "TSTP",
    [SIGTTIN] = "TTIN",     [SIGTTOU] = "TTOU", [SIGURG] = "URG",     [SIGXCPU] = "XCPU", [SIGXFSZ] = "XFSZ",
    [SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF", [SIGWINCH] = "WINCH", [SIGIO] = "POLL",   [SIGPWR] = "PWR",
    [SIGSYS] = "SYS",
};
const char *sigabbrev_np(int number);
const char *sigabbrev_np(int number) {
    return number > 0 && number < (int)(sizeof signal_names / sizeof *signal_names) ? signal_names[number]
                                                                                    : NULL;
}
const char *sigdescr_np(int number);
const char *sigdescr_np(int number) { return sigabbrev_np(number) ? strsignal(number) : NULL; }
