#include "vm/numeric_float.h"

const struct float_layout float_layouts[IR_FLOAT_COUNT] = {
    [IR_F16] = {5, 11, false},  [IR_BF16] = {8, 8, false}, [IR_F32] = {8, 24, false},
    [IR_F64] = {11, 53, false}, [IR_F80] = {15, 64, true}, [IR_F128] = {15, 113, false},
};

static int bias_of(const struct float_layout *layout) { return (1 << (layout->exponent_bits - 1)) - 1; }

static u128 shift_right_jam(u128 a, unsigned amount) {
    if (amount == 0) return a;
    if (amount >= 128) return a != 0;
    return a >> amount | ((a << (128 - amount)) != 0);
}

struct unpacked float_default_nan(void) {
    return (struct unpacked){.kind = FLOAT_NAN, .negative = true, .significand = TOP_BIT | QUIET_BIT};
}

bool float_is_signaling(const struct unpacked *value) {
    return value->kind == FLOAT_NAN && !value->unsupported && !(value->significand & QUIET_BIT);
}

static struct unpacked zero(bool negative) {
    return (struct unpacked){.kind = FLOAT_ZERO, .negative = negative};
}
static struct unpacked infinite(bool negative) {
    return (struct unpacked){.kind = FLOAT_INFINITE, .negative = negative};
}
// Makes a finite value from any significand but 0. Bit 127 of the significand has the weight 2^exponent.
static struct unpacked finite(bool negative, int exponent, u128 significand) {
    unsigned shift = leading_zeros_128(significand);
    assert(shift < 128);
    return (struct unpacked){.kind = FLOAT_FINITE,
                             .negative = negative,
                             .exponent = exponent - (int)shift,
                             .significand = significand << shift};
}

struct unpacked float_unpack(enum ir_float format, const uint64_t *slots) {
    const struct float_layout *layout = &float_layouts[format];
    int bits = layout->precision - !layout->explicit_bit;
    u128 raw = load_128(slots, ir_float_width(format));
    unsigned largest = (1u << layout->exponent_bits) - 1;
    unsigned biased = (unsigned)(raw >> bits) & largest;
    bool negative = raw >> (bits + layout->exponent_bits) & 1;
    u128 significand = raw << (128 - bits); // left-aligned
    bool integer_bit = biased != 0;
    if (layout->explicit_bit) {
        integer_bit = significand >> 127;
        significand <<= 1;
    }
    if (biased != 0 && !integer_bit)
        return (struct unpacked){
            .kind = FLOAT_NAN, .negative = negative, .unsupported = true, .significand = significand >> 1};
    if (biased == largest) {
        if (significand == 0) return infinite(negative);
        return (struct unpacked){
            .kind = FLOAT_NAN, .negative = negative, .significand = significand >> 1 | TOP_BIT};
    }
    significand = significand >> 1 | (integer_bit ? TOP_BIT : 0);
    if (significand == 0) return zero(negative);
    return finite(negative, (biased ? (int)biased : 1) - bias_of(layout), significand);
}

// Stores sign, biased exponent and significand. The significand's `precision` bits include the integer bit.
static void assemble(enum ir_float format, bool negative, unsigned biased, u128 significand,
                     uint64_t *slots) {
    const struct float_layout *layout = &float_layouts[format];
    int bits = layout->precision - !layout->explicit_bit;
    assert(biased >> layout->exponent_bits == 0 && significand >> layout->precision == 0);
    u128 raw = ((u128)negative << layout->exponent_bits | biased) << bits;
    raw |= significand & mask_128((unsigned)bits);
    store_128(slots, raw, ir_float_width(format));
}

static void pack_finite(enum ir_float format, struct unpacked value, uint64_t *slots) {
    const struct float_layout *layout = &float_layouts[format];
    int bias = bias_of(layout), smallest = 1 - bias, precision = layout->precision;
    int exponent = value.exponent;
    u128 significand = value.significand;
    assert(significand & TOP_BIT);
    if (exponent < smallest) {
        significand = shift_right_jam(significand, (unsigned)(smallest - exponent));
        exponent = smallest;
    }
    u128 kept = significand >> (128 - precision), rest = significand << precision;
    if (rest > TOP_BIT || (rest == TOP_BIT && (kept & 1))) kept++;
    if (kept >> precision) {
        kept >>= 1;
        exponent++;
    }
    bool subnormal = !(kept >> (precision - 1));
    unsigned largest = (1u << layout->exponent_bits) - 1;
    if (exponent > bias)
        assemble(format, value.negative, largest, (u128)1 << (precision - 1), slots);
    else
        assemble(format, value.negative, subnormal ? 0 : (unsigned)(exponent + bias), kept, slots);
}

void float_pack(enum ir_float format, struct unpacked value, uint64_t *slots) {
    const struct float_layout *layout = &float_layouts[format];
    unsigned largest = (1u << layout->exponent_bits) - 1, shift = 128 - (unsigned)layout->precision;
    if (value.unsupported) value = float_default_nan();
    switch (value.kind) {
    case FLOAT_ZERO: assemble(format, value.negative, 0, 0, slots); break;
    case FLOAT_FINITE: pack_finite(format, value, slots); break;
    case FLOAT_INFINITE: assemble(format, value.negative, largest, TOP_BIT >> shift, slots); break;
    case FLOAT_NAN:
        assemble(format, value.negative, largest, (value.significand | QUIET_BIT | TOP_BIT) >> shift, slots);
        break;
    }
}

// Returns the NaN of an operation of which at least one operand is a NaN. For equal significands libgcc takes the first
// one in sums and products, else the second.
static struct unpacked choose_nan(struct unpacked a, struct unpacked b, bool prefer_first) {
    if (a.unsupported || b.unsupported) return float_default_nan();
    if (b.kind != FLOAT_NAN) return a;
    if (a.kind != FLOAT_NAN) return b;
    if (a.significand == b.significand) return prefer_first ? a : b;
    return a.significand > b.significand ? a : b;
}

static bool any_nan(const struct unpacked *a, const struct unpacked *b) {
    return a->kind == FLOAT_NAN || b->kind == FLOAT_NAN;
}

struct unpacked soft_add(struct unpacked a, struct unpacked b, bool subtract) {
    if (any_nan(&a, &b)) return choose_nan(a, b, !subtract);
    b.negative ^= subtract;
    if (a.kind == FLOAT_INFINITE && b.kind == FLOAT_INFINITE)
        return a.negative == b.negative ? a : float_default_nan();
    if (a.kind == FLOAT_INFINITE) return a;
    if (b.kind == FLOAT_INFINITE) return b;
    if (a.kind == FLOAT_ZERO && b.kind == FLOAT_ZERO) return zero(a.negative && b.negative);
    if (b.kind == FLOAT_ZERO) return a;
    if (a.kind == FLOAT_ZERO) return b;
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) {
        struct unpacked swap = a;
        a = b;
        b = swap;
    }
    // One bit above is free for the carry. Jamming needs two free bits below; there are 14.
    u128 big = a.significand >> 1;
    u128 small = shift_right_jam(b.significand >> 1, (unsigned)(a.exponent - b.exponent));
    u128 sum = a.negative == b.negative ? big + small : big - small;
    if (sum == 0) return zero(false);
    return finite(a.negative, a.exponent + 1, sum);
}

struct u256 {
    u128 high, low;
};

static struct u256 multiply_256(u128 a, u128 b) {
    uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64), b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    u128 low = (u128)a0 * b0, middle = (u128)a1 * b0 + (uint64_t)(low >> 64);
    u128 cross = (u128)a0 * b1 + (uint64_t)middle;
    u128 high = (u128)a1 * b1 + (uint64_t)(middle >> 64) + (uint64_t)(cross >> 64);
    return (struct u256){high, cross << 64 | (uint64_t)low};
}

struct unpacked soft_multiply(struct unpacked a, struct unpacked b) {
    bool negative = a.negative != b.negative;
    if (any_nan(&a, &b)) return choose_nan(a, b, true);
    if (a.kind == FLOAT_INFINITE || b.kind == FLOAT_INFINITE) {
        if (a.kind == FLOAT_ZERO || b.kind == FLOAT_ZERO) return float_default_nan();
        return infinite(negative);
    }
    if (a.kind == FLOAT_ZERO || b.kind == FLOAT_ZERO) return zero(negative);
    struct u256 product = multiply_256(a.significand, b.significand);
    // A shift by one may follow: the jammed bit stays below the last place even then.
    return finite(negative, a.exponent + b.exponent + 1, product.high | (product.low != 0));
}

struct unpacked soft_divide(struct unpacked a, struct unpacked b) {
    bool negative = a.negative != b.negative;
    if (any_nan(&a, &b)) return choose_nan(a, b, false);
    if (a.kind == b.kind && a.kind != FLOAT_FINITE) return float_default_nan();
    if (a.kind == FLOAT_INFINITE || b.kind == FLOAT_ZERO) return infinite(negative);
    if (a.kind == FLOAT_ZERO || b.kind == FLOAT_INFINITE) return zero(negative);
    u128 rest = a.significand >> 1, divisor = b.significand >> 1, quotient = 0;
    for (int i = 0; i < 127; i++) { // the first bit has the weight 2^(a.exponent - b.exponent)
        quotient <<= 1;
        if (rest >= divisor) {
            rest -= divisor;
            quotient |= 1;
        }
        rest <<= 1;
    }
    return finite(negative, a.exponent - b.exponent + 1, quotient | (rest != 0));
}

struct unpacked soft_remainder(struct unpacked a, struct unpacked b) {
    if (any_nan(&a, &b)) return choose_nan(a, b, false);
    if (a.kind == FLOAT_INFINITE || b.kind == FLOAT_ZERO) return float_default_nan();
    if (a.kind == FLOAT_ZERO || b.kind == FLOAT_INFINITE || a.exponent < b.exponent) return a;
    // Significands have at most 113 bits: without their lowest bit nothing is lost.
    u128 rest = a.significand >> 1, divisor = b.significand >> 1;
    for (int i = a.exponent - b.exponent;; i--) {
        if (rest >= divisor) rest -= divisor;
        if (rest == 0) return zero(a.negative);
        if (i == 0) break;
        rest <<= 1;
    }
    return finite(a.negative, b.exponent + 1, rest);
}

struct unpacked soft_square_root(struct unpacked a) {
    if (a.kind == FLOAT_NAN || a.kind == FLOAT_ZERO) return a;
    if (a.negative) return float_default_nan();
    if (a.kind == FLOAT_INFINITE) return a;
    // Digit by digit, two bits of the radicand for each bit of the root. With an odd exponent the first digit
    // takes 2 bits before the point (1x), else one (01).
    bool odd = a.exponent & 1;
    u128 radicand = odd ? a.significand : a.significand >> 1, root = 0, rest = 0;
    for (int i = 0; i < 120; i++) {
        rest = rest << 2 | radicand >> 126;
        radicand <<= 2;
        u128 trial = root << 2 | 1;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    return finite(false, (a.exponent - odd) / 2, root << 8 | (rest != 0));
}

static struct u256 shift_right_jam_256(struct u256 a, unsigned amount) {
    if (amount == 0) return a;
    if (amount >= 256) return (struct u256){0, (a.high | a.low) != 0};
    if (amount >= 128) {
        bool lost = a.low != 0;
        a = (struct u256){0, shift_right_jam(a.high, amount - 128)};
        a.low |= lost;
        return a;
    }
    bool lost = a.low << (128 - amount) != 0;
    return (struct u256){a.high >> amount, a.high << (128 - amount) | a.low >> amount | lost};
}

static struct unpacked finite_256(bool negative, int exponent, struct u256 a) {
    if (a.high == 0) return finite(negative, exponent - 128, a.low);
    unsigned shift = leading_zeros_128(a.high);
    if (shift) a = (struct u256){a.high << shift | a.low >> (128 - shift), a.low << shift};
    return finite(negative, exponent - (int)shift, a.high | (a.low != 0));
}

struct unpacked soft_multiply_add(struct unpacked a, struct unpacked b, struct unpacked c) {
    assert(a.kind < FLOAT_INFINITE && b.kind < FLOAT_INFINITE && c.kind < FLOAT_INFINITE);
    bool negative = a.negative != b.negative;
    if (a.kind == FLOAT_ZERO || b.kind == FLOAT_ZERO) return soft_add(zero(negative), c, false);
    struct u256 x = multiply_256(a.significand, b.significand);
    int exponent = a.exponent + b.exponent + 1; // exponent of bit 255
    if (c.kind == FLOAT_ZERO) return finite_256(negative, exponent, x);
    // Shift both by one bit, to make space for the carry. The product has at most 226 bits, so nothing is lost.
    x = (struct u256){x.high >> 1, x.high << 127 | x.low >> 1};
    struct u256 y = {c.significand >> 1, c.significand << 127};
    int difference = exponent - c.exponent;
    if (difference >= 0)
        y = shift_right_jam_256(y, (unsigned)difference);
    else
        x = shift_right_jam_256(x, (unsigned)-difference);
    exponent = MAX(exponent, c.exponent) + 1;
    struct u256 sum;
    if (negative == c.negative) {
        sum.low = x.low + y.low;
        sum.high = x.high + y.high + (sum.low < x.low);
    } else {
        if (x.high < y.high || (x.high == y.high && x.low < y.low)) {
            struct u256 swap = x;
            x = y;
            y = swap;
            negative = c.negative;
        }
        sum.low = x.low - y.low;
        sum.high = x.high - y.high - (x.low < y.low);
        if (sum.high == 0 && sum.low == 0) return zero(false);
    }
    return finite_256(negative, exponent, sum);
}

// Whether the magnitude is rounded up. `odd`: the last bit of its integral part; `fraction`: the bits after the point,
// aligned to the top, jammed.
static bool rounds_up(enum ir_fn fn, bool negative, bool odd, u128 fraction) {
    switch (fn) {
    case IR_FN_FFLOOR: return negative && fraction != 0;
    case IR_FN_FCEIL: return !negative && fraction != 0;
    case IR_FN_FTRUNC: return false;
    case IR_FN_FROUND: return fraction >= TOP_BIT;
    default:
        assert(fn == IR_FN_FRINT || fn == IR_FN_FNEARBYINT || fn == IR_FN_FROUNDEVEN);
        return fraction > TOP_BIT || (fraction == TOP_BIT && odd);
    }
}

struct unpacked soft_to_integral(enum ir_fn fn, struct unpacked a) {
    if (a.kind != FLOAT_FINITE || a.exponent >= 127) return a;
    u128 integral = 0, fraction;
    if (a.exponent < 0) {
        fraction = shift_right_jam(a.significand, (unsigned)(-1 - a.exponent));
    } else {
        integral = a.significand >> (127 - a.exponent);
        fraction = a.significand << (a.exponent + 1);
    }
    if (rounds_up(fn, a.negative, integral & 1, fraction)) integral++;
    return integral ? finite(a.negative, 127, integral) : zero(a.negative);
}

unsigned soft_compare(struct unpacked a, struct unpacked b) {
    if (any_nan(&a, &b)) return FLOAT_UNORDERED;
    if (a.kind == FLOAT_ZERO && b.kind == FLOAT_ZERO) return FLOAT_EQUAL;
    // A zero is ordered as if it had the other's sign: below any magnitude.
    bool negative = a.kind == FLOAT_ZERO ? b.negative : a.negative;
    if (a.kind != FLOAT_ZERO && b.kind != FLOAT_ZERO && a.negative != b.negative)
        return a.negative ? FLOAT_LESS : FLOAT_GREATER;
    int order = (a.kind > b.kind) - (a.kind < b.kind);
    if (order == 0 && a.kind == FLOAT_FINITE) {
        order = (a.exponent > b.exponent) - (a.exponent < b.exponent);
        if (order == 0) order = (a.significand > b.significand) - (a.significand < b.significand);
    }
    if (order == 0) return FLOAT_EQUAL;
    return (order < 0) != negative ? FLOAT_LESS : FLOAT_GREATER;
}
