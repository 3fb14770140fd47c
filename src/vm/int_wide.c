// Integers limb by limb. Results are built in a local array and copied out at the end, so that dst may be an
// operand.
#include "vm/numeric_int.h"

#include <string.h>

bool int_bit(const uint64_t *a, unsigned bit) { return a[bit / 64] >> bit % 64 & 1; }

unsigned int_bit_length(const uint64_t *a, unsigned slots) {
    while (slots && a[slots - 1] == 0) slots--;
    return slots ? slots * 64 - (unsigned)__builtin_clzll(a[slots - 1]) : 0;
}

// Clears the bits of the top slot above the width.
static void trim(uint64_t *a, unsigned width) {
    if (width % 64) a[width / 64] &= mask_bits(width % 64);
}

static void copy(uint64_t *dst, const uint64_t *a, unsigned slots) { memmove(dst, a, slots * 8); }
static void clear(uint64_t *dst, unsigned slots) { memset(dst, 0, slots * 8); }

static bool is_negative(const uint64_t *a, unsigned width) { return int_bit(a, width - 1); }

static bool is_zero(const uint64_t *a, unsigned slots) { return int_bit_length(a, slots) == 0; }

static int compare(const uint64_t *a, const uint64_t *b, unsigned slots) {
    while (slots--)
        if (a[slots] != b[slots]) return a[slots] < b[slots] ? -1 : 1;
    return 0;
}

static int compare_signed(const uint64_t *a, const uint64_t *b, unsigned width) {
    bool negative_a = is_negative(a, width), negative_b = is_negative(b, width);
    if (negative_a != negative_b) return negative_a ? -1 : 1;
    return compare(a, b, ir_slots(width));
}

// Adds; returns the carry out of the top slot.
static bool add(uint64_t *dst, const uint64_t *a, const uint64_t *b, unsigned slots, bool carry) {
    for (unsigned i = 0; i < slots; i++) {
        u128 sum = (u128)a[i] + b[i] + carry;
        dst[i] = (uint64_t)sum;
        carry = (bool)(sum >> 64);
    }
    return carry;
}

static bool subtract(uint64_t *dst, const uint64_t *a, const uint64_t *b, unsigned slots) {
    bool borrow = false;
    for (unsigned i = 0; i < slots; i++) {
        u128 difference = (u128)a[i] - b[i] - borrow;
        dst[i] = (uint64_t)difference;
        borrow = (bool)(difference >> 64 & 1);
    }
    return borrow;
}

void int_negate(uint64_t *dst, const uint64_t *a, unsigned width) {
    bool carry = true;
    for (unsigned i = 0; i < ir_slots(width); i++) {
        dst[i] = ~a[i] + carry;
        carry = carry && dst[i] == 0;
    }
    trim(dst, width);
}

// dst may be a.
void int_shift_left(uint64_t *dst, const uint64_t *a, unsigned slots, unsigned amount) {
    unsigned whole = amount / 64, bits = amount % 64;
    for (unsigned i = slots; i-- > 0;) {
        uint64_t high = i >= whole ? a[i - whole] : 0;
        uint64_t low = i >= whole + 1 ? a[i - whole - 1] : 0;
        dst[i] = bits ? high << bits | low >> (64 - bits) : high;
    }
}

void int_shift_right(uint64_t *dst, const uint64_t *a, unsigned slots, unsigned amount) {
    unsigned whole = amount / 64, bits = amount % 64;
    for (unsigned i = 0; i < slots; i++) {
        uint64_t low = i + whole < slots ? a[i + whole] : 0;
        uint64_t high = i + whole + 1 < slots ? a[i + whole + 1] : 0;
        dst[i] = bits ? low >> bits | high << (64 - bits) : low;
    }
}

// Sets all bits from `from` up to the end of the slots.
static void fill_ones(uint64_t *dst, unsigned slots, unsigned from) {
    if (from >= slots * 64) return;
    dst[from / 64] |= ~(uint64_t)0 << from % 64;
    for (unsigned i = from / 64 + 1; i < slots; i++) dst[i] = ~(uint64_t)0;
}

// Returns the amount of a shift, at most the width.
static unsigned shift_amount(const uint64_t *b, unsigned width) {
    if (int_bit_length(b, ir_slots(width)) > 16) return width;
    return b[0] < width ? (unsigned)b[0] : width;
}

static void shift_right_signed(uint64_t *dst, const uint64_t *a, unsigned width, unsigned amount) {
    bool negative = is_negative(a, width);
    int_shift_right(dst, a, ir_slots(width), amount);
    if (negative) fill_ones(dst, ir_slots(width), width - amount);
}

// Computes the whole product of 2 * slots limbs. dst must not be an operand.
static void multiply(uint64_t *dst, const uint64_t *a, const uint64_t *b, unsigned slots) {
    unsigned used = (int_bit_length(b, slots) + 63) / 64;
    assert(dst != a && dst != b);
    clear(dst, 2 * slots);
    for (unsigned i = 0; i < slots; i++) {
        uint64_t carry = 0;
        if (a[i] == 0) continue;
        for (unsigned j = 0; j < used; j++) {
            u128 sum = (u128)a[i] * b[j] + dst[i + j] + carry;
            dst[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        dst[i + used] = carry;
    }
}

static void divide_by_limb(uint64_t *quotient, uint64_t *remainder, const uint64_t *a, uint64_t b,
                           unsigned slots) {
    uint64_t rest = 0;
    for (unsigned i = slots; i-- > 0;) {
        u128 part = (u128)rest << 64 | a[i];
        quotient[i] = (uint64_t)(part / b);
        rest = (uint64_t)(part % b);
    }
    clear(remainder, slots);
    remainder[0] = rest;
}

// Computes one digit of Knuth's algorithm D: the quotient, below 2^64, of u[0..n] by v[0..n-1], whose top bit is set. u
// becomes the remainder.
static uint64_t divide_digit(uint64_t *u, const uint64_t *v, unsigned n) {
    u128 top = (u128)u[n] << 64 | u[n - 1];
    u128 digit, rest;
    if (u[n] >= v[n - 1]) {
        assert(u[n] == v[n - 1]);
        digit = ~(uint64_t)0;
        rest = top - digit * v[n - 1];
    } else {
        digit = top / v[n - 1];
        rest = top % v[n - 1];
    }
    while (rest >> 64 == 0 && digit * v[n - 2] > (rest << 64 | u[n - 2])) {
        digit--;
        rest += v[n - 1];
    }
    uint64_t borrow = 0;
    for (unsigned i = 0; i < n; i++) {
        u128 product = digit * v[i] + borrow;
        borrow = (uint64_t)(product >> 64) + (u[i] < (uint64_t)product);
        u[i] -= (uint64_t)product;
    }
    bool negative = u[n] < borrow;
    u[n] -= borrow;
    if (negative) { // the digit is one too large; about once in 2^63 digits
        digit--;
        u[n] += add(u, u, v, n, false);
    }
    return (uint64_t)digit;
}

// Divides. quotient and remainder have `slots` limbs each and must not be operands.
static void divide(uint64_t *quotient, uint64_t *remainder, const uint64_t *a, const uint64_t *b,
                   unsigned slots) {
    unsigned n = (int_bit_length(b, slots) + 63) / 64;
    assert(n > 0);
    if (n == 1) {
        divide_by_limb(quotient, remainder, a, b[0], slots);
        return;
    }
    uint64_t u[INT_MAX_SLOTS + 1], v[INT_MAX_SLOTS];
    unsigned normalise = (unsigned)__builtin_clzll(b[n - 1]);
    int_shift_left(v, b, n, normalise);
    copy(u, a, slots);
    u[slots] = 0;
    int_shift_left(u, u, slots + 1, normalise);
    clear(quotient, slots);
    for (unsigned j = slots - n + 1; j-- > 0;) quotient[j] = divide_digit(u + j, v, n);
    clear(remainder, slots);
    int_shift_right(remainder, u, n, normalise);
}

static void divide_any(enum ir_fn fn, uint64_t *dst, const uint64_t *a, const uint64_t *b, unsigned width) {
    unsigned slots = ir_slots(width);
    uint64_t quotient[INT_MAX_SLOTS], remainder[INT_MAX_SLOTS], x[INT_MAX_SLOTS], y[INT_MAX_SLOTS];
    bool is_signed = fn == IR_FN_SDIV || fn == IR_FN_SREM;
    bool negative_a = is_signed && is_negative(a, width), negative_b = is_signed && is_negative(b, width);
    if (negative_a) int_negate(x, a, width);
    if (negative_b) int_negate(y, b, width);
    divide(quotient, remainder, negative_a ? x : a, negative_b ? y : b, slots);
    if (fn == IR_FN_UDIV || fn == IR_FN_SDIV) {
        assert(!is_signed || negative_a != negative_b || !is_negative(quotient, width)); // INT_MIN / -1
        if (negative_a != negative_b)
            int_negate(dst, quotient, width);
        else
            copy(dst, quotient, slots);
    } else if (negative_a) {
        int_negate(dst, remainder, width);
    } else {
        copy(dst, remainder, slots);
    }
}

static bool multiply_checked(uint64_t *dst, const uint64_t *a, const uint64_t *b, unsigned width,
                             bool is_signed) {
    unsigned slots = ir_slots(width);
    uint64_t product[2 * INT_MAX_SLOTS], x[INT_MAX_SLOTS], y[INT_MAX_SLOTS];
    bool negative_a = is_signed && is_negative(a, width), negative_b = is_signed && is_negative(b, width);
    if (negative_a) int_negate(x, a, width);
    if (negative_b) int_negate(y, b, width);
    multiply(product, negative_a ? x : a, negative_b ? y : b, slots);
    unsigned length = int_bit_length(product, 2 * slots);
    bool negative = negative_a != negative_b, overflow = length > width;
    if (is_signed && length == width) {
        // Only -2^(width-1) has so many bits.
        uint64_t lowest[INT_MAX_SLOTS];
        int_shift_left(lowest, product, slots, slots * 64 - width + 1);
        overflow = !negative || !is_zero(lowest, slots);
    }
    trim(product, width);
    if (negative)
        int_negate(dst, product, width);
    else
        copy(dst, product, slots);
    return overflow;
}

// Adds. Returns whether the result overflows at the width.
static bool add_checked(uint64_t *dst, const uint64_t *a, const uint64_t *b, unsigned width, bool is_signed) {
    unsigned slots = ir_slots(width);
    bool negative_a = is_negative(a, width), negative_b = is_negative(b, width);
    bool carry = add(dst, a, b, slots, false);
    if (width % 64) carry = dst[slots - 1] >> width % 64;
    trim(dst, width);
    return is_signed ? negative_a == negative_b && is_negative(dst, width) != negative_a : carry;
}

static bool subtract_checked(uint64_t *dst, const uint64_t *a, const uint64_t *b, unsigned width,
                             bool is_signed) {
    bool negative_a = is_negative(a, width), negative_b = is_negative(b, width);
    bool borrow = subtract(dst, a, b, ir_slots(width));
    trim(dst, width);
    return is_signed ? negative_a != negative_b && is_negative(dst, width) != negative_a : borrow;
}

static void set_limit(uint64_t *dst, unsigned width, bool is_signed, bool negative) {
    unsigned slots = ir_slots(width);
    clear(dst, slots);
    if (is_signed && negative) {
        dst[slots - 1] = (uint64_t)1 << (width - 1) % 64;
        return;
    }
    fill_ones(dst, slots, 0);
    trim(dst, width);
    if (is_signed) dst[slots - 1] &= ~((uint64_t)1 << (width - 1) % 64);
}

static void saturated(enum ir_fn fn, uint64_t *dst, const uint64_t *a, const uint64_t *b, unsigned width) {
    bool is_signed = fn == IR_FN_SADD_SAT || fn == IR_FN_SSUB_SAT, negative = is_negative(a, width);
    bool adds = fn == IR_FN_UADD_SAT || fn == IR_FN_SADD_SAT;
    bool overflow =
        adds ? add_checked(dst, a, b, width, is_signed) : subtract_checked(dst, a, b, width, is_signed);
    if (!overflow) return;
    if (fn == IR_FN_USUB_SAT)
        clear(dst, ir_slots(width));
    else
        set_limit(dst, width, is_signed, negative);
}

static void saturated_shift(enum ir_fn fn, uint64_t *dst, const uint64_t *a, const uint64_t *b,
                            unsigned width) {
    unsigned slots = ir_slots(width), by = shift_amount(b, width);
    bool is_signed = fn == IR_FN_SSHL_SAT, negative = is_signed && is_negative(a, width);
    uint64_t back[INT_MAX_SLOTS];
    if (is_zero(a, slots)) {
        clear(dst, slots);
        return;
    }
    if (by < width) {
        uint64_t result[INT_MAX_SLOTS];
        int_shift_left(result, a, slots, by);
        trim(result, width);
        if (is_signed)
            shift_right_signed(back, result, width, by);
        else
            int_shift_right(back, result, slots, by);
        trim(back, width);
        if (compare(back, a, slots) == 0) {
            copy(dst, result, slots);
            return;
        }
    }
    set_limit(dst, width, is_signed, negative);
}

static void reverse_bits(uint64_t *dst, const uint64_t *a, unsigned width) {
    unsigned slots = ir_slots(width);
    uint64_t result[INT_MAX_SLOTS];
    for (unsigned i = 0; i < slots; i++) result[slots - 1 - i] = __builtin_bitreverse64(a[i]);
    int_shift_right(dst, result, slots, slots * 64 - width);
}

static void swap_bytes(uint64_t *dst, const uint64_t *a, unsigned width) {
    unsigned slots = ir_slots(width);
    uint64_t result[INT_MAX_SLOTS];
    assert(width % 8 == 0);
    for (unsigned i = 0; i < slots; i++) result[slots - 1 - i] = __builtin_bswap64(a[i]);
    int_shift_right(dst, result, slots, slots * 64 - width);
}

static unsigned count(enum ir_fn fn, const uint64_t *a, unsigned width) {
    unsigned slots = ir_slots(width), ones = 0, i = 0;
    switch (fn) {
    case IR_FN_CTLZ: return width - int_bit_length(a, slots);
    case IR_FN_CTTZ:
        while (i < slots && a[i] == 0) i++;
        return i < slots ? i * 64 + (unsigned)__builtin_ctzll(a[i]) : width;
    default:
        assert(fn == IR_FN_CTPOP);
        for (; i < slots; i++) ones += (unsigned)__builtin_popcountll(a[i]);
        return ones;
    }
}

static void set_small(uint64_t *dst, unsigned slots, uint64_t value) {
    clear(dst, slots);
    dst[0] = value;
}

static void convert(enum ir_fn fn, uint64_t *dst, unsigned to, const uint64_t *a, unsigned from) {
    bool negative = fn == IR_FN_SEXT && is_negative(a, from);
    unsigned from_slots = ir_slots(from), to_slots = ir_slots(to);
    copy(dst, a, MIN(from_slots, to_slots));
    if (to_slots > from_slots) clear(dst + from_slots, to_slots - from_slots);
    if (negative) fill_ones(dst, to_slots, from);
    trim(dst, to);
}

static void unary(enum ir_fn fn, unsigned width, unsigned to, uint64_t *dst, const uint64_t *a) {
    unsigned slots = ir_slots(width);
    switch (fn) {
    case IR_FN_ABS:
        if (is_negative(a, width))
            int_negate(dst, a, width);
        else
            copy(dst, a, slots);
        break;
    case IR_FN_BSWAP: swap_bytes(dst, a, width); break;
    case IR_FN_BITREVERSE: reverse_bits(dst, a, width); break;
    case IR_FN_CTPOP:
    case IR_FN_CTLZ:
    case IR_FN_CTTZ: set_small(dst, slots, count(fn, a, width)); break;
    default: convert(fn, dst, to, a, width);
    }
}

static bool holds(enum ir_fn fn, const uint64_t *a, const uint64_t *b, unsigned width) {
    bool is_signed = fn >= IR_FN_SLT && fn <= IR_FN_SGE;
    int order = is_signed ? compare_signed(a, b, width) : compare(a, b, ir_slots(width));
    switch (fn) {
    case IR_FN_EQ: return order == 0;
    case IR_FN_NE: return order != 0;
    case IR_FN_ULT:
    case IR_FN_SLT: return order < 0;
    case IR_FN_ULE:
    case IR_FN_SLE: return order <= 0;
    case IR_FN_UGT:
    case IR_FN_SGT: return order > 0;
    default: assert(fn == IR_FN_UGE || fn == IR_FN_SGE); return order >= 0;
    }
}

static void shift(enum ir_fn fn, uint64_t *dst, const uint64_t *a, const uint64_t *b, unsigned width) {
    unsigned by = shift_amount(b, width);
    if (fn == IR_FN_SHL)
        int_shift_left(dst, a, ir_slots(width), by);
    else if (fn == IR_FN_LSHR)
        int_shift_right(dst, a, ir_slots(width), by);
    else
        shift_right_signed(dst, a, width, by);
    trim(dst, width);
}

static void funnel(enum ir_fn fn, uint64_t *dst, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                   unsigned width) {
    unsigned slots = ir_slots(width);
    uint64_t modulus[INT_MAX_SLOTS] = {width}, ignored[INT_MAX_SLOTS], rest[INT_MAX_SLOTS];
    divide(ignored, rest, c, modulus, slots);
    unsigned by = (unsigned)rest[0];
    unsigned left = fn == IR_FN_FSHL ? by : width - by;
    uint64_t low[INT_MAX_SLOTS], high[INT_MAX_SLOTS];
    int_shift_left(high, a, slots, left);
    int_shift_right(low, b, slots, width - left);
    for (unsigned i = 0; i < slots; i++) dst[i] = high[i] | low[i];
    trim(dst, width);
}

static void bitwise(enum ir_fn fn, uint64_t *dst, const uint64_t *a, const uint64_t *b, unsigned slots) {
    for (unsigned i = 0; i < slots; i++)
        dst[i] = fn == IR_FN_AND ? a[i] & b[i] : fn == IR_FN_OR ? a[i] | b[i] : a[i] ^ b[i];
}

static void choose(enum ir_fn fn, uint64_t *dst, const uint64_t *a, const uint64_t *b, unsigned width) {
    bool is_signed = fn == IR_FN_SMIN || fn == IR_FN_SMAX, minimum = fn == IR_FN_SMIN || fn == IR_FN_UMIN;
    int order = is_signed ? compare_signed(a, b, width) : compare(a, b, ir_slots(width));
    copy(dst, (order < 0) == minimum ? a : b, ir_slots(width));
}

static void order(enum ir_fn fn, uint64_t *dst, const uint64_t *a, const uint64_t *b, unsigned width,
                  unsigned to) {
    int result = fn == IR_FN_SCMP ? compare_signed(a, b, width) : compare(a, b, ir_slots(width));
    clear(dst, ir_slots(to));
    if (result > 0) dst[0] = 1;
    if (result < 0) fill_ones(dst, ir_slots(to), 0);
    trim(dst, to);
}

void int_evaluate_wide(enum ir_fn fn, unsigned width, unsigned to, uint64_t *dst, const uint64_t *a,
                       const uint64_t *b, const uint64_t *c) {
    unsigned slots = ir_slots(width);
    if (ir_fn_info[fn].arity == 1) {
        unary(fn, width, to, dst, a);
        return;
    }
    switch (fn) {
    case IR_FN_ADD: add_checked(dst, a, b, width, false); break;
    case IR_FN_SUB: subtract_checked(dst, a, b, width, false); break;
    case IR_FN_MUL: multiply_checked(dst, a, b, width, false); break;
    case IR_FN_UDIV:
    case IR_FN_SDIV:
    case IR_FN_UREM:
    case IR_FN_SREM: divide_any(fn, dst, a, b, width); break;
    case IR_FN_SHL:
    case IR_FN_LSHR:
    case IR_FN_ASHR: shift(fn, dst, a, b, width); break;
    case IR_FN_AND:
    case IR_FN_OR:
    case IR_FN_XOR: bitwise(fn, dst, a, b, slots); break;
    case IR_FN_SMIN:
    case IR_FN_SMAX:
    case IR_FN_UMIN:
    case IR_FN_UMAX: choose(fn, dst, a, b, width); break;
    case IR_FN_UADD_SAT:
    case IR_FN_SADD_SAT:
    case IR_FN_USUB_SAT:
    case IR_FN_SSUB_SAT: saturated(fn, dst, a, b, width); break;
    case IR_FN_USHL_SAT:
    case IR_FN_SSHL_SAT: saturated_shift(fn, dst, a, b, width); break;
    case IR_FN_UADD_OVERFLOW:
    case IR_FN_SADD_OVERFLOW: dst[slots] = add_checked(dst, a, b, width, fn == IR_FN_SADD_OVERFLOW); break;
    case IR_FN_USUB_OVERFLOW:
    case IR_FN_SSUB_OVERFLOW:
        dst[slots] = subtract_checked(dst, a, b, width, fn == IR_FN_SSUB_OVERFLOW);
        break;
    case IR_FN_UMUL_OVERFLOW:
    case IR_FN_SMUL_OVERFLOW:
        dst[slots] = multiply_checked(dst, a, b, width, fn == IR_FN_SMUL_OVERFLOW);
        break;
    case IR_FN_FSHL:
    case IR_FN_FSHR: funnel(fn, dst, a, b, c, width); break;
    case IR_FN_UCMP:
    case IR_FN_SCMP: order(fn, dst, a, b, width, to); break;
    default: dst[0] = holds(fn, a, b, width); // B: one slot
    }
}
