// A minimal exploration of a generated program under one policy. Each step picks a random state from a list and runs it
// for a random number of instructions. Finished paths are judged at once.
#ifndef TAMAR_TEST_WALK_H
#define TAMAR_TEST_WALK_H

#include "base/random.h"
#include "base/vec.h"
#include "oracle.h"
#include "solver/solver.h"

// POLICY(NAME, pending, relaxed checks, seeds)
#define POLICIES(POLICY)                                                                                     \
    POLICY(eager, false, false, 0)                                                                           \
    POLICY(pending, true, false, 0)                                                                          \
    POLICY(relaxed, true, true, 0)                                                                           \
    POLICY(seeded, false, false, 3)                                                                          \
    POLICY(seeded_pending, true, false, 2)                                                                   \
    POLICY(seeded_relaxed, true, true, 2)
enum policy {
#define POLICY(name, ...) POLICY_##name,
    POLICIES(POLICY)
#undef POLICY
        POLICY_COUNT
};
extern const char *const policy_names[POLICY_COUNT];

struct walk {
    struct oracle *oracle;
    const struct ir_program *program;
    enum policy policy;
    struct random random;
    struct terms *terms;
    struct solver *solver;
    struct vm *vm;
    vec(struct state *) states;
    struct path_condition *seeds;
    uint32_t seed_count;
    bool incomplete; // the VM reported incompleteness
    // Terms are not collected: the order of operands depends on ids, which a collection changes.
    bool keeps_terms;
    bool is_alone;         // forked states are dropped
    bool is_rebuilding;    // a fork or a failure is an error
    const char *unwelcome; // description of an error found while is_rebuilding
    uint32_t finished;     // number of finished paths
    uint32_t reworded;     // rebuilt path conditions that are equivalent, but have other terms
    // Called with a state of the list before its step, and with each finished path. May be NULL. Return an error
    // message, or NULL.
    const char *(*before)(struct walk *walk, struct state *state);
    const char *(*after)(struct walk *walk, const struct finished *path);
    const char *wrong;
};

void walk_open(struct walk *walk, struct oracle *oracle, enum policy policy, uint64_t seed);
// Explores everything. Returns an error message (static storage), or NULL.
const char *walk_run(struct walk *walk);
void walk_close(struct walk *walk);
// Runs the path of one input in single-path mode, with the first alternative of every choice: without forks and
// queries. Returns an error message, or NULL.
const char *walk_alone(struct oracle *oracle, uint32_t input);
// Returns a new initial state, like the first state of the walk.
struct state *walk_start(struct walk *walk);
// Returns the VM's options for this policy; the caller adds the sink, the solver and the terms.
struct vm_options walk_options(const struct symbolic_program *program, enum policy policy);

#endif
