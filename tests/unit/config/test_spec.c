// The file of options and tests: valid lines, and rejected ones.
#include "../check.h"
#include "base/arena.h"
#include "config/spec.h"

#include <string.h>

static void test_all_kinds(void **state) {
    struct arena *arena = arena_new();
    struct spec spec;
    assert_true(spec_parse(arena, &spec, "options",
                           "# options\n"
                           "variable verbose bool = 1 in after_parsing\n"
                           "variable level -2..7   # with a comment\n"
                           "variable mode 1|2|0x10 = 2\n"
                           "variable size int = 9\n\n"
                           "flag --fast\n"
                           "choice form -E|-F|\n"
                           "key my.conf color on|off = off\n"
                           "test\n"
                           "test two: \"a b\" # c < in.txt\n"
                           "test three: x < in.txt\n"
                           "test four: y <> a.peers < b.txt"));
    assert_int_equal(spec.options.count, 7);
    assert_int_equal(spec.tests.count, 4);
    const struct spec_option *o = spec.options.at;
    assert_string_equal(o[0].function, "after_parsing");
    assert_int_equal(o[0].preset, 1);
    assert_true(o[1].ranged && o[1].open && o[1].low == -2 && o[1].high == 7);
    assert_int_equal(o[2].settings.at[2].value, 16);
    assert_int_equal(o[2].preset, 1);
    assert_int_equal(o[3].preset_value, 9);
    assert_int_equal(o[4].settings.count, 2);
    assert_string_equal(o[5].settings.at[2].text, "");
    assert_string_equal(o[6].file, "my.conf");
    assert_string_equal(spec.tests.at[0].name, "test1");
    assert_int_equal(spec.tests.at[1].words.count, 1);
    assert_string_equal(spec.tests.at[1].words.at[0], "a b");
    assert_null(spec.tests.at[1].input);
    assert_string_equal(spec.tests.at[2].input, "in.txt");
    assert_null(spec.tests.at[2].peers);
    assert_int_equal(spec.tests.at[3].words.count, 1);
    assert_string_equal(spec.tests.at[3].peers, "a.peers");
    assert_string_equal(spec.tests.at[3].input, "b.txt");
    spec_free(&spec);
    arena_free(arena);
}

static void test_mistakes(void **state) {
    static const char *const wrong[] = {"",
                                        "test\n",
                                        "flag -x\n",
                                        "varable x bool\ntest\n",
                                        "variable x\ntest\n",
                                        "variable x 5..1\ntest\n",
                                        "variable x 1|1\ntest\n",
                                        "variable x 1|b\ntest\n",
                                        "variable x 3\ntest\n",
                                        "variable x bool = 2\ntest\n",
                                        "variable x bool in\ntest\n",
                                        "variable x 99999999999999999999|1\ntest\n",
                                        "flag -x in main\ntest\n",
                                        "flag -x\nflag -x\ntest\n",
                                        "flag -x\ntest a < b c\n",
                                        "flag -x\ntest a <\n",
                                        "flag -x\ntest a <>\n",
                                        "flag -x\ntest a < b < c\n",
                                        "flag -x\ntest a <> b c\n",
                                        "flag \"-x\ntest\n"};
    for (unsigned i = 0; i < COUNT(wrong); i++) {
        struct arena *arena = arena_new();
        struct spec spec;
        assert_false(spec_parse(arena, &spec, "options", wrong[i]));
        spec_free(&spec);
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_kinds), cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
