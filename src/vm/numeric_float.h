// Private to the arithmetic. A float in software is unpacked into sign, exponent and a 128-bit significand;
// the functions of float_soft.c work on that form whatever the format was, and packing rounds once.
//
// Invariants of struct unpacked: a FINITE value is significand * 2^(exponent - 127) with bit 127 of the
// significand set. The widest format has 113 bits, so at least 15 bits lie below the last place of any
// result. Bits that a function shifts out further down are or-ed into bit 0, a sticky bit ("jammed"), so
// that rounding is exact. A NaN keeps its payload left-aligned: bit 127 set, bit 126 set when it is quiet.
// x87 has invalid encodings (the integer bit is clear though the exponent is not zero): they are
// FLOAT_NAN, marked `unsupported`; any operation on one gives the default NaN.
#ifndef TAMAR_VM_NUMERIC_FLOAT_H
#define TAMAR_VM_NUMERIC_FLOAT_H

#include "vm/numeric_int.h"

enum float_kind { FLOAT_ZERO, FLOAT_FINITE, FLOAT_INFINITE, FLOAT_NAN };

struct unpacked {
    enum float_kind kind;
    bool negative;
    bool unsupported;
    int exponent;
    u128 significand;
};

#define TOP_BIT   ((u128)1 << 127)
#define QUIET_BIT ((u128)1 << 126)

struct float_layout {
    int exponent_bits, precision; // precision counts the integer bit
    bool explicit_bit;            // whether the integer bit is stored
};
extern const struct float_layout float_layouts[IR_FLOAT_COUNT];

struct unpacked float_unpack(enum ir_float format, const uint64_t *slots);
// Rounds to nearest even; NaNs become quiet.
void float_pack(enum ir_float format, struct unpacked value, uint64_t *slots);
// Returns the result of an invalid operation on x86-64: a quiet, negative NaN.
struct unpacked float_default_nan(void);
bool float_is_signaling(const struct unpacked *value);

// NaN operands are treated as in libgcc's quad arithmetic and the x87: the larger significand wins.
struct unpacked soft_add(struct unpacked a, struct unpacked b, bool subtract);
struct unpacked soft_multiply(struct unpacked a, struct unpacked b);
struct unpacked soft_divide(struct unpacked a, struct unpacked b);
struct unpacked soft_remainder(struct unpacked a, struct unpacked b); // C's fmod
struct unpacked soft_square_root(struct unpacked a);
// a * b + c, rounded once. No operand is infinite or a NaN.
struct unpacked soft_multiply_add(struct unpacked a, struct unpacked b, struct unpacked c);
// Rounds to an integral value as fn does (FFLOOR to FROUNDEVEN).
struct unpacked soft_to_integral(enum ir_fn fn, struct unpacked a);
enum {
    FLOAT_EQUAL = 1,
    FLOAT_GREATER = 2,
    FLOAT_LESS = 4,
    FLOAT_UNORDERED = 8
}; // the bits of LLVM's predicates
unsigned soft_compare(struct unpacked a, struct unpacked b);

void float_convert(enum ir_float from, enum ir_float to, uint64_t *dst, const uint64_t *a);
void float_to_int(enum ir_fn fn, enum ir_float format, unsigned width, uint64_t *dst, const uint64_t *a);
void float_from_int(bool is_signed, enum ir_float format, unsigned width, uint64_t *dst, const uint64_t *a);

// For functions that let the host convert out-of-range values on purpose: its result is the intended one.
#define CONVERTS_OUT_OF_RANGE __attribute__((no_sanitize("float-cast-overflow")))

// Bits and values of the host's own types.
static inline float as_float(uint64_t slot) {
    uint32_t bits = (uint32_t)slot;
    float value;
    __builtin_memcpy(&value, &bits, 4);
    return value;
}
static inline uint64_t float_bits(float value) {
    uint32_t bits;
    __builtin_memcpy(&bits, &value, 4);
    return bits;
}
static inline double as_double(uint64_t slot) {
    double value;
    __builtin_memcpy(&value, &slot, 8);
    return value;
}
static inline uint64_t double_bits(double value) {
    uint64_t bits;
    __builtin_memcpy(&bits, &value, 8);
    return bits;
}
static inline long double as_x87(const uint64_t *slots) {
    long double value;
    __builtin_memcpy(&value, slots, 10);
    return value;
}
static inline void store_x87(uint64_t *slots, long double value) {
    slots[1] = 0;
    __builtin_memcpy(slots, &value, 10);
}
_Static_assert(sizeof(long double) == 16 && __LDBL_MANT_DIG__ == 64, "the host computes x87 floats");

#endif
