#include "base/hash.h"

#include "base/alloc.h"

#include <string.h>

#define EMPTY UINT64_MAX

uint64_t hash_bytes(const void *data, size_t size, uint64_t seed) {
    const uint8_t *p = data;
    uint64_t h = seed ^ (size * 0x9e3779b97f4a7c15u), word;
    for (; size >= 8; p += 8, size -= 8) {
        memcpy(&word, p, 8);
        h = hash_combine(h, word);
    }
    word = 0;
    if (size) memcpy(&word, p, size);
    return hash_combine(h, word);
}

static uint32_t slot_of(const struct map *map, uint64_t key) {
    uint32_t mask = map->capacity - 1, slot = (uint32_t)hash_u64(key) & mask;
    while (map->keys[slot] != EMPTY && map->keys[slot] != key) slot = (slot + 1) & mask;
    return slot;
}

uint64_t *map_get(const struct map *map, uint64_t key) {
    assert(key != EMPTY);
    if (!map->count) return NULL;
    uint32_t slot = slot_of(map, key);
    return map->keys[slot] == key ? &map->values[slot] : NULL;
}

static void grow(struct map *map) {
    struct map old = *map;
    map->capacity = old.capacity ? 2 * old.capacity : 16;
    map->keys = NEW_ARRAY(uint64_t, map->capacity);
    map->values = NEW_ARRAY(uint64_t, map->capacity);
    memset(map->keys, 0xff, map->capacity * sizeof *map->keys);
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.keys[i] != EMPTY) {
            uint32_t slot = slot_of(map, old.keys[i]);
            map->keys[slot] = old.keys[i];
            map->values[slot] = old.values[i];
        }
    DELETE_ARRAY(old.keys, old.capacity);
    DELETE_ARRAY(old.values, old.capacity);
}

uint64_t *map_put(struct map *map, uint64_t key) {
    assert(key != EMPTY);
    if (3 * (map->count + 1) > 2 * map->capacity) grow(map);
    uint32_t slot = slot_of(map, key);
    if (map->keys[slot] == EMPTY) {
        map->keys[slot] = key;
        map->values[slot] = 0;
        map->count++;
    }
    return &map->values[slot];
}

// Backward-shift deletion: the following entries of the probe sequence are moved up, so no tombstones are needed.
bool map_remove(struct map *map, uint64_t key) {
    if (!map->count) return false;
    uint32_t mask = map->capacity - 1, hole = slot_of(map, key);
    if (map->keys[hole] == EMPTY) return false;
    for (uint32_t next = (hole + 1) & mask; map->keys[next] != EMPTY; next = (next + 1) & mask) {
        uint32_t home = (uint32_t)hash_u64(map->keys[next]) & mask;
        if (((next - home) & mask) < ((next - hole) & mask)) continue;
        map->keys[hole] = map->keys[next];
        map->values[hole] = map->values[next];
        hole = next;
    }
    map->keys[hole] = EMPTY;
    map->count--;
    return true;
}

void map_clear(struct map *map) {
    if (map->capacity) memset(map->keys, 0xff, map->capacity * sizeof *map->keys);
    map->count = 0;
}

void map_free(struct map *map) {
    DELETE_ARRAY(map->keys, map->capacity);
    DELETE_ARRAY(map->values, map->capacity);
    *map = (struct map){0};
}
