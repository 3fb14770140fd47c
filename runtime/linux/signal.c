// Signals: sent by the program to itself, by its alarm, or by writing to a closed pipe. They are delivered at
// the end of the system call that made them possible; a handler is called as a function, so jumping out of it
// works.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <ucontext.h>

enum { SIGNALS = 64 };

struct kernel_sigaction {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

static struct kernel_sigaction actions[SIGNALS + 1];
static uint64_t mask, pending;
static stack_t alternate_stack = {.ss_flags = SS_DISABLE};
static int delivering; // handlers that run now

static uint64_t bit(int signal) { return 1ul << (signal - 1); }
static const uint64_t UNBLOCKABLE = 1ul << (SIGKILL - 1) | 1ul << (SIGSTOP - 1);

static bool ignores_by_default(int signal) {
    return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
}
static bool stops_by_default(int signal) {
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static bool is_ignored(int signal) {
    void (*handler)(int) = actions[signal].handler;
    return handler == SIG_IGN || (handler == SIG_DFL && ignores_by_default(signal));
}

void __tamar_signal_send(int signal) {
    if (is_ignored(signal) && !(mask & bit(signal))) return;
    pending |= bit(signal);
}

static void run_handler(int signal, const struct kernel_sigaction *action) {
    uint64_t old = mask;
    mask |= action->mask & ~UNBLOCKABLE;
    if (!(action->flags & SA_NODEFER)) mask |= bit(signal);
    delivering++;
    if (action->flags & SA_SIGINFO) {
        siginfo_t info = {.si_signo = signal, .si_code = SI_TKILL};
        ucontext_t context;
        memset(&context, 0, sizeof context);
        memcpy(&context.uc_sigmask, &old, sizeof old);
        ((void (*)(int, siginfo_t *, void *))(void *)action->handler)(signal, &info, &context);
        memcpy(&old, &context.uc_sigmask, sizeof old);
    } else {
        action->handler(signal);
    }
    delivering--;
    mask = old;
}

static bool deliver_one(int signal) {
    struct kernel_sigaction action = actions[signal];
    pending &= ~bit(signal);
    if (is_ignored(signal)) return false;
    if (action.handler == SIG_DFL) {
        if (stops_by_default(signal)) {
            __tamar_not_modelled("a signal that stops the process");
            return false;
        }
        __tamar_linux_end();
        __tamar_killed(signal);
    }
    if (action.flags & SA_RESETHAND) actions[signal].handler = SIG_DFL;
    run_handler(signal, &action);
    return true;
}

bool __tamar_signal_deliver(void) {
    bool ran = false;
    while (pending & ~mask) ran |= deliver_one(__builtin_ctzl(pending & ~mask) + 1);
    return ran;
}

static bool is_signal(long signal) { return signal >= 1 && signal <= SIGNALS; }

long __tamar_sys_rt_sigaction(long signal, long new, long old, long size) {
    if (!is_signal(signal) || size != 8) return -EINVAL;
    if (new && (bit((int)signal) & UNBLOCKABLE)) return -EINVAL;
    if (old) *(struct kernel_sigaction *)POINTER(old) = actions[signal];
    if (new) actions[signal] = *(const struct kernel_sigaction *)POINTER(new);
    if (new && is_ignored((int)signal)) pending &= ~bit((int)signal);
    return 0;
}

long __tamar_sys_rt_sigprocmask(long how, long new, long old, long size) {
    uint64_t before = mask;
    if (size != 8) return -EINVAL;
    if (new) {
        uint64_t bits = *(const uint64_t *)POINTER(new);
        switch ((int)how) {
        case SIG_BLOCK: mask |= bits; break;
        case SIG_UNBLOCK: mask &= ~bits; break;
        case SIG_SETMASK: mask = bits; break;
        default: return -EINVAL;
        }
        mask &= ~UNBLOCKABLE;
    }
    if (old) *(uint64_t *)POINTER(old) = before;
    return 0;
}

long __tamar_sys_rt_sigpending(long result, long size) {
    if (size > 8) return -EINVAL;
    uint64_t blocked = pending & mask;
    memcpy(POINTER(result), &blocked, (size_t)size);
    return 0;
}

long __tamar_sys_rt_sigsuspend(long new, long size) {
    uint64_t old = mask;
    if (size != 8) return -EINVAL;
    mask = *(const uint64_t *)POINTER(new) & ~UNBLOCKABLE;
    long result = __tamar_wait_until(0, "sigsuspend: no signal can come");
    mask = old;
    return result;
}

long __tamar_sys_pause(void) { return __tamar_wait_until(0, "pause: no signal can come"); }

long __tamar_sys_rt_sigtimedwait(long set, long info, long timeout, long size) {
    uint64_t wanted = *(const uint64_t *)POINTER(set);
    const struct timespec *time = POINTER(timeout);
    if (size != 8) return -EINVAL;
    if (!(pending & wanted)) {
        if (time && !time->tv_sec && !time->tv_nsec) return -EAGAIN;
        unsigned long deadline =
            time ? __tamar_time() + (unsigned long)time->tv_sec * 1000000000ul + (unsigned long)time->tv_nsec
                 : 0;
        long result = __tamar_wait_until(deadline, "sigwait: no signal can come");
        if (!(pending & wanted)) return result < 0 ? result : -EAGAIN;
    }
    int signal = __builtin_ctzl(pending & wanted) + 1;
    pending &= ~bit(signal);
    if (info) *(siginfo_t *)POINTER(info) = (siginfo_t){.si_signo = signal, .si_code = SI_TKILL};
    return signal;
}

long __tamar_sys_sigaltstack(long new, long old) {
    if (old) *(stack_t *)POINTER(old) = alternate_stack;
    if (!new) return 0;
    const stack_t *wanted = POINTER(new);
    if (wanted->ss_flags & ~SS_DISABLE) return -EINVAL;
    if (!(wanted->ss_flags & SS_DISABLE) && wanted->ss_size < MINSIGSTKSZ) return -ENOMEM;
    alternate_stack = *wanted;
    return 0;
}

static long send(long signal) {
    if (signal == 0) return 0;
    if (!is_signal(signal)) return -EINVAL;
    __tamar_signal_send((int)signal);
    return 0;
}

long __tamar_sys_kill(long process, long signal) {
    long self = __tamar_sys_getpid();
    if ((int)process == self || process == 0 || (int)process == -self || (int)process == -1)
        return send(signal);
    return is_signal(signal) || signal == 0 ? -ESRCH : -EINVAL;
}
long __tamar_sys_tkill(long thread, long signal) {
    return (int)thread == __tamar_sys_gettid() ? send(signal) : -ESRCH;
}
long __tamar_sys_tgkill(long process, long thread, long signal) {
    return (int)process == __tamar_sys_getpid() ? __tamar_sys_tkill(thread, signal) : -ESRCH;
}
long __tamar_sys_rt_sigqueueinfo(long process, long signal, long info) {
    return __tamar_sys_kill(process, signal);
}
