// usage: fuzz_z3 [FIRST-LAST]: Z3 reads printed scripts in which every input is fixed to a value, and must agree with
// our evaluator about every condition. This checks the meaning of terms independently.
#include "base/text.h"
#include "expr/print_term.h"
#include "random_term.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <z3.h>

#define CONDITIONS 4

static uint64_t seed_now;
static char error_text[400];

static void on_error(Z3_context z3, Z3_error_code code) {
    snprintf(error_text, sizeof error_text, "%s", Z3_get_error_msg(z3, code));
}

static void fail(const char *what, const struct text *script) {
    printf("seed %" PRIu64 ": %s %s\n%s\n", seed_now, what, error_text, script->at);
    exit(1);
}

// Z3's answer to the script: sat or unsat.
static bool is_sat(const struct text *script) {
    Z3_config config = Z3_mk_config();
    Z3_context z3 = Z3_mk_context(config);
    Z3_set_error_handler(z3, on_error);
    Z3_solver solver = Z3_mk_solver(z3);
    Z3_solver_inc_ref(z3, solver);
    error_text[0] = 0;
    Z3_solver_from_string(z3, solver, script->at);
    if (error_text[0]) fail("Z3 cannot read this:", script);
    Z3_lbool answer = Z3_solver_check(z3, solver);
    if (answer == Z3_L_UNDEF) fail("Z3 does not know", script);
    Z3_solver_dec_ref(z3, solver);
    Z3_del_context(z3);
    Z3_del_config(config);
    return answer == Z3_L_TRUE;
}

// Assertions that fix every byte and every element of an array to its value.
static void fix_inputs(struct text *out, struct trace *trace, const struct values *values,
                       const struct assignment *assignment, const Term *conditions) {
    struct terms *terms = trace->terms;
    VarSet support = 0;
    for (unsigned i = 0; i < CONDITIONS; i++)
        support = varset_union(terms, support, term_support(terms, conditions[i]));
    for (uint32_t var = varset_next(terms, support, 0); var != VAR_NONE;
         var = varset_next(terms, support, var + 1)) {
        if (!terms_var_is_array(terms, var)) {
            text_add(out, "(assert (= |in[%u]| #x%02x))\n", terms_var_index(terms, var), values->bytes[var]);
            continue;
        }
        const struct array_value *array = assignment->array(assignment->context, var);
        const uint64_t *index, *element;
        unsigned index_width = 0, width = 0;
        sscanf(terms_array_name(terms, var), "a%u_%u", &index_width, &width);
        for (uint32_t i = 0; array_value_entry(array, i, &index, &element); i++) {
            text_add(out, "(assert (= (select |%s| ", terms_array_name(terms, var));
            smtlib_print_limbs(out, index_width, index);
            text_add(out, ") ");
            smtlib_print_limbs(out, width, element);
            text_add(out, "))\n");
        }
    }
}

static void run(uint64_t seed) {
    seed_now = seed;
    struct terms *terms = terms_new();
    if (seed % 3 == 0) terms_set_simplify(terms, false);
    struct trace_options options = {.input_size = 5, .max_width = seed % 4 ? 64 : 128, .arrays = seed % 2};
    struct trace *trace = trace_new(terms, seed, &options);
    trace_grow(trace, 40);
    uint32_t picked[CONDITIONS];
    Term conditions[CONDITIONS], fixed[CONDITIONS];
    for (unsigned i = 0; i < CONDITIONS; i++) {
        picked[i] = trace_pick_condition(trace);
        conditions[i] = trace->entries.at[picked[i]].term;
    }
    uint8_t bytes[256];
    uint32_t vars = terms_var_count(terms);
    for (uint32_t i = 0; i < vars; i++) bytes[i] = (uint8_t)random_next(&trace->random);
    struct values *values = trace_evaluate(trace, bytes, vars, seed);
    struct assignment assignment = values_assignment(values, trace);
    unsigned wrong = (unsigned)random_below(&trace->random, CONDITIONS);
    for (unsigned negate = 0; negate < 2; negate++) {
        struct text script = {0};
        for (unsigned i = 0; i < CONDITIONS; i++) {
            bool holds = bits_low(&values->at[picked[i]]) != (negate && i == wrong);
            fixed[i] = holds ? conditions[i] : term_not(terms, conditions[i]);
        }
        terms_print_script(terms, &script, fixed, CONDITIONS);
        char *check = strstr(script.at, "(check-sat)");
        script.count = (size_t)(check - script.at);
        fix_inputs(&script, trace, values, &assignment, conditions);
        if (is_sat(&script) != !negate) fail("Z3 disagrees", &script);
        text_free(&script);
    }
    values_drop_assignment(&assignment);
    values_free(values);
    trace_free(trace);
    terms_free(terms);
}

int main(int argc, char **argv) {
    uint64_t first = 1, last = 100;
    if (argc > 1 && sscanf(argv[1], "%" SCNu64 "-%" SCNu64, &first, &last) < 2) last = first;
    for (uint64_t seed = first; seed <= last; seed++) run(seed);
    printf("%" PRIu64 " scripts, Z3 agrees\n", last - first + 1);
    return 0;
}
