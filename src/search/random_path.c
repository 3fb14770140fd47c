// Random path: a walk from the root of the fork tree, with a fair coin at every fork. States high in the tree
// are picked more often, so that a loop that forks all the time does not starve the rest.
//
// Fair: the same walk, but the side of a fork with less work so far goes first. A coin would give both sides the
// same number of picks, and so most of the time to the side with the expensive steps: a few states in a regular
// expression matcher would take the whole run.
#include "search/fork_tree.h"
#include "search/search_int.h"

struct random_path {
    struct strategy base;
    struct fork_tree *tree;
    struct random random;
    uint32_t walker;
    uint64_t quantum; // 0: a coin decides at every fork
};

#define QUANTUM 20000u // work in instructions: some steps of a state whose queries are cheap

static struct strategy *new_random_path(struct search_context *context, const struct expression *expression) {
    struct random_path *path = NEW(struct random_path);
    path->tree = context->tree;
    path->walker = context->walkers++;
    path->random = search_random(context);
    return &path->base;
}

static struct strategy *new_fair(struct search_context *context, const struct expression *expression) {
    struct random_path *path = (struct random_path *)new_random_path(context, expression);
    path->quantum = QUANTUM;
    context->whole->charged = true;
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
    return fork_tree_walk(path->tree, path->walker, &path->random, path->quantum);
}

const struct strategy_class strategy_rp = {
    .name = "rp",
    .arguments = "",
    .help = "Random path: walks down the tree of forks with a coin at each, so states with few forks "
            "on their path are picked often.",
    .when = "For anything that loops over its input, and where nothing is known about the program.",
    .new = new_random_path,
    .free = free_random_path,
    .add = add,
    .remove = remove_state,
    .pick = pick,
};

const struct strategy_class strategy_fair = {
    .name = "fair",
    .arguments = "",
    .help = "Random path by work: at each fork the side on which the engine and the solver "
            "have worked less, a coin if both are about equal.",
    .when = "If some paths are far more expensive than others: each gets its share of the time, not of "
            "the picks.",
    .new = new_fair,
    .free = free_random_path,
    .add = add,
    .remove = remove_state,
    .pick = pick,
};
