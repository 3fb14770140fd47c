// Explores a generated program in one run, or in several: a run ends at a random moment, and the next one resumes it.
// The oracle judges each test at once.
//
//   campaign_open -> campaign_run -> campaign_close
//
// `handovers` is the table of ways to resume. To add one, such as states given to another exploration, add a function.
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
    struct explore *explore; // the current run
    struct arena *arena;     // holds the checkpoint for the next run
    struct test_case seeds[2];
    struct test_input seed_inputs[2][MOST_INPUTS];
    uint8_t seed_bytes[2][MOST_INPUTS];
    bool is_interrupted; // runs end at random moments
    bool follows;        // the decisions of some tests are followed
    uint32_t runs;
    uint64_t tests;
    uint64_t fingerprint; // hash of all tests in order
    bool incomplete;
    const char *wrong;
};

void campaign_open(struct campaign *campaign, struct oracle *oracle,
                   const struct configuration *configuration, uint64_t seed);
// Explores everything. Returns an error message (static storage), or NULL.
const char *campaign_run(struct campaign *campaign);
void campaign_close(struct campaign *campaign);

#endif
