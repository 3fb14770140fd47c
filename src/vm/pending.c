// Pending conditions and seeds. Both let a state follow its model without queries.
#include "vm/vm_int.h"

// ---- seeds

void vm_set_seeds(struct vm *vm, const struct path_condition *seeds, uint32_t count) {
    vm->given.seeds = seeds;
    vm->given.seed_count = count;
}

void vm_seed(struct vm *vm, struct state *state, const uint32_t *seeds, uint32_t count) {
    assert(count && !state->path->group_count && seeds[0] < vm->given.seed_count);
    path_free(state->path);
    *state->path = path_copy(&vm->given.seeds[seeds[0]]);
    state_set_seeds(state, seeds, count);
    state->seed.follows = true;
}

static bool satisfies(struct vm *vm, uint32_t seed, Term condition) {
    assert(seed < vm->given.seed_count);
    return solver_evaluate(vm->solver, &vm->given.seeds[seed], condition) != 0;
}

struct conditions {
    vec(Term) at;
};

static void collect(void *context, Term condition) {
    struct conditions *conditions = context;
    vec_push(&conditions->at, condition);
}

// Makes the values of the state's first seed the model. They satisfy every condition of the path.
static void take_model_of_seed(struct vm *vm, struct state *state) {
    struct conditions conditions = {0};
    struct path_condition old = *state->path;
    path_each(&old, collect, &conditions);
    *state->path = path_copy(&vm->given.seeds[state->seed.list->at[0]]);
    path_add_all(vm->solver, state->path, conditions.at.at, conditions.at.count);
    assert(!state->path->without_model && !state->path->contradiction);
    path_free(&old);
    vec_free(&conditions.at);
}

void vm_assume_in(struct vm *vm, struct state *state, Term condition, struct model *model) {
    assert(!state->waiting.condition);
    path_add(vm->solver, state->path, condition, model);
    if (!state->seed.list) return;
    const struct state_seeds *seeds = state->seed.list;
    uint32_t first = seeds->at[0];
    if (seeds->count == 1 && !model && !state->path->without_model) return; // the model is the seed's
    vec(uint32_t) left = {0};
    for (uint32_t i = 0; i < seeds->count; i++)
        if (satisfies(vm, seeds->at[i], condition)) vec_push(&left, seeds->at[i]);
    if (left.count != seeds->count) {
        state_set_seeds(state, left.at, left.count);
        if (left.count && left.at[0] != first) take_model_of_seed(vm, state);
    }
    vec_free(&left);
}

static bool any_seed(struct vm *vm, Term condition) {
    const struct state_seeds *seeds = vm->state->seed.list;
    for (uint32_t i = 0; seeds && i < seeds->count; i++)
        if (satisfies(vm, seeds->at[i], condition)) return true;
    return false;
}

bool vm_seeds_agree(struct vm *vm, Term condition) {
    const struct state_seeds *seeds = vm->state->seed.list;
    for (uint32_t i = 0; seeds && seeds->count > 1 && i < seeds->count; i++)
        if (!satisfies(vm, seeds->at[i], condition)) return false;
    return true;
}

// ---- pending conditions

struct state *vm_fork_other_side(struct vm *vm, Term condition, const char *unanswered, bool now,
                                 enum answer *answer) {
    bool defers = (vm->options.pending || vm->state->seed.follows) && !now;
    if (term_is_const(vm->terms, condition)) {
        assert(term_is_zero(vm->terms, condition));
        *answer = ANSWER_NO;
        return NULL;
    }
    *answer = ANSWER_UNKNOWN;
    if (vm->options.single_path) return NULL;
    struct model *model = NULL;
    if (any_seed(vm, condition))
        *answer = ANSWER_YES;
    else
        *answer = defers ? solver_lookup(vm->solver, vm->state->path, condition, &model)
                         : solver_may_be_true(vm->solver, vm->state->path, condition, &model);
    if (*answer == ANSWER_UNKNOWN && !defers) vm_note_incomplete(vm, unanswered);
    if (*answer == ANSWER_NO || (*answer == ANSWER_UNKNOWN && !defers)) return NULL;
    struct state *other = vm_fork_state(vm);
    if (*answer == ANSWER_YES) {
        vm_assume_in(vm, other, condition, model);
    } else {
        other->waiting.condition = condition;
        state_set_seeds(other, NULL, 0);
    }
    model_release(model);
    return other;
}

// ---- optimistic solving

struct nearest_search {
    struct vm *vm;
    VarSet vars; // variables of the pending condition
    struct path_condition *path;
};

// Adds a condition if it is over variables of the pending condition only.
static void add_nearest(void *context, Term condition) {
    struct nearest_search *nearest = context;
    struct terms *terms = nearest->vm->terms;
    if (!varset_minus(terms, term_support(terms, condition), nearest->vars))
        path_add(nearest->vm->solver, nearest->path, condition, NULL);
}

void vm_copy_values(struct vm *vm, const struct state *state, const struct path_condition *from,
                    struct path_condition *to) {
    uint32_t count = state_inputs_count(&state->inputs), *numbers = NEW_ARRAY(uint32_t, count);
    state_inputs_copy(&state->inputs, numbers);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < state_inputs_size(&state->inputs, numbers[i]); k++) {
            uint32_t var = terms_input_var(vm->terms, numbers[i], k);
            path_set_default(to, var, path_byte(from, var));
        }
    DELETE_ARRAY(numbers, count);
}

bool vm_guess(struct vm *vm, const struct state *state, struct path_condition *seed) {
    assert(state->waiting.condition);
    struct path_condition path = {0};
    struct model *model = NULL;
    Term condition = state->waiting.condition;
    struct nearest_search nearest = {vm, term_support(vm->terms, condition), &path};
    vm_copy_values(vm, state, state->path, &path);
    path_each_of(vm->terms, state->path, nearest.vars, add_nearest, &nearest);
    solver_set_effort(vm->solver, EFFORT_QUICK);
    bool found = solver_may_be_true(vm->solver, &path, condition, &model) == ANSWER_YES;
    solver_set_effort(vm->solver, EFFORT_FULL);
    *seed = (struct path_condition){0};
    if (found) {
        path_add(vm->solver, &path, condition, model);
        vm_copy_values(vm, state, &path, seed);
    }
    model_release(model);
    path_free(&path);
    return found;
}

void vm_note_deferred(struct vm *vm, struct state *state, uint32_t edge) {
    assert(edge < vm->program->edge_count);
    uint32_t block = vm->program->edges[edge].from;
    assert(state->waiting.condition && !state->waiting.block);
    vm->coverage.deferred[block]++;
    state->waiting.block = block + 1;
}

void vm_pending_decided(struct vm *vm, uint32_t block) {
    if (!block) return;
    assert(block <= vm->program->block_count && vm->coverage.deferred[block - 1]);
    vm->coverage.deferred[block - 1]--;
}

void vm_defer(struct vm *vm, uint32_t block) {
    assert(block <= vm->program->block_count);
    if (block) vm->coverage.deferred[block - 1]++;
}

// Reports to the sink that no state takes the edge of a pending state; `condition` as in vm_sink.
static void emit_infeasible(struct vm *vm, struct state *state, Term condition) {
    const struct vm_sink *sink = &vm->options.sink;
    if (sink->infeasible && state->waiting.edge)
        sink->infeasible(sink->context, state, state->waiting.edge - 1, condition);
}

enum vm_revival vm_revive(struct vm *vm, struct state *state) {
    assert(state->waiting.condition);
    vm->state = state;
    replay_end_retry(vm);
    struct model *model = NULL;
    solver_set_effort(vm->solver, state->seed.follows ? state->waiting.effort : EFFORT_FULL);
    enum answer answer = solver_may_be_true(vm->solver, state->path, state->waiting.condition, &model);
    solver_set_effort(vm->solver, EFFORT_FULL);
    if (answer != ANSWER_UNKNOWN) vm_pending_decided(vm, state->waiting.block);
    if (answer == ANSWER_NO) {
        emit_infeasible(vm, state, state->waiting.condition);
        return REVIVAL_IMPOSSIBLE;
    }
    if (answer == ANSWER_UNKNOWN) {
        if (vm_run_is_over(vm)) return REVIVAL_LATER;
        if (state->seed.follows && !state->speculation.is_on && state->waiting.effort < EFFORT_FULL) {
            state->waiting.effort++;
            return REVIVAL_HARD;
        }
        vm_note_incomplete(vm, "the solver gave no answer: a pending path is not explored");
        emit_infeasible(vm, state, 0);
        return REVIVAL_UNKNOWN;
    }
    limits_hold(); // the state must not be left half revived
    path_add(vm->solver, state->path, state->waiting.condition, model);
    model_release(model);
    if (state->waiting.edge) {
        uint32_t edge = state->waiting.edge - 1;
        if (!vm->coverage.edges[edge]) vm_note_new_edge(vm, state, edge);
        if (!state->speculation.is_on) vm->coverage.symbolic_edges[edge] = 1;
    }
    state->waiting.condition = state->waiting.edge = state->waiting.block = 0;
    state->waiting.effort = 0;
    limits_release();
    return REVIVAL_POSSIBLE;
}
