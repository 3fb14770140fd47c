#include "expr/limbs.h"

#include "base/alloc.h"

#include <string.h>

typedef unsigned __int128 u128;

void limbs_trim(uint64_t *x, unsigned width) {
    if (width % 64) x[width / 64] &= mask_bits(width % 64);
}

void limbs_set(uint64_t *x, unsigned width, uint64_t value) {
    memset(x, 0, limbs_count(width) * sizeof *x);
    x[0] = value;
    limbs_trim(x, width);
}

void limbs_copy(uint64_t *r, const uint64_t *x, unsigned width) {
    memmove(r, x, limbs_count(width) * sizeof *x);
}

bool limbs_is_zero(const uint64_t *x, unsigned width) {
    for (uint32_t i = 0; i < limbs_count(width); i++)
        if (x[i]) return false;
    return true;
}

bool limbs_is_ones(const uint64_t *x, unsigned width) {
    for (uint32_t i = 0; i < width / 64; i++)
        if (x[i] != ~(uint64_t)0) return false;
    return width % 64 == 0 || x[width / 64] == mask_bits(width % 64);
}

bool limbs_eq(const uint64_t *a, const uint64_t *b, unsigned width) {
    return memcmp(a, b, limbs_count(width) * sizeof *a) == 0;
}

bool limbs_ult(const uint64_t *a, const uint64_t *b, unsigned width) {
    for (uint32_t i = limbs_count(width); i-- > 0;)
        if (a[i] != b[i]) return a[i] < b[i];
    return false;
}

bool limbs_slt(const uint64_t *a, const uint64_t *b, unsigned width) {
    bool negative_a = limbs_bit(a, width - 1), negative_b = limbs_bit(b, width - 1);
    return negative_a != negative_b ? negative_a : limbs_ult(a, b, width);
}

void limbs_not(uint64_t *r, const uint64_t *a, unsigned width) {
    for (uint32_t i = 0; i < limbs_count(width); i++) r[i] = ~a[i];
    limbs_trim(r, width);
}

void limbs_and(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width) {
    for (uint32_t i = 0; i < limbs_count(width); i++) r[i] = a[i] & b[i];
}

void limbs_or(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width) {
    for (uint32_t i = 0; i < limbs_count(width); i++) r[i] = a[i] | b[i];
}

void limbs_xor(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width) {
    for (uint32_t i = 0; i < limbs_count(width); i++) r[i] = a[i] ^ b[i];
}

void limbs_add(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width) {
    uint64_t carry = 0;
    for (uint32_t i = 0; i < limbs_count(width); i++) {
        u128 sum = (u128)a[i] + b[i] + carry;
        r[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    limbs_trim(r, width);
}

void limbs_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width) {
    uint64_t borrow = 0;
    for (uint32_t i = 0; i < limbs_count(width); i++) {
        u128 difference = (u128)a[i] - b[i] - borrow;
        r[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    limbs_trim(r, width);
}

void limbs_neg(uint64_t *r, const uint64_t *a, unsigned width) {
    uint64_t carry = 1;
    for (uint32_t i = 0; i < limbs_count(width); i++) {
        r[i] = ~a[i] + carry;
        carry = carry && r[i] == 0;
    }
    limbs_trim(r, width);
}

void limbs_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width) {
    uint32_t n = limbs_count(width);
    memset(r, 0, n * sizeof *r);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t carry = 0;
        if (!a[i]) continue;
        for (uint32_t j = 0; i + j < n; j++) {
            u128 product = (u128)a[i] * b[j] + r[i + j] + carry;
            r[i + j] = (uint64_t)product;
            carry = (uint64_t)(product >> 64);
        }
    }
    limbs_trim(r, width);
}

// Schoolbook division, bit by bit: wide divisions are rare.
void limbs_udivrem(uint64_t *quotient, uint64_t *remainder, const uint64_t *a, const uint64_t *b,
                   unsigned width) {
    uint32_t n = limbs_count(width);
    uint64_t *rest = mem_alloc_zeroed((n + 1) * sizeof *rest),
             *divisor = mem_alloc((n + 1) * sizeof *divisor);
    memcpy(divisor, b, n * sizeof *b);
    divisor[n] = 0;
    if (quotient) memset(quotient, 0, n * sizeof *quotient);
    for (unsigned i = width; i-- > 0;) {
        for (uint32_t k = n; k > 0; k--) rest[k] = rest[k] << 1 | rest[k - 1] >> 63;
        rest[0] = rest[0] << 1 | limbs_bit(a, i);
        // A zero divisor is subtracted in every step: the remainder is the dividend, and the quotient is all ones.
        if (limbs_ult(rest, divisor, (n + 1) * 64)) continue;
        limbs_sub(rest, rest, divisor, (n + 1) * 64);
        if (quotient) quotient[i / 64] |= (uint64_t)1 << (i % 64);
    }
    if (remainder) memcpy(remainder, rest, n * sizeof *rest);
    mem_free(rest, (n + 1) * sizeof *rest);
    mem_free(divisor, (n + 1) * sizeof *divisor);
}

static void signed_division(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width,
                            bool remainder) {
    uint32_t n = limbs_count(width);
    uint64_t *x = mem_alloc(2 * n * sizeof *x), *y = x + n;
    bool negative_a = limbs_bit(a, width - 1), negative_b = limbs_bit(b, width - 1);
    negative_a ? limbs_neg(x, a, width) : limbs_copy(x, a, width);
    negative_b ? limbs_neg(y, b, width) : limbs_copy(y, b, width);
    limbs_udivrem(remainder ? NULL : r, remainder ? r : NULL, x, y, width);
    if (remainder ? negative_a : negative_a != negative_b) limbs_neg(r, r, width);
    mem_free(x, 2 * n * sizeof *x);
}

void limbs_sdiv(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width) {
    signed_division(r, a, b, width, false);
}

void limbs_srem(uint64_t *r, const uint64_t *a, const uint64_t *b, unsigned width) {
    signed_division(r, a, b, width, true);
}

void limbs_shl(uint64_t *r, const uint64_t *a, uint64_t amount, unsigned width) {
    uint32_t n = limbs_count(width);
    if (amount >= width) {
        memset(r, 0, n * sizeof *r);
        return;
    }
    uint32_t limbs = (uint32_t)(amount / 64), bits = amount % 64;
    for (uint32_t i = n; i-- > 0;) {
        uint64_t high = i >= limbs ? a[i - limbs] : 0, low = i > limbs ? a[i - limbs - 1] : 0;
        r[i] = bits ? high << bits | low >> (64 - bits) : high;
    }
    limbs_trim(r, width);
}

void limbs_lshr(uint64_t *r, const uint64_t *a, uint64_t amount, unsigned width) {
    uint32_t n = limbs_count(width);
    if (amount >= width) {
        memset(r, 0, n * sizeof *r);
        return;
    }
    uint32_t limbs = (uint32_t)(amount / 64), bits = amount % 64;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t low = i + limbs < n ? a[i + limbs] : 0, high = i + limbs + 1 < n ? a[i + limbs + 1] : 0;
        r[i] = bits ? low >> bits | high << (64 - bits) : low;
    }
}

static void set_from(uint64_t *r, unsigned from, unsigned width) {
    for (unsigned i = from; i < width; i++) {
        if (i % 64 == 0 && i + 64 <= width) {
            r[i / 64] = ~(uint64_t)0;
            i += 63;
        } else {
            r[i / 64] |= (uint64_t)1 << (i % 64);
        }
    }
}

void limbs_ashr(uint64_t *r, const uint64_t *a, uint64_t amount, unsigned width) {
    bool negative = limbs_bit(a, width - 1);
    limbs_lshr(r, a, amount, width);
    if (negative) set_from(r, amount >= width ? 0 : width - (unsigned)amount, width);
}

uint64_t limbs_amount(const uint64_t *x, unsigned width) {
    for (uint32_t i = 1; i < limbs_count(width); i++)
        if (x[i]) return UINT64_MAX;
    return x[0];
}

void limbs_concat(uint64_t *r, const uint64_t *high, unsigned high_width, const uint64_t *low,
                  unsigned low_width) {
    unsigned width = high_width + low_width, bits = low_width % 64;
    memset(r, 0, limbs_count(width) * sizeof *r);
    memcpy(r, low, limbs_count(low_width) * sizeof *r);
    uint32_t base = low_width / 64, n = limbs_count(width);
    for (uint32_t i = 0; i < limbs_count(high_width); i++) {
        r[base + i] |= high[i] << bits;
        if (bits && base + i + 1 < n) r[base + i + 1] |= high[i] >> (64 - bits);
    }
}

void limbs_extract(uint64_t *r, const uint64_t *a, unsigned a_width, unsigned low, unsigned width) {
    assert(low + width <= a_width);
    uint32_t n = limbs_count(a_width), base = low / 64, bits = low % 64;
    for (uint32_t i = 0; i < limbs_count(width); i++) {
        uint64_t word = a[base + i] >> bits;
        if (bits && base + i + 1 < n) word |= a[base + i + 1] << (64 - bits);
        r[i] = word;
    }
    limbs_trim(r, width);
}

void limbs_sext(uint64_t *r, const uint64_t *a, unsigned a_width, unsigned width) {
    assert(width >= a_width);
    memset(r, 0, limbs_count(width) * sizeof *r);
    memcpy(r, a, limbs_count(a_width) * sizeof *r);
    if (limbs_bit(a, a_width - 1)) set_from(r, a_width, width);
}
