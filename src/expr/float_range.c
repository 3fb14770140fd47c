#include "expr/float_range.h"

#include "expr/softfloat.h"

typedef __int128 rank_t;
typedef unsigned __int128 u128;

static const struct float_range nothing = {0, -1, false};

// ---- Ranks

bool float_range_position(fp_format f, const uint64_t *pattern, __int128 *rank) {
    unsigned width = fp_width(f), below = fp_precision(f) - 1, fraction = fp_fraction_bits(f);
    u128 value = pattern[0];
    assert(float_has_ranks(f));
    if (width > 64) value |= (u128)pattern[1] << 64;
    uint64_t field = (uint64_t)(value >> fraction) & mask_bits(fp_exponent_bits(f));
    u128 rest = value & (((u128)1 << below) - 1);
    if (fp_explicit(f)) {
        bool integer = value >> below & 1;
        if (field && !integer) return false;
        if (!field && integer) field = 1; // a pseudo-denormal has the value of a normal number
    }
    if (field == mask_bits(fp_exponent_bits(f)) && rest) return false;
    rank_t magnitude = (rank_t)((u128)field << below | rest);
    *rank = value >> (width - 1) & 1 ? -1 - magnitude : magnitude;
    return true;
}

void float_range_pattern(fp_format f, __int128 rank, uint64_t *pattern) {
    unsigned below = fp_precision(f) - 1, fraction = fp_fraction_bits(f), bits = fp_exponent_bits(f);
    bool sign = rank < 0;
    u128 magnitude = (u128)(sign ? -1 - rank : rank);
    assert(magnitude <= (u128)float_infinity(f));
    uint64_t field = (uint64_t)(magnitude >> below);
    u128 value = magnitude & (((u128)1 << below) - 1);
    if (fp_explicit(f) && field) value |= (u128)1 << below;
    value |= (u128)field << fraction | (u128)sign << (fraction + bits);
    pattern[0] = (uint64_t)value;
    if (fp_width(f) > 64) pattern[1] = (uint64_t)(value >> 64);
}

__int128 float_range_below(fp_format f, __int128 rank) {
    if (rank == -1 - float_infinity(f)) return rank;
    return float_first(rank) - 1;
}

__int128 float_range_above(fp_format f, __int128 rank) {
    return rank == float_infinity(f) ? rank : float_last(rank) + 1;
}

// ---- Ranges

struct float_range float_range_all(fp_format f) {
    return (struct float_range){-1 - float_infinity(f), float_infinity(f), true};
}

struct float_range float_range_of(fp_format f, const uint64_t *pattern) {
    struct float_range r = nothing;
    rank_t rank;
    if (float_range_position(f, pattern, &rank))
        r.low = r.high = rank;
    else
        r.nan = true;
    return r;
}

// Patterns of one sign increase with the magnitude; those above infinity are NaNs.
static struct float_range one_sign(fp_format f, uint64_t low, uint64_t high, bool sign) {
    rank_t top = float_infinity(f), last = MIN((rank_t)high, top);
    struct float_range r = {low, last, (rank_t)high > top};
    if (sign) r.low = -1 - last, r.high = -1 - (rank_t)low;
    return r;
}

struct float_range float_range_between(fp_format f, uint64_t low, uint64_t high) {
    assert(fp_width(f) <= 64 && low <= high);
    if (fp_explicit(f)) return float_range_all(f);
    uint64_t sign = (uint64_t)1 << (fp_width(f) - 1);
    if (high < sign) return one_sign(f, low, high, false);
    if (low >= sign) return one_sign(f, low ^ sign, high ^ sign, true);
    return float_range_join(one_sign(f, low, sign - 1, false), one_sign(f, 0, high ^ sign, true));
}

bool float_range_has(fp_format f, struct float_range r, const uint64_t *pattern) {
    rank_t rank;
    return float_range_position(f, pattern, &rank) ? rank >= r.low && rank <= r.high : r.nan;
}

struct float_range float_range_join(struct float_range a, struct float_range b) {
    bool nan = a.nan || b.nan;
    if (!float_range_has_numbers(a)) a = b;
    if (!float_range_has_numbers(b)) b = a;
    return (struct float_range){MIN(a.low, b.low), MAX(a.high, b.high), nan};
}

struct float_range float_range_meet(struct float_range a, struct float_range b) {
    struct float_range r = {MAX(a.low, b.low), MIN(a.high, b.high), a.nan && b.nan};
    if (r.low > r.high) r.low = nothing.low, r.high = nothing.high;
    return r;
}

struct float_range float_range_negate(struct float_range a) {
    return float_range_has_numbers(a) ? (struct float_range){-1 - a.high, -1 - a.low, a.nan} : a;
}

// The part of a range with one sign.
static struct float_range part(struct float_range a, bool negative) {
    struct float_range r = a;
    if (negative)
        r.high = MIN(a.high, -1);
    else
        r.low = MAX(a.low, 0);
    r.nan = false;
    return r;
}

struct float_range float_range_magnitude(struct float_range a) {
    struct float_range r = float_range_join(part(a, false), float_range_negate(part(a, true)));
    r.nan = a.nan;
    return r;
}

// ---- Operations

struct range_operation {
    struct shape shape;
    fp_format source; // format of the operands
};

// The rank of the result for operands that are numbers. False: the result is a NaN.
static bool result_at(const struct range_operation *o, const rank_t *at, rank_t *result) {
    uint64_t patterns[3][2], value[2] = {0};
    const uint64_t *args[3] = {patterns[0], patterns[1], patterns[2]};
    for (unsigned i = 0; i < kind_infos[o->shape.kind].arity; i++)
        float_range_pattern(o->source, at[i], patterns[i]);
    fp_apply(o->shape, fp_width(o->source), args, value);
    return float_range_position(o->shape.format, value, result);
}

static bool has(struct float_range r, rank_t rank) { return r.low <= rank && rank <= r.high; }

static bool has_infinity(fp_format f, struct float_range r, bool negative) {
    return has(r, negative ? -1 - float_infinity(f) : float_infinity(f));
}

static bool has_zero(struct float_range r) { return has(r, 0) || has(r, -1); }
static bool has_any_infinity(fp_format f, struct float_range r) {
    return has_infinity(f, r, false) || has_infinity(f, r, true);
}

// A sum is monotone in both operands. It is a NaN only for infinities of opposite signs. If the lower ends give a
// NaN, all other results are the positive infinity; if the upper ends do, the negative one.
static struct float_range sum(const struct range_operation *o, struct float_range a, struct float_range b) {
    fp_format f = o->shape.format;
    struct float_range r = {0, 0,
                            (has_infinity(f, a, false) && has_infinity(f, b, true)) ||
                                (has_infinity(f, a, true) && has_infinity(f, b, false))};
    if (!result_at(o, (rank_t[]){a.low, b.low}, &r.low)) r.low = float_infinity(f);
    if (!result_at(o, (rank_t[]){a.high, b.high}, &r.high)) r.high = -1 - float_infinity(f);
    return r;
}

static struct range_operation as_sum(const struct range_operation *o) {
    struct range_operation sum = *o;
    sum.shape.kind = KIND_FP_ADD;
    return sum;
}

// The end of a range of one sign that is nearer to zero, and the farther one.
static rank_t near_end(struct float_range r) { return r.low < 0 ? r.high : r.low; }
static rank_t far_end(struct float_range r) { return r.low < 0 ? r.low : r.high; }

// Product or quotient of ranges of one sign each. The result's magnitude increases with the first operand's, and
// increases (product) or decreases (quotient) with the second's. If the near ends give a NaN (0 * infinity, for
// example), all other results are infinite. If the far ends do, all others are zero.
static struct float_range scaled(const struct range_operation *o, struct float_range a,
                                 struct float_range b) {
    fp_format f = o->shape.format;
    bool quotient = o->shape.kind == KIND_FP_DIV, negative = (a.low < 0) != (b.low < 0);
    struct float_range r = nothing;
    r.nan = quotient ? (has_zero(a) && has_zero(b)) || (has_any_infinity(f, a) && has_any_infinity(f, b))
                     : (has_zero(a) && has_any_infinity(f, b)) || (has_zero(b) && has_any_infinity(f, a));
    rank_t near, far, infinity = negative ? -1 - float_infinity(f) : float_infinity(f);
    if (!result_at(o, (rank_t[]){near_end(a), quotient ? far_end(b) : near_end(b)}, &near)) near = infinity;
    if (!result_at(o, (rank_t[]){far_end(a), quotient ? near_end(b) : far_end(b)}, &far))
        far = negative ? -1 : 0;
    r.low = negative ? far : near;
    r.high = negative ? near : far;
    if (r.low > r.high) r.low = nothing.low, r.high = nothing.high;
    return r;
}

// Splits both ranges by sign, and joins the products or quotients of the parts.
static struct float_range by_signs(const struct range_operation *o, struct float_range a,
                                   struct float_range b) {
    struct float_range r = nothing;
    for (unsigned signs = 0; signs < 4; signs++) {
        struct float_range x = part(a, signs & 1), y = part(b, signs >> 1);
        if (float_range_has_numbers(x) && float_range_has_numbers(y))
            r = float_range_join(r, scaled(o, x, y));
    }
    return r;
}

// Fused multiply-add. For factors of one sign each the product, and so the sum, has its extremes at the ends.
static struct float_range fused(const struct range_operation *o, const struct float_range *args) {
    fp_format f = o->shape.format;
    struct float_range r = nothing;
    for (unsigned signs = 0; signs < 4; signs++) {
        struct float_range x = part(args[0], signs & 1), y = part(args[1], signs >> 1);
        if (!float_range_has_numbers(x) || !float_range_has_numbers(y)) continue;
        bool negative = (x.low < 0) != (y.low < 0);
        rank_t near[3] = {near_end(x), near_end(y)}, far[3] = {far_end(x), far_end(y)};
        rank_t *least = negative ? far : near, *most = negative ? near : far;
        least[2] = args[2].low;
        most[2] = args[2].high;
        struct float_range ends = {0, 0, false};
        if (!result_at(o, least, &ends.low) || !result_at(o, most, &ends.high)) return float_range_all(f);
        // NaNs of 0 * infinity and of infinities of opposite signs may occur between the ends.
        bool infinite = has_any_infinity(f, x) || has_any_infinity(f, y);
        ends.nan = infinite && (has_zero(x) || has_zero(y) || has_any_infinity(f, args[2]));
        r = float_range_join(r, ends);
    }
    return r;
}

static struct float_range root(const struct range_operation *o, struct float_range a) {
    struct float_range r = {0, 0, a.low < -1};
    a.low = MAX(a.low, -1);
    if (a.low > a.high) return (struct float_range){0, -1, r.nan};
    bool number = result_at(o, &a.low, &r.low) && result_at(o, &a.high, &r.high);
    assert(number);
    (void)number;
    return r;
}

// A remainder is not farther from zero than either operand; fmod's result has the sign of the first.
static struct float_range remainder_of(const struct range_operation *o, struct float_range a,
                                       struct float_range b) {
    fp_format f = o->shape.format;
    rank_t most = MIN(float_range_magnitude(a).high, float_range_magnitude(b).high);
    struct float_range r = {-1 - most, most, has_any_infinity(f, a) || has_zero(b)};
    if (o->shape.kind == KIND_FP_REM) return r;
    if (a.low >= 0) r.low = 0;
    if (a.high < 0) r.high = -1;
    return r;
}

static struct float_range extreme(const struct range_operation *o, struct float_range a,
                                  struct float_range b) {
    struct float_range r = nothing;
    bool least = o->shape.kind == KIND_FP_MIN;
    if (float_range_has_numbers(a) && float_range_has_numbers(b)) {
        r.low = least ? MIN(a.low, b.low) : MAX(a.low, b.low);
        r.high = least ? MIN(a.high, b.high) : MAX(a.high, b.high);
    }
    // If one operand is a NaN, the result is the other one.
    if (a.nan) r = float_range_join(r, b);
    if (b.nan) r = float_range_join(r, a);
    r.nan = a.nan && b.nan;
    return r;
}

static struct float_range monotone(const struct range_operation *o, struct float_range a) {
    struct float_range r = {0, 0, false};
    bool number = result_at(o, &a.low, &r.low) && result_at(o, &a.high, &r.high);
    assert(number);
    (void)number;
    return r;
}

static struct float_range numbers(const struct range_operation *o, const struct float_range *args) {
    struct float_range b;
    struct range_operation add;
    switch (o->shape.kind) {
    case KIND_FP_ADD: return sum(o, args[0], args[1]);
    case KIND_FP_SUB:
        b = float_range_negate(args[1]);
        add = as_sum(o);
        return sum(&add, args[0], b);
    case KIND_FP_MUL:
    case KIND_FP_DIV: return by_signs(o, args[0], args[1]);
    case KIND_FP_FMA: return fused(o, args);
    case KIND_FP_SQRT: return root(o, args[0]);
    case KIND_FP_REM:
    case KIND_FP_MOD: return remainder_of(o, args[0], args[1]);
    default:
        assert(o->shape.kind == KIND_FP_ROUND || o->shape.kind == KIND_FP_TO_FP);
        return monotone(o, args[0]);
    }
}

struct float_range float_range_apply(struct shape shape, const struct float_range *args) {
    struct range_operation o = {shape, shape.kind == KIND_FP_TO_FP ? shape.source : shape.format};
    if (!float_has_ranks(o.source)) return float_range_all(shape.format);
    if (shape.kind == KIND_FP_MIN || shape.kind == KIND_FP_MAX) return extreme(&o, args[0], args[1]);
    bool nan = false, none = false;
    for (unsigned i = 0; i < kind_infos[shape.kind].arity; i++) {
        nan |= args[i].nan;
        none |= !float_range_has_numbers(args[i]);
    }
    struct float_range r = none ? nothing : numbers(&o, args);
    r.nan |= nan;
    return r;
}

// ---- Comparisons

struct truth float_range_compare(enum kind kind, struct float_range a, struct float_range b) {
    struct truth truth = {a.nan || b.nan, false};
    if (!float_range_has_numbers(a) || !float_range_has_numbers(b)) return truth;
    rank_t a_low = float_first(a.low), a_high = float_last(a.high);
    rank_t b_low = float_first(b.low), b_high = float_last(b.high);
    bool some_less =
        float_last(a.low)<float_first(b.high), some_greater = float_first(a.high)> float_last(b.low);
    bool meet = a_low <= b_high && b_low <= a_high; // some values are equal
    switch (kind) {
    case KIND_FP_LT:
        truth.yes = some_less;
        truth.no |= meet || some_greater;
        break;
    case KIND_FP_LE:
        truth.yes = some_less || meet;
        truth.no |= some_greater;
        break;
    default:
        assert(kind == KIND_FP_EQ);
        truth.yes = meet;
        truth.no |= some_less || some_greater;
    }
    return truth;
}

// ---- Integers

static void words_of(__int128 value, uint64_t *words) {
    words[0] = (uint64_t)value;
    words[1] = (uint64_t)((u128)value >> 64);
}

struct float_range float_range_from_int(struct shape shape, struct int_range a) {
    if (a.low > a.high) return nothing;
    // Converts by value: as signed integers of 100 bits, for both kinds.
    struct shape wide = shape;
    wide.kind = KIND_SINT_TO_FP;
    struct float_range r = nothing;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t words[2], pattern[2] = {0};
        const uint64_t *arg = words;
        words_of(i ? a.high : a.low, words);
        words[1] &= mask_bits(100 - 64);
        fp_apply(wide, 100, &arg, pattern);
        bool number = float_range_position(shape.format, pattern, i ? &r.high : &r.low);
        assert(number);
        (void)number;
    }
    return r;
}

static struct int_range all_integers(struct shape shape) {
    bool is_signed = shape.kind == KIND_FP_TO_SINT;
    __int128 span = (__int128)1 << (shape.width - is_signed);
    return (struct int_range){is_signed ? -span : 0, span - 1};
}

struct int_range float_range_to_int(struct shape shape, struct float_range a) {
    struct int_range all = all_integers(shape), r = {0};
    if (a.nan || !float_range_has_numbers(a)) return all;
    struct shape wide = shape;
    wide.kind = KIND_FP_TO_SINT;
    wide.width = 100;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t pattern[2] = {0}, words[2] = {0};
        const uint64_t *arg = pattern;
        float_range_pattern(shape.source, i ? a.high : a.low, pattern);
        fp_apply(wide, fp_width(shape.source), &arg, words);
        __int128 value = (__int128)((u128)(uint64_t)sign_extend(words[1], 100 - 64) << 64 | words[0]);
        // The number may not fit: the result may be the value for "out of range".
        if (value < all.low || value > all.high) return all;
        *(i ? &r.high : &r.low) = value;
    }
    return r;
}
