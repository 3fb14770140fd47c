// getcontext, makecontext, setcontext, swapcontext. A context prepared by makecontext becomes a task of the VM when it
// is activated; the task continues the running thread on another stack. A saved context is a position in a task, as
// saved by setjmp. Activating it switches to that task, if another one runs, and jumps to the position.
//
// The front end replaces a call of getcontext(out) or swapcontext(out, in) by
//   __tamar_context_load(in, __tamar_setjmp(__tamar_context_save(out)))
// with NULL for getcontext's `in`; runtime/native/entry.S does the same natively.
#include "runtime/linux/linux.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 12 };
#define SAVED 0x7461766564000001l // magic number: unlikely as the value of a register
#define MADE  0x7461766564000002l

// Stored in the registers of a ucontext_t, so that a copy of a ucontext_t is a context, too.
struct content {
    unsigned long jump[8]; // SAVED: the buffer for setjmp
    long kind;
    long task;              // SAVED: its number in the VM
    long process;           // process that made the context; a forked process cannot activate it
    void (*function)(void); // MADE; in a SAVED context entry.S uses this word
    ucontext_t *link;       // MADE: activated when the function returns
};
_Static_assert(offsetof(struct content, function) == 88, "known to entry.S");
_Static_assert(sizeof(struct content) <= sizeof(((ucontext_t *)0)->uc_mcontext.gregs), "");
_Static_assert(MOST_ARGUMENTS * sizeof(long) <= sizeof(((ucontext_t *)0)->__fpregs_mem), "");

// The tasks of contexts that have not ended.
static struct live {
    struct live *next;
    int task;
    unsigned char *low, *high; // its stack
} *all_live;

struct beginning { // argument of a new task
    void (*function)(void);
    ucontext_t *link;
    long arguments[MOST_ARGUMENTS];
};

static void *landing; // jump buffer at which the next task continues; NULL: the task is new

static struct content *content_of(const ucontext_t *context) {
    return (struct content *)context->uc_mcontext.gregs;
}

static void forget(struct live *old) {
    struct live **at = &all_live;
    while (*at != old) at = &(*at)->next;
    *at = old->next;
    __tamar_free(old);
}

static struct live *live_of(int task) {
    struct live *live = all_live;
    while (live && live->task != task) live = live->next;
    return live;
}

static int activate(const ucontext_t *context, bool ends);

static void begin(void *argument) {
    struct beginning b = *(struct beginning *)argument;
    __tamar_free(argument);
    const long *a = b.arguments;
    ((void (*)(long, long, long, long, long, long, long, long, long, long, long, long))b.function)(
        a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
    if (!b.link) exit(0); // as glibc does
    exit(activate(b.link, true));
}

// Ends the tasks whose stacks overlap this range, which the program reuses. The running task is not ended: returns
// true if its stack overlaps.
static bool end_overlapping(const unsigned char *low, const unsigned char *high) {
    bool own = false;
    for (struct live *live = all_live, *next; live; live = next) {
        next = live->next;
        if (live->high <= low || live->low >= high) continue;
        if (live->task == __tamar_task_number()) {
            own = true;
            continue;
        }
        __tamar_task_end(live->task);
        forget(live);
    }
    return own;
}

// Makes the task of a context prepared by makecontext. Returns its number; 0: no memory.
static int make_task(const ucontext_t *context, bool *reuses_own) {
    const struct content *content = content_of(context);
    unsigned char *low = context->uc_stack.ss_sp, *high = low + context->uc_stack.ss_size;
    struct beginning *beginning = __tamar_alloc(sizeof *beginning, 16, __TAMAR_SYSTEM);
    struct live *live = __tamar_alloc(sizeof *live, 16, __TAMAR_SYSTEM);
    if (!beginning || !live) return 0;
    *beginning = (struct beginning){.function = content->function, .link = content->link};
    memcpy(beginning->arguments, context->__fpregs_mem, sizeof beginning->arguments);
    *reuses_own = end_overlapping(low, high);
    *live = (struct live){all_live, __tamar_task_context(begin, beginning, low, high), low, high};
    if (live->task) all_live = live;
    return live->task;
}

// Continues at the context; `ends`: the running task ends. Returns only if that is impossible.
static int activate(const ucontext_t *context, bool ends) {
    struct content *content = content_of(context);
    if (content->kind != SAVED && content->kind != MADE) {
        __tamar_not_modelled("a context that does not come from getcontext, makecontext or swapcontext");
        errno = EINVAL;
        return -1;
    }
    if (content->process != getpid()) {
        __tamar_not_modelled("a context that another process saved");
        errno = EINVAL;
        return -1;
    }
    sigprocmask(SIG_SETMASK, &context->uc_sigmask, NULL);
    int self = __tamar_task_number(), task = (int)content->task;
    if (content->kind == MADE) {
        bool reuses_own = false;
        task = make_task(context, &reuses_own);
        if (!task) {
            errno = ENOMEM;
            return -1;
        }
        ends |= reuses_own;
        landing = NULL;
    } else {
        if (task == self) __tamar_longjmp(content->jump, 1);
        landing = content->jump;
    }
    if (ends && live_of(self)) forget(live_of(self));
    __tamar_context_switch(task, ends);
    __tamar_longjmp(landing, 1);
}

void *__tamar_context_save(ucontext_t *context);
void *__tamar_context_save(ucontext_t *context) {
    struct content *content = content_of(context);
    content->kind = SAVED;
    content->task = __tamar_task_number();
    content->process = getpid();
    sigprocmask(SIG_SETMASK, NULL, &context->uc_sigmask);
    return content->jump;
}

int __tamar_context_load(const ucontext_t *context, int jumped);
int __tamar_context_load(const ucontext_t *context, int jumped) {
    return jumped || !context ? 0 : activate(context, false);
}

int setcontext(const ucontext_t *context) { return activate(context, false); }

void makecontext(ucontext_t *context, void (*function)(void), int count, ...) {
    struct content *content = content_of(context);
    long *arguments = (long *)context->__fpregs_mem;
    va_list list;
    if (count > MOST_ARGUMENTS) __tamar_not_modelled("makecontext with more than 12 arguments");
    content->kind = MADE;
    content->process = getpid();
    content->function = function;
    content->link = context->uc_link;
    va_start(list, count);
    for (int i = 0; i < MOST_ARGUMENTS; i++) arguments[i] = i < count ? va_arg(list, long) : 0;
    va_end(list);
}
