// The lines that a search is to reach, and how far it is to those that are left.
//
//   targets_new -> { targets_close, targets_distance ... } -> targets_free
//
// A target is a mark (ir.h): every place in the program that has it counts. Targets may stand in an order (a stack
// trace): then a path has to come by them one after the other, and only the last one counts as reached.
#ifndef TAMAR_TARGETS_H
#define TAMAR_TARGETS_H

#include "ir/distance.h"

struct targets;

// One target for each mark of the program, all open. The program must outlive it.
struct targets *targets_new(const struct ir_program *program);
void targets_free(struct targets *targets);
const struct graph *targets_graph(const struct targets *targets);

uint32_t targets_count(const struct targets *targets);
uint32_t targets_open_count(const struct targets *targets);
bool targets_is_open(const struct targets *targets, uint32_t target);
// Reached, or given up: distances no longer lead there.
void targets_close(struct targets *targets, uint32_t target);
// The places that have the mark.
const struct ir_place *targets_places(const struct targets *targets, uint32_t target, uint32_t *count);

// Distances to the nearest open target, and to one of them. Good until the next change.
const struct distance *targets_distance(struct targets *targets);
const struct distance *targets_distance_to(struct targets *targets, uint32_t target);
// Counts changes of the set: who keeps distances of states knows when to ask anew.
uint32_t targets_version(const struct targets *targets);

// The entries of these functions count as targets too for `targets_distance`: they are known to lead on (Otter's
// CCBSE(SDSE)).
void targets_add_goal(struct targets *targets, uint32_t function);

// The backward search has come to the program's first function: from now on it is worth while to run from there.
void targets_call_main(struct targets *targets);
bool targets_main_called(const struct targets *targets);

// The targets in the order in which one path shall come by them. One may stand there more than once.
void targets_set_order(struct targets *targets, const uint32_t *order, uint32_t count);
const uint32_t *targets_order(const struct targets *targets, uint32_t *count); // NULL: none

#endif
