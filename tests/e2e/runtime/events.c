// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

static void counters(void) {
    uint64_t value = 3;
    int fd = eventfd(2, EFD_NONBLOCK);
    T(fd >= 0);
    T(write(fd, &value, 8));
    T(write(fd, &value, 4));
    T(read(fd, &value, 4));
    T(read(fd, &value, 8));
    T(value);
    T(read(fd, &value, 8));
    close(fd);
    fd = eventfd(2, EFD_NONBLOCK | EFD_SEMAPHORE);
    T(read(fd, &value, 8));
    T(value);
    T(read(fd, &value, 8));
    T(read(fd, &value, 8));
    struct pollfd polled = {fd, POLLIN | POLLOUT, 0};
    T(poll(&polled, 1, 0));
    T(polled.revents);
    close(fd);
    T(eventfd(0, 12345678));
}

static void watching(void) {
    int ends[2], queue = epoll_create1(EPOLL_CLOEXEC);
    char byte;
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = 77}, got[4];
    T(queue >= 0);
    T(pipe(ends));
    T(epoll_ctl(queue, EPOLL_CTL_ADD, ends[0], &event));
    T(epoll_ctl(queue, EPOLL_CTL_ADD, ends[0], &event));
    T(epoll_ctl(queue, EPOLL_CTL_DEL, ends[1], &event));
    T(epoll_ctl(queue, EPOLL_CTL_ADD, queue, &event));
    T(epoll_ctl(ends[0], EPOLL_CTL_ADD, ends[1], &event));
    T(epoll_ctl(queue, EPOLL_CTL_ADD, 99, &event));
    T(epoll_wait(queue, got, 0, 0));
    T(epoll_wait(queue, got, 4, 0));
    T(write(ends[1], "ab", 2));
    T(epoll_wait(queue, got, 4, -1));
    T(got[0].events);
    T(got[0].data.u64);
    T(epoll_wait(queue, got, 4, 0));
    event.events = EPOLLIN | EPOLLET;
    T(epoll_ctl(queue, EPOLL_CTL_MOD, ends[0], &event));
    T(epoll_wait(queue, got, 4, 0));
    T(epoll_wait(queue, got, 4, 0));
    T(write(ends[1], "c", 1));
    T(epoll_wait(queue, got, 4, 0));
    T(epoll_wait(queue, got, 4, 10));
    event.events = EPOLLIN | EPOLLONESHOT;
    T(epoll_ctl(queue, EPOLL_CTL_MOD, ends[0], &event));
    T(epoll_wait(queue, got, 4, 0));
    T(epoll_wait(queue, got, 4, 0));
    event.events = EPOLLIN;
    T(epoll_ctl(queue, EPOLL_CTL_MOD, ends[0], &event));
    T(read(ends[0], &byte, 1));
    struct pollfd polled = {queue, POLLIN, 0};
    T(poll(&polled, 1, 0));
    T(close(ends[1]));
    T(epoll_wait(queue, got, 4, 0));
    T(got[0].events);
    T(close(ends[0]));
    T(epoll_wait(queue, got, 4, 0));
    int file = open("plain", O_RDWR | O_CREAT, 0600);
    T(epoll_ctl(queue, EPOLL_CTL_ADD, file, &event));
    T(unlink("plain"));
    close(file);
    T(close(queue));
}

static void timers(void) {
    uint64_t count = 0;
    struct itimerspec once = {{0, 0}, {0, 5000000}}, left;
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    T(fd >= 0);
    T(timerfd_settime(fd, 0, &once, NULL));
    T(timerfd_gettime(fd, &left));
    T(left.it_value.tv_nsec > 0);
    struct pollfd polled = {fd, POLLIN, 0};
    T(poll(&polled, 1, 0));
    T(poll(&polled, 1, -1));
    T(read(fd, &count, 8));
    T(count);
    T(timerfd_gettime(fd, &left));
    T(left.it_value.tv_nsec);
    T(fcntl(fd, F_SETFL, O_NONBLOCK));
    T(read(fd, &count, 8));
    close(fd);
    T(timerfd_create(12345, 0));
}

static void signals(void) {
    sigset_t set;
    struct signalfd_siginfo info;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    T(sigprocmask(SIG_BLOCK, &set, NULL));
    int fd = signalfd(-1, &set, SFD_NONBLOCK);
    T(fd >= 0);
    T(read(fd, &info, sizeof info));
    T(raise(SIGUSR1));
    T(read(fd, &info, 8));
    T(read(fd, &info, sizeof info));
    T(info.ssi_signo);
    T(read(fd, &info, sizeof info));
    close(fd);
}

// Another task makes it happen while this one waits.
static void others(void) {
    int ends[2], status;
    uint64_t one = 1;
    char byte;
    T(pipe(ends));
    int fd = eventfd(0, 0), queue = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN}, got;
    T(epoll_ctl(queue, EPOLL_CTL_ADD, fd, &event));
    fflush(stdout);
    if (fork() == 0) {
        close(ends[1]);
        read(ends[0], &byte, 1);
        write(fd, &one, 8);
        _exit(0);
    }
    close(ends[0]);
    T(write(ends[1], "x", 1));
    T(epoll_wait(queue, &got, 1, -1));
    T(read(fd, &one, 8));
    T(wait(&status) > 0);
    fd_set set;
    T(pipe(ends));
    fflush(stdout);
    if (fork() == 0) {
        usleep(2000);
        write(ends[1], "y", 1);
        _exit(0);
    }
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    T(select(ends[0] + 1, &set, NULL, NULL, NULL));
    T(FD_ISSET(ends[0], &set) != 0);
    T(wait(&status) > 0);
}

int main(void) {
    counters();
    watching();
    timers();
    signals();
    others();
    return 0;
}
