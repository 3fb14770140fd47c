// Rules for if-then-else over bit-vectors.
#include "expr/expr_int.h"

static Term ite_bool(struct terms *terms, Term c, Term a, Term b) {
    if (is_const(terms, a)) {
        if (value_of(terms, a)) return term_or(terms, c, b);
        return term_and(terms, term_not(terms, c), b);
    }
    if (is_const(terms, b)) {
        if (value_of(terms, b)) return term_or(terms, term_not(terms, c), a);
        return term_and(terms, c, a);
    }
    if (a == c) return term_or(terms, c, b);
    if (b == c) return term_and(terms, c, a);
    if (is_kind(terms, b, KIND_NOT) && arg_of(terms, b, 0) == a) // c ? a : !a
        return term_not(terms, term_xor(terms, c, a));
    if (is_kind(terms, a, KIND_NOT) && arg_of(terms, a, 0) == b) return term_xor(terms, c, b);
    return 0;
}

// Constants 0 and 1, 0 and -1: extensions of the condition.
static Term ite_extension(struct terms *terms, Term c, Term a, Term b) {
    unsigned width = width_of(terms, a);
    if (!is_const(terms, a) || !is_const(terms, b)) return 0;
    bool negated = term_is_zero(terms, a);
    Term other = negated ? b : a;
    unsigned bit;
    if (!term_is_zero(terms, negated ? a : b)) return 0;
    if (term_is_ones(terms, other)) return term_sext(terms, negated ? term_not(terms, c) : c, width);
    if (!term_const_is_power(terms, other, &bit) || bit != 0) return 0;
    return term_zext(terms, negated ? term_not(terms, c) : c, width);
}

static Term ite_nested(struct terms *terms, Term c, Term a, Term b) {
    if (is_kind(terms, a, KIND_ITE)) {
        Term d = arg_of(terms, a, 0), x = arg_of(terms, a, 1), y = arg_of(terms, a, 2);
        if (d == c) return term_ite(terms, c, x, b);
        if (y == b) return term_ite(terms, term_and(terms, c, d), x, b);
        if (x == b) return term_ite(terms, term_and(terms, c, term_not(terms, d)), y, b);
    }
    if (is_kind(terms, b, KIND_ITE)) {
        Term d = arg_of(terms, b, 0), x = arg_of(terms, b, 1), y = arg_of(terms, b, 2);
        if (d == c) return term_ite(terms, c, a, y);
        if (x == a) return term_ite(terms, term_or(terms, c, d), a, y);
        if (y == a) return term_ite(terms, term_and(terms, term_not(terms, c), d), x, a);
    }
    return 0;
}

// Moves parts that agree in both branches outside: c ? zext(x) : zext(y) is zext(c ? x : y).
static Term ite_concat(struct terms *terms, Term c, Term a, Term b) {
    bool concat_a = is_kind(terms, a, KIND_CONCAT), concat_b = is_kind(terms, b, KIND_CONCAT);
    if (!concat_a && !concat_b) return 0;
    if (!(concat_a || is_const(terms, a)) || !(concat_b || is_const(terms, b))) return 0;
    Term shape = concat_a ? a : b;
    unsigned width = width_of(terms, a), cut = width_of(terms, arg_of(terms, shape, 1));
    Term high_a = term_extract(terms, a, cut, width - cut), high_b = term_extract(terms, b, cut, width - cut);
    if (high_a == high_b) {
        Term low_a = term_extract(terms, a, 0, cut);
        return term_concat(terms, high_a, term_ite(terms, c, low_a, term_extract(terms, b, 0, cut)));
    }
    Term low_a = term_extract(terms, a, 0, cut), low_b = term_extract(terms, b, 0, cut);
    if (low_a == low_b) return term_concat(terms, term_ite(terms, c, high_a, high_b), low_a);
    return 0;
}

Term simplify_ite(struct terms *terms, Term c, Term a, Term b) {
    if (is_kind(terms, c, KIND_NOT)) return term_ite(terms, arg_of(terms, c, 0), b, a);
    Term t = width_of(terms, a) == 1 ? ite_bool(terms, c, a, b) : ite_extension(terms, c, a, b);
    if (!t) t = ite_nested(terms, c, a, b);
    if (!t && is_kind(terms, c, KIND_EQ)) { // x == y ? x : y
        Term x = arg_of(terms, c, 0), y = arg_of(terms, c, 1);
        if ((x == a && y == b) || (x == b && y == a)) return b;
    }
    if (!t && width_of(terms, a) > 1) t = ite_concat(terms, c, a, b);
    return t;
}
