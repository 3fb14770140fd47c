// Floats in scripts: every form of sort, constant, conversion and comparison, with values computed by hand, and errors.
// Without variables the answer needs no solver.
#include "check.h"

#include "base/alloc.h"
#include "base/base.h"
#include "base/text.h"
#include "expr/smtlib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum smtlib_answer check(void *context, const Term *conditions, size_t count, struct assignment *model,
                                const char **reason) {
    struct evaluator *evaluator = evaluator_new(*(struct terms **)context);
    static const uint8_t bytes[64]; // all variables are zero
    *model = (struct assignment){.bytes = bytes, .count = sizeof bytes};
    evaluator_assign(evaluator, model);
    enum smtlib_answer answer = SMTLIB_SAT;
    for (size_t i = 0; i < count; i++)
        if (!evaluate(evaluator, conditions[i])) answer = SMTLIB_UNSAT;
    evaluator_free(evaluator);
    *reason = "";
    return answer;
}

static void reset(void *context, struct terms *terms) { *(struct terms **)context = terms; }

static char *run(const char *script, unsigned errors) {
    struct terms *terms = NULL;
    struct smtlib_solver solver = {.check = check, .reset = reset, .context = &terms};
    struct smtlib_options options = {.name = "test"};
    char *text = NULL;
    size_t size = 0;
    FILE *in = fmemopen((void *)(uintptr_t)script, strlen(script), "r"), *out = open_memstream(&text, &size);
    struct smtlib_result result = smtlib_run(in, out, &solver, &options);
    fclose(in);
    fclose(out);
    assert_int_equal(result.errors, errors);
    return text;
}

static void check_value(const char *term, const char *value) {
    struct text script = {0}, expected = {0};
    text_add(&script, "(set-logic QF_FP)(check-sat)(get-value (%s))", term);
    text_add(&expected, "sat\n((%s %s))\n", term, value);
    char *out = run(script.at, 0);
    assert_string_equal(out, expected.at);
    free(out);
    text_free(&script);
    text_free(&expected);
}

#define BITS(x)  "(fp.to_ieee_bv " x ")"
#define F32(hex) "((_ to_fp 8 24) #x" hex ")"
#define ONE      F32("3f800000")
#define TWO      F32("40000000")
#define NAN_     "(_ NaN 8 24)"

static void test_values(void **state) {
    static const char *const cases[][2] = {
        // numbers, by each rounding, of both signs
        {BITS("((_ to_fp 8 24) RNE 0.1)"), "#x3dcccccd"},
        {BITS("((_ to_fp 8 24) RNA 0.1)"), "#x3dcccccd"},
        {BITS("((_ to_fp 8 24) RTZ 0.1)"), "#x3dcccccc"},
        {BITS("((_ to_fp 8 24) RTP 0.1)"), "#x3dcccccd"},
        {BITS("((_ to_fp 8 24) RTN 0.1)"), "#x3dcccccc"},
        {BITS("((_ to_fp 8 24) roundTowardPositive (- 0.1))"), "#xbdcccccc"},
        {BITS("((_ to_fp 8 24) roundTowardNegative (- 0.1))"), "#xbdcccccd"},
        {BITS("((_ to_fp 8 24) roundTowardZero (/ 1 3))"), "#x3eaaaaaa"},
        {BITS("((_ to_fp 8 24) roundNearestTiesToEven (/ 1 3))"), "#x3eaaaaab"},
        {BITS("((_ to_fp 8 24) roundNearestTiesToAway (/ 1 3))"), "#x3eaaaaab"},
        {BITS("((_ to_fp 8 24) RNE 16777217)"), "#x4b800000"}, // 2^24 + 1, a tie
        {BITS("((_ to_fp 8 24) RNA 16777217)"), "#x4b800001"},
        {BITS("((_ to_fp 8 24) RNE 16777217.00000000000000000001)"), "#x4b800001"},
        {BITS("((_ to_fp 11 53) RNE 3.5)"), "#x400c000000000000"},
        {BITS("((_ to_fp 11 53) RNE 10000000000000000000000000000000000000000000000)"), "#x497c06a5ec5433c6"},
        {BITS("((_ to_fp 5 11) RNE 65520)"), "#x7c00"},
        {BITS("((_ to_fp 5 11) RNE 65519.9)"), "#x7bff"},
        // integers and other formats
        {BITS("((_ to_fp 8 24) RNE #xff)"), "#xbf800000"},
        {BITS("((_ to_fp_unsigned 8 24) RNE #xff)"), "#x437f0000"},
        {BITS("((_ to_fp 5 11) RNE " F32("3f801000") ")"), "#x3c00"},
        {BITS("((_ to_fp 5 11) RTP " F32("3f801000") ")"), "#x3c01"},
        {BITS("((_ to_fp 11 53) RNE " F32("c0000000") ")"), "#xc000000000000000"},
        {"((_ fp.to_sbv 8) RTZ " F32("bfc00000") ")", "#xff"},
        {"((_ fp.to_sbv 8) RTN " F32("bfc00000") ")", "#xfe"},
        {"((_ fp.to_ubv 8) RNE " F32("40200000") ")", "#x02"},
        {"((_ fp.to_ubv 8) RNA " F32("40200000") ")", "#x03"},
        {"((_ fp.to_ubv 8) RTP " F32("40200000") ")", "#x03"},
        {"((_ fp.to_ubv 12) RTZ " F32("437f0000") ")", "#x0ff"},
        // constants, and how values are printed
        {BITS("(_ +zero 8 24)"), "#x00000000"},
        {BITS("(_ -zero 8 24)"), "#x80000000"},
        {BITS("(_ +oo 8 24)"), "#x7f800000"},
        {BITS("(_ -oo 8 24)"), "#xff800000"},
        {BITS(NAN_), "#x7fc00000"},
        {"(_ NaN 5 11)", "(_ NaN 5 11)"},
        {"(_ -oo 5 11)", "(fp #b1 #b11111 #b0000000000)"},
        {"((_ to_fp 5 11) #x3e01)", "(fp #b0 #b01111 #b1000000001)"},
        {ONE, "(fp #b0 #x7f #b00000000000000000000000)"},
        {"(fp #b1 #x80 #b10000000000000000000000)", "(fp #b1 #x80 #b10000000000000000000000)"},
        {BITS("(fp #b1 #x80 #b10000000000000000000000)"), "#xc0400000"},
        // operations
        {BITS("(fp.add RNE " ONE " " TWO ")"), "#x40400000"},
        {BITS("(fp.sub RNE " ONE " " TWO ")"), "#xbf800000"},
        {BITS("(fp.div RTN " ONE " " F32("40400000") ")"), "#x3eaaaaaa"},
        {BITS("(fp.div RTP " ONE " " F32("40400000") ")"), "#x3eaaaaab"},
        {BITS("(fp.mul RNE " TWO " " TWO ")"), "#x40800000"},
        {BITS("(fp.fma RNE " TWO " " TWO " " ONE ")"), "#x40a00000"},
        {BITS("(fp.sqrt RTZ " TWO ")"), "#x3fb504f3"},
        {BITS("(fp.sqrt RTP " TWO ")"), "#x3fb504f4"},
        {BITS("(fp.roundToIntegral RNE " F32("40200000") ")"), "#x40000000"},
        {BITS("(fp.roundToIntegral RTP " F32("40200000") ")"), "#x40400000"},
        {BITS("(fp.neg " ONE ")"), "#xbf800000"},
        {BITS("(fp.abs " F32("bf800000") ")"), "#x3f800000"},
        {BITS("(fp.min " ONE " " TWO ")"), "#x3f800000"},
        {BITS("(fp.max " ONE " " TWO ")"), "#x40000000"},
        // comparisons of adjacent floats
        {"(fp.lt " ONE " " TWO ")", "true"},
        {"(fp.lt " TWO " " ONE ")", "false"},
        {"(fp.gt " TWO " " ONE ")", "true"},
        {"(fp.gt " ONE " " ONE ")", "false"},
        {"(fp.geq " ONE " " ONE ")", "true"},
        {"(fp.geq " ONE " " TWO ")", "false"},
        {"(fp.leq " ONE " " ONE " " TWO ")", "true"},
        {"(fp.leq " ONE " " TWO " " ONE ")", "false"},
        {"(fp.gt " TWO " " ONE " " ONE ")", "false"},
        {"(fp.eq (_ +zero 8 24) (_ -zero 8 24))", "true"},
        {"(fp.eq " NAN_ " " NAN_ ")", "false"},
        {"(= " NAN_ " ((_ to_fp 8 24) #x7f800001))", "true"}, // there is one NaN
        {"(= " NAN_ " (_ +oo 8 24))", "false"},
        {"(= (_ +zero 8 24) (_ -zero 8 24))", "false"},
        {"(fp.isNaN " NAN_ ")", "true"},
        {"(fp.isInfinite (_ -oo 8 24))", "true"},
        {"(fp.isNegative (_ -zero 8 24))", "true"},
        {"(fp.isPositive (_ -zero 8 24))", "false"},
        {"(fp.isSubnormal " F32("00000001") ")", "true"},
        {"(fp.isNormal " F32("00000001") ")", "false"},
        {"(fp.isZero (_ -zero 8 24))", "true"},
    };
    for (unsigned i = 0; i < COUNT(cases); i++) check_value(cases[i][0], cases[i][1]);
}

static void test_sorts(void **state) {
    char *out = run("(declare-const h Float16)(declare-const s Float32)(declare-const d "
                    "Float64)(declare-const q Float128)"
                    "(declare-const o (_ FloatingPoint 4 9))(check-sat)(get-model)",
                    0);
    assert_string_equal(out,
                        "sat\n(\n"
                        "  (define-fun h () (_ FloatingPoint 5 11) (fp #b0 #b00000 #b0000000000))\n"
                        "  (define-fun s () (_ FloatingPoint 8 24) (fp #b0 #x00 #b00000000000000000000000))\n"
                        "  (define-fun d () (_ FloatingPoint 11 53) (fp #b0 #b00000000000 #x0000000000000))\n"
                        "  (define-fun q () (_ FloatingPoint 15 113) (fp #b0 #b000000000000000 "
                        "#x0000000000000000000000000000))\n"
                        "  (define-fun o () (_ FloatingPoint 4 9) (fp #b0 #x0 #x00))\n)\n");
    free(out);
}

static void test_errors(void **state) {
    static const char *const terms[] = {
        "(fp.add " ONE " " TWO ")",              // no rounding mode
        "(fp.add RNE " ONE ")",                  // too few
        "(fp.add RNE " ONE " " TWO " " TWO ")",  // too many
        "(fp.lt " ONE ")",                       // nothing to compare with
        "(fp.lt " ONE " #x3f800000)",            // not a float
        "(fp.lt " ONE " (_ +zero 5 11))",        // another format
        "(fp.isNaN " ONE " " ONE ")",            // one too many
        "(fp #b1 #x80)",                         // a part is missing
        "(fp #b10 #x80 #b10)",                   // a sign of two bits
        "(fp #b1 #b1 #b10)",                     // an exponent of one bit
        "(fp #b1 #x80 true)",                    // not a bit-vector
        "((_ to_fp 8 24) #x3f80)",               // another width
        "((_ to_fp 8 24) " ONE ")",              // a conversion without a rounding mode
        "((_ to_fp_unsigned 8 24) RNE " ONE ")", // not an integer
        "((_ to_fp_unsigned 8 24) #x3f800000)",  // no rounding mode
        "((_ to_fp 8) RNE " ONE ")",             // one number
        "((_ to_fp 1 24) RNE " ONE ")",          // a format that is not supported
        "((_ to_fp 8 1) RNE " ONE ")",           // likewise
        "((_ fp.to_ubv 0) RNE " ONE ")",         // zero bits
        "((_ fp.to_sbv 65536) RNE " ONE ")",     // too many
        "((_ fp.to_sbv 8) " ONE ")",             // no rounding mode
        "((_ fp.to_sbv 8) RNE #x00)",            // not a float
        "((_ fp.to_sbv 8 8) RNE " ONE ")",       // two numbers
        "(fp.to_ieee_bv #x00)",                  // not a float
        "((_ to_fp 8 24) RNE (- 1 2))",          // a difference
        "((_ to_fp 8 24) RNE (/ 1))",            // a quotient of one
        "((_ to_fp 8 24) RNE (- #x00))",         // not a number
        "((_ to_fp 8 24) RNE 1.00000000000000000000000000000000000000000000001)", // 48 digits
    };
    for (unsigned i = 0; i < COUNT(terms); i++) {
        struct text script = {0};
        text_add(&script, "(check-sat)(get-value (%s))", terms[i]);
        char *out = run(script.at, 1);
        if (strncmp(out, "sat\n(error \"1:", 14) != 0) print_message("%s: %s\n", terms[i], out);
        assert_true(strncmp(out, "sat\n(error \"1:", 14) == 0);
        free(out);
        text_free(&script);
    }
    assert_int_equal(mem_in_use(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_sorts),
                                       cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
