#include "vm/numeric_int.h"

// x86-64 takes the amount of a shift modulo 32, or 64 in its 64-bit forms. Wider shifts are several instructions and
// yield the mathematical result.
static unsigned shift_amount(u128 amount, unsigned width) {
    if (width <= 32) return (unsigned)amount & 31;
    if (width <= 64) return (unsigned)amount & 63;
    return amount < width ? (unsigned)amount : width;
}

static u128 shift_left(u128 a, unsigned amount) { return amount < 128 ? a << amount : 0; }
static u128 shift_right(u128 a, unsigned amount) { return amount < 128 ? a >> amount : 0; }
static i128 shift_right_signed(i128 a, unsigned amount) { return a >> (amount < 128 ? amount : 127); }

static u128 swap_bytes(u128 a, unsigned width) {
    assert(width % 8 == 0);
    u128 swapped = (u128)__builtin_bswap64((uint64_t)a) << 64 | __builtin_bswap64((uint64_t)(a >> 64));
    return swapped >> (128 - width);
}

static u128 reverse_bits(u128 a, unsigned width) {
    u128 reversed =
        (u128)__builtin_bitreverse64((uint64_t)a) << 64 | __builtin_bitreverse64((uint64_t)(a >> 64));
    return reversed >> (128 - width);
}

static unsigned count_ones(u128 a) {
    return (unsigned)(__builtin_popcountll((uint64_t)a) + __builtin_popcountll((uint64_t)(a >> 64)));
}

static u128 funnel(enum ir_fn fn, u128 high, u128 low, u128 amount, unsigned width) {
    unsigned by = (unsigned)(amount % width);
    if (by == 0) return fn == IR_FN_FSHL ? high : low;
    if (fn == IR_FN_FSHL) return high << by | low >> (width - by);
    return high << (width - by) | low >> by;
}

// Whether the exact result fits the width. `result` is the result modulo 2^128; `carried`: that was not exact.
static bool unsigned_fits(bool carried, u128 result, unsigned width) {
    return !carried && result <= mask_128(width);
}
static bool signed_fits(bool carried, i128 result, unsigned width) {
    return !carried && result == sign_extend_128((u128)result, width);
}

// Returns the value modulo 2^128 of an operation that can overflow. *overflow: whether it did at this width.
static u128 checked(enum ir_fn fn, u128 a, u128 b, unsigned width, bool *overflow) {
    u128 u = 0;
    i128 s = 0, sa = sign_extend_128(a, width), sb = sign_extend_128(b, width);
    bool carried;
    switch (fn) {
    case IR_FN_UADD_OVERFLOW:
    case IR_FN_UADD_SAT: carried = __builtin_add_overflow(a, b, &u); break;
    case IR_FN_USUB_OVERFLOW:
    case IR_FN_USUB_SAT: carried = __builtin_sub_overflow(a, b, &u); break;
    case IR_FN_UMUL_OVERFLOW: carried = __builtin_mul_overflow(a, b, &u); break;
    case IR_FN_SADD_OVERFLOW:
    case IR_FN_SADD_SAT: carried = __builtin_add_overflow(sa, sb, &s); goto is_signed;
    case IR_FN_SSUB_OVERFLOW:
    case IR_FN_SSUB_SAT: carried = __builtin_sub_overflow(sa, sb, &s); goto is_signed;
    default:
        assert(fn == IR_FN_SMUL_OVERFLOW);
        carried = __builtin_mul_overflow(sa, sb, &s);
        goto is_signed;
    }
    *overflow = !unsigned_fits(carried, u, width);
    return u;
is_signed:
    *overflow = !signed_fits(carried, s, width);
    return (u128)s;
}

static u128 signed_limit(bool negative, unsigned width) {
    u128 minimum = (u128)1 << (width - 1);
    return negative ? minimum : minimum - 1;
}

static u128 saturated(enum ir_fn fn, u128 a, u128 b, unsigned width) {
    bool overflow;
    u128 result = checked(fn, a, b, width, &overflow);
    if (!overflow) return result;
    if (fn == IR_FN_UADD_SAT) return mask_128(width);
    if (fn == IR_FN_USUB_SAT) return 0;
    // In both remaining cases the exact result has the sign of the first operand.
    return signed_limit(a >> (width - 1), width);
}

static u128 saturated_shift(enum ir_fn fn, u128 a, u128 b, unsigned width) {
    bool is_signed = fn == IR_FN_SSHL_SAT, negative = is_signed && (a >> (width - 1));
    if (a == 0) return 0;
    u128 limit = is_signed ? signed_limit(negative, width) : mask_128(width);
    if (b >= width) return limit;
    unsigned by = (unsigned)b;
    u128 result = a << by & mask_128(width);
    u128 back = is_signed ? (u128)(sign_extend_128(result, width) >> by) & mask_128(width) : result >> by;
    return back == a ? result : limit;
}

static u128 divide(enum ir_fn fn, u128 a, u128 b, unsigned width) {
    assert(b != 0);
    if (fn == IR_FN_UDIV || fn == IR_FN_UREM) {
        if (((a | b) >> 64) == 0)
            return fn == IR_FN_UDIV ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b;
        return fn == IR_FN_UDIV ? a / b : a % b;
    }
    assert(!(b == mask_128(width) && a == signed_limit(true, width)));
    i128 sa = sign_extend_128(a, width), sb = sign_extend_128(b, width);
    return (u128)(fn == IR_FN_SDIV ? sa / sb : sa % sb);
}

// Evaluates comparisons.
static bool holds(enum ir_fn fn, u128 a, u128 b, unsigned width) {
    i128 sa = sign_extend_128(a, width), sb = sign_extend_128(b, width);
    switch (fn) {
    case IR_FN_EQ: return a == b;
    case IR_FN_NE: return a != b;
    case IR_FN_ULT: return a < b;
    case IR_FN_ULE: return a <= b;
    case IR_FN_UGT: return a > b;
    case IR_FN_UGE: return a >= b;
    case IR_FN_SLT: return sa < sb;
    case IR_FN_SLE: return sa <= sb;
    case IR_FN_SGT: return sa > sb;
    default: assert(fn == IR_FN_SGE); return sa >= sb;
    }
}

static u128 unary(enum ir_fn fn, u128 a, unsigned width) {
    switch (fn) {
    case IR_FN_ABS: return sign_extend_128(a, width) < 0 ? -a : a;
    case IR_FN_BSWAP: return swap_bytes(a, width);
    case IR_FN_BITREVERSE: return reverse_bits(a, width);
    case IR_FN_CTPOP: return count_ones(a);
    case IR_FN_CTLZ: return leading_zeros_128(a) - (128 - width);
    case IR_FN_CTTZ: return a ? trailing_zeros_128(a) : width;
    case IR_FN_SEXT: return (u128)sign_extend_128(a, width);
    default: assert(fn == IR_FN_ZEXT || fn == IR_FN_TRUNC); return a;
    }
}

static u128 binary(enum ir_fn fn, u128 a, u128 b, unsigned width) {
    i128 sa = sign_extend_128(a, width);
    switch (fn) {
    case IR_FN_ADD: return a + b;
    case IR_FN_SUB: return a - b;
    case IR_FN_MUL: return a * b;
    case IR_FN_UDIV:
    case IR_FN_SDIV:
    case IR_FN_UREM:
    case IR_FN_SREM: return divide(fn, a, b, width);
    case IR_FN_SHL: return shift_left(a, shift_amount(b, width));
    case IR_FN_LSHR: return shift_right(a, shift_amount(b, width));
    case IR_FN_ASHR: return (u128)shift_right_signed(sa, shift_amount(b, width));
    case IR_FN_AND: return a & b;
    case IR_FN_OR: return a | b;
    case IR_FN_XOR: return a ^ b;
    case IR_FN_UMIN: return a < b ? a : b;
    case IR_FN_UMAX: return a > b ? a : b;
    case IR_FN_SMIN: return sa < sign_extend_128(b, width) ? a : b;
    case IR_FN_SMAX: return sa > sign_extend_128(b, width) ? a : b;
    case IR_FN_UADD_SAT:
    case IR_FN_SADD_SAT:
    case IR_FN_USUB_SAT:
    case IR_FN_SSUB_SAT: return saturated(fn, a, b, width);
    case IR_FN_USHL_SAT:
    case IR_FN_SSHL_SAT: return saturated_shift(fn, a, b, width);
    case IR_FN_UCMP: return (u128)((a > b) - (a < b));
    case IR_FN_SCMP: return (u128)((sa > sign_extend_128(b, width)) - (sa < sign_extend_128(b, width)));
    default: assert(ir_fn_info[fn].result == 'B'); return holds(fn, a, b, width);
    }
}

// Fast path for __int128, the common type over 64 bits: no masks, no table. Returns false for other functions.
static inline bool evaluate_full(enum ir_fn fn, uint64_t *dst, const uint64_t *a, const uint64_t *b) {
    u128 x = load_128(a, 128), y = load_128(b, 128), result;
    switch (fn) {
    case IR_FN_ADD: result = x + y; break;
    case IR_FN_SUB: result = x - y; break;
    case IR_FN_MUL: result = x * y; break;
    case IR_FN_AND: result = x & y; break;
    case IR_FN_OR: result = x | y; break;
    case IR_FN_XOR: result = x ^ y; break;
    case IR_FN_SHL: result = y < 128 ? x << (unsigned)y : 0; break;
    case IR_FN_LSHR: result = y < 128 ? x >> (unsigned)y : 0; break;
    case IR_FN_ASHR: result = (u128)((i128)x >> (y < 128 ? (unsigned)y : 127)); break;
    case IR_FN_EQ: *dst = x == y; return true;
    case IR_FN_NE: *dst = x != y; return true;
    case IR_FN_ULT: *dst = x < y; return true;
    case IR_FN_ULE: *dst = x <= y; return true;
    case IR_FN_UGT: *dst = x > y; return true;
    case IR_FN_UGE: *dst = x >= y; return true;
    case IR_FN_SLT: *dst = (i128)x < (i128)y; return true;
    case IR_FN_SLE: *dst = (i128)x <= (i128)y; return true;
    case IR_FN_SGT: *dst = (i128)x > (i128)y; return true;
    case IR_FN_SGE: *dst = (i128)x >= (i128)y; return true;
    default: return false;
    }
    dst[0] = (uint64_t)result;
    dst[1] = (uint64_t)(result >> 64);
    return true;
}

void int_evaluate(enum ir_fn fn, unsigned width, unsigned result_width, uint64_t *dst, const uint64_t *a,
                  const uint64_t *b, const uint64_t *c) {
    assert(fn > IR_FN_NONE && fn < IR_FN_FADD && width >= 1 && width <= 65535);
    if (width == 128 && fn <= IR_FN_SGE && evaluate_full(fn, dst, a, b)) return;
    const struct ir_fn_info *info = &ir_fn_info[fn];
    unsigned to = info->result == 'C' ? result_width : info->result == 'B' ? 1 : width;
    assert(to >= 1 && to <= 65535);
    if (UNLIKELY(width > 128 || to > 128)) {
        int_evaluate_wide(fn, width, to, dst, a, b, c);
        return;
    }
    u128 x = load_128(a, width);
    assert(x <= mask_128(width));
    if (info->arity == 1) {
        store_128(dst, unary(fn, x, width), to);
        return;
    }
    u128 y = load_128(b, width);
    assert(y <= mask_128(width));
    if (info->result == 'V') {
        bool overflow;
        store_128(dst, checked(fn, x, y, width, &overflow), to);
        dst[ir_slots(to)] = overflow;
    } else if (info->arity == 3) {
        store_128(dst, funnel(fn, x, y, load_128(c, width), width), to);
    } else {
        store_128(dst, binary(fn, x, y, width), to);
    }
}
