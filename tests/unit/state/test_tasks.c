// Tasks made, switched and ended at random in several states, against a plain model: each process sees its own
// memory and the common one, each task its own frames; all memory is freed at the end.
#include "../check.h"

#include "base/alloc.h"
#include "base/random.h"
#include "state/state.h"

#define STATES 4
#define MOST   12
#define OWN    ((uint64_t)0x08000000)
#define COMMON (KERNEL_BASE + 4096)

struct model_task {
    uint32_t number, process, depth;
};
struct model {
    struct state *state;
    struct model_task tasks[MOST];
    uint32_t count, running;   // an index
    uint8_t own[1000], common; // by process
};

static struct ir_function function = {.name = "f", .register_count = 3};

static struct state *empty_state(void) {
    struct state *state = NEW(struct state);
    state->memory = memory_new();
    frames_push(&state->frames, &function);
    return state;
}

static void copy_model(struct model *to, const struct model *from) {
    if (to == from) return;
    if (to->state) state_free(to->state);
    *to = *from;
    to->state = state_fork(from->state, 0);
}

static void check_running(const struct model *model) {
    const struct model_task *task = &model->tasks[model->running];
    uint8_t own, common;
    memory_peek(model->state->memory, OWN, &own, 1);
    memory_peek(model->state->memory, COMMON, &common, 1);
    assert_int_equal(model->state->threads.task, task->number);
    assert_int_equal(model->state->threads.process, task->process);
    assert_int_equal(model->state->frames.depth, task->depth);
    assert_int_equal(own, model->own[task->process]);
    assert_int_equal(common, model->common);
    assert_int_equal(tasks_count(model->state->threads.waiting), model->count - 1);
}

static void add_task(struct model *model, bool process) {
    if (model->count == MOST || model->state->threads.last_task == 999) return;
    const struct model_task *running = &model->tasks[model->running];
    struct frames frames = frames_fork(&model->state->frames);
    uint32_t number =
        process ? tasks_add_process(model->state, frames) : tasks_add_thread(model->state, frames, 1, 2, 3);
    model->tasks[model->count++] =
        (struct model_task){number, process ? number : running->process, running->depth};
    if (process) model->own[number] = model->own[running->process];
}

static void remove_task(struct model *model, uint32_t index) {
    model->tasks[index] = model->tasks[--model->count];
    if (model->running == model->count) model->running = index;
}

static void switch_task(struct model *model, uint32_t to, bool ends) {
    uint32_t from = model->running;
    if (to == from) return;
    assert_true(tasks_switch(model->state, model->tasks[to].number, ends));
    model->running = to;
    if (ends) remove_task(model, from);
}

static void random_step(struct random *random, struct model *models) {
    struct model *model = &models[random_below(random, STATES)];
    uint32_t other = (uint32_t)random_below(random, model->count);
    uint8_t value = (uint8_t)random_next(random);
    struct model_task *running = &model->tasks[model->running];
    switch (random_below(random, 8)) {
    case 0: copy_model(&models[random_below(random, STATES)], &models[random_below(random, STATES)]); break;
    case 1: add_task(model, false); break;
    case 2: add_task(model, true); break;
    case 3: switch_task(model, other, random_below(random, 4) == 0); break;
    case 4:
        if (other == model->running || random_below(random, 3)) break;
        assert_true(tasks_end(model->state, model->tasks[other].number));
        remove_task(model, other);
        break;
    case 5:
        memory_poke(&model->state->memory, OWN, &value, 1);
        model->own[running->process] = value;
        break;
    case 6:
        memory_poke(&model->state->memory, COMMON, &value, 1);
        model->common = value;
        break;
    case 7:
        if (running->depth > 1 && value & 1) {
            frames_pop(&model->state->frames);
            running->depth--;
        } else {
            frames_push(&model->state->frames, &function);
            running->depth++;
        }
        break;
    }
}

static void test_random(void **unused) {
    struct random random = {7};
    static struct model models[STATES];
    uint64_t before = mem_in_use();
    for (int i = 0; i < STATES; i++)
        models[i] = (struct model){.state = empty_state(), .tasks = {{0, 0, 1}}, .count = 1};
    for (int i = 0; i < 20000; i++) {
        random_step(&random, models);
        for (int k = 0; k < STATES; k++) check_running(&models[k]);
    }
    for (int i = 0; i < STATES; i++) state_free(models[i].state);
    assert_int_equal(mem_in_use(), before);
}

static void test_unknown(void **unused) {
    struct state *state = empty_state();
    assert_false(tasks_switch(state, 1, false));
    assert_false(tasks_end(state, 1));
    uint32_t number = tasks_add_process(state, frames_fork(&state->frames));
    assert_false(tasks_switch(state, number + 1, false));
    assert_true(tasks_end(state, number));
    assert_false(tasks_end(state, number));
    state_free(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_unknown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
