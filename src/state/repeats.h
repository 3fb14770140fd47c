// Whether a path has returned to an earlier state.
#ifndef TAMAR_STATE_REPEATS_H
#define TAMAR_STATE_REPEATS_H

#include "state/state.h"

// Whether the later state of a path will loop forever from the earlier one, if no condition was added between. True only
// if no read of input came between, and stack, registers and memory are equal. Decisions that the path condition
// implies may have come between: they have the same result each time. Identities of objects, which the
// program cannot see, may differ.
bool state_repeats(const struct state *earlier, const struct state *later);

#endif
