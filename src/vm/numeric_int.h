// Private to the arithmetic. Integers come in two sizes: up to 128 bits they are computed in the compiler's
// own 128-bit type (int_ops.c), beyond that limb by limb (int_wide.c). A number there is an array of `slots` 64-bit
// limbs, least significant first. Invariant of both: the bits above the width are zero before and after every function;
// a signed view is made by extending the sign where a function needs one.
#ifndef TAMAR_VM_NUMERIC_INT_H
#define TAMAR_VM_NUMERIC_INT_H

#include "vm/numeric.h"

typedef unsigned __int128 u128;
typedef __int128 i128;

#define INT_MAX_SLOTS 1024 // 65535 bits

static inline u128 mask_128(unsigned width) {
    assert(width >= 1 && width <= 128);
    return ~(u128)0 >> (128 - width);
}

static inline i128 sign_extend_128(u128 value, unsigned width) {
    assert(width >= 1 && width <= 128);
    return (i128)(value << (128 - width)) >> (128 - width);
}

static inline u128 load_128(const uint64_t *slots, unsigned width) {
    return width > 64 ? (u128)slots[1] << 64 | slots[0] : slots[0];
}

static inline void store_128(uint64_t *slots, u128 value, unsigned width) {
    value &= mask_128(width);
    slots[0] = (uint64_t)value;
    if (width > 64) slots[1] = (uint64_t)(value >> 64);
}

// Number of zero bits above the topmost one; 128 for 0.
static inline unsigned leading_zeros_128(u128 value) {
    uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
    if (high) return (unsigned)__builtin_clzll(high);
    return low ? 64 + (unsigned)__builtin_clzll(low) : 128;
}

static inline unsigned trailing_zeros_128(u128 value) {
    uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
    if (low) return (unsigned)__builtin_ctzll(low);
    return high ? 64 + (unsigned)__builtin_ctzll(high) : 128;
}

// The same contract as int_evaluate, for operands or results over 128 bits (any width works).
void int_evaluate_wide(enum ir_fn fn, unsigned width, unsigned to, uint64_t *dst, const uint64_t *a,
                       const uint64_t *b, const uint64_t *c);

// Helpers shared with the float conversions.
bool int_bit(const uint64_t *a, unsigned bit);
unsigned int_bit_length(const uint64_t *a, unsigned slots); // index of the topmost one + 1; 0 for 0
void int_negate(uint64_t *dst, const uint64_t *a, unsigned width);
void int_shift_left(uint64_t *dst, const uint64_t *a, unsigned slots, unsigned amount);
void int_shift_right(uint64_t *dst, const uint64_t *a, unsigned slots, unsigned amount);

#endif
