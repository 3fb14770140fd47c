// The wrapper around CaDiCaL: answers, assumptions, failed assumptions, limits, use after a limit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/run_limits.h"
#include "sat/sat.h"

static void clause2(struct sat *sat, int a, int b) { sat_clause(sat, (int[]){a, b}, 2); }

static void test_answers(void **state) {
    struct sat *sat = sat_new();
    int a = sat_new_variable(sat), b = sat_new_variable(sat), c = sat_new_variable(sat);
    clause2(sat, a, b);
    clause2(sat, -a, c);
    assert_int_equal(sat_solve(sat, NULL), SAT_SATISFIED);
    assert_true(sat_value(sat, a) || sat_value(sat, b));
    sat_assume(sat, -b);
    assert_int_equal(sat_solve(sat, NULL), SAT_SATISFIED);
    assert_true(sat_value(sat, a) && sat_value(sat, c) && sat_value(sat, -b));
    int d = sat_new_variable(sat);
    sat_assume(sat, d);
    sat_assume(sat, -b);
    sat_assume(sat, -c);
    assert_int_equal(sat_solve(sat, NULL), SAT_REFUTED);
    assert_true(sat_failed(sat, -b) && sat_failed(sat, -c) && !sat_failed(sat, d));
    assert_int_equal(sat_solve(sat, NULL), SAT_SATISFIED); // assumptions are gone
    assert_int_equal(sat_statistics(sat)->solves, 4);
    assert_int_equal(sat_statistics(sat)->refuted, 1);
    sat_clause(sat, &b, 1);
    assert_int_equal(sat_solve(sat, NULL), SAT_SATISFIED);
    sat_free(sat);
}

// More pigeons than holes, under an activation literal: hard to refute, trivial when not activated.
static int pigeons(struct sat *sat, int holes) {
    int activation = sat_new_variable(sat), place[16][16];
    assert(holes < 16);
    for (int p = 0; p <= holes; p++) {
        int all[17] = {-activation};
        for (int h = 0; h < holes; h++) all[h + 1] = place[p][h] = sat_new_variable(sat);
        sat_clause(sat, all, (unsigned)holes + 1);
    }
    for (int h = 0; h < holes; h++)
        for (int p = 0; p <= holes; p++)
            for (int q = 0; q < p; q++) clause2(sat, -place[p][h], -place[q][h]);
    return activation;
}

static void test_limits(void **state) {
    struct sat *sat = sat_new();
    int hard = pigeons(sat, 12);
    sat_assume(sat, hard);
    assert_int_equal(sat_solve(sat, &(struct sat_limits){.conflicts = 50}), SAT_UNDECIDED);
    uint64_t start = clock_nanoseconds();
    sat_assume(sat, hard);
    struct sat_limits limits = {.deadline = start + 50000000};
    assert_int_equal(sat_solve(sat, &limits), SAT_UNDECIDED);
    uint64_t taken = clock_nanoseconds() - start;
    assert_true(taken >= 50000000 && taken < 1000000000);
    limits_request(LIMIT_INTERRUPT);
    sat_assume(sat, hard);
    assert_int_equal(sat_solve(sat, &(struct sat_limits){0}), SAT_UNDECIDED);
    limits_withdraw();
    assert_int_equal(sat_solve(sat, NULL),
                     SAT_SATISFIED); // the instance is usable, and limits apply to one call only
    int easy = pigeons(sat, 4);
    sat_assume(sat, easy);
    assert_int_equal(sat_solve(sat, NULL), SAT_REFUTED);
    sat_free(sat);
}

static void test_nothing_remains(void **state) {
    size_t before = mem_in_use();
    sat_free(sat_new());
    sat_free(NULL);
    assert_int_equal(mem_in_use(), before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_nothing_remains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
