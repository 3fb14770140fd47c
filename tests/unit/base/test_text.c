#include "../check.h"
#include "base/alloc.h"
#include "base/options.h"
#include "base/text.h"

#include <string.h>

static struct text text;

static void expect(const char *expected) {
    assert_string_equal(text.at, expected);
    assert_int_equal(text.count, strlen(expected));
    text_clear(&text);
}

static void test_add(void **state) {
    text_add(&text, "%d", 1);
    for (int i = 0; i < 1000; i++) text_add(&text, ",%d", i);
    assert_int_equal(text.count, strlen(text.at));
    assert_non_null(strstr(text.at, ",998,999"));
    text_clear(&text);
    text_add_bytes(&text, "a\0b", 3);
    assert_int_equal(text.count, 3);
    assert_memory_equal(text.at, "a\0b", 4);
    text_clear(&text);
    text_add_bytes(&text, "", 0);
    expect("");
}

static void test_escaped(void **state) {
    text_add_escaped(&text, "a\n\t\"\\\0\1\177\377 7", 12);
    expect("a\\n\\t\\\"\\\\\\000\\001\\177\\377 7\\000");
}

static void test_shown(void **state) {
    static const char mixed[] = "a\n\tb\033[31m\r\177\377\xc3\xa4\xc2\x9b\xe2\x80\xae\xe2\x82";
    text_add_shown(&text, mixed, sizeof mixed - 1);
    expect("a\n\tb\\033[31m\\r\\177\\377\xc3\xa4\\302\\233\\342\\200\\256\\342\\202");
    text_clear(&text);
    text_add_line(&text, "a\n\tb", 4);
    expect("a\\n\\tb");
    char cut[8];
    text_show(cut, sizeof cut, "abc\033\033");
    assert_string_equal(cut, "abc\\033");
}

static void test_json(void **state) {
    static const struct {
        const char *plain, *json;
    } cases[] = {
        {"", "\"\""},
        {"a\"b\\c\n", "\"a\\\"b\\\\c\\n\""},
        {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
        {"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\""},
        {"\xff", "\"\\u00ff\""},                                  // not UTF-8
        {"\xc3", "\"\\u00c3\""},                                  // cut short
        {"\xc0\x80", "\"\\u00c0\\u0080\""},                       // overlong
        {"\xed\xa0\x80", "\"\\u00ed\\u00a0\\u0080\""},            // a surrogate
        {"\xf4\x90\x80\x80", "\"\\u00f4\\u0090\\u0080\\u0080\""}, // beyond Unicode
    };
    for (unsigned i = 0; i < COUNT(cases); i++) {
        text_add_json(&text, cases[i].plain);
        expect(cases[i].json);
    }
}

static void test_wrapped(void **state) {
    options_add_wrapped(&text, "short", 4);
    expect("short\n");
    options_add_wrapped(&text, "one\n\ntwo", 0);
    expect("one\n\ntwo\n");
    struct text words = {0};
    for (int i = 0; i < 100; i++) text_add(&words, "%sword%d", i ? " " : "", i);
    options_add_wrapped(&text, words.at, 10);
    unsigned column = 10;
    for (const char *p = text.at; *p; p++) { // nothing beyond column 100, no blank at a line's end
        if (*p == '\n') {
            assert_true(p[-1] != ' ');
            column = 0;
        } else {
            assert_true(++column <= 100);
        }
    }
    size_t kept = 0; // the words are all there, in order
    for (char *p = strtok(text.at, " \n"); p; p = strtok(NULL, " \n")) {
        assert_memory_equal(words.at + kept, p, strlen(p));
        kept += strlen(p) + 1;
    }
    assert_int_equal(kept, words.count + 1);
    text_free(&words);
}

static int nothing_left(void **state) {
    text_free(&text);
    return mem_in_use() != 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_add, nothing_left),
        cmocka_unit_test_teardown(test_escaped, nothing_left),
        cmocka_unit_test_teardown(test_shown, nothing_left),
        cmocka_unit_test_teardown(test_json, nothing_left),
        cmocka_unit_test_teardown(test_wrapped, nothing_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
