// Integers: SSE2, and the same operations on 64-bit MMX registers.
#include "runtime/x86/x86.h"

// Defines a function for 16-byte vectors, and one for MMX registers: n and h are their numbers of lanes.
#define BOTH(name, mmx_name, wide, narrow, result, narrow_result, n, h, LANE)                                \
    result X86(name)(wide a, wide b) { return (result){LANES##n(LANE)}; }                                    \
    mmx X86(mmx_name)(mmx first, mmx second) {                                                               \
        narrow a = (narrow)first, b = (narrow)second;                                                        \
        return (mmx)(narrow_result){LANES##h(LANE)};                                                         \
    }

#define AVERAGE(i) (a[i] + b[i] + 1) >> 1
BOTH(sse2_pavg_b, mmx_pavg_b, u8x16, u8x8, u8x16, u8x8, 16, 8, AVERAGE)
BOTH(sse2_pavg_w, mmx_pavg_w, u16x8, u16x4, u16x8, u16x4, 8, 4, AVERAGE)
#define HIGH(i)          (int16_t)((int32_t)a[i] * b[i] >> 16)
#define HIGH_UNSIGNED(i) (uint16_t)((uint32_t)a[i] * b[i] >> 16)
BOTH(sse2_pmulh_w, mmx_pmulh_w, i16x8, i16x4, i16x8, i16x4, 8, 4, HIGH)
BOTH(sse2_pmulhu_w, mmx_pmulhu_w, u16x8, u16x4, u16x8, u16x4, 8, 4, HIGH_UNSIGNED)
#define PAIR_SUM(i)                                                                                          \
    (int32_t)((uint32_t)(a[2 * (i)] * b[2 * (i)]) + (uint32_t)(a[2 * (i) + 1] * b[2 * (i) + 1]))
BOTH(sse2_pmadd_wd, mmx_pmadd_wd, i16x8, i16x4, i32x4, i32x2, 4, 2, PAIR_SUM)

static uint64_t differences(u8x8 a, u8x8 b) {
    uint64_t sum = 0;
#define DIFFERENCE(i) sum += (uint64_t)absolute((int32_t)a[i] - (int32_t)b[i])
    LANES8(DIFFERENCE);
    return sum;
}
#define LOW_HALF(v)  __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)
#define HIGH_HALF(v) __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)
u64x2 X86(sse2_psad_bw)(u8x16 a, u8x16 b) {
    return (u64x2){differences(LOW_HALF(a), LOW_HALF(b)), differences(HIGH_HALF(a), HIGH_HALF(b))};
}
mmx X86(mmx_psad_bw)(mmx a, mmx b) { return differences((u8x8)a, (u8x8)b); }

// ---- packing: narrower lanes, saturated

#define FROM_A_I8(i)  to_i8(a[i])
#define FROM_B_I8(i)  to_i8(b[i])
#define FROM_A_U8(i)  to_u8(a[i])
#define FROM_B_U8(i)  to_u8(b[i])
#define FROM_A_I16(i) to_i16(a[i])
#define FROM_B_I16(i) to_i16(b[i])
#define PACK(name, mmx_name, wide, narrow, result, narrow_result, n, h, TO)                                  \
    result X86(name)(wide a, wide b) { return (result){LANES##n(FROM_A_##TO), LANES##n(FROM_B_##TO)}; }      \
    mmx X86(mmx_name)(mmx first, mmx second) {                                                               \
        narrow a = (narrow)first, b = (narrow)second;                                                        \
        return (mmx)(narrow_result){LANES##h(FROM_A_##TO), LANES##h(FROM_B_##TO)};                           \
    }
PACK(sse2_packsswb_128, mmx_packsswb, i16x8, i16x4, i8x16, i8x8, 8, 4, I8)
PACK(sse2_packuswb_128, mmx_packuswb, i16x8, i16x4, u8x16, u8x8, 8, 4, U8)
PACK(sse2_packssdw_128, mmx_packssdw, i32x4, i32x2, i16x8, i16x4, 4, 2, I16)

// ---- shifts: a count beyond the width gives 0, or copies of the sign

#define LEFT(i)  amount < 8 * sizeof a[i] ? a[i] << amount : 0
#define RIGHT(i) amount < 8 * sizeof a[i] ? a[i] >> amount : 0
#define SIGN(i)  a[i] >> (amount < 8 * sizeof a[i] ? amount : 8 * sizeof a[i] - 1)

// The count is the low 64 bits of a vector, or a number.
#define SHIFT(name, vector, narrow, n, h, LANE)                                                              \
    static inline vector shift_##name(vector a, uint64_t amount) { return (vector){LANES##n(LANE)}; }        \
    vector X86(sse2_p##name)(vector a, vector count) { return shift_##name(a, ((u64x2)count)[0]); }          \
    static inline mmx short_##name(mmx value, uint64_t amount) {                                             \
        narrow a = (narrow)value;                                                                            \
        return (mmx)(narrow){LANES##h(LANE)};                                                                \
    }                                                                                                        \
    mmx X86(mmx_p##name)(mmx value, mmx count) { return short_##name(value, count); }
#define SHIFT_BY(name, vector, base)                                                                         \
    vector X86(sse2_p##name)(vector a, uint32_t count) { return shift_##base(a, count); }                    \
    mmx X86(mmx_p##name)(mmx value, uint32_t count) { return short_##base(value, count); }
SHIFT(sll_w, u16x8, u16x4, 8, 4, LEFT)
SHIFT(sll_d, u32x4, u32x2, 4, 2, LEFT)
SHIFT(sll_q, u64x2, u64x1, 2, 1, LEFT)
SHIFT(srl_w, u16x8, u16x4, 8, 4, RIGHT)
SHIFT(srl_d, u32x4, u32x2, 4, 2, RIGHT)
SHIFT(srl_q, u64x2, u64x1, 2, 1, RIGHT)
SHIFT(sra_w, i16x8, i16x4, 8, 4, SIGN)
SHIFT(sra_d, i32x4, i32x2, 4, 2, SIGN)
SHIFT_BY(slli_w, u16x8, sll_w)
SHIFT_BY(slli_d, u32x4, sll_d)
SHIFT_BY(slli_q, u64x2, sll_q)
SHIFT_BY(srli_w, u16x8, srl_w)
SHIFT_BY(srli_d, u32x4, srl_d)
SHIFT_BY(srli_q, u64x2, srl_q)
SHIFT_BY(srai_w, i16x8, sra_w)
SHIFT_BY(srai_d, i32x4, sra_d)

// ---- masks

#define TOP_BIT(i) | (uint32_t)(a[i] < 0) << (i)
#define TOP_BITS8  TOP_BIT(0) TOP_BIT(1) TOP_BIT(2) TOP_BIT(3) TOP_BIT(4) TOP_BIT(5) TOP_BIT(6) TOP_BIT(7)
#define TOP_BITS16                                                                                           \
    TOP_BITS8 TOP_BIT(8) TOP_BIT(9) TOP_BIT(10) TOP_BIT(11) TOP_BIT(12) TOP_BIT(13) TOP_BIT(14) TOP_BIT(15)
uint32_t X86(sse2_pmovmskb_128)(i8x16 a) { return 0 TOP_BITS16; }
uint32_t X86(mmx_pmovmskb)(mmx value) {
    i8x8 a = (i8x8)value;
    return 0 TOP_BITS8;
}

// Stores a byte if the mask's top bit is set; other bytes are not accessed.
static inline void store_masked(int8_t *to, int8_t value, int8_t mask) {
    if (mask < 0) *to = value;
}
#define STORE(i) store_masked(to + (i), value[i], mask[i])
void X86(sse2_maskmov_dqu)(i8x16 value, i8x16 mask, int8_t *to) { LANES16(STORE); }
void X86(mmx_maskmovq)(mmx first, mmx second, int8_t *to) {
    i8x8 value = (i8x8)first, mask = (i8x8)second;
    LANES8(STORE);
}
