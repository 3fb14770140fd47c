#include "bits.h"

#include "base/error.h"
#include "expr/softfloat.h"

#include <math.h>
#include <string.h>

static double as_double(const struct bits *a) {
    uint64_t pattern = bits_low(a);
    uint32_t narrow = (uint32_t)pattern;
    double d;
    float f;
    if (a->width == 32) {
        memcpy(&f, &narrow, 4);
        return f;
    }
    memcpy(&d, &pattern, 8);
    return d;
}

// A float may be subnormal where the double of the same value is not.
static int class_of(const struct bits *a) {
    return a->width == 32 ? fpclassify((float)as_double(a)) : fpclassify(as_double(a));
}

static bool classify(enum kind kind, const struct bits *a, const struct bits *b) {
    bool negative = a->at[a->width - 1];
    int class = class_of(a);
    switch (kind) {
    case KIND_FP_IS_NAN: return class == FP_NAN;
    case KIND_FP_IS_INF: return class == FP_INFINITE;
    case KIND_FP_IS_ZERO: return class == FP_ZERO;
    case KIND_FP_IS_NORMAL: return class == FP_NORMAL;
    case KIND_FP_IS_SUBNORMAL: return class == FP_SUBNORMAL;
    case KIND_FP_IS_NEGATIVE: return negative && class != FP_NAN;
    case KIND_FP_IS_POSITIVE: return !negative && class != FP_NAN;
    case KIND_FP_UNORDERED: return isunordered(as_double(a), as_double(b));
    case KIND_FP_EQ: return as_double(a) == as_double(b);
    case KIND_FP_LT: return as_double(a) < as_double(b);
    default: assert(kind == KIND_FP_LE); return as_double(a) <= as_double(b);
    }
}

// Predicates of the other formats, through double: the conversion preserves order and class, except for subnormals and
// zeros.
static bool classify_other(struct shape shape, const struct bits *a, const struct bits *b) {
    fp_format f = shape.format;
    unsigned fraction = fp_fraction_bits(f), exponent = fp_exponent_bits(f), width = a->width;
    bool top = true, tiny = true, zero = true, rest = false, integer = true;
    for (unsigned i = 0; i < exponent; i++) {
        top &= a->at[fraction + i];
        tiny &= !a->at[fraction + i];
    }
    for (unsigned i = 0; i < fraction; i++) zero &= !a->at[i];
    for (unsigned i = 0; i < fp_precision(f) - 1; i++) rest |= a->at[i];
    if (fp_explicit(f)) integer = a->at[fraction - 1];
    bool invalid = fp_explicit(f) && !integer && !tiny, nan = (top && rest) || invalid;
    switch (shape.kind) {
    case KIND_FP_IS_NAN: return nan;
    case KIND_FP_IS_INF: return top && !rest && !invalid;
    case KIND_FP_IS_ZERO: return tiny && zero;
    case KIND_FP_IS_SUBNORMAL: return tiny && !zero;
    case KIND_FP_IS_NORMAL: return !tiny && !top && !invalid;
    case KIND_FP_IS_NEGATIVE: return a->at[width - 1] && !nan;
    case KIND_FP_IS_POSITIVE: return !a->at[width - 1] && !nan;
    default: {
        assert(shape.kind == KIND_FP_UNORDERED);
        struct shape one = shape;
        one.kind = KIND_FP_IS_NAN;
        return nan || classify_other(one, b, b);
    }
    }
}

static struct bits software(struct shape shape, const struct bits *a, const struct bits *b,
                            const struct bits *c) {
    uint64_t limbs[4][RANDOM_MAX_WIDTH / 64] = {0};
    const struct bits *args[3] = {a, b, c};
    const uint64_t *operands[3] = {limbs[0], limbs[1], limbs[2]};
    for (unsigned i = 0; i < kind_infos[shape.kind].arity; i++) bits_limbs(args[i], limbs[i]);
    fp_apply(shape, a->width, operands, limbs[3]);
    struct bits r = bits_zero(shape.width);
    for (unsigned i = 0; i < shape.width; i++) r.at[i] = limbs[3][i / 64] >> (i % 64) & 1;
    return r;
}

struct bits bits_float(struct shape shape, const struct bits *a, const struct bits *b, const struct bits *c) {
    struct bits r = *a;
    switch (shape.kind) {
    case KIND_FP_NEG: r.at[a->width - 1] ^= 1; return r;
    case KIND_FP_ABS: r.at[a->width - 1] = 0; return r;
    case KIND_FP_COPYSIGN: r.at[a->width - 1] = b->at[b->width - 1]; return r;
    default: break;
    }
    bool native = shape.format == FP_DOUBLE || shape.format == FP_SINGLE;
    if (kind_infos[shape.kind].properties & KP_PREDICATE) {
        if (native) return bits_number(1, classify((enum kind)shape.kind, a, b));
        if (shape.kind >= KIND_CORE_COUNT) return bits_number(1, classify_other(shape, a, b));
    }
    return software(shape, a, b, c);
}
