// Backward propagation of ranges: from results to operands. A result between two floats is the rounding of a real
// number between the floats adjacent to them. The inverse operation, rounded outward, maps these bounds to operands.
#include "expr/float_range.h"

#include "expr/softfloat.h"

typedef __int128 rank_t;

static rank_t infinity_of(fp_format f, bool negative) {
    return negative ? -1 - float_infinity(f) : float_infinity(f);
}

// One end of the range of an operation, rounded outward. False: the result is a NaN.
static bool end_of(fp_format f, enum kind kind, rank_t a, rank_t b, bool upper, rank_t *end) {
    uint64_t patterns[2][2], value[2] = {0};
    const uint64_t *args[2] = {patterns[0], patterns[1]};
    struct shape shape = {.kind = (uint8_t)kind,
                          .format = f,
                          .width = (uint16_t)fp_width(f),
                          .rounding = upper ? FP_UPWARD : FP_DOWNWARD};
    float_range_pattern(f, a, patterns[0]);
    float_range_pattern(f, b, patterns[1]);
    fp_apply(shape, fp_width(f), args, value);
    if (!float_range_position(f, value, end)) return false;
    *end = upper ? float_last(*end) : float_first(*end);
    return true;
}

static struct float_range all_numbers(fp_format f) {
    struct float_range r = float_range_all(f);
    r.nan = false;
    return r;
}

// The real numbers that round into the range.
static struct float_range unrounded(fp_format f, struct float_range r) {
    return (struct float_range){float_range_below(f, r.low), float_range_above(f, r.high), false};
}

// The range of a - b over real numbers.
static struct float_range difference(fp_format f, struct float_range a, struct float_range b) {
    struct float_range r = {0, 0, false};
    if (!end_of(f, KIND_FP_SUB, a.low, b.high, false, &r.low)) r.low = infinity_of(f, true);
    if (!end_of(f, KIND_FP_SUB, a.high, b.low, true, &r.high)) r.high = infinity_of(f, false);
    return r;
}

// Product or quotient from the four corners. If one of them is a NaN, nothing is known.
static struct float_range corners(fp_format f, enum kind kind, struct float_range a, struct float_range b) {
    struct float_range r = {0, -1, false};
    for (unsigned corner = 0; corner < 4; corner++) {
        rank_t x = corner & 1 ? a.high : a.low, y = corner >> 1 ? b.high : b.low;
        struct float_range ends = {0, 0, false};
        if (!end_of(f, kind, x, y, false, &ends.low) || !end_of(f, kind, x, y, true, &ends.high))
            return all_numbers(f);
        r = float_range_join(r, ends);
    }
    return r;
}

// Whether all numbers lie on one side of zero.
static bool has_sign(struct float_range r) { return r.low > 0 || r.high < -1; }

static struct float_range factor(fp_format f, struct float_range product, struct float_range other) {
    return has_sign(other) ? corners(f, KIND_FP_DIV, product, other) : all_numbers(f);
}

static struct float_range square(fp_format f, struct float_range root) {
    struct float_range r = {-1, 0, false};
    if (root.high < 0) return (struct float_range){-1, 0, false};
    if (root.low > 0) end_of(f, KIND_FP_MUL, root.low, root.low, false, &r.low);
    end_of(f, KIND_FP_MUL, root.high, root.high, true, &r.high);
    return r;
}

static struct float_range nearby(fp_format f, struct float_range r) {
    rank_t one = (rank_t)(mask_bits(fp_exponent_bits(f)) >> 1) << (fp_precision(f) - 1);
    struct float_range ends = {0, 0, false};
    end_of(f, KIND_FP_SUB, r.low, one, false, &ends.low);
    end_of(f, KIND_FP_ADD, r.high, one, true, &ends.high);
    return ends;
}

static struct float_range converted(struct shape shape, struct float_range r) {
    struct float_range ends = {0, 0, false};
    for (unsigned i = 0; i < 2; i++) {
        uint64_t pattern[2] = {0}, value[2] = {0};
        const uint64_t *arg = pattern;
        float_range_pattern(shape.format, i ? r.high : r.low, pattern);
        struct shape back = {.kind = KIND_FP_TO_FP,
                             .format = shape.source,
                             .source = shape.format,
                             .width = (uint16_t)fp_width(shape.source),
                             .rounding = i ? FP_UPWARD : FP_DOWNWARD};
        fp_apply(back, fp_width(shape.format), &arg, value);
        float_range_position(shape.source, value, i ? &ends.high : &ends.low);
    }
    return (struct float_range){float_first(ends.low), float_last(ends.high), false};
}

struct float_range float_range_back(struct shape shape, struct float_range result,
                                    const struct float_range *args, unsigned i) {
    fp_format f = shape.format;
    fp_format source = shape.kind == KIND_FP_TO_FP ? shape.source : f;
    // A NaN result says nothing about the operands. The minimum and the maximum ignore a NaN operand.
    if (result.nan || !float_range_has_numbers(result) || shape.kind == KIND_FP_MIN ||
        shape.kind == KIND_FP_MAX)
        return float_range_all(source);
    struct float_range real = unrounded(f, result);
    for (unsigned k = 0; k < kind_infos[shape.kind].arity; k++)
        if (!float_range_has_numbers(args[k]))
            return (struct float_range){0, -1, false}; // all operands must be numbers
    switch (shape.kind) {
    case KIND_FP_ADD: return difference(f, real, args[!i]);
    case KIND_FP_SUB:
        return i ? difference(f, args[0], real) : difference(f, real, float_range_negate(args[1]));
    case KIND_FP_MUL: return factor(f, real, args[!i]);
    case KIND_FP_DIV:
        if (i == 0) return corners(f, KIND_FP_MUL, real, args[1]);
        return has_sign(real) ? corners(f, KIND_FP_DIV, args[0], real) : all_numbers(f);
    case KIND_FP_SQRT: return square(f, real);
    case KIND_FP_ROUND: return nearby(f, real);
    case KIND_FP_TO_FP: return converted(shape, real);
    default: return all_numbers(source);
    }
}

// ---- Comparisons

static void cut_above(struct float_range *r, rank_t high) {
    r->high = MIN(r->high, high);
    if (r->low > r->high) r->low = 0, r->high = -1;
}

static void cut_below(struct float_range *r, rank_t low) {
    r->low = MAX(r->low, low);
    if (r->low > r->high) r->low = 0, r->high = -1;
}

static void drop_numbers(struct float_range *r) { r->low = 0, r->high = -1; }

// Narrows numbers for a < b, or a <= b.
static void back_order(fp_format f, bool strict, struct float_range *a, struct float_range *b) {
    if (!float_range_has_numbers(*a) || !float_range_has_numbers(*b)) {
        drop_numbers(a);
        drop_numbers(b);
        return;
    }
    rank_t low = a->low, high = b->high;
    // Nothing is below minus infinity, or above plus infinity.
    bool none = strict && (high == infinity_of(f, true) || low == infinity_of(f, false));
    cut_above(a, strict ? float_range_below(f, high) : float_last(high));
    cut_below(b, strict ? float_range_above(f, low) : float_first(low));
    if (none) drop_numbers(a), drop_numbers(b);
}

static void back_equal(struct float_range *a, struct float_range *b) {
    struct float_range x = *a, y = *b;
    if (!float_range_has_numbers(x) || !float_range_has_numbers(y)) {
        drop_numbers(a);
        drop_numbers(b);
        return;
    }
    cut_above(a, float_last(y.high));
    cut_below(a, float_first(y.low));
    cut_above(b, float_last(x.high));
    cut_below(b, float_first(x.low));
}

// Removes one value from a range if it is at an end.
static void back_different(fp_format f, struct float_range *a, struct float_range value) {
    if (float_first(value.low) != float_first(value.high) || !float_range_has_numbers(*a)) return;
    if (float_first(a->low) == float_first(value.low)) {
        bool last = a->low == infinity_of(f, false);
        cut_below(a, float_range_above(f, a->low));
        if (last) drop_numbers(a);
    }
    if (float_range_has_numbers(*a) && float_last(a->high) == float_last(value.high)) {
        bool last = a->high == infinity_of(f, true);
        cut_above(a, float_range_below(f, a->high));
        if (last) drop_numbers(a);
    }
}

void float_range_back_compare(enum kind kind, fp_format f, bool value, struct float_range *a,
                              struct float_range *b) {
    if (value) {
        a->nan = b->nan = false;
        if (kind == KIND_FP_EQ)
            back_equal(a, b);
        else
            back_order(f, kind == KIND_FP_LT, a, b);
        return;
    }
    if (a->nan || b->nan) return;
    struct float_range x = *a;
    switch (kind) {
    case KIND_FP_LT: back_order(f, false, b, a); break;
    case KIND_FP_LE: back_order(f, true, b, a); break;
    default: back_different(f, a, *b); back_different(f, b, x);
    }
}

// ---- Integers

struct int_range float_range_back_from_int(struct shape shape, struct float_range result) {
    struct int_range r = {-((__int128)1 << 64), (__int128)1 << 64};
    if (!float_range_has_numbers(result)) return (struct int_range){0, -1};
    struct float_range real = unrounded(shape.format, result);
    for (unsigned i = 0; i < 2; i++) {
        uint64_t pattern[2] = {0}, words[2] = {0};
        const uint64_t *arg = pattern;
        float_range_pattern(shape.format, i ? real.high : real.low, pattern);
        struct shape to = {.kind = KIND_FP_TO_SINT,
                           .source = shape.format,
                           .width = 100,
                           .rounding = i ? FP_UPWARD : FP_DOWNWARD};
        fp_apply(to, fp_width(shape.format), &arg, words);
        __int128 value =
            (__int128)((unsigned __int128)(uint64_t)sign_extend(words[1], 100 - 64) << 64 | words[0]);
        if (value == -((__int128)1 << 99)) continue; // out of range
        *(i ? &r.high : &r.low) = value;
    }
    return r;
}

struct float_range float_range_back_to_int(struct shape shape, struct int_range result) {
    bool is_signed = shape.kind == KIND_FP_TO_SINT;
    __int128 span = (__int128)1 << (shape.width - is_signed), indefinite = is_signed ? -span : span - 1;
    if (result.low > result.high) return (struct float_range){0, -1, false};
    if (result.low <= indefinite && indefinite <= result.high) return float_range_all(shape.source);
    // Rounding changes a value by less than one.
    struct float_range r = {0, 0, false};
    struct shape from = {.kind = KIND_SINT_TO_FP,
                         .format = shape.source,
                         .width = (uint16_t)fp_width(shape.source),
                         .rounding = FP_DOWNWARD};
    r.low = float_range_from_int(from, (struct int_range){result.low - 1, result.low - 1}).low;
    from.rounding = FP_UPWARD;
    r.high = float_range_from_int(from, (struct int_range){result.high + 1, result.high + 1}).high;
    r.low = float_first(r.low);
    r.high = float_last(r.high);
    return r;
}
