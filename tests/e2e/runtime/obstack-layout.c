// A program with its own copy of GNU's obstack.h, as with gnulib: its macros access the structure, and the functions
// are Tamar's. This file declares the layout of GNU's header.
// RUN: %tamar exec %s | FileCheck %s
// REQUIRES: exec
// CHECK: limit 4064, mask 15, flags 0
// CHECK: object 16 bytes behind the chunk, then 32
// CHECK: the chunk of an empty object stays: yes
// CHECK: with an argument: 1 chunk, 7
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chunk {
    char *limit;
    struct chunk *prev;
    char contents[];
};
struct stack {
    size_t chunk_size;
    struct chunk *chunk;
    char *object_base, *next_free, *chunk_limit;
    union {
        size_t i;
        void *p;
    } temp;
    size_t alignment_mask;
    void *chunkfun, *freefun, *extra_arg;
    unsigned use_extra_arg : 1, maybe_empty_object : 1, alloc_failed : 1;
};
int _obstack_begin(struct stack *, size_t, size_t, void *(*)(size_t), void (*)(void *));
int _obstack_begin_1(struct stack *, size_t, size_t, void *(*)(void *, size_t), void (*)(void *, void *), void *);
void _obstack_newchunk(struct stack *, size_t);

static void *finish(struct stack *h) { // as GNU's macro
    void *object = h->object_base;
    if (h->next_free == object) h->maybe_empty_object = 1;
    h->next_free = (char *)(((size_t)h->next_free + h->alignment_mask) & ~h->alignment_mask);
    if ((size_t)(h->next_free - (char *)h->chunk) > (size_t)(h->chunk_limit - (char *)h->chunk))
        h->next_free = h->chunk_limit;
    h->object_base = h->next_free;
    return object;
}

static void *counted(void *count, size_t size) {
    ++*(int *)count;
    return malloc(size);
}
static void released(void *count, void *chunk) {
    free(chunk);
    (void)count;
}

int main(void) {
    struct stack h;
    memset(&h, 0x55, sizeof h);
    _obstack_begin(&h, 0, 0, malloc, free);
    printf("limit %zu, mask %zu, flags %u\n", (size_t)(h.chunk_limit - (char *)h.chunk), h.alignment_mask,
           h.use_extra_arg + h.maybe_empty_object + h.alloc_failed);
    *h.next_free++ = 'x';
    char *first = finish(&h), *second = h.object_base;
    printf("object %td bytes behind the chunk, then %td\n", first - (char *)h.chunk, second - (char *)h.chunk);
    _obstack_begin(&h, 0, 0, malloc, free);
    struct chunk *old = h.chunk;
    char *empty = finish(&h);
    _obstack_newchunk(&h, 8000);
    printf("the chunk of an empty object stays: %s\n", h.chunk->prev == old && empty == old->contents ? "yes" : "no");
    int count = 0;
    _obstack_begin_1(&h, 100, 8, counted, released, &count);
    printf("with an argument: %d chunk, %zu\n", count, h.alignment_mask);
    return 0;
}
