#include "state/state_distance.h"

static struct ir_point point_of(const struct frame *frame) {
    return (struct ir_point){frame->function->index, frame->instruction};
}

struct ir_point state_point(const struct state *state) { return point_of(frames_top(&state->frames)); }

uint32_t state_distance(const struct distance *distance, const struct state *state) {
    const struct frame_chunk *chunk = state->frames.chunk;
    if (!chunk) return DISTANCE_NONE;
    const struct frame *frame = frames_top(&state->frames);
    struct distance_walk walk = distance_walk(distance, point_of(frame));
    while ((frame = frames_below(&chunk, frame)))
        if (!distance_return(distance, &walk, point_of(frame))) break;
    return walk.best;
}
