#include "../check.h"
#include "base/counters.h"

#include <string.h>

static void test_layers(void **state) {
    assert_string_equal(layer_facts[LAYER_MODEL].name, "model");
    assert_string_equal(layer_facts[LAYER_Z3].name, "z3");
    assert_true(layer_facts[LAYER_SAT2].floats_only);
    assert_false(layer_facts[LAYER_SAT].floats_only);
    // The bits of the option have the order of the layers.
    const char *at = LAYER_CHOICES;
    for (unsigned i = 0; i < LAYER_COUNT; i++, at++) {
        size_t length = strlen(layer_facts[i].name);
        assert_memory_equal(at, layer_facts[i].name, length);
        at += length;
        assert_true(*at == (i + 1 < LAYER_COUNT ? '|' : 0));
    }
}

// Every answer is counted in exactly one group.
static void test_groups(void **state) {
    struct solver_counters counters = {0};
    uint64_t all = 0, grouped = 0;
    for (unsigned i = 0; i < LAYER_COUNT; i++) {
        counters.layers[i] = (struct layer_counters){.asked = 1000, .answered = UINT64_C(1) << i};
        all += counters.layers[i].answered;
    }
    for (unsigned i = 0; i < LAYER_GROUP_COUNT; i++) grouped += counters_answered(&counters, i);
    assert_int_equal(grouped, all);
    assert_int_equal(counters_answered(&counters, LAYER_GROUP_MODEL), 1u << LAYER_MODEL | 1u << LAYER_MOVE);
    assert_int_equal(counters_answered(&counters, LAYER_GROUP_SAT),
                     1u << LAYER_ABSTRACT | 1u << LAYER_SAT | 1u << LAYER_SAT2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_layers), cmocka_unit_test(test_groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
