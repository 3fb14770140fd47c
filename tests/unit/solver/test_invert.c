// Hashes of one word are inverted: random sequences of bijective steps, of which the layer `abstract` finds the word
// that has a given hash, and the two words whose hashes have equal remainders.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/alloc.h"
#include "one_layer.h"

#include <stdlib.h>

#define STEPS 6u

static void open_it(struct fixture *f) {
    struct solver_options options = no_layers();
    options.abstract = true;
    open_with(f, options);
}

static Term word_at(struct fixture *f, uint32_t index) {
    Term word = term_byte(f->terms, f->input, index);
    for (uint32_t i = 1; i < 4; i++)
        word = term_concat(f->terms, term_byte(f->terms, f->input, index + i), word);
    return word;
}

struct step {
    unsigned kind;
    uint32_t constant, shift;
};

static uint32_t apply(const struct step *step, uint32_t x) {
    switch (step->kind) {
    case 0: return x ^ x >> step->shift;
    case 1: return x ^ x << step->shift;
    case 2: return x + step->constant;
    default: return x * (step->constant | 0x10d1);
    }
}

static Term apply_term(struct terms *terms, const struct step *step, Term x) {
    Term shift = term_const(terms, 32, step->shift);
    switch (step->kind) {
    case 0: return term_xor(terms, x, term_lshr(terms, x, shift));
    case 1: return term_xor(terms, x, term_shl(terms, x, shift));
    case 2: return term_add(terms, x, term_const(terms, 32, step->constant));
    default: return term_mul(terms, x, term_const(terms, 32, step->constant | 0x10d1));
    }
}

static uint32_t model_word(struct fixture *f, const struct model *model, uint32_t index) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; i++)
        word |= (uint32_t)model_byte(model, terms_input_var(f->terms, f->input, index + i), 0) << 8 * i;
    return word;
}

static void make_steps(struct step *steps, unsigned seed) {
    srand(seed);
    for (unsigned i = 0; i < STEPS; i++)
        steps[i] = (struct step){(unsigned)rand() % 4, (uint32_t)rand(), 1 + (uint32_t)rand() % 31};
    for (unsigned i = 1; i < STEPS; i++) // the shift of a sum to the left is a sum of shifts: not inverted
        if (steps[i].kind == 1 && steps[i - 1].kind == 2) steps[i - 1].kind = 0;
    steps[STEPS / 2].kind = steps[STEPS - 1].kind = 3;
}

static uint32_t hash_of(const struct step *steps, uint32_t word) {
    for (unsigned i = 0; i < STEPS; i++) word = apply(&steps[i], word);
    return word;
}

static Term hash_term(struct fixture *f, const struct step *steps, uint32_t index) {
    Term t = word_at(f, index);
    for (unsigned i = 0; i < STEPS; i++) t = apply_term(f->terms, &steps[i], t);
    return t;
}

static void test_given_hash(void **state) {
    for (unsigned seed = 1; seed <= 40; seed++) {
        struct fixture f;
        struct step steps[STEPS];
        open_it(&f);
        make_steps(steps, seed);
        uint32_t wanted = (uint32_t)rand();
        struct path_condition path = {0};
        struct model *model = NULL;
        Term query = term_ult(f.terms, hash_term(&f, steps, 0), term_const(f.terms, 32, wanted | 1));
        assert_int_equal(solver_may_be_true(f.solver, &path, query, &model), ANSWER_YES);
        assert_true(hash_of(steps, model_word(&f, model, 0)) < (wanted | 1));
        model_release(model);
        path_free(&path);
        close_it(&f);
    }
}

static void test_equal_remainders(void **state) {
    unsigned found = 0;
    for (unsigned seed = 1; seed <= 40; seed++) {
        struct fixture f;
        struct step steps[STEPS];
        open_it(&f);
        make_steps(steps, seed);
        Term prime = term_const(f.terms, 32, 1021), words[2] = {word_at(&f, 0), word_at(&f, 4)};
        Term first = term_urem(f.terms, hash_term(&f, steps, 0), prime);
        Term second = term_urem(f.terms, hash_term(&f, steps, 4), prime);
        struct path_condition path = {0};
        struct model *model = NULL;
        Term query = term_and(f.terms, term_ne(f.terms, words[0], words[1]), term_eq(f.terms, first, second));
        enum answer answer = solver_may_be_true(f.solver, &path, query, &model);
        assert_int_not_equal(answer, ANSWER_NO);
        if (answer == ANSWER_YES) {
            uint32_t a = model_word(&f, model, 0), b = model_word(&f, model, 4);
            assert_true(a != b && hash_of(steps, a) % 1021 == hash_of(steps, b) % 1021);
            model_release(model);
            found++;
        }
        path_free(&path);
        close_it(&f);
    }
    assert_true(found >= 30); // the limits of conflicts and of rounds end the others
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_given_hash),
        cmocka_unit_test(test_equal_remainders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
