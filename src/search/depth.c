// Draws states at random: uniformly, or in proportion to their number of forks.
#include "search/search_int.h"
#include "search/weights.h"

struct drawing {
    struct strategy base;
    struct weights weights;
    struct random random;
};

static struct strategy *new_drawing(struct search_context *context, const struct expression *expression) {
    struct drawing *drawing = NEW(struct drawing);
    drawing->random = search_random(context);
    return &drawing->base;
}

static void free_drawing(struct strategy *strategy) {
    struct drawing *drawing = (struct drawing *)strategy;
    weights_free(&drawing->weights);
    DELETE(drawing);
}

static void add_alike(struct strategy *strategy, struct state *state, const struct state *parent) {
    weights_add(&((struct drawing *)strategy)->weights, state, 1);
}

static uint64_t depth_weight(const struct state *state) { return MAX(state->fork.depth, 1); }

static void add_by_depth(struct strategy *strategy, struct state *state, const struct state *parent) {
    weights_add(&((struct drawing *)strategy)->weights, state, depth_weight(state));
}

static void remove_state(struct strategy *strategy, struct state *state) {
    weights_remove(&((struct drawing *)strategy)->weights, state);
}

static struct state *pick(struct strategy *strategy) {
    struct drawing *drawing = (struct drawing *)strategy;
    return weights_draw(&drawing->weights, &drawing->random);
}

static void note_depth(struct strategy *strategy, const struct search_step *step) {
    weights_set(&((struct drawing *)strategy)->weights, step->state, depth_weight(step->state));
}

const struct strategy_class strategy_random = {
    .name = "random",
    .arguments = "",
    .help = "Uniformly random: all states are equally likely.",
    .when = "As a baseline for other strategies; loops that fork often get most of the time.",
    .new = new_drawing,
    .free = free_drawing,
    .add = add_alike,
    .remove = remove_state,
    .pick = pick,
};

const struct strategy_class strategy_depth = {
    .name = "depth",
    .arguments = "",
    .help = "Depth-biased random: a state's probability is proportional to the number of forks on its path.",
    .when = "With seeds, since it prefers states near the ends of their paths, and for deep parsers.",
    .new = new_drawing,
    .free = free_drawing,
    .add = add_by_depth,
    .remove = remove_state,
    .pick = pick,
    .note = note_depth,
};
