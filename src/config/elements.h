// Bit sets of one size: the elements that a path covers, or the paths consistent with a predicate.
#ifndef TAMAR_CONFIG_ELEMENTS_H
#define TAMAR_CONFIG_ELEMENTS_H

#include "base/arena.h"

static inline uint32_t elements_words(uint32_t count) { return (count + 63) / 64; }
static inline uint64_t *elements_new(struct arena *arena, uint32_t count) {
    return ARENA_ARRAY(arena, uint64_t, MAX(elements_words(count), 1u)); // zeroed
}
static inline bool elements_has(const uint64_t *set, uint32_t i) { return set[i / 64] >> i % 64 & 1; }
static inline void elements_add(uint64_t *set, uint32_t i) { set[i / 64] |= 1ull << i % 64; }

static inline void elements_join(uint64_t *set, const uint64_t *other, uint32_t count) {
    for (uint32_t i = 0; i < elements_words(count); i++) set[i] |= other[i];
}
static inline void elements_meet(uint64_t *set, const uint64_t *other, uint32_t count) {
    for (uint32_t i = 0; i < elements_words(count); i++) set[i] &= other[i];
}
static inline void elements_take_away(uint64_t *set, const uint64_t *other, uint32_t count) {
    for (uint32_t i = 0; i < elements_words(count); i++) set[i] &= ~other[i];
}
// Returns the number of elements in [from, to).
static inline uint32_t elements_count(const uint64_t *set, uint32_t from, uint32_t to) {
    uint32_t found = 0;
    for (uint32_t i = from; i < to;) {
        uint32_t end = MIN(to, (i / 64 + 1) * 64);
        uint64_t word = set[i / 64] >> i % 64;
        if (end - i < 64) word &= (1ull << (end - i)) - 1;
        found += (uint32_t)__builtin_popcountll(word);
        i = end;
    }
    return found;
}

#endif
