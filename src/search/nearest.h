// States ordered by a distance, the nearest first. Ties go to the newest state, so that the search stays on a
// path that gets nearer.
#ifndef TAMAR_SEARCH_NEAREST_H
#define TAMAR_SEARCH_NEAREST_H

#include "base/hash.h"
#include "search/queue.h"
#include "state/state.h"

struct nearest {
    struct number_queue queue; // indices into `held`
    vec(struct state *) held;  // NULL: free slot
    vec(uint32_t) distances;
    vec(uint32_t) free;
    struct map indices; // state number -> index in `held`
};

void nearest_start(struct nearest *nearest); // it must not be moved afterwards
void nearest_end(struct nearest *nearest);
void nearest_add(struct nearest *nearest, struct state *state, uint32_t distance);
void nearest_set(struct nearest *nearest, const struct state *state, uint32_t distance);
void nearest_remove(struct nearest *nearest, const struct state *state);
struct state *nearest_first(const struct nearest *nearest);

#endif
