// The parity layer against checksums computed in C, and against enumeration of two bytes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/random.h"
#include "solver/solver.h"

#include <stdlib.h>

#define POLYNOMIAL 0xedb88320u
#define BYTES      12u

struct fixture {
    struct terms *terms;
    struct solver *solver;
    uint32_t input, table[256];
    Term table_term;
    struct random random;
};

static void open_it(struct fixture *f, bool cache) {
    struct solver_options options = solver_defaults;
#define LAYER(number, name, ...) options.name = false;
    LAYER_TABLE(LAYER)
#undef LAYER
    options.parity = true;
    options.cache = cache;
    f->random.state = 7;
    f->terms = terms_new();
    f->solver = solver_new(f->terms, &options);
    f->input = terms_input(f->terms, "input", BYTES);
    for (uint32_t i = 0; i < 256; i++) {
        f->table[i] = i;
        for (unsigned k = 0; k < 8; k++) f->table[i] = f->table[i] >> 1 ^ (f->table[i] & 1 ? POLYNOMIAL : 0);
    }
}
static void close_it(struct fixture *f) {
    solver_free(f->solver);
    terms_free(f->terms);
}

static Term number(struct fixture *f, unsigned width, uint64_t value) {
    return term_const(f->terms, width, value);
}
static Term byte(struct fixture *f, uint32_t i) { return term_byte(f->terms, f->input, i); }

static void make_table(struct fixture *f) {
    Term elements[256];
    for (uint32_t i = 0; i < 256; i++) elements[i] = number(f, 32, f->table[i]);
    f->table_term = term_array_literal(f->terms, 32, 32, elements, 256);
}

static uint32_t compute(const struct fixture *f, const uint8_t *bytes, uint32_t count) {
    uint32_t crc = ~0u;
    for (uint32_t i = 0; i < count; i++) crc = crc >> 8 ^ f->table[(crc ^ bytes[i]) & 0xff];
    return ~crc;
}

// The CRC by a table, as most programs compute it.
static Term by_table(struct fixture *f, uint32_t count) {
    Term crc = number(f, 32, ~0u);
    for (uint32_t i = 0; i < count; i++) {
        Term index = term_xor(f->terms, term_extract(f->terms, crc, 0, 8), byte(f, i));
        Term read = term_select(f->terms, f->table_term, term_zext(f->terms, index, 32));
        crc = term_xor(f->terms, term_lshr(f->terms, crc, number(f, 32, 8)), read);
    }
    return term_not(f->terms, crc);
}

// The CRC bit by bit, without branches.
static Term by_bits(struct fixture *f, uint32_t count) {
    Term crc = number(f, 32, ~0u);
    for (uint32_t i = 0; i < count; i++) {
        crc = term_xor(f->terms, crc, term_zext(f->terms, byte(f, i), 32));
        for (unsigned k = 0; k < 8; k++) {
            Term shifted = term_lshr(f->terms, crc, number(f, 32, 1));
            crc = term_ite(f->terms, term_extract(f->terms, crc, 0, 1),
                           term_xor(f->terms, shifted, number(f, 32, POLYNOMIAL)), shifted);
        }
    }
    return term_not(f->terms, crc);
}

static enum answer ask(struct fixture *f, const struct path_condition *path, Term condition, uint8_t *bytes) {
    struct model *model = NULL;
    enum answer answer = solver_may_be_true(f->solver, path, condition, &model);
    for (uint32_t i = 0; i < BYTES && model; i++)
        bytes[i] = model_byte(model, terms_input_var(f->terms, f->input, i), path_byte(path, i));
    model_release(model);
    return answer;
}

static void test_any_checksum_is_met(void **state) {
    struct fixture f;
    uint8_t bytes[BYTES];
    open_it(&f, false);
    make_table(&f);
    for (unsigned round = 0; round < 40; round++) {
        uint32_t count = 4 + round % (BYTES - 3), wanted = (uint32_t)random_next(&f.random);
        Term crc = round % 2 ? by_table(&f, count) : by_bits(&f, count);
        struct path_condition path = {0};
        assert_int_equal(ask(&f, &path, term_eq(f.terms, crc, number(&f, 32, wanted)), bytes), ANSWER_YES);
        assert_int_equal(compute(&f, bytes, count), wanted);
        // Printed in decimal: at most two digits.
        assert_int_equal(ask(&f, &path, term_ult(f.terms, crc, number(&f, 32, 100)), bytes), ANSWER_YES);
        assert_true(compute(&f, bytes, count) < 100);
    }
    close_it(&f);
}

// A checksum stored after its data: the data, which other conditions constrain, keeps its values; the checksum is set.
static void test_stored_checksum(void **state) {
    struct fixture f;
    uint8_t bytes[BYTES];
    open_it(&f, false);
    make_table(&f);
    Term stored = term_input_bits(f.terms, f.input, 8, 4), crc = by_table(&f, 8);
    struct path_condition path = {0};
    for (uint32_t i = 0; i < 8; i++) {
        Term digit = term_ult(f.terms, term_sub(f.terms, byte(&f, i), number(&f, 8, '0')), number(&f, 8, 10));
        path_add(f.solver, &path, digit, NULL);
    }
    path_add(f.solver, &path, term_ult(f.terms, byte(&f, 0), byte(&f, 1)), NULL);
    // The layer needs a model of the other conditions: "01234567".
    for (uint32_t i = 0; i < 8; i++)
        path_set_default(&path, terms_input_var(f.terms, f.input, i), (uint8_t)('0' + i));
    path_use_defaults(f.solver, &path);
    assert_int_equal(ask(&f, &path, term_eq(f.terms, crc, stored), bytes), ANSWER_YES);
    assert_true(bytes[0] < bytes[1] && bytes[1] >= '0' && bytes[1] <= '9');
    uint32_t there =
        bytes[8] | (uint32_t)bytes[9] << 8 | (uint32_t)bytes[10] << 16 | (uint32_t)bytes[11] << 24;
    assert_int_equal(compute(&f, bytes, 8), there);
    path_free(&path);
    close_it(&f);
}

// Random conditions on two bytes, with linear and nonlinear operations and a table that is linear or nearly linear: the
// answers must agree with enumeration.
static Term random_value(struct fixture *f, unsigned depth) {
    Term a, b;
    switch (depth ? random_below(&f->random, 9) : random_below(&f->random, 3)) {
    case 0: return byte(f, 0);
    case 1: return byte(f, 1);
    case 2: return number(f, 8, random_next(&f->random));
    case 3:
        a = term_zext(f->terms, random_value(f, depth - 1), 32);
        return term_extract(f->terms, term_select(f->terms, f->table_term, a),
                            (unsigned)random_below(&f->random, 25), 8);
    case 4:
        a = random_value(f, depth - 1);
        return term_and(f->terms, a, number(f, 8, random_next(&f->random)));
    case 5:
        a = random_value(f, depth - 1);
        b = random_value(f, depth - 1);
        return term_add(f->terms, a, b);
    case 6:
        a = random_value(f, depth - 1);
        b = term_extract(f->terms, random_value(f, depth - 1), (unsigned)random_below(&f->random, 8), 1);
        return term_ite(f->terms, b, a, term_xor(f->terms, a, number(f, 8, random_next(&f->random))));
    default:
        a = random_value(f, depth - 1);
        b = random_value(f, depth - 1);
        return term_xor(f->terms, a, b);
    }
}

static Term random_condition(struct fixture *f) {
    Term a = random_value(f, 4), b = random_value(f, random_below(&f->random, 2) ? 3 : 0);
    if (term_is_const(f->terms, a)) a = term_xor(f->terms, byte(f, 0), byte(f, 1));
    Term condition = random_below(&f->random, 3) ? term_eq(f->terms, a, b) : term_ult(f->terms, a, b);
    return random_below(&f->random, 4) ? condition : term_not(f->terms, condition);
}

static uint8_t byte_of(void *context, uint32_t var) { return ((const uint8_t *)context)[var]; }

static bool any_value_satisfies(struct fixture *f, const Term *conditions, unsigned count) {
    uint8_t bytes[BYTES] = {0};
    struct assignment assignment = {.byte = byte_of, .context = bytes};
    struct evaluator *evaluator = evaluator_new(f->terms);
    bool found = false;
    for (uint32_t i = 0; i < 65536 && !found; i++) {
        bytes[0] = (uint8_t)i;
        bytes[1] = (uint8_t)(i >> 8);
        evaluator_assign(evaluator, &assignment);
        found = true;
        for (unsigned k = 0; k < count && found; k++) found = evaluate(evaluator, conditions[k]) != 0;
    }
    evaluator_free(evaluator);
    return found;
}

static void test_against_all_values(void **state) {
    struct fixture f;
    uint8_t bytes[BYTES];
    unsigned answers[3] = {0};
    open_it(&f, false);
    for (unsigned round = 0; round < 600; round++) {
        uint32_t kept = f.table[round % 256];
        if (round % 3 == 0) f.table[round % 256] ^= 1u << round % 32; // no longer linear in that bit
        make_table(&f);
        f.table[round % 256] = kept;
        Term conditions[3];
        unsigned count = 1 + (unsigned)random_below(&f.random, 3);
        struct path_condition path = {0};
        for (unsigned i = 0; i < count; i++) {
            conditions[i] = random_condition(&f);
            if (i + 1 < count) path_add(f.solver, &path, conditions[i], NULL);
        }
        // A query leaves out unrelated groups, which must be satisfiable.
        bool sound = any_value_satisfies(&f, conditions, count - 1);
        enum answer answer = sound ? ask(&f, &path, conditions[count - 1], bytes) : ANSWER_UNKNOWN;
        answers[answer]++;
        if (answer != ANSWER_UNKNOWN)
            assert_int_equal(answer == ANSWER_YES, any_value_satisfies(&f, conditions, count));
        path_free(&path);
    }
    assert_true(answers[ANSWER_YES] > 50 && answers[ANSWER_NO] > 30 && answers[ANSWER_UNKNOWN] > 10);
    close_it(&f);
}

// Each value of a nonlinear table is still found.
static void test_other_tables(void **state) {
    struct fixture f;
    uint8_t bytes[BYTES];
    open_it(&f, false);
    for (uint32_t i = 0; i < 256; i++) f.table[i] = (uint32_t)random_next(&f.random);
    make_table(&f);
    Term index = term_zext(f.terms, term_xor(f.terms, byte(&f, 0), byte(&f, 1)), 32);
    Term read = term_select(f.terms, f.table_term, index);
    for (uint32_t i = 0; i < 256; i++) {
        struct path_condition path = {0};
        Term equal = term_eq(f.terms, read, number(&f, 32, f.table[i]));
        assert_int_not_equal(ask(&f, &path, equal, bytes), ANSWER_NO);
    }
    close_it(&f);
}

// The core of a refutation that uses a byte's domain has the condition that narrowed it: else the cache would be wrong.
static void test_cores_name_sets(void **state) {
    struct fixture f;
    uint8_t bytes[BYTES];
    open_it(&f, true);
    Term small = number(&f, 8, 0x40), apart = term_xor(f.terms, byte(&f, 0), byte(&f, 1));
    Term equation = term_eq(f.terms, apart, number(&f, 8, 0xc0)),
         asked = term_ult(f.terms, byte(&f, 1), small);
    struct path_condition path = {0}, without = {0};
    path_add(f.solver, &path, term_ult(f.terms, byte(&f, 0), small), NULL);
    path_add(f.solver, &path, equation, NULL);
    path_add(f.solver, &without, equation, NULL);
    assert_int_equal(ask(&f, &path, asked, bytes), ANSWER_NO);
    assert_int_equal(ask(&f, &without, asked, bytes), ANSWER_YES);
    assert_true(bytes[1] < 0x40 && (bytes[0] ^ bytes[1]) == 0xc0);
    path_free(&path);
    path_free(&without);
    close_it(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_checksum_is_met), cmocka_unit_test(test_stored_checksum),
        cmocka_unit_test(test_against_all_values),  cmocka_unit_test(test_other_tables),
        cmocka_unit_test(test_cores_name_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
