// Response files: words as GCC reads them, files within files, and files that cannot be read.
#include "../check.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "driver/cc_response.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/tamar-response-XXXXXX";

static int make_folder(void **state) { return !mkdtemp(folder) || chdir(folder) != 0; }

static int remove_folder(void **state) {
    static const char *const names[] = {"words", "inner", "outer", "loop", "empty"};
    for (size_t i = 0; i < COUNT(names); i++) unlink(names[i]);
    return rmdir(folder);
}

static void write_file(const char *name, const char *content) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(content, file);
    assert_int_equal(fclose(file), 0);
}

// Expands `argv` and compares the words with `expected`, which has a `|` after each word.
static void expect(char **argv, const char *expected) {
    struct cc_response response = {0};
    assert_true(cc_response_expand(&response, argv));
    struct text all = {0};
    text_add_bytes(&all, "", 0);
    for (char **word = response.words.at; *word; word++) text_add(&all, "%s|", *word);
    assert_string_equal(all.at, expected);
    text_free(&all);
    cc_response_free(&response);
}

static void plain_words(void **state) {
    expect((char *[]){"-c", "a b", "", NULL}, "-c|a b||");
    expect((char *[]){NULL}, "");
    expect((char *[]){"@missing", "@", NULL}, "@missing|@|"); // words that are not files stay as they are
}

static void quoted_words(void **state) {
    write_file("words", " a 'b c' \"d 'e\" f\\ g '\\' \"\\\"\"\n\th'i'j \"\" '' x\\\\");
    expect((char *[]){"-1", "@words", "-2", NULL}, "-1|a|b c|d 'e|f g|\\|\"|hij|||x\\|-2|");
    write_file("empty", "");
    expect((char *[]){"@empty", "z", NULL}, "z|");
}

static void nested_files(void **state) {
    write_file("inner", "b @missing c");
    write_file("outer", "a @inner '@inner' d");
    // as with GCC, quotes do not protect an @: they are removed before it is expanded
    expect((char *[]){"@outer", NULL}, "a|b|@missing|c|b|@missing|c|d|");
    write_file("loop", "x @loop");
    struct cc_response response = {0};
    assert_false(cc_response_expand(&response, (char *[]){"@loop", NULL}));
    cc_response_free(&response);
}

// Words of any characters, quoted in one of three ways, are read back unchanged.
static void random_words(void **state) {
    static const char alphabet[] = "ab \t\n'\"\\@-=";
    struct random random = {5};
    for (unsigned round = 0; round < 300; round++) {
        struct text content = {0}, expected = {0};
        for (uint64_t n = 1 + random_below(&random, 5); n; n--) {
            char word[8] = "";
            size_t length = 1 + random_below(&random, 6);
            for (size_t i = 0; i < length; i++)
                word[i] = alphabet[random_below(&random, sizeof alphabet - 1)];
            if (word[0] == '@') word[0] = 'a';
            text_add(&expected, "%s|", word);
            uint64_t style = strchr(word, '\'') ? random_below(&random, 2) : random_below(&random, 3);
            const char *quote = style == 0 ? "" : style == 1 ? "\"" : "'";
            text_add(&content, "%s", quote);
            for (size_t i = 0; i < length; i++) {
                bool escapes = style == 0 || (style == 1 && strchr("\"\\", word[i]));
                text_add(&content, "%s%c", escapes ? "\\" : "", word[i]);
            }
            text_add(&content, "%s%s", quote, random_below(&random, 2) ? " " : "\n\t");
        }
        write_file("words", content.at);
        expect((char *[]){"@words", NULL}, expected.at);
        text_free(&content);
        text_free(&expected);
    }
}

static void nothing_remains(void **state) { assert_int_equal(mem_in_use(), 0); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_words),  cmocka_unit_test(quoted_words),    cmocka_unit_test(nested_files),
        cmocka_unit_test(random_words), cmocka_unit_test(nothing_remains),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
