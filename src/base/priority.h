// A priority queue of numbers: pops the smallest key first, equal keys in the order of their values, so that the order
// of pops is deterministic.
#ifndef TAMAR_PRIORITY_H
#define TAMAR_PRIORITY_H

#include "base/vec.h"

struct priority_item {
    uint32_t key, value;
};
struct priority {
    struct priority_item *at; // a binary heap
    uint32_t count, capacity;
};

void priority_push(struct priority *queue, uint32_t key, uint32_t value);
struct priority_item priority_pop(struct priority *queue); // must not be empty
#define priority_free(queue) vec_free(queue)

#endif
