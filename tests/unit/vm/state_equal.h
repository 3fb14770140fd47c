// Deep comparison of two states of the same VM, or of two VMs that share their terms.
#ifndef TAMAR_TEST_STATE_EQUAL_H
#define TAMAR_TEST_STATE_EQUAL_H

#include "solver/solver.h"
#include "state/site.h"
#include "state/state.h"

// A state and the sites of its VM.
struct view {
    const struct state *state;
    struct sites *sites;
    const struct vm *vm;
};

// Compares memory (bytes, shadow and terms of every page), heap records, frames (program point, registers and their
// terms), tasks, inputs, decisions and choices. Not compared: numbers of states and instructions, fields that only
// strategies use, and the sites cached in frames. Returns NULL, or a description of the difference (static storage).
const char *state_difference(struct view a, struct view b);

// Compares path conditions by meaning: every condition of one is in the other or implied by it. The sets of conditions
// may differ: a decision with one feasible side adds no condition when it is made, but adds one when it is followed.
// Conditions implied by the domain of a byte are not added. `*same`: the sets are equal.
const char *path_difference(struct terms *terms, struct solver *solver, const struct path_condition *a,
                            const struct path_condition *b, bool *same);

// Prints the program point, the decisions and the path condition of the state.
void state_show(struct terms *terms, const char *name, const struct state *state);

#endif
