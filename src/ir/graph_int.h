// Data structures of the graph, private to the folder.
//
// A node is a sequence of instructions that is entered only at its start: a block, cut after every call that may enter
// a function, after calls of setjmp (where longjmp returns) and after calls that never return. The nodes of a function
// are consecutive in `nodes`, in the order of the code; the first one is the entry. Edges are stored backwards, because
// distances are computed backwards from the targets.
//
// Costs are numbers of words: instructions, and second words of two-word instructions. Entering a node costs nothing,
// leaving it costs its length. So a call or a return costs its own instruction only.
//
// `exit` is the S part (distance.h): words from the start of a node to the return of its function, calls on the way
// included. It is the least solution of
//     exit(n) = length(n)                                          n returns
//             | length(n) + exit(m)                                m follows n
//             | length(n) + exit(entry of a callee) + exit(m)      n calls, m follows
// found by Knuth's generalisation of Dijkstra's algorithm: a sum is at least as large as its parts, so a node's value
// is final once it leaves the queue.
#ifndef TAMAR_IR_GRAPH_INT_H
#define TAMAR_IR_GRAPH_INT_H

#include "base/arena.h"
#include "base/vec.h"
#include "ir/graph.h"

#define NO_NODE   UINT32_MAX
#define FAR       UINT32_MAX          // no path
#define JUMP_EDGE ((uint32_t)1 << 31) // flag in `before`: leaves the call by longjmp, not by return

struct graph_node {
    uint32_t function, start, end; // instructions [start, end)
    uint32_t call; // the call that ends it, index into `calls`; NO_NODE: another instruction ends it
    uint32_t first_before, before_count;
};

struct graph_call {
    uint32_t node;    // the node that ends with this call
    uint32_t through; // least exit(entry) of the callees; 0: an intrinsic without a body; FAR: never returns
    uint32_t first_callee, callee_count;
};

struct graph_function {
    uint32_t first_node, node_count;
    uint32_t first_caller, caller_count;   // range of `callers`: the calls that may enter it
    uint32_t first_landing, landing_count; // range of `landings`: nodes after a setjmp
    uint32_t depth;
    bool address_taken, may_jump; // may_jump: the function or a callee may call longjmp
};

struct graph {
    const struct ir_program *program;
    vec(struct graph_node) nodes;
    vec(struct graph_call) calls;
    vec(uint32_t) callees, callers, landings, before;
    struct graph_function *functions;
    uint32_t *exit;    // per node
    uint32_t *to_jump; // per node: from its start to the nearest longjmp, FAR: none; NULL: no setjmp anywhere
};

static inline uint32_t node_length(const struct graph_node *node) { return node->end - node->start; }
static inline uint32_t add_cost(uint32_t a, uint32_t b) {
    return a == FAR || b == FAR || b > FAR - 1 - a ? FAR : a + b;
}
uint32_t graph_node_at(const struct graph *graph, struct ir_point point);

// distance.c: computes the distances `near[n]` from the start of node n and `tail[n]` from its end. Before the call,
// `near` is the offset of the first target for nodes that contain one; all other entries are FAR.
void graph_spread(const struct graph *graph, uint32_t *near, uint32_t *tail);

#endif
