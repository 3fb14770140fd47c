// Float functions against the host: instructions for float and double, the x87 for long double, libgcc for half and
// quad, the C library for functions that it computes exactly.
#include "../check.h"
#include "float_values.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

typedef __float128 quad;
quad sqrtf128(quad), fmaf128(quad, quad, quad), fmodf128(quad, quad), floorf128(quad), ceilf128(quad),
    truncf128(quad), rintf128(quad), nearbyintf128(quad), roundf128(quad), roundevenf128(quad),
    ldexpf128(quad, int);

static unsigned long checked;

static void expect(enum ir_fn fn, enum ir_float format, unsigned extra, const uint64_t *a, const uint64_t *b,
                   const uint64_t *c, const uint64_t *wanted, unsigned width) {
    unsigned slots = ir_slots(width), arity = ir_fn_info[fn].arity;
    uint64_t got[66], guard = 0x5a5a5a5a5a5a5a5a;
    got[slots] = guard;
    float_evaluate(fn, format, extra, got, a, arity > 1 ? b : NULL, arity > 2 ? c : NULL);
    bool fine = memcmp(got, wanted, slots * 8) == 0 && got[slots] == guard;
    const uint64_t *operands[] = {a, b, c};
    for (unsigned i = 0; i < arity && fine; i++) {
        assert(operands[i]);
        uint64_t aliased[66];
        memcpy(aliased, operands[i], fn >= IR_FN_FFROM_SINT ? ir_slots(extra) * 8 : 16);
        float_evaluate(fn, format, extra, aliased, i == 0 ? aliased : a, i == 1 ? aliased : b,
                       i == 2 ? aliased : c);
        fine = memcmp(aliased, wanted, slots * 8) == 0;
    }
    checked++;
    if (fine) return;
    print_error("%s format %u extra %u\n", ir_fn_info[fn].name, format, extra);
    for (unsigned i = 0; i < arity && operands[i]; i++)
        print_error("operand %016llx %016llx\n", (unsigned long long)operands[i][1],
                    (unsigned long long)operands[i][0]);
    for (unsigned i = slots; i-- > 0;)
        print_error("wanted %016llx got %016llx\n", (unsigned long long)wanted[i],
                    (unsigned long long)got[i]);
    fail();
}

// ---- the host's operations

#define SSE(name, type, instruction)                                                                         \
    static type name(type a, type b) {                                                                       \
        __asm__(instruction " %1, %0" : "+x"(a) : "x"(b));                                                   \
        return a;                                                                                            \
    }
SSE(add_float, float, "addss")
SSE(sub_float, float, "subss")
SSE(mul_float, float, "mulss")
SSE(div_float, float, "divss")
SSE(add_double, double, "addsd")
SSE(sub_double, double, "subsd")
SSE(mul_double, double, "mulsd")
SSE(div_double, double, "divsd")

static float sqrt_float(float a) {
    __asm__("sqrtss %0, %0" : "+x"(a));
    return a;
}
static double sqrt_double(double a) {
    __asm__("sqrtsd %0, %0" : "+x"(a));
    return a;
}

#define PLAIN(name, type, operator)                                                                          \
    static __attribute__((noinline)) type name(const volatile type *a, const volatile type *b) {             \
        return (type)(*a operator* b);                                                                       \
    }
PLAIN(add_x87, long double, +)
PLAIN(sub_x87, long double, -)
PLAIN(mul_x87, long double, *)
PLAIN(div_x87, long double, /)
PLAIN(add_quad, quad, +)
PLAIN(sub_quad, quad, -)
PLAIN(mul_quad, quad, *)
PLAIN(div_quad, quad, /)
PLAIN(add_half, _Float16, +)
PLAIN(sub_half, _Float16, -)
PLAIN(mul_half, _Float16, *)
PLAIN(div_half, _Float16, /)

#define GET(type, from)                                                                                      \
    ({                                                                                                       \
        volatile type value_;                                                                                \
        memcpy((void *)&value_, from,                                                                        \
               sizeof(type) == 16 && __builtin_types_compatible_p(type, long double) ? 10 : sizeof(type));   \
        value_;                                                                                              \
    })
// Copies a value to r and clears the bits above it.
#define PUT(type, value)                                                                                     \
    do {                                                                                                     \
        type put_ = (value);                                                                                 \
        memset(r, 0, sizeof r);                                                                              \
        memcpy(r, &put_, __builtin_types_compatible_p(type, long double) ? 10 : sizeof put_);                \
    } while (0)

#define FORMATS(F)                                                                                           \
    F(IR_F16, _Float16) F(IR_F32, float) F(IR_F64, double) F(IR_F80, long double) F(IR_F128, quad)

static const enum ir_fn arithmetic[] = {IR_FN_FADD, IR_FN_FSUB, IR_FN_FMUL, IR_FN_FDIV};

static void native_arithmetic(unsigned i, enum ir_float format, uint64_t *r, const uint64_t *a,
                              const uint64_t *b) {
    static float (*const floats[])(float, float) = {add_float, sub_float, mul_float, div_float};
    static double (*const doubles[])(double, double) = {add_double, sub_double, mul_double, div_double};
    static long double (*const x87s[])(const volatile long double *,
                                       const volatile long double *) = {add_x87, sub_x87, mul_x87, div_x87};
    static quad (*const quads[])(const volatile quad *, const volatile quad *) = {add_quad, sub_quad,
                                                                                  mul_quad, div_quad};
    static _Float16 (*const halves[])(const volatile _Float16 *,
                                      const volatile _Float16 *) = {add_half, sub_half, mul_half, div_half};
    long double x, y, z;
    quad p, q, s;
    _Float16 h, k, m;
    r[1] = 0;
    switch (format) {
    case IR_F32: r[0] = float_bits(floats[i](as_float(*a), as_float(*b))); break;
    case IR_F64: r[0] = double_bits(doubles[i](as_double(*a), as_double(*b))); break;
    case IR_F80:
        memcpy(&x, a, 10);
        memcpy(&y, b, 10);
        z = x87s[i](&x, &y);
        memcpy(r, &z, 10);
        break;
    case IR_F128:
        memcpy(&p, a, 16);
        memcpy(&q, b, 16);
        s = quads[i](&p, &q);
        memcpy(r, &s, 16);
        break;
    default:
        r[0] = 0;
        memcpy(&h, a, 2);
        memcpy(&k, b, 2);
        m = halves[i](&h, &k);
        memcpy(r, &m, 2);
    }
}

static void sums_products_quotients(void **state) {
    static const enum ir_float formats[] = {IR_F16, IR_F32, IR_F64, IR_F80, IR_F128};
    uint64_t a[2], b[2], r[2];
    for (unsigned f = 0; f < COUNT(formats); f++)
        for (unsigned i = 0; i < 60000; i++) {
            random_float(formats[f], a);
            random_partner(formats[f], a, b);
            for (unsigned j = 0; j < COUNT(arithmetic); j++) {
                native_arithmetic(j, formats[f], r, a, b);
                expect(arithmetic[j], formats[f], 0, a, b, NULL, r, ir_float_width(formats[f]));
            }
        }
}

// Tests the software functions on the formats of the hardware. Only quad uses all of these functions.
static void software_agrees_with_hardware(void **state) {
    static const enum ir_float formats[] = {IR_F32, IR_F64, IR_F80};
    uint64_t a[2], b[2], r[2], got[2];
    for (unsigned f = 0; f < COUNT(formats); f++)
        for (unsigned i = 0; i < 60000; i++) {
            enum ir_float format = formats[f];
            unsigned size = ir_slots(ir_float_width(format)) * 8;
            random_float(format, a);
            random_partner(format, a, b);
            if (is_nan(format, a) || is_nan(format, b)) continue;
            struct unpacked x = float_unpack(format, a), y = float_unpack(format, b);
            struct unpacked results[] = {soft_add(x, y, false), soft_add(x, y, true), soft_multiply(x, y),
                                         soft_divide(x, y)};
            for (unsigned j = 0; j < COUNT(arithmetic); j++) {
                native_arithmetic(j, format, r, a, b);
                float_pack(format, results[j], got);
                assert_memory_equal(got, r, size);
            }
            float_evaluate(IR_FN_FSQRT, format, 0, r, a, NULL, NULL);
            float_pack(format, soft_square_root(x), got);
            assert_memory_equal(got, r, size);
            for (enum ir_fn fn = IR_FN_FFLOOR; fn <= IR_FN_FROUNDEVEN; fn++) {
                float_evaluate(fn, format, 0, r, a, NULL, NULL);
                float_pack(format, soft_to_integral(fn, x), got);
                assert_memory_equal(got, r, size);
            }
        }
}

// Rounds a float to bfloat by integer arithmetic on its bits.
static uint64_t to_bfloat(float value) {
    uint32_t bits = (uint32_t)float_bits(value);
    if (value != value) return bits >> 16 | 0x40;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static void bfloat(void **state) {
    uint64_t a[2], b[2], c[2], r[2] = {0};
    for (unsigned i = 0; i < 60000; i++) {
        random_float(IR_BF16, a);
        random_partner(IR_BF16, a, b);
        random_float(IR_BF16, c);
        float x = as_float(*a << 16), y = as_float(*b << 16), z = as_float(*c << 16);
        static float (*const floats[])(float, float) = {add_float, sub_float, mul_float, div_float};
        for (unsigned j = 0; j < COUNT(arithmetic); j++) {
            r[0] = to_bfloat(floats[j](x, y));
            expect(arithmetic[j], IR_BF16, 0, a, b, NULL, r, 16);
        }
        r[0] = to_bfloat(sqrt_float(x));
        expect(IR_FN_FSQRT, IR_BF16, 0, a, NULL, NULL, r, 16);
        r[0] = to_bfloat(fmaf(x, y, z));
        if (x == x && y == y && z == z && !isnan(fmaf(x, y, z)))
            expect(IR_FN_FMA, IR_BF16, 0, a, b, c, r, 16);
        r[0] = float_bits(x);
        expect(IR_FN_FCONVERT, IR_BF16, IR_F32, a, NULL, NULL, r, 32);
        uint64_t bits[2];
        random_float(IR_F32, bits);
        r[0] = to_bfloat(as_float(*bits));
        expect(IR_FN_FCONVERT, IR_F32, IR_BF16, bits, NULL, NULL, r, 16);
        int64_t integer = (int64_t)random_next(&random_state) >> random_below(&random_state, 64);
        uint64_t slot = (uint64_t)integer;
        r[0] = to_bfloat((float)integer);
        expect(IR_FN_FFROM_SINT, IR_BF16, 64, &slot, NULL, NULL, r, 16);
        // Conversion from double rounds once: compares with the adjacent values in quad.
        random_float(IR_F64, bits);
        double wide = as_double(*bits);
        if (!isfinite(wide) || fabs(wide) > 0x1.fep127) continue;
        float_evaluate(IR_FN_FCONVERT, IR_F64, IR_BF16, r, bits, NULL, NULL);
        double nearest = as_float(*r << 16), above = as_float((*r + 1) << 16);
        double below = *r & 0x7fff ? as_float((*r - 1) << 16) : -above;
        assert_true(fabsl((long double)wide - nearest) <= fabsl((long double)wide - above));
        assert_true(fabsl((long double)wide - nearest) <= fabsl((long double)wide - below));
    }
}

static void square_roots(void **state) {
    uint64_t a[2], r[2];
    for (unsigned i = 0; i < 60000; i++) {
        random_float(IR_F32, a);
        PUT(float, sqrt_float(as_float(*a)));
        expect(IR_FN_FSQRT, IR_F32, 0, a, NULL, NULL, r, 32);
        random_float(IR_F64, a);
        PUT(double, sqrt_double(as_double(*a)));
        expect(IR_FN_FSQRT, IR_F64, 0, a, NULL, NULL, r, 64);
        random_float(IR_F80, a);
        long double x = as_x87(a);
        __asm__("fsqrt" : "+t"(x));
        PUT(long double, x);
        expect(IR_FN_FSQRT, IR_F80, 0, a, NULL, NULL, r, 80);
        random_float(IR_F128, a);
        if (is_nan(IR_F128, a) || (a[1] >> 63 && a[1] << 1 | a[0])) continue; // glibc's NaN may differ
        PUT(quad, sqrtf128(GET(quad, a)));
        expect(IR_FN_FSQRT, IR_F128, 0, a, NULL, NULL, r, 128);
    }
}

// Sometimes makes c close to -a*b, so that almost all bits cancel.
static void random_addend(enum ir_float format, const uint64_t *a, const uint64_t *b, uint64_t *c) {
    random_float(format, c);
    if (random_below(&random_state, 3)) return;
    float_pack(format, soft_multiply(float_unpack(format, a), float_unpack(format, b)), c);
    unsigned top = ir_float_width(format) - 1;
    if (random_below(&random_state, 4)) c[top / 64] ^= 1ull << top % 64;
    if (random_below(&random_state, 2)) c[0] ^= random_below(&random_state, 4);
}

static void multiply_adds(void **state) {
    uint64_t a[2], b[2], c[2], r[2];
#define RUN(format, type, function)                                                                          \
    for (unsigned i = 0; i < 60000; i++) {                                                                   \
        random_float(format, a);                                                                             \
        random_partner(format, a, b);                                                                        \
        random_addend(format, a, b, c);                                                                      \
        if (is_nan(format, a) || is_nan(format, b) || is_nan(format, c)) continue;                           \
        PUT(type, function(GET(type, a), GET(type, b), GET(type, c)));                                       \
        if (!is_nan(format, r)) expect(IR_FN_FMA, format, 0, a, b, c, r, ir_float_width(format));            \
    }
    RUN(IR_F32, float, fmaf)
    RUN(IR_F64, double, fma)
    RUN(IR_F80, long double, fmal)
    RUN(IR_F128, quad, fmaf128)
#undef RUN
    for (unsigned i = 0; i < 20000; i++) { // a NaN of the product takes precedence over one of the sum
        random_float(IR_F64, a);
        random_float(IR_F64, b);
        random_float(IR_F64, c);
        if (!is_nan(IR_F64, a) && !is_nan(IR_F64, b)) continue;
        r[0] = double_bits(add_double(mul_double(as_double(*a), as_double(*b)), as_double(*c)));
        expect(IR_FN_FMA, IR_F64, 0, a, b, c, r, 64);
    }
    for (unsigned i = 0; i < 20000; i++) {
        random_float(IR_F16, a);
        random_float(IR_F16, b);
        random_float(IR_F16, c);
        float x = GET(_Float16, a), y = GET(_Float16, b), z = GET(_Float16, c), sum = fmaf(x, y, z);
        if (sum != sum) continue;
        PUT(_Float16, (_Float16)sum);
        expect(IR_FN_FMA, IR_F16, 0, a, b, c, r, 16);
    }
}

static void remainders(void **state) {
    uint64_t a[2], b[2], r[2];
#define RUN(format, type, function, rounds)                                                                  \
    for (unsigned i = 0; i < rounds; i++) {                                                                  \
        random_float(format, a);                                                                             \
        random_partner(format, a, b);                                                                        \
        if (is_nan(format, a) || is_nan(format, b)) continue;                                                \
        PUT(type, function(GET(type, a), GET(type, b)));                                                     \
        if (is_nan(format, r)) float_pack(format, float_default_nan(), r);                                   \
        expect(IR_FN_FREM, format, 0, a, b, NULL, r, ir_float_width(format));                                \
    }
    RUN(IR_F32, float, fmodf, 40000)
    RUN(IR_F64, double, fmod, 40000)
    RUN(IR_F80, long double, fmodl, 4000)
    RUN(IR_F128, quad, fmodf128, 4000)
#undef RUN
}

static void integral_values(void **state) {
    uint64_t a[2], r[2];
#define ONE(fn, format, type, function)                                                                      \
    if (is_nan(format, a))                                                                                   \
        memcpy(r, a, sizeof r);                                                                              \
    else                                                                                                     \
        PUT(type, function(GET(type, a)));                                                                   \
    expect(fn, format, 0, a, NULL, NULL, r, ir_float_width(format));
#define RUN(format, type, suffix)                                                                            \
    for (unsigned i = 0; i < 30000; i++) {                                                                   \
        random_float(format, a);                                                                             \
        ONE(IR_FN_FFLOOR, format, type, floor##suffix)                                                       \
        ONE(IR_FN_FCEIL, format, type, ceil##suffix)                                                         \
        ONE(IR_FN_FTRUNC, format, type, trunc##suffix)                                                       \
        ONE(IR_FN_FRINT, format, type, rint##suffix)                                                         \
        ONE(IR_FN_FNEARBYINT, format, type, nearbyint##suffix)                                               \
        ONE(IR_FN_FROUND, format, type, round##suffix)                                                       \
        ONE(IR_FN_FROUNDEVEN, format, type, roundeven##suffix)                                               \
    }
    RUN(IR_F32, float, f)
    RUN(IR_F64, double, )
    RUN(IR_F80, long double, l)
    RUN(IR_F128, quad, f128)
#undef RUN
#undef ONE
    for (unsigned i = 0; i < 65536; i++) {
        a[0] = i;
        PUT(_Float16, (_Float16)floorf((float)GET(_Float16, a)));
        expect(IR_FN_FFLOOR, IR_F16, 0, a, NULL, NULL, r, 16);
        PUT(_Float16, (_Float16)rintf((float)GET(_Float16, a)));
        expect(IR_FN_FRINT, IR_F16, 0, a, NULL, NULL, r, 16);
    }
}

static void scaling(void **state) {
    uint64_t a[2], b[2] = {0}, r[2];
#define RUN(format, type, function)                                                                          \
    for (unsigned i = 0; i < 40000; i++) {                                                                   \
        random_float(format, a);                                                                             \
        int32_t by = (int32_t)random_next(&random_state) >> random_below(&random_state, 32);                 \
        b[0] = (uint32_t)by;                                                                                 \
        if (is_nan(format, a)) continue;                                                                     \
        PUT(type, function(GET(type, a), by));                                                               \
        expect(IR_FN_FLDEXP, format, 32, a, b, NULL, r, ir_float_width(format));                             \
    }
    RUN(IR_F32, float, ldexpf)
    RUN(IR_F64, double, ldexp)
    RUN(IR_F80, long double, ldexpl)
    RUN(IR_F128, quad, ldexpf128)
#undef RUN
}

static __attribute__((noinline)) double fmin_native(double a, double b) { return __builtin_fmin(a, b); }
static __attribute__((noinline)) double fmax_native(double a, double b) { return __builtin_fmax(a, b); }
static __attribute__((noinline)) float fminf_native(float a, float b) { return __builtin_fminf(a, b); }
static __attribute__((noinline)) float fmaxf_native(float a, float b) { return __builtin_fmaxf(a, b); }

static void minima_and_maxima(void **state) {
    uint64_t a[2], b[2], r[2];
    for (unsigned i = 0; i < 60000; i++) {
        random_float(IR_F64, a);
        random_partner(IR_F64, a, b);
        PUT(double, fmin_native(as_double(*a), as_double(*b)));
        expect(IR_FN_FMINNUM, IR_F64, 0, a, b, NULL, r, 64);
        PUT(double, fmax_native(as_double(*a), as_double(*b)));
        expect(IR_FN_FMAXNUM, IR_F64, 0, a, b, NULL, r, 64);
        random_float(IR_F32, a);
        random_partner(IR_F32, a, b);
        PUT(float, fminf_native(as_float(*a), as_float(*b)));
        expect(IR_FN_FMINNUM, IR_F32, 0, a, b, NULL, r, 32);
        PUT(float, fmaxf_native(as_float(*a), as_float(*b)));
        expect(IR_FN_FMAXNUM, IR_F32, 0, a, b, NULL, r, 32);
    }
    static const enum ir_float formats[] = {IR_F16, IR_BF16, IR_F32, IR_F64, IR_F80, IR_F128};
    for (unsigned f = 0; f < COUNT(formats); f++)
        for (unsigned i = 0; i < 20000; i++) {
            enum ir_float format = formats[f];
            unsigned size = ir_slots(ir_float_width(format)) * 8, top = ir_float_width(format) - 1;
            random_float(format, a);
            random_partner(format, a, b);
            float_evaluate(IR_FN_FMINIMUM, format, 0, r, a, b, NULL);
            assert_int_equal(is_nan(format, r), is_nan(format, a) || is_nan(format, b));
            if (is_nan(format, r)) continue;
            unsigned order = soft_compare(float_unpack(format, a), float_unpack(format, b));
            bool first = order == FLOAT_LESS || (order == FLOAT_EQUAL && a[top / 64] >> top % 64 & 1);
            assert_memory_equal(r, first ? a : b, size);
            float_evaluate(IR_FN_FMAXIMUM, format, 0, r, a, b, NULL);
            assert_memory_equal(r, first ? b : a, size);
            if (format == IR_F32 || format == IR_F64) continue;
            float_evaluate(IR_FN_FMINNUM, format, 0, r, a, b, NULL); // as the C library's fmin
            assert_memory_equal(r, first ? a : b, size);
            float_evaluate(IR_FN_FMAXNUM, format, 0, r, a, b, NULL);
            assert_memory_equal(r, first ? b : a, size);
        }
}

static void signs(void **state) {
    uint64_t a[2], b[2], r[2];
    for (unsigned i = 0; i < 20000; i++) {
#define RUN(format, type, builtin_copysign)                                                                  \
    random_float(format, a);                                                                                 \
    random_float(format, b);                                                                                 \
    PUT(type, -GET(type, a));                                                                                \
    expect(IR_FN_FNEG, format, 0, a, NULL, NULL, r, ir_float_width(format));                                 \
    PUT(type, builtin_copysign(GET(type, a), GET(type, b)));                                                 \
    expect(IR_FN_FCOPYSIGN, format, 0, a, b, NULL, r, ir_float_width(format));                               \
    PUT(type, builtin_copysign(GET(type, a), (type)0));                                                      \
    expect(IR_FN_FABS, format, 0, a, NULL, NULL, r, ir_float_width(format));
        RUN(IR_F32, float, __builtin_copysignf)
        RUN(IR_F64, double, __builtin_copysign)
        RUN(IR_F80, long double, __builtin_copysignl)
        RUN(IR_F128, quad, __builtin_copysignf128)
#undef RUN
        random_float(IR_BF16, a);
        random_float(IR_BF16, b);
        r[1] = 0;
        r[0] = to_bfloat(-as_float(*a << 16));
        expect(IR_FN_FNEG, IR_BF16, 0, a, NULL, NULL, r, 16);
        r[0] &= 0x7fff;
        expect(IR_FN_FABS, IR_BF16, 0, a, NULL, NULL, r, 16);
        r[0] = (*a & 0x7fff) | (*b & 0x8000);
        expect(IR_FN_FCOPYSIGN, IR_BF16, 0, a, b, NULL, r, 16);
        expect(IR_FN_FCOPYSIGN, IR_F16, 0, a, b, NULL, r, 16);
        random_float(IR_F16, a);
        PUT(_Float16, __builtin_fabsf16(GET(_Float16, a)));
        expect(IR_FN_FABS, IR_F16, 0, a, NULL, NULL, r, 16);
        r[0] ^= *a & 0x8000 ? 0 : 0x8000;
        expect(IR_FN_FNEG, IR_F16, 0, a, NULL, NULL, r, 16);
    }
}

static void comparisons(void **state) {
    uint64_t a[2], b[2], r[2];
#define RUN(format, type)                                                                                    \
    for (unsigned i = 0; i < 30000; i++) {                                                                   \
        random_float(format, a);                                                                             \
        random_partner(format, a, b);                                                                        \
        type x = GET(type, a), y = GET(type, b);                                                             \
        bool equal = x == y, greater = x > y, less = x < y, unordered = !(x == x && y == y);                 \
        for (unsigned predicate = 0; predicate < 16; predicate++) {                                          \
            r[0] = (predicate & 1 && equal) || (predicate & 2 && greater) || (predicate & 4 && less) ||      \
                   (predicate & 8 && unordered);                                                             \
            expect(IR_FN_FCMP, format, predicate, a, b, NULL, r, 1);                                         \
        }                                                                                                    \
    }
    FORMATS(RUN)
#undef RUN
}

static void classes(void **state) {
    uint64_t a[2], r[2];
#define CLASS(bit)                                                                                           \
    r[0] = (uint64_t)__builtin_isfpclass(x, 1 << bit);                                                       \
    expect(IR_FN_FIS_CLASS, format_, 1u << bit, a, NULL, NULL, r, 1);
#define RUN(format, type)                                                                                    \
    for (unsigned i = 0; i < 20000; i++) {                                                                   \
        enum ir_float format_ = format;                                                                      \
        random_float(format, a);                                                                             \
        volatile type x = GET(type, a);                                                                      \
        CLASS(0)                                                                                             \
        CLASS(1)                                                                                             \
        CLASS(2)                                                                                             \
        CLASS(3)                                                                                             \
        CLASS(4)                                                                                             \
        CLASS(5) CLASS(6) CLASS(7) CLASS(8) CLASS(9) r[0] = (uint64_t)__builtin_isfpclass(x, 0x264);         \
        expect(IR_FN_FIS_CLASS, format, 0x264, a, NULL, NULL, r, 1);                                         \
    }
    FORMATS(RUN)
#undef RUN
}

static void conversions_between_formats(void **state) {
    uint64_t a[2], r[2];
#define PAIR(from, from_type, to, to_type)                                                                   \
    for (unsigned i = 0; from != to && i < 20000; i++) {                                                     \
        random_float(from, a);                                                                               \
        PUT(to_type, (to_type)GET(from_type, a));                                                            \
        expect(IR_FN_FCONVERT, from, to, a, NULL, NULL, r, ir_float_width(to));                              \
    }
#define TO(from, from_type)                                                                                  \
    PAIR(from, from_type, IR_F16, _Float16)                                                                  \
    PAIR(from, from_type, IR_F32, float)                                                                     \
    PAIR(from, from_type, IR_F64, double)                                                                    \
    PAIR(from, from_type, IR_F80, long double)                                                               \
    PAIR(from, from_type, IR_F128, quad)
    FORMATS(TO)
#undef TO
#undef PAIR
}

static void trim(uint64_t *a, unsigned width) {
    if (width % 64) a[width / 64] &= mask_bits(width % 64);
}

// I(float format, its type, integer type, width, signed)
#define SIGNED_AND_UNSIGNED(I, F, T, N) I(F, T, _BitInt(N), N, 1) I(F, T, unsigned _BitInt(N), N, 0)
#define INTEGERS(I, F, T)                                                                                    \
    I(F, T, int8_t, 8, 1)                                                                                    \
    I(F, T, uint8_t, 8, 0)                                                                                   \
    I(F, T, int16_t, 16, 1)                                                                                  \
    I(F, T, uint16_t, 16, 0)                                                                                 \
    I(F, T, int32_t, 32, 1)                                                                                  \
    I(F, T, uint32_t, 32, 0)                                                                                 \
    I(F, T, int64_t, 64, 1)                                                                                  \
    I(F, T, uint64_t, 64, 0)                                                                                 \
    I(F, T, __int128, 128, 1)                                                                                \
    I(F, T, unsigned __int128, 128, 0)                                                                       \
    SIGNED_AND_UNSIGNED(I, F, T, 5)                                                                          \
    SIGNED_AND_UNSIGNED(I, F, T, 13)                                                                         \
    SIGNED_AND_UNSIGNED(I, F, T, 20)                                                                         \
    SIGNED_AND_UNSIGNED(I, F, T, 40)                                                                         \
    SIGNED_AND_UNSIGNED(I, F, T, 100)                                                                        \
    SIGNED_AND_UNSIGNED(I, F, T, 129)                                                                        \
    SIGNED_AND_UNSIGNED(I, F, T, 256)                                                                        \
    SIGNED_AND_UNSIGNED(I, F, T, 1000)                                                                       \
    SIGNED_AND_UNSIGNED(I, F, T, 1100)

static void random_integer(uint64_t *a, unsigned width) {
    unsigned keep = (unsigned)random_below(&random_state, width) + 1;
    bool ones = random_below(&random_state, 4) == 0, tie = random_below(&random_state, 4) == 0;
    memset(a, 0, 66 * 8);
    for (unsigned i = 0; i < ir_slots(width); i++) a[i] = ones ? ~(uint64_t)0 : random_next(&random_state);
    for (unsigned i = keep; i < ir_slots(width) * 64; i++) a[i / 64] &= ~(1ull << i % 64);
    if (tie && keep > 30) // few bits below the kept ones, so that ties are frequent
        for (unsigned i = 1; i < keep - 25; i++) a[i / 64] &= ~(1ull << i % 64);
    if (random_below(&random_state, 3) == 0) int_negate(a, a, width);
    trim(a, width);
}

// Converts values in and out of range: results are the processor's, also where C leaves them undefined.
#define DEFINE_TO(format, float_type, type, width, is_signed)                                                \
    CONVERTS_OUT_OF_RANGE static void to_##format##_##width##_##is_signed(void) {                            \
        uint64_t a[2], r[66];                                                                                \
        random_float(format, a);                                                                             \
        type value = (type)GET(float_type, a);                                                               \
        memset(r, 0, sizeof r);                                                                              \
        memcpy(r, &value, sizeof value);                                                                     \
        __asm__ volatile("" : : "r"(r) : "memory"); /* the compiler assumes that the value fits */           \
        trim(r, width);                                                                                      \
        expect((is_signed) ? IR_FN_FTO_SINT : IR_FN_FTO_UINT, format, width, a, NULL, NULL, r, width);       \
    }
#define DEFINE_FROM(format, float_type, type, width, is_signed)                                              \
    static void from_##format##_##width##_##is_signed(void) {                                                \
        uint64_t a[66], extended[66], r[2];                                                                  \
        type value;                                                                                          \
        random_integer(a, width);                                                                            \
        int_evaluate((is_signed) ? IR_FN_SEXT : IR_FN_ZEXT, width, 4096, extended, a, NULL, NULL);           \
        memcpy(&value, extended, sizeof value);                                                              \
        PUT(float_type, (float_type)value);                                                                  \
        expect((is_signed) ? IR_FN_FFROM_SINT : IR_FN_FFROM_UINT, format, width, a, NULL, NULL, r,           \
               ir_float_width(format));                                                                      \
    }
#define DEFINE(format, float_type)                                                                           \
    INTEGERS(DEFINE_TO, format, float_type) INTEGERS(DEFINE_FROM, format, float_type)
FORMATS(DEFINE)

#define NAME_TO(format, float_type, type, width, is_signed)   to_##format##_##width##_##is_signed,
#define NAME_FROM(format, float_type, type, width, is_signed) from_##format##_##width##_##is_signed,
#define NAME_ALL(format, float_type)                                                                         \
    INTEGERS(NAME_TO, format, float_type) INTEGERS(NAME_FROM, format, float_type)

static void conversions_from_and_to_integers(void **state) {
    static void (*const checks[])(void) = {FORMATS(NAME_ALL)};
    for (unsigned i = 0; i < COUNT(checks); i++)
        for (unsigned j = 0; j < 4000; j++) checks[i]();
}

// Saturating conversion: values in range are converted as without saturation, others become the limit.
static void saturation(void **state) {
    static const unsigned widths[] = {1, 8, 16, 20, 32, 64, 100, 128, 200, 256};
    uint64_t a[2], r[66];
    for (unsigned format = 0; format < IR_FLOAT_COUNT; format++)
        for (unsigned i = 0; i < 20000; i++) {
            unsigned width = widths[i % COUNT(widths)], slots = ir_slots(width);
            bool is_signed = i & 16;
            random_float(format, a);
            struct unpacked x = float_unpack(format, a);
            uint64_t low[66] = {0}, high[66] = {0}, plain[66];
            for (unsigned j = 0; j < width - is_signed; j++) high[j / 64] |= 1ull << j % 64;
            if (is_signed) low[(width - 1) / 64] = 1ull << (width - 1) % 64;
            struct unpacked bound = {.kind = FLOAT_FINITE,
                                     .exponent = (int)width - is_signed,
                                     .significand = TOP_BIT}; // 2^(width - is_signed)
            float_evaluate(is_signed ? IR_FN_FTO_SINT_SAT : IR_FN_FTO_UINT_SAT, format, width, r, a, NULL,
                           NULL);
            float_evaluate(is_signed ? IR_FN_FTO_SINT : IR_FN_FTO_UINT, format, width, plain, a, NULL, NULL);
            struct unpacked least = is_signed ? bound : (struct unpacked){.kind = FLOAT_ZERO};
            least.negative = true;
            struct unpacked cut = soft_to_integral(IR_FN_FTRUNC, x);
            if (x.kind == FLOAT_NAN)
                memset(plain, 0, sizeof plain);
            else if (soft_compare(cut, least) == FLOAT_LESS)
                memcpy(plain, low, sizeof plain);
            else if (soft_compare(cut, bound) != FLOAT_LESS)
                memcpy(plain, high, sizeof plain);
            assert_memory_equal(r, plain, slots * 8);
        }
}

// Tests invalid x87 encodings.
CONVERTS_OUT_OF_RANGE
static void x87_nonsense(void **state) {
    uint64_t a[2], b[2], r[2];
    for (unsigned i = 0; i < 40000; i++) {
        random_float(IR_F80, a);
        random_partner(IR_F80, a, b);
        a[0] ^= 1ull << 63;
        if (i & 1) b[0] ^= 1ull << 63;
        for (unsigned j = 0; j < COUNT(arithmetic); j++) {
            native_arithmetic(j, IR_F80, r, a, b);
            expect(arithmetic[j], IR_F80, 0, a, b, NULL, r, 80);
        }
        volatile long double x = GET(long double, a), y = GET(long double, b);
        r[0] = x < y;
        expect(IR_FN_FCMP, IR_F80, 4, a, b, NULL, r, 1);
        PUT(double, (double)x);
        expect(IR_FN_FCONVERT, IR_F80, IR_F64, a, NULL, NULL, r, 64);
        PUT(int64_t, (int64_t)x);
        expect(IR_FN_FTO_SINT, IR_F80, 64, a, NULL, NULL, r, 64);
        PUT(uint64_t, (uint64_t)x);
        expect(IR_FN_FTO_UINT, IR_F80, 64, a, NULL, NULL, r, 64);
#define CLASSES(mask)                                                                                        \
    r[0] = (uint64_t)__builtin_isfpclass(x, mask);                                                           \
    expect(IR_FN_FIS_CLASS, IR_F80, mask, a, NULL, NULL, r, 1);
        CLASSES(0x001)
        CLASSES(0x002) CLASSES(0x003) CLASSES(0x108) CLASSES(0x1f8) CLASSES(0x204) CLASSES(0x3fc)
#undef CLASSES
    }
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void speed(void **state) {
    static const enum ir_fn functions[] = {IR_FN_FADD, IR_FN_FMUL, IR_FN_FDIV, IR_FN_FCMP, IR_FN_FFLOOR};
    static const char *const names[] = {"half", "bfloat", "float", "double", "x87", "quad"};
    enum { rounds = 250000 };
    for (unsigned i = 0; i < COUNT(functions); i++)
        for (enum ir_float format = 0; format < IR_FLOAT_COUNT; format++) {
            const struct float_layout *layout = &float_layouts[format];
            unsigned bias = (1u << (layout->exponent_bits - 1)) - 1;
            uint64_t a[2], b[2], r[2];
            set_float(format, a, false, bias + 1, 0x1234567890ab);
            set_float(format, b, false, bias, 0x123456);
            double start = seconds();
            for (unsigned k = 0; k < rounds; k++) {
                a[0] ^= k & 1;
                float_evaluate(functions[i], format, 4, r, a, b, NULL);
                __asm__ volatile("" : : "r"(r) : "memory");
            }
            printf("%-7s %-7s %6.1f ns\n", ir_fn_info[functions[i]].name, names[format],
                   (seconds() - start) / rounds * 1e9);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_products_quotients),
        cmocka_unit_test(software_agrees_with_hardware),
        cmocka_unit_test(bfloat),
        cmocka_unit_test(square_roots),
        cmocka_unit_test(multiply_adds),
        cmocka_unit_test(remainders),
        cmocka_unit_test(integral_values),
        cmocka_unit_test(scaling),
        cmocka_unit_test(minima_and_maxima),
        cmocka_unit_test(signs),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(classes),
        cmocka_unit_test(conversions_between_formats),
        cmocka_unit_test(conversions_from_and_to_integers),
        cmocka_unit_test(saturation),
        cmocka_unit_test(x87_nonsense),
        cmocka_unit_test(speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
