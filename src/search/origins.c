#include "search/origins.h"

#include "base/hash.h"
#include "base/vec.h"
#include "search/fork_tree.h"

struct origin {
    struct fork_tree *tree;
    uint32_t walkers; // walkers of its tree
};

struct origins {
    struct map places; // start function -> index
    vec(struct origin) at;
    uint32_t made; // strategies made
};

struct origins *origins_new(void) { return NEW(struct origins); }

void origins_free(struct origins *origins) {
    if (!origins) return;
    vec_each (struct origin, origin, &origins->at) fork_tree_free(origin->tree);
    vec_free(&origins->at);
    map_free(&origins->places);
    DELETE(origins);
}

static struct origin *origin_of(struct origins *origins, uint32_t number) {
    uint64_t *known = map_get(&origins->places, number);
    if (known) return &origins->at.at[*known];
    *map_put(&origins->places, number) = origins->at.count;
    vec_push(&origins->at, ((struct origin){.tree = fork_tree_new()}));
    return vec_last(&origins->at);
}

void origins_add(struct origins *origins, struct state *state, const struct state *parent) {
    fork_tree_add(origin_of(origins, state->start.function)->tree, state, parent);
}

void origins_remove(struct origins *origins, const struct state *state) {
    fork_tree_remove(origin_of(origins, state->start.function)->tree, state);
}

void origins_settle(struct origins *origins, const struct state *state) {
    fork_tree_settle(origin_of(origins, state->start.function)->tree);
}

struct strategy *origin_strategy(struct search_context *context, uint32_t number,
                                 const struct expression *expression) {
    struct origins *origins = context->origins;
    struct origin *origin = origin_of(origins, number);
    struct search_context inner = *context;
    inner.tree = origin->tree;
    inner.walkers = origin->walkers;
    inner.instances = 1000 * ++origins->made; // distinct random numbers
    struct strategy *strategy = strategy_new(&inner, expression);
    assert(inner.walkers <= FORK_TREE_WALKERS);
    origin->walkers = inner.walkers;
    return strategy;
}
