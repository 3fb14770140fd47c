// Distances to a set of targets, after Otter 3.1.1: the length, in instructions, of the shortest path in the
// interprocedural control-flow graph on which no return goes anywhere but to its own call. Such a path first
// leaves functions of the current call stack (P), then goes on inside and enters functions (N), passing over
// whole calls where that is shorter (S). N and S are found beforehand, P from the stack when asked:
//
//   struct distance_walk walk = distance_walk(distance, where the top frame stands);
//   for each frame below: distance_return(distance, &walk, its call) until it returns false;
//   walk.best
#ifndef TAMAR_IR_DISTANCE_H
#define TAMAR_IR_DISTANCE_H

#include "ir/graph.h"

#define DISTANCE_NONE UINT32_MAX // no path leads to any target

struct distance;

// The graph must outlive it. Without targets every distance is DISTANCE_NONE.
struct distance *distance_new(const struct graph *graph);
void distance_free(struct distance *distance);
// The targets are these from now on. Costs a walk over the whole graph: when targets go one by one, do this at
// a bounded rate.
void distance_set(struct distance *distance, const struct ir_place *targets, uint32_t count);
uint32_t distance_target_count(const struct distance *distance);

struct distance_walk {
    uint32_t best;   // the distance as far as the frames were looked at
    uint32_t passed; // instructions until the frames looked at have returned
    uint32_t jump;   // until some longjmp is reached
};

struct distance_walk distance_walk(const struct distance *distance, struct ir_place top);
// Steps down to the frame below, which stands at its call. False: no frame further down can be nearer.
bool distance_return(const struct distance *distance, struct distance_walk *walk, struct ir_place call);

// From the place, in this function and those that it calls: the N part alone.
uint32_t distance_within(const struct distance *distance, struct ir_place place);
// From the place without leaving or entering any function (calls are passed over): Otter's SDSE-intra.
// Only where some target lies in the same function.
uint32_t distance_intra(const struct distance *distance, struct ir_place place);

#endif
