// The object that a pointer belongs to, where it depends on the value of the pointer's base (provenance.h).
#ifndef TAMAR_VM_POINTER_BASE_H
#define TAMAR_VM_POINTER_BASE_H

#include "vm/vm_int.h"

// Whether parts of a mapping have been unmapped or protected. Then a check of its bounds is not enough.
bool pointer_base_is_partly_mapped(const struct vm *vm, const struct object *object);
// Returns the object whose bounds decide whether an access is valid: `owner`, or if that is a mapping, a copy of it in
// *mapping with its current `readonly`. NULL: there is no owner, or parts of the mapping are not accessible.
const struct object *pointer_base_whole(struct vm *vm, const struct object *owner, struct object *mapping);

// Finds the object for one value of a base. Returns false if it is not known.
bool pointer_base_object(struct vm *vm, uint64_t value, struct object *object);
// Sets start and size of the object as functions of a base with listed values (address_map.h). For a value whose object
// is not known, they cover all addresses. Returns false if the values are not listed.
bool pointer_base_bounds(struct vm *vm, Term base, Term *start, Term *size);
// Checks an access against the object of its pointer's base; `base` may be 0. Errors of pointers whose object is not
// known are left to the check of the address, which distinguishes their kinds.
enum step pointer_base_check(struct vm *vm, Term base, Term address, unsigned size, bool write);

#endif
