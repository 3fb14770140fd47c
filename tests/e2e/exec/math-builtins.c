// The builtins that clang turns into intrinsics: rounding to integers, square root, fma, minimum, sign, scaling.
// REQUIRES: exec
// RUN: %clang -O0 -ffp-contract=off %s -lm -o %t.native && %t.native >%t.expected
// RUN: %tamar exec %s -lm >%t.actual
// RUN: diff %t.expected %t.actual
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t check;
static void mix(const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) check = (check ^ bytes[i]) * 0x100000001b3;
}
static void say(const char *name) { printf("%-12s %016llx\n", name, (unsigned long long)check); }

static volatile double values[] = {0.0,   -0.0,    0.5,   -0.5,     1.5,       -1.5,   2.5,     0.49999999999999994,
                                   1e-310, -3e-320, 1e308, 4503599627370497.5, -7.999, 1e18, 123.456, __builtin_inf()};
enum { count = sizeof values / sizeof values[0] };

#define DEFINE(type, suffix, size)                                                                           \
    static void put_##type##suffix(TYPE_##suffix value) { mix(&value, size); }                               \
    static void run_##type##suffix(void) {                                                                   \
        for (int i = 0; i < count; i++) {                                                                    \
            TYPE_##suffix a = (TYPE_##suffix)values[i];                                                      \
            put_##type##suffix(__builtin_floor##suffix(a));                                                  \
            put_##type##suffix(__builtin_ceil##suffix(a));                                                   \
            put_##type##suffix(__builtin_trunc##suffix(a));                                                  \
            put_##type##suffix(__builtin_rint##suffix(a));                                                   \
            put_##type##suffix(__builtin_nearbyint##suffix(a));                                              \
            put_##type##suffix(__builtin_round##suffix(a));                                                  \
            put_##type##suffix(__builtin_fabs##suffix(a));                                                   \
            put_##type##suffix(__builtin_sqrt##suffix(__builtin_fabs##suffix(a)));                           \
            for (int j = 0; j < count; j++) {                                                                \
                TYPE_##suffix b = (TYPE_##suffix)values[j], c = (TYPE_##suffix)values[(i + j * 3) % count];  \
                put_##type##suffix(__builtin_copysign##suffix(a, b));                                        \
                if (a != 0 || b != 0) { /* of two zeros libraries return either */                           \
                    put_##type##suffix(__builtin_fmin##suffix(a, b));                                        \
                    put_##type##suffix(__builtin_fmax##suffix(a, b));                                        \
                }                                                                                            \
                TYPE_##suffix sum = __builtin_fma##suffix(a, b, c);                                          \
                if (sum == sum) put_##type##suffix(sum);                                                     \
            }                                                                                                \
            for (int n = -1100; n < 1100; n += 73) put_##type##suffix(__builtin_ldexp##suffix(a, n));        \
        }                                                                                                    \
        say(#type);                                                                                          \
    }
#define TYPE_  double
#define TYPE_f float
#define TYPE_l long double
DEFINE(float, f, 4)
DEFINE(double, , 8)
DEFINE(extended, l, 10)

int main(void) {
    run_floatf();
    run_double();
    run_extendedl();
    return 0;
}
