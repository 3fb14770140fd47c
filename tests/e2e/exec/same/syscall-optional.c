// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
// syscall() without the arguments that another argument makes unnecessary.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    long fd = syscall(SYS_open, "/dev/null", O_RDONLY), other = syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY);
    printf("%d %d %ld\n", fd >= 0, other >= 0, syscall(SYS_fcntl, fd, F_GETFD));
    printf("%ld %ld\n", syscall(SYS_ioctl, fd, FIOCLEX), syscall(SYS_fcntl, fd, F_GETFD));
    long made = syscall(SYS_open, "syscall-optional.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
    printf("%d %ld\n", made >= 0, syscall(SYS_unlink, "syscall-optional.txt"));
    return syscall(SYS_getpid) <= 0;
}
