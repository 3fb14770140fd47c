// How far a state is from a set of targets, by its call stack (ir/distance.h).
#ifndef TAMAR_STATE_DISTANCE_H
#define TAMAR_STATE_DISTANCE_H

#include "ir/distance.h"
#include "state/state.h"

// DISTANCE_NONE: no path in the graph leads from here to any target. At most one step per frame; usually the
// uppermost frames decide.
uint32_t state_distance(const struct distance *distance, const struct state *state);
// The top frame's place.
struct ir_place state_place(const struct state *state);

#endif
