// Numbers in text, by every function that reads them: strtod and related ones, wide characters, scanf from memory and
// from a stream, with limiting widths. Fast and slow conversions, signs, ends, errno.
// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <wchar.h>

static const char *const texts[] = {
    "0", "-0", "+0.0", "1", "-1.5", ".5", "5.", ".", "-.", "+", "", " 12 ", "1e", "1e+", "1e-", "1e+x", "1E5", "1e-5x", "e5", "1..2",
    "+-1", "00000000000000000000000000000000000012.5", "0.00000000000000000000000000000000000000000000000000125",
    "123456789012345678", "1234567890123456789", "12345678901234567890", "123456789012345678901234567890",
    "9007199254740992", "9007199254740993", "9007199254740993.0", "9007199254740993.00000000000000000001", "16777217", "16777217.0000000000000001",
    "1e22", "1e23", "8.5e22", "1e37", "1e38", "1e39", "1e-44", "7e-46", "1e-46", "1e308", "1.8e308", "1e309", "-1e400", "1e-307",
    "1e-308", "2.2250738585072011e-308", "2.2250738585072014e-308", "4.9e-324", "2.4e-324", "9.8e-324", "1.1e-323", "2e-44", "1e-400", "0e999999999999", "1e99999999999999999999999",
    "1e-99999999999999999999999", "1e00000000000000000000000000002", "3.14159265358979323846264338327950288419716939937510582097494459",
    "1e27", "1e28", "123e40", "1e4932", "1.2e4932", "3e-4951", "1e-4952", "0x", "0x1", "0x1.8p3", "-0X.8p-2z", "0x1p-1080", "00x5", "inf", "-Infinity", "infin",
    "in", "nan", "nan(12)x", "nan(-", "n", "1,5", "1_0", "\t\n 7", "1e5.5",
};

static void from_memory(const char *text) {
    char *end;
    errno = 0;
    double d = strtod(text, &end);
    printf("%s: %a +%d e%d;", text, d, (int)(end - text), errno);
    errno = 0;
    float f = strtof(text, &end);
    printf(" %a +%d e%d;", (double)f, (int)(end - text), errno);
    errno = 0;
    long double l = strtold(text, &end);
    printf(" %La +%d e%d;", l, (int)(end - text), errno);
    printf(" %a\n", atof(text));
}

static void wide(const char *text) {
    wchar_t letters[128], *end;
    size_t length = mbstowcs(letters, text, 127);
    letters[length] = 0;
    double d = wcstod(letters, &end);
    printf("%a +%d", d, (int)(end - letters));
    float f = wcstof(letters, &end);
    printf(" %a +%d", (double)f, (int)(end - letters));
    printf(" %La\n", wcstold(letters, NULL));
}

static void scan(const char *text) {
    double d = -7;
    float f = -7;
    long double l = -7;
    char rest[128] = "";
    int n = sscanf(text, "%lf%100s", &d, rest);
    printf("%d %a '%s'", n, d, rest);
    rest[0] = 0;
    n = sscanf(text, "%3f%100s", &f, rest);
    printf(" %d %a '%s'", n, (double)f, rest);
    rest[0] = 0;
    n = sscanf(text, "%25Lg%100s", &l, rest);
    printf(" %d %La '%s'\n", n, l, rest);
}

static void from_stream(void) {
    FILE *f = fopen("numbers", "w+");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        fprintf(f, "%s;", texts[i]);
    // Longer than a buffer of the stream, so that a number is read over its end.
    for (int i = 0; i < 3000; i++)
        putc('3', f);
    fputs("e-2999;4.25", f);
    rewind(f);
    for (int c; (c = getc(f)) != EOF;) {
        double d = -7;
        ungetc(c, f);
        int n = fscanf(f, "%lf", &d);
        printf("%d %a %ld,", n, d, ftell(f));
        while ((c = getc(f)) != EOF && c != ';')
            putchar(c);
    }
    fclose(f);
    puts("");
}

int main(void) {
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        from_memory(texts[i]);
        wide(texts[i]);
        scan(texts[i]);
    }
    from_stream();
    return 0;
}
