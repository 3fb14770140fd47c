// Rules for sums, products, divisions and shifts.
#include "expr/expr_int.h"

// Whether t can have like terms: only sums and scaled terms can.
static bool is_linear_kind(const struct terms *terms, Term t) {
    switch (kind_of(terms, t)) {
    case KIND_CONST:
    case KIND_ADD:
    case KIND_NEG:
    case KIND_NOT:
    case KIND_MUL:
    case KIND_CONCAT: return true;
    default: return false;
    }
}

// Sums of more than 64 bits: combines constants, cancels opposites.
static Term add_wide(struct terms *terms, Term a, Term b) {
    if (is_const(terms, b) && is_kind(terms, a, KIND_ADD) && is_const(terms, arg_of(terms, a, 1))) {
        Term constant = term_add(terms, arg_of(terms, a, 1), b);
        return term_add(terms, arg_of(terms, a, 0), constant);
    }
    if (is_kind(terms, b, KIND_NEG) && arg_of(terms, b, 0) == a)
        return term_const(terms, width_of(terms, a), 0);
    if (is_kind(terms, a, KIND_NEG) && arg_of(terms, a, 0) == b)
        return term_const(terms, width_of(terms, a), 0);
    return 0;
}

Term simplify_add(struct terms *terms, Term a, Term b) {
    unsigned width = width_of(terms, a);
    if (term_is_zero(terms, b)) return a;
    if (width == 1) return term_xor(terms, a, b);
    if (width > 64) return add_wide(terms, a, b);
    if (!is_const(terms, b) && (is_kind(terms, a, KIND_CONCAT) || is_kind(terms, b, KIND_CONCAT))) {
        // If no bit can be set in both operands, the sum may be a concat: (high << 8) + low. Used only if it becomes
        // one.
        uint64_t open = ~term_facts(terms, a).zeros & ~term_facts(terms, b).zeros & mask_bits(width);
        Term joined = open ? 0 : term_or(terms, a, b);
        if (joined && is_kind(terms, joined, KIND_CONCAT)) return joined;
    }
    if (a != b && !(is_linear_kind(terms, a) || is_linear_kind(terms, b))) return 0;
    struct linear sum, other;
    if (!linear_of(terms, a, &sum) || !linear_of(terms, b, &other)) return 0;
    if (!linear_combine(&sum, &other, 1)) return 0;
    linear_contract(terms, &sum);
    return sum.count > MAX_MONOMIALS ? 0 : linear_build(terms, &sum);
}

Term simplify_neg(struct terms *terms, Term a) {
    unsigned width = width_of(terms, a);
    if (width == 1) return a;
    if (is_kind(terms, a, KIND_NEG)) return arg_of(terms, a, 0);
    if (width > 64 || !is_linear_kind(terms, a)) return 0;
    struct linear sum, negated = {.width = width};
    if (!linear_of(terms, a, &sum) || !linear_combine(&negated, &sum, ~(uint64_t)0)) return 0;
    return linear_build(terms, &negated);
}

static Term mul_const(struct terms *terms, Term a, Term b) {
    unsigned width = width_of(terms, a), bit;
    if (term_is_zero(terms, b)) return b;
    if (term_const_is_power(terms, b, &bit)) {
        if (bit == 0) return a;
        if (width > 64)
            return term_concat(terms, term_extract(terms, a, 0, width - bit), term_const(terms, bit, 0));
    }
    if (term_is_ones(terms, b)) return term_neg(terms, a);
    if (width > 64) {
        if (!is_kind(terms, a, KIND_MUL) || !is_const(terms, arg_of(terms, a, 1))) return 0;
        Term constant = term_mul(terms, arg_of(terms, a, 1), b);
        return term_mul(terms, arg_of(terms, a, 0), constant);
    }
    struct linear sum;
    if (!linear_of(terms, a, &sum)) return linear_scale(terms, a, value_of(terms, b));
    if (sum.count > 1) { // k * (x + y + c) is k * (x + y) + k * c: one multiplication
        uint64_t constant = sum.constant;
        sum.constant = 0;
        Term rest = linear_build(terms, &sum);
        sum.count = 1;
        sum.at[0] = (struct monomial){1, rest};
        sum.constant = constant;
    }
    struct linear product = {.width = width};
    linear_combine(&product, &sum, value_of(terms, b));
    return linear_build(terms, &product);
}

// (x << n) * y as (x * y) << n: the product has fewer bits, and the same form as the product of x and y. Returns 0 if
// the low bits of `a` are not constant zeros.
static Term mul_shifted(struct terms *terms, Term a, Term b) {
    if (!is_kind(terms, a, KIND_CONCAT)) return 0;
    Term last = arg_of(terms, a, 1);
    while (is_kind(terms, last, KIND_CONCAT)) last = arg_of(terms, last, 1);
    if (!term_is_zero(terms, last)) return 0;
    unsigned zeros = width_of(terms, last), left = width_of(terms, a) - zeros;
    Term product = term_mul(terms, term_extract(terms, a, zeros, left), term_extract(terms, b, 0, left));
    return term_concat(terms, product, term_const(terms, zeros, 0));
}

Term simplify_mul(struct terms *terms, Term a, Term b) {
    if (width_of(terms, a) == 1) return term_and(terms, a, b);
    if (is_const(terms, b)) return mul_const(terms, a, b);
    // Moves signs and constants outside.
    if (is_kind(terms, a, KIND_NEG) || is_kind(terms, b, KIND_NEG)) {
        bool left = is_kind(terms, a, KIND_NEG), right = is_kind(terms, b, KIND_NEG);
        Term product = term_mul(terms, left ? arg_of(terms, a, 0) : a, right ? arg_of(terms, b, 0) : b);
        return left && right ? product : term_neg(terms, product);
    }
    if (is_kind(terms, a, KIND_MUL) && is_const(terms, arg_of(terms, a, 1))) {
        Term product = term_mul(terms, arg_of(terms, a, 0), b);
        return term_mul(terms, product, arg_of(terms, a, 1));
    }
    if (is_kind(terms, b, KIND_MUL) && is_const(terms, arg_of(terms, b, 1))) {
        Term product = term_mul(terms, a, arg_of(terms, b, 0));
        return term_mul(terms, product, arg_of(terms, b, 1));
    }
    Term shifted = mul_shifted(terms, a, b);
    if (!shifted) shifted = mul_shifted(terms, b, a);
    return shifted ? shifted : product_order(terms, a, b);
}

static Term divide_by_const(struct terms *terms, enum kind kind, Term a, Term b) {
    unsigned width = width_of(terms, a), bit;
    bool quotient = kind == KIND_UDIV || kind == KIND_SDIV,
         is_signed = kind == KIND_SDIV || kind == KIND_SREM;
    if (term_is_zero(terms, b)) {
        if (!quotient) return a;
        Term ones = term_not(terms, b);
        if (!is_signed) return ones;
        Term negative = term_extract(terms, a, width - 1, 1);
        return term_ite(terms, negative, term_const(terms, width, 1), ones);
    }
    bool power = term_const_is_power(terms, b, &bit);
    if (is_signed) {
        if (term_is_ones(terms, b)) return quotient ? term_neg(terms, a) : term_const(terms, width, 0);
        if (power && bit == 0) return quotient ? a : term_const(terms, width, 0);
        return 0;
    }
    if (!power) return 0;
    if (quotient) return term_lshr(terms, a, term_const(terms, width, bit));
    return bit ? term_zext(terms, term_extract(terms, a, 0, bit), width) : term_const(terms, width, 0);
}

Term simplify_division(struct terms *terms, enum kind kind, Term a, Term b) {
    unsigned width = width_of(terms, a);
    bool quotient = kind == KIND_UDIV || kind == KIND_SDIV,
         is_signed = kind == KIND_SDIV || kind == KIND_SREM;
    uint64_t sign_a, sign_b;
    if (is_const(terms, b)) {
        Term t = divide_by_const(terms, kind, a, b);
        if (t) return t;
    }
    if (is_signed) { // of two operands that are not negative, zero divisor included
        if (term_known_bits(terms, a, width - 1, 1, &sign_a) && !sign_a &&
            term_known_bits(terms, b, width - 1, 1, &sign_b) && !sign_b)
            return term_apply(terms, quotient ? KIND_UDIV : KIND_UREM, a, b, 0);
        return 0;
    }
    bool nonzero = width <= 64 && term_facts(terms, b).low > 0;
    if (width <= 64 && kind == KIND_UREM && term_facts(terms, a).high < term_facts(terms, b).low) return a;
    // Divides only as many bits as can be set: division is expensive to solve.
    unsigned bits = width - MIN(term_leading_zeros(terms, a), term_leading_zeros(terms, b));
    if (bits == 0 || bits == width || (quotient && !nonzero)) return 0;
    Term narrow =
        term_apply(terms, kind, term_extract(terms, a, 0, bits), term_extract(terms, b, 0, bits), 0);
    return term_zext(terms, narrow, width);
}

Term simplify_shift(struct terms *terms, enum kind kind, Term a, Term b) {
    unsigned width = width_of(terms, a);
    if (term_is_zero(terms, a)) return a;
    if (width == 1) // the amount is 0 or the width
        return kind == KIND_ASHR ? a : term_and(terms, a, term_not(terms, b));
    uint64_t sign, amount;
    if (kind == KIND_ASHR && term_known_bits(terms, a, width - 1, 1, &sign) && !sign)
        return term_lshr(terms, a, b);
    if (is_const(terms, b))
        amount = limbs_amount(term_const_words(terms, b), width);
    else if (width <= 64 && term_facts(terms, b).low >= width)
        amount = width;
    else
        return 0;
    if (amount == 0) return a;
    if (amount >= width) {
        if (kind == KIND_ASHR) return term_sext(terms, term_extract(terms, a, width - 1, 1), width);
        return term_const(terms, width, 0);
    }
    unsigned n = (unsigned)amount;
    switch (kind) {
    case KIND_SHL: return term_concat(terms, term_extract(terms, a, 0, width - n), term_const(terms, n, 0));
    case KIND_LSHR: return term_zext(terms, term_extract(terms, a, n, width - n), width);
    default: return term_sext(terms, term_extract(terms, a, n, width - n), width);
    }
}
