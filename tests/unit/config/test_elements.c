// Bit sets against arrays of bool, in sizes around those of a word.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/random.h"
#include "config/elements.h"

#define MOST 200

static void fill(struct random *random, uint32_t count, uint64_t *set, bool *model) {
    for (uint32_t i = 0; i < count; i++)
        if ((model[i] = random_below(random, 3) == 0)) elements_add(set, i);
}

static void check(const uint64_t *set, const bool *model, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) assert_int_equal(elements_has(set, i), model[i]);
    for (uint32_t from = 0; from <= count; from += 1 + from / 7)
        for (uint32_t to = from; to <= count; to += 1 + to / 11) {
            uint32_t found = 0;
            for (uint32_t i = from; i < to; i++) found += model[i];
            assert_int_equal(elements_count(set, from, to), found);
        }
}

static void test_sets(void **state) {
    struct random random = {3};
    for (uint32_t count = 1; count <= MOST; count++) {
        struct arena *arena = arena_new();
        bool a[MOST], b[MOST];
        uint64_t *left = elements_new(arena, count), *right = elements_new(arena, count);
        fill(&random, count, left, a);
        fill(&random, count, right, b);
        check(left, a, count);
        void (*const operations[])(uint64_t *, const uint64_t *, uint32_t) = {elements_join, elements_meet,
                                                                              elements_take_away};
        for (unsigned k = 0; k < 3; k++) {
            uint64_t *result = elements_new(arena, count);
            bool model[MOST];
            elements_join(result, left, count);
            operations[k](result, right, count);
            for (uint32_t i = 0; i < count; i++)
                model[i] = k == 0 ? a[i] || b[i] : k == 1 ? a[i] && b[i] : a[i] && !b[i];
            check(result, model, count);
        }
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
