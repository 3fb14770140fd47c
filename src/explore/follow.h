// Replay of one path: the decisions of a test are re-executed with the test's bytes as the model. The
// solver is not queried, and a callback sees every edge.
#ifndef TAMAR_FOLLOW_H
#define TAMAR_FOLLOW_H

#include "explore/explore.h"

struct followed {
    enum vm_event event;
    int exit_status;
    struct bug bug; // only for VM_BUG and VM_NOT_MODELLED; only kind and message are set
    uint64_t instructions;
    uint32_t decisions_left; // decisions of the test not used; 0: replayed to the end
    bool strayed;            // the path forked where the test has no decision
};

struct follow_view {
    void *context;
    // Called for each edge taken; may be NULL.
    void (*took)(void *context, struct vm *vm, struct terms *terms, struct state *state, uint32_t edge);
    // Called for each other decision; may be NULL.
    void (*chose)(void *context, struct vm *vm, struct terms *terms, struct state *state,
                  const struct vm_decision *decision);
    // Called at the end, while the VM still has the coverage of the path; may be NULL.
    void (*ended)(void *context, struct vm *vm, enum vm_event event);
    // Called with the final state, its decisions and path condition; may be NULL.
    void (*left)(void *context, struct terms *terms, const struct state *state);
    // Follow the test's bytes at each branch: the test has no decisions.
    bool by_model;
    double seconds; // time limit of the replay, which then ends with VM_UNKNOWN; 0: none
};

// Replays a test. `options`: the options of the run (environments, files, checks). The caller frees the texts
// of `followed` with follow_free.
void explore_follow(const struct ir_program *program, const struct explore_options *options,
                    const struct test_case *test, const struct follow_view *view, struct followed *followed);
void follow_free(struct followed *followed);

#endif
