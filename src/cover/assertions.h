// Assertions of user code: which of them held whenever they were reached.
#ifndef TAMAR_COVER_ASSERTIONS_H
#define TAMAR_COVER_ASSERTIONS_H

#include "cover/cover.h"

// Counts assertions in the source, not evaluations. An assertion is reached if its condition was evaluated, or its
// constant condition failed. One that is never reached is not counted, even if every path was explored.
struct assertion_counts {
    uint32_t proved; // reached, and on every path that reached it the failing side was infeasible
    uint32_t failed; // some path executed the call that reports the failure
    // Never seen to fail, but not proved: a failing side is undecided, or not every path was explored.
    uint32_t open;
};

struct assertion_facts {
    const struct ir_program *program;
    struct cover_seen seen;
    const uint8_t *undecided; // per block: a side of its branch was skipped or deferred; NULL: of none
    const uint8_t
        *failed;   // per location: an assertion failed in a call there; NULL: such calls are not counted
    bool complete; // every path was explored; otherwise nothing counts as proved
};
struct assertion_counts assertions_count(const struct assertion_facts *facts);

// Whether this is a task of SV-COMP or Test-Comp: some function is named __VERIFIER_... In such a task abort
// only ends a path.
bool assertions_is_task(const struct ir_program *program);

// Sets one byte per block: 1 if the block reports a failed assertion of user code, else 0.
void assertions_blocks(const struct ir_program *program, uint8_t *failing);

#endif
