// Semantics of one operation on values, shared by constant folding, evaluation and the other code that computes with
// terms.
#ifndef TAMAR_EXPR_APPLY_H
#define TAMAR_EXPR_APPLY_H

#include "expr/expr.h"

// Applies a kind that has the property KP_SAME and is not a float kind. Operands and result have at most 64 bits;
// `width`: width of the operands.
uint64_t apply_small(enum kind kind, unsigned width, uint64_t a, uint64_t b);
// Applies a kind over bit-vectors (no arrays); `widths` are the operands' widths.
void apply_limbs(struct shape shape, const unsigned *widths, const uint64_t *const *args, uint64_t *result);

#endif
