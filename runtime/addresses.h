// The address space of a program. It is the same in the VM (src/state) and in the exact build (runtime/native), so
// that a branch that depends on an address takes the same side in both. This file has only constants and pure
// functions.
//
// The stack ends at 2^40. The heap begins at 2^41: each size class owns a range of addresses, cut into slots of
// one size. A slot holds a record, then the object at its alignment, then a red zone. There are four classes for
// each doubling, from 128 bytes on. Slots are taken in order; freed ones wait in a queue before they are reused.
#ifndef TAMAR_ADDRESSES_H
#define TAMAR_ADDRESSES_H

#include <stdint.h>

#define STACK_TOP  ((uint64_t)1 << 40)
#define STACK_ROOM 64 // between the top and the uppermost string
#define STRING_GAP 80 // after each string of the command line and the environment
#define START_GAP  80 // between the strings and the arrays of pointers to them, and below these
// Stack bytes of a call beside its locals: less than any native frame,
// so that no program overflows its stack only in the VM.
#define CALL_COST  32
#define ALLOCA_GAP 64 // red zone on both sides of a dynamic alloca

#define HEAP_BASE       ((uint64_t)1 << 41)
#define HEAP_CLASSES    108
#define HEAP_CLASS_BITS 34 // log2 of the size of a class's address range
#define HEAP_SMALLEST   7  // the first class's slots have 2^7 bytes
#define HEAP_RECORD     64 // least number of bytes before an object
#define HEAP_BIGGEST    ((uint64_t)1 << 33)
#define HEAP_WAITING    16                  // least number of freed slots in a class's queue
#define HEAP_QUARANTINE ((uint64_t)4 << 20) // least number of bytes in the queue

static inline uint64_t heap_slot_size(unsigned class_) {
    uint64_t base = (uint64_t)1 << (HEAP_SMALLEST + class_ / 4);
    return base + (base / 4) * (class_ % 4);
}

// Returns the size class of an object. align: a power of two, at least 16.
static inline unsigned heap_class(uint64_t size, uint64_t align) {
    uint64_t red_zone = 16 + (size / 8 < 1024 ? size / 8 : 1024);
    uint64_t need = HEAP_RECORD + (align - 16) + size + red_zone;
    if (need <= (uint64_t)1 << HEAP_SMALLEST) return 0;
    unsigned top = 63 - (unsigned)__builtin_clzll(need - 1); // 2^top < need <= 2^(top + 1)
    uint64_t base = (uint64_t)1 << top, step = (need - base + base / 4 - 1) / (base / 4);
    return (top - HEAP_SMALLEST) * 4 + (unsigned)step;
}

// Returns the offset of the first slot in the class's range. The VM finds pages by the lowest bits of
// their numbers. The first pages of each class are used most: the offsets keep them from colliding.
static inline uint64_t heap_class_start(unsigned class_) { return (uint64_t)(class_ * 37) << 11; }

#endif
