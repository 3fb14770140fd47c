// The targets of a search, and the distances to those that are still open.
//
//   targets_new -> { targets_close, targets_distance ... } -> targets_free
//
// A target is a mark (ir.h): every program point with that mark counts. Targets may be ordered (a stack
// trace): a path then has to visit them one after the other, and only the last one counts as reached.
#ifndef TAMAR_TARGETS_H
#define TAMAR_TARGETS_H

#include "ir/distance.h"

struct targets;

// Makes one target for each mark of the program, all open. The program must outlive it.
struct targets *targets_new(const struct ir_program *program);
void targets_free(struct targets *targets);
const struct graph *targets_graph(const struct targets *targets);

uint32_t targets_count(const struct targets *targets);
uint32_t targets_open_count(const struct targets *targets);
bool targets_is_open(const struct targets *targets, uint32_t target);
// Closes a target that was reached or given up: distances no longer lead there.
void targets_close(struct targets *targets, uint32_t target);
// Returns the program points that have the mark.
const struct ir_point *targets_points(const struct targets *targets, uint32_t target, uint32_t *count);

// Return the distances to the nearest open target, or to one target. Valid until the next change.
const struct distance *targets_distance(struct targets *targets);
const struct distance *targets_distance_to(struct targets *targets, uint32_t target);
// Returns a number that grows with each change of the set: distances cached under another number are stale.
uint32_t targets_version(const struct targets *targets);

// Makes the entry of this function a target for `targets_distance`, too: a path from there to a target is known
// (Otter's CCBSE(SDSE)).
void targets_add_goal(struct targets *targets, uint32_t function);

// Records that the backward search has reached the program's first function: states that start there may now run.
void targets_open_main(struct targets *targets);
bool targets_main_is_open(const struct targets *targets);

// Sets the order in which one path must visit the targets. A target may occur more than once.
void targets_set_order(struct targets *targets, const uint32_t *order, uint32_t count);
const uint32_t *targets_order(const struct targets *targets, uint32_t *count); // NULL: none

#endif
