// Random floats of any format for tests: patterns around the corners (zeros, subnormals, powers, infinities, NaNs, few bits)
// and anything.
#ifndef TAMAR_TEST_FLOAT_PATTERNS_H
#define TAMAR_TEST_FLOAT_PATTERNS_H

#include "base/random.h"
#include "expr/float_format.h"

// `odd`: now and then an x87 pattern whose integer bit contradicts its exponent.
static inline void random_pattern(struct random *random, fp_format f, bool odd, uint64_t bits[2]) {
    unsigned fraction = fp_fraction_bits(f), exponent_bits = fp_exponent_bits(f), precision = fp_precision(f);
    uint64_t top = mask_bits(exponent_bits), bias = top >> 1, exponent;
    unsigned __int128 value = (unsigned __int128)random_next(random) << 64 | random_next(random);
    switch (random_below(random, 6)) {
    case 0: value = 0; break;
    case 1: value = ~(unsigned __int128)0; break;
    case 2: value = random_below(random, 4); break;
    case 3: value <<= random_below(random, precision); break;
    default: break;
    }
    switch (random_below(random, 8)) {
    case 0: exponent = 0; break;
    case 1: exponent = top; break;
    case 2: exponent = random_below(random, 3); break;
    case 3: exponent = top - random_below(random, 3); break;
    case 4: exponent = random_next(random); break;
    default: exponent = bias + random_below(random, 2 * precision) - precision; break;
    }
    exponent &= top;
    value &= ((unsigned __int128)1 << fraction) - 1;
    if (fp_explicit(f) && !(odd && random_below(random, 8) == 0)) {
        unsigned __int128 integer = (unsigned __int128)1 << (precision - 1);
        value = exponent ? value | integer : value & ~integer;
    }
    value |= (unsigned __int128)exponent << fraction;
    value |= (unsigned __int128)(random_next(random) & 1) << (fraction + exponent_bits);
    bits[0] = (uint64_t)value;
    bits[1] = (uint64_t)(value >> 64);
}

#endif
