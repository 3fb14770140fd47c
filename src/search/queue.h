// A binary heap of small numbers, ordered by keys that the owner keeps. queue_update restores the order after
// a key has changed. `struct number_queue queue = {.less = ..., .context = ...}`.
#ifndef TAMAR_SEARCH_QUEUE_H
#define TAMAR_SEARCH_QUEUE_H

#include "base/vec.h"

struct number_queue {
    bool (*less)(const void *context, uint32_t a, uint32_t b); // a total order
    const void *context;
    vec(uint32_t) at;
    vec(uint32_t) indices; // by number: its index in `at` plus 1; 0: not in the heap
};

static inline bool queue_has(const struct number_queue *queue, uint32_t number) {
    return number < queue->indices.count && queue->indices.at[number];
}
static inline uint32_t queue_first(const struct number_queue *queue) {
    assert(queue->at.count);
    return queue->at.at[0];
}
void queue_add(struct number_queue *queue, uint32_t number);
void queue_update(struct number_queue *queue, uint32_t number);
void queue_remove(struct number_queue *queue, uint32_t number);
void queue_free(struct number_queue *queue);

#endif
