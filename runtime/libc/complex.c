// Complex multiplication and division, called by compilers (C17 annex G.5.1): the
// plain result, and if both parts are NaN, the infinities that the standard requires.
#include <complex.h>
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

#define DIVIDE(name, type, copysign_, fmax_, fabs_, logb_, scalbn_, result_type)                             \
    result_type name(type a, type b, type c, type d);                                                        \
    result_type name(type a, type b, type c, type d) {                                                       \
        int scale = 0;                                                                                       \
        type log_of_divisor = logb_(fmax_(fabs_(c), fabs_(d)));                                              \
        if (isfinite(log_of_divisor)) {                                                                      \
            scale = (int)log_of_divisor;                                                                     \
            c = scalbn_(c, -scale), d = scalbn_(d, -scale);                                                  \
        }                                                                                                    \
        type denominator = c * c + d * d;                                                                    \
        type x = scalbn_((a * c + b * d) / denominator, -scale);                                             \
        type y = scalbn_((b * c - a * d) / denominator, -scale);                                             \
        if (isnan(x) && isnan(y)) {                                                                          \
            if (denominator == 0 && (!isnan(a) || !isnan(b))) {                                              \
                x = copysign_((type)INFINITY, c) * a;                                                        \
                y = copysign_((type)INFINITY, c) * b;                                                        \
            } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                               \
                a = copysign_(isinf(a) ? 1 : 0, a), b = copysign_(isinf(b) ? 1 : 0, b);                      \
                x = (type)INFINITY * (a * c + b * d);                                                        \
                y = (type)INFINITY * (b * c - a * d);                                                        \
            } else if (isinf(log_of_divisor) && log_of_divisor > 0 && isfinite(a) && isfinite(b)) {          \
                c = copysign_(isinf(c) ? 1 : 0, c), d = copysign_(isinf(d) ? 1 : 0, d);                      \
                x = 0 * (a * c + b * d);                                                                     \
                y = 0 * (b * c - a * d);                                                                     \
            }                                                                                                \
        }                                                                                                    \
        return CMPLX_(result_type, type, x, y);                                                              \
    }

#define CMPLX_(result_type, type, x, y) __builtin_complex((type)(x), (type)(y))

MULTIPLY(__mulsc3, float, copysignf, float _Complex)
MULTIPLY(__muldc3, double, copysign, double _Complex)
MULTIPLY(__mulxc3, long double, copysignl, long double _Complex)
DIVIDE(__divsc3, float, copysignf, fmaxf, fabsf, logbf, scalbnf, float _Complex)
DIVIDE(__divdc3, double, copysign, fmax, fabs, logb, scalbn, double _Complex)
DIVIDE(__divxc3, long double, copysignl, fmaxl, fabsl, logbl, scalbnl, long double _Complex)
