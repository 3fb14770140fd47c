// Decision history: the decisions of a path in order, from which it can be rebuilt. A persistent list that
// only grows: forks share their common prefix.
#ifndef TAMAR_STATE_TRAIL_H
#define TAMAR_STATE_TRAIL_H

#include "base/base.h"

struct trail_chunk;

struct trail {
    struct trail_chunk *chunk; // NULL: empty
    uint32_t used;             // values of the chunk that belong to this history
};

void trail_add(struct trail *trail, uint32_t decision);
uint32_t trail_count(struct trail trail);
// Copies all decisions in order; `values` has space for trail_count.
void trail_copy(struct trail trail, uint32_t *values);
// Copies the decisions from number `from` on.
void trail_copy_from(struct trail trail, uint32_t from, uint32_t *values);
// Returns a length up to which both are equal. If one was forked from the other: at least all decisions
// before the fork.
uint32_t trail_shared(struct trail a, struct trail b);
// Drops all decisions but the first `count`.
void trail_cut(struct trail *trail, uint32_t count);
struct trail trail_fork(struct trail trail);
void trail_free(struct trail trail);

#endif
