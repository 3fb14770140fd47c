// Views of arrays against a naive model: random arrays of stores, splices, shifts and narrowed elements, read at all
// constant indices and at symbolic ones, for many values of the inputs.
#include "check.h"

#include "base/alloc.h"
#include "base/random.h"
#include "expr/eval.h"
#include "expr/expr.h"

#include <string.h>

#define INDEX_WIDTH 4u
#define SIZE        (1u << INDEX_WIDTH)
#define SAMPLES     24u // values of the two input bytes that are tried
#define MOST_ARRAYS 10u
#define PROGRAMS    300u

static uint8_t inputs[SAMPLES][2];

// An array term and its content for each sample.
struct model {
    Term term;
    unsigned width;
    uint64_t at[SAMPLES][SIZE];
};

struct views {
    struct terms *terms;
    struct evaluator *evaluator;
    struct random random;
    Term bytes[2];
    struct model models[MOST_ARRAYS];
    unsigned count;
};

static unsigned below(struct views *v, unsigned bound) { return (unsigned)random_below(&v->random, bound); }

static uint64_t value_of(struct views *v, Term term, unsigned sample) {
    struct assignment assignment = {.bytes = inputs[sample], .count = 2};
    evaluator_assign(v->evaluator, &assignment);
    return evaluate(v->evaluator, term);
}

// A term over the inputs: a constant or a sum with an input byte.
static Term any_term(struct views *v, unsigned width) {
    Term constant = term_const(v->terms, width, random_next(&v->random));
    if (!below(v, 3)) return constant;
    return term_add(v->terms, term_resize(v->terms, v->bytes[below(v, 2)], width), constant);
}

static void put_leaf(struct views *v, struct model *to) {
    Term elements[SIZE];
    unsigned count = below(v, SIZE + 1);
    to->width = below(v, 2) ? 8 : 16;
    for (unsigned i = 0; i < count; i++) elements[i] = any_term(v, to->width);
    to->term = term_array_literal(v->terms, INDEX_WIDTH, to->width, elements, count);
    for (unsigned s = 0; s < SAMPLES; s++)
        for (unsigned i = 0; i < SIZE; i++) to->at[s][i] = i < count ? value_of(v, elements[i], s) : 0;
}

static void put_store(struct views *v, const struct model *from, struct model *to) {
    Term index = any_term(v, INDEX_WIDTH), value = any_term(v, from->width);
    to->term = term_store(v->terms, from->term, index, value);
    for (unsigned s = 0; s < SAMPLES; s++) to->at[s][value_of(v, index, s)] = value_of(v, value, s);
}

static void put_shift(struct views *v, const struct model *from, struct model *to) {
    Term distance = any_term(v, INDEX_WIDTH);
    to->term = term_array_shift(v->terms, from->term, distance);
    for (unsigned s = 0; s < SAMPLES; s++)
        for (unsigned i = 0; i < SIZE; i++) to->at[s][i] = from->at[s][(i + value_of(v, distance, s)) % SIZE];
}

static void put_narrow(struct views *v, const struct model *from, struct model *to) {
    to->term = term_array_narrow(v->terms, from->term, 8);
    to->width = 8;
    unsigned parts = from->width / 8;
    for (unsigned s = 0; s < SAMPLES; s++)
        for (unsigned i = 0; i < SIZE; i++) to->at[s][i] = from->at[s][i / parts] >> (8 * (i % parts)) & 0xff;
}

static void put_splice(struct views *v, const struct model *from, const struct model *above,
                       struct model *to) {
    Term at = any_term(v, INDEX_WIDTH), count = any_term(v, INDEX_WIDTH);
    to->term = term_array_splice(v->terms, from->term, above->term, at, count);
    for (unsigned s = 0; s < SAMPLES; s++)
        for (unsigned i = 0; i < SIZE; i++)
            if ((i - value_of(v, at, s)) % SIZE < value_of(v, count, s)) to->at[s][i] = above->at[s][i];
}

static void add_array(struct views *v) {
    struct model *to = &v->models[v->count];
    if (v->count < 2) {
        put_leaf(v, to);
    } else {
        const struct model *from = &v->models[below(v, v->count)], *above = &v->models[below(v, v->count)];
        *to = *from;
        switch (below(v, 4)) {
        case 0: put_store(v, from, to); break;
        case 1: put_shift(v, from, to); break;
        case 2: put_narrow(v, from, to); break;
        default:
            if (above->width == from->width) put_splice(v, from, above, to);
        }
    }
    v->count++;
}

// No select has a view below it.
static bool is_plain(void *context, Term t) { return term_kind(context, t) < KIND_CORE_COUNT; }

static bool is_not_select(void *context, Term t) { return term_kind(context, t) != KIND_SELECT; }

static void check_read(struct views *v, const struct model *model, Term index) {
    Term read = term_select(v->terms, model->term, index);
    assert_int_equal(term_width(v->terms, read), model->width);
    assert_true(term_visit(v->terms, &read, 1, is_plain, v->terms));
    for (unsigned s = 0; s < SAMPLES; s++)
        assert_int_equal(value_of(v, read, s), model->at[s][value_of(v, index, s)]);
}

static void check_program(uint64_t seed) {
    struct views v = {.terms = terms_new(), .random = {seed}};
    v.evaluator = evaluator_new(v.terms);
    uint32_t input = terms_input(v.terms, "in", 2);
    for (unsigned i = 0; i < 2; i++) v.bytes[i] = term_byte(v.terms, input, i);
    for (unsigned s = 0; s < SAMPLES; s++)
        for (unsigned i = 0; i < 2; i++) inputs[s][i] = (uint8_t)random_next(&v.random);
    while (v.count < MOST_ARRAYS) add_array(&v);
    for (unsigned i = 0; i < v.count; i++) {
        for (unsigned k = 0; k < SIZE; k++) check_read(&v, &v.models[i], term_const(v.terms, INDEX_WIDTH, k));
        for (unsigned k = 0; k < 3; k++) check_read(&v, &v.models[i], any_term(&v, INDEX_WIDTH));
    }
    evaluator_free(v.evaluator);
    terms_free(v.terms);
}

static void test_random_views(void **state) {
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) check_program(seed);
}

static void test_reads(void **state) {
    struct terms *terms = terms_new();
    Term zero = term_const(terms, INDEX_WIDTH, 0), three = term_const(terms, INDEX_WIDTH, 3);
    Term byte = term_byte(terms, terms_input(terms, "in", 1), 0),
         count = term_resize(terms, byte, INDEX_WIDTH);
    Term a = term_array_variable(terms, "a", INDEX_WIDTH, 8),
         b = term_array_variable(terms, "b", INDEX_WIDTH, 8);
    assert_int_equal(term_array_reads(terms, a, 9), 1);
    // An empty splice, one with itself and a shift by nothing are the array.
    assert_int_equal(term_array_splice(terms, a, b, three, zero), a);
    assert_int_equal(term_array_splice(terms, a, a, three, count), a);
    assert_int_equal(term_array_shift(terms, a, zero), a);
    assert_int_equal(term_array_narrow(terms, a, 8), a);
    Term both = term_array_splice(terms, a, b, three, count);
    assert_true(term_array_is_view(terms, both) && !term_array_is_view(terms, a));
    assert_int_equal(term_array_reads(terms, both, 9), 3);
    assert_int_equal(term_array_reads(terms, term_store(terms, both, count, byte), 9), 3);
    // Copies back and forth: each view is visited once, although the tree has exponentially many leaves.
    for (unsigned i = 0; i < 50; i++) {
        Term length = term_resize(terms, term_byte(terms, terms_input(terms, "in", 51), i + 1), INDEX_WIDTH);
        Term next = term_array_splice(terms, both, a, zero, length);
        a = both;
        both = next;
    }
    assert_int_equal(term_array_reads(terms, both, 99), 53);
    assert_int_equal(term_array_reads(terms, both, 20), 20);
    size_t before = terms_node_count(terms);
    assert_true(term_select(terms, both, count) && terms_node_count(terms) < before + 1000);
    a = b;
    // Two shifts are one.
    Term back = term_array_shift(terms, term_array_shift(terms, a, count), term_neg(terms, count));
    assert_int_equal(back, a);
    terms_free(terms);
}

// A long table of few runs is read as comparisons of the index.
static void test_runs(void **state) {
    struct terms *terms = terms_new();
    struct evaluator *evaluator = evaluator_new(terms);
    static uint8_t table[2048];
    memset(table, 3, 1500);
    table[700] = 8;
    memset(table + 1500, 5, 300);
    Term index = term_input_bits(terms, terms_input(terms, "in", 2), 0, 2);
    Term read = term_select(terms, term_array_bytes(terms, 16, 1, table, sizeof table), index);
    assert_true(term_visit(terms, &read, 1, is_not_select, terms));
    for (unsigned i = 0; i < 0x10000; i++) {
        uint8_t bytes[2] = {(uint8_t)i, (uint8_t)(i >> 8)};
        struct assignment assignment = {.bytes = bytes, .count = 2};
        evaluator_assign(evaluator, &assignment);
        assert_int_equal(evaluate(evaluator, read), i < sizeof table ? table[i] : 0);
    }
    // The table has as many elements as the index has values.
    memset(table + 1800, 6, sizeof table - 1800);
    Term short_index = term_extract(terms, index, 0, 11);
    read = term_select(terms, term_array_bytes(terms, 11, 1, table, sizeof table), short_index);
    for (unsigned i = 0; i < sizeof table; i++) {
        uint8_t bytes[2] = {(uint8_t)i, (uint8_t)(i >> 8)};
        struct assignment assignment = {.bytes = bytes, .count = 2};
        evaluator_assign(evaluator, &assignment);
        assert_int_equal(evaluate(evaluator, read), table[i]);
    }
    // A table of many runs stays a table.
    for (unsigned i = 0; i < sizeof table; i++) table[i] = (uint8_t)(i % 100 + 1);
    read = term_select(terms, term_array_bytes(terms, 16, 1, table, sizeof table), index);
    assert_int_equal(term_kind(terms, read), KIND_SELECT);
    evaluator_free(evaluator);
    terms_free(terms);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_views), cmocka_unit_test(test_reads),
                                       cmocka_unit_test(test_runs)};
    return cmocka_run_group_tests_name("expr array views", tests, NULL, NULL);
}
