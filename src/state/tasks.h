// Waiting threads and processes of a program. A state runs one task at a time; the interpreted kernel
// (runtime/linux/task.c) chooses which.
//
// A task is a stack of frames with its stack limit and thread-local data. The tasks of one process share a
// memory. The memories of all processes but the running one are stored here. The kernel's range of addresses
// (heap.h) is common to all processes: a switch to another process copies that range into its memory.
//
// The list is shared between states and copied on write; a waiting task never changes, and is shared as well.
#ifndef TAMAR_STATE_TASKS_H
#define TAMAR_STATE_TASKS_H

#include "state/frames.h"
#include "state/memory.h"

struct task {
    uint32_t references;
    uint32_t number, process; // processes are numbered by their first task
    struct frames frames;
    uint64_t stack_limit, context_end, thread_block, thread_pointer; // as in state_threads
};

struct tasks;
struct state;

// Adds a thread to the running process and returns its number. Takes ownership of the frames.
uint32_t tasks_add_thread(struct state *state, struct frames frames, uint64_t stack_limit,
                          uint64_t thread_block, uint64_t thread_pointer);
// Adds another stack for the running thread, in the memory from `low` to `high`. Takes ownership of the frames.
uint32_t tasks_add_context(struct state *state, struct frames frames, uint64_t low, uint64_t high);
// Adds a copy of the running process, with a copy of the running task as its only task. `frames`: the frames of
// the copied task.
uint32_t tasks_add_process(struct state *state, struct frames frames);
// Switches from the running task, which waits or ends here (`ends`), to a waiting one. Returns false if there
// is no such task. The stack of a context that ends becomes ordinary memory again, without red zones.
bool tasks_switch(struct state *state, uint32_t number, bool ends);
// Ends a waiting task. Returns false if there is no such task.
bool tasks_end(struct state *state, uint32_t number);

struct tasks *tasks_fork(struct tasks *tasks);
void tasks_free(struct tasks *tasks);
uint32_t tasks_count(const struct tasks *tasks);
const struct task *tasks_at(const struct tasks *tasks, uint32_t index);
// Visits the terms of waiting tasks and processes, as memory_each_term does.
void tasks_each_term(const struct tasks *tasks, uint32_t epoch, void (*visit)(void *argument, uint32_t term),
                     void *argument);

#endif
