// Names of symbolic files, names of tests by their paths, and numbers that users write.
#include "run/test_names.h"
#include "../check.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/random.h"
#include "run/jobs.h"
#include "run/out_folder.h"
#include "run/symbolic_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct arena *arena;

static void expect_file(const char *directory, const char *name, const char *expected) {
    const char *made = symbolic_file_name(arena, directory, name);
    if (!made || !expected)
        assert_true(made == expected);
    else
        assert_string_equal(made, expected);
}

static void file_names(void **state) {
    arena = arena_new();
    expect_file("/a/b", "f", "f");
    expect_file("/a/b", "./x//y/../f", "x/f");
    expect_file("/a/b", "/a/b/f", "f");
    expect_file("/a/b", "../f", "/a/f");
    expect_file("/a/b", "../bc/f", "/a/bc/f"); // not below /a/b, although its path begins with "/a/b"
    expect_file("/a/b", "../../../../f", "/f");
    expect_file("/", "f", "f");
    expect_file("/", "/x/f", "x/f");
    static const char *const folders[] = {".", "..", "x/", "/", "", "/a/b", "x/..", "../b"};
    for (size_t i = 0; i < COUNT(folders); i++) expect_file("/a/b", folders[i], i == 1 ? "/a" : NULL);
    arena_free(arena);
}

static void files_side_by_side(void **state) {
    char folder[] = "/tmp/tamar-names-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/sub", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/plain", folder);
    fclose(fopen(path, "w"));
    const char *earlier[] = {"a", "d/e"};
    assert_true(symbolic_file_fits(folder, earlier, 2, "b"));
    assert_true(symbolic_file_fits(folder, earlier, 2, "d/f"));
    assert_true(symbolic_file_fits(folder, earlier, 2, "ab"));
    assert_true(symbolic_file_fits(folder, earlier, 0, "a"));
    assert_true(symbolic_file_fits(folder, earlier, 2, "plain")); // replaces the host's
    assert_true(symbolic_file_fits(folder, earlier, 2, "sub/new"));
    assert_false(symbolic_file_fits(folder, earlier, 2, "a"));
    assert_false(symbolic_file_fits(folder, earlier, 2, "a/b"));
    assert_false(symbolic_file_fits(folder, earlier, 2, "d"));
    assert_false(symbolic_file_fits(folder, earlier, 2, "sub"));
    assert_false(symbolic_file_fits(folder, earlier, 2, "plain/new"));
    unlink(path);
    snprintf(path, sizeof path, "%s/sub", folder);
    rmdir(path);
    rmdir(folder);
}

static int compare_tests(const struct test_case *x, const struct test_case *y) {
    if (x->environment != y->environment) return x->environment < y->environment ? -1 : 1;
    for (uint32_t i = 0; i < x->decision_count && i < y->decision_count; i++)
        if (x->decisions[i] != y->decisions[i]) return x->decisions[i] < y->decisions[i] ? -1 : 1;
    if (x->decision_count != y->decision_count) return x->decision_count < y->decision_count ? -1 : 1;
    return x->outcome != y->outcome ? (x->outcome < y->outcome ? -1 : 1) : 0;
}

// Against the definition: the number of a test is one more than the number of tests before it.
static void tests_by_path(void **state) {
    struct random random = {3};
    for (unsigned round = 0; round < 200; round++) {
        enum { MOST = 12 };
        struct test_case tests[MOST];
        uint32_t decisions[MOST][4], count = 1 + (uint32_t)random_below(&random, MOST), got;
        struct test_names *names = test_names_new();
        for (uint32_t i = 0; i < count; i++) {
            for (unsigned k = 0; k < 4; k++) decisions[i][k] = (uint32_t)random_below(&random, 3);
            tests[i] = (struct test_case){.number = i + 1,
                                          .environment = (uint32_t)random_below(&random, 2),
                                          .outcome = (enum test_outcome)random_below(&random, 2),
                                          .decisions = decisions[i],
                                          .decision_count = (uint32_t)random_below(&random, 5)};
        }
        for (uint32_t i = count; i-- > 0;) test_names_add(names, &tests[i]); // found in another order
        const uint32_t *numbers = test_names_order(names, &got);
        assert_int_equal(got, count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t before = 0;
            for (uint32_t k = 0; k < count; k++) {
                int order = compare_tests(&tests[k], &tests[i]);
                before += order < 0 || (order == 0 && k < i);
            }
            assert_int_equal(numbers[i + 1], before + 1);
        }
        tests[0].number = count + 1; // not the numbers from 1 to count
        test_names_add(names, &tests[0]);
        tests[0].number = 1;
        test_names_add(names, &tests[0]);
        assert_null(test_names_order(names, &got));
        test_names_free(names);
    }
}

static void numbers_of_users(void **state) {
    uint32_t number = 0;
    assert_true(out_test_number("3", &number) && number == 3);
    assert_true(out_test_number("000012", &number) && number == 12);
    assert_true(out_test_number("out-1/tests/000007.json", &number) && number == 7);
    assert_true(out_test_number("000007.ktest", &number) && number == 7);
    static const char *const wrong[] = {"",           "x",    "0",     "-1",  "3x",
                                        "4294967296", "out/", "7.txt", "1/x", "7.json.gz"};
    for (size_t i = 0; i < COUNT(wrong); i++) assert_false(out_test_number(wrong[i], &number));
    assert_true(jobs_parse("1", &number) && number == 1);
    assert_true(jobs_parse("1024", &number) && number == 1024);
    assert_true(jobs_parse("auto", &number) && number >= 1);
    static const char *const no_jobs[] = {"", "0", "1025", "-1", "+1", " 1", "2x", "4294967297", "AUTO"};
    for (size_t i = 0; i < COUNT(no_jobs); i++) assert_false(jobs_parse(no_jobs[i], &number));
}

static void nothing_remains(void **state) { assert_int_equal(mem_in_use(), 0); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_names),      cmocka_unit_test(files_side_by_side),
        cmocka_unit_test(tests_by_path),   cmocka_unit_test(numbers_of_users),
        cmocka_unit_test(nothing_remains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
