// usage: fuzz_terms [FIRST-LAST]: builds random terms and compares them with the reference evaluator under
// random assignments: values, facts, supports, tables, substitution, collection. Prints the seed and the
// smallest entry that fails.
#include "base/hash.h"
#include "random_term.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASSIGNMENTS 6

static uint64_t seed_now;
static uint64_t checks;

static void fail(struct trace *trace, uint32_t i, const char *what) {
    char text[256];
    printf("seed %" PRIu64 ": %s is wrong\n", seed_now, what);
    trace_describe(trace, i, text, sizeof text);
    printf("  %s\n", text);
    const struct entry *entry = &trace->entries.at[i];
    printf("  became %s\n", kind_infos[term_kind(trace->terms, entry->term)].text);
    for (unsigned k = 0; k < kind_infos[entry->shape.kind].arity; k++) {
        trace_describe(trace, entry->args[k], text, sizeof text);
        Term term = trace->entries.at[entry->args[k]].term;
        printf("  operand %s, became %s\n", text, kind_infos[term_kind(trace->terms, term)].text);
    }
    exit(1);
}

static void check_facts(struct trace *trace, struct values *values, uint32_t i) {
    Term t = trace->entries.at[i].term;
    if (term_width(trace->terms, t) > 64) return;
    struct facts facts = term_facts(trace->terms, t);
    uint64_t value = bits_low(&values->at[i]);
    if (facts.zeros & value || facts.ones & ~value) fail(trace, i, "a known bit");
    if (value < facts.low || value > facts.high) fail(trace, i, "a range");
}

static void check_table(struct trace *trace, struct values *values, struct tabulator *tabulator, uint32_t i) {
    Term t = trace->entries.at[i].term;
    uint64_t table[256];
    uint32_t var = term_single_var(trace->terms, t);
    if (!tabulate(tabulator, t, table)) {
        if (var != VAR_NONE && term_width(trace->terms, t) <= 64) fail(trace, i, "a missing table");
        return;
    }
    if (table[values->bytes[var]] != bits_low(&values->at[i])) fail(trace, i, "a table");
    const uint64_t *set = tabulate_set(tabulator, t);
    if (set && (set[values->bytes[var] / 64] >> (values->bytes[var] % 64) & 1) != table[values->bytes[var]])
        fail(trace, i, "a set");
}

// With constants for all bytes every term without declared arrays is a constant.
static void check_substitution(struct trace *trace, struct values *values) {
    struct map replacements = {0}, memo = {0};
    for (uint32_t k = 0; k < trace->input_size; k++) {
        uint32_t var = terms_input_var(trace->terms, trace->input, k);
        *map_put(&replacements, term_var_byte(trace->terms, var)) =
            term_const(trace->terms, 8, values->bytes[var]);
    }
    for (uint32_t i = 0; i < trace->entries.count; i++) {
        Term t = trace->entries.at[i].term;
        if (term_is_array(trace->terms, t)) continue;
        Term result = term_substitute(trace->terms, t, &replacements, &memo);
        checks++;
        if (term_is_const(trace->terms, result) &&
            !bits_equal(&values->at[i], term_limbs(trace->terms, result)))
            fail(trace, i, "a substitution");
    }
    map_free(&replacements);
    map_free(&memo);
}

// Bytes outside of a term's support do not change its value.
static void check_support(struct trace *trace, struct values *values, uint32_t i) {
    uint8_t bytes[256];
    Term t = trace->entries.at[i].term;
    VarSet support = term_support(trace->terms, t);
    assert(values->count <= sizeof bytes);
    for (uint32_t var = 0; var < values->count; var++)
        bytes[var] = varset_has(trace->terms, support, var) ? values->bytes[var]
                                                            : (uint8_t)random_next(&trace->random);
    struct values *other = trace_evaluate(trace, bytes, values->count, values->array_seed);
    if (memcmp(other->at[i].at, values->at[i].at, values->at[i].width) != 0) fail(trace, i, "a support");
    values_free(other);
}

static void check_values(struct trace *trace, struct evaluator *evaluator, struct values *values) {
    struct assignment assignment = values_assignment(values, trace);
    evaluator_assign(evaluator, &assignment);
    for (uint32_t i = 0; i < trace->entries.count; i++) {
        Term t = trace->entries.at[i].term;
        checks++;
        if (!term_is_array(trace->terms, t)) {
            if (!bits_equal(&values->at[i], evaluate_limbs(evaluator, t))) fail(trace, i, "a value");
            check_facts(trace, values, i);
            continue;
        }
        struct array_value *array = evaluate_array(evaluator, t);
        for (uint64_t k = 0; k < (uint64_t)1 << term_index_width(trace->terms, t); k++)
            if (!bits_equal(&values->array[i][k], array_value_get(array, &k))) fail(trace, i, "an array");
        array_value_free(array);
    }
    values_drop_assignment(&assignment);
}

static void random_bytes(struct trace *trace, uint8_t *bytes, uint32_t count) {
    static const uint8_t corners[] = {0, 1, 0x7f, 0x80, 0xff, 2};
    for (uint32_t i = 0; i < count; i++)
        bytes[i] = random_below(&trace->random, 2) ? corners[random_below(&trace->random, sizeof corners)]
                                                   : (uint8_t)random_next(&trace->random);
}

// Drops every second term; the others must stay unchanged.
static void check_collection(struct trace *trace, struct evaluator *evaluator, struct values *values) {
    for (uint32_t i = 0; i < trace->entries.count; i += 2)
        term_retain(trace->terms, trace->entries.at[i].term);
    terms_collect(trace->terms);
    struct assignment assignment = values_assignment(values, trace);
    evaluator_assign(evaluator, &assignment);
    for (uint32_t i = 0; i < trace->entries.count; i += 2) {
        Term t = trace->entries.at[i].term;
        if (!term_alive(trace->terms, t)) fail(trace, i, "a collection");
        if (!term_is_array(trace->terms, t) && !bits_equal(&values->at[i], evaluate_limbs(evaluator, t)))
            fail(trace, i, "a value after a collection");
    }
    values_drop_assignment(&assignment);
}

static void run(uint64_t seed) {
    seed_now = seed;
    struct terms *terms = terms_new();
    if (seed % 16 == 15) terms_set_simplify(terms, false);
    struct trace_options options = {.input_size = seed % 3 ? 6 : 1,
                                    .max_width = seed % 5 ? 64 : 128,
                                    .arrays = seed % 4 != 0,
                                    .floats = seed % 6 == 1};
    struct trace *trace = trace_new(terms, seed, &options);
    struct evaluator *evaluator = evaluator_new(terms);
    struct tabulator *tabulator = tabulator_new(terms);
    trace_grow(trace, seed % 7 ? 30 : 100);
    uint32_t vars = terms_var_count(terms);
    uint8_t bytes[256];
    for (unsigned k = 0; k < ASSIGNMENTS; k++) {
        random_bytes(trace, bytes, vars);
        struct values *values = trace_evaluate(trace, bytes, vars, random_next(&trace->random));
        check_values(trace, evaluator, values);
        for (uint32_t i = 0; i < trace->entries.count; i++)
            if (!term_is_array(terms, trace->entries.at[i].term)) check_table(trace, values, tabulator, i);
        for (unsigned n = 0; n < 4; n++) {
            uint32_t i = (uint32_t)random_below(&trace->random, trace->entries.count);
            if (!term_is_array(terms, trace->entries.at[i].term)) check_support(trace, values, i);
        }
        if (k == 0) check_substitution(trace, values);
        if (k == ASSIGNMENTS - 1) check_collection(trace, evaluator, values);
        values_free(values);
    }
    tabulator_free(tabulator);
    evaluator_free(evaluator);
    trace_free(trace);
    terms_free(terms);
}

int main(int argc, char **argv) {
    uint64_t first = 1, last = 300;
    if (argc > 1 && sscanf(argv[1], "%" SCNu64 "-%" SCNu64, &first, &last) < 2) last = first;
    for (uint64_t seed = first; seed <= last; seed++) run(seed);
    printf("%" PRIu64 " traces, %" PRIu64 " comparisons, no disagreement\n", last - first + 1, checks);
    return 0;
}
