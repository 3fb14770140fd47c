// The first PRINTED_MOST bytes that a path wrote to standard output and standard error. A list of writes; forks share
// their common prefix.
#ifndef TAMAR_STATE_PRINTED_H
#define TAMAR_STATE_PRINTED_H

#include "base/base.h"

#define PRINTED_MOST 4096u // bytes kept per path, both streams together

// One write. Immutable, and shared by all paths that made it.
struct printed_write {
    uint32_t references;
    uint32_t epoch;               // epoch of the last traversal of terms
    struct printed_write *before; // NULL: the first one
    uint32_t total;               // bytes of this write and of those before it
    uint32_t count;               // bytes
    uint32_t length;              // 64-bit term: how many of the bytes were written; 0: all of them
    uint8_t stream;               // 1: standard output, 2: standard error
    bool symbolic;                // `terms` has a term of 8 bits for each byte, else `bytes` has the bytes
    union {
        uint8_t bytes[0];
        uint32_t terms[0];
    };
};

struct printed {
    struct printed_write *last; // NULL: none
    bool cut;                   // bytes that were written, or may have been, are not kept
};

// Returns the number of bytes that can still be kept.
uint32_t printed_room(const struct printed *printed);
// Appends a write of `count` bytes, at most printed_room; the caller fills in `bytes` or `terms`.
struct printed_write *printed_add(struct printed *printed, unsigned stream, uint32_t count, bool symbolic);
struct printed printed_fork(struct printed printed);
void printed_free(struct printed printed);
// Calls `each` for the terms of all writes that were not visited in this epoch.
void printed_each_term(struct printed printed, uint32_t epoch, void (*each)(void *context, uint32_t term),
                       void *context);

#endif
