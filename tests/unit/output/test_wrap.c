// Lines for a terminal: broken between words, none lost; lines to be copied stay whole.
#include "../check.h"
#include "base/text.h"
#include "output/wrap.h"

#include <stdlib.h>
#include <string.h>

static void expect(const char *text, unsigned columns, const char *wanted) {
    struct text got = {0};
    wrap_add(&got, text, columns);
    assert_string_equal(got.at, wanted);
    text_free(&got);
}

static void test_lines(void **state) {
    expect("short\n", 20, "short\n");
    expect("one two three four\n", 13, "one two three\n    four\n");
    expect("one two three four\n", 18, "one two three four\n");
    expect("  one two three four", 12, "  one two\n      three\n      four");
    expect("averyverylongwordindeed next\n", 10, "averyverylongwordindeed\n    next\n");
    expect("\033[1mone two\033[0m three\n", 13, "\033[1mone two\033[0m three\n");
    expect("\xc3\xa4\xc3\xb6\xc3\xbc \xc3\xa4\xc3\xb6 x\n", 8,
           "\xc3\xa4\xc3\xb6\xc3\xbc \xc3\xa4\xc3\xb6 x\n");
    expect("\n\na b\n", 30, "\n\na b\n");
}

static void test_copied(void **state) {
    static const char *const lines[] = {"next: tamar run --resume out --max-time 24\n",
                                        "      to see it:  tamar exec table.c -- l\n",
                                        "     >    6 |         if (strcmp(a, b) == 0) return i;\n"};
    for (size_t i = 0; i < COUNT(lines); i++) expect(lines[i], 20, lines[i]);
}

// Random text: the words are the same, and a line is longer only if it is one word.
static void test_random(void **state) {
    srand(5);
    for (int i = 0; i < 2000; i++) {
        char text[200] = {0}, words[2][200] = {{0}};
        int count = rand() % 199;
        for (int k = 0; k < count; k++) text[k] = "abc  \n"[rand() % 6];
        unsigned columns = 9 + (unsigned)rand() % 30;
        struct text got = {0};
        text_add(&got, "%s", "");
        wrap_add(&got, text, columns);
        const char *from[] = {text, got.at};
        for (int side = 0; side < 2; side++)
            for (size_t k = 0, to = 0; from[side][k]; k++)
                if (from[side][k] > ' ') words[side][to++] = from[side][k];
        assert_string_equal(words[0], words[1]);
        for (const char *line = got.at; *line; line += strcspn(line, "\n"), line += *line == '\n') {
            size_t length = strcspn(line, "\n"), indent = strspn(line, " ");
            if (indent + 8 > columns) continue;
            if (length > columns) assert_null(memchr(line + indent, ' ', length - indent));
        }
        text_free(&got);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_copied),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
