// Names of queries: equal for the same query about other bytes, different if the shapes differ in any detail.
#include "../check.h"
#include "base/random.h"
#include "expr/eval.h"
#include "solver/canonical.h"

#include <string.h>

#define BYTES 64
#define MOST  200

struct fixture {
    struct terms *terms;
    struct canonical *canonical;
    struct evaluator *evaluator;
    uint32_t input;
};

static Term at(struct fixture *f, uint32_t byte) { return term_byte(f->terms, f->input, byte); }
static Term constant(struct fixture *f, unsigned width, uint64_t value) {
    return term_const(f->terms, width, value);
}
static Term word(struct fixture *f, uint32_t base, uint32_t bytes) {
    return term_input_bits(f->terms, f->input, base, bytes);
}

static uint32_t add(Term *list, uint32_t count, Term t) {
    assert_true(count < MOST);
    list[count] = t;
    return count + 1;
}

// Operations that differ in kind, order of operands, constant, width, or the lowest bit of an extract.
static uint32_t make_plain(struct fixture *f, uint32_t base, Term *list, uint32_t n) {
    struct terms *t = f->terms;
    Term x = at(f, base), y = at(f, base + 1), z = at(f, base + 2), wide = word(f, base, 4);
    static const enum kind kinds[] = {KIND_AND,  KIND_OR,   KIND_XOR,  KIND_ADD, KIND_MUL,  KIND_UDIV,
                                      KIND_UREM, KIND_SDIV, KIND_SREM, KIND_SHL, KIND_LSHR, KIND_ASHR};
    for (unsigned i = 0; i < COUNT(kinds); i++) {
        n = add(list, n, term_eq(t, term_apply(t, kinds[i], x, y, 0), z));
        n = add(list, n, term_eq(t, term_apply(t, kinds[i], y, x, 0), z));
        n = add(list, n, term_ult(t, term_apply(t, kinds[i], x, y, 0), x));
    }
    for (uint64_t i = 0; i < 6; i++) {
        n = add(list, n, term_ult(t, x, constant(f, 8, 100 + i)));
        n = add(list, n, term_slt(t, constant(f, 8, 100 + i), x));
        n = add(list, n, term_eq(t, term_extract(t, wide, (unsigned)i, 12), constant(f, 12, 5)));
        n = add(list, n,
                term_eq(t, term_extract(t, wide, 3, 9 + (unsigned)i), constant(f, 9 + (unsigned)i, 5)));
        n = add(list, n,
                term_ult(t, term_mul(t, term_sext(t, x, 10 + (unsigned)i), term_sext(t, x, 10 + (unsigned)i)),
                         term_zext(t, y, 10 + (unsigned)i)));
        n = add(list, n,
                term_ult(t, term_mul(t, term_zext(t, x, 10 + (unsigned)i), term_zext(t, x, 10 + (unsigned)i)),
                         term_zext(t, y, 10 + (unsigned)i)));
    }
    n = add(list, n, term_ite(t, term_ult(t, x, y), term_eq(t, x, z), term_ult(t, z, x)));
    n = add(list, n, term_ite(t, term_ult(t, y, x), term_eq(t, x, z), term_ult(t, z, x)));
    n = add(list, n, term_ite(t, term_ult(t, x, y), term_ult(t, z, x), term_eq(t, x, z)));
    for (uint64_t high = 0; high < 3; high++) // constants of two limbs
        n = add(list, n, term_ult(t, word(f, base, 12), term_const_limbs(t, 96, (uint64_t[]){7, 1 + high})));
    n = add(list, n, term_ult(t, word(f, base, 12), term_const_limbs(t, 96, (uint64_t[]){8, 1})));
    return n;
}

// Arrays that differ in a value, the number of elements, the width of the index or of the elements, the size of an
// input.
static uint32_t make_arrays(struct fixture *f, uint32_t base, Term *list, uint32_t n) {
    struct terms *t = f->terms;
    static const uint8_t tables[][4] = {{1, 2, 3, 4}, {1, 2, 3, 5}, {2, 2, 3, 4}, {1, 2, 4, 3}};
    static const uint16_t wide[] = {1, 2, 3, 4};
    Term x = at(f, base), y = at(f, base + 1);
    for (unsigned i = 0; i < COUNT(tables); i++)
        n = add(list, n, term_ult(t, term_select(t, term_array_bytes(t, 8, 1, tables[i], 4), x), y));
    n = add(list, n, term_ult(t, term_select(t, term_array_bytes(t, 8, 1, tables[0], 3), x), y));
    n = add(
        list, n,
        term_ult(t, term_select(t, term_array_bytes(t, 4, 1, tables[0], 4), term_extract(t, x, 0, 4)), y));
    n = add(list, n, term_ult(t, term_select(t, term_array_bytes(t, 8, 2, wide, 4), x), term_zext(t, y, 16)));
    for (unsigned place = 0; place < 3; place++) { // elements that are terms
        Term elements[3] = {constant(f, 8, 1), constant(f, 8, 2), constant(f, 8, 3)};
        elements[place] = y;
        n = add(list, n,
                term_ult(t, term_select(t, term_array_literal(t, 8, 8, elements, 3), x), at(f, base + 2)));
    }
    for (uint32_t size = 3; size < 6; size++)
        n = add(list, n,
                term_eq(t, term_select(t, term_input_array(t, f->input, size, 8), x), constant(f, 8, 9)));
    return n;
}

// The same operation in other formats and rounding modes.
static uint32_t make_floats(struct fixture *f, uint32_t base, Term *list, uint32_t n) {
    struct terms *t = f->terms;
    for (int rounding = 0; rounding < 4; rounding++) {
        Term a = word(f, base, 4), b = word(f, base + 4, 4), c = word(f, base, 8);
        Term sum = term_fp_binary(t, KIND_FP_ADD, FP_SINGLE, (enum fp_rounding)rounding, a, b);
        Term cut = term_fp_to_fp(t, FP_DOUBLE, FP_SINGLE, (enum fp_rounding)rounding, c);
        n = add(list, n, term_fp_compare(t, KIND_FP_LT, FP_SINGLE, sum, a));
        n = add(list, n, term_fp_compare(t, KIND_FP_LT, FP_SINGLE, cut, b));
    }
    n = add(list, n, term_fp_is(t, KIND_FP_IS_NAN, FP_SINGLE, word(f, base, 4)));
    n = add(list, n, term_fp_is(t, KIND_FP_IS_NAN, FP_DOUBLE, word(f, base, 8)));
    return n;
}

static void start(struct fixture *f) {
    f->terms = terms_new();
    f->canonical = canonical_new(f->terms);
    f->evaluator = evaluator_new(f->terms);
    f->input = terms_input(f->terms, "input", BYTES);
}

static void end(struct fixture *f) {
    canonical_free(f->canonical);
    evaluator_free(f->evaluator);
    terms_free(f->terms);
}

static uint8_t byte_of(void *context, uint32_t var) { return ((const uint8_t *)context)[var]; }

// Whether both conjunctions have the same value if corresponding vars have the same values.
static bool same_meaning(struct fixture *f, const Term *a, const var_list *vars, const Term *b,
                         const var_list *others, uint32_t count) {
    struct random random = {5};
    if (vars->count != others->count) return false;
    for (unsigned round = 0; round < 200; round++) {
        uint8_t bytes[2][BYTES] = {0};
        for (uint32_t i = 0; i < vars->count; i++)
            bytes[0][vars->at[i]] = bytes[1][others->at[i]] =
                (uint8_t)(random_next(&random) >> random_below(&random, 8));
        bool holds[2] = {true, true};
        for (unsigned k = 0; k < 2; k++) {
            evaluator_assign(f->evaluator, &(struct assignment){.byte = byte_of, .context = bytes[k]});
            for (uint32_t i = 0; i < count; i++) holds[k] &= evaluate(f->evaluator, (k ? b : a)[i]) != 0;
        }
        if (holds[0] != holds[1]) return false;
    }
    return true;
}

static bool equal(struct digest a, struct digest b) { return a.a == b.a && a.b == b.b; }
// Compares each half of the digest, so that one half cannot hide an omission of the other.
static bool partly_equal(struct digest a, struct digest b) { return a.a == b.a || a.b == b.b; }

static void test_single(void **state) {
    struct fixture f;
    Term list[MOST], moved[MOST];
    struct digest names[MOST];
    start(&f);
    uint32_t plain = make_plain(&f, 8, list, 0), count = make_arrays(&f, 8, list, plain);
    make_plain(&f, 27, moved, 0);
    var_list order = {0}, other = {0};
    for (uint32_t i = 0; i < count; i++) {
        assert_true(canonical_name(f.canonical, &list[i], 1, &names[i], &order));
        for (uint32_t k = 0; k < i; k++) {
            if (!partly_equal(names[i], names[k])) continue;
            assert_true(canonical_name(f.canonical, &list[k], 1, &names[k], &other));
            assert_true(equal(names[i], names[k]));
            assert_true(same_meaning(&f, &list[i], &order, &list[k], &other, 1));
        }
        if (i >= plain) continue;
        struct digest name;
        assert_true(canonical_name(f.canonical, &moved[i], 1, &name, &other));
        assert_true(equal(name, names[i])); // the same query about other bytes
        assert_int_equal(order.count, other.count);
        for (uint32_t v = 0; v < order.count; v++) assert_int_equal(order.at[v] + 19, other.at[v]);
        assert_true(same_meaning(&f, &list[i], &order, &moved[i], &other, 1));
    }
    vec_free(&order);
    vec_free(&other);
    end(&f);
}

// The name depends on which vars two conditions share, but not on the order and repetition of conditions.
static void test_several(void **state) {
    struct fixture f;
    start(&f);
    struct terms *t = f.terms;
    Term x = at(&f, 1), y = at(&f, 2), z = at(&f, 3), low = constant(&f, 8, 9), high = constant(&f, 8, 200);
    Term queries[][3] = {
        {term_ult(t, x, high), term_ult(t, low, x), term_ult(t, low, x)},
        {term_ult(t, x, high), term_ult(t, low, y), term_ult(t, low, y)},
        {term_ult(t, x, y), term_ult(t, y, z), term_ult(t, z, x)},
        {term_ult(t, x, y), term_ult(t, y, z), term_ult(t, x, z)},
        {term_ult(t, x, y), term_ult(t, z, y), term_ult(t, x, z)},
        {term_ult(t, x, y), term_ult(t, x, y), term_ult(t, y, z)},
        {term_ult(t, x, y), term_ult(t, x, z), term_ult(t, x, z)},
        {term_ult(t, x, y), term_ult(t, y, x), term_ult(t, y, x)},
    };
    var_list order[2] = {{0}, {0}};
    for (unsigned i = 0; i < COUNT(queries); i++)
        for (unsigned k = 0; k < COUNT(queries); k++) {
            struct digest a, b;
            Term turned[3] = {queries[k][2], queries[k][0], queries[k][1]};
            assert_true(canonical_name(f.canonical, queries[i], 3, &a, &order[0]));
            assert_true(canonical_name(f.canonical, turned, 3, &b, &order[1]));
            if (i == k) assert_true(equal(a, b));
            if (partly_equal(a, b))
                assert_true(same_meaning(&f, queries[i], &order[0], turned, &order[1], 3));
        }
    vec_free(&order[0]);
    vec_free(&order[1]);
    end(&f);
}

static void test_floats(void **state) {
    struct fixture f;
    Term list[MOST];
    struct digest names[MOST];
    var_list order = {0};
    start(&f);
    uint32_t count = make_floats(&f, 0, list, 0);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(canonical_name(f.canonical, &list[i], 1, &names[i], &order));
        for (uint32_t k = 0; k < i; k++) assert_false(partly_equal(names[i], names[k]));
    }
    vec_free(&order);
    end(&f);
}

// A collection reuses ids: no name may survive it.
static void test_collected(void **state) {
    struct fixture f;
    var_list order = {0};
    start(&f);
    for (uint64_t round = 0; round < 50; round++) {
        struct digest name, fresh;
        Term t = term_ult(f.terms, term_mul(f.terms, at(&f, 0), at(&f, 1)), constant(&f, 8, 50 + round));
        assert_true(canonical_name(f.canonical, &t, 1, &name, &order));
        struct canonical *other = canonical_new(f.terms);
        assert_true(canonical_name(other, &t, 1, &fresh, &order));
        assert_true(equal(name, fresh));
        canonical_free(other);
        terms_collect(f.terms);
    }
    vec_free(&order);
    end(&f);
}

// Queries without a name are reported: declared arrays, and too many nodes.
static void test_nameless(void **state) {
    struct fixture f;
    struct digest name;
    var_list order = {0};
    start(&f);
    Term array = term_array_variable(f.terms, "a", 8, 8);
    Term t = term_ult(f.terms, term_select(f.terms, array, at(&f, 0)), at(&f, 1)),
         fine = term_ult(f.terms, at(&f, 0), at(&f, 1));
    assert_false(canonical_name(f.canonical, &t, 1, &name, &order));
    assert_false(canonical_name(f.canonical, (Term[]){fine, t}, 2, &name, &order));
    assert_true(canonical_name(f.canonical, &fine, 1, &name, &order)); // a failed call leaves nothing behind
    Term chain = at(&f, 0);
    for (uint32_t i = 0; i < 21000; i++)
        chain = term_mul(f.terms, term_xor(f.terms, chain, at(&f, 1 + i % 9)), at(&f, 1 + i % 7));
    t = term_ult(f.terms, chain, at(&f, 1));
    assert_false(canonical_name(f.canonical, &t, 1, &name, &order));
    assert_true(canonical_name(f.canonical, &fine, 1, &name, &order));
    vec_free(&order);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_single), cmocka_unit_test(test_several),
                                       cmocka_unit_test(test_floats), cmocka_unit_test(test_collected),
                                       cmocka_unit_test(test_nameless)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
