// Integers on MMX registers. On vectors of 16 bytes clang 19 compiles these operations to plain vector operations; on
// MMX registers they are intrinsics.
#include "runtime/x86/x86.h"

#define BINARY(name, vector, h, LANE)                                                                        \
    mmx X86(mmx_##name)(mmx first, mmx second) {                                                             \
        vector a = (vector)first, b = (vector)second;                                                        \
        return (mmx)(vector){LANES##h(LANE)};                                                                \
    }

#define ADD(i)      a[i] + b[i]
#define SUB(i)      a[i] - b[i]
#define MULTIPLY(i) (uint16_t)((uint32_t)a[i] * b[i])
#define EQUAL(i)    a[i] == b[i] ? -1 : 0
#define GREATER(i)  a[i] > b[i] ? -1 : 0
#define LARGER(i)   a[i] > b[i] ? a[i] : b[i]
#define SMALLER(i)  a[i] < b[i] ? a[i] : b[i]
#define ADD_I8(i)   to_i8(a[i] + b[i])
#define SUB_I8(i)   to_i8(a[i] - b[i])
#define ADD_U8(i)   to_u8(a[i] + b[i])
#define SUB_U8(i)   to_u8(a[i] - b[i])
#define ADD_I16(i)  to_i16(a[i] + b[i])
#define SUB_I16(i)  to_i16(a[i] - b[i])
#define ADD_U16(i)  to_u16(a[i] + b[i])
#define SUB_U16(i)  to_u16(a[i] - b[i])
BINARY(padd_b, u8x8, 8, ADD)
BINARY(padd_w, u16x4, 4, ADD)
BINARY(padd_d, u32x2, 2, ADD)
BINARY(psub_b, u8x8, 8, SUB)
BINARY(psub_w, u16x4, 4, SUB)
BINARY(psub_d, u32x2, 2, SUB)
BINARY(padds_b, i8x8, 8, ADD_I8)
BINARY(psubs_b, i8x8, 8, SUB_I8)
BINARY(paddus_b, u8x8, 8, ADD_U8)
BINARY(psubus_b, u8x8, 8, SUB_U8)
BINARY(padds_w, i16x4, 4, ADD_I16)
BINARY(psubs_w, i16x4, 4, SUB_I16)
BINARY(paddus_w, u16x4, 4, ADD_U16)
BINARY(psubus_w, u16x4, 4, SUB_U16)
BINARY(pmull_w, u16x4, 4, MULTIPLY)
BINARY(pcmpeq_b, i8x8, 8, EQUAL)
BINARY(pcmpeq_w, i16x4, 4, EQUAL)
BINARY(pcmpeq_d, i32x2, 2, EQUAL)
BINARY(pcmpgt_b, i8x8, 8, GREATER)
BINARY(pcmpgt_w, i16x4, 4, GREATER)
BINARY(pcmpgt_d, i32x2, 2, GREATER)
BINARY(pmaxs_w, i16x4, 4, LARGER)
BINARY(pmins_w, i16x4, 4, SMALLER)
BINARY(pmaxu_b, u8x8, 8, LARGER)
BINARY(pminu_b, u8x8, 8, SMALLER)
mmx X86(mmx_padd_q)(mmx a, mmx b) { return a + b; }
mmx X86(mmx_psub_q)(mmx a, mmx b) { return a - b; }
mmx X86(mmx_pand)(mmx a, mmx b) { return a & b; }
mmx X86(mmx_pandn)(mmx a, mmx b) { return ~a & b; }
mmx X86(mmx_por)(mmx a, mmx b) { return a | b; }
mmx X86(mmx_pxor)(mmx a, mmx b) { return a ^ b; }
mmx X86(mmx_pmulu_dq)(mmx a, mmx b) { return (uint64_t)(uint32_t)a * (uint32_t)b; }

#define INTERLEAVE(name, vector, ...)                                                                        \
    mmx X86(mmx_punpck##name)(mmx first, mmx second) {                                                       \
        vector a = (vector)first, b = (vector)second;                                                        \
        return (mmx)__builtin_shufflevector(a, b, __VA_ARGS__);                                              \
    }
INTERLEAVE(lbw, u8x8, 0, 8, 1, 9, 2, 10, 3, 11)
INTERLEAVE(hbw, u8x8, 4, 12, 5, 13, 6, 14, 7, 15)
INTERLEAVE(lwd, u16x4, 0, 4, 1, 5)
INTERLEAVE(hwd, u16x4, 2, 6, 3, 7)
INTERLEAVE(ldq, u32x2, 0, 2)
INTERLEAVE(hdq, u32x2, 1, 3)

// Concatenates the two operands, the second one low, and shifts right by bytes.
mmx X86(mmx_palignr_b)(mmx high, mmx low, uint8_t bytes) {
    if (bytes >= 16) return 0;
    if (bytes >= 8) return high >> 8 * (bytes - 8);
    return bytes ? low >> 8 * bytes | high << (64 - 8 * bytes) : low;
}
uint32_t X86(mmx_pextr_w)(mmx value, uint32_t lane) { return (uint16_t)(value >> 16 * (lane & 3)); }
mmx X86(mmx_pinsr_w)(mmx value, uint32_t word, uint32_t lane) {
    unsigned at = 16 * (lane & 3);
    return (value & ~((uint64_t)0xffff << at)) | (uint64_t)(uint16_t)word << at;
}
#define WORD(i) (value >> 16 * (order >> 2 * (i) & 3) & 0xffff) << 16 * (i)
mmx X86(sse_pshuf_w)(mmx value, uint8_t order) { return WORD(0) | WORD(1) | WORD(2) | WORD(3); }
void X86(mmx_movnt_dq)(mmx *to, mmx value) { *to = value; }
void X86(mmx_emms)(void) {}
