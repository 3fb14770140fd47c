// rr(S,T,...): each of the strategies holds all states, and they pick in turn.
#include "search/search_int.h"

struct round_robin {
    struct strategy base;
    struct strategy **inner;
    uint32_t count, next;
};

static struct strategy *new_round_robin(struct search_context *context, const struct expression *expression) {
    struct round_robin *ring = NEW(struct round_robin);
    ring->count = expression->count;
    ring->inner = NEW_ARRAY(struct strategy *, ring->count);
    for (uint32_t i = 0; i < ring->count; i++) ring->inner[i] = argument_strategy(context, expression, i);
    return &ring->base;
}

static void free_round_robin(struct strategy *strategy) {
    struct round_robin *ring = (struct round_robin *)strategy;
    for (uint32_t i = 0; i < ring->count; i++) strategy_free(ring->inner[i]);
    DELETE_ARRAY(ring->inner, ring->count);
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
    struct strategy *inner = ring->inner[ring->next];
    ring->next = (ring->next + 1) % ring->count;
    return strategy_pick(inner);
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct round_robin *ring = (struct round_robin *)strategy;
    for (uint32_t i = 0; i < ring->count; i++) strategy_note(ring->inner[i], step);
}

const struct strategy_class rr_class = {
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
