#include "runtime/string/string_int.h"

size_t strlen(const char *s) {
    const char *end = s;
    while (*end) end++;
    return (size_t)(end - s);
}

size_t strnlen(const char *s, size_t n) {
    size_t length = 0;
    while (length < n && s[length]) length++;
    return length;
}

char *strchrnul(const char *s, int c) {
    while (*s && *s != (char)c) s++;
    return (char *)s;
}
char *__strchrnul(const char *s, int c) __attribute__((alias("strchrnul")));

char *strchr(const char *s, int c) {
    s = strchrnul(s, c);
    return *s == (char)c ? (char *)s : NULL;
}

char *strrchr(const char *s, int c) {
    const char *last = NULL;
    do
        if (*s == (char)c) last = s;
    while (*s++);
    return (char *)last;
}

size_t strspn(const char *s, const char *accept) {
    const char *p = s;
    while (*p && strchr(accept, *p)) p++;
    return (size_t)(p - s);
}

size_t strcspn(const char *s, const char *reject) {
    const char *p = s;
    while (*p && !strchr(reject, *p)) p++;
    return (size_t)(p - s);
}

char *strpbrk(const char *s, const char *accept) {
    s += strcspn(s, accept);
    return *s ? (char *)s : NULL;
}

char *strstr(const char *hay, const char *needle) {
    size_t wanted = strlen(needle);
    if (!wanted) return (char *)hay;
    for (; *hay; hay++)
        if (*hay == *needle && !strncmp(hay, needle, wanted)) return (char *)hay;
    return NULL;
}

char *strsep(char **string, const char *separators) {
    char *start = *string;
    if (!start) return NULL;
    char *end = start + strcspn(start, separators);
    if (*end)
        *end++ = 0;
    else
        end = NULL;
    *string = end;
    return start;
}
