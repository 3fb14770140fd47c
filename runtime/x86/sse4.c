// SSE4.1, checksums and carry-less products.
#include "runtime/x86/x86.h"

#define BLENDED(i) mask[i] < 0 ? b[i] : a[i]
i8x16 X86(sse41_pblendvb)(i8x16 a, i8x16 b, i8x16 mask) { return (i8x16){LANES16(BLENDED)}; }
f32x4 X86(sse41_blendvps)(f32x4 first, f32x4 second, f32x4 third) {
    i32x4 a = (i32x4)first, b = (i32x4)second, mask = (i32x4)third;
    return (f32x4)(i32x4){LANES4(BLENDED)};
}
f64x2 X86(sse41_blendvpd)(f64x2 first, f64x2 second, f64x2 third) {
    i64x2 a = (i64x2)first, b = (i64x2)second, mask = (i64x2)third;
    return (f64x2)(i64x2){LANES2(BLENDED)};
}

// Which products are summed: bits 4 to 7; which lanes get the sum: bits 0 to 3.
#define PRODUCT(i)  (lanes >> (4 + (i)) & 1 ? a[i] * b[i] : 0)
#define SUM_LANE(i) lanes >> (i) & 1 ? sum : 0
f32x4 X86(sse41_dpps)(f32x4 a, f32x4 b, uint8_t lanes) {
    float sum = (PRODUCT(0) + PRODUCT(1)) + (PRODUCT(2) + PRODUCT(3));
    return (f32x4){LANES4(SUM_LANE)};
}
f64x2 X86(sse41_dppd)(f64x2 a, f64x2 b, uint8_t lanes) {
    double sum = PRODUCT(0) + PRODUCT(1);
    return (f64x2){LANES2(SUM_LANE)};
}

#define INSERTED(i) control >> (i) & 1 ? 0 : (control >> 4 & 3) == (i) ? chosen : bits[i]
f32x4 X86(sse41_insertps)(f32x4 a, f32x4 b, uint8_t control) {
    i32x4 bits = (i32x4)a, from = (i32x4)b;
    unsigned at = control >> 6;
    int32_t chosen = at == 0 ? from[0] : at == 1 ? from[1] : at == 2 ? from[2] : from[3];
    return (f32x4)(i32x4){LANES4(INSERTED)};
}

#define FROM_A(i) to_u16(a[i])
#define FROM_B(i) to_u16(b[i])
u16x8 X86(sse41_packusdw)(i32x4 a, i32x4 b) { return (u16x8){LANES4(FROM_A), LANES4(FROM_B)}; }

u16x8 X86(sse41_phminposuw)(u16x8 a) {
    uint16_t smallest = a[0], position = 0;
#define SMALLER(i)                                                                                           \
    position = a[i] < smallest ? (i) : position;                                                             \
    smallest = a[i] < smallest ? a[i] : smallest;
    SMALLER(1)
    SMALLER(2) SMALLER(3) SMALLER(4) SMALLER(5) SMALLER(6) SMALLER(7) return (u16x8){smallest, position};
}

// Sums of differences of four bytes of b, from 4 * (bits 0 and 1), and each four adjacent bytes of a, from 4 * bit 2.
#define SIDE(i)     (control & 4 ? a[(i) + 4] : a[i])
#define BLOCK(i)    (at == 0 ? b[i] : at == 1 ? b[4 + (i)] : at == 2 ? b[8 + (i)] : b[12 + (i)])
#define APART(i, k) absolute((int32_t)SIDE((i) + (k)) - (int32_t)BLOCK(k))
#define RUN(i)      (uint16_t)(APART(i, 0) + APART(i, 1) + APART(i, 2) + APART(i, 3))
u16x8 X86(sse41_mpsadbw)(u8x16 a, u8x16 b, uint8_t control) {
    unsigned at = control & 3;
    return (u16x8){LANES8(RUN)};
}

int32_t X86(sse41_ptestz)(u64x2 a, u64x2 b) { return ((a[0] & b[0]) | (a[1] & b[1])) == 0; }
int32_t X86(sse41_ptestc)(u64x2 a, u64x2 b) { return ((~a[0] & b[0]) | (~a[1] & b[1])) == 0; }
int32_t X86(sse41_ptestnzc)(u64x2 a, u64x2 b) {
    return (int32_t)((X86(sse41_ptestz)(a, b) | X86(sse41_ptestc)(a, b)) ^ 1);
}

// Bits 0 and 1: the direction, unless bit 2 selects the current one, which is to nearest.
// A signalling NaN becomes a quiet one. Arithmetic on it is not used: a compiler may leave out x + 0.
static float quiet_f32(float value) {
    union {
        float number;
        uint32_t bits;
    } both = {value};
    both.bits |= UINT32_C(1) << 22;
    return both.number;
}
static double quiet_f64(double value) {
    union {
        double number;
        uint64_t bits;
    } both = {value};
    both.bits |= UINT64_C(1) << 51;
    return both.number;
}
static float round_f32(float value, unsigned control) {
    if (__builtin_isnan(value)) return quiet_f32(value);
    switch (control & 4 ? 0 : control & 3) {
    case 1: return __builtin_floorf(value);
    case 2: return __builtin_ceilf(value);
    case 3: return __builtin_truncf(value);
    default: return nearest_f(value);
    }
}
static double round_f64(double value, unsigned control) {
    if (__builtin_isnan(value)) return quiet_f64(value);
    switch (control & 4 ? 0 : control & 3) {
    case 1: return __builtin_floor(value);
    case 2: return __builtin_ceil(value);
    case 3: return __builtin_trunc(value);
    default: return nearest(value);
    }
}
#define ROUND_PS(i) round_f32(a[i], control)
#define ROUND_PD(i) round_f64(a[i], control)
f32x4 X86(sse41_round_ps)(f32x4 a, uint32_t control) { return (f32x4){LANES4(ROUND_PS)}; }
f64x2 X86(sse41_round_pd)(f64x2 a, uint32_t control) { return (f64x2){LANES2(ROUND_PD)}; }
f32x4 X86(sse41_round_ss)(f32x4 a, f32x4 b, uint32_t control) {
    return (f32x4){round_f32(b[0], control), a[1], a[2], a[3]};
}
f64x2 X86(sse41_round_sd)(f64x2 a, f64x2 b, uint32_t control) {
    return (f64x2){round_f64(b[0], control), a[1]};
}

// ---- CRC-32C, bit by bit, and products over GF(2)

static uint64_t crc(uint64_t sum, uint64_t data, unsigned bits) {
    sum = (uint32_t)(sum ^ data) | (bits == 64 ? (data ^ sum) & 0xffffffff00000000 : 0);
    for (unsigned i = 0; i < bits; i++) sum = sum >> 1 ^ (0x82f63b78 & (0 - (sum & 1)));
    return (uint32_t)sum;
}
uint32_t X86(sse42_crc32_32_8)(uint32_t sum, uint8_t data) { return (uint32_t)crc(sum, data, 8); }
uint32_t X86(sse42_crc32_32_16)(uint32_t sum, uint16_t data) { return (uint32_t)crc(sum, data, 16); }
uint32_t X86(sse42_crc32_32_32)(uint32_t sum, uint32_t data) { return (uint32_t)crc(sum, data, 32); }
uint64_t X86(sse42_crc32_64_64)(uint64_t sum, uint64_t data) { return crc((uint32_t)sum, data, 64); }

u64x2 X86(pclmulqdq)(u64x2 a, u64x2 b, uint8_t control) {
    uint64_t x = control & 1 ? a[1] : a[0], y = control & 16 ? b[1] : b[0], low = 0, high = 0;
    for (unsigned i = 0; i < 64; i++) {
        uint64_t mask = 0 - (y >> i & 1);
        low ^= x << i & mask;
        high ^= (i ? x >> (64 - i) : 0) & mask;
    }
    return (u64x2){low, high};
}
