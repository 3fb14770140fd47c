// Lazy initialization, for a start in the middle of a program: the parameters of the function are symbolic, and
// pointers get objects on first use (Otter 3.1.2). A pointer is null, or points to a new object of its type. For target
// types other than records, arrays and pointers the object has eight elements, and the pointer points to the first or
// the last one. For a target type without a known size the object has UNKNOWN_SIZE bytes.
//
// An unused pointer is an input of eight bytes. Its first use (a load of it, or entry to the function) forks: null, or
// the address of a new object. The pointer is then concrete; earlier copies are tied to it by the path condition.
#include "vm/choice.h"

#define ARRAY_ELEMENTS 8
#define UNKNOWN_SIZE   64 // bytes of the object for a pointer without a known target type

static const struct ir_type *type_at(const struct vm *vm, uint32_t type) {
    assert(type < vm->program->type_count);
    return &vm->program->types[type];
}

static uint32_t pointer_input(struct vm *vm, const char *name, uint32_t type) {
    assert(type_at(vm, type)->kind == IR_TYPE_POINTER);
    uint32_t input = vm_unique_input(vm, name, 8);
    *map_put(&vm->tables.lazy_inputs, input) = type_at(vm, type)->target + 1;
    return input;
}

static void fill_array(struct vm *vm, uint64_t address, uint32_t element, uint64_t size, const char *name) {
    const struct ir_type *of = type_at(vm, element);
    if (of->kind == IR_TYPE_SCALAR || of->kind == IR_TYPE_OTHER || !of->size) {
        vm_make_symbolic(vm, address, size, vm_unique_input(vm, name, (uint32_t)size), 0);
        return;
    }
    for (uint64_t i = 0; i < size / of->size; i++) {
        struct text text = {0};
        text_add(&text, "%s[%llu]", name, (unsigned long long)i);
        lazy_fill(vm, address + i * of->size, element, text.at);
        text_free(&text);
    }
}

// Padding between members stays zero.
void lazy_fill(struct vm *vm, uint64_t address, uint32_t type, const char *name) {
    const struct ir_type *of = type_at(vm, type);
    struct text text = {0};
    switch (of->kind) {
    case IR_TYPE_POINTER: vm_make_symbolic(vm, address, 8, pointer_input(vm, name, type), 0); break;
    case IR_TYPE_ARRAY: fill_array(vm, address, of->target, of->size, name); break;
    case IR_TYPE_RECORD:
        for (uint32_t i = 0; i < of->member_count; i++) {
            text_clear(&text);
            text_add(&text, "%s.%s", name, of->members[i].name);
            lazy_fill(vm, address + of->members[i].offset, of->members[i].type, text.at);
        }
        break;
    default:
        if (of->size)
            vm_make_symbolic(vm, address, of->size, vm_unique_input(vm, name, (uint32_t)of->size), 0);
        break;
    }
    text_free(&text);
}

bool lazy_pointer(struct vm *vm, Term term, uint32_t *type) {
    if (!vm->tables.lazy_inputs.count || term_width(vm->terms, term) != 64) return false;
    uint32_t var = varset_next(vm->terms, term_support(vm->terms, term), 0);
    if (var == VAR_NONE || terms_var_is_array(vm->terms, var)) return false;
    uint32_t input = terms_var_input(vm->terms, var);
    uint64_t *known = map_get(&vm->tables.lazy_inputs, input);
    if (!known || term_input_bits(vm->terms, input, 0, 8) != term) return false;
    *type = (uint32_t)*known - 1;
    return true;
}

static Term equals(struct vm *vm, Term pointer, uint64_t address) {
    return term_eq(vm->terms, pointer, term_const(vm->terms, 64, address));
}

// The object that a pointer points to.
struct lazy_object {
    uint64_t size;
    uint64_t last; // offset of the last element
    bool record;   // a single element: a record, an array or a pointer
};

static struct lazy_object object_of(const struct vm *vm, uint32_t type) {
    const struct ir_type *of = type_at(vm, type);
    bool record = of->kind == IR_TYPE_RECORD || of->kind == IR_TYPE_ARRAY || of->kind == IR_TYPE_POINTER;
    uint64_t element = of->size ? of->size : 1;
    uint64_t size = record ? element : of->size ? element * ARRAY_ELEMENTS : UNKNOWN_SIZE;
    return (struct lazy_object){size, record || !of->size ? 0 : size - element, record};
}

// Returns the address that the object will have; 0: it cannot be allocated.
static uint64_t address_of(const struct vm *vm, const struct lazy_object *object) {
    struct memory memory = memory_fork(vm->state->memory);
    uint64_t address = heap_alloc(&memory, object->size, 16, HEAP_SYSTEM, 0, 0, SHADOW_OK);
    memory_free(memory);
    return address;
}

static void make_object(struct vm *vm, Term pointer, uint32_t type, const struct lazy_object *object,
                        uint64_t expected) {
    uint64_t address = object_new_heap(vm->state, object->size, 16, HEAP_SYSTEM, 0, SHADOW_OK);
    assert(address == expected);
    uint32_t var = varset_next(vm->terms, term_support(vm->terms, pointer), 0);
    struct text name = {0};
    text_add(&name, "*%s", terms_input_name(vm->terms, terms_var_input(vm->terms, var)));
    if (object->record)
        lazy_fill(vm, address, type, name.at);
    else
        vm_make_symbolic(vm, address, object->size, vm_unique_input(vm, name.at, (uint32_t)object->size), 0);
    text_free(&name);
    vm_sync_translations(vm);
}

// Whether a copy of the pointer was bound to one value before; *value is that value. A fact (choice.h).
static enum step find_bound(struct vm *vm, Term pointer, bool *bound, uint64_t *value) {
    uint32_t word;
    enum step step;
    if (vm_is_recorded(vm, &step)) {
        vm_recall(vm, &word, 1);
        if (word) *value = vm_recall_number(vm);
        step = vm_recalled(vm);
        if (step != STEP_NEXT) return step;
    } else if (step == STEP_NEXT) {
        *value = solver_evaluate(vm->solver, vm->state->path, pointer);
        Term different = term_not(vm->terms, equals(vm, pointer, *value));
        word = solver_may_be_true(vm->solver, vm->state->path, different, NULL) == ANSWER_NO;
        vm_know(vm, &word, 1);
        if (word) vm_know_number(vm, *value);
    } else {
        return step;
    }
    *bound = word;
    return STEP_NEXT;
}

// Forks on whether the pointer has this address. An unused pointer is unconstrained or bound to one value, so the query
// is cheap, and neither state is made pending.
static enum step is_at(struct vm *vm, Term pointer, uint64_t address, bool *is) {
    struct choice choice = {.kind = CHOICE_PART, .term = equals(vm, pointer, address), .now = true};
    enum step step = vm_choose(vm, &choice);
    *is = choice.taken;
    return step;
}

enum step lazy_resolve(struct vm *vm, Term pointer, uint32_t type, uint64_t *value) {
    bool null, bound = false, first;
    enum step step = is_at(vm, pointer, 0, &null);
    *value = 0;
    if (step != STEP_NEXT || null) return step;
    step = find_bound(vm, pointer, &bound, value);
    if (step != STEP_NEXT || bound) return step;
    struct lazy_object object = object_of(vm, type);
    uint64_t address = address_of(vm, &object);
    if (!address) return vm_report_not_modelled(vm, "an object of that size");
    step = is_at(vm, pointer, address, &first);
    *value = first ? address : address + object.last;
    if (step == STEP_NEXT && !first) {
        struct choice last = {.kind = CHOICE_ASSUMPTION, .term = equals(vm, pointer, *value), .now = true};
        step = vm_choose(vm, &last);
    }
    if (step == STEP_NEXT) make_object(vm, pointer, type, &object, address);
    return step;
}

// ---- the start

// Makes the parameters inputs; pointers stay unused until the first instruction of the function.
static void set_parameters(struct vm *vm, struct frame *frame) {
    const struct ir_function *function = frame->function;
    for (uint32_t i = 0; i < function->parameter_slots; i++) {
        const struct ir_member *slot = function->slots ? &function->slots[i] : NULL;
        struct text name = {0};
        text_add(&name, "%s.%s", function->name, slot && *slot->name ? slot->name : "parameter");
        if (slot && slot->offset) text_add(&name, ".%llu", (unsigned long long)slot->offset);
        const struct ir_type *type = slot ? type_at(vm, slot->type) : NULL;
        uint32_t size = type && type->size ? (uint32_t)type->size : 8;
        uint32_t input = type && type->kind == IR_TYPE_POINTER ? pointer_input(vm, name.at, slot->type)
                                                               : vm_unique_input(vm, name.at, size);
        assert(size <= 8); // it fits a slot
        Term value = term_input_bits(vm->terms, input, 0, size);
        vm_set_register_term(vm, frame, i, 64, size < 8 ? term_zext(vm->terms, value, 64) : value);
        text_free(&name);
    }
    if (function->variadic) frame->registers[function->parameter_slots] = 0;
}

void vm_begin_at(struct vm *vm, const struct ir_function *function) {
    assert(vm->terms);
    vm_leave_frame(vm);
    struct frame *frame = vm_enter_frame(vm, function);
    assert(frame);
    if (!vm->coverage.functions[function->index]) vm_note_new_function(vm, function);
    vm->state->start.function = function->index + 1;
    vm->state->start.depth = vm->state->frames.depth;
    set_parameters(vm, frame);
    vm_sync_translations(vm);
    vm->watch.entries[function->index] = 1;
    vm->watch.began = true;
}

// Resolves the pointer parameters at the entry of the state's start function.
enum step lazy_enter(struct vm *vm) {
    struct frame *frame = frames_top(&vm->state->frames);
    if (vm->state->frames.depth != vm->state->start.depth || !frame->has_terms) return STEP_NEXT;
    for (uint32_t i = 0; i < frame->function->parameter_slots; i++) {
        uint32_t type;
        Term term = vm_slot_term(vm, frame_terms(frame)[i]);
        if (!term || !lazy_pointer(vm, term, &type)) continue;
        uint64_t value;
        enum step step = lazy_resolve(vm, term, type, &value);
        if (step != STEP_NEXT) return step;
        frame = frames_top(&vm->state->frames);
        frame->registers[i] = value;
        frame_terms(frame)[i] = 0;
        replay_begin_decisions(vm); // a state that re-executes this begins with the next parameter
    }
    return STEP_NEXT;
}
