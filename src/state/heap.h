// The allocator of the program under test. Its records live in the program's own memory (unaddressable for
// the program), so that a fork of the memory forks the heap too, and nothing has to be copied.
//
// Each size class owns a range of addresses, divided into slots of one size: the object of an address is
// found by a division. A slot holds the record, the object and red zones. Freed slots wait in a queue before
// they are reused; the pages of large ones are freed at once. runtime/addresses.h has the numbers: natively
// objects lie at the same addresses.
#ifndef TAMAR_STATE_HEAP_H
#define TAMAR_STATE_HEAP_H

#include "../runtime/addresses.h"
#include "../runtime/boundary.h"
#include "state/memory.h"

// A freed slot is reused only while the queue of its size class holds more than HEAP_WAITING slots and more bytes than
// this.
#define QUARANTINE NORMAL_OR_HOSTILE(HEAP_QUARANTINE, (uint64_t)1 << 10)
// The kernel's own range: its content is common to all processes of a state (tasks.h).
#define KERNEL_SIZE ((uint64_t)1 << 39)
#define KERNEL_BASE (HEAP_BASE - KERNEL_SIZE)

enum heap_kind {
    HEAP_MALLOC = __TAMAR_HEAP,
    HEAP_MAPPED = __TAMAR_MAPPED,
    HEAP_SYSTEM = __TAMAR_SYSTEM,
    HEAP_KERNEL = __TAMAR_KERNEL, // in the kernel's range
    HEAP_SHARED = __TAMAR_SHARED, // mapped, in the kernel's range
    HEAP_ZEROED = __TAMAR_ZEROED, // recorded as HEAP_MALLOC
    HEAP_THREAD_BLOCK,            // thread-local variables; only the engine allocates this kind
};
static inline bool heap_is_mapped(uint32_t kind) { return kind == HEAP_MAPPED || kind == HEAP_SHARED; }

struct heap_object {
    uint64_t address, size;
    uint32_t kind; // enum heap_kind
    uint32_t freed;
    uint32_t allocated_at, freed_at; // call sites (site.h), 0: unknown
    uint64_t next_free;              // next slot of the quarantine
    uint64_t identity;               // objects.h
    uint32_t bound; // term of a symbolic size that is at most `size`; 0: the size is concrete
};

// Allocates an object, filled with zeros, with this shadow (0 or SHADOW_UNINIT); returns 0 if it does not fit.
// `align`: a power of two. object_new_heap chooses the identity.
uint64_t heap_alloc(struct memory *memory, uint64_t size, uint64_t align, enum heap_kind kind, uint32_t site,
                    uint64_t identity, uint8_t shadow);
// Gives the object a symbolic size, from `least` to the size it was allocated with. Bytes from `least` on get
// the shadow SHADOW_BOUND.
void heap_set_bound(struct memory *memory, uint64_t address, uint64_t least, uint32_t term);
// Finds the object whose slot contains the address, which may be in a red zone. The object may be freed.
bool heap_find(struct memory memory, uint64_t address, struct heap_object *object);
// Finds the slot that contains the address: its first address, and the distance from there to its last one. A slot
// holds one object at a time and never moves.
void heap_slot_range(uint64_t address, uint64_t *low, uint64_t *span);
// Like heap_slot_range, for any address; reads no memory. Returns false if no slot of the program's heap contains the
// address, or if the slot could hold a mapping, which may contain other objects (the stack of a thread).
bool heap_small_slot(uint64_t address, uint64_t *low, uint64_t *span);
// Whether two addresses lie in the same granule, in the range of a small size class (whose slots hold no mapping).
// Slots begin at multiples of the granule, so the addresses are then in the same slot, or both in none. Cheaper
// than heap_small_slot, and enough for most members of small structs.
#define HEAP_GRANULE       32u
#define HEAP_SMALL_CLASSES 21 // slots of at most 4,096 bytes: a mapping, which has whole pages, does not fit
static inline bool heap_is_one_granule(uint64_t a, uint64_t b) {
    return (a ^ b) < HEAP_GRANULE && a - HEAP_BASE < (uint64_t)HEAP_SMALL_CLASSES << HEAP_CLASS_BITS;
}
// Frees the live object that starts at this address.
void heap_free(struct memory *memory, uint64_t address, uint32_t site);
// Visits every live object of the program's own heap, in order of address.
void heap_each(struct memory memory, void (*visit)(void *argument, const struct heap_object *object),
               void *argument);

#endif
