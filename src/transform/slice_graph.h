// Chooses the edges of a function's control-flow graph that the slicer cuts. A cut edge leads to a return instead.
//
// Lengths are numbers of blocks. To cut a path after some of its blocks is to cut all edges out of the last of these
// blocks: the function returns there. A sink is a block without successors. The return of a cut edge also ends a path,
// but is not counted in its length. The modes are those of the thesis in docs/papers/slicing.md:
//   1  cut every acyclic path from the entry to a sink after half of its length
//   2  cut the longest such path repeatedly, until none is longer than half of the first
//   3  cut only the longest such path
//   4  cut every path, also those through loops, after half of the length of the longest acyclic one
//   5  cut every back edge (to a block on the current path): loops end after one iteration
#ifndef TAMAR_TRANSFORM_SLICE_GRAPH_H
#define TAMAR_TRANSFORM_SLICE_GRAPH_H

#include "base/base.h"

#define SLICE_MODES 5

struct slice_graph {
    uint32_t count;        // number of blocks; 0 is the entry
    const uint32_t *first; // per block: its first edge; [count] is the number of edges
    const uint32_t *to;    // per edge: the target block
    bool *cut;             // per edge: set by slice_graph if it is cut
    const bool *fixed;     // per edge: it cannot be cut; NULL: none
};

struct slice_result {
    uint32_t cuts;
    uint32_t longest;  // blocks of the longest acyclic path that was found (modes 1 to 4)
    bool out_of_steps; // there may be more or longer paths than were examined
};

// Cuts edges by the mode. `steps`: limit of edges followed while searching for paths. Deterministic.
struct slice_result slice_graph(struct slice_graph *graph, unsigned mode, uint64_t steps);

#endif
