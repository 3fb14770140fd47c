// usage: fuzz_smtlib [FIRST-LAST]: prints random terms as scripts, reads them back and compares values; then mutates
// the text and reads it: any answer is accepted, a crash is not.
#include "base/text.h"
#include "expr/print_term.h"
#include "expr/smtlib.h"
#include "random_term.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed_now;

static void fail(const char *what, const char *text) {
    printf("seed %" PRIu64 ": %s\n%s\n", seed_now, what, text);
    exit(1);
}

struct renamed {
    struct terms *from, *to; // `to` was read: its inputs are called in[3]
    const uint8_t *bytes;
    struct assignment *original;
};

static uint8_t renamed_byte(void *context, uint32_t var) {
    struct renamed *renamed = context;
    const char *name = terms_input_name(renamed->to, terms_var_input(renamed->to, var));
    unsigned index;
    if (sscanf(name, "in[%u]", &index) != 1) return 0;
    return renamed->bytes[terms_input_var(renamed->from, terms_find_input(renamed->from, "in"), index)];
}

static const struct array_value *renamed_array(void *context, uint32_t var) {
    struct renamed *renamed = context;
    const char *name = terms_array_name(renamed->to, var);
    for (uint32_t i = 0; i < terms_var_count(renamed->from); i++)
        if (terms_var_is_array(renamed->from, i) && strcmp(terms_array_name(renamed->from, i), name) == 0)
            return renamed->original->array(renamed->original->context, i);
    return NULL;
}

static void check_round_trip(struct trace *trace, const struct text *script, const Term *conditions,
                             size_t count) {
    struct terms *read = terms_new();
    size_t read_count;
    char *error;
    Term *again = smtlib_read_conditions(read, script->at, script->count, &read_count, &error);
    if (!again) {
        printf("%s\n", error);
        fail("a printed script cannot be read", script->at);
    }
    if (read_count != count) fail("conditions were lost", script->at);
    struct evaluator *a = evaluator_new(trace->terms), *b = evaluator_new(read);
    for (unsigned k = 0; k < 5; k++) {
        uint8_t bytes[256];
        uint32_t vars = terms_var_count(trace->terms);
        for (uint32_t i = 0; i < vars; i++) bytes[i] = (uint8_t)random_next(&trace->random);
        struct values *values = trace_evaluate(trace, bytes, vars, k);
        struct assignment assignment = values_assignment(values, trace);
        struct renamed renamed = {trace->terms, read, bytes, &assignment};
        struct assignment other = {.byte = renamed_byte, .array = renamed_array, .context = &renamed};
        evaluator_assign(a, &assignment);
        evaluator_assign(b, &other);
        for (size_t i = 0; i < count; i++)
            if (evaluate(a, conditions[i]) != evaluate(b, again[i]))
                fail("a term changed its value", script->at);
        values_drop_assignment(&assignment);
        values_free(values);
    }
    evaluator_free(a);
    evaluator_free(b);
    mem_free(again, MAX(read_count, 1u) * sizeof *again);
    terms_free(read);
}

// ---- Mutated text through the whole interpreter ----

static enum smtlib_answer mock_check(void *context, const Term *conditions, size_t count,
                                     struct assignment *model, const char **reason) {
    struct terms **terms = context;
    (void)model;
    *reason = "not solved";
    // Guesses that all inputs are zero; a model of sat must hold.
    struct evaluator *evaluator = evaluator_new(*terms);
    struct assignment zero = {0};
    evaluator_assign(evaluator, &zero);
    bool good = true;
    for (size_t i = 0; i < count; i++) good = good && evaluate(evaluator, conditions[i]);
    evaluator_free(evaluator);
    return good ? SMTLIB_SAT : SMTLIB_UNKNOWN;
}

static void mock_reset(void *context, struct terms *terms) { *(struct terms **)context = terms; }

static void run_text(const char *text, size_t size) {
    struct terms *terms = NULL;
    struct smtlib_solver solver = {.check = mock_check, .reset = mock_reset, .context = &terms};
    char *printed = NULL;
    size_t printed_size = 0;
    FILE *in = fmemopen((void *)(uintptr_t)text, size, "r"), *out = open_memstream(&printed, &printed_size);
    smtlib_run(in, out, &solver, NULL);
    fclose(in);
    fclose(out);
    free(printed);
}

static const char *const pieces[] = {
    "(push 1)",
    "(pop 1)",
    "(check-sat)",
    "(get-model)",
    "(get-value (|in[0]| true))",
    "(reset)",
    "(declare-const x (_ BitVec 9))",
    "(declare-const x Bool)",
    "(define-fun f ((y (_ BitVec 8)) (b Bool)) (_ BitVec 8) (ite b y (bvnot y)))",
    "(assert (= (f |in[0]| true) #x41))",
    "(check-sat-assuming (true (not false)))",
    "(get-unsat-assumptions)",
    "((",
    "))",
    "|",
    "\"",
    "(let ((x #b1)) ",
    "(_ bv3 7)",
    "(_ extract 3 0)",
    "(! true :named n)",
    ";",
    "(exit)",
    "#xzz",
    "(as const",
    "distinct",
    "0",
    "\\",
    "(define-sort W () (_ BitVec 16))",
    "(echo \"a\"\"b\")",
    "(get-info :version)",
    "(set-option :print-success true)",
    "bvsmod",
    "=>"};

static void mutate(struct trace *trace, const struct text *script) {
    struct random *random = &trace->random;
    struct text text = {0};
    text_add_bytes(&text, script->at, script->count);
    unsigned edits = 1 + (unsigned)random_below(random, 6);
    for (unsigned i = 0; i < edits; i++) {
        struct text next = {0};
        size_t at = random_below(random, text.count + 1), length = random_below(random, 12);
        if (at + length > text.count) length = text.count - at;
        text_add_bytes(&next, text.at, at);
        switch (random_below(random, 4)) {
        case 0: break; // cut
        case 1: {
            const char *piece = pieces[random_below(random, COUNT(pieces))];
            text_add_bytes(&next, piece, strlen(piece));
            length = 0;
            break;
        }
        case 2: { // doubled
            text_add_bytes(&next, text.at + at, length);
            length = 0;
            break;
        }
        default: {
            char byte = (char)random_next(random);
            text_add_bytes(&next, &byte, 1);
            break;
        }
        }
        text_add_bytes(&next, text.at + at + length, text.count - at - length);
        text_free(&text);
        text = next;
    }
    if (text.count) run_text(text.at, text.count);
    text_free(&text);
}

static void run(uint64_t seed) {
    seed_now = seed;
    struct terms *terms = terms_new();
    if (seed % 8 == 7) terms_set_simplify(terms, false);
    struct trace_options options = {.input_size = 4, .max_width = 70, .arrays = seed % 2};
    struct trace *trace = trace_new(terms, seed, &options);
    trace_grow(trace, 25);
    Term conditions[3];
    for (unsigned i = 0; i < COUNT(conditions); i++) {
        uint32_t picked = trace_pick_condition(trace);
        conditions[i] = trace->entries.at[picked].term;
    }
    struct text script = {0}, other = {0};
    terms_print_script(terms, &script, conditions, COUNT(conditions));
    check_round_trip(trace, &script, conditions, COUNT(conditions));
    // The same as one term with lets; the declarations are the script's.
    char *start = strstr(script.at, "(define-fun");
    if (!start) start = strstr(script.at, "(assert");
    text_add_bytes(&other, script.at, (size_t)(start - script.at));
    text_add(&other, "(assert ");
    term_print_smtlib(terms, &other, conditions[0]);
    text_add(&other, ")");
    check_round_trip(trace, &other, conditions, 1);
    for (unsigned i = 0; i < 8; i++) mutate(trace, i % 2 ? &script : &other);
    text_clear(&other);
    for (unsigned i = 0; i < COUNT(conditions); i++) term_print(terms, &other, conditions[i]);
    text_free(&script);
    text_free(&other);
    trace_free(trace);
    terms_free(terms);
}

int main(int argc, char **argv) {
    uint64_t first = 1, last = 200;
    if (argc > 1 && sscanf(argv[1], "%" SCNu64 "-%" SCNu64, &first, &last) < 2) last = first;
    for (uint64_t seed = first; seed <= last; seed++) run(seed);
    printf("%" PRIu64 " scripts read back and mutated\n", last - first + 1);
    return 0;
}
