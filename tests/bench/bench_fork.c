// Measures the cost of a fork: forks a state that holds 100 MB a thousand times, then writes to one page of each fork.
#include "base/alloc.h"
#include "state/state.h"

#include <stdio.h>
#include <time.h>

#define HELD        ((uint64_t)100 << 20)
#define FORKS       1000
#define MOST_MICROS 50.0
#define MOST_BYTES  (100 * 1024)

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

int main(void) {
    static struct ir_program empty; // no globals, no functions
    static struct ir_function function = {.name = "f", .register_count = 40};
    static struct state *forks[FORKS];
    empty.readonly_end = empty.data_end = IR_DATA_BASE;
    struct state *state = state_new(&empty, STACK_SIZE_DEFAULT);
    for (unsigned i = 0; i < 20; i++) state_enter(state, &function);
    uint64_t object = heap_alloc(&state->memory, HELD, 16, HEAP_MALLOC, 0, 1, SHADOW_OK);
    for (uint64_t at = 0; at < HELD; at += PAGE_SIZE) memory_poke(&state->memory, object + at, "x", 1);

    size_t bytes = mem_in_use();
    double start = now();
    for (unsigned i = 0; i < FORKS; i++) forks[i] = state_fork(state, i + 1);
    double forked = (now() - start) / FORKS;
    double each = (double)(mem_in_use() - bytes) / FORKS;

    bytes = mem_in_use();
    start = now();
    for (unsigned i = 0; i < FORKS; i++) memory_poke(&forks[i]->memory, object + 12345, "y", 1);
    double written = (now() - start) / FORKS;
    double copied = (double)(mem_in_use() - bytes) / FORKS;

    bytes = mem_in_use();
    for (unsigned i = 0; i < FORKS; i++) memory_poke(&forks[i]->memory, object + 12345 + PAGE_SIZE, "y", 1);
    double page = (double)(mem_in_use() - bytes) / FORKS;

    printf("fork of a state that holds 100 MB: %.2f us, %.0f bytes (limits %.0f us, %d bytes)\n", forked,
           each, MOST_MICROS, MOST_BYTES);
    printf("first write after it: %.2f us, %.0f bytes (a page and the nodes above it); to its neighbour: "
           "%.0f bytes (a page "
           "is %zu)\n",
           written, copied, page, sizeof(struct page));
    bool good = forked <= MOST_MICROS && each <= MOST_BYTES && (size_t)page == sizeof(struct page);
    for (unsigned i = 0; i < FORKS; i++) state_free(forks[i]);
    state_free(state);
    return good ? 0 : 1;
}
