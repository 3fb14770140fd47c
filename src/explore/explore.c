#include "explore/explore.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// A state runs for about this long before another may be picked.
#define BATCH_INSTRUCTIONS 200000u

const char *const explore_end_names[] = {
#define END(name, text) [END_##name] = text,
    EXPLORE_END_TABLE(END)
#undef END
};

struct explore {
    const struct ir_program *program;
    struct explore_options options;
    struct terms *terms;
    struct solver *solver;
    struct vm *vm;
    struct search *search;
    struct search_step step; // what the running state has done
    struct explore_result result;
    vec(struct found_bug) bugs;
    vec(struct given_up) given_up;
    struct state *running; // or NULL
    struct arena *texts;
    uint8_t *claimed; // per edge, then per function: a test covers it
    double started, last_progress;
    volatile int interrupted;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// ---- tests

static uint32_t input_number(struct explore *explore, const struct state *state, uint32_t input) {
    uint32_t value = 0;
    for (uint32_t k = 0; k < 4; k++)
        value |= (uint32_t)path_byte(state->path, terms_input_var(explore->terms, input, k)) << 8 * k;
    return value;
}

// The length that a symbolic file got on this path: where it was a choice, that is an input of its own.
static uint32_t chosen_length(struct explore *explore, const struct state *state, const char *name,
                              uint32_t most) {
    struct text length = {0};
    text_add(&length, "length:%s", name);
    uint32_t input = terms_find_input(explore->terms, length.at);
    text_free(&length);
    for (uint32_t i = 0; i < state->inputs->count; i++)
        if (state->inputs->at[i].input == input) return MIN(input_number(explore, state, input), most);
    return most;
}

// What the prefix of an input's name says (vm_start).
static const struct {
    const char *prefix;
    enum test_input_kind kind;
} prefixes[] = {
    {"arg:", INPUT_ARGUMENT}, {"stdin:", INPUT_STDIN}, {"file:", INPUT_FILE}, {"env:", INPUT_ENVIRONMENT}};

static struct test_input test_input(struct explore *explore, const struct state *state,
                                    struct state_input from, struct arena *arena) {
    const char *name = terms_input_name(explore->terms, from.input);
    struct test_input input = {.kind = INPUT_OBJECT, .name = name, .size = from.size};
    for (unsigned i = 0; i < COUNT(prefixes); i++)
        if (!strncmp(name, prefixes[i].prefix, strlen(prefixes[i].prefix))) {
            input.kind = prefixes[i].kind;
            input.name = name + strlen(prefixes[i].prefix);
        }
    uint8_t *bytes = arena_alloc(arena, from.size + 1); // zeroed: a NUL follows
    for (uint32_t i = 0; i < from.size; i++)
        bytes[i] = path_byte(state->path, terms_input_var(explore->terms, from.input, i));
    input.bytes = bytes;
    if (input.kind == INPUT_STDIN || input.kind == INPUT_FILE)
        input.size = chosen_length(explore, state, name, from.size);
    return input;
}

// The test that takes this state's path. Lives in the arena.
static struct test_case make_test(struct explore *explore, const struct state *state, struct arena *arena) {
    const struct vm_environment *environment = &explore->options.environments[state->environment];
    const char **arguments = ARENA_ARRAY(arena, const char *, environment->argument_count + 1);
    for (uint32_t i = 0; i < environment->argument_count; i++) arguments[i] = environment->arguments[i].text;
    uint32_t most = state->inputs ? state->inputs->count : 0, count = 0;
    struct test_input *inputs = ARENA_ARRAY(arena, struct test_input, most);
    for (uint32_t i = 0; i < most; i++) {
        if (!strncmp(terms_input_name(explore->terms, state->inputs->at[i].input), "length:", 7)) continue;
        struct test_input *input = &inputs[count++];
        *input = test_input(explore, state, state->inputs->at[i], arena);
        if (input->kind == INPUT_ARGUMENT)
            arguments[strtoul(input->name, NULL, 10)] = (const char *)input->bytes;
    }
    uint32_t *decisions = ARENA_ARRAY(arena, uint32_t, trail_count(state->trail));
    trail_copy(state->trail, decisions);
    return (struct test_case){.arguments = arguments,
                              .argument_count = environment->argument_count,
                              .inputs = inputs,
                              .input_count = count,
                              .decisions = decisions,
                              .decision_count = trail_count(state->trail),
                              .environment = state->environment,
                              .instructions = state->instructions,
                              .path = state->path,
                              .state = state};
}

// What the path was the first to take and no earlier test has claimed: the number, and the items when wanted.
static uint32_t unclaimed(struct explore *explore, const struct state *state, uint32_t *items) {
    uint32_t count = trail_count(state->fresh), found = 0;
    uint32_t *all = NEW_ARRAY(uint32_t, count);
    trail_copy(state->fresh, all);
    for (uint32_t i = 0; i < count; i++) {
        if (explore->claimed[all[i]]) continue;
        if (items) items[found] = all[i];
        found++;
    }
    DELETE_ARRAY(all, count);
    return found;
}

static void emit_test(struct explore *explore, const struct state *state, enum test_outcome outcome,
                      int exit_status, const struct bug *bug) {
    struct arena *arena = arena_new();
    struct test_case test = make_test(explore, state, arena);
    test.number = (uint32_t)++explore->result.tests;
    test.outcome = outcome;
    test.exit_status = exit_status;
    test.bug = bug;
    uint32_t *fresh = ARENA_ARRAY(arena, uint32_t, trail_count(state->fresh));
    test.fresh = fresh;
    test.fresh_count = unclaimed(explore, state, fresh);
    for (uint32_t i = 0; i < test.fresh_count; i++) explore->claimed[fresh[i]] = 1;
    if (explore->options.on_test) explore->options.on_test(explore->options.context, &test);
    arena_free(arena);
}

// ---- what comes out of the machine

// Counts the bug; true when it is the first of its kind, place and stack.
static bool note_bug(struct explore *explore, const struct bug *bug) {
    vec_each (struct found_bug, known, &explore->bugs) {
        if (known->kind != bug->kind || known->site != bug->site) continue;
        known->paths++;
        return false;
    }
    struct found_bug found = {bug->kind, bug->site, bug_place(explore->vm, bug),
                              (uint32_t)explore->result.tests + 1, 1};
    vec_push(&explore->bugs, found);
    return true;
}

static void sink_forked(void *context, struct state *parent, struct state *child) {
    struct explore *explore = context;
    explore->result.forks++;
    explore->result.states++;
    explore->result.most_states = MAX(explore->result.most_states, explore->result.states);
    explore->step.forked++;
    search_add(explore->search, child, parent);
}

static void sink_found(void *context, struct state *failing, const struct bug *bug) {
    struct explore *explore = context;
    explore->result.errors++;
    if (note_bug(explore, bug) || explore->options.emit == EMIT_ALL)
        emit_test(explore, failing, TEST_BUG, 0, bug);
    vm_free_state(explore->vm, failing);
}

static void sink_gave_up(void *context, const char *what, uint32_t site) {
    struct explore *explore = context;
    struct state *state = explore->running;
    if (state) state->incomplete = true;
    vec_each (struct given_up, known, &explore->given_up) {
        if (known->site != site || strcmp(known->what, what) != 0) continue;
        known->count++;
        return;
    }
    struct given_up given_up = {arena_strdup(explore->texts, what), site, 1};
    vec_push(&explore->given_up, given_up);
}

// ---- the end of a path

static void drop_state(struct explore *explore, struct state *state) {
    explore->result.states--;
    search_remove(explore->search, state);
    vm_free_state(explore->vm, state);
}

static void finish_path(struct explore *explore, struct state *state, enum vm_event event) {
    struct explore_result *result = &explore->result;
    const struct bug *bug = vm_bug(explore->vm);
    bool wanted = explore->options.emit == EMIT_ALL ||
                  (explore->options.emit == EMIT_NEW && unclaimed(explore, state, NULL) > 0);
    if (state->incomplete) result->incomplete++;
    switch (event) {
    case VM_EXITED:
    case VM_SIGNALLED:
        result->completed++;
        if (wanted)
            emit_test(explore, state, event == VM_EXITED ? TEST_EXITED : TEST_SIGNALLED,
                      vm_exit_status(explore->vm), NULL);
        break;
    case VM_BUG:
        result->errors++;
        if (note_bug(explore, bug) || wanted) emit_test(explore, state, TEST_BUG, 0, bug);
        break;
    case VM_NOT_MODELLED:
        sink_gave_up(explore, bug->message.at, bug->site);
        result->incomplete++;
        if (wanted) emit_test(explore, state, TEST_NOT_MODELLED, 0, bug);
        break;
    case VM_STOPPED: result->stopped++; break;
    case VM_UNKNOWN: result->incomplete++; break;
    default: break; // VM_FAILED: the sink has counted it
    }
    drop_state(explore, state);
}

// ---- limits

static bool over(uint64_t value, uint64_t limit) { return limit && value >= limit; }

// Sets the reason when a limit is reached.
static bool at_limit(struct explore *explore) {
    const struct explore_options *options = &explore->options;
    struct explore_result *result = &explore->result;
    double time = now();
    result->seconds = time - explore->started;
    result->solver_seconds = (double)solver_statistics(explore->solver)->nanoseconds * 1e-9;
    result->search_seconds = search_seconds(explore->search);
    if (time - explore->last_progress > 0.1) {
        explore->last_progress = time;
        if (options->on_progress && !options->on_progress(options->context)) explore->interrupted = 1;
    }
    if (explore->interrupted)
        result->end = END_INTERRUPTED;
    else if (options->max_time > 0 && result->seconds >= options->max_time)
        result->end = END_TIME;
    else if (over(result->tests, options->max_tests))
        result->end = END_TESTS;
    else if (over(result->forks, options->max_forks))
        result->end = END_FORKS;
    else if (over(result->instructions, options->max_instructions))
        result->end = END_INSTRUCTIONS;
    else
        return false;
    return true;
}

// Under memory pressure states are dropped, any of them; the process goes on.
static void relieve_memory(struct explore *explore) {
    if (!explore->options.max_memory) return;
    while (mem_in_use() + terms_memory(explore->terms) > explore->options.max_memory &&
           explore->result.states > 1) {
        if (!explore->result.killed)
            warning("--max-memory is reached: states are dropped, so not every path will be explored");
        vm_collect(explore->vm);
        for (uint64_t i = explore->result.states / 10 + 1; i && explore->result.states > 1; i--) {
            explore->result.killed++;
            drop_state(explore, search_victim(explore->search));
        }
    }
}

// ---- the loop

static void step(struct explore *explore) {
    struct state *state = search_pick(explore->search);
    uint64_t before = state->instructions;
    uint32_t fresh = trail_count(state->fresh);
    explore->running = state;
    explore->step = (struct search_step){.state = state};
    enum vm_event event = vm_run(explore->vm, state, BATCH_INSTRUCTIONS);
    explore->running = NULL;
    explore->step.instructions = state->instructions - before;
    explore->step.fresh = trail_count(state->fresh) - fresh;
    explore->step.ended = event != VM_BUDGET && event != VM_FORKED;
    explore->result.instructions += explore->step.instructions;
    search_note(explore->search, &explore->step);
    if (explore->step.ended) {
        finish_path(explore, state, event);
    } else if (over(state->depth, explore->options.max_depth)) {
        explore->result.killed++;
        drop_state(explore, state);
    }
}

void explore_run(struct explore *explore) {
    explore->started = explore->last_progress = now();
    for (uint32_t i = 0; i < explore->options.environment_count; i++) {
        struct state *state = vm_start(explore->vm, &explore->options.environments[i]);
        state->environment = i;
        explore->result.states++;
        search_add(explore->search, state, NULL);
    }
    while (explore->result.states && !at_limit(explore)) {
        step(explore);
        vm_collect(explore->vm);
        relieve_memory(explore);
    }
    if (!explore->result.states) at_limit(explore); // the clocks
    if (!explore->result.states && !explore->result.killed) explore->result.end = END_COMPLETE;
    if (!explore->result.states && explore->result.killed) explore->result.end = END_MEMORY;
}

// The expression with a mark below the character that is wrong.
static void say_search_error(const struct explore_options *options, const struct search_error *error) {
    struct text remedy = {0};
    text_add(&remedy, "%s\n  %*s^\n  ", options->search, (int)error->place, "");
    if (error->nearest) text_add(&remedy, "Did you mean '%s'? ", error->nearest);
    text_add(&remedy, "`tamar help search` explains the strategies.");
    user_error_at("--search", remedy.at, "character %u: %s", error->place + 1, error->message);
    text_free(&remedy);
}

struct explore *explore_new(const struct ir_program *program, const struct explore_options *options) {
    struct explore *explore = NEW(struct explore);
    explore->program = program;
    explore->options = *options;
    explore->texts = arena_new();
    explore->terms = terms_new();
    explore->solver = solver_new(explore->terms, &options->solver);
    struct vm_options machine = options->machine;
    machine.sink = (struct vm_sink){
        .context = explore, .forked = sink_forked, .found = sink_found, .gave_up = sink_gave_up};
    machine.solver = explore->solver;
    machine.terms = explore->terms;
    explore->vm = vm_new(program, &machine);
    explore->claimed = NEW_ARRAY(uint8_t, program->edge_count + program->function_count);
    struct search_error error;
    struct search_options search = {.expression = options->search,
                                    .random_seed = options->random_seed,
                                    .program = program,
                                    .edges_seen = vm_edges_seen(explore->vm),
                                    .functions_seen = vm_functions_seen(explore->vm)};
    explore->search = search_new(&search, &error);
    if (explore->search) return explore;
    say_search_error(options, &error);
    explore_free(explore);
    return NULL;
}

void explore_free(struct explore *explore) {
    if (explore->search) {
        while (search_count(explore->search)) drop_state(explore, search_victim(explore->search));
        search_free(explore->search);
    }
    vm_free(explore->vm);
    solver_free(explore->solver);
    terms_free(explore->terms);
    arena_free(explore->texts);
    vec_free(&explore->bugs);
    vec_free(&explore->given_up);
    DELETE_ARRAY(explore->claimed, explore->program->edge_count + explore->program->function_count);
    DELETE(explore);
}

const struct explore_result *explore_result(struct explore *explore) {
    explore->result.bugs = explore->bugs.at;
    explore->result.bug_count = explore->bugs.count;
    explore->result.given_up = explore->given_up.at;
    explore->result.given_up_count = explore->given_up.count;
    return &explore->result;
}

struct vm *explore_vm(struct explore *explore) { return explore->vm; }
struct solver *explore_solver(struct explore *explore) { return explore->solver; }
struct terms *explore_terms(struct explore *explore) { return explore->terms; }

void explore_interrupt(struct explore *explore) {
    explore->interrupted = 1;
    *solver_cancel(explore->solver) = 1;
}
