// The classes layer against all combinations of values: random conditions on small functions of a few bytes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/alloc.h"
#include "one_layer.h"

#include <stdlib.h>
#include <string.h>

#define BYTES 3u
#define TABLE 16u

static void open_it(struct fixture *f) {
    struct solver_options options = no_layers();
    options.classes = true;
    open_with(f, options);
}

// A function of a byte with few values: its remainder, high bits, or an entry of a table.
struct function {
    unsigned kind, parameter;
    uint8_t table[256];
};

static uint8_t apply(const struct function *function, uint8_t byte) {
    switch (function->kind) {
    case 0: return (uint8_t)(byte % function->parameter);
    case 1: return (uint8_t)(byte >> 5);
    default: return function->table[byte];
    }
}

static Term apply_term(struct fixture *f, const struct function *function, Term byte) {
    struct terms *terms = f->terms;
    switch (function->kind) {
    case 0: return term_urem(terms, byte, term_const(terms, 8, function->parameter));
    case 1: return term_lshr(terms, byte, term_const(terms, 8, 5));
    default: {
        Term table = term_array_bytes(terms, 32, 1, function->table, 256);
        return term_select(terms, table, term_zext(terms, byte, 32));
    }
    }
}

// The query of one seed: counts[f0(a)]++, counts[f1(b)]++, and counts[f2(c)] is a given number; `least <= a`, `b` is odd.
struct puzzle {
    struct function functions[BYTES];
    uint8_t counts[TABLE], wanted, least;
};

static bool holds(const struct puzzle *puzzle, const uint8_t *bytes) {
    uint8_t counts[TABLE];
    memcpy(counts, puzzle->counts, sizeof counts);
    for (unsigned i = 0; i + 1 < BYTES; i++) counts[apply(&puzzle->functions[i], bytes[i])]++;
    return counts[apply(&puzzle->functions[2], bytes[2])] == puzzle->wanted && bytes[0] >= puzzle->least &&
           bytes[1] & 1;
}

static bool has_solution(const struct puzzle *puzzle) {
    for (unsigned value = 0; value < 1u << 24; value++) {
        uint8_t bytes[BYTES] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16)};
        if (holds(puzzle, bytes)) return true;
    }
    return false;
}

static void make_puzzle(struct puzzle *puzzle, unsigned seed) {
    srand(seed);
    *puzzle = (struct puzzle){.wanted = (uint8_t)(3 + rand() % 3), .least = (uint8_t)(rand() % 256)};
    for (unsigned i = 0; i < BYTES; i++) {
        struct function *function = &puzzle->functions[i];
        function->kind = (unsigned)rand() % 3;
        function->parameter = 2 + (unsigned)rand() % (TABLE - 2);
        for (unsigned k = 0; k < 256; k++) function->table[k] = (uint8_t)(rand() % 5);
    }
    for (unsigned i = 0; i < TABLE; i++) puzzle->counts[i] = (uint8_t)(rand() % 4);
}

static void test_puzzles(void **state) {
    unsigned yes = 0, no = 0;
    for (unsigned seed = 1; seed <= 40; seed++) {
        struct fixture f;
        struct puzzle puzzle;
        open_it(&f);
        make_puzzle(&puzzle, seed);
        struct terms *terms = f.terms;
        Term byte[BYTES], array = term_array_bytes(terms, 32, 1, puzzle.counts, TABLE);
        for (unsigned i = 0; i < BYTES; i++) {
            byte[i] = term_byte(terms, f.input, i);
            Term index = term_zext(terms, apply_term(&f, &puzzle.functions[i], byte[i]), 32);
            Term element = term_select(terms, array, index);
            if (i + 1 < BYTES)
                array = term_store(terms, array, index, term_add(terms, element, term_const(terms, 8, 1)));
            else
                array = element;
        }
        struct path_condition path = {0};
        path_add(f.solver, &path, term_ule(terms, term_const(terms, 8, puzzle.least), byte[0]), NULL);
        path_add(f.solver, &path, term_extract(terms, byte[1], 0, 1), NULL);
        struct model *model = NULL;
        Term wanted = term_eq(terms, array, term_const(terms, 8, puzzle.wanted));
        bool expected = has_solution(&puzzle);
        assert_int_equal(solver_may_be_true(f.solver, &path, wanted, &model),
                         expected ? ANSWER_YES : ANSWER_NO);
        if (expected) {
            uint8_t bytes[BYTES];
            for (unsigned i = 0; i < BYTES; i++)
                bytes[i] = model_byte(model, terms_input_var(terms, f.input, i), 0);
            assert_true(holds(&puzzle, bytes));
            model_release(model);
        }
        yes += expected;
        no += !expected;
        path_free(&path);
        close_it(&f);
    }
    assert_true(yes > 5 && no > 5); // both answers were tested
}

// All values of four bytes are different: too many combinations, no answer.
static void test_gives_up(void **state) {
    struct fixture f;
    open_it(&f);
    struct path_condition path = {0};
    Term product = term_const(f.terms, 32, 1);
    for (unsigned i = 0; i < 4; i++)
        product = term_mul(f.terms, product, term_zext(f.terms, term_byte(f.terms, f.input, i), 32));
    Term found = term_eq(f.terms, product, term_const(f.terms, 32, 251u * 241u * 239u * 233u));
    assert_int_equal(solver_may_be_true(f.solver, &path, found, NULL), ANSWER_UNKNOWN);
    path_free(&path);
    close_it(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_puzzles),
        cmocka_unit_test(test_gives_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
