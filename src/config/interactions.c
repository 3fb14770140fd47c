// Predicates of strength t + 1 are made from predicates of strength t, as in frequent item set mining: all subsets must
// exist. A predicate is skipped if a subset is closed: all paths consistent with the subset have the same coverage, so
// that no stronger predicate can guarantee more. Guarantees grow with the settings, so that only the subsets with one
// setting less are examined.
#include "config/interactions.h"

#include "base/hash.h"
#include "base/vec.h"

#include <string.h>

typedef vec(struct predicate *) predicate_list;

struct interaction_search {
    struct arena *arena;
    const struct config_space *space;
    struct interactions *found;
    predicate_list interactions;
    struct map known; // hash of the settings -> predicate, of the previous strength
    uint64_t *scratch;
};

uint32_t interactions_space_count(const struct config_space *space, const uint64_t *set, unsigned kind) {
    uint32_t from = kind_start(space, kind), to = space->kind_end[kind], found = 0;
    if (!space->weight) return elements_count(set, from, to);
    for (uint32_t i = from; i < to; i++)
        if (elements_has(set, i)) found += space->weight[i];
    return found;
}

static uint64_t settings_hash(const uint32_t *settings, uint32_t count) {
    return hash_bytes(settings, count * sizeof *settings, count) >> 1; // no key is UINT64_MAX
}

static struct predicate *known(struct interaction_search *s, const uint32_t *settings, uint32_t count) {
    uint64_t *value = map_get(&s->known, settings_hash(settings, count));
    struct predicate *p = value ? (struct predicate *)(uintptr_t)*value : NULL; // NOLINT
    bool same = p && p->strength == count && !memcmp(p->settings, settings, count * sizeof *settings);
    return same ? p : NULL;
}

// Returns the settings without one of them.
static const uint32_t *without(uint32_t *to, const struct predicate *p, uint32_t left_out) {
    for (uint32_t i = 0, k = 0; i < p->strength; i++)
        if (i != left_out) to[k++] = p->settings[i];
    return to;
}

static bool all_of_one_part(const struct config_space *space, const struct config_path *path,
                            const struct predicate *p) {
    uint32_t part = path->part[space->options.option_of[p->settings[0]]];
    for (uint32_t i = 1; i < p->strength; i++)
        if (path->part[space->options.option_of[p->settings[i]]] != part) return false;
    return true;
}

// Finds the paths of the test that are consistent with the predicate, among `candidates`: the paths consistent with
// all its subsets. Only a predicate within one part needs a query, since settings of different parts are independent.
static void find_consistent(struct interaction_search *s, struct predicate *p, uint32_t test,
                            const uint64_t *candidates) {
    const struct config_test *t = &s->space->tests[test];
    uint64_t *paths = p->consistent[test];
    for (uint32_t i = 0; i < t->path_count; i++) {
        if (!elements_has(candidates, i)) continue;
        const struct config_path *path = &t->paths[i];
        bool agrees =
            p->strength == 0 ||
            (p->strength == 1 ? elements_has(path->allowed, p->settings[0])
                              : !all_of_one_part(s->space, path, p) ||
                                    s->space->together(s->space->context, test, i, p->settings, p->strength));
        if (agrees) elements_add(paths, i);
    }
}

// Intersects the coverage of all consistent paths of the test. Returns false if there are none. Clears
// `*same` if they differ.
static bool meet_paths(const struct config_space *space, uint32_t test, const uint64_t *paths, uint64_t *meet,
                       bool *same) {
    const struct config_test *t = &space->tests[test];
    uint32_t elements = space_elements(space);
    size_t size = elements_words(elements) * sizeof *meet;
    const uint64_t *first = NULL;
    for (uint32_t i = 0; i < t->path_count; i++) {
        if (!elements_has(paths, i)) continue;
        const uint64_t *coverage = t->paths[i].coverage;
        if (!first)
            memcpy(meet, first = coverage, size);
        else if (memcmp(first, coverage, size) != 0) {
            *same = false;
            elements_meet(meet, coverage, elements);
        }
    }
    return first != NULL;
}

static struct predicate *predicate_new(struct interaction_search *s, const uint32_t *settings,
                                       uint32_t strength) {
    struct predicate *p = ARENA_ARRAY(s->arena, struct predicate, 1);
    p->strength = strength;
    p->settings = ARENA_ARRAY(s->arena, uint32_t, strength + 1);
    if (strength) memcpy(p->settings, settings, strength * sizeof *settings);
    p->guaranteed = elements_new(s->arena, space_elements(s->space));
    p->consistent = ARENA_ARRAY(s->arena, uint64_t *, s->space->test_count + 1);
    for (uint32_t t = 0; t < s->space->test_count; t++)
        p->consistent[t] = elements_new(s->arena, s->space->tests[t].path_count);
    return p;
}

// Finds the subsets with one setting less. Returns false if one is missing or closed.
static bool find_subsets(struct interaction_search *s, const struct predicate *p, struct predicate **subsets,
                         uint32_t *fewer) {
    for (uint32_t i = 0; i < p->strength; i++) {
        subsets[i] = known(s, without(fewer, p, i), p->strength - 1);
        if (!subsets[i] || subsets[i]->closed) return false;
    }
    return true;
}

static void measure(struct interaction_search *s, struct predicate *p, struct predicate **subsets) {
    const struct config_space *space = s->space;
    uint32_t elements = space_elements(space);
    p->closed = true;
    for (uint32_t t = 0; t < space->test_count; t++) {
        uint32_t paths = space->tests[t].path_count;
        uint64_t *candidates = elements_new(s->arena, paths);
        for (uint32_t i = 0; i < paths; i++) elements_add(candidates, i);
        for (uint32_t i = 0; i < p->strength; i++)
            elements_meet(candidates, subsets[i]->consistent[t], paths);
        find_consistent(s, p, t, candidates);
        if (meet_paths(space, t, p->consistent[t], s->scratch, &p->closed))
            elements_join(p->guaranteed, s->scratch, elements);
    }
    memcpy(s->scratch, p->guaranteed, elements_words(elements) * sizeof *s->scratch);
    for (uint32_t i = 0; i < p->strength; i++)
        elements_take_away(s->scratch, subsets[i]->guaranteed, elements);
    for (unsigned k = 0; k < CONFIG_KINDS && p->strength; k++)
        p->gained[k] = interactions_space_count(space, s->scratch, k);
}

static bool gains(const struct predicate *p) {
    for (unsigned k = 0; k < CONFIG_KINDS; k++)
        if (p->gained[k]) return true;
    return false;
}

static void add_strength(struct interaction_search *s, const predicate_list *level, uint64_t *guaranteed) {
    const struct config_space *space = s->space;
    struct strength *strength = &s->found->strengths[s->found->strength_count++];
    strength->looked_at = level->count;
    vec_each (struct predicate *, p, level) {
        elements_join(guaranteed, (*p)->guaranteed, space_elements(space));
        if (gains(*p)) vec_push(&s->interactions, *p);
        for (unsigned k = 0; k < CONFIG_KINDS; k++) strength->interactions[k] += (*p)->gained[k] > 0;
    }
    for (unsigned k = 0; k < CONFIG_KINDS; k++)
        strength->guaranteed[k] = interactions_space_count(space, guaranteed, k);
}

// Makes all predicates that extend one of `level` by a later setting.
static void next_level(struct interaction_search *s, const predicate_list *level, predicate_list *next) {
    const struct option_space *options = &s->space->options;
    uint32_t strength = s->found->strength_count;
    struct predicate **subsets = ARENA_ARRAY(s->arena, struct predicate *, strength);
    uint32_t *settings = ARENA_ARRAY(s->arena, uint32_t, strength),
             *fewer = ARENA_ARRAY(s->arena, uint32_t, strength);
    vec_each (struct predicate *, from, level) {
        if ((*from)->closed) continue;
        uint32_t option = strength > 1 ? options->option_of[(*from)->settings[strength - 2]] + 1 : 0;
        if (strength > 1) memcpy(settings, (*from)->settings, (strength - 1) * sizeof *settings);
        for (uint32_t x = options->first[option]; x < options->setting_count; x++) {
            settings[strength - 1] = x;
            struct predicate wanted = {.strength = strength, .settings = settings};
            if (!find_subsets(s, &wanted, subsets, fewer)) continue;
            if (s->space->most_predicates && next->count >= s->space->most_predicates) {
                s->found->cut = true;
                return;
            }
            struct predicate *p = predicate_new(s, settings, strength);
            measure(s, p, subsets);
            vec_push(next, p);
        }
    }
}

static void remember(struct interaction_search *s, const predicate_list *level) {
    map_clear(&s->known);
    vec_each (struct predicate *, p, level)
        *map_put(&s->known, settings_hash((*p)->settings, (*p)->strength)) = (uintptr_t)*p;
}

static void note_reached(struct interaction_search *s) {
    const struct config_space *space = s->space;
    s->found->reached = elements_new(s->arena, space_elements(space));
    for (uint32_t t = 0; t < space->test_count; t++)
        for (uint32_t i = 0; i < space->tests[t].path_count; i++)
            elements_join(s->found->reached, space->tests[t].paths[i].coverage, space_elements(space));
    for (unsigned k = 0; k < CONFIG_KINDS; k++)
        s->found->most[k] = interactions_space_count(space, s->found->reached, k);
}

static bool everything_is_guaranteed(const struct interactions *found) {
    const struct strength *last = &found->strengths[found->strength_count - 1];
    return !memcmp(last->guaranteed, found->most, sizeof found->most);
}

struct interactions *interactions_find(struct arena *arena, const struct config_space *space) {
    struct interaction_search s = {
        .arena = arena, .space = space, .found = ARENA_ARRAY(arena, struct interactions, 1)};
    s.scratch = elements_new(arena, space_elements(space));
    s.found->strengths = ARENA_ARRAY(arena, struct strength, space->options.option_count + 1);
    note_reached(&s);
    uint64_t *guaranteed = elements_new(arena, space_elements(space));
    predicate_list level = {0}, next = {0};
    vec_push(&level, predicate_new(&s, NULL, 0));
    struct predicate *no_subsets[1] = {NULL};
    measure(&s, level.at[0], no_subsets);
    for (;;) {
        add_strength(&s, &level, guaranteed);
        if (everything_is_guaranteed(s.found) || s.found->cut) break;
        if (s.found->strength_count > space->options.option_count) break;
        remember(&s, &level);
        vec_clear(&next);
        next_level(&s, &level, &next);
        if (!next.count) break;
        predicate_list other = level;
        level = next, next = other;
    }
    s.found->all = ARENA_ARRAY(arena, struct predicate *, s.interactions.count + 1);
    s.found->count = s.interactions.count;
    if (s.interactions.count)
        memcpy(s.found->all, s.interactions.at, s.interactions.count * sizeof *s.found->all);
    vec_free(&s.interactions);
    vec_free(&level);
    vec_free(&next);
    map_free(&s.known);
    return s.found;
}

// ---- one predicate

static bool path_allows(const struct config_space *space, uint32_t test, uint32_t index,
                        const uint32_t *settings, uint32_t count, uint32_t *some) {
    const struct config_path *path = &space->tests[test].paths[index];
    for (uint32_t i = 0; i < count; i++)
        if (!elements_has(path->allowed, settings[i])) return false;
    for (uint32_t i = 0; i < count; i++) { // part by part
        uint32_t part = path->part[space->options.option_of[settings[i]]], found = 0;
        bool earlier = false;
        for (uint32_t k = 0; k < count; k++) {
            if (path->part[space->options.option_of[settings[k]]] != part) continue;
            earlier |= k < i;
            some[found++] = settings[k];
        }
        if (!earlier && found > 1 && !space->together(space->context, test, index, some, found)) return false;
    }
    return true;
}

uint64_t *interactions_guaranteed(struct arena *arena, const struct config_space *space,
                                  const uint32_t *settings, uint32_t count) {
    uint32_t elements = space_elements(space), *some = ARENA_ARRAY(arena, uint32_t, count + 1);
    uint64_t *all = elements_new(arena, elements), *meet = elements_new(arena, elements);
    for (uint32_t t = 0; t < space->test_count; t++) {
        uint64_t *paths = elements_new(arena, space->tests[t].path_count);
        for (uint32_t i = 0; i < space->tests[t].path_count; i++)
            if (path_allows(space, t, i, settings, count, some)) elements_add(paths, i);
        bool same = true;
        if (meet_paths(space, t, paths, meet, &same)) elements_join(all, meet, elements);
    }
    return all;
}
