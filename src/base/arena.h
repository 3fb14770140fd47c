// Memory that is freed all at once. Blocks are zeroed and aligned to 16.
#ifndef TAMAR_ARENA_H
#define TAMAR_ARENA_H

#include "base/base.h"

struct arena;

struct arena *arena_new(void);
void *arena_alloc(struct arena *arena, size_t size) __attribute__((returns_nonnull));
char *arena_strdup(struct arena *arena, const char *text);
void *arena_memdup(struct arena *arena, const void *data, size_t size);
void arena_free(struct arena *arena);

#define ARENA_NEW(arena, type)          ((type *)arena_alloc(arena, sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc(arena, (size_t)(count) * sizeof(type)))

#endif
