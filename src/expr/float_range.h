// Ranges of floats: which numbers a float may be, and whether it may be a NaN.
//
// The numbers of a format stand in one line, ... -0, +0 ...: a number's place on it is an integer, neighbours
// differ by 1, +0 is at 0 and -0 at -1. A range is an interval of places and a flag for NaNs. Rounding is monotone,
// in every mode, so what an operation makes of ranges follows from its results at the ends, computed exactly by
// software arithmetic in the operation's own rounding mode; nothing here is approximate. Ranges may be larger than what
// is possible, never smaller (tests/unit/expr/test_float_range.c: all values of a tiny format).
#ifndef TAMAR_EXPR_FLOAT_RANGE_H
#define TAMAR_EXPR_FLOAT_RANGE_H

#include "expr/expr.h"

struct float_range {
    __int128 low, high; // places; low > high: no number
    bool nan;
};

// Of integers of at most 64 bits, by value.
struct int_range {
    __int128 low, high; // low > high: none
};

// A place fits into 128 bits up to quad.
static inline bool float_has_places(fp_format f) { return fp_width(f) <= 128; }
static inline __int128 float_infinity(fp_format f) {
    return (__int128)mask_bits(fp_exponent_bits(f)) << (fp_precision(f) - 1);
}

// False: a NaN (x87: also a pattern that is no number).
bool float_place(fp_format f, const uint64_t *pattern, __int128 *place);
// The pattern of a number; `place` between those of the infinities.
void float_pattern(fp_format f, __int128 place, uint64_t *pattern);

// The next number that is less, or greater, in value: both zeros are one value.
__int128 float_below(fp_format f, __int128 place);
__int128 float_above(fp_format f, __int128 place);
// The first and the last place of the same value.
static inline __int128 float_first(__int128 place) { return place == 0 ? -1 : place; }
static inline __int128 float_last(__int128 place) { return place == -1 ? 0 : place; }

// Between two places, or integers; their difference may not fit.
static inline __int128 place_between(__int128 low, __int128 high) {
    return (low >> 1) + (high >> 1) + (low & high & 1);
}

struct float_range float_range_all(fp_format f);
struct float_range float_range_of(fp_format f, const uint64_t *pattern);
// Of patterns of at most 64 bits that lie, unsigned, between two.
struct float_range float_range_between(fp_format f, uint64_t low, uint64_t high);
static inline bool float_range_has_numbers(struct float_range r) { return r.low <= r.high; }
static inline bool float_range_is_empty(struct float_range r) { return r.low > r.high && !r.nan; }
bool float_range_has(fp_format f, struct float_range r, const uint64_t *pattern);
struct float_range float_range_join(struct float_range a, struct float_range b);
struct float_range float_range_meet(struct float_range a, struct float_range b);
struct float_range float_range_negate(struct float_range a);
struct float_range float_range_magnitude(struct float_range a);

// What a float operation can give: arithmetic, and FP_TO_FP (whose operand is of the source format).
struct float_range float_range_apply(struct shape shape, const struct float_range *args);
// Whether a comparison may be false, may be true.
struct truth {
    bool no, yes;
};
struct truth float_range_compare(enum kind kind, struct float_range a, struct float_range b);
// Conversions: from integers, and to integers of at most 64 bits (signed ones by value).
struct float_range float_range_from_int(struct shape shape, struct int_range a);
struct int_range float_range_to_int(struct shape shape, struct float_range a);

// The other way (float_range_back.c): what operand `i` can be, given the result and what the operands can be.
struct float_range float_range_back(struct shape shape, struct float_range result,
                                    const struct float_range *args, unsigned i);
// Both operands of a comparison that came out as `value`.
void float_range_back_compare(enum kind kind, fp_format f, bool value, struct float_range *a,
                              struct float_range *b);
struct int_range float_range_back_from_int(struct shape shape, struct float_range result);
struct float_range float_range_back_to_int(struct shape shape, struct int_range result);

#endif
