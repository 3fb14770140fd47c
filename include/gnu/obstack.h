// GNU's obstacks: stacks of objects that grow at their end. Here each chunk is an ordinary heap block. Names and
// meaning are GNU's; the fields are those of the manual ("Obstacks"): base, next free byte, limit of the chunk.
#ifndef TAMAR_GNU_OBSTACK_H
#define TAMAR_GNU_OBSTACK_H
#include <stddef.h>
#include <string.h>
#ifdef __cplusplus
extern "C" {
#endif
struct _obstack_chunk {
    char *limit;
    struct _obstack_chunk *prev;
    _Alignas(16) char contents[];
};
// The layout is GNU's: programs that ship GNU's own header are linked with the functions declared here.
struct obstack {
    size_t chunk_size;
    struct _obstack_chunk *chunk;
    char *object_base, *next_free, *chunk_limit;
    union {
        size_t i;
        void *p;
    } temp; // used by GNU's macros only
    size_t alignment_mask;
    union {
        void *(*plain)(size_t size);
        void *(*extra)(void *extra, size_t size);
    } chunkfun;
    union {
        void (*plain)(void *chunk);
        void (*extra)(void *extra, void *chunk);
    } freefun;
    void *extra_arg;
    unsigned use_extra_arg : 1;
    unsigned maybe_empty_object : 1; // an empty object may start at object_base: the chunk must stay
    unsigned alloc_failed : 1;
};
extern void (*obstack_alloc_failed_handler)(void);
extern int obstack_exit_failure;

int _obstack_begin(struct obstack *stack, size_t size, size_t alignment, void *(*allocate)(size_t),
                   void (*release)(void *));
int _obstack_begin_1(struct obstack *stack, size_t size, size_t alignment, void *(*allocate)(void *, size_t),
                     void (*release)(void *, void *), void *extra);
void _obstack_newchunk(struct obstack *stack, size_t length);
void _obstack_free(struct obstack *stack, void *object);
size_t _obstack_memory_used(struct obstack *stack);
int _obstack_allocated_p(struct obstack *stack, void *object);
void *_tamar_obstack_finish(struct obstack *stack);
int obstack_printf(struct obstack *stack, const char *format, ...) __attribute__((format(printf, 2, 3)));
int obstack_vprintf(struct obstack *stack, const char *format, __builtin_va_list arguments);
#ifdef __cplusplus
}
#endif

#define obstack_init(h) obstack_begin(h, 0)
#define obstack_begin(h, size)                                                                               \
    _obstack_begin((h), (size), 0, (void *(*)(size_t))obstack_chunk_alloc,                                   \
                   (void (*)(void *))obstack_chunk_free)
#define obstack_specify_allocation(h, size, alignment, allocate, release)                                    \
    _obstack_begin((h), (size), (alignment), (allocate), (release))
#define obstack_specify_allocation_with_arg(h, size, alignment, allocate, release, extra)                    \
    _obstack_begin_1((h), (size), (alignment), (allocate), (release), (extra))
#define obstack_chunk_size(h)     ((h)->chunk_size)
#define obstack_alignment_mask(h) ((h)->alignment_mask)
#define obstack_memory_used(h)    _obstack_memory_used(h)

static inline void *obstack_base(const struct obstack *h) { return h->object_base; }
static inline void *obstack_next_free(const struct obstack *h) { return h->next_free; }
static inline size_t obstack_object_size(const struct obstack *h) {
    return (size_t)(h->next_free - h->object_base);
}
static inline size_t obstack_room(const struct obstack *h) { return (size_t)(h->chunk_limit - h->next_free); }
static inline int obstack_empty_p(const struct obstack *h) {
    return !h->chunk->prev &&
           h->next_free == (char *)(((size_t)h->chunk->contents + h->alignment_mask) & ~h->alignment_mask);
}
static inline void obstack_make_room(struct obstack *h, size_t length) {
    if (obstack_room(h) < length) _obstack_newchunk(h, length);
}
static inline void obstack_grow(struct obstack *h, const void *data, size_t length) {
    obstack_make_room(h, length);
    memcpy(h->next_free, data, length);
    h->next_free += length;
}
static inline void obstack_1grow_fast(struct obstack *h, int byte) { *h->next_free++ = (char)byte; }
static inline void obstack_1grow(struct obstack *h, int byte) {
    obstack_make_room(h, 1);
    obstack_1grow_fast(h, byte);
}
static inline void obstack_grow0(struct obstack *h, const void *data, size_t length) {
    obstack_grow(h, data, length);
    obstack_1grow(h, 0);
}
static inline void obstack_ptr_grow_fast(struct obstack *h, const void *value) {
    memcpy(h->next_free, &value, sizeof value);
    h->next_free += sizeof value;
}
static inline void obstack_int_grow_fast(struct obstack *h, int value) {
    memcpy(h->next_free, &value, sizeof value);
    h->next_free += sizeof value;
}
static inline void obstack_ptr_grow(struct obstack *h, const void *value) {
    obstack_grow(h, &value, sizeof value);
}
static inline void obstack_int_grow(struct obstack *h, int value) { obstack_grow(h, &value, sizeof value); }
static inline void obstack_blank_fast(struct obstack *h, ptrdiff_t length) { h->next_free += length; }
static inline void obstack_blank(struct obstack *h, ptrdiff_t length) {
    if (length > 0) obstack_make_room(h, (size_t)length);
    h->next_free += length;
}
static inline void *obstack_finish(struct obstack *h) { return _tamar_obstack_finish(h); }
static inline void *obstack_alloc(struct obstack *h, size_t length) {
    obstack_blank(h, (ptrdiff_t)length);
    return obstack_finish(h);
}
static inline void *obstack_copy(struct obstack *h, const void *data, size_t length) {
    obstack_grow(h, data, length);
    return obstack_finish(h);
}
static inline void *obstack_copy0(struct obstack *h, const void *data, size_t length) {
    obstack_grow0(h, data, length);
    return obstack_finish(h);
}
static inline void obstack_free(struct obstack *h, void *object) { _obstack_free(h, object); }
#endif
