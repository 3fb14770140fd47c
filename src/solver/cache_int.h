// Shared by the layers `cache` (in memory) and `disk`: the name of the current query.
#ifndef TAMAR_CACHE_INT_H
#define TAMAR_CACHE_INT_H

#include "solver/canonical.h"
#include "solver/solver_int.h"

// Returns the name of the query, or NULL if it has none. The cache owns it until the next call.
const struct digest *cache_name(struct query *query);
// Returns the name that the layer `cache` has given the query. That layer must be on; it precedes the layer `disk`.
const struct digest *cache_last_name(const struct query *query);
// Tries values of the vars of the last named query, in canonical order. True: they satisfy it and are in `found`.
bool cache_take(struct query *query, const uint8_t *bytes, uint32_t count);
// The vars of the last named query, in canonical order.
const var_list *cache_order(const struct query *query);

struct disk *disk_open(const char *file, size_t size);
void disk_close(struct disk *disk);
void disk_learn(struct query *query, enum answer answer);
// The table of answers that processes share, or NULL.
struct shared_answers *cache_shared(const struct solver *solver);

#endif
