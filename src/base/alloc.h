// Allocation that never returns NULL. mem_free takes the size, so that tests can assert that nothing leaks. If memory
// is exhausted, the function set by error_on_fatal saves the results, and the process ends with exit status 4.
#ifndef TAMAR_BASE_ALLOC_H
#define TAMAR_BASE_ALLOC_H

#include "base/base.h"

void *mem_alloc(size_t size) __attribute__((malloc, returns_nonnull));
void *mem_alloc_zeroed(size_t size) __attribute__((malloc, returns_nonnull));
void *mem_realloc(void *block, size_t old_size, size_t new_size) __attribute__((returns_nonnull));
void mem_free(void *block, size_t size);
char *mem_strdup(const char *text);
void mem_free_string(char *text);

// Bytes currently allocated through these functions.
size_t mem_in_use(void);
// Bytes that the allocator has taken from the system, including free blocks.
size_t mem_held(void);

#define NEW(type)          ((type *)mem_alloc_zeroed(sizeof(type)))
#define NEW_ARRAY(type, n) ((type *)mem_alloc_zeroed((size_t)(n) * sizeof(type)))
#define DELETE(p)          mem_free((p), sizeof *(p))
#define DELETE_ARRAY(p, n) mem_free((p), (size_t)(n) * sizeof *(p))

#endif
