// The program's heap in native builds: every object has the address that it has in the VM (runtime/addresses.h).
#ifndef TAMAR_NATIVE_SLOTS_H
#define TAMAR_NATIVE_SLOTS_H

#include <stddef.h>

struct slot { // the record before an object
    unsigned char *at;
    size_t size;
    int kind, freed;
    struct slot *next; // next slot in the queue of freed slots
};

// Returns a new zeroed object; NULL on failure.
void *__tamar_native_slot_take(size_t size, size_t align, int kind);
// Returns the slot that contains this address, NULL: none that was ever taken.
struct slot *__tamar_native_slot_of(const void *p);
void __tamar_native_slot_free(struct slot *slot);

#endif
