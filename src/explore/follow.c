#include "explore/follow.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "explore/explore_int.h"

#include <string.h>

struct following {
    struct vm *vm;
    struct terms *terms;
    struct state *state;
    const struct follow_view *view;
    bool strayed;
    uint32_t survived; // number of bugs after which the path must still continue
    bool hangs;        // the path never ends
};

static void sink_forked(void *context, struct state *parent, struct state *child) {
    struct following *following = context;
    if (!following->view->by_model) following->strayed = true;
    vm_free_state(following->vm, child);
}

static void sink_found(void *context, struct state *failing, const struct bug *bug) {
    struct following *following = context;
    vm_free_state(following->vm, failing); // the bug of another path
}

static bool sink_survives(void *context, const struct bug *bug) {
    const struct following *following = context;
    return following->survived > 0;
}

static void sink_survived(void *context, struct state *state, const struct bug *bug) {
    struct following *following = context;
    assert(following->survived > 0);
    following->survived--;
}

static void took(void *context, uint32_t edge) {
    struct following *following = context;
    following->view->took(following->view->context, following->vm, following->terms, following->state, edge);
}

static void chose(void *context, const struct vm_decision *decision) {
    struct following *following = context;
    following->view->chose(following->view->context, following->vm, following->terms, following->state,
                           decision);
}

// ---- the test's bytes as the model

static void set_bytes(struct following *following, struct input_id id, const uint8_t *bytes, uint32_t size) {
    uint32_t input = inputs_get(vm_inputs(following->vm), id, size);
    assert(terms_input_size(following->terms, input) >= size);
    for (uint32_t i = 0; i < size; i++)
        path_set_default(following->state->path, terms_input_var(following->terms, input, i), bytes[i]);
}

static void set_inputs(struct following *following, const struct test_case *test) {
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        struct input_id id = input_parse(input->kind, input->name);
        set_bytes(following, id, input->bytes, input->size);
        if (!input_kinds[id.kind].has_length) continue;
        uint8_t bytes[4];
        for (unsigned k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)(input->size >> 8 * k);
        set_bytes(following, input_length(id), bytes, sizeof bytes);
    }
}

static enum vm_event run(struct following *following) {
    double end = following->view->seconds > 0 ? clock_seconds() + following->view->seconds : 0;
    for (;;) {
        enum vm_event event = vm_run(following->vm, following->state, end > 0 ? 1u << 12 : 1u << 20);
        if (event != VM_BUDGET && event != VM_FORKED) return event;
        if (following->hangs && !vm_follow_left(following->vm)) return VM_BUG;
        if (following->strayed || (end > 0 && clock_seconds() > end)) return VM_UNKNOWN;
    }
}

void explore_follow(const struct ir_program *program, const struct explore_options *options,
                    const struct test_case *test, const struct follow_view *view, struct followed *followed) {
    struct following following = {.view = view};
    struct terms *terms = following.terms = terms_new();
    struct solver *solver = solver_new(terms, &options->solver);
    struct vm_options machine = options->machine;
    machine.sink = (struct vm_sink){.context = &following,
                                    .forked = sink_forked,
                                    .found = sink_found,
                                    .survives = sink_survives,
                                    .survived = sink_survived};
    following.survived = test->survived;
    following.hangs = test->outcome == TEST_BUG && test->bug && !strcmp(test->bug, bug_facts[BUG_HANG].name);
    machine.solver = solver;
    machine.terms = terms;
    machine.pending = options->pending || view->by_model; // as when the path was found
    machine.relax_checks = options->relax_checks || view->by_model;
    machine.single_path = view->by_model;
    *followed = (struct followed){.event = VM_UNKNOWN};
    assert(test->environment < options->environment_count);
    struct vm *vm = following.vm = vm_new(program, &machine);
    following.state = vm_start(vm, &options->environments[test->environment]);
    set_inputs(&following, test);
    if (!view->by_model) vm_follow(vm, test->decisions, test->decision_count);
    if (view->took) vm_trace(vm, took, view->chose ? chose : NULL, &following);
    followed->event = run(&following);
    followed->strayed = following.strayed;
    followed->decisions_left = vm_follow_left(vm);
    followed->exit_status = vm_exit_status(vm);
    followed->instructions = following.state->instructions;
    if (followed->event == VM_BUG || followed->event == VM_NOT_MODELLED) {
        const struct bug *bug = vm_bug(vm);
        followed->bug.kind = bug->kind;
        text_add(&followed->bug.message, "%s", bug->message.at ? bug->message.at : "");
    }
    vm_note_positions(vm, following.state);
    if (view->ended) view->ended(view->context, vm, followed->event);
    if (view->left) view->left(view->context, terms, following.state);
    vm_free_state(vm, following.state);
    vm_free(vm);
    solver_free(solver);
    terms_free(terms);
}

void follow_free(struct followed *followed) {
    text_free(&followed->bug.message);
    text_free(&followed->bug.details);
}
