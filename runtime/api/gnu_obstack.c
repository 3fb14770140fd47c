// Obstacks: a list of chunks, the newest first. The growing object is at the
// end of the newest chunk; when it no longer fits, it moves to a new one.
#include "include/gnu/obstack.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_CHUNK     4064
#define DEFAULT_ALIGNMENT 16

int obstack_exit_failure = EXIT_FAILURE;
static void out_of_memory(void) {
    fputs("memory exhausted\n", stderr);
    exit(obstack_exit_failure);
}
void (*obstack_alloc_failed_handler)(void) = out_of_memory;

static char *aligned(const struct obstack *stack, char *at) {
    return at + (-(size_t)at & stack->alignment_mask);
}

static struct _obstack_chunk *chunk_new(struct obstack *stack, size_t size) {
    struct _obstack_chunk *chunk =
        stack->use_extra_arg ? stack->chunkfun.extra(stack->extra_arg, size) : stack->chunkfun.plain(size);
    if (!chunk) obstack_alloc_failed_handler();
    chunk->limit = (char *)chunk + size;
    return chunk;
}

static void chunk_free(struct obstack *stack, struct _obstack_chunk *chunk) {
    if (stack->use_extra_arg)
        stack->freefun.extra(stack->extra_arg, chunk);
    else
        stack->freefun.plain(chunk);
}

static int begin(struct obstack *stack, size_t size, size_t alignment) {
    stack->chunk_size = size > sizeof(struct _obstack_chunk) ? size : DEFAULT_CHUNK;
    stack->alignment_mask = (alignment ? alignment : DEFAULT_ALIGNMENT) - 1;
    stack->chunk = chunk_new(stack, stack->chunk_size);
    stack->chunk->prev = NULL;
    stack->chunk_limit = stack->chunk->limit;
    stack->next_free = stack->object_base = aligned(stack, stack->chunk->contents);
    return 1;
}

int _obstack_begin(struct obstack *stack, size_t size, size_t alignment, void *(*allocate)(size_t),
                   void (*release)(void *)) {
    *stack = (struct obstack){.chunkfun.plain = allocate, .freefun.plain = release};
    return begin(stack, size, alignment);
}

int _obstack_begin_1(struct obstack *stack, size_t size, size_t alignment, void *(*allocate)(void *, size_t),
                     void (*release)(void *, void *), void *extra) {
    *stack = (struct obstack){
        .chunkfun.extra = allocate, .freefun.extra = release, .extra_arg = extra, .use_extra_arg = 1};
    return begin(stack, size, alignment);
}

void _obstack_newchunk(struct obstack *stack, size_t length) {
    struct _obstack_chunk *old = stack->chunk;
    size_t done = obstack_object_size(stack);
    size_t size = sizeof *old + done + length + (done >> 3) + stack->alignment_mask + 100;
    if (size < stack->chunk_size) size = stack->chunk_size;
    struct _obstack_chunk *chunk = chunk_new(stack, size);
    chunk->prev = old;
    char *base = aligned(stack, chunk->contents);
    memcpy(base, stack->object_base, done);
    // frees an old chunk that held nothing but the object that moved
    if (!stack->maybe_empty_object && stack->object_base == aligned(stack, old->contents)) {
        chunk->prev = old->prev;
        chunk_free(stack, old);
    }
    stack->chunk = chunk;
    stack->chunk_limit = chunk->limit;
    stack->object_base = base;
    stack->next_free = base + done;
    stack->maybe_empty_object = 0;
}

void *_tamar_obstack_finish(struct obstack *stack) {
    char *object = stack->object_base;
    char *next = aligned(stack, stack->next_free);
    if (object == stack->next_free) stack->maybe_empty_object = 1;
    stack->next_free = stack->object_base = next > stack->chunk_limit ? stack->chunk_limit : next;
    return object;
}

static int is_within(const struct _obstack_chunk *chunk, const void *object) {
    return (const char *)chunk < (const char *)object && (const char *)object <= chunk->limit;
}

void _obstack_free(struct obstack *stack, void *object) {
    while (stack->chunk && !is_within(stack->chunk, object)) {
        struct _obstack_chunk *older = stack->chunk->prev;
        chunk_free(stack, stack->chunk);
        stack->chunk = older;
        stack->maybe_empty_object = 1;
    }
    if (stack->chunk) {
        stack->object_base = stack->next_free = object;
        stack->chunk_limit = stack->chunk->limit;
    } else if (object) {
        abort(); // not in a chunk of this obstack
    }
}

size_t _obstack_memory_used(struct obstack *stack) {
    size_t used = 0;
    for (struct _obstack_chunk *chunk = stack->chunk; chunk; chunk = chunk->prev)
        used += (size_t)(chunk->limit - (char *)chunk);
    return used;
}

int _obstack_allocated_p(struct obstack *stack, void *object) {
    for (struct _obstack_chunk *chunk = stack->chunk; chunk; chunk = chunk->prev)
        if (is_within(chunk, object)) return 1;
    return 0;
}

int obstack_vprintf(struct obstack *stack, const char *format, va_list arguments) {
    char *text;
    int length = vasprintf(&text, format, arguments);
    if (length < 0) return length;
    obstack_grow(stack, text, (size_t)length);
    free(text);
    return length;
}

int obstack_printf(struct obstack *stack, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = obstack_vprintf(stack, format, arguments);
    va_end(arguments);
    return length;
}
