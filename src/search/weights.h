// States with weights, drawn at random in proportion to them. Every operation is logarithmic: the weights are the
// leaves of a binary tree of sums.
#ifndef TAMAR_SEARCH_WEIGHTS_H
#define TAMAR_SEARCH_WEIGHTS_H

#include "base/hash.h"
#include "base/random.h"
#include "state/state.h"

struct weights {
    struct state **states; // by index; NULL from `count` on
    uint64_t *sums;        // [1] is the total, [i] the sum of [2i] and [2i+1]; leaves from `capacity` on
    uint32_t count, capacity;
    struct map indices; // state number -> index
};

// Weights are integers greater than 0, at most 2^32: sums are exact, whatever the order of the calls.
void weights_add(struct weights *weights, struct state *state, uint64_t weight);
void weights_set(struct weights *weights, const struct state *state, uint64_t weight);
void weights_remove(struct weights *weights, const struct state *state);
struct state *weights_draw(const struct weights *weights, struct random *random);
void weights_free(struct weights *weights);

#endif
