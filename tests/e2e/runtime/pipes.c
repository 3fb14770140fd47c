// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/uio.h>

static void handle(int signal) { printf("   signal %d\n", signal); }

static void plain(void) {
    int ends[2], available;
    char buffer[32] = "";
    T(pipe(ends));
    T(write(ends[1], "through", 7));
    T(ioctl(ends[0], FIONREAD, &available));
    T(available);
    T(read(ends[0], buffer, 4));
    T(read(ends[0], buffer + 4, 28));
    puts(buffer);
    T(write(ends[0], "x", 1));
    T(read(ends[1], buffer, 1));
    T(lseek(ends[0], 0, SEEK_SET));
    T(pread(ends[0], buffer, 1, 0));
    T(fcntl(ends[0], F_SETFL, O_NONBLOCK));
    T(read(ends[0], buffer, 1));
    T(close(ends[1]));
    T(read(ends[0], buffer, 1));
    T(close(ends[0]));
}

// A vectored read returns the bytes that there are: it does not wait to fill its later parts.
static void vectored(void) {
    int ends[2], count = eventfd(3, 0);
    char one[4] = "", two[4] = "";
    struct iovec parts[2] = {{one, 2}, {two, 2}};
    T(pipe(ends));
    for (int size = 1; size <= 5; size++) {
        T(write(ends[1], "abcde", (size_t)size));
        T(readv(ends[0], parts, 2));
        printf("   %.2s %.2s\n", one, two);
        if (size == 5) T(read(ends[0], one, 4));
    }
    struct iovec bad[3] = {{one, 2}, {two, (size_t)-1}, {one, 1}};
    T(write(ends[1], "abc", 3));
    for (int size = 1; size <= 3; size++) T(readv(ends[0], bad, size)); // a length that the kernel refuses
    T(writev(ends[1], bad, 2));
    T(readv(ends[0], bad, -1));
    uint64_t numbers[2] = {0, 7};
    struct iovec words[2] = {{&numbers[0], 8}, {&numbers[1], 8}};
    T(readv(count, words, 2));
    T(numbers[0]);
    T(close(count));
    T(close(ends[0]));
    T(close(ends[1]));
}

static void broken(void) {
    int ends[2];
    signal(SIGPIPE, handle);
    T(pipe2(ends, O_CLOEXEC | O_NONBLOCK));
    T(fcntl(ends[0], F_GETFD));
    T(close(ends[0]));
    T(write(ends[1], "x", 1));
    signal(SIGPIPE, SIG_IGN);
    T(write(ends[1], "x", 1));
    T(close(ends[1]));
    T(pipe2(ends, 12345678));
}

static void full(void) {
    int ends[2];
    static char block[4096];
    long total = 0, n;
    T(pipe2(ends, O_NONBLOCK));
    while ((n = write(ends[1], block, sizeof block)) > 0) total += n;
    T(total);
    T(write(ends[1], block, 1));
    T(read(ends[0], block, 100));
    T(write(ends[1], block, 4096));
    T(read(ends[0], block, 4096));
    T(close(ends[0]));
    T(close(ends[1]));
}

static void waiting(void) {
    int ends[2];
    pipe(ends);
    struct pollfd polled[] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}, {-1, POLLIN, 0}, {99, POLLIN, 0}};
    T(poll(polled, 4, 0));
    for (int i = 0; i < 4; i++) printf("   %d\n", polled[i].revents);
    T(poll(polled, 1, 10));
    T(write(ends[1], "x", 1));
    T(poll(polled, 1, 10));
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    T(select(ends[0] + 1, &set, NULL, NULL, &(struct timeval){1, 0}));
    T(FD_ISSET(ends[0], &set));
    char c;
    T(read(ends[0], &c, 1));
    T(select(ends[0] + 1, &set, NULL, NULL, &(struct timeval){0, 1000}));
    T(FD_ISSET(ends[0], &set));
    FD_SET(40, &set);
    T(select(41, &set, NULL, NULL, &(struct timeval){0, 0}));
    T(close(ends[1]));
    T(poll(polled, 1, 0));
    printf("   %d\n", polled[0].revents);
}

static void named(void) {
    int fd;
    char buffer[8] = "";
    T(mkfifo("fifo", 0600));
    T(fd = open("fifo", O_RDWR | O_NONBLOCK));
    T(write(fd, "abc", 3));
    T(read(fd, buffer, 8));
    puts(buffer);
    T(close(fd));
}

int main(void) {
    plain();
    vectored();
    broken();
    full();
    waiting();
    named();
    return 0;
}
