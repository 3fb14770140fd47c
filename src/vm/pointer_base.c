#include "vm/pointer_base.h"

#include "vm/address_map.h"
#include "vm/choice.h"
#include "vm/provenance.h"

bool pointer_base_is_partly_mapped(const struct vm *vm, const struct object *object) {
    struct object part, whole;
    if (object->kind != OBJECT_MAPPING) return false;
    return !object_find_heap(vm->state, object->start, &whole) || !object_at(vm->state, whole.start, &part) ||
           part.start > whole.start || part.start + part.size < whole.start + whole.size;
}

const struct object *pointer_base_whole(struct vm *vm, const struct object *owner, struct object *mapping) {
    struct object part;
    if (!owner || owner->kind != OBJECT_MAPPING) return owner;
    if (pointer_base_is_partly_mapped(vm, owner) || !object_at(vm->state, owner->start, &part)) return NULL;
    *mapping = *owner;
    mapping->readonly = part.readonly;
    return mapping;
}

bool pointer_base_object(struct vm *vm, uint64_t value, struct object *object) {
    struct object mapping;
    const struct object *whole = NULL;
    if (provenance_owner_of_address(vm, value, object)) whole = pointer_base_whole(vm, object, &mapping);
    if (whole) *object = *whole;
    return whole;
}

static Term start_of_value(void *context, uint64_t value) {
    struct vm *vm = context;
    struct object object;
    return term_const(vm->terms, 64, pointer_base_object(vm, value, &object) ? object.start : 0);
}

static Term size_of_value(void *context, uint64_t value) {
    struct vm *vm = context;
    struct object object;
    if (!pointer_base_object(vm, value, &object)) return term_const(vm->terms, 64, UINT64_MAX);
    return object.bound ? object.bound : term_const(vm->terms, 64, object.size);
}

bool pointer_base_bounds(struct vm *vm, Term base, Term *start, Term *size) {
    *start = address_map_apply(vm, base, start_of_value, vm);
    *size = *start ? address_map_apply(vm, base, size_of_value, vm) : 0;
    return *size;
}

struct based_access {
    Term base, address;
    unsigned size;
    bool write;
};

static void say_left_base(struct vm *vm, void *context) {
    const struct based_access *access = context;
    struct object object;
    uint64_t address = solver_evaluate(vm->solver, vm->state->path, access->address);
    uint64_t base = solver_evaluate(vm->solver, vm->state->path, access->base);
    if (pointer_base_object(vm, base, &object) && !object.bound)
        vm_report_left_object(vm, &object, address, access->size, access->write);
    else
        vm_report_outside(vm, address, access->size, access->write);
}

enum step pointer_base_check(struct vm *vm, Term base, Term address, unsigned size, bool write) {
    struct terms *terms = vm->terms;
    struct based_access access = {base, address, size, write};
    Term start, length;
    if (!base || !pointer_base_bounds(vm, base, &start, &length)) return STEP_NEXT;
    Term offset = term_sub(terms, address, start), wanted = term_const(terms, 64, size);
    Term good = term_and(terms, term_ult(terms, offset, length),
                         term_ule(terms, wanted, term_sub(terms, length, offset)));
    return vm_check(vm, "bounds of an access", good, say_left_base, &access);
}
