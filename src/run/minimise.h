// Corpus minimisation: selects a few inputs that cover everything that the corpus covers, as the engine counts it.
#ifndef TAMAR_RUN_MINIMISE_H
#define TAMAR_RUN_MINIMISE_H

#include "explore/explore.h"

struct minimised {
    uint32_t inputs, items; // inputs that were run; edges and functions that they cover
    uint32_t kept, kept_items;
};

// Runs each test concretely and calls `keep` for the tests that are kept. Greedy: next comes the test that adds most
// edges and functions; if two add the same number, the smaller one. kept_items is counted again from the kept tests.
void minimise(const struct ir_program *program, const struct explore_options *options,
              const struct test_case *tests, uint32_t count,
              void (*keep)(void *context, const struct test_case *test), void *context,
              struct minimised *result);

#endif
