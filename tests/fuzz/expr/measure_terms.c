// usage: measure_terms: prints a table of the speed of building, evaluating and tabulating terms, and of the memory per
// node.
#include "base/random.h"
#include "expr/eval.h"
#include "expr/expr.h"

#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A checksum over many bytes: new nodes of mixed kinds, deep.
static Term checksum(struct terms *terms, uint32_t in, unsigned size, unsigned rounds) {
    Term h = term_const(terms, 32, 0x811c9dc5);
    for (unsigned r = 0; r < rounds; r++)
        for (unsigned i = 0; i < size; i++) {
            h = term_xor(terms, h, term_zext(terms, term_byte(terms, in, i), 32));
            h = term_mul(terms, h, term_const(terms, 32, 0x01000193));
            h = term_add(terms, h, term_lshr(terms, h, term_const(terms, 32, 7)));
        }
    return h;
}

// Terms of a parser: comparisons of bytes, small ranges, promoted arithmetic, ites.
static Term parser(struct terms *terms, uint32_t in, unsigned size) {
    Term value = term_const(terms, 32, 0), valid = term_true(terms);
    for (unsigned i = 0; i < size; i++) {
        Term c = term_sext(terms, term_byte(terms, in, i), 32);
        Term digit = term_sub(terms, c, term_const(terms, 32, '0'));
        Term is_digit = term_ult(terms, digit, term_const(terms, 32, 10));
        value = term_add(terms, term_mul(terms, value, term_const(terms, 32, 10)), digit);
        valid =
            term_and(terms, valid, term_or(terms, is_digit, term_eq(terms, c, term_const(terms, 32, ' '))));
        value = term_ite(terms, is_digit, value, term_const(terms, 32, 0));
    }
    return term_and(terms, valid, term_eq(terms, value, term_const(terms, 32, 4711)));
}

int main(void) {
    struct terms *terms = terms_new();
    uint32_t in = terms_input(terms, "in", 1024);
    double start = now();
    size_t before = terms_node_count(terms);
    Term h = checksum(terms, in, 1024, 200);
    size_t made = terms_node_count(terms) - before;
    double seconds = now() - start;
    printf("build fresh    %8.2f M nodes/s  (%zu nodes, %.0f bytes each)\n", (double)made / seconds / 1e6,
           made, (double)terms_memory(terms) / (double)terms_node_count(terms));
    start = now();
    Term again = checksum(terms, in, 1024, 200);
    printf("build again    %8.2f M builders/s%s\n", 1024 * 200 * 5 / (now() - start) / 1e6,
           again == h ? "" : " WRONG");
    start = now();
    unsigned rounds = 200;
    for (unsigned i = 0; i < rounds; i++) {
        struct terms *fresh = terms_new();
        parser(fresh, terms_input(fresh, "in", 256), 256);
        made = terms_node_count(fresh);
        terms_free(fresh);
    }
    printf("parser shape   %8.2f M builders/s  (%zu nodes for 256 bytes)\n",
           256.0 * rounds * 11 / (now() - start) / 1e6, made);
    struct evaluator *evaluator = evaluator_new(terms);
    uint8_t bytes[1024] = {1, 2, 3};
    struct assignment assignment = {.bytes = bytes, .count = sizeof bytes};
    evaluator_assign(evaluator, &assignment);
    evaluate(evaluator, h);
    start = now();
    evaluator_assign(evaluator, &assignment);
    evaluate(evaluator, h);
    printf("evaluate       %8.2f M nodes/s\n", (double)terms_node_count(terms) / (now() - start) / 1e6);
    struct tabulator *tabulator = tabulator_new(terms);
    uint8_t table[256];
    for (unsigned i = 0; i < 256; i++) table[i] = (uint8_t)(7 * i + 3);
    Term array = term_array_bytes(terms, 32, 1, table, 256), t = term_byte(terms, in, 0);
    for (unsigned i = 0; i < 2000; i++) {
        Term index = term_zext(terms, term_add(terms, t, term_const(terms, 8, i + 1)), 32);
        t = term_xor(terms, term_select(terms, array, index), term_byte(terms, in, 0));
    }
    uint64_t values[256];
    start = now();
    tabulate(tabulator, t, values);
    printf("tabulate       %8.2f M values/s  (%.2f us for a node's 256 values)\n",
           8000 * 256 / (now() - start) / 1e6, (now() - start) / 8000 * 1e6);
    start = now();
    size_t freed = terms_collect(terms);
    printf("collect        %8.2f M nodes/s\n", (double)freed / (now() - start) / 1e6);
    tabulator_free(tabulator);
    evaluator_free(evaluator);
    terms_free(terms);
    return 0;
}
