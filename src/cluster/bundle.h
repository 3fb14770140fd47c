// States that are not being executed, in serialized form: frontier entries in a stream of messages.
#ifndef TAMAR_CLUSTER_BUNDLE_H
#define TAMAR_CLUSTER_BUNDLE_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "message/message.h"

struct bundle {
    struct text stream;
    uint32_t first, count; // the range of the stream's entries that belongs to the bundle
};

typedef vec(struct bundle) bundles;
typedef vec(struct frontier_entry) entries;

// Returns a bundle with a copy of these bytes.
struct bundle bundle_of(const void *bytes, size_t size, uint32_t first, uint32_t count);
// Returns a bundle that serializes these entries.
struct bundle bundle_make(const struct frontier_entry *all, uint32_t count);
void bundle_free(struct bundle *bundle);
// Appends the bundle's entries, allocated in the arena, to the list. The stream must have been validated before.
void bundle_read(const struct bundle *bundle, struct arena *arena, entries *to);
// Sets `part` to the entries that the receiver `number` of `parts` gets if the list is dealt out one by one.
void bundle_deal(const entries *all, uint32_t number, uint32_t parts, entries *part);

#endif
