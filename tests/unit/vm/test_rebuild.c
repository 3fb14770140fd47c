// Decisions determine the path: a state rebuilt from its decisions at any moment equals the original, and a finished
// path ends in the same way when another VM follows its decisions. Decisions of another program do no harm.
//
//   test_vm_rebuild [FIRST_SEED [COUNT]]
#include "../check.h"
#include "base/alloc.h"
#include "rebuild.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t first = 1, count = 100;
static uint64_t rebuilt, followed, damaged, reworded;

enum what { STATES = 1, PATHS = 2, DAMAGED = 4 };

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

static const char *sometimes_damage(struct walk *walk, const struct finished *path) {
    damaged++;
    return follow_damaged(walk, path);
}

static void check_policies(struct oracle *oracle, uint64_t seed, unsigned what) {
    for (unsigned policy = 0; policy < POLICY_COUNT; policy++) {
        struct walk walk;
        size_t before = mem_in_use();
        walk_open(&walk, oracle, policy, seed);
        walk.keeps_terms = true;
        if (what & STATES) walk.before = sometimes_rebuild;
        if (what & PATHS) walk.after = sometimes_follow;
        if (what & DAMAGED) walk.after = sometimes_damage;
        const char *wrong = walk_run(&walk);
        if (wrong)
            fail_msg("program %llu, policy %s: %s", (unsigned long long)seed, policy_names[policy], wrong);
        reworded += walk.reworded;
        walk_close(&walk);
        assert_int_equal(mem_in_use(), before);
    }
}

static void check_programs(unsigned features, uint64_t programs, unsigned what) {
    rebuilt = followed = damaged = reworded = 0;
    for (uint64_t seed = first; seed < first + programs; seed++) {
        struct symbolic_program program = symbolic_program(seed, features);
        struct oracle oracle;
        if (oracle_open(&oracle, &program)) {
            check_policies(&oracle, seed, what);
            oracle_close(&oracle);
        }
        symbolic_program_free(&program);
    }
    printf("%llu states rebuilt, %llu paths followed, %llu damaged; %llu path conditions in other terms\n",
           (unsigned long long)rebuilt, (unsigned long long)followed, (unsigned long long)damaged,
           (unsigned long long)reworded);
    if (programs < 50) return;
    assert_true(!(what & STATES) || rebuilt > programs);
    assert_true(!(what & PATHS) || followed > programs);
    assert_true(!(what & DAMAGED) || damaged > programs);
}

static void states_are_their_decisions(void **state) { check_programs(0, count, STATES); }
static void uninitialised_states_are_their_decisions(void **state) {
    check_programs(PROGRAM_UNINITIALISED, (count + 3) / 4, STATES);
}
static void concretized_states_are_their_decisions(void **state) {
    check_programs(PROGRAM_CONCRETIZED, (count + 3) / 4, STATES | PATHS);
}
// Without uninitialised bytes: a VM names them in the order in which it finds them, so that only states of the same VM
// can be compared.
static void paths_are_their_decisions(void **state) { check_programs(0, count, PATHS); }
// A test of one version of a program may be followed in another version: recorded decisions are not trusted.
static void damaged_decisions_end(void **state) { check_programs(0, (count + 1) / 2, DAMAGED); }

int main(int argc, char **argv) {
    if (argc > 1) first = strtoull(argv[1], NULL, 10);
    if (argc > 2) count = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_their_decisions),
        cmocka_unit_test(uninitialised_states_are_their_decisions),
        cmocka_unit_test(concretized_states_are_their_decisions),
        cmocka_unit_test(paths_are_their_decisions),
        cmocka_unit_test(damaged_decisions_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
