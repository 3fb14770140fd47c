// Time: a counter in the program's memory. It starts at a fixed time and advances when
// it is queried, slept on or waited for, so that a path always sees the same times.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <sys/time.h>
#include <sys/times.h>

#define SECOND 1000000000ul

unsigned long __tamar_next_timer(void) {
    unsigned long next = __tamar_special_next();
    for (struct process *process = KERNEL->processes; process; process = process->next) {
        unsigned long alarm = process->ended ? 0 : process->alarm.deadline;
        if (alarm && (!next || alarm < next)) next = alarm;
    }
    return next;
}

void __tamar_timers_run(void) {
    __tamar_special_timers();
    for (struct process *process = KERNEL->processes; process; process = process->next) {
        struct timer *alarm = &process->alarm;
        if (!alarm->deadline || KERNEL->now < alarm->deadline) continue;
        alarm->deadline = alarm->interval ? KERNEL->now + alarm->interval : 0;
        __tamar_signal_to(process, NULL, SIGALRM, (struct signal_note){.code = SI_KERNEL});
    }
}

unsigned long __tamar_time(void) {
    if (!KERNEL->now)
        KERNEL->start = KERNEL->now = (unsigned long)__tamar_host_value(__TAMAR_START_TIME) * SECOND;
    KERNEL->now += 1000;
    return KERNEL->now;
}

static struct timespec to_timespec(unsigned long time) {
    return (struct timespec){(time_t)(time / SECOND), (long)(time % SECOND)};
}
static struct timeval to_timeval(unsigned long time) {
    return (struct timeval){(time_t)(time / SECOND), (suseconds_t)(time % SECOND / 1000)};
}

long __tamar_sys_time(long result) {
    long now = (long)(__tamar_time() / SECOND);
    if (result) *(long *)POINTER(result) = now;
    return now;
}

long __tamar_sys_gettimeofday(long result, long zone) {
    struct timeval now = to_timeval(__tamar_time());
    if (result) *(struct timeval *)POINTER(result) = now;
    if (zone) memset(POINTER(zone), 0, 8);
    return 0;
}

static bool is_wall_clock(long clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

long __tamar_sys_clock_gettime(long clock, long result) {
    unsigned long now = __tamar_time();
    if (clock > 11) return -EINVAL;
    *(struct timespec *)POINTER(result) = to_timespec(is_wall_clock(clock) ? now : now - KERNEL->start);
    return 0;
}
long __tamar_sys_clock_getres(long clock, long result) {
    if (clock > 11) return -EINVAL;
    if (result) *(struct timespec *)POINTER(result) = (struct timespec){0, 1};
    return 0;
}
long __tamar_sys_clock_settime(long clock, long value) { return -EPERM; }

static bool is_time(const struct timespec *time) {
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < (long)SECOND;
}

static long sleep_until(unsigned long deadline, struct timespec *remaining) {
    long error;
    do error = __tamar_wait(deadline, 0, "sleeping");
    while (!error);
    if (error == -ETIMEDOUT) return 0;
    if (error == -EINTR && remaining)
        *remaining = to_timespec(deadline > KERNEL->now ? deadline - KERNEL->now : 0);
    return error;
}

long __tamar_sys_nanosleep(long time, long remaining) {
    const struct timespec *wanted = POINTER(time);
    if (!is_time(wanted)) return -EINVAL;
    unsigned long nanoseconds = __tamar_span(wanted);
    return sleep_until(__tamar_time() + nanoseconds, POINTER(remaining));
}

long __tamar_sys_clock_nanosleep(long clock, long flags, long time, long remaining) {
    const struct timespec *wanted = POINTER(time);
    if (!is_time(wanted)) return -EINVAL;
    unsigned long value = __tamar_span(wanted);
    unsigned long now = __tamar_time();
    if (!(flags & TIMER_ABSTIME)) return sleep_until(now + value, POINTER(remaining));
    if (!is_wall_clock(clock)) value += KERNEL->start;
    return value <= now ? 0 : sleep_until(value, NULL);
}

static unsigned long remaining_alarm(void) {
    unsigned long deadline = PROCESS->alarm.deadline;
    return deadline > KERNEL->now ? deadline - KERNEL->now : 0;
}

// Sets the alarm timer. Natively its signal arrives between any two instructions; here when the program next waits.
static void set_timer(unsigned long deadline, unsigned long interval) {
    PROCESS->alarm = (struct timer){deadline, interval};
    if (deadline) __tamar_one_of_several("a timer is set: its signal arrives at one moment of many");
}

long __tamar_sys_alarm(long seconds) {
    unsigned long now = __tamar_time(), old = remaining_alarm();
    set_timer(seconds ? now + (unsigned long)(unsigned)seconds * SECOND : 0, 0);
    return (long)((old + SECOND / 2) / SECOND);
}

static unsigned long from_timeval(const struct timeval *time) {
    return (unsigned long)time->tv_sec * SECOND + (unsigned long)time->tv_usec * 1000;
}

long __tamar_sys_getitimer(long which, long result) {
    struct itimerval *out = POINTER(result);
    if (which < 0 || which > 2) return -EINVAL;
    bool real = which == ITIMER_REAL;
    out->it_interval = to_timeval(real ? PROCESS->alarm.interval : 0);
    out->it_value = to_timeval(real ? remaining_alarm() : 0);
    return 0;
}

// Virtual timers count processor time, which is not modelled: they are set and never expire.
long __tamar_sys_setitimer(long which, long value, long old) {
    if (old) {
        long error = __tamar_sys_getitimer(which, old);
        if (error < 0) return error;
    }
    if (which < 0 || which > 2) return -EINVAL;
    const struct itimerval *wanted = POINTER(value);
    if (!wanted) return 0;
    if (which != ITIMER_REAL) {
        __tamar_one_of_several("a timer of processor time is set: it never expires");
        return 0;
    }
    unsigned long first = from_timeval(&wanted->it_value), now = __tamar_time();
    set_timer(first ? now + first : 0, first ? from_timeval(&wanted->it_interval) : 0);
    return 0;
}

long __tamar_sys_times(long result) {
    unsigned long ticks = (__tamar_time() - KERNEL->start) / (SECOND / 100);
    if (result) *(struct tms *)POINTER(result) = (struct tms){.tms_utime = (clock_t)ticks};
    return (long)ticks;
}
