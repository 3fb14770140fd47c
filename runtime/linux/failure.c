// Failures that the program did not cause, of system calls and allocations, and
// short reads: on request (`--fail`, `--short-reads`), each on its own path.
// Errors caused by the caller, or returned by the model itself, are not here.
#include "runtime/linux/linux.h"

// The kind of file that the first argument must refer to.
enum where { ANYTHING, FILES, SOCKETS };

// FAIL(call, where, documented errors...). EINTR counts only in processes that handle signals.
#define FAILURE_TABLE(FAIL)                                                                                  \
    FAIL(read, FILES, EIO, EINTR)                                                                            \
    FAIL(readv, FILES, EIO, EINTR)                                                                           \
    FAIL(pread64, FILES, EIO)                                                                                \
    FAIL(write, FILES, EIO, ENOSPC, EINTR)                                                                   \
    FAIL(writev, FILES, EIO, ENOSPC, EINTR)                                                                  \
    FAIL(pwrite64, FILES, EIO, ENOSPC)                                                                       \
    FAIL(read, SOCKETS, ECONNRESET, ETIMEDOUT, EINTR)                                                        \
    FAIL(readv, SOCKETS, ECONNRESET, ETIMEDOUT, EINTR)                                                       \
    FAIL(recvfrom, SOCKETS, ECONNRESET, ETIMEDOUT, EINTR)                                                    \
    FAIL(recvmsg, SOCKETS, ECONNRESET, ETIMEDOUT, EINTR)                                                     \
    FAIL(write, SOCKETS, ECONNRESET, ENOBUFS, EINTR)                                                         \
    FAIL(writev, SOCKETS, ECONNRESET, ENOBUFS, EINTR)                                                        \
    FAIL(sendto, SOCKETS, ECONNRESET, ENOBUFS, EINTR)                                                        \
    FAIL(sendmsg, SOCKETS, ECONNRESET, ENOBUFS, EINTR)                                                       \
    FAIL(socket, ANYTHING, EMFILE, ENFILE, ENOBUFS)                                                          \
    FAIL(socketpair, ANYTHING, EMFILE, ENFILE)                                                               \
    FAIL(bind, ANYTHING, EADDRINUSE, EACCES)                                                                 \
    FAIL(listen, ANYTHING, EADDRINUSE)                                                                       \
    FAIL(connect, ANYTHING, ECONNREFUSED, ETIMEDOUT, ENETUNREACH, EINTR)                                     \
    FAIL(accept, ANYTHING, ECONNABORTED, EMFILE, EINTR)                                                      \
    FAIL(accept4, ANYTHING, ECONNABORTED, EMFILE, EINTR)                                                     \
    FAIL(open, ANYTHING, EACCES, EMFILE, ENFILE, EINTR)                                                      \
    FAIL(openat, ANYTHING, EACCES, EMFILE, ENFILE, EINTR)                                                    \
    FAIL(creat, ANYTHING, EACCES, EMFILE, ENOSPC)                                                            \
    FAIL(close, FILES, EIO, EINTR)                                                                           \
    FAIL(dup, ANYTHING, EMFILE)                                                                              \
    FAIL(dup2, ANYTHING, EMFILE)                                                                             \
    FAIL(dup3, ANYTHING, EMFILE)                                                                             \
    FAIL(pipe, ANYTHING, EMFILE, ENFILE)                                                                     \
    FAIL(pipe2, ANYTHING, EMFILE, ENFILE)                                                                    \
    FAIL(stat, ANYTHING, EACCES, EIO)                                                                        \
    FAIL(lstat, ANYTHING, EACCES, EIO)                                                                       \
    FAIL(newfstatat, ANYTHING, EACCES, EIO)                                                                  \
    FAIL(statx, ANYTHING, EACCES, EIO)                                                                       \
    FAIL(fsync, ANYTHING, EIO, ENOSPC)                                                                       \
    FAIL(fdatasync, ANYTHING, EIO, ENOSPC)                                                                   \
    FAIL(ftruncate, ANYTHING, EIO, EINTR)                                                                    \
    FAIL(truncate, ANYTHING, EIO, EACCES)                                                                    \
    FAIL(mkdir, ANYTHING, EACCES, ENOSPC)                                                                    \
    FAIL(mkdirat, ANYTHING, EACCES, ENOSPC)                                                                  \
    FAIL(unlink, ANYTHING, EACCES, EBUSY)                                                                    \
    FAIL(unlinkat, ANYTHING, EACCES, EBUSY)                                                                  \
    FAIL(rmdir, ANYTHING, EACCES, EBUSY)                                                                     \
    FAIL(rename, ANYTHING, EACCES, ENOSPC, EXDEV)                                                            \
    FAIL(renameat, ANYTHING, EACCES, ENOSPC, EXDEV)                                                          \
    FAIL(renameat2, ANYTHING, EACCES, ENOSPC, EXDEV)                                                         \
    FAIL(link, ANYTHING, EACCES, EXDEV, EMLINK)                                                              \
    FAIL(linkat, ANYTHING, EACCES, EXDEV, EMLINK)                                                            \
    FAIL(symlink, ANYTHING, EACCES, ENOSPC)                                                                  \
    FAIL(symlinkat, ANYTHING, EACCES, ENOSPC)                                                                \
    FAIL(chdir, ANYTHING, EACCES)                                                                            \
    FAIL(getdents64, ANYTHING, EIO)                                                                          \
    FAIL(mmap, ANYTHING, ENOMEM)                                                                             \
    FAIL(mremap, ANYTHING, ENOMEM)                                                                           \
    FAIL(fork, ANYTHING, EAGAIN, ENOMEM)                                                                     \
    FAIL(vfork, ANYTHING, EAGAIN, ENOMEM)                                                                    \
    FAIL(epoll_create1, ANYTHING, EMFILE, ENOMEM)                                                            \
    FAIL(epoll_ctl, ANYTHING, ENOMEM, ENOSPC)                                                                \
    FAIL(eventfd2, ANYTHING, EMFILE)                                                                         \
    FAIL(timerfd_create, ANYTHING, EMFILE)                                                                   \
    FAIL(poll, ANYTHING, ENOMEM, EINTR)                                                                      \
    FAIL(select, ANYTHING, ENOMEM, EINTR)                                                                    \
    FAIL(nanosleep, ANYTHING, EINTR)                                                                         \
    FAIL(setuid, ANYTHING, EAGAIN)                                                                           \
    FAIL(setgid, ANYTHING, EAGAIN)

enum { MOST_ERRORS = 4 };

static const struct failure {
    long call;
    const char *name;
    enum where where;
    int errors[MOST_ERRORS]; // terminated by 0, or full
} failures[] = {
#define FAIL(call, where, ...) {SYS_##call, #call, where, {__VA_ARGS__}},
    FAILURE_TABLE(FAIL)
#undef FAIL
};

#define ERROR_TABLE(E)                                                                                       \
    E(EIO)                                                                                                   \
    E(EINTR)                                                                                                 \
    E(ENOSPC)                                                                                                \
    E(ECONNRESET)                                                                                            \
    E(ETIMEDOUT)                                                                                             \
    E(ENOBUFS)                                                                                               \
    E(EMFILE)                                                                                                \
    E(ENFILE)                                                                                                \
    E(EADDRINUSE)                                                                                            \
    E(EACCES)                                                                                                \
    E(ECONNREFUSED)                                                                                          \
    E(ENETUNREACH)                                                                                           \
    E(ECONNABORTED)                                                                                          \
    E(EBUSY)                                                                                                 \
    E(EXDEV)                                                                                                 \
    E(EMLINK)                                                                                                \
    E(ENOMEM)                                                                                                \
    E(EAGAIN)

static const char *error_name(int error) {
    switch (error) {
#define E(name)                                                                                              \
    case name: return #name;
        ERROR_TABLE(E)
#undef E
    default: return "an error";
    }
}

// Reports "open failed with EACCES". Most system calls have the names that the manual pages use.
static void report_failure(const struct failure *failure, int error) {
    char text[80] = "";
    strcat(strcat(strcat(text, failure->name), " failed with "), error_name(error));
    __tamar_event(text);
}

static void report_short_read(size_t size, size_t given) {
    size_t numbers[] = {given, size};
    const char *const words[] = {"a read gave ", " of "};
    char text[80] = "";
    for (int i = 0; i < 2; i++) {
        char digits[24], *p = digits + sizeof digits;
        size_t value = numbers[i];
        *--p = 0;
        do *--p = (char)('0' + value % 10);
        while (value /= 10);
        strcat(strcat(text, words[i]), p);
    }
    __tamar_event(strcat(text, " bytes"));
}

static bool is_meant(const struct failure *failure, long first_argument) {
    if (failure->where == ANYTHING) return true;
    const struct file *file = __tamar_file((int)first_argument);
    return file && (failure->where == SOCKETS) == (file->inode->socket != NULL);
}

long __tamar_failure(long call, long first_argument) {
    for (unsigned i = 0; i < COUNT_OF(failures); i++) {
        const struct failure *failure = &failures[i];
        int possible[MOST_ERRORS];
        unsigned int count = 0;
        if (failure->call != call || !is_meant(failure, first_argument)) continue;
        for (int k = 0; k < MOST_ERRORS && failure->errors[k]; k++)
            if (failure->errors[k] != EINTR || __tamar_may_interrupt())
                possible[count++] = failure->errors[k];
        unsigned int chosen = __tamar_choose(count + 1);
        if (!chosen) return 0;
        KERNEL->failures--;
        report_failure(failure, possible[chosen - 1]);
        return -possible[chosen - 1];
    }
    return 0;
}

bool __tamar_allocation_fails(const char *function) {
    char text[80] = "";
    if (!KERNEL->failures || !__tamar_choose(2)) return false;
    KERNEL->failures--;
    __tamar_event(strcat(strcat(text, function), " returned NULL (ENOMEM)"));
    return true;
}

// Forks on every number of bytes if there are few, else on one, half and all but one.
size_t __tamar_short_read(size_t size) {
    enum { FEW = 64 };
    unsigned int chosen = __tamar_choose(size <= FEW ? (unsigned int)size : 4);
    if (!chosen) return size;
    KERNEL->short_reads--;
    size_t given = size <= FEW || chosen == 1 ? chosen : chosen == 2 ? size / 2 : size - 1;
    report_short_read(size, given);
    return given;
}
