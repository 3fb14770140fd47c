// The malloc family: one object of the VM per allocation, so
// that every overrun, leak and stale pointer is detected.
#include "runtime/intrinsics.h"
#include "runtime/linux/linux.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16 };

// musl's own files call these for data that lives as long as the program: the program does not free it.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void __libc_free(void *p);
void *reallocarray(void *p, size_t count, size_t size);
size_t malloc_usable_size(void *p);
void *memalign(size_t align, size_t size);
// Tell musl that the program did not replace the allocator.
const int __malloc_replaced = 0, __aligned_alloc_replaced = 0;

static void *allocate(size_t size, size_t align, int kind) {
    bool fails = size > PTRDIFF_MAX || (kind != __TAMAR_SYSTEM && __tamar_allocation_fails("malloc"));
    void *p = fails ? NULL : __tamar_alloc(size, align, kind);
    if (!p) errno = ENOMEM;
    return p;
}

void *malloc(size_t size) { return allocate(size, ALIGNMENT, __TAMAR_HEAP); }

void free(void *p) {
    if (p) __tamar_free(p); // errno is kept, as POSIX now requires
}

void *calloc(size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate(total, ALIGNMENT, __TAMAR_ZEROED);
}

// Always returns a new object: old pointers are stale, even where native realloc would keep
// the address. A size of 0 frees, as in glibc: C leaves it open, and C23 makes it undefined.
void *realloc(void *p, size_t size) {
    if (!p) return malloc(size);
    if (!size) {
        __tamar_free(p);
        return NULL;
    }
    size_t old = __tamar_object_size(p);
    void *new = malloc(size);
    if (!new) return NULL;
    memcpy(new, p, old < size ? old : size);
    __tamar_free(p);
    return new;
}

void *reallocarray(void *p, size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(p, total);
}

void *aligned_alloc(size_t align, size_t size) {
    if (!align || (align & (align - 1))) {
        errno = EINVAL;
        return NULL;
    }
    return allocate(size, align < ALIGNMENT ? ALIGNMENT : align, __TAMAR_HEAP);
}

void *memalign(size_t align, size_t size) { return aligned_alloc(align, size); }

int posix_memalign(void **result, size_t align, size_t size) {
    if (align < sizeof(void *) || (align & (align - 1))) return EINVAL;
    bool fails = size > PTRDIFF_MAX || __tamar_allocation_fails("posix_memalign");
    void *p = fails ? NULL : __tamar_alloc(size, align, __TAMAR_HEAP);
    if (!p) return ENOMEM;
    *result = p;
    return 0;
}

size_t malloc_usable_size(void *p) { return p ? __tamar_object_size(p) : 0; }

void *__libc_malloc(size_t size) { return allocate(size, ALIGNMENT, __TAMAR_SYSTEM); }

void *__libc_calloc(size_t count, size_t size) {
    size_t total;
    return __builtin_mul_overflow(count, size, &total) ? NULL
                                                       : __libc_malloc(total); // system objects are zeroed
}

void *__libc_realloc(void *p, size_t size) { return realloc(p, size); }
void __libc_free(void *p) { free(p); }
