// Tasks in native builds. A thread is a stack that is switched to. A process is a real one, which waits for its turn
// in a word of shared memory. The first process ends last, because the caller waits for it. It ends with the status or
// signal that the process in which the program ended has stored in shared memory.
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#define MOST_TASKS 4096

static struct shared { // shared by all processes
    int turn;          // number of the running task
    int last_task;
    int ended, status, signal; // set when the program has ended: how it ended
    int owners[MOST_TASKS];    // per task: the first task of its process
} *shared;

static struct context {
    void *stack, *thread_pointer;
    unsigned long locals; // the stack pointer of locals, if they have a separate stack
    void *native;         // in that case the processor's stack, NATIVE_STACK bytes; else NULL
    int over;             // it will not run again
} contexts[MOST_TASKS];   // tasks of this process
#define NATIVE_STACK (8l << 20)
static int self, process;

void __tamar_native_exchange(void **saved, void *other);
void __tamar_native_thread(void);
void __tamar_native_counts(void);
void __tamar_native_thread_block(void);

static struct shared *control(void) {
    if (!shared) shared = __tamar_alloc(sizeof *shared, 16, __TAMAR_KERNEL);
    return shared;
}

static int new_task(int owner) {
    if (control()->last_task == MOST_TASKS - 1) {
        __tamar_native_say("more tasks than the native model has", "", "");
        __tamar_exit(125);
    }
    int task = ++shared->last_task;
    shared->owners[task] = owner < 0 ? task : owner;
    return task;
}

// Returns a stack for the processor: in builds with a separate stack of locals, the stack that the program gave to the
// thread holds its locals.
static void *native_stack(void) {
    for (int i = 0; i < MOST_TASKS; i++)
        if (contexts[i].over && contexts[i].native) {
            void *again = contexts[i].native;
            contexts[i].native = NULL;
            return again;
        }
    long at = raw(SYS_mmap, 0, NATIVE_STACK, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at < 0 && at > -4096) {
        __tamar_native_say("no memory for a thread's stack", "", "");
        __tamar_exit(125);
    }
    return (void *)at;
}

static void prepare_stack(int task, void (*function)(void *), void *argument, void *stack,
                          void *thread_pointer) {
    void *native = &__tamar_stack ? native_stack() : NULL;
    void **top =
        native ? (void **)((char *)native + NATIVE_STACK) : (void **)((uintptr_t)stack & ~(uintptr_t)15);
    *--top = (void *)(uintptr_t)__tamar_native_thread;
    *--top = NULL;             // rbp
    *--top = NULL;             // rbx
    *--top = (void *)function; // r12
    *--top = argument;         // r13
    *--top = NULL;             // r14
    *--top = NULL;             // r15
    contexts[task] = (struct context){top, thread_pointer, (uintptr_t)stack & ~(uintptr_t)15, native, 0};
}

int __tamar_task_thread(void (*function)(void *), void *argument, void *stack, void *thread_pointer) {
    int task = new_task(process);
    __tamar_native_thread_block();
    prepare_stack(task, function, argument, stack, thread_pointer);
    return task;
}

// Programs may make any number of contexts, one after another: the numbers of ended tasks are used again.
int __tamar_task_context(void (*function)(void *), void *argument, void *low, void *high) {
    int task = 1, last = control()->last_task;
    while (task <= last && (!contexts[task].over || shared->owners[task] != process)) task++;
    if (task > last) task = new_task(process);
    prepare_stack(task, function, argument, high, NULL);
    return task;
}

static void wake(void) { RAW4(SYS_futex, &shared->turn, 1, 0x7fffffff, 0); }

// ---- the end of the program, in any process

static void end_as_said(void) {
    int signal = shared->signal, status = shared->status;
    shared->ended = 2;
    if (signal) __tamar_killed(signal);
    __tamar_exit(status);
}

// Called before the running process ends. Returns true if the first process will end the program.
int __tamar_native_ends(int status, int signal);
int __tamar_native_ends(int status, int signal) {
    if (!shared || !process || shared->ended == 2) return 0;
    shared->status = status;
    shared->signal = signal;
    shared->ended = 1;
    shared->turn = 0;
    wake();
    return 1;
}

// Ends the program by the same signal, if one ended a child process.
static void look_after_children(void) {
    int status = 0;
    while (RAW4(SYS_wait4, -1, &status, 1, 0) > 0)
        if (status & 127) {
            shared->signal = status & 127;
            shared->ended = 1;
            end_as_said();
        }
}

// ---- turns

static void change_to(int task) {
    if (task == self) return;
    struct context *from = &contexts[self], *to = &contexts[task];
    from->thread_pointer = __tamar_thread_pointer();
    if (&__tamar_stack) {
        from->locals = __tamar_stack;
        __tamar_stack = to->locals;
    }
    self = task;
    if (to->thread_pointer != from->thread_pointer) __tamar_set_thread_pointer(to->thread_pointer);
    __tamar_native_exchange(&from->stack, to->stack);
}

static void wait_for_turn(void) {
    static const struct timespec while_waiting = {0, 50000000};
    for (int turn; turn = __atomic_load_n(&shared->turn, __ATOMIC_SEQ_CST),
                   shared->ended || shared->owners[turn] != process;) {
        if (shared->ended && process) RAW3(SYS_exit_group, 0, 0, 0);
        if (shared->ended) end_as_said();
        RAW4(SYS_futex, &shared->turn, 0, turn, process ? NULL : &while_waiting);
        if (!process) look_after_children();
    }
    change_to(shared->turn);
}

void __tamar_task_switch(int task, int ends) {
    if (ends != __TAMAR_TASK_WAITS && ends != __TAMAR_CONTEXT_WAITS) contexts[self].over = 1;
    if (ends >= __TAMAR_CONTEXT_WAITS) contexts[task].thread_pointer = __tamar_thread_pointer();
    if (shared->owners[task] == process) {
        change_to(task);
        return;
    }
    __tamar_native_counts();
    __atomic_store_n(&shared->turn, task, __ATOMIC_SEQ_CST);
    wake();
    if (ends == __TAMAR_PROCESS_ENDS && process) RAW3(SYS_exit_group, 0, 0, 0);
    wait_for_turn();
}

// All processes are children of the first one, which reaps them.
int __tamar_task_fork(int is_image) {
    (void)is_image;
    int task = new_task(-1), flags = SIGCHLD | (process ? CLONE_PARENT : 0);
    __tamar_native_counts(); // the child begins at zero
    long id = raw(SYS_clone, flags, 0, 0, 0, 0, 0);
    if (id < 0) {
        __tamar_native_say("fork fails natively", "", "");
        __tamar_exit(125);
    }
    if (id) return task;
    RAW3(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0);
    self = process = task;
    wait_for_turn();
    return 0;
}

void __tamar_task_end(int task) { contexts[task].over = 1; }
