// What stands beside a register or a byte whose value is symbolic: its term, and one bit that is not the term's. Terms are
// shared by all values that are equal; the bit belongs to the value in this place alone, and travels with it whenever
// it is copied.
#ifndef TAMAR_STATE_SLOT_H
#define TAMAR_STATE_SLOT_H

#include "base/base.h"

#define SLOT_NEW 0x80000000u // made by a changed line of the source, or from a value that was

static inline uint32_t slot_term(uint32_t slot) { return slot & ~SLOT_NEW; }

#endif
