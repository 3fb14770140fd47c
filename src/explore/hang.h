// Watches one path for a hang: `tamar exec` has one path, explore_int.h's functions have those of a run.
#ifndef TAMAR_EXPLORE_HANG_H
#define TAMAR_EXPLORE_HANG_H

#include "vm/vm.h"

struct hang_watch {
    uint64_t quiet;      // instructions since its last progress
    uint32_t conditions; // number of conditions of its path at its last progress
    struct state *mark;  // an earlier state of the path; NULL: none yet
    uint64_t lap, power; // comparisons with the mark; comparisons until the next mark (Brent)
};

// Returns the number of instructions that the path may run before its next check, at most `budget`.
uint64_t hang_watch_budget(const struct hang_watch *watch, uint64_t budget);
// Records a step of the path that made no progress. Returns true if it hangs; the VM's bug then says how.
bool hang_watch_step(struct hang_watch *watch, struct vm *vm, struct state *state, uint64_t instructions);
// Forgets the path: it made progress, or it ended.
void hang_watch_clear(struct hang_watch *watch, struct vm *vm);

#endif
