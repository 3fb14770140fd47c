#include "explore/explore_int.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/run_limits.h"

#define NO_SEED UINT32_MAX

// Default number of instructions between two picks.
#define STEP_INSTRUCTIONS 200000u
#define PROGRESS_SECONDS  0.1

const char *const explore_end_names[] = {
#define END(name, text) [END_##name] = text,
    EXPLORE_END_TABLE(END)
#undef END
};

// ---- limits

static bool over(uint64_t value, uint64_t limit) { return limit && value >= limit; }

// Counts the bugs that are known reports.
static uint32_t count_ignored(const struct explore *explore) {
    uint32_t count = 0;
    vec_each (struct finding, finding, &explore->findings) count += finding->ignored != NULL;
    return count;
}

// Returns whether a limit is reached, and records which one.
bool explore_at_limit(struct explore *explore) {
    const struct explore_options *options = &explore->options;
    struct explore_result *result = &explore->result;
    double time = clock_seconds();
    result->seconds = explore->seconds_before + time - explore->started;
    if (!explore->merges) {
        result->work_seconds = explore->work_before + time - explore->started;
        result->solver_seconds = (double)solver_statistics(explore->solver)->nanoseconds * 1e-9;
        result->search_seconds = search_seconds(explore->search);
    }
    double between = options->progress_seconds > 0 ? options->progress_seconds : PROGRESS_SECONDS;
    if (options->every_step || (time - explore->last_progress > between && !limits_over())) {
        explore->last_progress = time;
        if (options->on_progress && !options->on_progress(options->context)) explore->ended = true;
    }
    enum limit reached = limits_reached();
    if (reached == LIMIT_INTERRUPT || explore->ended)
        result->end = END_INTERRUPTED;
    else if (explore->reach && reach_done(explore->reach))
        result->end = END_TARGETS;
    else if (reached)
        result->end = reached == LIMIT_TIME ? END_TIME : END_MEMORY;
    else if (over(result->counts.tests, options->max_tests))
        result->end = END_TESTS;
    else if (over(result->counts.forks, options->max_forks))
        result->end = END_FORKS;
    else if (over(result->counts.instructions, options->max_instructions))
        result->end = END_INSTRUCTIONS;
    else if (over(result->counts.completed + result->counts.errors + result->counts.stopped,
                  options->max_paths))
        result->end = END_PATHS;
    else if (over(explore->bugs.count, options->max_bugs) &&
             over(explore->bugs.count - count_ignored(explore), options->max_bugs))
        result->end = END_BUGS;
    else if (options->seeds_only && !seeds_has_states(explore))
        result->end = END_SEEDS;
    else
        return false;
    return true;
}

// ---- the loop

enum vm_event explore_run_state(struct explore *explore, struct state *state, uint64_t budget) {
    limits_release();
    enum vm_event event = vm_run(explore->vm, state, budget);
    limits_hold();
    return event;
}

enum vm_revival explore_try_revive(struct explore *explore, struct state *state) {
    limits_release();
    enum vm_revival revival = vm_revive(explore->vm, state);
    limits_hold();
    return revival;
}

// Returns the number of items that the state was the first to cover, before its step. For a state that is being
// rebuilt, the frontier entry has the number: code on its path that is new only to this exploration does not count.
static uint32_t fresh_before(const struct explore *explore, const struct state *state) {
    const struct frontier_entry *entry;
    if (resume_entries(explore, state, &entry) == 1) return entry->fresh_count;
    return shared_list_count(state->coverage.fresh);
}

static void step(struct explore *explore) {
    struct state *state = seeds_next_state(explore), *hard = state ? NULL : hard_next(explore);
    if (hard) {
        hard_check(explore, hard);
        return;
    }
    if (!state) state = search_pick(explore->search);
    assert(state && !explore->running);
    if (state->waiting.condition) {
        explore_revive(explore, state);
        return;
    }
    uint64_t checks = vm_counters(explore->vm)->checks, work = solver_work(explore->solver);
    uint64_t before = state->instructions;
    uint32_t fresh = fresh_before(explore, state);
    uint32_t seed = state->seed.list ? state->seed.list->at[0] : NO_SEED;
    double began = seed != NO_SEED ? clock_seconds() : 0;
    explore->running = state;
    explore->step = (struct search_step){.state = state};
    explore->step_first = vm_next_number(explore->vm);
    vec_clear(&explore->step_added);
    uint64_t budget =
        hang_budget(explore, state, explore->options.step ? explore->options.step : STEP_INSTRUCTIONS);
    bool guided = resume_is_rebuilding(explore, state);
    enum vm_event event = VM_BUDGET;
    if (!guided) {
        event = explore_run_state(explore, state, budget);
    } else if (!resume_step(explore, state, budget, &event)) {
        explore->running = NULL;
        return;
    }
    explore->running = NULL;
    if (seed != NO_SEED) seeds_note_time(explore, state, seed, clock_seconds() - began);
    assert(state->instructions >= before && shared_list_count(state->coverage.fresh) >= fresh);
    explore->step.instructions = state->instructions - before;
    explore->step.work = explore->step.instructions + solver_work(explore->solver) - work;
    explore->step.fresh = shared_list_count(state->coverage.fresh) - fresh;
    explore->step.dangerous = (uint32_t)(vm_counters(explore->vm)->checks - checks);
    explore->step.ended = event != VM_BUDGET && event != VM_FORKED;
    bool useless = explore->backward && backward_ran(explore, state, &explore->step.instructions);
    if (!guided) explore->result.counts.instructions += explore->step.instructions;
    search_note(explore->search, &explore->step);
    if (event == VM_BUDGET && !guided && check_wanted(explore->options.machine.checks, CHECK_HANG) &&
        hang_found(explore, state, explore->step.instructions, explore->step.fresh)) {
        explore_finish_path(explore, state, VM_BUG);
        return;
    }
    if (explore->step.ended) {
        explore_finish_path(explore, state, event);
    } else if (useless) {
        explore_drop_state(explore, state);
    } else if (over(state->fork.depth, explore->options.max_depth)) {
        if (!state->speculation.is_on) explore_note_dropped(explore, state, END_DEPTH);
        explore_drop_state(explore, state);
    } else if (explore->reach && reach_is_dead_end(explore->reach, state)) {
        if (!state->speculation.is_on)
            explore->result.counts.pruned += resume_represented_states(explore, state);
        explore_drop_state(explore, state);
    }
}

// Adds to the ledger that no input satisfies the program's assumptions: everything holds vacuously, so nothing is
// proved.
void explore_note_contradiction(struct explore *explore) {
    const struct run_counters *counts = &explore->result.counts;
    if (counts->states || !counts->stopped || counts->completed + counts->errors + counts->incomplete) return;
    ledger_note(&explore->ledger, "no input satisfies the assumptions: nothing was explored beyond them", 0,
                true, 1);
}

void explore_end_targets(struct explore *explore) {
    if (explore->reach)
        reach_end(explore->reach, vm_edges_seen(explore->vm), vm_pending_per_block(explore->vm),
                  explore_result(explore)->decided);
}

static void begin(struct explore *explore) {
    assert(!explore->begun);
    explore->begun = true;
    if (explore->options.empty) return;
    if (explore->options.resume)
        resume_start(explore);
    else
        seeds_start_states(explore);
    if (explore->reach) reach_start(explore->reach);
    if (explore->backward) backward_start(explore);
}

void explore_start(struct explore *explore) {
    assert(explore->options.empty && !explore->running && !explore->options.resume);
    seeds_start_states(explore);
    if (explore->reach) reach_start(explore->reach);
}

// Whether the run continues although no state is left: late seeds may still take paths that were lost.
static bool may_go_on(struct explore *explore) {
    const struct explore_options *options = &explore->options;
    if (!options->on_idle || ledger_is_complete(&explore->ledger)) return false;
    return options->on_idle(options->context);
}

static void loop(void *context) {
    struct explore *explore = context;
    limits_hold();
    assert(!explore->running); // not from within a callback of a step
    if (!explore->begun) begin(explore);
    // on_progress may give away the last state
    while ((explore->result.counts.states || may_go_on(explore)) && !explore_at_limit(explore)) {
        if (!explore->result.counts.states) continue;
        step(explore);
        vm_collect(explore->vm);
        explore_evict_states(explore);
    }
    limits_release();
}

// Ends the run in the middle of a step. A checkpoint stores the decisions, inputs and model of the state that ran,
// which are consistent even then.
static void abandon(struct explore *explore) {
    explore->abandoned = true;
    explore->running = NULL;
    explore_at_limit(explore);
}

void explore_run(struct explore *explore) {
    assert(!explore->abandoned);
    explore->started = explore->last_progress = clock_seconds();
    limits_begin(explore->options.max_time);
    explore_set_memory_budget(explore);
    explore->ended = false;
    if (!explore->options.may_abandon)
        loop(explore);
    else if (!limits_run(loop, explore))
        abandon(explore);
    limits_set_share(0);
    if (!explore->result.counts.states) explore_at_limit(explore); // updates the clocks
    if (!explore->result.counts.states) explore->result.end = explore->dropped_by;
    assert(!explore->result.counts.killed == (explore->dropped_by == END_COMPLETE));
    explore->seconds_before = explore->result.seconds;
    explore->work_before = explore->result.work_seconds;
    if (explore->options.empty) return; // the rest depends on all explorations of the run
    explore_note_contradiction(explore);
    explore_end_targets(explore);
}

// Prints the expression with a caret under the wrong character.
bool explore_check_search(const char *expression) {
    struct search_error error;
    bool pending = false;
    if (search_check(expression, &pending, &error)) return true;
    struct text remedy = {0};
    text_add(&remedy, "%s\n  %*s^\n  ", expression, (int)error.offset, "");
    if (error.nearest) text_add(&remedy, "Did you mean '%s'? ", error.nearest);
    text_add(&remedy, "`tamar help search` explains the strategies.");
    user_error_at("--search", remedy.at, "character %u: %s", error.offset + 1, error.message);
    text_free(&remedy);
    return false;
}

static void add_written(struct explore *explore) {
    for (uint32_t i = 0; i < explore->options.written_count; i++) {
        const struct written_test *test = &explore->options.written[i];
        uint64_t *number = map_put(&explore->written, test->path);
        if (!*number) *number = test->number;
        explore->result.counts.tests = MAX(explore->result.counts.tests, test->number);
    }
}

struct explore *explore_new(const struct ir_program *program, const struct explore_options *options) {
    struct search_error error;
    bool pending = options->pending;
    assert(options->environment_count > 0 && (options->seeds || !options->seed_count));
    if (!explore_check_search(options->search)) return NULL;
    search_check(options->search, &pending, &error);
    struct explore *explore = NEW(struct explore);
    explore->program = program;
    explore->options = *options;
    explore->texts = arena_new();
    ledger_open(&explore->ledger);
    explore->terms = terms_new();
    explore->options.solver.blast.most_gates = explore_gate_limit(options->max_memory);
    explore->solver = solver_new(explore->terms, &explore->options.solver);
    struct vm_options machine = options->machine;
    machine.sink = explore_sink;
    machine.sink.context = explore;
    if (!options->targets) machine.sink.infeasible = NULL; // saves the VM the conditions of infeasible sides
    machine.solver = explore->solver;
    machine.terms = explore->terms;
    machine.pending = pending;
    machine.relax_checks = pending && options->relax_checks;
    explore->vm = vm_new(program, &machine);
    explore->covered_by_test = NEW_ARRAY(uint8_t, cover_item_count(program));
    if (options->emit_changed) explore->shown = NEW_ARRAY(uint8_t, program->location_count);
    struct search_options search = {.expression = options->search,
                                    .random_seed = options->random_seed,
                                    .program = program,
                                    .edges_seen = vm_edges_seen(explore->vm),
                                    .functions_seen = vm_functions_seen(explore->vm),
                                    .targets = options->targets,
                                    .pending = pending || options->seed_count};
    explore->reach = reach_new(options->targets, program, options->targets_only, options->target_kinds);
    explore->search = search_new(&search, &error);
    assert(explore->search);
    resume_open(explore);
    if (options->resume) resume_restore(explore);
    add_written(explore);
    backward_open(explore);
    tell_open(explore);
    return explore;
}

// Keeps the data reachable, so that a leak checker does not report it.
static void leave(struct explore *explore) {
    static struct explore *left;
    left = explore;
    (void)left;
}

void explore_free_at_exit(struct explore *explore) {
    if (!explore->abandoned) solver_close_files(explore->solver);
#ifdef NDEBUG
    leave(explore);
#else
    explore_free(explore);
#endif
}

void explore_free(struct explore *explore) {
    if (explore->abandoned) {
        leave(explore);
        return;
    }
    hard_free(explore);
    hang_close(explore);
    assert(!explore->running);
    while (search_count(explore->search)) explore_drop_state(explore, search_victim(explore->search));
    assert(!explore->result.counts.states && !explore->seeded.count);
    search_free(explore->search);
    seeds_free(explore);
    backward_close(explore);
    reach_free(explore->reach);
    resume_free(explore);
    vm_free(explore->vm);
    solver_free(explore->solver);
    terms_free(explore->terms);
    arena_free(explore->texts);
    map_free(&explore->written);
    findings_free(explore);
    vec_free(&explore->step_added);
    ledger_close(&explore->ledger);
    vec_free(&explore->findings);
    tell_close(explore);
    DELETE_ARRAY(explore->covered_by_test, cover_item_count(explore->program));
    if (explore->shown) DELETE_ARRAY(explore->shown, explore->program->location_count);
    DELETE(explore);
}

const struct explore_result *explore_result(struct explore *explore) {
    explore->result.bugs = explore->bugs.at;
    explore->result.bug_count = explore->bugs.count;
    explore->result.ignored_count = count_ignored(explore);
    explore->result.given_up = explore->ledger.entries.at;
    explore->result.given_up_count = explore->ledger.entries.count;
    if (explore->result.end == END_COMPLETE && explore->result.counts.pruned)
        explore->result.end = END_PRUNED; // not COMPLETE: pruned paths were not explored
    explore->result.decided = !explore->result.counts.states &&
                              (explore->result.end == END_COMPLETE || explore->result.end == END_PRUNED) &&
                              ledger_is_complete(&explore->ledger) &&
                              (explore->merges || !explore->result.counts.given) &&
                              !explore->options.empty; // other explorations have states
    explore->result.complete = explore->result.decided && explore->result.end == END_COMPLETE;
    explore->result.trace_reached = explore->reach && reach_trace_done(explore->reach);
    explore->result.targets = reach_results(explore->reach, &explore->result.target_count);
    return &explore->result;
}

struct vm *explore_vm(struct explore *explore) { return explore->vm; }
struct solver *explore_solver(struct explore *explore) { return explore->solver; }
struct terms *explore_terms(struct explore *explore) { return explore->terms; }
struct explore_tested explore_tested(const struct explore *explore) { return explore->tested; }
const uint8_t *explore_covered_by_tests(const struct explore *explore) { return explore->covered_by_test; }
