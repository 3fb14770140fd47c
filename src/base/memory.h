// Allocation that never returns NULL. Free takes the size, so that tests can assert that nothing remains.
// Out of memory is an error of the run: the clean-up of on_fatal saves what was found, then exit status 4.
#ifndef TAMAR_MEMORY_H
#define TAMAR_MEMORY_H

#include "base/base.h"

void *mem_alloc(size_t size) __attribute__((malloc, returns_nonnull));
void *mem_alloc_zeroed(size_t size) __attribute__((malloc, returns_nonnull));
void *mem_realloc(void *block, size_t old_size, size_t new_size) __attribute__((returns_nonnull));
void mem_free(void *block, size_t size);
char *mem_strdup(const char *text);
void mem_free_string(char *text);

// Bytes now allocated through these functions.
size_t mem_in_use(void);
// Bytes that they have of the system, with what lies free for later.
size_t mem_held(void);

#define NEW(type)          ((type *)mem_alloc_zeroed(sizeof(type)))
#define NEW_ARRAY(type, n) ((type *)mem_alloc_zeroed((size_t)(n) * sizeof(type)))
#define DELETE(p)          mem_free((p), sizeof *(p))
#define DELETE_ARRAY(p, n) mem_free((p), (size_t)(n) * sizeof *(p))

#endif
