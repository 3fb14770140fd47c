// Adds up the reports of other explorations (parts). Counters of a part only grow, and the difference from its last
// report is added. Work of a lost part after its last report is therefore never counted.
#include "explore/merge.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/run_limits.h"
#include "explore/explore_int.h"
#include "explore/frontier.h"

#include <stdlib.h>
#include <string.h>

struct part_bug {
    uint32_t bug; // index of the bug in this exploration
    uint64_t paths;
};

struct part_block {
    uint32_t block, waiting;
};

struct explore_part {
    struct run_status status;
    vec(struct part_bug) bugs;
    vec(uint64_t) given_up;          // counts, by index in the ledger
    vec(uint32_t) tests;             // per test: its number here; 0: not kept
    vec(struct part_block) deferred; // blocks whose branch some state waits for
    uint64_t shared, taken;          // bytes of memory: shared with this process, and in addition to that
};

// ---- worker

void explore_report(struct explore *explore, struct message_writer *stream, struct work_report *report,
                    uint32_t give, bool end) {
    assert(explore->options.empty && !explore->running);
    report->given = give ? exchange_give_states(explore, give, stream) : 0;
    struct arena *arena = arena_new();
    struct frontier_writer *writer = frontier_writer_new(explore, stream);
    uint32_t count;
    struct state **states = checkpoint_live_states(explore, arena, &count);
    report->kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!states[i]->start.is_late_seed) report->kept += frontier_write(writer, states[i], UINT32_MAX);
    frontier_writer_free(writer);
    arena_free(arena);
    report->held = explore->result.counts.states;
    tell_part(explore, stream, end);
}

static bool is_set_below(const uint32_t *items, uint32_t count, uint64_t limit) {
    return !count || items[count - 1] < limit; // the list ascends
}

const char *explore_learn_problem(const struct explore *explore, const struct coverage_delta *coverage) {
    const struct ir_program *program = explore->program;
    bool good = is_set_below(coverage->edges, coverage->edge_count, program->edge_count) &&
                is_set_below(coverage->functions, coverage->function_count, program->function_count) &&
                is_set_below(coverage->tested, coverage->tested_count, cover_item_count(program));
    return good ? NULL : "it covers something that the program does not have";
}

bool explore_target_news(const struct target_result *target, uint32_t number, struct target_status *status) {
    if (target->outcome == TARGET_NOT_FOUND) return false;
    *status = (struct target_status){.number = number,
                                     .outcome = reach_outcome_names[target->outcome],
                                     .reached = target->outcome == TARGET_REACHED,
                                     .bug = target->bug,
                                     .no_way = target->no_way};
    return true;
}

void explore_learn(struct explore *explore, const struct coverage_delta *coverage,
                   const struct target_status *const *targets, uint32_t target_count) {
    assert(!explore->running && (!coverage || !explore_learn_problem(explore, coverage)));
    if (coverage) {
        vm_learn_coverage(explore->vm, coverage->edges, coverage->edge_count, coverage->functions,
                          coverage->function_count);
        for (uint32_t i = 0; i < coverage->tested_count; i++)
            explore->covered_by_test[coverage->tested[i]] = 1;
    }
    uint32_t count;
    reach_results(explore->reach, &count);
    for (uint32_t i = 0; i < target_count; i++)
        if (targets[i]->number < count)
            reach_learn(explore->reach, targets[i]->number, targets[i]->reached, targets[i]->bug != 0,
                        targets[i]->no_way);
}

bool explore_take_entries(struct explore *explore, struct frontier_entry *entries, uint32_t count,
                          struct arena *arena, struct text *problem) {
    for (uint32_t i = 0; i < count; i++) {
        const char *wrong = entries[i].environment < explore->options.environment_count
                                ? frontier_problem(explore->program, &entries[i])
                                : "it has a command line that this exploration does not have";
        if (wrong) {
            text_add(problem, "%s", wrong);
            return false;
        }
    }
    if (count)
        exchange_take_entries(explore, entries, count, arena);
    else
        arena_free(arena);
    return true;
}

// ---- parts

struct explore_part *explore_part_new(void) { return NEW(struct explore_part); }

void explore_part_free(struct explore_part *part) {
    vec_free(&part->bugs);
    vec_free(&part->given_up);
    vec_free(&part->tests);
    vec_free(&part->deferred);
    DELETE(part);
}

// ---- validity of a report

// Whether the report counts the branches that its states wait for as undecided.
static bool counts_waiting(const struct explore *explore, const struct checkpoint *report) {
    bool any = false, good = true;
    for (uint32_t i = report->report->given; i < report->entry_count; i++)
        any |= report->entries[i].pending_block != 0;
    if (!any) return true;
    uint32_t blocks = explore->program->block_count, *counts = NEW_ARRAY(uint32_t, blocks + 1);
    const struct coverage_delta *coverage = report->coverage;
    for (uint32_t i = 0; i < coverage->deferred_count; i++)
        counts[coverage->deferred[i] + 1] = coverage->waiting[i];
    for (uint32_t i = report->report->given; i < report->entry_count && good; i++) {
        uint32_t block = report->entries[i].pending_block;
        if (block) good = counts[block]-- > 0;
    }
    DELETE_ARRAY(counts, blocks + 1);
    return good;
}

static const char *problem_of(const struct explore *explore, const struct explore_part *part,
                              const struct checkpoint *report) {
    for (uint32_t i = 0; i < report->test_count; i++) {
        const struct test_case *test = report->tests[i];
        if (test->number != part->tests.count + i + 1) return "a test does not have the next number";
        if (test->environment >= explore->options.environment_count)
            return "it has a command line that this exploration does not have";
        if (test->outcome == TEST_BUG && test->finding > report->bug_count)
            return "a test shows a bug that it does not list";
    }
    for (uint32_t i = 0; i < report->entry_count; i++)
        if (report->entries[i].environment >= explore->options.environment_count)
            return "a state has a command line that this exploration does not have";
    if (!counts_waiting(explore, report)) return "it does not count the branches that its states wait for";
    if (report->bug_count < part->bugs.count || report->incomplete_count < part->given_up.count)
        return "it lists less than the report before it";
    for (uint32_t i = 0; i < report->bug_count; i++)
        if (report->bugs[i]->number != i + 1 || !report->bugs[i]->paths ||
            (i < part->bugs.count && report->bugs[i]->paths < part->bugs.at[i].paths))
            return "it lists bugs in another order than the report before it";
    for (uint32_t i = 0; i < report->incomplete_count; i++)
        if (report->incomplete[i]->number != i + 1 || !report->incomplete[i]->count ||
            (i < part->given_up.count && report->incomplete[i]->count < part->given_up.at[i]))
            return "it lists incompleteness in another order than the report before it";
    return NULL;
}

// ---- counters: structs of 64-bit numbers

static void add_numbers(void *to, const void *now, const void *before, size_t size) {
    uint64_t *sum = to;
    const uint64_t *new = now, *old = before;
    assert(size % sizeof *sum == 0);
    for (size_t i = 0; i < size / sizeof *sum; i++) sum[i] += new[i] - old[i];
}

static void add_status(struct explore *explore, struct explore_part *part, const struct run_status *now) {
    struct explore_result *result = &explore->result;
    struct run_counters own = result->counts;
    struct symbolic_counters symbolic = *vm_counters(explore->vm);
    struct solver_counters solver = *solver_statistics(explore->solver);
    add_numbers(&result->counts, &now->counts, &part->status.counts, sizeof now->counts);
    add_numbers(&symbolic, &now->symbolic, &part->status.symbolic, sizeof symbolic);
    add_numbers(&solver, &now->solver, &part->status.solver, sizeof solver);
    result->counts.tests = own.tests; // some of the part's tests are not kept
    result->counts.states = own.states;
    result->counts.most_states = own.most_states;
    vm_restore_counters(explore->vm, &symbolic);
    solver_restore_statistics(explore->solver, &solver);
    result->solver_seconds += now->solver_seconds - part->status.solver_seconds;
    result->search_seconds += now->search_seconds - part->status.search_seconds;
    result->infeasible_seconds += now->infeasible_seconds - part->status.infeasible_seconds;
    result->work_seconds += now->work_seconds - part->status.work_seconds;
    if (!part->shared) part->shared = limits_resident();
    uint64_t taken = now->peak_memory - MIN(now->peak_memory, part->shared);
    explore->other_memory += MAX(taken, part->taken) - part->taken;
    part->taken = MAX(taken, part->taken);
    part->status = *now;
    part->status.end = NULL; // it points into the report
}

// ---- coverage

static void set_bytes(uint8_t *bytes, const uint32_t *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) bytes[items[i]] = 1;
}

static void shift_waiting(struct explore *explore, uint32_t block, uint32_t before, uint32_t now) {
    for (uint32_t i = before; i < now; i++) vm_defer(explore->vm, block + 1);
    for (uint32_t i = now; i < before; i++) vm_pending_decided(explore->vm, block + 1);
}

// Updates the deferred branches of a part. Both lists ascend.
static void add_deferred(struct explore *explore, struct explore_part *part,
                         const struct coverage_delta *now) {
    uint32_t old = 0, new = 0;
    while (old < part->deferred.count || new < now->deferred_count) {
        uint32_t before = old < part->deferred.count ? part->deferred.at[old].block : UINT32_MAX;
        uint32_t after = new < now->deferred_count ? now->deferred[new] : UINT32_MAX;
        uint32_t had = before <= after ? part->deferred.at[old++].waiting : 0;
        uint32_t has = after <= before ? now->waiting[new ++] : 0;
        shift_waiting(explore, MIN(before, after), had, has);
    }
    vec_clear(&part->deferred);
    for (uint32_t i = 0; i < now->deferred_count; i++)
        vec_push(&part->deferred, ((struct part_block){now->deferred[i], now->waiting[i]}));
}

static bool all_are_set(const uint8_t *bytes, const uint32_t *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!bytes[items[i]]) return false;
    return true;
}

static void add_coverage(struct explore *explore, const struct coverage_delta *now) {
    const struct ir_program *program = explore->program;
    struct vm *vm = explore->vm;
    vm_learn_coverage(vm, now->edges, now->edge_count, now->functions, now->function_count);
    if (all_are_set(vm_edges_decided(vm), now->symbolic, now->symbolic_count) &&
        all_are_set(vm_positions_seen(vm), now->positions, now->position_count))
        return;
    uint8_t *decided = NEW_ARRAY(uint8_t, program->edge_count),
            *positions = NEW_ARRAY(uint8_t, program->position_count + 1);
    memcpy(decided, vm_edges_decided(vm), program->edge_count);
    memcpy(positions, vm_positions_seen(vm), program->position_count + 1);
    set_bytes(decided, now->symbolic, now->symbolic_count);
    set_bytes(positions, now->positions, now->position_count);
    vm_restore_coverage(vm, vm_edges_seen(vm), decided, vm_pending_per_block(vm), vm_functions_seen(vm),
                        positions);
    DELETE_ARRAY(decided, program->edge_count);
    DELETE_ARRAY(positions, program->position_count + 1);
}

// ---- tests and bugs

static void add_bugs(struct explore *explore, struct explore_part *part, const struct checkpoint *report) {
    for (uint32_t i = part->bugs.count; i < report->bug_count; i++) {
        const struct engine_bug *found = report->bugs[i];
        uint32_t site = resume_intern_site(explore, found->site, found->site_count);
        struct found_bug *bug =
            findings_find(explore, bug_kind_by_name(found->kind), bug_fault_by_name(found->fault), site,
                          vm_user_site(explore->vm, site));
        vec_push(&part->bugs, ((struct part_bug){(uint32_t)(bug - explore->bugs.at), 0}));
    }
    for (uint32_t i = 0; i < report->bug_count; i++) {
        struct part_bug *own = &part->bugs.at[i];
        explore->bugs.at[own->bug].paths += report->bugs[i]->paths - own->paths;
        own->paths = report->bugs[i]->paths;
    }
}

static const struct finding *finding_of(const struct checkpoint *report, const struct test_case *test) {
    for (uint32_t i = 0; i < report->finding_count; i++)
        if (report->findings[i]->test == test->number) return report->findings[i];
    return NULL;
}

// Makes this test represent the bug.
static void show_bug(struct explore *explore, struct found_bug *bug, const struct engine_bug *found,
                     const struct finding *from, const struct test_case *test) {
    bug->site = resume_intern_site(explore, found->site, found->site_count);
    bug->user_site = vm_user_site(explore->vm, bug->site);
    bug->test = explore_next_test_number(explore, test);
    uint32_t number = (uint32_t)(bug - explore->bugs.at) + 1;
    if (!from || !explore->options.findings || number > explore->findings.count + 1) return;
    struct finding finding = *from;
    finding.number = number;
    finding.test = bug->test;
    finding.paths = bug->paths;
    finding.occurrences = bug->stacks.count;
    finding.hash = finding_fingerprint(&finding); // the part made it unique among its own findings
    findings_put(explore, &finding);
}

// Whether the whole run wants the test, too. Reports the finding that the test is the first to show.
static bool is_wanted_bug(struct explore *explore, struct explore_part *part, const struct checkpoint *report,
                          struct test_case *test) {
    const struct engine_bug *found = report->bugs[test->finding - 1];
    struct found_bug *bug = &explore->bugs.at[part->bugs.at[test->finding - 1].bug];
    const struct finding *finding = finding_of(report, test);
    bool wanted = explore->options.emit == EMIT_ALL;
    uint32_t before = bug->tests;
    test->finding = (uint32_t)(bug - explore->bugs.at) + 1;
    struct occurrence at = {test->stack, test->caller, test->frames};
    if (findings_note_occurrence(explore, bug, &at, &wanted)) show_bug(explore, bug, found, finding, test);
    if (bug->tests > before) findings_note_target(explore, bug);
    // A correct worker describes a bug with the first test that shows it.
    return wanted && (!explore->options.findings || test->finding <= explore->findings.count);
}

static bool reaches_something(const struct explore *explore, const struct checkpoint *report,
                              uint32_t number) {
    uint32_t count;
    const struct target_result *results = reach_results(explore->reach, &count);
    for (uint32_t i = 0; i < report->target_count; i++) {
        const struct target_status *target = report->targets[i];
        if (target->reached && target->test == number && target->number < count &&
            results[target->number].outcome != TARGET_REACHED)
            return true;
    }
    return false;
}

static bool is_wanted(struct explore *explore, struct explore_part *part, const struct checkpoint *report,
                      struct test_case *test) {
    if (test->outcome == TEST_BUG) return is_wanted_bug(explore, part, report, test);
    if (test->outcome == TEST_REACHED) return reaches_something(explore, report, test->number);
    return explore->options.emit != EMIT_NEW || explore->options.emit_changed || test->fresh_count;
}

static void add_tests(struct explore *explore, struct explore_part *part, const struct checkpoint *report) {
    for (uint32_t i = 0; i < report->test_count; i++) {
        struct test_case test = *report->tests[i];
        uint32_t *fresh = NEW_ARRAY(uint32_t, test.fresh_count), given = test.fresh_count;
        if (given) memcpy(fresh, test.fresh, given * sizeof *fresh);
        test.fresh = fresh;
        test.fresh_count = explore_uncovered_items(explore, fresh, given);
        test.seconds = explore->result.seconds;
        bool wanted = is_wanted(explore, part, report, &test);
        if (wanted) explore_put_test(explore, &test);
        vec_push(&part->tests, wanted ? test.number : 0);
        DELETE_ARRAY(fresh, given);
    }
    for (uint32_t i = 0; i < report->bug_count; i++)
        findings_add_hashes(explore, &explore->bugs.at[part->bugs.at[i].bug], report->bugs[i]);
}

static void add_targets(struct explore *explore, const struct explore_part *part,
                        const struct checkpoint *report) {
    uint32_t count;
    const struct target_result *results = reach_results(explore->reach, &count);
    for (uint32_t i = 0; i < report->target_count; i++) {
        const struct target_status *target = report->targets[i];
        if (target->number >= count) continue;
        uint32_t test =
            target->test && target->test <= part->tests.count ? part->tests.at[target->test - 1] : 0;
        if (target->no_way) reach_learn(explore->reach, target->number, false, false, true);
        if (target->reached && test && results[target->number].outcome != TARGET_REACHED)
            reach_found(explore->reach, target->number, test, explore->result.seconds,
                        explore->result.counts.instructions);
    }
}

// ---- incompleteness

static void note_why(struct explore *explore, const char *what) {
    if (explore->dropped_by != END_COMPLETE) return;
    explore->dropped_by = explore_why_dropped(what);
    if (explore->dropped_by == END_MEMORY)
        user_warning("--max-memory is reached: states are dropped, so not every path will be explored");
}

static void add_given_up(struct explore *explore, struct explore_part *part,
                         const struct checkpoint *report) {
    for (uint32_t i = 0; i < report->incomplete_count; i++) {
        const struct incompleteness *one = report->incomplete[i];
        if (i == part->given_up.count) vec_push(&part->given_up, 0);
        uint64_t more = one->count - part->given_up.at[i];
        if (!more) continue;
        ledger_note(&explore->ledger, one->what, resume_intern_site(explore, one->site, one->site_count),
                    one->lost, more);
        note_why(explore, one->what);
        part->given_up.at[i] = one->count;
    }
}

// ---- all of it

void explore_merge_begin(struct explore *explore) {
    assert(!explore->begun && !explore->options.empty);
    explore->begun = explore->merges = true;
    explore->started = explore->last_progress = clock_seconds();
    limits_begin(explore->options.max_time);
}

bool explore_merge(struct explore *explore, struct explore_part *part, const struct checkpoint *report,
                   struct text *problem) {
    assert(explore->merges);
    const char *wrong = problem_of(explore, part, report);
    if (wrong) {
        text_add(problem, "%s", wrong);
        return false;
    }
    add_status(explore, part, report->status);
    add_bugs(explore, part, report);
    add_tests(explore, part, report);
    add_targets(explore, part, report);
    add_given_up(explore, part, report);
    add_coverage(explore, report->coverage);
    add_deferred(explore, part, report->coverage);
    return true;
}

void explore_merge_states(struct explore *explore, uint64_t states) {
    explore->result.counts.states = states;
    explore->result.counts.most_states = MAX(explore->result.counts.most_states, states);
}

void explore_merge_waiting(struct explore *explore, const struct frontier_entry *entry, bool waits) {
    if (!entry->pending_block) return;
    if (waits)
        vm_defer(explore->vm, entry->pending_block);
    else
        vm_pending_decided(explore->vm, entry->pending_block);
}

bool explore_merge_at_limit(struct explore *explore) { return explore_at_limit(explore); }

void explore_merge_lost(struct explore *explore, const char *what, uint64_t count) {
    ledger_note(&explore->ledger, what, 0, true, count);
}

static void renumber(uint32_t *test, const uint32_t *numbers, uint32_t count) {
    if (*test && *test <= count) *test = numbers[*test];
}

void explore_renumber(struct explore *explore, const uint32_t *numbers, uint32_t count) {
    assert(count == explore->result.counts.tests && !explore->written.count);
    vec_each (struct found_bug, bug, &explore->bugs) renumber(&bug->test, numbers, count);
    vec_each (struct finding, finding, &explore->findings) renumber(&finding->test, numbers, count);
    if (explore->reach) reach_renumber(explore->reach, numbers, count);
}

bool explore_merge_checkpoint(struct explore *explore, const struct frontier_entry *entries, uint32_t count,
                              const struct shared_position *position, struct text *to) {
    struct message_writer *stream = message_writer_new(to);
    tell_everything(explore, stream);
    if (position) message_write(stream, MESSAGE_POSITION, position);
    for (uint32_t i = 0; i < count; i++) message_write(stream, MESSAGE_FRONTIER, &entries[i]);
    message_writer_end(stream);
    return true;
}

void explore_merge_end(struct explore *explore, struct frontier_entry *left, uint32_t count,
                       struct arena *arena, enum explore_end why, bool unbegun) {
    uint64_t taken = explore->result.counts.taken;
    explore->result.counts.states = 0;
    for (uint32_t i = 0; i < count; i++) explore_merge_waiting(explore, &left[i], false);
    if (count)
        exchange_take_entries(explore, left, count, arena); // their branches count as undecided again
    else
        arena_free(arena);
    explore->result.counts.taken = taken;
    if (unbegun) seeds_start_states(explore);
    explore_at_limit(explore); // updates the clocks
    if (why != END_COMPLETE) explore->result.end = why;
    if (!explore->result.counts.states) explore->result.end = explore->dropped_by;
    explore->seconds_before = explore->result.seconds;
    explore_note_contradiction(explore);
    explore_end_targets(explore);
}
