// Memory that is lost when the program ends: malloc objects that no pointer reaches. Objects that are reachable from
// globals, live frames or other reachable objects are not leaks. Symbolic bytes have their values in the path's test,
// so the answer is exact for that test.
#include "vm/object_array.h"

struct leak_search {
    struct vm *vm;
    struct map reached;        // address of a live malloc object -> 1: reachable, 0: not
    vec(struct object) found;  // live malloc objects
    vec(struct object) to_see; // worklist: objects whose content has not been scanned
};

static void list_object(void *argument, const struct object *object) {
    struct leak_search *search = argument;
    if (object->kind == OBJECT_HEAP) {
        vec_push(&search->found, *object);
        *map_put(&search->reached, object->start) = 0;
    } else {
        vec_push(&search->to_see, *object); // objects of the system, and mappings: roots
    }
}

static void see_pointer(struct leak_search *search, uint64_t value) {
    struct object object;
    if (value < HEAP_BASE || !object_find(search->vm->state, value, &object)) return;
    if (object.life != OBJECT_LIVE || object.kind != OBJECT_HEAP || !object_holds(&object, value)) return;
    uint64_t *reached = map_put(&search->reached, object.start);
    if (*reached) return;
    *reached = 1;
    vec_push(&search->to_see, object);
}

static uint64_t term_now(struct leak_search *search, Term term) {
    struct vm *vm = search->vm;
    if (term_width(vm->terms, term) > 64) return 0;
    return solver_evaluate(vm->solver, vm->state->path, term);
}

static void see_word(struct leak_search *search, const struct page *page, uint64_t address) {
    uint32_t offset = (uint32_t)address & (PAGE_SIZE - 1);
    uint64_t word = 0;
    assert(offset % 8 == 0 && offset + 8 <= PAGE_SIZE);
    for (uint32_t i = 0; i < 8; i++) {
        uint8_t shadow = page->shadow[offset + i]; // variables that are out of scope still hold their values
        if (shadow & SHADOW_NO_ACCESS && !shadow_is_out_of_scope(shadow)) return;
        Term term =
            byte_of_slot(search->vm, search->vm->state, address + i, memory_page_term(page, offset + i));
        word |= (term ? term_now(search, term) : page->bytes[offset + i]) << 8 * i;
    }
    if (word) see_pointer(search, word);
}

static void see_range(struct leak_search *search, uint64_t address, uint64_t size) {
    uint64_t end = address + size;
    for (uint64_t at = align_up(address, 8); at + 8 <= end;) {
        const struct page *page = memory_page(search->vm->state->memory, at);
        uint64_t page_end = (at | (PAGE_SIZE - 1)) + 1;
        for (; page && at + 8 <= MIN(end, page_end); at += 8) see_word(search, page, at);
        at = MAX(at, page_end);
    }
}

static void see_frames(struct leak_search *search, const struct frames *frames) {
    const struct frame_chunk *chunk = frames->chunk;
    for (const struct frame *frame = chunk ? frames_top(frames) : NULL; frame;
         frame = frames_below(&chunk, frame)) {
        see_range(search, frame->stack_pointer, frame->stack_entry - frame->stack_pointer);
        const uint32_t *terms = frame->has_terms ? frame_terms((struct frame *)frame) : NULL;
        for (uint32_t i = 0; i < frame->function->register_count; i++) {
            Term term = terms ? vm_slot_term(search->vm, terms[i]) : 0;
            see_pointer(search, term ? term_now(search, term) : frame->registers[i]);
        }
    }
}

static void see_roots(struct leak_search *search) {
    struct state *state = search->vm->state;
    const struct ir_program *program = search->vm->program;
    see_range(search, program->readonly_end, program->data_end - program->readonly_end);
    if (state->threads.block) see_range(search, state->threads.block, program->tls_size);
    see_frames(search, &state->frames);
    for (uint32_t i = 0; state->threads.waiting && i < tasks_count(state->threads.waiting); i++) {
        const struct task *task = tasks_at(state->threads.waiting, i);
        see_frames(search, &task->frames);
        if (task->thread_block) see_range(search, task->thread_block, program->tls_size);
    }
}

enum step vm_report_leaks(struct vm *vm) {
    struct leak_search search = {.vm = vm};
    object_each_heap(vm->state, list_object, &search);
    if (search.found.count) {
        see_roots(&search);
        while (search.to_see.count) {
            struct object object = vec_pop(&search.to_see);
            see_range(&search, object.start, object.size);
        }
    }
    const struct object *first = NULL;
    uint64_t count = 0, bytes = 0;
    vec_each (struct object, object, &search.found) {
        if (*map_get(&search.reached, object->start)) continue;
        if (!count++) first = object;
        bytes += object->size;
    }
    enum step step = STEP_NEXT;
    if (first) {
        vm_report_begin(vm, BUG_LEAK, "%llu byte%s in %llu object%s can no longer be reached or freed",
                        (unsigned long long)bytes, bytes == 1 ? "" : "s", (unsigned long long)count,
                        count == 1 ? "" : "s");
        vm->outcome.bug.allocated_at = first->allocated_at;
        if (first->allocated_at)
            vm->outcome.bug.site =
                first->allocated_at; // the bug is at the allocation, wherever the program ends
        step = vm_report_end(vm);
    }
    vec_free(&search.found);
    vec_free(&search.to_see);
    map_free(&search.reached);
    return step;
}
