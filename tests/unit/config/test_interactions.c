// Guaranteed coverage and interactions: the example with four options that Otter's table 4.1 gives, and random
// programs against the definitions, by enumeration of all configurations.
#include "../check.h"
#include "base/random.h"
#include "config/covering.h"
#include "config/space_merge.h"

#include <string.h>

#define MOST_OPTIONS  4
#define MOST_ELEMENTS 12
#define MOST_PATHS    40

// A test as a function from configurations (a value of each option) to paths.
struct model {
    uint32_t options, values[MOST_OPTIONS], elements, tests;
    uint32_t first[MOST_OPTIONS + 1], option_of[3 * MOST_OPTIONS], settings;
    uint32_t configurations;
    uint32_t path_of[2][81]; // by test and configuration
    uint64_t coverage[2][MOST_PATHS];
    uint32_t paths[2];
};

static uint32_t value_in(const struct model *m, uint32_t configuration, uint32_t option) {
    for (uint32_t i = 0; i < option; i++) configuration /= m->values[i];
    assert(m->values[option] > 0);
    return configuration % m->values[option];
}

static bool satisfies(const struct model *m, uint32_t configuration, const uint32_t *settings,
                      uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t option = m->option_of[settings[i]];
        if (value_in(m, configuration, option) != settings[i] - m->first[option]) return false;
    }
    return true;
}

static bool together(void *context, uint32_t test, uint32_t path, const uint32_t *settings, uint32_t count) {
    const struct model *m = context;
    for (uint32_t c = 0; c < m->configurations; c++)
        if (m->path_of[test][c] == path && satisfies(m, c, settings, count)) return true;
    return false;
}

// By the definition: what every configuration that satisfies the settings covers, in some test.
static uint64_t expected_coverage(const struct model *m, const uint32_t *settings, uint32_t count) {
    uint64_t all = 0;
    for (uint32_t t = 0; t < m->tests; t++) {
        uint64_t meet = ~0ull;
        bool any = false;
        for (uint32_t c = 0; c < m->configurations; c++)
            if (satisfies(m, c, settings, count)) meet &= m->coverage[t][m->path_of[t][c]], any = true;
        if (any) all |= meet;
    }
    return all;
}

static void number_settings(struct model *m) {
    m->settings = 0;
    m->configurations = 1;
    for (uint32_t i = 0; i < m->options; i++) {
        m->first[i] = m->settings;
        m->configurations *= m->values[i];
        for (uint32_t k = 0; k < m->values[i]; k++) m->option_of[m->settings++] = i;
    }
    m->first[m->options] = m->settings;
}

static void make_space(struct arena *arena, struct model *m, struct config_space *space) {
    struct config_test *tests = ARENA_ARRAY(arena, struct config_test, m->tests);
    uint32_t *part =
        ARENA_ARRAY(arena, uint32_t, m->options + 1); // all 0: everything may depend on everything
    for (uint32_t t = 0; t < m->tests; t++) {
        struct config_path *paths = ARENA_ARRAY(arena, struct config_path, m->paths[t]);
        for (uint32_t i = 0; i < m->paths[t]; i++) {
            uint64_t *allowed = elements_new(arena, m->settings);
            for (uint32_t s = 0; s < m->settings; s++)
                if (together(m, t, i, &s, 1)) elements_add(allowed, s);
            paths[i] = (struct config_path){&m->coverage[t][i], allowed, part};
        }
        tests[t] = (struct config_test){paths, m->paths[t]};
    }
    *space = (struct config_space){.options = {m->options, m->settings, m->option_of, m->first},
                                   .tests = tests,
                                   .test_count = m->tests,
                                   .kind_end = {m->elements, m->elements, m->elements, m->elements},
                                   .together = together,
                                   .context = m};
}

// ---- the example: options a, b, c, d; an input of 1 and of 0; statements 1 to 5

static void example(struct model *m) {
    *m = (struct model){.options = 4, .values = {2, 2, 2, 2}, .elements = 6, .tests = 2, .paths = {4, 3}};
    number_settings(m);
    m->coverage[0][0] = 1 << 1;                   // a
    m->coverage[0][1] = 1 << 2 | 1 << 4 | 1 << 5; // not a, b, c or d
    m->coverage[0][2] = 1 << 2 | 1 << 4;          // not a, b, neither c nor d
    m->coverage[0][3] = 0;                        // neither a nor b
    m->coverage[1][0] = 1 << 1;
    m->coverage[1][1] = 1 << 2 | 1 << 3;
    m->coverage[1][2] = 0;
    for (uint32_t c = 0; c < 16; c++) {
        bool a = c & 1, b = c & 2, other = c & 12;
        m->path_of[0][c] = a ? 0 : b ? (other ? 1 : 2) : 3;
        m->path_of[1][c] = a ? 0 : b ? 1 : 2;
    }
}

enum { NOT_A, A, NOT_B, B, NOT_C, C };

static const struct predicate *find(const struct interactions *found, const uint32_t *settings,
                                    uint32_t count) {
    for (uint32_t i = 0; i < found->count; i++)
        if (found->all[i]->strength == count &&
            !memcmp(found->all[i]->settings, settings, count * sizeof *settings))
            return found->all[i];
    return NULL;
}

static void test_table(void **state) {
    static const struct {
        uint32_t settings[3], count;
        uint64_t guaranteed;
        bool interaction;
    } rows[] = {{{A}, 1, 1 << 1, true},
                {{NOT_A}, 1, 0, false},
                {{B}, 1, 0, false},
                {{C}, 1, 0, false},
                {{A, B}, 2, 1 << 1, false},
                {{NOT_A, B}, 2, 1 << 2 | 1 << 3 | 1 << 4, true},
                {{B, C}, 2, 0, false},
                {{NOT_A, C}, 2, 0, false},
                {{NOT_A, B, C}, 3, 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5, true}};
    struct arena *arena = arena_new();
    struct model m;
    struct config_space space;
    example(&m);
    make_space(arena, &m, &space);
    struct interactions *found = interactions_find(arena, &space);
    for (unsigned i = 0; i < COUNT(rows); i++) {
        assert_int_equal(*interactions_guaranteed(arena, &space, rows[i].settings, rows[i].count),
                         rows[i].guaranteed);
        assert_int_equal(find(found, rows[i].settings, rows[i].count) != NULL, rows[i].interaction);
    }
    assert_int_equal(found->count, 4); // the three above, and the one with d for c
    assert_int_equal(found->most[0], 5);
    uint32_t defaults[] = {NOT_A, NOT_B, NOT_C, 6};
    struct covering *covering = covering_find(arena, &space, found, 0, defaults);
    assert_int_equal(covering->count, 2);
    assert_int_equal(covering->at[0].added[0], 4);
    assert_int_equal(covering->at[1].added[0], 1);
    assert_int_equal(covering->missed[0], 0);
    arena_free(arena);
}

// ---- random programs

static void randomise(struct model *m, struct random *random) {
    *m = (struct model){.options = 1 + (uint32_t)random_below(random, MOST_OPTIONS),
                        .elements = 1 + (uint32_t)random_below(random, MOST_ELEMENTS),
                        .tests = 1 + (uint32_t)random_below(random, 2)};
    for (uint32_t i = 0; i < m->options; i++) m->values[i] = 2 + (uint32_t)random_below(random, 2);
    number_settings(m);
    for (uint32_t t = 0; t < m->tests; t++) {
        m->paths[t] = 1 + (uint32_t)random_below(random, 6);
        uint64_t usual = random_next(random);
        for (uint32_t i = 0; i < m->paths[t]; i++) {
            uint64_t few = random_next(random);
            few &= random_next(random);
            m->coverage[t][i] = (usual ^ few) & ((1u << m->elements) - 1);
        }
        for (uint32_t c = 0; c < m->configurations; c++) {
            // Mostly a function of two options, so that parts of the space collapse.
            uint32_t key = value_in(m, c, 0) + 3 * value_in(m, c, m->options - 1);
            m->path_of[t][c] =
                (random_below(random, 8) ? key * 7 : (uint32_t)random_next(random)) % m->paths[t];
        }
    }
}

// Removes the paths that no configuration takes.
static void drop_unused(struct model *m) {
    for (uint32_t t = 0; t < m->tests; t++)
        for (uint32_t i = 0; i < m->paths[t];) {
            if (together(m, t, i, NULL, 0)) {
                i++;
                continue;
            }
            uint32_t last = --m->paths[t];
            m->coverage[t][i] = m->coverage[t][last];
            for (uint32_t c = 0; c < m->configurations; c++)
                if (m->path_of[t][c] == last) m->path_of[t][c] = i;
        }
}

static uint64_t of_subsets(const struct model *m, const uint32_t *settings, uint32_t count) {
    uint64_t all = 0;
    for (uint32_t mask = 0; mask + 1 < 1u << count; mask++) {
        uint32_t some[MOST_OPTIONS], number = 0;
        for (uint32_t i = 0; i < count; i++)
            if (mask >> i & 1) some[number++] = settings[i];
        all |= expected_coverage(m, some, number);
    }
    return all;
}

// All predicates; returns the number of interactions that the definition gives up to this strength.
static uint32_t check_predicates(struct arena *arena, const struct model *m, const struct config_space *space,
                                 const struct interactions *found, uint32_t *settings, uint32_t count,
                                 uint32_t option) {
    uint64_t expected = expected_coverage(m, settings, count);
    assert_int_equal(*interactions_guaranteed(arena, space, settings, count), expected);
    bool is = count && count < found->strength_count && (expected & ~of_subsets(m, settings, count));
    if (is) {
        const struct predicate *p = find(found, settings, count);
        assert_non_null(p);
        assert_int_equal(*p->guaranteed, expected);
    }
    uint32_t number = is;
    for (uint32_t i = option; i < m->options; i++)
        for (uint32_t s = m->first[i]; s < m->first[i + 1]; s++) {
            settings[count] = s;
            number += check_predicates(arena, m, space, found, settings, count + 1, i + 1);
        }
    return number;
}

// The same results from a space in which elements that the same paths cover are one.
static void check_merged(struct arena *arena, const struct config_space *space,
                         const struct interactions *found, const struct covering *covering,
                         const uint32_t *defaults) {
    struct config_space merged = config_merge(arena, space);
    assert_true(space_elements(&merged) <= space_elements(space));
    struct interactions *again = interactions_find(arena, &merged);
    assert_memory_equal(again->most, found->most, sizeof found->most);
    assert_int_equal(again->strength_count, found->strength_count);
    assert_memory_equal(again->strengths, found->strengths, found->strength_count * sizeof *found->strengths);
    assert_int_equal(again->count, found->count);
    for (uint32_t i = 0; i < found->count; i++) {
        const struct predicate *a = found->all[i], *b = again->all[i];
        assert_int_equal(a->strength, b->strength);
        assert_memory_equal(a->settings, b->settings, a->strength * sizeof *a->settings);
        assert_memory_equal(a->gained, b->gained, sizeof a->gained);
    }
    struct covering *same = covering_find(arena, &merged, again, 0, defaults);
    assert_int_equal(same->count, covering->count);
    for (uint32_t i = 0; i < covering->count; i++)
        assert_memory_equal(same->at[i].added, covering->at[i].added, sizeof covering->at[i].added);
    assert_memory_equal(same->missed, covering->missed, sizeof covering->missed);
}

static void test_random(void **state) {
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct random random = {seed};
        struct arena *arena = arena_new();
        struct model m;
        struct config_space space;
        randomise(&m, &random);
        drop_unused(&m);
        make_space(arena, &m, &space);
        struct interactions *found = interactions_find(arena, &space);
        uint32_t settings[MOST_OPTIONS];
        assert_int_equal(check_predicates(arena, &m, &space, found, settings, 0, 0), found->count);
        struct covering *covering = covering_find(arena, &space, found, 0, m.first);
        assert_int_equal(covering->missed[0], 0);
        uint32_t covered = 0;
        for (uint32_t i = 0; i < covering->count; i++) {
            assert_true(covering->at[i].added[0] > 0 || covering->count == 1);
            if (i) assert_true(covering->at[i].added[0] <= covering->at[i - 1].added[0]);
            covered += covering->at[i].added[0];
        }
        assert_int_equal(covered, found->most[0]);
        check_merged(arena, &space, found, covering, m.first);
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
