#include "walk.h"

#include "base/alloc.h"

#include <string.h>

const char *const policy_names[POLICY_COUNT] = {
#define POLICY(name, ...) #name,
    POLICIES(POLICY)
#undef POLICY
};

static const struct {
    bool pending, relaxed;
    uint32_t seeds;
} policies[] = {
#define POLICY(name, pending, relaxed, seeds) {pending, relaxed, seeds},
    POLICIES(POLICY)
#undef POLICY
};

struct vm_options walk_options(const struct symbolic_program *program, enum policy policy) {
    return (struct vm_options){.pending = policies[policy].pending,
                               .relax_checks = policies[policy].relaxed,
                               .array_offsets = program_array_offsets(program),
                               .checks = program_has(program, PROGRAM_UNINITIALISED) ? CHECK_BIT(UNINIT) : 0};
}

// ---- the sink

static void note_wrong(struct walk *walk, const char *wrong) {
    if (!walk->wrong) walk->wrong = wrong;
}

static void finish(struct walk *walk, struct state *state, enum vm_event event, const struct bug *bug) {
    struct finished path = {.vm = walk->vm,
                            .terms = walk->terms,
                            .solver = walk->solver,
                            .state = state,
                            .event = event,
                            .exit_status = vm_exit_status(walk->vm),
                            .bug = bug,
                            .incomplete = walk->incomplete || walk->is_alone};
    walk->finished++;
    note_wrong(walk, oracle_judge(walk->oracle, &path));
    if (walk->after && !walk->wrong) note_wrong(walk, walk->after(walk, &path));
}

static void forked(void *context, struct state *parent, struct state *child) {
    struct walk *walk = context;
    if (walk->is_rebuilding) {
        walk->unwelcome = "a state forks while it is rebuilt";
        vm_free_state(walk->vm, child);
        return;
    }
    if (walk->is_alone)
        vm_free_state(walk->vm, child);
    else
        vec_push(&walk->states, child);
}

static void found(void *context, struct state *failing, const struct bug *bug) {
    struct walk *walk = context;
    if (walk->is_rebuilding)
        walk->unwelcome = "a check fails while a state is rebuilt";
    else
        finish(walk, failing, VM_BUG, bug);
    vm_free_state(walk->vm, failing);
}

static void gave_up(void *context, const char *what, uint32_t site, bool lost) {
    struct walk *walk = context;
    walk->incomplete |= lost;
}

// ---- the walk

static const struct vm_start_config nothing_around = {0};

struct state *walk_start(struct walk *walk) { return vm_start(walk->vm, &nothing_around); }

// Returns the variable of an input byte, found by the name that the input will have.
static uint32_t var_of(struct walk *walk, uint32_t index) {
    return terms_input_var(walk->terms, inputs_get(vm_inputs(walk->vm), input_object("x", index), 1), 0);
}

static void make_seeds(struct walk *walk) {
    walk->seed_count = policies[walk->policy].seeds;
    walk->seeds = NEW_ARRAY(struct path_condition, walk->seed_count);
    for (uint32_t i = 0; i < walk->seed_count; i++)
        for (uint32_t k = 0; k < MOST_INPUTS; k++)
            path_set_default(&walk->seeds[i], var_of(walk, k),
                             (uint8_t)random_below(&walk->random, walk->oracle->program->domain));
    vm_set_seeds(walk->vm, walk->seeds, walk->seed_count);
}

// Starts with one state, without seeds.
static void open_machine(struct walk *walk, struct oracle *oracle, struct vm_options options) {
    walk->oracle = oracle;
    walk->program = oracle->program->symbolic;
    walk->terms = terms_new();
    walk->solver = solver_new(walk->terms, &solver_defaults);
    options.sink = (struct vm_sink){.context = walk, .forked = forked, .found = found, .gave_up = gave_up};
    options.solver = walk->solver;
    options.terms = walk->terms;
    walk->vm = vm_new(walk->program, &options);
    vec_push(&walk->states, walk_start(walk));
    oracle_reset(oracle);
}

void walk_open(struct walk *walk, struct oracle *oracle, enum policy policy, uint64_t seed) {
    static const uint32_t numbers[] = {0, 1, 2};
    *walk = (struct walk){.policy = policy, .random = {seed}};
    open_machine(walk, oracle, walk_options(oracle->program, policy));
    make_seeds(walk);
    if (walk->seed_count) vm_seed(walk->vm, walk->states.at[0], numbers, walk->seed_count);
}

static void drop(struct walk *walk, uint32_t index) {
    vm_free_state(walk->vm, walk->states.at[index]);
    walk->states.at[index] = *vec_last(&walk->states);
    (void)vec_pop(&walk->states);
}

static void step(struct walk *walk) {
    uint32_t index = (uint32_t)random_below(&walk->random, walk->states.count);
    struct state *state = walk->states.at[index];
    if (walk->before) note_wrong(walk, walk->before(walk, state));
    if (walk->wrong) return;
    if (state->waiting.condition) {
        enum vm_revival revival = vm_revive(walk->vm, state);
        if (revival == REVIVAL_UNKNOWN) note_wrong(walk, "the solver answers unknown");
        if (revival != REVIVAL_POSSIBLE && revival != REVIVAL_HARD) drop(walk, index);
        return;
    }
    uint64_t budget = random_below(&walk->random, 2) ? 1 + random_below(&walk->random, 40) : 100000;
    enum vm_event event = vm_run(walk->vm, state, budget);
    if (event == VM_BUDGET || event == VM_FORKED) return;
    if (event == VM_EXITED || event == VM_SIGNALLED || event == VM_BUG || event == VM_STOPPED)
        finish(walk, state, event, event == VM_BUG ? vm_bug(walk->vm) : NULL);
    else if (event != VM_FAILED && event != VM_DEFERRED)
        note_wrong(walk, vm_event_names[event]);
    drop(walk, index);
}

const char *walk_run(struct walk *walk) {
    while (walk->states.count && !walk->wrong) {
        step(walk);
        if (!walk->keeps_terms && !random_below(&walk->random, 16)) terms_collect(walk->terms);
    }
    if (walk->wrong) return walk->wrong;
    for (uint32_t i = 0; i < walk->program->block_count; i++)
        if (vm_pending_per_block(walk->vm)[i]) return "a block has pending states, but there is none";
    return oracle_judge_all(walk->oracle, walk->incomplete, vm_edges_seen(walk->vm));
}

void walk_close(struct walk *walk) {
    while (walk->states.count) drop(walk, walk->states.count - 1);
    for (uint32_t i = 0; i < walk->seed_count; i++) path_free(&walk->seeds[i]);
    DELETE_ARRAY(walk->seeds, walk->seed_count);
    vm_free(walk->vm);
    solver_free(walk->solver);
    terms_free(walk->terms);
    vec_free(&walk->states);
}

const char *walk_alone(struct oracle *oracle, uint32_t input) {
    struct walk walk = {.is_alone = true}; // the inputs of a violated assumption are then not reported
    struct vm_options options = walk_options(oracle->program, POLICY_relaxed);
    options.single_path = true;
    open_machine(&walk, oracle, options);
    for (uint32_t k = 0; k < MOST_INPUTS; k++)
        path_set_default(walk.states.at[0]->path, var_of(&walk, k), oracle_byte(oracle, input, k));
    while (walk.states.count && !walk.wrong) step(&walk);
    const char *wrong = walk.wrong;
    if (!wrong && walk.finished != 1) wrong = "one input has several paths";
    const struct outcome *outcome =
        oracle->outcomes.at; // the input's first outcome has the first alternative of every choice
    while (outcome->input != input) outcome++;
    if (!wrong && !outcome->paths && outcome->event != VM_STOPPED)
        wrong = "the single-path run followed another input";
    walk_close(&walk);
    return wrong;
}
