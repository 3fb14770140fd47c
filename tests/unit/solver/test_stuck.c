// Z3 that does not stop when it is told to: the query ends all the same, and the solver can be used as before. Z3's own
// function is replaced by one that works until the test lets it go: where a query waited for it, the test would never end.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h wants the four above
#include <cmocka.h>

#include "solver/solver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>
#include <z3.h>

static volatile int stuck, asked;

Z3_lbool Z3_API Z3_solver_check(Z3_context context, Z3_solver solver) {
    Z3_lbool (*real)(Z3_context, Z3_solver) = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "Z3_solver_check");
    __atomic_add_fetch(&asked, 1, __ATOMIC_SEQ_CST);
    while (stuck) usleep(1000);
    return real(context, solver);
}

struct fixture {
    struct terms *terms;
    struct solver *solver;
    uint32_t input;
};

static struct fixture open_z3(double timeout) {
    struct solver_options options = {.z3 = true, .timeout = timeout};
    struct fixture f = {.terms = terms_new()};
    f.solver = solver_new(f.terms, &options);
    f.input = terms_input(f.terms, "input", 16);
    return f;
}

static void close_it(struct fixture *f) {
    solver_free(f->solver);
    terms_free(f->terms);
}

// Whether two bytes may be in this order; each time another question.
static enum answer ask(struct fixture *f, unsigned i) {
    struct path_condition path = {0};
    enum answer answer = solver_may_be_true(
        f->solver, &path,
        term_ult(f->terms, term_byte(f->terms, f->input, i), term_byte(f->terms, f->input, i + 1)), NULL);
    path_free(&path);
    return answer;
}

static void test_deadline(void **state) {
    struct fixture f = open_z3(0.05);
    stuck = 1;
    assert_int_equal(ask(&f, 0), ANSWER_UNKNOWN);
    stuck = 0;
    solver_set_timeout(f.solver, 0);
    assert_int_equal(ask(&f, 2), ANSWER_YES);
    assert_int_equal(ask(&f, 0), ANSWER_YES);
    close_it(&f);
}

static void *cancel(void *solver) {
    while (!asked) usleep(1000);
    *solver_cancel(solver) = 1;
    return NULL;
}

static void test_cancel(void **state) {
    struct fixture f = open_z3(0);
    pthread_t thread;
    asked = 0;
    stuck = 1;
    assert_int_equal(pthread_create(&thread, NULL, cancel, f.solver), 0);
    assert_int_equal(ask(&f, 0), ANSWER_UNKNOWN);
    pthread_join(thread, NULL);
    stuck = 0;
    *solver_cancel(f.solver) = 0;
    assert_int_equal(ask(&f, 2), ANSWER_YES);
    close_it(&f);
}

// Those that are left behind take processors away: there are never many.
static void test_many(void **state) {
    struct fixture f = open_z3(0.05);
    stuck = 1;
    asked = 0;
    for (unsigned i = 0; i < 8; i++) assert_int_equal(ask(&f, i), ANSWER_UNKNOWN);
    assert_in_range(asked, 1, 2);
    stuck = 0;
    solver_set_timeout(f.solver, 0);
    while (ask(&f, 0) != ANSWER_YES) usleep(1000); // until those have come to their ends
    close_it(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deadline),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
