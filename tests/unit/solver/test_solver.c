// Path conditions as values, the chain's answers layer by layer, limits, and collections of terms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/alloc.h"
#include "base/run_limits.h"
#include "expr/smtlib.h"
#include "solver/solver.h"

#include <stdio.h>
#include <stdlib.h>

struct fixture {
    struct terms *terms;
    struct solver *solver;
    uint32_t input;
};

static void open_with(struct fixture *f, const struct solver_options *options) {
    f->terms = terms_new();
    f->solver = solver_new(f->terms, options);
    f->input = terms_input(f->terms, "input", 16);
}
static void close_it(struct fixture *f) {
    solver_free(f->solver);
    terms_free(f->terms);
}
static Term byte(struct fixture *f, unsigned i) { return term_byte(f->terms, f->input, i); }
static Term is(struct fixture *f, unsigned i, uint8_t value) {
    return term_eq(f->terms, byte(f, i), term_const(f->terms, 8, value));
}

static void test_groups(void **state) {
    struct fixture f;
    open_with(&f, &solver_defaults);
    struct path_condition a = {0};
    path_add(f.solver, &a, term_ult(f.terms, byte(&f, 0), byte(&f, 1)), NULL);
    assert_int_equal(solver_check(f.solver, &a), ANSWER_YES);
    path_add(f.solver, &a, term_ult(f.terms, term_const(f.terms, 8, 9), byte(&f, 2)), NULL);
    assert_int_equal(a.group_count, 2);
    struct path_condition b = path_copy(&a); // a fork: conditions added to one path do not affect the other
    path_add(f.solver, &b, term_eq(f.terms, byte(&f, 1), byte(&f, 2)), NULL);
    assert_int_equal(b.group_count, 1);
    assert_int_equal(a.group_count, 2);
    assert_int_equal(solver_check(f.solver, &a), ANSWER_YES);
    assert_int_equal(solver_check(f.solver, &b), ANSWER_YES);
    assert_true(path_byte(&a, 0) < path_byte(&a, 1) && path_byte(&a, 2) > 9);
    assert_true(path_byte(&b, 0) < path_byte(&b, 1) && path_byte(&b, 1) == path_byte(&b, 2) &&
                path_byte(&b, 2) > 9);
    path_set_default(&a, terms_input_var(f.terms, f.input, 7), 77);
    assert_int_equal(path_byte(&a, terms_input_var(f.terms, f.input, 7)), 77);
    assert_int_equal(path_byte(&b, terms_input_var(f.terms, f.input, 7)), 0);
    path_free(&a);
    path_free(&b);
    close_it(&f);
}

static void test_branch(void **state) {
    struct fixture f;
    open_with(&f, &solver_defaults);
    struct path_condition path = {0};
    struct branch branch;
    solver_branch(f.solver, &path, is(&f, 0, 'x'), &branch);
    assert_int_equal(branch.yes.answer, ANSWER_YES);
    assert_int_equal(branch.no.answer, ANSWER_YES);
    path_add(f.solver, &path, is(&f, 0, 'x'), branch.yes.model);
    solver_branch_free(&branch);
    assert_int_equal(path_byte(&path, 0), 'x');
    solver_branch(f.solver, &path, term_ult(f.terms, byte(&f, 0), term_const(f.terms, 8, 'x')), &branch);
    assert_int_equal(branch.yes.answer, ANSWER_NO);
    assert_int_equal(branch.no.answer, ANSWER_YES);
    solver_branch_free(&branch);
    assert_int_equal(solver_statistics(f.solver)->layers[LAYER_SAT].asked, 0); // single bytes need no search
    path_add(f.solver, &path, term_false(f.terms), NULL);
    assert_int_equal(solver_may_be_true(f.solver, &path, is(&f, 1, 'y'), NULL), ANSWER_NO);
    path_free(&path);
    close_it(&f);
}

static void test_values(void **state) {
    struct fixture f;
    open_with(&f, &solver_defaults);
    struct path_condition path = {0};
    Term x = term_add(f.terms, term_zext(f.terms, byte(&f, 0), 16), term_zext(f.terms, byte(&f, 1), 16));
    path_add(f.solver, &path, term_ult(f.terms, byte(&f, 0), term_const(f.terms, 8, 3)), NULL);
    path_add(f.solver, &path,
             term_eq(f.terms, byte(&f, 1), term_mul(f.terms, byte(&f, 0), term_const(f.terms, 8, 10))), NULL);
    assert_int_equal(solver_check(f.solver, &path), ANSWER_YES);
    uint64_t low, high, values[8], sum = 0;
    unsigned count;
    assert_int_equal(solver_bounds(f.solver, &path, x, &low, &high), ANSWER_YES);
    assert_int_equal(low, 0);
    assert_int_equal(high, 22);
    assert_int_equal(solver_values(f.solver, &path, x, values, 8, &count), ANSWER_YES);
    assert_int_equal(count, 3);
    for (unsigned i = 0; i < count; i++) sum += values[i];
    assert_int_equal(sum, 0 + 11 + 22);
    assert_int_equal(solver_values(f.solver, &path, x, values, 2, &count), ANSWER_NO);
    assert_int_equal(count, 2);
    path_free(&path);
    close_it(&f);
}

// A product of two words that is hard to refute.
static Term hard(struct fixture *f) {
    Term x = term_zext(f->terms, term_variable(f->terms, "x", 24), 48),
         y = term_zext(f->terms, term_variable(f->terms, "y", 24), 48);
    Term proper = term_and(f->terms, term_ult(f->terms, term_const(f->terms, 48, 1), x),
                           term_ult(f->terms, term_const(f->terms, 48, 1), y));
    return term_and(f->terms, proper,
                    term_eq(f->terms, term_mul(f->terms, x, y), term_const(f->terms, 48, 140737488355213u)));
}

static void test_limits(void **state) {
    struct solver_options options = solver_defaults;
    options.timeout = 0.05;
    struct fixture f;
    open_with(&f, &options);
    struct path_condition path = {0};
    assert_int_equal(solver_may_be_true(f.solver, &path, hard(&f), NULL), ANSWER_UNKNOWN);
    assert_true(solver_statistics(f.solver)->nanoseconds < 3000000000u);
    limits_request(LIMIT_INTERRUPT);
    assert_int_equal(solver_may_be_true(f.solver, &path, hard(&f), NULL), ANSWER_UNKNOWN);
    limits_withdraw();
    Term both =
        term_and(f.terms, is(&f, 3, 4),
                 term_eq(f.terms, term_mul(f.terms, byte(&f, 3), byte(&f, 4)), term_const(f.terms, 8, 20)));
    assert_int_equal(solver_may_be_true(f.solver, &path, both, NULL), ANSWER_YES);
    path_free(&path);
    close_it(&f);
}

// The same query about other bytes, with only the cache and SAT: the second query is a hit.
static void test_renamed(void **state) {
    struct solver_options options = solver_defaults;
    options.model = options.domain = options.range = options.move = options.enumerate = options.scan =
        options.classes = options.z3 = false;
    struct fixture f;
    open_with(&f, &options);
    struct path_condition path = {0};
    for (unsigned i = 0; i < 8; i++) {
        Term product = term_mul(f.terms, byte(&f, i), byte(&f, i + 1));
        Term square =
            term_eq(f.terms, term_mul(f.terms, byte(&f, i), byte(&f, i)), term_const(f.terms, 8, 3)); // never
        assert_int_equal(solver_may_be_true(f.solver, &path, square, NULL), ANSWER_NO);
        assert_int_equal(
            solver_may_be_true(f.solver, &path, term_eq(f.terms, product, term_const(f.terms, 8, 91)), NULL),
            ANSWER_YES);
    }
    assert_int_equal(solver_statistics(f.solver)->layers[LAYER_SAT].asked, 2);
    assert_int_equal(solver_statistics(f.solver)->layers[LAYER_CACHE].answered, 14);
    path_free(&path);
    close_it(&f);
}

static void test_collection(void **state) {
    size_t before = mem_in_use();
    struct fixture f;
    open_with(&f, &solver_defaults);
    struct path_condition path = {0};
    path_add(f.solver, &path,
             term_eq(f.terms, term_mul(f.terms, byte(&f, 0), byte(&f, 1)), term_const(f.terms, 8, 143)),
             NULL);
    assert_int_equal(solver_check(f.solver, &path), ANSWER_YES);
    for (unsigned i = 0; i < 20; i++) {
        terms_collect(f.terms);
        Term other = term_eq(f.terms, term_add(f.terms, byte(&f, 0), byte(&f, 1)), term_const(f.terms, 8, i));
        struct model *model;
        enum answer answer = solver_may_be_true(f.solver, &path, other, &model);
        bool possible = false;
        for (unsigned a = 0; a < 256; a++) possible |= (uint8_t)(a * (uint8_t)(i - a)) == 143;
        assert_int_equal(answer, possible ? ANSWER_YES : ANSWER_NO);
        model_release(model);
    }
    path_free(&path);
    close_it(&f);
    assert_int_equal(mem_in_use(), before);
}

static Term pointer(struct fixture *f, Term condition, Term other) {
    Term step = term_mul(f->terms, term_zext(f->terms, condition, 64), term_const(f->terms, 64, 8));
    Term chosen =
        term_ite(f->terms, other, term_const(f->terms, 64, 0x1000), term_const(f->terms, 64, 0x2000));
    return term_add(f->terms, chosen, step);
}

static void test_decided(void **state) {
    struct fixture f;
    open_with(&f, &solver_defaults);
    struct path_condition path = {0};
    Term less = term_ult(f.terms, byte(&f, 0), byte(&f, 1));
    Term both = term_and(f.terms, is(&f, 2, 'a'), is(&f, 3, 'b'));
    Term at = pointer(&f, less, both);
    uint64_t value = 0;
    assert_true(solver_is_choice(f.terms, at));
    assert_false(solver_is_choice(f.terms, term_const(f.terms, 64, 7)));
    assert_false(solver_is_choice(f.terms, term_zext(f.terms, byte(&f, 0), 64)));
    assert_false(solver_is_choice(f.terms, term_add(f.terms, at, term_zext(f.terms, byte(&f, 0), 64))));
    assert_false(solver_implied_value(f.solver, &path, at, &value));
    path_add(f.solver, &path, term_not(f.terms, less), NULL);
    assert_false(solver_implied_value(f.solver, &path, at, &value)); // `both` is open
    struct path_condition other = path_copy(&path);
    path_add(f.solver, &path, term_not(f.terms, is(&f, 3, 'b')), NULL); // one of two suffices
    assert_int_equal(path.group_count, 2);
    assert_true(solver_implied_value(f.solver, &path, at, &value));
    assert_int_equal(value, 0x2000);
    struct model *model;
    assert_int_equal(solver_may_be_true(f.solver, &other, both, &model), ANSWER_YES);
    path_add(f.solver, &other, both, model);
    model_release(model);
    assert_int_equal(other.group_count, 3); // the parts of a conjunction stay in separate groups
    assert_true(solver_implied_value(f.solver, &other, at, &value));
    assert_int_equal(value, 0x1000);
    path_free(&path);
    path_free(&other);
    close_it(&f);
}

static void test_checked(void **state) {
    struct solver_options options = solver_defaults;
    options.check = true;
    struct fixture f;
    open_with(&f, &options);
    struct path_condition path = {0};
    Term array = term_array_variable(f.terms, "m", 8, 8);
    Term twice = term_and(
        f.terms, term_eq(f.terms, term_select(f.terms, array, byte(&f, 0)), term_const(f.terms, 8, 1)),
        term_and(f.terms, term_eq(f.terms, byte(&f, 0), byte(&f, 1)),
                 term_eq(f.terms, term_select(f.terms, array, byte(&f, 1)), term_const(f.terms, 8, 2))));
    assert_int_equal(solver_may_be_true(f.solver, &path, twice, NULL), ANSWER_NO);
    assert_int_equal(solver_statistics(f.solver)->checked, 1);
    // Only Z3 decides equality of arrays.
    Term equal = term_eq(f.terms, term_store(f.terms, array, byte(&f, 0), term_const(f.terms, 8, 7)), array);
    struct model *model;
    assert_int_equal(solver_may_be_true(f.solver, &path, equal, &model), ANSWER_YES);
    path_add(f.solver, &path, equal, model);
    model_release(model);
    Term differs = term_ne(f.terms, term_select(f.terms, array, byte(&f, 0)), term_const(f.terms, 8, 7));
    assert_int_equal(solver_may_be_true(f.solver, &path, differs, NULL), ANSWER_NO);
    path_free(&path);
    close_it(&f);
}

// Bounds of bytes for reports: exact where that is cheap, never too narrow, and never by SAT.
static void test_byte_bounds(void **state) {
    struct fixture f;
    open_with(&f, &solver_defaults);
    struct path_condition path = {0};
    uint64_t low, high;
    Term product =
        term_mul(f.terms, term_zext(f.terms, byte(&f, 1), 64), term_zext(f.terms, byte(&f, 2), 64));
    for (unsigned i = 3; i < 7; i++)
        product = term_mul(f.terms, product, term_zext(f.terms, byte(&f, i), 64));
    Term conditions[] = {term_ult(f.terms, byte(&f, 0), term_const(f.terms, 8, 10)),
                         term_ult(f.terms, term_const(f.terms, 8, 3), byte(&f, 0)),
                         term_ult(f.terms, byte(&f, 1), term_const(f.terms, 8, 200)),
                         term_eq(f.terms, product, term_const(f.terms, 64, 3ull * 5 * 7 * 11 * 13 * 17))};
    for (unsigned i = 0; i < COUNT(conditions); i++) {
        struct model *model;
        assert_int_equal(solver_may_be_true(f.solver, &path, conditions[i], &model), ANSWER_YES);
        path_add(f.solver, &path, conditions[i], model);
        model_release(model);
    }
    const struct solver_counters *counters = solver_statistics(f.solver);
    uint64_t searched = counters->layers[LAYER_SAT].asked + counters->layers[LAYER_Z3].asked,
             queries = counters->queries;
    solver_byte_bounds(f.solver, &path, term_var(f.terms, byte(&f, 0)), byte(&f, 0), &low, &high);
    assert_int_equal(low, 4);
    assert_int_equal(high, 9);
    solver_byte_bounds(f.solver, &path, term_var(f.terms, byte(&f, 1)), byte(&f, 1), &low, &high);
    assert_true(low <= 3 && high >= 221 - 34 && high < 200); // 3 and 187 are possible
    assert_int_equal(counters->layers[LAYER_SAT].asked + counters->layers[LAYER_Z3].asked, searched);
    assert_int_equal(counters->unknown, 0);
    assert_true(counters->queries >= queries);
    path_free(&path);
    close_it(&f);
}

// Refutations that the tables of single bytes give without a query are checked, too, and refutations that Z3 does not
// decide are not counted as checked.
static void test_checked_bytes(void **state) {
    struct solver_options options = solver_defaults;
    options.check = true;
    for (unsigned round = 0; round < 2; round++) {
        options.timeout = round ? 1e-9 : 0; // the time is over before Z3 is called
        struct fixture f;
        open_with(&f, &options);
        struct path_condition path = {0};
        Term small = term_ult(f.terms, byte(&f, 0), term_const(f.terms, 8, 10)),
             large = term_ult(f.terms, term_const(f.terms, 8, 20), byte(&f, 0));
        path_add(f.solver, &path, small, NULL);
        const struct solver_counters *counters = solver_statistics(f.solver);
        const uint64_t *proved = round ? &counters->unchecked : &counters->checked,
                       *other = round ? &counters->checked : &counters->unchecked;
        struct branch branch;
        solver_branch(f.solver, &path, large, &branch);
        assert_int_equal(branch.yes.answer, ANSWER_NO);
        assert_int_equal(*proved, 1);
        solver_branch_free(&branch);
        solver_branch(f.solver, &path, term_not(f.terms, large), &branch);
        assert_int_equal(branch.no.answer, ANSWER_NO);
        assert_int_equal(*proved, 2);
        solver_branch_free(&branch);
        assert_int_equal(solver_may_be_true(f.solver, &path, large, NULL), ANSWER_NO);
        assert_int_equal(*proved, 3);
        path_add(f.solver, &path, term_not(f.terms, large), NULL); // implied: nothing is added
        assert_int_equal(*proved, 4);
        uint64_t value;
        Term chosen = term_ite(f.terms, large, term_const(f.terms, 8, 1), term_const(f.terms, 8, 2));
        assert_true(solver_implied_value(f.solver, &path, chosen, &value));
        assert_int_equal(value, 2);
        assert_int_equal(*proved, 5);
        assert_int_equal(*other, 0);
        path_free(&path);
        close_it(&f);
    }
}

// Bytes that only refinement has read, as elements of an array or as indices of stores, are part of the model: their
// earlier values do not come back.
static void test_consulted_bytes(void **state) {
    struct solver_options options = solver_defaults;
#define LAYER(number, name, ...) options.name = false;
    LAYER_TABLE(LAYER)
#undef LAYER
    options.sat = true;
    struct fixture f;
    open_with(&f, &options);
    uint32_t memory = terms_input(f.terms, "memory", 300);
    struct path_condition path = {0};
    for (uint32_t i = 0; i < 300; i++) path_set_default(&path, terms_input_var(f.terms, memory, i), 5);
    Term array = term_input_array(f.terms, memory, 300, 16), zero = term_const(f.terms, 8, 0);
    Term i = term_concat(f.terms, byte(&f, 0), byte(&f, 1));
    Term inside = term_ult(f.terms, i, term_const(f.terms, 16, 300));
    Term first = term_and(f.terms, inside, term_eq(f.terms, term_select(f.terms, array, i), zero));
    assert_int_equal(solver_may_be_true(f.solver, &path, first, NULL), ANSWER_YES);
    // More stores than are expanded, at symbolic indices.
    Term written = term_array_bytes(f.terms, 8, 1, (uint8_t[1]){0}, 1);
    for (uint32_t k = 0; k < 40; k++)
        written = term_store(f.terms, written, term_byte(f.terms, memory, k), term_const(f.terms, 8, k + 1));
    Term second = term_eq(f.terms, term_select(f.terms, written, byte(&f, 2)), zero);
    assert_int_equal(solver_may_be_true(f.solver, &path, second, NULL), ANSWER_YES);
    second = term_and(f.terms, second, term_eq(f.terms, byte(&f, 2), term_const(f.terms, 8, 5)));
    assert_int_equal(solver_may_be_true(f.solver, &path, second, NULL), ANSWER_YES);
    path_free(&path);
    close_it(&f);
}

// Reads a log: the number of conditions of each query.
struct counts {
    unsigned at[8], count;
};

static enum smtlib_answer count_conditions(void *context, const Term *conditions, size_t count,
                                           struct assignment *model, const char **reason) {
    struct counts *counts = context;
    assert_true(counts->count < COUNT(counts->at));
    counts->at[counts->count++] = (unsigned)count;
    *reason = "";
    return SMTLIB_UNKNOWN;
}
static void no_reset(void *context, struct terms *terms) {}

static void test_log(void **state) {
    char *text = NULL;
    size_t size = 0;
    struct solver_options options = solver_defaults;
    options.log = open_memstream(&text, &size);
    struct fixture f;
    open_with(&f, &options);
    struct path_condition a = {0}, b;
    path_add(f.solver, &a, term_ult(f.terms, byte(&f, 0), byte(&f, 1)), NULL);
    assert_int_equal(solver_check(f.solver, &a), ANSWER_YES); // 1 and the same again
    assert_int_equal(solver_may_be_true(f.solver, &a, is(&f, 0, 7), NULL), ANSWER_YES); // 1 + 1
    b = path_copy(&a);
    path_add(f.solver, &b, is(&f, 0, 9), NULL);
    assert_int_equal(solver_check(f.solver, &b), ANSWER_YES); // 2 + 1
    terms_collect(f.terms); // terms of queries alone are collected, and their ids reused
    Term far = term_ult(f.terms, term_const(f.terms, 8, 200), byte(&f, 5));
    struct branch branch;
    solver_branch(f.solver, &a, far, &branch); // 1 + 1, twice
    solver_branch_free(&branch);
    assert_int_equal(solver_may_be_true(f.solver, &b, is(&f, 1, 9), NULL), ANSWER_NO); // 2 + 1
    path_free(&a);
    path_free(&b);
    close_it(&f);
    fclose(options.log);

    struct counts counts = {0};
    struct smtlib_solver reader = {.check = count_conditions, .reset = no_reset, .context = &counts};
    FILE *in = fmemopen(text, size, "r"), *out = fopen("/dev/null", "w");
    assert_int_equal(smtlib_run(in, out, &reader, &(struct smtlib_options){.name = "log"}).errors, 0);
    fclose(in);
    fclose(out);
    static const unsigned wanted[] = {2, 2, 3, 2, 2, 3};
    assert_int_equal(counts.count, COUNT(wanted));
    assert_memory_equal(counts.at, wanted, sizeof wanted);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),        cmocka_unit_test(test_branch),
        cmocka_unit_test(test_values),        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_renamed),       cmocka_unit_test(test_collection),
        cmocka_unit_test(test_decided),       cmocka_unit_test(test_checked),
        cmocka_unit_test(test_checked_bytes), cmocka_unit_test(test_byte_bounds),
        cmocka_unit_test(test_log),           cmocka_unit_test(test_consulted_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
