// Floating-point circuits that change the format or round to integers: conversions, integral values, remainders.
#include "blast/float_int.h"

static struct word number_const(struct words *words, unsigned width, int64_t value) {
    assert(width <= 64);
    return word_const(words, width, (uint64_t)value);
}

struct word circuit_float_to_integral(struct words *words, fp_format f, enum fp_rounding rounding,
                                      struct word pattern) {
    struct gates *gates = words->gates;
    struct unpacked_number x = circuit_float_unpack(words, f, pattern, false);
    unsigned precision = fp_precision(f), bits = fp_exponent_bits(f), width = x.exponent.width;
    gate below_one = gate_or(gates, word_top(x.exponent), gate_not(word_top(x.significand)));
    gate whole = word_less_signed(words, number_const(words, width, (int64_t)precision - 2), x.exponent);
    // Splits into the integer, the bit of a half, and a sticky bit below.
    struct word amount = word_sub(words, number_const(words, width, (int64_t)precision - 1), x.exponent);
    amount = word_and_bit(words, amount, gate_not(whole));
    struct word shifted = word_shift_right_sticky(words, word_pad(words, x.significand, 2), amount);
    struct word integer = word_slice(shifted, 2, precision);
    struct rounding_job job = {.format = f, .rounding = rounding, .sign = x.sign};
    gate up = circuit_float_rounds_up(words, &job, integer.at[0], shifted.at[1], shifted.at[0]);
    struct word rounded = word_add_bit(words, word_zext(words, integer, precision + 1), up);
    // Shifts back; a carry out gives the next power of two.
    struct word back = word_shift_left(words, rounded, amount);
    struct word field = word_slice(pattern, fp_fraction_bits(f), bits);
    field = word_add_bit(words, field, word_top(back));
    struct word one =
        word_and_bit(words, word_const(words, bits, (uint64_t)circuit_float_bias(f)), rounded.at[0]);
    field = word_mux(words, below_one, one, field);
    struct word fraction = word_and_bit(words, word_slice(back, 0, precision - 1), gate_not(below_one));
    if (fp_explicit(f)) fraction = word_concat(words, word_bit(words, word_any(words, field)), fraction);
    struct word value = word_concat(words, word_bit(words, x.sign), word_concat(words, field, fraction));
    value = word_mux(words, gate_or(gates, whole, x.inf), pattern, value);
    return word_mux(words, x.nan, circuit_float_nan_of(words, f, &x, 1), value);
}

// ---- Integers

struct word circuit_float_to_int(struct words *words, fp_format f, enum fp_rounding rounding, bool is_signed,
                                 unsigned width, struct word pattern) {
    struct gates *gates = words->gates;
    struct unpacked_number x = circuit_float_unpack(words, f, pattern, false);
    unsigned precision = fp_precision(f), exponent_width = x.exponent.width + 1, amount_bits = 1;
    while (((uint64_t)1 << amount_bits) <= width + 1) amount_bits++;
    exponent_width = MAX(exponent_width, amount_bits + 2);
    struct word exponent = word_sext(words, x.exponent, exponent_width);
    // Fixed point with `precision` fraction bits. The amount is 0 for exponent -1: numbers from a half to below 1.
    struct word amount = word_add_bit(words, exponent, GATE_TRUE);
    gate small = word_top(amount);
    gate large = word_less_signed(words, number_const(words, exponent_width, width), exponent);
    struct word fixed = word_zext(words, x.significand, precision + width + 1);
    fixed = word_shift_left(words, fixed, word_slice(amount, 0, amount_bits));
    fixed = word_and_bit(words, fixed, gate_not(small));
    struct word integer = word_slice(fixed, precision, width + 1);
    gate rest = word_any(words, word_slice(fixed, 0, precision - 1));
    rest = gate_or(gates, rest, gate_and(gates, small, gate_not(x.zero)));
    struct rounding_job job = {.format = f, .rounding = rounding, .sign = x.sign};
    gate up = circuit_float_rounds_up(words, &job, integer.at[0], fixed.at[precision - 1], rest);
    struct word rounded = word_add_bit(words, word_zext(words, integer, width + 2), up);
    // Whether the result fits.
    gate any = word_any(words, rounded), top = rounded.at[width - 1];
    gate beyond = word_any(words, word_slice(rounded, width, 2));
    gate least = gate_and(gates, x.sign, gate_not(word_any(words, word_slice(rounded, 0, width - 1))));
    gate misfit = is_signed ? gate_and(gates, top, gate_not(least)) : gate_and(gates, x.sign, any);
    gate bad =
        gate_or(gates, gate_or(gates, beyond, misfit), gate_or(gates, large, gate_or(gates, x.nan, x.inf)));
    struct word value = word_slice(rounded, 0, width);
    if (is_signed) value = word_mux(words, x.sign, word_neg(words, value), value);
    struct word other = is_signed ? word_pad(words, word_ones(words, 1), width - 1) : word_ones(words, width);
    return word_mux(words, bad, other, value);
}

struct word circuit_float_from_int(struct words *words, fp_format f, enum fp_rounding rounding,
                                   bool is_signed, struct word value) {
    unsigned width = value.width, n = MAX(width, fp_precision(f) + 2);
    gate sign = is_signed ? word_top(value) : GATE_FALSE;
    struct word magnitude = word_mux(words, sign, word_neg(words, value), value), amount;
    gate zero = gate_not(word_any(words, value));
    struct word significand = word_normalise(words, word_pad(words, magnitude, n - width), NULL, &amount);
    unsigned exponent_width = MAX(amount.width, fp_exponent_bits(f)) + 2;
    struct word exponent = word_sub(words, number_const(words, exponent_width, (int64_t)width - 1),
                                    word_zext(words, amount, exponent_width));
    struct rounding_job job = {.format = f, .rounding = rounding, .sign = sign, .normal = true};
    struct word result = circuit_float_round_number(words, &job, exponent, significand);
    return word_mux(words, zero, circuit_float_zero(words, f, GATE_FALSE), result);
}

// ---- Formats

// Converts a NaN: the payload keeps its high bits, and the result is quiet.
static struct word convert_nan(struct words *words, fp_format from, fp_format to,
                               const struct unpacked_number *x) {
    unsigned source = fp_precision(from) - 1, target = fp_precision(to) - 1;
    struct word payload = word_slice(x->pattern, 0, source);
    payload = target >= source ? word_pad(words, payload, target - source)
                               : word_slice(payload, source - target, target);
    struct word pattern = word_concat(words, word_ones(words, 1), word_slice(payload, 0, target - 1));
    struct word head = word_slice(circuit_float_inf(words, to, x->sign), target, fp_width(to) - target);
    pattern = word_concat(words, head, pattern);
    return word_mux(words, x->invalid, circuit_float_default_nan(words, to), pattern);
}

struct word circuit_float_to_float(struct words *words, fp_format from, fp_format to,
                                   enum fp_rounding rounding, struct word pattern) {
    struct unpacked_number x = circuit_float_unpack(words, from, pattern, true);
    unsigned precision = fp_precision(from), wanted = fp_precision(to) + 2;
    struct word significand = x.significand;
    if (precision < wanted) significand = word_pad(words, significand, wanted - precision);
    struct rounding_job job = {.format = to, .rounding = rounding, .sign = x.sign};
    int64_t least = 1 - circuit_float_bias(from) - (int64_t)(precision - 1);
    job.normal = least >= 1 - circuit_float_bias(to);
    struct word value = circuit_float_round_number(words, &job, x.exponent, significand);
    value = word_mux(words, x.zero, circuit_float_zero(words, to, x.sign), value);
    value = word_mux(words, x.inf, circuit_float_inf(words, to, x.sign), value);
    return word_mux(words, x.nan, convert_nan(words, from, to, &x), value);
}

// ---- Remainders

// Long division, with a step for each possible difference of the exponents; steps above the actual one do nothing.
static struct word divide_out(struct words *words, fp_format f, const struct unpacked_number *a,
                              const struct unpacked_number *b, struct word difference, gate *odd) {
    struct gates *gates = words->gates;
    unsigned precision = fp_precision(f);
    int64_t most = 2 * circuit_float_bias(f) + (int64_t)precision;
    struct word rest = word_zext(words, a->significand, precision + 1);
    struct word divisor = word_zext(words, b->significand, precision + 1);
    *odd = GATE_FALSE;
    for (int64_t step = most; step >= 0; step--) {
        gate active =
            gate_not(word_less_signed(words, difference, number_const(words, difference.width, step)));
        gate fits = gate_not(word_less(words, rest, divisor));
        struct word next = word_mux(words, fits, word_sub(words, rest, divisor), rest);
        if (step > 0) next = word_slice(word_pad(words, next, 1), 0, precision + 1);
        rest = word_mux(words, active, next, rest);
        *odd = gate_mux(gates, active, fits, *odd);
    }
    return rest;
}

struct word circuit_float_remainder(struct words *words, fp_format f, bool nearest, struct word first,
                                    struct word second) {
    struct gates *gates = words->gates;
    struct unpacked_number operands[2] = {circuit_float_unpack(words, f, first, true),
                                          circuit_float_unpack(words, f, second, true)};
    const struct unpacked_number *a = &operands[0], *b = &operands[1];
    unsigned precision = fp_precision(f), width = a->exponent.width + 2;
    struct word difference =
        word_sub(words, word_sext(words, a->exponent, width), word_sext(words, b->exponent, width));
    gate odd, below = word_top(difference), sign = a->sign, keep = below;
    struct word rest = divide_out(words, f, a, b, difference, &odd);
    struct word divisor = word_zext(words, b->significand, precision + 2);
    rest = word_zext(words, rest, precision + 2);
    struct word exponent = word_sext(words, b->exponent, width);
    if (nearest) {
        // If the dividend's exponent is one below the divisor's, the dividend may exceed half the divisor: the
        // remainder so far is the dividend itself.
        gate next = word_all(words, difference);
        rest = word_mux(words, next, word_zext(words, a->significand, precision + 2), rest);
        divisor = word_mux(words, next, word_pad(words, word_slice(divisor, 0, precision + 1), 1), divisor);
        struct word less = word_sub(words, exponent, word_const(words, width, 1));
        exponent = word_mux(words, next, less, exponent);
        struct word twice = word_pad(words, rest, 1), whole = word_zext(words, divisor, precision + 3);
        gate tie = word_equal(words, twice, whole);
        gate flip = gate_or(gates, word_less(words, whole, twice), gate_and(gates, tie, odd));
        rest = word_mux(words, flip, word_sub(words, divisor, rest), rest);
        sign = gate_xor(gates, sign, flip);
        keep = gate_and(gates, below, gate_not(next));
    }
    gate zero = gate_not(word_any(words, rest));
    struct word amount, significand = word_normalise(words, rest, NULL, &amount);
    // `rest` has precision + 2 bits, so the exponent of its top bit is greater by 2.
    exponent = word_add(words, exponent, word_const(words, width, 2));
    unsigned wide = MAX(width, amount.width + 2);
    exponent = word_sub(words, word_sext(words, exponent, wide), word_zext(words, amount, wide));
    struct rounding_job job = {.format = f, .rounding = FP_NEAREST_EVEN, .sign = sign};
    struct word value = circuit_float_round_number(words, &job, exponent, significand);
    value = word_mux(words, zero, circuit_float_zero(words, f, a->sign), value);
    struct word same = fp_explicit(f) ? circuit_float_to_float(words, f, f, FP_NEAREST_EVEN, first) : first;
    value = word_mux(words, gate_or(gates, keep, gate_or(gates, a->zero, b->inf)), same, value);
    gate bad = gate_or(gates, gate_or(gates, a->inf, b->zero), gate_or(gates, a->nan, b->nan));
    return word_mux(words, bad, circuit_float_nan_of(words, f, operands, 2), value);
}
