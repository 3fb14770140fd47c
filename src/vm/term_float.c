// The float functions of the IR as terms. Results are those of numeric.h for concrete operands, to the last bit of a
// NaN (tests/unit/vm/test_term_float.c compares the two). Rounding is to nearest even.
#include "vm/term_ops.h"

// The float format that a function works on.
struct floating {
    struct terms *terms;
    enum ir_float name;
    fp_format format;
    unsigned width;
};

static fp_format format_of(enum ir_float format) {
    static const fp_format formats[IR_FLOAT_COUNT] = {
        [IR_F16] = FP_HALF,   [IR_BF16] = FP_BFLOAT, [IR_F32] = FP_SINGLE,
        [IR_F64] = FP_DOUBLE, [IR_F80] = FP_X87,     [IR_F128] = FP_QUAD};
    assert(format < IR_FLOAT_COUNT);
    return formats[format];
}

static struct floating floating_of(struct terms *terms, enum ir_float name) {
    return (struct floating){terms, name, format_of(name), ir_float_width(name)};
}

static bool is_small(enum ir_float name) { return name == IR_F16 || name == IR_BF16; }

// ---- Pieces

static Term is(const struct floating *f, enum kind kind, Term a) {
    return term_fp_is(f->terms, kind, f->format, a);
}
static Term is_nan(const struct floating *f, Term a) { return is(f, KIND_FP_IS_NAN, a); }
static Term less(const struct floating *f, Term a, Term b) {
    return term_fp_compare(f->terms, KIND_FP_LT, f->format, a, b);
}
static Term equal(const struct floating *f, Term a, Term b) {
    return term_fp_compare(f->terms, KIND_FP_EQ, f->format, a, b);
}
static Term negative(const struct floating *f, Term a) { return term_extract(f->terms, a, f->width - 1, 1); }
static Term both(const struct floating *f, Term a, Term b) { return term_and(f->terms, a, b); }
static Term neither(const struct floating *f, Term a, Term b) {
    return term_not(f->terms, term_or(f->terms, a, b));
}
static Term choose(const struct floating *f, Term condition, Term a, Term b) {
    return term_ite(f->terms, condition, a, b);
}
static Term binary(const struct floating *f, enum kind kind, Term a, Term b) {
    return term_fp_binary(f->terms, kind, f->format, FP_NEAREST_EVEN, a, b);
}

static Term is_finite(const struct floating *f, Term a) {
    unsigned fraction = fp_fraction_bits(f->format), bits = fp_exponent_bits(f->format);
    Term exponent = term_extract(f->terms, a, fraction, bits);
    Term top = term_eq(f->terms, exponent, term_const(f->terms, bits, ~0ull));
    return fp_explicit(f->format) ? neither(f, top, is_nan(f, a)) : term_not(f->terms, top);
}

static Term bit_of(const struct floating *f, unsigned bit) {
    uint64_t limbs[2] = {0};
    limbs[bit / 64] = (uint64_t)1 << bit % 64;
    return term_const_limbs(f->terms, f->width, limbs);
}

// Makes a NaN quiet; an unsupported x87 encoding becomes the default NaN.
static Term quiet(const struct floating *f, Term nan) {
    return term_fp_to_fp(f->terms, f->format, f->format, FP_NEAREST_EVEN, nan);
}

static Term convert(struct terms *terms, enum ir_float from, enum ir_float to, Term a) {
    if (from == to) return a;
    if (from == IR_BF16 && to == IR_F32) return term_concat(terms, a, term_const(terms, 16, 0));
    return term_fp_to_fp(terms, format_of(from), format_of(to), FP_NEAREST_EVEN, a);
}

// Returns 2^power, or infinity if the format cannot represent it.
static Term power_of_two(const struct floating *f, unsigned power) {
    unsigned width = power + 1;
    uint64_t limbs[1025] = {0};
    assert(ir_slots(width) <= COUNT(limbs));
    limbs[power / 64] = (uint64_t)1 << power % 64;
    return term_int_to_fp(f->terms, false, f->format, FP_NEAREST_EVEN,
                          term_const_limbs(f->terms, width, limbs));
}

// ---- Arithmetic

// Returns the NaN that software arithmetic takes if at least one operand is a NaN: the one with the greater
// significand.
static Term greater_nan(const struct floating *f, Term a, Term b, bool prefer_first) {
    unsigned bits = fp_precision(f->format) - 1;
    Term x = term_extract(f->terms, a, 0, bits), y = term_extract(f->terms, b, 0, bits);
    Term first = prefer_first ? term_not(f->terms, term_ult(f->terms, x, y)) : term_ult(f->terms, y, x);
    return choose(f, is_nan(f, b), choose(f, is_nan(f, a), choose(f, first, a, b), b), a);
}

static Term soft_nan(const struct floating *f, Term a, Term b, bool prefer_first) {
    unsigned bits = fp_precision(f->format) - 1;
    Term nan = quiet(f, greater_nan(f, a, b, prefer_first));
    if (!fp_explicit(f->format)) return nan;
    // Unsupported encodings take precedence over NaNs.
    Term integer = bit_of(f, bits), none = term_const(f->terms, f->width, 0);
    Term bad =
        term_or(f->terms, both(f, is_nan(f, a), term_eq(f->terms, term_and(f->terms, a, integer), none)),
                both(f, is_nan(f, b), term_eq(f->terms, term_and(f->terms, b, integer), none)));
    Term zero = term_const(f->terms, f->width, 0);
    return choose(f, bad, binary(f, KIND_FP_DIV, zero, zero), nan); // 0 / 0: the default NaN
}

static Term arithmetic(const struct floating *f, enum kind kind, Term a, Term b) {
    Term value = kind == KIND_FP_SQRT ? term_fp_unary(f->terms, kind, f->format, FP_NEAREST_EVEN, a)
                                      : binary(f, kind, a, b);
    if (f->name != IR_F128 || kind == KIND_FP_SQRT) return value;
    Term two = both(f, is_nan(f, a), is_nan(f, b));
    return choose(f, two, soft_nan(f, a, b, kind == KIND_FP_ADD || kind == KIND_FP_MUL), value);
}

static Term multiply_add_soft(const struct floating *f, Term a, Term b, Term c) {
    Term fused = term_fp_fma(f->terms, f->format, FP_NEAREST_EVEN, a, b, c);
    Term product = choose(f, term_or(f->terms, is_nan(f, a), is_nan(f, b)), greater_nan(f, a, b, true),
                          binary(f, KIND_FP_MUL, a, b));
    Term nan = term_or(f->terms, is_nan(f, product), is_nan(f, c));
    return choose(f, nan, soft_nan(f, product, c, true), fused);
}

// See DEFINE_MULTIPLY_ADD in float_ops.c: rounded once if all operands are finite, else by multiplication and addition.
static Term multiply_add(const struct floating *f, Term a, Term b, Term c) {
    if (f->name == IR_F128) return multiply_add_soft(f, a, b, c);
    Term fused = term_fp_fma(f->terms, f->format, FP_NEAREST_EVEN, a, b, c);
    Term plain = binary(f, KIND_FP_ADD, binary(f, KIND_FP_MUL, a, b), c);
    Term special = f->name == IR_F32 ? fused : c; // finite factors, and an addend that is not finite
    if (f->name == IR_F64) {
        Term zero = term_or(f->terms, is(f, KIND_FP_IS_ZERO, a), is(f, KIND_FP_IS_ZERO, b));
        special = choose(f, zero, plain, c);
    }
    Term factors = both(f, is_finite(f, a), is_finite(f, b));
    return choose(f, factors, choose(f, is_finite(f, c), fused, special), plain);
}

// minsd and maxsd return the second operand if neither is less.
static Term pick_machine(const struct floating *f, bool minimum, Term a, Term b) {
    Term second = minimum ? less(f, b, a) : less(f, a, b);
    return choose(f, is_nan(f, a), b, choose(f, second, b, a));
}

// The library's fmin and fmax.
static Term pick_library(const struct floating *f, bool minimum, Term a, Term b) {
    Term first = minimum ? less(f, a, b) : less(f, b, a), sign_a = negative(f, a);
    Term signs = term_xor(f->terms, sign_a, negative(f, b));
    Term by_sign = minimum ? sign_a : term_not(f->terms, sign_a);
    Term value = choose(f, choose(f, signs, by_sign, first), a, b);
    return choose(f, is_nan(f, a), b, choose(f, is_nan(f, b), a, value));
}

static Term pick_ieee(const struct floating *f, bool minimum, Term a, Term b) {
    Term sign = negative(f, a), below = less(f, a, b);
    Term first = choose(f, equal(f, a, b), minimum ? sign : term_not(f->terms, sign),
                        minimum ? below : term_not(f->terms, below));
    Term value = choose(f, first, a, b);
    bool soft = f->name == IR_F80 || f->name == IR_F128;
    if (soft) value = quiet(f, value); // as the concrete operation, which packs its result
    Term nan = soft ? soft_nan(f, a, b, true) : binary(f, KIND_FP_ADD, a, b);
    return choose(f, term_or(f->terms, is_nan(f, a), is_nan(f, b)), nan, value);
}

static Term pick(const struct floating *f, enum ir_fn fn, Term a, Term b) {
    bool minimum = fn == IR_FN_FMINNUM || fn == IR_FN_FMINIMUM;
    if (fn == IR_FN_FMINIMUM || fn == IR_FN_FMAXIMUM) return pick_ieee(f, minimum, a, b);
    return f->name == IR_F32 || f->name == IR_F64 ? pick_machine(f, minimum, a, b)
                                                  : pick_library(f, minimum, a, b);
}

static Term calculate(const struct floating *f, enum ir_fn fn, Term a, Term b, Term c) {
    switch (fn) {
    case IR_FN_FADD: return arithmetic(f, KIND_FP_ADD, a, b);
    case IR_FN_FSUB: return arithmetic(f, KIND_FP_SUB, a, b);
    case IR_FN_FMUL: return arithmetic(f, KIND_FP_MUL, a, b);
    case IR_FN_FDIV: return arithmetic(f, KIND_FP_DIV, a, b);
    case IR_FN_FREM: return arithmetic(f, KIND_FP_MOD, a, b);
    case IR_FN_FSQRT: return arithmetic(f, KIND_FP_SQRT, a, 0);
    case IR_FN_FMA: return multiply_add(f, a, b, c);
    default:
        assert(fn == IR_FN_FMINNUM || fn == IR_FN_FMAXNUM || fn == IR_FN_FMINIMUM || fn == IR_FN_FMAXIMUM);
        return pick(f, fn, a, b);
    }
}

// Computes half and bfloat functions in float.
static Term calculate_small(const struct floating *f, enum ir_fn fn, Term a, Term b, Term c) {
    struct floating single = floating_of(f->terms, IR_F32);
    Term x = convert(f->terms, f->name, IR_F32, a);
    Term y = b ? convert(f->terms, f->name, IR_F32, b) : 0, z = c ? convert(f->terms, f->name, IR_F32, c) : 0;
    Term value = fn == IR_FN_FMINNUM || fn == IR_FN_FMAXNUM ? pick_library(&single, fn == IR_FN_FMINNUM, x, y)
                                                            : calculate(&single, fn, x, y, z);
    return convert(f->terms, IR_F32, f->name, value);
}

// ---- Other functions

static Term to_integral(const struct floating *f, enum ir_fn fn, Term a) {
    enum fp_rounding rounding = fn == IR_FN_FFLOOR   ? FP_DOWNWARD
                                : fn == IR_FN_FCEIL  ? FP_UPWARD
                                : fn == IR_FN_FTRUNC ? FP_TOWARD_ZERO
                                : fn == IR_FN_FROUND ? FP_NEAREST_AWAY
                                                     : FP_NEAREST_EVEN;
    Term value = term_fp_unary(f->terms, KIND_FP_ROUND, f->format, rounding, a);
    return is_small(f->name) ? value : choose(f, is_nan(f, a), a, value);
}

static Term change_sign(const struct floating *f, enum ir_fn fn, Term a, Term b) {
    if (fn == IR_FN_FCOPYSIGN) return binary(f, KIND_FP_COPYSIGN, a, b);
    enum kind kind = fn == IR_FN_FNEG ? KIND_FP_NEG : KIND_FP_ABS;
    Term value = term_fp_unary(f->terms, kind, f->format, FP_NEAREST_EVEN, a);
    return is_small(f->name) ? quiet(f, value) : value;
}

// Multiplies by a power of two in a format that can hold both exponents: exact, then rounded once.
static Term load_exponent(const struct floating *f, unsigned extra, Term a, Term b) {
    struct terms *terms = f->terms;
    unsigned amount_width = extra ? extra : 32, bits = 19;
    fp_format wide = FP_FORMAT(19, fp_precision(f->format), 0);
    Term amount = term_sext(terms, term_extract(terms, b, 0, amount_width), 64);
    Term most = term_const(terms, 64, 100000), least = term_neg(terms, most);
    amount = term_ite(terms, term_slt(terms, most, amount), most,
                      term_ite(terms, term_slt(terms, amount, least), least, amount));
    Term exponent = term_add(terms, term_extract(terms, amount, 0, bits),
                             term_const(terms, bits, ((uint64_t)1 << (bits - 1)) - 1));
    Term power = term_concat(terms, term_const(terms, 1, 0),
                             term_concat(terms, exponent, term_const(terms, fp_fraction_bits(wide), 0)));
    Term x = term_fp_to_fp(terms, f->format, wide, FP_NEAREST_EVEN, a);
    Term product = term_fp_binary(terms, KIND_FP_MUL, wide, FP_NEAREST_EVEN, x, power);
    return term_fp_to_fp(terms, wide, f->format, FP_NEAREST_EVEN, product);
}

// LLVM's predicates are sets of: equal 1, greater 2, less 4, unordered 8.
static Term compare(const struct floating *f, unsigned predicate, Term a, Term b) {
    assert(predicate <= 15);
    if (predicate & 8) return term_not(f->terms, compare(f, 15 - predicate, a, b));
    switch (predicate) {
    case 0: return term_false(f->terms);
    case 1: return equal(f, a, b);
    case 2: return less(f, b, a);
    case 3: return term_fp_compare(f->terms, KIND_FP_LE, f->format, b, a);
    case 4: return less(f, a, b);
    case 5: return term_fp_compare(f->terms, KIND_FP_LE, f->format, a, b);
    default: {
        Term ordered = neither(f, is_nan(f, a), is_nan(f, b));
        return predicate == 7 ? ordered : both(f, ordered, term_not(f->terms, equal(f, a, b)));
    }
    }
}

// LLVM's classes, see is_class in float_ops.c.
static Term is_class(const struct floating *f, unsigned mask, Term a) {
    struct terms *terms = f->terms;
    Term minus = negative(f, a), plus = term_not(terms, minus), nan = is_nan(f, a), any = term_false(terms);
    Term quiet_bit = term_extract(terms, a, fp_precision(f->format) - 2, 1);
    static const enum kind kinds[] = {KIND_FP_IS_INF, KIND_FP_IS_NORMAL, KIND_FP_IS_SUBNORMAL,
                                      KIND_FP_IS_ZERO};
    if (mask & 1) any = term_or(terms, any, both(f, nan, term_not(terms, quiet_bit)));
    if (mask & 2) any = term_or(terms, any, both(f, nan, quiet_bit));
    for (unsigned i = 0; i < 4; i++) {
        Term in_class = is(f, kinds[i], a);
        if (mask >> (2 + i) & 1) any = term_or(terms, any, both(f, in_class, minus));
        if (mask >> (9 - i) & 1) any = term_or(terms, any, both(f, in_class, plus));
    }
    if (f->name != IR_F80) return any;
    Term integer = term_extract(terms, a, 63, 1);
    Term tiny = term_eq(terms, term_extract(terms, a, 64, 15), term_const(terms, 15, 0));
    Term unsupported = neither(f, integer, tiny), pseudo = both(f, integer, tiny);
    Term finite = term_ite(terms, minus, term_bool(terms, (mask & 0x38) == 0x38),
                           term_bool(terms, (mask & 0x1c0) == 0x1c0));
    return term_ite(terms, unsupported, term_bool(terms, (mask & 3) == 3),
                    term_ite(terms, pseudo, finite, any));
}

// ---- Integers

static Term truncated(const struct floating *f, bool is_signed, unsigned width, Term a) {
    return term_fp_to_int(f->terms, is_signed, f->format, FP_TOWARD_ZERO, a, width);
}

static Term extreme(const struct floating *f, bool is_signed, bool largest, unsigned width) {
    Term zero = term_const(f->terms, width, 0);
    if (!is_signed) return largest ? term_not(f->terms, zero) : zero;
    Term least = width == 1 ? term_true(f->terms)
                            : term_concat(f->terms, term_true(f->terms), term_const(f->terms, width - 1, 0));
    return largest ? term_not(f->terms, least) : least;
}

// Returns the nearest integer of the width; `nan` for a NaN.
static Term saturated(const struct floating *f, bool is_signed, unsigned width, Term a, Term nan) {
    Term limit = power_of_two(f, width - is_signed);
    Term low = is_signed ? term_fp_unary(f->terms, KIND_FP_NEG, f->format, FP_NEAREST_EVEN, limit)
                         : term_const(f->terms, f->width, 0);
    Term value =
        choose(f, less(f, a, limit), truncated(f, is_signed, width, a), extreme(f, is_signed, true, width));
    value = choose(f, less(f, a, low), extreme(f, is_signed, false, width), value);
    return choose(f, is_nan(f, a), nan, value);
}

// libgcc saturates; a NaN is treated as an infinity of its sign.
static Term from_quad(const struct floating *f, bool is_signed, unsigned width, Term a) {
    bool narrow = width <= 32;
    bool signed_code = is_signed || (narrow ? width < 32 : width < 64);
    unsigned code_width = narrow ? 32 : 64;
    Term nan = choose(f, negative(f, a), extreme(f, signed_code, false, code_width),
                      extreme(f, signed_code, true, code_width));
    return saturated(f, signed_code, code_width, a, nan);
}

// Converts to 64 unsigned bits: values between -2^63 and 2^64 are correct modulo 2^64.
static Term to_unsigned_64(const struct floating *f, Term a) {
    struct terms *terms = f->terms;
    Term wide = truncated(f, true, 65, a), low = term_extract(terms, wide, 0, 64);
    Term outside =
        both(f, term_extract(terms, wide, 64, 1), term_not(terms, term_extract(terms, wide, 63, 1)));
    Term indefinite = term_const(terms, 64, (uint64_t)1 << 63), zero = term_const(terms, 64, 0);
    if (f->name == IR_F80) // the sign of the remainder is flipped
        indefinite = choose(f, less(f, a, term_const(terms, f->width, 0)), indefinite, zero);
    return choose(f, outside, indefinite, low);
}

// Converts to more than 128 bits, as large_from_float in float_convert.c: shifts the significand by the exponent.
// Infinities and NaNs are treated as numbers with the largest exponent.
static Term to_large_int(const struct floating *f, unsigned width, Term a) {
    struct terms *terms = f->terms;
    unsigned below = fp_precision(f->format) - 1, bits = fp_exponent_bits(f->format);
    uint64_t bias = ((uint64_t)1 << (bits - 1)) - 1;
    Term field = term_extract(terms, a, fp_fraction_bits(f->format), bits);
    Term fraction = term_extract(terms, a, 0, below), integer;
    if (fp_explicit(f->format)) {
        integer = term_extract(terms, a, below, 1);
        Term nan = is_nan(f, a), quiet_bit = term_extract(terms, bit_of(f, below - 1), 0, below);
        field = choose(f, nan, term_const(terms, bits, ~0ull), field);
        fraction = choose(f, nan, term_or(terms, fraction, quiet_bit), fraction);
    } else {
        integer = term_ne(terms, field, term_const(terms, bits, 0));
    }
    Term significand = term_zext(terms, term_concat(terms, integer, fraction), width);
    Term exponent = term_zext(terms, field, width), unit = term_const(terms, width, bias + below);
    Term left = term_shl(terms, significand, term_sub(terms, exponent, unit));
    Term right = term_lshr(terms, significand, term_sub(terms, unit, exponent));
    // Bits below the unit are shifted out.
    Term value = choose(f, term_ult(terms, unit, exponent), left, right);
    value = choose(f, negative(f, a), term_neg(terms, value), value);
    Term limit = choose(f, negative(f, a), extreme(f, true, false, width), extreme(f, true, true, width));
    return choose(f, term_ult(terms, exponent, term_const(terms, width, bias + width)), value, limit);
}

static Term to_int(const struct floating *f, bool is_signed, unsigned width, Term a, Term *valid) {
    struct terms *terms = f->terms;
    if (width > 128) {
        if (f->name != IR_F16) return to_large_int(f, width, a);
        Term small = to_int(f, is_signed, 32, a, valid);
        return is_signed ? term_sext(terms, small, width) : term_zext(terms, small, width);
    }
    if (width > 64) { // out of range the result is that of libgcc or of clang's expansion
        Term limit = power_of_two(f, width - is_signed), zero = term_const(terms, f->width, 0);
        Term low = is_signed ? term_fp_unary(terms, KIND_FP_NEG, f->format, FP_NEAREST_EVEN, limit) : zero;
        *valid = both(f, is_finite(f, a), both(f, less(f, a, limit), term_not(terms, less(f, a, low))));
        return truncated(f, is_signed, width, a);
    }
    if (is_small(f->name)) {
        struct floating single = floating_of(terms, IR_F32);
        return to_int(&single, is_signed, width, convert(terms, f->name, IR_F32, a), valid);
    }
    Term value;
    if (f->name == IR_F128)
        value = from_quad(f, is_signed, width, a);
    else if (!is_signed && width == 64)
        value = to_unsigned_64(f, a);
    else if (f->name == IR_F80 && (width < 16 || (width == 16 && is_signed)))
        value = truncated(f, true, 16, a);
    else // the instruction for the next wider signed integer
        value = truncated(f, true, width < 32 || (width == 32 && is_signed) ? 32 : 64, a);
    return term_extract(terms, value, 0, width);
}

// Converts from more than 128 bits, as expand_large in float_convert.c, which adds the exponent without checking
// whether it fits. So the number is made in a wider format, and its exponent is adjusted.
static Term from_large_int(const struct floating *f, bool is_signed, unsigned width, Term a) {
    struct terms *terms = f->terms;
    unsigned below = fp_precision(f->format) - 1, bits = fp_exponent_bits(f->format);
    fp_format roomy = FP_FORMAT(FP_MAX_EXPONENT, below + 1, 0);
    Term top = term_extract(terms, a, width - 1, 1);
    Term minus = is_signed ? top : term_false(terms), zero = term_const(terms, f->width, 0);
    Term magnitude = choose(f, minus, term_neg(terms, a), a);
    Term value = term_int_to_fp(terms, false, roomy, FP_NEAREST_EVEN, magnitude);
    uint64_t bias = ((uint64_t)1 << (bits - 1)) - 1, roomy_bias = ((uint64_t)1 << (FP_MAX_EXPONENT - 1)) - 1;
    Term exponent = term_extract(terms, value, below, FP_MAX_EXPONENT);
    exponent = term_sub(terms, exponent, term_const(terms, FP_MAX_EXPONENT, roomy_bias - bias));
    Term raw =
        term_concat(terms, term_extract(terms, exponent, 0, bits + 1), term_extract(terms, value, 0, below));
    Term sign = term_concat(terms, f->name == IR_F128 ? top : minus, term_const(terms, f->width - 1, 0));
    return choose(f, term_eq(terms, a, term_const(terms, width, 0)), zero, term_or(terms, raw, sign));
}

static Term from_int(struct terms *terms, bool is_signed, enum ir_float to, unsigned width, Term a) {
    enum ir_float between = is_small(to) ? IR_F32 : to;
    if (width > 128) {
        if (to == IR_F80) between = IR_F128;
        struct floating f = floating_of(terms, between);
        return convert(terms, between, to, from_large_int(&f, is_signed, width, a));
    }
    Term value = term_int_to_fp(terms, is_signed, format_of(between), FP_NEAREST_EVEN, a);
    return convert(terms, between, to, value);
}

Term vm_term_of_float(struct terms *terms, enum ir_fn fn, enum ir_float format, unsigned extra, Term a,
                      Term b, Term c, Term *valid) {
    struct floating f = floating_of(terms, format);
    assert(term_width(terms, a) == (fn == IR_FN_FFROM_SINT || fn == IR_FN_FFROM_UINT ? extra : f.width));
    *valid = term_true(terms);
    switch (fn) {
    case IR_FN_FNEG:
    case IR_FN_FABS:
    case IR_FN_FCOPYSIGN: return change_sign(&f, fn, a, b);
    case IR_FN_FFLOOR:
    case IR_FN_FCEIL:
    case IR_FN_FTRUNC:
    case IR_FN_FRINT:
    case IR_FN_FNEARBYINT:
    case IR_FN_FROUND:
    case IR_FN_FROUNDEVEN: return to_integral(&f, fn, a);
    case IR_FN_FLDEXP: return load_exponent(&f, extra, a, b);
    case IR_FN_FCMP: return compare(&f, extra, a, b);
    case IR_FN_FIS_CLASS: return is_class(&f, extra, a);
    case IR_FN_FCONVERT: return convert(terms, format, (enum ir_float)extra, a);
    case IR_FN_FTO_SINT: return to_int(&f, true, extra, a, valid);
    case IR_FN_FTO_UINT: return to_int(&f, false, extra, a, valid);
    case IR_FN_FTO_SINT_SAT:
    case IR_FN_FTO_UINT_SAT:
        return saturated(&f, fn == IR_FN_FTO_SINT_SAT, extra, a, term_const(terms, extra, 0));
    case IR_FN_FFROM_SINT: return from_int(terms, true, format, extra, a);
    case IR_FN_FFROM_UINT: return from_int(terms, false, format, extra, a);
    default: return is_small(format) ? calculate_small(&f, fn, a, b, c) : calculate(&f, fn, a, b, c);
    }
}
