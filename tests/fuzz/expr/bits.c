#include "bits.h"

#include "base/error.h"

#include <string.h>

struct bits bits_zero(unsigned width) {
    assert(width >= 1 && width <= RANDOM_MAX_WIDTH);
    struct bits r = {.width = (uint16_t)width};
    return r;
}

struct bits bits_number(unsigned width, uint64_t value) {
    struct bits r = bits_zero(width);
    for (unsigned i = 0; i < width && i < 64; i++) r.at[i] = value >> i & 1;
    return r;
}

static bool all(const struct bits *a, bool value) {
    for (unsigned i = 0; i < a->width; i++)
        if (a->at[i] != value) return false;
    return true;
}

static bool negative(const struct bits *a) { return a->at[a->width - 1]; }

static struct bits plus(const struct bits *a, const struct bits *b, bool carry, bool *out) {
    struct bits r = bits_zero(a->width);
    for (unsigned i = 0; i < a->width; i++) {
        unsigned sum = a->at[i] + b->at[i] + carry;
        r.at[i] = sum & 1;
        carry = sum >> 1;
    }
    if (out) *out = carry;
    return r;
}

static struct bits invert(const struct bits *a) {
    struct bits r = *a;
    for (unsigned i = 0; i < a->width; i++) r.at[i] = !a->at[i];
    return r;
}

static struct bits minus(const struct bits *a, const struct bits *b) {
    struct bits inverted = invert(b);
    return plus(a, &inverted, true, NULL);
}

static struct bits negate(const struct bits *a) {
    struct bits zero = bits_zero(a->width);
    return minus(&zero, a);
}

static bool below(const struct bits *a, const struct bits *b) {
    for (unsigned i = a->width; i-- > 0;)
        if (a->at[i] != b->at[i]) return b->at[i];
    return false;
}

static bool below_signed(const struct bits *a, const struct bits *b) {
    return negative(a) != negative(b) ? negative(a) : below(a, b);
}

static struct bits resize(const struct bits *a, unsigned width, bool fill) {
    struct bits r = bits_zero(width);
    for (unsigned i = 0; i < width; i++) r.at[i] = i < a->width ? a->at[i] : fill;
    return r;
}

// Multiplies by repeated shifting and adding, on n bits.
static struct bits times(const struct bits *a, const struct bits *b) {
    struct bits r = bits_zero(a->width);
    for (unsigned i = 0; i < b->width; i++) {
        if (!b->at[i]) continue;
        struct bits shifted = bits_zero(a->width);
        for (unsigned k = i; k < a->width; k++) shifted.at[k] = a->at[k - i];
        r = plus(&r, &shifted, false, NULL);
    }
    return r;
}

static struct bits divide(const struct bits *a, const struct bits *b, bool remainder) {
    if (all(b, 0)) {
        if (remainder) return *a;
        struct bits zero = bits_zero(a->width);
        return invert(&zero);
    }
    struct bits quotient = bits_zero(a->width), rest = bits_zero(a->width);
    for (unsigned i = a->width; i-- > 0;) {
        bool out = rest.at[a->width - 1];
        memmove(rest.at + 1, rest.at, a->width - 1u);
        rest.at[0] = a->at[i];
        if (!out && below(&rest, b)) continue;
        rest = minus(&rest, b);
        quotient.at[i] = 1;
    }
    return remainder ? rest : quotient;
}

static struct bits magnitude(const struct bits *a) { return negative(a) ? negate(a) : *a; }

static struct bits divide_signed(enum kind kind, const struct bits *a, const struct bits *b) {
    struct bits x = magnitude(a), y = magnitude(b), r = divide(&x, &y, kind != KIND_SDIV);
    if (kind == KIND_SDIV) return negative(a) != negative(b) ? negate(&r) : r;
    if (kind == KIND_SREM) return negative(a) ? negate(&r) : r;
    // SMT-LIB's definition of bvsmod, case by case.
    if (all(&r, 0)) return r;
    if (!negative(a) && !negative(b)) return r;
    if (negative(a) && !negative(b)) {
        struct bits n = negate(&r);
        return plus(&n, b, false, NULL);
    }
    if (!negative(a) && negative(b)) return plus(&r, b, false, NULL);
    return negate(&r);
}

// The amount, at most the width.
static unsigned amount(const struct bits *b, unsigned width) {
    unsigned n = 0;
    for (unsigned i = b->width; i-- > 0;) {
        n = 2 * n + b->at[i];
        if (n >= width) return width;
    }
    return n;
}

static struct bits shift(enum kind kind, const struct bits *a, const struct bits *b) {
    unsigned n = amount(b, a->width), width = a->width;
    bool fill = kind == KIND_ASHR && negative(a);
    struct bits r = bits_zero(width);
    for (unsigned i = 0; i < width; i++) {
        if (kind == KIND_SHL)
            r.at[i] = i >= n ? a->at[i - n] : 0;
        else
            r.at[i] = i + n < width ? a->at[i + n] : fill;
    }
    return r;
}

static struct bits rotate(bool left, const struct bits *a, const struct bits *b) {
    unsigned n = 0;
    for (unsigned i = b->width; i-- > 0;) n = (2 * n + b->at[i]) % a->width;
    struct bits r = bits_zero(a->width);
    for (unsigned i = 0; i < a->width; i++) {
        unsigned to = left ? (i + n) % a->width : (i + a->width - n) % a->width;
        r.at[to] = a->at[i];
    }
    return r;
}

static bool overflow(enum kind kind, const struct bits *a, const struct bits *b) {
    unsigned wide = MIN(2u * a->width + 2, RANDOM_MAX_WIDTH);
    bool is_signed = kind == KIND_SADD_OVERFLOW || kind == KIND_SSUB_OVERFLOW || kind == KIND_SMUL_OVERFLOW ||
                     kind == KIND_NEG_OVERFLOW || kind == KIND_SDIV_OVERFLOW;
    assert(wide == 2u * a->width + 2);
    struct bits x = resize(a, wide, is_signed && negative(a)), y = resize(b, wide, is_signed && negative(b)),
                r;
    switch (kind) {
    case KIND_NEG_OVERFLOW: r = negate(&x); break;
    case KIND_UADD_OVERFLOW:
    case KIND_SADD_OVERFLOW: r = plus(&x, &y, false, NULL); break;
    case KIND_USUB_OVERFLOW: return below(a, b);
    case KIND_SSUB_OVERFLOW: r = minus(&x, &y); break;
    case KIND_UMUL_OVERFLOW:
    case KIND_SMUL_OVERFLOW: r = times(&x, &y); break;
    default:
        if (all(b, 0)) return false;
        r = divide_signed(KIND_SDIV, &x, &y);
        break;
    }
    // The value fits if extending its low part restores it.
    struct bits low = resize(&r, a->width, false);
    struct bits again = resize(&low, wide, is_signed && negative(&low));
    return memcmp(again.at, r.at, wide) != 0;
}

static struct bits bitwise(enum kind kind, const struct bits *a, const struct bits *b) {
    struct bits r = bits_zero(a->width);
    for (unsigned i = 0; i < a->width; i++) {
        bool x = a->at[i], y = b->at[i];
        switch (kind) {
        case KIND_AND: r.at[i] = x & y; break;
        case KIND_OR: r.at[i] = x | y; break;
        case KIND_XOR: r.at[i] = x ^ y; break;
        case KIND_NAND: r.at[i] = !(x & y); break;
        case KIND_NOR: r.at[i] = !(x | y); break;
        default: r.at[i] = x == y; break;
        }
    }
    return r;
}

static bool compare(enum kind kind, const struct bits *a, const struct bits *b) {
    bool same = memcmp(a->at, b->at, a->width) == 0;
    switch (kind) {
    case KIND_EQ: return same;
    case KIND_NE: return !same;
    case KIND_ULT: return below(a, b);
    case KIND_ULE: return !below(b, a);
    case KIND_UGT: return below(b, a);
    case KIND_UGE: return !below(a, b);
    case KIND_SLT: return below_signed(a, b);
    case KIND_SLE: return !below_signed(b, a);
    case KIND_SGT: return below_signed(b, a);
    default: assert(kind == KIND_SGE); return !below_signed(a, b);
    }
}

struct bits bits_apply(struct shape shape, const struct bits *a, const struct bits *b, const struct bits *c) {
    enum kind kind = (enum kind)shape.kind;
    switch (kind) {
    case KIND_NOT: return invert(a);
    case KIND_NEG: return negate(a);
    case KIND_AND:
    case KIND_OR:
    case KIND_XOR:
    case KIND_NAND:
    case KIND_NOR:
    case KIND_XNOR: return bitwise(kind, a, b);
    case KIND_ADD: return plus(a, b, false, NULL);
    case KIND_SUB: return minus(a, b);
    case KIND_MUL: return times(a, b);
    case KIND_UDIV: return divide(a, b, false);
    case KIND_UREM: return divide(a, b, true);
    case KIND_SDIV:
    case KIND_SREM:
    case KIND_SMOD: return divide_signed(kind, a, b);
    case KIND_SHL:
    case KIND_LSHR:
    case KIND_ASHR: return shift(kind, a, b);
    case KIND_ROTL:
    case KIND_ROTR: return rotate(kind == KIND_ROTL, a, b);
    case KIND_CONCAT: {
        struct bits r = resize(b, a->width + b->width, false);
        memcpy(r.at + b->width, a->at, a->width);
        return r;
    }
    case KIND_EXTRACT: {
        struct bits r = bits_zero(shape.width);
        memcpy(r.at, a->at + shape.low, shape.width);
        return r;
    }
    case KIND_SEXT: return resize(a, shape.width, negative(a));
    case KIND_ZEXT: return resize(a, shape.width, false);
    case KIND_EQ:
    case KIND_NE:
    case KIND_ULT:
    case KIND_ULE:
    case KIND_UGT:
    case KIND_UGE:
    case KIND_SLT:
    case KIND_SLE:
    case KIND_SGT:
    case KIND_SGE: return bits_number(1, compare(kind, a, b));
    case KIND_ITE: return a->at[0] ? *b : *c;
    case KIND_NEG_OVERFLOW: return bits_number(1, overflow(kind, a, a));
    case KIND_UADD_OVERFLOW:
    case KIND_SADD_OVERFLOW:
    case KIND_USUB_OVERFLOW:
    case KIND_SSUB_OVERFLOW:
    case KIND_UMUL_OVERFLOW:
    case KIND_SMUL_OVERFLOW:
    case KIND_SDIV_OVERFLOW: return bits_number(1, overflow(kind, a, b));
    default: error_internal("bits_apply: %s", kind_infos[kind].name);
    }
}

bool bits_equal(const struct bits *bits, const uint64_t *limbs) {
    for (unsigned i = 0; i < bits->width; i++)
        if (bits->at[i] != (limbs[i / 64] >> (i % 64) & 1)) return false;
    return true;
}

uint64_t bits_low(const struct bits *bits) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bits->width && i < 64; i++) value |= (uint64_t)bits->at[i] << i;
    return value;
}

void bits_limbs(const struct bits *bits, uint64_t *limbs) {
    for (unsigned i = 0; i < (bits->width + 63u) / 64; i++) limbs[i] = 0;
    for (unsigned i = 0; i < bits->width; i++) limbs[i / 64] |= (uint64_t)bits->at[i] << (i % 64);
}
