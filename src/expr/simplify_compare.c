// Rules for equality and order.
#include "expr/expr_int.h"

// Splits an equality of concats into parts: a constant compared with bytes becomes a comparison of each byte.
static Term eq_concat(struct terms *terms, Term a, Term b) {
    Term result = terms->true_term;
    while (a != b) {
        bool concat_a = is_kind(terms, a, KIND_CONCAT), concat_b = is_kind(terms, b, KIND_CONCAT);
        bool split = (concat_a && (concat_b || is_const(terms, b))) || (concat_b && is_const(terms, a));
        if (!split) {
            result = term_and(terms, result, term_eq(terms, a, b));
            break;
        }
        // Cuts off the smaller of the high parts, so that the loop follows the chains.
        unsigned width = width_of(terms, a), cut = concat_a ? width_of(terms, arg_of(terms, a, 1)) : 0;
        if (concat_b) cut = MAX(cut, width_of(terms, arg_of(terms, b, 1)));
        Term high = term_eq(terms, term_extract(terms, a, cut, width - cut),
                            term_extract(terms, b, cut, width - cut));
        result = term_and(terms, high, result);
        if (result == terms->false_term) return result;
        a = term_extract(terms, a, 0, cut);
        b = term_extract(terms, b, 0, cut);
    }
    return result;
}

// The inverse of an odd number modulo 2^64, and so modulo every smaller power.
static uint64_t inverse_of(uint64_t odd) {
    uint64_t inverse = 1;
    assert(odd & 1);
    for (unsigned i = 0; i < 6; i++) inverse *= 2 - odd * inverse; // Newton's method: correct bits double
    return inverse;
}

// Divides a sum that is compared with zero by the largest odd common divisor of its factors.
static void divide_odd(struct linear *sum) {
    uint64_t mask = mask_bits(sum->width), sign = (uint64_t)1 << (sum->width - 1), common = 0;
    for (unsigned i = 0; i < sum->count; i++) {
        uint64_t factor = sum->at[i].factor, rest = factor & sign ? -factor & mask : factor;
        for (rest >>= __builtin_ctzll(rest); rest;) { // Euclid
            uint64_t next = common % rest;
            common = rest;
            rest = next;
        }
    }
    if (common == 1) return;
    uint64_t inverse = inverse_of(common);
    for (unsigned i = 0; i < sum->count; i++) sum->at[i].factor = sum->at[i].factor * inverse & mask;
    sum->constant = sum->constant * inverse & mask;
}

// Normalises linear equations: x + 3 == y + 5, 3 * x == 12.
static Term eq_linear(struct terms *terms, Term a, Term b) {
    struct linear left, right;
    unsigned width = width_of(terms, a);
    if (width > 64 || !linear_of(terms, a, &left) || !linear_of(terms, b, &right)) return 0;
    if (!linear_combine(&left, &right, ~(uint64_t)0)) return 0;
    uint64_t mask = mask_bits(width), sign = (uint64_t)1 << (width - 1);
    linear_contract(terms, &left);
    if (left.count > 1) linear_expand(terms, &left);
    if (left.count > 1) divide_odd(&left);
    if (left.count == 0) return term_bool(terms, left.constant == 0);
    if (left.count == 1) {
        // factor * x == k. With factor = odd * 2^s: k must be a multiple of 2^s, and the low bits of x are known.
        uint64_t factor = left.at[0].factor, k = -left.constant & mask;
        unsigned shift = (unsigned)__builtin_ctzll(factor);
        if (shift && (k & mask_bits(shift))) return terms->false_term;
        uint64_t inverse = inverse_of(factor >> shift);
        Term x = term_extract(terms, left.at[0].base, 0, width - shift);
        Term value = term_const(terms, width - shift, (k >> shift) * inverse);
        return x == a && value == b ? 0 : term_eq(terms, x, value);
    }
    // Negative monomials change sides; the first one stays on the left.
    uint64_t direction = left.at[0].factor & sign ? ~(uint64_t)0 : 1;
    struct linear sides[2] = {{.width = width}, {.width = width}};
    for (unsigned i = 0; i < left.count; i++) {
        uint64_t factor = left.at[i].factor * direction & mask;
        bool other = factor > sign;
        struct linear *side = &sides[other];
        side->at[side->count++] = (struct monomial){other ? -factor & mask : factor, left.at[i].base};
    }
    sides[1].constant = -(left.constant * direction) & mask;
    Term x = linear_build(terms, &sides[0]), y = linear_build(terms, &sides[1]);
    if ((x == a && y == b) || (x == b && y == a)) return 0;
    return term_eq(terms, x, y);
}

static Term eq_ite(struct terms *terms, Term a, Term b) {
    if (!is_kind(terms, a, KIND_ITE)) return 0;
    Term c = arg_of(terms, a, 0), x = arg_of(terms, a, 1), y = arg_of(terms, a, 2);
    if (x == b) return term_or(terms, c, term_eq(terms, y, b));
    if (y == b) return term_or(terms, term_not(terms, c), term_eq(terms, x, b));
    if (!is_const(terms, b)) return 0;
    if (is_const(terms, x)) return term_and(terms, term_not(terms, c), term_eq(terms, y, b));
    if (is_const(terms, y)) return term_and(terms, c, term_eq(terms, x, b));
    return 0;
}

// x / divisor, compared with k.
struct quotient {
    Term x;
    unsigned width; // width of x
    uint64_t divisor;
    uint64_t least; // divisor * k: the least x whose quotient is at least k
    bool beyond;    // `least` exceeds the largest x
};

// Whether a is a quotient by a constant, perhaps with leading zeros cut off. Comparisons of a number's digits have this
// form.
static bool is_quotient(struct terms *terms, Term a, Term k, struct quotient *q) {
    Term whole = a;
    if (is_kind(terms, a, KIND_EXTRACT) && !term_low(terms, a)) whole = arg_of(terms, a, 0);
    if (!is_kind(terms, whole, KIND_UDIV) || width_of(terms, whole) > 64) return false;
    Term by = arg_of(terms, whole, 1);
    if (!is_const(terms, by) || term_is_zero(terms, by)) return false;
    if (whole != a && term_facts(terms, whole).high > mask_bits(width_of(terms, a))) return false;
    *q = (struct quotient){
        .x = arg_of(terms, whole, 0), .width = width_of(terms, whole), .divisor = value_of(terms, by)};
    q->beyond =
        __builtin_mul_overflow(q->divisor, value_of(terms, k), &q->least) || q->least > mask_bits(q->width);
    return true;
}

// x / divisor < k: x < divisor * k.
static Term ult_quotient(struct terms *terms, Term a, Term k) {
    struct quotient q;
    if (!is_quotient(terms, a, k, &q)) return 0;
    return q.beyond ? terms->true_term : term_ult(terms, q.x, term_const(terms, q.width, q.least));
}

// x / divisor == k: x - divisor * k < divisor.
static Term eq_quotient(struct terms *terms, Term a, Term k) {
    struct quotient q;
    if (!is_quotient(terms, a, k, &q)) return 0;
    if (q.beyond) return terms->false_term;
    Term from = term_const(terms, q.width, q.least);
    // Every x from `least` on has this quotient.
    if (q.divisor - 1 > mask_bits(q.width) - q.least) return term_ule(terms, from, q.x);
    return term_ult(terms, term_sub(terms, q.x, from), term_const(terms, q.width, q.divisor));
}

static Term eq_const(struct terms *terms, Term a, Term b) {
    const struct node *node = node_of(terms, a);
    unsigned width = node->width;
    Term x = node->args[0], y = node->args[1];
    switch (node->kind) {
    case KIND_NOT: return term_eq(terms, x, term_not(terms, b));
    case KIND_XOR:
        if (is_const(terms, y)) return term_eq(terms, x, term_xor(terms, b, y));
        return term_is_zero(terms, b) ? term_eq(terms, x, y) : 0;
    case KIND_OR:
        if (!term_is_zero(terms, b)) return 0;
        return term_and(terms, term_eq(terms, x, b), term_eq(terms, y, b));
    case KIND_AND:
        if (!term_is_ones(terms, b)) return 0;
        return term_and(terms, term_eq(terms, x, b), term_eq(terms, y, b));
    case KIND_SEXT: {
        unsigned inner = width_of(terms, x);
        Term low = term_extract(terms, b, 0, inner);
        return term_sext(terms, low, width) == b ? term_eq(terms, x, low) : terms->false_term;
    }
    case KIND_UDIV:
    case KIND_EXTRACT: return eq_quotient(terms, a, b);
    default: return 0;
    }
}

static bool has_linear(const struct terms *terms, Term t) {
    switch (kind_of(terms, t)) {
    case KIND_ADD:
    case KIND_NEG:
    case KIND_MUL: return true;
    default: return false;
    }
}

Term simplify_eq(struct terms *terms, Term a, Term b) {
    assert(a != b);
    unsigned width = width_of(terms, a);
    if (width == 1) {
        if (is_const(terms, b)) return value_of(terms, b) ? a : term_not(terms, a);
        return term_not(terms, term_xor(terms, a, b));
    }
    bool concat_a = is_kind(terms, a, KIND_CONCAT), concat_b = is_kind(terms, b, KIND_CONCAT);
    if (concat_a && (concat_b || is_const(terms, b))) return eq_concat(terms, a, b);
    Term t = is_const(terms, b) ? eq_const(terms, a, b) : 0;
    if (!t && is_kind(terms, a, KIND_SEXT) && is_kind(terms, b, KIND_SEXT) &&
        width_of(terms, arg_of(terms, a, 0)) == width_of(terms, arg_of(terms, b, 0)))
        return term_eq(terms, arg_of(terms, a, 0), arg_of(terms, b, 0));
    if (!t && is_kind(terms, a, KIND_NOT) && is_kind(terms, b, KIND_NOT))
        return term_eq(terms, arg_of(terms, a, 0), arg_of(terms, b, 0));
    if (!t) t = eq_ite(terms, a, b);
    if (!t) t = eq_ite(terms, b, a);
    if (!t && (has_linear(terms, a) || has_linear(terms, b))) t = eq_linear(terms, a, b);
    return t;
}

// Whether leading zeros can be dropped: a constant, or a concat whose high part is zero.
static bool sheds_zeros(const struct terms *terms, Term t) {
    return is_const(terms, t) || (is_kind(terms, t, KIND_CONCAT) && term_is_zero(terms, arg_of(terms, t, 0)));
}

static Term ult_const(struct terms *terms, Term a, Term b) {
    unsigned width = width_of(terms, a);
    if (term_is_zero(terms, b)) return terms->false_term;
    Term one = term_const(terms, width, 1);
    if (b == one) return term_eq(terms, a, term_const(terms, width, 0));
    if (term_is_ones(terms, b)) return term_ne(terms, a, b);
    if (is_kind(terms, a, KIND_CONCAT) && is_const(terms, arg_of(terms, a, 1))) {
        // (x k) < (c d): x < c, or x == c and k < d.
        Term x = arg_of(terms, a, 0), k = arg_of(terms, a, 1);
        unsigned cut = width_of(terms, k);
        Term c = term_extract(terms, b, cut, width - cut), d = term_extract(terms, b, 0, cut);
        bool or_equal = term_ult(terms, k, d) == terms->true_term;
        return or_equal ? term_ule(terms, x, c) : term_ult(terms, x, c);
    }
    return ult_quotient(terms, a, b);
}

// x % y < y unless y is 0. x % y <= x, and x / y <= x unless y is 0.
static Term ult_divided(struct terms *terms, Term a, Term b) {
    Term zero = term_const(terms, width_of(terms, a), 0);
    if (is_kind(terms, a, KIND_UREM) && arg_of(terms, a, 1) == b) return term_ne(terms, b, zero);
    if (is_kind(terms, b, KIND_UREM) && arg_of(terms, b, 0) == a) return terms->false_term;
    if (is_kind(terms, b, KIND_UDIV) && arg_of(terms, b, 0) == a)
        return term_and(terms, term_eq(terms, arg_of(terms, b, 1), zero),
                        term_ne(terms, a, term_not(terms, zero)));
    return 0;
}

Term simplify_ult(struct terms *terms, Term a, Term b) {
    unsigned width = width_of(terms, a);
    if (a == b) return terms->false_term;
    if (width == 1) return term_and(terms, term_not(terms, a), b);
    if (is_const(terms, a)) { // k < x is !(x < k + 1)
        if (term_is_ones(terms, a)) return terms->false_term;
        Term next = term_add(terms, a, term_const(terms, width, 1));
        return term_not(terms, term_ult(terms, b, next));
    }
    if (is_const(terms, b)) {
        Term t = ult_const(terms, a, b);
        if (t) return t;
    }
    if (sheds_zeros(terms, a) && sheds_zeros(terms, b)) {
        unsigned zeros = MIN(term_leading_zeros(terms, a), term_leading_zeros(terms, b));
        if (zeros && zeros < width)
            return term_ult(terms, term_extract(terms, a, 0, width - zeros),
                            term_extract(terms, b, 0, width - zeros));
    }
    if (is_kind(terms, a, KIND_CONCAT) && is_kind(terms, b, KIND_CONCAT)) {
        if (arg_of(terms, a, 0) == arg_of(terms, b, 0))
            return term_ult(terms, arg_of(terms, a, 1), arg_of(terms, b, 1));
        if (arg_of(terms, a, 1) == arg_of(terms, b, 1))
            return term_ult(terms, arg_of(terms, a, 0), arg_of(terms, b, 0));
    }
    if (is_kind(terms, a, KIND_NOT) && is_kind(terms, b, KIND_NOT))
        return term_ult(terms, arg_of(terms, b, 0), arg_of(terms, a, 0));
    return ult_divided(terms, a, b);
}

// sext(x) compared with a constant.
static Term slt_sext_const(struct terms *terms, Term a, Term b) {
    Term x = arg_of(terms, a, 0);
    unsigned width = width_of(terms, a), inner = width_of(terms, x);
    Term low = term_extract(terms, b, 0, inner);
    if (term_sext(terms, low, width) == b) return term_slt(terms, x, low);
    return term_bool(terms, !term_const_bit(terms, b, width - 1)); // b is above all values of x, or below
}

Term simplify_slt(struct terms *terms, Term a, Term b) {
    unsigned width = width_of(terms, a);
    if (a == b) return terms->false_term;
    if (width == 1) return term_and(terms, a, term_not(terms, b));
    uint64_t sign_a, sign_b;
    bool known_a = term_known_bits(terms, a, width - 1, 1, &sign_a),
         known_b = term_known_bits(terms, b, width - 1, 1, &sign_b);
    if (known_a && known_b) return sign_a != sign_b ? term_bool(terms, sign_a) : term_ult(terms, a, b);
    if (is_const(terms, a)) {
        Term next = term_add(terms, a, term_const(terms, width, 1));
        if (term_const_bit(terms, next, width - 1) && !term_const_bit(terms, a, width - 1))
            return terms->false_term; // the greatest value
        return term_not(terms, term_slt(terms, b, next));
    }
    if (is_const(terms, b)) {
        if (term_is_zero(terms, b)) return term_extract(terms, a, width - 1, 1);
        Term least = term_concat(terms, terms->true_term, term_const(terms, width - 1, 0));
        if (b == least) return terms->false_term;
        if (is_kind(terms, a, KIND_SEXT)) return slt_sext_const(terms, a, b);
        if (b == term_add(terms, least, term_const(terms, width, 1))) return term_eq(terms, a, least);
    }
    if (is_kind(terms, a, KIND_SEXT) && is_kind(terms, b, KIND_SEXT) &&
        width_of(terms, arg_of(terms, a, 0)) == width_of(terms, arg_of(terms, b, 0)))
        return term_slt(terms, arg_of(terms, a, 0), arg_of(terms, b, 0));
    return 0;
}
