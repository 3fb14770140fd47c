#include "runtime/string/string_int.h"

char *stpcpy(char *restrict to, const char *restrict from) {
    while ((*to = *from)) to++, from++;
    return to;
}
char *__stpcpy(char *restrict to, const char *restrict from) __attribute__((alias("stpcpy")));

char *strcpy(char *restrict to, const char *restrict from) {
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
    stpncpy(to, from, n);
    return to;
}

char *strcat(char *restrict to, const char *restrict from) {
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n) {
    char *end = to + strlen(to);
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
