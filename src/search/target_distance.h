// How far a state is from the targets of the search.
#ifndef TAMAR_SEARCH_TARGET_DISTANCE_H
#define TAMAR_SEARCH_TARGET_DISTANCE_H

#include "cover/targets.h"
#include "state/state.h"

// To the nearest open target. Where targets stand in an order, to the next one that the state has to come by,
// and any further step counts for more than any distance. DISTANCE_NONE: there is no way, or no target.
uint32_t target_distance(struct targets *targets, const struct state *state);
// Inside the function in which the state stands.
uint32_t target_distance_intra(struct targets *targets, const struct state *state);
// To this one alone.
uint32_t target_distance_to(struct targets *targets, uint32_t target, const struct state *state);

#endif
