#include "blast/float.h"

#include "blast/circuits.h"
#include "blast/float_int.h"

#include <string.h>

int64_t circuit_float_bias(fp_format f) { return ((int64_t)1 << (fp_exponent_bits(f) - 1)) - 1; }

// Bits of an unpacked exponent, wide enough for normalised subnormal numbers.
static unsigned circuit_float_exponent_width(fp_format f) {
    unsigned width = fp_exponent_bits(f) + 1;
    while ((int64_t)1 << (width - 1) <= circuit_float_bias(f) + (int64_t)fp_precision(f) + 2) width++;
    return width;
}

// ---- Patterns

struct unpacked_number circuit_float_unpack(struct words *words, fp_format f, struct word pattern,
                                            bool normalise) {
    struct gates *gates = words->gates;
    unsigned precision = fp_precision(f), bits = fp_exponent_bits(f), width = circuit_float_exponent_width(f);
    struct word fraction = word_slice(pattern, 0, fp_fraction_bits(f));
    struct word field = word_slice(pattern, fp_fraction_bits(f), bits);
    gate top = word_all(words, field), tiny = gate_not(word_any(words, field));
    gate integer = fp_explicit(f) ? word_top(fraction) : gate_not(tiny);
    struct word below = word_slice(fraction, 0, precision - 1);
    gate any_below = word_any(words, below);
    struct unpacked_number x = {.pattern = pattern, .sign = word_top(pattern), .invalid = GATE_FALSE};
    if (fp_explicit(f)) x.invalid = gate_and(gates, gate_not(integer), gate_not(tiny));
    x.nan = gate_or(gates, gate_and(gates, top, any_below), x.invalid);
    x.inf = gate_and(gates, gate_and(gates, top, gate_not(any_below)), gate_not(x.invalid));
    x.zero = gate_and(gates, tiny, gate_not(any_below));
    if (fp_explicit(f)) x.zero = gate_and(gates, x.zero, gate_not(integer));
    x.significand = word_concat(words, word_bit(words, integer), below);
    // Subnormal numbers have the exponent of the least normal ones.
    gate low = gate_or(gates, field.at[0], tiny);
    struct word adjusted = word_concat(words, word_slice(field, 1, bits - 1), word_bit(words, low));
    x.exponent = word_sub(words, word_zext(words, adjusted, width),
                          word_const(words, width, (uint64_t)circuit_float_bias(f)));
    if (!normalise) return x;
    struct word amount;
    x.significand = word_normalise(words, x.significand, NULL, &amount);
    x.exponent = word_sub(words, x.exponent, word_zext(words, amount, width));
    return x;
}

struct word circuit_float_inf(struct words *words, fp_format f, gate sign) {
    struct word head = word_concat(words, word_bit(words, sign), word_ones(words, fp_exponent_bits(f)));
    if (fp_explicit(f)) head = word_concat(words, head, word_ones(words, 1));
    return word_pad(words, head, fp_precision(f) - 1);
}

struct word circuit_float_zero(struct words *words, fp_format f, gate sign) {
    return word_pad(words, word_bit(words, sign), fp_width(f) - 1);
}

static struct word make_quiet(struct words *words, fp_format f, struct word pattern) {
    unsigned bit = fp_precision(f) - 2;
    struct word high = word_slice(pattern, bit + 1, pattern.width - bit - 1);
    return word_concat(words, high, word_concat(words, word_ones(words, 1), word_slice(pattern, 0, bit)));
}

struct word circuit_float_default_nan(struct words *words, fp_format f) {
    return make_quiet(words, f, circuit_float_inf(words, f, GATE_TRUE));
}

// Which of two NaNs is the result: SSE takes the first; the x87 a quiet one, else the greater significand, else the
// positive one.
static gate second_wins(struct words *words, fp_format f, struct word a, struct word b) {
    if (!fp_explicit(f)) return GATE_FALSE;
    struct gates *gates = words->gates;
    unsigned precision = fp_precision(f);
    gate quiet_a = a.at[precision - 2], quiet_b = b.at[precision - 2];
    struct word x = word_slice(a, 0, precision), y = word_slice(b, 0, precision);
    gate positive = gate_and(gates, word_top(a), gate_not(word_top(b)));
    gate greater = gate_mux(gates, word_equal(words, x, y), positive, word_less(words, x, y));
    return gate_mux(gates, gate_xor(gates, quiet_a, quiet_b), quiet_b, greater);
}

struct word circuit_float_nan_of(struct words *words, fp_format f, const struct unpacked_number *operands,
                                 unsigned count) {
    struct gates *gates = words->gates;
    struct word chosen = operands[0].pattern;
    gate have = operands[0].nan, invalid = operands[0].invalid;
    for (unsigned i = 1; i < count; i++) {
        struct word other = operands[i].pattern;
        gate take = gate_or(gates, gate_not(have), second_wins(words, f, chosen, other));
        chosen = word_mux(words, gate_and(gates, operands[i].nan, take), other, chosen);
        have = gate_or(gates, have, operands[i].nan);
        invalid = gate_or(gates, invalid, operands[i].invalid);
    }
    have = gate_and(gates, have, gate_not(invalid));
    return word_mux(words, have, make_quiet(words, f, chosen), circuit_float_default_nan(words, f));
}

// ---- Rounding

gate circuit_float_rounds_up(struct words *words, const struct rounding_job *job, gate odd, gate half,
                             gate rest) {
    struct gates *gates = words->gates;
    gate inexact = gate_or(gates, half, rest);
    switch (job->rounding) {
    case FP_NEAREST_EVEN: return gate_and(gates, half, gate_or(gates, rest, odd));
    case FP_NEAREST_AWAY: return half;
    case FP_UPWARD: return gate_and(gates, inexact, gate_not(job->sign));
    case FP_DOWNWARD: return gate_and(gates, inexact, job->sign);
    default: return GATE_FALSE;
    }
}

// Whether the result of an overflow is the largest number, not infinity.
static gate overflow_is_finite(const struct rounding_job *job) {
    switch (job->rounding) {
    case FP_UPWARD: return job->sign;
    case FP_DOWNWARD: return gate_not(job->sign);
    case FP_TOWARD_ZERO: return GATE_TRUE;
    default: return GATE_FALSE;
    }
}

static struct word assemble(struct words *words, fp_format f, gate sign, struct word field,
                            struct word fraction) {
    if (fp_explicit(f)) fraction = word_concat(words, word_bit(words, word_any(words, field)), fraction);
    return word_concat(words, word_bit(words, sign), word_concat(words, field, fraction));
}

// Rounds when the biased exponent is known (not negative; 0: subnormal, the top bit is clear).
static struct word circuit_float_round_field(struct words *words, const struct rounding_job *job,
                                             struct word biased, struct word significand) {
    struct gates *gates = words->gates;
    fp_format f = job->format;
    unsigned precision = fp_precision(f), bits = fp_exponent_bits(f), cut = significand.width - precision;
    assert(significand.width >= precision + 2 && biased.width >= bits);
    struct word fraction = word_slice(significand, cut, precision - 1);
    gate half = significand.at[cut - 1], rest = word_any(words, word_slice(significand, 0, cut - 1));
    gate up = circuit_float_rounds_up(words, job, fraction.at[0], half, rest);
    struct word field = word_slice(biased, 0, bits);
    struct word rounded = word_add_bit(words, word_concat(words, field, fraction), up);
    struct word result = assemble(words, f, job->sign, word_slice(rounded, precision - 1, bits),
                                  word_slice(rounded, 0, precision - 1));
    gate overflow = gate_or(gates, word_all(words, field),
                            word_any(words, word_slice(biased, bits, biased.width - bits)));
    struct word largest =
        assemble(words, f, job->sign, word_concat(words, word_ones(words, bits - 1), word_const(words, 1, 0)),
                 word_ones(words, precision - 1));
    struct word beyond =
        word_mux(words, overflow_is_finite(job), largest, circuit_float_inf(words, f, job->sign));
    return word_mux(words, overflow, beyond, result);
}

struct word circuit_float_round_number(struct words *words, const struct rounding_job *job,
                                       struct word exponent, struct word significand) {
    fp_format f = job->format;
    unsigned width = MAX(exponent.width, fp_exponent_bits(f) + 1) + 2; // wide enough that no sum overflows
    assert(width <= 64);
    exponent = word_sext(words, exponent, width);
    struct word biased = word_add(words, exponent, word_const(words, width, (uint64_t)circuit_float_bias(f)));
    if (!job->normal) {
        struct word least = word_const(words, width, (uint64_t)(1 - circuit_float_bias(f)));
        gate subnormal = word_less_signed(words, exponent, least);
        struct word amount = word_and_bit(words, word_sub(words, least, exponent), subnormal);
        significand = word_shift_right_sticky(words, significand, amount);
        biased = word_and_bit(words, biased, gate_not(subnormal));
    }
    return circuit_float_round_field(words, job, biased, significand);
}

// ---- Arithmetic

static struct word select_special(struct words *words, fp_format f, const struct unpacked_number *operands,
                                  unsigned count, gate invalid, gate inf, gate sign, struct word finite) {
    struct gates *gates = words->gates;
    gate nan = invalid;
    for (unsigned i = 0; i < count; i++) nan = gate_or(gates, nan, operands[i].nan);
    struct word result = word_mux(words, inf, circuit_float_inf(words, f, sign), finite);
    return word_mux(words, nan, circuit_float_nan_of(words, f, operands, count), result);
}

// An unsigned number that orders like the magnitude: the signed exponent with its top bit flipped, then the
// significand.
static struct word rank_of(struct words *words, const struct unpacked_number *x) {
    struct word low = word_slice(x->exponent, 0, x->exponent.width - 1);
    struct word exponent = word_concat(words, word_bit(words, gate_not(word_top(x->exponent))), low);
    return word_concat(words, exponent, x->significand);
}

// The operand of greater magnitude, plus or minus the other one aligned to it.
struct aligned {
    gate sign, subtracts;
    struct word exponent; // exponent of the greater operand
    struct word sum;      // significands of n bits give a sum of n + 4: a carry, n bits, three bits below
};

static struct aligned add_aligned(struct words *words, const struct unpacked_number *a,
                                  const struct unpacked_number *b) {
    struct gates *gates = words->gates;
    unsigned n = a->significand.width, width = a->exponent.width;
    gate swap = word_less(words, rank_of(words, a), rank_of(words, b));
    struct word great = word_mux(words, swap, b->significand, a->significand);
    struct word small = word_mux(words, swap, a->significand, b->significand);
    struct word exponent = word_mux(words, swap, b->exponent, a->exponent);
    struct word other = word_mux(words, swap, a->exponent, b->exponent);
    struct word distance =
        word_sub(words, word_sext(words, exponent, width + 1), word_sext(words, other, width + 1));
    small = word_shift_right_sticky(words, word_pad(words, small, 3), distance);
    struct aligned result = {.sign = gate_mux(gates, swap, b->sign, a->sign),
                             .subtracts = gate_xor(gates, a->sign, b->sign),
                             .exponent = exponent};
    struct word x = word_zext(words, word_pad(words, great, 3), n + 4), y = word_zext(words, small, n + 4);
    gate *flipped = ARENA_ARRAY(words->arena, gate, n + 4), *sum = ARENA_ARRAY(words->arena, gate, n + 4);
    for (unsigned i = 0; i < n + 4; i++) flipped[i] = gate_xor(gates, y.at[i], result.subtracts);
    circuit_add(gates, sum, x.at, flipped, result.subtracts, n + 4);
    result.sum = (struct word){sum, n + 4};
    return result;
}

static gate sign_of_zero(struct words *words, const struct rounding_job *job, gate subtracts, gate sign) {
    return gate_mux(words->gates, subtracts, job->rounding == FP_DOWNWARD, sign);
}

static struct word fp_add(struct words *words, fp_format f, enum fp_rounding rounding, struct word x,
                          struct word y, bool subtract) {
    struct gates *gates = words->gates;
    struct unpacked_number a = circuit_float_unpack(words, f, x, false),
                           b = circuit_float_unpack(words, f, y, false);
    struct unpacked_number operands[2] = {a, b};
    if (subtract) b.sign = gate_not(b.sign);
    struct aligned aligned = add_aligned(words, &a, &b);
    // The biased exponent, to which one is added if the sum has its top bit set. A subnormal sum is exact, so it is
    // shifted only down to the least exponent.
    unsigned width = aligned.exponent.width;
    struct word biased =
        word_add(words, aligned.exponent, word_const(words, width, (uint64_t)circuit_float_bias(f)));
    struct word amount;
    gate zero = gate_not(word_any(words, aligned.sum));
    struct word sum = word_normalise(words, aligned.sum, &biased, &amount);
    biased = word_sub(words, word_add_bit(words, biased, GATE_TRUE), word_zext(words, amount, width));
    biased = word_and_bit(words, biased, word_top(sum));
    struct rounding_job job = {.format = f, .rounding = rounding, .sign = aligned.sign};
    job.sign =
        gate_mux(gates, zero, sign_of_zero(words, &job, aligned.subtracts, aligned.sign), aligned.sign);
    struct word finite = circuit_float_round_field(words, &job, biased, sum);
    gate inf = gate_or(gates, a.inf, b.inf);
    gate invalid = gate_and(gates, gate_and(gates, a.inf, b.inf), aligned.subtracts);
    gate inf_sign = gate_mux(gates, a.inf, a.sign, b.sign);
    return select_special(words, f, operands, 2, invalid, inf, inf_sign, finite);
}

// The exact product of normalised significands, normalised again: twice the bits.
static struct word multiply(struct words *words, const struct unpacked_number *a,
                            const struct unpacked_number *b, struct word *exponent) {
    unsigned precision = a->significand.width, n = 2 * precision, width = a->exponent.width + 2;
    struct word x = word_zext(words, a->significand, n), y = word_zext(words, b->significand, n);
    gate *product = ARENA_ARRAY(words->arena, gate, n);
    circuit_multiply(words->gates, product, x.at, y.at, n);
    struct word exact = {product, n};
    gate carry = word_top(exact);
    *exponent = word_add_bit(
        words, word_add(words, word_sext(words, a->exponent, width), word_sext(words, b->exponent, width)),
        carry);
    return word_mux(words, carry, exact, word_slice(word_pad(words, exact, 1), 0, n));
}

static struct word fp_mul(struct words *words, fp_format f, enum fp_rounding rounding, struct word x,
                          struct word y) {
    struct gates *gates = words->gates;
    struct unpacked_number operands[2] = {circuit_float_unpack(words, f, x, true),
                                          circuit_float_unpack(words, f, y, true)};
    const struct unpacked_number *a = &operands[0], *b = &operands[1];
    struct rounding_job job = {.format = f, .rounding = rounding, .sign = gate_xor(gates, a->sign, b->sign)};
    struct word exponent, product = multiply(words, a, b, &exponent);
    struct word finite = circuit_float_round_number(words, &job, exponent, product);
    gate inf = gate_or(gates, a->inf, b->inf), zero = gate_or(gates, a->zero, b->zero);
    finite = word_mux(words, zero, circuit_float_zero(words, f, job.sign), finite);
    return select_special(words, f, operands, 2, gate_and(gates, inf, zero), inf, job.sign, finite);
}

static struct word fp_div(struct words *words, fp_format f, enum fp_rounding rounding, struct word x,
                          struct word y) {
    struct gates *gates = words->gates;
    struct unpacked_number operands[2] = {circuit_float_unpack(words, f, x, true),
                                          circuit_float_unpack(words, f, y, true)};
    const struct unpacked_number *a = &operands[0], *b = &operands[1];
    unsigned precision = fp_precision(f), steps = precision + 2, width = a->exponent.width + 2;
    gate *quotient = ARENA_ARRAY(words->arena, gate, steps + 1);
    struct word rest = word_zext(words, a->significand, precision + 1);
    struct word divisor = word_zext(words, b->significand, precision + 1);
    for (unsigned i = steps; i > 0; i--) {
        gate fits = gate_not(word_less(words, rest, divisor));
        quotient[i] = fits;
        rest = word_mux(words, fits, word_sub(words, rest, divisor), rest);
        rest = word_slice(word_pad(words, rest, 1), 0, precision + 1); // below the divisor: no bit is lost
    }
    quotient[0] = word_any(words, rest);
    struct word exact = {quotient, steps + 1};
    gate whole = word_top(exact);
    struct word significand =
        word_mux(words, whole, exact, word_slice(word_pad(words, exact, 1), 0, steps + 1));
    struct word exponent =
        word_sub(words, word_sext(words, a->exponent, width), word_sext(words, b->exponent, width));
    exponent = word_mux(words, whole, exponent, word_sub(words, exponent, word_const(words, width, 1)));
    struct rounding_job job = {.format = f, .rounding = rounding, .sign = gate_xor(gates, a->sign, b->sign)};
    struct word finite = circuit_float_round_number(words, &job, exponent, significand);
    gate zero = gate_or(gates, a->zero, b->inf), inf = gate_or(gates, a->inf, b->zero);
    gate invalid = gate_or(gates, gate_and(gates, a->zero, b->zero), gate_and(gates, a->inf, b->inf));
    finite = word_mux(words, zero, circuit_float_zero(words, f, job.sign), finite);
    return select_special(words, f, operands, 2, invalid, inf, job.sign, finite);
}

// Square root digit by digit: each step takes two bits of the radicand and gives one bit of the root.
static struct word fp_sqrt(struct words *words, fp_format f, enum fp_rounding rounding, struct word x) {
    struct gates *gates = words->gates;
    struct unpacked_number a = circuit_float_unpack(words, f, x, true);
    unsigned precision = fp_precision(f), n = precision + 2, width = a.exponent.width;
    gate odd = a.exponent.at[0];
    struct word even = word_zext(words, a.significand, precision + 1);
    struct word radicand = word_mux(words, odd, word_pad(words, a.significand, 1), even);
    radicand = word_pad(words, radicand, 2 * n - (precision + 1));
    struct word rest = word_const(words, n + 2, 0), root = word_const(words, n + 2, 0);
    for (unsigned i = n; i-- > 0;) {
        rest = word_concat(words, word_slice(rest, 0, n), word_slice(radicand, 2 * i, 2));
        struct word trial = word_concat(words, word_slice(root, 0, n), word_const(words, 2, 1));
        gate fits = gate_not(word_less(words, rest, trial));
        rest = word_mux(words, fits, word_sub(words, rest, trial), rest);
        root = word_concat(words, word_slice(root, 0, n + 1), word_bit(words, fits));
    }
    struct word significand =
        word_concat(words, word_slice(root, 0, n), word_bit(words, word_any(words, rest)));
    struct word exponent =
        word_sext(words, word_slice(a.exponent, 1, width - 1), width); // halved, rounded down
    struct rounding_job job = {.format = f, .rounding = rounding, .sign = GATE_FALSE};
    struct word finite = circuit_float_round_number(words, &job, exponent, significand);
    finite = word_mux(words, a.zero, circuit_float_zero(words, f, a.sign), finite);
    gate invalid = gate_and(gates, a.sign, gate_not(a.zero));
    return select_special(words, f, &a, 1, invalid, a.inf, GATE_FALSE, finite);
}

static struct word fp_fma(struct words *words, fp_format f, enum fp_rounding rounding, struct word x,
                          struct word y, struct word z) {
    struct gates *gates = words->gates;
    struct unpacked_number operands[3] = {circuit_float_unpack(words, f, x, true),
                                          circuit_float_unpack(words, f, y, true),
                                          circuit_float_unpack(words, f, z, true)};
    const struct unpacked_number *a = &operands[0], *b = &operands[1], *c = &operands[2];
    unsigned precision = fp_precision(f);
    struct unpacked_number product = {.sign = gate_xor(gates, a->sign, b->sign),
                                      .inf = gate_or(gates, a->inf, b->inf),
                                      .zero = gate_or(gates, a->zero, b->zero)};
    product.significand = multiply(words, a, b, &product.exponent);
    struct unpacked_number addend = *c;
    unsigned width = product.exponent.width;
    addend.significand = word_pad(words, c->significand, precision);
    addend.exponent = word_sext(words, c->exponent, width);
    // Zeros get the least exponent, below all others.
    struct word lowest = word_const(words, width, (uint64_t)1 << (width - 1));
    struct unpacked_number *parts[2] = {&product, &addend};
    for (unsigned i = 0; i < 2; i++) {
        parts[i]->significand = word_and_bit(words, parts[i]->significand, gate_not(parts[i]->zero));
        parts[i]->exponent = word_mux(words, parts[i]->zero, lowest, parts[i]->exponent);
    }
    struct aligned aligned = add_aligned(words, &product, &addend);
    struct word amount, sum = word_normalise(words, aligned.sum, NULL, &amount);
    unsigned wide = MAX(width, amount.width) + 2;
    struct word exponent = word_add_bit(words, word_sext(words, aligned.exponent, wide), GATE_TRUE);
    exponent = word_sub(words, exponent, word_zext(words, amount, wide));
    struct rounding_job job = {.format = f, .rounding = rounding, .sign = aligned.sign};
    struct word finite = circuit_float_round_number(words, &job, exponent, sum);
    gate zero = gate_not(word_top(sum));
    gate zero_sign = sign_of_zero(words, &job, aligned.subtracts, aligned.sign);
    finite = word_mux(words, zero, circuit_float_zero(words, f, zero_sign), finite);
    gate invalid = gate_and(gates, product.inf, product.zero);
    gate clash = gate_and(gates, gate_and(gates, product.inf, c->inf), aligned.subtracts);
    gate sign = gate_mux(gates, product.inf, product.sign, c->sign);
    return select_special(words, f, operands, 3, gate_or(gates, invalid, clash),
                          gate_or(gates, product.inf, c->inf), sign, finite);
}

// ---- Comparison

// Whether a < b; neither is a NaN. Infinities have the greatest exponent and need no special case.
static gate circuit_float_less(struct words *words, const struct unpacked_number *a,
                               const struct unpacked_number *b) {
    struct gates *gates = words->gates;
    struct word p = rank_of(words, a), q = rank_of(words, b);
    gate below = word_less(words, p, q), above = word_less(words, q, p);
    gate same = gate_mux(gates, a->sign, above, below); // result for equal signs
    gate differ = gate_and(gates, a->sign, gate_not(gate_and(gates, a->zero, b->zero)));
    return gate_mux(gates, gate_xor(gates, a->sign, b->sign), differ, same);
}

static gate fp_compare(struct words *words, enum kind kind, const struct unpacked_number *a,
                       const struct unpacked_number *b) {
    struct gates *gates = words->gates;
    gate ordered = gate_and(gates, gate_not(a->nan), gate_not(b->nan)), holds;
    if (kind == KIND_FP_LT)
        holds = circuit_float_less(words, a, b);
    else if (kind == KIND_FP_LE)
        holds = gate_not(circuit_float_less(words, b, a));
    else {
        gate same = gate_and(gates, word_equal(words, rank_of(words, a), rank_of(words, b)),
                             gate_equal(gates, a->sign, b->sign));
        holds = gate_or(gates, same, gate_and(gates, a->zero, b->zero));
    }
    return gate_and(gates, ordered, holds);
}

// The operand that C's fmin or fmax returns, bit for bit.
static struct word fp_choose(struct words *words, enum kind kind, const struct unpacked_number *a,
                             const struct unpacked_number *b) {
    struct gates *gates = words->gates;
    gate minimum = kind == KIND_FP_MIN;
    gate first = gate_equal(gates, circuit_float_less(words, a, b), minimum);
    first = gate_mux(gates, gate_xor(gates, a->sign, b->sign), gate_equal(gates, a->sign, minimum), first);
    first = gate_or(gates, first, b->nan);
    first = gate_and(gates, first, gate_not(a->nan));
    return word_mux(words, first, a->pattern, b->pattern);
}

// ---- The table

uint64_t float_cells(struct shape shape, unsigned operand_width) {
    fp_format f = shape.format ? shape.format : shape.source;
    uint64_t precision = fp_precision(f), bits = fp_exponent_bits(f);
    switch (shape.kind) {
    case KIND_FP_REM:
    case KIND_FP_MOD: return 32 * ((uint64_t)1 << bits) * precision;
    case KIND_FP_TO_SINT:
    case KIND_FP_TO_UINT: return 16 * (precision + shape.width);
    case KIND_SINT_TO_FP:
    case KIND_UINT_TO_FP: return 16 * (precision + operand_width);
    default: return 8 * precision * precision;
    }
}

static struct word apply(struct words *words, struct shape shape, const struct word *args) {
    fp_format f = shape.format;
    enum kind kind = (enum kind)shape.kind;
    enum fp_rounding rounding = (enum fp_rounding)shape.rounding;
    switch (kind) {
    case KIND_FP_ADD:
    case KIND_FP_SUB: return fp_add(words, f, rounding, args[0], args[1], kind == KIND_FP_SUB);
    case KIND_FP_MUL: return fp_mul(words, f, rounding, args[0], args[1]);
    case KIND_FP_DIV: return fp_div(words, f, rounding, args[0], args[1]);
    case KIND_FP_FMA: return fp_fma(words, f, rounding, args[0], args[1], args[2]);
    case KIND_FP_SQRT: return fp_sqrt(words, f, rounding, args[0]);
    case KIND_FP_REM:
    case KIND_FP_MOD: return circuit_float_remainder(words, f, kind == KIND_FP_REM, args[0], args[1]);
    case KIND_FP_ROUND: return circuit_float_to_integral(words, f, rounding, args[0]);
    case KIND_FP_TO_FP: return circuit_float_to_float(words, shape.source, f, rounding, args[0]);
    case KIND_FP_TO_SINT:
    case KIND_FP_TO_UINT:
        return circuit_float_to_int(words, shape.source, rounding, kind == KIND_FP_TO_SINT, shape.width,
                                    args[0]);
    case KIND_SINT_TO_FP:
    case KIND_UINT_TO_FP: return circuit_float_from_int(words, f, rounding, kind == KIND_SINT_TO_FP, args[0]);
    default: break;
    }
    struct unpacked_number a = circuit_float_unpack(words, f, args[0], false),
                           b = circuit_float_unpack(words, f, args[1], false);
    if (kind == KIND_FP_MIN || kind == KIND_FP_MAX) return fp_choose(words, kind, &a, &b);
    return word_bit(words, fp_compare(words, kind, &a, &b));
}

void float_circuit(struct gates *gates, struct shape shape, unsigned operand_width, const gate *const *args,
                   gate *out) {
    struct words words = {gates, arena_new()};
    struct word operands[3] = {{0}};
    for (unsigned i = 0; i < kind_infos[shape.kind].arity; i++)
        operands[i] = (struct word){args[i], operand_width};
    struct word result = apply(&words, shape, operands);
    assert(result.width == shape.width);
    memcpy(out, result.at, shape.width * sizeof *out);
    arena_free(words.arena);
}
