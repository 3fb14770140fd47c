#include "base/arena.h"

#include "base/alloc.h"

#include <string.h>

#define CHUNK_SIZE NORMAL_OR_HOSTILE(64 * 1024, 64)

struct arena_chunk {
    struct arena_chunk *next;
    size_t size, used; // bytes after the header
};

struct arena {
    struct arena_chunk *chunks; // new blocks are cut from the first one
};

struct arena *arena_new(void) { return NEW(struct arena); }

void *arena_alloc(struct arena *arena, size_t size) {
    size = align_up(size ? size : 1, 16);
    struct arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->size - chunk->used < size) {
        size_t room = MAX(size, CHUNK_SIZE);
        chunk = mem_alloc_zeroed(align_up(sizeof *chunk, 16) + room);
        chunk->size = room;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    void *block = (char *)chunk + align_up(sizeof *chunk, 16) + chunk->used;
    chunk->used += size;
    return block;
}

void *arena_memdup(struct arena *arena, const void *data, size_t size) {
    void *copy = arena_alloc(arena, size);
    if (size) memcpy(copy, data, size);
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text) {
    return arena_memdup(arena, text, strlen(text) + 1);
}

void arena_free(struct arena *arena) {
    if (!arena) return;
    for (struct arena_chunk *next, *chunk = arena->chunks; chunk; chunk = next) {
        next = chunk->next;
        mem_free(chunk, align_up(sizeof *chunk, 16) + chunk->size);
    }
    DELETE(arena);
}
