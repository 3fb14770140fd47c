#include "bench/solver/hard.h"

static Term variable(struct terms *terms, const char *name, unsigned width) {
    return term_variable(terms, name, width);
}

// A product of two factors: both above 1.
static Term factor(struct terms *terms, unsigned bits, uint64_t product) {
    Term x = term_zext(terms, variable(terms, "x", bits), 2 * bits),
         y = term_zext(terms, variable(terms, "y", bits), 2 * bits);
    Term one = term_const(terms, 2 * bits, 1),
         proper = term_and(terms, term_ult(terms, one, x), term_ult(terms, one, y));
    return term_and(terms, proper,
                    term_eq(terms, term_mul(terms, x, y), term_const(terms, 2 * bits, product)));
}
static Term factor_composite(struct terms *terms, unsigned bits) {
    static const uint64_t products[] = {251 * 241, 1021 * 1013, 4093ull * 4091, 16381ull * 16369};
    return factor(terms, bits, products[(bits - 8) / 2]);
}
static Term factor_prime(struct terms *terms, unsigned bits) {
    return factor(terms, bits, bits == 8 ? 59999 : 999983);
}

// (x + y)^2 = x^2 + 2xy + y^2: the negation is refuted.
static Term binomial(struct terms *terms, unsigned bits) {
    Term x = variable(terms, "x", bits), y = variable(terms, "y", bits), sum = term_add(terms, x, y),
         xy = term_mul(terms, x, y);
    Term right = term_add(terms, term_mul(terms, x, x),
                          term_add(terms, term_add(terms, xy, xy), term_mul(terms, y, y)));
    return term_ne(terms, term_mul(terms, sum, sum), right);
}

// A division with a given quotient and remainder.
static Term divide(struct terms *terms, unsigned bits) {
    Term x = variable(terms, "x", bits), y = variable(terms, "y", bits);
    Term quotient = term_eq(terms, term_udiv(terms, x, y), term_const(terms, bits, 37));
    Term rest = term_eq(terms, term_urem(terms, x, y), term_const(terms, bits, 11));
    Term large = term_ult(terms, term_const(terms, bits, 100), y);
    return term_and(terms, large, term_and(terms, quotient, rest));
}
// (x / y) * y + x % y = x for y != 0: the negation is refuted.
static Term divide_identity(struct terms *terms, unsigned bits) {
    Term x = variable(terms, "x", bits), y = variable(terms, "y", bits);
    Term back = term_add(terms, term_mul(terms, term_udiv(terms, x, y), y), term_urem(terms, x, y));
    return term_and(terms, term_ne(terms, y, term_const(terms, bits, 0)), term_ne(terms, back, x));
}
static Term divide_constant(struct terms *terms, unsigned bits) {
    Term x = variable(terms, "x", bits),
         seven = term_const(terms, bits, 1000003 % (bits < 32 ? 251 : 1000000));
    Term rest = term_eq(terms, term_urem(terms, x, seven), term_const(terms, bits, 2));
    Term square = term_eq(terms, term_extract(terms, term_mul(terms, x, x), 0, bits / 2),
                          term_const(terms, bits / 2, 1));
    return term_and(terms, rest, square);
}

// An input of n bytes whose CRC-32 is given.
static Term crc(struct terms *terms, unsigned bytes) {
    Term value = term_const(terms, 32, 0xffffffff), polynomial = term_const(terms, 32, 0xedb88320);
    uint32_t input = terms_input(terms, "input", bytes);
    for (unsigned i = 0; i < bytes; i++) {
        value = term_xor(terms, value, term_zext(terms, term_byte(terms, input, i), 32));
        for (unsigned k = 0; k < 8; k++) {
            Term half = term_lshr(terms, value, term_const(terms, 32, 1));
            value =
                term_ite(terms, term_extract(terms, value, 0, 1), term_xor(terms, half, polynomial), half);
        }
    }
    return term_eq(terms, term_not(terms, value), term_const(terms, 32, 0xcafebabe));
}

// 64-bit mixing as in hash functions: finds a preimage.
static Term mix(struct terms *terms, unsigned rounds) {
    Term x = variable(terms, "x", 64);
    static const uint64_t factors[] = {0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u, 0x9e3779b97f4a7c15u};
    Term value = x;
    for (unsigned i = 0; i < rounds; i++) {
        value = term_xor(terms, value, term_lshr(terms, value, term_const(terms, 64, 33)));
        value = term_mul(terms, value, term_const(terms, 64, factors[i % 3]));
    }
    return term_eq(terms, value, term_const(terms, 64, 0x123456789abcdef0u));
}
static Term xorshift(struct terms *terms, unsigned rounds) {
    Term x = variable(terms, "x", 64), value = x;
    for (unsigned i = 0; i < rounds; i++) {
        value = term_xor(terms, value, term_shl(terms, value, term_const(terms, 64, 13)));
        value = term_xor(terms, value, term_lshr(terms, value, term_const(terms, 64, 7)));
        value = term_xor(terms, value, term_shl(terms, value, term_const(terms, 64, 17)));
        value = term_add(terms, value, term_const(terms, 64, 0x9e3779b97f4a7c15u));
    }
    return term_eq(terms, value, term_const(terms, 64, 0xfedcba9876543210u));
}

// Two 16-bit halves: a sum of products with an overflow check.
static Term overflow_free(struct terms *terms, unsigned bits) {
    Term x = variable(terms, "x", bits), y = variable(terms, "y", bits);
    Term fits = term_not(terms, term_apply(terms, KIND_UMUL_OVERFLOW, x, y, 0));
    Term product = term_mul(terms, x, y);
    Term target = term_eq(terms, term_and(terms, product, term_const(terms, bits, 0xffff)),
                          term_const(terms, bits, 0x1235));
    Term large = term_ult(terms, term_const(terms, bits, 1000), x);
    return term_and(terms, term_and(terms, fits, large), term_and(terms, target, term_ult(terms, x, y)));
}

const struct hard_query hard_queries[] = {
    {"factor a product, 8 bits", factor_composite, 8},
    {"factor a product, 12 bits", factor_composite, 12},
    {"factor a product, 14 bits", factor_composite, 14},
    {"a prime has no factors, 8 bits", factor_prime, 8},
    {"a prime has no factors, 10 bits", factor_prime, 10},
    {"binomial formula, 5 bits", binomial, 5},
    {"binomial formula, 6 bits", binomial, 6},
    {"quotient and remainder, 16 bits", divide, 16},
    {"quotient and remainder, 32 bits", divide, 32},
    {"division identity, 6 bits", divide_identity, 6},
    {"division identity, 8 bits", divide_identity, 8},
    {"remainder and square, 16 bits", divide_constant, 16},
    {"remainder and square, 32 bits", divide_constant, 32},
    {"CRC-32 inversion, 4 bytes", crc, 4},
    {"CRC-32 inversion, 12 bytes", crc, 12},
    {"64-bit mixing, 1 round", mix, 1},
    {"64-bit mixing, 2 rounds", mix, 2},
    {"xorshift and add, 2 rounds", xorshift, 2},
    {"xorshift and add, 4 rounds", xorshift, 4},
    {"product without overflow, 32 bits", overflow_free, 32},
};
const unsigned hard_count = COUNT(hard_queries);
