// A slot is a tagged term: the term of a symbolic register or byte, plus three tag bits. Equal values share a
// term, but not their tags. SLOT_CHANGED and SLOT_POINTER are copied with the value. SLOT_ARRAY is for bytes of
// memory only: the byte's value is an element of the array, at an index that its address determines. So the slot
// must not be copied to another address. The term itself is below TERM_LIMIT (expr/expr.h).
#ifndef TAMAR_STATE_TAGGED_TERM_H
#define TAMAR_STATE_TAGGED_TERM_H

#include "base/base.h"

#define SLOT_CHANGED 0x80000000u // change taint: computed on a changed line, or from such a value

// The term is an array that holds the content of the byte's object (vm/object_array.h).
#define SLOT_ARRAY 0x40000000u
// A pointer with an origin: its address does not tell which object it belongs to. The bits that otherwise hold the term
// are then an index into the VM's table of pointers (vm/provenance.h). That table has the term of a symbolic pointer.
#define SLOT_POINTER 0x20000000u

#endif
