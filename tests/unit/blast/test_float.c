// Floating-point circuits over constants fold to the results of software arithmetic, for all pairs of a tiny format and
// random patterns of the others. Also a few queries with known answers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "blast/blast.h"
#include "blast/float.h"
#include "expr/softfloat.h"
#include "sat/sat.h"
#include "tests/float_patterns.h"

#define TINY FP_FORMAT(3, 4, 0)

static struct random random_state = {7};
static struct sat *sat;
static struct gates *gates;

static void check(struct shape shape, unsigned width, uint64_t (*values)[2]) {
    gate words[3][128], out[200];
    const gate *args[3] = {words[0], words[1], words[2]};
    const uint64_t *operands[3] = {values[0], values[1], values[2]};
    unsigned arity = kind_infos[shape.kind].arity;
    uint64_t wanted[4] = {0}, ours[4] = {0};
    for (unsigned i = 0; i < arity; i++)
        for (unsigned k = 0; k < width; k++) words[i][k] = values[i][k / 64] >> k % 64 & 1;
    fp_apply(shape, width, operands, wanted);
    float_circuit(gates, shape, width, args, out);
    for (unsigned k = 0; k < shape.width; k++) {
        assert_true(out[k] <= GATE_TRUE);
        ours[k / 64] |= (uint64_t)out[k] << k % 64;
    }
    for (unsigned k = 0; k < 4; k++) {
        if (ours[k] == wanted[k]) continue;
        print_message("%s format %x source %x rounding %u width %u\n", kind_infos[shape.kind].text,
                      shape.format, shape.source, shape.rounding, shape.width);
        for (unsigned i = 0; i < arity; i++)
            print_message("  operand %016llx%016llx\n", (unsigned long long)values[i][1],
                          (unsigned long long)values[i][0]);
        print_message("  circuit  %016llx%016llx\n  software %016llx%016llx\n", (unsigned long long)ours[1],
                      (unsigned long long)ours[0], (unsigned long long)wanted[1],
                      (unsigned long long)wanted[0]);
        fail();
    }
}

static const enum kind same_format[] = {KIND_FP_ADD, KIND_FP_SUB, KIND_FP_MUL,  KIND_FP_DIV,  KIND_FP_FMA,
                                        KIND_FP_REM, KIND_FP_MOD, KIND_FP_MIN,  KIND_FP_MAX,  KIND_FP_EQ,
                                        KIND_FP_LT,  KIND_FP_LE,  KIND_FP_SQRT, KIND_FP_ROUND};

static struct shape shape_of(enum kind kind, fp_format f, unsigned rounding) {
    bool rounds = kind_infos[kind].properties & KP_ROUNDS,
         predicate = kind_infos[kind].properties & KP_PREDICATE;
    return (struct shape){.kind = (uint8_t)kind,
                          .rounding = (uint8_t)(rounds ? rounding : 0),
                          .width = (uint16_t)(predicate ? 1 : fp_width(f)),
                          .format = f};
}

static void test_all_pairs(void **state) {
    unsigned count = 1u << fp_width(TINY);
    for (unsigned i = 0; i < COUNT(same_format); i++)
        for (unsigned rounding = 0; rounding < FP_ROUNDINGS; rounding++) {
            struct shape shape = shape_of(same_format[i], TINY, rounding);
            for (uint64_t a = 0; a < count; a++)
                for (uint64_t b = 0; b < count; b++) {
                    uint64_t values[3][2] = {{a}, {b}, {random_below(&random_state, count)}};
                    check(shape, fp_width(TINY), values);
                    if (kind_infos[same_format[i]].arity == 1) break;
                }
            if (!(kind_infos[same_format[i]].properties & KP_ROUNDS)) break;
        }
}

static const fp_format formats[] = {TINY,
                                    FP_FORMAT(2, 3, 0),
                                    FP_FORMAT(4, 20, 0),
                                    FP_FORMAT(9, 5, 0),
                                    FP_HALF,
                                    FP_BFLOAT,
                                    FP_SINGLE,
                                    FP_DOUBLE,
                                    FP_X87,
                                    FP_QUAD};

static void check_random(struct shape shape, unsigned width) {
    uint64_t values[3][2];
    fp_format f = shape.source ? shape.source : shape.format;
    for (unsigned i = 0; i < 3; i++) random_pattern(&random_state, f, true, values[i]);
    if (shape.kind == KIND_SINT_TO_FP || shape.kind == KIND_UINT_TO_FP) {
        values[0][0] = random_next(&random_state) >> random_below(&random_state, 64);
        values[0][1] = random_next(&random_state) >> random_below(&random_state, 64);
        if (width < 128) values[0][1] &= width > 64 ? mask_bits(width - 64) : 0;
        values[0][0] &= mask_bits(MIN(width, 64u));
    }
    check(shape, width, values);
}

static void test_random(void **state) {
    for (unsigned k = 0; k < COUNT(formats); k++)
        for (unsigned i = 0; i < COUNT(same_format); i++) {
            struct shape shape = shape_of(same_format[i], formats[k], 0);
            if (float_cells(shape, fp_width(formats[k])) > 1u << 22) continue;
            unsigned rounds = same_format[i] == KIND_FP_REM || same_format[i] == KIND_FP_MOD ? 100 : 1000;
            for (unsigned n = 0; n < rounds; n++)
                check_random(shape_of(same_format[i], formats[k], n % FP_ROUNDINGS), fp_width(formats[k]));
        }
}

static void test_conversions(void **state) {
    static const unsigned widths[] = {1, 2, 7, 8, 16, 31, 32, 64, 65, 128};
    for (unsigned k = 0; k < COUNT(formats); k++)
        for (unsigned i = 0; i < COUNT(widths); i++)
            for (unsigned n = 0; n < 600; n++) {
                struct shape shape = {.rounding = (uint8_t)(n % FP_ROUNDINGS), .width = (uint16_t)widths[i]};
                shape.source = formats[k];
                shape.kind = n % 2 ? KIND_FP_TO_SINT : KIND_FP_TO_UINT;
                check_random(shape, fp_width(formats[k]));
                shape.source = 0;
                shape.format = formats[k];
                shape.width = (uint16_t)fp_width(formats[k]);
                shape.kind = n % 2 ? KIND_SINT_TO_FP : KIND_UINT_TO_FP;
                check_random(shape, widths[i]);
            }
    for (unsigned k = 0; k < COUNT(formats); k++)
        for (unsigned i = 0; i < COUNT(formats); i++)
            for (unsigned n = 0; n < 600; n++)
                check_random((struct shape){.kind = KIND_FP_TO_FP,
                                            .rounding = (uint8_t)(n % FP_ROUNDINGS),
                                            .width = (uint16_t)fp_width(formats[i]),
                                            .format = formats[i],
                                            .source = formats[k]},
                             fp_width(formats[k]));
}

// In single precision x + 1 == x has solutions, but none with |x| < 2^20.
static void test_questions(void **state) {
    struct terms *terms = terms_new();
    struct blaster *blaster = blaster_new(terms, &blast_all);
    Term x = term_variable(terms, "x", 32), one = term_const(terms, 32, 0x3f800000);
    Term sum = term_fp_binary(terms, KIND_FP_ADD, FP_SINGLE, FP_NEAREST_EVEN, x, one);
    Term magnitude = term_fp_unary(terms, KIND_FP_ABS, FP_SINGLE, FP_NEAREST_EVEN, x);
    Term limit = term_const(terms, 32, 0x49800000);
    Term conditions[2] = {term_fp_compare(terms, KIND_FP_EQ, FP_SINGLE, sum, x),
                          term_fp_compare(terms, KIND_FP_LT, FP_SINGLE, magnitude, limit)};
    assert_int_equal(blaster_solve(blaster, conditions, 1, NULL), BLAST_YES);
    assert_int_equal(blaster_solve(blaster, conditions, 2, NULL), BLAST_NO);
    blaster_free(blaster);
    terms_free(terms);
}

static int set_up(void **state) {
    sat = sat_new();
    gates = gates_new(sat, true);
    return 0;
}

static int tear_down(void **state) {
    gates_free(gates);
    sat_free(sat);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_pairs), cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_conversions), cmocka_unit_test(test_questions)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
