// A library for LD_PRELOAD that makes one kind of call fail, as on a system that has no room or no processes left.
//   FAULT_CALL   the function
//   FAULT_PATH   only calls whose path contains this (functions with a path)
//   FAULT_ERROR  the errno it sets; 0: the process is killed in it; -1: bytes that are sent are damaged
//   FAULT_SKIP   so many calls of this process succeed first
//                ("clock": seconds by which the clock is ahead as soon as there is a file FAULT_PATH)
//   FAULT_WHERE  "first": only in the process that loaded the library; "forked": only in others
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static pid_t first;
__attribute__((constructor)) static void note_process(void) { first = getpid(); }

static int error(void) { return atoi(getenv("FAULT_ERROR")); }

static int fails(const char *call, const char *path) {
    static int skipped;
    const char *wanted = getenv("FAULT_CALL"), *part = getenv("FAULT_PATH"), *skip = getenv("FAULT_SKIP");
    const char *where = getenv("FAULT_WHERE");
    if (where && !strcmp(where, "first") != (getpid() == first)) return 0;
    if (!wanted || strcmp(wanted, call) || (part && (!path || !strstr(path, part)))) return 0;
    if (skip && skipped++ < atoi(skip)) return 0;
    if (error() == 0) kill(getpid(), SIGKILL);
    errno = error();
    return 1;
}

pid_t fork(void) { return fails("fork", NULL) ? -1 : NEXT(fork)(); }
int pipe2(int pipes[2], int flags) { return fails("pipe2", NULL) ? -1 : NEXT(pipe2)(pipes, flags); }
int mkdir(const char *path, mode_t mode) { return fails("mkdir", path) ? -1 : NEXT(mkdir)(path, mode); }
int mkdirat(int at, const char *path, mode_t mode) { return fails("mkdirat", path) ? -1 : NEXT(mkdirat)(at, path, mode); }
int access(const char *path, int mode) { return fails("access", path) ? -1 : NEXT(access)(path, mode); }
int socketpair(int domain, int type, int protocol, int pair[2]) {
    return fails("socketpair", NULL) ? -1 : NEXT(socketpair)(domain, type, protocol, pair);
}

static mode_t mode_of(int flags, va_list *more) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(*more, mode_t) : 0; }

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = mode_of(flags, &more);
    va_end(more);
    return fails("open", path) ? -1 : NEXT(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = mode_of(flags, &more);
    va_end(more);
    return fails("open", path) ? -1 : NEXT(open64)(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) { return fails("open", path) ? NULL : NEXT(fopen)(path, mode); }
FILE *fopen64(const char *path, const char *mode) { return fails("open", path) ? NULL : NEXT(fopen64)(path, mode); }

int fcntl(int fd, int command, ...) {
    va_list more;
    va_start(more, command);
    void *argument = va_arg(more, void *);
    va_end(more);
    return command == F_SETLK && fails("lock", NULL) ? -1 : NEXT(fcntl)(fd, command, argument);
}
int fcntl64(int fd, int command, ...) __attribute__((alias("fcntl")));

ssize_t send(int fd, const void *bytes, size_t size, int flags) {
    if (size < 24 || !fails("send", NULL)) return NEXT(send)(fd, bytes, size, flags);
    char *copy = malloc(size);
    memcpy(copy, bytes, size);
    memset(copy + 8, 0xff, size - 8); // the frame keeps its size
    ssize_t sent = NEXT(send)(fd, copy, size, flags);
    free(copy);
    return sent;
}

int clock_gettime(clockid_t clock, struct timespec *to) {
    struct stat st;
    const char *call = getenv("FAULT_CALL");
    int result = NEXT(clock_gettime)(clock, to);
    if (call && !strcmp(call, "clock") && lstat(getenv("FAULT_PATH"), &st) == 0) to->tv_sec += atoi(getenv("FAULT_SKIP"));
    return result;
}
