// The meaning of one operation on values: what folding, evaluation and others who compute with terms share.
#ifndef TAMAR_EXPR_APPLY_H
#define TAMAR_EXPR_APPLY_H

#include "expr/expr.h"

// Operands and result of at most 64 bits, `width` is the operands'; kinds of KP_SAME that are no floats.
uint64_t apply_small(enum kind kind, unsigned width, uint64_t a, uint64_t b);
// Kinds over bit-vectors (no arrays); widths are the operands' widths.
void apply_limbs(struct shape shape, const unsigned *widths, const uint64_t *const *args, uint64_t *result);

#endif
