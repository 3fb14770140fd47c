#include "config/interaction_graph.h"

#include "base/hash.h"
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

// The settings of the interactions that are drawn.
struct drawn_settings {
    uint32_t count;
    uint8_t *used;        // by setting: bit 0: an interaction has it; bit 1: it alone is an interaction
    uint64_t *neighbours; // by setting: a hash of the settings that it interacts with
    uint32_t *node; // by setting: the first setting with the same neighbours, which is drawn for all of them
};

static void note_interaction(struct drawn_settings *drawn, const struct predicate *p) {
    for (uint32_t k = 0; k < p->strength; k++) {
        uint64_t others = p->strength;
        for (uint32_t i = 0; i < p->strength; i++)
            if (i != k) others = hash_combine(others, p->settings[i]);
        drawn->used[p->settings[k]] |= p->strength == 1 ? 3 : 1;
        if (p->strength > 1) drawn->neighbours[p->settings[k]] ^= others; // independent of the order
    }
}

static void merge_settings(struct drawn_settings *drawn) {
    for (uint32_t s = 0; s < drawn->count; s++) {
        drawn->node[s] = s;
        if (!drawn->neighbours[s]) continue;
        for (uint32_t t = 0; t < s && drawn->node[s] == s; t++)
            if (drawn->neighbours[t] == drawn->neighbours[s] && drawn->used[t] == drawn->used[s])
                drawn->node[s] = drawn->node[t];
    }
}

// Adds the node of a setting, with the names of all settings that it represents.
static void add_node(struct text *to, const struct drawn_settings *drawn, uint32_t setting,
                     const char *const *names) {
    struct text label = {0};
    for (uint32_t s = setting; s < drawn->count; s++)
        if (drawn->used[s] && drawn->node[s] == setting)
            text_add(&label, "%s%s", s == setting ? "" : "\n", names[s]);
    text_add(to, "  s%u [label=", setting);
    text_add_json(to, label.at);
    text_add(to, "%s];\n", drawn->used[setting] & 2 ? ", style=filled, fillcolor=lightgrey" : "");
    text_free(&label);
}

// Whether the interaction is drawn: all its settings represent their nodes. Other interactions would draw the same
// nodes and edges again.
static bool is_drawn(const struct drawn_settings *drawn, const struct predicate *p) {
    for (uint32_t k = 0; k < p->strength; k++)
        if (drawn->node[p->settings[k]] != p->settings[k]) return false;
    return true;
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
    uint32_t settings = space->options.setting_count, count = 0;
    struct drawn_settings drawn = {.count = settings,
                                   .used = ARENA_ARRAY(arena, uint8_t, settings + 1),
                                   .neighbours = ARENA_ARRAY(arena, uint64_t, settings + 1),
                                   .node = ARENA_ARRAY(arena, uint32_t, settings + 1)};
    choose(arena, space, interactions, kind, share, chosen);
    for (uint32_t i = 0; i < interactions->count; i++) {
        if (!chosen[i]) continue;
        count++;
        note_interaction(&drawn, interactions->all[i]);
    }
    merge_settings(&drawn);
    text_add(
        to,
        "graph interactions {\n  graph [overlap=false, splines=true];\n  node [shape=box, fontname=sans];\n");
    for (uint32_t s = 0; s < settings; s++)
        if (drawn.used[s] && drawn.node[s] == s) add_node(to, &drawn, s, names);
    for (uint32_t i = 0; i < interactions->count; i++)
        if (chosen[i] && is_drawn(&drawn, interactions->all[i]))
            add_interaction(to, interactions->all[i], i, kind);
    text_add(to, "}\n");
    arena_free(arena);
    return count;
}
