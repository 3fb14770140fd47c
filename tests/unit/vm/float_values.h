// Random floats of every format for the tests; special values and extreme exponents are frequent.
#ifndef TAMAR_TEST_FLOAT_VALUES_H
#define TAMAR_TEST_FLOAT_VALUES_H

#include "base/random.h"
#include "vm/numeric_float.h"

#include <string.h>

static struct random random_state = {20240608};

static void set_float(enum ir_float format, uint64_t *a, bool negative, unsigned biased, u128 fraction) {
    const struct float_layout *layout = &float_layouts[format];
    unsigned bits = (unsigned)layout->precision - 1;
    u128 raw = (u128)negative << layout->exponent_bits | (biased & ((1u << layout->exponent_bits) - 1));
    fraction &= mask_128(bits);
    if (layout->explicit_bit)
        raw = raw << 64 | (u128)(biased != 0) << 63 | fraction;
    else
        raw = raw << bits | fraction;
    a[1] = 0;
    store_128(a, raw, ir_float_width(format));
}

static u128 random_fraction(void) {
    u128 wide = (u128)random_next(&random_state) << 64 | random_next(&random_state);
    switch (random_below(&random_state, 8)) {
    case 0: return 0;
    case 1: return ~(u128)0;
    case 2: return (u128)1 << random_below(&random_state, 113);
    case 3: return ~(u128)0 << random_below(&random_state, 113);
    case 4: return ((u128)1 << random_below(&random_state, 113)) - 1;
    default: return wide;
    }
}

// Makes a random float; never an invalid x87 encoding.
static void random_float(enum ir_float format, uint64_t *a) {
    const struct float_layout *layout = &float_layouts[format];
    unsigned largest = (1u << layout->exponent_bits) - 1, bias = largest / 2;
    bool negative = random_next(&random_state) & 1;
    u128 fraction = random_fraction();
    unsigned near = (unsigned)layout->precision + 4;
    switch (random_below(&random_state, 12)) {
    case 0: set_float(format, a, negative, largest, 0); break; // infinite
    case 1: set_float(format, a, negative, largest, fraction ? fraction : 1); break;
    case 2: set_float(format, a, negative, 0, fraction); break; // subnormal or zero
    case 3: set_float(format, a, negative, (unsigned)random_below(&random_state, 4), fraction); break;
    case 4:
        set_float(format, a, negative, largest - 1 - (unsigned)random_below(&random_state, 3), fraction);
        break;
    case 5: // in the range of integers
    case 6:
        set_float(format, a, negative, bias + (unsigned)random_below(&random_state, bias < 130 ? bias : 130),
                  fraction);
        break;
    case 7: set_float(format, a, negative, 0, 0); break;
    case 8:
    case 9: // near one
        set_float(format, a, negative, bias - near / 2 + (unsigned)random_below(&random_state, near),
                  fraction);
        break;
    default: set_float(format, a, negative, (unsigned)random_below(&random_state, largest), fraction);
    }
}

// Makes b similar to a: the same or an adjacent exponent, nearly -a, or a itself.
static void random_partner(enum ir_float format, const uint64_t *a, uint64_t *b) {
    unsigned kind = (unsigned)random_below(&random_state, 6), top = ir_float_width(format) - 1;
    random_float(format, b);
    if (kind > 2) return;
    uint64_t copy[2] = {a[0], a[1]};
    if (top < 64) copy[1] = 0;
    if (kind == 1) copy[top / 64] ^= 1ull << top % 64;
    if (kind == 2) copy[0] ^= random_next(&random_state) & 0xff;
    memcpy(b, copy, sizeof copy);
}

static inline bool is_nan(enum ir_float format, const uint64_t *a) {
    return float_unpack(format, a).kind == FLOAT_NAN;
}

#endif
