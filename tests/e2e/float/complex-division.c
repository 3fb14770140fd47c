// Complex quotients have the native bits; parts are large, small, subnormal, zero, infinite or NaN.
// RUN: same-as-native %tamar %s
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned long sum;
static void add(const void *bytes, int size) {
    for (int i = 0; i < size; i++) sum = sum * 31 + ((const unsigned char *)bytes)[i];
}
#define TRY(name, type, LARGEST, LEAST, EPSILON, SIZE)                                                       \
    static void name(void) {                                                                                 \
        volatile type parts[] = {0,           -0.0,        1,     -3,                                        \
                                 LARGEST,     LARGEST / 3, LEAST, LEAST * EPSILON,                           \
                                 EPSILON / 7, INFINITY,    NAN,   (type)1e-20 / 3};                          \
        enum { COUNT = sizeof parts / sizeof *parts };                                                       \
        for (int i = 0; i < COUNT * COUNT; i++)                                                              \
            for (int k = i % 3; k < COUNT * COUNT; k += 3) {                                                 \
                volatile type _Complex a = 0, b = 0;                                                         \
                a = __builtin_complex((type)parts[i / COUNT], (type)parts[i % COUNT]);                       \
                b = __builtin_complex((type)parts[k / COUNT], (type)parts[k % COUNT]);                       \
                type _Complex quotient = a / b;                                                              \
                type x = __real__ quotient, y = __imag__ quotient;                                           \
                if (isnan(x)) x = 7; /* the sign of a NaN is not defined */                                  \
                if (isnan(y)) y = 7;                                                                         \
                add(&x, SIZE);                                                                               \
                add(&y, SIZE);                                                                               \
            }                                                                                                \
        printf(#name " %lx\n", sum);                                                                         \
    }
TRY(floats, float, FLT_MAX, FLT_MIN, FLT_EPSILON, 4)
TRY(doubles, double, DBL_MAX, DBL_MIN, DBL_EPSILON, 8)
TRY(long_doubles, long double, LDBL_MAX, LDBL_MIN, LDBL_EPSILON, 10)

int main(void) {
    floats();
    doubles();
    long_doubles();
    return 0;
}
