// Shortest distance, at random: the nearer a state is to a target, the likelier it is drawn.
#include "search/search_int.h"
#include "search/target_distance.h"
#include "search/weights.h"

struct sdse_pr {
    struct strategy base;
    struct targets *targets;
    struct weights weights;
    struct random random;
    uint32_t version;
};

static struct strategy *new_sdse_pr(struct search_context *context, const struct expression *expression) {
    struct sdse_pr *sdse = NEW(struct sdse_pr);
    sdse->targets = context->options->targets;
    sdse->version = sdse->targets ? targets_version(sdse->targets) : 0;
    sdse->random = search_random(context);
    return &sdse->base;
}

static void free_sdse_pr(struct strategy *strategy) {
    struct sdse_pr *sdse = (struct sdse_pr *)strategy;
    weights_free(&sdse->weights);
    DELETE(sdse);
}

// Inversely proportional to the distance; the least weight if there is no path.
static uint64_t weight(const struct sdse_pr *sdse, const struct state *state) {
    uint32_t distance = target_distance(sdse->targets, state);
    return distance == DISTANCE_NONE ? 1 : MAX(((uint64_t)1 << 32) / (distance + (uint64_t)1), 1);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct sdse_pr *sdse = (struct sdse_pr *)strategy;
    weights_add(&sdse->weights, state, weight(sdse, state));
}

static void remove_state(struct strategy *strategy, struct state *state) {
    weights_remove(&((struct sdse_pr *)strategy)->weights, state);
}

static struct state *pick(struct strategy *strategy) {
    struct sdse_pr *sdse = (struct sdse_pr *)strategy;
    if (sdse->targets && sdse->version != targets_version(sdse->targets)) {
        sdse->version = targets_version(sdse->targets);
        for (uint32_t i = 0; i < sdse->weights.count; i++)
            weights_set(&sdse->weights, sdse->weights.states[i], weight(sdse, sdse->weights.states[i]));
    }
    return weights_draw(&sdse->weights, &sdse->random);
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct sdse_pr *sdse = (struct sdse_pr *)strategy;
    weights_set(&sdse->weights, step->state, weight(sdse, step->state));
}

const struct strategy_class strategy_sdse_pr = {
    .name = "sdse-pr",
    .arguments = "",
    .help = "Shortest distance, drawn at random: a state is the more likely the nearer it is to a target.",
    .when = "With targets, if sdse keeps following a path that leads nowhere.",
    .new = new_sdse_pr,
    .free = free_sdse_pr,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
