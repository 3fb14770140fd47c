// The table of system calls: name, number of arguments. Each entry is a function
// `__tamar_sys_NAME` in a file of this folder, and a case of the dispatcher.
#ifndef TAMAR_SYSCALLS_H
#define TAMAR_SYSCALLS_H

// clang-format off: its result for these lines is not stable
#define SYSCALL_TABLE(X)                                                                                     \
    /* io.c */                                                                                               \
    X(read, 3) X(write, 3) X(pread64, 4) X(pwrite64, 4) X(readv, 3) X(writev, 3) X(preadv, 4)                \
    X(pwritev, 4) X(lseek, 3) X(truncate, 2) X(ftruncate, 2) X(fallocate, 4) X(sendfile, 4)                  \
    X(copy_file_range, 6) X(fsync, 1) X(fdatasync, 1) X(sync, 0) X(syncfs, 1) X(fadvise64, 4)                \
    X(readahead, 3)                                                                                          \
    /* splice.c */                                                                                           \
    X(splice, 6) X(tee, 4) X(vmsplice, 4)                                                                    \
    /* sysv.c */                                                                                             \
    X(msgget, 2) X(msgsnd, 4) X(msgrcv, 5) X(msgctl, 3) X(shmget, 3) X(shmat, 3) X(shmdt, 1)                 \
    X(shmctl, 3)                                                                                             \
    /* descriptor.c */                                                                                       \
    X(open, 3) X(openat, 4) X(creat, 2) X(close, 1) X(dup, 1) X(dup2, 2) X(dup3, 3) X(fcntl, 3)              \
    X(flock, 2) X(close_range, 3)                                                                            \
    /* stat.c */                                                                                             \
    X(stat, 2) X(lstat, 2) X(fstat, 2) X(newfstatat, 4) X(statx, 5) X(access, 2) X(faccessat, 3)             \
    X(faccessat2, 4) X(chmod, 2) X(fchmod, 2) X(fchmodat, 3) X(chown, 3) X(lchown, 3) X(fchown, 3)           \
    X(fchownat, 5) X(utimensat, 4) X(utimes, 2) X(utime, 2) X(futimesat, 3) X(statfs, 2)                     \
    X(fstatfs, 2) X(umask, 1) X(readlink, 3) X(readlinkat, 4)                                                \
    /* directory_calls.c */                                                                                  \
    X(mkdir, 2) X(mkdirat, 3) X(rmdir, 1) X(unlink, 1) X(unlinkat, 3) X(rename, 2) X(renameat, 4)            \
    X(renameat2, 5) X(link, 2) X(linkat, 5) X(symlink, 2) X(symlinkat, 3) X(mknod, 3) X(mknodat, 4)          \
    X(chdir, 1) X(fchdir, 1) X(getcwd, 2) X(getdents64, 3) X(chroot, 1)                                      \
    /* pipe.c */                                                                                             \
    X(pipe, 1) X(pipe2, 2)                                                                                   \
    /* device.c */                                                                                           \
    X(ioctl, 3) X(getrandom, 3)                                                                              \
    /* mapping.c */                                                                                          \
    X(mmap, 6) X(munmap, 2) X(mprotect, 3) X(mremap, 5) X(msync, 3) X(madvise, 3) X(brk, 1)                  \
    X(mlock, 2) X(munlock, 2)                                                                                \
    /* time.c */                                                                                             \
    X(time, 1) X(gettimeofday, 2) X(clock_gettime, 2) X(clock_getres, 2) X(clock_settime, 2)                 \
    X(nanosleep, 2) X(clock_nanosleep, 4) X(alarm, 1) X(setitimer, 3) X(getitimer, 2) X(times, 1)            \
    /* poll.c */                                                                                             \
    X(poll, 3) X(ppoll, 5) X(select, 5) X(pselect6, 6)                                                       \
    /* signal.c */                                                                                           \
    X(rt_sigaction, 4) X(rt_sigprocmask, 4) X(rt_sigpending, 2) X(rt_sigsuspend, 2)                          \
    X(rt_sigtimedwait, 4) X(sigaltstack, 2) X(kill, 2) X(tkill, 2) X(tgkill, 3) X(pause, 0)                  \
    X(rt_sigqueueinfo, 3)                                                                                    \
    /* identity.c */                                                                                         \
    X(getpid, 0) X(gettid, 0) X(getppid, 0) X(getpgrp, 0) X(getpgid, 1) X(setpgid, 2) X(getsid, 1)           \
    X(setsid, 0)                                                                                             \
    X(uname, 1) X(sethostname, 2)                                                                            \
    X(getrlimit, 2) X(setrlimit, 2) X(prlimit64, 4) X(getrusage, 2) X(sysinfo, 1) X(prctl, 5)                \
    X(getpriority, 2) X(setpriority, 3) X(sched_getaffinity, 3) X(getcpu, 3) X(set_tid_address, 1)           \
    X(set_robust_list, 2) X(arch_prctl, 2) X(membarrier, 2)                                                  \
    /* credentials.c */                                                                                      \
    X(getuid, 0) X(geteuid, 0) X(getgid, 0) X(getegid, 0) X(setuid, 1) X(setgid, 1) X(setreuid, 2)           \
    X(setregid, 2) X(setresuid, 3) X(setresgid, 3) X(getresuid, 3) X(getresgid, 3) X(getgroups, 2)           \
    X(setgroups, 2) X(setfsuid, 1) X(setfsgid, 1) X(capget, 2) X(capset, 2)                                  \
    /* process.c */                                                                                          \
    X(execve, 3) X(execveat, 5)                                                                              \
    /* task.c */                                                                                             \
    X(sched_yield, 0) X(exit, 1) X(exit_group, 1) X(fork, 0) X(vfork, 0) X(clone, 5) X(wait4, 4)             \
    X(waitid, 5)                                                                                             \
    /* futex.c */                                                                                            \
    X(futex, 6)                                                                                              \
    /* socket_calls.c */                                                                                     \
    X(socket, 3) X(connect, 3) X(accept, 3) X(accept4, 4) X(sendto, 6) X(recvfrom, 6) X(sendmsg, 3)          \
    X(recvmsg, 3) X(sendmmsg, 4) X(recvmmsg, 5) X(shutdown, 2) X(bind, 3) X(listen, 2)                       \
    X(getsockname, 3) X(getpeername, 3) X(socketpair, 4) X(setsockopt, 5) X(getsockopt, 5)                   \
    /* event.c */                                                                                            \
    X(epoll_create, 1) X(epoll_create1, 1) X(epoll_ctl, 4) X(epoll_wait, 4) X(epoll_pwait, 6)                \
    X(eventfd, 1) X(eventfd2, 2) X(signalfd, 3) X(signalfd4, 4) X(timerfd_create, 2)                         \
    X(timerfd_settime, 4) X(timerfd_gettime, 2)

// Arguments through which the kernel always reads or writes: if one of them points to the first page, the call fails
// with EFAULT. Name, the argument that must be an open descriptor (0: none), the pointers as digits, the argument with
// their size (0: it is fixed; a size of 0 accesses nothing). io.c checks the buffers of read, write and similar calls.
#define FAULT_TABLE(X)                                                                                       \
    X(readv, 1, 2, 3) X(writev, 1, 2, 3) X(preadv, 1, 2, 3) X(pwritev, 1, 2, 3) X(truncate, 0, 1, 0)         \
    X(open, 0, 1, 0) X(openat, 0, 2, 0) X(creat, 0, 1, 0)                                                    \
    X(stat, 0, 12, 0) X(lstat, 0, 12, 0) X(fstat, 1, 2, 0) X(newfstatat, 0, 23, 0) X(access, 0, 1, 0)        \
    X(faccessat, 0, 2, 0) X(faccessat2, 0, 2, 0) X(chmod, 0, 1, 0) X(fchmodat, 0, 2, 0) X(chown, 0, 1, 0)    \
    X(lchown, 0, 1, 0) X(fchownat, 0, 2, 0) X(utime, 0, 1, 0) X(utimes, 0, 1, 0) X(statfs, 0, 12, 0)         \
    X(fstatfs, 1, 2, 0) X(readlink, 0, 12, 0) X(readlinkat, 0, 23, 0)                                        \
    X(mkdir, 0, 1, 0) X(mkdirat, 0, 2, 0) X(rmdir, 0, 1, 0) X(unlink, 0, 1, 0) X(unlinkat, 0, 2, 0)          \
    X(rename, 0, 12, 0) X(renameat, 0, 24, 0) X(renameat2, 0, 24, 0) X(link, 0, 12, 0) X(linkat, 0, 24, 0)   \
    X(symlink, 0, 12, 0) X(symlinkat, 0, 13, 0) X(mknod, 0, 1, 0) X(mknodat, 0, 2, 0) X(chdir, 0, 1, 0)      \
    X(chroot, 0, 1, 0) X(getcwd, 0, 1, 2)                                                                    \
    X(pipe, 0, 1, 0) X(pipe2, 0, 1, 0) X(getrandom, 0, 1, 2) X(msgsnd, 0, 2, 0) X(vmsplice, 1, 2, 3)         \
    X(clock_gettime, 0, 2, 0) X(nanosleep, 0, 1, 0) X(clock_nanosleep, 0, 3, 0) X(getitimer, 0, 2, 0)        \
    X(poll, 0, 1, 2) X(ppoll, 0, 1, 2) X(rt_sigpending, 0, 1, 2) X(rt_sigsuspend, 0, 1, 0)                   \
    X(uname, 0, 1, 0) X(getrlimit, 0, 2, 0) X(setrlimit, 0, 2, 0) X(getrusage, 0, 2, 0) X(sysinfo, 0, 1, 0)  \
    X(getresuid, 0, 123, 0) X(getresgid, 0, 123, 0)                                                          \
    X(execve, 0, 1, 0)                                                                                       \
    X(connect, 1, 2, 3) X(bind, 1, 2, 3) X(sendto, 1, 2, 3) X(recvfrom, 1, 2, 3) X(sendmsg, 1, 2, 0)         \
    X(recvmsg, 1, 2, 0) X(getsockname, 1, 23, 0) X(getpeername, 1, 23, 0) X(setsockopt, 1, 4, 5)             \
    X(socketpair, 0, 4, 0)

// Calls that are not modelled, by name, for the message.
#define UNMODELLED_TABLE(X)                                                                                  \
    X(inotify_init) X(inotify_init1) X(inotify_add_watch) X(inotify_rm_watch) X(memfd_create)                \
    X(ptrace) X(mount) X(umount2) X(reboot) X(semget) X(semop) X(semctl) X(semtimedop)                       \
    X(timer_create) X(timer_settime) X(timer_gettime) X(timer_delete) X(mq_open) X(getxattr)                 \
    X(lgetxattr) X(fgetxattr) X(setxattr) X(listxattr) X(llistxattr) X(flistxattr) X(io_setup)               \
    X(io_submit) X(mincore) X(mlockall) X(syslog) X(sched_setscheduler) X(sched_getscheduler)                \
    X(sched_setparam) X(sched_getparam) X(acct) X(quotactl)

// clang-format on

#endif
