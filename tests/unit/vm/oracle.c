#include "oracle.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "solver/solver.h"

#include <string.h>

#define MOST_INSTRUCTIONS 100000u

uint8_t oracle_byte(const struct oracle *oracle, uint32_t input, uint32_t index) {
    return (uint8_t)(index ? input / oracle->program->domain : input % oracle->program->domain);
}

// ---- one concrete run

struct run {
    struct oracle *oracle;
    struct vm *vm;
    struct outcome outcome;
    uint32_t reads, decided;                     // number of bytes read and of choices made
    uint32_t wanted[MOST_CHOICES], wanted_count; // the first choices of the run; all later ones are 0
    uint32_t possible[MOST_CHOICES];
    bool uncertain;
};

static int64_t give(void *context, int fd, void *buffer, uint64_t size, int64_t offset) {
    struct run *run = context;
    uint8_t *byte = buffer;
    assert(size == 1);
    if (fd == INPUT_FD) {
        *byte = oracle_byte(run->oracle, run->outcome.input, run->reads++);
    } else {
        uint32_t number = run->decided++;
        *byte = (uint8_t)(number < run->wanted_count ? run->wanted[number] : 0);
        run->outcome.choices[number] = *byte;
        run->possible[number] = (uint32_t)offset;
    }
    return 1;
}

static void note_bug(struct run *run, const struct bug *bug) {
    run->outcome.event = VM_BUG;
    run->outcome.kind = bug->kind;
    run->outcome.site = site_hash(vm_sites(run->vm), bug->site);
}

static void note_objects(struct run *run, const struct state *state) {
    const struct symbolic_program *program = run->oracle->program;
    uint8_t *to = run->outcome.bytes;
    for (uint32_t i = 0; i < MOST_OBJECTS; to += program->objects[i++].size)
        memory_peek(state->memory, program->objects[i].address, to, program->objects[i].size);
}

// Called only if the use of uninitialised memory is checked, with the state in which it is an error.
static void found(void *context, struct state *failing, const struct bug *bug) {
    struct run *run = context;
    run->uncertain |= run->outcome.event == VM_BUG;
    note_bug(run, bug);
    note_objects(run, failing);
    vm_free_state(run->vm, failing);
}

static void forked(void *context, struct state *parent, struct state *child) {
    struct run *run = context;
    run->uncertain = true;
    vm_free_state(run->vm, child);
}

static const struct vm_start_config nothing_around = {0};

static bool run_once(struct run *run) {
    struct outcome *outcome = &run->outcome;
    outcome->event = VM_BUDGET;
    outcome->choice_count = run->reads = run->decided = 0;
    struct state *state = vm_start(run->vm, &nothing_around);
    enum vm_event event = vm_run(run->vm, state, MOST_INSTRUCTIONS);
    if (outcome->event == VM_BUG) {
        run->uncertain |= event != VM_FAILED;
    } else {
        outcome->event = event;
        outcome->exit_status = event == VM_BUG ? 0 : vm_exit_status(run->vm);
        if (event == VM_BUG) note_bug(run, vm_bug(run->vm));
        note_objects(run, state);
    }
    outcome->choice_count = run->decided;
    vm_free_state(run->vm, state);
    vec_push(&run->oracle->outcomes, *outcome);
    event = outcome->event;
    return !run->uncertain &&
           (event == VM_EXITED || event == VM_SIGNALLED || event == VM_BUG || event == VM_STOPPED);
}

// Advances to the next sequence of choices: increments the last one that can be incremented, resets those after it.
static bool next_choices(struct run *run) {
    uint32_t last = run->outcome.choice_count;
    while (last && run->outcome.choices[last - 1] + 1 >= run->possible[last - 1]) last--;
    if (!last) return false;
    memcpy(run->wanted, run->outcome.choices, sizeof run->wanted);
    run->wanted[last - 1]++;
    run->wanted_count = last;
    return true;
}

static bool run_input(struct run *run, uint32_t input) {
    run->wanted_count = 0;
    do {
        run->outcome = (struct outcome){.input = input};
        if (!run_once(run)) return false;
    } while (next_choices(run));
    return true;
}

bool oracle_open(struct oracle *oracle, const struct symbolic_program *program) {
    *oracle = (struct oracle){.program = program, .inputs = program->domain};
    if (program->inputs > 1) oracle->inputs *= program->domain;
    const struct ir_program *ir = program->concrete;
    struct run run = {.oracle = oracle};
    struct terms *terms = program_has(program, PROGRAM_UNINITIALISED) ? terms_new() : NULL;
    struct solver *solver = terms ? solver_new(terms, &solver_defaults) : NULL;
    struct vm_options options = {.host = {.context = &run, .read = give},
                                 .sink = {.context = &run, .found = found, .forked = forked},
                                 .terms = terms,
                                 .solver = solver,
                                 .checks =
                                     program_has(program, PROGRAM_UNINITIALISED) ? CHECK_BIT(UNINIT) : 0,
                                 .concrete = true};
    run.vm = vm_new(ir, &options);
    bool good = true;
    for (uint32_t input = 0; input < oracle->inputs && good; input++) good = run_input(&run, input);
    oracle->edges_seen = NEW_ARRAY(uint8_t, ir->edge_count);
    memcpy(oracle->edges_seen, vm_edges_seen(run.vm), ir->edge_count);
    vm_free(run.vm);
    if (solver) solver_free(solver);
    if (terms) terms_free(terms);
    if (!good) oracle_close(oracle);
    return good;
}

void oracle_close(struct oracle *oracle) {
    DELETE_ARRAY(oracle->edges_seen, oracle->program->concrete->edge_count);
    vec_free(&oracle->outcomes);
}

void oracle_reset(struct oracle *oracle) {
    vec_each (struct outcome, outcome, &oracle->outcomes) outcome->paths = 0;
}
