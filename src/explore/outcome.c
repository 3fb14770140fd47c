// Results of paths: tests, bugs, incompleteness.
#include "base/clock.h"
#include "base/run_limits.h"
#include "explore/explore_int.h"

#include <stdlib.h>
#include <string.h>

// ---- tests

static uint32_t input_number(struct explore *explore, const struct state *state, uint32_t input) {
    uint32_t value = 0;
    for (uint32_t k = 0; k < 4; k++)
        value |= (uint32_t)path_byte(state->path, terms_input_var(explore->terms, input, k)) << 8 * k;
    return value;
}

// Returns the length of a symbolic file on this path. A symbolic length is a separate input.
static uint32_t chosen_length(struct explore *explore, const struct state *state, struct input_id file,
                              uint32_t most) {
    uint32_t input = inputs_find(vm_inputs(explore->vm), input_length(file));
    if (input == NO_INPUT || !state_inputs_has(&state->inputs, input)) return most;
    return MIN(input_number(explore, state, input), most);
}

// Fills the concrete part of a file that is symbolic only in part.
static void keep_around(const struct explore *explore, struct input_id id, uint8_t *bytes, uint32_t size) {
    const struct vm_options *machine = &explore->options.machine;
    for (uint32_t i = 0; id.kind == INPUT_FILE && i < machine->file_count; i++) {
        const struct vm_file *file = &machine->files[i];
        if (!file->around || !input_same(input_file(file->path), id)) continue;
        for (uint32_t at = 0; at < MIN(size, file->most); at++)
            if (at < file->from || at >= file->to) bytes[at] = file->around[at];
    }
}

static struct test_input test_input(struct explore *explore, const struct state *state, uint32_t number,
                                    struct arena *arena) {
    struct input_id id = inputs_id(vm_inputs(explore->vm), number);
    uint32_t size = state_inputs_size(&state->inputs, number);
    struct text name = {0};
    input_add_name(&name, id);
    struct test_input input = {.kind = id.kind, .name = arena_strdup(arena, name.at), .size = size};
    text_free(&name);
    uint8_t *bytes = arena_alloc(arena, size + 1); // zeroed: a NUL follows
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = path_byte(state->path, terms_input_var(explore->terms, number, i));
    keep_around(explore, id, bytes, size);
    input.bytes = bytes;
    if (input_kinds[id.kind].has_length) input.size = chosen_length(explore, state, id, size);
    return input;
}

// Returns the kernel choices (a call that fails, a short read) as an object: pairs of index and alternative.
static struct test_input choices_input(const struct state *state, struct arena *arena) {
    uint32_t count = shared_list_count(state->history.kernel_choices),
             *values = ARENA_ARRAY(arena, uint32_t, count);
    shared_list_copy(state->history.kernel_choices, values);
    return (struct test_input){.kind = INPUT_OBJECT,
                               .name = input_roles[ROLE_CHOICES].name,
                               .bytes = (const uint8_t *)values,
                               .size = count * (uint32_t)sizeof *values};
}

// Returns a text such as "open failed with EACCES, in fopen, at main.c:7 in main". The location is in user code;
// fopen is the function called there.
static const char *event_text(struct explore *explore, uint32_t number, uint32_t site, struct arena *arena) {
    const struct ir_program *program = vm_program(explore->vm);
    struct text text = {0};
    text_add(&text, "%s", vm_event_text(explore->vm, number));
    uint32_t user_site = vm_user_site(explore->vm, site), called = site;
    while (called != user_site && called && site_get(vm_sites(explore->vm), called).caller != user_site)
        called = site_get(vm_sites(explore->vm), called).caller;
    const char *name = program->functions[site_get(vm_sites(explore->vm), called).function].name;
    size_t length = strlen(name);
    if (called != user_site && (strncmp(text.at, name, length) != 0 || text.at[length] != ' '))
        text_add(&text, ", in %s", name);
    if (user_site) {
        struct site at = site_get(vm_sites(explore->vm), user_site);
        const struct ir_function *function = &program->functions[at.function];
        const struct ir_location *location = &program->locations[function->locations[at.instruction]];
        if (location->line) text_add(&text, ", at %s:%u", program->files[location->file], location->line);
        text_add(&text, " in %s", function->name);
    }
    const char *copy = arena_strdup(arena, text.at);
    text_free(&text);
    return copy;
}

static const char *const *events_of(struct explore *explore, const struct state *state, struct arena *arena) {
    assert(shared_list_count(state->history.events) % 2 == 0); // pairs of text and site
    uint32_t count = shared_list_count(state->history.events),
             *values = ARENA_ARRAY(arena, uint32_t, count + 1);
    const char **texts = ARENA_ARRAY(arena, const char *, count / 2 + 1);
    shared_list_copy(state->history.events, values);
    for (uint32_t i = 0; i < count / 2; i++)
        texts[i] = event_text(explore, values[2 * i], values[2 * i + 1], arena);
    return texts;
}

// ---- output of the path

struct output {
    uint8_t *bytes;
    uint32_t size;
};

static uint32_t written_bytes(struct explore *explore, const struct state *state,
                              const struct printed_write *write, uint8_t *to) {
    uint64_t count = write->count;
    if (write->length) count = MIN(count, solver_evaluate(explore->solver, state->path, write->length));
    if (!write->symbolic) memcpy(to, write->bytes, count);
    for (uint32_t i = 0; write->symbolic && i < count; i++)
        to[i] = (uint8_t)solver_evaluate(explore->solver, state->path, write->terms[i]);
    return (uint32_t)count;
}

// Returns the path's output to the stream, evaluated under the test's model.
static struct output output_of(struct explore *explore, const struct state *state, unsigned stream,
                               struct arena *arena) {
    vec(const struct printed_write *) writes = {0};
    uint32_t most = 1; // a NUL follows
    for (const struct printed_write *write = state->printed.last; write; write = write->before)
        if (write->stream == stream) vec_push(&writes, write), most += write->count;
    struct output output = {.bytes = arena_alloc(arena, most)};
    while (writes.count)
        output.size += written_bytes(explore, state, vec_pop(&writes), output.bytes + output.size);
    vec_free(&writes);
    return output;
}

static uint32_t forked_line(const struct explore *explore, const struct state *state) {
    assert(state->fork.location < explore->program->location_count);
    return explore->program->locations[state->fork.location].line;
}

// Makes the test that takes this state's path, in the arena.
static struct test_case make_test(struct explore *explore, const struct state *state, struct arena *arena) {
    assert(state->start.environment < explore->options.environment_count);
    const struct vm_start_config *environment = &explore->options.environments[state->start.environment];
    const char **arguments = ARENA_ARRAY(arena, const char *, environment->argument_count + 1);
    for (uint32_t i = 0; i < environment->argument_count; i++) arguments[i] = environment->arguments[i].text;
    uint32_t most = state_inputs_count(&state->inputs), count = 0;
    struct test_input *inputs = ARENA_ARRAY(arena, struct test_input, most + 1);
    uint32_t *numbers = ARENA_ARRAY(arena, uint32_t, most);
    state_inputs_copy(&state->inputs, numbers);
    for (uint32_t i = 0; i < most; i++) {
        struct input_id id = inputs_id(vm_inputs(explore->vm), numbers[i]);
        if (id.is_length) continue;
        struct test_input *input = &inputs[count++];
        *input = test_input(explore, state, numbers[i], arena);
        assert(id.kind != INPUT_ARGUMENT || id.index < environment->argument_count);
        if (id.kind == INPUT_ARGUMENT) arguments[id.index] = (const char *)input->bytes;
    }
    if (shared_list_count(state->history.kernel_choices)) inputs[count++] = choices_input(state, arena);
    uint32_t *decisions = ARENA_ARRAY(arena, uint32_t, shared_list_count(state->history.decisions));
    shared_list_copy(state->history.decisions, decisions);
    struct output out = output_of(explore, state, 1, arena), error = output_of(explore, state, 2, arena);
    return (struct test_case){.arguments = arguments,
                              .argument_count = environment->argument_count,
                              .inputs = inputs,
                              .input_count = count,
                              .decisions = decisions,
                              .decision_count = shared_list_count(state->history.decisions),
                              .events = events_of(explore, state, arena),
                              .event_count = shared_list_count(state->history.events) / 2,
                              .standard_output = out.bytes,
                              .standard_output_size = out.size,
                              .standard_error = error.bytes,
                              .standard_error_size = error.size,
                              .output_cut = state->printed.cut,
                              .environment = state->start.environment,
                              .instructions = state->instructions,
                              .seed = state->seed.list ? state->seed.list->at[0] + 1 : 0,
                              .late = state->start.is_late_seed,
                              .forked_by = state->fork.class,
                              .forked_line = state->fork.depth ? forked_line(explore, state) : 0};
}

uint32_t explore_uncovered_items(const struct explore *explore, uint32_t *items, uint32_t count) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert(items[i] < cover_item_count(explore->program));
        if (!explore->covered_by_test[items[i]]) items[found++] = items[i];
    }
    return found;
}

// Whether the path was the first to cover something that no written test covers.
static bool has_uncovered(const struct explore *explore, const struct state *state) {
    uint32_t count = shared_list_count(state->coverage.fresh), *all = NEW_ARRAY(uint32_t, count);
    shared_list_copy(state->coverage.fresh, all);
    bool any = explore_uncovered_items(explore, all, count) > 0;
    DELETE_ARRAY(all, count);
    return any;
}

uint32_t explore_next_test_number(const struct explore *explore, const struct test_case *test) {
    const uint64_t *number = explore->written.count ? map_get(&explore->written, test_case_path(test)) : NULL;
    return number ? (uint32_t)*number : (uint32_t)explore->result.counts.tests + 1;
}

static uint32_t bug_test_number(const struct explore *explore, const struct state *state,
                                const struct bug *bug) {
    if (!explore->written.count) return (uint32_t)explore->result.counts.tests + 1;
    uint32_t count = shared_list_count(state->history.decisions), *decisions = NEW_ARRAY(uint32_t, count);
    shared_list_copy(state->history.decisions, decisions);
    struct test_case test = {.environment = state->start.environment,
                             .outcome = TEST_BUG,
                             .bug = bug_facts[bug->kind].name,
                             .decisions = decisions,
                             .decision_count = count};
    uint32_t number = explore_next_test_number(explore, &test);
    DELETE_ARRAY(decisions, count);
    return number;
}

void explore_put_test(struct explore *explore, struct test_case *test) {
    test->number = explore_next_test_number(explore, test);
    if (test->number > explore->result.counts.tests)
        explore->result.counts.tests++;
    else
        map_remove(&explore->written, test_case_path(test));
    for (uint32_t i = 0; i < test->fresh_count; i++) explore->covered_by_test[test->fresh[i]] = 1;
    tell(explore, MESSAGE_TEST, test);
}

// Whether a path continues after the bug, if a real machine would.
static bool take_survives(struct explore *explore, const struct bug *bug) {
    return explore->options.goes_on_after_bugs || findings_known_entry(explore, bug);
}

// Makes and reports a test; returns its number. `bug`: the bug that ended the path, or NULL. `number`: the bug's
// number; 0: not a bug of the program.
static uint32_t emit_test(struct explore *explore, struct state *state, enum test_outcome outcome,
                          int exit_status, const struct bug *bug, uint32_t number) {
    assert(!state->speculation.is_on && !state->waiting.condition); // its inputs take a path of the program
    assert((outcome != TEST_BUG && outcome != TEST_NOT_MODELLED) == !bug && !explore->tested.state);
    struct arena *arena = arena_new();
    vm_prefer(explore->vm, state);
    struct test_case test = make_test(explore, state, arena);
    test.outcome = outcome;
    test.exit_status = exit_status;
    if (outcome == TEST_BUG) {
        test.bug = bug_facts[bug->kind].name;
        test.stack = explore->occurrence.stack;
        test.caller = explore->occurrence.caller;
        test.frames = explore->occurrence.frames;
    }
    test.survived = state->survived;
    if (bug && !bug->is_fatal && take_survives(explore, bug)) {
        assert(test.survived); // the last bug counted is the one that the test shows
        test.survived--;
    }
    test.number = explore_next_test_number(explore, &test);
    uint32_t count = shared_list_count(state->coverage.fresh), *fresh = ARENA_ARRAY(arena, uint32_t, count);
    shared_list_copy(state->coverage.fresh, fresh);
    test.fresh = fresh;
    test.fresh_count = explore_uncovered_items(explore, fresh, count);
    test.seconds = explore->result.seconds;
    test.finding = number;
    if (number) findings_report(explore, number, state, bug, &test);
    explore->tested = (struct explore_tested){state, bug};
    explore_put_test(explore, &test);
    explore->tested = (struct explore_tested){0};
    arena_free(arena);
    return test.number;
}

// ---- events of the VM

void explore_add_state(struct explore *explore, struct state *state, const struct state *parent) {
    assert(state->path && (!state->seed.list || state->seed.follows));
    explore->result.counts.states += !state->speculation.is_on;
    explore->result.counts.most_states =
        MAX(explore->result.counts.most_states, explore->result.counts.states);
    if (state->seed.list) vec_push(&explore->seeded, state);
    search_add(explore->search, state, parent);
    vec_push(&explore->step_added, state->number);
}

static void tell_event(const struct explore *explore, struct explore_event event) {
    if (explore->options.on_event) explore->options.on_event(explore->options.event_context, &event);
}

static void take_forked(struct explore *explore, struct state *parent, struct state *child) {
    assert(child != parent && child->number > parent->number);
    explore->result.counts.forks++;
    explore->step.forked++;
    if (explore->backward && backward_forked(explore, child)) return;
    // Forks of a late seed duplicate paths that other states will take: keep one only if it has
    // covered new code.
    bool known = child->start.is_late_seed && !child->seed.list && !shared_list_count(child->coverage.fresh);
    if (known || (explore->reach && reach_is_dead_end(explore->reach, child))) {
        explore->result.counts.pruned += !known && !child->speculation.is_on;
        vm_free_state(explore->vm, child);
        return;
    }
    tell_event(explore, (struct explore_event){.kind = EXPLORE_FORK, .state = parent, .child = child});
    explore_add_state(explore, child, parent);
}

// Counts whether the path belongs to a seed, and the kind of branch at which it was forked.
static void count_origin(struct explore *explore, const struct state *state) {
    explore->result.counts.of_seeds += state->seed.list != NULL;
    if (state->seed.list) return;
    explore->result.counts.by_new += (state->fork.class & CHOICE_CHANGED) != 0;
    explore->result.counts.by_dangerous += (state->fork.class & CHOICE_DANGEROUS) != 0;
}

static void take_found(struct explore *explore, struct state *failing, const struct bug *bug) {
    if (failing->speculation.is_on) {
        vm_free_state(explore->vm, failing);
        return;
    }
    explore->result.counts.errors++;
    tell_event(explore, (struct explore_event){.kind = EXPLORE_END, .state = failing, .end = VM_BUG});
    vm_note_positions(explore->vm, failing);
    bool wanted = explore->options.emit == EMIT_ALL;
    uint32_t number = findings_note_bug(explore, bug, bug_test_number(explore, failing, bug), &wanted);
    if (wanted) emit_test(explore, failing, TEST_BUG, 0, bug, number);
    vm_free_state(explore->vm, failing);
}

static void take_survived(struct explore *explore, struct state *state, const struct bug *bug) {
    bool is_new = state_reports_add(state);
    if (vm_is_replaying(explore->vm) || !is_new) return; // counted before
    if (state->speculation.is_on) return;
    vm_note_positions(explore->vm, state);
    bool wanted = explore->options.emit == EMIT_ALL;
    uint32_t number = findings_note_bug(explore, bug, bug_test_number(explore, state, bug), &wanted);
    if (wanted) emit_test(explore, state, TEST_BUG, 0, bug, number);
}

static void take_gave_up(struct explore *explore, const char *what, uint32_t site, bool lost) {
    struct state *state = explore->running;
    bool is_new = !state || state_reports_add(state);
    if (vm_is_replaying(explore->vm) || !is_new) return; // counted before
    if (state && state->speculation.is_on) return;
    if (state && lost) state->incomplete = true;
    ledger_note(&explore->ledger, what, site, lost, 1);
}

static const char dropped[] = "paths were dropped: ";

enum explore_end explore_why_dropped(const char *what) {
    if (strncmp(what, dropped, sizeof dropped - 1) != 0) return END_COMPLETE;
    what += sizeof dropped - 1;
#define END(name, text)                                                                                      \
    if (!strcmp(what, text)) return END_##name;
    EXPLORE_END_TABLE(END)
#undef END
    return END_COMPLETE;
}

void explore_note_dropped(struct explore *explore, const struct state *state, enum explore_end why) {
    struct text what = {0};
    uint64_t count = resume_represented_states(explore, state);
    assert(why != END_COMPLETE && count);
    text_add(&what, "%s%s", dropped, explore_end_names[why]);
    ledger_note(&explore->ledger, what.at, 0, true, count);
    text_free(&what);
    if (!explore->result.counts.killed) explore->dropped_by = why;
    explore->result.counts.killed += count;
}

bool explore_target_reached(struct explore *explore, struct state *state, uint32_t mark) {
    if (!explore->reach || !reach_marked(explore->reach, state, mark)) return false;
    vm_note_positions(explore->vm, state);
    uint32_t test = emit_test(explore, state, TEST_REACHED, 0, NULL, 0);
    reach_found(explore->reach, mark, test, clock_seconds() - explore->started,
                explore->result.counts.instructions);
    return true;
}

static void take_marked(struct explore *explore, struct state *state, uint32_t mark) {
    if (explore->backward && backward_marked(explore, state, mark)) return;
    if (mark & IR_MARK_ENTRY) return;
    if (!state->speculation.is_on)
        tell_event(explore, (struct explore_event){.kind = EXPLORE_LINE, .state = state, .mark = mark});
    if (explore_target_reached(explore, state, mark)) vm_request_stop(explore->vm);
}

static void take_infeasible(struct explore *explore, struct state *state, uint32_t edge, Term condition) {
    if (explore->reach && !state->speculation.is_on)
        reach_note_infeasible(explore->reach, explore->terms, edge, condition);
}

// ---- the end of a path

void explore_drop_state(struct explore *explore, struct state *state) {
    assert(state->speculation.is_on || explore->result.counts.states > 0);
    explore->result.counts.states -= !state->speculation.is_on;
    if (explore->hangs.count) hang_forget(explore, state);
    resume_forget(explore, state);
    seeds_forget_state(explore, state);
    if (explore_is_hard(state))
        hard_remove(explore, state);
    else
        search_remove(explore->search, state);
    vm_free_state(explore->vm, state);
}

#define MOST_SHOWN 16

// Whether a test is wanted because the path follows a seed, or was forked at a branch in changed code.
static bool shows_change(struct explore *explore, const struct state *state) {
    if (!explore->shown) return false;
    if (state->seed.list) return true;
    if (!(state->fork.class & CHOICE_CHANGED) || explore->shown[state->fork.location] == MOST_SHOWN)
        return false;
    explore->shown[state->fork.location]++;
    return true;
}

void explore_finish_path(struct explore *explore, struct state *state, enum vm_event event) {
    struct explore_result *result = &explore->result;
    const struct bug *bug = vm_bug(explore->vm);
    uint32_t number;
    assert(event != VM_BUDGET && event != VM_FORKED && !state->waiting.condition);
    if (state->speculation.is_on) {
        explore_drop_state(explore, state);
        return;
    }
    tell_event(explore, (struct explore_event){.kind = EXPLORE_END, .state = state, .end = event});
    if (event != VM_FAILED && event != VM_DEFERRED) vm_note_positions(explore->vm, state);
    bool wanted = explore->options.emit == EMIT_ALL ||
                  (explore->options.emit == EMIT_NEW && has_uncovered(explore, state)) ||
                  (event != VM_BUG && shows_change(explore, state));
    if (state->incomplete) result->counts.incomplete++;
    if (event == VM_EXITED || event == VM_SIGNALLED || event == VM_BUG) count_origin(explore, state);
    switch (event) {
    case VM_EXITED:
    case VM_SIGNALLED:
        result->counts.completed++;
        if (wanted)
            emit_test(explore, state, event == VM_EXITED ? TEST_EXITED : TEST_SIGNALLED,
                      vm_exit_status(explore->vm), NULL, 0);
        break;
    case VM_BUG:
        result->counts.errors++;
        number = findings_note_bug(explore, bug, bug_test_number(explore, state, bug), &wanted);
        if (wanted) emit_test(explore, state, TEST_BUG, 0, bug, number);
        break;
    case VM_NOT_MODELLED:
        take_gave_up(explore, bug->message.at, bug->site, true);
        result->counts.incomplete++;
        if (wanted) emit_test(explore, state, TEST_NOT_MODELLED, 0, bug, 0);
        break;
    case VM_STOPPED: result->counts.stopped++; break;
    case VM_UNKNOWN: result->counts.incomplete++; break;
    default:
        assert(event == VM_FAILED || event == VM_DEFERRED);
        break; // VM_FAILED: counted by the sink; VM_DEFERRED: continues in a pending state
    }
    explore_drop_state(explore, state);
}

// ---- the sink. No step is abandoned inside it, so that counters and output stay consistent

static void sink_forked(void *context, struct state *parent, struct state *child) {
    limits_hold();
    take_forked(context, parent, child);
    limits_release();
}

static void sink_found(void *context, struct state *failing, const struct bug *bug) {
    limits_hold();
    take_found(context, failing, bug);
    limits_release();
}

static bool sink_survives(void *context, const struct bug *bug) {
    limits_hold();
    bool survives = take_survives(context, bug);
    limits_release();
    return survives;
}

static void sink_survived(void *context, struct state *state, const struct bug *bug) {
    limits_hold();
    take_survived(context, state, bug);
    limits_release();
}

static void sink_gave_up(void *context, const char *what, uint32_t site, bool lost) {
    limits_hold();
    take_gave_up(context, what, site, lost);
    limits_release();
}

static void sink_marked(void *context, struct state *state, uint32_t mark) {
    limits_hold();
    take_marked(context, state, mark);
    limits_release();
}

static void sink_infeasible(void *context, struct state *state, uint32_t edge, Term condition) {
    limits_hold();
    take_infeasible(context, state, edge, condition);
    limits_release();
}

const struct vm_sink explore_sink = {.forked = sink_forked,
                                     .found = sink_found,
                                     .survives = sink_survives,
                                     .survived = sink_survived,
                                     .gave_up = sink_gave_up,
                                     .marked = sink_marked,
                                     .infeasible = sink_infeasible};
