// Vector types for functions that replace x86 intrinsics. Clang compiles most functions of <xmmintrin.h> to
// <smmintrin.h> to vector operations, and the rest to target intrinsics, which the front end replaces by calls:
// llvm.x86.sse2.pmadd.wd becomes a call of __tamar_x86_sse2_pmadd_wd. All code is straight-line over lanes with
// constant indices: symbolic operands give terms, not paths.
#ifndef TAMAR_RUNTIME_X86_H
#define TAMAR_RUNTIME_X86_H

#include <stdint.h>

typedef int8_t i8x16 __attribute__((vector_size(16)));
typedef uint8_t u8x16 __attribute__((vector_size(16)));
typedef int16_t i16x8 __attribute__((vector_size(16)));
typedef uint16_t u16x8 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef int64_t i64x2 __attribute__((vector_size(16)));
typedef uint64_t u64x2 __attribute__((vector_size(16)));
typedef float f32x4 __attribute__((vector_size(16)));
typedef double f64x2 __attribute__((vector_size(16)));

typedef int8_t i8x8 __attribute__((vector_size(8)));
typedef uint8_t u8x8 __attribute__((vector_size(8)));
typedef int16_t i16x4 __attribute__((vector_size(8)));
typedef uint16_t u16x4 __attribute__((vector_size(8)));
typedef int32_t i32x2 __attribute__((vector_size(8)));
typedef uint32_t u32x2 __attribute__((vector_size(8)));
typedef uint64_t u64x1 __attribute__((vector_size(8)));

// An x86_mmx value is one 64-bit register of the VM; a vector of 8 bytes would be passed differently.
typedef uint64_t mmx;

#define X86(name) __tamar_x86_##name

// The lanes of an initializer: E is a macro of the lane's index.
#define LANES1(E)  E(0)
#define LANES2(E)  E(0), E(1)
#define LANES4(E)  LANES2(E), E(2), E(3)
#define LANES8(E)  LANES4(E), E(4), E(5), E(6), E(7)
#define LANES16(E) LANES8(E), E(8), E(9), E(10), E(11), E(12), E(13), E(14), E(15)

static inline int32_t clamp(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}
static inline int8_t to_i8(int32_t value) { return (int8_t)clamp(value, -128, 127); }
static inline uint8_t to_u8(int32_t value) { return (uint8_t)clamp(value, 0, 255); }
static inline int16_t to_i16(int32_t value) { return (int16_t)clamp(value, -32768, 32767); }
static inline uint16_t to_u16(int32_t value) { return (uint16_t)clamp(value, 0, 65535); }
static inline int32_t absolute(int32_t value) { return value < 0 ? -value : value; }

// Conversions to integers: a value that does not fit, and NaN, give the "integer indefinite".
static inline int32_t fit_i32(double value) {
    return value >= -2147483648.0 && value < 2147483648.0 ? (int32_t)value : INT32_MIN;
}
static inline double nearest(double value) { return __builtin_roundeven(value); }
static inline float nearest_f(float value) { return __builtin_roundevenf(value); }

#endif
