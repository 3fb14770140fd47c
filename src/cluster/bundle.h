// States that nobody executes now, as the bytes that they came in: entries of the frontier in a stream of messages.
#ifndef TAMAR_CLUSTER_BUNDLE_H
#define TAMAR_CLUSTER_BUNDLE_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "message/message.h"

struct bundle {
    struct text stream;
    uint32_t first, count; // of the entries in the stream, those that the bundle has
};

typedef vec(struct bundle) bundles;
typedef vec(struct frontier_entry) entries;

// A copy of these bytes.
struct bundle bundle_of(const void *bytes, size_t size, uint32_t first, uint32_t count);
// A bundle of these entries.
struct bundle bundle_make(const struct frontier_entry *all, uint32_t count);
void bundle_free(struct bundle *bundle);
// Adds the bundle's entries, which live in the arena, to the list. The stream has been read without a problem before.
void bundle_read(const struct bundle *bundle, struct arena *arena, entries *to);

#endif
