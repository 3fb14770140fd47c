// An exploration as a stream of messages, from which it can be resumed. The stream has the counters, the
// findings, and the frontier: each state as the decisions that lead to it.
//
// Valid only for the same version of Tamar, the same program and the same options; the caller must check
// these.
#ifndef TAMAR_EXPLORE_CHECKPOINT_H
#define TAMAR_EXPLORE_CHECKPOINT_H

#include "explore/explore.h"

struct arena;

// The messages of a checkpoint. Also used for a worker's report (message.h).
struct checkpoint {
    const struct work_report *report;       // NULL if this is a checkpoint
    const struct test_case **tests;         // only in a report
    const struct shared_position *position; // position of a run in Redis; NULL for other runs
    const struct run_status *status;
    const struct coverage_delta *coverage;
    const struct finding **findings;
    const struct engine_bug **bugs;
    const struct incompleteness **incomplete;
    const struct target_status **targets;
    struct frontier_entry *entries; // sorted by frontier_sort; in a report: in stream order
    uint32_t test_count, finding_count, bug_count, incomplete_count, target_count, entry_count;
};

// Writes a checkpoint. Call it only between two steps (from on_progress, or before and after explore_run).
// Returns false if the remaining time or memory is not enough; `to` is then unusable.
bool explore_checkpoint(struct explore *explore, struct text *to);
// Reads a checkpoint into the arena. Returns NULL if the bytes are damaged or belong to another program;
// `problem` gets the reason.
const struct checkpoint *checkpoint_read(struct arena *arena, const char *bytes, size_t size,
                                         const struct ir_program *program, struct text *problem);
// Reads a worker's report in the same way.
const struct checkpoint *checkpoint_read_report(struct arena *arena, const char *bytes, size_t size,
                                                const struct ir_program *program, struct text *problem);

#endif
