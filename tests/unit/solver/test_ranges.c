// Ranges of random terms over two bytes with restricted domains, against evaluation of all allowed values.
#include "../check.h"
#include "base/random.h"
#include "expr/eval.h"
#include "solver/ranges.h"

#define BYTES 2
#define TERMS 40

struct fixture {
    struct terms *terms;
    struct ranges *ranges;
    struct evaluator *evaluator;
    uint32_t vars[BYTES];
    uint8_t low[BYTES], high[BYTES]; // remaining values of each byte
};

static struct facts byte_facts(void *context, uint32_t var) {
    struct fixture *f = context;
    for (unsigned i = 0; i < BYTES; i++)
        if (f->vars[i] == var) return facts_tighten((struct facts){.low = f->low[i], .high = f->high[i]}, 8);
    return facts_unknown(8);
}

static uint8_t byte_of(void *context, uint32_t var) {
    const uint8_t *bytes = context;
    return bytes[var];
}

// A pool of terms of 8 bits: the bytes, constants, then operations on earlier terms.
static void make_terms(struct fixture *f, struct random *random, Term *pool, uint32_t input) {
    static const enum kind kinds[] = {KIND_NOT,  KIND_NEG, KIND_AND,  KIND_OR,   KIND_XOR,
                                      KIND_ADD,  KIND_MUL, KIND_UDIV, KIND_UREM, KIND_SDIV,
                                      KIND_SREM, KIND_SHL, KIND_LSHR, KIND_ASHR};
    static const enum kind predicates[] = {KIND_EQ, KIND_ULT, KIND_SLT};
    for (unsigned i = 0; i < TERMS; i++) {
        Term a = i ? pool[random_below(random, i)] : 0, b = i ? pool[random_below(random, i)] : 0;
        if (i < BYTES)
            pool[i] = term_byte(f->terms, input, i);
        else if (i < BYTES + 3)
            pool[i] = term_const(f->terms, 8, random_below(random, 256) >> random_below(random, 8));
        else
            switch (random_below(random, 6)) {
            case 0: {
                Term condition =
                    term_apply(f->terms, predicates[random_below(random, COUNT(predicates))], a, b, 0);
                pool[i] = term_ite(f->terms, condition, a, pool[random_below(random, i)]);
                break;
            }
            case 1:
                pool[i] =
                    term_extract(f->terms, term_concat(f->terms, a, b), (unsigned)random_below(random, 8), 8);
                break;
            case 2:
                pool[i] = term_extract(
                    f->terms,
                    term_sext(f->terms, term_extract(f->terms, a, (unsigned)random_below(random, 4), 4), 16),
                    (unsigned)random_below(random, 5), 8);
                break;
            default: {
                enum kind kind = kinds[random_below(random, COUNT(kinds))];
                bool single = kind == KIND_NOT || kind == KIND_NEG;
                pool[i] = term_apply(f->terms, kind, a, single ? 0 : b, 0);
            }
            }
    }
}

// Computes the values of the term by enumeration, and whether there are any.
static void check(struct fixture *f, Term t) {
    struct facts facts = ranges_of(f->ranges, t), own = term_facts(f->terms, t);
    assert_true(facts.low >= own.low && facts.high <= own.high);
    assert_int_equal(own.zeros & ~facts.zeros, 0);
    assert_int_equal(own.ones & ~facts.ones, 0);
    for (unsigned x = f->low[0]; x <= f->high[0]; x += 1 + x % 3)
        for (unsigned y = f->low[1]; y <= f->high[1]; y += 1 + y % 5) {
            uint8_t bytes[BYTES] = {0};
            bytes[f->vars[0]] = (uint8_t)x;
            bytes[f->vars[1]] = (uint8_t)y;
            evaluator_assign(f->evaluator, &(struct assignment){.byte = byte_of, .context = bytes});
            uint64_t value = evaluate(f->evaluator, t);
            assert_true(value >= facts.low && value <= facts.high);
            assert_int_equal(value & facts.zeros, 0);
            assert_int_equal(value & facts.ones, facts.ones);
        }
}

static void test_random_terms(void **state) {
    struct random random = {.state = 19};
    for (unsigned round = 0; round < 60; round++) {
        struct fixture f = {.terms = terms_new()};
        Term pool[TERMS];
        uint32_t input = terms_input(f.terms, "input", BYTES);
        f.ranges = ranges_new(f.terms);
        f.evaluator = evaluator_new(f.terms);
        for (unsigned i = 0; i < BYTES; i++) {
            f.vars[i] = terms_input_var(f.terms, input, i);
            f.low[i] = (uint8_t)random_below(&random, 256);
            uint64_t more = random_below(&random, 40);
            f.high[i] = (uint8_t)MIN(255u, f.low[i] + more);
            assert_true(f.vars[i] < BYTES);
        }
        make_terms(&f, &random, pool, input);
        ranges_start(f.ranges, byte_facts, &f);
        for (unsigned i = 0; i < TERMS; i++) check(&f, pool[i]);
        assert_false(ranges_contradict(f.ranges)); // there are values, so nothing can be impossible
        evaluator_free(f.evaluator);
        ranges_free(f.ranges);
        terms_free(f.terms);
    }
}

// Facts that hold only for restricted bytes, for operations whose rules were once weaker.
static void test_narrowed(void **state) {
    struct fixture f = {.terms = terms_new()};
    uint32_t input = terms_input(f.terms, "input", BYTES);
    f.ranges = ranges_new(f.terms);
    for (unsigned i = 0; i < BYTES; i++) f.vars[i] = terms_input_var(f.terms, input, i);
    Term a = term_byte(f.terms, input, 0), b = term_byte(f.terms, input, 1);
    f.low[0] = 0x10, f.high[0] = 0x1f, f.low[1] = 0, f.high[1] = 3;
    ranges_start(f.ranges, byte_facts, &f);
    struct facts negated = ranges_of(f.ranges, term_neg(f.terms, a));
    assert_int_equal(negated.low, 0xe1);
    assert_int_equal(negated.high, 0xf0);
    struct facts shifted = ranges_of(f.ranges, term_ashr(f.terms, a, b));
    assert_int_equal(shifted.low, 2);
    assert_int_equal(shifted.high, 0x1f);
    struct facts quotient = ranges_of(f.ranges, term_udiv(f.terms, a, b)); // the divisor may be zero
    assert_int_equal(quotient.low, 5);
    Term less = term_slt(f.terms, b, a);
    assert_int_equal(ranges_of(f.ranges, less).low, 1);
    assert_int_equal(ranges_of(f.ranges, term_ite(f.terms, less, b, a)).high, 3);
    assert_false(ranges_contradict(f.ranges));
    ranges_free(f.ranges);
    terms_free(f.terms);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_terms), cmocka_unit_test(test_narrowed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
