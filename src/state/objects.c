#include "state/objects.h"

#include "base/alloc.h"

#include <string.h>

// ---- heap

static enum object_kind kind_of_heap(uint32_t kind) {
    static const enum object_kind kinds[] = {
        [HEAP_MALLOC] = OBJECT_HEAP,    [HEAP_MAPPED] = OBJECT_MAPPING,
        [HEAP_SYSTEM] = OBJECT_SYSTEM,  [HEAP_KERNEL] = OBJECT_KERNEL,
        [HEAP_SHARED] = OBJECT_MAPPING, [HEAP_THREAD_BLOCK] = OBJECT_THREAD_BLOCK,
    };
    assert(kind < COUNT(kinds) && kind != HEAP_ZEROED);
    return kinds[kind];
}

static void fill_heap(const struct heap_object *heap, struct object *object) {
    *object = (struct object){.start = heap->address,
                              .size = heap->size,
                              .identity = heap->identity,
                              .kind = kind_of_heap(heap->kind),
                              .life = heap->freed ? OBJECT_FREED : OBJECT_LIVE,
                              .bound = heap->bound,
                              .allocated_at = heap->allocated_at,
                              .ended_at = heap->freed ? heap->freed_at : 0};
}

bool object_find_heap(const struct state *state, uint64_t address, struct object *object) {
    struct heap_object heap;
    if (!heap_find(state->memory, address, &heap)) return false;
    fill_heap(&heap, object);
    return true;
}

uint64_t object_new_heap(struct state *state, uint64_t size, uint64_t align, enum heap_kind kind,
                         uint32_t site, uint8_t shadow) {
    uint64_t identity = state->objects.made + 1;
    uint64_t address = heap_alloc(&state->memory, size, align, kind, site, identity, shadow);
    assert(!address || memory_is_accessible(state->memory, address) || !size);
    if (address) state->objects.made = identity;
    return address;
}

struct heap_walk {
    void (*visit)(void *argument, const struct object *object);
    void *argument;
};

static void visit_heap(void *argument, const struct heap_object *heap) {
    const struct heap_walk *walk = argument;
    struct object object;
    fill_heap(heap, &object);
    walk->visit(walk->argument, &object);
}

void object_each_heap(const struct state *state, void (*visit)(void *argument, const struct object *object),
                      void *argument) {
    struct heap_walk walk = {visit, argument};
    heap_each(state->memory, visit_heap, &walk);
}

// ---- globals

static bool find_global(const struct ir_program *program, uint64_t address, struct object *object) {
    const struct ir_global *global = ir_global_near(program, address);
    if (!global) return false;
    *object = (struct object){.start = global->address,
                              .size = global->size,
                              .identity = (uint64_t)(global - program->globals) + 1,
                              .kind = OBJECT_GLOBAL,
                              .readonly = global->readonly,
                              .global = global};
    return true;
}

// ---- stacks

static uint64_t distance_to(uint64_t start, uint64_t size, uint64_t address) {
    return address < start ? start - address : address - start >= size ? address - start - size + 1 : 0;
}

// Keeps the candidate if it is nearer than the best so far.
static void keep_nearest(struct object *best, uint64_t *least, uint64_t address,
                         const struct object *candidate) {
    uint64_t distance = distance_to(candidate->start, candidate->size, address);
    if (distance >= *least) return;
    *least = distance;
    *best = *candidate;
}

static void try_alloca(struct memory memory, const struct frame *frame, const struct stack_object *record,
                       uint64_t address, struct object *best, uint64_t *least) {
    if (!record || record->address < frame->stack_pointer || record->address >= frame->memory) return;
    struct object candidate = {.start = record->address,
                               .size = record->size,
                               .identity = record->identity,
                               .kind = OBJECT_ALLOCA,
                               .bound = memory_term(memory, record->address + record->size),
                               .allocated_at = record->allocated_at,
                               .function = frame->function};
    keep_nearest(best, least, address, &candidate);
}

static bool find_in_frame(struct memory memory, const struct frames *frames, const struct frame *frame,
                          uint64_t address, struct object *object) {
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < frame->function->alloca_count; i++) {
        const struct ir_alloca *local = &frame->function->allocas[i];
        struct object candidate = {.start = frame->memory + local->offset,
                                   .size = local->size,
                                   .identity = frame->first_object + i,
                                   .kind = OBJECT_LOCAL,
                                   .local = local,
                                   .function = frame->function};
        keep_nearest(object, &least, address, &candidate);
    }
    const struct stack_object *below = frames_dynamic_at(frames, address);
    try_alloca(memory, frame, below, address, object, &least);
    try_alloca(memory, frame, below ? below->previous : frames->dynamic, address, object, &least);
    return least != UINT64_MAX;
}

// Finds the nearest object of the frame whose memory contains the address.
static bool find_on_stack(struct memory memory, const struct frames *frames, uint64_t address,
                          struct object *object) {
    const struct frame_chunk *chunk = frames->chunk;
    const struct frame *frame = chunk ? frames_top(frames) : NULL;
    for (; frame; frame = frames_below(&chunk, frame))
        if (address >= frame->stack_pointer && address < frame->stack_entry)
            return find_in_frame(memory, frames, frame, address, object);
    return false;
}

// Searches the running thread's stack, and those of waiting threads of the same process.
static bool find_on_stacks(const struct state *state, uint64_t address, struct object *object) {
    bool found = find_on_stack(state->memory, &state->frames, address, object);
    for (uint32_t i = 0; !found && i < tasks_count(state->threads.waiting); i++) {
        const struct task *task = tasks_at(state->threads.waiting, i);
        found = task->process == state->threads.process &&
                find_on_stack(state->memory, &task->frames, address, object);
    }
    if (found && object->size && shadow_is_out_of_scope(memory_shadow(state->memory, object->start)))
        object->life = OBJECT_OUT_OF_SCOPE;
    return found;
}

// ---- objects that the program starts with

// The capacity is a power of two, so that a long list is copied rarely.
static size_t start_bytes(uint32_t count) {
    uint32_t room = 8;
    while (room < count) room *= 2;
    return sizeof(struct start_objects) + room * sizeof(struct start_object);
}

void object_add_start(struct state *state, enum object_kind kind, uint64_t start, uint64_t size) {
    struct start_objects *old = state->objects.start;
    uint32_t count = old ? old->count : 0;
    assert(!old || (old->references == 1 && start + size <= old->at[count - 1].start));
    struct start_objects *list = old;
    if (!old || start_bytes(count + 1) > start_bytes(count)) {
        list = mem_alloc_zeroed(start_bytes(count + 1));
        if (old) memcpy(list, old, start_bytes(count));
        list->references = 1;
        objects_release_start(old);
    }
    list->count = count + 1;
    list->at[count] = (struct start_object){start, size, ++state->objects.made, kind};
    state->objects.start = list;
}

void object_add_fixed(struct state *state, uint64_t start, uint64_t size) {
    struct start_objects *old = state->objects.start;
    uint32_t count = old ? old->count : 0, at = 0;
    struct start_objects *list = mem_alloc_zeroed(start_bytes(count + 1));
    while (at < count && old->at[at].start > start) at++;
    if (old) memcpy(list->at, old->at, at * sizeof *old->at);
    if (old) memcpy(list->at + at + 1, old->at + at, (count - at) * sizeof *old->at);
    list->at[at] = (struct start_object){start, size, ++state->objects.made, OBJECT_FIXED};
    list->count = count + 1;
    list->references = 1;
    objects_release_start(old);
    state->objects.start = list;
    memory_zero(&state->memory, start, size, SHADOW_OK);
}

void objects_release_start(struct start_objects *list) {
    assert(!list || list->references > 0);
    if (list && --list->references == 0) mem_free(list, start_bytes(list->count));
}

static bool find_start(const struct state *state, uint64_t address, struct object *object) {
    const struct start_objects *list = state->objects.start;
    uint32_t low = 0, high = list ? list->count : 0;
    // Finds the first object, from the top down, that starts at or below the address.
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (list->at[middle].start > address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!list || low == list->count) return false;
    const struct start_object *found = &list->at[low];
    uint64_t end = found->start + found->size;
    bool string = found->kind == OBJECT_STRING;
    if (address > end && !(string && address < end + STRING_GAP)) return false;
    *object = (struct object){.start = found->start,
                              .size = found->size,
                              .identity = found->identity,
                              .kind = (enum object_kind)found->kind,
                              .bound = string ? memory_term(state->memory, end) : 0};
    return true;
}

void object_set_size_term(struct state *state, const struct object *object, uint32_t term) {
    uint64_t end = object->start + object->size;
    assert(object->kind == OBJECT_STRING || object->kind == OBJECT_ALLOCA);
    assert(memory_shadow(state->memory, end) == SHADOW_AFTER_BOUND);
    memory_set_term(&state->memory, end, term);
}

// ---- the table

bool object_find(const struct state *state, uint64_t address, struct object *object) {
    struct object heap;
    bool mapped = object_find_heap(state, address, &heap);
    if (mapped && (heap.kind != OBJECT_MAPPING || heap.life != OBJECT_LIVE)) {
        *object = heap;
        return true;
    }
    if (find_global(state->program, address, object)) return true;
    if (!mapped && address >= STACK_TOP) return false;
    uint8_t shadow = memory_shadow(state->memory, address);
    if (shadow == SHADOW_ENDED || shadow == SHADOW_GIVEN_BACK) {
        *object = (struct object){.start = address,
                                  .kind = OBJECT_STACK,
                                  .life = shadow == SHADOW_ENDED ? OBJECT_RETURNED : OBJECT_OUT_OF_SCOPE};
        return true;
    }
    if (find_on_stacks(state, address, object) || find_start(state, address, object)) return true;
    if (mapped) *object = heap;
    return mapped;
}

static bool is_accessible(struct memory memory, uint64_t address) {
    return !(memory_shadow(memory, address) & SHADOW_NO_ACCESS);
}

// Count the adjacent accessible bytes of the page from `offset` on, and those just before `offset`.
static uint32_t accessible_after(const struct page *page, uint32_t offset) {
    uint32_t end = offset;
    while (end < PAGE_SIZE && !(page->shadow[end] & SHADOW_NO_ACCESS)) end++;
    return end - offset;
}
static uint32_t accessible_before(const struct page *page, uint32_t offset) {
    uint32_t start = offset;
    while (start && !(page->shadow[start - 1] & SHADOW_NO_ACCESS)) start--;
    return offset - start;
}

// Narrows a mapping to the bytes around the address with the same access rights. Parts of it may have been
// unmapped or protected, or hold the stack of a thread. Pages that are one shared page are examined once.
static bool clip_mapping(struct memory memory, uint64_t address, struct object *object) {
    if (!is_accessible(memory, address)) address--; // just past the end
    if (!is_accessible(memory, address)) return false;
    uint64_t start = address, end = address;
    const struct page *whole = NULL;
    object->readonly = memory_page(memory, address)->readonly;
    for (;;) {
        const struct page *page = memory_page(memory, end);
        uint32_t offset = (uint32_t)end & (PAGE_SIZE - 1);
        uint32_t count = !page || page->readonly != object->readonly ? 0
                         : page == whole                             ? PAGE_SIZE
                                                                     : accessible_after(page, offset);
        end += count;
        if (!count || offset + count < PAGE_SIZE) break;
        whole = count == PAGE_SIZE ? page : NULL;
    }
    for (;;) {
        const struct page *page = memory_page(memory, start - 1);
        uint32_t offset = ((uint32_t)(start - 1) & (PAGE_SIZE - 1)) + 1;
        uint32_t count = !page || page->readonly != object->readonly ? 0
                         : page == whole && offset == PAGE_SIZE      ? PAGE_SIZE
                                                                     : accessible_before(page, offset);
        start -= count;
        if (!count || count < offset) break;
        whole = count == PAGE_SIZE ? page : NULL;
    }
    assert(start <= address && address < end);
    object->start = start;
    object->size = end - start;
    return true;
}

bool object_at(const struct state *state, uint64_t address, struct object *object) {
    if (!object_find(state, address, object) || object->life != OBJECT_LIVE) return false;
    if (object->kind == OBJECT_MAPPING) return clip_mapping(state->memory, address, object);
    return object_holds(object, address);
}
