// Distances of a state to the targets of the search.
#ifndef TAMAR_SEARCH_TARGET_DISTANCE_H
#define TAMAR_SEARCH_TARGET_DISTANCE_H

#include "cover/targets.h"
#include "state/state.h"

// Distance to the nearest open target. DISTANCE_NONE: no path in the graph, or no target. For ordered targets, the
// distance to the next one that the state has to visit; each remaining target adds more than any distance.
uint32_t target_distance(struct targets *targets, const struct state *state);
// Distance within the state's current function.
uint32_t target_distance_intra(struct targets *targets, const struct state *state);
// Distance to this target alone.
uint32_t target_distance_to(struct targets *targets, uint32_t target, const struct state *state);

#endif
