// An exploration as bytes, from which it can be taken up again: what was counted and found, and the frontier, each
// state of it as the decisions that lead there.
//
// Written and read by the same version of Tamar for the same program; whoever reads it has to see to that.
#ifndef TAMAR_EXPLORE_CHECKPOINT_H
#define TAMAR_EXPLORE_CHECKPOINT_H

#include "explore/explore.h"

struct arena;

struct frontier_input {
    struct input_id id;
    uint32_t size;
    const uint8_t *bytes; // of the state's model
};

// A state that was alive.
struct frontier_entry {
    uint32_t environment, depth, progress;
    uint64_t number; // in the order of making
    uint64_t instructions;
    bool incomplete, pending;              // pending: the bytes do not satisfy its last condition
    uint32_t pending_edge, pending_choice; // of a pending one: as in the state
    const uint32_t *decisions, *again, *fresh;
    uint32_t decision_count, again_count, fresh_count;
    const struct frontier_input *inputs;
    uint32_t input_count;
};

// Sites as numbers that mean nothing elsewhere: the calls themselves, the innermost first, each a function and
// an instruction.
struct site_chain {
    const uint32_t *at;
    uint32_t count; // of numbers
};

struct checkpoint_bug {
    struct found_bug bug;
    struct site_chain site, place, allocated, freed;
};

struct checkpoint_given_up {
    const char *what;
    struct site_chain site;
    uint64_t count;
    bool lost;
};

struct checkpoint {
    struct explore_result result; // counters and times
    struct solver_counters solver;
    struct symbolic_counters counts;
    const uint8_t *claimed; // per edge, then per function
    const uint8_t *edges_seen, *edges_decided, *functions_seen;
    const uint32_t *put_off;
    const struct checkpoint_bug *bugs;
    uint32_t bug_count;
    const struct checkpoint_given_up *given_up;
    uint32_t given_up_count;
    struct frontier_entry *entries; // in the order of their environments and decisions
    uint32_t entry_count;
};

// Between two steps of the exploration only (from on_progress, or before and after explore_run).
void explore_checkpoint(struct explore *explore, struct text *to);
// NULL: the bytes are damaged or of another program. Lives in the arena.
const struct checkpoint *checkpoint_read(struct arena *arena, const char *bytes, size_t size,
                                         const struct ir_program *program);

#endif
