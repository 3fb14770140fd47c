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

__attribute__((weak)) void *__asan_region_is_poisoned(void *at, size_t size);

// Without AddressSanitizer the objects are not known: every pointer but NULL is then the start of a large one.
long __tamar_position(const void *p, int what) {
    char name[1];
    void *region = NULL;
    size_t size = 0;
    if (!p) return -1;
    if (!__asan_locate_address || !__asan_region_is_poisoned)
        return what == __TAMAR_TO_END ? (long)(~0ul >> 2) : 0;
    __asan_locate_address((void *)p, name, sizeof name, &region, &size);
    if (!region) return -1;
    if (what != __TAMAR_EVEN_FREED && size && __asan_region_is_poisoned(region, size)) return -1;
    const char *at = p, *start = region,
               *kind = __asan_locate_address((void *)p, name, sizeof name, &region, &size);
    if (what == __TAMAR_IN_HEAP && strcmp(kind, "heap") != 0) return -1;
    if (at < start || at > start + size) return -1;
    return what == __TAMAR_TO_END ? start + size - at : at - start;
}
