// float and double to the last bit: special values, NaN payloads, rounding, conversions in and out of range.
// REQUIRES: exec
// RUN: %clang -O0 -ffp-contract=off %s -lm -o %t.native && %t.native >%t.expected
// RUN: %tamar exec %s >%t.actual
// RUN: diff %t.expected %t.actual
// RUN: %tamar exec %s -O2 >%t.optimised && diff %t.expected %t.optimised
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static volatile uint64_t doubles[] = {0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
                                      0x0000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff,
                                      0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000123, 0xfff4000000000456,
                                      0x3fe0000000000001, 0x4330000000000001, 0x43e0000000000000, 0xc1e0000000200000,
                                      0x41efffffffe00000, 0x43f0000000000000, 0x400921fb54442d18, 0x7e37e43c8800759c};
static volatile uint32_t floats[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x007fffff, 0x00800000,
                                     0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00123, 0xffa00456, 0x3f000001, 0x4b000001,
                                     0x5f000000, 0xcf000001, 0x4f7fffff, 0x5f800000, 0x40490fdb, 0x7149f2ca};
enum { count = 20 };

static uint64_t check;
static void mix(uint64_t value) { check = (check ^ value) * 0x100000001b3 + (check >> 29); }
static void mix_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    mix(bits);
}
static void mix_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    mix(bits);
}
static double get_double(int i) {
    uint64_t bits = doubles[i];
    double value;
    memcpy(&value, &bits, 8);
    return value;
}
static float get_float(int i) {
    uint32_t bits = floats[i];
    float value;
    memcpy(&value, &bits, 4);
    return value;
}
static void say(const char *name) { printf("%-12s %016llx\n", name, (unsigned long long)check); }

#define TO_INTEGERS(value)                                                                                   \
    mix((uint64_t)(int8_t)(value));                                                                          \
    mix((uint64_t)(uint8_t)(value));                                                                         \
    mix((uint64_t)(int16_t)(value));                                                                         \
    mix((uint64_t)(uint16_t)(value));                                                                        \
    mix((uint64_t)(int32_t)(value));                                                                         \
    mix((uint64_t)(uint32_t)(value));                                                                        \
    mix((uint64_t)(int64_t)(value));                                                                         \
    mix((uint64_t)(value));

int main(void) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double a = get_double(i), b = get_double(j);
            mix_double(a + b);
            mix_double(a - b);
            mix_double(a * b);
            mix_double(a / b);
            mix((uint64_t)((a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b) + 32 * (a >= b)));
            mix((uint64_t)__builtin_isunordered(a, b));
            mix_double(a < b ? a : b);
        }
    say("double");
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            float a = get_float(i), b = get_float(j);
            mix_float(a + b);
            mix_float(a - b);
            mix_float(a * b);
            mix_float(a / b);
            mix((uint64_t)((a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b) + 32 * (a >= b)));
        }
    say("float");
    for (int i = 0; i < count; i++) {
        double a = get_double(i);
        float b = get_float(i);
        mix_float((float)a);
        mix_double(b);
        mix_double(-a);
        mix_float(-b);
        mix_double(__builtin_fabs(a));
        mix_double(__builtin_copysign(1.5, a));
        TO_INTEGERS(a)
        TO_INTEGERS(b)
        mix((uint64_t)(a ? 1 : 0) + (uint64_t)(b ? 2 : 0) + (uint64_t)!a);
        mix((uint64_t)(__builtin_isnan(a) + 2 * __builtin_isinf(a) + 4 * __builtin_isfinite(a) + 8 * __builtin_isnormal(a)));
        mix((uint64_t)(__builtin_signbit(a) != 0));
    }
    say("conversions");
    static volatile int64_t integers[] = {0, 1, -1, 0x7fffffff, -0x80000000ll, 0x7fffffffffffffff, INT64_MIN,
                                          0x1000001, 0x1000003, 0x20000000000001, 0x20000000000003, 0x8000008000000001};
    for (unsigned i = 0; i < sizeof integers / 8; i++) {
        int64_t n = integers[i];
        mix_double((double)n);
        mix_double((double)(uint64_t)n);
        mix_double((double)(int32_t)n);
        mix_double((double)(uint32_t)n);
        mix_double((double)(int8_t)n);
        mix_float((float)n);
        mix_float((float)(uint64_t)n);
        mix_float((float)(uint16_t)n);
    }
    say("integers");
    double x = 1, y = 0;
    for (int i = 0; i < 20000; i++) { // long chains: one wrong rounding would show
        x = x * 1.0000001192092896 + y / 3;
        y = x - y * 0.9999;
        if (x > 1e6 || x < -1e6) x /= 1048577;
        mix_double(x);
        mix_float((float)y * 3.3f);
    }
    say("chain");
    return 0;
}
