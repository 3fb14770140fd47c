#include "ir/graph_int.h"

#include "base/priority.h"
#include "ir/intrinsics.h"

#include <stdlib.h>

// The flow of the intrinsic that an instruction calls. IR_FLOW_RETURNS if it calls no intrinsic.
static enum ir_flow flow_of(const struct graph *graph, const struct ir_insn *insn) {
    if (insn->op != IR_CALL) return IR_FLOW_RETURNS;
    enum ir_intrinsic intrinsic = ir_intrinsic_of(&graph->program->functions[insn->a]);
    return intrinsic == IR_INTRINSIC_COUNT ? IR_FLOW_RETURNS : ir_intrinsic_facts[intrinsic].flow;
}

// ---- nodes

static bool ends_node(const struct graph *graph, const struct ir_insn *insn) {
    if (insn->op == IR_CALL_R || insn->op == IR_TRAP) return true;
    if (insn->op != IR_CALL) return false;
    return graph->program->functions[insn->a].code || flow_of(graph, insn) != IR_FLOW_RETURNS;
}

static void add_node(struct graph *graph, uint32_t function, uint32_t start, uint32_t end) {
    vec_push(&graph->nodes, ((struct graph_node){function, start, end, NO_NODE, 0, 0}));
    graph->functions[function].node_count++;
}

static void make_nodes(struct graph *graph, const struct ir_function *function) {
    graph->functions[function->index].first_node = graph->nodes.count;
    for (uint32_t b = 0; b < function->block_count; b++) {
        uint32_t start = function->blocks[b].start, end = function->blocks[b].end;
        for (uint32_t i = start; i < end; i += ir_op_info[function->code[i].op].words) {
            if (!ends_node(graph, &function->code[i])) continue;
            add_node(graph, function->index, start, i + 1);
            start = i + 1;
        }
        if (start < end) add_node(graph, function->index, start, end);
    }
}

uint32_t graph_node_at(const struct graph *graph, struct ir_point point) {
    const struct graph_function *function = &graph->functions[point.function];
    uint32_t low = function->first_node, high = low + function->node_count;
    assert(low < high);
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (graph->nodes.at[middle].start <= point.instruction)
            low = middle;
        else
            high = middle;
    }
    assert(graph->nodes.at[low].start <= point.instruction && point.instruction < graph->nodes.at[low].end);
    return low;
}

// ---- calls

static bool fits(const struct ir_function *caller, const struct ir_insn *insn,
                 const struct ir_function *callee) {
    uint32_t header = caller->arguments[insn->b];
    if (insn->aux && callee->result_slots && insn->aux != callee->result_slots) return false;
    return header & IR_CALL_VARIADIC || callee->variadic || header == callee->parameter_slots;
}

static void add_callee(struct graph *graph, struct graph_call *call, uint32_t callee) {
    if (!graph->program->functions[callee].code) {
        call->through = 0;
        return;
    }
    vec_push(&graph->callees, callee);
    call->callee_count++;
    graph->functions[callee].caller_count++;
}

static void add_callees(struct graph *graph, struct graph_call *call, const struct ir_function *caller,
                        const struct ir_insn *insn) {
    const struct ir_program *program = graph->program;
    if (insn->op == IR_CALL && program->functions[insn->a].code) {
        add_callee(graph, call, insn->a);
        return;
    }
    bool by_number = insn->op == IR_CALL; // intrinsics as call3: the callee is the first argument
    uint32_t first = caller->arguments[insn->b + 1];
    if (by_number && first & IR_CONSTANT) {
        const struct ir_function *callee = ir_function_at(program, caller->constants[first & ~IR_CONSTANT]);
        if (callee) add_callee(graph, call, callee->index);
    } else {
        for (uint32_t f = 0; f < program->function_count; f++)
            if (graph->functions[f].address_taken &&
                (by_number || fits(caller, insn, &program->functions[f])))
                add_callee(graph, call, f);
    }
    if (!call->callee_count) call->through = 0; // unknown callee: assumed to return
}

static void make_calls(struct graph *graph) {
    for (uint32_t n = 0; n < graph->nodes.count; n++) {
        struct graph_node *node = &graph->nodes.at[n];
        const struct ir_function *function = &graph->program->functions[node->function];
        const struct ir_insn *last = &function->code[node->end - 1];
        if (last->op != IR_CALL && last->op != IR_CALL_R) continue;
        if (!ends_node(graph, last)) continue;
        struct graph_call call = {.node = n, .through = FAR, .first_callee = graph->callees.count};
        switch (flow_of(graph, last)) {
        case IR_FLOW_SETJMP: call.through = 0; break;
        case IR_FLOW_ENDS:
        case IR_FLOW_LONGJMP: break;
        case IR_FLOW_CALLS:
        case IR_FLOW_RETURNS: add_callees(graph, &call, function, last); break;
        }
        node->call = graph->calls.count;
        vec_push(&graph->calls, call);
    }
}

// Collects for each function the calls that may enter it; their number has already been counted.
static void make_callers(struct graph *graph) {
    uint32_t total = 0;
    for (uint32_t f = 0; f < graph->program->function_count; f++) {
        graph->functions[f].first_caller = total;
        total += graph->functions[f].caller_count;
        graph->functions[f].caller_count = 0;
    }
    vec_reserve(&graph->callers, total);
    graph->callers.count = total;
    for (uint32_t c = 0; c < graph->calls.count; c++) {
        const struct graph_call *call = &graph->calls.at[c];
        for (uint32_t i = 0; i < call->callee_count; i++) {
            struct graph_function *callee = &graph->functions[graph->callees.at[call->first_callee + i]];
            graph->callers.at[callee->first_caller + callee->caller_count++] = c;
        }
    }
}

// ---- jumps between frames

static void make_landings(struct graph *graph) {
    for (uint32_t f = 0; f < graph->program->function_count; f++) {
        struct graph_function *function = &graph->functions[f];
        function->first_landing = graph->landings.count;
        for (uint32_t i = 0; i < function->node_count; i++) {
            const struct graph_node *node = &graph->nodes.at[function->first_node + i];
            const struct ir_insn *last = &graph->program->functions[f].code[node->end - 1];
            if (flow_of(graph, last) != IR_FLOW_SETJMP) continue;
            vec_push(&graph->landings, function->first_node + i + 1);
            function->landing_count++;
        }
    }
}

static void find_jumpers(struct graph *graph) {
    vec(uint32_t) list = {0};
    for (uint32_t c = 0; c < graph->calls.count; c++) {
        const struct graph_node *node = &graph->nodes.at[graph->calls.at[c].node];
        const struct ir_insn *last = &graph->program->functions[node->function].code[node->end - 1];
        if (flow_of(graph, last) != IR_FLOW_LONGJMP || graph->functions[node->function].may_jump) continue;
        graph->functions[node->function].may_jump = true;
        vec_push(&list, node->function);
    }
    while (list.count) {
        const struct graph_function *function = &graph->functions[vec_pop(&list)];
        for (uint32_t i = 0; i < function->caller_count; i++) {
            uint32_t call = graph->callers.at[function->first_caller + i];
            uint32_t caller = graph->nodes.at[graph->calls.at[call].node].function;
            if (graph->functions[caller].may_jump) continue;
            graph->functions[caller].may_jump = true;
            vec_push(&list, caller);
        }
    }
    vec_free(&list);
}

static bool call_may_jump(const struct graph *graph, const struct graph_node *node) {
    const struct graph_call *call = &graph->calls.at[node->call];
    const struct ir_insn *last = &graph->program->functions[node->function].code[node->end - 1];
    if (flow_of(graph, last) == IR_FLOW_LONGJMP) return true;
    for (uint32_t i = 0; i < call->callee_count; i++)
        if (graph->functions[graph->callees.at[call->first_callee + i]].may_jump) return true;
    return false;
}

// ---- edges

struct graph_edge {
    uint32_t from, to; // `from` may carry JUMP_EDGE
};
struct edges {
    struct graph_edge *at;
    uint32_t count, capacity;
};

static void add_edge_to(struct graph *graph, struct edges *edges, uint32_t from, uint32_t target) {
    struct ir_point point = {graph->nodes.at[from].function, target};
    vec_push(edges, ((struct graph_edge){from, graph_node_at(graph, point)}));
}

static void add_switch(struct graph *graph, struct edges *edges, uint32_t from,
                       const struct ir_switch *table) {
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < table->count; i++) {
        if (table->targets[i] != last) add_edge_to(graph, edges, from, table->targets[i]);
        last = table->targets[i];
    }
    add_edge_to(graph, edges, from, table->default_target);
}

static void add_edges(struct graph *graph, struct edges *edges, uint32_t from) {
    const struct graph_node *node = &graph->nodes.at[from];
    const struct ir_function *function = &graph->program->functions[node->function];
    if (node->call != NO_NODE) { // a call is not a terminator: the successor is the next node
        vec_push(edges, ((struct graph_edge){from, from + 1}));
        if (!call_may_jump(graph, node)) return;
        const struct graph_function *own = &graph->functions[node->function];
        for (uint32_t i = 0; i < own->landing_count; i++)
            vec_push(edges,
                     ((struct graph_edge){from | JUMP_EDGE, graph->landings.at[own->first_landing + i]}));
        return;
    }
    const struct ir_insn *last = &function->code[node->end - 1];
    if (last->op == IR_EXTRA) last--;
    switch (ir_op_info[last->op].format) {
    case IR_FORMAT_JMP: add_edge_to(graph, edges, from, last->a); break;
    case IR_FORMAT_BR:
    case IR_FORMAT_BRR:
    case IR_FORMAT_BRI:
    case IR_FORMAT_BRJ:
        add_edge_to(graph, edges, from, last[1].a);
        add_edge_to(graph, edges, from, last[1].b);
        break;
    case IR_FORMAT_SWITCH: add_switch(graph, edges, from, &function->switches[last->b]); break;
    case IR_FORMAT_GOTO:
        for (uint32_t i = 0; i < function->gotos[last->b].count; i++)
            add_edge_to(graph, edges, from, function->gotos[last->b].targets[i]);
        break;
    default: break; // a return, or the end of the path
    }
}

static void make_edges(struct graph *graph) {
    struct edges edges = {0};
    for (uint32_t n = 0; n < graph->nodes.count; n++) add_edges(graph, &edges, n);
    vec_each (struct graph_edge, edge, &edges) graph->nodes.at[edge->to].before_count++;
    uint32_t total = 0;
    vec_each (struct graph_node, node, &graph->nodes) {
        node->first_before = total;
        total += node->before_count;
        node->before_count = 0;
    }
    vec_reserve(&graph->before, total);
    graph->before.count = total;
    vec_each (struct graph_edge, edge, &edges) {
        struct graph_node *to = &graph->nodes.at[edge->to];
        graph->before.at[to->first_before + to->before_count++] = edge->from;
    }
    vec_free(&edges);
}

// ---- the S part

static bool returns(const struct graph *graph, const struct graph_node *node) {
    return graph->program->functions[node->function].code[node->end - 1].op == IR_RET;
}

// Lowers exit(n) to `cost` if that is less.
static void offer(struct graph *graph, struct priority *queue, uint32_t n, uint32_t cost) {
    if (cost >= graph->exit[n]) return;
    graph->exit[n] = cost;
    priority_push(queue, cost, n);
}

static void leave_backwards(struct graph *graph, struct priority *queue, const uint8_t *final, uint32_t n) {
    const struct graph_node *node = &graph->nodes.at[n];
    uint32_t cost = graph->exit[n];
    for (uint32_t i = 0; i < node->before_count; i++) {
        uint32_t entry = graph->before.at[node->first_before + i], from = entry & ~JUMP_EDGE;
        const struct graph_node *before = &graph->nodes.at[from];
        bool through = before->call != NO_NODE && !(entry & JUMP_EDGE);
        uint32_t between = through ? graph->calls.at[before->call].through : 0;
        offer(graph, queue, from, add_cost(add_cost(cost, between), node_length(before)));
    }
    const struct graph_function *function = &graph->functions[node->function];
    if (n != function->first_node) return;
    for (uint32_t i = 0; i < function->caller_count; i++) {
        struct graph_call *call = &graph->calls.at[graph->callers.at[function->first_caller + i]];
        if (call->through <= cost) continue;
        call->through = cost;
        if (!final[call->node + 1]) continue;
        uint32_t rest = add_cost(graph->exit[call->node + 1], cost);
        offer(graph, queue, call->node, add_cost(rest, node_length(&graph->nodes.at[call->node])));
    }
}

static void find_exits(struct graph *graph) {
    uint32_t count = graph->nodes.count;
    struct priority queue = {0};
    uint8_t *final = NEW_ARRAY(uint8_t, count + 1);
    graph->exit = NEW_ARRAY(uint32_t, count);
    memset(graph->exit, 0xff, count * sizeof *graph->exit);
    for (uint32_t n = 0; n < count; n++)
        if (returns(graph, &graph->nodes.at[n])) offer(graph, &queue, n, node_length(&graph->nodes.at[n]));
    while (queue.count) {
        struct priority_item item = priority_pop(&queue);
        if (final[item.value]) continue;
        final[item.value] = 1;
        leave_backwards(graph, &queue, final, item.value);
    }
    DELETE_ARRAY(final, count + 1);
    priority_free(&queue);
}

static void find_jump_distances(struct graph *graph) {
    if (!graph->landings.count) return;
    uint32_t count = graph->nodes.count;
    uint32_t *tail = NEW_ARRAY(uint32_t, count);
    graph->to_jump = NEW_ARRAY(uint32_t, count);
    memset(graph->to_jump, 0xff, count * sizeof *graph->to_jump);
    memset(tail, 0xff, count * sizeof *tail);
    for (uint32_t n = 0; n < count; n++) {
        const struct graph_node *node = &graph->nodes.at[n];
        const struct ir_insn *last = &graph->program->functions[node->function].code[node->end - 1];
        if (flow_of(graph, last) == IR_FLOW_LONGJMP) graph->to_jump[n] = node_length(node);
    }
    graph_spread(graph, graph->to_jump, tail);
    DELETE_ARRAY(tail, count);
}

// ---- the call graph from the entry

static void find_depths(struct graph *graph) {
    const struct ir_program *program = graph->program;
    vec(uint32_t) list = {0};
    for (uint32_t f = 0; f < program->function_count; f++) graph->functions[f].depth = UINT32_MAX;
    const struct ir_function *entry = ir_find_function(program, "__tamar_start");
    if (!entry || !entry->code) entry = ir_find_function(program, "main");
    if (entry && entry->code) {
        graph->functions[entry->index].depth = 0;
        vec_push(&list, entry->index);
    }
    for (uint32_t at = 0; at < list.count; at++) {
        const struct graph_function *function = &graph->functions[list.at[at]];
        for (uint32_t i = 0; i < function->node_count; i++) {
            uint32_t c = graph->nodes.at[function->first_node + i].call;
            if (c == NO_NODE) continue;
            const struct graph_call *call = &graph->calls.at[c];
            for (uint32_t k = 0; k < call->callee_count; k++) {
                uint32_t callee = graph->callees.at[call->first_callee + k];
                if (graph->functions[callee].depth != UINT32_MAX) continue;
                graph->functions[callee].depth = function->depth + 1;
                vec_push(&list, callee);
            }
        }
    }
    vec_free(&list);
}

static void find_taken(struct graph *graph) {
    uint8_t *taken = NEW_ARRAY(uint8_t, graph->program->function_count);
    ir_find_taken(graph->program, false, taken);
    for (uint32_t f = 0; f < graph->program->function_count; f++)
        graph->functions[f].address_taken = taken[f];
    DELETE_ARRAY(taken, graph->program->function_count);
}

// ---- the interface

struct graph *graph_new(const struct ir_program *program) {
    struct graph *graph = NEW(struct graph);
    graph->program = program;
    graph->functions = NEW_ARRAY(struct graph_function, program->function_count);
    find_taken(graph);
    for (uint32_t f = 0; f < program->function_count; f++)
        if (program->functions[f].code) make_nodes(graph, &program->functions[f]);
    make_calls(graph);
    make_callers(graph);
    make_landings(graph);
    find_jumpers(graph);
    make_edges(graph);
    find_exits(graph);
    find_jump_distances(graph);
    find_depths(graph);
    return graph;
}

void graph_free(struct graph *graph) {
    if (!graph) return;
    DELETE_ARRAY(graph->exit, graph->nodes.count);
    if (graph->to_jump) DELETE_ARRAY(graph->to_jump, graph->nodes.count);
    DELETE_ARRAY(graph->functions, graph->program->function_count);
    vec_free(&graph->nodes);
    vec_free(&graph->calls);
    vec_free(&graph->callees);
    vec_free(&graph->callers);
    vec_free(&graph->landings);
    vec_free(&graph->before);
    DELETE(graph);
}

uint32_t graph_caller_count(const struct graph *graph, uint32_t function) {
    return graph->functions[function].caller_count;
}

struct ir_point graph_caller(const struct graph *graph, uint32_t function, uint32_t index) {
    const struct graph_function *one = &graph->functions[function];
    assert(index < one->caller_count);
    const struct graph_call *call = &graph->calls.at[graph->callers.at[one->first_caller + index]];
    const struct graph_node *node = &graph->nodes.at[call->node];
    return (struct ir_point){node->function, node->end - 1};
}

uint32_t graph_call_depth(const struct graph *graph, uint32_t function) {
    return graph->functions[function].depth;
}
