#include "config/space_merge.h"

#include "base/alloc.h"
#include "base/hash.h"

#define NONE UINT32_MAX

struct merging {
    struct arena *arena;
    const struct config_space *space;
    uint64_t *column;         // by element: hash of the paths that cover it; 0: none
    uint32_t *class;          // by element: its class; NONE: no path covers it
    uint32_t *representative; // by class: one of its elements
    uint32_t *weight, count;  // by class: number of its elements; number of classes
};

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static void hash_columns(struct merging *m) {
    uint64_t number = 1;
    for (uint32_t t = 0; t < m->space->test_count; t++)
        for (uint32_t i = 0; i < m->space->tests[t].path_count; i++, number++) {
            const uint64_t *set = m->space->tests[t].paths[i].coverage;
            uint64_t hash = mix(number);
            for (uint32_t w = 0; w < elements_words(space_elements(m->space)); w++)
                for (uint64_t left = set[w]; left; left &= left - 1)
                    m->column[64 * w + (uint32_t)__builtin_ctzll(left)] += hash;
        }
}

// Compares the paths themselves: equal hashes are not a proof.
static bool same_column(const struct merging *m, uint32_t a, uint32_t b) {
    for (uint32_t t = 0; t < m->space->test_count; t++)
        for (uint32_t i = 0; i < m->space->tests[t].path_count; i++) {
            const uint64_t *set = m->space->tests[t].paths[i].coverage;
            if (elements_has(set, a) != elements_has(set, b)) return false;
        }
    return true;
}

static void find_classes(struct merging *m, uint32_t kind_end[CONFIG_KINDS]) {
    for (unsigned k = 0; k < CONFIG_KINDS; k++) {
        struct map known = {0}; // for this kind: hash -> class
        for (uint32_t e = kind_start(m->space, k); e < m->space->kind_end[k]; e++) {
            m->class[e] = NONE;
            if (!m->column[e]) continue;
            uint64_t key = m->column[e] >> 1; // no key is UINT64_MAX
            const uint64_t *found = map_get(&known, key);
            if (found && same_column(m, m->representative[*found], e)) {
                m->class[e] = (uint32_t)*found;
            } else {
                m->class[e] = m->count;
                m->representative[m->count] = e;
                if (!found) *map_put(&known, key) = m->count;
                m->count++;
            }
            m->weight[m->class[e]]++;
        }
        map_free(&known);
        kind_end[k] = m->count;
    }
}

static const uint64_t *merged_coverage(const struct merging *m, const uint64_t *coverage) {
    uint64_t *merged = elements_new(m->arena, m->count);
    for (uint32_t c = 0; c < m->count; c++)
        if (elements_has(coverage, m->representative[c])) elements_add(merged, c);
    return merged;
}

struct config_space config_merge(struct arena *arena, const struct config_space *space) {
    assert(!space->weight);
    uint32_t elements = space_elements(space);
    struct merging m = {.arena = arena,
                        .space = space,
                        .column = NEW_ARRAY(uint64_t, 64 * elements_words(elements)),
                        .class = NEW_ARRAY(uint32_t, elements),
                        .representative = NEW_ARRAY(uint32_t, elements),
                        .weight = ARENA_ARRAY(arena, uint32_t, elements + 1)};
    struct config_space merged = *space;
    hash_columns(&m);
    find_classes(&m, merged.kind_end);
    merged.weight = m.weight;
    struct config_test *tests = ARENA_ARRAY(arena, struct config_test, space->test_count + 1);
    for (uint32_t t = 0; t < space->test_count; t++) {
        const struct config_test *test = &space->tests[t];
        struct config_path *paths = ARENA_ARRAY(arena, struct config_path, test->path_count + 1);
        for (uint32_t i = 0; i < test->path_count; i++) {
            paths[i] = test->paths[i];
            paths[i].coverage = merged_coverage(&m, test->paths[i].coverage);
        }
        tests[t] = (struct config_test){paths, test->path_count};
    }
    merged.tests = tests;
    DELETE_ARRAY(m.column, 64 * elements_words(elements));
    DELETE_ARRAY(m.class, elements);
    DELETE_ARRAY(m.representative, elements);
    return merged;
}
