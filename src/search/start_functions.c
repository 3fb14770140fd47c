#include "search/start_functions.h"

#include "base/hash.h"
#include "base/vec.h"
#include "search/fork_tree.h"

struct start_entry {
    struct fork_tree *tree;
    uint32_t walkers; // walkers of its tree
};

struct start_functions {
    struct map indices; // start function -> index
    vec(struct start_entry) at;
    uint32_t made; // strategies made
};

struct start_functions *start_functions_new(void) { return NEW(struct start_functions); }

void start_functions_free(struct start_functions *starts) {
    if (!starts) return;
    vec_each (struct start_entry, entry, &starts->at) fork_tree_free(entry->tree);
    vec_free(&starts->at);
    map_free(&starts->indices);
    DELETE(starts);
}

static struct start_entry *entry_of(struct start_functions *starts, uint32_t number) {
    uint64_t *known = map_get(&starts->indices, number);
    if (known) return &starts->at.at[*known];
    *map_put(&starts->indices, number) = starts->at.count;
    vec_push(&starts->at, ((struct start_entry){.tree = fork_tree_new()}));
    return vec_last(&starts->at);
}

void start_functions_add(struct start_functions *starts, struct state *state, const struct state *parent) {
    fork_tree_add(entry_of(starts, state->start.function)->tree, state, parent);
}

void start_functions_remove(struct start_functions *starts, const struct state *state) {
    fork_tree_remove(entry_of(starts, state->start.function)->tree, state);
}

void start_functions_end_step(struct start_functions *starts, const struct state *state) {
    fork_tree_end_step(entry_of(starts, state->start.function)->tree);
}

struct strategy *start_functions_strategy(struct search_context *context, uint32_t number,
                                          const struct expression *expression) {
    struct start_functions *starts = context->starts;
    struct start_entry *entry = entry_of(starts, number);
    struct search_context inner = *context;
    inner.tree = entry->tree;
    inner.walkers = entry->walkers;
    inner.instances = 1000 * ++starts->made; // distinct random numbers
    struct strategy *strategy = strategy_new(&inner, expression);
    assert(inner.walkers <= FORK_TREE_WALKERS);
    entry->walkers = inner.walkers;
    return strategy;
}
