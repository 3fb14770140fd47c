// The exploration of a generated program, in one run or in several: at random moments a run ends and another goes on
// with what it leaves. Each test is judged by the oracle as it is made.
//
//   campaign_open -> campaign_run -> campaign_close
//
// How a run hands over to the next is a table (handovers): a further way, such as states that one exploration gives and
// another takes, is a function more.
#ifndef TAMAR_TEST_CAMPAIGN_H
#define TAMAR_TEST_CAMPAIGN_H

#include "base/arena.h"
#include "base/random.h"
#include "explore/explore.h"
#include "oracle.h"

struct configuration {
    const char *search;
    bool pending, relaxed;
    uint32_t seeds;
};

struct campaign {
    struct oracle *oracle;
    struct random random;
    struct explore_options options;
    struct explore *explore; // the run that goes on
    struct arena *arena;     // holds the checkpoint for the next run
    struct test_case seeds[2];
    struct test_input seed_inputs[2][MOST_INPUTS];
    uint8_t seed_bytes[2][MOST_INPUTS];
    bool is_interrupted; // runs end at random moments
    bool follows;        // some tests are followed again by their decisions
    uint32_t runs;
    uint64_t tests;
    uint64_t fingerprint; // hash of all tests in order
    bool incomplete;
    const char *wrong;
};

void campaign_open(struct campaign *campaign, struct oracle *oracle,
                   const struct configuration *configuration, uint64_t seed);
// Explores everything. NULL, or what is wrong (static storage).
const char *campaign_run(struct campaign *campaign);
void campaign_close(struct campaign *campaign);

#endif
