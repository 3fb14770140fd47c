// poll and select.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <poll.h>
#include <sys/select.h>

static long check_polled(struct pollfd *polled, unsigned long count) {
    long ready = 0;
    for (unsigned long i = 0; i < count; i++) {
        polled[i].revents = 0;
        if (polled[i].fd < 0) continue;
        struct file *file = __tamar_file(polled[i].fd);
        int events = file ? __tamar_file_events(file) & (polled[i].events | POLLERR | POLLHUP) : POLLNVAL;
        polled[i].revents = (short)events;
        ready += events != 0;
    }
    return ready;
}

static unsigned long deadline_of(const struct timespec *timeout) {
    return __tamar_time() + __tamar_span(timeout);
}

static long wait_polled(struct pollfd *polled, unsigned long count, const struct timespec *timeout) {
    if (count > MAX_DESCRIPTORS) return -EINVAL;
    long ready = check_polled(polled, count);
    if (ready || (timeout && !timeout->tv_sec && !timeout->tv_nsec)) return ready;
    unsigned long deadline = timeout ? deadline_of(timeout) : 0;
    for (long error = 0; !error; ready = check_polled(polled, count)) {
        if (ready) return ready;
        error = __tamar_wait(deadline, WAIT_OUTSIDE, "poll: no descriptor can become ready");
        if (error == -EINTR) return error;
    }
    return ready;
}

long __tamar_sys_poll(long polled, long count, long milliseconds) {
    int wanted = (int)milliseconds;
    struct timespec timeout = {wanted / 1000, wanted % 1000 * 1000000l};
    return wait_polled(POINTER(polled), (unsigned long)count, wanted < 0 ? NULL : &timeout);
}

long __tamar_sys_ppoll(long polled, long count, long timeout, long mask, long mask_size) {
    uint64_t old;
    if (mask) __tamar_sys_rt_sigprocmask(SIG_SETMASK, mask, (long)&old, 8);
    long result = wait_polled(POINTER(polled), (unsigned long)count, POINTER(timeout));
    if (mask) __tamar_sys_rt_sigprocmask(SIG_SETMASK, (long)&old, 0, 8);
    return result;
}

struct selection {
    fd_set *sets[3], ready[3];
};

static bool is_in(const fd_set *set, int descriptor) { return set && FD_ISSET(descriptor, set); }

static long check_selected(int count, struct selection *selection) {
    static const int wanted[] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI};
    long ready = 0;
    for (int i = 0; i < 3; i++) FD_ZERO(&selection->ready[i]);
    for (int descriptor = 0; descriptor < count; descriptor++)
        for (int i = 0; i < 3; i++) {
            if (!is_in(selection->sets[i], descriptor)) continue;
            struct file *file = __tamar_file(descriptor);
            if (!file) return -EBADF;
            if (!(__tamar_file_events(file) & wanted[i])) continue;
            FD_SET(descriptor, &selection->ready[i]);
            ready++;
        }
    return ready;
}

static long wait_selected(int count, struct selection *selection, const struct timespec *timeout) {
    if (count < 0) return -EINVAL;
    if (count > FD_SETSIZE) count = FD_SETSIZE;
    long ready = check_selected(count, selection);
    unsigned long deadline = timeout ? deadline_of(timeout) : 0;
    bool waits = !timeout || timeout->tv_sec || timeout->tv_nsec;
    for (long error = 0; waits && !ready && !error; ready = check_selected(count, selection)) {
        error = __tamar_wait(deadline, WAIT_OUTSIDE, "select: no descriptor can become ready");
        if (error == -EINTR) return error;
    }
    if (ready < 0) return ready;
    for (int i = 0; i < 3; i++)
        if (selection->sets[i]) // the requested number of bits, in whole words
            memcpy(selection->sets[i], &selection->ready[i], (size_t)(count + 63) / 64 * 8);
    return ready;
}

long __tamar_sys_select(long count, long reads, long writes, long errors, long timeout) {
    struct selection selection = {.sets = {POINTER(reads), POINTER(writes), POINTER(errors)}};
    const struct timeval *coarse = POINTER(timeout);
    struct timespec fine = {0, 0};
    if (coarse) fine = (struct timespec){coarse->tv_sec, coarse->tv_usec * 1000};
    return wait_selected((int)count, &selection, coarse ? &fine : NULL);
}

long __tamar_sys_pselect6(long count, long reads, long writes, long errors, long timeout,
                          long mask_and_size) {
    struct selection selection = {.sets = {POINTER(reads), POINTER(writes), POINTER(errors)}};
    const long *mask = POINTER(mask_and_size);
    uint64_t old;
    bool masks = mask && mask[0];
    if (masks) __tamar_sys_rt_sigprocmask(SIG_SETMASK, mask[0], (long)&old, 8);
    long result = wait_selected((int)count, &selection, POINTER(timeout));
    if (masks) __tamar_sys_rt_sigprocmask(SIG_SETMASK, (long)&old, 0, 8);
    return result;
}
