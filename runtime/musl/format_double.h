// Doubles to text with few branches: %f, %e and %g of numbers of moderate size and precision.
//
// musl's own code expands a number into an array in base 10^9, with loops whose lengths depend on the
// number: under symbolic execution terms grow with every round. Here a number is split into an integer and
// a fraction of known exponent, one path for each power of two, and its digits are those of one or two
// 64-bit integers. All of it is exact, and rounded to the nearest, ties to even, as the standard requires.
#ifndef TAMAR_MUSL_FORMAT_DOUBLE_H
#define TAMAR_MUSL_FORMAT_DOUBLE_H

#include "decimal_powers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FORMAT_DIGITS 18 // digits after the point: 10^18 < 2^63
#define FORMAT_LENGTH 64 // characters of the text

// 10^-18 to 10^19; those below one are rounded.
static const double format_decades[] = {1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9,
                                        1e-8,  1e-7,  1e-6,  1e-5,  1e-4,  1e-3,  1e-2,  1e-1,  1e0,   1e1,
                                        1e2,   1e3,   1e4,   1e5,   1e6,   1e7,   1e8,   1e9,   1e10,  1e11,
                                        1e12,  1e13,  1e14,  1e15,  1e16,  1e17,  1e18,  1e19};
#define LEAST_DECADE (-18)
#define MOST_NUMBER  0x1p63

union format_bits {
    double number;
    uint64_t bits;
};

static double format_decade(int power) { return format_decades[power - LEAST_DECADE]; }

// integer + fraction / 2^shift, exactly.
struct format_parts {
    uint64_t integer, fraction;
    int shift;
};

// Returns the exponent e with 2^(e-1) <= number < 2^e. It is concrete even if the number is symbolic: the path forks.
static int format_exponent(double number, int low, int high) {
    // Accesses to volatile variables keep the compiler from replacing the branch by a select.
    volatile int first = low, last = high;
    while (first < last) {
        int middle = first + (last - first) / 2;
        if (number < (union format_bits){.bits = (uint64_t)(middle + 1023) << 52}.number)
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}

// Splits a number, with 10^LEAST_DECADE / 10 <= number < MOST_NUMBER.
static struct format_parts format_take_apart(double number) {
    int exponent = format_exponent(number, -62, 63) - 53; // exponent of the mantissa as an integer
    uint64_t mantissa = ((union format_bits){.number = number}.bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1
                                                                                                       << 52;
    if (exponent >= 0) return (struct format_parts){mantissa << exponent, 0, 1};
    if (exponent <= -53) return (struct format_parts){0, mantissa, -exponent};
    uint64_t below = ((uint64_t)1 << -exponent) - 1;
    return (struct format_parts){mantissa >> -exponent, mantissa & below, -exponent};
}

// Returns fraction * 10^digits, rounded. `odd`: the integer before it; without digits its parity decides a tie.
static uint64_t format_fraction(const struct format_parts *parts, int digits, uint64_t odd) {
    __uint128_t product = (__uint128_t)parts->fraction * decimal_powers[digits], one = 1;
    uint64_t result = (uint64_t)(product >> parts->shift);
    __uint128_t rest = product & ((one << parts->shift) - 1), half = one << (parts->shift - 1);
    uint64_t last = digits ? result : odd;
    // Without && the compiler has no reason to branch.
    return result + (uint64_t)((rest > half) | ((rest == half) & (last & 1)));
}

// Returns number * 10^power, rounded. The result is less than 10^19.
static uint64_t format_scale(double number, int power) {
    struct format_parts parts = format_take_apart(number);
    if (power >= 0)
        return parts.integer * decimal_powers[power] + format_fraction(&parts, power, parts.integer);
    uint64_t unit = decimal_powers[-power], quotient = parts.integer / unit, rest = parts.integer % unit,
             half = unit / 2;
    bool beyond = (rest > half) | ((rest == half) & (parts.fraction != 0));
    return quotient + (uint64_t)(beyond | ((rest == half) & (parts.fraction == 0) & (quotient & 1)));
}

// ---- Text, backward from its end

static char *format_digits(char *at, uint64_t number, int count) {
    for (int i = 0; i < count; i++, number /= 10) *--at = (char)('0' + number % 10);
    return at;
}

static char *format_integer(char *at, uint64_t number) {
    do *--at = (char)('0' + number % 10);
    while (number /= 10);
    return at;
}

// Writes integer.fraction with `digits` digits after the point.
static char *format_fixed(char *at, uint64_t integer, uint64_t fraction, int digits, bool keeps_point) {
    at = format_digits(at, fraction, digits);
    if (digits || keeps_point) *--at = '.';
    return format_integer(at, integer);
}

static char *format_scientific(char *at, uint64_t number, int exponent, int digits, bool keeps_point,
                               int letter) {
    int size = exponent < 0 ? -exponent : exponent;
    at = format_digits(at, (uint64_t)size, 2);
    *--at = exponent < 0 ? '-' : '+';
    *--at = (char)letter;
    return format_fixed(at, number / decimal_powers[digits], number % decimal_powers[digits], digits,
                        keeps_point);
}

// ---- Numbers

static char *format_f(char *end, double number, int precision, bool keeps_point) {
    if (number < format_decade(-precision - 1 < LEAST_DECADE ? LEAST_DECADE : -precision - 1)) {
        if (number != 0 && precision >= FORMAT_DIGITS) return NULL;
        return format_fixed(end, 0, 0, precision, keeps_point); // less than half of the last digit
    }
    if (!(number < MOST_NUMBER)) return NULL;
    struct format_parts parts = format_take_apart(number);
    uint64_t fraction = format_fraction(&parts, precision, parts.integer);
    uint64_t carry = fraction >= decimal_powers[precision];
    return format_fixed(end, parts.integer + carry, fraction - (carry ? decimal_powers[precision] : 0),
                        precision, keeps_point);
}

// Splits a number into an integer of precision + 1 digits, of which one is before the point, and a decimal exponent.
static bool format_significant(double number, int precision, uint64_t *digits, int *exponent) {
    *digits = 0;
    *exponent = 0;
    if (number == 0) return true;
    int low = precision - FORMAT_DIGITS + 1, high = FORMAT_DIGITS;
    if (low < LEAST_DECADE + 1) low = LEAST_DECADE + 1;
    if (!(number < MOST_NUMBER) || number < format_decade(low)) return false;
    volatile int first = low, last = high;
    while (first < last) {
        int middle = first + (last - first) / 2;
        if (number < format_decade(middle + 1))
            last = middle;
        else
            first = middle + 1;
    }
    int decade = first;
    uint64_t scaled = format_scale(number, precision - decade);
    // A power of ten below one is rounded: the number may lie on its other side.
    if (decade < 0 && scaled < decimal_powers[precision]) {
        decade--;
        scaled = format_scale(number, precision - decade);
    }
    if (scaled == decimal_powers[precision + 1]) { // rounded up to the next power of ten
        decade++;
        scaled = decimal_powers[precision];
    }
    *digits = scaled;
    *exponent = decade;
    return true;
}

static char *format_e(char *end, double number, int precision, bool keeps_point, int letter) {
    uint64_t digits;
    int exponent;
    if (!format_significant(number, precision, &digits, &exponent)) return NULL;
    return format_scientific(end, digits, exponent, precision, keeps_point, letter);
}

static char *format_g(char *end, double number, int precision, bool keeps_zeros, int letter) {
    uint64_t digits;
    int exponent, significant = precision ? precision : 1;
    if (!format_significant(number, significant - 1, &digits, &exponent)) return NULL;
    bool is_fixed = exponent >= -4 && exponent < significant;
    int after = is_fixed ? significant - 1 - exponent : significant - 1;
    if (!keeps_zeros)
        for (; after > 0 && digits % 10 == 0; after--) digits /= 10;
    if (!is_fixed) return format_scientific(end, digits, exponent, after, keeps_zeros, letter);
    if (after > FORMAT_DIGITS) return NULL;
    return format_fixed(end, digits / decimal_powers[after], digits % decimal_powers[after], after,
                        keeps_zeros);
}

// Writes the text of a number without a sign, as printf's conversion `type` does, before `end`, where FORMAT_LENGTH
// bytes are free. Returns its start; NULL: the number or the precision is out of range. `is_alternate`: the flag #.
static char *format_double(char *end, double number, int precision, bool is_alternate, int type) {
    if (precision > FORMAT_DIGITS - 1) return NULL;
    switch (type | 32) {
    case 'f': return format_f(end, number, precision, is_alternate);
    case 'e': return format_e(end, number, precision, is_alternate, type);
    case 'g': return format_g(end, number, precision, is_alternate, type - 2);
    default: return NULL;
    }
}

#endif
