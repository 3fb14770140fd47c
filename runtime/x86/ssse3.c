// Integers: SSSE3, on vectors and on MMX registers.
#include "runtime/x86/x86.h"

#define BOTH(name, vector, narrow, result, narrow_result, n, h, LANE)                                        \
    result X86(ssse3_##name##_128)(vector a, vector b) {                                                     \
        enum { LANES = n };                                                                                  \
        return (result){LANES##n(LANE)};                                                                     \
    }                                                                                                        \
    mmx X86(ssse3_##name)(mmx first, mmx second) {                                                           \
        enum { LANES = h };                                                                                  \
        narrow a = (narrow)first, b = (narrow)second;                                                        \
        return (mmx)(narrow_result){LANES##h(LANE)};                                                         \
    }

// Adjacent lanes of the concatenated operands: pair i has its first lane in a, or in b after all of a's.
#define EVEN(i) (2 * (i) < LANES ? a[2 * (i) % LANES] : b[2 * (i) % LANES])
#define ODD(i)  (2 * (i) < LANES ? a[(2 * (i) + 1) % LANES] : b[(2 * (i) + 1) % LANES])

#define ADD_W(i)  (int16_t)(EVEN(i) + ODD(i))
#define SUB_W(i)  (int16_t)(EVEN(i) - ODD(i))
#define ADD_D(i)  (uint32_t)EVEN(i) + (uint32_t)ODD(i)
#define SUB_D(i)  (uint32_t)EVEN(i) - (uint32_t)ODD(i)
#define ADD_SW(i) to_i16(EVEN(i) + ODD(i))
#define SUB_SW(i) to_i16(EVEN(i) - ODD(i))
BOTH(phadd_w, i16x8, i16x4, i16x8, i16x4, 8, 4, ADD_W)
BOTH(phsub_w, i16x8, i16x4, i16x8, i16x4, 8, 4, SUB_W)
BOTH(phadd_d, u32x4, u32x2, u32x4, u32x2, 4, 2, ADD_D)
BOTH(phsub_d, u32x4, u32x2, u32x4, u32x2, 4, 2, SUB_D)
BOTH(phadd_sw, i16x8, i16x4, i16x8, i16x4, 8, 4, ADD_SW)
BOTH(phsub_sw, i16x8, i16x4, i16x8, i16x4, 8, 4, SUB_SW)

#define SIGNED(i) (b[i] < 0 ? 0 - (uint32_t)a[i] : b[i] == 0 ? 0 : (uint32_t)a[i])
#define SIGN_B(i) (int8_t)SIGNED(i)
#define SIGN_W(i) (int16_t)SIGNED(i)
#define SIGN_D(i) (int32_t)SIGNED(i)
BOTH(psign_b, i8x16, i8x8, i8x16, i8x8, 16, 8, SIGN_B)
BOTH(psign_w, i16x8, i16x4, i16x8, i16x4, 8, 4, SIGN_W)
BOTH(psign_d, i32x4, i32x2, i32x4, i32x2, 4, 2, SIGN_D)

#define ROUNDED_HIGH(i) (int16_t)((((int32_t)a[i] * b[i] >> 14) + 1) >> 1)
BOTH(pmul_hr_sw, i16x8, i16x4, i16x8, i16x4, 8, 4, ROUNDED_HIGH)

#define MIXED(i)      (int32_t)(uint8_t)a[i] * b[i] // the first operand's bytes are unsigned
#define MIXED_PAIR(i) to_i16(MIXED(2 * (i)) + MIXED(2 * (i) + 1))
BOTH(pmadd_ub_sw, i8x16, i8x8, i16x8, i16x4, 8, 4, MIXED_PAIR)

// Selects a lane by a byte that may be symbolic: an ite over all lanes, not a branch.
static inline int8_t choose16(i8x16 a, uint8_t at) {
    int8_t result = a[0];
#define CHOOSE(i) result = (at & 15) == (i) ? a[i] : result
    LANES16(CHOOSE);
    return at & 0x80 ? 0 : result;
}
static inline int8_t choose8(i8x8 a, uint8_t at) {
    int8_t result = a[0];
#define CHOOSE_SHORT(i) result = (at & 7) == (i) ? a[i] : result
    LANES8(CHOOSE_SHORT);
    return at & 0x80 ? 0 : result;
}
#define SHUFFLED16(i) choose16(a, (uint8_t)b[i])
#define SHUFFLED8(i)  choose8(a, (uint8_t)b[i])
i8x16 X86(ssse3_pshuf_b_128)(i8x16 a, i8x16 b) { return (i8x16){LANES16(SHUFFLED16)}; }
mmx X86(ssse3_pshuf_b)(mmx first, mmx second) {
    i8x8 a = (i8x8)first, b = (i8x8)second;
    return (mmx)(i8x8){LANES8(SHUFFLED8)};
}

#define ABSOLUTE(i) absolute(a[i])
mmx X86(ssse3_pabs_b)(mmx value) {
    i8x8 a = (i8x8)value;
    return (mmx)(u8x8){LANES8(ABSOLUTE)};
}
mmx X86(ssse3_pabs_w)(mmx value) {
    i16x4 a = (i16x4)value;
    return (mmx)(u16x4){LANES4(ABSOLUTE)};
}
mmx X86(ssse3_pabs_d)(mmx value) {
    i32x2 a = (i32x2)value;
    return (mmx)(i32x2){LANES2(ABSOLUTE)};
}
