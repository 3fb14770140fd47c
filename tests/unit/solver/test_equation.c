// Equations between random sums over two input bytes: what is refuted has no solution among all values; sums of
// multiples, and sums out of range, are refuted.
#include "../check.h"
#include "base/random.h"
#include "expr/eval.h"
#include "solver/equation.h"

#define WIDTH 8u
#define TERMS 14

static uint8_t byte_of(void *context, uint32_t var) { return ((const uint8_t *)context)[var]; }

// A table of multiples of `step`, plus `rest`.
static Term table(struct terms *terms, struct random *random, uint64_t step, uint64_t rest) {
    Term elements[8];
    for (unsigned i = 0; i < 8; i++)
        elements[i] = term_const(terms, WIDTH, (step * random_below(random, 6) + rest) & mask_bits(WIDTH));
    return term_array_literal(terms, WIDTH, WIDTH, elements, 8);
}

static Term operation(struct terms *terms, struct random *random, const Term *pool, unsigned count) {
    Term a = pool[random_below(random, count)], b = pool[random_below(random, count)];
    switch (random_below(random, 8)) {
    case 0:
    case 1: return term_add(terms, a, b);
    case 2: return term_sub(terms, a, b);
    case 3: return term_mul(terms, a, term_const(terms, WIDTH, 1 + random_below(random, 9)));
    case 4: return term_ite(terms, term_ult(terms, a, b), a, b);
    case 5: return term_concat(terms, term_extract(terms, a, 0, 4), term_extract(terms, b, 0, WIDTH - 4));
    case 6: return term_and(terms, a, term_const(terms, WIDTH, 28)); // multiples of 4
    default: {
        Term index = term_and(terms, a, term_const(terms, WIDTH, 7 + random_below(random, 2)));
        uint64_t step = 1 + random_below(random, 7);
        return term_select(terms, table(terms, random, step, random_below(random, 3)), index);
    }
    }
}

static bool has_solution(struct evaluator *evaluator, Term equation) {
    for (unsigned x = 0; x < 256; x++)
        for (unsigned y = 0; y < 256; y += 1 + y % 2) {
            uint8_t bytes[2] = {(uint8_t)x, (uint8_t)y};
            evaluator_assign(evaluator, &(struct assignment){.byte = byte_of, .context = bytes});
            if (evaluate(evaluator, equation)) return true;
        }
    return false;
}

static void test_random_sums(void **state) {
    struct random random = {.state = 7};
    unsigned refuted = 0;
    for (unsigned round = 0; round < 1200; round++) {
        struct terms *terms = terms_new();
        struct evaluator *evaluator = evaluator_new(terms);
        uint32_t input = terms_input(terms, "input", 2);
        Term pool[TERMS] = {term_byte(terms, input, 0), term_byte(terms, input, 1)};
        for (unsigned i = 2; i < TERMS; i++) pool[i] = operation(terms, &random, pool, i);
        for (unsigned i = 2; i < TERMS; i++) {
            Term other = i % 2 ? term_const(terms, WIDTH, random_below(&random, 256)) : pool[i - 1];
            Term equation = term_eq(terms, pool[i], other);
            if (term_is_const(terms, equation) || !equation_is_refuted(terms, equation)) continue;
            refuted++;
            assert_false(has_solution(evaluator, equation));
        }
        evaluator_free(evaluator);
        terms_free(terms);
    }
    print_message("%u refuted\n", refuted);
    assert_true(refuted >= 20);
}

// Elements of tables are multiples of 3: a sum of twenty is never 77, but may be 78.
static void test_common_divisor(void **state) {
    struct terms *terms = terms_new();
    uint32_t input = terms_input(terms, "input", 20);
    Term elements[64], sum = term_const(terms, 32, 0);
    for (unsigned i = 0; i < 64; i++) elements[i] = term_const(terms, 32, 3 * (i * i % 61 + 1));
    Term array = term_array_literal(terms, 32, 32, elements, 64);
    for (unsigned i = 0; i < 20; i++) {
        Term index =
            term_and(terms, term_zext(terms, term_byte(terms, input, i), 32), term_const(terms, 32, 63));
        sum = term_add(terms, sum, term_select(terms, array, index));
    }
    assert_true(equation_is_refuted(terms, term_eq(terms, sum, term_const(terms, 32, 77))));
    assert_false(equation_is_refuted(terms, term_eq(terms, sum, term_const(terms, 32, 78))));
    Term large = term_eq(terms, term_add(terms, sum, term_const(terms, 32, 5)),
                         term_mul(terms, sum, term_const(terms, 32, 3)));
    assert_true(equation_is_refuted(terms, large)); // 2 * sum is not 5
    terms_free(terms);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_sums),
                                       cmocka_unit_test(test_common_divisor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
