// System calls with pointers to the first page fail with EFAULT, after the checks that the kernel makes before.
// RUN: same-as-kernel %tamar %s %t
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define TRY(call, ...)                                                                                       \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        long result = syscall(SYS_##call, __VA_ARGS__);                                                      \
        printf("%s(%s): %ld %s\n", #call, #__VA_ARGS__, result, result < 0 ? strerror(errno) : "");          \
    } while (0)

int main(void) {
    long null = 0, small = 16;
    char buffer[200];
    int file = open("x", O_RDWR | O_CREAT, 0600), device = open("/dev/null", O_RDWR), ends[2];
    pipe(ends);
    write(file, "abc", 3);
    lseek(file, 0, SEEK_SET);
    TRY(read, file, null, 1);
    TRY(read, file, small, 1);
    TRY(read, file, null, 0);
    TRY(read, 99, null, 1);
    TRY(pread64, file, null, 1, 0);
    TRY(pread64, file, null, 1, 100);
    TRY(write, file, null, 1);
    TRY(write, file, null, 0);
    TRY(write, 99, null, 1);
    TRY(write, ends[1], null, 1);
    TRY(write, device, null, 1);
    TRY(read, device, null, 1);
    struct iovec parts[2] = {{buffer, 1}, {NULL, 1}};
    TRY(readv, file, parts, 2);
    TRY(readv, file, null, 1);
    TRY(writev, ends[1], parts + 1, 1);
    lseek(file, 0, SEEK_END);
    TRY(read, file, null, 1);
    TRY(open, null, O_RDONLY, 0);
    TRY(openat, AT_FDCWD, null, O_RDONLY, 0);
    TRY(stat, null, buffer);
    TRY(stat, "x", null);
    TRY(fstat, file, null);
    TRY(fstat, 99, null);
    TRY(access, null, 0);
    TRY(chmod, null, 0);
    TRY(mkdir, null, 0700);
    TRY(rmdir, null);
    TRY(unlink, null);
    TRY(rename, "x", null);
    TRY(rename, null, "y");
    TRY(link, null, "y");
    TRY(symlink, null, "y");
    TRY(readlink, null, buffer, 3);
    TRY(chdir, null);
    TRY(truncate, null, 0);
    TRY(getcwd, null, 100);
    TRY(pipe, null);
    TRY(getrandom, null, 3, 0);
    TRY(clock_gettime, 0, null);
    TRY(nanosleep, null, null);
    TRY(poll, null, 0, 0);
    TRY(poll, null, 1, 0);
    TRY(uname, null);
    TRY(getrlimit, 7, null);
    TRY(sysinfo, null);
    TRY(execve, null, null, null);
    TRY(socketpair, AF_UNIX, SOCK_STREAM, 0, null);
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    TRY(sendto, ends[0], null, 1, 0, null, 0);
    TRY(sendmsg, ends[0], null, 0);
    TRY(getsockname, ends[0], null, null);
    TRY(getsockname, 99, null, null);
    TRY(setsockopt, ends[0], SOL_SOCKET, SO_KEEPALIVE, null, 4);
    unlink("x");
    return 0;
}
