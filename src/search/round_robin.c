// rr(S,T,...): the strategies pick in turn. share(S,T,...): the strategy whose picks have cost the least so far
// picks next, so that a strategy that prefers expensive states does not take the time of the others. In both, every
// strategy holds all states.
#include "search/search_int.h"

struct round_robin {
    struct strategy base;
    struct strategy **inner;
    uint32_t count, next;
    uint32_t last;   // strategy that picked last
    uint64_t *spent; // cost of each strategy's picks; NULL: they pick in turn
};

#define PICK_COST 100 // fixed cost of a pick, in instructions

static struct strategy *new_round_robin(struct search_context *context, const struct expression *expression) {
    struct round_robin *ring = NEW(struct round_robin);
    ring->count = expression->count;
    ring->inner = NEW_ARRAY(struct strategy *, ring->count);
    for (uint32_t i = 0; i < ring->count; i++)
        ring->inner[i] = parse_argument_strategy(context, expression, i);
    return &ring->base;
}

static struct strategy *new_share(struct search_context *context, const struct expression *expression) {
    struct round_robin *ring = (struct round_robin *)new_round_robin(context, expression);
    ring->spent = NEW_ARRAY(uint64_t, ring->count);
    return &ring->base;
}

static void free_round_robin(struct strategy *strategy) {
    struct round_robin *ring = (struct round_robin *)strategy;
    for (uint32_t i = 0; i < ring->count; i++) strategy_free(ring->inner[i]);
    DELETE_ARRAY(ring->inner, ring->count);
    if (ring->spent) DELETE_ARRAY(ring->spent, ring->count);
    DELETE(ring);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct round_robin *ring = (struct round_robin *)strategy;
    for (uint32_t i = 0; i < ring->count; i++) strategy_add(ring->inner[i], state, parent);
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct round_robin *ring = (struct round_robin *)strategy;
    for (uint32_t i = 0; i < ring->count; i++) strategy_remove(ring->inner[i], state);
}

static struct state *pick(struct strategy *strategy) {
    struct round_robin *ring = (struct round_robin *)strategy;
    ring->last = ring->next;
    ring->next = (ring->next + 1) % ring->count;
    for (uint32_t i = 0; ring->spent && i < ring->count; i++)
        if (ring->spent[i] < ring->spent[ring->last]) ring->last = i;
    return strategy_pick(ring->inner[ring->last]);
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct round_robin *ring = (struct round_robin *)strategy;
    if (ring->spent) ring->spent[ring->last] += step->work + PICK_COST;
    for (uint32_t i = 0; i < ring->count; i++) strategy_note(ring->inner[i], step);
}

const struct strategy_class strategy_rr = {
    .name = "rr",
    .arguments = "SS+",
    .usage = "(S,T,...)",
    .help = "Round robin: the strategies pick in turn, each from all states.",
    .when = "To make up for the weakness of one strategy with another, such as rr(rp,covnew).",
    .new = new_round_robin,
    .free = free_round_robin,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};

const struct strategy_class strategy_share = {
    .name = "share",
    .arguments = "SS+",
    .usage = "(S,T,...)",
    .help = "Picks by the strategy whose picks have taken the least work so far; each picks from all states.",
    .when = "Like rr, if one strategy prefers states that are far more expensive than those of another.",
    .new = new_share,
    .free = free_round_robin,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
