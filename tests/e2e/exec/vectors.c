// Vectors: element-wise arithmetic, comparisons, shuffles, conversions, variable subscripts, by value.
// REQUIRES: exec
// RUN: %clang -O0 -ffp-contract=off %s -lm -o %t.native && %t.native >%t.expected
// RUN: %tamar exec %s >%t.actual
// RUN: diff %t.expected %t.actual
// RUN: %tamar exec %s -O2 >%t.optimised && diff %t.expected %t.optimised
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int8_t b16 __attribute__((vector_size(16)));
typedef uint16_t h8 __attribute__((vector_size(16)));
typedef int v4 __attribute__((vector_size(16)));
typedef unsigned u4 __attribute__((vector_size(16)));
typedef int64_t q2 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d4 __attribute__((vector_size(32)));
typedef int odd3 __attribute__((ext_vector_type(3)));

static uint64_t check;
static void mix(const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) check = (check ^ bytes[i]) * 0x100000001b3;
}
#define MIX(...)                                                                                             \
    do {                                                                                                     \
        __typeof__(__VA_ARGS__) value_ = (__VA_ARGS__);                                                                \
        mix(&value_, sizeof value_);                                                                         \
    } while (0)
static void say(const char *name) { printf("%-12s %016llx\n", name, (unsigned long long)check); }

static v4 rotate(v4 v, int by) {
    v4 r;
    for (int i = 0; i < 4; i++) r[i] = v[(i + by) & 3];
    return r;
}

static volatile int seeds[] = {1, -2, 300000, -7, 0x7fffffff, 11, -0x7fffffff, 5};

int main(void) {
    v4 a = {seeds[0], seeds[1], seeds[2], seeds[3]}, b = {seeds[4], seeds[5], seeds[6], seeds[7]};
    u4 ua = (u4)a, ub = (u4)b;
    MIX(ua + ub);
    MIX(ua - ub);
    MIX(ua * ub);
    MIX(a / (v4){3, -3, 7, 1});
    MIX(ua % (u4){3, 5, 7, 9});
    MIX(ua << (u4){1, 5, 31, 0});
    MIX(a >> (v4){1, 5, 31, 0});
    MIX(ua >> (u4){1, 5, 31, 0});
    MIX(a < b);
    MIX(ua >= ub);
    MIX(a == b);
    MIX((a & (a < b)) | (b & ~(a < b)));
    MIX(~a & b | (a ^ 77));
    say("ints");
    MIX(__builtin_shufflevector(a, b, 0, 4, 1, 5));
    MIX(__builtin_shufflevector(a, b, 7, 2, 2, 0, 1, 3, 5, 6));
    MIX(__builtin_shufflevector(a, b, 3, 1));
    MIX(rotate(a, seeds[5]));
    MIX(__builtin_reduce_add(a));
    MIX(__builtin_reduce_max(b));
    MIX(__builtin_reduce_xor(a));
    MIX(__builtin_reduce_and(b));
    say("shuffles");
    b16 bytes;
    memcpy(&bytes, &a, 16);
    MIX((b16)((b16)(bytes * bytes) + (b16)(bytes << 1)));
    MIX(bytes > (b16){0});
    MIX(__builtin_elementwise_add_sat(bytes, bytes));
    MIX(__builtin_elementwise_abs(a / 2));
    MIX(__builtin_elementwise_min(a, b));
    h8 halves;
    memcpy(&halves, &b, 16);
    MIX((h8)(halves * 3 + 1));
    MIX((h8)(halves / 7));
    q2 wide = {seeds[2] * 1000000007ll, -seeds[4] * 3ll};
    MIX(wide * wide[0]);
    MIX(wide >> 13);
    say("bytes");
    f4 f = __builtin_convertvector(a, f4), g = {1.5f, -2.25f, 1e30f, 3};
    MIX(f + g);
    MIX(f * g);
    MIX(f / g);
    MIX(f < g);
    MIX(-f);
    MIX(__builtin_convertvector(g / 1e25f, v4));
    d4 d = {1, 2, 3, 4};
    for (int i = 0; i < 100; i++) {
        d = d * d / (d + 1) + 0.125;
        d[i & 3] += i;
        MIX(d);
    }
    MIX(__builtin_convertvector(d, f4));
    say("floats");
    odd3 o = {seeds[0], seeds[1], seeds[2]}, p = o.zyx * 3 - o;
    MIX(p.x);
    MIX(p.y);
    MIX(p.z);
    MIX(sizeof o);
    v4 array[3] = {a, b, a};
    array[seeds[0]][seeds[0] + 1] = 42;
    for (int i = 0; i < 3; i++) MIX(array[i]);
    say("others");
    return 0;
}
