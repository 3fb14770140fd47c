// Lowers and verifies the whole C library and runtime, and random programs, at every optimisation level. Only the
// validity of the IR is checked here; the end-to-end tests check its results.
#include "../check.h"
#include "base/alloc.h"
#include "loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_whole(const char *const *words) {
    struct ir_program *program = load(&(struct front_options){.whole = true, .allow_undefined = true}, words);
    if (!program) fail_msg("%s is refused", words[0]);
    const char *problem = ir_verify(program);
    if (problem) fail_msg("%s: %s", words[0], problem);
    assert_true(program->block_count > 0);
    ir_program_free(program);
}

static void test_runtime(void **state) {
    const char *path = getenv("TAMAR_TEST_RUNTIME");
    if (!path || access(path, R_OK)) skip();
    check_whole((const char *[]){path, NULL});
}

static bool make_random_program(unsigned seed, char *path, size_t size) {
    char command[400];
    snprintf(path, size, "%s", text_file("random.c", ""));
    snprintf(command, sizeof command, "csmith --seed %u --max-funcs 6 --float > %s 2>/dev/null", seed, path);
    return system(command) == 0;
}

static void test_random_programs(void **state) {
    static const char *const levels[][2] = {
        {"-O0", "-O0"}, {"-O1", "-O1"}, {"-O2", "-fPIC"}, {"-O3", "-mavx2"}};
    const char *include = getenv("TAMAR_TEST_CSMITH");
    if (!include) skip();
    char path[256], flag[300];
    snprintf(flag, sizeof flag, "-I%s", include);
    for (unsigned seed = 1; seed <= 6; seed++) {
        if (!make_random_program(seed, path, sizeof path)) skip();
        for (size_t i = 0; i < COUNT(levels); i++)
            check_whole((const char *[]){path, "-w", flag, levels[i][0], levels[i][1], "-fvectorize",
                                         "-fslp-vectorize", NULL});
    }
}

// Loops over all types, so that the vectoriser makes vectors of all shapes.
static void test_vectorised_loops(void **state) {
    char source[8192];
    size_t at = 0;
    static const char *const types[] = {"char", "unsigned char", "short", "unsigned",
                                        "long", "float",         "double"};
    for (size_t i = 0; i < COUNT(types); i++)
        at += (size_t)snprintf(source + at, sizeof source - at,
                               "%s sum%zu(%s *a, %s *b, int n) { %s s = 0; for (int i = 0; i < n; i++) s += "
                               "a[i] * b[i]; return s; }\n"
                               "void map%zu(%s *restrict a, %s *restrict b, int n) { for (int i = 0; i < n; "
                               "i++) if (b[i] > 3) a[i] = b[i] / 3 + 1; }\n"
                               "%s most%zu(%s *a, int n) { %s m = a[0]; for (int i = 0; i < n; i++) m = a[i] "
                               "> m ? a[i] : m; return m; }\n"
                               "void conv%zu(%s *restrict a, long *restrict b, int n) { for (int i = 0; i < "
                               "n; i++) a[i] = (%s)b[i]; }\n",
                               types[i], i, types[i], types[i], types[i], i, types[i], types[i], types[i], i,
                               types[i], types[i], i, types[i], types[i]);
    const char *path = text_file("loops.c", source);
    static const char *const machines[] = {"-msse2", "-mavx2", "-mavx512f"};
    for (size_t i = 0; i < COUNT(machines); i++)
        check_whole((const char *[]){path, "-O3", "-ffast-math", "-fvectorize", "-fslp-vectorize",
                                     machines[i], NULL});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_runtime), cmocka_unit_test(test_random_programs),
                                       cmocka_unit_test(test_vectorised_loops)};
    loading_start();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    loading_end();
    return failed || mem_in_use() != 0;
}
