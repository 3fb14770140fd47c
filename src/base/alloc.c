#include "base/alloc.h"

#include "base/error.h"
#include "base/run_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// A slab allocator. Forking and freeing states allocates and frees blocks of a few sizes (pages, nodes, frames,
// groups), which are too large for the free lists of the C library. mem_free is given the size, so each size class has
// its own slabs. A slab is aligned to its size, so that a block's address determines its slab. An empty slab can serve
// any class. When many are empty, their memory is returned to the system, so that memory of freed states can be used
// for others. Not thread-safe: only one thread may allocate here.
//
// Under a sanitizer every block comes from the C library, so that the sanitizer sees each of them.
#if defined(__SANITIZE_ADDRESS__) || (defined(__has_feature) && __has_feature(address_sanitizer))
#define SANITIZED      1
#define LARGEST_POOLED 0
#else
#define SANITIZED      0
#define LARGEST_POOLED 8192u
#endif
#define GRAIN      16u
#define SLAB_SIZE  (64u << 10)
#define CHUNK_SIZE ((size_t)SLAB_SIZE << 7) // bytes taken from the system at once, and divided into slabs
#define MOST_EMPTY 64u                      // limit of empty slabs whose memory is not returned to the system

// With assertions on, a block begins with its size and ends with a mark: a wrong size, and a write past the end, are
// found when the block is freed. Small blocks are filled with junk when they are allocated and when they are freed, so
// that no code works by chance with the old content. Mark and junk are off under a sanitizer, which finds such errors
// itself.
#ifdef NDEBUG
#define HEADER 0u
#define MARK   0u
#else
#define HEADER 16u
#define MARK   (SANITIZED ? 0u : 8u)
#endif
#define NEW_JUNK  0xa7
#define FREE_JUNK 0xd9

static const uint64_t end_mark = 0x9d4b1ce2f3a86075u;

struct free_block {
    uint64_t header; // the block's header, which the free list must not overwrite
    struct free_block *next;
};

struct slab {
    struct slab *next, *previous; // list of the class' slabs with free blocks, or of the empty slabs
    struct free_block *free;
    uint32_t class, used, cut, most; // class: size / GRAIN; numbers of blocks: in use, ever made, that fit
};
#define FIRST_BLOCK 64u // offset of the first block in a slab
_Static_assert(sizeof(struct slab) <= FIRST_BLOCK, "blocks begin after the record of their slab");

static size_t in_use, held;
static struct slab *with_room[LARGEST_POOLED / GRAIN + 2];
static struct slab *empty, *returned; // empty slabs: with memory, and with memory returned to the system
static uint32_t empty_count;
static char *chunk;
static size_t chunk_left;

NORETURN static void out_of_memory(size_t size) {
    fprintf(
        stderr,
        "tamar: out of memory (asked for %zu bytes, %zu in use)\n  Give it more, or lower --max-memory.\n",
        size, in_use);
    limits_set_data(0); // lifts the limit: writing the results needs memory
    error_clean_up();
    exit(EXIT_INTERNAL);
}

static void *checked(void *block, size_t size) {
    if (!block) out_of_memory(size);
    return block;
}

static size_t class_of(size_t size) { return (size + HEADER + MARK + GRAIN - 1) / GRAIN; }
static bool is_pooled(size_t size) { return size && size + HEADER + MARK <= LARGEST_POOLED; }

static void link_first(struct slab **list, struct slab *slab) {
    slab->next = *list;
    slab->previous = NULL;
    if (*list) (*list)->previous = slab;
    *list = slab;
}

static void unlink_slab(struct slab **list, struct slab *slab) {
    if (slab->previous)
        slab->previous->next = slab->next;
    else
        *list = slab->next;
    if (slab->next) slab->next->previous = slab->previous;
}

// Takes memory for an aligned slab from the current chunk, or from the system.
static struct slab *cut_slab(void) {
    if (!chunk_left) {
        size_t size = CHUNK_SIZE + SLAB_SIZE;
        char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) out_of_memory(size);
        chunk = (char *)align_up((uintptr_t)at, SLAB_SIZE);
        chunk_left = CHUNK_SIZE;
    }
    struct slab *slab = (struct slab *)chunk;
    chunk += SLAB_SIZE;
    chunk_left -= SLAB_SIZE;
    return slab;
}

static struct slab *new_slab(size_t class) {
    limits_grown(in_use + SLAB_SIZE);
    struct slab *slab = empty ? empty : returned;
    if (slab)
        unlink_slab(empty ? &empty : &returned, slab);
    else
        slab = cut_slab();
    if (empty_count)
        empty_count--;
    else
        held += SLAB_SIZE;
    *slab = (struct slab){.class = (uint32_t)class,
                          .most = (uint32_t)((SLAB_SIZE - FIRST_BLOCK) / (class * GRAIN))};
    link_first(&with_room[class], slab);
    return slab;
}

// Moves a slab whose last block was freed to the empty slabs.
static void empty_slab(struct slab *slab) {
    unlink_slab(&with_room[slab->class], slab);
    if (empty_count < MOST_EMPTY) {
        empty_count++;
        link_first(&empty, slab);
        return;
    }
    held -= SLAB_SIZE;
    madvise(slab, SLAB_SIZE, MADV_DONTNEED);
    link_first(&returned, slab);
}

static void *take(size_t size) {
    size_t class = class_of(size);
    struct slab *slab = with_room[class];
    if (!slab) slab = new_slab(class);
    struct free_block *block = slab->free;
    if (block)
        slab->free = block->next;
    else
        block = (struct free_block *)((char *)slab + FIRST_BLOCK + slab->cut++ * class * GRAIN);
    if (++slab->used == slab->most) unlink_slab(&with_room[class], slab);
    return block;
}

static void give_back(struct free_block *block) {
    struct slab *slab = (struct slab *)((uintptr_t)block & ~(uintptr_t)(SLAB_SIZE - 1));
    assert(slab->used && slab->used <= slab->cut);
    block->next = slab->free;
    slab->free = block;
    if (slab->used == slab->most) link_first(&with_room[slab->class], slab);
    // Keeps the last slab of a class: allocating and freeing one block in turn must not move it back and forth.
    if (--slab->used == 0 && (slab->next || slab->previous)) empty_slab(slab);
}

// Bytes to ask the C library for. Never HEADER alone: the caller's pointer would point past the block, and a leak
// checker would report the block.
static size_t from_system(size_t size) { return HEADER + MAX(size + MARK, 1); }

// The block as its user sees it: behind its size, and before the mark.
static void *with_marks(void *block, size_t size) {
    char *user = (char *)block + HEADER;
    if (HEADER) *(size_t *)block = size;
    if (MARK) memcpy(user + size, &end_mark, MARK);
    return user;
}

static void *without_marks(void *block, size_t size) {
    char *start = (char *)block - HEADER;
    if (!HEADER) return block;
    assert(*(size_t *)start == size);
    assert(memcmp((char *)block + size, &end_mark, MARK) == 0);
    *(size_t *)start = ~size; // marks the block as freed, to detect a double free
    return start;
}

static void fill(void *block, size_t size, int junk) {
    if (MARK) memset(block, junk, size);
}

void *mem_alloc(size_t size) {
    limits_poll();
    if (is_pooled(size)) {
        void *block = with_marks(take(size), size);
        in_use += size;
        fill(block, size, NEW_JUNK);
        return block;
    }
    limits_grown(in_use + size);
    in_use += size;
    held += size;
    return with_marks(checked(malloc(from_system(size)), size), size);
}

void *mem_alloc_zeroed(size_t size) {
    if (is_pooled(size)) return memset(mem_alloc(size), 0, size);
    limits_grown(in_use + size);
    in_use += size;
    held += size;
    return with_marks(checked(calloc(1, from_system(size)), size), size);
}

void *mem_realloc(void *block, size_t old_size, size_t new_size) {
    assert(in_use >= old_size && (block || !old_size));
    if (!block) return mem_alloc(new_size);
    if (!is_pooled(old_size) && !is_pooled(new_size)) {
        limits_grown(in_use - old_size + new_size);
        in_use = in_use - old_size + new_size;
        held = held - old_size + new_size;
        block = without_marks(block, old_size);
        block = realloc(block, from_system(new_size));
        return with_marks(checked(block, new_size), new_size);
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
    char *start = without_marks(block, size);
    if (!is_pooled(size)) {
        held -= size;
        free(start);
        return;
    }
    fill(block, size, FREE_JUNK);
    give_back((struct free_block *)start);
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
