// Scripts and their answers. The solver is a stub that enumerates the values of up to two bytes.
#include "check.h"

#include "base/alloc.h"
#include "base/text.h"
#include "expr/smtlib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct small_solver {
    struct terms *terms;
    uint8_t bytes[64];
    struct array_value *array;
};

static enum smtlib_answer check(void *context, const Term *conditions, size_t count, struct assignment *model,
                                const char **reason) {
    struct small_solver *solver = context;
    struct evaluator *evaluator = evaluator_new(solver->terms);
    enum smtlib_answer answer = SMTLIB_UNSAT;
    uint32_t vars = terms_var_count(solver->terms);
    for (unsigned a = 0; a < 65536 && answer == SMTLIB_UNSAT; a++) {
        memset(solver->bytes, 0, sizeof solver->bytes);
        for (uint32_t i = 0; i < vars && i < 2; i++) solver->bytes[i] = (uint8_t)(a >> (8 * i));
        *model = (struct assignment){.bytes = solver->bytes, .count = sizeof solver->bytes};
        evaluator_assign(evaluator, model);
        bool good = true;
        for (size_t i = 0; i < count && good; i++) good = evaluate(evaluator, conditions[i]);
        if (good) answer = SMTLIB_SAT;
    }
    *reason = "too-hard";
    if (answer == SMTLIB_UNSAT && vars > 2) answer = SMTLIB_UNKNOWN;
    evaluator_free(evaluator);
    return answer;
}

static void reset(void *context, struct terms *terms) { ((struct small_solver *)context)->terms = terms; }

static char *run_sized(const char *script, size_t length, struct smtlib_result *result, bool stop) {
    struct small_solver state = {0};
    struct smtlib_solver solver = {.check = check, .reset = reset, .context = &state};
    struct smtlib_options options = {.name = "test", .stop_on_error = stop};
    char *out_text = NULL;
    size_t size = 0;
    FILE *in = fmemopen((void *)(uintptr_t)script, length, "r"), *out = open_memstream(&out_text, &size);
    *result = smtlib_run(in, out, &solver, &options);
    fclose(in);
    fclose(out);
    return out_text;
}

static void expect(const char *script, const char *answers, unsigned errors) {
    struct smtlib_result result;
    char *out = run_sized(script, strlen(script), &result, false);
    assert_string_equal(out, answers);
    assert_int_equal(result.errors, errors);
    free(out);
}

static void test_answers(void **state) {
    (void)state;
    expect(
        "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (= (bvmul x #x03) #x0f))\n(check-sat)\n"
        "(get-value (x (bvadd x #x01)))(get-model)",
        "sat\n((x #x05)\n ((bvadd x #x01) #x06))\n(\n  (define-fun x () (_ BitVec 8) #x05)\n)\n", 0);
    expect("(declare-fun b () Bool)(push)(assert b)(assert (not b))(check-sat)(pop)(check-sat)",
           "unsat\nsat\n", 0);
    expect("(declare-const x (_ BitVec 4))(define-fun twice ((y (_ BitVec 4)) (b Bool)) (_ BitVec 4) (ite b "
           "(bvadd y y) y))"
           "(assert (= (twice (twice x true) true) #xc))(assert (bvult x #x4))(check-sat)(get-value (x))",
           "sat\n((x #x3))\n", 0);
    expect("(declare-const x (_ BitVec 8))(assert (! (bvugt x #xf0) :named big))(assert (! (bvult x #x10) "
           ":named small))"
           "(check-sat)(get-unsat-core)(echo \"done\")(exit)(check-sat)",
           "unsat\n(big small)\n\"done\"\n", 0);
    expect(
        "(declare-const x (_ BitVec 8))(check-sat-assuming ((= x #x01) (= x #x02)))(get-unsat-assumptions)",
        "unsat\n((= x #x01) (= x #x02))\n", 0);
    expect("(set-option :print-success true)(define-sort W () (_ BitVec 12))(declare-const |a b| W)"
           "(assert (let ((y |a b|) (z (_ bv17 12))) (= y z)))(check-sat)(get-model)",
           "success\nsuccess\nsuccess\nsuccess\nsat\n(\n  (define-fun |a b| () (_ BitVec 12) #x011)\n)\n", 0);
    expect("(declare-const x (_ BitVec 3))(assert (distinct x #b000 ((_ rotate_left 1) x) ((_ extract 3 1) "
           "(concat x x))))"
           "(check-sat)(reset)(declare-const x Bool)(assert x)(check-sat)(get-value (x))",
           "sat\nsat\n((x true))\n", 0);
}

static void test_arrays(void **state) {
    (void)state;
    expect(
        "(set-logic QF_ABV)(declare-const i (_ BitVec 8))(define-const z (Array (_ BitVec 8) (_ BitVec 8)) "
        "((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00))"
        "(assert (= (select (store (store z i #x07) #x05 #x09) #x05) #x09))"
        "(assert (= (select (store z i #x07) #x11) #x07))(check-sat)(get-value (i (store z i #x01)))",
        "sat\n((i #x11)\n ((store z i #x01) (store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00) #x11 "
        "#x01)))\n",
        0);
}

// A table of a script, read at a symbolic index: one literal, whatever the order of its stores.
static void test_tables(void **state) {
    struct terms *terms = terms_new();
    Term zeros = term_array_const(terms, 8, term_const(terms, 8, 0)), x = term_variable(terms, "x", 8),
         table = zeros;
    static const uint8_t bytes[] = {0, 7, 0, 9, 5};
    for (unsigned i = COUNT(bytes); i-- > 0;) {
        table = term_store(terms, table, term_const(terms, 8, i), term_const(terms, 8, 99)); // overwritten
        table = term_store(terms, table, term_const(terms, 8, i), term_const(terms, 8, bytes[i]));
    }
    assert_int_equal(term_array_gather(terms, table), term_array_bytes(terms, 8, 1, bytes, COUNT(bytes)));
    Term open = term_store(terms, table, x, x);
    assert_int_equal(term_array_gather(terms, open), open);
    Term far = term_store(terms, zeros, term_const(terms, 8, 200), x);
    assert_int_equal(term_array_gather(terms, far), far);
    assert_int_equal(term_array_gather(terms, zeros), zeros);
    terms_free(terms);
}

static void test_errors(void **state) {
    (void)state;
    expect(
        "(declare-const x (_ BitVec 8))\n(assert (bvadd x #x1))\n(assert (= x y))\n  (assert x)(check-sat)",
        "(error \"2:9: bvadd: arguments must have one sort, not (_ BitVec 8) and (_ BitVec 4)\")\n"
        "(error \"3:14: unknown constant 'y'\")\n(error \"4:11: expected a term of sort Bool\")\nunknown\n",
        3);
    expect(
        "(set-logic QF_LRA)",
        "(error \"1:12: unsupported logic 'QF_LRA'; supported are QF_BV, QF_ABV, QF_UFBV, QF_AUFBV, QF_FP, "
        "QF_BVFP, QF_ABVFP\")\n",
        1);
    expect("(declare-fun f ((_ FloatingPoint 8 24)) Bool)(declare-fun g (Bool) (Array (_ BitVec 2) (_ BitVec "
           "2)))"
           "(declare-fun h (Bool) Bool)(assert (h))(assert (h #b1))(assert h)",
           "(error \"1:17: unsupported: arguments of this sort; Bool and (_ BitVec n) are possible\")\n"
           "(error \"1:68: unsupported: functions to arrays\")\n"
           "(error \"1:137: the function wants 1 arguments\")\n"
           "(error \"1:149: argument 1 must be of sort Bool\")\n"
           "(error \"1:165: function 'h' wants 1 arguments\")\n",
           5);
    expect("(declare-const r Real)", "(error \"1:18: unknown or unsupported sort Real\")\n", 1);
    expect("(get-model)(pop)(frobnicate)",
           "(error \"1:1: no model: the last command must be a check that answered sat\")\n"
           "(error \"1:12: pop of 1 levels, but there are 0\")\n(error \"1:18: unknown or unsupported "
           "command 'frobnicate'\")\n",
           3);
    expect("(assert (= #b1 (_ bv2 1)))", "(error \"1:16: bv2 does not fit into 1 bits\")\n", 1);
    expect("(assert true", "(error \"1:1: this list is not closed\")\n", 1);
    expect(")(check-sat)", "(error \"1:2: unexpected ')'\")\nunknown\n", 1);
    expect("(declare-const x Bool)(declare-const x Bool)", "(error \"1:38: 'x' is already declared\")\n", 1);
    expect("(assert (exists ((x Bool)) x))", "(error \"1:9: unsupported: quantifiers\")\n", 1);
    struct smtlib_result result;
    const char *script = "(assert y)(check-sat)";
    char *out = run_sized(script, strlen(script), &result, true);
    assert_string_equal(out, "(error \"1:9: unknown constant 'y'\")\n");
    free(out);
}

// Operators whose arguments all have one sort: 'b' Bool, 'v' a bit-vector, '*' any.
static const struct {
    const char *name;
    unsigned least, most;
    char sort;
} operators[] = {{"not", 1, 1, 'b'},    {"and", 1, 9, 'b'},    {"or", 1, 9, 'b'},       {"xor", 2, 9, 'b'},
                 {"=>", 2, 9, 'b'},     {"=", 2, 9, '*'},      {"distinct", 2, 9, '*'}, {"bvnot", 1, 1, 'v'},
                 {"bvneg", 1, 1, 'v'},  {"bvult", 2, 2, 'v'},  {"bvsle", 2, 2, 'v'},    {"bvudiv", 2, 2, 'v'},
                 {"bvashr", 2, 2, 'v'}, {"bvcomp", 2, 2, 'v'}, {"bvsmod", 2, 2, 'v'}};

// Every operator on all lists of up to three arguments of several sorts: accepted exactly if its rule says so.
static void test_every_argument(void **state) {
    static const struct {
        const char *text;
        char sort;
        int width;
    } atoms[] = {{"true", 'b', 1}, {"#b1", 'v', 1}, {"#x05", 'v', 8}, {"a", 'a', 8}};
    for (unsigned o = 0; o < COUNT(operators); o++)
        for (unsigned list = 0, count; list < 4 * 4 * 4 * 4; list++) {
            char script[300], arguments[60] = "";
            bool good = true;
            int at = 0;
            unsigned rest = list / 4;
            count = list % 4;
            const unsigned first = rest % 4;
            for (unsigned i = 0; i < count; i++, rest /= 4) {
                at += snprintf(arguments + at, sizeof arguments - (size_t)at, " %s", atoms[rest % 4].text);
                good &= atoms[rest % 4].sort ==
                        (operators[o].sort == '*' ? atoms[first].sort : operators[o].sort);
                good &= atoms[rest % 4].width == atoms[first].width;
            }
            good &= count >= operators[o].least && count <= operators[o].most;
            snprintf(script, sizeof script,
                     "(declare-const a (Array (_ BitVec 4) (_ BitVec 8)))(assert (= (%s%s) (%s%s)))",
                     operators[o].name, arguments, operators[o].name, arguments);
            struct smtlib_result result;
            char *out = run_sized(script, strlen(script), &result, false);
            if (result.errors != !good) fail_msg("%s\n%s", script, out);
            free(out);
        }
}

static void test_levels(void **state) {
    expect("(push 2)(get-info :assertion-stack-levels)(reset)(get-info :assertion-stack-levels)(pop)",
           "(:assertion-stack-levels 2)\n(:assertion-stack-levels 0)\n"
           "(error \"1:84: pop of 1 levels, but there are 0\")\n",
           1);
    expect("(push 3)(reset-assertions)(get-info :assertion-stack-levels)", "(:assertion-stack-levels 0)\n",
           0);
}

static void test_deep_nesting(void **state) {
    (void)state;
    unsigned depth = 100000;
    struct text script = {0};
    struct smtlib_result result;
    text_add(&script, "(declare-const x (_ BitVec 8))(assert (= #x00 ");
    for (unsigned i = 0; i < depth; i++) text_add(&script, "(bvand x (bvmul x ");
    text_add(&script, "#x00");
    for (unsigned i = 0; i < depth; i++) text_add(&script, "))");
    text_add(&script, "))(assert ");
    for (unsigned i = 0; i < depth; i++) text_add(&script, "(let ((y%u (not %s))) ", i, i ? "y0" : "true");
    text_add(&script, "y%u", depth - 1);
    for (unsigned i = 0; i < depth; i++) text_add(&script, ")");
    text_add(&script, ")(check-sat)");
    char *out = run_sized(script.at, script.count, &result, false);
    assert_string_equal(out, "sat\n");
    free(out);
    text_clear(&script);
    for (unsigned i = 0; i < depth; i++) text_add(&script, "(");
    out = run_sized(script.at, script.count, &result, false);
    assert_int_equal(result.errors, 1);
    free(out);
    text_free(&script);
}

static void test_nothing_remains(void **state) {
    (void)state;
    assert_int_equal(mem_in_use(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_tables),         cmocka_unit_test(test_errors),
        cmocka_unit_test(test_every_argument), cmocka_unit_test(test_levels),
        cmocka_unit_test(test_deep_nesting),   cmocka_unit_test(test_nothing_remains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
