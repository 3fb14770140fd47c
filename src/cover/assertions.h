// Assertions of the program's own source: which of them held wherever they were reached.
#ifndef TAMAR_COVER_ASSERTIONS_H
#define TAMAR_COVER_ASSERTIONS_H

#include "cover/cover.h"

// Places, not evaluations: an assertion that is never reached counts nowhere.
struct assertion_counts {
    uint32_t proved; // reached, and its failing side refuted for every value on every path that came there
    uint32_t failed; // some path executed the call that says so
    uint32_t open;   // reached and never seen to fail, but that side was not always decided
};

// What was executed, as in cover.h. `undecided`: one byte per block, not 0 where a side of its choice was left out or deferred; NULL:
// nowhere. While not every path was explored (`complete` is false), nothing is proved.
struct assertion_counts count_assertions(const struct ir_program *program, const struct cover_seen *seen,
                                         const uint8_t *undecided, bool complete);

// A task of SV-COMP or Test-Comp: some function is named __VERIFIER_... There abort only ends a path.
bool is_verification_task(const struct ir_program *program);

// Per block: 1 where an assertion of the program's own source fails, else 0.
void assertion_blocks(const struct ir_program *program, uint8_t *failing);

#endif
