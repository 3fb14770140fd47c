// One path again: the decisions of a test are followed, with the test's bytes as the model, so that nothing
// is asked of the solver and every edge can be seen on the way.
#ifndef TAMAR_FOLLOW_H
#define TAMAR_FOLLOW_H

#include "explore/explore.h"

struct followed {
    enum vm_event event;
    int exit_status;
    struct bug bug; // when the event is VM_BUG or VM_NOT_MODELLED; only the kind and the message
    uint64_t instructions;
    uint32_t decisions_left; // of the test's: 0 when the path was followed to its end
    bool strayed;            // the path forked where the test's decisions say nothing
};

struct follow_view {
    void *context;
    // For each edge that is taken; may be NULL.
    void (*took)(void *context, struct vm *vm, struct terms *terms, struct state *state, uint32_t edge);
    // At the end, while the machine is still there and knows what the path has covered; may be NULL.
    void (*ended)(void *context, struct vm *vm, enum vm_event event);
    // The state at its end, with its decisions and conditions; may be NULL.
    void (*left)(void *context, struct terms *terms, const struct state *state);
    // The test's bytes alone decide: its decisions are not known yet.
    bool by_model;
    double seconds; // the path is given up (VM_UNKNOWN) after this time; 0: never
};

// `options` as the run had them: environments, files, checks. The texts of `followed` are to be freed with
// followed_free.
void explore_follow(const struct ir_program *program, const struct explore_options *options,
                    const struct test_case *test, const struct follow_view *view, struct followed *followed);
void followed_free(struct followed *followed);

#endif
