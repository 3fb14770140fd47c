// Contexts: generators, coroutines that take turns, contexts that are copied, activated twice and made again on the
// same stack, thread-local variables, signal masks, uc_link. Also with `tamar cc`, whose musl lacks these functions.
// RUN: same-as-native %tamar %s -pthread
// RUN: %tamar cc -O1 -w %s -o %t && %t >%t.native && %tamar exec %t >%t.ours && cmp %t.native %t.ours
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { SIZE = 64 << 10 };
static ucontext_t caller, workers[3];
static __thread int own = 5;

static void start(ucontext_t *context, void *stack, ucontext_t *link) {
    if (getcontext(context)) abort();
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = SIZE;
    context->uc_link = link;
}

// ---- a generator: walks a tree and yields one value at a time
struct generator {
    ucontext_t inside, outside;
    int value, done;
};
static void walk(struct generator *generator, int low, int high) {
    if (low >= high) return;
    int middle = low + (high - low) / 2;
    walk(generator, low, middle);
    generator->value = middle;
    swapcontext(&generator->inside, &generator->outside);
    walk(generator, middle + 1, high);
}
static void run_walk(unsigned int half, unsigned int other, int low, int high) {
    struct generator *generator = (void *)((unsigned long)other << 32 | half);
    walk(generator, low, high);
    generator->done = 1;
}
static void generators(void) {
    struct generator two[2] = {0};
    void *stacks[2] = {malloc(SIZE), malloc(SIZE)};
    for (int i = 0; i < 2; i++) {
        unsigned long at = (unsigned long)&two[i];
        start(&two[i].inside, stacks[i], &two[i].outside);
        makecontext(&two[i].inside, (void (*)(void))run_walk, 4, (unsigned int)at, (unsigned int)(at >> 32),
                    i, 5 + i);
    }
    for (int ended = 0; ended < 2;) {
        for (int i = 0; i < 2; i++) {
            if (two[i].done) continue;
            swapcontext(&two[i].outside, &two[i].inside);
            if (two[i].done)
                printf("generator %d ends\n", ++ended);
            else
                printf("generator %d: %d\n", i, two[i].value);
        }
    }
    free(stacks[0]);
    free(stacks[1]);
}

// ---- coroutines in a ring; more arguments than registers
static void turn(int number, int a, int b, int c, int d, int e, int f, int g) {
    char text[64];
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "worker %d turn %d: %d", number, i,
                 a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7);
        puts(text);
        own += number;
        swapcontext(&workers[number], &workers[(number + 1) % 3]);
    }
    printf("worker %d ends, own %d\n", number, own);
}
static void ring(void) {
    static char stacks[3][SIZE];
    for (int i = 0; i < 3; i++) {
        start(&workers[i], stacks[i], i == 2 ? &caller : &workers[i + 1]);
        makecontext(&workers[i], (void (*)(void))turn, 8, i, 1, 2, 3, 4, 5, 6, 7);
    }
    swapcontext(&caller, &workers[0]);
    memset(stacks, 1, sizeof stacks); // the stacks are ordinary memory afterwards
    printf("ring: own %d, memory %d\n", own, stacks[1][100]);
}

// ---- a saved context, activated again, from a deeper function, and as a copy
static void deeper(const ucontext_t *context, int n) {
    if (n) deeper(context, n - 1);
    setcontext(context);
}
static void again(void) {
    ucontext_t here, copy;
    volatile int count = 0;
    if (getcontext(&here)) abort();
    count++;
    printf("count %d\n", count);
    copy = here;
    if (count == 1) setcontext(&here);
    if (count == 2) deeper(&copy, 3);
}

// ---- many contexts on one stack, left by setcontext; longjmp inside of one
static int rounds;
static void leave(int n) {
    static jmp_buf buffer;
    if (setjmp(buffer) == 0) longjmp(buffer, 1);
    rounds += n;
    setcontext(&caller);
}
static void one_stack(void) {
    void *stack = malloc(SIZE);
    for (volatile int i = 0; i < 40; i++) {
        volatile int back = 0;
        getcontext(&caller);
        if (back++) continue;
        start(&workers[0], stack, NULL);
        makecontext(&workers[0], (void (*)(void))leave, 1, i);
        setcontext(&workers[0]);
    }
    printf("rounds %d\n", rounds);
    free(stack);
}

// ---- the signal mask belongs to the context
static void show_mask(void) {
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("blocked: %d %d\n", sigismember(&now, SIGUSR1), sigismember(&now, SIGUSR2));
}
static void masks(void) {
    void *stack = malloc(SIZE);
    sigset_t set;
    start(&workers[0], stack, &caller);
    sigaddset(&workers[0].uc_sigmask, SIGUSR1);
    makecontext(&workers[0], show_mask, 0);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    swapcontext(&caller, &workers[0]);
    show_mask();
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    free(stack);
}

// ---- a context of each thread, with the thread's own variables
static void wander(void) { printf("own in the context: %d\n", ++own); }
static void *other_thread(void *argument) {
    ucontext_t first, moved;
    own = 77;
    start(&moved, argument, &first);
    makecontext(&moved, wander, 0);
    swapcontext(&first, &moved);
    printf("own in the thread: %d\n", own);
    return NULL;
}
static void threads(void) {
    pthread_t thread;
    void *stack = malloc(SIZE);
    pthread_create(&thread, NULL, other_thread, stack);
    pthread_join(thread, NULL);
    other_thread(stack);
    free(stack);
}

static void finish(void) { puts("the last context ends the program"); }
int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    generators();
    ring();
    again();
    one_stack();
    masks();
    threads();
    start(&workers[0], malloc(SIZE), NULL);
    makecontext(&workers[0], finish, 0);
    setcontext(&workers[0]);
    return 9;
}
