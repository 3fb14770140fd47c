// _Float16 and __float128: clang computes the one in float and calls libgcc for the other.
// REQUIRES: exec
// RUN: %clang -O0 -ffp-contract=off %s -lm -o %t.native && %t.native >%t.expected
// RUN: %tamar exec %s >%t.actual
// RUN: diff %t.expected %t.actual
// RUN: %tamar exec %s -O2 >%t.optimised && diff %t.expected %t.optimised
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef __float128 quad;

static uint64_t check;
static void mix(uint64_t value) { check = (check ^ value) * 0x100000001b3 + (check >> 29); }
static void mix_half(_Float16 value) {
    uint16_t bits;
    memcpy(&bits, &value, 2);
    mix(bits);
}
static void mix_quad(quad value) {
    uint64_t bits[2];
    memcpy(bits, &value, 16);
    mix(bits[0]);
    mix(bits[1]);
}
static _Float16 half(uint16_t bits) {
    _Float16 value;
    memcpy(&value, &bits, 2);
    return value;
}
static quad make_quad(uint64_t high, uint64_t low) {
    uint64_t bits[2] = {low, high};
    quad value;
    memcpy(&value, bits, 16);
    return value;
}
static void say(const char *name) { printf("%-12s %016llx\n", name, (unsigned long long)check); }

static volatile uint16_t halves[] = {0,      0x8000, 1,      0x3ff,  0x400,  0x3c00, 0xbc00, 0x7bff, 0xfbff,
                                     0x7c00, 0xfc00, 0x7e01, 0xfd02, 0x3555, 0x4248, 0x6400, 0x7800, 0x0801};
static volatile uint64_t quads[][2] = {{0, 0},
                                       {0x8000000000000000, 0},
                                       {0x3fff000000000000, 0},
                                       {0xbfff000000000000, 1},
                                       {0, 1},
                                       {0x0000ffffffffffff, 0xffffffffffffffff},
                                       {0x0001000000000000, 0},
                                       {0x7ffeffffffffffff, 0xffffffffffffffff},
                                       {0x7fff000000000000, 0},
                                       {0xffff000000000000, 0},
                                       {0x7fff800000000000, 0x123},
                                       {0xffff400000000000, 0x456},
                                       {0x4000921fb54442d1, 0x8469898cc51701b8},
                                       {0x403e000000000000, 0x1},
                                       {0xc01e000000000000, 0xffff},
                                       {0x406fffffffffffff, 0xffffffffffffffff}};

int main(void) {
    enum { half_count = sizeof halves / 2, quad_count = sizeof quads / 16 };
    for (int i = 0; i < half_count; i++)
        for (int j = 0; j < half_count; j++) {
            _Float16 a = half(halves[i]), b = half(halves[j]);
            mix_half(a + b);
            mix_half(a - b);
            mix_half(a * b);
            mix_half(a / b);
            mix_half(a * b + a);
            mix((uint64_t)((a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b)));
        }
    say("half");
    for (unsigned bits = 0; bits < 65536; bits += 7) {
        _Float16 a = half((uint16_t)bits);
        float f = (float)a;
        uint32_t single;
        memcpy(&single, &f, 4);
        mix(single);
        mix_half((_Float16)(f * 1.0009765f));
        if (a == a) mix_half(-a);
        if (f > -30000 && f < 30000) mix((uint64_t)(int)a + (uint64_t)(uint8_t)(int)a);
        mix_half((_Float16)(int)bits);
    }
    say("all halves");
    for (int i = 0; i < quad_count; i++)
        for (int j = 0; j < quad_count; j++) {
            quad a = make_quad(quads[i][0], quads[i][1]), b = make_quad(quads[j][0], quads[j][1]);
            mix_quad(a + b);
            mix_quad(a - b);
            mix_quad(a * b);
            mix_quad(a / b);
            mix((uint64_t)((a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b)));
        }
    say("quad");
    for (int i = 0; i < quad_count; i++) {
        quad a = make_quad(quads[i][0], quads[i][1]);
        uint64_t bits = 0;
        double d = (double)a;
        float f = (float)a;
        long double l = (long double)a;
        memcpy(&bits, &d, 8);
        mix(bits);
        bits = 0;
        memcpy(&bits, &f, 4);
        mix(bits);
        bits = 0;
        memcpy(&bits, &l, 8);
        mix(bits);
        mix_quad(l);
        mix_quad(d);
        mix((uint64_t)(int)a);
        mix((uint64_t)(unsigned)a);
        mix((uint64_t)(long)a);
        mix((uint64_t)a);
    }
    quad x = 1;
    for (long n = 1; n < 100000000000000000; n = n * 5 + 3) {
        x = x / (quad)n + (quad)(unsigned long)~n;
        mix_quad(x);
        mix_quad((quad)((__int128)n * n));
    }
    say("conversions");
    return 0;
}
