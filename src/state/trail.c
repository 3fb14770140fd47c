#include "state/trail.h"

#include "base/memory.h"

#define CHUNK NORMAL_OR_HOSTILE(26, 2)

// A history that has all values of a chunk may append to it, even if the chunk is shared: others do not look
// past their `used`. Only a history that ends before the chunk's last value starts a new chunk.
struct trail_chunk {
    uint32_t references, count;
    uint32_t total; // decisions before this chunk
    struct trail before;
    uint32_t values[CHUNK];
};

void trail_add(struct trail *trail, uint32_t decision) {
    struct trail_chunk *chunk = trail->chunk;
    if (!chunk || trail->used != chunk->count || chunk->count == CHUNK) {
        struct trail_chunk *next = NEW(struct trail_chunk);
        next->references = 1;
        next->total = trail_count(*trail);
        next->before = *trail; // takes over the reference
        *trail = (struct trail){chunk = next, 0};
    }
    chunk->values[chunk->count++] = decision;
    trail->used++;
    assert(trail->used == chunk->count); // the newest value is the chunk's last
}

uint32_t trail_count(struct trail trail) { return trail.chunk ? trail.chunk->total + trail.used : 0; }

void trail_copy(struct trail trail, uint32_t *values) { trail_copy_from(trail, 0, values); }

void trail_copy_from(struct trail trail, uint32_t from, uint32_t *values) {
    for (; trail.chunk && trail_count(trail) > from; trail = trail.chunk->before) {
        uint32_t total = trail.chunk->total;
        for (uint32_t i = total < from ? from - total : 0; i < trail.used; i++)
            values[total + i - from] = trail.chunk->values[i];
    }
}

uint32_t trail_shared(struct trail a, struct trail b) {
    while (a.chunk != b.chunk) {
        if (!a.chunk || !b.chunk) return 0;
        if (a.chunk->total >= b.chunk->total)
            a = a.chunk->before;
        else
            b = b.chunk->before;
    }
    return a.chunk ? a.chunk->total + MIN(a.used, b.used) : 0;
}

void trail_cut(struct trail *trail, uint32_t count) {
    assert(count <= trail_count(*trail));
    while (trail->chunk && trail->chunk->total > count) {
        struct trail before = trail_fork(trail->chunk->before);
        trail_free(*trail);
        *trail = before;
    }
    if (trail->chunk) trail->used = count - trail->chunk->total;
    assert(trail_count(*trail) == count);
}

struct trail trail_fork(struct trail trail) {
    assert(!trail.chunk || (trail.chunk->references > 0 && trail.used <= trail.chunk->count));
    if (trail.chunk) trail.chunk->references++;
    return trail;
}

void trail_free(struct trail trail) {
    while (trail.chunk && --trail.chunk->references == 0) {
        struct trail before = trail.chunk->before;
        DELETE(trail.chunk);
        trail = before;
    }
}
