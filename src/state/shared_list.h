// A persistent list of numbers that grows at its end: forks share their common prefix. Holds the decisions of
// a path, its inputs, and the edges that it took.
#ifndef TAMAR_STATE_SHARED_LIST_H
#define TAMAR_STATE_SHARED_LIST_H

#include "base/base.h"

struct shared_list_chunk;

struct shared_list {
    struct shared_list_chunk *chunk; // NULL: empty
    uint32_t used;                   // values of the chunk that belong to this list
};

void shared_list_add(struct shared_list *list, uint32_t value);
uint32_t shared_list_count(struct shared_list list);
// Copies all values in order; `values` has space for shared_list_count.
void shared_list_copy(struct shared_list list, uint32_t *values);
// Copies the values from index `from` on.
void shared_list_copy_from(struct shared_list list, uint32_t from, uint32_t *values);
// Returns the length of a common prefix. If one list was forked from the other, it includes at least all values
// before the fork.
uint32_t shared_list_common(struct shared_list a, struct shared_list b);
// Drops all values but the first `count`.
void shared_list_cut(struct shared_list *list, uint32_t count);
struct shared_list shared_list_fork(struct shared_list list);
void shared_list_free(struct shared_list list);

#endif
