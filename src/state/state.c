#include "state/state.h"

#include "base/alloc.h"
#include "state/objects.h"

#include <string.h>

static bool is_zero(const uint8_t *bytes, uint64_t size) {
    return !size || (!bytes[0] && !memcmp(bytes, bytes + 1, size - 1));
}

// Skips parts of pages that are zero: these pages stay one shared page, and a large, sparse table costs little.
static void load_bytes(struct memory *memory, const struct ir_global *global) {
    for (uint64_t done = 0, part; done < global->size; done += part) {
        part = MIN(global->size - done, PAGE_SIZE - ((global->address + done) & (PAGE_SIZE - 1)));
        if (!is_zero(global->bytes + done, part))
            memory_poke(memory, global->address + done, global->bytes + done, part);
    }
}

static void load_globals(struct state *state, const struct ir_program *program) {
    uint64_t end = IR_DATA_BASE;
    for (uint32_t i = 0; i < program->first_thread_local; i++) {
        const struct ir_global *global = &program->globals[i];
        assert(global->address >= end); // ascending and disjoint
        memory_set_shadow(&state->memory, end, global->address - end, SHADOW_RED_ZONE);
        end = global->address + global->size;
        memory_zero(&state->memory, global->address, global->size, SHADOW_OK);
        if (global->bytes) load_bytes(&state->memory, global);
    }
    memory_make_readonly(&state->memory, IR_DATA_BASE, program->readonly_end - IR_DATA_BASE);
}

uint64_t state_new_thread_block(struct state *state) {
    const struct ir_program *program = state->program;
    uint64_t block = object_new_heap(state, program->tls_size, MAX(program->tls_align, 16), HEAP_THREAD_BLOCK,
                                     0, SHADOW_OK);
    for (uint32_t i = program->first_thread_local; i < program->global_count; i++) {
        const struct ir_global *global = &program->globals[i];
        if (block && global->bytes)
            memory_poke(&state->memory, block + global->address, global->bytes, global->size);
    }
    return block;
}

struct state *state_new(const struct ir_program *program, uint64_t stack_size) {
    struct state *state = NEW(struct state);
    state->program = program;
    state->objects.made = program->global_count;
    state->memory = memory_new();
    state->threads.stack_limit = STACK_TOP - stack_size;
    load_globals(state, program);
    state->threads.block = state_new_thread_block(state);
    assert(state->threads.block);
    return state;
}

bool state_is_sound(const struct state *state) {
    const struct history *history = &state->history;
    const struct waiting *waiting = &state->waiting;
    return history->repeated <= shared_list_count(history->decisions) &&
           history->excluded <= shared_list_count(history->decisions) &&
           shared_list_count(history->kernel_choices) / 2 <= history->kernel_choice_count &&
           shared_list_count(history->events) % 2 == 0 && // pairs of text and site
           (waiting->condition || (!waiting->edge && !waiting->block && !waiting->effort)) &&
           state->threads.last_task >= state->threads.task;
}

struct state *state_fork(const struct state *state, uint64_t number) {
    assert(state_is_sound(state));
    struct state *copy = mem_alloc(sizeof *copy);
    *copy = *state;
    copy->number = number;
    copy->memory = memory_fork(state->memory);
    copy->frames = frames_fork(&state->frames);
    copy->threads.waiting = tasks_fork(state->threads.waiting);
    copy->history.decisions = shared_list_fork(state->history.decisions);
    copy->history.kernel_choices = shared_list_fork(state->history.kernel_choices);
    copy->history.events = shared_list_fork(state->history.events);
    copy->coverage.fresh = shared_list_fork(state->coverage.fresh);
    copy->speculation.edges = shared_list_fork(state->speculation.edges);
    copy->path = NULL;
    copy->inputs = state_inputs_fork(&state->inputs);
    copy->printed = printed_fork(state->printed);
    copy->preferences = shared_list_fork(state->preferences);
    if (copy->objects.start) copy->objects.start->references++;
    if (copy->seed.list) copy->seed.list->references++;
    return copy;
}

void state_set_seeds(struct state *state, const uint32_t *seeds, uint32_t count) {
    struct state_seeds *old = state->seed.list;
    assert(!old || old->references > 0);
    state->seed.list = NULL;
    if (count) {
        state->seed.list = mem_alloc(sizeof *state->seed.list + count * sizeof *seeds);
        state->seed.list->references = 1;
        state->seed.list->count = count;
        memcpy(state->seed.list->at, seeds, count * sizeof *seeds);
    }
    if (old && --old->references == 0) mem_free(old, sizeof *old + old->count * sizeof *old->at);
}

void state_free(struct state *state) {
    assert(!state->path);
    frames_free(&state->frames);
    tasks_free(state->threads.waiting);
    memory_free(state->memory);
    shared_list_free(state->history.decisions);
    shared_list_free(state->history.kernel_choices);
    shared_list_free(state->history.events);
    shared_list_free(state->coverage.fresh);
    shared_list_free(state->speculation.edges);
    state_inputs_free(&state->inputs);
    printed_free(state->printed);
    shared_list_free(state->preferences);
    objects_release_start(state->objects.start);
    state_set_seeds(state, NULL, 0);
    DELETE(state);
}

static uint64_t stack_pointer(const struct state *state) {
    return state->frames.chunk ? frames_top(&state->frames)->stack_pointer : STACK_TOP;
}

#define STACK_LOWEST (STACK_TOP / 2) // the program's globals and code lie far below

bool state_is_on_first_stack(const struct state *state) {
    return state->threads.stack_limit >= STACK_LOWEST && state->threads.stack_limit < STACK_TOP;
}

// Lowest address of the running stack. An alloca of symbolic size occupies its largest size, so the stack is
// extended by the slack of such allocas. Only the initial stack is extended: nothing lies below it.
static uint64_t stack_end(const struct state *state) {
    uint64_t limit = state->threads.stack_limit,
             slack =
                 state_is_on_first_stack(state) && state->frames.dynamic ? state->frames.dynamic->slack : 0;
    return limit - MIN(slack, limit - STACK_LOWEST);
}

struct frame *state_enter(struct state *state, const struct ir_function *function) {
    return state_enter_below(state, function, stack_pointer(state));
}

struct frame *state_enter_below(struct state *state, const struct ir_function *function, uint64_t entry) {
    uint64_t memory = entry - CALL_COST, end = stack_end(state);
    if (function->frame_size) {
        if (function->frame_size > memory - end) return NULL;
        memory = (memory - function->frame_size) & ~(MAX(function->frame_align, 16) - 1);
    }
    if (memory < end) return NULL;
    struct frame *frame = frames_push(&state->frames, function);
    frame->memory = frame->stack_pointer = memory;
    frame->stack_entry = entry;
    frame->first_object = state->objects.made + 1;
    state->objects.made += function->alloca_count;
    return frame;
}

void frame_shadow(const struct ir_function *function, uint8_t fresh, uint8_t *shadow) {
    memset(shadow, SHADOW_RED_ZONE, function->frame_size);
    for (uint32_t i = 0; i < function->alloca_count; i++)
        memset(shadow + function->allocas[i].offset,
               function->allocas[i].begins_later ? fresh | SHADOW_OUT_OF_SCOPE : fresh,
               function->allocas[i].size);
}

uint64_t state_alloca(struct state *state, uint64_t size, uint64_t align, uint32_t site, uint8_t shadow) {
    struct frame *frame = frames_top(&state->frames);
    uint64_t red_zone = ALLOCA_GAP, old = frame->stack_pointer, end = stack_end(state);
    if (align < 16) align = 16;
    if (size > old - end || align + 2 * red_zone > old - end - size) return 0;
    uint64_t address = (old - red_zone - size) & ~(align - 1);
    frame->stack_pointer = address - red_zone;
    memory_set_shadow(&state->memory, frame->stack_pointer, old - frame->stack_pointer, SHADOW_RED_ZONE);
    memory_zero(&state->memory, address, size, shadow);
    assert(address + size <= old && frame->stack_pointer >= end);
    frames_add_dynamic(&state->frames, address, size, ++state->objects.made, site);
    return address;
}

bool state_reports_add(struct state *state) {
    struct state_reports *reports = &state->reports;
    uint32_t decisions = shared_list_count(state->history.decisions);
    if (reports->at != decisions) reports->count = 0;
    reports->at = decisions;
    reports->count++;
    return reports->counted_at != decisions || reports->count > reports->counted;
}

uint32_t state_reports_count(const struct state *state) {
    const struct state_reports *reports = &state->reports;
    uint32_t decisions = shared_list_count(state->history.decisions);
    uint32_t count = reports->at == decisions ? reports->count : 0;
    return reports->counted_at == decisions ? MAX(count, reports->counted) : count;
}

void state_reports_restore(struct state *state, uint32_t decisions, uint32_t count) {
    state->reports = (struct state_reports){.counted_at = decisions, .counted = count};
}

void state_bound_alloca(struct state *state, uint64_t address, uint64_t size, uint64_t least, uint32_t term) {
    struct object object = {.start = address, .size = size, .kind = OBJECT_ALLOCA};
    uint8_t fresh = memory_shadow(state->memory, address) & SHADOW_UNINIT;
    assert(least < size && state->frames.dynamic->address == address &&
           state->frames.dynamic->references == 1);
    state->frames.dynamic->slack += size - least;
    memory_set_shadow(&state->memory, address + least, size - least, SHADOW_BOUND | fresh);
    memory_set_shadow(&state->memory, address + size, 1, SHADOW_AFTER_BOUND);
    object_set_size_term(state, &object, term);
}

uint64_t state_alloca_room(const struct state *state, uint64_t align) {
    uint64_t room = frames_top(&state->frames)->stack_pointer - stack_end(state);
    uint64_t beside = MAX(align, 16) + 2 * ALLOCA_GAP;
    return room > beside ? room - beside : 0;
}

void state_restore_stack(struct state *state, uint64_t pointer) {
    struct frame *frame = frames_top(&state->frames);
    assert(pointer >= frame->stack_pointer && pointer <= frame->memory);
    memory_set_shadow(&state->memory, frame->stack_pointer, pointer - frame->stack_pointer,
                      SHADOW_GIVEN_BACK);
    frames_drop_dynamic(&state->frames, pointer);
    frame->stack_pointer = pointer;
}
