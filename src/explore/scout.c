#include "explore/scout.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/run_limits.h"
#include "cover/cover.h"

#include <string.h>

#define SLICE             1000000u   // instructions between two checks of the limits
#define MOST_INSTRUCTIONS 200000000u // instructions of one run
#define MEMORY_PART       8u // one run gets at most 1/MEMORY_PART of the limit of memory; without a limit
#define MOST_MEMORY       ((uint64_t)1 << 30) // this many bytes

struct scout {
    const struct ir_program *program;
    const struct explore_options *options;
    struct vm *vm;
    vec(uint32_t) fresh;
    vec(struct vm_text) arguments;
    vec(struct vm_file) files;
    vec(uint64_t) bugs;
    bool each;
};

static void found(void *context, struct state *failing, const struct bug *bug) {
    struct scout *scout = context;
    vm_free_state(scout->vm, failing);
}
static void forked(void *context, struct state *parent, struct state *child) {
    struct scout *scout = context;
    vm_free_state(scout->vm, child);
}
static void gave_up(void *context, const char *what, uint32_t site, bool lost) {}

static struct vm *make_machine(struct scout *scout) {
    struct vm_options machine = scout->options->machine;
    machine.sink = (struct vm_sink){.context = scout, .forked = forked, .found = found, .gave_up = gave_up};
    machine.solver = NULL;
    machine.terms = NULL;
    machine.concrete = true;
    machine.pending = machine.relax_checks = false;
    machine.checks &= ~((uint64_t)1 << CHECK_UNINIT); // needs terms
    machine.changed = NULL;
    return vm_new(scout->program, &machine);
}

struct scout *scout_new(const struct ir_program *program, const struct explore_options *options) {
    struct scout *scout = NEW(struct scout);
    scout->program = program;
    scout->options = options;
    scout->vm = make_machine(scout);
    return scout;
}

void scout_free(struct scout *scout) {
    if (!scout) return;
    vm_free(scout->vm);
    vec_free(&scout->fresh);
    vec_free(&scout->arguments);
    vec_free(&scout->files);
    vec_free(&scout->bugs);
    DELETE(scout);
}

const uint32_t *scout_fresh(const struct scout *scout, uint32_t *count) {
    *count = scout->fresh.count;
    return scout->fresh.at;
}

void scout_forget_each(struct scout *scout, bool each) { scout->each = each; }

// ---- concrete inputs of the test

static const struct test_input *find_input(const struct test_case *test, enum input_kind kind,
                                           const char *name) {
    for (uint32_t i = 0; i < test->input_count; i++)
        if (test->inputs[i].kind == kind && !strcmp(test->inputs[i].name, name)) return &test->inputs[i];
    return NULL;
}

// Sets the content of the files. A file that is symbolic in an exploration and absent from the test has zeros, and the
// least length.
static void set_files(struct scout *scout, const struct test_case *test) {
    static const uint8_t zeros[1u << 20];
    const struct vm_options *machine = &scout->options->machine;
    vec_clear(&scout->files);
    for (uint32_t i = 0; i < machine->file_count; i++) {
        struct vm_file file = machine->files[i];
        const struct test_input *input =
            find_input(test, file.path ? INPUT_FILE : INPUT_STDIN, file.path ? file.path : "");
        file.most = input ? MIN(input->size, file.most) : file.least;
        file.least = file.most;
        assert(file.most <= sizeof zeros);
        file.content = input ? input->bytes : zeros;
        vec_push(&scout->files, file);
    }
}

static void set_arguments(struct scout *scout, const struct test_case *test,
                          const struct vm_start_config *environment) {
    vec_clear(&scout->arguments);
    for (uint32_t i = 0; i < environment->argument_count; i++) {
        struct vm_text word = environment->arguments[i];
        if (word.symbolic) word.text = i < test->argument_count ? test->arguments[i] : "";
        word.symbolic = 0;
        vec_push(&scout->arguments, word);
    }
}

// ---- running

static void note_bug(struct scout *scout, struct scouted *scouted) {
    const struct bug *bug = vm_bug(scout->vm);
    struct site at = site_get(vm_sites(scout->vm), vm_user_site(scout->vm, bug->site));
    const struct ir_function *function = &scout->program->functions[at.function];
    const struct ir_location *location = &scout->program->locations[function->locations[at.instruction]];
    scouted->end = SCOUT_BUG;
    scouted->kind = bug->kind;
    scouted->file = scout->program->files[location->file];
    scouted->line = location->line;
    scouted->function = function->name;
    scouted->bug = hash_combine(hash_combine(at.function, at.instruction), (uint64_t)bug->kind) | 1;
    scouted->is_new_bug = true;
    vec_each (uint64_t, known, &scout->bugs)
        if (*known == scouted->bug) scouted->is_new_bug = false;
    if (scouted->is_new_bug) vec_push(&scout->bugs, scouted->bug);
}

static void note_fresh(struct scout *scout, const struct state *state, const uint8_t *edges,
                       const uint8_t *functions) {
    uint32_t count = shared_list_count(state->coverage.fresh), *items = NEW_ARRAY(uint32_t, count);
    shared_list_copy(state->coverage.fresh, items);
    vec_clear(&scout->fresh);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = scout->program->edge_count, item = items[i];
        if (item >= first + scout->program->function_count) continue; // it is a position
        bool known = item < first ? edges && edges[item] : functions && functions[item - first];
        if (!known) vec_push(&scout->fresh, item);
    }
    DELETE_ARRAY(items, count);
}

// An input may make the program take any amount of memory. The states of the exploration must not pay for it.
static enum vm_event run(struct scout *scout, struct state *state) {
    uint64_t share = limits_share(), most = limits_memory() ? limits_memory() / MEMORY_PART : MOST_MEMORY;
    limits_set_share(mem_in_use() + most);
    enum vm_event event;
    do event = vm_run(scout->vm, state, SLICE);
    while (event == VM_BUDGET && state->instructions < MOST_INSTRUCTIONS && !limits_look());
    limits_set_share(share);
    return event;
}

void scout_run(struct scout *scout, const struct test_case *test, const uint8_t *edges,
               const uint8_t *functions, struct scouted *scouted) {
    assert(test->environment < scout->options->environment_count);
    struct vm_start_config environment = scout->options->environments[test->environment];
    const struct test_input *harness = find_input(test, INPUT_OBJECT, input_roles[ROLE_HARNESS].name);
    if (scout->each) {
        vm_free(scout->vm);
        scout->vm = make_machine(scout);
    }
    set_files(scout, test);
    set_arguments(scout, test, &environment);
    environment.arguments = scout->arguments.at;
    environment.own_files = true;
    environment.files = scout->files.at;
    environment.file_count = scout->files.count;
    environment.input = harness ? harness->bytes : NULL;
    environment.input_size = harness ? harness->size : 0;
    struct state *state = vm_start(scout->vm, &environment);
    enum vm_event event = run(scout, state);
    *scouted =
        (struct scouted){.end = SCOUT_LOST, .file = "", .function = "", .instructions = state->instructions};
    if (event == VM_EXITED || event == VM_SIGNALLED) scouted->end = SCOUT_ENDED;
    if (event == VM_BUDGET) scouted->end = SCOUT_CUT;
    if (event == VM_BUG) note_bug(scout, scouted);
    note_fresh(scout, state, edges, functions);
    scouted->fresh = scout->fresh.count;
    vm_free_state(scout->vm, state);
}
