// Depth first and breadth first: states in the order of their making, taken from one end or the other. Both
// are lists with a place for every state, found by its number.
#include "base/hash.h"
#include "search/search_int.h"

struct link {
    struct state *state;
    struct link *before, *after;
};

struct order {
    struct strategy base;
    struct link ends; // a ring: `after` is the oldest, `before` the newest
    struct map links; // state number -> struct link *
};

static struct strategy *new_order(const struct strategy_class *class) {
    struct order *order = NEW(struct order);
    order->base.class = class;
    order->ends.before = order->ends.after = &order->ends;
    return &order->base;
}

static struct strategy *new_dfs(uint64_t seed) { return new_order(&dfs_class); }
static struct strategy *new_bfs(uint64_t seed) { return new_order(&bfs_class); }

static void free_order(struct strategy *strategy) {
    struct order *order = (struct order *)strategy;
    for (struct link *next, *link = order->ends.after; link != &order->ends; link = next) {
        next = link->after;
        DELETE(link);
    }
    map_free(&order->links);
    DELETE(order);
}

static void add(struct strategy *strategy, struct state *state, struct state *parent) {
    struct order *order = (struct order *)strategy;
    struct link *link = NEW(struct link);
    *link = (struct link){state, order->ends.before, &order->ends};
    link->before->after = link->after->before = link;
    *map_put(&order->links, state->number) = (uint64_t)(uintptr_t)link;
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct order *order = (struct order *)strategy;
    uint64_t *place = map_get(&order->links, state->number);
    assert(place);
    struct link *link = (struct link *)(uintptr_t)*place; // NOLINT(performance-no-int-to-ptr)
    link->before->after = link->after;
    link->after->before = link->before;
    map_remove(&order->links, state->number);
    DELETE(link);
}

static struct state *newest(struct strategy *strategy) {
    return ((struct order *)strategy)->ends.before->state;
}
static struct state *oldest(struct strategy *strategy) {
    return ((struct order *)strategy)->ends.after->state;
}

const struct strategy_class dfs_class = {
    "dfs",
    "Depth first: the state made last. Takes the least memory, and finishes paths early, but stays in one "
    "corner.",
    new_dfs,
    free_order,
    add,
    remove_state,
    newest,
};

const struct strategy_class bfs_class = {
    "bfs",   "Breadth first: the state made first. Finds what is a few branches away; deep paths come late.",
    new_bfs, free_order,
    add,     remove_state,
    oldest,
};
