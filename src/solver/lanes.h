// Terms evaluated for all 256 values of one byte at once, the other inputs being fixed by an evaluator: what
// a tabulator does for terms over one byte, for any term.
#ifndef TAMAR_LANES_H
#define TAMAR_LANES_H

#include "expr/eval.h"

struct lanes;
struct lanes *lanes_new(struct terms *terms);
void lanes_free(struct lanes *lanes);

// The evaluator's assignment stays in force until the next lanes_start. `budget`: nodes to be computed, at
// most.
void lanes_start(struct lanes *lanes, struct evaluator *evaluator, const struct assignment *assignment,
                 uint32_t var, uint32_t budget);
// The 256 values of t, or NULL: too wide, floating point, too deep, or beyond the budget. Good until
// lanes_start.
const uint64_t *lanes_of(struct lanes *lanes, Term t);
// What is left of the budget.
uint32_t lanes_budget(const struct lanes *lanes);

// `count` values of t, a bit-vector operation that reads no array, from those of its operands, all of at most
// 64 bits. False: not such an operation.
bool lanes_apply(struct terms *terms, Term t, uint64_t *out, const uint64_t *const *arg, unsigned count);
// Elements of an array, which must be a table of constants: else false.
bool lanes_read_table(struct terms *terms, Term array, uint64_t *out, const uint64_t *index, unsigned count);

#endif
