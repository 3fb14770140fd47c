// Decisions are enough: a state at any moment, rebuilt from them, is itself; a finished path, followed by them in another
// machine, ends as it did.
//
//   test_vm_rebuild [FIRST_SEED [COUNT]]
#include "../check.h"
#include "base/memory.h"
#include "rebuild.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t first = 1, count = 100;
static uint64_t rebuilt, followed, reworded;

static const char *sometimes_rebuild(struct walk *walk, struct state *state) {
    if (random_below(&walk->random, 4)) return NULL;
    rebuilt++;
    return rebuild_state(walk, state);
}

static const char *sometimes_follow(struct walk *walk, const struct finished *path) {
    if (random_below(&walk->random, 4)) return NULL;
    followed++;
    return follow_path(walk, path);
}

static void check_policies(struct oracle *oracle, uint64_t seed, bool states, bool paths) {
    for (unsigned policy = 0; policy < POLICY_COUNT; policy++) {
        struct walk walk;
        size_t before = mem_in_use();
        walk_open(&walk, oracle, policy, seed);
        walk.keeps_terms = true;
        if (states) walk.before = sometimes_rebuild;
        if (paths) walk.after = sometimes_follow;
        const char *wrong = walk_run(&walk);
        if (wrong)
            fail_msg("program %llu, policy %s: %s", (unsigned long long)seed, policy_names[policy], wrong);
        reworded += walk.reworded;
        walk_close(&walk);
        assert_int_equal(mem_in_use(), before);
    }
}

static void check_programs(unsigned features, uint64_t programs, bool states, bool paths) {
    rebuilt = followed = reworded = 0;
    for (uint64_t seed = first; seed < first + programs; seed++) {
        struct symbolic_program program = symbolic_program(seed, features);
        struct oracle oracle;
        if (oracle_open(&oracle, &program)) {
            check_policies(&oracle, seed, states, paths);
            oracle_close(&oracle);
        }
        symbolic_program_free(&program);
    }
    printf("%llu states rebuilt, %llu paths followed; %llu path conditions in other terms\n",
           (unsigned long long)rebuilt, (unsigned long long)followed, (unsigned long long)reworded);
    if (programs >= 50) assert_true((!states || rebuilt > programs) && (!paths || followed > programs));
}

static void states_are_their_decisions(void **state) { check_programs(0, count, true, false); }
static void uninitialised_states_are_their_decisions(void **state) {
    check_programs(PROGRAM_UNINITIALISED, (count + 3) / 4, true, false);
}
// Uninitialised bytes are named in the order in which a machine finds them: only states of the same machine can be compared.
static void paths_are_their_decisions(void **state) { check_programs(0, count, false, true); }

int main(int argc, char **argv) {
    if (argc > 1) first = strtoull(argv[1], NULL, 10);
    if (argc > 2) count = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_their_decisions),
        cmocka_unit_test(uninitialised_states_are_their_decisions),
        cmocka_unit_test(paths_are_their_decisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
