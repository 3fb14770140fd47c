#include "vm/term_ops.h"

// Returns the amount of a shift as x86-64 takes it: modulo 32 for widths up to 32, modulo 64 up to 64, else unchanged.
static Term shift_amount(struct terms *terms, unsigned width, Term amount) {
    if (width <= 5 || width > 64) return amount;
    return term_and(terms, amount, term_const(terms, width, width <= 32 ? 31 : 63));
}

static Term zero(struct terms *terms, unsigned width) { return term_const(terms, width, 0); }
static Term ones(struct terms *terms, unsigned width) { return term_not(terms, zero(terms, width)); }
static Term signed_minimum(struct terms *terms, unsigned width) {
    return width == 1 ? term_true(terms)
                      : term_concat(terms, term_true(terms), term_const(terms, width - 1, 0));
}

static Term byte_swap(struct terms *terms, unsigned width, Term a) {
    assert(width % 8 == 0);
    Term result = term_extract(terms, a, 0, 8);
    for (unsigned low = 8; low < width; low += 8)
        result = term_concat(terms, result, term_extract(terms, a, low, 8));
    return result;
}

static Term bit_reverse(struct terms *terms, unsigned width, Term a) {
    Term result = term_extract(terms, a, 0, 1);
    for (unsigned bit = 1; bit < width; bit++)
        result = term_concat(terms, result, term_extract(terms, a, bit, 1));
    return result;
}

static Term count_ones(struct terms *terms, unsigned width, Term a) {
    Term sum = zero(terms, width);
    for (unsigned bit = 0; bit < width; bit++)
        sum = term_add(terms, sum, term_zext(terms, term_extract(terms, a, bit, 1), width));
    return sum;
}

// Returns the number of zeros before the first one, from the top (leading) or from the bottom.
static Term count_zeros(struct terms *terms, unsigned width, Term a, bool leading) {
    Term result = term_const(terms, width, width);
    // The bit tested last decides: it is the first one in this direction.
    for (unsigned i = 0; i < width; i++) {
        unsigned bit = leading ? i : width - 1 - i;
        unsigned zeros = leading ? width - 1 - i : bit;
        result = term_ite(terms, term_extract(terms, a, bit, 1), term_const(terms, width, zeros), result);
    }
    return result;
}

// Returns the result of a saturating signed operation on overflow: the minimum if `negative`, else the maximum.
static Term signed_extreme(struct terms *terms, unsigned width, Term negative) {
    Term minimum = signed_minimum(terms, width);
    return term_ite(terms, negative, minimum, term_not(terms, minimum));
}

static Term saturating(struct terms *terms, enum ir_fn fn, unsigned width, Term a, Term b) {
    Term sum = term_add(terms, a, b), difference = term_sub(terms, a, b),
         negative = term_slt(terms, a, zero(terms, width));
    switch (fn) {
    case IR_FN_UADD_SAT: return term_ite(terms, term_ult(terms, sum, a), ones(terms, width), sum);
    case IR_FN_USUB_SAT: return term_ite(terms, term_ult(terms, a, b), zero(terms, width), difference);
    case IR_FN_SADD_SAT:
        return term_ite(terms, term_apply(terms, KIND_SADD_OVERFLOW, a, b, 0),
                        signed_extreme(terms, width, negative), sum);
    case IR_FN_SSUB_SAT:
        return term_ite(terms, term_apply(terms, KIND_SSUB_OVERFLOW, a, b, 0),
                        signed_extreme(terms, width, negative), difference);
    case IR_FN_USHL_SAT: {
        Term shifted = term_shl(terms, a, b);
        return term_ite(terms, term_eq(terms, term_lshr(terms, shifted, b), a), shifted, ones(terms, width));
    }
    default: {
        assert(fn == IR_FN_SSHL_SAT);
        Term shifted = term_shl(terms, a, b);
        return term_ite(terms, term_eq(terms, term_ashr(terms, shifted, b), a), shifted,
                        signed_extreme(terms, width, negative));
    }
    }
}

// Returns the upper (left) or lower half of the pair a:b shifted by c modulo the width.
static Term funnel_shift(struct terms *terms, unsigned width, bool left, Term a, Term b, Term c) {
    unsigned wide = 2 * width;
    Term pair = term_concat(terms, a, b);
    Term amount = term_zext(terms, term_urem(terms, c, term_const(terms, width, width)), wide);
    // For one bit the width itself does not fit the operand, but every amount is 0 modulo 1.
    if (width == 1) amount = zero(terms, wide);
    if (left) return term_extract(terms, term_shl(terms, pair, amount), width, width);
    return term_extract(terms, term_lshr(terms, pair, amount), 0, width);
}

static Term compare_three(struct terms *terms, unsigned result_width, Term less, Term equal) {
    return term_ite(terms, less, ones(terms, result_width),
                    term_ite(terms, equal, zero(terms, result_width), term_const(terms, result_width, 1)));
}

Term vm_term_of_int(struct terms *terms, enum ir_fn fn, unsigned width, unsigned result_width, Term a, Term b,
                    Term c, Term *overflow) {
    assert(term_width(terms, a) == width && (!b || term_width(terms, b) == width));
    switch (fn) {
    case IR_FN_ADD: return term_add(terms, a, b);
    case IR_FN_SUB: return term_sub(terms, a, b);
    case IR_FN_MUL: return term_mul(terms, a, b);
    case IR_FN_UDIV: return term_udiv(terms, a, b);
    case IR_FN_SDIV: return term_sdiv(terms, a, b);
    case IR_FN_UREM: return term_urem(terms, a, b);
    case IR_FN_SREM: return term_srem(terms, a, b);
    case IR_FN_SHL: return term_shl(terms, a, shift_amount(terms, width, b));
    case IR_FN_LSHR: return term_lshr(terms, a, shift_amount(terms, width, b));
    case IR_FN_ASHR: return term_ashr(terms, a, shift_amount(terms, width, b));
    case IR_FN_AND: return term_and(terms, a, b);
    case IR_FN_OR: return term_or(terms, a, b);
    case IR_FN_XOR: return term_xor(terms, a, b);
    case IR_FN_EQ: return term_eq(terms, a, b);
    case IR_FN_NE: return term_ne(terms, a, b);
    case IR_FN_ULT: return term_ult(terms, a, b);
    case IR_FN_ULE: return term_ule(terms, a, b);
    case IR_FN_UGT: return term_ult(terms, b, a);
    case IR_FN_UGE: return term_ule(terms, b, a);
    case IR_FN_SLT: return term_slt(terms, a, b);
    case IR_FN_SLE: return term_sle(terms, a, b);
    case IR_FN_SGT: return term_slt(terms, b, a);
    case IR_FN_SGE: return term_sle(terms, b, a);
    case IR_FN_ZEXT: return term_zext(terms, a, result_width);
    case IR_FN_SEXT: return term_sext(terms, a, result_width);
    case IR_FN_TRUNC: return term_extract(terms, a, 0, result_width);
    case IR_FN_ABS: return term_ite(terms, term_slt(terms, a, zero(terms, width)), term_neg(terms, a), a);
    case IR_FN_BSWAP: return byte_swap(terms, width, a);
    case IR_FN_BITREVERSE: return bit_reverse(terms, width, a);
    case IR_FN_CTPOP: return count_ones(terms, width, a);
    case IR_FN_CTLZ: return count_zeros(terms, width, a, true);
    case IR_FN_CTTZ: return count_zeros(terms, width, a, false);
    case IR_FN_SMIN: return term_ite(terms, term_slt(terms, a, b), a, b);
    case IR_FN_SMAX: return term_ite(terms, term_slt(terms, a, b), b, a);
    case IR_FN_UMIN: return term_ite(terms, term_ult(terms, a, b), a, b);
    case IR_FN_UMAX: return term_ite(terms, term_ult(terms, a, b), b, a);
    case IR_FN_UADD_SAT:
    case IR_FN_SADD_SAT:
    case IR_FN_USUB_SAT:
    case IR_FN_SSUB_SAT:
    case IR_FN_USHL_SAT:
    case IR_FN_SSHL_SAT: return saturating(terms, fn, width, a, b);
#define OVERFLOWING(name, operation)                                                                         \
    case IR_FN_##name:                                                                                       \
        if (overflow) *overflow = term_apply(terms, KIND_##name, a, b, 0);                                   \
        return term_##operation(terms, a, b);
        OVERFLOWING(UADD_OVERFLOW, add)
        OVERFLOWING(SADD_OVERFLOW, add)
        OVERFLOWING(USUB_OVERFLOW, sub)
        OVERFLOWING(SSUB_OVERFLOW, sub)
        OVERFLOWING(UMUL_OVERFLOW, mul)
        OVERFLOWING(SMUL_OVERFLOW, mul)
#undef OVERFLOWING
    case IR_FN_FSHL: return funnel_shift(terms, width, true, a, b, c);
    case IR_FN_FSHR: return funnel_shift(terms, width, false, a, b, c);
    case IR_FN_UCMP: return compare_three(terms, result_width, term_ult(terms, a, b), term_eq(terms, a, b));
    case IR_FN_SCMP: return compare_three(terms, result_width, term_slt(terms, a, b), term_eq(terms, a, b));
    default: assert(!"no integer function"); return 0;
    }
}
