// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
// float, double and long double: arithmetic, conversions, comparisons with NaN, classification, rounding.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void bits(const char *name, double x) {
    uint64_t u;
    memcpy(&u, &x, 8);
    printf("%s %016llx\n", name, x != x ? 0x7ff8ull << 48 : (unsigned long long)u);
}
static void long_bits(const char *name, long double x) {
    unsigned char raw[16] = {0};
    memcpy(raw, &x, 10);
    printf("%s ", name);
    for (int i = 9; i >= 0; i--) printf("%02x", x != x ? 0 : raw[i]);
    puts("");
}

int main(int argc, char **argv) {
    double zero = argc - 1.0, one = argc;
    double values[] = {zero,          -zero,        one,        -one,        0.1 * one,   1e308 * one,
                       DBL_MIN * one, 5e-324 * one, one / zero, -one / zero, zero / zero, 123456789.125 * one,
                       3e-9 * one};
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++)
        for (unsigned j = 0; j < sizeof values / sizeof values[0]; j++) {
            double a = values[i], b = values[j];
            bits("add", a + b), bits("sub", a - b), bits("mul", a * b), bits("div", a / b);
            bits("float", (float)a * (float)b);
            printf("%d%d%d%d%d%d\n", a < b, a <= b, a == b, a != b, a > b, a >= b);
            long_bits("long", (long double)a / (long double)b + (long double)b * 3);
        }
    float f = 16777217.0f * (float)one;
    printf("%.9g %d %u %lld\n", f, (int)-1.9, (unsigned)3000000000.5, (long long)(-9e18 * one));
    bits("u64", (double)(uint64_t)0xffffffffffffffff), bits("i64", (double)(int64_t)-3);
    printf("%.17g %.17g %.17g %.17g\n", sqrt(2 * one), fabs(-one), floor(-2.5 * one), ceil(2.1 * one));
    printf("%.17g %.17g %.17g\n", trunc(-2.7 * one), fma(one, 2, 3), fmod(10.5 * one, 3));
    printf("%d %d %d\n", isnan(values[10]) != 0, isinf(values[8]) != 0, signbit(-zero) != 0);
    long double third = 1.0L * one / 3;
    long_bits("third", third), long_bits("sum", third + third + third), long_bits("big", 1e4000L * one);
    printf("%.20Lg %lld\n", third, (long long)(third * 1e18L));
    return 0;
}
