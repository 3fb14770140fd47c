// Floating point: SSE, SSE2 and SSE3.
#include "runtime/x86/x86.h"

#define MIN_OF(a, b)                                                                                         \
    ((a) < (b) ? (a) : (b)) // the second operand if one is NaN, or both are zero, as the processor does
#define MAX_OF(a, b) ((a) > (b) ? (a) : (b))

#define PS(E)                                                                                                \
    (f32x4) { LANES4(E) }
#define PD(E)                                                                                                \
    (f64x2) { LANES2(E) }

#define MIN_LANE(i) MIN_OF(a[i], b[i])
#define MAX_LANE(i) MAX_OF(a[i], b[i])
f32x4 X86(sse_min_ps)(f32x4 a, f32x4 b) { return PS(MIN_LANE); }
f32x4 X86(sse_max_ps)(f32x4 a, f32x4 b) { return PS(MAX_LANE); }
f64x2 X86(sse2_min_pd)(f64x2 a, f64x2 b) { return PD(MIN_LANE); }
f64x2 X86(sse2_max_pd)(f64x2 a, f64x2 b) { return PD(MAX_LANE); }
f32x4 X86(sse_min_ss)(f32x4 a, f32x4 b) { return (f32x4){MIN_LANE(0), a[1], a[2], a[3]}; }
f32x4 X86(sse_max_ss)(f32x4 a, f32x4 b) { return (f32x4){MAX_LANE(0), a[1], a[2], a[3]}; }
f64x2 X86(sse2_min_sd)(f64x2 a, f64x2 b) { return (f64x2){MIN_LANE(0), a[1]}; }
f64x2 X86(sse2_max_sd)(f64x2 a, f64x2 b) { return (f64x2){MAX_LANE(0), a[1]}; }

// The eight comparisons of CMPPS: equal, less, less or equal, unordered, and their negations.
#define COMPARE(type)                                                                                        \
    static int holds_##type(type a, type b, unsigned predicate) {                                            \
        int results = (a == b) | (a < b) << 1 | (a <= b) << 2 | (a != a || b != b) << 3;                     \
        return (results >> (predicate & 3) & 1) ^ (predicate >> 2 & 1);                                      \
    }
COMPARE(float)
COMPARE(double)

#define MASK_PS(i) holds_float(a[i], b[i], predicate) ? -1 : 0
#define MASK_PD(i) holds_double(a[i], b[i], predicate) ? -1 : 0
f32x4 X86(sse_cmp_ps)(f32x4 a, f32x4 b, uint8_t predicate) { return (f32x4)(i32x4){LANES4(MASK_PS)}; }
f64x2 X86(sse2_cmp_pd)(f64x2 a, f64x2 b, uint8_t predicate) { return (f64x2)(i64x2){LANES2(MASK_PD)}; }
f32x4 X86(sse_cmp_ss)(f32x4 a, f32x4 b, uint8_t predicate) {
    i32x4 bits = (i32x4)a;
    return (f32x4)(i32x4){MASK_PS(0), bits[1], bits[2], bits[3]};
}
f64x2 X86(sse2_cmp_sd)(f64x2 a, f64x2 b, uint8_t predicate) {
    i64x2 bits = (i64x2)a;
    return (f64x2)(i64x2){MASK_PD(0), bits[1]};
}

#define COMI(name, operator)                                                                                 \
    int32_t X86(sse_comi##name##_ss)(f32x4 a, f32x4 b) { return a[0] operator b[0]; }                        \
    int32_t X86(sse_ucomi##name##_ss)(f32x4 a, f32x4 b) { return a[0] operator b[0]; }                       \
    int32_t X86(sse2_comi##name##_sd)(f64x2 a, f64x2 b) { return a[0] operator b[0]; }                       \
    int32_t X86(sse2_ucomi##name##_sd)(f64x2 a, f64x2 b) { return a[0] operator b[0]; }
COMI(eq, ==)
COMI(neq, !=)
COMI(lt, <)
COMI(le, <=)
COMI(gt, >)
COMI(ge, >=)

#define SIGN(i) ((uint32_t)(bits[i] < 0) << (i))
int32_t X86(sse_movmsk_ps)(f32x4 a) {
    i32x4 bits = (i32x4)a;
    return (int32_t)(SIGN(0) | SIGN(1) | SIGN(2) | SIGN(3));
}
int32_t X86(sse2_movmsk_pd)(f64x2 a) {
    i64x2 bits = (i64x2)a;
    return (int32_t)(SIGN(0) | SIGN(1));
}

// ---- conversions

#define ROUNDED(i)   fit_i32(nearest((double)a[i]))
#define TRUNCATED(i) fit_i32(__builtin_trunc((double)a[i]))
i32x4 X86(sse2_cvtps2dq)(f32x4 a) { return (i32x4){LANES4(ROUNDED)}; }
i32x4 X86(sse2_cvttps2dq)(f32x4 a) { return (i32x4){LANES4(TRUNCATED)}; }
i32x4 X86(sse2_cvtpd2dq)(f64x2 a) { return (i32x4){LANES2(ROUNDED), 0, 0}; }
i32x4 X86(sse2_cvttpd2dq)(f64x2 a) { return (i32x4){LANES2(TRUNCATED), 0, 0}; }
f32x4 X86(sse2_cvtpd2ps)(f64x2 a) { return (f32x4){(float)a[0], (float)a[1], 0, 0}; }
f32x4 X86(sse2_cvtsd2ss)(f32x4 a, f64x2 b) { return (f32x4){(float)b[0], a[1], a[2], a[3]}; }

mmx X86(sse_cvtps2pi)(f32x4 a) { return (mmx)(i32x2){LANES2(ROUNDED)}; }
mmx X86(sse_cvttps2pi)(f32x4 a) { return (mmx)(i32x2){LANES2(TRUNCATED)}; }
mmx X86(sse_cvtpd2pi)(f64x2 a) { return (mmx)(i32x2){LANES2(ROUNDED)}; }
mmx X86(sse_cvttpd2pi)(f64x2 a) { return (mmx)(i32x2){LANES2(TRUNCATED)}; }
f64x2 X86(sse_cvtpi2pd)(mmx a) {
    i32x2 lanes = (i32x2)a;
    return (f64x2){lanes[0], lanes[1]};
}
f32x4 X86(sse_cvtpi2ps)(f32x4 a, mmx b) {
    i32x2 lanes = (i32x2)b;
    return (f32x4){(float)lanes[0], (float)lanes[1], a[2], a[3]};
}

// ---- SSE3

f32x4 X86(sse3_addsub_ps)(f32x4 a, f32x4 b) {
    return (f32x4){a[0] - b[0], a[1] + b[1], a[2] - b[2], a[3] + b[3]};
}
f64x2 X86(sse3_addsub_pd)(f64x2 a, f64x2 b) { return (f64x2){a[0] - b[0], a[1] + b[1]}; }
f32x4 X86(sse3_hadd_ps)(f32x4 a, f32x4 b) {
    return (f32x4){a[0] + a[1], a[2] + a[3], b[0] + b[1], b[2] + b[3]};
}
f64x2 X86(sse3_hadd_pd)(f64x2 a, f64x2 b) { return (f64x2){a[0] + a[1], b[0] + b[1]}; }
f32x4 X86(sse3_hsub_ps)(f32x4 a, f32x4 b) {
    return (f32x4){a[0] - a[1], a[2] - a[3], b[0] - b[1], b[2] - b[3]};
}
f64x2 X86(sse3_hsub_pd)(f64x2 a, f64x2 b) { return (f64x2){a[0] - a[1], b[0] - b[1]}; }
i8x16 X86(sse3_ldu_dq)(const void *from) {
    i8x16 value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}
