// Register assignment; private to assign.c and liveness.c.
//
// Positions: instruction i reads at 2i and writes at 2i + 1. A unit (the run of slots that holds one value)
// is live in segments [start, end), ascending and apart from each other; between a read and the write of the
// same instruction lies no position, so a copy's source may end where its target starts.
#ifndef TAMAR_FRONT_ASSIGN_H
#define TAMAR_FRONT_ASSIGN_H

#include "front/front_int.h"

struct segment {
    uint32_t start, end;
    uint32_t next; // index + 1
};

struct liveness {
    struct lowering *l;
    uint32_t *order;      // emitted blocks by start
    uint32_t block_count; // of them
    uint32_t *depth;      // of each, by place in the order: loops around it
    uint32_t *head;       // of each unit, by its first register: first segment + 1
    vec(struct segment) segments;
};

// Fills all of it; to be freed with liveness_free.
void liveness_find(struct liveness *live, struct lowering *l);
void liveness_free(struct liveness *live);
// Moves constants that loops load again and again to the start of the function: l->hoisted. Uses order and
// depth.
void hoist_constants(struct liveness *live);

#endif
