// What the cache in memory and the one on disk share: the name of the query under way.
#ifndef TAMAR_CACHE_INT_H
#define TAMAR_CACHE_INT_H

#include "solver/canonical.h"
#include "solver/solver_int.h"

// The name of the query, NULL when it has none; it stays with the cache until the next call.
const struct digest *cache_name(struct query *query);
// Values in the canonical order of the last name, tried: true when they satisfy the query (then `found` has
// them).
bool cache_take(struct query *query, const uint8_t *bytes, uint32_t count);
// The vars of the last name, in canonical order.
const var_list *cache_order(const struct query *query);

struct disk *disk_open(const char *file, size_t size);
void disk_close(struct disk *disk);
void disk_learn(struct query *query, enum answer answer);

// The same for answers of other explorations.
enum answer exchange_ask(struct query *query);
void exchange_tell(struct query *query, enum answer answer);

#endif
