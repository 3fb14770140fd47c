#include "search/target_distance.h"

#include "state/state_distance.h"

// Cost of each ordered target still ahead; distances within a program stay well below it.
#define STEP (1u << 24)

static uint32_t ordered_distance(struct targets *targets, const struct state *state, const uint32_t *order,
                                 uint32_t count) {
    if (state->coverage.progress >= count) return 0;
    uint32_t next = target_distance_to(targets, order[state->coverage.progress], state);
    uint32_t ahead = MIN(count - state->coverage.progress - 1, 200);
    return next == DISTANCE_NONE ? DISTANCE_NONE : ahead * STEP + MIN(next, STEP - 1);
}

uint32_t target_distance(struct targets *targets, const struct state *state) {
    if (!targets || !state->frames.chunk) return DISTANCE_NONE;
    uint32_t count;
    const uint32_t *order = targets_order(targets, &count);
    if (order) return ordered_distance(targets, state, order, count);
    return state_distance(targets_distance(targets), state);
}

uint32_t target_distance_to(struct targets *targets, uint32_t target, const struct state *state) {
    if (!targets || !state->frames.chunk) return DISTANCE_NONE;
    return state_distance(targets_distance_to(targets, target), state);
}

uint32_t target_distance_intra(struct targets *targets, const struct state *state) {
    if (!targets || !state->frames.chunk) return DISTANCE_NONE;
    return distance_intra(targets_distance(targets), state_point(state));
}
