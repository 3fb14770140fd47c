// Exact IEEE 754 arithmetic on bit patterns of any format up to FP_MAX_PRECISION, in all rounding modes. NaN results
// are those of x86-64 SSE (kinds.h). For the x87 format: of two NaNs the result is the one that the x87 picks. A
// pattern with a non-zero exponent and a clear integer bit (unnormal, pseudo-infinity, pseudo-NaN) counts as a NaN, and
// its result is the default NaN; one with exponent 0 and a set integer bit (pseudo-denormal) has its numeric value.
#ifndef TAMAR_EXPR_SOFTFLOAT_H
#define TAMAR_EXPR_SOFTFLOAT_H

#include "expr/expr.h"

// Applies an operation. Operands are limbs of their widths; `width` is the first operand's. The result is trimmed to
// shape.width.
void fp_apply(struct shape shape, unsigned width, const uint64_t *const *args, uint64_t *result);

// Like fp_apply, by the host's floating-point unit. False: the host's result may differ.
bool fp_native(struct shape shape, const uint64_t *const *args, uint64_t *result);
bool fp_native_convert(struct shape shape, unsigned width, const uint64_t *arg, uint64_t *result);

#endif
