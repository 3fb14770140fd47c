// Overflow builtins, saturating arithmetic, counting, swapping and rotating bits.
// REQUIRES: exec
// RUN: %clang -O0 -ffp-contract=off %s -lm -o %t.native && %t.native >%t.expected
// RUN: %tamar exec %s >%t.actual
// RUN: diff %t.expected %t.actual
// RUN: %tamar exec %s -O2 >%t.optimised && diff %t.expected %t.optimised
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static volatile int64_t values[] = {0, 1, -1, 2, 127, -128, 255, 32767, -32768, 65535, INT_MAX, INT_MIN, UINT_MAX,
                                    LLONG_MAX, LLONG_MIN, 0x123456789abcdef, 46341, 3037000500};
enum { count = sizeof values / sizeof values[0] };

static uint64_t check;
static void mix(uint64_t value) { check = (check ^ value) * 0x100000001b3 + (check >> 29); }

#define OVERFLOWS(type)                                                                                      \
    for (int i = 0; i < count * count; i++) {                                                                \
        type a = (type)values[i / count], b = (type)values[i % count], r;                                    \
        mix((uint64_t)__builtin_add_overflow(a, b, &r));                                                     \
        mix((uint64_t)r);                                                                                    \
        mix((uint64_t)__builtin_sub_overflow(a, b, &r));                                                     \
        mix((uint64_t)r);                                                                                    \
        mix((uint64_t)__builtin_mul_overflow(a, b, &r));                                                     \
        mix((uint64_t)r);                                                                                    \
        mix((uint64_t)__builtin_elementwise_add_sat(a, b));                                                  \
        mix((uint64_t)__builtin_elementwise_sub_sat(a, b));                                                  \
        mix((uint64_t)__builtin_elementwise_max(a, b));                                                      \
        mix((uint64_t)__builtin_elementwise_min(a, b));                                                      \
    }                                                                                                        \
    printf("%-20s %016llx\n", #type, (unsigned long long)check);

#define MIXED(a_type, b_type, r_type)                                                                        \
    for (int i = 0; i < count * count; i++) {                                                                \
        a_type a = (a_type)values[i / count];                                                                \
        b_type b = (b_type)values[i % count];                                                                \
        r_type r;                                                                                            \
        mix((uint64_t)__builtin_add_overflow(a, b, &r));                                                     \
        mix((uint64_t)__builtin_mul_overflow(a, b, &r));                                                     \
        mix((uint64_t)r);                                                                                    \
        mix((uint64_t)__builtin_sub_overflow(a, b, &r));                                                     \
        mix((uint64_t)r);                                                                                    \
    }                                                                                                        \
    printf("%s %s %s %016llx\n", #a_type, #b_type, #r_type, (unsigned long long)check);

static uint32_t rotate(uint32_t x, unsigned by) { return x << (by & 31) | x >> (-by & 31); }

int main(void) {
    OVERFLOWS(int8_t)
    OVERFLOWS(uint8_t)
    OVERFLOWS(int16_t)
    OVERFLOWS(uint16_t)
    OVERFLOWS(int)
    OVERFLOWS(unsigned)
    OVERFLOWS(long)
    OVERFLOWS(unsigned long)
    OVERFLOWS(__int128)
    OVERFLOWS(unsigned __int128)
    MIXED(int, unsigned, int8_t)
    MIXED(long, unsigned long, int)
    MIXED(unsigned long, long, unsigned short)
    MIXED(int8_t, uint64_t, int64_t)
    MIXED(int64_t, __int128, uint64_t)
    for (int i = 0; i < count; i++) {
        uint64_t x = (uint64_t)values[i];
        mix(__builtin_bswap16((uint16_t)x) + __builtin_bswap32((uint32_t)x));
        mix(__builtin_bswap64(x));
        mix(__builtin_bitreverse8((uint8_t)x) + __builtin_bitreverse16((uint16_t)x));
        mix(__builtin_bitreverse32((uint32_t)x) + __builtin_bitreverse64(x));
        mix((uint64_t)(__builtin_popcount((unsigned)x) + __builtin_popcountll(x) * 100));
        mix((uint64_t)(__builtin_parity((unsigned)x) + __builtin_parityll(x) * 2));
        mix((uint64_t)(__builtin_ffs((int)x) + __builtin_ffsll((long long)x) * 100));
        mix((uint64_t)(__builtin_clrsb((int)x) + __builtin_clrsbll((long long)x) * 100));
        if ((unsigned)x) mix((uint64_t)(__builtin_clz((unsigned)x) + __builtin_ctz((unsigned)x) * 100));
        if (x) mix((uint64_t)(__builtin_clzll(x) + __builtin_ctzll(x) * 100));
        for (unsigned by = 0; by < 70; by += 3) {
            mix(rotate((uint32_t)x, by) + __builtin_rotateleft8((uint8_t)x, (uint8_t)by));
            mix(__builtin_rotateright16((uint16_t)x, (uint16_t)by) + __builtin_rotateleft32((uint32_t)x, by));
            mix(__builtin_rotateright64(x, by));
        }
        mix((uint64_t)__builtin_elementwise_abs((int)(x >> 1)));
        mix((uint64_t)__builtin_addcll(x, x >> 3, 1, (unsigned long long *)&(unsigned long long){0}));
    }
    printf("bits %016llx\n", (unsigned long long)check);
    return 0;
}
