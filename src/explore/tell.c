// Reports the changes since the last report, as messages.
#include "explore/explore_int.h"
#include "explore/render.h"
#include "message/stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef vec(uint64_t) reported_counts; // per entry of a list; 0: not reported

// Coverage that was reported: per edge, per function, per position, per item of a test.
struct reported_coverage {
    uint8_t *edges, *symbolic, *functions, *positions, *tested;
};

struct reported {
    bool anything;
    struct reported_coverage coverage; // to the callback
    struct reported_coverage part;     // by tell_part, with the option reports_news
    uint8_t *live;                     // current positions
    uint32_t *deferred;                // reported counts of pending states, per block
    uint32_t findings;                 // number of findings reported
    reported_counts bugs, given_up;    // reported counts of bugs and of ledger entries
};

// Destination of messages: a stream, which gets everything, or the callback on_message, which gets only the
// changes.
struct telling {
    struct explore *explore;
    struct arena *arena;
    struct message_writer *stream; // NULL: the callback
};

void tell(struct explore *explore, enum message_kind kind, const void *body) {
    struct message message = {.kind = kind, .body = body};
    if (kind == MESSAGE_FINDING)
        explore->reported->findings =
            MAX(explore->reported->findings, ((const struct finding *)body)->number);
    if (explore->options.on_message) explore->options.on_message(explore->options.context, &message);
}

static void say(struct telling *telling, enum message_kind kind, const void *body) {
    if (telling->stream)
        message_write(telling->stream, kind, body);
    else
        tell(telling->explore, kind, body);
}

static void open_coverage(struct reported_coverage *coverage, const struct ir_program *program) {
    coverage->edges = NEW_ARRAY(uint8_t, program->edge_count);
    coverage->symbolic = NEW_ARRAY(uint8_t, program->edge_count);
    coverage->functions = NEW_ARRAY(uint8_t, program->function_count);
    coverage->positions = NEW_ARRAY(uint8_t, program->position_count + 1);
    coverage->tested = NEW_ARRAY(uint8_t, cover_item_count(program));
}

static void close_coverage(struct reported_coverage *coverage, const struct ir_program *program) {
    if (!coverage->edges) return;
    DELETE_ARRAY(coverage->edges, program->edge_count);
    DELETE_ARRAY(coverage->symbolic, program->edge_count);
    DELETE_ARRAY(coverage->functions, program->function_count);
    DELETE_ARRAY(coverage->positions, program->position_count + 1);
    DELETE_ARRAY(coverage->tested, cover_item_count(program));
}

void tell_open(struct explore *explore) {
    const struct ir_program *program = explore->program;
    struct reported *reported = explore->reported = NEW(struct reported);
    open_coverage(&reported->coverage, program);
    reported->live = NEW_ARRAY(uint8_t, program->position_count + 1);
    reported->deferred = NEW_ARRAY(uint32_t, program->block_count);
}

void tell_close(struct explore *explore) {
    const struct ir_program *program = explore->program;
    close_coverage(&explore->reported->coverage, program);
    close_coverage(&explore->reported->part, program);
    DELETE_ARRAY(explore->reported->live, program->position_count + 1);
    DELETE_ARRAY(explore->reported->deferred, program->block_count);
    vec_free(&explore->reported->bugs);
    vec_free(&explore->reported->given_up);
    DELETE(explore->reported);
}

// ---- coverage

#define STRIDE 64u // bytes compared at once

// Lists the indices that are set in `now` but not in `before`, and sets them in `before`.
static const uint32_t *newly_set(struct arena *arena, const uint8_t *now, uint8_t *before, uint32_t size,
                                 uint32_t *count) {
    vec(uint32_t) items = {0};
    for (uint32_t start = 0; start < size; start += STRIDE) {
        uint32_t end = MIN(size, start + STRIDE);
        if (!memcmp(now + start, before + start, end - start)) continue;
        for (uint32_t i = start; i < end; i++) {
            if (!now[i] || before[i]) continue;
            before[i] = now[i];
            vec_push(&items, i);
        }
    }
    *count = items.count;
    const uint32_t *copy = arena_memdup(arena, items.at, items.count * sizeof *items.at);
    vec_free(&items);
    return copy;
}

static const uint32_t *all_set(struct arena *arena, const uint8_t *bytes, uint32_t size, uint32_t *count) {
    uint32_t set = 0;
    *count = 0;
    for (uint32_t i = 0; i < size; i++) set += bytes[i] != 0;
    uint32_t *items = ARENA_ARRAY(arena, uint32_t, set);
    for (uint32_t i = 0; *count < set; i++)
        if (bytes[i]) items[(*count)++] = i;
    return items;
}

static void add_deferred(struct arena *arena, const uint32_t *waiting, uint32_t blocks,
                         struct coverage_delta *delta) {
    uint32_t some = 0;
    for (uint32_t i = 0; i < blocks; i++) some += waiting[i] != 0;
    uint32_t *items = ARENA_ARRAY(arena, uint32_t, some), *counts = ARENA_ARRAY(arena, uint32_t, some);
    for (uint32_t i = 0; delta->deferred_count < some; i++) {
        if (!waiting[i]) continue;
        items[delta->deferred_count++] = i;
        counts[delta->waiting_count++] = waiting[i];
    }
    delta->deferred = items;
    delta->waiting = counts;
}

static void tell_coverage(struct telling *telling) {
    struct explore *explore = telling->explore;
    const struct ir_program *program = explore->program;
    struct reported *reported = explore->reported;
    struct vm *vm = explore->vm;
    struct coverage_delta delta = {0};
    delta.edges = newly_set(telling->arena, vm_edges_seen(vm), reported->coverage.edges, program->edge_count,
                            &delta.edge_count);
    delta.symbolic = newly_set(telling->arena, vm_edges_decided(vm), reported->coverage.symbolic,
                               program->edge_count, &delta.symbolic_count);
    delta.functions = newly_set(telling->arena, vm_functions_seen(vm), reported->coverage.functions,
                                program->function_count, &delta.function_count);
    vm_live_positions(vm, reported->live);
    delta.positions = newly_set(telling->arena, reported->live, reported->coverage.positions,
                                program->position_count + 1, &delta.position_count);
    size_t size = program->block_count * sizeof *reported->deferred;
    bool same = !size || !memcmp(reported->deferred, vm_pending_per_block(vm), size);
    if (!delta.edge_count && !delta.symbolic_count && !delta.function_count && !delta.position_count &&
        same && reported->anything)
        return;
    if (size) memcpy(reported->deferred, vm_pending_per_block(vm), size);
    add_deferred(telling->arena, reported->deferred, program->block_count, &delta);
    if (!reported->anything) // tests of an interrupted run that is being resumed
        delta.tested =
            all_set(telling->arena, explore->covered_by_test, cover_item_count(program), &delta.tested_count);
    say(telling, MESSAGE_COVERAGE, &delta);
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static const uint32_t *unfound_tests(const struct explore *explore, struct arena *arena, uint32_t *count) {
    const struct map *written = &explore->written;
    uint32_t *numbers = ARENA_ARRAY(arena, uint32_t, written->count);
    *count = 0;
    for (uint32_t i = 0; i < written->capacity; i++)
        if (written->keys[i] != UINT64_MAX) numbers[(*count)++] = (uint32_t)written->values[i];
    assert(*count == written->count);
    if (*count) qsort(numbers, *count, sizeof *numbers, by_number);
    return numbers;
}

// The state of pending branches is always whole: their counts fall as well.
static void tell_part_coverage(struct telling *telling) {
    struct explore *explore = telling->explore;
    const struct ir_program *program = explore->program;
    struct reported_coverage *reported = &explore->reported->part;
    struct vm *vm = explore->vm;
    struct coverage_delta news = {0};
    if (!reported->edges) open_coverage(reported, program);
    news.edges =
        newly_set(telling->arena, vm_edges_seen(vm), reported->edges, program->edge_count, &news.edge_count);
    news.symbolic = newly_set(telling->arena, vm_edges_decided(vm), reported->symbolic, program->edge_count,
                              &news.symbolic_count);
    news.functions = newly_set(telling->arena, vm_functions_seen(vm), reported->functions,
                               program->function_count, &news.function_count);
    news.positions = newly_set(telling->arena, vm_positions_seen(vm), reported->positions,
                               program->position_count + 1, &news.position_count);
    news.tested = newly_set(telling->arena, explore->covered_by_test, reported->tested,
                            cover_item_count(program), &news.tested_count);
    news.unfound = unfound_tests(explore, telling->arena, &news.unfound_count);
    add_deferred(telling->arena, vm_pending_per_block(vm), program->block_count, &news);
    say(telling, MESSAGE_COVERAGE, &news);
}

static void tell_all_coverage(struct telling *telling) {
    struct explore *explore = telling->explore;
    const struct ir_program *program = explore->program;
    struct vm *vm = explore->vm;
    struct coverage_delta all = {0};
    all.edges = all_set(telling->arena, vm_edges_seen(vm), program->edge_count, &all.edge_count);
    all.symbolic = all_set(telling->arena, vm_edges_decided(vm), program->edge_count, &all.symbolic_count);
    all.functions =
        all_set(telling->arena, vm_functions_seen(vm), program->function_count, &all.function_count);
    all.positions =
        all_set(telling->arena, vm_positions_seen(vm), program->position_count + 1, &all.position_count);
    all.tested =
        all_set(telling->arena, explore->covered_by_test, cover_item_count(program), &all.tested_count);
    all.unfound = unfound_tests(explore, telling->arena, &all.unfound_count);
    add_deferred(telling->arena, vm_pending_per_block(vm), program->block_count, &all);
    say(telling, MESSAGE_COVERAGE, &all);
}

// ---- status

static uint64_t peak_memory(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) ? 0 : (uint64_t)usage.ru_maxrss << 10;
}

static void tell_status(struct telling *telling, bool end) {
    const struct explore_result *result = explore_result(telling->explore);
    struct run_status status = {.seconds = result->seconds,
                                .work_seconds = result->work_seconds,
                                .solver_seconds = result->solver_seconds,
                                .search_seconds = result->search_seconds,
                                .infeasible_seconds = result->infeasible_seconds,
                                .end = end ? explore_end_names[result->end] : NULL,
                                .explored = end && result->end == END_COMPLETE,
                                .complete = end && result->complete,
                                .peak_memory = peak_memory() + telling->explore->other_memory,
                                .counts = result->counts,
                                .symbolic = *vm_counters(telling->explore->vm),
                                .solver = *solver_statistics(telling->explore->solver)};
    say(telling, MESSAGE_STATUS, &status);
}

// ---- lists

// Whether entry `index`, which now has this count, must be reported; marks it as reported.
static bool is_news(const struct telling *telling, reported_counts *reported, uint32_t index,
                    uint64_t count) {
    if (telling->stream) return true;
    assert(index <= reported->count && count > 0);
    if (index == reported->count) vec_push(reported, 0);
    assert(reported->at[index] <= count); // counts only grow
    bool news = reported->at[index] != count;
    reported->at[index] = count;
    return news;
}

// Splits 64-bit numbers into pairs of 32-bit ones.
static const uint32_t *halves(struct arena *arena, const bug_hashes *hashes, uint32_t *count) {
    uint32_t *words = ARENA_ARRAY(arena, uint32_t, 2 * hashes->count);
    for (uint32_t i = 0; i < hashes->count; i++) {
        words[2 * i] = (uint32_t)hashes->at[i];
        words[2 * i + 1] = (uint32_t)(hashes->at[i] >> 32);
    }
    *count = 2 * hashes->count;
    return words;
}

static void tell_bugs(struct telling *telling) {
    struct explore *explore = telling->explore;
    for (uint32_t i = 0; i < explore->bugs.count; i++) {
        const struct found_bug *bug = &explore->bugs.at[i];
        if (!is_news(telling, &explore->reported->bugs, i, bug->paths)) continue;
        struct engine_bug found = {.number = i + 1,
                                   .kind = bug_facts[bug->kind].name,
                                   .fault = bug_fault_names[bug->fault],
                                   .place = render_place(explore->vm, bug->site),
                                   .test = bug->test,
                                   .tests = bug->tests,
                                   .paths = bug->paths};
        found.stacks = halves(telling->arena, &bug->stacks, &found.stack_words);
        found.callers = halves(telling->arena, &bug->callers, &found.caller_words);
        found.site = render_site(telling->arena, explore->vm, bug->site, &found.site_count);
        say(telling, MESSAGE_ENGINE_BUG, &found);
    }
}

// Returns the block, plus 1, that ends with the branch at a site; 0: the site is another operation.
static uint32_t block_at(struct explore *explore, uint32_t number) {
    if (!number) return 0;
    struct site site = site_get(vm_sites(explore->vm), number);
    const struct ir_function *function = &explore->program->functions[site.function];
    assert(site.instruction < function->code_count);
    if (!ir_is_branch(function->code[site.instruction].op)) return 0;
    return function->first_block + ir_block_at(function, site.instruction) + 1;
}

static void tell_given_up(struct telling *telling) {
    struct explore *explore = telling->explore;
    for (uint32_t i = 0; i < explore->ledger.entries.count; i++) {
        const struct given_up *one = &explore->ledger.entries.at[i];
        if (!is_news(telling, &explore->reported->given_up, i, one->count)) continue;
        struct incompleteness entry = {.number = i + 1,
                                       .what = one->what,
                                       .place = render_place(explore->vm, one->site),
                                       .stack = render_stack(telling->arena, explore->vm, one->site, NULL),
                                       .block = block_at(explore, one->site),
                                       .count = one->count,
                                       .lost = one->lost};
        entry.site = render_site(telling->arena, explore->vm, one->site, &entry.site_count);
        say(telling, MESSAGE_INCOMPLETE, &entry);
    }
}

static void tell_targets(struct telling *telling) {
    uint32_t count;
    const struct target_result *targets = reach_results(telling->explore->reach, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct target_result *one = &targets[i];
        struct text obstacle = {0};
        reach_add_obstacle(&obstacle, telling->explore->program, one);
        struct target_status status = {.number = i,
                                       .outcome = reach_outcome_names[one->outcome],
                                       .reached = one->outcome == TARGET_REACHED,
                                       .test = one->test,
                                       .bug = one->bug,
                                       .seconds = one->seconds,
                                       .instructions = one->instructions,
                                       .no_way = one->no_way,
                                       .near = one->nearest != DISTANCE_NONE,
                                       .distance = one->nearest,
                                       .obstacle = obstacle.at};
        say(telling, MESSAGE_TARGET, &status);
        text_free(&obstacle);
    }
}

static void tell_findings(struct telling *telling, uint32_t first) {
    for (uint32_t i = first; i < telling->explore->findings.count; i++)
        say(telling, MESSAGE_FINDING, &telling->explore->findings.at[i]);
}

void explore_tell(struct explore *explore, bool end) {
    struct telling telling = {explore, arena_new(), NULL};
    tell_coverage(&telling);
    tell_findings(&telling, explore->reported->findings); // findings of an earlier run
    tell_bugs(&telling);
    tell_given_up(&telling);
    tell_targets(&telling);
    tell_status(&telling, end);
    explore->reported->anything = true;
    arena_free(telling.arena);
}

void tell_part(struct explore *explore, struct message_writer *stream, bool end) {
    struct telling telling = {explore, arena_new(), stream};
    tell_status(&telling, end);
    if (explore->options.reports_news)
        tell_part_coverage(&telling);
    else
        tell_all_coverage(&telling);
    tell_bugs(&telling);
    tell_given_up(&telling);
    tell_targets(&telling);
    arena_free(telling.arena);
}

void tell_everything(struct explore *explore, struct message_writer *stream) {
    struct telling telling = {explore, arena_new(), stream};
    tell_status(&telling, false);
    tell_all_coverage(&telling);
    tell_findings(&telling, 0);
    tell_bugs(&telling);
    tell_given_up(&telling);
    tell_targets(&telling);
    arena_free(telling.arena);
}
