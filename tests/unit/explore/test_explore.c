// The listed strategies and policies find the same paths. An exploration that is interrupted and resumed at random
// moments finds the same paths as an uninterrupted one.
//
//   test_explore [FIRST_SEED [COUNT]]
#include "../check.h"
#include "base/alloc.h"
#include "campaign.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t first = 1, count = 120;

static const struct configuration configurations[] = {
    {"dfs", false, false, 0},        {"bfs", false, false, 0},
    {"rp", false, false, 0},         {"klee", false, false, 0},
    {"exe", false, false, 0},        {"depth", false, false, 0},
    {"sage", false, false, 2},       {"zesti", false, false, 2},
    {"rr(rp,dfs)", false, false, 0}, {"batch(random)", false, false, 0},
    {"pending(rp)", true, false, 0}, {"pending(dfs)", true, true, 0},
    {"bfs", true, false, 2},         {"covnew", true, true, 0},
    {"rp", true, true, 1},
};

struct total {
    uint64_t runs, tests, incomplete;
};

static struct campaign run_one(struct oracle *oracle, const struct configuration *configuration,
                               uint64_t seed, bool is_interrupted, struct total *total) {
    struct campaign campaign;
    size_t before = mem_in_use();
    campaign_open(&campaign, oracle, configuration, seed);
    campaign.is_interrupted = is_interrupted;
    campaign.follows = !program_has(oracle->program, PROGRAM_UNINITIALISED);
    const char *wrong = campaign_run(&campaign);
    if (wrong)
        fail_msg("program %llu, %s%s%s, run %u: %s", (unsigned long long)seed, configuration->search,
                 configuration->pending ? ", pending" : "", configuration->relaxed ? ", relaxed" : "",
                 campaign.runs, wrong);
    total->runs += campaign.runs;
    total->tests += campaign.tests;
    total->incomplete += campaign.incomplete;
    campaign_close(&campaign);
    assert_int_equal(mem_in_use(), before);
    return campaign;
}

// Tests three configurations for each program, so that a few programs cover all of them.
static void run_some(struct oracle *oracle, uint64_t seed, bool is_interrupted, struct total *total) {
    for (unsigned i = 0; i < 3; i++) {
        const struct configuration *configuration = &configurations[(3 * seed + i) % COUNT(configurations)];
        run_one(oracle, configuration, seed, is_interrupted, total);
    }
}

static void run_programs(unsigned features, uint64_t programs, bool is_interrupted) {
    struct total total = {0};
    for (uint64_t seed = first; seed < first + programs; seed++) {
        struct symbolic_program program = symbolic_program(seed, features);
        struct oracle oracle;
        if (oracle_open(&oracle, &program)) {
            run_some(&oracle, seed, is_interrupted, &total);
            oracle_close(&oracle);
        }
        symbolic_program_free(&program);
    }
    printf("%llu runs, %llu tests, %llu explorations left something out\n", (unsigned long long)total.runs,
           (unsigned long long)total.tests, (unsigned long long)total.incomplete);
    if (programs >= 20) assert_true(total.tests > programs && total.incomplete < programs);
    if (programs >= 20 && is_interrupted) assert_true(total.runs > 3 * programs);
}

static void same_paths(void **state) { run_programs(0, count, false); }
static void same_paths_uninitialised(void **state) {
    run_programs(PROGRAM_UNINITIALISED, (count + 3) / 4, false);
}
static void resumed_paths(void **state) { run_programs(0, count, true); }
static void resumed_paths_uninitialised(void **state) {
    run_programs(PROGRAM_UNINITIALISED, (count + 3) / 4, true);
}

static void same_seed_same_tests(void **state) {
    struct total total = {0};
    for (uint64_t seed = first; seed < first + (count + 3) / 4; seed++) {
        struct symbolic_program program = symbolic_program(seed, 0);
        struct oracle oracle;
        if (oracle_open(&oracle, &program)) {
            const struct configuration *configuration = &configurations[seed % COUNT(configurations)];
            struct campaign once = run_one(&oracle, configuration, seed, false, &total),
                            again = run_one(&oracle, configuration, seed, false, &total);
            assert_int_equal(once.fingerprint, again.fingerprint);
            oracle_close(&oracle);
        }
        symbolic_program_free(&program);
    }
}

int main(int argc, char **argv) {
    if (argc > 1) first = strtoull(argv[1], NULL, 10);
    if (argc > 2) count = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_paths),           cmocka_unit_test(same_paths_uninitialised),
        cmocka_unit_test(resumed_paths),        cmocka_unit_test(resumed_paths_uninitialised),
        cmocka_unit_test(same_seed_same_tests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
