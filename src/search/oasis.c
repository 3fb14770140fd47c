// Generational search after Oasis. In this file a run is one path: a state that is executed to its end. Each branch on
// its way leaves a state that takes the other side. Each such state later starts its own run. A branch is dangerous if
// an operation or an assertion may fail there.
//
// `oasis-runs` is the order of the paper: the states that a run left are taken before those of later runs, in four
// classes: dangerous in changed code, other dangerous, other in changed code, the rest. Its weakness: a comparison in
// changed code needs one generation per byte, and each generation waits for all states of every earlier run.
//
// `oasis` has one set of classes for all runs, and takes changed code before other dangerous branches. So a state that
// a change made possible is taken first, whichever run left it. A branch whose other side begins with changed code
// counts as a branch in changed code. `oasis-any` is `oasis-runs` without regard to changes. All of them break ties by
// creation order.
//
// Runs are numbered in the order in which they began; `oasis` keeps the states of all runs in the lists of the first.
// The four lists of a run are rings, so that an evicted state is removed in constant time. A run that exceeds its
// budget is postponed until nothing else is left.
#include "base/hash.h"
#include "base/vec.h"
#include "search/search_int.h"

#define CLASSES 4
#define LONGEST 20e6 // most instructions of a run
#define NO_RUN  UINT32_MAX

struct oasis_member {
    struct state *state;
    struct oasis_member *before, *after; // in a ring; NULL: in none
    uint32_t run;                        // the run that this state started; NO_RUN: none yet
    uint64_t began;                      // value of state->instructions when that run began
};

struct oasis_run {
    struct oasis_member ends[CLASSES];
};

struct oasis {
    struct strategy base;
    vec(struct oasis_run *) runs;
    uint32_t first;                // no run before this one has waiting states
    struct oasis_member beginning; // initial states
    struct oasis_member late;
    struct map members;           // state number -> struct oasis_member *
    struct oasis_member *running; // NULL: none
    uint64_t longest;
    bool blind;  // ignores which code has changed
    bool across; // one set of classes for all runs
};

static void make_ring(struct oasis_member *ends) { ends->before = ends->after = ends; }

static void put(struct oasis_member *ends, struct oasis_member *member) {
    assert(!member->before);
    member->before = ends->before;
    member->after = ends;
    member->before->after = member->after->before = member;
}

static void take_out(struct oasis_member *member) {
    if (!member->before) return;
    member->before->after = member->after;
    member->after->before = member->before;
    member->before = member->after = NULL;
}

static struct oasis_member *first_of(const struct oasis_member *ends) {
    return ends->after == ends ? NULL : ends->after;
}

static struct strategy *new_oasis(struct search_context *context, const struct expression *expression) {
    struct oasis *oasis = NEW(struct oasis);
    oasis->blind = expression->class == &strategy_oasis_any;
    oasis->across = expression->class == &strategy_oasis;
    make_ring(&oasis->beginning);
    make_ring(&oasis->late);
    oasis->longest = (uint64_t)MIN(parse_argument_number(expression, 0, LONGEST), 1e18);
    return &oasis->base;
}

static void free_ring(struct oasis_member *ends) {
    for (struct oasis_member *member; (member = first_of(ends));) {
        take_out(member);
        DELETE(member);
    }
}

static void free_oasis(struct strategy *strategy) {
    struct oasis *oasis = (struct oasis *)strategy;
    free_ring(&oasis->beginning);
    free_ring(&oasis->late);
    if (oasis->running) DELETE(oasis->running);
    vec_each (struct oasis_run *, run, &oasis->runs) {
        for (unsigned i = 0; i < CLASSES; i++) free_ring(&(*run)->ends[i]);
        DELETE(*run);
    }
    vec_free(&oasis->runs);
    map_free(&oasis->members);
    DELETE(oasis);
}

static struct oasis_member *member_of(const struct oasis *oasis, const struct state *state) {
    uint64_t *found = map_get(&oasis->members, state->number);
    return found ? (struct oasis_member *)(uintptr_t)*found : NULL; // NOLINT(performance-no-int-to-ptr)
}

// Starts the state's run, if it has none. States that follow seeds run without having been picked here.
static void begin(struct oasis *oasis, struct oasis_member *member) {
    if (member->run != NO_RUN) return;
    struct oasis_run *run = NEW(struct oasis_run);
    for (unsigned i = 0; i < CLASSES; i++) make_ring(&run->ends[i]);
    member->run = oasis->runs.count;
    member->began = member->state->instructions;
    vec_push(&oasis->runs, run);
}

static unsigned rank(const struct oasis *oasis, const struct state *state) {
    bool is_changed =
        (state->fork.class & (oasis->across ? CHOICE_CHANGED | CHOICE_TOWARD : CHOICE_CHANGED)) &&
        !oasis->blind;
    bool is_dangerous = (state->fork.class & CHOICE_DANGEROUS) != 0;
    unsigned more = oasis->across ? is_changed : is_dangerous,
             less = oasis->across ? is_dangerous : is_changed;
    return (more ? 0 : 2) + (less ? 0 : 1);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct oasis *oasis = (struct oasis *)strategy;
    struct oasis_member *member = NEW(struct oasis_member), *from = parent ? member_of(oasis, parent) : NULL;
    *member = (struct oasis_member){.state = state, .run = NO_RUN};
    *map_put(&oasis->members, state->number) = (uint64_t)(uintptr_t)member;
    if (from) begin(oasis, from);
    uint32_t run = from && !oasis->across ? from->run : 0;
    put(from ? &oasis->runs.at[run]->ends[rank(oasis, state)] : &oasis->beginning, member);
    if (from) oasis->first = MIN(oasis->first, run);
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct oasis *oasis = (struct oasis *)strategy;
    struct oasis_member *member = member_of(oasis, state);
    assert(member);
    if (oasis->running == member) oasis->running = NULL;
    take_out(member);
    map_remove(&oasis->members, state->number);
    DELETE(member);
}

static struct oasis_member *next(struct oasis *oasis) {
    struct oasis_member *member = first_of(&oasis->beginning);
    if (member) return member;
    for (; oasis->first < oasis->runs.count; oasis->first++)
        for (unsigned i = 0; i < CLASSES; i++)
            if ((member = first_of(&oasis->runs.at[oasis->first]->ends[i]))) return member;
    return first_of(&oasis->late);
}

static struct state *pick(struct strategy *strategy) {
    struct oasis *oasis = (struct oasis *)strategy;
    if (oasis->running) return oasis->running->state;
    struct oasis_member *member = next(oasis);
    assert(member);
    if (member->state->waiting.condition) return member->state; // it may be infeasible
    take_out(member);
    begin(oasis, member);
    oasis->running = member;
    return member->state;
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct oasis *oasis = (struct oasis *)strategy;
    struct oasis_member *member = member_of(oasis, step->state);
    if (step->revived || step->ended) return; // it is picked or removed next
    begin(oasis, member);
    if (step->state->instructions - member->began <= oasis->longest || step->state->seed.list) return;
    take_out(member);
    put(&oasis->late, member);
    member->began = step->state->instructions; // it gets the same budget in its next turn
    if (oasis->running == member) oasis->running = NULL;
}

const struct strategy_class strategy_oasis = {
    .name = "oasis",
    .arguments = "N?",
    .usage = " or oasis(N)",
    .help = "Generational: runs a path to its end (at most N instructions, 20,000,000), then one of the "
            "pending states of "
            "all paths so far: first checks in changed code, then other choices there, then other checks.",
    .when = "With --seeds, to explore a change from the paths of existing tests; `tamar regress` uses it.",
    .pending = true,
    .new = new_oasis,
    .free = free_oasis,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};

const struct strategy_class strategy_oasis_runs = {
    .name = "oasis-runs",
    .arguments = "N?",
    .usage = " or oasis-runs(N)",
    .help = "The order of the Oasis paper: the pending states of one path before those of the next, first "
            "checks in changed "
            "code, then other checks, then other choices in changed code.",
    .when = "To compare with the paper; a change that needs several decisions in a row comes late.",
    .pending = true,
    .new = new_oasis,
    .free = free_oasis,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};

const struct strategy_class strategy_oasis_any = {
    .name = "oasis-any",
    .arguments = "N?",
    .usage = " or oasis-any(N)",
    .help = "oasis-runs without a preference for changed code.",
    .when = "To measure the effect of that preference.",
    .pending = true,
    .new = new_oasis,
    .free = free_oasis,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
