// What the machine computes as we define it: float and double to nearest even, without NaNs. Evaluation
// inside local search wants nanoseconds.
#include "expr/softfloat.h"

#include <math.h>
#include <string.h>

#define NATIVE(type, word, root)                                                                             \
    static bool native_##type(enum kind kind, const uint64_t *const *args, unsigned arity,                   \
                              uint64_t *result) {                                                            \
        type x = 0, y = 0, r;                                                                                \
        word in = (word)args[0][0], out;                                                                     \
        memcpy(&x, &in, sizeof x);                                                                           \
        if (arity > 1) {                                                                                     \
            in = (word)args[1][0];                                                                           \
            memcpy(&y, &in, sizeof y);                                                                       \
        }                                                                                                    \
        if (isnan(x) || isnan(y)) return false;                                                              \
        switch (kind) {                                                                                      \
        case KIND_FP_ADD: r = x + y; break;                                                                  \
        case KIND_FP_SUB: r = x - y; break;                                                                  \
        case KIND_FP_MUL: r = x * y; break;                                                                  \
        case KIND_FP_DIV: r = x / y; break;                                                                  \
        case KIND_FP_SQRT: r = root(x); break;                                                               \
        case KIND_FP_EQ: result[0] = x == y; return true;                                                    \
        case KIND_FP_LT: result[0] = x < y; return true;                                                     \
        case KIND_FP_LE: result[0] = x <= y; return true;                                                    \
        default: return false;                                                                               \
        }                                                                                                    \
        if (isnan(r)) return false;                                                                          \
        memcpy(&out, &r, sizeof r);                                                                          \
        result[0] = out;                                                                                     \
        return true;                                                                                         \
    }

NATIVE(float, uint32_t, sqrtf)
NATIVE(double, uint64_t, sqrt)

bool fp_native(struct shape shape, const uint64_t *const *args, uint64_t *result) {
    if (shape.rounding != FP_NEAREST_EVEN) return false;
    unsigned arity = kind_infos[shape.kind].arity;
    if (shape.format == FP_DOUBLE) return native_double((enum kind)shape.kind, args, arity, result);
    if (shape.format == FP_SINGLE) return native_float((enum kind)shape.kind, args, arity, result);
    return false;
}
