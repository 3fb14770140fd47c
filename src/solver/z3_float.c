// Floating-point kinds in Z3's theory. Z3 has one NaN and no stored integer bit, and leaves conversions that do not
// fit unspecified. All that is expressed here in bit-vectors, so that the translation has the semantics of kinds.h,
// bit for bit.
#include "solver/z3_float.h"

struct pattern {
    Z3_ast bits, value; // as bit-vector, as float
    Z3_ast nan, invalid;
};

static Z3_ast number(struct z3_float *z, unsigned width, uint64_t value) {
    assert(width > 0);
    if (width < 64) value &= mask_bits(width);
    return Z3_mk_unsigned_int64(z->context, value, Z3_mk_bv_sort(z->context, width));
}

static Z3_ast rounding_mode(Z3_context c, unsigned rounding) {
    switch (rounding) {
    case FP_NEAREST_EVEN: return Z3_mk_fpa_rne(c);
    case FP_NEAREST_AWAY: return Z3_mk_fpa_rna(c);
    case FP_UPWARD: return Z3_mk_fpa_rtp(c);
    case FP_DOWNWARD: return Z3_mk_fpa_rtn(c);
    default: assert(rounding == FP_TOWARD_ZERO); return Z3_mk_fpa_rtz(c);
    }
}

static Z3_sort sort_of(Z3_context c, fp_format f) {
    return Z3_mk_fpa_sort(c, fp_exponent_bits(f), fp_precision(f));
}

static Z3_ast either(Z3_context c, Z3_ast a, Z3_ast b) { return Z3_mk_or(c, 2, (Z3_ast[]){a, b}); }
static Z3_ast both(Z3_context c, Z3_ast a, Z3_ast b) { return Z3_mk_and(c, 2, (Z3_ast[]){a, b}); }

static Z3_ast slice(Z3_context c, Z3_ast a, unsigned low, unsigned width) {
    assert(width > 0);
    return Z3_mk_extract(c, low + width - 1, low, a);
}

static Z3_ast is_ones(struct z3_float *z, Z3_ast a, unsigned width) {
    return Z3_mk_eq(z->context, Z3_mk_bvnot(z->context, a), number(z, width, 0));
}

static Z3_ast bit_set(struct z3_float *z, Z3_ast a, unsigned bit) {
    return Z3_mk_eq(z->context, slice(z->context, a, bit, 1), number(z, 1, 1));
}

static struct pattern load(struct z3_float *z, fp_format f, Z3_ast bits) {
    Z3_context c = z->context;
    struct pattern p = {.bits = bits, .invalid = Z3_mk_false(c)};
    unsigned below = fp_precision(f) - 1, exponent_bits = fp_exponent_bits(f), width = fp_width(f);
    Z3_ast exponent = slice(c, bits, fp_fraction_bits(f), exponent_bits), fraction = slice(c, bits, 0, below);
    if (fp_explicit(f)) {
        Z3_ast integer = bit_set(z, bits, below);
        Z3_ast tiny = Z3_mk_eq(c, exponent, number(z, exponent_bits, 0));
        p.invalid = both(c, Z3_mk_not(c, integer), Z3_mk_not(c, tiny));
        exponent = Z3_mk_ite(c, both(c, integer, tiny), number(z, exponent_bits, 1), exponent);
        bits = Z3_mk_concat(c, slice(c, bits, width - 1, 1), Z3_mk_concat(c, exponent, fraction));
    }
    p.value = Z3_mk_fpa_to_fp_bv(c, bits, sort_of(c, f));
    Z3_ast nan = both(c, is_ones(z, exponent, exponent_bits),
                      Z3_mk_not(c, Z3_mk_eq(c, fraction, number(z, below, 0))));
    p.nan = either(c, nan, p.invalid);
    return p;
}

static Z3_ast store(struct z3_float *z, fp_format f, Z3_ast value) {
    Z3_context c = z->context;
    Z3_ast bits = Z3_mk_fpa_to_ieee_bv(c, value);
    if (!fp_explicit(f)) return bits;
    unsigned below = fp_precision(f) - 1, exponent_bits = fp_exponent_bits(f);
    Z3_ast head = slice(c, bits, below, exponent_bits + 1), exponent = slice(c, bits, below, exponent_bits);
    Z3_ast integer =
        Z3_mk_ite(c, Z3_mk_eq(c, exponent, number(z, exponent_bits, 0)), number(z, 1, 0), number(z, 1, 1));
    return Z3_mk_concat(c, head, Z3_mk_concat(c, integer, slice(c, bits, 0, below)));
}

static Z3_ast default_nan(struct z3_float *z, fp_format f) {
    Z3_context c = z->context;
    unsigned ones = 1 + fp_exponent_bits(f) + 1 + fp_explicit(f), rest = fp_width(f) - ones;
    Z3_ast head = number(z, ones, ~0ull);
    return rest ? Z3_mk_concat(c, head, number(z, rest, 0)) : head;
}

static Z3_ast quiet_bit(struct z3_float *z, fp_format f) {
    Z3_context c = z->context;
    unsigned bit = fp_precision(f) - 2, above = fp_width(f) - bit - 1;
    Z3_ast one = Z3_mk_concat(c, number(z, above, 0), number(z, 1, 1));
    return bit ? Z3_mk_concat(c, one, number(z, bit, 0)) : one;
}

static Z3_ast second_wins(struct z3_float *z, fp_format f, Z3_ast a, Z3_ast b) {
    Z3_context c = z->context;
    if (!fp_explicit(f)) return Z3_mk_false(c);
    unsigned precision = fp_precision(f);
    Z3_ast x = slice(c, a, 0, precision), y = slice(c, b, 0, precision);
    Z3_ast quiet_a = bit_set(z, a, precision - 2), quiet_b = bit_set(z, b, precision - 2);
    Z3_ast positive = both(c, bit_set(z, a, fp_width(f) - 1), Z3_mk_not(c, bit_set(z, b, fp_width(f) - 1)));
    Z3_ast greater = Z3_mk_ite(c, Z3_mk_eq(c, x, y), positive, Z3_mk_bvult(c, x, y));
    return Z3_mk_ite(c, Z3_mk_xor(c, quiet_a, quiet_b), quiet_b, greater);
}

static Z3_ast nan_of(struct z3_float *z, fp_format f, const struct pattern *p, unsigned count) {
    Z3_context c = z->context;
    Z3_ast chosen = p[0].bits, have = p[0].nan, invalid = p[0].invalid;
    for (unsigned i = 1; i < count; i++) {
        Z3_ast take = either(c, Z3_mk_not(c, have), second_wins(z, f, chosen, p[i].bits));
        chosen = Z3_mk_ite(c, both(c, p[i].nan, take), p[i].bits, chosen);
        have = either(c, have, p[i].nan);
        invalid = either(c, invalid, p[i].invalid);
    }
    chosen = Z3_mk_bvor(c, chosen, quiet_bit(z, f));
    return Z3_mk_ite(c, both(c, have, Z3_mk_not(c, invalid)), chosen, default_nan(z, f));
}

static Z3_ast arithmetic(struct z3_float *z, struct shape shape, const struct pattern *p) {
    Z3_context c = z->context;
    Z3_ast mode = rounding_mode(c, shape.rounding), a = p[0].value, b = p[1].value;
    switch (shape.kind) {
    case KIND_FP_ADD: return Z3_mk_fpa_add(c, mode, a, b);
    case KIND_FP_SUB: return Z3_mk_fpa_sub(c, mode, a, b);
    case KIND_FP_MUL: return Z3_mk_fpa_mul(c, mode, a, b);
    case KIND_FP_DIV: return Z3_mk_fpa_div(c, mode, a, b);
    case KIND_FP_FMA: return Z3_mk_fpa_fma(c, mode, a, b, p[2].value);
    case KIND_FP_SQRT: return Z3_mk_fpa_sqrt(c, mode, a);
    case KIND_FP_ROUND: return Z3_mk_fpa_round_to_integral(c, mode, a);
    default: return NULL; // remainders: Z3 would expand them to words of 2^exponent bits
    }
}

static Z3_ast choose(struct z3_float *z, struct shape shape, const struct pattern *p) {
    Z3_context c = z->context;
    unsigned sign = fp_width(shape.format) - 1;
    bool minimum = shape.kind == KIND_FP_MIN;
    Z3_ast less = Z3_mk_fpa_lt(c, p[0].value, p[1].value), first = minimum ? less : Z3_mk_not(c, less);
    Z3_ast sign_a = bit_set(z, p[0].bits, sign), sign_b = bit_set(z, p[1].bits, sign);
    Z3_ast by_sign = minimum ? sign_a : Z3_mk_not(c, sign_a);
    first = Z3_mk_ite(c, Z3_mk_xor(c, sign_a, sign_b), by_sign, first);
    first = both(c, either(c, first, p[1].nan), Z3_mk_not(c, p[0].nan));
    return Z3_mk_ite(c, first, p[0].bits, p[1].bits);
}

// ---- Conversions

static Z3_ast converted_nan(struct z3_float *z, fp_format from, fp_format to, const struct pattern *p) {
    Z3_context c = z->context;
    unsigned source = fp_precision(from) - 1, target = fp_precision(to) - 1;
    Z3_ast payload = slice(c, p->bits, 0, source);
    if (target > source)
        payload = Z3_mk_concat(c, payload, number(z, target - source, 0));
    else if (target < source)
        payload = slice(c, payload, source - target, target);
    unsigned head = fp_exponent_bits(to) + fp_explicit(to);
    Z3_ast sign = slice(c, p->bits, fp_width(from) - 1, 1);
    Z3_ast bits = Z3_mk_concat(c, sign, Z3_mk_concat(c, number(z, head, ~0ull), payload));
    bits = Z3_mk_bvor(c, bits, quiet_bit(z, to));
    return Z3_mk_ite(c, p->invalid, default_nan(z, to), bits);
}

// 2^power as a float, or infinity.
static Z3_ast power(struct z3_float *z, fp_format f, unsigned exponent) {
    struct terms *terms = z->terms;
    Term one = term_const(terms, exponent + 1, 1);
    if (exponent) one = term_concat(terms, term_true(terms), term_const(terms, exponent, 0));
    Term pattern = term_int_to_fp(terms, false, f, FP_NEAREST_EVEN, one);
    return load(z, f, z->constant(z->owner, pattern)).value;
}

static Z3_ast to_integer(struct z3_float *z, struct shape shape, const struct pattern *p) {
    Z3_context c = z->context;
    bool is_signed = shape.kind == KIND_FP_TO_SINT;
    Z3_ast mode = rounding_mode(c, shape.rounding);
    Z3_ast whole = Z3_mk_fpa_round_to_integral(c, mode, p->value);
    Z3_ast limit = power(z, shape.source, shape.width - is_signed);
    Z3_ast low = is_signed ? Z3_mk_fpa_neg(c, limit) : Z3_mk_fpa_zero(c, sort_of(c, shape.source), false);
    Z3_ast fits = both(c, Z3_mk_fpa_leq(c, low, whole), Z3_mk_fpa_lt(c, whole, limit));
    Z3_ast special = either(c, p->nan, Z3_mk_fpa_is_infinite(c, p->value));
    fits = both(c, fits, Z3_mk_not(c, special));
    Z3_ast value = is_signed ? Z3_mk_fpa_to_sbv(c, mode, p->value, shape.width)
                             : Z3_mk_fpa_to_ubv(c, mode, p->value, shape.width);
    Z3_ast other = Z3_mk_bvnot(c, number(z, shape.width, 0));
    if (is_signed)
        other = shape.width == 1 ? number(z, 1, 1)
                                 : Z3_mk_concat(c, number(z, 1, 1), number(z, shape.width - 1, 0));
    return Z3_mk_ite(c, fits, value, other);
}

static Z3_ast convert(struct z3_float *z, struct shape shape, Z3_ast a) {
    Z3_context c = z->context;
    Z3_ast mode = rounding_mode(c, shape.rounding);
    if (shape.kind == KIND_SINT_TO_FP)
        return store(z, shape.format, Z3_mk_fpa_to_fp_signed(c, mode, a, sort_of(c, shape.format)));
    if (shape.kind == KIND_UINT_TO_FP)
        return store(z, shape.format, Z3_mk_fpa_to_fp_unsigned(c, mode, a, sort_of(c, shape.format)));
    struct pattern p = load(z, shape.source, a);
    if (shape.kind != KIND_FP_TO_FP) return to_integer(z, shape, &p);
    Z3_ast value = Z3_mk_fpa_to_fp_float(c, mode, p.value, sort_of(c, shape.format));
    return Z3_mk_ite(c, p.nan, converted_nan(z, shape.source, shape.format, &p),
                     store(z, shape.format, value));
}

static bool converts(enum kind kind) {
    return kind == KIND_FP_TO_FP || kind == KIND_FP_TO_SINT || kind == KIND_FP_TO_UINT ||
           kind == KIND_SINT_TO_FP || kind == KIND_UINT_TO_FP;
}

Z3_ast z3_float(struct z3_float *z, struct shape shape, const Z3_ast *args) {
    Z3_context c = z->context;
    if (converts((enum kind)shape.kind)) return convert(z, shape, args[0]);
    struct pattern p[3] = {{0}};
    unsigned arity = kind_infos[shape.kind].arity;
    Z3_ast nan = Z3_mk_false(c);
    for (unsigned i = 0; i < arity; i++) {
        p[i] = load(z, shape.format, args[i]);
        nan = either(c, nan, p[i].nan);
    }
    Z3_ast ordered = Z3_mk_not(c, nan);
    switch (shape.kind) {
    case KIND_FP_EQ: return both(c, ordered, Z3_mk_fpa_eq(c, p[0].value, p[1].value));
    case KIND_FP_LT: return both(c, ordered, Z3_mk_fpa_lt(c, p[0].value, p[1].value));
    case KIND_FP_LE: return both(c, ordered, Z3_mk_fpa_leq(c, p[0].value, p[1].value));
    case KIND_FP_MIN:
    case KIND_FP_MAX: return choose(z, shape, p);
    default: break;
    }
    Z3_ast value = arithmetic(z, shape, p);
    if (!value) return NULL;
    nan = either(c, nan, Z3_mk_fpa_is_nan(c, value));
    return Z3_mk_ite(c, nan, nan_of(z, shape.format, p, arity), store(z, shape.format, value));
}
