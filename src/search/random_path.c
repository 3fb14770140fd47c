// Random path: a walk from the root of the tree of forks, a fair coin at every fork. States high in the tree are
// picked more often, so that a loop that forks all the time does not starve the rest.
#include "search/fork_tree.h"
#include "search/search_int.h"

struct random_path {
    struct strategy base;
    struct fork_tree *tree;
    struct random random;
    uint32_t walker;
};

static struct strategy *new_random_path(struct search_context *context, const struct expression *expression) {
    struct random_path *path = NEW(struct random_path);
    path->tree = context->tree;
    path->walker = context->walkers++;
    path->random = context_random(context);
    return &path->base;
}

static void free_random_path(struct strategy *strategy) { DELETE((struct random_path *)strategy); }

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct random_path *path = (struct random_path *)strategy;
    fork_tree_take(path->tree, state, path->walker);
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct random_path *path = (struct random_path *)strategy;
    fork_tree_drop(path->tree, state, path->walker);
}

static struct state *pick(struct strategy *strategy) {
    struct random_path *path = (struct random_path *)strategy;
    return fork_tree_walk(path->tree, path->walker, &path->random);
}

const struct strategy_class rp_class = {
    .name = "rp",
    .arguments = "",
    .help = "Random path: walks down the tree of forks with a coin at each, so states with few forks behind "
            "them are "
            "picked often.",
    .when = "For anything that loops over its input, and where nothing is known about the program.",
    .new = new_random_path,
    .free = free_random_path,
    .add = add,
    .remove = remove_state,
    .pick = pick,
};
