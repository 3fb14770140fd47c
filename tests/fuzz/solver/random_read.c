#include "random_read.h"

static Term pick(struct trace *trace, unsigned width) {
    uint32_t entry = trace_pick(trace, width); // may move the entries
    return trace->entries.at[entry].term;
}

Term random_read(struct trace *trace) {
    struct random *random = &trace->random;
    struct terms *terms = trace->terms;
    uint32_t count = 1 + (uint32_t)random_below(random, 9);
    Term elements[9], array;
    for (uint32_t i = 0; i < count; i++)
        elements[i] = random_below(random, 3) ? term_const(terms, 8, random_next(random)) : pick(trace, 8);
    switch (random_below(random, 4)) {
    case 0: array = term_array_const(terms, 8, elements[0]); break;
    case 1:
        array =
            term_input_array(terms, trace->input, 1 + (uint32_t)random_below(random, trace->input_size), 8);
        break;
    case 2: {
        uint8_t bytes[] = {1, 2, 3, 200, 0};
        array = term_array_bytes(terms, 8, 1, bytes, 3 + (uint32_t)random_below(random, 3));
        break;
    }
    default: array = term_array_literal(terms, 8, 8, elements, count);
    }
    for (uint64_t writes = random_below(random, 3); writes; writes--)
        array = term_store(terms, array, term_and(terms, pick(trace, 8), term_const(terms, 8, 15)),
                           pick(trace, 8));
    if (random_below(random, 3) == 0)
        array = term_ite(terms, pick(trace, 1), array, term_array_literal(terms, 8, 8, elements, count));
    return term_select(terms, array, term_and(terms, pick(trace, 8), term_const(terms, 8, 15)));
}
