// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <sys/uio.h>

static char buffer[64];
static void show(void) { printf("   [%.*s]\n", (int)sizeof buffer, buffer); memset(buffer, 0, sizeof buffer); }

static void reading_and_writing(void) {
    int fd;
    T(fd = open("f", O_RDWR | O_CREAT | O_EXCL, 0640));
    T(open("f", O_RDWR | O_CREAT | O_EXCL, 0640));
    T(write(fd, "hello, world", 12));
    T(lseek(fd, 7, SEEK_SET));
    T(read(fd, buffer, sizeof buffer));
    show();
    T(read(fd, buffer, 1));
    T(pread(fd, buffer, 5, 0));
    show();
    T(pwrite(fd, "J", 1, 0));
    T(lseek(fd, 0, SEEK_CUR));
    T(lseek(fd, -2, SEEK_END));
    T(lseek(fd, -20, SEEK_CUR));
    T(lseek(fd, 0, 77));
    T(lseek(fd, 20, SEEK_SET));
    T(write(fd, "!", 1));
    T(pread(fd, buffer, sizeof buffer, 10));
    T(memcmp(buffer, "ld\0\0\0\0\0\0\0\0!", 11));
    T(ftruncate(fd, 4));
    T(ftruncate(fd, 8));
    memset(buffer, 'x', sizeof buffer);
    T(pread(fd, buffer, sizeof buffer, 0));
    T(memcmp(buffer, "Jell\0\0\0\0x", 9));
    T(ftruncate(fd, -1));
    T(close(fd));
    T(close(fd));
    T(read(fd, buffer, 1));
    T(truncate("f", 3));
    T(truncate("nothing", 3));
}

static void modes(void) {
    int fd;
    T(fd = open("f", O_RDONLY));
    T(write(fd, "x", 1));
    T(close(fd));
    T(fd = open("f", O_WRONLY | O_APPEND));
    T(read(fd, buffer, 1));
    T(lseek(fd, 0, SEEK_SET));
    T(write(fd, "app", 3));
    T(lseek(fd, 0, SEEK_CUR));
    T(fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK));
    T(fcntl(fd, F_SETFL, O_NONBLOCK));
    T(fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK));
    T(close(fd));
    T(fd = open("f", O_RDWR | O_TRUNC));
    T(read(fd, buffer, 1));
    T(close(fd));
    T(open(".", O_WRONLY));
    T(open("f", O_RDONLY | O_DIRECTORY));
    T(open("f/x", O_RDONLY));
    T(open("", O_RDONLY));
    T(open("none/x", O_CREAT | O_WRONLY, 0666));
    T(fd = open("/dev/null", O_RDWR));
    T(read(fd, buffer, 4));
    T(write(fd, "1234", 4));
    T(close(fd));
    T(fd = open("/dev/zero", O_RDONLY));
    T(read(fd, buffer, 4));
    T(close(fd));
    T(fd = open("/dev/full", O_WRONLY));
    T(write(fd, "x", 1));
    T(close(fd));
}

static void descriptors(void) {
    int fd, other;
    T(fd = open("f", O_RDWR));
    T(other = dup(fd));
    T(write(fd, "abcdef", 6));
    T(lseek(other, 0, SEEK_CUR)); // the offset is shared
    T(dup2(fd, 20));
    T(lseek(20, 1, SEEK_SET));
    T(read(fd, buffer, 2));
    show();
    T(dup2(fd, fd));
    T(dup2(99, 5));
    T(dup2(fd, -1));
    T(dup3(fd, fd, 0));
    T(dup3(fd, 21, O_CLOEXEC));
    T(fcntl(21, F_GETFD));
    T(fcntl(fd, F_GETFD));
    T(fcntl(fd, F_SETFD, FD_CLOEXEC));
    T(fcntl(fd, F_GETFD));
    T(fcntl(fd, F_DUPFD, 30));
    T(fcntl(fd, F_DUPFD_CLOEXEC, 30));
    T(fcntl(31, F_GETFD));
    T(fcntl(77, F_GETFD));
    T(close(fd));
    T(open("f", O_RDONLY)); // the lowest free number
    T(lseek(20, 0, SEEK_CUR));
}

static void vectors(void) {
    int fd;
    char a[4] = "", b[4] = "";
    struct iovec out[] = {{"one", 3}, {"", 0}, {"two", 3}}, in[] = {{a, 3}, {b, 3}};
    T(fd = open("v", O_RDWR | O_CREAT, 0600));
    T(writev(fd, out, 3));
    T(lseek(fd, 0, SEEK_SET));
    T(readv(fd, in, 2));
    printf("   %s %s\n", a, b);
    T(preadv(fd, in, 2, 1));
    printf("   %s %s\n", a, b);
    T(pwritev(fd, out, 1, 5));
    T(lseek(fd, 0, SEEK_END));
    T(writev(fd, out, -1));
    T(close(fd));
}

int main(void) {
    reading_and_writing();
    modes();
    descriptors();
    vectors();
    return 0;
}
