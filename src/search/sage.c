// Generational search, after SAGE. In this file a run is one path: a state that is executed to its end. The states that
// it forks are its generation. Then all states of one generation are run, one after the other. The generation of the
// finished run that covered most new code comes next.
#include "base/hash.h"
#include "base/vec.h"
#include "search/queue.h"
#include "search/search_int.h"

struct sage_member {
    struct state *state;
    struct sage_member *before, *after; // ring of the same run's generation
    uint32_t made_by;                   // the run that forked it
};

struct sage_run {
    struct sage_member ends;
    uint64_t score; // newly covered items
};

// Runs with an empty generation stay in `runs`, so that indices remain valid; each costs a few bytes.
struct sage {
    struct strategy base;
    vec(struct sage_run *) runs;
    struct number_queue waiting; // runs whose generation has states
    struct map members;          // state number -> struct sage_member *
    struct state *running;       // state of the current run; NULL: the run is over
    uint32_t current;            // the current run
    uint32_t expanded;           // the run whose generation is being run
};

static bool score_more(const void *context, uint32_t a, uint32_t b) {
    const struct sage *sage = context;
    uint64_t x = sage->runs.at[a]->score, y = sage->runs.at[b]->score;
    return x != y ? x > y : a < b;
}

static uint32_t new_run(struct sage *sage) {
    struct sage_run *run = NEW(struct sage_run);
    run->ends.before = run->ends.after = &run->ends;
    vec_push(&sage->runs, run);
    return sage->runs.count - 1;
}

static struct strategy *new_sage(struct search_context *context, const struct expression *expression) {
    struct sage *sage = NEW(struct sage);
    sage->waiting.less = score_more;
    sage->waiting.context = sage;
    sage->current = sage->expanded = new_run(sage); // its generation is the initial states
    return &sage->base;
}

static void free_sage(struct strategy *strategy) {
    struct sage *sage = (struct sage *)strategy;
    vec_each (struct sage_run *, run, &sage->runs) {
        for (struct sage_member *next, *member = (*run)->ends.after; member != &(*run)->ends; member = next) {
            next = member->after;
            DELETE(member);
        }
        DELETE(*run);
    }
    vec_free(&sage->runs);
    queue_free(&sage->waiting);
    map_free(&sage->members);
    DELETE(sage);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct sage *sage = (struct sage *)strategy;
    struct sage_run *run = sage->runs.at[sage->current];
    struct sage_member *member = NEW(struct sage_member);
    *member = (struct sage_member){state, run->ends.before, &run->ends, sage->current};
    member->before->after = member->after->before = member;
    *map_put(&sage->members, state->number) = (uint64_t)(uintptr_t)member;
    if (!queue_has(&sage->waiting, sage->current)) queue_add(&sage->waiting, sage->current);
}

// Takes the state out of its generation.
static void take_out(struct sage *sage, const struct state *state) {
    uint64_t *found = map_get(&sage->members, state->number);
    assert(found);
    struct sage_member *member = (struct sage_member *)(uintptr_t)*found; // NOLINT(performance-no-int-to-ptr)
    struct sage_run *run = sage->runs.at[member->made_by];
    member->before->after = member->after;
    member->after->before = member->before;
    if (run->ends.after == &run->ends) queue_remove(&sage->waiting, member->made_by);
    map_remove(&sage->members, state->number);
    DELETE(member);
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct sage *sage = (struct sage *)strategy;
    if (sage->running == state)
        sage->running = NULL;
    else
        take_out(sage, state);
}

static struct state *pick(struct strategy *strategy) {
    struct sage *sage = (struct sage *)strategy;
    if (sage->running) return sage->running;
    if (!queue_has(&sage->waiting, sage->expanded)) sage->expanded = queue_first(&sage->waiting);
    sage->running = sage->runs.at[sage->expanded]->ends.after->state;
    take_out(sage, sage->running);
    sage->current = new_run(sage);
    return sage->running;
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct sage *sage = (struct sage *)strategy;
    if (step->state != sage->running || !step->fresh) return;
    sage->runs.at[sage->current]->score += step->fresh;
    if (queue_has(&sage->waiting, sage->current)) queue_update(&sage->waiting, sage->current);
}

const struct strategy_class strategy_sage = {
    .name = "sage",
    .arguments = "",
    .help = "Generational: runs a path to its end, then all states that it forked; the forks "
            "of the paths that covered most new code come first.",
    .when = "For programs whose paths end soon, with seeds; a path that does not end stops everything.",
    .new = new_sage,
    .free = free_sage,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
