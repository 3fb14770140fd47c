// Files that report events: epoll, eventfd, timerfd, signalfd.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

struct watch { // a file watched by an epoll
    struct watch *next;
    struct file *file;
    int descriptor;
    struct epoll_event wanted;
    unsigned int reported; // edge-triggered: events reported last, and the file's activity then
    unsigned long activity;
};

struct special {
    struct special *next; // list of all
    enum { EPOLL, EVENT, TIMER, SIGNAL } kind;
    struct inode *inode;
    struct watch *watches;     // EPOLL, oldest first
    uint64_t value;            // EVENT: the counter; TIMER: number of expirations; SIGNAL: the mask
    bool semaphore;            // EVENT
    struct timer timer;        // TIMER
    unsigned long clock_start; // TIMER: zero of its clock
};

static long make(struct special **result, int kind, int open_flags) {
    struct special *special = __tamar_new(sizeof *special);
    struct inode *inode = special ? __tamar_inode_new(0600, 13) : NULL;
    struct file *file = inode ? __tamar_file_new(inode, O_RDWR | (open_flags & O_NONBLOCK)) : NULL;
    if (!file) return -ENFILE;
    inode->special = special;
    special->kind = kind;
    special->inode = inode;
    special->next = KERNEL->specials;
    KERNEL->specials = special;
    *result = special;
    return __tamar_descriptor_new(file, 0, (open_flags & O_CLOEXEC) != 0);
}

static struct special *find(long descriptor, int kind, long *error) {
    struct file *file = __tamar_file((int)descriptor);
    struct special *special = file ? file->inode->special : NULL;
    *error = !file ? -EBADF : special && (int)special->kind == kind ? 0 : -EINVAL;
    return special;
}

static void happen(struct special *special) {
    special->inode->activity++;
    __tamar_changed();
}

// ---- epoll

// Returns the events of a watch; for an edge-triggered one only new events.
static unsigned int report_of(const struct watch *watch) {
    unsigned int events =
        (unsigned)__tamar_file_events(watch->file) & (watch->wanted.events | EPOLLERR | EPOLLHUP);
    if (!(watch->wanted.events & ~(unsigned)(EPOLLET | EPOLLONESHOT | EPOLLWAKEUP | EPOLLEXCLUSIVE)))
        return 0;
    if (!(watch->wanted.events & EPOLLET)) return events;
    bool new = (events & ~watch->reported) || watch->activity != watch->file->inode->activity;
    return new ? events : 0;
}

static bool any_ready(const struct special *special) {
    for (struct watch *watch = special->watches; watch; watch = watch->next)
        if (report_of(watch)) return true;
    return false;
}

long __tamar_sys_epoll_create1(long flags) {
    struct special *special;
    return flags & ~(long)EPOLL_CLOEXEC ? -EINVAL : make(&special, EPOLL, (int)flags);
}
long __tamar_sys_epoll_create(long size) { return size <= 0 ? -EINVAL : __tamar_sys_epoll_create1(0); }

long __tamar_sys_epoll_ctl(long descriptor, long operation, long target, long event) {
    long error;
    struct special *special = find(descriptor, EPOLL, &error);
    struct file *file = __tamar_file((int)target);
    if (!file) return -EBADF;
    if (error < 0) return error;
    if (file->inode->special == special) return -EINVAL;
    struct inode *inode = file->inode;
    if (!inode->pipe && !inode->socket && !inode->special && !inode->stream) return -EPERM;
    if (inode->stream && S_ISREG(inode->mode)) return -EPERM;
    struct watch **at = &special->watches;
    while (*at && ((*at)->file != file || (*at)->descriptor != (int)target)) at = &(*at)->next;
    struct watch *watch = *at;
    switch ((int)operation) {
    case EPOLL_CTL_ADD:
        if (watch) return -EEXIST;
        *at = watch = __tamar_new(sizeof *watch);
        if (!watch) return -ENOMEM;
        *watch = (struct watch){.file = file, .descriptor = (int)target};
        break;
    case EPOLL_CTL_MOD:
        if (!watch) return -ENOENT;
        watch->reported = 0;
        break;
    case EPOLL_CTL_DEL:
        if (!watch) return -ENOENT;
        *at = watch->next;
        __tamar_delete(watch);
        return 0;
    default: return -EINVAL;
    }
    watch->wanted = *(struct epoll_event *)POINTER(event);
    __tamar_changed();
    return 0;
}

static long collect(struct special *special, struct epoll_event *events, int most) {
    long count = 0;
    for (struct watch *watch = special->watches; watch && count < most; watch = watch->next) {
        unsigned int report = report_of(watch);
        watch->reported = (unsigned)__tamar_file_events(watch->file);
        watch->activity = watch->file->inode->activity;
        if (!report) continue;
        events[count++] = (struct epoll_event){report, watch->wanted.data};
        if (watch->wanted.events & EPOLLONESHOT) watch->wanted.events &= EPOLLET | EPOLLONESHOT;
    }
    return count;
}

long __tamar_sys_epoll_wait(long descriptor, long events, long most, long milliseconds) {
    long error, ready;
    struct special *special = find(descriptor, EPOLL, &error);
    if (error < 0) return error;
    if ((int)most <= 0) return -EINVAL;
    unsigned long deadline =
        (int)milliseconds > 0 ? __tamar_time() + (unsigned long)(int)milliseconds * 1000000ul : 0;
    while (!(ready = collect(special, POINTER(events), (int)most)) && (int)milliseconds != 0) {
        error = __tamar_wait(deadline, WAIT_OUTSIDE, "epoll: no descriptor can become ready");
        if (error == -EINTR) return error;
        if (error) return collect(special, POINTER(events), (int)most);
    }
    return ready;
}

long __tamar_sys_epoll_pwait(long descriptor, long events, long most, long milliseconds, long mask,
                             long size) {
    uint64_t old;
    if (mask) __tamar_sys_rt_sigprocmask(SIG_SETMASK, mask, (long)&old, 8);
    long result = __tamar_sys_epoll_wait(descriptor, events, most, milliseconds);
    if (mask) __tamar_sys_rt_sigprocmask(SIG_SETMASK, (long)&old, 0, 8);
    return result;
}

// ---- eventfd

long __tamar_sys_eventfd2(long initial, long flags) {
    struct special *special;
    if (flags & ~(long)(EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE)) return -EINVAL;
    long descriptor = make(&special, EVENT, (int)flags);
    if (descriptor < 0) return descriptor;
    special->value = (unsigned int)initial;
    special->semaphore = (flags & EFD_SEMAPHORE) != 0;
    return descriptor;
}
long __tamar_sys_eventfd(long initial) { return __tamar_sys_eventfd2(initial, 0); }

#define MOST_EVENTS (~(uint64_t)0 - 1)

static long write_event(struct file *file, uint64_t added) {
    struct special *special = file->inode->special;
    if (added == ~(uint64_t)0) return -EINVAL;
    while (added > MOST_EVENTS - special->value) {
        if (file->flags & O_NONBLOCK) return -EAGAIN;
        long error = __tamar_wait(0, WAIT_RESTART, "adding to a full eventfd that is never emptied");
        if (error) return error;
    }
    special->value += added;
    happen(special);
    return 8;
}

// ---- timerfd

long __tamar_sys_timerfd_create(long clock, long flags) {
    struct special *special;
    if (flags & ~(long)(TFD_CLOEXEC | TFD_NONBLOCK)) return -EINVAL;
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME) return -EINVAL;
    __tamar_time();
    long descriptor = make(&special, TIMER, (int)flags);
    if (descriptor >= 0 && clock != CLOCK_REALTIME) special->clock_start = KERNEL->start;
    return descriptor;
}

static struct timespec to_time(unsigned long span) {
    return (struct timespec){(time_t)(span / 1000000000ul), (long)(span % 1000000000ul)};
}

long __tamar_sys_timerfd_gettime(long descriptor, long result) {
    long error;
    struct special *special = find(descriptor, TIMER, &error);
    if (error < 0) return error;
    unsigned long now = __tamar_time(), deadline = special->timer.deadline;
    struct itimerspec *out = POINTER(result);
    out->it_interval = to_time(special->timer.interval);
    out->it_value = to_time(deadline > now ? deadline - now : 0);
    return 0;
}

long __tamar_sys_timerfd_settime(long descriptor, long flags, long value, long old) {
    long error;
    struct special *special = find(descriptor, TIMER, &error);
    const struct itimerspec *wanted = POINTER(value);
    if (error < 0) return error;
    if (old) __tamar_sys_timerfd_gettime(descriptor, old);
    unsigned long first = __tamar_span(&wanted->it_value), now = __tamar_time();
    special->timer = (struct timer){0, __tamar_span(&wanted->it_interval)};
    if (first)
        special->timer.deadline = flags & TFD_TIMER_ABSTIME ? first + special->clock_start : now + first;
    special->value = 0;
    __tamar_special_timers();
    return 0;
}

unsigned long __tamar_special_next(void) {
    unsigned long next = 0;
    for (struct special *special = KERNEL->specials; special; special = special->next) {
        unsigned long deadline = special->timer.deadline;
        if (special->kind == TIMER && deadline && !special->value && (!next || deadline < next))
            next = deadline;
    }
    return next;
}

void __tamar_special_timers(void) {
    for (struct special *special = KERNEL->specials; special; special = special->next) {
        struct timer *timer = &special->timer;
        if (special->kind != TIMER || !timer->deadline || KERNEL->now < timer->deadline) continue;
        unsigned long late = KERNEL->now - timer->deadline;
        special->value += timer->interval ? late / timer->interval + 1 : 1;
        timer->deadline = timer->interval ? KERNEL->now - late % timer->interval + timer->interval : 0;
        happen(special);
    }
}

// ---- signalfd

long __tamar_sys_signalfd4(long descriptor, long mask, long size, long flags) {
    struct special *special;
    long error;
    if (size != 8 || (flags & ~(long)(SFD_CLOEXEC | SFD_NONBLOCK))) return -EINVAL;
    uint64_t wanted = *(const uint64_t *)POINTER(mask);
    if ((int)descriptor == -1) {
        descriptor = make(&special, SIGNAL, (int)flags);
        if (descriptor < 0) return descriptor;
    } else {
        special = find(descriptor, SIGNAL, &error);
        if (error < 0) return error;
    }
    special->value = wanted;
    return descriptor;
}
long __tamar_sys_signalfd(long descriptor, long mask, long size) {
    return __tamar_sys_signalfd4(descriptor, mask, size, 0);
}

static long read_signals(const struct special *special, struct signalfd_siginfo *out, size_t size) {
    siginfo_t info;
    long count = 0;
    for (; size >= sizeof *out && __tamar_signal_take(special->value, &info); size -= sizeof *out, count++) {
        memset(&out[count], 0, sizeof *out);
        out[count].ssi_signo = (uint32_t)info.si_signo;
        out[count].ssi_code = info.si_code;
        out[count].ssi_pid = (uint32_t)info.si_pid;
        out[count].ssi_uid = info.si_uid;
        out[count].ssi_status = info.si_status;
    }
    return count * (long)sizeof *out;
}

// ---- as files

static bool is_readable(const struct special *special) {
    if (special->kind == EPOLL) return any_ready(special);
    if (special->kind == SIGNAL) return (KERNEL->task->pending | PROCESS->pending) & special->value;
    return special->value != 0;
}

long __tamar_special_read(struct file *file, void *buffer, size_t size) {
    struct special *special = file->inode->special;
    if (special->kind == EPOLL) return -EINVAL;
    if (size < (special->kind == SIGNAL ? sizeof(struct signalfd_siginfo) : 8)) return -EINVAL;
    while (!is_readable(special)) {
        if (file->flags & O_NONBLOCK) return -EAGAIN;
        int how = WAIT_RESTART | (special->kind == SIGNAL ? WAIT_OUTSIDE : 0);
        KERNEL->task->wanted = special->kind == SIGNAL ? special->value : 0;
        long error = __tamar_wait(0, how, "reading an event that never happens");
        KERNEL->task->wanted = 0;
        if (error) return error;
    }
    if (special->kind == SIGNAL) return read_signals(special, buffer, size);
    uint64_t value = special->semaphore ? 1 : special->value;
    special->value -= value;
    memcpy(buffer, &value, sizeof value);
    happen(special);
    return 8;
}

long __tamar_special_write(struct file *file, const void *buffer, size_t size) {
    uint64_t added;
    if (file->inode->special->kind != EVENT || size != sizeof added) return -EINVAL;
    memcpy(&added, buffer, sizeof added);
    return write_event(file, added);
}

int __tamar_special_events(const struct inode *inode) {
    const struct special *special = inode->special;
    int events = is_readable(special) ? POLLIN | POLLRDNORM : 0;
    if (special->kind == EVENT && special->value < MOST_EVENTS) events |= POLLOUT | POLLWRNORM;
    return events;
}

void __tamar_special_closed(struct inode *inode) {
    struct special *special = inode->special, **at = &KERNEL->specials;
    while (*at != special) at = &(*at)->next;
    *at = special->next;
    for (struct watch *watch = special->watches, *next; watch; watch = next) {
        next = watch->next;
        __tamar_delete(watch);
    }
    __tamar_delete(special);
}

void __tamar_special_forget(struct file *file) {
    for (struct special *special = KERNEL->specials; special; special = special->next)
        for (struct watch **at = &special->watches; *at;) {
            struct watch *watch = *at;
            if (watch->file != file) {
                at = &watch->next;
                continue;
            }
            *at = watch->next;
            __tamar_delete(watch);
        }
}
