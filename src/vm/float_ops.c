// Arithmetic of floats. float and double are computed by the host; so are x87 floats if one instruction computes the
// function. Half and bfloat are computed in float and rounded back, as clang does without AVX512-FP16. Quad and
// functions without an instruction are computed in software. Results that C leaves to the implementation (which NaN,
// which zero) follow x86-64's instructions and, where clang calls the library, musl.
#include "vm/numeric_float.h"

#include <math.h>

// SSE's rule: the first operand that is a NaN, made quiet, else the default NaN. Written out, since the
// compiler may exchange the operands of a sum.
static float nan_float(float a, float b) {
    if (a != a) return as_float(float_bits(a) | 1u << 22);
    if (b != b) return as_float(float_bits(b) | 1u << 22);
    return as_float(0xffc00000u);
}
static double nan_double(double a, double b) {
    if (a != a) return as_double(double_bits(a) | 1ull << 51);
    if (b != b) return as_double(double_bits(b) | 1ull << 51);
    return as_double(0xfff8ull << 48);
}

// musl's fma: factors that are not finite are multiplied and added as usual. After finite factors, an addend that is
// not finite is returned as it is; but fmaf, which computes in double, makes a NaN quiet.
#define DEFINE_MULTIPLY_ADD(type, FMA)                                                                       \
    static type multiply_add_##type(type a, type b, type c) {                                                \
        if (isfinite(a) && isfinite(b)) {                                                                    \
            if (isfinite(c)) return FMA(a, b, c);                                                            \
            if (sizeof(type) == 4) return c == c ? c : nan_##type(c, c);                                     \
            if (a != 0 && b != 0) return c;                                                                  \
        }                                                                                                    \
        type product = a * b, sum;                                                                           \
        if (product != product) product = nan_##type(a, b);                                                  \
        sum = product + c;                                                                                   \
        return sum == sum ? sum : nan_##type(product, c);                                                    \
    }
DEFINE_MULTIPLY_ADD(float, fmaf)
DEFINE_MULTIPLY_ADD(double, fma)

// clang's code for llvm.minnum: minsd returns its second operand if neither is less.
#define DEFINE_ARITHMETIC(type)                                                                              \
    static type pick_##type(enum ir_fn fn, type a, type b) {                                                 \
        bool minimum = fn == IR_FN_FMINNUM || fn == IR_FN_FMINIMUM;                                          \
        if (fn == IR_FN_FMINNUM || fn == IR_FN_FMAXNUM) {                                                    \
            if (a != a) return b;                                                                            \
            return (minimum ? b < a : b > a) ? b : a;                                                        \
        }                                                                                                    \
        if (a != a || b != b) return nan_##type(a, b);                                                       \
        if (a == b) return (signbit(a) != 0) == minimum ? a : b;                                             \
        return (a < b) == minimum ? a : b;                                                                   \
    }                                                                                                        \
                                                                                                             \
    static type arithmetic_##type(enum ir_fn fn, type a, type b, type c, type (*remainder)(type, type),      \
                                  type (*root)(type)) {                                                      \
        type result;                                                                                         \
        switch (fn) {                                                                                        \
        case IR_FN_FADD: result = a + b; break;                                                              \
        case IR_FN_FSUB: result = a - b; break;                                                              \
        case IR_FN_FMUL: result = a * b; break;                                                              \
        case IR_FN_FDIV: result = a / b; break;                                                              \
        case IR_FN_FREM: result = remainder(a, b); break;                                                    \
        case IR_FN_FSQRT: result = root(a); break;                                                           \
        case IR_FN_FMA: return multiply_add_##type(a, b, c);                                                 \
        default: return pick_##type(fn, a, b);                                                               \
        }                                                                                                    \
        return LIKELY(result == result) ? result : nan_##type(a, fn == IR_FN_FSQRT ? a : b);                 \
    }
DEFINE_ARITHMETIC(float)
DEFINE_ARITHMETIC(double)

static float root_float(float a) { return __builtin_sqrtf(a); }
static double root_double(double a) { return __builtin_sqrt(a); }

static float evaluate_float(enum ir_fn fn, float a, float b, float c) {
    return arithmetic_float(fn, a, b, c, fmodf, root_float);
}
static double evaluate_double(enum ir_fn fn, double a, double b, double c) {
    return arithmetic_double(fn, a, b, c, fmod, root_double);
}

// The library's fmin and fmax: a NaN loses, and -0 is less than 0.
static bool library_picks_first(enum ir_fn fn, const struct unpacked *a, const struct unpacked *b) {
    if (a->kind == FLOAT_NAN) return false;
    if (b->kind == FLOAT_NAN) return true;
    if (a->negative != b->negative) return a->negative == (fn == IR_FN_FMINNUM);
    unsigned order = soft_compare(*a, *b);
    return order == (fn == IR_FN_FMINNUM ? FLOAT_LESS : FLOAT_GREATER);
}

static void copy_slots(enum ir_float format, uint64_t *dst, const uint64_t *a) {
    __builtin_memmove(dst, a, ir_slots(ir_float_width(format)) * 8);
}

static struct unpacked multiply_add_soft(struct unpacked a, struct unpacked b, struct unpacked c) {
    if (a.kind >= FLOAT_INFINITE || b.kind >= FLOAT_INFINITE || c.kind >= FLOAT_INFINITE)
        return soft_add(soft_multiply(a, b), c, false);
    return soft_multiply_add(a, b, c);
}

static struct unpacked minimum_soft(enum ir_fn fn, struct unpacked a, struct unpacked b) {
    if (a.kind == FLOAT_NAN || b.kind == FLOAT_NAN) return soft_add(a, b, false);
    unsigned order = soft_compare(a, b);
    bool minimum = fn == IR_FN_FMINIMUM;
    if (order == FLOAT_EQUAL) return a.negative == minimum ? a : b;
    return (order == FLOAT_LESS) == minimum ? a : b;
}

static void evaluate_soft(enum ir_fn fn, enum ir_float format, uint64_t *dst, const uint64_t *a,
                          const uint64_t *b, const uint64_t *c) {
    struct unpacked x = float_unpack(format, a), result;
    struct unpacked y = ir_fn_info[fn].arity > 1 ? float_unpack(format, b) : x;
    switch (fn) {
    case IR_FN_FADD: result = soft_add(x, y, false); break;
    case IR_FN_FSUB: result = soft_add(x, y, true); break;
    case IR_FN_FMUL: result = soft_multiply(x, y); break;
    case IR_FN_FDIV: result = soft_divide(x, y); break;
    case IR_FN_FREM: result = soft_remainder(x, y); break;
    case IR_FN_FSQRT: result = soft_square_root(x); break;
    case IR_FN_FMA: result = multiply_add_soft(x, y, float_unpack(format, c)); break;
    case IR_FN_FMINIMUM:
    case IR_FN_FMAXIMUM: result = minimum_soft(fn, x, y); break;
    default:
        assert(fn == IR_FN_FMINNUM || fn == IR_FN_FMAXNUM);
        copy_slots(format, dst, library_picks_first(fn, &x, &y) ? a : b);
        return;
    }
    float_pack(format, result, dst);
}

// Evaluates functions that the x87 has as one instruction. Returns false for others.
static bool evaluate_x87(enum ir_fn fn, uint64_t *dst, const uint64_t *a, const uint64_t *b,
                         const uint64_t *c) {
    long double x = as_x87(a), y = ir_fn_info[fn].arity > 1 ? as_x87(b) : x;
    switch (fn) {
    case IR_FN_FADD: store_x87(dst, x + y); return true;
    case IR_FN_FSUB: store_x87(dst, x - y); return true;
    case IR_FN_FMUL: store_x87(dst, x * y); return true;
    case IR_FN_FDIV: store_x87(dst, x / y); return true;
    case IR_FN_FSQRT: store_x87(dst, __builtin_sqrtl(x)); return true;
    case IR_FN_FREM: // finite operands: in software; else as musl does
        if (isfinite(x) && y == y && y != 0) return false;
        store_x87(dst, (x * y) / (x * y));
        return true;
    case IR_FN_FMA: // likewise
        if (isfinite(x) && isfinite(y)) {
            if (isfinite(as_x87(c))) return false;
            copy_slots(IR_F80, dst, c);
            return true;
        }
        store_x87(dst, x * y + as_x87(c));
        return true;
    default: return false;
    }
}

static void evaluate_as_float(enum ir_fn fn, enum ir_float format, uint64_t *dst, const uint64_t *a,
                              const uint64_t *b, const uint64_t *c) {
    uint64_t x[1], y[1] = {0}, z[1] = {0}, result[1];
    unsigned arity = ir_fn_info[fn].arity;
    float_convert(format, IR_F32, x, a);
    if (arity > 1) float_convert(format, IR_F32, y, b);
    if (arity > 2) float_convert(format, IR_F32, z, c);
    if (fn == IR_FN_FMINNUM || fn == IR_FN_FMAXNUM)
        evaluate_soft(fn, IR_F32, result, x, y, z); // a call of fminf
    else
        result[0] = float_bits(evaluate_float(fn, as_float(*x), as_float(*y), as_float(*z)));
    float_convert(IR_F32, format, dst, result);
}

static void arithmetic(enum ir_fn fn, enum ir_float format, uint64_t *dst, const uint64_t *a,
                       const uint64_t *b, const uint64_t *c) {
    unsigned arity = ir_fn_info[fn].arity;
    if (LIKELY(format == IR_F64)) {
        double y = arity > 1 ? as_double(*b) : 0, z = arity > 2 ? as_double(*c) : 0;
        *dst = double_bits(evaluate_double(fn, as_double(*a), y, z));
    } else if (format == IR_F32) {
        float y = arity > 1 ? as_float(*b) : 0, z = arity > 2 ? as_float(*c) : 0;
        *dst = float_bits(evaluate_float(fn, as_float(*a), y, z));
    } else if (format == IR_F16 || format == IR_BF16) {
        evaluate_as_float(fn, format, dst, a, b, c);
    } else if (format != IR_F80 || !evaluate_x87(fn, dst, a, b, c)) {
        evaluate_soft(fn, format, dst, a, b, c);
    }
}

static double to_integral_double(enum ir_fn fn, double a) {
    switch (fn) {
    case IR_FN_FFLOOR: return floor(a);
    case IR_FN_FCEIL: return ceil(a);
    case IR_FN_FTRUNC: return trunc(a);
    case IR_FN_FROUND: return round(a);
    default: return rint(a);
    }
}

// A NaN is returned unchanged, as by musl. Half and bfloat pass through float, and rounding back makes a NaN quiet.
static void to_integral(enum ir_fn fn, enum ir_float format, uint64_t *dst, const uint64_t *a) {
    double value = format == IR_F64 ? as_double(*a) : format == IR_F32 ? as_float(*a) : 0;
    if (format == IR_F64) {
        *dst = value == value ? double_bits(to_integral_double(fn, value)) : *a;
    } else if (format == IR_F32) { // exact: the integers next to a float are floats
        *dst = value == value ? float_bits((float)to_integral_double(fn, value)) : *a;
    } else {
        struct unpacked unpacked = float_unpack(format, a);
        if (unpacked.kind == FLOAT_NAN && format != IR_F16 && format != IR_BF16)
            copy_slots(format, dst, a);
        else
            float_pack(format, soft_to_integral(fn, unpacked), dst);
    }
}

static void load_exponent(enum ir_float format, unsigned width, uint64_t *dst, const uint64_t *a,
                          const uint64_t *b) {
    struct unpacked value = float_unpack(format, a);
    if (width == 0) width = 32;
    assert(width <= 64);
    int64_t amount = sign_extend(*b & mask_bits(width), width);
    // The bound exceeds every format's exponents, and the sum cannot overflow an int.
    if (value.kind == FLOAT_FINITE) value.exponent += (int)MAX(MIN(amount, 100000), -100000);
    float_pack(format, value, dst);
}

// Sign manipulations are bitwise, also for NaNs. But half and bfloat are negated as floats, and rounding back makes a
// NaN quiet.
static void change_sign(enum ir_fn fn, enum ir_float format, uint64_t *dst, const uint64_t *a,
                        const uint64_t *b) {
    unsigned bit = ir_float_width(format) - 1;
    uint64_t sign = (uint64_t)1 << bit % 64, other = fn == IR_FN_FCOPYSIGN ? b[bit / 64] & sign : 0;
    copy_slots(format, dst, a);
    if (fn == IR_FN_FNEG)
        dst[bit / 64] ^= sign;
    else
        dst[bit / 64] = (dst[bit / 64] & ~sign) | other;
    if ((format == IR_F16 || format == IR_BF16) && fn != IR_FN_FCOPYSIGN) {
        struct unpacked value = float_unpack(format, dst);
        if (value.kind == FLOAT_NAN) float_pack(format, value, dst);
    }
}

static bool compare(enum ir_float format, unsigned predicate, const uint64_t *a, const uint64_t *b) {
    assert(predicate <= 15);
    unsigned relation;
    if (format == IR_F64 || format == IR_F32) {
        double x = format == IR_F64 ? as_double(*a) : as_float(*a);
        double y = format == IR_F64 ? as_double(*b) : as_float(*b);
        relation = x == y ? FLOAT_EQUAL : x < y ? FLOAT_LESS : x > y ? FLOAT_GREATER : FLOAT_UNORDERED;
    } else if (format == IR_F80) {
        long double x = as_x87(a), y = as_x87(b);
        relation = x == y ? FLOAT_EQUAL : x < y ? FLOAT_LESS : x > y ? FLOAT_GREATER : FLOAT_UNORDERED;
    } else {
        relation = soft_compare(float_unpack(format, a), float_unpack(format, b));
    }
    return predicate & relation;
}

// LLVM's classes: signaling and quiet NaN, then -inf, -normal, -subnormal, -0, and the positive ones upwards.
static unsigned class_of(enum ir_float format, const struct unpacked *value) {
    int smallest = 2 - (1 << (float_layouts[format].exponent_bits - 1)); // exponent of a normal number
    switch (value->kind) {
    case FLOAT_NAN: return float_is_signaling(value) ? 0 : 1;
    case FLOAT_INFINITE: return value->negative ? 2 : 9;
    case FLOAT_FINITE:
        if (value->exponent >= smallest) return value->negative ? 3 : 8;
        return value->negative ? 4 : 7;
    default: return value->negative ? 5 : 6;
    }
}

static bool is_class(enum ir_float format, unsigned mask, const uint64_t *a) {
    struct unpacked value = float_unpack(format, a);
    // Follows clang's bit tests for encodings that no x87 instruction produces. Unsupported encodings are in no class,
    // but count as NaN if the mask has all NaNs. Encodings with the integer bit set and a zero exponent count as finite
    // if the mask has all finite classes of that sign.
    if (value.unsupported) return (mask & 3) == 3;
    if (format == IR_F80 && (a[1] & 0x7fff) == 0 && a[0] >> 63) {
        unsigned finite = value.negative ? 0x38 : 0x1c0;
        return (mask & finite) == finite;
    }
    return mask >> class_of(format, &value) & 1;
}

void float_evaluate(enum ir_fn fn, enum ir_float format, unsigned extra, uint64_t *dst, const uint64_t *a,
                    const uint64_t *b, const uint64_t *c) {
    assert(fn >= IR_FN_FADD && fn < IR_FN_COUNT && format < IR_FLOAT_COUNT);
    switch (fn) {
    case IR_FN_FNEG:
    case IR_FN_FABS:
    case IR_FN_FCOPYSIGN: change_sign(fn, format, dst, a, b); break;
    case IR_FN_FFLOOR:
    case IR_FN_FCEIL:
    case IR_FN_FTRUNC:
    case IR_FN_FRINT:
    case IR_FN_FNEARBYINT:
    case IR_FN_FROUND:
    case IR_FN_FROUNDEVEN: to_integral(fn, format, dst, a); break;
    case IR_FN_FLDEXP: load_exponent(format, extra, dst, a, b); break;
    case IR_FN_FCMP: *dst = compare(format, extra, a, b); break;
    case IR_FN_FIS_CLASS: *dst = is_class(format, extra, a); break;
    case IR_FN_FCONVERT: float_convert(format, (enum ir_float)extra, dst, a); break;
    case IR_FN_FTO_SINT:
    case IR_FN_FTO_UINT:
    case IR_FN_FTO_SINT_SAT:
    case IR_FN_FTO_UINT_SAT: float_to_int(fn, format, extra, dst, a); break;
    case IR_FN_FFROM_SINT:
    case IR_FN_FFROM_UINT: float_from_int(fn == IR_FN_FFROM_SINT, format, extra, dst, a); break;
    default: arithmetic(fn, format, dst, a, b, c);
    }
}
