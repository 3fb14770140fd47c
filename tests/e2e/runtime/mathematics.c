// Every function of math.h and complex.h, over ordinary and special values, bit for bit; long double to 16 digits,
// since the system's musl has those functions in x87 assembly.
// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <complex.h>
#include <fenv.h>
#include <math.h>

static const double values[] = {0.0,   -0.0,  1,    -1,  0.5,   -0.3,   2.25,     10,        -7.75,
                                100.5, 1e-10, 1e10, 710, 1e300, 5e-324, INFINITY, -INFINITY, NAN};
#define COUNT ((int)(sizeof values / sizeof *values))
// The sign of a NaN is unspecified.
#define SHOW(x)  (isnan(x) ? printf("nan ") : printf("%a ", (double)(x)))
#define SHOWL(x) (isnan(x) ? printf("nan ") : printf("%.16Lg ", (long double)(x)))

#define ONE(X)                                                                                               \
    X(acos)                                                                                                  \
    X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(exp2)  \
        X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(logb) X(nearbyint) X(rint)    \
            X(round) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define TWO(X)    X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)
#define BESSEL(X) X(j0) X(j1) X(y0) X(y1)

int main(void) {
#define X(name)                                                                                              \
    printf(#name ": ");                                                                                      \
    for (int i = 0; i < COUNT; i++)                                                                          \
        SHOW(name(values[i])), SHOW(name##f((float)values[i])), SHOWL(name##l((long double)values[i]));      \
    puts("");
    ONE(X)
#undef X
#define X(name)                                                                                              \
    printf(#name ": ");                                                                                      \
    for (int i = 0; i < COUNT; i++)                                                                          \
        for (int j = 0; j < COUNT; j += 2)                                                                   \
            SHOW(name(values[i], values[j])), SHOW(name##f((float)values[i], (float)values[j]));             \
    for (int i = 0; i < COUNT; i++)                                                                          \
        SHOWL(name##l((long double)values[i], (long double)values[COUNT - 1 - i]));                          \
    puts("");
    TWO(X)
#undef X
#define X(name)                                                                                              \
    printf(#name ": ");                                                                                      \
    for (int i = 0; i < 12; i++) SHOW(name(values[i] < 0 ? -values[i] : values[i]));                         \
    puts("");
    BESSEL(X)
#undef X
    for (int i = 0; i < 12; i++) {
        int e, q;
        double whole, part = modf(values[i], &whole), s, c;
        sincos(values[i], &s, &c);
        double mantissa = frexp(values[i], &e);
        printf("%a %a %a %d %a %a %ld %lld %a %a %d ", part, whole, mantissa, e, ldexp(values[i], 3),
               scalbln(values[i], -5), fabs(values[i]) < 1e15 ? lrint(values[i]) : 0,
               fabs(values[i]) < 1e15 ? llround(values[i]) : 0, s, c, ilogb(values[i]));
        printf("%a %d %a %a\n", remquo(values[i], 3, &q), q & 7, fma(values[i], 3, -1),
               nexttoward(values[i], 1.0L));
    }
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    T(fegetround() == modes[0]);
    for (int i = 0; i < COUNT; i++)
        printf("%d%d%d%d%d ", fpclassify(values[i]), isfinite(values[i]) != 0, isinf(values[i]) != 0,
               isnan(values[i]) != 0, isnormal(values[i]) != 0);
    puts("");
    double complex z = 1.5 - 2 * I, w = -0.25 + 0.5 * I;
    double complex results[] = {csqrt(z),  cexp(z),   clog(z),  csin(z),  ccos(z),  ctan(w),  cpow(z, w),
                                casin(w),  cacos(w),  catan(w), csinh(w), ccosh(w), ctanh(w), casinh(w),
                                cacosh(z), catanh(w), conj(z),  cproj(z), z * w,    z / w};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        printf("%a,%a ", creal(results[i]), cimag(results[i]));
    printf("%a %a\n", cabs(z), carg(z));
    return 0;
}
