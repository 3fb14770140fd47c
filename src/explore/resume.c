// States received as decisions: from a checkpoint, or from another exploration (explore_take).
//
// A state that is being rebuilt represents a range of entries with a common prefix of decisions. When it is picked it
// replays that prefix, without queries, and stops where the entries diverge. There it is forked into one state for each
// part of the range. So a common prefix is executed once, and only when the strategy picks it. The state of a single
// entry becomes an ordinary state after its last decision.
#include "explore/explore_int.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "explore/checkpoint.h"
#include "explore/frontier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Entries that were received together.
struct resume_batch {
    struct arena *arena; // memory of the entries; NULL: they outlive the exploration
    uint32_t left;       // entries whose states are not rebuilt yet
};

struct resume_range {
    struct resume_batch *batch;
    const struct frontier_entry *entries;
    uint32_t count;
};

struct resume {
    struct map rebuilding; // state number -> struct resume_range *
    bool reported;
};

static struct resume_range *range_of(const struct explore *explore, const struct state *state) {
    uint64_t *found = map_get(&explore->resume->rebuilding, state->number);
    return found ? (struct resume_range *)(uintptr_t)*found : NULL; // NOLINT(performance-no-int-to-ptr)
}

static void guide(struct explore *explore, const struct state *state, struct resume_range range) {
    assert(range.count);
    struct resume_range *own = range_of(explore, state);
    if (!own) {
        own = NEW(struct resume_range);
        *map_put(&explore->resume->rebuilding, state->number) = (uintptr_t)own;
    }
    *own = range;
}

static void release(struct resume_batch *batch, uint32_t count) {
    assert(count <= batch->left);
    batch->left -= count;
    if (batch->left) return;
    arena_free(batch->arena);
    DELETE(batch);
}

// Called when the state is rebuilt or dropped: it no longer represents entries.
static void end_rebuilding(struct explore *explore, const struct state *state) {
    struct resume_range *range = range_of(explore, state);
    assert(range && range->count > 0);
    map_remove(&explore->resume->rebuilding, state->number);
    release(range->batch, range->count);
    DELETE(range);
}

bool resume_is_rebuilding(const struct explore *explore, const struct state *state) {
    return range_of(explore, state) != NULL;
}

uint32_t resume_entries(const struct explore *explore, const struct state *state,
                        const struct frontier_entry **entries) {
    const struct resume_range *range = range_of(explore, state);
    if (!range) return 0;
    *entries = range->entries;
    return range->count;
}

uint32_t resume_represented_states(const struct explore *explore, const struct state *state) {
    const struct resume_range *range = range_of(explore, state);
    return range ? range->count : 1;
}

void resume_forget(struct explore *explore, const struct state *state) {
    const struct resume_range *range = range_of(explore, state);
    if (!range) return;
    assert(explore->result.counts.states >= range->count - 1);
    explore->result.counts.states -= range->count - 1;
    end_rebuilding(explore, state);
}

bool resume_shorten(struct explore *explore, const struct state *state, uint32_t count) {
    struct resume_range *range = range_of(explore, state);
    if (!range) return false;
    assert(count <= range->count);
    if (count == range->count) {
        explore->result.counts.states -= count - 1;
        end_rebuilding(explore, state);
        return false;
    }
    range->count -= count;
    explore->result.counts.states -= count;
    release(range->batch, count);
    return true;
}

// ---- the start

uint32_t resume_intern_site(struct explore *explore, const uint32_t *site, uint32_t count) {
    uint32_t number = 0;
    for (uint32_t i = count / 2; i-- > 0;)
        number = site_intern(vm_sites(explore->vm), (struct site){number, site[2 * i], site[2 * i + 1]});
    return number;
}

static void restore_findings(struct explore *explore, const struct checkpoint *checkpoint) {
    for (uint32_t i = 0; i < checkpoint->finding_count; i++)
        findings_restore(explore, checkpoint->findings[i]);
    for (uint32_t i = 0; i < checkpoint->bug_count; i++) {
        const struct engine_bug *found = checkpoint->bugs[i];
        findings_restore_bug(explore, found, resume_intern_site(explore, found->site, found->site_count));
    }
    for (uint32_t i = 0; i < checkpoint->incomplete_count; i++) {
        const struct incompleteness *one = checkpoint->incomplete[i];
        ledger_note(&explore->ledger, one->what, resume_intern_site(explore, one->site, one->site_count),
                    one->lost, one->count);
    }
}

// Restores the targets that were reached. The run searches for all others again.
static void restore_targets(struct explore *explore, const struct checkpoint *checkpoint) {
    uint32_t count;
    reach_results(explore->reach, &count);
    for (uint32_t i = 0; i < checkpoint->target_count; i++) {
        const struct target_status *one = checkpoint->targets[i];
        if (one->number < count && one->reached)
            reach_found(explore->reach, one->number, one->test, one->seconds, one->instructions);
    }
}

// Sets the entry's bytes as the state's model.
static void set_model(struct explore *explore, struct state *state, const struct frontier_entry *entry) {
    const uint8_t *bytes = entry->model;
    assert(state->path && !state->waiting.condition);
    for (uint32_t i = 0; i < entry->input_count; i++) {
        const struct frontier_input *input = &entry->inputs[i];
        uint32_t number = inputs_get(vm_inputs(explore->vm), frontier_input_id(input), input->size);
        for (uint32_t k = 0; k < input->size; k++)
            path_set_default(state->path, terms_input_var(explore->terms, number, k), *bytes++);
    }
    assert(bytes == entry->model + entry->model_size); // checked by frontier_problem
    path_use_defaults(explore->solver, state->path);
}

void resume_open(struct explore *explore) { explore->resume = NEW(struct resume); }

// ---- counters

static void restore_status(struct explore *explore, const struct run_status *from) {
    struct explore_result *result = &explore->result;
    result->counts = from->counts;
    result->counts.states = 0;
    result->counts.given = result->counts.taken = 0; // a checkpoint has all states of its run
    result->seconds = explore->seconds_before = from->seconds;
    result->work_seconds = explore->work_before = from->work_seconds;
    result->solver_seconds = from->solver_seconds;
    result->search_seconds = from->search_seconds;
    result->infeasible_seconds = from->infeasible_seconds;
    solver_restore_statistics(explore->solver, &from->solver);
    vm_restore_counters(explore->vm, &from->symbolic);
}

static void set_bytes(uint8_t *bytes, const uint32_t *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) bytes[items[i]] = 1;
}

static void restore_coverage(struct explore *explore, const struct coverage_delta *from) {
    const struct ir_program *program = explore->program;
    struct arena *arena = arena_new();
    uint8_t *edges = arena_alloc(arena, program->edge_count),
            *decided = arena_alloc(arena, program->edge_count);
    uint8_t *functions = arena_alloc(arena, program->function_count);
    uint8_t *positions = arena_alloc(arena, program->position_count + 1);
    uint32_t *waiting = ARENA_ARRAY(arena, uint32_t, program->block_count);
    set_bytes(positions, from->positions, from->position_count);
    set_bytes(edges, from->edges, from->edge_count);
    set_bytes(decided, from->symbolic, from->symbolic_count);
    set_bytes(functions, from->functions, from->function_count);
    set_bytes(explore->covered_by_test, from->tested, from->tested_count);
    for (uint32_t i = 0; i < from->deferred_count; i++) waiting[from->deferred[i]] = from->waiting[i];
    vm_restore_coverage(explore->vm, edges, decided, waiting, functions, positions);
    arena_free(arena);
}

// Restores the reason for which the interrupted run dropped its first states. Tamar never writes a checkpoint that
// counts dropped states without a reason; for such a checkpoint the reason is END_REBUILDING.
static void restore_dropped(struct explore *explore, const struct checkpoint *checkpoint) {
    if (!explore->result.counts.killed) return;
    for (uint32_t i = 0; i < checkpoint->incomplete_count && explore->dropped_by == END_COMPLETE; i++)
        explore->dropped_by = explore_why_dropped(checkpoint->incomplete[i]->what);
    if (explore->dropped_by == END_COMPLETE) explore->dropped_by = END_REBUILDING;
}

// Restores everything but the states, so that results are complete before the run continues.
void resume_restore(struct explore *explore) {
    const struct checkpoint *checkpoint = explore->options.resume;
    restore_status(explore, checkpoint->status);
    restore_coverage(explore, checkpoint->coverage);
    restore_dropped(explore, checkpoint);
    restore_findings(explore, checkpoint);
    restore_targets(explore, checkpoint);
}

// ---- states

static uint64_t newest(const struct frontier_entry *entries, uint32_t count) {
    uint64_t number = 0;
    for (uint32_t i = 0; i < count; i++) number = MAX(number, entries[i].number);
    return number;
}

void resume_add(struct explore *explore, struct frontier_entry *entries, uint32_t total,
                struct arena *arena) {
    struct resume_batch *batch = NEW(struct resume_batch);
    *batch = (struct resume_batch){arena, total};
    assert(total);
    for (uint32_t first = 0, count; first < total; first += count) {
        const struct frontier_entry *entry = &entries[first];
        for (count = 1; first + count < total; count++)
            if (entries[first + count].environment != entry->environment) break;
        struct state *state = vm_start(explore->vm, &explore->options.environments[entry->environment]);
        state->start.environment = entry->environment;
        set_model(explore, state, entry);
        guide(explore, state, (struct resume_range){batch, entry, count});
        explore_add_state(explore, state, NULL);
        if (explore->reach) reach_add_initial(explore->reach, state);
        explore->result.counts.states += count - 1;
    }
}

void resume_start(struct explore *explore) {
    const struct checkpoint *checkpoint = explore->options.resume;
    vm_number_from(explore->vm, newest(checkpoint->entries, checkpoint->entry_count) + 1);
    if (checkpoint->entry_count) resume_add(explore, checkpoint->entries, checkpoint->entry_count, NULL);
}

// All states must have been dropped.
void resume_free(struct explore *explore) {
    assert(!explore->resume->rebuilding.count);
    map_free(&explore->resume->rebuilding);
    DELETE(explore->resume);
}

// ---- rebuilding

// Length of the common prefix of the decisions in the range, which is sorted.
static uint32_t common_decisions(const struct resume_range *range) {
    const struct frontier_entry *a = range->entries, *b = a + range->count - 1;
    assert(a->environment == b->environment);
    uint32_t count = 0;
    while (count < a->decision_count && count < b->decision_count &&
           a->decisions[count] == b->decisions[count])
        count++;
    return count;
}

// Counts the entries at the start of the range with the same next decision. An entry that ends here is a separate
// part.
static uint32_t same_way(const struct frontier_entry *entries, uint32_t count, uint32_t common) {
    uint32_t some = 1;
    assert(entries[0].decision_count >= common);
    if (entries[0].decision_count == common) return 1;
    while (some < count && entries[some].decisions[common] == entries[0].decisions[common]) some++;
    return some;
}

static int by_age(const void *a, const void *b) {
    const struct resume_range *x = a, *y = b;
    uint64_t first = newest(x->entries, x->count), second = newest(y->entries, y->count);
    return first < second ? -1 : first > second;
}

// Adds the parts in the order of their newest states, so that strategies that use creation order (dfs,
// bfs) see the order of the interrupted run.
static void divide(struct explore *explore, struct state *state, struct resume_range range, uint32_t common) {
    vec(struct resume_range) parts = {0};
    for (uint32_t at = 0, some; at < range.count; at += some) {
        some = same_way(&range.entries[at], range.count - at, common);
        vec_push(&parts, ((struct resume_range){range.batch, &range.entries[at], some}));
    }
    assert(parts.count > 1); // the entries diverge here
    qsort(parts.at, parts.count, sizeof *parts.at, by_age);
    guide(explore, state, parts.at[0]);
    for (uint32_t i = 1; i < parts.count; i++) {
        struct state *child = vm_fork(explore->vm, state);
        set_model(explore, child, parts.at[i].entries);
        guide(explore, child, parts.at[i]);
        explore_add_state(explore, child, state);
        explore->result.counts.states--; // it was counted among the entries of the parent
    }
    set_model(explore, state, parts.at[0].entries);
    vec_free(&parts);
}

// Restores the data that does not follow from the decisions. During rebuilding a state covers nothing new
// and does not fork.
static void restore_rest(struct state *state, const struct frontier_entry *entry) {
    state->fork.depth = entry->depth;
    state->coverage.progress = entry->progress;
    state->incomplete = entry->incomplete;
    state_reports_restore(state, entry->decision_count, entry->reports);
    state->seed.follows = entry->follows;
    shared_list_free(state->coverage.fresh);
    state->coverage.fresh = (struct shared_list){0};
    for (uint32_t i = 0; i < entry->fresh_count; i++)
        shared_list_add(&state->coverage.fresh, entry->fresh[i]);
    assert(shared_list_count(state->coverage.fresh) == entry->fresh_count);
}

static void lose(struct explore *explore, struct state *state) {
    if (!explore->resume->reported)
        user_warning("a path of the interrupted run could not be rebuilt: it is dropped");
    explore->resume->reported = true;
    explore_note_dropped(explore, state, END_REBUILDING);
    explore_drop_state(explore, state);
}

// Rebuilds a pending state: the last decision of the entry becomes its pending condition.
static void follow_to_pending(struct explore *explore, struct state *state,
                              const struct frontier_entry *entry, uint64_t budget) {
    uint32_t done = shared_list_count(state->history.decisions);
    vm_follow_pending(explore->vm, entry->decisions + done, entry->decision_count - done);
    enum vm_event event = explore_run_state(explore, state, budget);
    if (event == VM_BUDGET && !vm_follow_stopped(explore->vm)) return; // not there yet
    if (event != VM_BUDGET || !state->waiting.condition || state->waiting.block != entry->pending_block) {
        lose(explore, state);
        return;
    }
    assert(shared_list_count(state->history.decisions) == entry->decision_count);
    restore_rest(state, entry);
    state->instructions = entry->instructions;
    vm_pending_decided(explore->vm, entry->pending_block); // the interrupted run has counted it
    end_rebuilding(explore, state);
}

// Replays the decisions of a single entry. Returns true when they are done and the caller must handle the
// event; *beyond is then the number of instructions executed after the last decision.
static bool follow_entry(struct explore *explore, struct state *state, const struct frontier_entry *entry,
                         uint64_t budget, enum vm_event *event, uint64_t *beyond) {
    uint32_t done = shared_list_count(state->history.decisions);
    if (done > entry->decision_count || (entry->pending && done == entry->decision_count)) {
        lose(explore, state);
        return false;
    }
    if (entry->pending) {
        follow_to_pending(explore, state, entry, budget);
        return false;
    }
    restore_rest(state, entry);
    vm_follow(explore->vm, entry->decisions + done, entry->decision_count - done);
    *event = explore_run_state(explore, state, budget);
    if (!vm_follow_left(explore->vm)) {
        if (state->instructions > entry->instructions) { // the interrupted run counted the others
            *beyond = state->instructions - entry->instructions;
            explore->result.counts.instructions += *beyond;
        }
        end_rebuilding(explore, state);
        return true;
    }
    if (*event != VM_BUDGET) lose(explore, state);
    return false;
}

static void follow_range(struct explore *explore, struct state *state, struct resume_range range,
                         uint64_t budget) {
    uint32_t common = common_decisions(&range), done = shared_list_count(state->history.decisions);
    if (done <= common) {
        vm_follow_until(explore->vm, range.entries->decisions + done, common - done);
        enum vm_event event = explore_run_state(explore, state, budget);
        if (event == VM_BUDGET) {
            if (vm_follow_stopped(explore->vm)) divide(explore, state, range, common);
            return;
        }
    }
    lose(explore, state);
}

// Adds the processor time of a step that began at `began` and executed `all` instructions, `beyond` of them for the
// first time. The share of the instructions alone would be too little: before the last decision they are symbolic, and
// slow.
static void note_time(struct explore *explore, double began, uint64_t all, uint64_t beyond) {
    double seconds = clock_processor_seconds() - began, rebuilding = seconds;
    if (all) {
        double used_up = vm_follow_used_up(explore->vm);
        rebuilding = seconds * (double)(all - MIN(all, beyond)) / (double)all;
        if (used_up > 0) rebuilding = fmin(seconds, fmax(rebuilding, used_up - began));
    }
    explore->result.rebuilding_seconds += rebuilding;
}

bool resume_step(struct explore *explore, struct state *state, uint64_t budget, enum vm_event *event) {
    const struct resume_range *range = range_of(explore, state);
    uint64_t before = state->instructions, all = 0, beyond = 0;
    double began = clock_processor_seconds();
    bool counts = false;
    assert(range);
    if (range->count == 1)
        counts = follow_entry(explore, state, range->entries, budget, event, &beyond);
    else
        follow_range(explore, state, *range, budget);
    if (counts) all = state->instructions - before; // otherwise the state may be gone
    note_time(explore, began, all, beyond);
    vm_follow(explore->vm, NULL, 0);
    return counts;
}
