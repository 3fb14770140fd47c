#include "state/frames.h"

#include "base/memory.h"

#include <string.h>

#define CHUNK_SIZE NORMAL_OR_HOSTILE(4096 - (uint32_t)sizeof(struct frame_chunk), 256)

static size_t chunk_bytes(uint32_t size) { return sizeof(struct frame_chunk) + size; }

static struct frame_chunk *new_chunk(uint32_t size, struct frame_chunk *below) {
    struct frame_chunk *chunk = mem_alloc(chunk_bytes(size));
    chunk->references = 1;
    chunk->size = size;
    chunk->used = chunk->top = chunk->epoch = 0;
    chunk->below = below;
    return chunk;
}

// A copy that shares what is below; only the used part is copied.
static struct frame_chunk *copy_chunk(const struct frame_chunk *chunk) {
    struct frame_chunk *copy = new_chunk(chunk->size, chunk->below);
    if (copy->below) copy->below->references++;
    copy->used = chunk->used;
    copy->top = chunk->top;
    memcpy(copy->bytes, chunk->bytes, chunk->used);
    return copy;
}

static void release_chunks(struct frame_chunk *chunk) {
    while (chunk && --chunk->references == 0) {
        struct frame_chunk *below = chunk->below;
        mem_free(chunk, chunk_bytes(chunk->size));
        chunk = below;
    }
}

struct frame *frames_push(struct frames *frames, const struct ir_function *function) {
    uint32_t size = frame_bytes(function);
    struct frame_chunk *chunk = frames->chunk;
    if (!chunk || chunk->size - chunk->used < size)
        frames->chunk = chunk = new_chunk(MAX(size, CHUNK_SIZE), chunk);
    frames->depth++;
    return frame_put(chunk, function, size);
}

void frames_pop(struct frames *frames) {
    struct frame_chunk *chunk = frames->chunk;
    assert(chunk->references == 1);
    struct frame *frame = frames_top(frames);
    frames->depth--;
    if (chunk->top) {
        chunk->used = chunk->top;
        chunk->top = frame->previous;
        return;
    }
    struct frame_chunk *below = chunk->below;
    mem_free(chunk, chunk_bytes(chunk->size));
    if (below && below->references > 1) {
        struct frame_chunk *copy = copy_chunk(below);
        below->references--;
        below = copy;
    }
    frames->chunk = below;
}

const struct frame *frames_below(const struct frame_chunk **chunk, const struct frame *frame) {
    const struct frame_chunk *at = *chunk;
    if ((const uint8_t *)frame != at->bytes) return (const struct frame *)(at->bytes + frame->previous);
    *chunk = at = at->below;
    return at ? (const struct frame *)(at->bytes + at->top) : NULL;
}

struct frames frames_fork(const struct frames *frames) {
    return (struct frames){frames->chunk ? copy_chunk(frames->chunk) : NULL, frames->depth};
}

void frames_free(struct frames *frames) {
    release_chunks(frames->chunk);
    *frames = (struct frames){0};
}

void frame_add_terms(struct frame *frame) {
    if (frame->has_terms) return;
    memset(frame_terms(frame), 0, frame->function->register_count * sizeof(uint32_t));
    frame->has_terms = 1;
}

void frames_each_term(const struct frames *frames, uint32_t epoch,
                      void (*visit)(void *argument, uint32_t term), void *argument) {
    for (struct frame_chunk *chunk = frames->chunk; chunk && chunk->epoch != epoch; chunk = chunk->below) {
        chunk->epoch = epoch;
        for (uint32_t at = 0; at < chunk->used;) {
            struct frame *frame = (struct frame *)(chunk->bytes + at);
            at += frame->size;
            if (!frame->has_terms) continue;
            const uint32_t *terms = frame_terms(frame);
            for (uint32_t i = 0; i < frame->function->register_count; i++)
                if (terms[i]) visit(argument, terms[i]);
        }
    }
}
