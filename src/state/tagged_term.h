// A slot is a tagged term: the term of a symbolic register or byte, plus three tag bits. Equal values share a
// term; SLOT_CHANGED and SLOT_POINTER belong to the copy, and are copied with it. SLOT_ARRAY is for bytes of
// memory only: such a slot says where the byte's value is found, so that it must not be copied to another
// address.
#ifndef TAMAR_STATE_TAGGED_TERM_H
#define TAMAR_STATE_TAGGED_TERM_H

#include "base/base.h"

#define SLOT_CHANGED 0x80000000u // change taint: computed on a changed line, or from such a value

// The term is an array that holds the content of the byte's object (vm/object_array.h).
#define SLOT_ARRAY 0x40000000u
// A pointer whose object differs from the one that its value points to. The other bits are an index into the
// VM's table of pointers (vm/provenance.h), which has the term, if the pointer is symbolic. Without this tag
// they are the term.
#define SLOT_POINTER 0x20000000u

#endif
