// Inputs of paths that fork at random, against plain lists of names.
#include "../check.h"
#include "base/alloc.h"
#include "base/random.h"
#include "base/text.h"
#include "expr/expr.h"
#include "state/inputs.h"

#include <stdio.h>
#include <string.h>

enum { PATHS = 12, MOST = 120, LONGEST = 40 };

struct plain {
    char names[MOST][LONGEST];
    uint32_t sizes[MOST], count;
};

static bool is_taken(const struct plain *plain, const char *name) {
    for (uint32_t i = 0; i < plain->count; i++)
        if (!strcmp(plain->names[i], name)) return true;
    return false;
}

// The rule of test files: the first of NAME, NAME#1, NAME#2, ... that this path does not have; colons are written as _.
static const char *add_plain(struct plain *plain, const char *given, uint32_t size) {
    char name[LONGEST];
    for (unsigned number = 0;; number++) {
        snprintf(name, sizeof name, number ? "%s#%u" : "%s", given, number);
        for (char *at = name; *at; at++)
            if (*at == ':') *at = '_';
        if (!is_taken(plain, name)) break;
    }
    plain->sizes[plain->count] = size;
    return memcpy(plain->names[plain->count++], name, sizeof name);
}

static void check_path(const struct state_inputs *path, const struct inputs *all, struct terms *terms,
                       const struct plain *plain) {
    uint32_t numbers[MOST];
    assert_int_equal(state_inputs_count(path), plain->count);
    state_inputs_copy(path, numbers);
    for (uint32_t i = 0; i < plain->count; i++) {
        struct text name = {0};
        input_add_name(&name, inputs_id(all, numbers[i]));
        assert_string_equal(name.at, plain->names[i]);
        assert_string_equal(terms_input_name(terms, numbers[i]), plain->names[i]);
        assert_true(state_inputs_has(path, numbers[i]));
        assert_int_equal(state_inputs_size(path, numbers[i]), plain->sizes[i]);
        assert_true(terms_input_size(terms, numbers[i]) >= plain->sizes[i]);
        assert_int_equal(inputs_find(all, input_parse(INPUT_OBJECT, plain->names[i])), numbers[i]);
        text_free(&name);
    }
}

static void test_paths(void **state) {
    static const char *const given[] = {"x", "x#1", "x#1#1", "a:b", "a_b", "", "x#2", "#1", "x#01"};
    static struct plain plain[PATHS];
    size_t before = mem_in_use();
    struct terms *terms = terms_new();
    struct inputs *all = inputs_new(terms);
    struct state_inputs paths[PATHS] = {0};
    struct random random = {11};
    for (unsigned step = 0; step < 3000; step++) {
        uint64_t i = random_below(&random, PATHS), k = random_below(&random, PATHS);
        if (random_below(&random, 8) == 0 && i != k) {
            state_inputs_free(&paths[i]);
            paths[i] = state_inputs_fork(&paths[k]);
            plain[i] = plain[k];
        } else if (plain[i].count < MOST) {
            const char *name = given[random_below(&random, COUNT(given))];
            uint32_t size = 1 + (uint32_t)random_below(&random, 9);
            uint32_t input = state_inputs_add_object(&paths[i], all, name, size);
            assert_string_equal(terms_input_name(terms, input), add_plain(&plain[i], name, size));
        }
        if (step % 50 == 0) check_path(&paths[i], all, terms, &plain[i]);
    }
    for (unsigned i = 0; i < PATHS; i++) check_path(&paths[i], all, terms, &plain[i]);
    for (unsigned i = 0; i < PATHS; i++) state_inputs_free(&paths[i]);
    inputs_free(all);
    terms_free(terms);
    assert_int_equal(mem_in_use(), before);
}

// A file, its length, and an object of the same name are three inputs.
static void test_kinds(void **state) {
    struct terms *terms = terms_new();
    struct inputs *all = inputs_new(terms);
    struct state_inputs path = {0};
    assert_int_equal(inputs_find(all, input_length(input_file("x"))), NO_INPUT);
    uint32_t length = inputs_get(all, input_length(input_file("x")), 4),
             file = inputs_get(all, input_file("x"), 9);
    uint32_t object = inputs_get(all, input_object("x", 0), 1);
    assert_true(length != file && file != object && length != object);
    assert_int_equal(inputs_find(all, input_length(input_file("x"))), length);
    assert_string_equal(terms_input_name(terms, length), "length:file:x");
    assert_int_equal(inputs_get(all, input_file("x"), 12), file);
    assert_int_equal(terms_input_size(terms, file), 12);
    assert_false(state_inputs_has(&path, file));
    state_inputs_use(&path, file, 3);
    state_inputs_use(&path, file, 5);
    state_inputs_use(&path, file, 4);
    assert_int_equal(state_inputs_count(&path), 1);
    assert_int_equal(state_inputs_size(&path, file), 5);
    state_inputs_free(&path);
    inputs_free(all);
    terms_free(terms);
}

// The cost of a fork, and of the next input of a forked path, does not depend on the number of inputs.
static void test_shared(void **state) {
    enum { COUNT_OF_INPUTS = 100000 };
    struct terms *terms = terms_new();
    struct inputs *all = inputs_new(terms);
    struct state_inputs path = {0};
    for (unsigned i = 0; i < COUNT_OF_INPUTS; i++) state_inputs_add_object(&path, all, "n", 1);
    size_t before = mem_in_use();
    struct state_inputs forks[100];
    for (unsigned i = 0; i < 100; i++) {
        forks[i] = state_inputs_fork(&path);
        uint32_t input = state_inputs_add_object(&forks[i], all, "n", 1);
        assert_string_equal(terms_input_name(terms, input), "n#100000");
    }
    assert_true(mem_in_use() - before < (size_t)100 * 16384);
    for (unsigned i = 0; i < 100; i++) state_inputs_free(&forks[i]);
    assert_int_equal(state_inputs_count(&path), COUNT_OF_INPUTS);
    state_inputs_free(&path);
    inputs_free(all);
    terms_free(terms);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paths), cmocka_unit_test(test_kinds),
                                       cmocka_unit_test(test_shared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
