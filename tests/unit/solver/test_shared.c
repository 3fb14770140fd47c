// Answers that processes share: one process's answers reach another, a full table replaces old ones, and entries left
// by a killed or faulty process are not accepted.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/random.h"
#include "solver/shared.h"
#include "solver/solver.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Makes queries that no cheap layer answers, about `first` and the bytes that follow; returns how many of them were
// answered from the table.
static uint64_t ask(struct shared_answers *shared, uint32_t first, unsigned count) {
    struct solver_options options = solver_defaults;
    options.model = options.domain = options.range = options.move = options.enumerate = options.scan =
        options.z3 = false;
    options.shared = shared;
    struct terms *terms = terms_new();
    struct solver *solver = solver_new(terms, &options);
    uint32_t input = terms_input(terms, "input", first + 4);
    struct path_condition path = {0};
    for (unsigned i = 0; i < count; i++) {
        Term x = term_input_bits(terms, input, first, 2), y = term_input_bits(terms, input, first + 2, 2);
        Term hit = term_eq(terms, term_mul(terms, x, y), term_const(terms, 16, 2 * i + 1));
        Term square = term_eq(terms, term_mul(terms, x, x), term_const(terms, 16, 8 * i + 3));
        assert_int_equal(solver_may_be_true(solver, &path, hit, NULL), ANSWER_YES);
        assert_int_equal(solver_may_be_true(solver, &path, square, NULL), ANSWER_NO); // none is 3 modulo 8
    }
    uint64_t answered = solver_statistics(solver)->layers[LAYER_DISK].answered;
    path_free(&path);
    solver_free(solver);
    terms_free(terms);
    return answered;
}

static void test_other_process(void **state) {
    struct shared_answers *shared = shared_new(1 << 16);
    pid_t child = fork();
    if (!child) {
        ask(shared, 0, 8);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(ask(shared, 3, 8), 16); // the same queries about other bytes
    assert_int_equal(ask(NULL, 0, 8), 0);
    shared_free(shared);
}

static struct shared_answer example(uint64_t number) {
    struct shared_answer answer = {.name = {number * 0x9e3779b97f4a7c15u, ~number},
                                   .refuted = number % 3 == 0};
    if (!answer.refuted) answer.size = (uint32_t)(number % (SHARED_MODEL + 1));
    memset(answer.model, (int)number, answer.size);
    return answer;
}

// Returns how many of the first answers are in the table; each must be as it was added.
static unsigned count_found(const struct shared_answers *shared, unsigned count) {
    unsigned found = 0;
    for (uint64_t i = 1; i <= count; i++) {
        struct shared_answer right = example(i), answer = {.name = right.name};
        if (!shared_find(shared, &answer)) continue;
        found++;
        assert_int_equal(answer.refuted, right.refuted);
        assert_int_equal(answer.size, right.size);
        assert_memory_equal(answer.model, right.model, right.size);
    }
    return found;
}

static void test_full(void **state) {
    struct shared_answers *shared = shared_new(100 * 120);
    for (uint64_t i = 1; i <= 1000; i++) {
        struct shared_answer answer = example(i);
        shared_add(shared, &answer);
        assert_true(shared_find(shared, &answer)); // the newest is there
    }
    unsigned found = count_found(shared, 1000);
    assert_in_range(found, 50, 100);
    shared_free(shared);
}

// Processes write without a lock and are killed at any moment: an answer is right or is not found.
static void test_killed(void **state) {
    struct shared_answers *shared = shared_new(64 * 120);
    uint64_t position = 0;
    for (unsigned round = 0; round < 20; round++) {
        pid_t child[3];
        for (unsigned i = 0; i < 3; i++) {
            child[i] = fork();
            if (child[i]) continue;
            struct random random = {round * 3 + i};
            for (;;) {
                struct shared_answer answer = example(1 + random_below(&random, 400));
                shared_add(shared, &answer);
            }
        }
        for (unsigned i = 0; i < 50; i++) {
            struct shared_answer newest[16];
            count_found(shared, 400);
            for (uint32_t k = shared_since(shared, &position, newest, COUNT(newest)); k--;)
                assert_true(newest[k].size <= SHARED_MODEL && (!newest[k].refuted || !newest[k].size));
        }
        for (unsigned i = 0; i < 3; i++) {
            kill(child[i], SIGKILL);
            waitpid(child[i], NULL, 0);
        }
    }
    assert_true(count_found(shared, 400) > 0);
    shared_free(shared);
}

// The log of additions has each answer once and in order, except those of other machines and those that were replaced.
static void test_since(void **state) {
    struct shared_answers *shared = shared_new(1 << 22);
    struct shared_answer found[100];
    uint64_t position = 0;
    assert_int_equal(shared_since(shared, &position, found, COUNT(found)), 0);
    for (uint64_t i = 1; i <= 250; i++) {
        struct shared_answer answer = example(i);
        if (i % 5)
            shared_add(shared, &answer);
        else
            shared_add_foreign(shared, &answer);
    }
    uint64_t next = 1;
    for (uint32_t count; (count = shared_since(shared, &position, found, COUNT(found)));)
        for (uint32_t i = 0; i < count; i++, next++) {
            if (next % 5 == 0) next++;
            struct shared_answer right = example(next);
            assert_memory_equal(&found[i].name, &right.name, sizeof right.name);
            assert_int_equal(found[i].size, right.size);
            assert_memory_equal(found[i].model, right.model, right.size);
        }
    assert_int_equal(next, 250);
    for (uint64_t i = 1000; i < 21000; i++) { // more than the log has room for
        struct shared_answer answer = example(i);
        shared_add(shared, &answer);
    }
    assert_true(shared_since(shared, &position, found, COUNT(found)) > 0);
    assert_true(position > 200 + 20000 - 10000 && position < 200 + 20000);
    shared_free(shared);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_process),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_since),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
