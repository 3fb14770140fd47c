// No layer may handle Ctrl-C, which is for the run: a layer that handled it would end one query, and the run would
// continue.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "solver/solver.h"

#include <dlfcn.h>
#include <signal.h>

static int taken; // how often a handler of SIGINT was installed

// Replaces the C library's function, also for Z3.
__sighandler_t signal(int number, __sighandler_t handler) {
    __sighandler_t (*real)(int, __sighandler_t) = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "signal");
    if (number == SIGINT) taken++;
    return real(number, handler);
}

static int interrupts;
static void count(int number) {
    (void)number;
    interrupts++;
}

static enum answer ask(struct solver *solver, struct terms *terms, uint32_t input, uint64_t product) {
    struct path_condition path = {0};
    Term x = term_zext(terms, term_input_bits(terms, input, 0, 2), 32),
         y = term_zext(terms, term_input_bits(terms, input, 2, 2), 32);
    Term condition = term_eq(terms, term_mul(terms, x, y), term_const(terms, 32, product));
    enum answer answer = solver_may_be_true(solver, &path, condition, NULL);
    path_free(&path);
    return answer;
}

static void test_ctrl_c(void **state) {
    struct solver_options options = {.z3 = true};
    struct terms *terms = terms_new();
    struct solver *solver = solver_new(terms, &options);
    uint32_t input = terms_input(terms, "input", 16);
    signal(SIGINT, count);
    assert_int_equal(taken, 1);
    assert_int_equal(ask(solver, terms, input, 15), ANSWER_YES);
    assert_int_equal(ask(solver, terms, input, 0xfffffffb),
                     ANSWER_NO); // a prime, so there are no factors of 16 bits
    assert_int_equal(taken, 1);
    raise(SIGINT);
    assert_int_equal(interrupts, 1);
    solver_free(solver);
    terms_free(terms);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ctrl_c)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
