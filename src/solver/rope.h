// A persistent list of terms: adding one term and joining two lists are O(1), and copies share their common prefix. So
// adding a condition to a path condition takes the memory of one condition, however many states keep its prefixes.
//
// A list that ends at the last term of its chunk appends in place; other lists with that chunk do not see the new term
// (as in state/shared_list.h). All chunks of a solver are linked, for marking terms: a chunk shared by several lists is
// marked once.
#ifndef TAMAR_SOLVER_ROPE_H
#define TAMAR_SOLVER_ROPE_H

#include "base/vec.h"
#include "expr/expr.h"

struct rope_chunk;
struct rope_chunks {
    struct rope_chunk *first;
};

struct rope {
    struct rope_chunk *chunk; // NULL: empty
    uint32_t used;            // terms of the chunk that belong to this list
};

typedef vec(Term) term_list;

uint32_t rope_count(struct rope rope);
void rope_add(struct rope_chunks *chunks, struct rope *rope, Term term);
// Consumes both lists. Returns all terms of `a`, then all of `b`.
struct rope rope_join(struct rope_chunks *chunks, struct rope a, struct rope b);
struct rope rope_copy(struct rope rope);
void rope_free(struct rope_chunks *chunks, struct rope *rope);
// Appends the terms in their order.
void rope_list(struct rope rope, term_list *to);
Term rope_last(struct rope rope); // the list must not be empty
void rope_mark_all(const struct rope_chunks *chunks, struct terms *terms);

#endif
