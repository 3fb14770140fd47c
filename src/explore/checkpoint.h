// An exploration as a stream of messages, from which it can be taken up again: what was counted and found, and the
// frontier, each state of it as the decisions that lead there.
//
// Valid only for the same version of Tamar, the same program and the same options; the caller must check these.
#ifndef TAMAR_EXPLORE_CHECKPOINT_H
#define TAMAR_EXPLORE_CHECKPOINT_H

#include "explore/explore.h"

struct arena;

// The messages of a stream. A report of a worker (message.h) is read in the same way.
struct checkpoint {
    const struct work_report *report;       // NULL: it is a checkpoint
    const struct test_case **tests;         // of a report
    const struct shared_position *position; // of a run in Redis; NULL: it is another
    const struct run_status *status;
    const struct coverage_delta *coverage;
    const struct finding **findings;
    const struct known_bug **bugs;
    const struct incompleteness **incomplete;
    const struct target_status **targets;
    struct frontier_entry *entries; // as frontier_sort has them; of a report: in their order
    uint32_t test_count, finding_count, bug_count, incomplete_count, target_count, entry_count;
};

// Between two steps of the exploration only (from on_progress, or before and after explore_run). False: it is too large for what the
// limits leave of time or memory, and of no use.
bool explore_checkpoint(struct explore *explore, struct text *to);
// Lives in the arena. NULL: the bytes are damaged or of another program; `problem` gets the reason.
const struct checkpoint *checkpoint_read(struct arena *arena, const char *bytes, size_t size,
                                         const struct ir_program *program, struct text *problem);
// The same for a report of a worker.
const struct checkpoint *checkpoint_read_report(struct arena *arena, const char *bytes, size_t size,
                                                const struct ir_program *program, struct text *problem);

#endif
