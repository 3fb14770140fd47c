#include "state/shared_list.h"

#include "base/alloc.h"

#define CHUNK NORMAL_OR_HOSTILE(26, 2)

// A list that has all values of a chunk may append to it, even if the chunk is shared: others do not look
// past their `used`. A list that ends before the chunk's last value, or in a full chunk, starts a new one.
struct shared_list_chunk {
    uint32_t references, count;
    uint32_t total; // values before this chunk
    struct shared_list before;
    uint32_t values[CHUNK];
};

void shared_list_add(struct shared_list *list, uint32_t value) {
    struct shared_list_chunk *chunk = list->chunk;
    if (!chunk || list->used != chunk->count || chunk->count == CHUNK) {
        struct shared_list_chunk *next = NEW(struct shared_list_chunk);
        next->references = 1;
        next->total = shared_list_count(*list);
        next->before = *list; // takes over the reference
        *list = (struct shared_list){chunk = next, 0};
    }
    chunk->values[chunk->count++] = value;
    list->used++;
    assert(list->used == chunk->count); // the newest value is the chunk's last
}

uint32_t shared_list_count(struct shared_list list) { return list.chunk ? list.chunk->total + list.used : 0; }

void shared_list_copy(struct shared_list list, uint32_t *values) { shared_list_copy_from(list, 0, values); }

void shared_list_copy_from(struct shared_list list, uint32_t from, uint32_t *values) {
    for (; list.chunk && shared_list_count(list) > from; list = list.chunk->before) {
        uint32_t total = list.chunk->total;
        for (uint32_t i = total < from ? from - total : 0; i < list.used; i++)
            values[total + i - from] = list.chunk->values[i];
    }
}

uint32_t shared_list_common(struct shared_list a, struct shared_list b) {
    while (a.chunk != b.chunk) {
        if (!a.chunk || !b.chunk) return 0;
        if (a.chunk->total >= b.chunk->total)
            a = a.chunk->before;
        else
            b = b.chunk->before;
    }
    return a.chunk ? a.chunk->total + MIN(a.used, b.used) : 0;
}

void shared_list_cut(struct shared_list *list, uint32_t count) {
    assert(count <= shared_list_count(*list));
    while (list->chunk && list->chunk->total > count) {
        struct shared_list before = shared_list_fork(list->chunk->before);
        shared_list_free(*list);
        *list = before;
    }
    if (list->chunk) list->used = count - list->chunk->total;
    assert(shared_list_count(*list) == count);
}

struct shared_list shared_list_fork(struct shared_list list) {
    assert(!list.chunk || (list.chunk->references > 0 && list.used <= list.chunk->count));
    if (list.chunk) list.chunk->references++;
    return list;
}

void shared_list_free(struct shared_list list) {
    while (list.chunk && --list.chunk->references == 0) {
        struct shared_list before = list.chunk->before;
        DELETE(list.chunk);
        list = before;
    }
}
