// Bit-by-bit arithmetic for the reference evaluator: slow, plain, and nobody else's code.
#ifndef TAMAR_FUZZ_BITS_H
#define TAMAR_FUZZ_BITS_H

#include "random_term.h"

struct bits bits_zero(unsigned width);
struct bits bits_number(unsigned width, uint64_t value);
// Kinds over bit-vectors, core and derived, but floats; `width` and `low` as in the shape.
struct bits bits_apply(struct shape shape, const struct bits *a, const struct bits *b, const struct bits *c);

// Floats: classification by the C library and arithmetic by the machine for float and double; the rest by
// the software arithmetic, which fuzz_float checks on its own.
struct bits bits_float(struct shape shape, const struct bits *a, const struct bits *b, const struct bits *c);

#endif
