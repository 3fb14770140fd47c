// printf, scanf and the conversions of numbers: every conversion, flag, width and precision that C and POSIX name.
// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

static void integers(void) {
    static const char *const flags[] = {"", "-", "+", " ", "#", "0", "+0", "-+", "# ", "#0"};
    static const char *const sizes[] = {"", "1", "8", ".0", ".3", "8.3", "20.12"};
    static const char kinds[] = "diuoxX";
    static const int values[] = {0, 1, -1, 42, -12345, INT_MAX, INT_MIN};
    for (size_t k = 0; kinds[k]; k++)
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                char format[32], text[64];
                snprintf(format, sizeof format, "[%%%s%s%c]", flags[f], sizes[s], kinds[k]);
                unsigned sum = 0;
                for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
                    int n = snprintf(text, sizeof text, format, values[v]);
                    for (int i = 0; i < n; i++) sum = sum * 31 + (unsigned char)text[i];
                }
                printf("%s%u ", format, sum);
            }
    puts("");
    printf("%hhd %hd %ld %lld %jd %zd %td\n", 300, 70000, LONG_MIN, LLONG_MIN, INTMAX_MIN, (ssize_t)-1,
           (ptrdiff_t)-2);
    printf("%hhu %hx %lo %llX %ju %zu\n", 300, 70000, ULONG_MAX, ULLONG_MAX, UINTMAX_MAX, SIZE_MAX);
    printf("%*d|%-*d|%.*d|%*.*d\n", 6, 1, 6, 2, 4, 3, -6, 2, 4);
    printf("%2$s %1$s %2$.1s\n", "first", "second");
    printf("%c%5c%-5c|%s|%10s|%-10s|%.3s|%5.1s|\n", 'a', 'b', 'c', "text", "right", "left", "cutoff", "xyz");
    printf("%lc %ls %.2ls\n", (wint_t)L'w', L"wide", L"cut");
}

static void floats(void) {
    static const double values[] = {0,    -0.0,  1,   -1.5, 0.1,     123456789, 1e-7,
                                    1e21, 9.995, 0.5, 2.5,  DBL_MAX, DBL_MIN,   5e-324};
    static const char *const formats[] = {"%f",   "%.0f",  "%#.0f", "%12.3f",  "%-12.3f", "%+e",
                                          "%.0e", "%.15g", "%g",    "%#g",     "%G",      "%a",
                                          "%.2a", "%A",    "% f",   "%015.4f", "%.17g",   "%.40f"};
    char text[500];
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            int n = snprintf(text, sizeof text, formats[f], values[v]);
            if (n < 60)
                printf("%s|", text);
            else
                printf("%d:%.20s|", n, text);
        }
        puts("");
    }
    printf("%f %F %e %g %a %5.1f\n", INFINITY, -INFINITY, (double)INFINITY, (double)NAN, INFINITY,
           (double)NAN);
    printf("%Lf %Le %Lg %La %.30Lg\n", 1.0L / 3, 1e4000L, 0.1L, LDBL_MAX, 0.1L);
}

static void scanning(void) {
    int a = 0, b = 0, n = 0;
    unsigned u = 0;
    long l = 0;
    char word[32] = "", set[32] = "", c[4] = "";
    float f = 0;
    double d = 0;
    long double e = 0;
    void *p = NULL;
    T(sscanf("12 -34 0x1f", "%d %d %i", &a, &b, &n));
    printf("%d %d %d\n", a, b, n);
    T(sscanf("077 08 abc", "%i %d %x", &a, &b, &u));
    printf("%d %d %x\n", a, b, u);
    T(sscanf("3.25 1e3 inf nan", "%f %lf %Lf", &f, &d, &e));
    printf("%g %g %Lg\n", (double)f, d, e);
    T(sscanf("key=value; rest", "%[a-z]=%[^;]; %3c", word, set, c));
    printf("%s %s %s\n", word, set, c);
    T(sscanf("12345", "%2d%3d%n", &a, &b, &n));
    printf("%d %d %d\n", a, b, n);
    T(sscanf("  x", "%*d %d", &a, &b));
    T(sscanf("", "%d", &a));
    T(sscanf("5%", "%d%%%n", &a, &n));
    T(sscanf("0x7fff1234", "%p", &p));
    printf("%d\n", p == (void *)0x7fff1234);
    char *owned = NULL;
    T(sscanf("allocated text", "%ms", &owned));
    puts(owned);
    free(owned);
    T(sscanf("99999999999999999999", "%ld", &l));
    printf("%d\n", l == LONG_MAX);
    T(sscanf("]x-", "%[]x-]", set));
    puts(set);
}

static void conversions(void) {
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+7",
                                        " \t42x",
                                        "0x",
                                        "0x1G",
                                        "-0x80000000",
                                        "0777",
                                        "08",
                                        "zz",
                                        "",
                                        "-",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "-9223372036854775809",
                                        "18446744073709551616"};
    static const int bases[] = {0, 2, 8, 10, 16, 36};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
            char *end, *end2;
            errno = 0;
            long l = strtol(texts[t], &end, bases[b]);
            int error = errno;
            errno = 0;
            unsigned long u = strtoul(texts[t], &end2, bases[b]);
            printf("%ld %d %d %lu %d %d;", l, (int)(end - texts[t]), error, u, (int)(end2 - texts[t]), errno);
        }
    puts("");
    static const char *const floats[] = {"1",
                                         "-1.5e10",
                                         ".5",
                                         "5.",
                                         "1e",
                                         "1e+",
                                         "0x1.8p3",
                                         "0x.8",
                                         "inf",
                                         "-infinity",
                                         "nan",
                                         "nan(12)",
                                         "1e400",
                                         "-1e400",
                                         "1e-400",
                                         "4.9e-324",
                                         "2.4e-324",
                                         "1.7976931348623158e308",
                                         "0.1",
                                         "123456789012345678901234567890",
                                         "  1x",
                                         "9007199254740993",
                                         "1.00000000000000011102230246251565404236316680908203125"};
    for (size_t t = 0; t < sizeof floats / sizeof *floats; t++) {
        char *end;
        errno = 0;
        double d = strtod(floats[t], &end);
        printf("%a %d %d %a %La;", d, (int)(end - floats[t]), errno, (double)strtof(floats[t], NULL),
               strtold(floats[t], NULL));
    }
    puts("");
    printf("%d %ld %lld %g %" PRIdMAX " %" PRIuMAX "\n", atoi(" -12z"), atol("77"), atoll("-5"),
           atof("2.5e1"), strtoimax("-9", NULL, 10), strtoumax("ff", NULL, 16));
    printf("%d %d %ld\n", abs(-3), div(17, -5).rem, ldiv(-17, 5).quot);
}

int main(void) {
    integers();
    floats();
    scanning();
    conversions();
    return 0;
}
