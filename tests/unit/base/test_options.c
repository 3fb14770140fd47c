#include "../check.h"
#include "base/options.h"
#include "base/suggest.h"

#define DEMO_OPTIONS(X, T)                                                                                   \
    X(T, FLAG, quiet, 'q', "say only what matters")                                                          \
    X(T, SWITCH, cache, true, "do not cache")                                                                \
    X(T, SWITCH, trace, false, "trace")                                                                      \
    X(T, NUMBER, max_depth, "N", 100, 1, 1000, "depth")                                                      \
    X(T, NUMBER, max_tests, "N", 0, 1, UINT64_MAX, "tests; not given: no limit")                             \
    X(T, SECONDS, max_time, "S", 1.5, "time")                                                                \
    X(T, TEXT, out, "DIR", NULL, "where results go")                                                         \
    X(T, CHOICE, feasibility, "eager|pending", "pending", "when branches are checked")                       \
    X(T, SET, check, "memory|div|assert|shift", "memory,assert", "which checks are on")                      \
    X(T, LIST, sym_arg, "N", "one more argument")                                                            \
    X(T, LIST, sym_args, "MIN MAX N", "more arguments")
OPTIONS_STRUCT(demo_options, DEMO_OPTIONS)
OPTIONS_TABLE(demo_options, DEMO_OPTIONS)

static struct demo_options options;
static struct operands operands;

static bool parse_as(enum operand_style style, char **words) {
    return options_parse(&demo_options_table, "demo", style, words, &options, &operands);
}

#define WORDS(...)     ((char *[]){__VA_ARGS__, NULL})
#define parse(...)     parse_as(OPERANDS_PLAIN, WORDS(__VA_ARGS__))
#define parse_run(...) parse_as(OPERANDS_COMPILER, WORDS(__VA_ARGS__))

static void done(void) {
    options_free(&demo_options_table, &options);
    operands_free(&operands);
    assert_int_equal(mem_in_use(), 0);
}

static void refused(bool accepted) {
    assert_false(accepted);
    done();
}

static void test_defaults(void **state) {
    assert_true(parse_as(OPERANDS_PLAIN, (char *[]){NULL}));
    assert_false(options.quiet);
    assert_true(options.cache);
    assert_false(options.trace);
    assert_int_equal(options.max_depth, 100);
    assert_int_equal(options.max_tests, 0);
    assert_true(options.max_time == 1.5);
    assert_null(options.out);
    assert_int_equal(options.feasibility, 1);
    assert_int_equal(options.check, 1 | 4);
    assert_int_equal(options.sym_arg.count, 0);
    assert_false(operands.separator);
    done();
}

static void test_forms(void **state) {
    assert_true(
        parse("--max-depth", "7", "-q", "--out=", "--no-cache", "--trace=on", "--max-time=200ms", "x"));
    assert_int_equal(options.max_depth, 7);
    assert_true(options.quiet);
    assert_string_equal(options.out, "");
    assert_false(options.cache);
    assert_true(options.trace);
    assert_true(options.max_time > 0.199 && options.max_time < 0.201);
    assert_int_equal(operands.words.count, 1);
    assert_string_equal(operands.words.at[0], "x");
    done();
    assert_true(parse("--max-time", "2h", "--check=all", "--feasibility", "eager", "--max-tests=0x10"));
    assert_true(options.max_time == 7200);
    assert_int_equal(options.check, 15);
    assert_int_equal(options.feasibility, 0);
    assert_int_equal(options.max_tests, 16);
    done();
    assert_true(parse("--check=none,div,shift"));
    assert_int_equal(options.check, 2 | 8);
    done();
}

static void test_lists(void **state) {
    assert_true(parse("--sym-arg", "3", "--sym-args", "0", "2", "4", "--sym-arg=5"));
    assert_int_equal(options.sym_arg.count, 2);
    assert_string_equal(options.sym_arg.at[0].values[0], "3");
    assert_string_equal(options.sym_arg.at[1].values[0], "5");
    assert_int_equal(options.sym_args.count, 1);
    assert_string_equal(options.sym_args.at[0].values[1], "2");
    assert_string_equal(options.sym_args.at[0].values[2], "4");
    assert_true(options.sym_arg.at[0].order < options.sym_args.at[0].order);
    assert_true(options.sym_args.at[0].order < options.sym_arg.at[1].order);
    done();
}

static void test_separator(void **state) {
    assert_true(parse("a", "--", "--max-depth", "-q", "--"));
    assert_int_equal(operands.words.count, 1);
    assert_true(operands.separator);
    assert_int_equal(operands.argument_count, 3);
    assert_string_equal(operands.arguments[0], "--max-depth");
    assert_string_equal(operands.arguments[2], "--");
    assert_null(operands.arguments[3]);
    assert_false(options.quiet);
    done();
    assert_true(parse("-")); // conventionally standard input
    assert_int_equal(operands.words.count, 1);
    done();
}

static void test_compiler_flags(void **state) {
    assert_true(
        parse_run("a.c", "-Iinc", "-I", "dir", "--max-depth=3", "-DX=1", "-O2", "-q", "-lm", "--", "-n"));
    static const char *const expected[] = {"a.c", "-Iinc", "-I", "dir", "-DX=1", "-O2", "-lm"};
    assert_int_equal(operands.words.count, COUNT(expected));
    for (unsigned i = 0; i < COUNT(expected); i++) assert_string_equal(operands.words.at[i], expected[i]);
    assert_int_equal(options.max_depth, 3);
    assert_true(options.quiet);
    assert_int_equal(operands.argument_count, 1);
    done();
    refused(parse_run("a.c", "-max-depth", "3")); // a long option with one '-' is not the compiler's
    refused(parse_run("a.c", "--std=c99"));
    assert_true(parse_run("a.c", "-include")); // the value is missing: the compiler reports it
    done();
}

static void test_refused(void **state) {
    refused(parse("--max-dept", "3"));
    refused(parse("-x"));
    refused(parse("--max_depth", "3"));
    refused(parse("--max-depth"));
    refused(parse("--out", "--max-depth", "3")); // a value is missing, not an odd name of a folder
    refused(parse("--sym-args", "1", "2", "--", "x"));
    refused(parse("--sym-args", "1", "2", "prog.c")); // the program is not a number of bytes
    refused(parse("--max-depth", "0"));
    refused(parse("--max-depth", "1001"));
    refused(parse("--max-depth=-1"));
    refused(parse("--max-depth=3x"));
    refused(parse("--max-depth="));
    refused(parse("--max-tests=18446744073709551616"));
    refused(parse("--max-tests=0"));
    refused(parse("--max-time=5d"));
    refused(parse("--max-time=-1"));
    refused(parse("--max-time=1e999"));
    refused(parse("--feasibility=eage"));
    refused(parse("--feasibility="));
    refused(parse("--check=memory,"));
    refused(parse("--check=memory,divv"));
    refused(parse("--quiet=yes"));
    refused(parse("--no-quiet"));
    refused(parse("--no-cache=on"));
    refused(parse("--trace=maybe"));
    refused(parse("--sym-args", "1", "2"));
    refused(parse("--=3"));
}

static void test_help(void **state) {
    assert_true(parse("--help"));
    assert_true(operands.help);
    done();
    assert_true(parse("--", "--help"));
    assert_false(operands.help);
    done();
    struct text text = {0};
    options_add_help(&text, &demo_options_table, NULL);
    assert_non_null(strstr(text.at, "  -q, --quiet               say only what matters\n"));
    assert_non_null(strstr(text.at, "      --no-cache            do not cache\n"));
    assert_non_null(strstr(text.at, "--max-depth N         depth (default 100)\n"));
    assert_non_null(strstr(text.at, "--sym-args MIN MAX N  more arguments; may repeat\n"));
    assert_null(strstr(text.at, "(default 0)"));
    text_clear(&text);
    options_add_words(&text, &demo_options_table);
    assert_non_null(strstr(text.at, "-q --quiet --no-cache --trace --max-depth "));
    text_clear(&text);
    options_add_man(&text, &demo_options_table);
    assert_non_null(strstr(text.at, ".TP\n\\fB\\-\\-max\\-depth N\\fR\n\\&depth (default 100)\n"));
    text_clear(&text);
    options_add_wrapped(&text, "a\nb\n\nc d", 3); // lines of one letter, and an empty one
    assert_string_equal(text.at, "a\n   b\n\n   c d\n");
    text_free(&text);
    done();
}

static void test_suggestions(void **state) {
    assert_int_equal(suggest_edit_distance("", ""), 0);
    assert_int_equal(suggest_edit_distance("abc", ""), 3);
    assert_int_equal(suggest_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(suggest_edit_distance("seach", "search"), 1);
    assert_int_equal(suggest_edit_distance("serach", "search"), 1);
    static const char *const names[] = {"max-time", "max-memory", "search", "seeds", "sym-stdin"};
    static const struct {
        const char *typed, *meant;
    } cases[] = {{"max-tiem", "max-time"}, {"serch", "search"}, {"max-mem", "max-memory"},
                 {"stdin", NULL},          {"zzz", NULL},       {"sed", "seeds"},
                 {"sym-stdn", "sym-stdin"}};
    for (unsigned i = 0; i < COUNT(cases); i++) {
        struct suggestion nearest = {.typed = cases[i].typed};
        for (unsigned j = 0; j < COUNT(names); j++) suggest_consider(&nearest, names[j]);
        if (cases[i].meant)
            assert_string_equal(nearest.best, cases[i].meant);
        else
            assert_null(nearest.best);
    }
    assert_int_equal(mem_in_use(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),       cmocka_unit_test(test_forms),
        cmocka_unit_test(test_lists),          cmocka_unit_test(test_separator),
        cmocka_unit_test(test_compiler_flags), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_help),           cmocka_unit_test(test_suggestions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
