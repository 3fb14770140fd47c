// Signals: sent by the program's processes to each other, by timers, or by writing to a
// closed pipe. A process handles its signals at the end of a system call or while it
// waits. A handler is called as a function, so that jumping out of it works. Handlers and
// masks are data of the process, which a fork copies; pending signals are the kernel's.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <ucontext.h>

struct kernel_sigaction {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

static struct kernel_sigaction actions[SIGNALS + 1];
enum { THREAD_CANCEL = 33 }; // musl's: a cancelled thread must not continue to wait
static stack_t alternate_stack = {.ss_flags = SS_DISABLE};

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

uint64_t __tamar_signals_ignored(void) {
    uint64_t signals = 0;
    for (int i = 1; i <= SIGNALS; i++)
        if (actions[i].handler == SIG_IGN) signals |= bit(i);
    return signals;
}

void __tamar_signals_ignore(uint64_t signals) {
    for (int i = 1; i <= SIGNALS; i++)
        if (signals & bit(i)) actions[i].handler = SIG_IGN;
}

void __tamar_signal_to(struct process *process, struct task *task, int signal, struct signal_note note) {
    if (process->ended) return;
    if (process == PROCESS && is_ignored(signal) && !(KERNEL->task && KERNEL->task->mask & bit(signal)))
        return;
    *(task ? &task->pending : &process->pending) |= bit(signal);
    process->notes[signal] = note;
}

void __tamar_signal_send(int signal) {
    __tamar_signal_to(PROCESS, KERNEL->task, signal,
                      (struct signal_note){.code = SI_KERNEL, .process = PROCESS->id, .user = PROCESS->uid});
}

static siginfo_t information(int signal) {
    const struct signal_note *note = &PROCESS->notes[signal];
    siginfo_t info = {.si_signo = signal, .si_code = note->code};
    if (note->code == SI_KERNEL) return info;
    info.si_pid = note->process;
    info.si_uid = note->user;
    if (signal == SIGCHLD)
        info.si_status = note->status;
    else
        info.si_ptr = note->value;
    return info;
}

static void run_handler(int signal, const struct kernel_sigaction *action) {
    struct task *task = KERNEL->task;
    uint64_t old = task->mask;
    task->mask |= action->mask & ~UNBLOCKABLE;
    if (!(action->flags & SA_NODEFER)) task->mask |= bit(signal);
    if (action->flags & SA_SIGINFO) {
        siginfo_t info = information(signal);
        ucontext_t context;
        memset(&context, 0, sizeof context);
        memcpy(&context.uc_sigmask, &old, sizeof old);
        ((void (*)(int, siginfo_t *, void *))(void *)action->handler)(signal, &info, &context);
        memcpy(&old, &context.uc_sigmask, sizeof old);
    } else {
        action->handler(signal);
    }
    task->mask = old;
}

// Whether the signal means a bug: it ends the whole program with a report, in any process.
static bool is_error(int signal) {
    return signal == SIGABRT || signal == SIGSEGV || signal == SIGBUS || signal == SIGILL ||
           signal == SIGFPE || signal == SIGTRAP;
}

static enum delivered deliver_one(int signal) {
    struct kernel_sigaction action = actions[signal];
    KERNEL->task->pending &= ~bit(signal);
    PROCESS->pending &= ~bit(signal);
    if (is_ignored(signal)) return DELIVERED_NONE;
    if (action.handler == SIG_DFL) {
        if (stops_by_default(signal)) {
            __tamar_not_modelled("a signal that stops the process");
            return DELIVERED_NONE;
        }
        if (is_error(signal)) {
            __tamar_linux_end();
            __tamar_killed(signal);
        }
        __tamar_process_end(signal);
    }
    if (action.flags & SA_RESETHAND) actions[signal].handler = SIG_DFL;
    run_handler(signal, &action);
    bool restarts = (action.flags & SA_RESTART) && signal != THREAD_CANCEL;
    return restarts ? DELIVERED_RESTART : DELIVERED_INTERRUPT;
}

enum delivered __tamar_signal_deliver(void) {
    enum delivered all = DELIVERED_NONE;
    for (uint64_t ready; (ready = __tamar_signals_for(KERNEL->task));) {
        enum delivered one = deliver_one(__builtin_ctzl(ready) + 1);
        if (one > all) all = one;
    }
    return all;
}

bool __tamar_may_interrupt(void) {
    for (int signal = 1; signal <= SIGNALS; signal++)
        if (signal != THREAD_CANCEL && actions[signal].handler != SIG_DFL &&
            actions[signal].handler != SIG_IGN && !(actions[signal].flags & SA_RESTART))
            return true;
    return false;
}

static bool is_signal(long signal) { return signal >= 1 && signal <= SIGNALS; }

long __tamar_sys_rt_sigaction(long signal, long new, long old, long size) {
    if (!is_signal(signal) || size != 8) return -EINVAL;
    if (new && (bit((int)signal) & UNBLOCKABLE)) return -EINVAL;
    if (old) *(struct kernel_sigaction *)POINTER(old) = actions[signal];
    if (new) actions[signal] = *(const struct kernel_sigaction *)POINTER(new);
    if (new && is_ignored((int)signal)) {
        KERNEL->task->pending &= ~bit((int)signal);
        PROCESS->pending &= ~bit((int)signal);
    }
    if (new && signal == SIGCHLD)
        PROCESS->forgets_children =
            actions[SIGCHLD].handler == SIG_IGN || (actions[SIGCHLD].flags & SA_NOCLDWAIT);
    return 0;
}

long __tamar_sys_rt_sigprocmask(long how, long new, long old, long size) {
    uint64_t *mask = &KERNEL->task->mask, before = *mask;
    if (size != 8) return -EINVAL;
    if (new) {
        uint64_t bits = *(const uint64_t *)POINTER(new);
        switch ((int)how) {
        case SIG_BLOCK: *mask |= bits; break;
        case SIG_UNBLOCK: *mask &= ~bits; break;
        case SIG_SETMASK: *mask = bits; break;
        default: return -EINVAL;
        }
        *mask &= ~UNBLOCKABLE;
    }
    if (old) *(uint64_t *)POINTER(old) = before;
    return 0;
}

static uint64_t pending(void) { return KERNEL->task->pending | PROCESS->pending; }

long __tamar_sys_rt_sigpending(long result, long size) {
    if (size > 8) return -EINVAL;
    uint64_t blocked = pending() & KERNEL->task->mask;
    memcpy(POINTER(result), &blocked, (size_t)size);
    return 0;
}

long __tamar_signal_wait(unsigned long deadline, const char *what) {
    long result;
    do result = __tamar_wait(deadline, WAIT_OUTSIDE, what);
    while (!result);
    return result;
}

long __tamar_sys_rt_sigsuspend(long new, long size) {
    struct task *task = KERNEL->task;
    uint64_t old = task->mask;
    if (size != 8) return -EINVAL;
    task->mask = *(const uint64_t *)POINTER(new) & ~UNBLOCKABLE;
    long result = __tamar_signal_wait(0, "sigsuspend: no signal can come");
    task->mask = old;
    return result;
}

long __tamar_sys_pause(void) { return __tamar_signal_wait(0, "pause: no signal can come"); }

long __tamar_signal_take(uint64_t wanted, siginfo_t *info) {
    uint64_t ready = pending() & wanted;
    if (!ready) return 0;
    int signal = __builtin_ctzl(ready) + 1;
    if (info) *info = information(signal);
    KERNEL->task->pending &= ~bit(signal);
    PROCESS->pending &= ~bit(signal);
    return signal;
}

// While the thread waits, the wanted signals only wake it, and do not run handlers.
long __tamar_sys_rt_sigtimedwait(long set, long info, long timeout, long size) {
    struct task *task = KERNEL->task;
    uint64_t wanted = *(const uint64_t *)POINTER(set) & ~UNBLOCKABLE, old = task->mask;
    const struct timespec *time = POINTER(timeout);
    unsigned long deadline = time ? __tamar_time() + __tamar_span(time) : 0;
    long signal, error = 0;
    if (size != 8) return -EINVAL;
    while (!(signal = __tamar_signal_take(wanted, POINTER(info))) && !error) {
        if (time && !time->tv_sec && !time->tv_nsec) return -EAGAIN;
        task->mask = old | wanted;
        task->wanted = wanted;
        error = __tamar_wait(deadline, WAIT_OUTSIDE, "sigwait: no signal can come");
        task->wanted = 0;
        task->mask = old;
    }
    return signal ? signal : error == -ETIMEDOUT ? -EAGAIN : error;
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

static bool may_signal(const struct process *process) {
    const struct process *own = PROCESS;
    if (process == own || __tamar_capable(CAP_KILL)) return true;
    return own->euid == process->uid || own->euid == process->suid || own->uid == process->uid ||
           own->uid == process->suid;
}

static long send_to(struct process *process, struct task *task, long signal, struct signal_note note) {
    if (signal != 0 && !is_signal(signal)) return -EINVAL;
    if (!may_signal(process)) return -EPERM;
    if (signal == 0) return 0;
    __tamar_signal_to(process, task, (int)signal, note);
    return 0;
}

static bool is_meant(const struct process *process, int target) {
    if (target > 0) return process->id == target;
    if (process->ended) return false;
    if (target == -1) return process != PROCESS;
    return process->group == (target ? -target : PROCESS->group);
}

static long send_all(int target, long signal, struct signal_note note) {
    long result = -ESRCH;
    if (!is_signal(signal) && signal != 0) return -EINVAL;
    for (struct process *process = KERNEL->processes; process; process = process->next)
        if (is_meant(process, target)) {
            long one = send_to(process, NULL, signal, note);
            if (result != 0) result = one; // one permitted target is enough
        }
    return result;
}

static struct signal_note note_of(int code) {
    return (struct signal_note){.code = code, .process = PROCESS->id, .user = PROCESS->uid};
}

long __tamar_sys_kill(long process, long signal) { return send_all((int)process, signal, note_of(SI_USER)); }

long __tamar_sys_tkill(long thread, long signal) {
    struct task *task = __tamar_task_of((int)thread);
    return task ? send_to(task->process, task, signal, note_of(SI_TKILL)) : -ESRCH;
}
long __tamar_sys_tgkill(long process, long thread, long signal) {
    struct task *task = __tamar_task_of((int)thread);
    if (!task || task->process->id != (int)process) return -ESRCH;
    return __tamar_sys_tkill(thread, signal);
}
long __tamar_sys_rt_sigqueueinfo(long process, long signal, long info) {
    const siginfo_t *given = POINTER(info);
    struct signal_note note = note_of(given->si_code);
    note.value = given->si_ptr;
    return send_all((int)process, signal, note);
}
