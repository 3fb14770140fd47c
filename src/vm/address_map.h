// Addresses whose possible values are listed in their term: a pointer that was read from a table of pointers, an ite
// between such pointers, a sum of one with a constant.
//
// The values are constants at the leaves of the term. A function of the address is then the same term with each leaf
// replaced: the load of `table[k]->value` is a select at index k from the table of all these values. So no object is
// asked for and no state forks, however many objects there are. The values may be more than the path permits.
#ifndef TAMAR_VM_ADDRESS_MAP_H
#define TAMAR_VM_ADDRESS_MAP_H

#include "vm/vm_int.h"

struct mapped_access {
    Term address;
    unsigned size;
    bool write;
};

// Whether the access can be made at all values of its address: they are listed, few enough, and not all of them
// are errors.
bool address_map_possible(struct vm *vm, const struct mapped_access *access);
// The kinds of errors at the listed values, one bit for each (enum bug_kind).
uint32_t address_map_errors(struct vm *vm, const struct mapped_access *access);
// The condition that the access is not an error of this kind.
Term address_map_is_good(struct vm *vm, const struct mapped_access *access, enum bug_kind kind);
// Loads and stores. Values at which the access is an error are ignored: the conditions above hold.
Term address_map_load(struct vm *vm, const struct mapped_access *access);
void address_map_store(struct vm *vm, const struct mapped_access *access, Term value);

#endif
