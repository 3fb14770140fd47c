// Depth first and breadth first: a list of the states in creation order, taken from one end or the other, with a
// map from state number to list node. Depth first with random sides (dfs-random): a forked state is put before or
// after the state that forked it.
#include "base/hash.h"
#include "base/random.h"
#include "search/search_int.h"

struct order_link {
    struct state *state;
    struct order_link *before, *after;
};

struct order {
    struct strategy base;
    struct order_link ends; // a ring: `after` is the oldest, `before` the newest
    struct map links;       // state number -> struct order_link *
    struct random random;   // dfs-random: which side of a fork runs first
};

static struct strategy *new_order(struct search_context *context, const struct expression *expression) {
    struct order *order = NEW(struct order);
    order->ends.before = order->ends.after = &order->ends;
    if (expression->class == &strategy_dfs_random) order->random = search_random(context);
    return &order->base;
}

static void free_order(struct strategy *strategy) {
    struct order *order = (struct order *)strategy;
    for (struct order_link *next, *link = order->ends.after; link != &order->ends; link = next) {
        next = link->after;
        DELETE(link);
    }
    map_free(&order->links);
    DELETE(order);
}

static void put_before(struct order_link *link, struct order_link *after) {
    link->before = after->before;
    link->after = after;
    link->before->after = link->after->before = link;
}

static void put_last(struct order *order, struct order_link *link) { put_before(link, &order->ends); }

static void take_out(struct order_link *link) {
    link->before->after = link->after;
    link->after->before = link->before;
}

static struct order_link *link_of(struct order *order, const struct state *state) {
    uint64_t *found = map_get(&order->links, state->number);
    assert(found);
    return (struct order_link *)(uintptr_t)*found; // NOLINT(performance-no-int-to-ptr)
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct order *order = (struct order *)strategy;
    struct order_link *link = NEW(struct order_link);
    link->state = state;
    put_last(order, link);
    *map_put(&order->links, state->number) = (uint64_t)(uintptr_t)link;
}

// Puts the state before or after its parent, with equal probability: the later one in the list runs first.
static void add_at_random(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct order *order = (struct order *)strategy;
    bool known = parent && map_get(&order->links, parent->number);
    add(strategy, state, parent);
    if (!known || random_below(&order->random, 2)) return;
    struct order_link *link = link_of(order, state);
    take_out(link);
    put_before(link, link_of(order, parent));
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct order *order = (struct order *)strategy;
    struct order_link *link = link_of(order, state);
    take_out(link);
    map_remove(&order->links, state->number);
    DELETE(link);
}

static struct state *newest(struct strategy *strategy) {
    return ((struct order *)strategy)->ends.before->state;
}
static struct state *oldest(struct strategy *strategy) {
    return ((struct order *)strategy)->ends.after->state;
}

// Breadth first: moves a state that has forked to the end.
static void to_the_end(struct strategy *strategy, const struct search_step *step) {
    struct order *order = (struct order *)strategy;
    if (!step->forked || step->ended) return;
    struct order_link *link = link_of(order, step->state);
    take_out(link);
    put_last(order, link);
}

const struct strategy_class strategy_dfs = {
    .name = "dfs",
    .arguments = "",
    .help = "Depth first: the state made last.",
    .when =
        "For small programs that are to be explored completely: it takes the least memory and finishes paths "
        "early, but "
        "stays in one part of the program.",
    .new = new_order,
    .free = free_order,
    .add = add,
    .remove = remove_state,
    .pick = newest,
};

const struct strategy_class strategy_dfs_random = {
    .name = "dfs-random",
    .arguments = "",
    .help = "Depth first, but which side of a fork runs first is random.",
    .when = "For depth-first runs that differ with --random-seed.",
    .new = new_order,
    .free = free_order,
    .add = add_at_random,
    .remove = remove_state,
    .pick = newest,
};

const struct strategy_class strategy_bfs = {
    .name = "bfs",
    .arguments = "",
    .help = "Breadth first: the state that has waited longest.",
    .when = "For code that is a few branches away from the start; deep paths come late.",
    .new = new_order,
    .free = free_order,
    .add = add,
    .remove = remove_state,
    .pick = oldest,
    .note = to_the_end,
};
