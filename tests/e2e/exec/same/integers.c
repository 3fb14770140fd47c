// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
// Every width and signedness, through every operator, on values at the edges.
#include <stdint.h>
#include <stdio.h>

static const uint64_t edges[] = {0,
                                 1,
                                 2,
                                 3,
                                 7,
                                 0x7f,
                                 0x80,
                                 0xff,
                                 0x100,
                                 0x7fff,
                                 0x8000,
                                 0xffff,
                                 0x7fffffff,
                                 0x80000000,
                                 0xffffffff,
                                 0x100000000,
                                 0x7fffffffffffffff,
                                 0x8000000000000000,
                                 0xffffffffffffffff,
                                 0x0123456789abcdef};
#define COUNT (sizeof edges / sizeof edges[0])

static uint64_t hash = 14695981039346656037u;
static void mix(uint64_t value) { hash = (hash ^ value) * 1099511628211u + (hash >> 29); }

#define EXERCISE(name, type, unsigned_type)                                                                  \
    static void name(uint64_t x, uint64_t y) {                                                               \
        type a = (type)x, b = (type)y;                                                                       \
        unsigned_type ua = (unsigned_type)x, ub = (unsigned_type)y;                                          \
        unsigned shift = (unsigned)y % (8 * sizeof(type));                                                   \
        mix((uint64_t)(type)(ua + ub));                                                                      \
        mix((uint64_t)(type)(ua - ub));                                                                      \
        mix((uint64_t)(type)((uint64_t)ua * ub));                                                            \
        if (b && !(b == (type) - 1)) mix((uint64_t)(type)(a / b)), mix((uint64_t)(type)(a % b));             \
        mix((uint64_t)(type)(a & b)), mix((uint64_t)(type)(a | b)), mix((uint64_t)(type)(a ^ b));            \
        mix((uint64_t)(type)~a);                                                                             \
        mix((uint64_t)(type)(ua << shift % 31)), mix((uint64_t)(type)(a >> shift));                          \
        mix((a < b) | (a <= b) << 1 | (a == b) << 2 | (a > b) << 3 | (a >= b) << 4 | (a != b) << 5);         \
        mix((uint64_t)(int8_t)a), mix((uint64_t)(uint8_t)a), mix((uint64_t)(int16_t)a);                      \
        mix((uint64_t)(uint16_t)a), mix((uint64_t)(int32_t)a), mix((uint64_t)(uint32_t)a);                   \
        mix((uint64_t)(int64_t)a);                                                                           \
    }
EXERCISE(exercise_i8, int8_t, uint8_t)
EXERCISE(exercise_u8, uint8_t, uint8_t)
EXERCISE(exercise_i16, int16_t, uint16_t)
EXERCISE(exercise_u16, uint16_t, uint16_t)
EXERCISE(exercise_i32, int32_t, uint32_t)
EXERCISE(exercise_u32, uint32_t, uint32_t)
EXERCISE(exercise_i64, int64_t, uint64_t)
EXERCISE(exercise_u64, uint64_t, uint64_t)

int main(void) {
    static void (*const all[])(uint64_t, uint64_t) = {exercise_i8,  exercise_u8,  exercise_i16, exercise_u16,
                                                      exercise_i32, exercise_u32, exercise_i64, exercise_u64};
    for (unsigned k = 0; k < 8; k++) {
        for (unsigned i = 0; i < COUNT; i++)
            for (unsigned j = 0; j < COUNT; j++) all[k](edges[i], edges[j]);
        printf("%u %016llx\n", k, (unsigned long long)hash);
    }
    return (int)(hash & 63);
}
