// Sizes of objects in builds with the system's C library, from its allocator or from AddressSanitizer.
#include "runtime/intrinsics.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

size_t __tamar_object_size(const void *p) { return malloc_usable_size((void *)p); }

// Makes the object as large as requested, for sanitizers.
void *__tamar_shrink(void *p, size_t size) {
    void *small = malloc(size);
    if (!small) return p;
    memcpy(small, p, size);
    free(p);
    return small;
}

// AddressSanitizer knows locals and globals, too.
__attribute__((weak)) const char *__asan_locate_address(void *address, char *name, size_t name_size,
                                                        void **region, size_t *region_size);

size_t __tamar_extent(const void *p) {
    char name[1];
    void *region = NULL;
    size_t size = 0;
    if (__asan_locate_address) __asan_locate_address((void *)p, name, sizeof name, &region, &size);
    return region ? size : malloc_usable_size((void *)p);
}
