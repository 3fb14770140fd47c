#include "explore/reach.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"
#include "expr/print_term.h"
#include "search/target_distance.h"
#include "state/state_distance.h"

#define LONGEST_CONDITION 400

const char *const reach_outcome_names[] = {
#define OUTCOME(name, text) [TARGET_##name] = text,
    TARGET_OUTCOMES(OUTCOME)
#undef OUTCOME
};

struct reach {
    struct targets *targets;
    const struct ir_program *program;
    const int *kinds;
    bool only; // the run searches for nothing but the targets
    struct target_result *results;
    uint8_t *has_way;  // per target: some initial state has a path to it in the graph
    uint32_t progress; // most ordered targets that one path has visited
    struct arena *arena;
    struct map infeasible;  // edge -> text of the condition that was infeasible; 0: the edge may be feasible
    uint32_t *edge_to;      // per edge: the function of its destination
    uint32_t *block_starts; // per block: its first instruction
};

// Computes the destination of each edge as a program point.
static void find_blocks(struct reach *reach) {
    const struct ir_program *program = reach->program;
    uint32_t *functions = ARENA_ARRAY(reach->arena, uint32_t, program->block_count);
    reach->block_starts = ARENA_ARRAY(reach->arena, uint32_t, program->block_count);
    reach->edge_to = ARENA_ARRAY(reach->arena, uint32_t, program->edge_count);
    for (uint32_t f = 0; f < program->function_count; f++)
        for (uint32_t b = 0; b < program->functions[f].block_count; b++) {
            functions[program->functions[f].first_block + b] = f;
            reach->block_starts[program->functions[f].first_block + b] =
                program->functions[f].blocks[b].start;
        }
    for (uint32_t e = 0; e < program->edge_count; e++) reach->edge_to[e] = functions[program->edges[e].to];
}

static struct ir_point edge_end(const struct reach *reach, uint32_t edge) {
    assert(edge < reach->program->edge_count);
    return (struct ir_point){reach->edge_to[edge], reach->block_starts[reach->program->edges[edge].to]};
}

struct reach *reach_new(struct targets *targets, const struct ir_program *program, bool only,
                        const int *kinds) {
    if (!targets) return NULL;
    struct reach *reach = NEW(struct reach);
    *reach = (struct reach){
        .targets = targets, .program = program, .only = only, .kinds = kinds, .arena = arena_new()};
    reach->results = ARENA_ARRAY(reach->arena, struct target_result, targets_count(targets));
    reach->has_way = ARENA_ARRAY(reach->arena, uint8_t, targets_count(targets));
    for (uint32_t i = 0; i < targets_count(targets); i++) {
        reach->results[i].nearest = DISTANCE_NONE;
        reach->results[i].blocked.instruction = UINT32_MAX;
    }
    find_blocks(reach);
    return reach;
}

void reach_free(struct reach *reach) {
    if (!reach) return;
    map_free(&reach->infeasible);
    arena_free(reach->arena);
    DELETE(reach);
}

void reach_add_initial(struct reach *reach, const struct state *state) {
    for (uint32_t t = 0; t < targets_count(reach->targets); t++)
        reach->has_way[t] |= target_distance_to(reach->targets, t, state) != DISTANCE_NONE;
}

void reach_start(struct reach *reach) {
    for (uint32_t t = 0; t < targets_count(reach->targets); t++) {
        if (reach->has_way[t] || reach->results[t].outcome == TARGET_REACHED) continue;
        reach->results[t].outcome = TARGET_UNREACHABLE;
        reach->results[t].no_way = true;
        targets_close(reach->targets, t);
    }
}

// ---- during the search

bool reach_marked(struct reach *reach, struct state *state, uint32_t mark) {
    uint32_t count;
    const uint32_t *order = targets_order(reach->targets, &count);
    if (!order)
        return targets_is_open(reach->targets, mark) && reach->results[mark].outcome != TARGET_REACHED;
    if (state->coverage.progress >= count || order[state->coverage.progress] != mark) return false;
    return ++state->coverage.progress > reach->progress;
}

void reach_found(struct reach *reach, uint32_t mark, uint32_t test, double seconds, uint64_t instructions) {
    assert(mark < targets_count(reach->targets) && test);
    struct target_result *result = &reach->results[mark];
    uint32_t count;
    bool ordered = targets_order(reach->targets, &count) != NULL;
    reach->progress++;
    result->outcome = TARGET_REACHED;
    result->test = test;
    result->seconds = seconds;
    result->instructions = instructions;
    bool wants_bug = reach->kinds && reach->kinds[mark] >= 0;
    if (!ordered && !wants_bug) targets_close(reach->targets, mark);
}

void reach_learn(struct reach *reach, uint32_t mark, bool reached, bool bug, bool no_way) {
    assert(mark < targets_count(reach->targets));
    struct target_result *result = &reach->results[mark];
    bool wants_bug = reach->kinds && reach->kinds[mark] >= 0;
    if (reached && result->outcome != TARGET_REACHED) {
        result->outcome = TARGET_REACHED;
        reach->progress++;
    }
    if (no_way && result->outcome == TARGET_NOT_FOUND) {
        result->outcome = TARGET_UNREACHABLE;
        result->no_way = true;
    }
    bool ordered = targets_order(reach->targets, &(uint32_t){0}) != NULL;
    bool over = no_way || (wants_bug ? bug : reached && !ordered);
    if (over && targets_is_open(reach->targets, mark)) targets_close(reach->targets, mark);
}

void reach_renumber(struct reach *reach, const uint32_t *numbers, uint32_t count) {
    for (uint32_t t = 0; t < targets_count(reach->targets); t++) {
        struct target_result *result = &reach->results[t];
        if (result->test && result->test <= count) result->test = numbers[result->test];
        if (result->bug && result->bug <= count) result->bug = numbers[result->bug];
    }
}

static const struct ir_location *location_at(const struct reach *reach, struct ir_point point) {
    const struct ir_function *function = &reach->program->functions[point.function];
    uint32_t location = function->locations[point.instruction];
    return &reach->program->locations[location ? location : function->location]; // 0: a mark at the entry
}

void reach_bug(struct reach *reach, enum bug_kind kind, struct ir_point point, uint32_t test) {
    const struct ir_location *at = location_at(reach, point);
    for (uint32_t t = 0; reach->kinds && t < targets_count(reach->targets); t++) {
        uint32_t count;
        const struct ir_point *points = targets_points(reach->targets, t, &count);
        if (reach->kinds[t] != (int)kind || !count || reach->results[t].bug) continue;
        const struct ir_location *own = location_at(reach, points[0]);
        if (own->line != at->line || own->file != at->file) continue;
        reach->results[t].bug = test;
        if (targets_is_open(reach->targets, t)) targets_close(reach->targets, t);
    }
}

bool reach_trace_done(const struct reach *reach) {
    uint32_t count;
    return targets_order(reach->targets, &count) && reach->progress >= count;
}

// Keeps only the first condition of an edge, so that its text is made once. Keeps none if the edge may be feasible.
void reach_note_infeasible(struct reach *reach, struct terms *terms, uint32_t edge, Term condition) {
    const uint64_t *known = map_get(&reach->infeasible, edge);
    if (known && (condition || !*known)) return;
    if (distance_within(targets_distance(reach->targets), edge_end(reach, edge)) == DISTANCE_NONE) return;
    if (!condition) {
        *map_put(&reach->infeasible, edge) = 0;
        return;
    }
    struct text text = {0};
    term_print(terms, &text, condition);
    if (text.count > LONGEST_CONDITION) text.at[LONGEST_CONDITION] = 0;
    *map_put(&reach->infeasible, edge) = (uint64_t)(uintptr_t)arena_strdup(reach->arena, text.at);
    text_free(&text);
}

bool reach_is_dead_end(struct reach *reach, const struct state *state) {
    if (!reach->only || state->threads.waiting) return false; // another thread may reach it
    return target_distance(reach->targets, state) == DISTANCE_NONE;
}

bool reach_done(const struct reach *reach) {
    uint32_t count;
    if (!reach->only) return false;
    if (targets_order(reach->targets, &count)) return reach->progress >= count;
    return !targets_open_count(reach->targets);
}

// ---- the end: obstacles

static void find_blocking(struct reach *reach, uint32_t target, const uint8_t *edges_seen,
                          const uint32_t *deferred, const uint8_t *entered) {
    const struct ir_program *program = reach->program;
    const struct distance *distance = targets_distance_to(reach->targets, target);
    struct target_result *result = &reach->results[target];
    for (uint32_t e = 0; e < program->edge_count; e++) {
        if (edges_seen[e] || !entered[program->edges[e].from]) continue;
        uint32_t far = distance_within(distance, edge_end(reach, e));
        if (far >= result->nearest) continue;
        const struct ir_function *function = &program->functions[reach->edge_to[e]];
        const struct ir_block *from = &function->blocks[program->edges[e].from - function->first_block];
        uint32_t last = from->end - 1;
        if (function->code[last].op == IR_EXTRA) last--;
        const uint64_t *text = deferred[program->edges[e].from] ? NULL : map_get(&reach->infeasible, e);
        result->nearest = far;
        result->blocked = (struct ir_point){function->index, last};
        result->blocked_edge = e;
        result->condition = text ? (const char *)(uintptr_t)*text : NULL; // NOLINT(performance-no-int-to-ptr)
    }
}

void reach_end(struct reach *reach, const uint8_t *edges_seen, const uint32_t *deferred, bool decided) {
    const struct ir_program *program = reach->program;
    uint8_t *entered = NEW_ARRAY(uint8_t, program->block_count);
    for (uint32_t e = 0; e < program->edge_count; e++)
        if (edges_seen[e]) entered[program->edges[e].from] = entered[program->edges[e].to] = 1;
    for (uint32_t t = 0; t < targets_count(reach->targets); t++) {
        struct target_result *result = &reach->results[t];
        if (result->outcome != TARGET_NOT_FOUND) continue;
        if (decided) result->outcome = TARGET_UNREACHABLE;
        find_blocking(reach, t, edges_seen, deferred, entered);
    }
    DELETE_ARRAY(entered, program->block_count);
}

const struct target_result *reach_results(const struct reach *reach, uint32_t *count) {
    *count = reach ? targets_count(reach->targets) : 0;
    return reach ? reach->results : NULL;
}

void reach_add_obstacle(struct text *to, const struct ir_program *program,
                        const struct target_result *result) {
    if (result->blocked.instruction == UINT32_MAX) return;
    const struct ir_function *function = &program->functions[result->blocked.function];
    const struct ir_insn *insn = &function->code[result->blocked.instruction];
    const struct ir_location *at = &program->locations[function->locations[result->blocked.instruction]];
    text_add(to, "at %s:%u:%u in %s, ", program->files[at->file], at->line, at->column, function->name);
    const char *side = insn->op == IR_SWITCH || insn->op == IR_GOTO ? "one case"
                       : result->blocked_edge == insn[1].dst        ? "the condition"
                                                                    : "the condition's opposite";
    if (result->condition)
        text_add(to, "the condition to reach it was %s: %s",
                 result->outcome == TARGET_UNREACHABLE ? "never satisfiable"
                                                       : "not satisfiable on a path to this branch",
                 result->condition);
    else
        text_add(to, "%s leads to it, but no path took that side", side);
}
