// Ranges of floats: the numbers that a float may be, and whether it may be a NaN.
//
// The numbers of a format are ordered: ... -0, +0 ... A number's rank in this order is an integer. The ranks of
// adjacent numbers differ by 1; +0 has rank 0 and -0 has rank -1. A range is an interval of ranks and a flag for NaNs.
// Rounding is monotone in every mode. So the range of an operation follows from its results at the ends, computed
// exactly by software arithmetic in the operation's rounding mode. Ranges may be larger than the set of possible
// values, never smaller (tests/unit/expr/test_float_range.c: all values of a tiny format).
#ifndef TAMAR_EXPR_FLOAT_RANGE_H
#define TAMAR_EXPR_FLOAT_RANGE_H

#include "expr/expr.h"

struct float_range {
    __int128 low, high; // ranks; low > high: no number
    bool nan;
};

// A range of integers of at most 64 bits, by value.
struct int_range {
    __int128 low, high; // low > high: empty
};

// Whether ranks fit into 128 bits: up to quad.
static inline bool float_has_ranks(fp_format f) { return fp_width(f) <= 128; }
static inline __int128 float_infinity(fp_format f) {
    return (__int128)mask_bits(fp_exponent_bits(f)) << (fp_precision(f) - 1);
}

// The rank of a number. False: a NaN (x87: also an invalid pattern).
bool float_range_position(fp_format f, const uint64_t *pattern, __int128 *rank);
// The bit pattern of the number of this rank; the rank must lie between the ranks of the infinities.
void float_range_pattern(fp_format f, __int128 rank, uint64_t *pattern);

// The rank of the next number that is less, or greater, in value. The two zeros have one value.
__int128 float_range_below(fp_format f, __int128 rank);
__int128 float_range_above(fp_format f, __int128 rank);
// The first and the last rank of the numbers with the same value: the zeros have two ranks.
static inline __int128 float_first(__int128 rank) { return rank == 0 ? -1 : rank; }
static inline __int128 float_last(__int128 rank) { return rank == -1 ? 0 : rank; }

// The middle of two ranks or integers, whose difference may overflow.
static inline __int128 rank_between(__int128 low, __int128 high) {
    return (low >> 1) + (high >> 1) + (low & high & 1);
}

struct float_range float_range_all(fp_format f);
struct float_range float_range_of(fp_format f, const uint64_t *pattern);
// The range of the floats whose patterns, of at most 64 bits, lie between two as unsigned numbers.
struct float_range float_range_between(fp_format f, uint64_t low, uint64_t high);
static inline bool float_range_has_numbers(struct float_range r) { return r.low <= r.high; }
static inline bool float_range_is_empty(struct float_range r) { return r.low > r.high && !r.nan; }
bool float_range_has(fp_format f, struct float_range r, const uint64_t *pattern);
struct float_range float_range_join(struct float_range a, struct float_range b);
struct float_range float_range_meet(struct float_range a, struct float_range b);
struct float_range float_range_negate(struct float_range a);
struct float_range float_range_magnitude(struct float_range a);

// The range of the result of a float operation: arithmetic, and FP_TO_FP (whose operand has the source format).
struct float_range float_range_apply(struct shape shape, const struct float_range *args);
// Whether a comparison may be false, may be true.
struct truth {
    bool no, yes;
};
struct truth float_range_compare(enum kind kind, struct float_range a, struct float_range b);
// Conversions: from integers, and to integers of at most 64 bits (signed ones by value).
struct float_range float_range_from_int(struct shape shape, struct int_range a);
struct int_range float_range_to_int(struct shape shape, struct float_range a);

// Backward propagation (float_range_back.c): the range of operand `i`, given the ranges of the result and of the
// operands.
struct float_range float_range_back(struct shape shape, struct float_range result,
                                    const struct float_range *args, unsigned i);
// Narrows both operands of a comparison whose result is `value`.
void float_range_back_compare(enum kind kind, fp_format f, bool value, struct float_range *a,
                              struct float_range *b);
struct int_range float_range_back_from_int(struct shape shape, struct float_range result);
struct float_range float_range_back_to_int(struct shape shape, struct int_range result);

#endif
