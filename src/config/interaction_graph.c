#include "config/interaction_graph.h"

#include "base/text.h"

// Selects the interactions needed for the share. Coverage that is guaranteed without settings counts from the
// start.
static void choose(struct arena *arena, const struct config_space *space,
                   const struct interactions *interactions, unsigned kind, double share, uint8_t *chosen) {
    uint64_t *guaranteed = interactions_guaranteed(arena, space, NULL, 0);
    for (uint32_t i = 0; i < interactions->count; i++) {
        uint32_t before = interactions_space_count(space, guaranteed, kind);
        if ((double)before >= share * interactions->most[kind]) return;
        if (!interactions->all[i]->gained[kind]) continue;
        elements_join(guaranteed, interactions->all[i]->guaranteed, space_elements(space));
        chosen[i] = interactions_space_count(space, guaranteed, kind) > before;
    }
}

static void add_node(struct text *to, uint32_t setting, const char *name, bool alone) {
    text_add(to, "  s%u [label=", setting);
    text_add_json(to, name);
    text_add(to, "%s];\n", alone ? ", style=filled, fillcolor=lightgrey" : "");
}

static void add_interaction(struct text *to, const struct predicate *p, uint32_t number, unsigned kind) {
    if (p->strength == 2) {
        text_add(to, "  s%u -- s%u [tooltip=\"%u more\"];\n", p->settings[0], p->settings[1],
                 p->gained[kind]);
    } else if (p->strength > 2) {
        text_add(to, "  i%u [shape=point, tooltip=\"%u more\"];\n", number, p->gained[kind]);
        for (uint32_t k = 0; k < p->strength; k++) text_add(to, "  i%u -- s%u;\n", number, p->settings[k]);
    }
}

uint32_t interaction_graph_add_dot(struct text *to, const struct config_space *space,
                                   const struct interactions *interactions, unsigned kind, double share,
                                   const char *const *names) {
    struct arena *arena = arena_new();
    uint8_t *chosen = ARENA_ARRAY(arena, uint8_t, interactions->count + 1);
    uint8_t *used =
        ARENA_ARRAY(arena, uint8_t, space->options.setting_count + 1); // 1: in an interaction, 2: alone
    uint32_t count = 0;
    choose(arena, space, interactions, kind, share, chosen);
    for (uint32_t i = 0; i < interactions->count; i++) {
        if (!chosen[i]) continue;
        count++;
        const struct predicate *p = interactions->all[i];
        for (uint32_t k = 0; k < p->strength; k++) used[p->settings[k]] |= p->strength == 1 ? 3 : 1;
    }
    text_add(
        to,
        "graph interactions {\n  graph [overlap=false, splines=true];\n  node [shape=box, fontname=sans];\n");
    for (uint32_t s = 0; s < space->options.setting_count; s++)
        if (used[s]) add_node(to, s, names[s], used[s] & 2);
    for (uint32_t i = 0; i < interactions->count; i++)
        if (chosen[i]) add_interaction(to, interactions->all[i], i, kind);
    text_add(to, "}\n");
    arena_free(arena);
    return count;
}
