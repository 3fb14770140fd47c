#include "../check.h"
#include "base/alloc.h"
#include "base/options.h"
#include "base/text.h"

#include <stdio.h>
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

// Formatted text of every length behind every amount of text, so that it just fits, just does not, and neither.
static void test_lengths(void **state) {
    static char plain[200];
    for (unsigned before = 0; before < 90; before++)
        for (unsigned length = 0; length < 150; length++) {
            struct text fresh = {0};
            memset(plain, 'a', sizeof plain);
            text_add_bytes(&fresh, plain, before);
            memset(plain, 'b', length);
            text_add(&fresh, "%.*s", (int)length, plain);
            assert_int_equal(fresh.count, before + length);
            assert_int_equal(strlen(fresh.at), fresh.count);
            for (unsigned i = 0; i < fresh.count; i++) assert_int_equal(fresh.at[i], i < before ? 'a' : 'b');
            text_free(&fresh);
        }
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

// The bytes of a code point, also of those that UTF-8 does not allow.
static unsigned encode(uint32_t c, char *to) {
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    unsigned length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (unsigned i = length; i-- > 0; c >>= 6)
        to[i] = (char)(length == 1 ? c : i ? 0x80 | (c & 63) : first[length] | c);
    return length;
}

static bool is_harmless(uint32_t c) {
    bool control = c < 32 || (c >= 127 && c < 160);
    bool direction =
        c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    return !control && !direction && !(c >= 0xd800 && c < 0xe000) && c < 0x110000;
}

// Every character between two letters: shown as it is, or its bytes as escapes.
static void test_every_character(void **state) {
    for (uint32_t c = 0; c < 0x140000; c += c < 0x3000 || c >> 16 == 0x10 || c >> 12 == 0xd ? 1 : 61) {
        char bytes[8] = "x", shown[40] = "x";
        unsigned length = encode(c, bytes + 1);
        bytes[length + 1] = 'y';
        unsigned at = 1;
        for (unsigned i = 1; i <= length; i++) {
            const char *named = c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : NULL;
            at += (unsigned)(is_harmless(c) ? snprintf(shown + at, 5, "%c", bytes[i])
                             : named        ? snprintf(shown + at, 5, "%s", named)
                                            : snprintf(shown + at, 5, "\\%03o", (unsigned char)bytes[i]));
        }
        shown[at] = 'y';
        text_add_line(&text, bytes, length + 2);
        expect(shown);
        assert_int_equal(c && text_is_utf8(bytes), c && !(c >= 0xd800 && c < 0xe000) && c < 0x110000);
    }
}

// All sequences of up to three bytes that begin or continue a character, in their shortest form or not.
static void test_every_sequence(void **state) {
    static const unsigned char bytes[] = {0,    'a',  0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
                                          0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec,
                                          0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff};
    for (unsigned k = 0; k < COUNT(bytes) * COUNT(bytes) * COUNT(bytes); k++) {
        unsigned char at[4] = {bytes[k % COUNT(bytes)], bytes[k / COUNT(bytes) % COUNT(bytes)],
                               bytes[k / COUNT(bytes) / COUNT(bytes)]};
        bool good = true;
        for (unsigned i = 0; at[i] && good;) { // a character is what is encoded as just these bytes
            char again[4];
            uint32_t c = at[i];
            if (c >= 0xe0 && c < 0xf0 && i + 2 < 3)
                c = (c & 15) << 12 | (at[i + 1] & 63u) << 6 | (at[i + 2] & 63u);
            else if (c >= 0xc0 && c < 0xe0 && i + 1 < 3)
                c = (c & 31) << 6 | (at[i + 1] & 63u);
            else
                good = c < 0x80;
            unsigned length = encode(c, again);
            good = good && !(c >= 0xd800 && c < 0xe000) && !memcmp(again, at + i, length);
            i += length;
        }
        if (text_is_utf8((const char *)at) != good) fail_msg("%02x %02x %02x", at[0], at[1], at[2]);
    }
}

static void test_ends(void **state) {
    assert_true(text_ends_with("a.c", ".c"));
    assert_false(text_ends_with(".c", ".c"));
    assert_false(text_ends_with("c", ".c"));
    assert_false(text_ends_with("a.cc", ".c"));
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
        cmocka_unit_test_teardown(test_lengths, nothing_left),
        cmocka_unit_test_teardown(test_escaped, nothing_left),
        cmocka_unit_test_teardown(test_shown, nothing_left),
        cmocka_unit_test_teardown(test_every_character, nothing_left),
        cmocka_unit_test_teardown(test_every_sequence, nothing_left),
        cmocka_unit_test_teardown(test_ends, nothing_left),
        cmocka_unit_test_teardown(test_json, nothing_left),
        cmocka_unit_test_teardown(test_wrapped, nothing_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
