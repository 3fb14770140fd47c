// What stands beside a register or a byte whose value is symbolic: its term, and two bits that are not the term's. Terms are
// shared by all values that are equal; SLOT_NEW belongs to the value in this place alone, and travels with it whenever
// it is copied. SLOT_ARRAY is for bytes of memory only: such a slot says where the byte is found, not what it is, so that it
// must not be copied to another address.
#ifndef TAMAR_STATE_SLOT_H
#define TAMAR_STATE_SLOT_H

#include "base/base.h"

#define SLOT_NEW 0x80000000u // made by a changed line of the source, or from a value that was

#define SLOT_ARRAY                                                                                           \
    0x40000000u // the term is an array that holds the content of the byte's object (vm/object_array.h)

static inline uint32_t slot_term(uint32_t slot) { return slot & ~(SLOT_NEW | SLOT_ARRAY); }

#endif
