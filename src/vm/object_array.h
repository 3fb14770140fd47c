// Objects whose content is an array term.
//
// A write at a symbolic offset with many possible values is a store on an array, not an ite in each byte that it may
// hit. These bytes carry the array in their slots (SLOT_ARRAY, state/tagged_term.h): byte k of the object is then
// byte k % w of element k / w, where w is the size of an element. Invariants:
// 1. All array slots of an object hold the same term: the content after the last store.
// 2. A byte without an array slot has its value in the page. It is newer than the array, or was never in it. A later
//    store that may hit it writes it into the array first.
// So a concrete write takes its bytes out of the array at no cost. When all its bytes have been overwritten, the object
// no longer has an array. Forks share arrays as they share terms; the collector of terms finds them in the slots.
#ifndef TAMAR_VM_OBJECT_ARRAY_H
#define TAMAR_VM_OBJECT_ARRAY_H

#include "vm/vm_int.h"

// The offsets that an access may have in an object. They are multiples of `stride`, a power of two.
struct window {
    uint64_t low, high, stride; // first and last offset
};

// Whether the content of the object can become an array. That of an ended part of a stack cannot, nor that of a part of
// a mapping that has its own access rights. If the object is large, all its bytes except a few must be unset or equal.
bool object_array_possible(const struct vm *vm, const struct object *object);
// Returns the array that holds bytes of the object from `low` to `high`; 0: there is none.
Term object_array_find(struct vm *vm, const struct object *object, uint64_t low, uint64_t high);
// Returns the value at a symbolic offset in the window. Array 0: the content of the pages.
Term object_array_read(struct vm *vm, const struct object *object, Term array, struct window window,
                       Term offset, unsigned size);
// Returns `count` elements from an address on as a table of constants, with stores of those that are not concrete.
// Returns 0 if more than 32 are not concrete, or if any is not and there are fewer than 256 elements (2 in the build of
// `make hostile`). Indices count from the address.
Term object_array_table(struct vm *vm, uint64_t first, uint32_t count, unsigned size);
// Writes at a symbolic offset in the window, under the condition.
void object_array_write(struct vm *vm, const struct object *object, struct window window, Term offset,
                        Term condition, Term value, unsigned size);
// Gives each byte from `low` to `high` its own term instead of an array: this part of a mapping becomes a stack, with
// objects of its own.
void object_array_dissolve(struct vm *vm, const struct object *object, uint64_t low, uint64_t high);

// A block that is written into an object's array as a whole: a splice (expr.h).
struct array_block {
    uint64_t low, end;   // all bytes that it may hit are in this range
    Term offset, length; // in bytes, 64 bits; multiples of the source's elements
    Term source, first;  // an array, and the offset in it (in bytes) of the block's first byte
};
// Returns the size of the elements of the object's array; 0: it has none.
unsigned object_array_element(struct vm *vm, const struct object *object);
// Returns the number of bytes from `low` to `high` that are held in the array; counting stops at `most`.
uint64_t object_array_count(const struct vm *vm, const struct object *object, uint64_t low, uint64_t high,
                            uint64_t most);
// Returns the bytes from `low` to `high` as an array of elements of this size, which divides the element size of the
// object's array. Indices count from the object's start; elements outside of the range are never read.
Term object_array_content(struct vm *vm, const struct object *object, uint64_t low, uint64_t high,
                          unsigned element);
void object_array_splice(struct vm *vm, const struct object *object, const struct array_block *block);
// Returns the byte at an address whose slot is an array. The state need not be the running one.
Term object_array_byte(struct vm *vm, const struct state *state, uint64_t address, uint32_t slot);
// Returns the byte for a slot of any kind; 0: the byte is not symbolic.
static inline Term byte_of_slot(struct vm *vm, const struct state *state, uint64_t address, uint32_t slot) {
    return UNLIKELY(slot & SLOT_ARRAY) ? object_array_byte(vm, state, address, slot) : vm_slot_term(vm, slot);
}

#endif
