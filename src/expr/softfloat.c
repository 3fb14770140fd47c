// Software floating point. A number is unpacked into sign * significand * 2^exponent with an integer significand of
// up to BIG_BITS bits. Operations are exact there, except for a "sticky" flag: a positive rest smaller than one unit
// of the significand was cut off. round_pack rounds once.
#include "expr/softfloat.h"

#include "base/alloc.h"
#include "expr/limbs.h"

#include <string.h>

#define BIG_LIMBS 8
#define BIG_BITS  (BIG_LIMBS * 64)

_Static_assert(2 * FP_MAX_PRECISION + 64 < BIG_BITS, "a product and room to align an addend");

enum class { CLASS_ZERO, CLASS_FINITE, CLASS_INF, CLASS_NAN };

struct soft_number {
    enum class class;
    bool sign, invalid; // invalid: an invalid x87 pattern
    int64_t exponent;
    uint64_t sig[BIG_LIMBS];
};

static unsigned big_length(const uint64_t *x) {
    for (unsigned i = BIG_LIMBS; i-- > 0;)
        if (x[i]) return i * 64 + 64 - (unsigned)__builtin_clzll(x[i]);
    return 0;
}

static void big_shl(uint64_t *x, unsigned n) {
    assert(big_length(x) + n <= BIG_BITS);
    limbs_shl(x, x, n, BIG_BITS);
}

// Shifts right. Returns true if a one was shifted out.
static bool big_shr(uint64_t *x, uint64_t n) {
    bool lost = false;
    for (unsigned i = 0; i < BIG_BITS && i < n && !lost; i++) {
        if (i % 64 == 0 && n - i >= 64) {
            lost = x[i / 64] != 0;
            i += 63;
        } else {
            lost = limbs_bit(x, i);
        }
    }
    limbs_lshr(x, x, n, BIG_BITS);
    return lost;
}

static int64_t bias_of(fp_format f) { return ((int64_t)1 << (fp_exponent_bits(f) - 1)) - 1; }
// Exponent of the leading bit of the least normal number.
static int64_t least_exponent(fp_format f) { return 1 - bias_of(f); }

// ---- Patterns ----

static struct soft_number unpack(fp_format f, const uint64_t *bits) {
    struct soft_number x = {0};
    unsigned width = fp_width(f), fraction = fp_fraction_bits(f), precision = fp_precision(f);
    uint64_t exponent[1];
    limbs_extract(x.sig, bits, width, 0, fraction);
    limbs_extract(exponent, bits, width, fraction, fp_exponent_bits(f));
    x.sign = limbs_bit(bits, width - 1);
    bool top = exponent[0] == mask_bits(fp_exponent_bits(f)), stored = true;
    if (fp_explicit(f)) {
        stored = limbs_bit(x.sig, precision - 1);
        if (exponent[0] && !stored) {
            x.class = CLASS_NAN;
            x.invalid = true;
            return x;
        }
    } else if (exponent[0] && !top) {
        x.sig[(precision - 1) / 64] |= (uint64_t)1 << ((precision - 1) % 64);
    }
    if (top) {
        unsigned below = precision - 1; // fraction bits without the integer bit
        uint64_t rest[BIG_LIMBS] = {0};
        limbs_extract(rest, x.sig, BIG_BITS, 0, below);
        x.class = limbs_is_zero(rest, below) ? CLASS_INF : CLASS_NAN;
        return x;
    }
    x.class = limbs_is_zero(x.sig, BIG_BITS) ? CLASS_ZERO : CLASS_FINITE;
    x.exponent =
        (exponent[0] ? (int64_t)exponent[0] - bias_of(f) : least_exponent(f)) - (int64_t)(precision - 1);
    return x;
}

static void pack(fp_format f, bool sign, uint64_t exponent, const uint64_t *fraction, uint64_t *bits) {
    unsigned width = fp_width(f), fraction_bits = fp_fraction_bits(f);
    uint64_t big[BIG_LIMBS] = {0}, head[BIG_LIMBS] = {0};
    memcpy(big, fraction, sizeof big);
    limbs_trim(big, fraction_bits);
    for (uint32_t i = limbs_count(fraction_bits); i < BIG_LIMBS; i++) big[i] = 0;
    head[0] = exponent | (uint64_t)sign << fp_exponent_bits(f);
    limbs_shl(head, head, fraction_bits, BIG_BITS);
    limbs_or(big, big, head, BIG_BITS);
    memcpy(bits, big, limbs_count(width) * sizeof *bits);
}

static void pack_special(fp_format f, bool sign, enum class class, uint64_t *bits) {
    uint64_t fraction[BIG_LIMBS] = {0};
    unsigned precision = fp_precision(f);
    if (class != CLASS_ZERO && fp_explicit(f))
        fraction[(precision - 1) / 64] |= (uint64_t)1 << ((precision - 1) % 64);
    if (class == CLASS_NAN) fraction[(precision - 2) / 64] |= (uint64_t)1 << ((precision - 2) % 64);
    pack(f, sign, class == CLASS_ZERO ? 0 : mask_bits(fp_exponent_bits(f)), fraction, bits);
}

static void default_nan(fp_format f, uint64_t *bits) { pack_special(f, true, CLASS_NAN, bits); }

static void largest(fp_format f, bool sign, uint64_t *bits) {
    uint64_t ones[BIG_LIMBS];
    memset(ones, 0xff, sizeof ones);
    pack(f, sign, mask_bits(fp_exponent_bits(f)) - 1, ones, bits);
}

// Makes the NaN quiet.
static void quiet(fp_format f, const struct soft_number *x, const uint64_t *pattern, uint64_t *bits) {
    if (x->invalid) {
        default_nan(f, bits);
        return;
    }
    limbs_copy(bits, pattern, fp_width(f));
    bits[(fp_precision(f) - 2) / 64] |= (uint64_t)1 << ((fp_precision(f) - 2) % 64);
}

static bool is_quiet(fp_format f, const struct soft_number *x) {
    return limbs_bit(x->sig, fp_precision(f) - 2);
}

// Which of two NaNs is the result: SSE takes the first; the x87 a quiet one, else the greater significand, else the
// positive one.
static bool second_nan_wins(fp_format f, const struct soft_number *a, const struct soft_number *b) {
    if (!fp_explicit(f)) return false;
    if (is_quiet(f, a) != is_quiet(f, b)) return is_quiet(f, b);
    if (!limbs_eq(a->sig, b->sig, BIG_BITS)) return limbs_ult(a->sig, b->sig, BIG_BITS);
    return a->sign && !b->sign;
}

// Sets the result if an operand is a NaN. Returns whether one is.
static bool nan_result(fp_format f, const struct soft_number *x, const uint64_t *const *patterns,
                       unsigned count, uint64_t *bits) {
    unsigned chosen = count;
    for (unsigned i = 0; i < count; i++) {
        if (x[i].class != CLASS_NAN) continue;
        if (x[i].invalid) {
            default_nan(f, bits);
            return true;
        }
        if (chosen == count || second_nan_wins(f, &x[chosen], &x[i])) chosen = i;
    }
    if (chosen == count) return false;
    quiet(f, &x[chosen], patterns[chosen], bits);
    return true;
}

// ---- Rounding ----

static bool rounds_up(enum fp_rounding rounding, bool sign, bool odd, bool half, bool rest) {
    switch (rounding) {
    case FP_NEAREST_EVEN: return half && (rest || odd);
    case FP_NEAREST_AWAY: return half;
    case FP_UPWARD: return !sign && (half || rest);
    case FP_DOWNWARD: return sign && (half || rest);
    default: return false;
    }
}

// Drops n >= 1 low bits of the significand (plus the sticky rest), rounding.
static void round_bits(uint64_t *sig, uint64_t n, bool sticky, enum fp_rounding rounding, bool sign) {
    assert(n >= 1);
    bool half = n <= BIG_BITS && limbs_bit(sig, (unsigned)(n - 1));
    uint64_t dropped[BIG_LIMBS];
    memcpy(dropped, sig, sizeof dropped);
    bool rest = big_shr(dropped, n - 1) || sticky;
    big_shr(sig, n);
    if (!rounds_up(rounding, sign, sig[0] & 1, half, rest)) return;
    uint64_t one[BIG_LIMBS] = {1};
    limbs_add(sig, sig, one, BIG_BITS);
}

static void overflow(fp_format f, bool sign, enum fp_rounding rounding, uint64_t *bits) {
    bool finite =
        rounding == FP_TOWARD_ZERO || (rounding == FP_UPWARD && sign) || (rounding == FP_DOWNWARD && !sign);
    finite ? largest(f, sign, bits) : pack_special(f, sign, CLASS_INF, bits);
}

// Rounds sign * (sig + sticky) * 2^exponent to the format. With sticky, the significand has more bits than the
// precision.
static void round_pack(fp_format f, enum fp_rounding rounding, bool sign, int64_t exponent, uint64_t *sig,
                       bool sticky, uint64_t *bits) {
    unsigned length = big_length(sig), precision = fp_precision(f);
    if (!length) { // an exact zero
        assert(!sticky);
        pack_special(f, sign, CLASS_ZERO, bits);
        return;
    }
    int64_t leading = exponent + (int64_t)length - 1;
    int64_t unit = MAX(leading, least_exponent(f)) - (int64_t)(precision - 1);
    int64_t drop = unit - exponent;
    assert(!sticky || drop >= 1);
    if (drop > 0)
        round_bits(sig, (uint64_t)drop, sticky, rounding, sign);
    else
        big_shl(sig, (unsigned)-drop);
    if (big_length(sig) > precision) {
        big_shr(sig, 1); // a power of two: no bit is lost
        unit++;
    }
    bool normal = big_length(sig) == precision;
    int64_t biased = normal ? unit + (int64_t)(precision - 1) + bias_of(f) : 0;
    if (biased >= (int64_t)mask_bits(fp_exponent_bits(f)))
        overflow(f, sign, rounding, bits);
    else
        pack(f, sign, (uint64_t)biased, sig, bits);
}

static void pack_number(fp_format f, enum fp_rounding rounding, struct soft_number *x, uint64_t *bits) {
    if (x->class == CLASS_FINITE)
        round_pack(f, rounding, x->sign, x->exponent, x->sig, false, bits);
    else
        pack_special(f, x->sign, x->class, bits);
}

// ---- Arithmetic ----

static int64_t leading_exponent(const struct soft_number *x) {
    return x->exponent + (int64_t)big_length(x->sig) - 1;
}

// Compares the magnitudes of finite numbers: -1, 0, 1.
static int compare_magnitude(const struct soft_number *a, const struct soft_number *b) {
    if (a->class == CLASS_ZERO || b->class == CLASS_ZERO)
        return (a->class != CLASS_ZERO) - (b->class != CLASS_ZERO);
    int64_t x = leading_exponent(a), y = leading_exponent(b);
    if (x != y) return x < y ? -1 : 1;
    uint64_t p[BIG_LIMBS], q[BIG_LIMBS];
    limbs_shl(p, a->sig, BIG_BITS - big_length(a->sig), BIG_BITS);
    limbs_shl(q, b->sig, BIG_BITS - big_length(b->sig), BIG_BITS);
    return limbs_ult(p, q, BIG_BITS) ? -1 : limbs_ult(q, p, BIG_BITS);
}

// The exact sum of two finite numbers, rounded.
static void add_finite(fp_format f, enum fp_rounding rounding, struct soft_number a, struct soft_number b,
                       uint64_t *bits) {
    int order = compare_magnitude(&a, &b);
    if (a.class == CLASS_ZERO && b.class == CLASS_ZERO) {
        pack_special(f, a.sign == b.sign ? a.sign : rounding == FP_DOWNWARD, CLASS_ZERO, bits);
        return;
    }
    if (order == 0 && a.sign != b.sign) {
        pack_special(f, rounding == FP_DOWNWARD, CLASS_ZERO, bits);
        return;
    }
    if (order < 0) {
        struct soft_number swap = a;
        a = b;
        b = swap;
    }
    if (b.class == CLASS_ZERO) {
        round_pack(f, rounding, a.sign, a.exponent, a.sig, false, bits);
        return;
    }
    // Shifts a to the top, leaving one bit for a carry, and b to a's unit; bits shifted out of b are sticky.
    unsigned up = BIG_BITS - 2 - big_length(a.sig);
    big_shl(a.sig, up);
    a.exponent -= up;
    int64_t shift = b.exponent - a.exponent;
    bool sticky = false;
    if (shift >= 0)
        big_shl(b.sig, (unsigned)shift);
    else
        sticky = big_shr(b.sig, (uint64_t)-shift);
    if (a.sign == b.sign) {
        limbs_add(a.sig, a.sig, b.sig, BIG_BITS);
    } else {
        limbs_sub(a.sig, a.sig, b.sig, BIG_BITS);
        uint64_t one[BIG_LIMBS] = {1};
        if (sticky) limbs_sub(a.sig, a.sig, one, BIG_BITS); // a - (b + rest) = (a - b - 1) + (1 - rest)
    }
    round_pack(f, rounding, a.sign, a.exponent, a.sig, sticky, bits);
}

static void fp_add(fp_format f, enum fp_rounding rounding, const struct soft_number *x, bool subtract,
                   uint64_t *bits) {
    struct soft_number a = x[0], b = x[1];
    b.sign ^= subtract;
    if (a.class == CLASS_INF || b.class == CLASS_INF) {
        if (a.class == b.class && a.sign != b.sign)
            default_nan(f, bits);
        else
            pack_special(f, a.class == CLASS_INF ? a.sign : b.sign, CLASS_INF, bits);
        return;
    }
    add_finite(f, rounding, a, b, bits);
}

// The exact product. False: 0 * infinity.
static bool product(const struct soft_number *a, const struct soft_number *b, struct soft_number *r) {
    memset(r, 0, sizeof *r);
    r->sign = a->sign != b->sign;
    if (a->class == CLASS_INF || b->class == CLASS_INF) {
        r->class = CLASS_INF;
        return a->class != CLASS_ZERO && b->class != CLASS_ZERO;
    }
    r->class = a->class == CLASS_ZERO || b->class == CLASS_ZERO ? CLASS_ZERO : CLASS_FINITE;
    if (r->class == CLASS_ZERO) return true;
    limbs_mul(r->sig, a->sig, b->sig, BIG_BITS);
    r->exponent = a->exponent + b->exponent;
    return true;
}

static void fp_mul(fp_format f, enum fp_rounding rounding, const struct soft_number *x, uint64_t *bits) {
    struct soft_number r;
    if (!product(&x[0], &x[1], &r))
        default_nan(f, bits);
    else
        pack_number(f, rounding, &r, bits);
}

static void fp_fma(fp_format f, enum fp_rounding rounding, const struct soft_number *x, uint64_t *bits) {
    struct soft_number r;
    if (!product(&x[0], &x[1], &r)) {
        default_nan(f, bits);
        return;
    }
    struct soft_number both[2] = {r, x[2]};
    fp_add(f, rounding, both, false, bits);
}

static void fp_div(fp_format f, enum fp_rounding rounding, const struct soft_number *x, uint64_t *bits) {
    const struct soft_number *a = &x[0], *b = &x[1];
    bool sign = a->sign != b->sign;
    if (a->class == b->class && a->class != CLASS_FINITE) {
        default_nan(f, bits);
        return;
    }
    if (a->class != CLASS_FINITE || b->class != CLASS_FINITE) {
        bool infinite = a->class == CLASS_INF || b->class == CLASS_ZERO;
        pack_special(f, sign, infinite ? CLASS_INF : CLASS_ZERO, bits);
        return;
    }
    uint64_t dividend[BIG_LIMBS], quotient[BIG_LIMBS] = {0}, rest[BIG_LIMBS] = {0};
    memcpy(dividend, a->sig, sizeof dividend);
    unsigned shift = fp_precision(f) + 2 + big_length(b->sig); // quotient wider than the precision
    big_shl(dividend, shift);
    unsigned width = (unsigned)align_up(big_length(dividend), 64);
    limbs_udivrem(quotient, rest, dividend, b->sig, width);
    round_pack(f, rounding, sign, a->exponent - b->exponent - shift, quotient, !limbs_is_zero(rest, width),
               bits);
}

static void fp_sqrt(fp_format f, enum fp_rounding rounding, const struct soft_number *a, uint64_t *bits) {
    if (a->class == CLASS_ZERO || (a->class == CLASS_INF && !a->sign)) {
        pack_special(f, a->sign, a->class, bits);
        return;
    }
    if (a->sign) {
        default_nan(f, bits);
        return;
    }
    // The exponent becomes even, and the radicand gets twice the bits that the root needs.
    uint64_t rest[BIG_LIMBS], root[BIG_LIMBS] = {0}, trial[BIG_LIMBS];
    memcpy(rest, a->sig, sizeof rest);
    unsigned shift = 2 * (fp_precision(f) + 2);
    if ((a->exponent - (int64_t)shift) % 2) shift++;
    big_shl(rest, shift);
    int64_t exponent = (a->exponent - (int64_t)shift) / 2;
    for (unsigned bit = big_length(rest) / 2 + 1; bit-- > 0;) {
        // (root + 2^bit)^2 - root^2 = root * 2^(bit+1) + 2^(2 bit)
        limbs_shl(trial, root, bit + 1, BIG_BITS);
        uint64_t square[BIG_LIMBS] = {1};
        big_shl(square, 2 * bit);
        limbs_add(trial, trial, square, BIG_BITS);
        if (limbs_ult(rest, trial, BIG_BITS)) continue;
        limbs_sub(rest, rest, trial, BIG_BITS);
        root[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
    round_pack(f, rounding, false, exponent, root, !limbs_is_zero(rest, BIG_BITS), bits);
}

// a - n * b exactly, where n is the quotient: truncated (C's fmod), or rounded to nearest even (IEEE remainder).
static void fp_rem(fp_format f, const struct soft_number *x, bool nearest, const uint64_t *pattern,
                   uint64_t *bits) {
    struct soft_number a = x[0], b = x[1];
    if (a.class == CLASS_INF || b.class == CLASS_ZERO) {
        default_nan(f, bits);
        return;
    }
    if (a.class == CLASS_ZERO || b.class == CLASS_INF || leading_exponent(&a) < leading_exponent(&b) - 1) {
        if (a.class == CLASS_ZERO)
            pack_special(f, a.sign, CLASS_ZERO, bits);
        else
            round_pack(f, FP_NEAREST_EVEN, a.sign, a.exponent, a.sig, false, bits);
        (void)pattern;
        return;
    }
    // Scales both to one exponent. If a's is greater, the remainder is doubled once for each unit of the difference.
    int64_t doublings = 0;
    if (a.exponent < b.exponent) {
        big_shl(b.sig, (unsigned)(b.exponent - a.exponent));
        b.exponent = a.exponent;
    } else {
        doublings = a.exponent - b.exponent;
    }
    uint64_t quotient[BIG_LIMBS] = {0}, rest[BIG_LIMBS] = {0};
    limbs_udivrem(quotient, rest, a.sig, b.sig, BIG_BITS);
    bool odd = quotient[0] & 1;
    for (; doublings > 0; doublings--) {
        big_shl(rest, 1);
        odd = !limbs_ult(rest, b.sig, BIG_BITS);
        if (odd) limbs_sub(rest, rest, b.sig, BIG_BITS);
    }
    bool sign = a.sign;
    if (nearest) {
        uint64_t twice[BIG_LIMBS];
        limbs_shl(twice, rest, 1, BIG_BITS);
        bool above = limbs_ult(b.sig, twice, BIG_BITS), tie = limbs_eq(b.sig, twice, BIG_BITS);
        if (above || (tie && odd)) {
            limbs_sub(rest, b.sig, rest, BIG_BITS);
            sign = !sign;
        }
    }
    if (limbs_is_zero(rest, BIG_BITS))
        pack_special(f, a.sign, CLASS_ZERO, bits);
    else
        round_pack(f, FP_NEAREST_EVEN, sign, b.exponent, rest, false, bits);
}

// Rounds a finite number to an integer: the exponent is then not negative, or the number is zero.
static void round_integer(struct soft_number *x, enum fp_rounding rounding) {
    if (x->class != CLASS_FINITE || x->exponent >= 0) return;
    round_bits(x->sig, (uint64_t)-x->exponent, false, rounding, x->sign);
    x->exponent = 0;
    if (limbs_is_zero(x->sig, BIG_BITS)) x->class = CLASS_ZERO;
}

// ---- Comparison ----

static bool less(const struct soft_number *a, const struct soft_number *b) {
    if (a->class == CLASS_ZERO && b->class == CLASS_ZERO) return false;
    bool negative_a = a->sign && a->class != CLASS_ZERO, negative_b = b->sign && b->class != CLASS_ZERO;
    if (negative_a != negative_b) return negative_a;
    const struct soft_number *small = negative_a ? b : a, *great = negative_a ? a : b; // by magnitude
    if (small->class == CLASS_INF) return false;
    return great->class == CLASS_INF || compare_magnitude(small, great) < 0;
}

static bool fp_compare(enum kind kind, const struct soft_number *x) {
    if (x[0].class == CLASS_NAN || x[1].class == CLASS_NAN) return false;
    bool below = less(&x[0], &x[1]), above = less(&x[1], &x[0]);
    return kind == KIND_FP_LT ? below : kind == KIND_FP_LE ? !above : !below && !above;
}

// The operand that C's fmin or fmax returns, bit for bit.
static unsigned fp_choose(enum kind kind, const struct soft_number *x) {
    if (x[0].class == CLASS_NAN) return 1;
    if (x[1].class == CLASS_NAN) return 0;
    bool minimum = kind == KIND_FP_MIN;
    if (x[0].sign != x[1].sign) return x[0].sign == minimum ? 0 : 1;
    return less(&x[0], &x[1]) == minimum ? 0 : 1;
}

// ---- Conversion ----

static void convert_nan(fp_format from, fp_format to, const struct soft_number *x, uint64_t *bits) {
    if (x->invalid) {
        default_nan(to, bits);
        return;
    }
    // The payload keeps its high bits; the result is quiet.
    uint64_t payload[BIG_LIMBS] = {0};
    unsigned source = fp_precision(from) - 1, target = fp_precision(to) - 1;
    limbs_extract(payload, x->sig, BIG_BITS, 0, source);
    target >= source ? limbs_shl(payload, payload, target - source, BIG_BITS)
                     : limbs_lshr(payload, payload, source - target, BIG_BITS);
    payload[(target - 1) / 64] |= (uint64_t)1 << ((target - 1) % 64);
    if (fp_explicit(to)) payload[target / 64] |= (uint64_t)1 << (target % 64);
    pack(to, x->sign, mask_bits(fp_exponent_bits(to)), payload, bits);
}

static void to_integer(const struct soft_number *given, bool is_signed, enum fp_rounding rounding,
                       unsigned width, uint64_t *bits) {
    struct soft_number x = *given;
    uint32_t limbs = limbs_count(width);
    memset(bits, 0, limbs * sizeof *bits);
    bool fits = x.class == CLASS_ZERO || x.class == CLASS_FINITE;
    if (fits) round_integer(&x, rounding);
    if (fits && x.class == CLASS_ZERO) return;
    unsigned length = fits ? big_length(x.sig) : 0;
    if (fits && x.exponent + (int64_t)length > (int64_t)width) fits = false;
    if (fits) {
        // Here the exponent and the length are within the width; the significand may be as long as BIG_BITS.
        uint64_t *magnitude = mem_alloc_zeroed((limbs + BIG_LIMBS) * sizeof *magnitude);
        memcpy(magnitude, x.sig, MIN(limbs, BIG_LIMBS) * sizeof *magnitude);
        limbs_shl(bits, magnitude, (uint64_t)x.exponent, width);
        mem_free(magnitude, (limbs + BIG_LIMBS) * sizeof *magnitude);
        bool top = limbs_bit(bits, width - 1);
        if (is_signed && top) { // allowed only for the least value
            uint64_t *least = mem_alloc_zeroed(limbs * sizeof *least);
            least[(width - 1) / 64] = (uint64_t)1 << ((width - 1) % 64);
            fits = x.sign && limbs_eq(bits, least, width);
            mem_free(least, limbs * sizeof *least);
        }
        if (!is_signed && x.sign) fits = false;
        if (fits && x.sign) limbs_neg(bits, bits, width);
    }
    if (fits) return;
    memset(bits, is_signed ? 0 : 0xff, limbs * sizeof *bits);
    if (is_signed) bits[(width - 1) / 64] = (uint64_t)1 << ((width - 1) % 64);
    limbs_trim(bits, width);
}

static void from_integer(fp_format f, bool is_signed, enum fp_rounding rounding, const uint64_t *value,
                         unsigned width, uint64_t *bits) {
    uint32_t limbs = limbs_count(width);
    uint64_t *magnitude = mem_alloc(limbs * sizeof *magnitude), sig[BIG_LIMBS] = {0};
    bool sign = is_signed && limbs_bit(value, width - 1), sticky = false;
    sign ? limbs_neg(magnitude, value, width) : limbs_copy(magnitude, value, width);
    unsigned length = width;
    while (length > 0 && !limbs_bit(magnitude, length - 1)) length--;
    unsigned cut = length > BIG_BITS - 64 ? length - (BIG_BITS - 64) : 0;
    for (unsigned i = 0; i < cut && !sticky; i++) sticky = limbs_bit(magnitude, i);
    if (length) limbs_extract(sig, magnitude, width, cut, length - cut);
    mem_free(magnitude, limbs * sizeof *magnitude);
    if (!length)
        pack_special(f, false, CLASS_ZERO, bits);
    else
        round_pack(f, rounding, sign, cut, sig, sticky, bits);
}

// ---- The table of operations ----

static void convert(struct shape shape, unsigned width, const uint64_t *arg, uint64_t *result) {
    if (fp_native_convert(shape, width, arg, result)) return;
    enum fp_rounding rounding = (enum fp_rounding)shape.rounding;
    if (shape.kind == KIND_SINT_TO_FP || shape.kind == KIND_UINT_TO_FP) {
        from_integer(shape.format, shape.kind == KIND_SINT_TO_FP, rounding, arg, width, result);
        return;
    }
    struct soft_number x = unpack(shape.source, arg);
    if (shape.kind != KIND_FP_TO_FP)
        to_integer(&x, shape.kind == KIND_FP_TO_SINT, rounding, shape.width, result);
    else if (x.class == CLASS_NAN)
        convert_nan(shape.source, shape.format, &x, result);
    else
        pack_number(shape.format, rounding, &x, result);
}

static void arithmetic(struct shape shape, const struct soft_number *x, const uint64_t *const *args,
                       uint64_t *result) {
    fp_format f = shape.format;
    enum fp_rounding rounding = (enum fp_rounding)shape.rounding;
    switch (shape.kind) {
    case KIND_FP_ADD: fp_add(f, rounding, x, false, result); break;
    case KIND_FP_SUB: fp_add(f, rounding, x, true, result); break;
    case KIND_FP_MUL: fp_mul(f, rounding, x, result); break;
    case KIND_FP_DIV: fp_div(f, rounding, x, result); break;
    case KIND_FP_FMA: fp_fma(f, rounding, x, result); break;
    case KIND_FP_SQRT: fp_sqrt(f, rounding, x, result); break;
    case KIND_FP_REM: fp_rem(f, x, true, args[0], result); break;
    case KIND_FP_MOD: fp_rem(f, x, false, args[0], result); break;
    default: {
        assert(shape.kind == KIND_FP_ROUND);
        struct soft_number a = x[0];
        round_integer(&a, rounding);
        pack_number(f, FP_NEAREST_EVEN, &a, result);
    }
    }
}

void fp_apply(struct shape shape, unsigned width, const uint64_t *const *args, uint64_t *result) {
    if (shape.kind == KIND_FP_TO_FP || shape.kind == KIND_FP_TO_SINT || shape.kind == KIND_FP_TO_UINT ||
        shape.kind == KIND_SINT_TO_FP || shape.kind == KIND_UINT_TO_FP) {
        convert(shape, width, args[0], result);
        return;
    }
    assert(fp_width(shape.format) == width && fp_precision(shape.format) <= FP_MAX_PRECISION);
    if (fp_native(shape, args, result)) return;
    struct soft_number x[3];
    unsigned arity = kind_infos[shape.kind].arity;
    for (unsigned i = 0; i < arity; i++) x[i] = unpack(shape.format, args[i]);
    if (kind_infos[shape.kind].properties & KP_PREDICATE)
        result[0] = fp_compare((enum kind)shape.kind, x);
    else if (shape.kind == KIND_FP_MIN || shape.kind == KIND_FP_MAX)
        limbs_copy(result, args[fp_choose((enum kind)shape.kind, x)], width);
    else if (!nan_result(shape.format, x, args, arity, result))
        arithmetic(shape, x, args, result);
}
