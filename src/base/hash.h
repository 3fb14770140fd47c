// Hash functions, and a hash map from 64-bit keys to 64-bit values (open addressing; UINT64_MAX is not a valid key).
#ifndef TAMAR_HASH_H
#define TAMAR_HASH_H

#include "base/base.h"

static inline uint64_t hash_u64(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}
static inline uint64_t hash_combine(uint64_t h, uint64_t x) { return hash_u64(h * 0x9e3779b97f4a7c15u + x); }
uint64_t hash_bytes(const void *data, size_t size, uint64_t seed);

struct map {
    uint64_t *keys; // UINT64_MAX: empty
    uint64_t *values;
    uint32_t count, capacity; // capacity: a power of two, or 0
};

// A pointer to the value, valid until the next map_put. NULL: the key is absent.
uint64_t *map_get(const struct map *map, uint64_t key);
// A pointer to the value; an absent key is inserted with the value 0.
uint64_t *map_put(struct map *map, uint64_t key);
bool map_remove(struct map *map, uint64_t key);
void map_clear(struct map *map);
void map_free(struct map *map);

#endif
