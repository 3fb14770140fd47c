#include "state/tasks.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/vec.h"
#include "state/state.h"

struct space { // memory of a process that has no running task
    uint32_t process;
    struct memory memory;
};

struct tasks {
    uint32_t references;
    vec(struct task *) waiting;
    vec(struct space) spaces;
};

static void release_task(struct task *task) {
    assert(task->references > 0);
    if (--task->references) return;
    frames_free(&task->frames);
    DELETE(task);
}

struct tasks *tasks_fork(struct tasks *tasks) {
    if (tasks) tasks->references++;
    return tasks;
}

void tasks_free(struct tasks *tasks) {
    if (!tasks || --tasks->references) return;
    vec_each (struct task *, task, &tasks->waiting) release_task(*task);
    vec_each (struct space, space, &tasks->spaces) memory_free(space->memory);
    vec_free(&tasks->waiting);
    vec_free(&tasks->spaces);
    DELETE(tasks);
}

// Returns the state's own list, which it may change.
static struct tasks *own_tasks(struct state *state) {
    struct tasks *old = state->threads.waiting;
    if (old && old->references == 1) return old;
    struct tasks *own = NEW(struct tasks);
    own->references = 1;
    if (old) {
        vec_each (struct task *, task, &old->waiting) {
            (*task)->references++;
            vec_push(&own->waiting, *task);
        }
        vec_each (struct space, space, &old->spaces) {
            struct space copy = {space->process, memory_fork(space->memory)};
            vec_push(&own->spaces, copy);
        }
        tasks_free(old);
    }
    return state->threads.waiting = own;
}

static struct task *new_task(struct state *state, struct frames frames) {
    struct task *task = NEW(struct task);
    *task = (struct task){.references = 1,
                          .number = state->threads.task,
                          .process = state->threads.process,
                          .frames = frames,
                          .stack_limit = state->threads.stack_limit,
                          .context_end = state->threads.context_end,
                          .thread_block = state->threads.block,
                          .thread_pointer = state->threads.pointer};
    return task;
}

uint32_t tasks_add_thread(struct state *state, struct frames frames, uint64_t stack_limit,
                          uint64_t thread_block, uint64_t thread_pointer) {
    struct tasks *tasks = own_tasks(state);
    struct task *task = new_task(state, frames);
    task->number = ++state->threads.last_task;
    task->stack_limit = stack_limit;
    task->context_end = 0;
    task->thread_block = thread_block;
    task->thread_pointer = thread_pointer;
    vec_push(&tasks->waiting, task);
    return task->number;
}

uint32_t tasks_add_context(struct state *state, struct frames frames, uint64_t low, uint64_t high) {
    assert(low < high);
    struct tasks *tasks = own_tasks(state);
    struct task *task = new_task(state, frames);
    task->number = ++state->threads.last_task;
    task->stack_limit = low;
    task->context_end = high;
    vec_push(&tasks->waiting, task);
    return task->number;
}

static void open_stack(struct state *state, uint64_t low, uint64_t high) {
    if (high) memory_set_shadow(&state->memory, low, high - low, SHADOW_OK);
}

uint32_t tasks_add_process(struct state *state, struct frames frames) {
    struct tasks *tasks = own_tasks(state);
    struct task *task = new_task(state, frames);
    task->number = task->process = ++state->threads.last_task;
    vec_push(&tasks->waiting, task);
    struct space space = {task->process, memory_fork(state->memory)};
    vec_push(&tasks->spaces, space);
    return task->number;
}

static uint32_t find_task(const struct tasks *tasks, uint32_t number) {
    for (uint32_t i = 0; i < tasks->waiting.count; i++)
        if (tasks->waiting.at[i]->number == number) return i;
    return UINT32_MAX;
}

static struct task *take_task(struct tasks *tasks, uint32_t index) {
    struct task *task = tasks->waiting.at[index];
    for (uint32_t i = index + 1; i < tasks->waiting.count; i++)
        tasks->waiting.at[i - 1] = tasks->waiting.at[i];
    (void)vec_pop(&tasks->waiting);
    return task;
}

static struct memory take_space(struct tasks *tasks, uint32_t process) {
    for (uint32_t i = 0; i < tasks->spaces.count; i++) {
        if (tasks->spaces.at[i].process != process) continue;
        struct memory memory = tasks->spaces.at[i].memory;
        tasks->spaces.at[i] = vec_pop(&tasks->spaces);
        return memory;
    }
    error_internal("a waiting process has no memory");
}

static bool has_task(const struct tasks *tasks, uint32_t process) {
    vec_each (struct task *, task, &tasks->waiting)
        if ((*task)->process == process) return true;
    return false;
}

// Makes the memory of another process the running one.
static void change_space(struct state *state, uint32_t process) {
    struct tasks *tasks = state->threads.waiting;
    struct memory memory = take_space(tasks, process);
    memory_graft(&memory, state->memory, KERNEL_BASE, KERNEL_SIZE);
    if (has_task(tasks, state->threads.process)) {
        struct space left = {state->threads.process, state->memory};
        vec_push(&tasks->spaces, left);
    } else {
        memory_free(state->memory);
    }
    state->memory = memory;
}

bool tasks_switch(struct state *state, uint32_t number, bool ends) {
    if (!state->threads.waiting || find_task(state->threads.waiting, number) == UINT32_MAX) return false;
    struct tasks *tasks = own_tasks(state);
    struct task *next = take_task(tasks, find_task(tasks, number));
    if (ends) {
        open_stack(state, state->threads.stack_limit, state->threads.context_end);
        frames_free(&state->frames);
    } else {
        struct task *left = new_task(state, state->frames);
        vec_push(&tasks->waiting, left);
    }
    if (next->process != state->threads.process) change_space(state, next->process);
    assert(next->number != state->threads.task && next->number <= state->threads.last_task);
    state->threads.task = next->number;
    state->threads.process = next->process;
    state->threads.stack_limit = next->stack_limit;
    state->threads.context_end = next->context_end;
    state->threads.block = next->thread_block;
    state->threads.pointer = next->thread_pointer;
    state->frames = frames_fork(&next->frames); // its top chunk must be owned by this state
    release_task(next);
    return true;
}

bool tasks_end(struct state *state, uint32_t number) {
    if (!state->threads.waiting || find_task(state->threads.waiting, number) == UINT32_MAX) return false;
    struct tasks *tasks = own_tasks(state);
    struct task *task = take_task(tasks, find_task(tasks, number));
    if (task->process == state->threads.process) open_stack(state, task->stack_limit, task->context_end);
    if (task->process != state->threads.process && !has_task(tasks, task->process))
        memory_free(take_space(tasks, task->process));
    release_task(task);
    return true;
}

uint32_t tasks_count(const struct tasks *tasks) { return tasks ? tasks->waiting.count : 0; }
const struct task *tasks_at(const struct tasks *tasks, uint32_t index) {
    assert(index < tasks->waiting.count);
    return tasks->waiting.at[index];
}

void tasks_each_term(const struct tasks *tasks, uint32_t epoch, void (*visit)(void *argument, uint32_t term),
                     void *argument) {
    if (!tasks) return;
    vec_each (struct task *, task, &tasks->waiting)
        frames_each_term(&(*task)->frames, epoch, visit, argument);
    vec_each (struct space, space, &tasks->spaces) memory_each_term(space->memory, epoch, visit, argument);
}
