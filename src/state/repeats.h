// Whether a path has come back to a state that it was in.
#ifndef TAMAR_STATE_REPEATS_H
#define TAMAR_STATE_REPEATS_H

#include "state/state.h"

// Will the later state of a path do the same as the earlier one did, for ever? True only where nothing was decided and read in
// between, and stack, registers and memory are the same; identities of objects, which the program cannot see, may differ.
bool state_repeats(const struct state *earlier, const struct state *later);

#endif
