// The code that may be executed after given blocks.
#include "ir/graph_int.h"

struct after {
    const struct graph *graph;
    uint32_t *first, *next; // edges forwards: those of node n are next[first[n]] to next[first[n + 1] - 1]
    uint8_t *seen;          // per node
    uint8_t *left;          // per function: a caller may continue after it
    bool library;           // the C library may be executed
    uint32_t main;          // UINT32_MAX: there is none
    vec(uint32_t) nodes, functions; // not yet followed
};

static void turn_edges(struct after *after) {
    const struct graph *graph = after->graph;
    uint32_t count = graph->nodes.count;
    after->first = NEW_ARRAY(uint32_t, count + 2);
    after->next = NEW_ARRAY(uint32_t, graph->before.count + 1);
    vec_each (const uint32_t, entry, &graph->before) after->first[(*entry & ~JUMP_EDGE) + 2]++;
    for (uint32_t n = 2; n < count + 2; n++) after->first[n] += after->first[n - 1];
    for (uint32_t n = 0; n < count; n++) {
        const struct graph_node *node = &graph->nodes.at[n];
        for (uint32_t i = 0; i < node->before_count; i++) {
            uint32_t from = graph->before.at[node->first_before + i] & ~JUMP_EDGE;
            after->next[after->first[from + 1]++] = n;
        }
    }
}

static void see_node(struct after *after, uint32_t node) {
    if (after->seen[node]) return;
    after->seen[node] = 1;
    vec_push(&after->nodes, node);
}

static void leave_function(struct after *after, uint32_t function) {
    if (after->left[function]) return;
    after->left[function] = 1;
    vec_push(&after->functions, function);
}

// Follows a call of the C library, or a return to it: it may call back every function whose address is taken. Its own
// code is not followed: the graph's edges there lead from nearly everywhere to every callback.
static void follow_library(struct after *after) {
    const struct ir_program *program = after->graph->program;
    if (after->library) return;
    after->library = true;
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct graph_function *function = &after->graph->functions[f];
        if (function->node_count && function->address_taken && !program->functions[f].runtime &&
            f != after->main)
            see_node(after, function->first_node);
    }
}

static void follow_node(struct after *after, uint32_t n) {
    const struct graph *graph = after->graph;
    for (uint32_t i = after->first[n]; i < after->first[n + 1]; i++) see_node(after, after->next[i]);
    if (graph->nodes.at[n].call == NO_NODE) return;
    const struct graph_call *call = &graph->calls.at[graph->nodes.at[n].call];
    for (uint32_t i = 0; i < call->callee_count; i++) {
        uint32_t callee = graph->callees.at[call->first_callee + i];
        if (graph->program->functions[callee].runtime)
            follow_library(after);
        else
            see_node(after, graph->functions[callee].first_node);
    }
}

// Continues in the callers of a function, by a return or a longjmp. After main only functions of atexit are called.
static void follow_callers(struct after *after, uint32_t function) {
    const struct graph *graph = after->graph;
    const struct graph_function *callee = &graph->functions[function];
    for (uint32_t i = 0; i < callee->caller_count; i++) {
        uint32_t n = graph->calls.at[graph->callers.at[callee->first_caller + i]].node;
        uint32_t caller = graph->nodes.at[n].function;
        bool library = graph->program->functions[caller].runtime;
        if (library) follow_library(after);
        if (library && function == after->main) continue;
        for (uint32_t k = after->first[n]; !library && k < after->first[n + 1]; k++)
            see_node(after, after->next[k]);
        leave_function(after, caller);
    }
}

static uint32_t block_of(const struct ir_function *function, uint32_t instruction) {
    return function->first_block + ir_block_at(function, instruction);
}

void graph_mark_after(const struct graph *graph, uint8_t *blocks) {
    uint32_t count = graph->nodes.count, function_count = graph->program->function_count;
    const struct ir_function *main = ir_find_function(graph->program, "main");
    struct after after = {.graph = graph,
                          .main = main ? main->index : UINT32_MAX,
                          .seen = NEW_ARRAY(uint8_t, count + 1),
                          .left = NEW_ARRAY(uint8_t, function_count + 1)};
    turn_edges(&after);
    for (uint32_t n = 0; n < count; n++) {
        const struct graph_node *node = &graph->nodes.at[n];
        const struct ir_function *function = &graph->program->functions[node->function];
        if (function->runtime || !blocks[block_of(function, node->start)]) continue;
        see_node(&after, n);
        leave_function(&after, node->function);
    }
    while (after.nodes.count || after.functions.count)
        if (after.nodes.count)
            follow_node(&after, vec_pop(&after.nodes));
        else
            follow_callers(&after, vec_pop(&after.functions));
    for (uint32_t n = 0; n < count; n++) {
        const struct graph_node *node = &graph->nodes.at[n];
        if (after.seen[n]) blocks[block_of(&graph->program->functions[node->function], node->start)] = 1;
    }
    DELETE_ARRAY(after.seen, count + 1);
    DELETE_ARRAY(after.left, function_count + 1);
    DELETE_ARRAY(after.first, count + 2);
    DELETE_ARRAY(after.next, graph->before.count + 1);
    vec_free(&after.nodes);
    vec_free(&after.functions);
}
