// Floating-point formats and rounding modes, as small numbers that fit into a term's shape.
#ifndef TAMAR_EXPR_FLOAT_FORMAT_H
#define TAMAR_EXPR_FLOAT_FORMAT_H

#include "base/base.h"

// A format: 5 bits of exponent width, 10 bits of precision (with the integer bit), and whether that bit is stored
// (x87). 0 is not a format.
typedef uint16_t fp_format;

#define FP_FORMAT(exponent, precision, explicit_bit)                                                         \
    ((fp_format)((explicit_bit) << 15 | (exponent) << 10 | (precision)))

#define FP_HALF   FP_FORMAT(5, 11, 0)
#define FP_BFLOAT FP_FORMAT(8, 8, 0)
#define FP_SINGLE FP_FORMAT(8, 24, 0)
#define FP_DOUBLE FP_FORMAT(11, 53, 0)
#define FP_X87    FP_FORMAT(15, 64, 1)
#define FP_QUAD   FP_FORMAT(15, 113, 0)

#define FP_MAX_PRECISION 160 // limit of the software arithmetic
#define FP_MAX_EXPONENT  20

static inline unsigned fp_exponent_bits(fp_format f) { return f >> 10 & 31; }
static inline unsigned fp_precision(fp_format f) { return f & 1023; }
static inline bool fp_explicit(fp_format f) { return f >> 15; }
// Stored bits of the significand.
static inline unsigned fp_fraction_bits(fp_format f) { return fp_precision(f) - !fp_explicit(f); }
// Width of the storage: sign, exponent, fraction.
static inline unsigned fp_width(fp_format f) { return 1 + fp_exponent_bits(f) + fp_fraction_bits(f); }

enum fp_rounding {
    FP_NEAREST_EVEN, // RNE, C's default
    FP_NEAREST_AWAY, // RNA
    FP_UPWARD,       // RTP
    FP_DOWNWARD,     // RTN
    FP_TOWARD_ZERO,  // RTZ
    FP_ROUNDINGS
};

#endif
