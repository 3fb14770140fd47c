// The command line of a compiler: words for the compiler, words for the linker, input files.
#include "../check.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "driver/cc_line.h"

#include <stdio.h>
#include <string.h>

static struct cc_line line;

static void parse(const char *words) {
    static char copy[512];
    static char *argv[64];
    unsigned count = 0;
    cc_line_free(&line);
    snprintf(copy, sizeof copy, "%s", words);
    for (char *save, *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
        argv[count++] = word;
    argv[count] = NULL;
    assert_true(cc_line_parse(&line, argv));
}

// Compares the words that have this use, separated by blanks, with `expected`.
static void expect_words(int use, const char *expected) {
    struct text all = {0};
    text_add_bytes(&all, "", 0);
    vec_each (struct cc_word, word, &line.words)
        if (word->use & use) text_add(&all, "%s%s", all.count ? " " : "", word->text);
    assert_string_equal(all.at, expected);
    text_free(&all);
}

static void refuses(const char *words) {
    char *argv[] = {"-c", "a.c", (char *)words, NULL};
    struct cc_line bad;
    assert_false(cc_line_parse(&bad, argv));
    cc_line_free(&bad);
}

static void compiling(void **state) {
    parse("-O2 -c -DA -D B=1 -I inc -isystem dir -include a.h -Wall -MD -MF x.d -o out.o src.c");
    expect_words(CC_FOR_COMPILER, "-O2 -DA -D B=1 -I inc -isystem dir -include a.h -Wall -MD -MF x.d");
    expect_words(CC_INPUT, "src.c");
    assert_int_equal(line.mode, CC_OBJECT);
    assert_string_equal(line.output, "out.o");
    assert_int_equal(line.sources, 1);
    assert_true(line.makes_dependencies && line.names_dependency_file && !line.names_dependency_target);
    parse("-c -oout.o -MT t -fPIC -g a.s");
    assert_string_equal(line.output, "out.o");
    assert_true(line.is_pic && line.has_debug && line.names_dependency_target && !line.names_dependency_file);
    parse("-g0 a.c");
    assert_false(line.has_debug);
}

static void linking(void **state) {
    parse("-o prog a.o -L lib -lz b.c -Wl,--gc-sections -Xlinker -x lib.a -static -u sym -B dir");
    expect_words(CC_FOR_LINKER, "-L lib -lz -Wl,--gc-sections -Xlinker -x -u sym -B dir");
    expect_words(CC_FOR_COMPILER, "-B dir");
    expect_words(CC_INPUT, "a.o b.c lib.a");
    assert_int_equal(line.mode, CC_LINK);
    assert_int_equal(line.inputs, 3);
    assert_int_equal(line.sources, 1);
    assert_true(line.wants_static && !line.shared && !line.relocatable);
    parse("-shared -nostdlib a.o");
    assert_true(line.shared && line.no_start_files && line.no_default_libraries);
    parse("-r -nostartfiles a.o");
    assert_true(line.relocatable && line.no_start_files && !line.no_default_libraries);
    // the linker sees its words in the order of the command line: inputs and libraries mixed
    parse("a.o -la b.o -lb");
    expect_words(CC_FOR_LINKER | CC_INPUT, "a.o -la b.o -lb");
}

// The last of several modes does not always win: -E is stronger than -S, which is stronger than -c.
static void modes(void **state) {
    static const struct {
        const char *words;
        enum cc_mode mode;
    } all[] = {
        {"a.c", CC_LINK},
        {"-c a.c", CC_OBJECT},
        {"-S a.c", CC_ASSEMBLY},
        {"-S -c a.c", CC_ASSEMBLY},
        {"-c -S a.c", CC_ASSEMBLY},
        {"-E a.c", CC_PREPROCESS},
        {"-E -c a.c", CC_PREPROCESS},
        {"-c -E a.c", CC_PREPROCESS},
        {"-MM a.c", CC_PREPROCESS},
        {"-c -MD a.c", CC_OBJECT},
        {"-fsyntax-only a.c", CC_PREPROCESS},
        {"--version", CC_QUERY},
        {"-c", CC_QUERY},
        {"-dumpmachine", CC_QUERY},
    };
    for (size_t i = 0; i < COUNT(all); i++) {
        parse(all[i].words);
        if (line.mode != all[i].mode) print_error("%s\n", all[i].words);
        assert_int_equal(line.mode, all[i].mode);
    }
}

static void languages(void **state) {
    parse("-x c data -x none lib.a -xassembler-with-cpp code -");
    assert_int_equal(line.inputs, 4);
    assert_int_equal(line.sources, 3);
    assert_string_equal(line.words.at[0].language, "c");
    assert_null(line.words.at[1].language);
    assert_false(line.words.at[1].is_source);
    assert_string_equal(line.words.at[2].language, "assembler-with-cpp");
    assert_true(line.words.at[3].is_source); // standard input
    refuses("b.cpp");
    refuses("b.C");
    parse("-c -x c b.cpp"); // -x takes precedence over the file name
    assert_int_equal(line.sources, 1);
}

static void left_out(void **state) {
    parse("-flto=auto -march=native -pie -fcf-protection -fsanitize=address --coverage -I /usr/include "
          "-I/usr/include/x86_64-linux-gnu/sub -L/usr/lib/x86_64-linux-gnu -isystem /usr/include/ "
          "-I/usr/includes "
          "-L/usr/library a.c");
    expect_words(CC_FOR_COMPILER, "-I/usr/includes");
    expect_words(CC_FOR_LINKER, "-L/usr/library");
    assert_false(line.is_fuzzer);
    parse("-fsanitize=fuzzer,address a.c");
    assert_true(line.is_fuzzer);
    parse("-fsanitize=fuzzer-no-link a.c");
    assert_false(line.is_fuzzer);
    refuses("-mavx2");
    refuses("-m32");
    refuses("-I"); // its value is missing
    refuses("-o");
    parse("-mno-avx -mno-aes a.c");
    expect_words(CC_FOR_COMPILER, "-mno-avx -mno-aes");
}

static void nothing_remains(void **state) {
    cc_line_free(&line);
    assert_int_equal(mem_in_use(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiling), cmocka_unit_test(linking),  cmocka_unit_test(modes),
        cmocka_unit_test(languages), cmocka_unit_test(left_out), cmocka_unit_test(nothing_remains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
