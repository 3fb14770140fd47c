// The scheduler: tasks are threads and processes, of which one runs at a time. The schedule is
// deterministic: a task runs until it waits, ends or yields; then the next runnable one in order
// of creation runs. A forked child runs first, a new thread when its creator waits. If no task is runnable, time jumps
// to the next deadline; without a deadline see stuck().
#include "runtime/linux/calls.h"
#include "runtime/linux/peer.h"

#include <sched.h>
#include <sys/wait.h>

// The stack of a thread that has ended, to be unmapped by a task on another stack.
struct abandoned_stack {
    struct abandoned_stack *next;
    void *base;
    size_t size;
};

void __tamar_tasks_start(void) {
    __tamar_kernel = __tamar_new(sizeof *__tamar_kernel);
    struct process *process = KERNEL->process = KERNEL->processes = __tamar_new(sizeof *process);
    struct task *task = KERNEL->task = KERNEL->tasks = __tamar_new(sizeof *task);
    process->id = process->group = task->id = KERNEL->last_id = FIRST_PROCESS;
    process->session = FIRST_PROCESS - 1;
    task->process = process;
}

struct process *__tamar_process_of(int id) {
    for (struct process *process = KERNEL->processes; process; process = process->next)
        if (process->id == id) return process;
    return NULL;
}

struct task *__tamar_task_of(int id) {
    for (struct task *task = KERNEL->tasks; task; task = task->next)
        if (task->id == id) return task;
    return NULL;
}

// ---- scheduling

static bool may_run(const struct task *task) {
    uint64_t pending = task->pending | task->process->pending;
    if (!task->waits || pending & (~task->mask | task->wanted)) return true;
    if (task->deadline && KERNEL->now >= task->deadline) return true;
    return task->futex ? task->woken : task->seen != KERNEL->changes;
}

// Returns the next runnable task in the cyclic order, this one last; NULL: none is runnable.
static struct task *next_after(struct task *task) {
    struct task *at = task;
    do {
        at = at && at->next ? at->next : KERNEL->tasks;
        if (at && may_run(at)) return at;
    } while (at != task && at);
    return NULL;
}

// Whether the program is idle: everything from outside has arrived, and time passes without other events. So a
// server that only polls the clock is idle, too. With a script, the program is idle 0.3 s after the end of the script,
// and again 10 s after SIGTERM, as in bench/subjects/peers. If a step of the script waits for ten minutes, it is
// reported, and the script ends.
static bool is_idle(void) {
    enum { MOST_QUIET = 100 };
    static const unsigned long LONG_TIME = 600000000000ul;
    struct peers *peers = KERNEL->peers;
    bool all_outside = true;
    for (struct task *task = KERNEL->tasks; task; task = task->next)
        all_outside &= task->waits && task->outside;
    if (peers && peers->at < peers->size && !peers->deadline && KERNEL->now > peers->moved + LONG_TIME)
        __tamar_peers_stuck();
    if (peers && peers->at >= peers->size) {
        unsigned long span = KERNEL->idle ? 10000000000ul : 300000000ul;
        if (!peers->deadline) peers->deadline = KERNEL->now + span;
        if (KERNEL->now < peers->deadline) return false;
        peers->deadline = 0;
        return true;
    }
    if (peers || !KERNEL->outside_used || __tamar_outside_left() || !all_outside) return false;
    if (KERNEL->quiet_changes != KERNEL->changes) KERNEL->quiet = 0;
    KERNEL->quiet_changes = KERNEL->changes;
    return KERNEL->quiet++ >= MOST_QUIET;
}

// Advances time to the next deadline or timer. Returns false if there is none.
static bool pass_time(void) {
    unsigned long next = __tamar_next_timer();
    for (struct task *task = KERNEL->tasks; task; task = task->next)
        if (task->waits && task->deadline && (!next || task->deadline < next)) next = task->deadline;
    unsigned long peers = KERNEL->peers ? KERNEL->peers->deadline : 0;
    if (peers && (!next || peers < next)) next = peers;
    if (!next) return false;
    if (next > KERNEL->now) KERNEL->now = next;
    __tamar_timers_run();
    return true;
}

__TAMAR_NORETURN static void end_program(void) {
    int status = KERNEL->first_status;
    __tamar_linux_end();
    if (WIFSIGNALED(status)) __tamar_killed(WTERMSIG(status));
    __tamar_exit(WEXITSTATUS(status));
}

static void ask_to_end(void) {
    if (KERNEL->first_ended) end_program(); // its remaining daemons do not matter
    int signal = KERNEL->idle++ ? SIGKILL : SIGTERM;
    for (struct process *process = KERNEL->processes; process; process = process->next)
        if (!process->ended)
            __tamar_signal_to(process, NULL, signal, (struct signal_note){.code = SI_USER, .process = 1});
}

// Called when no further event is possible. A program that waits for the outside is idle: it gets SIGTERM, as users
// end idle servers, and SIGKILL if that does not help. A program that waits only for itself is a deadlock.
static void stuck(const char *what) {
    bool outside = false;
    for (struct task *task = KERNEL->tasks; task; task = task->next) outside |= task->outside;
    __tamar_peers_stuck();
    if (!outside && !KERNEL->first_ended) __tamar_report("deadlock", what);
    ask_to_end();
}

// Returns a runnable task; time passes until there is one.
static struct task *choose_after(struct task *task, const char *what) {
    struct task *next;
    while (!(next = next_after(task))) {
        if (__tamar_peers_run()) continue;
        if (is_idle())
            ask_to_end();
        else if (!pass_time())
            stuck(what);
    }
    return next;
}

// ---- switching

static void drop_abandoned(void) {
    for (struct abandoned_stack *stack; (stack = PROCESS->abandoned);) {
        PROCESS->abandoned = stack->next;
        __tamar_unmap(stack->base, stack->size);
        __tamar_delete(stack);
    }
}

static void run(struct task *task, int ends) {
    if (task == KERNEL->task) return;
    KERNEL->task = task;
    KERNEL->process = task->process;
    __tamar_task_switch(task->number, ends);
    drop_abandoned(); // later, when this task runs again
}

long __tamar_wait(unsigned long deadline, int how, const char *what) {
    struct task *task = KERNEL->task;
    if (!__tamar_signals_for(task)) {
        task->waits = true;
        task->outside = (how & WAIT_OUTSIDE) != 0;
        task->deadline = deadline;
        task->seen = KERNEL->changes;
        task->woken = false;
        run(choose_after(task, what), __TAMAR_TASK_WAITS);
        task->waits = task->outside = false;
        task->deadline = 0;
    }
    enum delivered delivered = __tamar_signal_deliver();
    if (delivered == DELIVERED_INTERRUPT || (delivered && !(how & WAIT_RESTART))) return -EINTR;
    return deadline && KERNEL->now >= deadline ? -ETIMEDOUT : 0;
}

// ---- contexts: other stacks of the running thread, which the program switches itself (libc/context.c)

int __tamar_task_number(void) { return KERNEL->task->number; }

void __tamar_context_switch(int number, bool ends) {
    KERNEL->task->number = number;
    __tamar_task_switch(number, ends ? __TAMAR_CONTEXT_ENDS : __TAMAR_CONTEXT_WAITS);
}

long __tamar_sys_sched_yield(void) {
    run(next_after(KERNEL->task), __TAMAR_TASK_WAITS);
    return 0;
}

// ---- creation

static struct task *add_task(struct process *process) {
    struct task *task = __tamar_new(sizeof *task), **last = &KERNEL->tasks;
    if (!task) return NULL;
    while (*last) last = &(*last)->next;
    *last = task;
    task->process = process;
    task->mask = KERNEL->task->mask;
    return task;
}

static struct process *copy_process(void) {
    struct process *process = __tamar_new(sizeof *process), *parent = PROCESS;
    if (!process) return NULL;
    *process = *parent;
    process->parent = parent;
    process->pending = 0;
    process->alarm = (struct timer){0, 0};
    process->descriptors = NULL;
    process->descriptor_capacity = 0;
    process->mappings = NULL;
    process->abandoned = NULL;
    if (!__tamar_descriptors_copy(process) || !__tamar_mappings_copy(process)) return NULL;
    process->next = KERNEL->processes;
    return KERNEL->processes = process;
}

long __tamar_sys_fork(void) {
    struct process *process = copy_process();
    struct task *task = process ? add_task(process) : NULL;
    if (!task) return -ENOMEM;
    task->id = process->id = ++KERNEL->last_id;
    int number = __tamar_task_fork(0);
    if (!number) return 0;
    int id = process->id;
    task->number = number;
    run(task, __TAMAR_TASK_WAITS); // the child first
    return id;
}
long __tamar_sys_vfork(void) { return __tamar_sys_fork(); }

struct start {
    int (*function)(void *);
    void *argument;
};

static void start_thread(void *argument) {
    struct start start = *(struct start *)argument;
    __tamar_delete(argument);
    drop_abandoned();
    __tamar_sys_exit(start.function(start.argument));
}

static long make_thread(int flags, const struct start *how, void *stack, int *parent_id, void *pointer,
                        int *child_id) {
    struct start *start = __tamar_new(sizeof *start);
    struct task *task = start ? add_task(PROCESS) : NULL;
    if (!task) return -ENOMEM;
    *start = *how;
    task->id = ++KERNEL->last_id;
    task->number = __tamar_task_thread(start_thread, start, stack, pointer);
    if (flags & CLONE_PARENT_SETTID) *parent_id = task->id;
    if (flags & CLONE_CHILD_SETTID) *child_id = task->id;
    if (flags & CLONE_CHILD_CLEARTID) task->clear_id = child_id;
    return task->id;
}

// musl's clone: creates a thread, or a process that runs a function.
long __tamar_clone(int (*function)(void *), void *stack, int flags, void *argument, int *parent_id,
                   void *pointer, int *child_id) {
    if ((flags & CLONE_VM) && (flags & CLONE_THREAD))
        return make_thread(flags, &(struct start){function, argument}, stack, parent_id, pointer, child_id);
    if ((flags & CLONE_VM) && !(flags & CLONE_VFORK)) {
        __tamar_not_modelled("a process that shares its memory (clone)");
        return -ENOSYS;
    }
    long id = __tamar_sys_fork();
    if (id == 0) __tamar_sys_exit_group(function(argument));
    if (id > 0 && (flags & CLONE_PARENT_SETTID)) *parent_id = (int)id;
    return id;
}

long __tamar_sys_clone(long flags, long stack, long parent_id, long child_id, long pointer) {
    if (!(flags & CLONE_VM) || (flags & CLONE_VFORK)) return __tamar_sys_fork();
    __tamar_not_modelled("system call clone without the C library");
    return -ENOSYS;
}

// ---- end

static void forget_task(struct task *task) {
    struct task **at = &KERNEL->tasks;
    while (*at != task) at = &(*at)->next;
    *at = task->next;
    __tamar_delete(task);
}

static void forget_process(struct process *process) {
    struct process **at = &KERNEL->processes;
    while (*at != process) at = &(*at)->next;
    *at = process->next;
    for (struct process *child = KERNEL->processes; child; child = child->next)
        if (child->parent == process) child->parent = NULL;
    __tamar_delete(process);
}

static bool is_alone(const struct process *process) {
    for (struct process *other = KERNEL->processes; other; other = other->next)
        if (other != process && !other->ended) return false;
    return true;
}

// Orphans the children of an ended process; those that have ended as well are freed.
static void leave_children(struct process *process) {
    for (struct process *child = KERNEL->processes, *next; child; child = next) {
        next = child->next;
        if (child->parent != process) continue;
        child->parent = NULL;
        if (child->ended) forget_process(child);
    }
}

static void tell_parent(struct process *process) {
    int code = WIFSIGNALED(process->status) ? CLD_KILLED : CLD_EXITED;
    struct signal_note note = {.code = code,
                               .process = process->id,
                               .user = process->uid,
                               .status = code == CLD_KILLED ? WTERMSIG(process->status)
                                                            : WEXITSTATUS(process->status)};
    struct process *parent = process->parent;
    if (parent) __tamar_signal_to(parent, NULL, SIGCHLD, note);
    if (!parent || parent->forgets_children) {
        if (process->id != FIRST_PROCESS) forget_process(process);
    }
}

void __tamar_other_threads_end(void) {
    struct task *task = KERNEL->task;
    for (struct task *other = KERNEL->tasks, *next; other; other = next) {
        next = other->next;
        if (other->process != PROCESS || other == task) continue;
        __tamar_task_end(other->number);
        forget_task(other);
    }
}

void __tamar_process_end(int status) {
    struct process *process = PROCESS;
    struct task *task = KERNEL->task;
    if (process->id == FIRST_PROCESS) {
        KERNEL->first_ended = true;
        KERNEL->first_status = status;
    }
    if (is_alone(process)) end_program();
    __tamar_other_threads_end();
    __tamar_descriptors_close();
    __tamar_mappings_drop();
    process->ended = true;
    process->status = status;
    forget_task(task);
    leave_children(process);
    tell_parent(process);
    __tamar_changed();
    KERNEL->task = NULL;
    run(choose_after(NULL, "every process waits"), __TAMAR_PROCESS_ENDS);
    __tamar_stop(); // not reached
}

long __tamar_sys_exit_group(long status) { __tamar_process_end(((int)status & 255) << 8); }

long __tamar_sys_exit(long status) {
    struct task *task = KERNEL->task, *after = task->next ? task->next : KERNEL->tasks;
    bool last = true;
    for (struct task *other = KERNEL->tasks; other; other = other->next)
        last &= other == task || other->process != task->process;
    if (last) return __tamar_sys_exit_group(status);
    if (task->clear_id) {
        *(volatile int *)task->clear_id = 0;
        __tamar_futex_wake(task->clear_id, 1, ~0u);
    }
    forget_task(task);
    KERNEL->task = NULL;
    struct task *next = may_run(after) ? after : choose_after(after, "every thread waits");
    run(next, __TAMAR_TASK_ENDS);
    return 0;
}

void __tamar_abandon_stack(void *base, size_t size) {
    struct abandoned_stack *stack = __tamar_new(sizeof *stack);
    if (!stack) return;
    *stack = (struct abandoned_stack){PROCESS->abandoned, base, size};
    PROCESS->abandoned = stack;
}

// ---- waiting for children

static bool is_wanted(const struct process *child, int wanted) {
    if (child->parent != PROCESS) return false;
    if (wanted > 0) return child->id == wanted;
    return wanted == -1 || child->group == (wanted ? -wanted : PROCESS->group);
}

// Returns the child that has ended, or NULL with an error: none yet, or none at all.
static struct process *find_child(int wanted, long *error) {
    *error = -ECHILD;
    struct process *found = NULL;
    for (struct process *child = KERNEL->processes; child; child = child->next) {
        if (!is_wanted(child, wanted)) continue;
        *error = 0;
        if (child->ended) found = child; // the oldest
    }
    return found;
}

static long wait_child(int wanted, int options, struct process **child) {
    long error;
    while (!(*child = find_child(wanted, &error))) {
        if (error || (options & WNOHANG)) return error;
        error = __tamar_wait(0, WAIT_RESTART, "waiting for a child that never ends");
        if (error) return error;
    }
    return (*child)->id;
}

long __tamar_sys_wait4(long wanted, long status, long options, long usage) {
    struct process *child;
    if (options & ~(long)(WNOHANG | WUNTRACED | WCONTINUED | 0xe0000000l)) return -EINVAL;
    long id = wait_child((int)wanted, (int)options, &child);
    if (id <= 0) return id;
    if (status) *(int *)POINTER(status) = child->status;
    if (usage) memset(POINTER(usage), 0, 144);
    forget_process(child);
    return id;
}

long __tamar_sys_waitid(long kind, long wanted, long info, long options, long usage) {
    static const int none = 0;
    struct process *child;
    if (!(options & (WEXITED | WSTOPPED | WCONTINUED))) return -EINVAL;
    int id = kind == P_ALL ? -1 : kind == P_PID ? (int)wanted : wanted ? -(int)wanted : none;
    long result = wait_child(id, (int)options, &child);
    if (result < 0) return result;
    siginfo_t *out = POINTER(info);
    if (out) memset(out, 0, sizeof *out);
    if (!result) return 0;
    if (out) {
        out->si_signo = SIGCHLD;
        out->si_code = WIFSIGNALED(child->status) ? CLD_KILLED : CLD_EXITED;
        out->si_pid = child->id;
        out->si_uid = child->uid;
        out->si_status = WIFSIGNALED(child->status) ? WTERMSIG(child->status) : WEXITSTATUS(child->status);
    }
    if (!(options & WNOWAIT)) forget_process(child);
    return 0;
}
