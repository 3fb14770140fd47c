// Every policy finds the same paths: each input belongs to exactly one path, which behaves like the concrete run.
//
//   test_vm_policies [FIRST_SEED [COUNT]]
#include "../check.h"
#include "base/alloc.h"
#include "walk.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t first = 1, count = 200;

struct total {
    uint64_t programs, paths, incomplete;
};

static void explore_one(struct oracle *oracle, enum policy policy, uint64_t seed, struct total *total) {
    struct walk walk;
    size_t before = mem_in_use();
    walk_open(&walk, oracle, policy, seed);
    const char *wrong = walk_run(&walk);
    if (wrong) fail_msg("program %llu, policy %s: %s", (unsigned long long)seed, policy_names[policy], wrong);
    total->incomplete += walk.incomplete;
    total->paths += walk.finished;
    walk_close(&walk);
    assert_int_equal(mem_in_use(), before);
}

static void follow_some(struct oracle *oracle, uint64_t seed) {
    struct random random = {seed};
    for (unsigned i = 0; i < 3; i++) {
        uint32_t input = (uint32_t)random_below(&random, oracle->inputs);
        const char *wrong = walk_alone(oracle, input);
        if (wrong)
            fail_msg("program %llu, single-path run of input %u: %s", (unsigned long long)seed, input, wrong);
    }
}

static void explore_all(unsigned features, uint64_t programs) {
    struct total total = {0};
    for (uint64_t seed = first; seed < first + programs; seed++) {
        struct symbolic_program program = symbolic_program(seed, features);
        const char *wrong = ir_verify(program.symbolic);
        if (!wrong) wrong = ir_verify(program.concrete);
        if (getenv("TAMAR_SHOW")) ir_print(stderr, program.symbolic);
        if (wrong) fail_msg("program %llu: %s", (unsigned long long)seed, wrong);
        struct oracle oracle;
        if (oracle_open(&oracle, &program)) {
            for (unsigned policy = 0; policy < POLICY_COUNT; policy++)
                explore_one(&oracle, policy, seed, &total);
            if (!features) follow_some(&oracle, seed);
            total.programs++;
            oracle_close(&oracle);
        }
        symbolic_program_free(&program);
    }
    printf("%llu programs, %llu paths, %llu explorations left something out\n",
           (unsigned long long)total.programs, (unsigned long long)total.paths,
           (unsigned long long)total.incomplete);
    // Concretizing skips values under every policy; it happens in every second program.
    uint64_t most = features & PROGRAM_CONCRETIZED ? total.programs * POLICY_COUNT * 3 / 4 : total.programs;
    assert_true(total.programs > programs / 2 && (programs < 50 || total.incomplete < most));
}

static void same_paths(void **state) { explore_all(0, count); }
static void same_paths_uninitialised(void **state) { explore_all(PROGRAM_UNINITIALISED, (count + 3) / 4); }
static void same_paths_concretized(void **state) { explore_all(PROGRAM_CONCRETIZED, (count + 3) / 4); }

int main(int argc, char **argv) {
    if (argc > 1) first = strtoull(argv[1], NULL, 10);
    if (argc > 2) count = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_paths),
                                       cmocka_unit_test(same_paths_uninitialised),
                                       cmocka_unit_test(same_paths_concretized)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
