// The arithmetic of concrete values that takes more than one machine operation: pure functions over arrays of
// 64-bit registers (the slots of ir/ops.h, not tagged terms). Results are those of the code that clang 19 generates for
// x86-64, to the last bit of a NaN.
#ifndef TAMAR_VM_NUMERIC_H
#define TAMAR_VM_NUMERIC_H

#include "ir/ir.h"

// Evaluates a function of integers of 1 to 65535 bits. `result_width` matters for functions that change the width
// (result C in ir/ops.h); their operands have `width` bits. Operands must be zero-extended to their slots; results are,
// too. A result of kind V is the value's slots, then one slot with the overflow bit. dst may be any of the operands.
// The divisor is not zero, and a signed division does not overflow. Operands that a function does not have may be NULL.
void int_evaluate(enum ir_fn fn, unsigned width, unsigned result_width, uint64_t *dst, const uint64_t *a,
                  const uint64_t *b, const uint64_t *c);

// Evaluates a function of floats, rounded to nearest even. `format` is the operands' format, for FFROM_* the result's.
// `extra` is, for FCMP: LLVM's predicate; FIS_CLASS: LLVM's mask; FCONVERT: the target format; FTO_*, FFROM_*: the
// integer's width; FLDEXP: the width of the exponent in b (0: 32). dst may be any of the operands. An x87 value takes
// two slots; the upper one holds 16 bits.
void float_evaluate(enum ir_fn fn, enum ir_float format, unsigned extra, uint64_t *dst, const uint64_t *a,
                    const uint64_t *b, const uint64_t *c);

#endif
