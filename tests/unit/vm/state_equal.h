// Deep comparison of two states of the same machine (or of two machines over the same terms).
#ifndef TAMAR_TEST_STATE_EQUAL_H
#define TAMAR_TEST_STATE_EQUAL_H

#include "solver/solver.h"
#include "state/site.h"
#include "state/state.h"

// A state and the sites of its machine.
struct view {
    const struct state *state;
    struct sites *sites;
    const struct vm *vm;
};

// Memory (bytes, shadow and terms of every page), the heap's records, frames (place, registers and their terms), tasks,
// inputs, decisions, choices. Left out: numbers of states and instructions, what only strategies look at, and what a
// frame knows of its site. NULL, or what differs (static storage).
const char *state_difference(struct view a, struct view b);

// Path conditions that mean the same: every condition of the one stands in the other or is implied by it. Not every one
// stands there: a decision of which only one side is possible adds no condition when it is made, and adds one when it
// is followed; and a path condition leaves out what the values of a single byte imply already. `*same`: all of them do.
const char *path_difference(struct terms *terms, struct solver *solver, const struct path_condition *a,
                            const struct path_condition *b, bool *same);

// Prints the program point, the decisions and the path condition of the state.
void state_show(struct terms *terms, const char *name, const struct state *state);

#endif
