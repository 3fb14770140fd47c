// Copies of strings. C does not allow source and destination to overlap: strcpy, strncpy, strcat and strncat check
// that, as AddressSanitizer does. The lengths are computed only where the two strings may overlap.
#include "runtime/intrinsics.h"
#include "runtime/string/string_int.h"

char *stpcpy(char *restrict to, const char *restrict from) {
    while ((*to = *from)) to++, from++;
    return to;
}
char *__stpcpy(char *restrict to, const char *restrict from) __attribute__((alias("stpcpy")));

char *strcpy(char *restrict to, const char *restrict from) {
    if (__tamar_may_overlap(to, from)) {
        size_t size = strlen(from) + 1;
        __tamar_check_apart(to, size, from, size, "strcpy");
    }
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t n) {
    for (; n && (*to = *from); n--) to++, from++;
    memset(to, 0, n);
    return to;
}
char *__stpncpy(char *restrict to, const char *restrict from, size_t n) __attribute__((alias("stpncpy")));

char *strncpy(char *restrict to, const char *restrict from, size_t n) {
    if (__tamar_may_overlap(to, from)) {
        size_t length = strnlen(from, n), size = length < n ? length + 1 : n;
        __tamar_check_apart(to, size, from, size, "strncpy");
    }
    stpncpy(to, from, n);
    return to;
}

char *strcat(char *restrict to, const char *restrict from) {
    char *end = to + strlen(to);
    if (__tamar_may_overlap(to, from)) {
        size_t length = strlen(from);
        if (length) __tamar_check_apart(to, (size_t)(end - to) + length + 1, from, length + 1, "strcat");
    }
    stpcpy(end, from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n) {
    char *end = to + strlen(to);
    if (__tamar_may_overlap(to, from)) {
        size_t length = strnlen(from, n), read = length < n ? length + 1 : n;
        if (length) __tamar_check_apart(to, (size_t)(end - to) + length + 1, from, read, "strncat");
    }
    for (; n && *from; n--) *end++ = *from++;
    *end = 0;
    return to;
}

size_t strlcpy(char *to, const char *from, size_t size) {
    size_t i = 0;
    if (size) {
        for (; i < size - 1 && from[i]; i++) to[i] = from[i];
        to[i] = 0;
    }
    return i + strlen(from + i);
}

size_t strlcat(char *to, const char *from, size_t size) {
    size_t length = strnlen(to, size);
    if (length == size) return length + strlen(from);
    return length + strlcpy(to + length, from, size - length);
}
