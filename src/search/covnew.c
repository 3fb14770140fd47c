// Draws states at random: the nearer to uncovered code, the likelier. Distances come from a table that is
// recomputed now and then while new code is covered. A state's weight is updated after each of its steps.
#include "search/search_int.h"
#include "search/uncovered.h"
#include "search/weights.h"

// Least number of picks between two updates of the table: PICKS_BETWEEN, or 1/STATES_PART of the number of states if
// that is more (an update computes all weights again).
#define PICKS_BETWEEN 1000u
#define STATES_PART   4u

struct covnew {
    struct strategy base;
    struct uncovered *uncovered;
    struct weights weights;
    struct random random;
    uint32_t picks; // since the table was computed
    bool found;     // new code was covered since then
};

static struct strategy *new_covnew(struct search_context *context, const struct expression *expression) {
    struct covnew *covnew = NEW(struct covnew);
    covnew->random = search_random(context);
    covnew->uncovered = uncovered_new(context->options);
    return &covnew->base;
}

static void free_covnew(struct strategy *strategy) {
    struct covnew *covnew = (struct covnew *)strategy;
    uncovered_free(covnew->uncovered);
    weights_free(&covnew->weights);
    DELETE(covnew);
}

// Inverse square of the distance; 1 for states that reach no uncovered code in the graph.
static uint64_t weight_of(const struct covnew *covnew, const struct state *state) {
    uint64_t distance = uncovered_distance(covnew->uncovered, state);
    if (distance >= 1u << 16) return 1;
    return MAX(((uint64_t)1 << 32) / ((distance + 1) * (distance + 1)), 1);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct covnew *covnew = (struct covnew *)strategy;
    weights_add(&covnew->weights, state, weight_of(covnew, state));
}

static void remove_state(struct strategy *strategy, struct state *state) {
    weights_remove(&((struct covnew *)strategy)->weights, state);
}

static void update(struct covnew *covnew) {
    covnew->picks = 0;
    covnew->found = false;
    if (!uncovered_update(covnew->uncovered)) return;
    for (uint32_t i = 0; i < covnew->weights.count; i++)
        weights_set(&covnew->weights, covnew->weights.states[i],
                    weight_of(covnew, covnew->weights.states[i]));
}

static struct state *pick(struct strategy *strategy) {
    struct covnew *covnew = (struct covnew *)strategy;
    uint32_t between = MAX(PICKS_BETWEEN, covnew->weights.count / STATES_PART);
    if (++covnew->picks > between && covnew->found) update(covnew);
    return weights_draw(&covnew->weights, &covnew->random);
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct covnew *covnew = (struct covnew *)strategy;
    covnew->found |= step->fresh > 0;
    if (!step->ended) weights_set(&covnew->weights, step->state, weight_of(covnew, step->state));
}

const struct strategy_class strategy_covnew = {
    .name = "covnew",
    .arguments = "",
    .help = "Random by distance to uncovered code: a state at half the distance is four times as likely.",
    .when = "For coverage, in turn with a strategy that does not depend on distances (see klee).",
    .new = new_covnew,
    .free = free_covnew,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};

const struct strategy_class strategy_klee = {
    .name = "klee",
    .arguments = "",
    .help = "Random path in turn with the distance to uncovered code.",
    .when = "For coverage of programs that have many functions, when the run is to last minutes.",
    .meaning = "rr(rp,covnew)",
};
