// Doubles to text, the runtime's code (runtime/musl/format_double.h) against glibc's printf.
//
// usage: format COUNT SEED
#include "format_double.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state;
static unsigned long failures, compared, left;

// xorshift64*
static uint64_t random_bits(void) {
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 0x2545F4914F6CDD1DULL;
}

static unsigned below(unsigned limit) { return (unsigned)(random_bits() >> 33) % limit; }

// glibc 2.36 omits the zeros of %#g where a number is rounded up to a power of ten: "1.e+02".
static bool is_fault_of_glibc(const char *expected, bool is_alternate, int type) {
    return is_alternate && (type | 32) == 'g' && expected[0] == '1' && expected[1] == '.' &&
           (expected[2] | 32) == 'e';
}

static void compare(double number, int precision, bool is_alternate, int type) {
    char format[] = {'%', '#', '.', '*', (char)type, 0}, expected[400], text[FORMAT_LENGTH];
    if (!is_alternate) memmove(format + 1, format + 2, sizeof format - 2);
    snprintf(expected, sizeof expected, format, precision, number);
    char *end = text + sizeof text, *start = format_double(end, number, precision, is_alternate, type);
    if (!start || is_fault_of_glibc(expected, is_alternate, type)) {
        left++;
        return;
    }
    compared++;
    if (start >= text && (size_t)(end - start) == strlen(expected) &&
        !memcmp(start, expected, strlen(expected)))
        return;
    if (failures++ < 20)
        printf("%s of %a, precision %d: \"%.*s\", glibc \"%s\"\n", format, number, precision,
               (int)(end - start), start, expected);
}

static double random_number(void) {
    union format_bits any = {.bits = random_bits() >> 1};
    double power = pow(10, (int)below(40) - 20);
    switch (below(8)) {
    case 0: return isfinite(any.number) ? any.number : 0;
    case 1: return (double)(random_bits() >> below(64));
    case 2: return below(100000) / 100.0;
    case 3: return ldexp((double)(random_bits() >> 11), -(int)below(116)); // all sizes in reach
    case 4:
        return (double)(2 * (random_bits() >> (20 + below(40))) + 1) /
               (double)(1ULL << below(30)); // exact ties
    case 5: return power;                   // and the numbers beside it
    case 6: return nextafter(power, below(2) ? 0 : INFINITY);
    default: return nextafter(power * (below(100) + 0.5), below(2) ? 0 : INFINITY);
    }
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    unsigned long numbers = strtoul(arguments[1], NULL, 10);
    random_state = strtoul(arguments[2], NULL, 10) * 0x9E3779B97F4A7C15ULL + 1;
    static const double hard[] = {
        0,         0.5,       1.5,     2.5,  0.125, 0.375,  9.5,    99.5,   999999.5,
        9999995,   1e22,      1e23,    0.1,  0.3,   1e-5,   9.9e-5, 1e-4,   0.000123,
        123456,    1234567,   1e15,    1e16, 1e17,  0x1p53, 0x1p62, 0x1p63, 5e-324,
        0x1p-60,   9.5e-7,    0.05,    4.35, 2.675, 1.005,  1e-18,  1e-17,  0.99999949999999995,
        0.9999995, 9.9999995, 99999.95};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
        for (int precision = 0; precision <= FORMAT_DIGITS; precision++)
            for (int type = 0; type < 6; type++)
                for (int flag = 0; flag < 2; flag++) compare(hard[i], precision, flag, "fegFEG"[type]);
    for (unsigned long i = 0; i < numbers; i++)
        compare(random_number(), below(4) ? (int)below(8) : (int)below(20), !below(4), "fegFEG"[below(6)]);
    printf("numbers: %lu texts compared with glibc's, %lu out of reach, %lu differ\n", compared, left,
           failures);
    return failures != 0;
}
