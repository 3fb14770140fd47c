// Shortest distance (Otter 3.1.1): picks the state nearest to a target, by the interprocedural graph and the
// state's call stack. `sdse-intra`: by the graph of the state's current function alone.
#include "search/nearest.h"
#include "search/search_int.h"
#include "search/target_distance.h"

struct sdse {
    struct strategy base;
    struct targets *targets;
    struct nearest nearest;
    uint32_t version; // targets_version at which the distances were computed
    uint32_t (*distance)(struct targets *targets, const struct state *state);
};

static struct strategy *new_by(struct search_context *context,
                               uint32_t (*distance)(struct targets *, const struct state *)) {
    struct sdse *sdse = NEW(struct sdse);
    sdse->targets = context->options->targets;
    sdse->version = sdse->targets ? targets_version(sdse->targets) : 0;
    sdse->distance = distance;
    nearest_start(&sdse->nearest);
    return &sdse->base;
}

static struct strategy *new_sdse(struct search_context *context, const struct expression *expression) {
    return new_by(context, target_distance);
}

static struct strategy *new_intra(struct search_context *context, const struct expression *expression) {
    return new_by(context, target_distance_intra);
}

static void free_sdse(struct strategy *strategy) {
    struct sdse *sdse = (struct sdse *)strategy;
    nearest_end(&sdse->nearest);
    DELETE(sdse);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct sdse *sdse = (struct sdse *)strategy;
    nearest_add(&sdse->nearest, state, sdse->distance(sdse->targets, state));
}

static void remove_state(struct strategy *strategy, struct state *state) {
    nearest_remove(&((struct sdse *)strategy)->nearest, state);
}

// Recomputes all distances when a target was closed, which is rare.
static void catch_up(struct sdse *sdse) {
    if (!sdse->targets || sdse->version == targets_version(sdse->targets)) return;
    sdse->version = targets_version(sdse->targets);
    for (uint32_t i = 0; i < sdse->nearest.held.count; i++) {
        struct state *state = sdse->nearest.held.at[i];
        if (state) nearest_set(&sdse->nearest, state, sdse->distance(sdse->targets, state));
    }
}

static struct state *pick(struct strategy *strategy) {
    struct sdse *sdse = (struct sdse *)strategy;
    catch_up(sdse);
    return nearest_first(&sdse->nearest);
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct sdse *sdse = (struct sdse *)strategy;
    nearest_set(&sdse->nearest, step->state, sdse->distance(sdse->targets, step->state));
}

const struct strategy_class strategy_sdse = {
    .name = "sdse",
    .arguments = "",
    .help =
        "Shortest distance: the state with the shortest path to a target on which calls and returns match.",
    .when =
        "With targets, if the shortest path is mostly feasible; it stays on a path that only looks short.",
    .new = new_sdse,
    .free = free_sdse,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};

const struct strategy_class strategy_sdse_intra = {
    .name = "sdse-intra",
    .arguments = "",
    .help =
        "Shortest distance inside the current function; a state whose function has no target is far away.",
    .when = "To measure the effect of distances across functions.",
    .new = new_intra,
    .free = free_sdse,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
