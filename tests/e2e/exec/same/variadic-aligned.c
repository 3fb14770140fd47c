// Variadic arguments that are aligned to 16 (structs, __int128): in registers, in memory, and between other arguments.
// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
#include <stdarg.h>
#include <stdio.h>

struct word { long a; } __attribute__((aligned(16)));
struct wide { __int128 value; };
struct mixed { double d; long n; } __attribute__((aligned(16)));
struct plain { long a, b; };
struct large { long a, b, c; } __attribute__((aligned(16)));

static struct plain table[3] = {{1, 2}, {3, 4}, {5, 6}};

// Each letter of the format is an argument.
static void show(const char *format, double first, ...) {
    va_list list, again;
    va_start(list, first);
    va_copy(again, list);
    printf("%s %g:", format, first);
    for (; *format; format++) {
        switch (*format) {
        case 'i': printf(" %d", va_arg(list, int)); break;
        case 'd': printf(" %g", va_arg(list, double)); break;
        case 'L': printf(" %Lg", va_arg(list, long double)); break;
        case 's': printf(" %s", va_arg(list, char *)); break;
        case 'w': printf(" w%ld", va_arg(list, struct word).a); break;
        case 'W': printf(" W%ld", (long)va_arg(list, struct wide).value); break;
        case 'x': printf(" x%ld", (long)(va_arg(list, __int128) >> 3)); break;
        case 'm': {
            struct mixed m = va_arg(list, struct mixed);
            printf(" m%g,%ld", m.d, m.n);
            break;
        }
        case 'p': {
            struct plain p = va_arg(list, struct plain);
            printf(" p%ld,%ld", p.a, p.b);
            break;
        }
        case 'l': printf(" l%ld", va_arg(list, struct large).c); break;
        }
    }
    printf(" again %d\n", va_arg(again, int));
    va_end(again);
    va_end(list);
}

static void through_pointer(void (*call)(const char *, double, ...)) {
    struct wide wide = {-12};
    call("iWiWiW", 0.5, 1, wide, 2, wide, 3, wide);
}

int main(void) {
    struct word word = {3};
    struct wide wide = {5};
    struct mixed mixed = {2.5, 7};
    struct large large = {8, 9, 10};
    struct plain *plain = &table[1];
    __int128 number = -1234567;
    show("iw", 1, 1, word);
    show("iwiwiwiw", 2, 1, word, 2, word, 3, word, 4, word);
    show("iWdW", 3, 1, wide, 1.5, wide);
    show("idiWisW", 4, 1, 2.0, 3, wide, 4, "text", wide);
    show("imimimimimdm", 5, 1, mixed, 2, mixed, 3, mixed, 4, mixed, 5, mixed, 6.5, mixed);
    show("ippp", 6, 1, table[0], *plain, table[2]);
    show("ipwplLiW", 7, 1, table[0], word, table[2], large, 1.25L, 2, wide);
    show("ixwix", 8, 1, number, word, 2, number);
    show("idddddddddmw", 9, 1, .1, .2, .3, .4, .5, .6, .7, .8, .9, mixed, word);
    show("ililL", 10, 3, large, 4, large, 2.5L);
    through_pointer(show);
    return 0;
}
