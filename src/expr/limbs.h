// Bit-vectors of any width as 64-bit limbs, least significant first; bits above the width are zero ("trimmed").
// Results must not overlap operands unless said otherwise. Division as SMT-LIB defines it.
#ifndef TAMAR_EXPR_LIMBS_H
#define TAMAR_EXPR_LIMBS_H

#include "base/base.h"

static inline uint32_t limbs_count(unsigned width) { return (width + 63) / 64; }

void limbs_trim(uint64_t *x, unsigned width); // in place
void limbs_set(uint64_t *x, unsigned width, uint64_t value);
void limbs_copy(uint64_t *r, const uint64_t *x, unsigned width);
bool limbs_is_zero(const uint64_t *x, unsigned width);
bool limbs_is_ones(const uint64_t *x, unsigned width);
bool limbs_eq(const uint64_t *a, const uint64_t *b, unsigned width);
bool limbs_ult(const uint64_t *a, const uint64_t *b, unsigned width);
bool limbs_slt(const uint64_t *a, const uint64_t *b, unsigned width);

static inline bool limbs_bit(const uint64_t *x, unsigned i) { return x[i / 64] >> (i % 64) & 1; }

// r may be a or b.
void limbs_not(uint64_t *r, const uint64_t *a, unsigned width);
void limbs_and(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width);
void limbs_or(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width);
void limbs_xor(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width);
void limbs_neg(uint64_t *r, const uint64_t *a, unsigned width);
void limbs_add(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width);
void limbs_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width);

void limbs_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width);
// Either result may be NULL.
void limbs_udivrem(uint64_t *quotient, uint64_t *remainder, const uint64_t *a, const uint64_t *b,
                   unsigned width);
void limbs_sdiv(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width);
void limbs_srem(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width);
// Shifts; any amount from `width` on shifts out all bits.
void limbs_shl(uint64_t *r, const uint64_t *a, uint64_t amount, unsigned width);
void limbs_lshr(uint64_t *r, const uint64_t *a, uint64_t amount, unsigned width);
void limbs_ashr(uint64_t *r, const uint64_t *a, uint64_t amount, unsigned width);
// Converts a shift amount; UINT64_MAX if it does not fit.
uint64_t limbs_amount(const uint64_t *x, unsigned width);

void limbs_concat(uint64_t *r, const uint64_t *high, unsigned high_width, const uint64_t *low,
                  unsigned low_width);
void limbs_extract(uint64_t *r, const uint64_t *a, unsigned a_width, unsigned low, unsigned width);
void limbs_sext(uint64_t *r, const uint64_t *a, unsigned a_width, unsigned width);

#endif
