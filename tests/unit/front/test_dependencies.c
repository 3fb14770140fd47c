// The dependencies of a compilation: the list of its files, and the words and flags that forbid keeping its output.
#include "base/arena.h"
#include "base/file.h"
#include "front/compile_cache.h"
#include "front/dependencies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static bool is_volatile(const char *text) { return dependencies_is_volatile(text, strlen(text)); }

static void words_beyond_files(void **unused) {
    assert_true(is_volatile("char *a = __DATE__;"));
    assert_true(is_volatile("__TIME__"));
    assert_true(is_volatile("x __TIMESTAMP__"));
    assert_true(is_volatile("#if __has_include(<a.h>)"));
    assert_true(is_volatile("#if __has_include_next(<a.h>)"));
    assert_true(is_volatile("#if __has_embed(\"a\")"));
    assert_true(is_volatile("# embed \"data\""));
    assert_true(is_volatile("__DA\\\nTE__"));
    assert_true(is_volatile("__DA\\\r\nTE__"));
    assert_false(is_volatile(""));
    assert_false(is_volatile("my__DATE__ __DATE__s embedded \\"));
    assert_false(is_volatile("__DA\\ \nTE__"));
}

// A list for the rules "x: NAME..." of files in the current directory, as if the compiler had started at this time.
static bool list(const char *rules, time_t seconds, struct text *to) {
    struct dependencies all = {
        .arena = arena_new(), .trusted = "own", .started = {.tv_sec = time(NULL) + seconds}};
    struct text copy = {0};
    text_add(&copy, "%s", rules);
    text_clear(to);
    dependencies_search(&all, "./first/");
    dependencies_search(&all, "second");
    bool good = dependencies_list(&all, &copy, to);
    vec_free(&all.folders);
    arena_free(all.arena);
    text_free(&copy);
    return good;
}

static void put(const char *path, const char *content) {
    assert_true(file_write(path, content, strlen(content)));
}

static void files_and_their_rivals(void **unused) {
    struct text files = {0};
    char folder[] = "/tmp/tamar-unit-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(0, chdir(folder));
    assert_true(file_make_folder("first") && file_make_folder("second") && file_make_folder("own"));
    put("a.c", "");
    put("second/x.h", "1");
    put("own/y.h", "__has_include(<z.h>)");

    assert_true(list("x: a.c second/x.h \\\n  own/y.h\n", 5, &files));
    assert_true(dependencies_hold(files.at, files.count));
    assert_non_null(strstr(files.at, "- first/x.h\n"));
    assert_non_null(strstr(files.at, "- x.h\n"));
    assert_non_null(strstr(files.at, "- second/y.h\n"));
    assert_null(strstr(files.at, "- first/a.c\n")); // the source is named, not searched for
    put("first/x.h", "1");
    assert_false(dependencies_hold(files.at, files.count));
    assert_int_equal(0, unlink("first/x.h"));
    assert_int_equal(0, symlink("nowhere", "first/x.h"));
    assert_false(dependencies_hold(files.at, files.count));
    assert_int_equal(0, unlink("first/x.h"));
    assert_true(dependencies_hold(files.at, files.count));
    put("second/x.h", "2");
    assert_false(dependencies_hold(files.at, files.count));
    assert_int_equal(0, unlink("second/x.h"));
    assert_false(dependencies_hold(files.at, files.count));
    put("second/x.h", "1");
    assert_true(dependencies_hold(files.at, files.count));
    assert_false(dependencies_hold("no list\n", 8));

    // a file, or a rival, that may have changed while the compiler ran
    assert_false(list("x: a.c second/x.h\n", -5, &files));
    put("first/x.h", "");
    assert_true(list("x: a.c second/x.h\n", 5, &files));
    assert_null(strstr(files.at, "- first/x.h\n")); // it was there and was not read
    // a test for a header outside of Tamar's own headers, names that need quotes, missing files, no files
    put("z.c", "__has_include(<z.h>)");
    assert_false(list("x: z.c\n", 5, &files));
    assert_false(list("x: a\\ b.c\n", 5, &files));
    assert_false(list("x: missing.c\n", 5, &files));
    assert_false(list("x:\n", 5, &files));
    assert_false(list("", 5, &files));
    text_free(&files);
    assert_int_equal(0, chdir("/"));
    file_remove_tree(folder);
}

// Whether the output of `COMPILER FLAG a.c` is kept.
static bool is_kept(const char *compiler, const char *flag, char key[CACHE_KEY]) {
    const char *command[] = {compiler, flag, "/dev/null"};
    char source[] = "/tmp/tamar-unit-XXXXXX";
    int fd = mkstemp(source);
    assert_true(fd >= 0);
    close(fd);
    command[2] = source;
    struct compilation compilation = {
        .command = command, .count = 3, .flags = &command[1], .flag_count = 1, .runtime = "own"};
    bool good = compile_cache_key(&compilation, key);
    unlink(source);
    return good;
}

static void flags_and_variables(void **unused) {
    static const char *const plain[] = {"-O2",   "-DX=1", "-Ifolder",    "-std=c99",
                                        "-Wall", "-g",    "-fno-builtin"};
    static const char *const other[] = {"-DX=__TIME__", "-ftime-trace",  "-gsplit-dwarf",
                                        "-Wp,-MD,x",    "-march=native", "-I=x",
                                        "-fplugin=x",   "-Xclang",       "-save-temps"};
    char key[CACHE_KEY];
    unsetenv("LD_PRELOAD");
    unsetenv("LD_LIBRARY_PATH");
    for (size_t i = 0; i < COUNT(plain); i++) assert_true(is_kept("clang-19", plain[i], key));
    for (size_t i = 0; i < COUNT(other); i++) assert_false(is_kept("clang-19", other[i], key));
    assert_false(is_kept("no-such-compiler", "-g", key));
    assert_false(is_kept("ldd", "-g", key)); // a script
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "LD_PRELOAD"};
    for (size_t i = 0; i < COUNT(variables); i++) {
        setenv(variables[i], "", 1);
        assert_false(is_kept("clang-19", "-g", key));
        unsetenv(variables[i]);
    }
    assert_true(is_kept("clang-19", "-g", key));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_beyond_files),
        cmocka_unit_test(files_and_their_rivals),
        cmocka_unit_test(flags_and_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
