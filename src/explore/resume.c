// Taking an exploration up again: the states of the frontier are rebuilt from their decisions.
//
// A guided state stands for a range of the frontier's entries that begin with the same decisions. When it is
// picked it follows what they have in common, without asking the solver, and stops where they part: there it is
// forked, one state for each part. So a common beginning is executed once, and only when the strategy wants it. A
// range of one entry that has reached its last decision is a state like any other.
#include "explore/explore_int.h"

#include "base/error.h"
#include "base/hash.h"
#include "explore/checkpoint.h"

#include <stdlib.h>
#include <string.h>

struct range {
    uint32_t first, count; // of the checkpoint's entries
};

struct resume {
    const struct checkpoint *checkpoint;
    struct map guided; // state number -> first << 32 | count
    bool told;
};

static bool range_of(const struct resume *resume, const struct state *state, struct range *range) {
    uint64_t *found = resume ? map_get(&resume->guided, state->number) : NULL;
    if (found) *range = (struct range){(uint32_t)(*found >> 32), (uint32_t)*found};
    return found;
}

static void guide(struct resume *resume, const struct state *state, struct range range) {
    assert(range.count);
    *map_put(&resume->guided, state->number) = (uint64_t)range.first << 32 | range.count;
}

bool is_guided(const struct explore *explore, const struct state *state) {
    struct range range;
    return range_of(explore->resume, state, &range);
}

uint32_t guided_entries(const struct explore *explore, const struct state *state,
                        const struct frontier_entry **entries) {
    struct range range;
    if (!range_of(explore->resume, state, &range)) return 0;
    *entries = &explore->resume->checkpoint->entries[range.first];
    return range.count;
}

void forget_guided(struct explore *explore, const struct state *state) {
    struct range range;
    if (!range_of(explore->resume, state, &range)) return;
    map_remove(&explore->resume->guided, state->number);
    explore->result.counts.states -= range.count - 1;
    note_dropped(explore, END_MEMORY, range.count - 1);
}

// ---- the start

static uint32_t intern_chain(struct explore *explore, struct site_chain chain) {
    uint32_t number = 0;
    for (uint32_t i = chain.count / 2; i-- > 0;)
        number =
            site_intern(vm_sites(explore->vm), (struct site){number, chain.at[2 * i], chain.at[2 * i + 1]});
    return number;
}

static void restore_findings(struct explore *explore, const struct checkpoint *checkpoint) {
    for (uint32_t i = 0; i < checkpoint->bug_count; i++) {
        struct found_bug bug = checkpoint->bugs[i].bug;
        bug.site = intern_chain(explore, checkpoint->bugs[i].site);
        bug.place = intern_chain(explore, checkpoint->bugs[i].place);
        bug.allocated_at = intern_chain(explore, checkpoint->bugs[i].allocated);
        bug.freed_at = intern_chain(explore, checkpoint->bugs[i].freed);
        bug.message = arena_strdup(explore->texts, bug.message);
        vec_push(&explore->bugs, bug);
    }
    for (uint32_t i = 0; i < checkpoint->given_up_count; i++) {
        const struct checkpoint_given_up *one = &checkpoint->given_up[i];
        ledger_note(&explore->ledger, one->what, intern_chain(explore, one->site), one->lost, one->count);
    }
}

// The entry's bytes as the state's model.
static void set_model(struct explore *explore, struct state *state, const struct frontier_entry *entry) {
    for (uint32_t i = 0; i < entry->input_count; i++) {
        const struct frontier_input *input = &entry->inputs[i];
        uint32_t number = inputs_get(vm_inputs(explore->vm), input->id, input->size);
        for (uint32_t k = 0; k < input->size; k++)
            path_set_default(state->path, terms_input_var(explore->terms, number, k), input->bytes[k]);
    }
    path_use_defaults(explore->solver, state->path);
}

// What was counted and found; at once, so that it can be looked at before the run goes on.
void resume_open(struct explore *explore) {
    const struct checkpoint *checkpoint = explore->options.resume;
    explore->resume = NEW(struct resume);
    explore->resume->checkpoint = checkpoint;
    explore->result = checkpoint->result;
    explore->result.counts.states = 0;
    explore->seconds_before = checkpoint->result.seconds;
    if (explore->result.counts.killed) explore->dropped_by = END_MEMORY;
    solver_restore_statistics(explore->solver, &checkpoint->solver);
    vm_restore_counters(explore->vm, &checkpoint->counts);
    memcpy(explore->claimed, checkpoint->claimed,
           explore->program->edge_count + explore->program->function_count);
    vm_restore_coverage(explore->vm, checkpoint->edges_seen, checkpoint->edges_decided, checkpoint->put_off,
                        checkpoint->functions_seen);
    restore_findings(explore, checkpoint);
}

static uint64_t newest(const struct resume *resume, struct range range) {
    uint64_t number = 0;
    for (uint32_t i = 0; i < range.count; i++)
        number = MAX(number, resume->checkpoint->entries[range.first + i].number);
    return number;
}

void resume_start(struct explore *explore) {
    struct resume *resume = explore->resume;
    const struct checkpoint *checkpoint = resume->checkpoint;
    vm_number_from(explore->vm, newest(resume, (struct range){0, checkpoint->entry_count}) + 1);
    for (uint32_t first = 0, count; first < checkpoint->entry_count; first += count) {
        const struct frontier_entry *entry = &checkpoint->entries[first];
        for (count = 1; first + count < checkpoint->entry_count; count++)
            if (checkpoint->entries[first + count].environment != entry->environment) break;
        struct state *state = vm_start(explore->vm, &explore->options.environments[entry->environment]);
        state->environment = entry->environment;
        set_model(explore, state, entry);
        guide(resume, state, (struct range){first, count});
        add_state(explore, state, NULL);
        explore->result.counts.states += count - 1;
    }
}

void resume_free(struct explore *explore) {
    if (!explore->resume) return;
    map_free(&explore->resume->guided);
    DELETE(explore->resume);
    explore->resume = NULL;
}

// ---- on the way

// Decisions that all entries of the range begin with: they are sorted.
static uint32_t common_decisions(const struct resume *resume, struct range range) {
    const struct frontier_entry *a = &resume->checkpoint->entries[range.first], *b = a + range.count - 1;
    uint32_t count = 0;
    while (count < a->decision_count && count < b->decision_count &&
           a->decisions[count] == b->decisions[count])
        count++;
    return count;
}

// The entries at the range's beginning that go on with the same decision; one that ends here is for itself.
static uint32_t same_way(const struct frontier_entry *entries, uint32_t count, uint32_t common) {
    uint32_t some = 1;
    if (entries[0].decision_count == common) return 1;
    while (some < count && entries[some].decisions[common] == entries[0].decisions[common]) some++;
    return some;
}

static int by_age(const void *a, const void *b, void *context) {
    uint64_t x = newest(context, *(const struct range *)a), y = newest(context, *(const struct range *)b);
    return x < y ? -1 : x > y;
}

// The parts go to the search in the order in which their newest states were made, so that those which go by the order of
// making find it as it was.
static void divide(struct explore *explore, struct state *state, struct range range, uint32_t common) {
    struct resume *resume = explore->resume;
    const struct frontier_entry *entries = resume->checkpoint->entries;
    vec(struct range) parts = {0};
    for (uint32_t at = range.first, end = range.first + range.count, some; at < end; at += some) {
        some = same_way(&entries[at], end - at, common);
        vec_push(&parts, ((struct range){at, some}));
    }
    qsort_r(parts.at, parts.count, sizeof *parts.at, by_age, resume);
    guide(resume, state, parts.at[0]);
    for (uint32_t i = 1; i < parts.count; i++) {
        struct state *child = vm_fork(explore->vm, state);
        set_model(explore, child, &entries[parts.at[i].first]);
        guide(resume, child, parts.at[i]);
        add_state(explore, child, state);
        explore->result.counts.states--; // it was counted among those that the parent stood for
    }
    set_model(explore, state, &entries[parts.at[0].first]);
    vec_free(&parts);
}

// What is not in an entry's decisions. While it is rebuilt a state takes no new edge, and nothing forks.
static void restore_rest(struct state *state, const struct frontier_entry *entry) {
    state->depth = entry->depth;
    state->progress = entry->progress;
    state->incomplete = entry->incomplete;
    trail_free(state->fresh);
    state->fresh = (struct trail){0};
    for (uint32_t i = 0; i < entry->fresh_count; i++) trail_add(&state->fresh, entry->fresh[i]);
}

static void lose(struct explore *explore, struct state *state) {
    if (!explore->resume->told) warning("a path of the interrupted run could not be rebuilt: it is dropped");
    explore->resume->told = true;
    note_dropped(explore, END_REBUILDING, 1);
    drop_state(explore, state);
}

// What the state had decided in the instruction that it repeats, attempt by attempt.
static bool repeat(struct explore *explore, struct state *state, const struct frontier_entry *entry,
                   uint64_t budget) {
    state->again_at = trail_count(state->trail);
    for (uint32_t at = 0; at < entry->again_count; at += 1 + entry->again[at]) {
        vm_follow_again(explore->vm, &entry->again[at + 1], entry->again[at]);
        if (vm_run(explore->vm, state, budget) != VM_BUDGET || !vm_follow_stopped(explore->vm)) return false;
        for (uint32_t i = 0; i <= entry->again[at]; i++) trail_add(&state->again, entry->again[at + i]);
    }
    return true;
}

// A branch whose condition was put off: the state comes to it again, and has decided it.
static bool repeat_choice(struct explore *explore, struct state *state, const struct frontier_entry *entry,
                          uint64_t budget) {
    uint32_t at = trail_count(state->trail);
    vm_follow_again(explore->vm, entry->decisions + at, entry->decision_count - at);
    return vm_run(explore->vm, state, budget) == VM_BUDGET && vm_follow_stopped(explore->vm);
}

// Takes the branch that was put off. Left to itself the state would fork the other side once more, and nothing but this path condition
// would know that it is impossible: a further checkpoint would make it possible.
static enum vm_event take_choice(struct explore *explore, struct state *state,
                                 const struct frontier_entry *entry, uint64_t budget) {
    uint32_t at = trail_count(state->trail);
    uint64_t before = state->instructions;
    vm_follow(explore->vm, entry->decisions + at, entry->decision_count - at);
    enum vm_event event = vm_run(explore->vm, state, budget);
    explore->result.counts.instructions += state->instructions - before;
    return event;
}

// To the instruction that the state was to repeat, or whose condition was put off. True: the state has passed the branch that was
// put off, and the event counts.
static bool follow_to_stop(struct explore *explore, struct state *state, const struct frontier_entry *entry,
                           uint64_t budget, enum vm_event *event) {
    bool choice = entry->pending_edge != 0; // the last decision is the one that was put off
    uint32_t done = trail_count(state->trail), last = entry->decision_count - choice;
    assert(done <= last);
    vm_follow_until(explore->vm, entry->decisions + done, last - done);
    *event = vm_run(explore->vm, state, budget);
    bool stopped = vm_follow_stopped(explore->vm);
    if (*event == VM_BUDGET && !stopped) return false; // not yet
    bool there = *event == VM_BUDGET &&
                 (choice ? trail_count(state->trail) <= last : trail_count(state->trail) == last);
    if (!there ||
        !(choice ? repeat_choice(explore, state, entry, budget) : repeat(explore, state, entry, budget))) {
        lose(explore, state);
        return false;
    }
    restore_rest(state, entry);
    map_remove(&explore->resume->guided, state->number);
    enum answer answer = solver_check(explore->solver, state->path);
    if (answer != ANSWER_UNKNOWN) vm_settle(explore->vm, entry->pending_choice);
    if (answer == ANSWER_YES && choice) *event = take_choice(explore, state, entry, budget);
    if (answer == ANSWER_YES) return choice;
    explore->result.counts.infeasible += answer == ANSWER_NO;
    if (answer == ANSWER_UNKNOWN) {
        explore->result.counts.incomplete++;
        ledger_note(&explore->ledger, "the solver gave no answer: a pending path is left out", 0, true, 1);
    }
    drop_state(explore, state);
    return false;
}

// One entry is left, and its own decisions with it. True: the state has passed them, and the event counts.
static bool follow_entry(struct explore *explore, struct state *state, const struct frontier_entry *entry,
                         uint64_t budget, enum vm_event *event) {
    uint32_t done = trail_count(state->trail);
    if (done > entry->decision_count) {
        lose(explore, state);
        return false;
    }
    if (entry->again_count || entry->pending) return follow_to_stop(explore, state, entry, budget, event);
    restore_rest(state, entry);
    vm_follow(explore->vm, entry->decisions + done, entry->decision_count - done);
    *event = vm_run(explore->vm, state, budget);
    if (!vm_follow_left(explore->vm)) {
        if (state->instructions > entry->instructions) // what lies before was counted then
            explore->result.counts.instructions += state->instructions - entry->instructions;
        map_remove(&explore->resume->guided, state->number);
        return true;
    }
    if (*event != VM_BUDGET) lose(explore, state);
    return false;
}

static void follow_range(struct explore *explore, struct state *state, struct range range, uint64_t budget) {
    const struct frontier_entry *entry = &explore->resume->checkpoint->entries[range.first];
    uint32_t common = common_decisions(explore->resume, range), done = trail_count(state->trail);
    if (done <= common) {
        vm_follow_until(explore->vm, entry->decisions + done, common - done);
        enum vm_event event = vm_run(explore->vm, state, budget);
        if (event == VM_BUDGET) {
            if (vm_follow_stopped(explore->vm)) divide(explore, state, range, common);
            return;
        }
    }
    lose(explore, state);
}

bool run_guided(struct explore *explore, struct state *state, uint64_t budget, enum vm_event *event) {
    struct range range = {0};
    bool counts = false;
    if (!range_of(explore->resume, state, &range)) return false;
    if (range.count == 1)
        counts =
            follow_entry(explore, state, &explore->resume->checkpoint->entries[range.first], budget, event);
    else
        follow_range(explore, state, range, budget);
    vm_follow(explore->vm, NULL, 0);
    return counts;
}
