// Circuits against the evaluator for all values of small words, and each way to encode array reads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/alloc.h"
#include "blast/blast.h"
#include "expr/eval.h"

// For every operation and fixed x and y: r = op(x, y) has exactly one solution, the evaluator's value.
static void check_operation(struct blaster *blaster, struct terms *terms, enum kind kind, unsigned width) {
    Term x = term_variable(terms, "x", width), y = term_variable(terms, "y", width);
    Term result = term_apply(terms, kind, x, kind_infos[kind].arity > 1 ? y : 0, 0);
    struct evaluator *evaluator = evaluator_new(terms);
    uint64_t step = width > 3 ? 5 : 1;
    for (uint64_t a = 0; a < 1ull << width; a += step)
        for (uint64_t b = 0; b < 1ull << width; b += step) {
            uint8_t bytes[2] = {(uint8_t)a, (uint8_t)b};
            evaluator_assign(evaluator, &(struct assignment){.bytes = bytes, .count = 2});
            Term value = evaluate_term(evaluator, result);
            Term fixed = term_and(terms, term_eq(terms, x, term_const(terms, width, a)),
                                  term_eq(terms, y, term_const(terms, width, b)));
            Term conditions[2] = {fixed, term_eq(terms, result, value)};
            assert_int_equal(blaster_solve(blaster, conditions, 2, NULL), BLAST_YES);
            conditions[1] = term_not(terms, conditions[1]);
            assert_int_equal(blaster_solve(blaster, conditions, 2, NULL), BLAST_NO);
        }
    evaluator_free(evaluator);
}

static void test_operations(void **state) {
    static const enum kind kinds[] = {KIND_AND,  KIND_OR,   KIND_XOR,  KIND_NOT,  KIND_NEG,  KIND_ADD,
                                      KIND_MUL,  KIND_UDIV, KIND_UREM, KIND_SDIV, KIND_SREM, KIND_SHL,
                                      KIND_LSHR, KIND_ASHR, KIND_EQ,   KIND_ULT,  KIND_SLT};
    for (unsigned simplify = 0; simplify < 2; simplify++)
        for (unsigned i = 0; i < COUNT(kinds); i++) {
            struct terms *terms = terms_new();
            terms_set_simplify(terms, simplify);
            struct blast_options options = blast_all;
            options.sharing = simplify;
            struct blaster *blaster = blaster_new(terms, &options);
            check_operation(blaster, terms, kinds[i], 1);
            check_operation(blaster, terms, kinds[i], 3);
            check_operation(blaster, terms, kinds[i], 5);
            blaster_free(blaster);
            terms_free(terms);
        }
}

// table[i] = v has a solution exactly if v is in the table; also with stores, and for each set of switches.
static void check_arrays(const struct blast_options *options, unsigned size) {
    struct terms *terms = terms_new();
    struct blaster *blaster = blaster_new(terms, options);
    uint8_t *bytes = NEW_ARRAY(uint8_t, size);
    for (unsigned i = 0; i < size; i++) bytes[i] = (uint8_t)(2 * (i % 100) + 1);
    Term table = term_array_bytes(terms, 16, 1, bytes, size);
    Term i = term_variable(terms, "i", 16), k = term_variable(terms, "k", 16);
    Term inside = term_ult(terms, i, term_const(terms, 16, size));
    Term read = term_select(terms, table, i);
    Term odd[2] = {inside, term_eq(terms, read, term_const(terms, 8, 2 * 7 + 1))};
    assert_int_equal(blaster_solve(blaster, odd, 2, NULL), BLAST_YES);
    Term even[2] = {inside, term_eq(terms, read, term_const(terms, 8, 14))};
    assert_int_equal(blaster_solve(blaster, even, 2, NULL), BLAST_NO);
    Term zero[1] = {term_eq(terms, read, term_const(terms, 8, 0))}; // only beyond the table
    assert_int_equal(blaster_solve(blaster, zero, 1, NULL), BLAST_YES);
    Term beyond[2] = {inside, zero[0]};
    assert_int_equal(blaster_solve(blaster, beyond, 2, NULL), BLAST_NO);
    Term written = term_store(terms, table, k, term_const(terms, 8, 14));
    Term hit[2] = {inside, term_eq(terms, term_select(terms, written, i), term_const(terms, 8, 14))};
    assert_int_equal(blaster_solve(blaster, hit, 2, NULL), BLAST_YES);
    Term miss[3] = {inside, hit[1], term_ne(terms, i, k)};
    assert_int_equal(blaster_solve(blaster, miss, 3, NULL), BLAST_NO);
    DELETE_ARRAY(bytes, size);
    blaster_free(blaster);
    terms_free(terms);
}

static void test_arrays(void **state) {
    for (unsigned bits = 0; bits < 16; bits++) {
        struct blast_options options = {
            .substitution = bits & 1, .refinement = bits & 2, .expansion = bits & 8, .sharing = bits & 4};
        check_arrays(&options, 16);
        check_arrays(&options, bits & 2 ? 3000 : 100);
    }
}

static void test_input_array(void **state) {
    struct terms *terms = terms_new();
    struct blaster *blaster = blaster_new(terms, &blast_all);
    uint32_t memory = terms_input(terms, "memory", 500);
    Term array = term_input_array(terms, memory, 500, 16), i = term_variable(terms, "i", 16),
         k = term_variable(terms, "k", 16);
    Term x = term_select(terms, array, i), y = term_select(terms, array, k);
    Term same[2] = {term_eq(terms, i, k), term_ne(terms, x, y)};
    assert_int_equal(blaster_solve(blaster, same, 2, NULL), BLAST_NO);
    Term element[3] = {term_eq(terms, i, term_const(terms, 16, 321)),
                       term_ne(terms, x, term_byte(terms, memory, 321)), term_true(terms)};
    assert_int_equal(blaster_solve(blaster, element, 2, NULL), BLAST_NO);
    assert_true(blaster_failed(blaster, element[0]) && blaster_failed(blaster, element[1]));
    Term other[2] = {term_ne(terms, i, k), term_ne(terms, x, y)};
    assert_int_equal(blaster_solve(blaster, other, 2, NULL), BLAST_YES);
    assert_true(blaster_statistics(blaster)->rounds > 0);
    blaster_free(blaster);
    terms_free(terms);
}

static void test_declared_array(void **state) {
    struct terms *terms = terms_new();
    struct blaster *blaster = blaster_new(terms, &blast_all);
    Term array = term_array_variable(terms, "m", 32, 12), i = term_variable(terms, "i", 32),
         k = term_variable(terms, "k", 32);
    Term x = term_select(terms, array, i), y = term_select(terms, array, k);
    Term conditions[2] = {term_eq(terms, i, k), term_ult(terms, x, y)};
    assert_int_equal(blaster_solve(blaster, conditions, 2, NULL), BLAST_NO);
    assert_int_equal(blaster_solve(blaster, conditions + 1, 1, NULL), BLAST_YES);
    struct array_value *value = blaster_array(blaster, term_var(terms, array));
    assert_non_null(value);
    array_value_free(value);
    // Equality of arrays is not supported.
    Term equal = term_eq(terms, array, term_store(terms, array, i, term_const(terms, 12, 5)));
    assert_int_equal(blaster_solve(blaster, &equal, 1, NULL), BLAST_UNSUPPORTED);
    assert_int_equal(blaster_solve(blaster, conditions + 1, 1, NULL), BLAST_YES);
    blaster_free(blaster);
    terms_free(terms);
}

// A lazy read depends on another read, `inner`, that no condition mentions: as the index or the value of a store, as
// the condition of an ite, or as an element of a table. `inner` must be 5, since m[p] is 5 and p = q.
enum { AT_INDEX, AT_VALUE, AT_CONDITION, AT_ELEMENT, INNER_READS };

static Term nested_array(struct terms *terms, int where, Term inner) {
    Term zero = term_const(terms, 8, 0), five = term_const(terms, 8, 5);
    Term zeros = term_array_const(terms, 8, zero), elements[100];
    switch (where) {
    case AT_INDEX: return term_store(terms, zeros, inner, five);
    case AT_VALUE: return term_store(terms, zeros, five, inner);
    case AT_CONDITION:
        return term_ite(terms, term_eq(terms, inner, five), term_array_const(terms, 8, five), zeros);
    default:
        for (unsigned i = 0; i < COUNT(elements); i++) elements[i] = inner;
        return term_array_literal(terms, 8, 8, elements, COUNT(elements));
    }
}

static void check_nested(int where, const struct blast_options *options) {
    struct terms *terms = terms_new();
    struct blaster *blaster = blaster_new(terms, options);
    Term m = term_array_variable(terms, "m", 8, 8), five = term_const(terms, 8, 5);
    Term i = term_variable(terms, "i", 8), p = term_variable(terms, "p", 8), q = term_variable(terms, "q", 8);
    Term array = nested_array(terms, where, term_select(terms, m, q));
    // More stores than are expanded, none of them at the index read.
    for (unsigned k = 0; k < 50; k++)
        array = term_store(terms, array, term_const(terms, 8, 128 + k), term_const(terms, 8, k));
    Term conditions[4] = {term_eq(terms, i, five), term_eq(terms, term_select(terms, m, p), five),
                          term_ne(terms, term_select(terms, array, i), five), term_eq(terms, p, q)};
    assert_int_equal(blaster_solve(blaster, conditions, 3, NULL), BLAST_YES);
    assert_int_equal(blaster_solve(blaster, conditions, 4, NULL), BLAST_NO);
    assert_int_equal(blaster_solve(blaster, conditions, 3, NULL), BLAST_YES);
    blaster_free(blaster);
    // The same query as the first one of a new instance.
    blaster = blaster_new(terms, options);
    assert_int_equal(blaster_solve(blaster, conditions, 4, NULL), BLAST_NO);
    assert_true(blaster_statistics(blaster)->lazy_reads > 2);
    blaster_free(blaster);
    terms_free(terms);
}

static void test_nested_reads(void **state) {
    for (int where = 0; where < INNER_READS; where++)
        for (unsigned bits = 0; bits < 8; bits++)
            check_nested(where, &(struct blast_options){.substitution = bits & 1,
                                                        .refinement = true,
                                                        .expansion = bits & 4,
                                                        .sharing = bits & 2});
}

static void test_collection(void **state) {
    struct terms *terms = terms_new();
    struct blaster *blaster = blaster_new(terms, &blast_all);
    Term x = term_variable(terms, "x", 8), three = term_eq(terms, x, term_const(terms, 8, 3));
    assert_int_equal(blaster_solve(blaster, &three, 1, NULL), BLAST_YES);
    terms_collect(terms); // no term is retained: all ids may be reused
    for (unsigned i = 0; i < 64; i++) {
        x = term_variable(terms, "x", 8);
        Term conditions[2] = {term_eq(terms, x, term_const(terms, 8, i)),
                              term_ult(terms, x, term_const(terms, 8, 32))};
        assert_int_equal(blaster_solve(blaster, conditions, 2, NULL), i < 32 ? BLAST_YES : BLAST_NO);
        terms_collect(terms);
    }
    blaster_free(blaster);
    terms_free(terms);
}

static void test_most_gates(void **state) {
    struct terms *terms = terms_new();
    struct blast_options options = blast_all;
    options.most_gates = 20000;
    struct blaster *blaster = blaster_new(terms, &options);
    Term x = term_variable(terms, "x", 64), power = x, seven = term_const(terms, 64, 7);
    Term small = term_eq(terms, term_mul(terms, x, x), term_const(terms, 64, 49));
    for (unsigned i = 0; i < 40; i++) power = term_add(terms, term_mul(terms, power, power), x);
    Term large[2] = {term_eq(terms, x, seven), term_eq(terms, power, seven)};
    assert_int_equal(blaster_solve(blaster, large, 2, NULL), BLAST_TOO_LARGE);
    assert_in_range(blaster_size(blaster), 20000, 60000); // over the limit by one circuit at most
    blaster_free(blaster);
    blaster = blaster_new(terms, &options);
    assert_int_equal(blaster_solve(blaster, &small, 1, NULL), BLAST_YES);
    blaster_free(blaster);
    terms_free(terms);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),   cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_input_array),  cmocka_unit_test(test_declared_array),
        cmocka_unit_test(test_nested_reads), cmocka_unit_test(test_collection),
        cmocka_unit_test(test_most_gates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
