// The few inputs of a corpus that cover what all of it covers, by the engine's own count.
#ifndef TAMAR_RUN_MINIMISE_H
#define TAMAR_RUN_MINIMISE_H

#include "explore/explore.h"

struct minimised {
    uint32_t inputs, items; // run; edges and functions that they cover
    uint32_t kept, kept_items;
};

// Runs each test concretely and calls `keep` with those that are kept: greedily the one that adds most, the smaller one of two that
// add as much. kept_items is counted again from the kept tests.
void minimise(const struct ir_program *program, const struct explore_options *options,
              const struct test_case *tests, uint32_t count,
              void (*keep)(void *context, const struct test_case *test), void *context,
              struct minimised *result);

#endif
