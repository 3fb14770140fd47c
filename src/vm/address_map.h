// Addresses whose possible values are listed in their term: pointers read from a table of pointers, ites of listed
// pointers, and sums of a listed pointer and a constant.
//
// The values are constants at the leaves of the term. A function of the address is then the same term with each leaf
// replaced: the load of `table[k]->value` is a select at index k from the table of all these values. So no query finds
// the objects and no state forks, however many objects there are. Some of the values may be infeasible on the path.
#ifndef TAMAR_VM_ADDRESS_MAP_H
#define TAMAR_VM_ADDRESS_MAP_H

#include "vm/vm_int.h"

struct mapped_access {
    Term address;
    unsigned size;
    bool write;
};

// Whether the values of the pointer are listed, and few enough.
bool address_map_is_listed(struct vm *vm, Term pointer);
// Returns `pointer` with each listed value replaced by apply(context, value); all results have one width. Returns 0 if
// the values are not listed, or too deep in the term.
Term address_map_apply(struct vm *vm, Term pointer, Term (*apply)(void *, uint64_t), void *context);

// Whether the access can be made as a function of its address: the values are listed, few enough, and the access is
// valid at some of them.
bool address_map_possible(struct vm *vm, const struct mapped_access *access);
// Returns the kinds of errors at the listed values, one bit per kind (enum bug_kind).
uint32_t address_map_errors(struct vm *vm, const struct mapped_access *access);
// Returns the condition that the access is not an error of this kind.
Term address_map_is_good(struct vm *vm, const struct mapped_access *access, enum bug_kind kind);
// Load and store. The caller has checked address_map_is_good, so values at which the access is an error are ignored.
Term address_map_load(struct vm *vm, const struct mapped_access *access);
void address_map_store(struct vm *vm, const struct mapped_access *access, Term value);

#endif
