// The rules for floats, each over all values of tiny formats and in all rounding modes: the simplified term
// has the value of the operation, and each rule simplifies the terms that it is for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/random.h"
#include "expr/eval.h"
#include "expr/softfloat.h"

#include <string.h>

#define TINY  FP_FORMAT(3, 3, 0) // 6 bits
#define WIDER FP_FORMAT(4, 5, 0) // 9 bits
#define BITS  6u

static struct random random_state = {3};
static unsigned below(unsigned limit) { return (unsigned)random_below(&random_state, limit); }

// Terms built with the rules, and the same terms built without them, over one unknown float.
struct both {
    struct terms *terms[2];
    struct tabulator *tabulators[2];
    Term x[2];
};
static struct both both;

static int set_up(void **state) {
    for (unsigned i = 0; i < 2; i++) {
        both.terms[i] = terms_new();
        both.tabulators[i] = tabulator_new(both.terms[i]);
        terms_set_simplify(both.terms[i], i == 0);
        both.x[i] = term_extract(both.terms[i],
                                 term_byte(both.terms[i], terms_input(both.terms[i], "x", 1), 0), 0, BITS);
    }
    return 0;
}

static int tear_down(void **state) {
    for (unsigned i = 0; i < 2; i++) {
        tabulator_free(both.tabulators[i]);
        terms_free(both.terms[i]);
    }
    return 0;
}

static void fill(unsigned i, Term t, uint64_t *table) {
    if (!term_is_const(both.terms[i], t)) {
        assert_true(tabulate(both.tabulators[i], t, table));
        return;
    }
    for (unsigned v = 0; v < 256; v++) table[v] = term_value(both.terms[i], t);
}

struct step {
    enum kind kind;
    unsigned rounding, constant;
    bool constant_first;
};

static Term build(struct terms *terms, struct step step, fp_format f, Term x) {
    enum fp_rounding rounding = (enum fp_rounding)step.rounding;
    Term c = term_const(terms, fp_width(f), step.constant), a = step.constant_first ? c : x,
         b = step.constant_first ? x : c;
    switch (step.kind) {
    case KIND_FP_EQ:
    case KIND_FP_LT:
    case KIND_FP_LE: return term_fp_compare(terms, step.kind, f, a, b);
    case KIND_FP_SQRT:
    case KIND_FP_ROUND:
    case KIND_FP_NEG:
    case KIND_FP_ABS: return term_fp_unary(terms, step.kind, f, rounding, x);
    case KIND_FP_FMA:
        return step.constant & 1 ? term_fp_fma(terms, f, rounding, a, b, x)
                                 : term_fp_fma(terms, f, rounding, a, b, c);
    case KIND_FP_TO_FP: // there and back
        return term_fp_to_fp(
            terms, WIDER, f, rounding,
            term_fp_to_fp(terms, f, WIDER, (enum fp_rounding)(step.constant % FP_ROUNDINGS), x));
    case KIND_SINT_TO_FP: { // to an integer and back
        Term n = term_fp_to_int(terms, step.constant & 1, f, rounding, x, 3 + (step.constant >> 2) % 5);
        return term_int_to_fp(terms, step.constant & 2, f, rounding, n);
    }
    default: return term_fp_binary(terms, step.kind, f, rounding, a, b);
    }
}

// Fails unless both terms have the same value for every x.
static void check_same(const Term *t, const struct step *steps, unsigned count) {
    static uint64_t table[2][256];
    for (unsigned i = 0; i < 2; i++) fill(i, t[i], table[i]);
    for (unsigned v = 0; v < 1u << BITS; v++) {
        if (table[0][v] == table[1][v]) continue;
        for (unsigned k = 0; k < count; k++)
            print_message("%s rounding %u constant %x %s\n", kind_infos[steps[k].kind].text,
                          steps[k].rounding, steps[k].constant, steps[k].constant_first ? "first" : "");
        print_message("x = %x: %llx with rules, %llx without\n", v, (unsigned long long)table[0][v],
                      (unsigned long long)table[1][v]);
        fail();
    }
}

static void check_steps(const struct step *steps, unsigned count) {
    Term t[2] = {both.x[0], both.x[1]};
    for (unsigned k = 0; k < count; k++)
        for (unsigned i = 0; i < 2; i++) t[i] = build(both.terms[i], steps[k], TINY, t[i]);
    check_same(t, steps, count);
}

static const enum kind operations[] = {
    KIND_FP_ADD, KIND_FP_SUB, KIND_FP_MUL, KIND_FP_DIV, KIND_FP_SQRT, KIND_FP_ROUND, KIND_FP_NEG,
    KIND_FP_ABS, KIND_FP_FMA, KIND_FP_MIN, KIND_FP_MAX, KIND_FP_REM,  KIND_FP_TO_FP, KIND_SINT_TO_FP};
static const enum kind comparisons[] = {KIND_FP_EQ, KIND_FP_LT, KIND_FP_LE};

// One operation with each constant.
static void test_single(void **state) {
    for (unsigned k = 0; k < COUNT(operations); k++)
        for (unsigned rounding = 0; rounding < FP_ROUNDINGS; rounding++)
            for (unsigned c = 0; c < 1u << BITS; c++)
                for (unsigned first = 0; first < 2; first++)
                    check_steps(&(struct step){operations[k], rounding, c, first}, 1);
}

// An operation with each constant, compared with many.
static void test_compared(void **state) {
    for (unsigned k = 0; k < COUNT(operations); k++)
        for (unsigned c = 0; c < 1u << BITS; c++)
            for (unsigned n = 0; n < 12; n++) {
                struct step steps[2] = {{operations[k], below(FP_ROUNDINGS), c, n & 1},
                                        {comparisons[below(3)], 0, below(1u << BITS), n & 2}};
                check_steps(steps, 2);
            }
}

// Chains of operations.
static void test_chains(void **state) {
    for (unsigned n = 0; n < 4000; n++) {
        struct step steps[6];
        unsigned count = 2 + below(4);
        for (unsigned k = 0; k < count; k++)
            steps[k] = (struct step){operations[below(COUNT(operations))], below(FP_ROUNDINGS),
                                     below(1u << BITS), below(2)};
        steps[count++] = (struct step){comparisons[below(3)], 0, below(1u << BITS), below(2)};
        check_steps(steps, count);
    }
}

// Integers converted to floats: compared with constants and with each other, and converted back.
static void test_integers(void **state) {
    for (unsigned n = 0; n < 4000; n++) {
        Term t[2];
        unsigned width = 2 + below(7), other = 2 + below(7), how = below(3), c = below(1u << BITS);
        bool is_signed = below(2), second_signed = below(2), constant_first = below(2);
        enum fp_rounding rounding = (enum fp_rounding)below(FP_ROUNDINGS);
        enum kind kind = comparisons[below(3)];
        for (unsigned i = 0; i < 2; i++) {
            struct terms *terms = both.terms[i];
            Term byte = term_byte(terms, terms_input(terms, "x", 1), 0);
            Term a = term_int_to_fp(terms, is_signed, TINY, rounding, term_extract(terms, byte, 0, width));
            Term b = how ? term_const(terms, BITS, c)
                         : term_int_to_fp(terms, second_signed, TINY, rounding,
                                          term_extract(terms, byte, 8 - other, other));
            t[i] = how == 2
                       ? term_fp_to_int(terms, second_signed, TINY, rounding, a, other)
                       : term_fp_compare(terms, kind, TINY, constant_first ? b : a, constant_first ? a : b);
        }
        static uint64_t table[2][256];
        for (unsigned i = 0; i < 2; i++) fill(i, t[i], table[i]);
        assert_memory_equal(table[0], table[1], sizeof table[0]);
    }
}

static Term number(struct terms *terms, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return term_const(terms, 64, bits);
}

// Uses of these rules in programs.
static void test_effect(void **state) {
    struct terms *terms = terms_new();
    Term x = term_variable(terms, "x", 64), y = term_variable(terms, "y", 64),
         n = term_variable(terms, "n", 32);
    Term sum = term_fp_binary(terms, KIND_FP_ADD, FP_DOUBLE, FP_NEAREST_EVEN, x, y);
#define OP(kind, a, b)      term_fp_binary(terms, KIND_FP_##kind, FP_DOUBLE, FP_NEAREST_EVEN, a, b)
#define COMPARE(kind, a, b) term_fp_compare(terms, KIND_FP_##kind, FP_DOUBLE, a, b)
    assert_int_equal(OP(MUL, sum, number(terms, 1)), sum);
    assert_int_equal(OP(DIV, number(terms, 1), sum) == sum, false);
    assert_int_equal(OP(DIV, sum, number(terms, 1)), sum);
    assert_int_equal(OP(ADD, sum, number(terms, -0.0)), sum);
    assert_int_equal(OP(SUB, sum, number(terms, 0.0)), sum);
    assert_true(OP(ADD, sum, number(terms, 0.0)) != sum); // -0 + 0 is +0
    assert_int_equal(OP(DIV, x, number(terms, 4)), OP(MUL, x, number(terms, 0.25)));
    assert_int_equal(OP(MUL, x, number(terms, 2)), OP(ADD, x, x));
    assert_int_equal(OP(SUB, x, number(terms, 3)), OP(ADD, number(terms, -3), x));
    Term minus = term_fp_unary(terms, KIND_FP_NEG, FP_DOUBLE, 0, x);
    assert_int_equal(term_fp_unary(terms, KIND_FP_NEG, FP_DOUBLE, 0, minus), x);
    assert_int_equal(term_fp_unary(terms, KIND_FP_ABS, FP_DOUBLE, 0, minus),
                     term_fp_unary(terms, KIND_FP_ABS, FP_DOUBLE, 0, x));
    assert_int_equal(COMPARE(LT, x, x), term_false(terms));
    assert_int_equal(COMPARE(EQ, x, x), term_not(terms, term_fp_is(terms, KIND_FP_IS_NAN, FP_DOUBLE, x)));
    // A float that was converted to a double and back.
    Term s = term_variable(terms, "s", 32), half = term_fp_binary(terms, KIND_FP_ADD, FP_SINGLE, 0, s, s);
    Term wide = term_fp_to_fp(terms, FP_SINGLE, FP_DOUBLE, FP_NEAREST_EVEN, half);
    assert_int_equal(term_fp_to_fp(terms, FP_DOUBLE, FP_SINGLE, FP_NEAREST_EVEN, wide), half);
    assert_int_equal(term_fp_to_fp(terms, FP_DOUBLE, FP_X87, FP_NEAREST_EVEN, wide),
                     term_fp_to_fp(terms, FP_SINGLE, FP_X87, FP_NEAREST_EVEN, half));
    // Integers.
    Term real = term_int_to_fp(terms, true, FP_DOUBLE, FP_NEAREST_EVEN, n);
    assert_int_equal(term_fp_to_int(terms, true, FP_DOUBLE, FP_TOWARD_ZERO, real, 32), n);
    assert_int_equal(term_fp_unary(terms, KIND_FP_ROUND, FP_DOUBLE, FP_UPWARD, real), real);
    assert_int_equal(COMPARE(LT, real, number(terms, 2.5)), term_slt(terms, n, term_const(terms, 32, 3)));
    assert_int_equal(COMPARE(LE, number(terms, 1e10), real), term_false(terms));
    // Thresholds: 1.8 x + 32 < 212.
    Term fahrenheit = OP(ADD, OP(MUL, x, number(terms, 1.8)), number(terms, 32));
    assert_int_equal(COMPARE(LT, fahrenheit, number(terms, 212)), COMPARE(LT, x, number(terms, 100)));
    assert_int_equal(COMPARE(LT, OP(SUB, number(terms, 1), x), number(terms, 0)),
                     COMPARE(LT, number(terms, 1), x));
    // Known facts about an operand decide the result.
    Term byte = term_byte(terms, terms_input(terms, "b", 1), 0);
    Term small = term_int_to_fp(terms, false, FP_DOUBLE, FP_NEAREST_EVEN, byte);
    Term root = term_fp_unary(terms, KIND_FP_SQRT, FP_DOUBLE, FP_NEAREST_EVEN, OP(MUL, small, small));
    assert_int_equal(COMPARE(LE, root, number(terms, 255)), term_true(terms));
    assert_int_equal(term_fp_is(terms, KIND_FP_IS_NAN, FP_DOUBLE, root), term_false(terms));
    terms_free(terms);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_single), cmocka_unit_test(test_compared),
                                       cmocka_unit_test(test_chains), cmocka_unit_test(test_integers),
                                       cmocka_unit_test(test_effect)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
