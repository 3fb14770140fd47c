// Complex multiplication and division, called by compilers (C17 annex G.5.1): the
// plain result, and if both parts are NaN, the infinities that the standard requires.
#include <complex.h>
#include <float.h>
#include <math.h>

#define MULTIPLY(name, type, copysign_, result_type)                                                         \
    result_type name(type a, type b, type c, type d);                                                        \
    result_type name(type a, type b, type c, type d) {                                                       \
        type ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                                 \
        type x = ac - bd, y = ad + bc;                                                                       \
        if (isnan(x) && isnan(y)) {                                                                          \
            int recalculate = 0;                                                                             \
            if (isinf(a) || isinf(b)) {                                                                      \
                a = copysign_(isinf(a) ? 1 : 0, a), b = copysign_(isinf(b) ? 1 : 0, b);                      \
                if (isnan(c)) c = copysign_(0, c);                                                           \
                if (isnan(d)) d = copysign_(0, d);                                                           \
                recalculate = 1;                                                                             \
            }                                                                                                \
            if (isinf(c) || isinf(d)) {                                                                      \
                c = copysign_(isinf(c) ? 1 : 0, c), d = copysign_(isinf(d) ? 1 : 0, d);                      \
                if (isnan(a)) a = copysign_(0, a);                                                           \
                if (isnan(b)) b = copysign_(0, b);                                                           \
                recalculate = 1;                                                                             \
            }                                                                                                \
            if (!recalculate && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {                        \
                if (isnan(a)) a = copysign_(0, a);                                                           \
                if (isnan(b)) b = copysign_(0, b);                                                           \
                if (isnan(c)) c = copysign_(0, c);                                                           \
                if (isnan(d)) d = copysign_(0, d);                                                           \
                recalculate = 1;                                                                             \
            }                                                                                                \
            if (recalculate) {                                                                               \
                x = (type)INFINITY * (a * c - b * d);                                                        \
                y = (type)INFINITY * (a * d + b * c);                                                        \
            }                                                                                                \
        }                                                                                                    \
        return CMPLX_(result_type, type, x, y);                                                              \
    }

// Infinities and zeros, where both parts of the plain quotient are NaN.
#define RECOVER(type, copysign_)                                                                             \
    if (isnan(x) && isnan(y)) {                                                                              \
        if (c == 0 && d == 0 && (!isnan(a) || !isnan(b))) {                                                  \
            x = copysign_((type)INFINITY, c) * a;                                                            \
            y = copysign_((type)INFINITY, c) * b;                                                            \
        } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                                   \
            a = copysign_(isinf(a) ? 1 : 0, a), b = copysign_(isinf(b) ? 1 : 0, b);                          \
            x = (type)INFINITY * (a * c + b * d);                                                            \
            y = (type)INFINITY * (b * c - a * d);                                                            \
        } else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) {                                   \
            c = copysign_(isinf(c) ? 1 : 0, c), d = copysign_(isinf(d) ? 1 : 0, d);                          \
            x = 0 * (a * c + b * d);                                                                         \
            y = 0 * (b * c - a * d);                                                                         \
        }                                                                                                    \
    }

// Smith's method with the scaling of Baudin and Smith (A robust complex division in Scilab), whose steps and constants
// are those of libgcc: natively compiled programs have the same bits.
#define SCALE(factor) (a *= (factor), b *= (factor), c *= (factor), d *= (factor))
#define DIVIDE(name, type, copysign_, fabs_, largest, least, epsilon, result_type)                           \
    result_type name(type a, type b, type c, type d);                                                        \
    result_type name(type a, type b, type c, type d) {                                                       \
        const type big = (largest) / 2, small = (epsilon), middle = big * small;                             \
        int swapped = fabs_(c) < fabs_(d);                                                                   \
        type divisor = fabs_(swapped ? d : c), x, y;                                                         \
        if (divisor >= big) {                                                                                \
            SCALE((type)0.5);                                                                                \
            divisor /= 2;                                                                                    \
        }                                                                                                    \
        if (divisor < small || (divisor < middle && ((fabs_(a) < (least) && fabs_(b) < middle) ||            \
                                                     (fabs_(b) < (least) && fabs_(a) < middle))))            \
            SCALE(1 / small);                                                                                \
        type ratio = swapped ? c / d : d / c;                                                                \
        int exact = fabs_(ratio) > (least); /* otherwise it is subnormal, and is not used */                 \
        if (swapped) {                                                                                       \
            type denominator = c * ratio + d;                                                                \
            x = ((exact ? a * ratio : c * (a / d)) + b) / denominator;                                       \
            y = ((exact ? b * ratio : c * (b / d)) - a) / denominator;                                       \
        } else {                                                                                             \
            type denominator = d * ratio + c;                                                                \
            x = (a + (exact ? b * ratio : d * (b / c))) / denominator;                                       \
            y = (b - (exact ? a * ratio : d * (a / c))) / denominator;                                       \
        }                                                                                                    \
        RECOVER(type, copysign_)                                                                             \
        return CMPLX_(result_type, type, x, y);                                                              \
    }

#define CMPLX_(result_type, type, x, y) __builtin_complex((type)(x), (type)(y))

MULTIPLY(__mulsc3, float, copysignf, float _Complex)
MULTIPLY(__muldc3, double, copysign, double _Complex)
MULTIPLY(__mulxc3, long double, copysignl, long double _Complex)
DIVIDE(__divdc3, double, copysign, fabs, DBL_MAX, DBL_MIN, DBL_EPSILON, double _Complex)
DIVIDE(__divxc3, long double, copysignl, fabsl, LDBL_MAX, LDBL_MIN, LDBL_EPSILON, long double _Complex)

// Divides in double, in which no intermediate result overflows.
float _Complex __divsc3(float a, float b, float c, float d);
float _Complex __divsc3(float a, float b, float c, float d) {
    double denominator = (double)c * c + (double)d * d;
    float x = (float)(((double)a * c + (double)b * d) / denominator);
    float y = (float)(((double)b * c - (double)a * d) / denominator);
    RECOVER(float, copysignf)
    return CMPLX_(float _Complex, float, x, y);
}
