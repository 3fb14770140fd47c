// What include/gnu declares. Compiled into the bitcode library and, for native programs, into libtamar.a.
#include <stddef.h>

void *rawmemchr(const void *at, int c);

void *rawmemchr(const void *at, int c) {
    const unsigned char *p = at;
    while (*p != (unsigned char)c) p++;
    return (void *)p;
}
