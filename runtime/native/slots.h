// The program's heap natively: every object at the address at which the machine has it (runtime/addresses.h).
#ifndef TAMAR_NATIVE_SLOTS_H
#define TAMAR_NATIVE_SLOTS_H

#include <stddef.h>

struct slot { // the record in front of an object
    unsigned char *at;
    size_t size;
    int kind, freed;
    struct slot *next; // while it waits to be taken again
};

// A new object, of zero bytes; NULL when it cannot be had.
void *__tamar_native_slot_take(size_t size, size_t align, int kind);
// The slot in which this address lies, NULL: none that was ever taken.
struct slot *__tamar_native_slot_of(const void *p);
void __tamar_native_slot_free(struct slot *slot);

#endif
