// Conversions between float formats and between floats and integers. In range there is one correct result. Out of range
// C defines none, and results are those of the instructions, of libgcc or of clang's own expansion.
#include "vm/numeric_float.h"

#include <string.h>

void float_convert(enum ir_float from, enum ir_float to, uint64_t *dst, const uint64_t *a) {
    assert(from < IR_FLOAT_COUNT && to < IR_FLOAT_COUNT);
    if (from == to)
        memmove(dst, a, ir_slots(ir_float_width(from)) * 8);
    else if (from == IR_F64 && to == IR_F32)
        *dst = float_bits((float)as_double(*a));
    else if (from == IR_F32 && to == IR_F64)
        *dst = double_bits(as_float(*a));
    else if (from == IR_BF16 && to == IR_F32)
        *dst = *a << 16; // the one conversion that does not change a signaling NaN
    else
        float_pack(to, float_unpack(from, a), dst);
}

// ---- floats to integers

// The "integer indefinite" of a conversion instruction with a target of `width` bits.
static uint64_t indefinite(unsigned width) { return (uint64_t)1 << (width - 1); }

// cvttsd2si and its like: truncate to a signed integer of `width` bits.
static uint64_t truncate_double(double a, unsigned width) {
    double limit = width == 64 ? 0x1p63 : 0x1p31;
    if (width == 64 ? a >= -limit && a < limit : a > -limit - 1 && a < limit) return (uint64_t)(int64_t)a;
    return indefinite(width);
}

// Truncates the magnitude of a finite value to an integer. Returns false if it takes more than 64 bits.
static bool magnitude_64(const struct unpacked *value, uint64_t *magnitude) {
    *magnitude = 0;
    if (value->kind == FLOAT_ZERO || (value->kind == FLOAT_FINITE && value->exponent < 0)) return true;
    if (value->kind != FLOAT_FINITE || value->exponent > 63) return false;
    *magnitude = (uint64_t)(value->significand >> (127 - value->exponent));
    return true;
}

// fistp with truncation.
static uint64_t truncate_x87(struct unpacked value, unsigned width) {
    uint64_t magnitude;
    if (!magnitude_64(&value, &magnitude)) return indefinite(width);
    uint64_t limit = indefinite(width) - !value.negative;
    if (magnitude > limit) return indefinite(width);
    return value.negative ? -magnitude : magnitude;
}

// Returns the width of the instruction that converts to `width` bits. Unsigned integers take the next wider signed one.
static unsigned instruction_width(unsigned width, bool is_signed) {
    return width < 32 || (width == 32 && is_signed) ? 32 : 64;
}

static uint64_t small_from_double(bool is_signed, unsigned width, double a) {
    if (is_signed || width < 64) return truncate_double(a, instruction_width(width, is_signed));
    uint64_t low = truncate_double(a, 64), high = truncate_double(a - 0x1p63, 64);
    return low >> 63 ? low | high : low;
}

static uint64_t small_from_x87(bool is_signed, unsigned width, const uint64_t *a) {
    struct unpacked value = float_unpack(IR_F80, a);
    if (width < 16 || (width == 16 && is_signed)) return truncate_x87(value, 16);
    if (is_signed || width < 64) return truncate_x87(value, instruction_width(width, is_signed));
    uint64_t limit[2] = {(uint64_t)1 << 63, 0x3fff + 63};
    struct unpacked half = float_unpack(IR_F80, limit);
    if (soft_compare(value, half) == FLOAT_LESS) return truncate_x87(value, 64);
    long double rest = as_x87(a) - as_x87(limit);
    uint64_t slots[2];
    store_x87(slots, rest);
    return truncate_x87(float_unpack(IR_F80, slots), 64) ^ (uint64_t)1 << 63;
}

// libgcc's __fixtfsi and its like saturate; a NaN is treated as an infinity of its sign.
CONVERTS_OUT_OF_RANGE
static uint64_t small_from_quad(bool is_signed, unsigned width, const uint64_t *a) {
    __float128 value;
    memcpy(&value, a, 16);
    if (instruction_width(width, true) == 32)
        return is_signed || width < 32 ? (uint64_t)(int32_t)value : (uint32_t)value;
    return is_signed || width < 64 ? (uint64_t)(int64_t)value : (uint64_t)value;
}

// Converts to 65 to 128 bits by the same functions of libgcc that native code calls.
#define CAST_128(value) (is_signed ? (u128)(i128)(value) : (u128)(value))
CONVERTS_OUT_OF_RANGE
static u128 middle_from_float(bool is_signed, enum ir_float format, const uint64_t *a) {
    uint64_t widened;
    _Float16 half;
    __float128 quad;
    switch (format) {
    case IR_F16: memcpy(&half, a, 2); return CAST_128(half);
    case IR_BF16: float_convert(IR_BF16, IR_F32, &widened, a); return CAST_128(as_float(widened));
    case IR_F32: return CAST_128(as_float(*a));
    case IR_F64: return CAST_128(as_double(*a));
    case IR_F80: return CAST_128(as_x87(a));
    default: memcpy(&quad, a, 16); return CAST_128(quad);
    }
}

// Truncates the magnitude of a finite value to an integer of `slots` slots, which must be able to hold it.
static void store_magnitude(const struct unpacked *value, unsigned slots, uint64_t *dst) {
    memset(dst, 0, slots * 8);
    if (value->kind == FLOAT_ZERO || value->exponent < 0) return;
    assert((unsigned)value->exponent < slots * 64);
    unsigned shift = value->exponent > 127 ? (unsigned)value->exponent - 127 : 0;
    u128 top = value->significand >> (value->exponent < 127 ? 127 - value->exponent : 0);
    dst[0] = (uint64_t)top;
    if (slots > 1) dst[1] = (uint64_t)(top >> 64);
    int_shift_left(dst, dst, slots, shift);
}

static void store_limit(bool is_signed, bool negative, unsigned width, uint64_t *dst) {
    memset(dst, 0, ir_slots(width) * 8);
    if (negative) {
        if (is_signed) dst[(width - 1) / 64] = (uint64_t)1 << (width - 1) % 64;
        return;
    }
    for (unsigned i = 0; i < width - is_signed; i++) dst[i / 64] |= (uint64_t)1 << i % 64;
}

// Whether the value fits after truncation. The lowest signed integer counts as too low: it saturates to the same value.
static bool fits(bool is_signed, unsigned width, const struct unpacked *value) {
    if (value->kind == FLOAT_ZERO) return true;
    if (value->kind != FLOAT_FINITE) return false;
    int top = value->exponent; // exponent of the magnitude's highest bit
    if (top < 0) return true;
    return is_signed ? top < (int)width - 1 : !value->negative && top < (int)width;
}

static void store_integer(const struct unpacked *value, unsigned width, uint64_t *dst) {
    store_magnitude(value, ir_slots(width), dst);
    if (value->negative) int_negate(dst, dst, width);
}

static void saturate(bool is_signed, unsigned width, struct unpacked value, uint64_t *dst) {
    if (value.kind == FLOAT_NAN)
        memset(dst, 0, ir_slots(width) * 8);
    else if (fits(is_signed, width, &value))
        store_integer(&value, width, dst);
    else
        store_limit(is_signed, value.negative, width, dst);
}

static uint64_t small_from_float(bool is_signed, enum ir_float format, unsigned width, const uint64_t *a) {
    uint64_t widened;
    switch (format) {
    case IR_F64: return small_from_double(is_signed, width, as_double(*a));
    case IR_F32: return small_from_double(is_signed, width, as_float(*a));
    case IR_F80: return small_from_x87(is_signed, width, a);
    case IR_F128: return small_from_quad(is_signed, width, a);
    default:
        float_convert(format, IR_F32, &widened, a);
        return small_from_double(is_signed, width, as_float(widened));
    }
}

// Converts to more than 128 bits as clang's expansion does: signed and unsigned conversions saturate as signed numbers.
// Infinities and NaNs are treated as numbers with the largest exponent. A half is converted to 32 bits first, x87 to
// quad.
static void large_from_float(bool is_signed, enum ir_float format, unsigned width, uint64_t *dst,
                             const uint64_t *a) {
    if (format == IR_F16) {
        uint64_t small = small_from_float(is_signed, format, 32, a) & mask_bits(32);
        int_evaluate(is_signed ? IR_FN_SEXT : IR_FN_ZEXT, 32, width, dst, &small, NULL, NULL);
        return;
    }
    struct unpacked value = float_unpack(format, a);
    if (value.kind == FLOAT_INFINITE) value.significand = TOP_BIT;
    if (value.kind == FLOAT_NAN && format == IR_F80) value.significand |= QUIET_BIT;
    if (value.kind >= FLOAT_INFINITE) value.exponent = 1 << (float_layouts[format].exponent_bits - 1);
    if (value.kind == FLOAT_ZERO || value.exponent < (int)width)
        store_integer(&value, width, dst);
    else
        store_limit(true, value.negative, width, dst);
}

void float_to_int(enum ir_fn fn, enum ir_float format, unsigned width, uint64_t *dst, const uint64_t *a) {
    bool is_signed = fn == IR_FN_FTO_SINT || fn == IR_FN_FTO_SINT_SAT;
    assert(width >= 1 && width <= 65535);
    if (fn == IR_FN_FTO_SINT_SAT || fn == IR_FN_FTO_UINT_SAT)
        saturate(is_signed, width, float_unpack(format, a), dst);
    else if (width <= 64)
        *dst = small_from_float(is_signed, format, width, a) & mask_bits(width);
    else if (width <= 128)
        store_128(dst, middle_from_float(is_signed, format, a), width);
    else
        large_from_float(is_signed, format, width, dst, a);
}

// ---- integers to floats

static struct unpacked unpack_integer(bool is_signed, unsigned width, const uint64_t *a) {
    uint64_t magnitude[INT_MAX_SLOTS];
    struct unpacked result = {.kind = FLOAT_ZERO};
    unsigned slots = ir_slots(width);
    result.negative = is_signed && int_bit(a, width - 1);
    if (result.negative)
        int_negate(magnitude, a, width);
    else
        memcpy(magnitude, a, slots * 8);
    unsigned length = int_bit_length(magnitude, slots);
    if (length == 0) return result;
    bool lost = false;
    if (length > 128) {
        for (unsigned i = 0; i < length - 128 && !lost; i++) lost = int_bit(magnitude, i);
        int_shift_right(magnitude, magnitude, slots, length - 128);
    }
    u128 top = magnitude[0];
    if (slots > 1) top |= (u128)magnitude[1] << 64;
    result.kind = FLOAT_FINITE;
    result.exponent = (int)length - 1;
    result.significand = (length < 128 ? top << (128 - length) : top) | lost;
    return result;
}

// Converts from more than 128 bits as clang's expansion does, which does not check whether the exponent fits: it
// overflows into the sign, which is then or-ed in.
static void expand_large(enum ir_float format, struct unpacked value, bool top_bit, uint64_t *dst) {
    unsigned width = ir_float_width(format);
    int exponent = value.exponent, fraction_bits = float_layouts[format].precision - 1;
    bool negative = format == IR_F128 ? top_bit : value.negative;
    value.exponent = 0;
    value.negative = false;
    float_pack(format, value, dst);
    u128 raw = load_128(dst, width) + ((u128)(unsigned)exponent << fraction_bits);
    store_128(dst, raw | (u128)negative << (width - 1), width);
}

void float_from_int(bool is_signed, enum ir_float format, unsigned width, uint64_t *dst, const uint64_t *a) {
    assert(width >= 1 && width <= 65535);
    if (width <= 64 && format == IR_F64) {
        *dst = double_bits(is_signed ? (double)sign_extend(*a, width) : (double)*a);
        return;
    }
    if (width <= 64 && format == IR_F32) {
        *dst = float_bits(is_signed ? (float)sign_extend(*a, width) : (float)*a);
        return;
    }
    struct unpacked value = unpack_integer(is_signed, width, a);
    // clang converts through another format, and rounds twice.
    enum ir_float between = format;
    if (format == IR_BF16 || format == IR_F16) between = IR_F32;
    if (format == IR_F80 && width > 128) between = IR_F128;
    uint64_t rounded[2];
    if (width <= 128 || value.kind == FLOAT_ZERO)
        float_pack(between, value, rounded);
    else
        expand_large(between, value, int_bit(a, width - 1), rounded);
    float_convert(between, format, dst, rounded);
}
