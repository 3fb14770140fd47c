// Whether a path has returned to an earlier state.
#ifndef TAMAR_STATE_REPEATS_H
#define TAMAR_STATE_REPEATS_H

#include "state/state.h"

// Whether the path loops forever: from `later` on it repeats its execution since `earlier`. The caller must check that
// no condition was added in between. True only if no input was read in between, and stack, registers and memory are
// equal. Decisions that the path condition implies may have been made: they have the same result each time. Identities
// of objects, which the program cannot see, may differ.
bool state_repeats(const struct state *earlier, const struct state *later);

#endif
