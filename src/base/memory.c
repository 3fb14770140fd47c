#include "base/memory.h"

#include "base/error.h"
#include "base/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Forking and freeing states is a stream of blocks of a few sizes (pages, nodes, frames, groups), too large for
// the quick lists of the C library. Since whoever frees says the size, blocks of each size class are kept on a
// list of their own, and cut from slabs when the list is empty. Slabs are never given back: what was needed once
// is needed again. One thread only, as everything that allocates here.
//
// Under a sanitizer every block is the C library's, so that it sees each of them.
#if defined(__SANITIZE_ADDRESS__) || (defined(__has_feature) && __has_feature(address_sanitizer))
#define LARGEST_POOLED 0
#else
#define LARGEST_POOLED 8192u
#endif
#define GRAIN     16u
#define SLAB_SIZE (128u << 10)

// With assertions on, a block begins with its size, so that a wrong one is found where it is given.
#ifdef NDEBUG
#define HEADER 0u
#else
#define HEADER 16u
#endif

struct free_block {
    uint64_t header; // stays
    struct free_block *next;
};

static size_t in_use, held;
static struct free_block *free_blocks[LARGEST_POOLED / GRAIN + 2];
static char *slab;
static size_t slab_left;

NORETURN static void out_of_memory(size_t size) {
    fprintf(
        stderr,
        "tamar: out of memory (asked for %zu bytes, %zu in use)\n  Give it more, or lower --max-memory.\n",
        size, in_use);
    limits_set_data(0); // what is left above the limit is for the results
    run_fatal_clean_up();
    exit(EXIT_INTERNAL);
}

static void *checked(void *block, size_t size) {
    if (!block) out_of_memory(size);
    return block;
}

static size_t class_of(size_t size) { return (size + HEADER + GRAIN - 1) / GRAIN; }
static bool is_pooled(size_t size) { return size && size + HEADER <= LARGEST_POOLED; }

// A block cut from the slab; what is left of an old slab is too small for this class, and lost.
static void *cut(size_t class) {
    size_t size = class * GRAIN;
    if (slab_left < size) {
        limits_grown(in_use + SLAB_SIZE);
        slab = checked(malloc(SLAB_SIZE), SLAB_SIZE);
        slab_left = SLAB_SIZE;
        held += SLAB_SIZE;
    }
    void *block = slab;
    slab += size;
    slab_left -= size;
    return block;
}

static void *take(size_t size) {
    size_t class = class_of(size);
    struct free_block *block = free_blocks[class];
    if (!block) return cut(class);
    free_blocks[class] = block->next;
    return block;
}

static void *with_header(void *block, size_t size) {
    if (HEADER) *(size_t *)block = size;
    return (char *)block + HEADER;
}

static void *without_header(void *block, size_t size) {
    if (!HEADER) return block;
    char *start = (char *)block - HEADER;
    assert(*(size_t *)start == size);
    *(size_t *)start = ~size; // freed: once is enough
    return start;
}

void *mem_alloc(size_t size) {
    limits_poll();
    if (is_pooled(size)) {
        void *block = take(size);
        in_use += size;
        return with_header(block, size);
    }
    limits_grown(in_use + size);
    in_use += size;
    held += size;
    return with_header(checked(malloc(size + HEADER ? size + HEADER : 1), size), size);
}

void *mem_alloc_zeroed(size_t size) {
    if (is_pooled(size)) return memset(mem_alloc(size), 0, size);
    limits_grown(in_use + size);
    in_use += size;
    held += size;
    return with_header(checked(calloc(1, size + HEADER ? size + HEADER : 1), size), size);
}

void *mem_realloc(void *block, size_t old_size, size_t new_size) {
    assert(in_use >= old_size && (block || !old_size));
    if (!block) return mem_alloc(new_size);
    if (!is_pooled(old_size) && !is_pooled(new_size)) {
        limits_grown(in_use - old_size + new_size);
        in_use = in_use - old_size + new_size;
        held = held - old_size + new_size;
        block = without_header(block, old_size);
        block = realloc(block, new_size + HEADER ? new_size + HEADER : 1);
        return with_header(checked(block, new_size), new_size);
    }
    void *moved = mem_alloc(new_size);
    memcpy(moved, block, MIN(old_size, new_size));
    mem_free(block, old_size);
    return moved;
}

void mem_free(void *block, size_t size) {
    if (!block) return;
    assert(in_use >= size);
    in_use -= size;
    block = without_header(block, size);
    if (!is_pooled(size)) {
        held -= size;
        free(block);
        return;
    }
    struct free_block *freed = block;
    freed->next = free_blocks[class_of(size)];
    free_blocks[class_of(size)] = freed;
}

char *mem_strdup(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size), text, size);
}

void mem_free_string(char *text) {
    if (text) mem_free(text, strlen(text) + 1);
}

size_t mem_in_use(void) { return in_use; }
size_t mem_held(void) { return held; }
