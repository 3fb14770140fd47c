// KLEE's files, byte by byte.
#include "../check.h"
#include "base/arena.h"
#include "output/ktest.h"
#include "output/tests.h"

#include <string.h>

// As KLEE's own library writes it: KTest_toFile of two arguments and one object `x` of four bytes.
static const uint8_t golden[] = "KTEST"
                                "\0\0\0\3"
                                "\0\0\0\2"
                                "\0\0\0\4p.bc"
                                "\0\0\0\2-n"
                                "\0\0\0\0"
                                "\0\0\0\0"
                                "\0\0\0\1"
                                "\0\0\0\1x"
                                "\0\0\0\4\xff\0\x01\x7f";

static void test_bytes(void **state) {
    static const uint8_t bytes[] = {0xff, 0, 1, 0x7f};
    const char *arguments[] = {"p.bc", "-n"};
    struct ktest_object object = {"x", bytes, sizeof bytes};
    struct ktest test = {.arguments = arguments, .argument_count = 2, .objects = &object, .object_count = 1};
    struct text text = {0};
    ktest_write(&text, &test);
    assert_int_equal(text.count, sizeof golden - 1);
    assert_memory_equal(text.at, golden, sizeof golden - 1);
    text_free(&text);
}

static void test_reading(void **state) {
    struct arena *arena = arena_new();
    struct ktest test;
    assert_null(ktest_read(arena, golden, sizeof golden - 1, &test));
    assert_int_equal(test.argument_count, 2);
    assert_string_equal(test.arguments[1], "-n");
    assert_int_equal(test.object_count, 1);
    assert_string_equal(test.objects[0].name, "x");
    assert_int_equal(test.objects[0].size, 4);
    assert_memory_equal(test.objects[0].bytes, "\xff\0\x01\x7f", 4);
    arena_free(arena);
}

// Every truncation and every changed count is detected, and nothing outside of the file is read (under sanitizers).
static void test_damaged(void **state) {
    struct arena *arena = arena_new();
    struct ktest test;
    for (size_t size = 0; size < sizeof golden - 1; size++) {
        uint8_t *copy = arena_memdup(arena, golden, size + 1);
        assert_non_null(ktest_read(arena, copy, size, &test));
    }
    for (size_t i = 0; i < sizeof golden - 1; i++) {
        uint8_t *copy = arena_memdup(arena, golden, sizeof golden - 1);
        copy[i] ^= 0x80;
        ktest_read(arena, copy, sizeof golden - 1, &test); // any answer, but no crash
    }
    assert_non_null(ktest_read(arena, golden, sizeof golden, &test)); // one byte too many
    arena_free(arena);
}

static void test_of_ours(void **state) {
    struct arena *arena = arena_new();
    const char *arguments[] = {"prog", "-v", "ab"};
    struct test_input inputs[] = {{INPUT_ARGUMENT, "2", (const uint8_t *)"ab", 2},
                                  {INPUT_STDIN, "", (const uint8_t *)"\0x", 2},
                                  {INPUT_FILE, "in.txt", (const uint8_t *)"f", 1},
                                  {INPUT_ENVIRONMENT, "HOME", (const uint8_t *)"/", 1},
                                  {INPUT_OBJECT, "x#1", (const uint8_t *)"o", 1}};
    struct test_case test = {.arguments = arguments, .argument_count = 3, .inputs = inputs, .input_count = 5},
                     back;
    struct ktest ktest = test_as_ktest(arena, &test), read;
    struct text text = {0};
    ktest_write(&text, &ktest);
    assert_null(ktest_read(arena, text.at, text.count, &read));
    assert_string_equal(read.arguments[2], "--sym-arg");
    assert_string_equal(read.arguments[3], "2");
    assert_string_equal(read.objects[0].name, "arg00");
    assert_int_equal(read.objects[0].size, 3); // with its NUL
    test_from_ktest(arena, &read, &back);
    assert_int_equal(back.input_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(back.inputs[i].kind, inputs[i].kind);
        assert_int_equal(back.inputs[i].size, inputs[i].size);
        assert_memory_equal(back.inputs[i].bytes, inputs[i].bytes, inputs[i].size);
        if (i > 1) assert_string_equal(back.inputs[i].name, inputs[i].name);
    }
    assert_string_equal(back.arguments[1], "ab");
    text_free(&text);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes), cmocka_unit_test(test_reading),
                                       cmocka_unit_test(test_damaged), cmocka_unit_test(test_of_ours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
