// What include/gnu declares, but error() and obstacks. Compiled into the bitcode library and, for native programs, into
// libtamar.a.
#include "include/gnu/malloc.h"

#include <stddef.h>
#include <stdlib.h>

void *rawmemchr(const void *at, int c);
char *canonicalize_file_name(const char *path);

void *rawmemchr(const void *at, int c) {
    const unsigned char *p = at;
    while (*p != (unsigned char)c) p++;
    return (void *)p;
}

char *canonicalize_file_name(const char *path) { return realpath(path, NULL); }

struct mallinfo mallinfo(void) { return (struct mallinfo){0}; }
struct mallinfo2 mallinfo2(void) { return (struct mallinfo2){0}; }
int mallopt(int parameter, int value) { return 1; }
int malloc_trim(size_t pad) { return 0; }
