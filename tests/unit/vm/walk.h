// A minimal exploration of a generated program under one policy: a list of states, of which a random one runs for a
// random number of instructions. Each finished path is judged as it ends.
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
    bool incomplete;    // the VM reported that something was left out
    bool keeps_terms;   // terms are not collected: the order of operands depends on ids, which a collection changes
    bool is_alone;      // forked states are dropped
    bool is_rebuilding; // nothing may fork or fail
    const char *unwelcome; // what forked or failed nevertheless
    uint32_t finished;     // paths
    uint32_t reworded;     // rebuilt path conditions that are equivalent, but have other terms
    // May be NULL. Called with a state of the list before a step, and with one whose path has ended. Returns an error
    // message, or NULL.
    const char *(*before)(struct walk *walk, struct state *state);
    const char *(*after)(struct walk *walk, const struct finished *path);
    const char *wrong;
};

void walk_open(struct walk *walk, struct oracle *oracle, enum policy policy, uint64_t seed);
// Explores everything. NULL, or what is wrong (static storage).
const char *walk_run(struct walk *walk);
void walk_close(struct walk *walk);
// The path of one input alone, with the first possibility of every choice: the machine neither forks nor asks. NULL, or
// what is wrong.
const char *walk_alone(struct oracle *oracle, uint32_t input);
// A new first state, as the walk's own was.
struct state *walk_start(struct walk *walk);
// The machine's options under this policy; the sink, solver and terms are the caller's.
struct vm_options walk_options(const struct symbolic_program *program, enum policy policy);

#endif
