// Speculative states: states that begin in the middle of the program with symbolic parameters and globals, and states
// that must take given edges. Every edge of user code that they take is recorded. So a path can be stored as the list
// of its edges in user code, and another state can take it again, perhaps with other edges in the C library.
//
// A speculative state counts neither for coverage nor for bugs.
#include "vm/vm_int.h"

// Limits of globals that become symbolic, in bytes: per global, and for all together.
#define GLOBAL_MOST  1024
#define GLOBALS_MOST 16384

// ---- start

// Whether the global can be made symbolic. A pointer without a known target type, such as one to a function, keeps its
// initial value.
static bool is_usable(const struct ir_program *program, const struct ir_global *global) {
    const struct ir_type *type = &program->types[global->type];
    if (global->readonly || global->thread_local_ || global->runtime || !global->type) return false;
    if (type->kind == IR_TYPE_POINTER && !type->target) return false;
    return type->size == global->size && global->size && global->size <= GLOBAL_MOST;
}

static void make_globals(struct vm *vm) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < vm->program->global_count; i++) {
        const struct ir_global *global = &vm->program->globals[i];
        if (!is_usable(vm->program, global) || total + global->size > GLOBALS_MOST) continue;
        struct text name = {0};
        text_add(&name, "&%s", global->name);
        lazy_fill(vm, global->address, global->type, name.at);
        text_free(&name);
        total += global->size;
    }
    vm_sync_translations(vm);
}

struct state *vm_start_speculative(struct vm *vm, struct state *at_main, const struct ir_function *function) {
    struct state *state = vm_fork(vm, at_main);
    state->speculation.is_on = true;
    vm->state = state;
    vm_forget_translations(vm);
    vm_begin_at(vm, function);
    vm->watch.began = false;
    make_globals(vm);
    return state;
}

// ---- required edges

void vm_require_edges(struct vm *vm, const uint32_t *edges, uint32_t count) {
    vm->required.edges = edges;
    vm->required.count = count;
}

void vm_note_speculative_edge(struct vm *vm, struct state *state, uint32_t edge) {
    assert(state->speculation.is_on && edge < vm->program->edge_count);
    if (!vm->coverage.user_edges[edge]) return;
    if (state->start.function) shared_list_add(&state->speculation.edges, edge);
    if (!vm->required.edges) return;
    bool right =
        state->speculation.taken < vm->required.count && vm->required.edges[state->speculation.taken] == edge;
    state->speculation.taken = right ? state->speculation.taken + 1 : REQUIRED_NONE;
}

static void took(void *context, uint32_t edge) {
    struct vm *vm = context;
    vm_note_speculative_edge(vm, vm->state, edge);
}

bool vm_required_edge(const struct vm *vm, uint32_t some_edge, uint32_t *edge) {
    if (!vm->required.edges || !vm->state->speculation.is_on || !vm->coverage.user_edges[some_edge])
        return false;
    *edge = vm->state->speculation.taken < vm->required.count
                ? vm->required.edges[vm->state->speculation.taken]
                : REQUIRED_NONE;
    return true;
}

static bool left_required_edges(const struct vm *vm) {
    return vm->required.edges && vm->state->speculation.taken == REQUIRED_NONE;
}

// Runs the state one block at a time: the loop reports an edge only if its budget ends there.
enum vm_event vm_run_speculative(struct vm *vm, uint64_t budget) {
    assert(!vm->watch.trace);
    uint64_t done = 0;
    vm->watch.trace = took;
    vm->watch.trace_context = vm;
    do {
        vm->budget.steps = 0;
        vm->budget.steps_limit = 1;
        vm_interpret(vm);
        vm->state->instructions += vm->budget.steps;
        done += vm->budget.steps;
        if (vm->outcome.event == VM_BUDGET && left_required_edges(vm)) vm->outcome.event = VM_STOPPED;
    } while (vm->outcome.event == VM_BUDGET && done < budget && !vm->watch.ends_soon && !vm_run_is_over(vm));
    vm->budget.steps = 0; // state->instructions has them already
    vm->watch.trace = NULL;
    return vm->outcome.event;
}

static const struct ir_function *function_of_block(const struct ir_program *program, uint32_t block) {
    uint32_t f = 0;
    while (block - program->functions[f].first_block >= program->functions[f].block_count) f++;
    assert(f < program->function_count);
    return &program->functions[f];
}

void vm_end_speculative(struct vm *vm, struct state *state, const uint32_t *edges, uint32_t count) {
    assert(state->speculation.is_on && !state->start.function);
    state->speculation.is_on = false;
    vm->state = state;
    for (uint32_t i = 0; i < count; i++) {
        const struct ir_function *in = function_of_block(vm->program, vm->program->edges[edges[i]].from);
        if (!vm->coverage.functions[in->index]) vm_note_new_function(vm, in);
        if (!vm->coverage.edges[edges[i]]) vm_note_new_edge(vm, state, edges[i]);
    }
}
