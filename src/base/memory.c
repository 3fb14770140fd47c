#include "base/memory.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t in_use;

NORETURN static void out_of_memory(size_t size) {
    fprintf(
        stderr,
        "tamar: out of memory (asked for %zu bytes, %zu in use)\n  Give it more, or lower --max-memory.\n",
        size, in_use);
    run_fatal_clean_up();
    exit(EXIT_INTERNAL);
}

static void *checked(void *block, size_t size) {
    if (!block && size) out_of_memory(size);
    in_use += size;
    return block;
}

void *mem_alloc(size_t size) { return checked(malloc(size ? size : 1), size); }

void *mem_alloc_zeroed(size_t size) { return checked(calloc(1, size ? size : 1), size); }

void *mem_realloc(void *block, size_t old_size, size_t new_size) {
    assert(in_use >= old_size);
    in_use -= old_size;
    return checked(realloc(block, new_size ? new_size : 1), new_size);
}

void mem_free(void *block, size_t size) {
    if (!block) return;
    assert(in_use >= size);
    in_use -= size;
    free(block);
}

char *mem_strdup(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size), text, size);
}

void mem_free_string(char *text) {
    if (text) mem_free(text, strlen(text) + 1);
}

size_t mem_in_use(void) { return in_use; }
