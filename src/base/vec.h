// A growing array: `vec(int) v = {0};  vec_push(&v, 3);  v.at[0];  v.count;  vec_free(&v);`
#ifndef TAMAR_VEC_H
#define TAMAR_VEC_H

#include "base/alloc.h"

#include <string.h>

#define vec(type)                                                                                            \
    struct {                                                                                                 \
        type *at;                                                                                            \
        uint32_t count, capacity;                                                                            \
    }

#define vec_push(v, item) (vec_reserve(v, 1), (v)->at[(v)->count++] = (item))
#define vec_pop(v)        (assert((v)->count > 0), (v)->at[--(v)->count])
#define vec_last(v)       (assert((v)->count > 0), &(v)->at[(v)->count - 1])
#define vec_clear(v)      ((v)->count = 0)
// Reserves capacity for `extra` more items.
#define vec_reserve(v, extra)                                                                                \
    ((v)->count + (size_t)(extra) <= (v)->capacity                                                           \
         ? (void)0                                                                                           \
         : (void)((v)->at =                                                                                  \
                      vec_grow((v)->at, &(v)->capacity, (v)->count + (size_t)(extra), sizeof *(v)->at)))
#define vec_free(v)                                                                                          \
    (mem_free((v)->at, (size_t)(v)->capacity * sizeof *(v)->at), (v)->at = NULL,                             \
     (v)->count = (v)->capacity = 0)
// `vec_each(int, p, &v) use(*p);`
#define vec_each(type, p, v)                                                                                 \
    for (__typeof__(type) *p = (v)->at, *p##_end = (v)->count ? p + (v)->count : p; p != p##_end; p++)

static inline void *vec_grow(void *at, uint32_t *capacity, size_t wanted, size_t item_size) {
    size_t size = NORMAL_OR_HOSTILE(*capacity ? 2 * (size_t)*capacity : 8, wanted);
    if (size < wanted) size = wanted;
    assert(size <= UINT32_MAX);
    at = mem_realloc(at, *capacity * item_size, size * item_size);
    *capacity = (uint32_t)size;
    return at;
}

#endif
