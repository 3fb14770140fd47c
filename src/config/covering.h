// A small set of configurations that covers whatever any configuration covers (Otter 4.7.3).
#ifndef TAMAR_CONFIG_COVERING_H
#define TAMAR_CONFIG_COVERING_H

#include "config/interactions.h"

struct configuration {
    uint32_t *chosen;             // by option: a setting, UINT32_MAX: the interactions leave it open
    uint32_t *settings;           // by option: the same, open ones at their default
    uint64_t *coverage;           // guaranteed by `settings`
    uint32_t added[CONFIG_KINDS]; // elements that the configurations before it do not cover
};

struct covering {
    struct configuration *at;
    uint32_t count;
    uint32_t
        missed[CONFIG_KINDS]; // elements that some path covers and this set does not: 0 unless the search
                              // for interactions was cut
};

// Greedy, for one kind of coverage: the interaction that guarantees most of what is not covered yet joins the
// first configuration that agrees with it. `defaults`: a setting for each option. The configuration that adds most comes
// first; none adds nothing, unless it is the only one.
struct covering *covering_find(struct arena *arena, const struct config_space *space,
                               const struct interactions *interactions, unsigned kind,
                               const uint32_t *defaults);

#endif
