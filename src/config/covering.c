#include "config/covering.h"

#include "base/vec.h"

#include <string.h>

struct packing {
    struct arena *arena;
    const struct config_space *space;
    unsigned kind;
    vec(struct configuration) configurations;
};

static uint32_t new_elements(const struct packing *p, const uint64_t *set, const uint64_t *covered) {
    uint32_t found = 0;
    for (uint32_t i = kind_start(p->space, p->kind); i < p->space->kind_end[p->kind]; i++)
        if (elements_has(set, i) && !elements_has(covered, i))
            found += p->space->weight ? p->space->weight[i] : 1;
    return found;
}

// Returns the interaction that guarantees most uncovered elements; NULL: none guarantees anything new.
static const struct predicate *best(const struct packing *p, const struct interactions *interactions,
                                    const uint64_t *covered) {
    const struct predicate *found = NULL;
    uint32_t most = 0;
    for (uint32_t i = 0; i < interactions->count; i++) {
        uint32_t number = new_elements(p, interactions->all[i]->guaranteed, covered);
        if (number > most) most = number, found = interactions->all[i];
    }
    return found;
}

static bool agrees(const struct packing *p, const struct configuration *configuration,
                   const struct predicate *with) {
    for (uint32_t i = 0; i < with->strength; i++) {
        uint32_t chosen = configuration->chosen[p->space->options.option_of[with->settings[i]]];
        if (chosen != UINT32_MAX && chosen != with->settings[i]) return false;
    }
    return true;
}

static struct configuration *open_configuration(struct packing *p) {
    uint32_t options = p->space->options.option_count;
    struct configuration made = {.chosen = ARENA_ARRAY(p->arena, uint32_t, options + 1),
                                 .settings = ARENA_ARRAY(p->arena, uint32_t, options + 1)};
    memset(made.chosen, 0xff, options * sizeof *made.chosen);
    vec_push(&p->configurations, made);
    return vec_last(&p->configurations);
}

static void pack(struct packing *p, const struct predicate *interaction) {
    struct configuration *into = NULL;
    vec_each (struct configuration, configuration, &p->configurations)
        if (!into && agrees(p, configuration, interaction)) into = configuration;
    if (!into) into = open_configuration(p);
    for (uint32_t i = 0; i < interaction->strength; i++)
        into->chosen[p->space->options.option_of[interaction->settings[i]]] = interaction->settings[i];
}

static void complete(struct packing *p, struct configuration *configuration, const uint32_t *defaults) {
    const struct config_space *space = p->space;
    for (uint32_t i = 0; i < space->options.option_count; i++)
        configuration->settings[i] =
            configuration->chosen[i] == UINT32_MAX ? defaults[i] : configuration->chosen[i];
    configuration->coverage =
        interactions_guaranteed(p->arena, space, configuration->settings, space->options.option_count);
}

static void note_added(struct packing *p, struct configuration *configuration, uint64_t *covered) {
    const struct config_space *space = p->space;
    uint64_t *fresh = elements_new(p->arena, space_elements(space));
    elements_join(fresh, configuration->coverage, space_elements(space));
    elements_take_away(fresh, covered, space_elements(space));
    for (unsigned k = 0; k < CONFIG_KINDS; k++)
        configuration->added[k] = interactions_space_count(space, fresh, k);
    elements_join(covered, configuration->coverage, space_elements(space));
}

// Sorts by added coverage and drops configurations that add nothing. With open options at their defaults, a
// configuration may cover elements that another was made for.
static void order(struct packing *p, uint64_t *covered) {
    uint32_t kept = 0;
    for (; kept < p->configurations.count; kept++) {
        uint32_t most = 0, at = kept;
        for (uint32_t i = kept; i < p->configurations.count; i++) {
            uint32_t number = new_elements(p, p->configurations.at[i].coverage, covered);
            if (number > most) most = number, at = i;
        }
        if (!most && kept) break; // at least one is kept
        struct configuration chosen = p->configurations.at[at];
        memmove(&p->configurations.at[kept + 1], &p->configurations.at[kept], (at - kept) * sizeof chosen);
        p->configurations.at[kept] = chosen;
        note_added(p, &p->configurations.at[kept], covered);
    }
    p->configurations.count = kept;
}

struct covering *covering_find(struct arena *arena, const struct config_space *space,
                               const struct interactions *interactions, unsigned kind,
                               const uint32_t *defaults) {
    struct packing p = {.arena = arena, .space = space, .kind = kind};
    uint32_t elements = space_elements(space);
    uint64_t *covered = interactions_guaranteed(arena, space, NULL, 0);
    for (const struct predicate *next; (next = best(&p, interactions, covered));) {
        pack(&p, next);
        elements_join(covered, next->guaranteed, elements);
    }
    if (!p.configurations.count) open_configuration(&p); // no option matters: any configuration is enough
    struct covering *covering = ARENA_ARRAY(arena, struct covering, 1);
    memset(covered, 0, elements_words(elements) * sizeof *covered);
    vec_each (struct configuration, configuration, &p.configurations) complete(&p, configuration, defaults);
    order(&p, covered);
    covering->count = p.configurations.count;
    covering->at = ARENA_ARRAY(arena, struct configuration, covering->count);
    memcpy(covering->at, p.configurations.at, covering->count * sizeof *covering->at);
    uint64_t *missed = elements_new(arena, elements);
    elements_join(missed, interactions->reached, elements);
    elements_take_away(missed, covered, elements);
    for (unsigned k = 0; k < CONFIG_KINDS; k++)
        covering->missed[k] = interactions_space_count(space, missed, k);
    vec_free(&p.configurations);
    return covering;
}
