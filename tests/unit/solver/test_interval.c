// Ranges of random conditions over two floats of eight bits: every assignment that satisfies the conditions gives each
// term a value inside its range. And a few queries that ranges alone answer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/random.h"
#include "solver/interval.h"
#include "solver/solver.h"

#define SMALL  FP_FORMAT(4, 4, 0)
#define OTHER  FP_FORMAT(3, 6, 0)
#define FLOATS 24u
#define BITS   16u

static struct random random_state = {5};

static uint64_t below(uint64_t limit) { return random_below(&random_state, limit); }

struct pool {
    struct terms *terms;
    Term floats[FLOATS], bits[BITS];
    unsigned float_count, bit_count;
};

static Term some_float(struct pool *pool) { return pool->floats[below(pool->float_count)]; }
static Term some_bit(struct pool *pool) { return pool->bits[below(pool->bit_count)]; }

static Term random_float(struct pool *pool) {
    struct terms *terms = pool->terms;
    enum fp_rounding rounding = (enum fp_rounding)below(FP_ROUNDINGS);
    static const enum kind binary[] = {KIND_FP_ADD, KIND_FP_SUB, KIND_FP_MUL, KIND_FP_DIV,
                                       KIND_FP_MIN, KIND_FP_MAX, KIND_FP_REM, KIND_FP_MOD};
    static const enum kind unary[] = {KIND_FP_NEG, KIND_FP_ABS, KIND_FP_SQRT, KIND_FP_ROUND};
    Term a = some_float(pool), b = some_float(pool), c;
    switch (below(10)) {
    case 0: return term_fp_unary(terms, unary[below(4)], SMALL, rounding, a);
    case 1: return term_ite(terms, some_bit(pool), a, b);
    case 2:
        c = term_fp_to_fp(terms, SMALL, OTHER, rounding, a);
        c = term_fp_binary(terms, KIND_FP_ADD, OTHER, rounding, c,
                           term_const(terms, fp_width(OTHER), below(512)));
        return term_fp_to_fp(terms, OTHER, SMALL, rounding, c);
    case 3:
        c = term_fp_to_int(terms, below(2), SMALL, rounding, a, 5 + (unsigned)below(3));
        if (below(2)) c = term_add(terms, c, term_const(terms, term_width(terms, c), below(8)));
        if (below(2)) c = term_sext(terms, c, 9);
        return term_int_to_fp(terms, below(2), SMALL, rounding, c);
    case 4: return term_fp_fma(terms, SMALL, rounding, a, b, some_float(pool));
    case 5: return term_const(terms, 8, below(256));
    default: return term_fp_binary(terms, binary[below(COUNT(binary))], SMALL, rounding, a, b);
    }
}

static Term random_bit(struct pool *pool) {
    struct terms *terms = pool->terms;
    static const enum kind compare[] = {KIND_FP_LT, KIND_FP_LE, KIND_FP_EQ};
    Term a, b;
    switch (below(8)) {
    case 0: return term_fp_is(terms, KIND_FP_IS_NAN, SMALL, some_float(pool));
    case 1: return term_not(terms, some_bit(pool));
    case 2: return term_and(terms, some_bit(pool), some_bit(pool));
    case 3: return term_or(terms, some_bit(pool), some_bit(pool));
    case 4:
        a = term_fp_to_int(terms, true, SMALL, FP_TOWARD_ZERO, some_float(pool), 8);
        b = below(2) ? term_const(terms, 8, below(256))
                     : term_fp_to_int(terms, true, SMALL, FP_UPWARD, some_float(pool), 8);
        return below(3) ? term_slt(terms, a, b) : below(2) ? term_ult(terms, a, b) : term_eq(terms, a, b);
    default: return term_fp_compare(terms, compare[below(3)], SMALL, some_float(pool), some_float(pool));
    }
}

static struct facts own_facts(void *context, Term t) { return term_facts(context, t); }

static uint8_t bytes[2];
static uint8_t byte_of(void *context, uint32_t var) { return bytes[var]; }

static bool contains(const struct interval *interval, struct evaluator *evaluator, struct terms *terms) {
    if (interval->how == INTERVAL_IS_NAN) return true; // a link of two others
    unsigned width = term_width(terms, interval->term);
    uint64_t value = evaluate(evaluator, interval->term);
    if (interval->format) return float_range_has(interval->format, interval->floats, &value);
    __int128 number = width == 1 ? (__int128)value : (__int128)sign_extend(value, width);
    return number >= interval->ints.low && number <= interval->ints.high;
}

static unsigned refuted, narrowed, satisfied;

static void one_query(uint64_t seed) {
    random_state.state = seed;
    struct terms *terms = terms_new();
    uint32_t input = terms_input(terms, "in", 2);
    struct pool pool = {.terms = terms, .float_count = 2, .bit_count = 1};
    for (uint32_t i = 0; i < 2; i++) pool.floats[i] = term_byte(terms, input, i);
    pool.bits[0] = term_fp_compare(terms, KIND_FP_LT, SMALL, pool.floats[0], pool.floats[1]);
    for (unsigned i = 0; i < 8; i++) pool.floats[pool.float_count++] = random_float(&pool);
    for (unsigned i = 0; i < 8; i++) pool.bits[pool.bit_count++] = random_bit(&pool);
    Term conditions[4];
    unsigned count = 1 + (unsigned)below(4);
    struct intervals intervals = {.terms = terms};
    for (unsigned i = 0; i < count; i++) {
        conditions[i] = random_bit(&pool);
        assert_true(intervals_add(&intervals, conditions[i], own_facts, terms));
    }
    bool possible = intervals_narrow(&intervals, conditions, count);
    refuted += !possible;
    vec_each (struct interval, interval, &intervals.list)
        narrowed += interval->how == INTERVAL_LEAF && interval->format &&
                    interval->floats.high - interval->floats.low < 100;
    struct evaluator *evaluator = evaluator_new(terms);
    struct assignment assignment = {.byte = byte_of};
    for (unsigned n = 0; n < 1500; n++) {
        bytes[0] = (uint8_t)below(256);
        bytes[1] = (uint8_t)below(256);
        evaluator_assign(evaluator, &assignment);
        bool holds = true;
        for (unsigned i = 0; i < count && holds; i++) holds = evaluate(evaluator, conditions[i]);
        if (!holds) continue;
        satisfied++;
        if (!possible)
            print_message("seed %llu is satisfied by %x %x\n", (unsigned long long)seed, bytes[0], bytes[1]);
        assert_true(possible);
        vec_each (struct interval, interval, &intervals.list) {
            bool inside = contains(interval, evaluator, terms);
            if (!inside)
                print_message("seed %llu: the range of term %u (%s)\n", (unsigned long long)seed,
                              interval->term, kind_infos[term_kind(terms, interval->term)].text);
            assert_true(inside);
        }
    }
    evaluator_free(evaluator);
    intervals_free(&intervals);
    terms_free(terms);
}

static void test_random(void **state) {
    for (uint64_t seed = 1; seed <= 600; seed++) one_query(seed);
    // Each case occurred often enough.
    assert_true(refuted > 50 && narrowed > 50 && satisfied > 1000);
}

// Asks the interval layer alone: ranges refute, or values in the ranges are tried.
static enum answer ask(struct terms *terms, const Term *conditions, unsigned count) {
    struct solver_options options = {.interval = true, .independence = true};
    struct solver *solver = solver_new(terms, &options);
    struct path_condition path = {0};
    for (unsigned i = 0; i + 1 < count; i++) path_add(solver, &path, conditions[i], NULL);
    enum answer answer = solver_may_be_true(solver, &path, conditions[count - 1], NULL);
    path_free(&path);
    solver_free(solver);
    return answer;
}

static Term number(struct terms *terms, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return term_const(terms, 64, bits);
}

static void test_layer(void **state) {
    struct terms *terms = terms_new();
    Term x = term_variable(terms, "x", 64), y = term_variable(terms, "y", 64);
    Term sum = term_fp_binary(terms, KIND_FP_ADD, FP_DOUBLE, FP_NEAREST_EVEN, x, y);
    Term product = term_fp_binary(terms, KIND_FP_MUL, FP_DOUBLE, FP_NEAREST_EVEN, sum, number(terms, 2));
    Term in_range[] = {term_fp_compare(terms, KIND_FP_LE, FP_DOUBLE, number(terms, 0), x),
                       term_fp_compare(terms, KIND_FP_LE, FP_DOUBLE, x, number(terms, 10)),
                       term_fp_compare(terms, KIND_FP_LE, FP_DOUBLE, number(terms, 3), y),
                       term_fp_compare(terms, KIND_FP_LE, FP_DOUBLE, y, number(terms, 4)), 0};
    in_range[4] = term_fp_compare(terms, KIND_FP_LT, FP_DOUBLE, number(terms, 28), product);
    assert_int_equal(ask(terms, in_range, 5), ANSWER_NO);
    in_range[4] = term_fp_compare(terms, KIND_FP_LE, FP_DOUBLE, number(terms, 28), product);
    assert_int_equal(ask(terms, in_range, 5), ANSWER_YES);
    in_range[4] = term_fp_is(terms, KIND_FP_IS_NAN, FP_DOUBLE, product);
    assert_int_equal(ask(terms, in_range, 5), ANSWER_NO);
    // Backwards: x + 1 <= 3 and 2 x > 5.
    Term more = term_fp_binary(terms, KIND_FP_ADD, FP_DOUBLE, FP_NEAREST_EVEN, x, number(terms, 1));
    Term twice = term_fp_binary(terms, KIND_FP_MUL, FP_DOUBLE, FP_NEAREST_EVEN, x, number(terms, 2));
    Term pair[] = {term_fp_compare(terms, KIND_FP_LE, FP_DOUBLE, more, number(terms, 3)),
                   term_fp_compare(terms, KIND_FP_LT, FP_DOUBLE, number(terms, 5), twice)};
    assert_int_equal(ask(terms, pair, 2), ANSWER_NO);
    // The root of a number is not a negative number.
    Term root = term_fp_unary(terms, KIND_FP_SQRT, FP_DOUBLE, FP_NEAREST_EVEN, x);
    Term negative = term_fp_compare(terms, KIND_FP_LT, FP_DOUBLE, root, number(terms, 0));
    assert_int_equal(ask(terms, &negative, 1), ANSWER_NO);
    terms_free(terms);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_layer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
