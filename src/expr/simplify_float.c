// Rules for floats. Each holds bit for bit, NaNs and signed zeros included, in its rounding mode
// (tests/unit/expr/test_simplify_float.c: all values of a tiny format).
//
// Some terms are monotone in one unknown: a sum or product with a constant, a conversion, also from integers. A
// comparison of such a term with a constant becomes a comparison of the unknown with a threshold, found by bisection:
// `1.8 * x + 32 < 212` is `x < 100`, roundings included. So most thresholds of programs become comparisons of inputs.
#include "expr/expr_int.h"
#include "expr/float_range.h"
#include "expr/softfloat.h"

typedef __int128 rank_t;

static struct shape shape_of(const struct terms *terms, Term t) { return node_shape(node_of(terms, t)); }

static bool is_float_kind(enum kind kind) { return kind_infos[kind].properties & KP_FLOAT; }

// The rank of a constant (float_range.h). False for other terms and NaNs.
static bool constant_rank(const struct terms *terms, Term t, fp_format f, rank_t *rank) {
    return is_const(terms, t) && float_has_ranks(f) &&
           float_range_position(f, term_const_words(terms, t), rank);
}

static Term constant_at(struct terms *terms, fp_format f, rank_t rank) {
    uint64_t pattern[2] = {0};
    float_range_pattern(f, rank, pattern);
    return term_const_limbs(terms, fp_width(f), pattern);
}

static rank_t rank_of_one(fp_format f) {
    return (rank_t)(mask_bits(fp_exponent_bits(f)) >> 1) << (fp_precision(f) - 1);
}

// Whether unpacking and packing keeps the pattern: its NaNs are quiet, and it is not an invalid x87 pattern.
static bool is_canonical(const struct terms *terms, Term t, fp_format f) {
    const struct node *node = node_of(terms, t);
    switch (node->kind) {
    case KIND_FP_ADD:
    case KIND_FP_SUB:
    case KIND_FP_MUL:
    case KIND_FP_DIV:
    case KIND_FP_FMA:
    case KIND_FP_SQRT:
    case KIND_FP_REM:
    case KIND_FP_MOD:
    case KIND_FP_ROUND:
    case KIND_FP_TO_FP:
    case KIND_SINT_TO_FP:
    case KIND_UINT_TO_FP: return (fp_format)node->aux == f;
    default: break;
    }
    if (node->width > 64 || fp_explicit(f)) return false;
    return !float_range_between(f, node->facts.low, node->facts.high).nan;
}

static Term repacked(struct terms *terms, Term t, fp_format f) {
    return term_fp_to_fp(terms, f, f, FP_NEAREST_EVEN, t);
}

// ---- Arithmetic with a constant

// The reciprocal of a power of two, if it is a number.
static bool reciprocal(const struct terms *terms, Term t, fp_format f, uint64_t *pattern) {
    rank_t rank, back;
    if (!constant_rank(terms, t, f, &rank) || float_first(rank) == -1) return false;
    uint64_t one[2], again[2] = {0};
    const uint64_t *args[2] = {one, term_const_words(terms, t)};
    float_range_pattern(f, rank_of_one(f), one);
    // 1 / c is exact if both directed roundings agree: then c is a power of two.
    struct shape divide = {
        .kind = KIND_FP_DIV, .format = f, .width = (uint16_t)fp_width(f), .rounding = FP_DOWNWARD};
    fp_apply(divide, fp_width(f), args, pattern);
    divide.rounding = FP_UPWARD;
    fp_apply(divide, fp_width(f), args, again);
    if (!limbs_eq(pattern, again, fp_width(f)) || !float_range_position(f, pattern, &back)) return false;
    rank_t infinity = float_infinity(f);
    return float_first(back) != -1 && back < infinity && back > -1 - infinity;
}

static Term simplify_product(struct terms *terms, struct shape shape, Term a, Term b) {
    fp_format f = shape.format;
    rank_t rank;
    if (shape.kind == KIND_FP_MUL && constant_rank(terms, a, f, &rank))
        return term_fp_binary(terms, KIND_FP_MUL, f, (enum fp_rounding)shape.rounding, b,
                              a); // the constant is not a NaN, so the product commutes
    if (!constant_rank(terms, b, f, &rank)) return 0;
    if (rank == rank_of_one(f)) return repacked(terms, a, f);
    uint64_t pattern[2] = {0};
    if (shape.kind == KIND_FP_DIV && reciprocal(terms, b, f, pattern)) {
        Term factor = term_const_limbs(terms, fp_width(f), pattern);
        return term_fp_binary(terms, KIND_FP_MUL, f, (enum fp_rounding)shape.rounding, a, factor);
    }
    // 2 * x as x + x: a sum is the smaller circuit.
    if (shape.kind == KIND_FP_MUL && rank == rank_of_one(f) + ((rank_t)1 << (fp_precision(f) - 1)))
        return term_fp_binary(terms, KIND_FP_ADD, f, (enum fp_rounding)shape.rounding, a, a);
    return 0;
}

static Term simplify_sum(struct terms *terms, struct shape shape, Term a, Term b) {
    fp_format f = shape.format;
    enum fp_rounding rounding = (enum fp_rounding)shape.rounding;
    rank_t rank;
    if (shape.kind == KIND_FP_SUB) {
        if (!constant_rank(terms, b, f, &rank)) return 0;
        return term_fp_binary(terms, KIND_FP_ADD, f, rounding, a, constant_at(terms, f, -1 - rank));
    }
    if (constant_rank(terms, a, f, &rank)) return term_fp_binary(terms, KIND_FP_ADD, f, rounding, b, a);
    // Adding this zero changes neither +0 nor -0.
    if (constant_rank(terms, b, f, &rank) && rank == (rounding == FP_DOWNWARD ? 0 : -1))
        return repacked(terms, a, f);
    return 0;
}

// ---- Conversions

// Whether every number of one format is a number of the other.
static bool is_within(fp_format narrow, fp_format wide) {
    return fp_precision(narrow) <= fp_precision(wide) && fp_exponent_bits(narrow) <= fp_exponent_bits(wide);
}

static Term simplify_to_fp(struct terms *terms, struct shape shape, Term a) {
    enum fp_rounding rounding = (enum fp_rounding)shape.rounding;
    if (shape.format == shape.source) {
        if (is_canonical(terms, a, shape.format)) return a;
        // A conversion to the same format does not round.
        return rounding == FP_NEAREST_EVEN ? 0 : repacked(terms, a, shape.format);
    }
    struct shape inner = shape_of(terms, a);
    if (inner.kind == KIND_FP_TO_FP && inner.format == shape.source && is_within(inner.source, inner.format))
        return term_fp_to_fp(terms, inner.source, shape.format, rounding, arg_of(terms, a, 0));
    return 0;
}

// The most bits that the magnitude of an integer can have.
static unsigned magnitude_bits(const struct terms *terms, Term t, bool is_signed) {
    unsigned width = width_of(terms, t);
    if (is_signed && width <= 64) {
        struct facts facts = node_of(terms, t)->facts;
        if (facts_signed_low(facts, width) < 0) return width - 1; // 2^(width - 1) is a power of two
    } else if (is_signed && term_leading_zeros(terms, t) == 0) {
        return width - 1;
    }
    return width - term_leading_zeros(terms, t);
}

// Whether t is an integer converted to a float without rounding.
static bool is_exact_int(const struct terms *terms, Term t, fp_format f, bool *is_signed, Term *integer) {
    struct shape shape = shape_of(terms, t);
    if ((shape.kind != KIND_SINT_TO_FP && shape.kind != KIND_UINT_TO_FP) || shape.format != f) return false;
    *is_signed = shape.kind == KIND_SINT_TO_FP;
    *integer = arg_of(terms, t, 0);
    unsigned bits = magnitude_bits(terms, *integer, *is_signed);
    return bits <= fp_precision(f) && bits < mask_bits(fp_exponent_bits(f)) >> 1;
}

static Term simplify_to_int(struct terms *terms, struct shape shape, Term a) {
    struct shape inner = shape_of(terms, a);
    if (inner.kind == KIND_FP_ROUND && inner.format == shape.source)
        return term_fp_to_int(terms, shape.kind == KIND_FP_TO_SINT, shape.source,
                              (enum fp_rounding)inner.rounding, arg_of(terms, a, 0), shape.width);
    bool from_signed, to_signed = shape.kind == KIND_FP_TO_SINT;
    Term n;
    if (!is_exact_int(terms, a, shape.source, &from_signed, &n)) return 0;
    unsigned width = width_of(terms, n), bits = width - term_leading_zeros(terms, n);
    if (from_signed && bits == width) // it may be negative
        return to_signed && width <= shape.width ? term_sext(terms, n, shape.width) : 0;
    return bits + to_signed <= shape.width ? term_resize(terms, n, shape.width) : 0;
}

static Term simplify_round(struct terms *terms, struct shape shape, Term a) {
    enum kind kind = kind_of(terms, a);
    bool integral = kind == KIND_FP_ROUND || kind == KIND_SINT_TO_FP || kind == KIND_UINT_TO_FP;
    return integral && shape_of(terms, a).format == shape.format ? a : 0;
}

static Term simplify_fma(struct terms *terms, struct shape shape, const Term *args) {
    rank_t rank;
    for (unsigned i = 0; i < 2; i++)
        if (constant_rank(terms, args[i], shape.format, &rank) && rank == rank_of_one(shape.format))
            return term_fp_binary(terms, KIND_FP_ADD, shape.format, (enum fp_rounding)shape.rounding,
                                  args[!i], args[2]);
    return 0;
}

Term simplify_float(struct terms *terms, struct shape shape, const Term *args) {
    switch (shape.kind) {
    case KIND_FP_ADD:
    case KIND_FP_SUB: return simplify_sum(terms, shape, args[0], args[1]);
    case KIND_FP_MUL:
    case KIND_FP_DIV: return simplify_product(terms, shape, args[0], args[1]);
    case KIND_FP_FMA: return simplify_fma(terms, shape, args);
    case KIND_FP_MIN:
    case KIND_FP_MAX: return args[0] == args[1] ? args[0] : 0;
    case KIND_FP_ROUND: return simplify_round(terms, shape, args[0]);
    case KIND_FP_TO_FP: return simplify_to_fp(terms, shape, args[0]);
    case KIND_FP_TO_SINT:
    case KIND_FP_TO_UINT: return simplify_to_int(terms, shape, args[0]);
    default: return 0;
    }
}

// ---- Thresholds

// A term that is monotone in its one unknown.
struct curve {
    struct terms *terms;
    struct shape shape;
    Term unknown;
    const uint64_t *constant; // the other operand; NULL: none, or the unknown again
    unsigned position;        // operand number of the unknown
    fp_format source;         // format of the unknown; 0: an integer
    bool falls;
    rank_t low, high; // range of the unknown, in ranks or integers; outside of it the result is a NaN
};

static bool curve_with_constant(struct curve *curve, Term a, Term b) {
    fp_format f = curve->shape.format;
    rank_t rank, infinity = float_infinity(f);
    curve->position = is_const(curve->terms, a);
    Term constant = curve->position ? a : b;
    if (!constant_rank(curve->terms, constant, f, &rank) || rank >= infinity || rank <= -1 - infinity)
        return false;
    bool scales = curve->shape.kind == KIND_FP_MUL || curve->shape.kind == KIND_FP_DIV;
    if (scales && float_first(rank) == -1) return false; // scaling by zero
    if (curve->shape.kind == KIND_FP_DIV && curve->position) return false;
    curve->falls = scales ? rank < 0 : curve->shape.kind == KIND_FP_SUB && curve->position;
    curve->constant = term_const_words(curve->terms, constant);
    curve->unknown = curve->position ? b : a;
    return true;
}

static bool curve_of(struct terms *terms, Term t, fp_format f, struct curve *curve) {
    const struct node *node = node_of(terms, t);
    if (!is_float_kind((enum kind)node->kind) || node_shape(node).format != f) return false;
    *curve = (struct curve){.terms = terms, .shape = node_shape(node), .unknown = node->args[0]};
    curve->source = curve->shape.format;
    switch (node->kind) {
    case KIND_FP_ADD:
    case KIND_FP_SUB:
    case KIND_FP_MUL:
    case KIND_FP_DIV:
        if (node->kind == KIND_FP_ADD && node->args[0] == node->args[1]) break; // x + x
        if (!curve_with_constant(curve, node->args[0], node->args[1])) return false;
        break;
    case KIND_FP_TO_FP: curve->source = curve->shape.source; break;
    case KIND_FP_ROUND:
    case KIND_FP_SQRT: break;
    case KIND_SINT_TO_FP:
    case KIND_UINT_TO_FP: {
        unsigned width = width_of(terms, curve->unknown);
        bool is_signed = node->kind == KIND_SINT_TO_FP;
        if (width > 64 || width == 1) return false;
        curve->source = 0;
        curve->low = is_signed ? -((rank_t)1 << (width - 1)) : 0;
        curve->high = ((rank_t)1 << (width - is_signed)) - 1;
        return true;
    }
    default: return false;
    }
    if (!float_has_ranks(curve->source)) return false;
    curve->high = float_infinity(curve->source);
    curve->low = node->kind == KIND_FP_SQRT ? -1 : -1 - curve->high;
    return true;
}

// The rank of the result. If the curve falls, `at` is the rank of the negated unknown.
static rank_t curve_at(const struct curve *curve, rank_t at) {
    uint64_t unknown[2] = {0}, result[2] = {0};
    const uint64_t *args[2] = {unknown, unknown};
    if (curve->constant) args[!curve->position] = curve->constant;
    unsigned width = curve->source ? fp_width(curve->source) : width_of(curve->terms, curve->unknown);
    rank_t rank = 0;
    if (curve->source)
        float_range_pattern(curve->source, curve->falls ? -1 - at : at, unknown);
    else
        unknown[0] = (uint64_t)at & mask_bits(width);
    fp_apply(curve->shape, width, args, result);
    bool number = float_range_position(curve->shape.format, result, &rank);
    assert(number);
    (void)number;
    return rank;
}

// The least `at` where the result is >= (with `beyond`: >) the rank `than`; high + 1 if there is none.
static rank_t threshold(const struct curve *curve, rank_t than, bool beyond) {
    rank_t low = curve->low, high = curve->high + 1,
           least = beyond ? float_last(than) + 1 : float_first(than);
    while (low < high) {
        rank_t middle = rank_between(low, high);
        if (curve_at(curve, middle) < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The condition that the result is not a NaN.
static Term in_domain(const struct curve *curve) {
    struct terms *terms = curve->terms;
    if (!curve->source) return terms->true_term;
    if (curve->low == -1) // a square root
        return term_fp_compare(terms, KIND_FP_LE, curve->source, constant_at(terms, curve->source, 0),
                               curve->unknown);
    return term_not(terms, term_fp_is(terms, KIND_FP_IS_NAN, curve->source, curve->unknown));
}

// The condition at >= bound.
static Term from_on(const struct curve *curve, rank_t bound) {
    struct terms *terms = curve->terms;
    if (bound <= curve->low) return in_domain(curve);
    if (bound > curve->high) return terms->false_term;
    if (!curve->source) {
        Term limit = term_const(terms, width_of(terms, curve->unknown), (uint64_t)bound);
        return curve->shape.kind == KIND_SINT_TO_FP ? term_sle(terms, limit, curve->unknown)
                                                    : term_ule(terms, limit, curve->unknown);
    }
    Term limit = constant_at(terms, curve->source, curve->falls ? -1 - bound : bound);
    return curve->falls ? term_fp_compare(terms, KIND_FP_LE, curve->source, curve->unknown, limit)
                        : term_fp_compare(terms, KIND_FP_LE, curve->source, limit, curve->unknown);
}

// The condition at < bound.
static Term up_to(const struct curve *curve, rank_t bound) {
    struct terms *terms = curve->terms;
    if (bound <= curve->low) return terms->false_term;
    if (bound > curve->high) return in_domain(curve);
    if (!curve->source) return term_not(terms, from_on(curve, bound));
    Term limit = constant_at(terms, curve->source, curve->falls ? -1 - bound : bound);
    Term below = curve->falls ? term_fp_compare(terms, KIND_FP_LT, curve->source, limit, curve->unknown)
                              : term_fp_compare(terms, KIND_FP_LT, curve->source, curve->unknown, limit);
    return curve->low == -1 ? term_and(terms, in_domain(curve), below) : below;
}

static Term between(const struct curve *curve, rank_t first, rank_t end) {
    struct terms *terms = curve->terms;
    if (first >= end) return terms->false_term;
    if (curve->source && float_first(first) == float_first(end - 1)) {
        Term value = constant_at(terms, curve->source, curve->falls ? -1 - first : first);
        return term_fp_compare(terms, KIND_FP_EQ, curve->source, curve->unknown, value);
    }
    return term_and(terms, from_on(curve, first), up_to(curve, end));
}

static Term compare_curve(struct terms *terms, enum kind kind, fp_format f, Term a, Term b) {
    struct curve curve;
    rank_t rank;
    bool constant_first = is_const(terms, a);
    Term other = constant_first ? b : a;
    // curve_of also fails if the term is a float of another format.
    if (!constant_rank(terms, constant_first ? a : b, f, &rank) || !curve_of(terms, other, f, &curve))
        return 0;
    // Making terms may move the constants that the curve refers to: both thresholds are computed first.
    rank_t equal = threshold(&curve, rank, false), above = threshold(&curve, rank, true);
    switch (kind) {
    case KIND_FP_EQ: return between(&curve, equal, above);
    case KIND_FP_LT: return constant_first ? from_on(&curve, above) : up_to(&curve, equal);
    default: return constant_first ? from_on(&curve, equal) : up_to(&curve, above);
    }
}

// ---- Comparisons

// Compares integers that were converted to floats without rounding as integers: as signed ones with one more bit.
static Term compare_ints(struct terms *terms, enum kind kind, fp_format f, Term a, Term b) {
    bool first_signed, second_signed;
    Term x, y;
    if (!is_exact_int(terms, a, f, &first_signed, &x) || !is_exact_int(terms, b, f, &second_signed, &y))
        return 0;
    unsigned width = MAX(width_of(terms, x), width_of(terms, y)) + 1;
    x = first_signed ? term_sext(terms, x, width) : term_zext(terms, x, width);
    y = second_signed ? term_sext(terms, y, width) : term_zext(terms, y, width);
    return kind == KIND_FP_EQ   ? term_eq(terms, x, y)
           : kind == KIND_FP_LT ? term_slt(terms, x, y)
                                : term_sle(terms, x, y);
}

Term simplify_float_compare(struct terms *terms, enum kind kind, fp_format f, Term a, Term b) {
    for (unsigned i = 0; i < 2; i++)
        if (is_const(terms, i ? b : a) && term_fp_is(terms, KIND_FP_IS_NAN, f, i ? b : a) == terms->true_term)
            return terms->false_term;
    if (a == b) {
        if (kind == KIND_FP_LT) return terms->false_term;
        return term_not(terms, term_fp_is(terms, KIND_FP_IS_NAN, f, a));
    }
    if (is_const(terms, a) && is_const(terms, b)) return 0;
    if (is_float_kind(kind_of(terms, a)) && is_float_kind(kind_of(terms, b)))
        return compare_ints(terms, kind, f, a, b);
    return compare_curve(terms, kind, f, a, b);
}
