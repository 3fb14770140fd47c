// What stands beside a register or a byte whose value is symbolic: its term, and three bits that are not the term's. Terms are
// shared by all values that are equal; SLOT_NEW and SLOT_POINTER belong to the value in this place alone, and travel with it whenever
// it is copied. SLOT_ARRAY is for bytes of memory only: such a slot says where the byte is found, not what it is, so that it
// must not be copied to another address.
#ifndef TAMAR_STATE_SLOT_H
#define TAMAR_STATE_SLOT_H

#include "base/base.h"

#define SLOT_NEW 0x80000000u // made by a changed line of the source, or from a value that was

#define SLOT_ARRAY                                                                                           \
    0x40000000u // the term is an array that holds the content of the byte's object (vm/object_array.h)
// A pointer whose object is not the one that its value says: the other bits are an index into the machine's table of
// pointers (vm/provenance.h), which has the term, if it is symbolic. Else they are the term.
#define SLOT_POINTER 0x20000000u

#endif
