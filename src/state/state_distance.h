// Distance of a state to a set of targets, by its call stack (ir/distance.h).
#ifndef TAMAR_STATE_DISTANCE_H
#define TAMAR_STATE_DISTANCE_H

#include "ir/distance.h"
#include "state/state.h"

// Returns the distance, or DISTANCE_NONE if no path in the graph leads to a target. Takes at most one step per
// frame; usually the topmost frames decide.
uint32_t state_distance(const struct distance *distance, const struct state *state);
// Returns the program point of the top frame.
struct ir_point state_point(const struct state *state);

#endif
