// Sums and products of shifted bytes, extended afterwards: the simplifier decides whether they wrap. The results are
// compared with plain arithmetic, for the least and the greatest bytes.
#include "../check.h"
#include "base/random.h"
#include "expr/eval.h"

#define BYTES 4

struct piece {
    Term term;
    unsigned byte, shift;
    uint64_t low; // constant below the byte
};

static struct piece random_piece(struct terms *terms, struct random *random, uint32_t input, unsigned width) {
    struct piece piece = {.byte = (unsigned)random_below(random, BYTES),
                          .shift = (unsigned)random_below(random, width - 7)};
    Term t = term_byte(terms, input, piece.byte);
    if (piece.shift) {
        piece.low = random_below(random, 2) ? random_next(random) & mask_bits(piece.shift) : 0;
        t = term_concat(terms, t, term_const(terms, piece.shift, piece.low));
    }
    piece.term = term_zext(terms, t, width);
    return piece;
}

static void check(struct random *random, unsigned width, unsigned wider) {
    struct terms *terms = terms_new();
    uint32_t input = terms_input(terms, "in", BYTES);
    struct evaluator *evaluator = evaluator_new(terms);
    struct piece pieces[4];
    bool product[4] = {false};
    unsigned count = 2 + (unsigned)random_below(random, 3);
    Term t = 0;
    for (unsigned i = 0; i < count; i++) {
        pieces[i] = random_piece(terms, random, input, width);
        product[i] = random_below(random, 3) == 0;
        t = !i           ? pieces[i].term
            : product[i] ? term_mul(terms, t, pieces[i].term)
                         : term_add(terms, t, pieces[i].term);
    }
    t = term_zext(terms, t, wider);
    static const uint8_t edges[] = {0, 1, 127, 128, 255};
    for (unsigned k = 0; k < 40; k++) {
        uint8_t bytes[BYTES];
        for (unsigned i = 0; i < BYTES; i++) bytes[i] = k ? edges[random_below(random, COUNT(edges))] : 255;
        uint64_t expected = 0;
        for (unsigned i = 0; i < count; i++) {
            uint64_t value = (uint64_t)bytes[pieces[i].byte] << pieces[i].shift | pieces[i].low;
            expected = !i ? value : product[i] ? expected * value : expected + value;
            expected &= mask_bits(width);
        }
        evaluator_assign(evaluator, &(struct assignment){.bytes = bytes, .count = BYTES});
        assert_int_equal(evaluate(evaluator, t), expected);
    }
    evaluator_free(evaluator);
    terms_free(terms);
}

static void test_extended(void **state) {
    struct random random = {1};
    for (unsigned round = 0; round < 4000; round++) {
        unsigned width = 9 + (unsigned)random_below(&random, 55),
                 wider = width + (unsigned)random_below(&random, 65 - width);
        check(&random, width, wider);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_extended)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
