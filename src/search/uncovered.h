// Distances of states to code that no state has covered, from a table that uncovered_update recomputes.
#ifndef TAMAR_SEARCH_UNCOVERED_H
#define TAMAR_SEARCH_UNCOVERED_H

#include "search/search.h"

#define UNCOVERED_NONE UINT32_MAX // no uncovered code is reachable in the graph

struct uncovered;

struct uncovered *uncovered_new(const struct search_options *options); // the options must outlive it
void uncovered_free(struct uncovered *uncovered);
// Returns a lower bound of the distance from the state to the nearest uncovered block of user code.
uint32_t uncovered_distance(const struct uncovered *uncovered, const struct state *state);
// Recomputes the table. Returns false if the options have no program or no edges_seen.
bool uncovered_update(struct uncovered *uncovered);

#endif
