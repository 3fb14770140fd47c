// Memory functions: copying and filling are single operations of the VM (the front end lowers
// llvm.memcpy and similar intrinsics); searching is a byte loop. Weak, because a native build
// has its own bodies: there the compiler would turn these bodies into calls of themselves.
#include "runtime/intrinsics.h"
#include "runtime/string/string_int.h"

WEAK void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    return __builtin_memcpy(to, from, n);
}
WEAK void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }
WEAK void *memset(void *to, int c, size_t n) { return __builtin_memset(to, c, n); }

void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
    return (char *)memcpy(to, from, n) + n;
}

// All of both blocks must be readable, also after the first difference.
int memcmp(const void *a, const void *b, size_t n) {
    __tamar_check_read(a, n);
    __tamar_check_read(b, n);
    const unsigned char *x = a, *y = b;
    for (; n; n--, x++, y++)
        if (*x != *y) return *x - *y;
    return 0;
}

int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memchr(const void *at, int c, size_t n) {
    const unsigned char *p = at;
    for (; n; n--, p++)
        if (*p == (unsigned char)c) return (void *)p;
    return NULL;
}

void *memrchr(const void *at, int c, size_t n) {
    const unsigned char *p = at;
    while (n--)
        if (p[n] == (unsigned char)c) return (void *)(p + n);
    return NULL;
}
void *__memrchr(const void *at, int c, size_t n) __attribute__((alias("memrchr")));

void *memccpy(void *restrict to, const void *restrict from, int c, size_t n) {
    unsigned char *out = to;
    const unsigned char *in = from;
    for (; n; n--)
        if ((*out++ = *in++) == (unsigned char)c) return out;
    return NULL;
}

void *memmem(const void *hay, size_t length, const void *needle, size_t wanted) {
    const unsigned char *h = hay, *n = needle;
    if (!wanted) return (void *)h;
    for (; length >= wanted; length--, h++)
        if (*h == *n && !memcmp(h, n, wanted)) return (void *)h;
    return NULL;
}
