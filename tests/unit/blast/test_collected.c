// One blaster over many collections of terms: ids are reused, and reads of collected arrays are ignored.
#include "../check.h"

#include "base/random.h"
#include "blast/blast.h"
#include "expr/eval.h"

#define BYTES 4
#define SIZE  40u

struct fixture {
    struct terms *terms;
    struct blaster *blaster;
    struct evaluator *evaluator;
    struct random random;
    uint32_t input;
};

static Term byte(struct fixture *f, uint32_t i) { return term_byte(f->terms, f->input, i); }

// A read at a symbolic index of a table or of the input, perhaps after stores at other symbolic indices.
static Term make_read(struct fixture *f) {
    uint8_t bytes[SIZE];
    for (uint32_t i = 0; i < SIZE; i++) bytes[i] = (uint8_t)random_below(&f->random, 4);
    Term table = term_array_bytes(f->terms, 8, 1, bytes, SIZE),
         value = term_const(f->terms, 8, random_below(&f->random, 6));
    if (random_below(&f->random, 2)) table = term_store(f->terms, table, byte(f, 1), value);
    if (random_below(&f->random, 3) == 0) table = term_input_array(f->terms, f->input, BYTES, 8);
    if (random_below(&f->random, 2)) table = term_store(f->terms, table, byte(f, 2), byte(f, 3));
    return term_select(f->terms, table, byte(f, 0));
}

static bool some_value(struct fixture *f, const Term *conditions, uint32_t count) {
    for (uint32_t bits = 0; bits < 1u << 14; bits++) { // three indices and a value, all small
        uint8_t bytes[BYTES] = {bits & 15, bits >> 4 & 7, bits >> 7 & 7, bits >> 10 & 15};
        evaluator_assign(f->evaluator, &(struct assignment){.bytes = bytes, .count = BYTES});
        bool holds = true;
        for (uint32_t i = 0; i < count && holds; i++) holds = evaluate(f->evaluator, conditions[i]) != 0;
        if (holds) return true;
    }
    return false;
}

static uint32_t limit_bytes(struct fixture *f, Term *conditions) {
    static const uint64_t most[BYTES] = {16, 8, 8, 16};
    for (uint32_t i = 0; i < BYTES; i++)
        conditions[i] = term_ult(f->terms, byte(f, i), term_const(f->terms, 8, most[i]));
    return BYTES;
}

static void check_options(const struct blast_options *options, uint64_t seed) {
    struct fixture f = {.terms = terms_new(), .random = {seed}};
    f.input = terms_input(f.terms, "in", BYTES);
    f.blaster = blaster_new(f.terms, options);
    f.evaluator = evaluator_new(f.terms);
    for (unsigned round = 0; round < 60; round++) {
        Term conditions[BYTES + 2];
        uint32_t count = limit_bytes(&f, conditions);
        Term read = make_read(&f), other = random_below(&f.random, 2) ? make_read(&f) : byte(&f, 3);
        conditions[count++] = term_eq(f.terms, read, term_const(f.terms, 8, random_below(&f.random, 6)));
        conditions[count++] =
            random_below(&f.random, 2) ? term_ult(f.terms, other, read) : term_eq(f.terms, other, read);
        bool expected = some_value(&f, conditions, count);
        assert_int_equal(blaster_solve(f.blaster, conditions, count, NULL), expected ? BLAST_YES : BLAST_NO);
        if (random_below(&f.random, 2)) terms_collect(f.terms);
    }
    evaluator_free(f.evaluator);
    blaster_free(f.blaster);
    terms_free(f.terms);
}

static void test_collections(void **state) {
    struct blast_options options = blast_all;
    check_options(&options, 1);
    options.expansion = false;
    for (uint64_t seed = 2; seed < 6; seed++) check_options(&options, seed);
    options.substitution = false;
    check_options(&options, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_collections)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
