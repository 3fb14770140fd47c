// printf and related functions: musl's code, with our own conversion of doubles (format_double.h).
//
// The included file defines fmt_fp and calls it once: the definition becomes fmt_fp_0, musl's own, and the call goes to
// fmt_fp_1 below. If there were another use, it would name a function that does not exist.
#define _GNU_SOURCE
#include "stdio_impl.h"

#define PASTED(name, number)   name##number
#define NUMBERED(name, number) PASTED(name, number)
#define fmt_fp                 NUMBERED(fmt_fp_, __COUNTER__)

static int fmt_fp_1(FILE *f, long double y, int width, int precision, int flags, int type);

#include "src/stdio/vfprintf.c"
#undef fmt_fp

#include "format_double.h"

static int fmt_fp_1(FILE *f, long double y, int width, int precision, int flags, int type) {
    double number = (double)y;
    char text[FORMAT_LENGTH], *end = text + sizeof text;
    bool is_negative = (union format_bits){.number = number}.bits >> 63;
    if (is_negative) number = -number;
    if ((is_negative ? -y : y) != number || !(number < INFINITY))
        return fmt_fp_0(f, y, width, precision, flags,
                        type); // a NaN, infinity, or more digits than a double has
    char *start = format_double(end, number, precision < 0 ? 6 : precision, flags & ALT_FORM, type);
    if (!start) return fmt_fp_0(f, y, width, precision, flags, type);
    const char *sign = is_negative ? "-" : flags & MARK_POS ? "+" : flags & PAD_POS ? " " : "";
    int signs = *sign != 0, length = signs + (int)(end - start);
    pad(f, ' ', width, length, flags);
    out(f, sign, signs);
    pad(f, '0', width, length, flags ^ ZERO_PAD);
    out(f, start, end - start);
    pad(f, ' ', width, length, flags ^ LEFT_ADJ);
    return MAX(width, length);
}
