// The functions of the C library that --fail makes fail, for the advice about sides of branches that were not taken.
// The system calls are those of FAILURE_TABLE in runtime/linux/failure.c (scripts/check-tables compares the two).
#ifndef TAMAR_COVER_FAILING_CALLS_H
#define TAMAR_COVER_FAILING_CALLS_H

// Result of the function. ZERO: 0, or -1 if it fails. NUMBER: 0 or more, or -1. POINTER: NULL if it fails.
enum failing_result { RESULT_ZERO, RESULT_NUMBER, RESULT_POINTER };

// CALL(function, system call that fails (malloc: the allocation), result).
#define FAILING_CALLS(CALL)                                                                                  \
    CALL(malloc, malloc, POINTER)                                                                            \
    CALL(calloc, malloc, POINTER)                                                                            \
    CALL(realloc, malloc, POINTER)                                                                           \
    CALL(reallocarray, malloc, POINTER)                                                                      \
    CALL(aligned_alloc, malloc, POINTER)                                                                     \
    CALL(posix_memalign, malloc, ZERO)                                                                       \
    CALL(strdup, malloc, POINTER)                                                                            \
    CALL(strndup, malloc, POINTER)                                                                           \
    CALL(asprintf, malloc, NUMBER)                                                                           \
    CALL(vasprintf, malloc, NUMBER)                                                                          \
    CALL(fdopen, malloc, POINTER)                                                                            \
    CALL(fopen, open, POINTER)                                                                               \
    CALL(freopen, open, POINTER)                                                                             \
    CALL(tmpfile, open, POINTER)                                                                             \
    CALL(opendir, open, POINTER)                                                                             \
    CALL(mkstemp, open, NUMBER)                                                                              \
    CALL(open, open, NUMBER)                                                                                 \
    CALL(openat, openat, NUMBER)                                                                             \
    CALL(creat, creat, NUMBER)                                                                               \
    CALL(read, read, NUMBER)                                                                                 \
    CALL(readv, readv, NUMBER)                                                                               \
    CALL(pread, pread64, NUMBER)                                                                             \
    CALL(write, write, NUMBER)                                                                               \
    CALL(writev, writev, NUMBER)                                                                             \
    CALL(pwrite, pwrite64, NUMBER)                                                                           \
    CALL(fflush, writev, ZERO)                                                                               \
    CALL(fclose, close, ZERO)                                                                                \
    CALL(close, close, ZERO)                                                                                 \
    CALL(closedir, close, ZERO)                                                                              \
    CALL(readdir, getdents64, POINTER)                                                                       \
    CALL(dup, dup, NUMBER)                                                                                   \
    CALL(dup2, dup2, NUMBER)                                                                                 \
    CALL(dup3, dup3, NUMBER)                                                                                 \
    CALL(pipe, pipe, ZERO)                                                                                   \
    CALL(pipe2, pipe2, ZERO)                                                                                 \
    CALL(stat, stat, ZERO)                                                                                   \
    CALL(lstat, lstat, ZERO)                                                                                 \
    CALL(fstatat, newfstatat, ZERO)                                                                          \
    CALL(statx, statx, ZERO)                                                                                 \
    CALL(fsync, fsync, ZERO)                                                                                 \
    CALL(fdatasync, fdatasync, ZERO)                                                                         \
    CALL(ftruncate, ftruncate, ZERO)                                                                         \
    CALL(truncate, truncate, ZERO)                                                                           \
    CALL(mkdir, mkdir, ZERO)                                                                                 \
    CALL(mkdirat, mkdirat, ZERO)                                                                             \
    CALL(mkdtemp, mkdir, POINTER)                                                                            \
    CALL(rmdir, rmdir, ZERO)                                                                                 \
    CALL(unlink, unlink, ZERO)                                                                               \
    CALL(unlinkat, unlinkat, ZERO)                                                                           \
    CALL(remove, unlink, ZERO)                                                                               \
    CALL(rename, rename, ZERO)                                                                               \
    CALL(renameat, renameat, ZERO)                                                                           \
    CALL(renameat2, renameat2, ZERO)                                                                         \
    CALL(link, link, ZERO)                                                                                   \
    CALL(linkat, linkat, ZERO)                                                                               \
    CALL(symlink, symlink, ZERO)                                                                             \
    CALL(symlinkat, symlinkat, ZERO)                                                                         \
    CALL(chdir, chdir, ZERO)                                                                                 \
    CALL(socket, socket, NUMBER)                                                                             \
    CALL(socketpair, socketpair, ZERO)                                                                       \
    CALL(bind, bind, ZERO)                                                                                   \
    CALL(listen, listen, ZERO)                                                                               \
    CALL(connect, connect, ZERO)                                                                             \
    CALL(accept, accept, NUMBER)                                                                             \
    CALL(accept4, accept4, NUMBER)                                                                           \
    CALL(send, sendto, NUMBER)                                                                               \
    CALL(sendto, sendto, NUMBER)                                                                             \
    CALL(sendmsg, sendmsg, NUMBER)                                                                           \
    CALL(recv, recvfrom, NUMBER)                                                                             \
    CALL(recvfrom, recvfrom, NUMBER)                                                                         \
    CALL(recvmsg, recvmsg, NUMBER)                                                                           \
    CALL(mmap, mmap, NUMBER)                                                                                 \
    CALL(mremap, mremap, NUMBER)                                                                             \
    CALL(fork, fork, NUMBER)                                                                                 \
    CALL(vfork, vfork, NUMBER)                                                                               \
    CALL(epoll_create, epoll_create1, NUMBER)                                                                \
    CALL(epoll_create1, epoll_create1, NUMBER)                                                               \
    CALL(epoll_ctl, epoll_ctl, ZERO)                                                                         \
    CALL(eventfd, eventfd2, NUMBER)                                                                          \
    CALL(timerfd_create, timerfd_create, NUMBER)                                                             \
    CALL(poll, poll, NUMBER)                                                                                 \
    CALL(select, select, NUMBER)                                                                             \
    CALL(nanosleep, nanosleep, ZERO)                                                                         \
    CALL(usleep, nanosleep, ZERO)                                                                            \
    CALL(setuid, setuid, ZERO)                                                                               \
    CALL(setgid, setgid, ZERO)

#endif
