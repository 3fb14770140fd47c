// Compares flat conditions (solver/flat.h) with the evaluator: every operation that represents a term has the term's
// value, after a whole run and after a run of only the operations that depend on changed bytes. The distance is zero
// exactly if all conditions hold.
// usage: fuzz_flat FIRST-LAST
#include "base/text.h"
#include "random_read.h"
#include "solver/flat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES      12
#define CONDITIONS 3

static unsigned arrays_seen, floats_seen;

static void fail(uint64_t seed, const char *what) {
    fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, what);
    exit(1);
}

static uint8_t byte_of(void *context, uint32_t var) {
    return var < BYTES ? ((const uint8_t *)context)[var] : 0;
}

static void compare(uint64_t seed, struct flat *flat, struct evaluator *evaluator, uint8_t *bytes) {
    evaluator_assign(evaluator, &(struct assignment){.byte = byte_of, .context = bytes});
    for (uint32_t i = 0; i < flat->ops.count; i++) {
        const struct flat_op *op = &flat->ops.at[i];
        if (!op->term || term_is_array(flat->terms, op->term)) continue;
        Term value = evaluate_term(evaluator, op->term);
        if (memcmp(flat_value(flat, i), term_limbs(flat->terms, value), (op->width + 63u) / 64 * 8) != 0)
            fail(seed, "another value");
        if (op->width != 1) continue;
        bool holds = *flat_value(flat, i);
        if ((flat->miss[1].at[i] == 0) != holds || (flat->miss[0].at[i] == 0) == holds)
            fail(seed, "misses though it holds, or the reverse");
    }
    if (flat_holds(flat) != (flat_miss(flat) == 0))
        fail(seed, "the conditions miss though they hold, or the reverse");
}

// Operations that depend on a position, in order; arrays of inputs depend on every position.
static uint32_t dependents(const struct flat *flat, uint32_t position, uint32_t *list) {
    bool *reached = calloc(flat->ops.count, 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < flat->ops.count; i++) {
        const struct flat_op *op = &flat->ops.at[i];
        if (op->kind == KIND_BYTE)
            reached[i] = op->arg[0] == position;
        else if (op->kind == KIND_SELECT)
            reached[i] = true;
        else
            for (unsigned k = 0; k < op->arity; k++) reached[i] |= reached[op->arg[k]];
        if (reached[i]) list[count++] = i;
    }
    free(reached);
    return count;
}

static bool try_conditions(uint64_t seed, struct trace *trace, struct terms *terms, bool floats) {
    uint32_t position[BYTES + 512] = {0};
    Term conditions[CONDITIONS];
    struct flat flat;
    for (uint32_t i = 0; i < BYTES; i++) position[terms_input_var(terms, trace->input, i)] = i + 1;
    for (unsigned i = 0; i < CONDITIONS; i++) {
        uint32_t entry = trace_pick_condition(trace); // may move the entries
        conditions[i] = trace->entries.at[entry].term;
    }
    if (seed % 2) conditions[0] = term_ult(terms, random_read(trace), random_read(trace));
    if (terms_var_count(terms) > COUNT(position) ||
        !flat_compile(&flat, terms, conditions, CONDITIONS, position))
        return false;
    struct evaluator *evaluator = evaluator_new(terms);
    uint8_t bytes[BYTES];
    uint32_t *list = calloc(flat.ops.count, sizeof *list);
    for (unsigned round = 0; round < 12; round++) {
        for (unsigned i = 0; i < BYTES; i++)
            bytes[i] = (uint8_t)(random_next(&trace->random) >> random_below(&trace->random, 8));
        flat_run(&flat, bytes, NULL, 0);
        compare(seed, &flat, evaluator, bytes);
        uint32_t changed = (uint32_t)random_below(&trace->random, BYTES);
        bytes[changed] ^= (uint8_t)(1u << random_below(&trace->random, 8));
        flat_run(&flat, bytes, list, dependents(&flat, changed, list));
        compare(seed, &flat, evaluator, bytes);
    }
    for (uint32_t i = 0; i < flat.ops.count; i++) {
        arrays_seen += flat.ops.at[i].kind == KIND_SELECT;
        floats_seen += floats && kind_infos[flat.ops.at[i].kind].properties & KP_FLOAT;
    }
    free(list);
    evaluator_free(evaluator);
    flat_free(&flat);
    return true;
}

// Ranks ascend with the floats: adjacent floats differ by one, and both directions agree.
static void check_ranks(uint64_t seed) {
    static const fp_format formats[] = {FP_HALF, FP_SINGLE, FP_DOUBLE};
    struct random random = {seed};
    for (unsigned i = 0; i < 200; i++) {
        fp_format format = formats[i % COUNT(formats)];
        unsigned width = fp_width(format);
        uint64_t pattern = random_next(&random) & mask_bits(width), back = 0;
        if (i % 7 == 0) pattern = (uint64_t)(i % 2) << (width - 1) | i % 3; // around zero
        if (flat_is_nan(format, &pattern)) continue;
        __int128 rank = flat_rank(format, &pattern);
        flat_from_rank(format, rank, &back);
        bool negative_zero = pattern == (uint64_t)1 << (width - 1);
        if (back != (negative_zero ? 0 : pattern)) fail(seed, "a rank leads elsewhere");
        uint64_t next = pattern + 1;
        if (!(pattern >> (width - 1)) && !flat_is_nan(format, &next) && flat_rank(format, &next) != rank + 1)
            fail(seed, "neighbours");
        if (pattern >> (width - 1) && !flat_is_nan(format, &next) && next & mask_bits(width - 1) &&
            flat_rank(format, &next) != rank - 1)
            fail(seed, "neighbours");
    }
}

int main(int argc, char **argv) {
    unsigned long first, last, tried = 0;
    if (argc != 2 || sscanf(argv[1], "%lu-%lu", &first, &last) != 2) return 2;
    for (unsigned long seed = first; seed <= last; seed++) {
        struct terms *terms = terms_new();
        bool floats = seed % 3 == 0, arrays = seed % 2 == 0;
        struct trace_options options = {BYTES, floats ? 64 : 80, arrays, floats};
        struct trace *trace = trace_new(terms, seed, &options);
        for (unsigned i = 0; i < 6; i++) {
            trace_grow(trace, 12);
            tried += try_conditions(seed, trace, terms, floats);
        }
        trace_free(trace);
        terms_free(terms);
        check_ranks(seed);
    }
    printf("%lu sets of conditions, %u reads, %u floats\n", tried, arrays_seen, floats_seen);
    return tried > last - first && arrays_seen > tried / 8 && floats_seen ? 0 : 1; // or it tests nothing
}
