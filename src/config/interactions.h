// Guaranteed coverage and interactions (Otter 4.3).
//
// A setting is one value of one option, a predicate a set of settings of different options. A path is consistent
// with a predicate if some configuration that satisfies the predicate takes it. A test guarantees the elements that
// all its consistent paths cover; Cov(p) is the union over the tests. A predicate is an interaction (for one kind
// of coverage) if it guarantees an element that none of its subsets guarantees.
#ifndef TAMAR_CONFIG_INTERACTIONS_H
#define TAMAR_CONFIG_INTERACTIONS_H

#include "config/elements.h"

#define CONFIG_KINDS 4 // kinds of coverage, in the order of cover.h

// Settings are numbered over all options.
struct option_space {
    uint32_t option_count, setting_count;
    const uint32_t *option_of; // by setting: its option
    const uint32_t *first;     // by option: its first setting; [option_count] is setting_count
};

struct config_path {
    const uint64_t *coverage; // elements that it covers
    const uint64_t *allowed;  // settings that the path allows, each taken alone
    const uint32_t *part;     // by option: options of one part depend on each other in the path condition
};

struct config_test {
    const struct config_path *paths;
    uint32_t path_count;
};

struct config_space {
    struct option_space options;
    const struct config_test *tests;
    uint32_t test_count;
    uint32_t kind_end[CONFIG_KINDS]; // elements are numbered over all kinds; the last entry is their number
    const uint32_t *weight;          // by element: number of elements that it represents; NULL: 1 each
    // Whether a path allows these settings together. Called only if all of them are of one part.
    bool (*together)(void *context, uint32_t test, uint32_t path, const uint32_t *settings, uint32_t count);
    void *context;
    uint32_t most_predicates; // limit for each strength; 0: none
};

struct predicate {
    uint32_t strength;
    uint32_t *settings;            // ascending
    uint64_t *guaranteed;          // Cov(p)
    uint64_t **consistent;         // by test: the consistent paths
    uint32_t gained[CONFIG_KINDS]; // elements that no subset guarantees; not 0: this is an interaction
    bool closed;                   // more settings cannot guarantee more
};

struct strength {
    uint32_t looked_at; // predicates examined
    uint32_t interactions[CONFIG_KINDS];
    uint32_t guaranteed[CONFIG_KINDS]; // elements guaranteed by predicates up to this strength
};

struct interactions {
    struct predicate **all; // interactions of any kind, weakest first, then by their settings
    uint32_t count;
    struct strength *strengths; // [0] is Cov(true)
    uint32_t strength_count;
    uint64_t *reached;           // elements that some path covers
    uint32_t most[CONFIG_KINDS]; // sizes of `reached`
    bool cut;                    // the limit of predicates ended the search
};

// Searches until everything that some path covers is guaranteed, or no predicate can guarantee more.
// Allocates in the arena.
struct interactions *interactions_find(struct arena *arena, const struct config_space *space);

// Returns Cov(p) for any settings (of different options). Allocates in the arena.
uint64_t *interactions_guaranteed(struct arena *arena, const struct config_space *space,
                                  const uint32_t *settings, uint32_t count);

static inline uint32_t space_elements(const struct config_space *space) {
    return space->kind_end[CONFIG_KINDS - 1];
}
// Returns the weight of the elements of a kind in the set.
uint32_t interactions_space_count(const struct config_space *space, const uint64_t *set, unsigned kind);

static inline uint32_t kind_start(const struct config_space *space, unsigned kind) {
    return kind ? space->kind_end[kind - 1] : 0;
}

#endif
