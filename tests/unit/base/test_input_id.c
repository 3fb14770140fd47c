// Identities of inputs: every name that is printed can be read back.
#include "../check.h"
#include "base/base.h"
#include "base/input_id.h"
#include "base/text.h"

#include <string.h>

static const char *const names[] = {
    "x",     "",       "a b",   "x#1",    "x#0",           "x#01",           "#1", "x#",
    "x#1#2", "x-data", "arg1x", "stdin-", "env-",          "x#4294967295",   "%s", "dir/../x",
    "#",     "stdin",  "arg01", "A-data", "x#42949672960", "uninitialised:1"};

// Stores identities of the kind, with all names and some numbers. Returns how many.
static uint32_t examples(enum input_kind kind, struct input_id *ids) {
    static const uint32_t numbers[] = {0, 1, 7, 4294967295};
    uint32_t count = 0;
    switch (input_kinds[kind].key) {
    case KEY_NONE: ids[count++] = (struct input_id){.kind = kind}; break;
    case KEY_INDEX:
        for (unsigned i = 0; i < COUNT(numbers); i++) ids[count++] = input_numbered(kind, numbers[i]);
        break;
    case KEY_NAME:
        for (unsigned i = 0; i < COUNT(names); i++) ids[count++] = input_parse(kind, names[i]);
        break;
    case KEY_NAME_INDEX:
        for (unsigned i = 0; i < COUNT(names); i++)
            for (unsigned k = 0; k < COUNT(numbers); k++) ids[count++] = input_object(names[i], numbers[k]);
        break;
    }
    return count;
}
enum { MOST = 100 };

static void test_names(void **state) {
    for (enum input_kind kind = 0; kind < INPUT_KIND_COUNT; kind++) {
        struct input_id ids[MOST];
        uint32_t count = examples(kind, ids);
        for (uint32_t i = 0; i < count; i++) {
            struct text name = {0};
            input_add_name(&name, ids[i]);
            struct input_id read = input_parse(kind, name.at);
            assert_true(input_same(ids[i], read));
            assert_true(input_hash(ids[i]) == input_hash(read));
            assert_true(input_is_valid(ids[i]));
            text_free(&name);
        }
    }
}

static void test_words(void **state) {
    for (enum input_kind kind = 0, found; kind < INPUT_KIND_COUNT; kind++) {
        if (!input_kinds[kind].word) continue;
        assert_true(input_find_kind(input_kinds[kind].word, &found));
        assert_int_equal(found, kind);
    }
    enum input_kind none;
    assert_false(input_find_kind("uninitialised", &none));
    assert_false(input_find_kind("", &none));
}

// In a .ktest file, a name that has the form of another kind is read as that kind: the file has only names.
static bool is_ambiguous(struct input_id id) {
    struct text name = {0};
    input_add_name(&name, id);
    bool data = name.count > 5 && !strcmp(name.at + name.count - 5, "-data");
    bool other = !strcmp(name.at, "stdin") || !strcmp(name.at, "arg01") || !strncmp(name.at, "env-", 4);
    text_free(&name);
    return (id.kind == INPUT_OBJECT && (other || data)) || (id.kind == INPUT_ENVIRONMENT && data);
}

static void test_ktest(void **state) {
    for (enum input_kind kind = 0; kind < INPUT_KIND_COUNT; kind++) {
        struct input_id ids[MOST];
        uint32_t count = input_kinds[kind].word ? examples(kind, ids) : 0;
        for (uint32_t i = 0; i < count; i++) {
            if (is_ambiguous(ids[i]) || (kind == INPUT_FILE && !ids[i].name_length)) continue;
            struct text name = {0};
            input_add_ktest_name(&name, ids[i], ids[i].index);
            assert_true(input_same(ids[i], input_from_ktest(name.at)));
            text_free(&name);
        }
    }
    struct text name = {0};
    input_add_ktest_name(&name, input_numbered(INPUT_ARGUMENT, 3), 0);
    assert_string_equal(name.at, "arg00");
    text_free(&name);
}

// Each input name of the terms belongs to one identity.
static void test_term_names(void **state) {
    struct input_id all[4 * MOST];
    uint32_t count = 0;
    for (enum input_kind kind = 0; kind < INPUT_KIND_COUNT; kind++) {
        uint32_t first = count;
        count += examples(kind, all + count);
        for (uint32_t i = first, end = count; i < end && input_kinds[kind].has_length; i++)
            all[count++] = input_length(all[i]);
    }
    assert_true(count <= COUNT(all));
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++) {
            struct text a = {0}, b = {0};
            input_add_term_name(&a, all[i]);
            input_add_term_name(&b, all[k]);
            bool object = all[i].kind == INPUT_OBJECT || all[k].kind == INPUT_OBJECT;
            if (!object ||
                (!strchr(a.at, ':') && !strchr(b.at, ':'))) // objects have no colons (state/inputs.c)
                assert_int_equal(strcmp(a.at, b.at) == 0, input_same(all[i], all[k]));
            text_free(&a);
            text_free(&b);
        }
}

static void check_c_name(struct input_id id, const char *wanted) {
    struct text name = {0};
    input_add_c_name(&name, id);
    assert_string_equal(name.at, wanted);
    text_free(&name);
}

static void test_c_names(void **state) {
    check_c_name(input_numbered(INPUT_ARGUMENT, 1), "argv[1]");
    check_c_name(input_file(NULL), "stdin");
    check_c_name(input_length(input_file(NULL)), "sizeof stdin");
    check_c_name(input_length(input_file("a/b")), "sizeof a/b");
    check_c_name(input_variable("HOME"), "$HOME");
    check_c_name(input_object("x", 2), "x#2");
}

static void test_damaged(void **state) {
    assert_false(input_is_valid((struct input_id){.kind = INPUT_KIND_COUNT}));
    assert_false(input_is_valid(
        (struct input_id){.kind = INPUT_OBJECT, .is_length = true, .name = "x", .name_length = 1}));
    assert_true(input_is_valid(input_length(input_object("input", 0)))); // the length of a harness's input
    assert_false(input_is_valid((struct input_id){.kind = INPUT_OBJECT, .name = "x#1", .name_length = 3}));
    assert_false(input_is_valid((struct input_id){.kind = INPUT_OBJECT, .name = "x\0y", .name_length = 3}));
    assert_false(input_is_valid((struct input_id){.kind = INPUT_STDIN, .name = "x", .name_length = 1}));
    assert_false(
        input_is_valid((struct input_id){.kind = INPUT_FILE, .index = 1, .name = "x", .name_length = 1}));
}

static void test_roles(void **state) {
    assert_int_equal(input_role(INPUT_OBJECT, "socket2"), ROLE_SOCKET);
    assert_int_equal(input_role(INPUT_OBJECT, "random#1"), ROLE_RANDOM);
    assert_int_equal(input_role(INPUT_OBJECT, "choices"), ROLE_CHOICES);
    assert_int_equal(input_role(INPUT_OBJECT, "input"), ROLE_HARNESS);
    assert_int_equal(input_role(INPUT_OBJECT, "input#1"), ROLE_NONE);
    assert_int_equal(input_role(INPUT_FILE, "socket2"), ROLE_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names),   cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_ktest),   cmocka_unit_test(test_term_names),
                                       cmocka_unit_test(test_c_names), cmocka_unit_test(test_damaged),
                                       cmocka_unit_test(test_roles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
