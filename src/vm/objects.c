// Which object an address belongs to. Heap objects, globals and fixed locals are known by their records; for
// the rest (arguments, dynamic allocas, thread-locals) the shadow tells: an object ends where nothing is
// addressable.
#include "vm/vm_int.h"

#define MOST_SCAN ((uint64_t)1 << 20)

static bool holds(uint64_t start, uint64_t size, uint64_t address) { return address - start <= size; }

static bool find_global(struct vm *vm, uint64_t address, struct object *object) {
    const struct ir_global *global = ir_global_near(vm->program, address);
    if (!global || !holds(global->address, global->size, address)) return false;
    *object = (struct object){global->address, global->size, global->readonly, 0};
    return true;
}

static bool find_local(struct vm *vm, uint64_t address, struct object *object) {
    const struct frame_chunk *chunk = vm->state->frames.chunk;
    const struct frame *frame = chunk ? frames_top(&vm->state->frames) : NULL;
    for (; frame; frame = frames_below(&chunk, frame)) {
        if (address < frame->stack_pointer || address >= frame->stack_entry) continue;
        for (uint32_t i = 0; i < frame->function->alloca_count; i++) {
            const struct ir_alloca *local = &frame->function->allocas[i];
            if (!holds(frame->memory + local->offset, local->size, address)) continue;
            *object = (struct object){frame->memory + local->offset, local->size, false, 0};
            return true;
        }
        return false;
    }
    return false;
}

static bool accessible(struct vm *vm, uint64_t address) {
    return !(memory_shadow(vm->state->memory, address) & SHADOW_NO_ACCESS);
}

static bool find_by_shadow(struct vm *vm, uint64_t address, struct object *object) {
    if (!accessible(vm, address)) address--; // just behind an object
    if (!accessible(vm, address)) return false;
    uint64_t start = address, end = address + 1;
    while (start && end - start < MOST_SCAN && accessible(vm, start - 1)) start--;
    while (end - start < MOST_SCAN && accessible(vm, end)) end++;
    const struct page *page = memory_page(vm->state->memory, address);
    bool string = memory_shadow(vm->state->memory, end) == SHADOW_BEHIND_STRING;
    Term bound = string ? memory_term(vm->state->memory, end) : 0;
    *object = (struct object){start, end - start, page->readonly, bound};
    return true;
}

bool find_object(struct vm *vm, uint64_t address, struct object *object) {
    struct heap_object heap;
    if (heap_find(vm->state->memory, address, &heap) && !heap_is_mapped(heap.kind)) {
        if (heap.freed || !holds(heap.address, heap.size, address)) return false;
        *object = (struct object){heap.address, heap.size, false, heap.bound};
        return true;
    }
    return find_global(vm, address, object) || find_local(vm, address, object) ||
           find_by_shadow(vm, address, object);
}
