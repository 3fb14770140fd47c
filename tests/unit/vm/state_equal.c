#include "state_equal.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/vec.h"
#include "expr/print_term.h"
#include "vm/provenance.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char message[300];

static const char *differ(const char *format, ...) PRINTF(1, 2);
static const char *differ(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return message;
}

// Compares slots. Both VMs share their terms, but each VM numbers the origins of pointers itself.
static bool same_slot(struct view a, uint32_t x, struct view b, uint32_t y) {
    const uint32_t flags = SLOT_CHANGED | SLOT_ARRAY | SLOT_POINTER;
    if ((x & flags) != (y & flags)) return false;
    if (vm_slot_term(a.vm, x) != vm_slot_term(b.vm, y)) return false;
    if (!provenance_slot_has_origin(x)) return true;
    struct pointer_origin of_x = provenance_of_slot(a.vm, x), of_y = provenance_of_slot(b.vm, y);
    return of_x.start == of_y.start && of_x.identity == of_y.identity;
}

// ---- memory

struct comparison {
    struct view one, other;
    const char *difference;
};

static bool same_site(struct sites *of_a, uint32_t a, struct sites *of_b, uint32_t b) {
    while (a && b) {
        struct site x = site_get(of_a, a), y = site_get(of_b, b);
        if (x.function != y.function || x.instruction != y.instruction) return false;
        a = x.caller;
        b = y.caller;
    }
    return !a && !b;
}

static bool same_record(const struct comparison *comparison, uint64_t address) {
    struct heap_object x = {0}, y = {0};
    bool a = heap_find(comparison->one.state->memory, address, &x),
         b = heap_find(comparison->other.state->memory, address, &y);
    return a == b && x.address == y.address && x.size == y.size && x.kind == y.kind && x.freed == y.freed &&
           x.bound == y.bound && x.identity == y.identity && (!x.freed || x.next_free == y.next_free) &&
           same_site(comparison->one.sites, x.allocated_at, comparison->other.sites, y.allocated_at) &&
           same_site(comparison->one.sites, x.freed_at, comparison->other.sites, y.freed_at);
}

// Whether the byte before the address is in a heap record. Records are compared field by field: each VM numbers its
// sites itself, and padding may have any value.
static bool is_inside_record(const struct comparison *comparison, uint64_t address) {
    return memory_shadow(comparison->one.state->memory, address - 1) == SHADOW_HEADER;
}

// An absent page equals a page of unmapped zeros.
static void compare_page(void *argument, uint64_t address, const struct page *page) {
    struct comparison *comparison = argument;
    const struct page *other = memory_page(comparison->other.state->memory, address);
    if (comparison->difference || page == other) return;
    for (uint32_t i = 0; i < PAGE_SIZE; i++) {
        uint8_t shadow = other ? other->shadow[i] : SHADOW_UNMAPPED, byte = other ? other->bytes[i] : 0;
        uint32_t term = other ? memory_page_term(other, i) : 0;
        if (page->shadow[i] != shadow)
            comparison->difference =
                differ("0x%" PRIx64 " has shadow %u and %u", address + i, page->shadow[i], shadow);
        else if (shadow == SHADOW_HEADER && !is_inside_record(comparison, address + i) &&
                 !same_record(comparison, address + i))
            comparison->difference = differ("the heap object at 0x%" PRIx64 " differs", address + i);
        else if (shadow != SHADOW_HEADER && page->bytes[i] != byte)
            comparison->difference =
                differ("0x%" PRIx64 " (shadow %u) is %u and %u", address + i, shadow, page->bytes[i], byte);
        else if (!same_slot(comparison->one, memory_page_term(page, i), comparison->other, term))
            comparison->difference = differ("0x%" PRIx64 " (shadow %u) is term %u and %u", address + i,
                                            shadow, memory_page_term(page, i), term);
        if (comparison->difference) return;
    }
    if (page->readonly != (other ? other->readonly : 0))
        comparison->difference = differ("the page at 0x%" PRIx64 " is constant in one of them", address);
}

static const char *memory_difference(struct view a, struct view b) {
    struct comparison comparison = {.one = a, .other = b};
    memory_each_page(a.state->memory, compare_page, &comparison);
    comparison.one = b;
    comparison.other = a;
    if (!comparison.difference) memory_each_page(b.state->memory, compare_page, &comparison);
    return comparison.difference;
}

// ---- frames

static uint32_t term_of(const struct frame *frame, uint32_t index) {
    return frame->has_terms ? frame_terms((struct frame *)frame)[index] : 0;
}

static const char *frame_difference(struct view one, const struct frame *a, struct view other,
                                    const struct frame *b) {
    if (a->function != b->function || a->instruction != b->instruction)
        return differ("a frame is at instruction %u of %s and %u of %s", a->instruction, a->function->name,
                      b->instruction, b->function->name);
    if (a->memory != b->memory || a->stack_pointer != b->stack_pointer || a->stack_entry != b->stack_entry)
        return differ("the memory of a frame of %s has another address", a->function->name);
    if (a->function->alloca_count && a->first_object != b->first_object)
        return differ("the locals of a frame of %s are other objects", a->function->name);
    for (uint32_t i = 0; i < a->function->register_count; i++) {
        uint32_t x = term_of(a, i), y = term_of(b, i);
        bool concrete = !vm_slot_term(one.vm, x);
        if (!same_slot(one, x, other, y) || (concrete && a->registers[i] != b->registers[i]))
            return differ("r%u of %s at %u is %" PRIx64 " (term %u) and %" PRIx64 " (term %u)", i,
                          a->function->name, a->instruction, a->registers[i], x, b->registers[i], y);
    }
    return NULL;
}

static const char *frames_difference(struct view of_a, const struct frames *a, struct view of_b,
                                     const struct frames *b) {
    const struct frame_chunk *in_a = a->chunk, *in_b = b->chunk;
    if (a->depth != b->depth) return differ("%u and %u frames", a->depth, b->depth);
    if (!a->depth) return NULL;
    const struct stack_object *one = a->dynamic, *other = b->dynamic;
    for (; one && other; one = one->previous, other = other->previous)
        if (one->address != other->address || one->size != other->size || one->identity != other->identity)
            return differ("the dynamic object at 0x%" PRIx64 " differs", one->address);
    if (one || other) return "a dynamic object is missing";
    const struct frame *x = frames_top(a), *y = frames_top(b);
    for (uint32_t i = 0; i < a->depth; i++) {
        const char *difference = frame_difference(of_a, x, of_b, y);
        if (difference) return difference;
        x = frames_below(&in_a, x);
        y = frames_below(&in_b, y);
    }
    return NULL;
}

static const char *tasks_difference(struct view one, const struct tasks *a, struct view other,
                                    const struct tasks *b) {
    if (tasks_count(a) != tasks_count(b)) return "other tasks";
    for (uint32_t i = 0; i < tasks_count(a); i++) {
        const struct task *x = tasks_at(a, i), *y = tasks_at(b, i);
        const char *difference = frames_difference(one, &x->frames, other, &y->frames);
        if (difference) return difference;
        if (x->number != y->number || x->process != y->process || x->stack_limit != y->stack_limit ||
            x->thread_block != y->thread_block || x->thread_pointer != y->thread_pointer)
            return "a task differs";
    }
    return NULL;
}

// ---- the rest

static bool same_trail(struct shared_list a, struct shared_list b) {
    uint32_t count = shared_list_count(a);
    if (count != shared_list_count(b)) return false;
    uint32_t *x = NEW_ARRAY(uint32_t, count), *y = NEW_ARRAY(uint32_t, count);
    shared_list_copy(a, x);
    shared_list_copy(b, y);
    bool same = !memcmp(x, y, count * sizeof *x);
    DELETE_ARRAY(x, count);
    DELETE_ARRAY(y, count);
    return same;
}

static bool same_inputs(const struct state *a, const struct state *b) {
    uint32_t count = state_inputs_count(&a->inputs);
    if (count != state_inputs_count(&b->inputs)) return false;
    uint32_t *x = NEW_ARRAY(uint32_t, count), *y = NEW_ARRAY(uint32_t, count);
    state_inputs_copy(&a->inputs, x);
    state_inputs_copy(&b->inputs, y);
    bool same = true;
    for (uint32_t i = 0; i < count && same; i++)
        same = x[i] == y[i] && state_inputs_size(&a->inputs, x[i]) == state_inputs_size(&b->inputs, y[i]);
    DELETE_ARRAY(x, count);
    DELETE_ARRAY(y, count);
    return same;
}

const char *state_difference(struct view one, struct view other) {
    const struct state *a = one.state, *b = other.state;
    const char *difference = frames_difference(one, &a->frames, other, &b->frames);
    if (!difference) difference = memory_difference(one, other);
    if (!difference) difference = tasks_difference(one, a->threads.waiting, other, b->threads.waiting);
    if (difference) return difference;
    if (!same_trail(a->history.decisions, b->history.decisions)) return "other decisions";
    if (a->history.repeated != b->history.repeated || a->history.excluded != b->history.excluded)
        return "another instruction is repeated";
    if (!same_trail(a->history.kernel_choices, b->history.kernel_choices) ||
        a->history.kernel_choice_count != b->history.kernel_choice_count)
        return "other choices";
    if (shared_list_count(a->history.events) != shared_list_count(b->history.events)) return "other events";
    if (!same_inputs(a, b)) return "other inputs";
    if (a->threads.task != b->threads.task || a->threads.process != b->threads.process ||
        a->threads.last_task != b->threads.last_task)
        return "another task runs";
    if (a->threads.stack_limit != b->threads.stack_limit || a->threads.block != b->threads.block ||
        a->threads.pointer != b->threads.pointer)
        return "another stack";
    if (a->objects.made != b->objects.made)
        return differ("%" PRIu64 " and %" PRIu64 " objects were made", a->objects.made, b->objects.made);
    if (a->start.environment != b->start.environment || a->start.around != b->start.around)
        return "another environment";
    return NULL;
}

// ---- path conditions

struct conditions {
    vec(Term) at;
};

static void collect(void *context, Term condition) {
    struct conditions *conditions = context;
    vec_push(&conditions->at, condition);
}

static bool has(const struct conditions *conditions, Term condition) {
    for (uint32_t i = 0; i < conditions->at.count; i++)
        if (conditions->at.at[i] == condition) return true;
    return false;
}

// Looks for a condition of `one` that is neither in `other` nor implied by it.
static const char *missing(struct terms *terms, struct solver *solver, const struct conditions *one,
                           const struct conditions *other, const struct path_condition *path, bool *same) {
    for (uint32_t i = 0; i < one->at.count; i++) {
        if (has(other, one->at.at[i])) continue;
        *same = false;
        if (solver_may_be_true(solver, path, term_not(terms, one->at.at[i]), NULL) != ANSWER_NO)
            return differ("condition %u of %u does not hold on the other path", i + 1, one->at.count);
    }
    return NULL;
}

const char *path_difference(struct terms *terms, struct solver *solver, const struct path_condition *a,
                            const struct path_condition *b, bool *same) {
    struct conditions of_a = {0}, of_b = {0};
    path_each(a, collect, &of_a);
    path_each(b, collect, &of_b);
    *same = true;
    const char *difference = a->contradiction != b->contradiction ? "one path contradicts itself" : NULL;
    if (!difference) difference = missing(terms, solver, &of_a, &of_b, b, same);
    if (!difference) difference = missing(terms, solver, &of_b, &of_a, a, same);
    vec_free(&of_a.at);
    vec_free(&of_b.at);
    return difference;
}

// ---- output for debugging

static void show_trail(const char *name, struct shared_list list) {
    uint32_t count = shared_list_count(list), *values = NEW_ARRAY(uint32_t, count);
    shared_list_copy(list, values);
    fprintf(stderr, "  %s:", name);
    for (uint32_t i = 0; i < count; i++) fprintf(stderr, " %x", values[i]);
    fprintf(stderr, "\n");
    DELETE_ARRAY(values, count);
}

void state_show(struct terms *terms, const char *name, const struct state *state) {
    const struct frame *frame = state->frames.depth ? frames_top(&state->frames) : NULL;
    struct conditions conditions = {0};
    fprintf(stderr, "%s at instruction %u of %s%s\n", name, frame ? frame->instruction : 0,
            frame ? frame->function->name : "nothing", state->waiting.condition ? ", pending" : "");
    show_trail("decisions", state->history.decisions);
    fprintf(stderr, "  repeated: %u words, %u of them exclusions\n", state->history.repeated,
            state->history.excluded);
    path_each(state->path, collect, &conditions);
    vec_each (Term, condition, &conditions.at) {
        struct text text = {0};
        term_print(terms, &text, *condition);
        fprintf(stderr, "  condition: %s\n", text.at);
        text_free(&text);
    }
    vec_free(&conditions.at);
}
