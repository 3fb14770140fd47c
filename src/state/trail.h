// The decisions of a path, in their order: what rebuilds it. A list that only grows, shared between states:
// forks share the part before them.
#ifndef TAMAR_STATE_TRAIL_H
#define TAMAR_STATE_TRAIL_H

#include "base/base.h"

struct trail_chunk;

struct trail {
    struct trail_chunk *chunk; // NULL: empty
    uint32_t used;             // values of the chunk that belong to this trail
};

void trail_add(struct trail *trail, uint32_t decision);
uint32_t trail_count(struct trail trail);
// All decisions in order; `values` has room for trail_count.
void trail_copy(struct trail trail, uint32_t *values);
// Those from number `from` on.
void trail_copy_from(struct trail trail, uint32_t from, uint32_t *values);
// How many decisions they share: as many as begin both at least, when one was forked from the other.
uint32_t trail_shared(struct trail a, struct trail b);
// Forgets all decisions but the first `count`.
void trail_cut(struct trail *trail, uint32_t count);
struct trail trail_fork(struct trail trail);
void trail_free(struct trail trail);

#endif
