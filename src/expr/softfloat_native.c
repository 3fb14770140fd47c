// Operations that the host computes exactly as softfloat.c does: float, double and x87 floats to nearest even, without
// NaNs; conversions among them and from integers; truncation to integers. Local search needs evaluation in nanoseconds.
#include "expr/softfloat.h"

#include <math.h>
#include <string.h>

#define NATIVE(type, word, root)                                                                             \
    static bool native_##type(enum kind kind, const uint64_t *const *args, unsigned arity,                   \
                              uint64_t *result) {                                                            \
        type x = 0, y = 0, r;                                                                                \
        word in = (word)args[0][0], out;                                                                     \
        memcpy(&x, &in, sizeof x);                                                                           \
        if (arity > 1) {                                                                                     \
            in = (word)args[1][0];                                                                           \
            memcpy(&y, &in, sizeof y);                                                                       \
        }                                                                                                    \
        if (isnan(x) || isnan(y)) return false;                                                              \
        switch (kind) {                                                                                      \
        case KIND_FP_ADD: r = x + y; break;                                                                  \
        case KIND_FP_SUB: r = x - y; break;                                                                  \
        case KIND_FP_MUL: r = x * y; break;                                                                  \
        case KIND_FP_DIV: r = x / y; break;                                                                  \
        case KIND_FP_SQRT: r = root(x); break;                                                               \
        case KIND_FP_EQ: result[0] = x == y; return true;                                                    \
        case KIND_FP_LT: result[0] = x < y; return true;                                                     \
        case KIND_FP_LE: result[0] = x <= y; return true;                                                    \
        default: return false;                                                                               \
        }                                                                                                    \
        if (isnan(r)) return false;                                                                          \
        memcpy(&out, &r, sizeof r);                                                                          \
        result[0] = out;                                                                                     \
        return true;                                                                                         \
    }

NATIVE(float, uint32_t, sqrtf)
NATIVE(double, uint64_t, sqrt)

// Loads a pattern whose integer bit fits its exponent.
static bool load_x87(const uint64_t *bits, long double *x) {
    *x = 0;
    memcpy(x, bits, 10);
    return !((bits[1] & 0x7fff) && !(bits[0] >> 63)) && !isnan(*x);
}

static bool store_x87(long double x, uint64_t *bits) {
    if (isnan(x)) return false;
    bits[1] = 0;
    memcpy(bits, &x, 10);
    return true;
}

static bool native_x87(enum kind kind, const uint64_t *const *args, unsigned arity, uint64_t *result) {
    long double x, y = 0;
    if (!load_x87(args[0], &x) || (arity > 1 && !load_x87(args[1], &y))) return false;
    switch (kind) {
    case KIND_FP_ADD: return store_x87(x + y, result);
    case KIND_FP_SUB: return store_x87(x - y, result);
    case KIND_FP_MUL: return store_x87(x * y, result);
    case KIND_FP_DIV: return store_x87(x / y, result);
    case KIND_FP_SQRT: return store_x87(sqrtl(x), result);
    case KIND_FP_EQ: result[0] = x == y; return true;
    case KIND_FP_LT: result[0] = x < y; return true;
    case KIND_FP_LE: result[0] = x <= y; return true;
    default: return false;
    }
}

bool fp_native(struct shape shape, const uint64_t *const *args, uint64_t *result) {
    if (shape.rounding != FP_NEAREST_EVEN) return false;
    unsigned arity = kind_infos[shape.kind].arity;
    if (shape.format == FP_DOUBLE) return native_double((enum kind)shape.kind, args, arity, result);
    if (shape.format == FP_SINGLE) return native_float((enum kind)shape.kind, args, arity, result);
    if (shape.format == FP_X87) return native_x87((enum kind)shape.kind, args, arity, result);
    return false;
}

// ---- Conversions

// The value of a pattern as a long double, exact for all three formats. False for NaNs and other formats.
static bool load(fp_format format, const uint64_t *bits, long double *x) {
    if (format == FP_X87) return load_x87(bits, x);
    if (format == FP_DOUBLE) {
        double value;
        memcpy(&value, bits, 8);
        *x = value;
    } else if (format == FP_SINGLE) {
        float value;
        memcpy(&value, bits, 4);
        *x = value;
    } else {
        return false;
    }
    return !isnan(*x);
}

static bool store(fp_format format, long double x, uint64_t *bits) {
    if (format == FP_X87) return store_x87(x, bits);
    bits[0] = 0;
    if (format == FP_DOUBLE) {
        double value = (double)x;
        memcpy(bits, &value, 8);
    } else if (format == FP_SINGLE) {
        float value = (float)x;
        memcpy(bits, &value, 4);
    } else {
        return false;
    }
    return true;
}

// 64 bits fit into the x87's significand: exact, then rounded once.
static bool from_integer(struct shape shape, unsigned width, const uint64_t *arg, uint64_t *result) {
    if (width > 64) return false;
    bool is_signed = shape.kind == KIND_SINT_TO_FP;
    long double x = is_signed ? (long double)sign_extend(arg[0], width) : (long double)arg[0];
    return store(shape.format, x, result);
}

static bool to_integer(struct shape shape, long double x, uint64_t *result) {
    if (shape.rounding != FP_TOWARD_ZERO || shape.width > 62 ||
        !(x > -4611686018427387904.0L && x < 4611686018427387904.0L))
        return false;
    int64_t value = (int64_t)x;
    bool is_signed = shape.kind == KIND_FP_TO_SINT;
    int64_t least = is_signed ? -((int64_t)1 << (shape.width - 1)) : 0;
    int64_t most = ((int64_t)1 << (shape.width - is_signed)) - 1;
    if (value < least || value > most) return false;
    result[0] = (uint64_t)value & mask_bits(shape.width);
    return true;
}

bool fp_native_convert(struct shape shape, unsigned width, const uint64_t *arg, uint64_t *result) {
    long double x;
    bool nearest = shape.rounding == FP_NEAREST_EVEN;
    if (shape.kind == KIND_SINT_TO_FP || shape.kind == KIND_UINT_TO_FP)
        return nearest && from_integer(shape, width, arg, result);
    if (!load(shape.source, arg, &x)) return false;
    // Conversions to the same format are left out: no instruction normalises x87 pseudo-denormals as softfloat.c does.
    if (shape.kind == KIND_FP_TO_FP)
        return nearest && shape.format != shape.source && store(shape.format, x, result);
    return to_integer(shape, x, result);
}
