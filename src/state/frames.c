#include "state/frames.h"

#include "base/alloc.h"

#include <string.h>

#define CHUNK_SIZE NORMAL_OR_HOSTILE(2048 - (uint32_t)sizeof(struct frame_chunk), 256)
#define COPY_ROOM  NORMAL_OR_HOSTILE(512u, 16u) // space for calls from a frame that was copied

static size_t chunk_bytes(uint32_t size) { return sizeof(struct frame_chunk) + size; }

static struct frame *frame_at(const struct frame_chunk *chunk, uint32_t offset) {
    assert(offset < chunk->used && offset % 16 == 0);
    return (struct frame *)(chunk->bytes + offset);
}

static struct frame_chunk *new_chunk(uint32_t size, struct frame_chunk *below, uint32_t below_top) {
    struct frame_chunk *chunk = mem_alloc(chunk_bytes(size));
    chunk->references = 1;
    chunk->size = size;
    chunk->used = chunk->top = chunk->shared = chunk->epoch = 0;
    chunk->below = below;
    chunk->below_top = below_top;
    return chunk;
}

static void release_chunks(struct frame_chunk *chunk) {
    while (chunk && --chunk->references == 0) {
        struct frame_chunk *below = chunk->below;
        mem_free(chunk, chunk_bytes(chunk->size));
        chunk = below;
    }
}

// Copies the frame at this offset into a new chunk, linked to the frame below it.
static struct frame_chunk *copy_out(struct frame_chunk *chunk, uint32_t offset) {
    const struct frame *frame = frame_at(chunk, offset);
    bool first = offset == 0;
    struct frame_chunk *copy = new_chunk(frame->size + COPY_ROOM, first ? chunk->below : chunk,
                                         first ? chunk->below_top : frame->previous);
    assert(frame->size == frame_bytes(frame->function));
    memcpy(copy->bytes, frame, frame->size);
    copy->used = frame->size;
    if (copy->below) copy->below->references++;
    return copy;
}

struct frame *frames_push(struct frames *frames, const struct ir_function *function) {
    uint32_t size = frame_bytes(function);
    struct frame_chunk *chunk = frames->chunk;
    if (!chunk || chunk->size - chunk->used < size)
        frames->chunk = chunk = new_chunk(MAX(size, CHUNK_SIZE), chunk, chunk ? chunk->top : 0);
    frames->depth++;
    assert(chunk->size - chunk->used >= size);
    return frame_put(chunk, function, size);
}

// Makes the frame at this offset the top one, in a chunk that the state has a reference to: in place if that
// is the only reference.
static void become_top(struct frames *frames, struct frame_chunk *chunk, uint32_t top) {
    if (chunk->references == 1) {
        chunk->top = top;
        chunk->used = top + frame_at(chunk, top)->size;
        chunk->shared = 0;
        frames->chunk = chunk;
    } else {
        frames->chunk = copy_out(chunk, top);
        release_chunks(chunk);
    }
}

// ---- dynamic allocas

static void release_dynamic(struct stack_object *object) {
    while (object && --object->references == 0) {
        struct stack_object *previous = object->previous;
        DELETE(object);
        object = previous;
    }
}

void frames_add_dynamic(struct frames *frames, uint64_t address, uint64_t size, uint64_t identity,
                        uint32_t site) {
    struct stack_object *previous = frames->dynamic, *object = NEW(struct stack_object);
    assert(!previous || address + size <= previous->address);
    *object = (struct stack_object){.references = 1,
                                    .depth = previous ? previous->depth + 1 : 1,
                                    .address = address,
                                    .size = size,
                                    .identity = identity,
                                    .slack = previous ? previous->slack : 0,
                                    .allocated_at = site,
                                    .previous = previous,
                                    .jump = previous};
    struct stack_object *first = previous ? previous->jump : NULL, *second = first ? first->jump : NULL;
    if (first && previous->depth - first->depth == first->depth - (second ? second->depth : 0))
        object->jump = second; // two jumps of equal length become one
    frames->dynamic = object;
}

void frames_drop_dynamic(struct frames *frames, uint64_t limit) {
    while (frames->dynamic && frames->dynamic->address < limit) {
        struct stack_object *object = frames->dynamic;
        frames->dynamic = object->previous;
        if (frames->dynamic) frames->dynamic->references++;
        release_dynamic(object);
    }
}

const struct stack_object *frames_dynamic_at(const struct frames *frames, uint64_t address) {
    const struct stack_object *object = frames->dynamic;
    if (!object || object->address > address) return NULL;
    while (object->previous && object->previous->address <= address)
        object = object->jump && object->jump->address <= address ? object->jump : object->previous;
    return object;
}

void frames_pop(struct frames *frames) {
    assert(frames->chunk && frames->depth > 0);
    if (frames->dynamic) frames_drop_dynamic(frames, frames_top(frames)->memory);
    struct frame_chunk *chunk = frames->chunk, *below = chunk->below;
    uint32_t previous = frames_top(frames)->previous;
    frames->depth--;
    if (chunk->top && previous >= chunk->shared) {
        chunk->used = chunk->top;
        chunk->top = previous;
    } else if (chunk->top) {
        chunk->used = chunk->top;
        become_top(frames, chunk, previous);
    } else {
        if (below) below->references++;
        uint32_t top = chunk->below_top;
        release_chunks(chunk);
        frames->chunk = NULL;
        if (below) become_top(frames, below, top);
    }
    assert(!frames->chunk == !frames->depth);
}

const struct frame *frames_below(const struct frame_chunk **chunk, const struct frame *frame) {
    const struct frame_chunk *at = *chunk;
    if ((const uint8_t *)frame != at->bytes) return frame_at(at, frame->previous);
    *chunk = at->below;
    return at->below ? frame_at(at->below, at->below_top) : NULL;
}

struct frames frames_fork(const struct frames *frames) {
    struct frame_chunk *chunk = frames->chunk;
    if (!chunk) return (struct frames){0};
    chunk->shared = chunk->references == 1 ? chunk->top : MAX(chunk->shared, chunk->top);
    if (frames->dynamic) frames->dynamic->references++;
    return (struct frames){copy_out(chunk, chunk->top), frames->depth, frames->dynamic};
}

void frames_free(struct frames *frames) {
    struct frame_chunk *chunk = frames->chunk;
    if (chunk && chunk->references > 1)
        chunk->used = chunk->shared; // other references see only frames before `shared`
    release_chunks(chunk);
    release_dynamic(frames->dynamic);
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
