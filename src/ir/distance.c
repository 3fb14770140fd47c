#include "ir/distance.h"

#include "base/priority.h"
#include "ir/graph_int.h"

#include <stdlib.h>

struct distance {
    const struct graph *graph;
    struct ir_point *targets; // sorted by function and instruction
    uint32_t target_count;
    uint32_t *near; // per node: distance from its start
    uint32_t *tail; // per node: distance from its end
    struct intra *intra;
};

// Distances without entering functions; computed on first use.
struct intra {
    uint32_t *near, *tail;
    bool known;
};

// ---- walking back from the targets

struct spread {
    const struct graph *graph;
    uint32_t *near, *tail;
    struct priority queue;
    bool enter; // also propagate from a function's entry to its callers
};

static void spread_to(struct spread *spread, uint32_t n, uint32_t tail) {
    if (tail >= spread->tail[n]) return;
    spread->tail[n] = tail;
    uint32_t near = add_cost(tail, node_length(&spread->graph->nodes.at[n]));
    if (near >= spread->near[n]) return;
    spread->near[n] = near;
    priority_push(&spread->queue, near, n);
}

static void spread_from(struct spread *spread, uint32_t n) {
    const struct graph *graph = spread->graph;
    const struct graph_node *node = &graph->nodes.at[n];
    uint32_t cost = spread->near[n];
    for (uint32_t i = 0; i < node->before_count; i++) {
        uint32_t entry = graph->before.at[node->first_before + i], from = entry & ~JUMP_EDGE;
        uint32_t call = graph->nodes.at[from].call;
        bool through = call != NO_NODE && !(entry & JUMP_EDGE);
        spread_to(spread, from, through ? add_cost(cost, graph->calls.at[call].through) : cost);
    }
    const struct graph_function *function = &graph->functions[node->function];
    if (n != function->first_node || !spread->enter) return;
    for (uint32_t i = 0; i < function->caller_count; i++)
        spread_to(spread, graph->calls.at[graph->callers.at[function->first_caller + i]].node, cost);
}

static void run_spread(struct spread *spread) {
    for (uint32_t n = 0; n < spread->graph->nodes.count; n++)
        if (spread->near[n] != FAR) priority_push(&spread->queue, spread->near[n], n);
    while (spread->queue.count) {
        struct priority_item item = priority_pop(&spread->queue);
        if (item.key == spread->near[item.value]) spread_from(spread, item.value);
    }
    priority_free(&spread->queue);
}

void graph_spread(const struct graph *graph, uint32_t *near, uint32_t *tail) {
    struct spread spread = {.graph = graph, .near = near, .tail = tail, .enter = true};
    run_spread(&spread);
}

// ---- targets

static int by_point(const void *a, const void *b) {
    const struct ir_point *x = a, *y = b;
    if (x->function != y->function) return x->function < y->function ? -1 : 1;
    return x->instruction < y->instruction ? -1 : x->instruction > y->instruction;
}

// The first target at or after this instruction of this function; NULL: none.
static const struct ir_point *target_from(const struct distance *distance, struct ir_point point) {
    uint32_t low = 0, high = distance->target_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (by_point(&distance->targets[middle], &point) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == distance->target_count) return NULL;
    const struct ir_point *found = &distance->targets[low];
    return found->function == point.function ? found : NULL;
}

static void clear(const struct distance *distance, uint32_t *near, uint32_t *tail) {
    const struct graph *graph = distance->graph;
    memset(near, 0xff, graph->nodes.count * sizeof *near);
    memset(tail, 0xff, graph->nodes.count * sizeof *tail);
    for (uint32_t i = 0; i < distance->target_count; i++) {
        uint32_t n = graph_node_at(graph, distance->targets[i]);
        near[n] = MIN(near[n], distance->targets[i].instruction - graph->nodes.at[n].start);
    }
}

struct distance *distance_new(const struct graph *graph) {
    struct distance *distance = NEW(struct distance);
    distance->graph = graph;
    distance->near = NEW_ARRAY(uint32_t, graph->nodes.count);
    distance->tail = NEW_ARRAY(uint32_t, graph->nodes.count);
    distance->intra = NEW(struct intra);
    clear(distance, distance->near, distance->tail);
    return distance;
}

void distance_free(struct distance *distance) {
    if (!distance) return;
    uint32_t count = distance->graph->nodes.count;
    DELETE_ARRAY(distance->near, count);
    DELETE_ARRAY(distance->tail, count);
    if (distance->intra->near) DELETE_ARRAY(distance->intra->near, count);
    if (distance->intra->tail) DELETE_ARRAY(distance->intra->tail, count);
    DELETE(distance->intra);
    if (distance->targets) DELETE_ARRAY(distance->targets, distance->target_count);
    DELETE(distance);
}

void distance_set(struct distance *distance, const struct ir_point *targets, uint32_t count) {
    if (distance->targets) DELETE_ARRAY(distance->targets, distance->target_count);
    distance->targets = count ? NEW_ARRAY(struct ir_point, count) : NULL;
    distance->target_count = count;
    if (count) memcpy(distance->targets, targets, count * sizeof *targets);
    if (count) qsort(distance->targets, count, sizeof *distance->targets, by_point);
    clear(distance, distance->near, distance->tail);
    graph_spread(distance->graph, distance->near, distance->tail);
    distance->intra->known = false;
}

uint32_t distance_target_count(const struct distance *distance) { return distance->target_count; }

// ---- queries

// The distance from an instruction in the middle of a node.
static uint32_t from_inside(const struct distance *distance, struct ir_point point, const uint32_t *tail) {
    const struct graph_node *node = &distance->graph->nodes.at[graph_node_at(distance->graph, point)];
    const struct ir_point *target = target_from(distance, point);
    if (target && target->instruction < node->end) return target->instruction - point.instruction;
    return add_cost(tail[node - distance->graph->nodes.at], node->end - point.instruction);
}

uint32_t distance_within(const struct distance *distance, struct ir_point point) {
    return from_inside(distance, point, distance->tail);
}

uint32_t distance_intra(const struct distance *distance, struct ir_point point) {
    uint32_t count = distance->graph->nodes.count;
    struct intra *intra = distance->intra;
    if (!intra->known) {
        if (!intra->near) intra->near = NEW_ARRAY(uint32_t, count);
        if (!intra->tail) intra->tail = NEW_ARRAY(uint32_t, count);
        clear(distance, intra->near, intra->tail);
        struct spread spread = {.graph = distance->graph, .near = intra->near, .tail = intra->tail};
        run_spread(&spread);
        intra->known = true;
    }
    return from_inside(distance, point, intra->tail);
}

static uint32_t exit_from(const struct graph *graph, struct ir_point point) {
    uint32_t n = graph_node_at(graph, point);
    uint32_t exit = graph->exit[n];
    return exit == FAR ? FAR : exit - (point.instruction - graph->nodes.at[n].start);
}

static uint32_t jump_from(const struct graph *graph, struct ir_point point) {
    if (!graph->to_jump) return FAR;
    uint32_t n = graph_node_at(graph, point);
    uint32_t jump = graph->to_jump[n];
    return jump == FAR ? FAR : jump - (point.instruction - graph->nodes.at[n].start);
}

struct distance_walk distance_walk(const struct distance *distance, struct ir_point top) {
    return (struct distance_walk){distance_within(distance, top), exit_from(distance->graph, top),
                                  jump_from(distance->graph, top)};
}

// The frame continues after its call or, if a frame above it calls longjmp, after one of its setjmps.
bool distance_return(const struct distance *distance, struct distance_walk *walk, struct ir_point call) {
    const struct graph *graph = distance->graph;
    const struct graph_function *function = &graph->functions[call.function];
    struct ir_point next = {call.function, call.instruction + 1};
    uint32_t passed = walk->passed, jump = walk->jump;
    walk->best = MIN(walk->best, add_cost(passed, distance_within(distance, next)));
    walk->passed = add_cost(passed, exit_from(graph, next));
    walk->jump = MIN(jump, add_cost(passed, jump_from(graph, next)));
    for (uint32_t i = 0; jump != FAR && i < function->landing_count; i++) {
        uint32_t landing = graph->landings.at[function->first_landing + i];
        walk->best = MIN(walk->best, add_cost(jump, distance->near[landing]));
        walk->passed = MIN(walk->passed, add_cost(jump, graph->exit[landing]));
    }
    return walk->passed < walk->best || walk->jump < walk->best;
}
