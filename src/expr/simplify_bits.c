// Rules for bitwise operations.
#include "expr/expr_int.h"

Term simplify_not(struct terms *terms, Term a) {
    const struct node *node = node_of(terms, a);
    if (node->kind == KIND_NOT) return node->args[0];
    if (node->kind == KIND_XOR && is_const(terms, node->args[1])) {
        Term x = node->args[0];
        return term_xor(terms, x, term_not(terms, node->args[1]));
    }
    return 0;
}

static bool is_not_of(const struct terms *terms, Term a, Term b) {
    return (is_kind(terms, a, KIND_NOT) && arg_of(terms, a, 0) == b) ||
           (is_kind(terms, b, KIND_NOT) && arg_of(terms, b, 0) == a);
}

// Absorption one level down: b = op2(x, y), where op2 is the same kind or the dual one.
static Term absorb(struct terms *terms, enum kind kind, Term a, Term b) {
    enum kind inner = kind_of(terms, b);
    if (inner != KIND_AND && inner != KIND_OR) return 0;
    for (unsigned i = 0; i < 2; i++) {
        Term x = arg_of(terms, b, i), y = arg_of(terms, b, 1 - i);
        if (x == a) return inner == kind ? b : a; // a & (a & y), a & (a | y)
        if (!is_not_of(terms, x, a)) continue;
        if (inner != kind) return term_apply(terms, kind, a, y, 0); // a & (~a | y)
        unsigned width = width_of(terms, a);
        Term zero = term_const(terms, width, 0);
        return kind == KIND_AND ? zero : term_not(terms, zero); // a & (~a & y)
    }
    return 0;
}

// Moves negations outside: ~x & ~y is ~(x | y), ~x ^ y is ~(x ^ y).
static Term pull_not(struct terms *terms, enum kind kind, Term a, Term b) {
    bool left = is_kind(terms, a, KIND_NOT), right = is_kind(terms, b, KIND_NOT);
    if (kind == KIND_XOR) {
        if (!left && !right) return 0;
        Term t = term_xor(terms, left ? arg_of(terms, a, 0) : a, right ? arg_of(terms, b, 0) : b);
        return left && right ? t : term_not(terms, t);
    }
    if (!left || !right) return 0;
    enum kind dual = kind == KIND_AND ? KIND_OR : KIND_AND;
    return term_not(terms, term_apply(terms, dual, arg_of(terms, a, 0), arg_of(terms, b, 0), 0));
}

// Whether the ones of the mask are exactly the bits [*low, *low + *n).
static bool single_run(const struct terms *terms, Term mask, unsigned *low, unsigned *n) {
    const uint64_t *limbs = term_const_words(terms, mask);
    unsigned width = width_of(terms, mask), i = 0, end;
    while (i < width && !limbs_bit(limbs, i)) i++;
    *low = i;
    for (end = i; end < width && limbs_bit(limbs, end);) end++;
    *n = end - i;
    for (i = end; i < width; i++)
        if (limbs_bit(limbs, i)) return false;
    return *n > 0;
}

// x & 0x0ff0 is concat(0, x[4..11], 0).
static Term and_mask(struct terms *terms, Term a, Term mask) {
    unsigned width = width_of(terms, a), low, n;
    if (width <= 64 && !(~value_of(terms, mask) & ~term_facts(terms, a).zeros & mask_bits(width))) return a;
    if (!single_run(terms, mask, &low, &n)) return 0;
    Term t = term_extract(terms, a, low, n);
    if (low) t = term_concat(terms, t, term_const(terms, low, 0));
    return term_zext(terms, t, width);
}

static Term with_const(struct terms *terms, enum kind kind, Term a, Term b) {
    bool zero = term_is_zero(terms, b), ones = term_is_ones(terms, b);
    switch (kind) {
    case KIND_AND:
        if (zero) return b;
        if (ones) return a;
        break;
    case KIND_OR:
        if (zero) return a;
        if (ones) return b;
        break;
    default:
        if (zero) return a;
        if (ones) return term_not(terms, a);
        break;
    }
    if (kind_of(terms, a) == kind && is_const(terms, arg_of(terms, a, 1))) {
        Term constant = term_apply(terms, kind, arg_of(terms, a, 1), b, 0);
        return term_apply(terms, kind, arg_of(terms, a, 0), constant, 0);
    }
    if (kind == KIND_XOR && is_kind(terms, a, KIND_NOT))
        return term_xor(terms, arg_of(terms, a, 0), term_not(terms, b));
    if (kind == KIND_OR && width_of(terms, a) <= 64 &&
        !(value_of(terms, b) & ~term_facts(terms, a).ones)) // sets only bits that are already set
        return a;
    return kind == KIND_AND ? and_mask(terms, a, b) : 0;
}

// Splits at the cut of a concat if an operand has a constant part: so (x << 8) | y becomes a concat.
static Term split_concat(struct terms *terms, enum kind kind, Term a, Term b) {
    unsigned width = width_of(terms, a), cut = width;
    bool concat_a = is_kind(terms, a, KIND_CONCAT), concat_b = is_kind(terms, b, KIND_CONCAT);
    bool worth = is_const(terms, b);
    if (!concat_a && !(concat_b && is_const(terms, a))) {
        if (!concat_b) return 0;
    }
    for (unsigned i = 0; i < 2; i++) {
        Term t = i ? b : a;
        if (!is_kind(terms, t, KIND_CONCAT)) continue;
        cut = MIN(cut, width_of(terms, arg_of(terms, t, 1)));
        worth = worth || (concat_a && concat_b &&
                          (is_const(terms, arg_of(terms, t, 0)) || is_const(terms, arg_of(terms, t, 1))));
    }
    if (!worth) {
        // One concat with a constant part and any other term: only if a whole part becomes constant.
        Term t = concat_a ? a : b;
        if (concat_a && concat_b) return 0;
        Term high = arg_of(terms, t, 0), low = arg_of(terms, t, 1);
        bool helps = kind == KIND_AND  ? term_is_zero(terms, high) || term_is_zero(terms, low)
                     : kind == KIND_OR ? term_is_ones(terms, high) || term_is_ones(terms, low)
                                       : false;
        if (!helps) return 0;
    }
    assert(cut > 0 && cut < width);
    Term high = term_apply(terms, kind, term_extract(terms, a, cut, width - cut),
                           term_extract(terms, b, cut, width - cut), 0);
    Term low = term_apply(terms, kind, term_extract(terms, a, 0, cut), term_extract(terms, b, 0, cut), 0);
    return term_concat(terms, high, low);
}

Term simplify_bitwise(struct terms *terms, enum kind kind, Term a, Term b) {
    unsigned width = width_of(terms, a);
    if (a == b) return kind == KIND_XOR ? term_const(terms, width, 0) : a;
    if (is_not_of(terms, a, b)) {
        Term zero = term_const(terms, width, 0);
        return kind == KIND_AND ? zero : term_not(terms, zero);
    }
    Term t = is_const(terms, b) ? with_const(terms, kind, a, b) : 0;
    if (!t) t = pull_not(terms, kind, a, b);
    if (!t && kind != KIND_XOR) t = absorb(terms, kind, a, b);
    if (!t && kind != KIND_XOR) t = absorb(terms, kind, b, a);
    if (!t && width > 1) t = split_concat(terms, kind, a, b);
    if (!t && is_kind(terms, a, KIND_SEXT) && is_kind(terms, b, KIND_SEXT) &&
        width_of(terms, arg_of(terms, a, 0)) == width_of(terms, arg_of(terms, b, 0)))
        t = term_sext(terms, term_apply(terms, kind, arg_of(terms, a, 0), arg_of(terms, b, 0), 0), width);
    return t;
}
