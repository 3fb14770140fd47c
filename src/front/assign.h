// Register assignment; private to assign.c, liveness.c and hoist.c.
//
// Positions: instruction i reads at 2i and writes at 2i + 1. A unit (here the range of slots that holds one value;
// elsewhere in this folder a module) is live in segments [start, end), which are ascending and disjoint. A copy reads
// at 2i and writes at 2i + 1, where its source's segment ends and its target's begins: both may get the same register.
#ifndef TAMAR_FRONT_ASSIGN_H
#define TAMAR_FRONT_ASSIGN_H

#include "front/front_int.h"

struct segment {
    uint32_t start, end;
    uint32_t next; // index + 1 of the unit's next segment, 0: none
};

struct liveness {
    struct lowering *l;
    uint32_t *order;      // emitted blocks, sorted by start
    uint32_t block_count; // number of emitted blocks
    uint32_t *depth;      // loop nesting depth per block, by index in `order`
    uint32_t *head;       // index + 1 of each unit's first segment, by the unit's first register
    vec(struct segment) segments;
};

// Computes the liveness; free it with liveness_free.
void liveness_find(struct liveness *live, struct lowering *l);
void liveness_free(struct liveness *live);
// Moves loads of constants out of loops to the start of the function (l->hoisted). Uses `order` and `depth`.
void hoist_constants(struct liveness *live);

#endif
