// Exact IEEE 754 arithmetic on bit patterns of any format up to FP_MAX_PRECISION, in all rounding modes. NaN results
// are those of x86-64 SSE (kinds.h). x87: of two NaNs the result is the x87's choice; patterns whose integer bit
// contradicts the exponent are NaNs that yield the default NaN; pseudo-denormals have their value.
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
