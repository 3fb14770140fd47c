// Products of unknowns: the lemmas hold for all factors of a few bits, and elements of tables of two and three symbolic
// sizes are within them.
#include "../check.h"
#include "base/random.h"
#include "expr/eval.h"
#include "one_layer.h"
#include "solver/product_lemmas.h"

#define WIDTH 4u
#define WIDER 5u

struct factors {
    uint8_t bytes[5]; // two factors and a third one; the values of two products
};

static uint8_t byte_of(void *context, uint32_t var) { return ((struct factors *)context)->bytes[var]; }

static uint64_t value_of(const struct factors *factors, unsigned i, unsigned width) {
    return factors->bytes[i] & mask_bits(width);
}

// Whether all lemmas hold if both variables are the products of their factors.
static void check_lemmas(struct terms *terms, struct evaluator *evaluator, const term_list *lemmas,
                         unsigned second) {
    struct factors f = {{0}};
    for (unsigned x = 0; x <= mask_bits(second); x++)
        for (unsigned y = 0; y <= mask_bits(WIDTH); y++)
            for (unsigned z = 0; z <= mask_bits(second); z++) {
                f = (struct factors){{(uint8_t)x, (uint8_t)y, (uint8_t)z,
                                      (uint8_t)((x & mask_bits(WIDTH)) * y & mask_bits(WIDTH)),
                                      (uint8_t)(z * y & mask_bits(second))}};
                evaluator_assign(evaluator, &(struct assignment){.byte = byte_of, .context = &f});
                vec_each (Term, lemma, lemmas) assert_int_equal(evaluate(evaluator, *lemma), 1);
            }
}

// Random models of x * y and z * y, with variables as their products. The second has `second` bits.
static void check_models(unsigned second, uint64_t seed) {
    struct terms *terms = terms_new();
    struct evaluator *evaluator = evaluator_new(terms);
    struct random random = {.state = seed};
    uint32_t input = terms_input(terms, "input", 5);
    Term byte[5];
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(terms_input_var(terms, input, i), i);
        byte[i] = term_byte(terms, input, i);
    }
    VarSet common = term_support(terms, byte[1]);
    for (unsigned round = 0; round < 12; round++) {
        struct factors f;
        for (unsigned i = 0; i < 5; i++) f.bytes[i] = (uint8_t)random_below(&random, 256);
        Term x = term_extract(terms, byte[0], 0, WIDTH), y = term_extract(terms, byte[1], 0, WIDTH);
        Term z = term_extract(terms, byte[2], 0, second);
        struct product products[2] = {
            {.factors = {x, y}, .result = term_extract(terms, byte[3], 0, WIDTH), .support = {1000, common}},
            {.factors = {term_zext(terms, y, second), z},
             .result = term_extract(terms, byte[4], 0, second),
             .support = {common, 1001}}};
        products[0].values[0] = value_of(&f, 0, WIDTH);
        products[0].values[1] = products[1].values[0] = value_of(&f, 1, WIDTH);
        products[1].values[1] = value_of(&f, 2, second);
        products[0].value = value_of(&f, 3, WIDTH);
        products[1].value = value_of(&f, 4, second);
        for (unsigned i = 0; i < 2; i++)
            for (unsigned k = 0; k < 2; k++)
                products[i].high[k] = term_facts(terms, products[i].factors[k]).high;
        term_list lemmas = {0};
        product_lemmas(terms, products, 2, &lemmas);
        // A wrong value violates a lemma.
        evaluator_assign(evaluator, &(struct assignment){.byte = byte_of, .context = &f});
        bool wrong = false, violated = false;
        for (unsigned i = 0; i < 2; i++)
            wrong |= products[i].value != (products[i].values[0] * products[i].values[1] &
                                           mask_bits(term_width(terms, products[i].result)));
        vec_each (Term, lemma, &lemmas) violated |= !evaluate(evaluator, *lemma);
        assert_int_equal(wrong, violated);
        check_lemmas(terms, evaluator, &lemmas, second);
        vec_free(&lemmas);
    }
    evaluator_free(evaluator);
    terms_free(terms);
}

static void test_lemmas(void **state) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        check_models(WIDTH, seed);
        check_models(WIDER, seed);
    }
}

// Only the layer `abstract` is used.
static void open_it(struct fixture *f) {
    struct solver_options options = no_layers();
    options.abstract = true;
    open_with(f, options);
}

// A size or an index: two input bytes as a number of `width` bits.
static Term number(struct fixture *f, uint32_t at, unsigned width) {
    Term low = term_byte(f->terms, f->input, 2 * at), high = term_byte(f->terms, f->input, 2 * at + 1);
    return term_zext(f->terms, term_concat(f->terms, high, low), width);
}

static enum answer ask(struct fixture *f, const Term *conditions, unsigned count) {
    Term all = term_true(f->terms);
    for (unsigned i = 0; i < count; i++) all = term_and(f->terms, all, conditions[i]);
    struct path_condition path = {0};
    struct model *model = NULL;
    enum answer answer = solver_may_be_true(f->solver, &path, all, &model);
    if (answer == ANSWER_YES) model_release(model);
    path_free(&path);
    return answer;
}

// row * columns + column is below rows * columns; also times the size of an element, as addresses are.
static void test_two_sizes(void **state) {
    static const uint64_t sizes[] = {1, 3, 4, 8, 12};
    for (unsigned width = 32; width <= 64; width += 32)
        for (unsigned i = 0; i < COUNT(sizes); i++) {
            struct fixture f;
            open_it(&f);
            struct terms *terms = f.terms;
            Term rows = number(&f, 0, width), columns = number(&f, 1, width), row = number(&f, 2, width),
                 column = number(&f, 3, width), bytes = term_const(terms, width, sizes[i]);
            Term index = term_add(terms, term_mul(terms, row, columns), column);
            Term outside = term_ule(terms, term_mul(terms, term_mul(terms, rows, bytes), columns),
                                    term_mul(terms, index, bytes));
            Term inside[] = {term_ult(terms, row, rows), term_ult(terms, column, columns),
                             term_ult(terms, rows, term_const(terms, width, 4000)), outside};
            enum answer answer = ask(&f, inside, 4);
            // the hostile build's tiny SAT instances may be too small for an answer
            if (answer != NORMAL_OR_HOSTILE(ANSWER_NO, ANSWER_UNKNOWN)) assert_int_equal(answer, ANSWER_NO);
            close_it(&f);
        }
}
int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lemmas), cmocka_unit_test(test_two_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
