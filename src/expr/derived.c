// Derived operations, floating point, and construction by shape.
#include "expr/expr_int.h"

static Term sign_of(struct terms *terms, Term a) { return term_extract(terms, a, width_of(terms, a) - 1, 1); }

static Term zero_of(struct terms *terms, unsigned width) { return term_const(terms, width, 0); }

// The remainder with the divisor's sign: srem, plus the divisor if their signs differ.
static Term make_smod(struct terms *terms, Term a, Term b) {
    Term rest = term_srem(terms, a, b), zero = zero_of(terms, width_of(terms, a));
    Term differ = term_xor(terms, sign_of(terms, rest), sign_of(terms, b));
    Term adjust = term_and(terms, term_ne(terms, rest, zero), differ);
    // For a zero divisor srem gives a, and adding zero changes nothing.
    return term_ite(terms, adjust, term_add(terms, rest, b), rest);
}

static Term make_rotate(struct terms *terms, Term a, Term b, bool left) {
    unsigned width = width_of(terms, a);
    if (width == 1) return a;
    if (is_const(terms, b)) {
        Term count = term_urem(terms, b, term_const(terms, width, width)); // fits: width < 2^width
        unsigned n = (unsigned)limbs_amount(term_const_words(terms, count), width);
        if (n == 0) return a;
        if (!left) n = width - n;
        return term_concat(terms, term_extract(terms, a, 0, width - n), term_extract(terms, a, width - n, n));
    }
    Term size = term_const(terms, width, width);
    Term count = term_urem(terms, b, size),
         back = term_sub(terms, size, count); // a shift by the width gives 0
    Term x = left ? term_shl(terms, a, count) : term_lshr(terms, a, count);
    Term y = left ? term_lshr(terms, a, back) : term_shl(terms, a, back);
    return term_or(terms, x, y);
}

static Term make_mul_overflow(struct terms *terms, Term a, Term b, bool is_signed) {
    unsigned width = width_of(terms, a);
    assert(2 * width <= TERM_MAX_WIDTH);
    Term x = is_signed ? term_sext(terms, a, 2 * width) : term_zext(terms, a, 2 * width);
    Term y = is_signed ? term_sext(terms, b, 2 * width) : term_zext(terms, b, 2 * width);
    Term product = term_mul(terms, x, y);
    Term high = term_extract(terms, product, width, width);
    if (!is_signed) return term_ne(terms, high, zero_of(terms, width));
    Term sign = term_extract(terms, product, width - 1, 1);
    return term_ne(terms, high, term_sext(terms, sign, width));
}

static Term make_overflow(struct terms *terms, enum kind kind, Term a, Term b) {
    unsigned width = width_of(terms, a);
    Term least =
        width == 1 ? terms->true_term : term_concat(terms, terms->true_term, zero_of(terms, width - 1));
    switch (kind) {
    case KIND_NEG_OVERFLOW: return term_eq(terms, a, least);
    case KIND_UADD_OVERFLOW: return term_ult(terms, term_add(terms, a, b), a);
    case KIND_USUB_OVERFLOW: return term_ult(terms, a, b);
    case KIND_SADD_OVERFLOW: { // the signs of both operands differ from the sum's
        Term sign = sign_of(terms, term_add(terms, a, b));
        return term_and(terms, term_xor(terms, sign, sign_of(terms, a)),
                        term_xor(terms, sign, sign_of(terms, b)));
    }
    case KIND_SSUB_OVERFLOW: { // the operands' signs differ, and the result's from the first's
        Term sign = sign_of(terms, term_sub(terms, a, b)), first = sign_of(terms, a);
        return term_and(terms, term_xor(terms, first, sign_of(terms, b)), term_xor(terms, sign, first));
    }
    case KIND_UMUL_OVERFLOW: return make_mul_overflow(terms, a, b, false);
    case KIND_SMUL_OVERFLOW: return make_mul_overflow(terms, a, b, true);
    default:
        assert(kind == KIND_SDIV_OVERFLOW);
        return term_and(terms, term_eq(terms, a, least),
                        term_eq(terms, b, term_not(terms, zero_of(terms, width))));
    }
}

// ---- Floating point as bits ----

static Term exponent_of(struct terms *terms, fp_format f, Term a) {
    return term_extract(terms, a, fp_fraction_bits(f), fp_exponent_bits(f));
}

static Term fraction_of(struct terms *terms, fp_format f, Term a) {
    return term_extract(terms, a, 0, fp_fraction_bits(f));
}

static Term is_zero_term(struct terms *terms, Term a) {
    return term_eq(terms, a, zero_of(terms, width_of(terms, a)));
}

static Term is_ones_term(struct terms *terms, Term a) {
    return term_eq(terms, a, term_not(terms, zero_of(terms, width_of(terms, a))));
}

// x87: the stored integer bit; true for other formats.
static Term integer_bit(struct terms *terms, fp_format f, Term a) {
    return fp_explicit(f) ? term_extract(terms, a, fp_fraction_bits(f) - 1, 1) : terms->true_term;
}

static Term is_nan_term(struct terms *terms, fp_format f, Term a) {
    Term top = is_ones_term(terms, exponent_of(terms, f, a)), fraction = fraction_of(terms, f, a);
    if (!fp_explicit(f)) return term_and(terms, top, term_not(terms, is_zero_term(terms, fraction)));
    // x87: also a pattern without the integer bit that its exponent requires.
    Term rest = term_extract(terms, fraction, 0, fp_fraction_bits(f) - 1);
    Term invalid = term_and(terms, term_not(terms, integer_bit(terms, f, a)),
                            term_not(terms, is_zero_term(terms, exponent_of(terms, f, a))));
    return term_or(terms, invalid, term_and(terms, top, term_not(terms, is_zero_term(terms, rest))));
}

static Term is_inf_term(struct terms *terms, fp_format f, Term a) {
    Term top = is_ones_term(terms, exponent_of(terms, f, a)), fraction = fraction_of(terms, f, a);
    if (!fp_explicit(f)) return term_and(terms, top, is_zero_term(terms, fraction));
    Term rest = term_extract(terms, fraction, 0, fp_fraction_bits(f) - 1);
    return term_and(terms, term_and(terms, top, integer_bit(terms, f, a)), is_zero_term(terms, rest));
}

Term term_fp_is(struct terms *terms, enum kind kind, fp_format f, Term a) {
    assert(width_of(terms, a) == fp_width(f));
    Term exponent = exponent_of(terms, f, a);
    Term tiny = is_zero_term(terms, exponent), zero = is_zero_term(terms, fraction_of(terms, f, a));
    Term nan = is_nan_term(terms, f, a), sign = sign_of(terms, a);
    switch (kind) {
    case KIND_FP_IS_NAN: return nan;
    case KIND_FP_IS_INF: return is_inf_term(terms, f, a);
    case KIND_FP_IS_ZERO: return term_and(terms, tiny, zero);
    case KIND_FP_IS_SUBNORMAL: return term_and(terms, tiny, term_not(terms, zero));
    case KIND_FP_IS_NORMAL:
        return term_and(terms, integer_bit(terms, f, a),
                        term_not(terms, term_or(terms, tiny, is_ones_term(terms, exponent))));
    case KIND_FP_IS_NEGATIVE: return term_and(terms, sign, term_not(terms, nan));
    default:
        assert(kind == KIND_FP_IS_POSITIVE);
        return term_and(terms, term_not(terms, sign), term_not(terms, nan));
    }
}

bool terms_have_floats(const struct terms *terms) { return terms->floats; }

static Term make_float(struct terms *terms, struct shape shape, const Term *args) {
    Term folded = term_fold_constants(terms, shape, args);
    if (folded) return folded;
    if (!(kind_infos[shape.kind].properties & KP_PREDICATE) && rules_enter(terms)) {
        Term simpler = simplify_float(terms, shape, args);
        rules_leave(terms);
        if (simpler) return simpler;
    }
    terms->floats = true;
    struct node node = {.kind = shape.kind,
                        .rounding = shape.rounding,
                        .width = shape.width,
                        .aux = shape.format | (uint32_t)shape.source << 16};
    for (unsigned i = 0; i < kind_infos[shape.kind].arity; i++) node.args[i] = args[i];
    if (shape.kind == KIND_FP_EQ && node.args[0] > node.args[1] && !terms->raw) {
        node.args[0] = args[1];
        node.args[1] = args[0];
    }
    return node_intern(terms, &node);
}

Term term_fp_compare(struct terms *terms, enum kind kind, fp_format f, Term a, Term b) {
    assert(width_of(terms, a) == fp_width(f) && width_of(terms, b) == fp_width(f));
    if (kind == KIND_FP_UNORDERED)
        return term_or(terms, term_fp_is(terms, KIND_FP_IS_NAN, f, a),
                       term_fp_is(terms, KIND_FP_IS_NAN, f, b));
    if (rules_enter(terms)) {
        Term t = simplify_float_compare(terms, kind, f, a, b);
        rules_leave(terms);
        if (t) return t;
    }
    return make_float(terms, (struct shape){.kind = (uint8_t)kind, .width = 1, .format = f}, (Term[]){a, b});
}

Term term_fp_binary(struct terms *terms, enum kind kind, fp_format f, enum fp_rounding rounding, Term a,
                    Term b) {
    assert(width_of(terms, a) == fp_width(f) && width_of(terms, b) == fp_width(f));
    if (kind == KIND_FP_COPYSIGN)
        return term_concat(terms, sign_of(terms, b), term_extract(terms, a, 0, fp_width(f) - 1));
    bool rounds = kind_infos[kind].properties & KP_ROUNDS;
    struct shape shape = {.kind = (uint8_t)kind,
                          .width = (uint16_t)fp_width(f),
                          .format = f,
                          .rounding = rounds ? (uint8_t)rounding : 0};
    return make_float(terms, shape, (Term[]){a, b});
}

Term term_fp_unary(struct terms *terms, enum kind kind, fp_format f, enum fp_rounding rounding, Term a) {
    assert(width_of(terms, a) == fp_width(f));
    Term magnitude = term_extract(terms, a, 0, fp_width(f) - 1);
    if (kind == KIND_FP_NEG) return term_concat(terms, term_not(terms, sign_of(terms, a)), magnitude);
    if (kind == KIND_FP_ABS) return term_concat(terms, terms->false_term, magnitude);
    struct shape shape = {
        .kind = (uint8_t)kind, .width = (uint16_t)fp_width(f), .format = f, .rounding = (uint8_t)rounding};
    return make_float(terms, shape, &a);
}

Term term_fp_fma(struct terms *terms, fp_format f, enum fp_rounding rounding, Term a, Term b, Term c) {
    struct shape shape = {
        .kind = KIND_FP_FMA, .width = (uint16_t)fp_width(f), .format = f, .rounding = (uint8_t)rounding};
    return make_float(terms, shape, (Term[]){a, b, c});
}

Term term_fp_to_fp(struct terms *terms, fp_format from, fp_format to, enum fp_rounding rounding, Term a) {
    assert(width_of(terms, a) == fp_width(from));
    struct shape shape = {.kind = KIND_FP_TO_FP,
                          .width = (uint16_t)fp_width(to),
                          .format = to,
                          .source = from,
                          .rounding = (uint8_t)rounding};
    return make_float(terms, shape, &a);
}

Term term_fp_to_int(struct terms *terms, bool is_signed, fp_format from, enum fp_rounding rounding, Term a,
                    unsigned width) {
    assert(width_of(terms, a) == fp_width(from));
    struct shape shape = {.kind = is_signed ? KIND_FP_TO_SINT : KIND_FP_TO_UINT,
                          .width = (uint16_t)width,
                          .source = from,
                          .rounding = (uint8_t)rounding};
    return make_float(terms, shape, &a);
}

Term term_int_to_fp(struct terms *terms, bool is_signed, fp_format to, enum fp_rounding rounding, Term a) {
    struct shape shape = {.kind = is_signed ? KIND_SINT_TO_FP : KIND_UINT_TO_FP,
                          .width = (uint16_t)fp_width(to),
                          .format = to,
                          .rounding = (uint8_t)rounding};
    return make_float(terms, shape, &a);
}

// ---- Construction by shape ----

static Term make_by_float_shape(struct terms *terms, struct shape s, const Term *args) {
    enum kind kind = (enum kind)s.kind;
    enum fp_rounding rounding = (enum fp_rounding)s.rounding;
    switch (kind) {
    case KIND_FP_FMA: return term_fp_fma(terms, s.format, rounding, args[0], args[1], args[2]);
    case KIND_FP_TO_FP: return term_fp_to_fp(terms, s.source, s.format, rounding, args[0]);
    case KIND_FP_TO_SINT:
    case KIND_FP_TO_UINT:
        return term_fp_to_int(terms, kind == KIND_FP_TO_SINT, s.source, rounding, args[0], s.width);
    case KIND_SINT_TO_FP:
    case KIND_UINT_TO_FP: return term_int_to_fp(terms, kind == KIND_SINT_TO_FP, s.format, rounding, args[0]);
    default: break;
    }
    bool predicate = kind_infos[kind].properties & KP_PREDICATE;
    if (kind_infos[kind].arity == 1)
        return predicate ? term_fp_is(terms, kind, s.format, args[0])
                         : term_fp_unary(terms, kind, s.format, rounding, args[0]);
    return predicate ? term_fp_compare(terms, kind, s.format, args[0], args[1])
                     : term_fp_binary(terms, kind, s.format, rounding, args[0], args[1]);
}

Term term_make(struct terms *terms, struct shape shape, const Term *operands) {
    enum kind kind = (enum kind)shape.kind;
    if (kind_infos[kind].properties & KP_FLOAT) return make_by_float_shape(terms, shape, operands);
    switch (kind) {
    case KIND_EXTRACT: return term_extract(terms, operands[0], shape.low, shape.width);
    case KIND_SEXT: return term_sext(terms, operands[0], shape.width);
    case KIND_ZEXT: return term_zext(terms, operands[0], shape.width);
    case KIND_ARRAY_CONST: return term_array_const(terms, shape.index_width, operands[0]);
    default: {
        unsigned arity = kind_infos[kind].arity;
        return term_apply(terms, kind, operands[0], arity > 1 ? operands[1] : 0, arity > 2 ? operands[2] : 0);
    }
    }
}

Term term_apply(struct terms *terms, enum kind kind, Term a, Term b, Term c) {
    switch (kind) {
    case KIND_NOT: return term_not(terms, a);
    case KIND_AND: return term_and(terms, a, b);
    case KIND_OR: return term_or(terms, a, b);
    case KIND_XOR: return term_xor(terms, a, b);
    case KIND_NEG: return term_neg(terms, a);
    case KIND_ADD: return term_add(terms, a, b);
    case KIND_MUL: return term_mul(terms, a, b);
    case KIND_UDIV: return term_udiv(terms, a, b);
    case KIND_UREM: return term_urem(terms, a, b);
    case KIND_SDIV: return term_sdiv(terms, a, b);
    case KIND_SREM: return term_srem(terms, a, b);
    case KIND_SHL: return term_shl(terms, a, b);
    case KIND_LSHR: return term_lshr(terms, a, b);
    case KIND_ASHR: return term_ashr(terms, a, b);
    case KIND_CONCAT: return term_concat(terms, a, b);
    case KIND_EQ:
    case KIND_ARRAY_EQ: return term_eq(terms, a, b);
    case KIND_ULT: return term_ult(terms, a, b);
    case KIND_SLT: return term_slt(terms, a, b);
    case KIND_ITE:
    case KIND_ARRAY_ITE: return term_ite(terms, a, b, c);
    case KIND_SELECT: return term_select(terms, a, b);
    case KIND_STORE: return term_store(terms, a, b, c);
    case KIND_SUB: return term_sub(terms, a, b);
    case KIND_SMOD: return make_smod(terms, a, b);
    case KIND_NAND: return term_not(terms, term_and(terms, a, b));
    case KIND_NOR: return term_not(terms, term_or(terms, a, b));
    case KIND_XNOR: return term_not(terms, term_xor(terms, a, b));
    case KIND_NE: return term_ne(terms, a, b);
    case KIND_ULE: return term_ule(terms, a, b);
    case KIND_UGT: return term_ult(terms, b, a);
    case KIND_UGE: return term_ule(terms, b, a);
    case KIND_SLE: return term_sle(terms, a, b);
    case KIND_SGT: return term_slt(terms, b, a);
    case KIND_SGE: return term_sle(terms, b, a);
    case KIND_ROTL: return make_rotate(terms, a, b, true);
    case KIND_ROTR: return make_rotate(terms, a, b, false);
    case KIND_NEG_OVERFLOW:
    case KIND_UADD_OVERFLOW:
    case KIND_SADD_OVERFLOW:
    case KIND_USUB_OVERFLOW:
    case KIND_SSUB_OVERFLOW:
    case KIND_UMUL_OVERFLOW:
    case KIND_SMUL_OVERFLOW:
    case KIND_SDIV_OVERFLOW: return make_overflow(terms, kind, a, b);
    default: error_internal("term_apply: %s has parameters", kind_infos[kind].name);
    }
}
