// mix(S,N): S on the states from main gets N percent of the cost, ccbse(rp) the rest (Otter 3.1.3). States of
// both try the paths that the backward search finds. Cost is counted, not timed, so that runs are reproducible:
// instructions, plus FORK_COST for each pick and each fork.
#include "search/search_int.h"

#define FORWARD_SHARE 75.0
#define FORK_COST     2000.0

enum mix_side { FORWARD, BACKWARD };

struct mix {
    struct strategy base;
    struct strategy *inner[2]; // by enum mix_side; BACKWARD holds all states
    uint32_t count, main_count;
    double share, spent[2];
    enum mix_side last;
};

static struct strategy *new_mix(struct search_context *context, const struct expression *expression) {
    static struct expression rp = {.class = &strategy_rp}, *arguments[] = {&rp};
    static const struct expression backward = {.class = &strategy_ccbse, .count = 1, .arguments = arguments};
    struct mix *mix = NEW(struct mix);
    mix->inner[FORWARD] = parse_argument_strategy(context, expression, 0);
    mix->inner[BACKWARD] = strategy_new(context, &backward);
    mix->share = MIN(parse_argument_number(expression, 1, FORWARD_SHARE), 100) / 100;
    return &mix->base;
}

static void free_mix(struct strategy *strategy) {
    struct mix *mix = (struct mix *)strategy;
    for (unsigned i = 0; i < 2; i++) strategy_free(mix->inner[i]);
    DELETE(mix);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct mix *mix = (struct mix *)strategy;
    mix->count++;
    strategy_add(mix->inner[BACKWARD], state, parent);
    if (state->start.function) return;
    mix->main_count++;
    strategy_add(mix->inner[FORWARD], state, parent && !parent->start.function ? parent : NULL);
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct mix *mix = (struct mix *)strategy;
    mix->count--;
    strategy_remove(mix->inner[BACKWARD], state);
    if (state->start.function) return;
    mix->main_count--;
    strategy_remove(mix->inner[FORWARD], state);
}

// Picks from the side that is below its share. If all states began at main, S picks; if none did, ccbse(rp) picks.
static struct state *pick(struct strategy *strategy) {
    struct mix *mix = (struct mix *)strategy;
    bool forward = mix->spent[FORWARD] * (1 - mix->share) <= mix->spent[BACKWARD] * mix->share;
    if (!mix->main_count || mix->main_count == mix->count) forward = mix->main_count;
    mix->last = forward ? FORWARD : BACKWARD;
    return strategy_pick(mix->inner[mix->last]);
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct mix *mix = (struct mix *)strategy;
    mix->spent[mix->last] += (double)step->instructions + FORK_COST * (1 + step->forked);
    strategy_note(mix->inner[BACKWARD], step);
    if (!step->state->start.function) strategy_note(mix->inner[FORWARD], step);
}

const struct strategy_class strategy_mix = {
    .name = "mix",
    .arguments = "SN?",
    .usage = "(S) or mix(S,N)",
    .help = "S on states from main for N percent of the cost (75), ccbse(rp) for the rest. "
            "When a state calls a function from which a path to a target is known, that path "
            "is tried.",
    .when = "With targets, if ccbse alone does not find its way up to main.",
    .backward = true,
    .new = new_mix,
    .free = free_mix,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
