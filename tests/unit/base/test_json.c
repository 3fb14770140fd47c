// The reader reads everything that the writer writes; malformed JSON is rejected with its offset.
#include "../check.h"
#include "base/arena.h"
#include "base/json.h"

#include <string.h>

static const struct json_value *parse(struct arena *arena, const char *text) {
    const char *error;
    size_t place;
    return json_parse(arena, text, strlen(text), &error, &place);
}

static void test_round_trip(void **state) {
    struct text text = {0}, again = {0};
    struct json json = {.to = &text}, copy = {.to = &again};
    struct arena *arena = arena_new();
    json_open(&json, '{');
    json_field(&json, string, "plain", "a \"quoted\" \\ word\n\x01\x7f");
    json_field(&json, string, "no utf-8", "\xff\xc0\x80");
    json_field(&json, string, "utf-8", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
    json_field(&json, string, "nothing", NULL);
    json_field(&json, number, "most", UINT64_MAX);
    json_field(&json, integer, "least", INT64_MIN);
    json_field(&json, real, "half", 0.5);
    json_field(&json, real, "infinite", 1e308 * 10);
    json_field(&json, bool, "yes", true);
    json_field(&json, hex, "hex", "\x00\xab\x7f", 3);
    json_field(&json, printable, "printable", "a\0\n", 3);
    json_key(&json, "list");
    json_open_flat(&json, '[');
    json_number(&json, 1);
    json_open(&json, '[');
    json_close(&json, ']');
    json_close(&json, ']');
    json_key(&json, "empty");
    json_open(&json, '{');
    json_close(&json, '}');
    json_close(&json, '}');

    const struct json_value *root = parse(arena, text.at);
    assert_non_null(root);
    assert_int_equal(root->count, 13);
    assert_string_equal(json_get_text(root, "plain", ""), "a \"quoted\" \\ word\n\x01\x7f");
    assert_string_equal(json_get_text(root, "no utf-8", ""), "\xc3\xbf\xc3\x80\xc2\x80");
    assert_string_equal(json_get_text(root, "utf-8", ""), "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
    assert_int_equal(json_get(root, "nothing")->kind, JSON_NULL);
    assert_true(json_get_number(root, "most", 0) == UINT64_MAX);
    assert_true(json_get_number(root, "least", 7) == 7); // not an unsigned number
    assert_true(json_real_value(json_get(root, "half"), 0) == 0.5);
    assert_int_equal(json_get(root, "infinite")->kind, JSON_NULL);
    assert_true(json_get_bool(root, "yes", false));
    assert_string_equal(json_get_text(root, "hex", ""), "00ab7f");
    assert_string_equal(json_get_text(root, "printable", ""), "a\\000\\n");
    assert_int_equal(json_get(root, "list")->count, 2);
    assert_null(json_get(root, "missing"));

    json_copy(&copy, root);
    const struct json_value *second = parse(arena, again.at);
    assert_non_null(second);
    assert_int_equal(second->count, root->count);
    assert_string_equal(json_get_text(second, "utf-8", ""), json_get_text(root, "utf-8", "x"));
    arena_free(arena);
    text_free(&text);
    text_free(&again);
}

static void test_escapes(void **state) {
    struct arena *arena = arena_new();
    const struct json_value *value = parse(arena, " \"\\u00e4\\ud83d\\ude00\\/\\b\\t\" ");
    assert_non_null(value);
    assert_string_equal(value->text, "\xc3\xa4\xf0\x9f\x98\x80/\b\t");
    value = parse(arena, "\"a\\u0000\\\\b\"");
    assert_int_equal(value->size, 4);
    assert_memory_equal(value->text, "a\0\\b", 5);
    arena_free(arena);
}

// \u escapes of all lengths of UTF-8, as one unit or two, decoded again bit by bit.
static void test_code_points(void **state) {
    for (uint32_t c = 1; c < 0x110000; c += c < 0x900 ? 1 : 61) {
        if (c >= 0xd800 && c < 0xe000) continue;
        struct arena *arena = arena_new();
        char text[40];
        if (c < 0x10000)
            snprintf(text, sizeof text, "\"\\u%04x\"", c);
        else
            snprintf(text, sizeof text, "\"\\u%04x\\u%04x\"", 0xd800 + (c - 0x10000) / 0x400,
                     0xdc00 + (c - 0x10000) % 0x400);
        const struct json_value *value = parse(arena, text);
        assert_non_null(value);
        const unsigned char *at = (const unsigned char *)value->text;
        size_t length = strlen(value->text);
        assert_int_equal(length, c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
        uint32_t back = length == 1 ? at[0] : at[0] & (0xffu >> (length + 1));
        if (length > 1) assert_int_equal(at[0] >> (7 - length), (1u << (length + 1)) - 2);
        for (size_t i = 1; i < length; i++) {
            assert_int_equal(at[i] & 0xc0, 0x80);
            back = back * 64 + (at[i] & 0x3f);
        }
        assert_int_equal(back, c);
        arena_free(arena);
    }
}

static void test_refused(void **state) {
    static const char *const wrong[] = {"",
                                        "{",
                                        "[1,]",
                                        "{\"a\" 1}",
                                        "nul",
                                        "01",
                                        "1.",
                                        "\"a",
                                        "\"\\x\"",
                                        "\"\\u12g4\"",
                                        "[1] 2",
                                        "{'a': 1}",
                                        "-",
                                        "1e",
                                        "\"\n\"",
                                        "[1 2]",
                                        "\"\\ud800\\u0041\""};
    struct arena *arena = arena_new();
    for (size_t i = 0; i < COUNT(wrong); i++) {
        const char *error = NULL;
        size_t place;
        if (json_parse(arena, wrong[i], strlen(wrong[i]), &error, &place)) fail_msg("accepted: %s", wrong[i]);
        assert_non_null(error);
        assert_true(place <= strlen(wrong[i]));
    }
    char deep[2001];
    memset(deep, '[', 2000);
    deep[2000] = 0;
    assert_null(parse(arena, deep));
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_escapes),
                                       cmocka_unit_test(test_code_points), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
