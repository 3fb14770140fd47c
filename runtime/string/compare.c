#include "runtime/string/string_int.h"

int strcmp(const char *a, const char *b) {
    for (; *a == *b && *a; a++, b++) {}
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

int strncmp(const char *a, const char *b, size_t n) {
    for (; n; n--, a++, b++)
        if (*a != *b || !*a) return *(const unsigned char *)a - *(const unsigned char *)b;
    return 0;
}

// In the C locale and in UTF-8 only ASCII letters have two cases
// that are single bytes. Without a branch: the case bit is computed.
static int lower(unsigned char c) { return c | ((unsigned)(c - 'A') < 26) << 5; }

int strncasecmp(const char *a, const char *b, size_t n) {
    for (; n; n--, a++, b++) {
        int x = lower((unsigned char)*a), y = lower((unsigned char)*b);
        if (x != y || !x) return x - y;
    }
    return 0;
}

int strcasecmp(const char *a, const char *b) { return strncasecmp(a, b, (size_t)-1); }

int __strcasecmp_l(const char *a, const char *b, locale_t locale);
int __strcasecmp_l(const char *a, const char *b, locale_t locale) { return strcasecmp(a, b); }
int strcasecmp_l(const char *a, const char *b, locale_t locale) __attribute__((alias("__strcasecmp_l")));

int __strncasecmp_l(const char *a, const char *b, size_t n, locale_t locale);
int __strncasecmp_l(const char *a, const char *b, size_t n, locale_t locale) { return strncasecmp(a, b, n); }
int strncasecmp_l(const char *a, const char *b, size_t n, locale_t locale)
    __attribute__((alias("__strncasecmp_l")));
