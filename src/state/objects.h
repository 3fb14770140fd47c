// The table of objects: which object an address belongs to.
//
// An object has an identity, a start, a size (or a size term), a kind, a lifetime and a content. Each is
// recorded where storing it is cheapest, so that a fork copies nothing and the fast path of an access is not
// affected:
//
//   global                    the program's own table: no cost per state
//   heap, mapping, kernel     records in front of the objects, in the program's memory (heap.h)
//   fixed local               the frame and its function's table of allocas (frames.h)
//   dynamic alloca            a persistent list beside the frames (frames.h)
//   start of the program      a shared array: strings of the command line and the environment, and their list;
//                             also objects at addresses that the program chose
//
// A reader sees one table. Shadow bytes (memory.h) show whether a byte may be accessed, at the cost of one comparison.
// This table shows which object an address is in. It is consulted only if an address is symbolic, an access is invalid,
// pointer arithmetic leaves the known ranges (vm/provenance.h), or an object is freed. Both must agree: every byte of a
// live object is accessible (of a mapping: where it is mapped), and an ended object has no accessible byte.
//
// Identities are numbers in creation order on this path. A state that is rebuilt from its decisions makes the
// same objects in the same order, so it gives them the same numbers. Globals come first, by their index. A
// local keeps its number over all scopes within one activation of its function. No number is used twice on a
// path: an address that is allocated again belongs to another object.
//
// The content is in the pages, as bytes and terms. If the content is one array term, the slots of the bytes refer to
// that term (vm/object_array.h).
#ifndef TAMAR_STATE_OBJECTS_H
#define TAMAR_STATE_OBJECTS_H

#include "state/state.h"

enum object_kind {
    OBJECT_GLOBAL,
    OBJECT_LOCAL,        // at a fixed offset in its frame
    OBJECT_ALLOCA,       // variable-length array, alloca()
    OBJECT_HEAP,         // malloc, calloc and the like
    OBJECT_SYSTEM,       // internal to the C library or the engine
    OBJECT_THREAD_BLOCK, // the thread-local variables of a thread
    OBJECT_KERNEL,       // internal to the modelled kernel
    OBJECT_MAPPING,      // mmap, private or shared
    OBJECT_STRING,       // string of the command line or the environment
    OBJECT_START_LIST,   // argc, argv, envp and the auxiliary vector, as the kernel leaves them
    OBJECT_FIXED,        // at an address that the program chose (klee_define_fixed_object)
    OBJECT_STACK,        // part of a stack whose objects have ended; which object it was is not recorded
};

enum object_life {
    OBJECT_LIVE,
    OBJECT_FREED,
    // A local: its scope has ended or not begun. A variable-length array: its scope has ended.
    OBJECT_OUT_OF_SCOPE,
    OBJECT_RETURNED, // its function has returned
};

struct object {
    uint64_t start, size;
    uint64_t identity; // 0: not known (OBJECT_STACK)
    enum object_kind kind;
    enum object_life life;
    bool readonly;
    uint32_t bound; // term of a symbolic size that is at most `size`; 0: the size is concrete
    uint32_t allocated_at, ended_at; // call sites (site.h), 0: unknown
    const struct ir_global *global;  // OBJECT_GLOBAL only, else NULL
    const struct ir_alloca *local;   // OBJECT_LOCAL only, with its function
    const struct ir_function *function;
};

// Whether the address lies in the object or just past its end, where pointers to the object may point.
static inline bool object_holds(const struct object *object, uint64_t address) {
    return address - object->start <= object->size;
}

// Finds the object, live or ended, that contains the address or whose red zone does. Returns false if there
// is none. A mapping is found whole, even if parts were unmapped or protected, and only if no other object
// (on a thread's stack) contains the address.
bool object_find(const struct state *state, uint64_t address, struct object *object);
// Finds the heap object, live or freed, whose slot contains the address; the kernel's heap is included. A mapping
// is found even if the address is in a thread's stack inside it.
bool object_find_heap(const struct state *state, uint64_t address, struct object *object);
// Finds the live object that the address lies in or just past. A mapping is narrowed to the bytes around the
// address with the same access rights.
bool object_at(const struct state *state, uint64_t address, struct object *object);
// Visits every live object of the program's own heap, mappings included, in order of address.
void object_each_heap(const struct state *state, void (*visit)(void *argument, const struct object *object),
                      void *argument);

// Allocates a heap object, filled with zeros, with this shadow (0 or SHADOW_UNINIT); returns 0 if it does not
// fit. `align`: a power of two.
uint64_t object_new_heap(struct state *state, uint64_t size, uint64_t align, enum heap_kind kind,
                         uint32_t site, uint8_t shadow);
// Adds an object that the program starts with, at a lower address than all that were added before.
void object_add_start(struct state *state, enum object_kind kind, uint64_t start, uint64_t size);
// Adds an object, filled with zeros, at a free address; other states keep their list.
void object_add_fixed(struct state *state, uint64_t start, uint64_t size);
// Sets the size term of an OBJECT_STRING or OBJECT_ALLOCA. It is stored as the term of the first byte past the
// object, where the collector of terms finds it.
void object_set_size_term(struct state *state, const struct object *object, uint32_t term);

#endif
