// Compares the 256 values that solver/lanes.h computes at once with those of the evaluator, one after the other: over one
// byte, and over several bytes with values of their own in each lane.
// usage: fuzz_lanes FIRST-LAST
#include "random_read.h"
#include "solver/lanes.h"

#include <stdio.h>
#include <stdlib.h>

#define BYTES 10

static unsigned long compared, reads;

static uint8_t byte_of(void *context, uint32_t var) {
    return var < BYTES ? ((const uint8_t *)context)[var] : 0;
}

// The evaluator that the lanes ask has `bytes`; the other one gets the bytes of each lane.
struct lanes_case {
    struct terms *terms;
    struct lanes *lanes;
    struct evaluator *asked, *other;
    uint8_t bytes[BYTES];
};

static void compare(struct lanes_case *one, uint64_t seed, Term t, const struct lane_bytes *bytes) {
    const uint64_t *values = lanes_of(one->lanes, t);
    if (!values) return;
    for (unsigned i = 0; i < 256; i++) {
        uint8_t own[BYTES];
        for (unsigned k = 0; k < BYTES; k++) own[k] = one->bytes[k];
        for (unsigned k = 0; k < bytes->count; k++) own[bytes->vars[k]] = bytes->values[k][i];
        evaluator_assign(one->other, &(struct assignment){.byte = byte_of, .context = own});
        if (evaluate(one->other, t) == values[i]) continue;
        fprintf(stderr, "seed %llu, lane %u: another value\n", (unsigned long long)seed, i);
        exit(1);
    }
    compared++;
    reads += term_kind(one->terms, t) == KIND_SELECT;
}

static void compare_all(struct lanes_case *one, struct trace *trace, uint64_t seed,
                        const struct lane_bytes *bytes) {
    for (uint32_t i = 0; i < trace->entries.count; i++) {
        Term t = trace->entries.at[i].term;
        if (t && !term_is_array(one->terms, t) && term_width(one->terms, t) <= 64)
            compare(one, seed, t, bytes);
    }
    for (unsigned i = 0; i < 4; i++) compare(one, seed, random_read(trace), bytes);
}

// One byte counts up in the lanes, or up to eight bytes have any values.
static void try_bytes(struct lanes_case *one, struct trace *trace, uint64_t seed, unsigned count) {
    static struct lane_bytes bytes;
    struct assignment assignment = {.byte = byte_of, .context = one->bytes};
    for (unsigned i = 0; i < BYTES; i++) one->bytes[i] = (uint8_t)random_next(&trace->random);
    evaluator_assign(one->asked, &assignment);
    bytes.count = count;
    unsigned first = (unsigned)random_below(&trace->random, BYTES);
    for (unsigned k = 0; k < count; k++) {
        bytes.vars[k] = (first + k) % BYTES;
        for (unsigned i = 0; i < 256; i++)
            bytes.values[k][i] = (uint8_t)(count == 1 ? i : random_next(&trace->random) >> 8 * (i % 8));
    }
    if (count == 1)
        lanes_start(one->lanes, one->asked, &assignment, bytes.vars[0], 4000);
    else
        lanes_start_bytes(one->lanes, one->asked, &assignment, &bytes, 4000);
    compare_all(one, trace, seed, &bytes);
}

// No more nodes are computed than allowed.
static void check_budget(struct lanes_case *one, struct trace *trace, uint64_t seed) {
    struct assignment assignment = {.byte = byte_of, .context = one->bytes};
    evaluator_assign(one->asked, &assignment);
    for (uint32_t budget = 0; budget < 3; budget++) {
        lanes_start(one->lanes, one->asked, &assignment, 0, budget);
        unsigned computed = 0;
        for (uint32_t i = 0; i < BYTES; i++)
            computed += lanes_of(one->lanes, term_byte(one->terms, trace->input, i)) != NULL;
        if (computed != budget || lanes_budget(one->lanes) != 0) {
            fprintf(stderr, "seed %llu: %u nodes, %u allowed\n", (unsigned long long)seed, computed, budget);
            exit(1);
        }
    }
}

int main(int argc, char **argv) {
    unsigned long first, last;
    if (argc != 2 || sscanf(argv[1], "%lu-%lu", &first, &last) != 2) return 2;
    for (unsigned long seed = first; seed <= last; seed++) {
        struct terms *terms = terms_new();
        struct trace_options options = {BYTES, seed % 4 ? 64 : 80, seed % 2 == 0, seed % 5 == 0};
        struct trace *trace = trace_new(terms, seed, &options);
        struct lanes_case one = {.terms = terms,
                                 .lanes = lanes_new(terms),
                                 .asked = evaluator_new(terms),
                                 .other = evaluator_new(terms)};
        trace_grow(trace, 25);
        for (unsigned count = 1; count <= LANE_BYTES; count += 1 + seed % 3)
            try_bytes(&one, trace, seed, count);
        check_budget(&one, trace, seed);
        lanes_free(one.lanes);
        evaluator_free(one.asked);
        evaluator_free(one.other);
        trace_free(trace);
        terms_free(terms);
    }
    printf("%lu terms, %lu reads\n", compared, reads);
    return compared > 50 * (last - first) && reads > last - first ? 0 : 1; // or it tests nothing
}
