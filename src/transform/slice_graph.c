#include "transform/slice_graph.h"

#include "base/alloc.h"

#include <string.h>

// Enumerates paths from the entry without recursion: `next` is the next edge to follow from each block of the path.
struct slice_walk {
    const struct slice_graph *graph;
    uint64_t steps; // remaining steps
    uint32_t *path, *next, length;
    bool *on_path;
};

static struct slice_walk walk_new(const struct slice_graph *graph, uint64_t steps) {
    struct slice_walk walk = {.graph = graph,
                              .steps = steps,
                              .path = NEW_ARRAY(uint32_t, graph->count),
                              .next = NEW_ARRAY(uint32_t, graph->count),
                              .on_path = NEW_ARRAY(bool, graph->count)};
    return walk;
}

static void walk_free(struct slice_walk *walk) {
    DELETE_ARRAY(walk->path, walk->graph->count);
    DELETE_ARRAY(walk->next, walk->graph->count);
    DELETE_ARRAY(walk->on_path, walk->graph->count);
}

static void enter(struct slice_walk *walk, uint32_t block) {
    walk->path[walk->length] = block;
    walk->next[walk->length++] = walk->graph->first[block];
    walk->on_path[block] = true;
}

static void leave(struct slice_walk *walk) { walk->on_path[walk->path[--walk->length]] = false; }

// Finds the next acyclic path to a sink or to a cut edge. Returns false if there are no more, or no steps are left.
static bool next_path(struct slice_walk *walk) {
    const struct slice_graph *graph = walk->graph;
    while (walk->length) {
        uint32_t block = walk->path[walk->length - 1], *edge = &walk->next[walk->length - 1];
        bool is_sink = graph->first[block] == graph->first[block + 1];
        if (is_sink && *edge == graph->first[block]) {
            *edge = UINT32_MAX; // marks the block as visited
            return true;
        }
        if (is_sink || *edge >= graph->first[block + 1]) {
            leave(walk);
            continue;
        }
        if (!walk->steps) return false;
        walk->steps--;
        uint32_t taken = (*edge)++;
        if (graph->cut[taken]) return true;
        if (!walk->on_path[graph->to[taken]]) enter(walk, graph->to[taken]);
    }
    return false;
}

static uint32_t half(uint32_t length) { return (length + 1) / 2; }

static bool cut(struct slice_graph *graph, uint32_t edge, struct slice_result *result) {
    if (graph->cut[edge] || (graph->fixed && graph->fixed[edge])) return false;
    graph->cut[edge] = true;
    result->cuts++;
    return true;
}

// Cuts all edges of the last of the `kept` blocks, so that the path ends there without a branch. Returns false if none
// could be cut.
static bool cut_path(struct slice_graph *graph, const uint32_t *path, uint32_t length, uint32_t kept,
                     struct slice_result *result) {
    bool any = false;
    if (kept >= length) return false;
    for (uint32_t e = graph->first[path[kept - 1]]; e < graph->first[path[kept - 1] + 1]; e++)
        any |= cut(graph, e, result);
    return any;
}

// Stores the longest acyclic path in `longest` and returns its length.
static uint32_t find_longest(const struct slice_graph *graph, uint64_t *steps, uint32_t *longest) {
    struct slice_walk walk = walk_new(graph, *steps);
    uint32_t length = 0;
    enter(&walk, 0);
    while (next_path(&walk)) {
        if (walk.length <= length) continue;
        length = walk.length;
        memcpy(longest, walk.path, length * sizeof *longest);
    }
    *steps = walk.steps;
    walk_free(&walk);
    return length;
}

// Mode 1: enumerates the paths of the uncut graph; the cuts are collected separately and applied at the end.
static void cut_all_paths(struct slice_graph *graph, uint64_t steps, struct slice_result *result) {
    uint32_t edges = graph->first[graph->count];
    struct slice_walk walk = walk_new(graph, steps);
    bool *wanted = NEW_ARRAY(bool, edges);
    enter(&walk, 0);
    while (next_path(&walk)) {
        uint32_t kept = half(walk.length), last = walk.path[kept - 1];
        result->longest = MAX(result->longest, walk.length);
        for (uint32_t e = graph->first[last]; kept < walk.length && e < graph->first[last + 1]; e++)
            wanted[e] = true;
    }
    result->out_of_steps = walk.steps == 0;
    for (uint32_t e = 0; e < edges; e++)
        if (wanted[e]) cut(graph, e, result);
    DELETE_ARRAY(wanted, edges);
    walk_free(&walk);
}

// Modes 2 and 3.
static void cut_longest(struct slice_graph *graph, bool again, uint64_t steps, struct slice_result *result) {
    uint32_t *path = NEW_ARRAY(uint32_t, graph->count), kept = 0;
    for (bool first = true; first || again; first = false) {
        uint32_t length = find_longest(graph, &steps, path);
        if (first) result->longest = length, kept = half(length);
        if (length <= kept || !cut_path(graph, path, length, kept, result)) break;
        if (!steps) break;
    }
    result->out_of_steps = !steps;
    DELETE_ARRAY(path, graph->count);
}

// Mode 4: cuts all edges of the blocks that some path reaches as its last allowed block.
static void cut_blindly(struct slice_graph *graph, uint64_t steps, struct slice_result *result) {
    uint32_t *path = NEW_ARRAY(uint32_t, graph->count);
    bool *now = NEW_ARRAY(bool, graph->count), *then = NEW_ARRAY(bool, graph->count);
    result->longest = find_longest(graph, &steps, path);
    result->out_of_steps = !steps;
    now[0] = true;
    for (uint32_t depth = 1; depth < half(result->longest); depth++) {
        memset(then, 0, graph->count * sizeof *then);
        for (uint32_t b = 0; b < graph->count; b++)
            for (uint32_t e = graph->first[b]; now[b] && e < graph->first[b + 1]; e++)
                then[graph->to[e]] = true;
        bool *other = now;
        now = then, then = other;
    }
    for (uint32_t b = 0; b < graph->count && result->longest > 1; b++)
        for (uint32_t e = graph->first[b]; now[b] && e < graph->first[b + 1]; e++) cut(graph, e, result);
    DELETE_ARRAY(path, graph->count);
    DELETE_ARRAY(now, graph->count);
    DELETE_ARRAY(then, graph->count);
}

// Mode 5: one depth-first traversal; an edge to a block on its current path is a back edge.
static void cut_loops(struct slice_graph *graph, struct slice_result *result) {
    struct slice_walk walk = walk_new(graph, UINT64_MAX);
    bool *seen = NEW_ARRAY(bool, graph->count);
    enter(&walk, 0);
    seen[0] = true;
    while (walk.length) {
        uint32_t block = walk.path[walk.length - 1], edge = walk.next[walk.length - 1]++;
        if (edge >= graph->first[block + 1])
            leave(&walk);
        else if (walk.on_path[graph->to[edge]])
            cut(graph, edge, result);
        else if (!seen[graph->to[edge]]) {
            seen[graph->to[edge]] = true;
            enter(&walk, graph->to[edge]);
        }
    }
    DELETE_ARRAY(seen, graph->count);
    walk_free(&walk);
}

struct slice_result slice_graph(struct slice_graph *graph, unsigned mode, uint64_t steps) {
    struct slice_result result = {0};
    assert(graph->count > 0 && mode <= SLICE_MODES);
    switch (mode) {
    case 1: cut_all_paths(graph, steps, &result); break;
    case 2: cut_longest(graph, true, steps, &result); break;
    case 3: cut_longest(graph, false, steps, &result); break;
    case 4: cut_blindly(graph, steps, &result); break;
    case 5: cut_loops(graph, &result); break;
    default: break; // 0: no cuts
    }
    return result;
}
