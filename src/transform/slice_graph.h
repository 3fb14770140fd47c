// Which edges of a function's control-flow graph the slicer cuts: a cut edge leads to a return instead.
//
// Lengths are numbers of blocks. Where a path is cut after some of its blocks, the last of them returns: all its edges are
// cut. A sink is a block without successors; where an edge was cut, the return behind it
// ends a path, too, but does not count. The modes are those of the thesis on transformations that do not keep the
// meaning:
//   1  every acyclic path from the entry to a sink is cut after half of its length
//   2  the longest such path is, again and again, until none is longer than half of the first
//   3  only the longest one is
//   4  every path, through loops as well, is cut after half of the longest one's length
//   5  every edge back to a block on the way to it is cut: loops end after one iteration
#ifndef TAMAR_TRANSFORM_SLICE_GRAPH_H
#define TAMAR_TRANSFORM_SLICE_GRAPH_H

#include "base/base.h"

#define SLICE_MODES 5

struct slice_graph {
    uint32_t count;        // blocks; 0 is the entry
    const uint32_t *first; // by block: its first edge; [count] is the number of edges
    const uint32_t *to;    // by edge
    bool *cut;             // by edge, set by slice_graph
    const bool *fixed;     // by edge: cannot be cut; NULL: none
};

struct slice_result {
    uint32_t cuts;
    uint32_t longest;  // blocks of the longest acyclic path that was found (modes 1 to 4)
    bool out_of_steps; // there may be more or longer paths than were looked at
};

// `steps`: edges that may be followed while paths are looked for, at most; the same graph gives the same cuts.
struct slice_result slice_graph(struct slice_graph *graph, unsigned mode, uint64_t steps);

#endif
