// Text to floating point: __floatscan, under strtod, strtof, strtold, wcstod, atof and scanf.
//
// musl's own code keeps the digits in a large array and scales it, with thousands of branches for each number. Here
// a decimal number is an integer of up to 19 digits and a power of ten, read with one branch for each character.
// Two algorithms compute a correctly rounded result, each only where it is proved correct (round to nearest):
//
// 1. Clinger: integer and power of ten are exact in the result's type, so that one operation rounds once.
// 2. Eisel and Lemire: the integer times 128 bits of the power of five (Lemire, Number parsing at a gigabyte per
//    second, 2021). The script that makes the table of powers proves that they are enough for every integer of 64 bits.
//
// The rest goes to musl's code: digits beyond the 19th that matter, long doubles with large exponents, hexadecimal
// numbers, infinity and NaN. Digits are not compared with zero on the way, and an exponent is used as an index of small
// tables only: both keep the number of paths small where the text is symbolic.
#define __floatscan musl_floatscan
#include "src/internal/floatscan.c"
#undef __floatscan

#include "decimal_powers.h"
#include "powers_of_five.h"

#include <stdbool.h>
#include <string.h>

long double __floatscan(FILE *f, int precision, int may_unget);

enum { FLOAT, DOUBLE, LONG_DOUBLE }; // musl's numbers for the precision

#define KEPT_DIGITS 19    // 10^19 < 2^64
#define TEXT_DIGITS 12000 // more than the midpoint of any two adjacent long doubles has
#define MOST_EXPONENT                                                                                        \
    1000000000000000000L // far beyond every format, whatever the number of digits before the point

struct decimal {
    uint64_t mantissa; // value of the first KEPT_DIGITS digits, without leading zeros
    long exponent;     // decimal exponent of the mantissa
    int digits;        // number of digits in the mantissa, which may include leading zeros
    unsigned dropped;  // bitwise or of the digits after the mantissa: zero if they do not matter
    bool has_point, has_digit, is_negative;
    // All digits, for musl's code, if the mantissa does not decide the result.
    char *text;
    int length;
};

struct format {
    int mantissa_bits; // without the hidden bit
    int bias;
    int least, most;      // outside of these powers of ten the result is zero or infinite, for 1 to 19 digits
    int least_normal;     // from this power of ten on no result is subnormal
    int subnormal_digits; // least number of digits of an exact subnormal number, a multiple of 2^-n, n > bias - 1
    int most_finite;      // a result below ten to this power is finite
    int exact_digits;     // integers of that many digits are exact
    int exact_power;      // powers of ten up to this one are exact
};

static const struct format formats[] = {
    [FLOAT] = {23, 127, -64, 38, -37, 88, 38, 7, 10},
    [DOUBLE] = {52, 1023, -342, 308, -307, 715, 308, 15, 22},
    [LONG_DOUBLE] = {63, 16383, -4971, 4932, 0, 11451, 0, 19, 27},
};

static const float float_powers[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
static const double double_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
static const long double long_powers[] = {
    1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
    1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};

union float_bits {
    float number;
    uint32_t bits;
};
union double_bits {
    double number;
    uint64_t bits;
};

static bool is_digit(int c) { return (unsigned)c - '0' < 10; }

// ---- Conversion

// Clinger: one operation on two exact numbers.
static bool convert_exactly(const struct decimal *d, int precision, long double *result) {
    const struct format *format = &formats[precision];
    uint64_t mantissa = d->mantissa;
    long exponent = d->exponent;
    if (d->digits > format->exact_digits || exponent < -format->exact_power) return false;
    if (exponent > format->exact_power) { // the rest of the power is multiplied into the mantissa, if it fits
        long more = exponent - format->exact_power;
        if (more > format->exact_digits - d->digits) return false;
        mantissa *= decimal_powers[more];
        exponent = format->exact_power;
    }
    bool divides = exponent < 0;
    long power = divides ? -exponent : exponent;
    if (precision == FLOAT)
        *result = divides ? (float)mantissa / float_powers[power] : (float)mantissa * float_powers[power];
    else if (precision == DOUBLE)
        *result = divides ? (double)mantissa / double_powers[power] : (double)mantissa * double_powers[power];
    else
        *result =
            divides ? (long double)mantissa / long_powers[power] : (long double)mantissa * long_powers[power];
    return true;
}

// Returns the upper 128 bits of the product with a power of five, whose top bit is bit 127.
static __uint128_t times_power(uint64_t mantissa, int exponent) {
    const uint64_t *power = powers_of_five[exponent - LEAST_POWER_OF_FIVE];
    return (__uint128_t)mantissa * power[0] + (((__uint128_t)mantissa * power[1]) >> 64);
}

// Eisel and Lemire: returns the bits of the correctly rounded result.
// `mantissa` is not zero; format->least <= exponent <= format->most.
// *tiny: the result sets errno, because the number is subnormal. As in musl, it does not if it is rounded up to a power
// of two.
static uint64_t multiply(uint64_t mantissa, int digits, int exponent, const struct format *format,
                         bool *tiny) {
    int zeros = __builtin_clzll(mantissa);
    __uint128_t product = times_power(mantissa << zeros, exponent);
    uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
    int top = (int)(high >> 63);
    int shift = top + 61 - format->mantissa_bits; // leaves the mantissa with its hidden bit, and one bit more
    uint64_t kept = high >> shift;
    // 217706 / 2^16 approximates log2(10): the product, rounded down, is exact for these exponents.
    int biased = ((217706 * exponent) >> 16) + 63 + top - zeros + format->bias;
    *tiny = false;
    if (exponent < format->least_normal && biased <= 0) {
        *tiny = true;
        if (biased < -format->mantissa_bits - 1) return 0;
        kept >>= 1 - biased;
        uint64_t below = kept >> 1, is_up = kept & 1; // never a tie: that takes an exact power
        *tiny = !(is_up & ((below & (below + 1)) == 0));
        return below + is_up;
    }
    // Without && the compiler has no reason to branch.
    bool is_exact = exponent >= -27 && exponent <= 27,
         is_tie = is_exact & (low == 0) & (kept << shift == high);
    kept = (kept >> 1) + (kept & 1 & ((kept >> 1) | !is_tie));
    // A carry out of the mantissa is the next exponent.
    uint64_t result = ((uint64_t)(biased - 1) << format->mantissa_bits) + kept;
    uint64_t infinity = (uint64_t)(2 * format->bias + 1) << format->mantissa_bits;
    return exponent > format->most_finite - digits && result >= infinity ? infinity : result;
}

// Returns the exponent as a concrete number: a symbolic one forks, one path for each value, because
// products with a symbolic power are hard for solvers. Values below `low` and above `high` are clamped.
static int fork_on_exponent(long exponent, int low, int high) {
    // Accesses to volatile variables keep the compiler from replacing the branch by a select.
    volatile int first = low, last = high;
    while (first < last) {
        int middle = first + (last - first) / 2;
        if (exponent <= middle)
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}

// Mostly the digits and the exponent alone show that the result is neither subnormal nor infinite. Then the result,
// which may be symbolic, is not compared. Without && the compiler has no reason to branch.
static void set_range_error(const struct decimal *d, int exponent, uint64_t bits, bool tiny,
                            const struct format *format) {
    bool is_infinite = bits >> format->mantissa_bits == 2 * (uint64_t)format->bias + 1;
    if (exponent < format->least_normal || exponent > format->most_finite - d->digits)
        errno = tiny | is_infinite ? ERANGE : errno;
}

// Whether the mantissa decides the result although digits were dropped: the integers below and above
// give the same result, and the dropped digits do not decide whether a subnormal number is exact.
static bool decides_dropped(const struct decimal *d, int exponent, uint64_t bits,
                            const struct format *format) {
    bool tiny;
    if (multiply(d->mantissa + 1, d->digits, exponent, format, &tiny) != bits) return false;
    return exponent >= format->least_normal || bits >> format->mantissa_bits ||
           d->length < format->subnormal_digits;
}

// The bits of a power of two that is subnormal, or the least normal number.
static bool is_small_power(uint64_t bits, const struct format *format) {
    return bits != 0 && bits <= (uint64_t)1 << format->mantissa_bits && (bits & (bits - 1)) == 0;
}

static bool convert_by_product(const struct decimal *d, int precision, long double *result) {
    const struct format *format = &formats[precision];
    int exponent = (int)d->exponent;
    bool tiny;
    uint64_t bits = multiply(d->mantissa, d->digits, exponent, format, &tiny);
    if (d->dropped) {
        // Dropped digits may decide whether the number is rounded up to a power of two, and so errno.
        if (exponent < format->least_normal && is_small_power(bits, format)) return false;
        if (!decides_dropped(d, exponent, bits, format)) return false;
    }
    set_range_error(d, exponent, bits, tiny, format);
    if (precision == FLOAT)
        *result = (union float_bits){.bits = (uint32_t)bits}.number;
    else
        *result = (union double_bits){.bits = bits}.number;
    return true;
}

// Uses musl's code, on the digits as an integer and an exponent.
static long double convert_slowly(const struct decimal *d, int precision) {
    char *end = d->text + d->length;
    long exponent = d->exponent - (d->length - d->digits);
    *end++ = 'e';
    if (exponent < 0) {
        *end++ = '-';
        exponent = -exponent;
    }
    for (int unit = 100000; unit > 0; unit /= 10) *end++ = (char)('0' + exponent / unit % 10);
    *end = 0;
    FILE text;
    sh_fromstring(&text, d->text);
    shlim(&text, 0);
    return musl_floatscan(&text, precision, 1);
}

static long double convert(struct decimal *d, int precision) {
    const struct format *format = &formats[precision];
    long double result;
    if (!d->dropped) {
        if (convert_exactly(d, precision, &result)) return result;
        if (!d->mantissa) return 0;
    }
    d->exponent = fork_on_exponent(d->exponent, format->least - 1, format->most + 1);
    if (d->exponent > format->most || d->exponent < format->least) {
        errno = ERANGE;
        return d->exponent > 0 ? INFINITY : 0;
    }
    if (precision != LONG_DOUBLE && convert_by_product(d, precision, &result)) return result;
    return convert_slowly(d, precision);
}

// ---- Scanning

// Called when the digits no longer fit into the mantissa. Only then are leading zeros counted, which compares digits.
static void drop_leading_zeros(struct decimal *d) {
    int zeros = 0;
    while (zeros < d->length && d->text[zeros] == '0') zeros++;
    d->length -= zeros;
    d->digits -= zeros;
    memmove(d->text, d->text + zeros, (size_t)d->length);
}

static void add_digit(struct decimal *d, int c) {
    unsigned digit = (unsigned)c - '0';
    if (d->digits < KEPT_DIGITS) {
        d->mantissa = d->mantissa * 10 + digit;
        d->digits++;
        d->exponent -= d->has_point;
    } else {
        d->dropped |= digit;
        d->exponent += !d->has_point;
    }
}

// Reads digits and the point, up to `room` digits of text. Returns the character after them.
static int scan_digits(FILE *f, int c, struct decimal *d, int room) {
    for (;; c = shgetc(f)) {
        if (is_digit(c)) {
            d->has_digit = true;
            if (d->length == KEPT_DIGITS && room == KEPT_DIGITS) drop_leading_zeros(d);
            if (d->length == room) return c;
            d->text[d->length++] = (char)c;
            add_digit(d, c);
        } else if (c == '.' && !d->has_point) {
            d->has_point = true;
        } else {
            return c;
        }
    }
}

// Skips digits after the last one of the text: only whether one is not zero matters.
static int skip_digits(FILE *f, int c, struct decimal *d) {
    unsigned rest = 0;
    for (; is_digit(c) || (c == '.' && !d->has_point); c = shgetc(f)) {
        if (c == '.') {
            d->has_point = true;
            continue;
        }
        rest |= (unsigned)c - '0';
        d->exponent += !d->has_point;
    }
    d->dropped |= rest;
    if (rest) d->text[d->length - 1] |= 1;
    return c;
}

// Reads an exponent after its letter. Returns false if there is none; the
// stream is then at the character after the letter, if `may_unget` allows.
static bool scan_exponent(FILE *f, int may_unget, long *exponent) {
    int c = shgetc(f);
    bool is_negative = false;
    if (c == '-' || c == '+') {
        is_negative = c == '-';
        c = shgetc(f);
        if (!is_digit(c) && may_unget) shunget(f);
    }
    if (!is_digit(c)) {
        shunget(f);
        return false;
    }
    long number = 0;
    for (int digits = 0; is_digit(c); digits++, c = shgetc(f)) {
        if (digits < 17 || number < MOST_EXPONENT / 10) number = number * 10 + (c - '0');
    }
    shunget(f);
    *exponent += is_negative ? -number : number;
    return true;
}

// Finishes the number; `c` is the character after the digits.
static long double finish(FILE *f, int c, struct decimal *d, int precision, int may_unget) {
    if (!d->has_digit) {
        if (c >= 0) shunget(f);
        errno = EINVAL;
        shlim(f, 0);
        return 0;
    }
    if ((c | 32) == 'e') {
        if (!scan_exponent(f, may_unget, &d->exponent)) {
            if (!may_unget) {
                shlim(f, 0);
                return 0;
            }
            shunget(f);
        }
    } else if (c >= 0) {
        shunget(f);
    }
    long double result = convert(d, precision);
    return d->is_negative ? -result : result;
}

// A separate function, because its buffer is large and rarely needed.
static __attribute__((noinline)) long double scan_long(FILE *f, int c, struct decimal *d, int precision,
                                                       int may_unget) {
    char text[TEXT_DIGITS + 16];
    memcpy(text, d->text, (size_t)d->length);
    d->text = text;
    c = scan_digits(f, c, d, TEXT_DIGITS);
    if (is_digit(c)) c = skip_digits(f, c, d);
    return finish(f, c, d, precision, may_unget);
}

static long double scan_hexadecimal(FILE *f, int precision, bool is_negative, int may_unget) {
    static const int bits[] = {FLT_MANT_DIG, DBL_MANT_DIG, LDBL_MANT_DIG};
    static const int least[] = {FLT_MIN_EXP - FLT_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG,
                                LDBL_MIN_EXP - LDBL_MANT_DIG};
    return hexfloat(f, bits[precision], least[precision], is_negative ? -1 : 1, may_unget);
}

long double __floatscan(FILE *f, int precision, int may_unget) {
    char text[KEPT_DIGITS + 16];
    struct decimal d = {.text = text};
    int c;
    while (isspace((c = shgetc(f))));
    if (c == '-') {
        d.is_negative = true;
        c = shgetc(f);
    } else if (c == '+') {
        c = shgetc(f);
    }
    if ((c | 32) == 'i' || (c | 32) == 'n') {
        shunget(f);
        long double result = musl_floatscan(f, precision, may_unget);
        return d.is_negative && isinf(result) ? -result
                                              : result; // no number, or a NaN, which has no sign in musl
    }
    c = scan_digits(f, c, &d, KEPT_DIGITS);
    if (is_digit(c)) return scan_long(f, c, &d, precision, may_unget);
    if ((c | 32) == 'x' && d.length == 1 && !d.has_point && !d.mantissa)
        return scan_hexadecimal(f, precision, d.is_negative, may_unget);
    return finish(f, c, &d, precision, may_unget);
}
