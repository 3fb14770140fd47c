// Distances to a set of targets, after Otter 3.1.1: the length of the shortest path in the interprocedural control-flow
// graph on which every return goes to its own call. Lengths count words of code: a two-word instruction counts twice.
// Such a path first leaves functions of the current call stack (P), then proceeds in a function and enters others (N),
// stepping over whole calls where that is shorter (S). N and S are precomputed; P is computed from a stack:
//
//   struct distance_walk walk = distance_walk(distance, instruction of the top frame);
//   for each frame below: distance_return(distance, &walk, its call) until it returns false;
//   walk.best
#ifndef TAMAR_IR_DISTANCE_H
#define TAMAR_IR_DISTANCE_H

#include "ir/graph.h"

#define DISTANCE_NONE UINT32_MAX // no path leads to any target

struct distance;

// The graph must outlive the result. Without targets every distance is DISTANCE_NONE.
struct distance *distance_new(const struct graph *graph);
void distance_free(struct distance *distance);
// Replaces the targets. Traverses the whole graph: if targets are removed one by one, limit the rate of calls.
void distance_set(struct distance *distance, const struct ir_point *targets, uint32_t count);
uint32_t distance_target_count(const struct distance *distance);

struct distance_walk {
    uint32_t best;   // least distance found in the frames visited so far
    uint32_t passed; // words of code until the visited frames have returned
    uint32_t jump;   // words of code until some longjmp is reached
};

struct distance_walk distance_walk(const struct distance *distance, struct ir_point top);
// Adds the next frame down the stack; `call` is its current instruction. Returns false if no further frame can be
// nearer.
bool distance_return(const struct distance *distance, struct distance_walk *walk, struct ir_point call);

// The distance from an instruction through this function and its callees: the N part alone.
uint32_t distance_within(const struct distance *distance, struct ir_point point);
// The distance without leaving or entering any function (calls are stepped over): Otter's SDSE-intra. Finite only if
// some target lies in the same function.
uint32_t distance_intra(const struct distance *distance, struct ir_point point);

#endif
