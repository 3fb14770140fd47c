// A small set of configurations that covers everything that some configuration covers (Otter 4.7.3).
#ifndef TAMAR_CONFIG_COVERING_H
#define TAMAR_CONFIG_COVERING_H

#include "config/interactions.h"

struct configuration {
    uint32_t *chosen;             // by option: a setting; UINT32_MAX: the interactions leave it open
    uint32_t *settings;           // by option: as `chosen`, with the default for open options
    uint64_t *coverage;           // coverage guaranteed by `settings`
    uint32_t added[CONFIG_KINDS]; // elements that no earlier configuration covers
};

struct covering {
    struct configuration *at;
    uint32_t count;
    // Number of elements that some path covers and this set does not; 0 unless the search for interactions was cut.
    uint32_t missed[CONFIG_KINDS];
};

// Finds such a set greedily, for one kind of coverage: the interaction that guarantees most uncovered elements is added
// to the first configuration that is compatible with it. `defaults`: a setting for each option. Configurations are
// sorted by the coverage they add. Each adds something, unless it is the only one.
struct covering *covering_find(struct arena *arena, const struct config_space *space,
                               const struct interactions *interactions, unsigned kind,
                               const uint32_t *defaults);

#endif
