// The interprocedural control-flow graph and the call graph of a program, and the part of distances that does not
// depend on a target: from each instruction to the return of its function.
//
//   graph_new -> { graph_caller, graph_call_depth, ... } -> graph_free
//
// A call through a pointer may call every function whose address is taken and whose parameters fit the call. Calls
// after a setjmp may return to it by longjmp. Creating a thread is an edge to its function. Thread switches are not
// edges, so the graph proves nothing about a state with several threads.
#ifndef TAMAR_IR_GRAPH_H
#define TAMAR_IR_GRAPH_H

#include "ir/ir.h"

struct graph;

// A program point: an instruction of a function.
struct ir_point {
    uint32_t function, instruction;
};

// The program must outlive the graph.
struct graph *graph_new(const struct ir_program *program);
void graph_free(struct graph *graph);

// The calls that may enter a function, `count` of them, from index 0.
uint32_t graph_caller_count(const struct graph *graph, uint32_t function);
struct ir_point graph_caller(const struct graph *graph, uint32_t function, uint32_t index);
// The least number of calls from the entry (`__tamar_start`, else `main`) to the function. UINT32_MAX: unreachable.
uint32_t graph_call_depth(const struct graph *graph, uint32_t function);
// Marks, besides the marked blocks, all blocks of user code that may be executed after one of them, also in callers.
// `blocks`: one byte per block of the program.
void graph_mark_after(const struct graph *graph, uint8_t *blocks);

#endif
