// The threads and processes of a program that do not run just now: a state runs one task at a time, and which
// one is the business of the interpreted kernel (runtime/linux/task.c).
//
// A task is a stack of frames with what belongs to it. Tasks of one process share a memory; each other process
// keeps its own here while it waits. The kernel's range of addresses (heap.h) is the same for all: whenever
// another process' memory becomes the running one, that range is taken over from the one before.
//
// The list is shared between states and copied when one of them changes it; a waiting task never changes, and
// is shared as well.
#ifndef TAMAR_STATE_TASKS_H
#define TAMAR_STATE_TASKS_H

#include "state/frames.h"
#include "state/memory.h"

struct task {
    uint32_t references;
    uint32_t number, process; // processes are numbered by their first task
    struct frames frames;
    uint64_t stack_limit, thread_block, thread_pointer;
};

struct tasks;
struct state;

// A further thread of the running process: its frames are given away.
uint32_t tasks_add_thread(struct state *state, struct frames frames, uint64_t stack_limit,
                          uint64_t thread_block, uint64_t thread_pointer);
// A copy of the running process with a copy of the running task as its only one. `frames` is that task's.
uint32_t tasks_add_process(struct state *state, struct frames frames);
// The waiting task goes on in the place of the running one, which waits, or ends here. False: no such task.
bool tasks_switch(struct state *state, uint32_t number, bool ends);
// A waiting task will never go on. False: no such task.
bool tasks_end(struct state *state, uint32_t number);

struct tasks *tasks_fork(struct tasks *tasks);
void tasks_free(struct tasks *tasks);
uint32_t tasks_count(const struct tasks *tasks);
const struct task *tasks_at(const struct tasks *tasks, uint32_t index);
// As memory_each_term: what the waiting tasks and processes hold.
void tasks_each_term(const struct tasks *tasks, uint32_t epoch, void (*visit)(void *argument, uint32_t term),
                     void *argument);

#endif
