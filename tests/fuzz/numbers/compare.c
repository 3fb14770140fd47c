// Text to floating point, the runtime's code against glibc's: bits of the result, end of the number, and ERANGE.
//
// usage: compare COUNT SEED
//
// The functions library_... are the runtime's bitcode as native code (run compiles and renames it).
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

float library_strtof(const char *text, char **end);
double library_strtod(const char *text, char **end);
long double library_strtold(const char *text, char **end);

// Parts of musl that these functions refer to. __uflow is never called for text in memory.
int library_uflow(void *file);
int *library_errno_location(void);

int library_uflow(void *file) {
    (void)file;
    abort();
}

int *library_errno_location(void) { return &errno; }

static uint64_t random_state;
static unsigned long failures, compared;

// xorshift64*
static uint64_t random_bits(void) {
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 0x2545F4914F6CDD1DULL;
}

static unsigned below(unsigned limit) { return (unsigned)(random_bits() >> 33) % limit; }

// ---- Comparison

static void fail(const char *function, const char *text, const char *what) {
    failures++;
    if (failures <= 20)
        printf("%s(\"%.200s\"%s): %s\n", function, text, strlen(text) > 200 ? "..." : "", what);
}

// glibc and musl set ERANGE for different numbers here: hexadecimal ones, the payload of a NaN, and a subnormal number
// that was rounded up to a power of two.
static bool has_same_range(const char *text, int ours, int theirs, long double number, long double least) {
    int exponent;
    bool is_small_power = fabsl(number) <= least && fabsl(frexpl(number, &exponent)) == 0.5L;
    return (ours == ERANGE) == (theirs == ERANGE) || is_small_power || strpbrk(text, "xX(");
}

#define COMPARE(name, type, bytes, least)                                                                    \
    static void compare_##name(const char *text) {                                                           \
        char *end, *expected_end;                                                                            \
        errno = 0;                                                                                           \
        type expected = name(text, &expected_end);                                                           \
        int expected_error = errno;                                                                          \
        errno = 0;                                                                                           \
        type number = library_##name(text, &end);                                                            \
        int error = errno;                                                                                   \
        compared++;                                                                                          \
        if (end != expected_end) fail(#name, text, "the number ends elsewhere");                             \
        if (isnan(expected) ? !isnan(number) : memcmp(&number, &expected, bytes) != 0)                       \
            fail(#name, text, "another number");                                                             \
        if (!has_same_range(text, error, expected_error, number, least)) fail(#name, text, "ERANGE");        \
    }
COMPARE(strtof, float, 4, 0x1p-126L)
COMPARE(strtod, double, 8, 0x1p-1022L)
COMPARE(strtold, long double, 10, 0x1p-16382L)

static void compare(const char *text) {
    compare_strtof(text);
    compare_strtod(text);
    compare_strtold(text);
}

// ---- Random numbers

static double random_double(void) {
    union {
        uint64_t bits;
        double number;
    } u = {random_bits()};
    return u.number;
}

static float random_float(void) {
    union {
        uint32_t bits;
        float number;
    } u = {(uint32_t)random_bits()};
    return u.number;
}

static long double random_long_double(void) {
    long double mantissa = (long double)(random_bits() | 1ULL << 63);
    return ldexpl(mantissa, (int)below(32900) - 16510);
}

// Digits with a point somewhere, and perhaps an exponent.
static void random_decimal(char *text) {
    static const unsigned lengths[] = {1, 2, 4, 8, 17, 20, 25, 60};
    unsigned length = 1 + below(below(16) ? lengths[below(8)] : 400), point = below(2 * length),
             zeros = below(8) ? 0 : below(30);
    if (!below(4)) *text++ = "+-"[below(2)];
    for (unsigned i = 0; i < zeros; i++) *text++ = '0';
    bool is_sparse = !below(4); // mostly zeros
    for (unsigned i = 0; i < length; i++) {
        if (i == point) *text++ = '.';
        *text++ = is_sparse && below(8) ? '0' : (char)('0' + below(10));
    }
    *text = 0;
    static const int ranges[] = {10, 60, 100, 720, 11000, 100000};
    int range = ranges[below(6)];
    if (below(3))
        sprintf(text, "%c%s%d", "eE"[below(2)], below(4) ? "" : "-0",
                (int)below((unsigned)range) - range / 2);
}

// Changes the last digit of the mantissa, or adds digits: a number close to the given one.
static void nudge(char *text) {
    char *letter = strchr(text, 'e'), exponent[32];
    if (!letter || strlen(letter) >= sizeof exponent) return;
    strcpy(exponent, letter);
    switch (below(4)) {
    case 0: break;
    case 1:
        if (letter[-1] >= '1' && letter[-1] <= '9') letter[-1]--;
        break;
    case 2:
        if (letter[-1] >= '0' && letter[-1] <= '8') letter[-1]++;
        break;
    default: sprintf(letter, "%0*u%s", 1 + (int)below(40), below(2), exponent);
    }
}

// A number exactly between two adjacent floats, or close to that.
static void random_middle(char *text) {
    switch (below(3)) {
    case 0: {
        float number = random_float();
        sprintf(text, "%.*e", (int)below(180), ((double)number + nextafterf(number, INFINITY)) / 2);
        break;
    }
    case 1: {
        double number = random_double();
        long double middle = (long double)number + ((long double)nextafter(number, INFINITY) - number) / 2;
        sprintf(text, "%.*Le", !below(10) ? 770 : (int)below(40), middle);
        break;
    }
    default: {
        // An odd integer of 54 or 25 bits, or a quotient of it by a power of two.
        uint64_t odd = (1ULL << (below(2) ? 53 : 24)) | 1;
        odd |= random_bits() & (odd - 2);
        int power = (int)below(30);
        __uint128_t number = odd;
        for (int i = 0; i < power && number < (__uint128_t)1 << 120; i++) number *= 5;
        char digits[48], *at = digits + sizeof digits;
        *--at = 0;
        for (; number; number /= 10) *--at = (char)('0' + (int)(number % 10));
        sprintf(text, "%se%d", at, -power);
    }
    }
    nudge(text);
}

static void random_printed(char *text) {
    switch (below(5)) {
    case 0: sprintf(text, "%.*e", (int)below(20), (double)random_float()); break;
    case 1: sprintf(text, "%.*Le", (int)below(30), random_long_double()); break;
    case 2: // small ones
        sprintf(text, "%.*f", (int)below(20), ldexp((double)random_bits(), -(int)below(80)));
        break;
    case 3: { // around the limits of subnormal and finite numbers
        static const double limits[] = {
            0x1p-1022, 0x1p-1074, 0x1.fffffffffffffp1023, 0x1p-126, 0x1p-149, 0x1.fffffep127, 0x1p53, 0x1p63};
        sprintf(text, "%.*e", (int)below(25),
                limits[below(8)] * (1 + ((int)below(2001) - 1000) / 1000.0 * (below(2) ? 1 : 1e-15)));
        break;
    }
    default: sprintf(text, "%.*e", (int)below(25), random_double());
    }
    if (below(2)) nudge(text);
}

static void random_garbage(char *text) {
    static const char *const pieces[] = {"0",    "1",  "9",  ".",  "e",   "E",        "+",
                                         "-",    "x",  "p",  "0x", "inf", "infinity", "nan",
                                         "nan(", ")",  "a",  "f",  " ",   "\t",       "000000000000000000000",
                                         "e-",   "e+", "in", "na", "(",   "1e5",      "_",
                                         ",",    "5"};
    unsigned count = below(9);
    *text = 0;
    for (unsigned i = 0; i < count; i++) strcat(text, pieces[below(sizeof pieces / sizeof *pieces)]);
}

// ---- Known hard cases

// Paxson, A program for testing IEEE decimal-binary conversion (1991), tables 3 and 4, and cases that broke libraries.
static const char *const hard[] = {
    "5e+125",
    "69e+267",
    "999e-026",
    "7861e-034",
    "75569e-254",
    "928609e-261",
    "9210917e+080",
    "84863171e+114",
    "653777767e+273",
    "5232604057e-298",
    "27235667517e-109",
    "653532977297e-123",
    "3142213164987e-294",
    "46202199371337e-072",
    "231010996856685e-073",
    "9324754620109615e+212",
    "78459735791271921e+049",
    "272104041512242479e+200",
    "6802601037806061975e+198",
    "20505426358836677347e-221",
    "836168422905420598437e-234",
    "4891559871276714924261e+222",
    "9e-265",
    "85e-037",
    "623e+100",
    "3571e+263",
    "81661e+153",
    "920657e-023",
    "4603285e-024",
    "87575437e-309",
    "245540327e+122",
    "6138508175e+120",
    "83356057653e+193",
    "619534293513e+124",
    "2335141086879e+218",
    "36167929443327e-159",
    "609610927149051e-255",
    "3743626360493413e-165",
    "94080055902682397e-242",
    "899810892172646163e+283",
    "7120190517612959703e+120",
    "25188282901709339043e-252",
    "308984926168550152811e-052",
    "6372891218502368041059e+064",
    "2.2250738585072011e-308",
    "2.2250738585072012e-308",
    "2.2250738585072013e-308",
    "2.2250738585072014e-308",
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "17976931348623158079372897e284",
    "4.9406564584124654e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "2.4703282292062327208e-324",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "9007199254740993.0",
    "9007199254740992.999",
    "9007199254740993.00000000000000000000000000000000000000001",
    "900719925474099300000000000000000000000000e-26",
    "9007199254740995",
    "1152921504606846976",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "18446744073709551617",
    "99999999999999999999",
    "9999999999999999999",
    "1e19",
    "1e22",
    "1e23",
    "8.5e22",
    "8.3e22",
    "3.518437208883201171875e13",
    "62.5364939768271845828",
    "8.10109172351e-10",
    "1.50000000000000011102230246251565",
    "6929495644600919.5",
    "0.500000000000000166533453693773481063544750213623046875",
    "3.4028234e38",
    "3.4028235e38",
    "3.4028236e38",
    "340282356779733661637539395458142568447",
    "340282356779733661637539395458142568448",
    "1.17549435e-38",
    "1.1754943e-38",
    "1.4e-45",
    "7.0e-46",
    "7.1e-46",
    "1.00000017881393432617187499",
    "1.00000017881393432617187500",
    "1.00000017881393432617187501",
    "1.1920928955078125e-7",
    "5.9604644775390625e-8",
    "16777217",
    "16777217.0",
    "16777219",
    "1.18973149535723176502e4932",
    "1.18973149535723176506e4932",
    "1.18973149535723176509e4932",
    "3.36210314311209350626e-4932",
    "3.6e-4951",
    "1.8e-4951",
    "1.9e-4951",
    "0",
    "-0",
    "+0",
    "00",
    "0.",
    ".0",
    ".",
    "",
    "-",
    "+",
    "-.",
    "e5",
    ".e5",
    "1e",
    "1e+",
    "1e-",
    "1e+x",
    "1.e5",
    ".5e1",
    "5.",
    ".5",
    "1..5",
    "1.5.5",
    "0e0",
    "0e999999999999999999999",
    "0e-999999999999999999999",
    "1e99999999999999999999",
    "1e-99999999999999999999",
    "1e00000000000000000000000000000000005",
    "1e-00000000000000000000000000000000005",
    "0x",
    "0x.",
    "0xp1",
    "0x1p",
    "0x1.8p1",
    "0X1P-1074",
    "0x1.fffffffffffff8p1023",
    "00x1",
    "-0x10",
    "i",
    "in",
    "inf",
    "infi",
    "infinit",
    "INFINITY",
    "-inf",
    "+-1",
    "--1",
    "n",
    "na",
    "nan",
    "NAN(",
    "nan()",
    "nan(1_a)",
    "nan(-)",
    "  \t\n1",
    "1 ",
    "1e5e5",
    "1e5.5",
    "0.0000000000000000000000000000000000000000000000000000000000001e60",
    "1000000000000000000000000000000000000000000000000000000000000e-60",
    "00000000000000000000000000000000000001.5",
};

// Thousands of digits: a long run of zeros or nines before the digit that decides the rounding.
static void compare_long(char *text) {
    static const char *const starts[] = {"9007199254740993.", "0.",        "1.",
                                         "9007199254740992",  "16777217.", "36893488147419103233."};
    static const char *const ends[] = {"", "1", "e-20000", "1e20000", "e-300"};
    for (size_t s = 0; s < sizeof starts / sizeof *starts; s++)
        for (size_t e = 0; e < sizeof ends / sizeof *ends; e++)
            for (int digit = '0'; digit <= '9'; digit += 9)
                for (size_t length = 1; length < 40000; length = length * 7 + 3) {
                    size_t start = strlen(starts[s]);
                    strcpy(text, starts[s]);
                    memset(text + start, digit, length);
                    strcpy(text + start + length, ends[e]);
                    compare(text);
                }
    // The largest number of digits that an exact midpoint has, and one digit more.
    for (int i = 0; i < 3; i++) {
        static const char *const tails[] = {"e0", "0000e0", "0001e0"};
        sprintf(text, "%.11600Lf", 0x1p-16445L + 0x1p-16444L);
        strcat(text, tails[i]);
        compare(text);
        sprintf(text, "%.1076f", 0x1p-1074);
        strcat(text, tails[i]);
        compare(text);
    }
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    unsigned long strings = strtoul(arguments[1], NULL, 10);
    random_state = strtoul(arguments[2], NULL, 10) * 0x9E3779B97F4A7C15ULL + 1;
    static char text[50000];
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) compare(hard[i]);
    compare_long(text);
    static void (*const kinds[])(char *) = {random_decimal, random_decimal, random_middle,
                                            random_printed, random_printed, random_garbage};
    for (unsigned long i = 0; i < strings; i++) {
        kinds[below(6)](text);
        compare(text);
    }
    printf("numbers: %lu conversions compared with glibc's, %lu differ\n", compared, failures);
    return failures != 0;
}
