// ph(U,D,r): U picks while it makes progress, then D. When U covers new code at time t, it has until r * t to
// do so again. Time is counted in instructions, so that runs are reproducible.
#include "search/search_int.h"

struct phases {
    struct strategy base;
    struct strategy *inner[2];
    uint64_t instructions, last; // executed so far; executed at the last new coverage, 0: none yet
    double factor;
    bool second;
};

static struct strategy *new_phases(struct search_context *context, const struct expression *expression) {
    struct phases *phases = NEW(struct phases);
    for (uint32_t i = 0; i < 2; i++) phases->inner[i] = parse_argument_strategy(context, expression, i);
    phases->factor = parse_argument_number(expression, 2, 0);
    return &phases->base;
}

static void free_phases(struct strategy *strategy) {
    struct phases *phases = (struct phases *)strategy;
    for (uint32_t i = 0; i < 2; i++) strategy_free(phases->inner[i]);
    DELETE(phases);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct phases *phases = (struct phases *)strategy;
    for (uint32_t i = 0; i < 2; i++) strategy_add(phases->inner[i], state, parent);
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct phases *phases = (struct phases *)strategy;
    for (uint32_t i = 0; i < 2; i++) strategy_remove(phases->inner[i], state);
}

static struct state *pick(struct strategy *strategy) {
    struct phases *phases = (struct phases *)strategy;
    if (phases->last && (double)phases->instructions > phases->factor * (double)phases->last)
        phases->second = true;
    return strategy_pick(phases->inner[phases->second]);
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct phases *phases = (struct phases *)strategy;
    phases->instructions += step->instructions;
    if (step->fresh) phases->last = MAX(phases->instructions, 1);
    for (uint32_t i = 0; i < 2; i++) strategy_note(phases->inner[i], step);
}

const struct strategy_class strategy_ph = {
    .name = "ph",
    .arguments = "SSN",
    .usage = "(U,D,r)",
    .help = "Two phases: U while it covers new code (after new code at time t it has until r "
            "times t to cover more), then D.",
    .when = "When a broad strategy should cover the easy code and a directed one the rest: ph(klee,sdse,3).",
    .new = new_phases,
    .free = free_phases,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
