// Bit-by-bit arithmetic for the reference evaluator: slow and simple, sharing no code with src/expr.
#ifndef TAMAR_FUZZ_BITS_H
#define TAMAR_FUZZ_BITS_H

#include "random_term.h"

struct bits bits_zero(unsigned width);
struct bits bits_number(unsigned width, uint64_t value);
// Kinds over bit-vectors, core and derived, without floats; `width` and `low` as in the shape.
struct bits bits_apply(struct shape shape, const struct bits *a, const struct bits *b, const struct bits *c);

// Floats: for float and double, classification by the C library and arithmetic by the processor; for other formats the
// software arithmetic, which fuzz_float checks separately.
struct bits bits_float(struct shape shape, const struct bits *a, const struct bits *b, const struct bits *c);

#endif
