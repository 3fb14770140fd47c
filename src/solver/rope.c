#include "solver/rope.h"

#include "base/alloc.h"
#include "base/run_limits.h"

#define LEAST_CAPACITY 3u
#define MOST_CAPACITY  59u

struct rope_chunk {
    uint32_t references, count, capacity;
    uint32_t before_count;              // number of terms in `before` and `joined`
    struct rope before, joined;         // lists that precede this chunk's terms, in this order
    struct rope_chunk *next, *previous; // links of the solver's list of chunks
    Term at[];
};

static size_t chunk_size(uint32_t capacity) { return sizeof(struct rope_chunk) + capacity * sizeof(Term); }

uint32_t rope_count(struct rope rope) {
    assert(rope.chunk ? rope.used <= rope.chunk->count : !rope.used);
    return rope.chunk ? rope.chunk->before_count + rope.used : 0;
}

// Makes a chunk after these lists, which it consumes.
static struct rope_chunk *new_chunk(struct rope_chunks *chunks, struct rope before, struct rope joined,
                                    uint32_t capacity) {
    struct rope_chunk *chunk = mem_alloc(chunk_size(capacity));
    *chunk = (struct rope_chunk){.references = 1,
                                 .capacity = capacity,
                                 .before_count = rope_count(before) + rope_count(joined),
                                 .before = before,
                                 .joined = joined,
                                 .next = chunks->first};
    if (chunk->next) chunk->next->previous = chunk;
    chunks->first = chunk;
    return chunk;
}

void rope_add(struct rope_chunks *chunks, struct rope *rope, Term term) {
    struct rope_chunk *chunk = rope->chunk;
    assert(!chunk || chunk->references > 0);
    if (chunk && chunk->references == 1) chunk->count = rope->used; // drops terms that no list has any more
    if (!chunk || rope->used < chunk->count || chunk->count == chunk->capacity) {
        uint32_t capacity = chunk ? MIN(2 * chunk->capacity + 1, MOST_CAPACITY) : LEAST_CAPACITY;
        chunk = new_chunk(chunks, *rope, (struct rope){0}, capacity);
        *rope = (struct rope){chunk, 0};
    }
    chunk->at[chunk->count++] = term;
    rope->used++;
    assert(rope->used == chunk->count && chunk->count <= chunk->capacity);
}

struct rope rope_join(struct rope_chunks *chunks, struct rope a, struct rope b) {
    if (!b.chunk) return a;
    if (!a.chunk) return b;
    return (struct rope){new_chunk(chunks, a, b, LEAST_CAPACITY), 0};
}

struct rope rope_copy(struct rope rope) {
    assert(!rope.chunk || rope.chunk->references > 0);
    if (rope.chunk) rope.chunk->references++;
    return rope;
}

static void delete_chunk(struct rope_chunks *chunks, struct rope_chunk *chunk) {
    assert(chunk->previous ? chunk->previous->next == chunk : chunks->first == chunk);
    if (chunk->previous)
        chunk->previous->next = chunk->next;
    else
        chunks->first = chunk->next;
    if (chunk->next) chunk->next->previous = chunk->previous;
    mem_free(chunk, chunk_size(chunk->capacity));
}

// Lists are long: the worklist of chunks to release is kept here, not on the C stack.
void rope_free(struct rope_chunks *chunks, struct rope *rope) {
    vec(struct rope_chunk *) left = {0};
    if (rope->chunk) vec_push(&left, rope->chunk);
    while (left.count) {
        struct rope_chunk *chunk = vec_pop(&left);
        assert(chunk->references);
        if (--chunk->references) continue;
        if (chunk->before.chunk) vec_push(&left, chunk->before.chunk);
        if (chunk->joined.chunk) vec_push(&left, chunk->joined.chunk);
        delete_chunk(chunks, chunk);
    }
    vec_free(&left);
    *rope = (struct rope){0};
}

void rope_list(struct rope rope, term_list *to) {
    uint32_t end = to->count + rope_count(rope);
    vec_reserve(to, rope_count(rope));
    to->count = end;
    vec(struct rope) left = {0};
    if (rope.chunk) vec_push(&left, rope);
    while (left.count) { // from the end to the start
        limits_poll();
        struct rope one = vec_pop(&left);
        end -= one.used;
        memcpy(to->at + end, one.chunk->at, one.used * sizeof(Term));
        if (one.chunk->before.chunk) vec_push(&left, one.chunk->before);
        if (one.chunk->joined.chunk) vec_push(&left, one.chunk->joined);
    }
    assert(end + rope_count(rope) == to->count); // the lengths of the parts add up
    vec_free(&left);
}

Term rope_last(struct rope rope) {
    assert(rope_count(rope) > 0);
    while (!rope.used) rope = rope.chunk->joined.chunk ? rope.chunk->joined : rope.chunk->before;
    return rope.chunk->at[rope.used - 1];
}

void rope_mark_all(const struct rope_chunks *chunks, struct terms *terms) {
    for (const struct rope_chunk *chunk = chunks->first; chunk; chunk = chunk->next)
        for (uint32_t i = 0; i < chunk->count; i++) term_mark(terms, chunk->at[i]);
}
