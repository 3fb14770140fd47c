// Private to the floating-point circuits.
//
// An operand is unpacked into flags, a signed exponent and a significand of `precision` bits: the value of a finite
// number is significand / 2^(precision - 1) * 2^exponent. Without normalisation subnormal numbers have the least
// exponent and a clear top bit; with it every number except zero has its top bit set.
//
// A result is rounded in two steps. `circuit_float_round_number` takes a normalised significand and any exponent. The
// significand is exact, or its lowest bit is sticky: it is set if any bit below it was set. The function shifts
// subnormal results and calls `circuit_float_round_field`, which rounds by adding a bit to exponent and fraction as one
// number. So a carry out of the fraction is right without a special case, from the largest subnormal to the least
// normal number, and from the largest number to infinity. The rounding mode is part of the term and constant here.
//
// NaNs follow kinds.h to the bit: `circuit_float_nan_of` picks among the operands' patterns.
#ifndef TAMAR_FLOAT_INT_H
#define TAMAR_FLOAT_INT_H

#include "blast/bit_words.h"
#include "expr/expr.h"

struct unpacked_number {
    struct word pattern;
    gate sign, nan, inf, zero;
    gate invalid;         // x87: an invalid pattern; nan is set as well
    struct word exponent; // signed
    struct word significand;
};

// A finite result that is not rounded yet.
struct rounding_job {
    fp_format format;
    enum fp_rounding rounding;
    gate sign;
    bool normal; // the exponent is known to be at least that of the least normal number
};

int64_t circuit_float_bias(fp_format f);

struct unpacked_number circuit_float_unpack(struct words *words, fp_format f, struct word pattern,
                                            bool normalise);
// Rounds sign * significand * 2^exponent. The significand has its top bit set and at least precision + 2 bits.
struct word circuit_float_round_number(struct words *words, const struct rounding_job *job,
                                       struct word exponent, struct word significand);
gate circuit_float_rounds_up(struct words *words, const struct rounding_job *job, gate odd, gate half,
                             gate rest);

struct word circuit_float_inf(struct words *words, fp_format f, gate sign);
struct word circuit_float_zero(struct words *words, fp_format f, gate sign);
struct word circuit_float_default_nan(struct words *words, fp_format f);
// The NaN that an operation yields if one of these operands is a NaN, else the default NaN.
struct word circuit_float_nan_of(struct words *words, fp_format f, const struct unpacked_number *operands,
                                 unsigned count);

// float_round.c
struct word circuit_float_to_integral(struct words *words, fp_format f, enum fp_rounding rounding,
                                      struct word pattern);
struct word circuit_float_remainder(struct words *words, fp_format f, bool nearest, struct word a,
                                    struct word b);
struct word circuit_float_to_int(struct words *words, fp_format f, enum fp_rounding rounding, bool is_signed,
                                 unsigned width, struct word pattern);
struct word circuit_float_from_int(struct words *words, fp_format f, enum fp_rounding rounding,
                                   bool is_signed, struct word value);
struct word circuit_float_to_float(struct words *words, fp_format from, fp_format to,
                                   enum fp_rounding rounding, struct word pattern);

#endif
