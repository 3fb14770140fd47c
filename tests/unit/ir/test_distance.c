// Distances against an explicit search, which visits every configuration (a whole call stack) of a small random program
// in order of cost.
#include "../check.h"

#include "base/hash.h"
#include "base/priority.h"
#include "ir/distance.h"
#include "random_program.h"

#define MOST_DEPTH   9
#define MOST_CONFIGS 60000u

struct configuration {
    uint32_t depth;                     // number of frames
    struct ir_point frames[MOST_DEPTH]; // the last one is on top; the others are at their calls
};

struct search {
    const struct ir_program *program;
    uint8_t *taken;      // per function: its address is taken
    uint32_t most_depth; // deeper stacks cannot be on a shortest path
    vec(struct configuration) all;
    vec(uint32_t) costs;
    struct map known; // hash of a configuration to its index
    struct priority queue;
};

static void reach(struct search *search, const struct configuration *to, uint32_t cost) {
    uint64_t hash = hash_bytes(to->frames, to->depth * sizeof *to->frames, to->depth) >> 1;
    uint64_t *index = map_get(&search->known, hash);
    if (!index) {
        vec_push(&search->all, *to);
        vec_push(&search->costs, UINT32_MAX);
        index = map_put(&search->known, hash);
        *index = search->all.count - 1;
    }
    if (cost >= search->costs.at[*index]) return;
    search->costs.at[*index] = cost;
    priority_push(&search->queue, cost, (uint32_t)*index);
}

static void reach_at(struct search *search, const struct configuration *from, uint32_t instruction,
                     uint32_t cost) {
    struct configuration to = *from;
    to.frames[to.depth - 1].instruction = instruction;
    reach(search, &to, cost);
}

static void enter(struct search *search, const struct configuration *from, uint32_t callee, uint32_t cost) {
    if (from->depth == search->most_depth) return;
    struct configuration to = *from;
    to.frames[to.depth++] = (struct ir_point){callee, 0};
    reach(search, &to, cost);
}

static void jump(struct search *search, const struct configuration *from, uint32_t setjmp, uint32_t cost) {
    for (uint32_t d = from->depth; d; d--) {
        struct configuration to = *from;
        to.depth = d;
        const struct ir_function *function = &search->program->functions[to.frames[d - 1].function];
        for (uint32_t i = 0; i < function->code_count; i++)
            if (function->code[i].op == IR_CALL && function->code[i].a == setjmp)
                reach_at(search, &to, i + 1, cost);
    }
}

static void call(struct search *search, const struct configuration *from, uint32_t callee, uint32_t bodies,
                 uint32_t cost) {
    uint32_t next = from->frames[from->depth - 1].instruction + 1;
    if (callee < bodies)
        enter(search, from, callee, cost);
    else if (callee == bodies + BUILTIN_LONGJMP)
        jump(search, from, bodies + BUILTIN_SETJMP, cost);
    else if (callee != bodies + BUILTIN_EXIT)
        reach_at(search, from, next, cost);
}

static void expand(struct search *search, uint32_t index) {
    struct configuration from = search->all.at[index];
    struct ir_point top = from.frames[from.depth - 1];
    const struct ir_insn *insn = &search->program->functions[top.function].code[top.instruction];
    uint32_t cost = search->costs.at[index] + 1, bodies = search->program->function_count - BUILTINS;
    bool any = false;
    switch (insn->op) {
    case IR_JMP: reach_at(search, &from, insn->a, cost); break;
    case IR_BR:
        reach_at(search, &from, insn[1].a, cost + 1);
        reach_at(search, &from, insn[1].b, cost + 1);
        break;
    case IR_CALL: call(search, &from, insn->a, bodies, cost); break;
    case IR_CALL_R:
        for (uint32_t f = 0; f < bodies; f++) {
            if (search->taken[f]) enter(search, &from, f, cost);
            any |= search->taken[f];
        }
        if (!any) reach_at(search, &from, top.instruction + 1, cost);
        break;
    case IR_RET:
        if (--from.depth) reach_at(search, &from, from.frames[from.depth - 1].instruction + 1, cost);
        break;
    case IR_UNREACHABLE: break;
    default: reach_at(search, &from, top.instruction + 1, cost); break;
    }
}

static bool is_target(struct ir_point place, const struct ir_point *targets, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (targets[i].function == place.function && targets[i].instruction == place.instruction) return true;
    return false;
}

// Finds the least distance by explicit search. Returns false if there are too many configurations.
static bool search_explicitly(struct search *search, const struct configuration *from,
                              const struct ir_point *targets, uint32_t count, uint32_t *distance) {
    bool done = false, known = true;
    *distance = DISTANCE_NONE;
    reach(search, from, 0);
    while (search->queue.count && !done && known) {
        struct priority_item item = priority_pop(&search->queue);
        if (item.key != search->costs.at[item.value]) continue;
        const struct configuration *at = &search->all.at[item.value];
        done = is_target(at->frames[at->depth - 1], targets, count);
        if (done)
            *distance = item.key;
        else
            expand(search, item.value);
        known = search->all.count < MOST_CONFIGS;
    }
    vec_free(&search->all);
    vec_free(&search->costs);
    map_free(&search->known);
    priority_free(&search->queue);
    return known;
}

static void find_taken(struct search *search) {
    for (uint32_t f = 0; f < search->program->function_count; f++)
        for (uint32_t i = 0; i < search->program->functions[f].code_count; i++) {
            const struct ir_insn *insn = &search->program->functions[f].code[i];
            if (insn->op == IR_IMM && insn->a >= IR_CODE_BASE)
                search->taken[(insn->a - IR_CODE_BASE) / 16] = 1;
        }
}

static struct ir_point random_place(struct random *random, const struct ir_program *program, uint32_t f) {
    const struct ir_function *function = &program->functions[f];
    uint32_t i;
    do i = (uint32_t)random_below(random, function->code_count);
    while (function->code[i].op == IR_EXTRA);
    return (struct ir_point){f, i};
}

// Makes a possible stack: each frame except the top one is at a call that may enter the next function.
static struct configuration random_stack(struct random *random, const struct ir_program *program,
                                         const struct graph *graph, uint32_t bodies) {
    uint32_t f = (uint32_t)random_below(random, bodies);
    struct ir_point places[3] = {random_place(random, program, f)};
    uint32_t count = 1;
    while (count < 3 && graph_caller_count(graph, f)) {
        uint32_t which = (uint32_t)random_below(random, graph_caller_count(graph, f));
        places[count] = graph_caller(graph, f, which);
        f = places[count++].function;
    }
    struct configuration stack = {.depth = count};
    for (uint32_t i = 0; i < count; i++) stack.frames[i] = places[count - 1 - i];
    return stack;
}

static uint32_t ask(const struct distance *distance, const struct configuration *stack) {
    struct distance_walk walk = distance_walk(distance, stack->frames[stack->depth - 1]);
    for (uint32_t d = stack->depth - 1; d; d--)
        if (!distance_return(distance, &walk, stack->frames[d - 1])) break;
    return walk.best;
}

static void try_program(struct random *random, bool jumps, unsigned *compared, unsigned *finite) {
    uint32_t bodies = 1 + (uint32_t)random_below(random, 3);
    struct ir_program *program = random_program(random, bodies, jumps);
    const char *problem = ir_verify(program);
    if (problem) print_error("%s\n", problem);
    assert_null(problem);
    struct graph *graph = graph_new(program);
    struct distance *distance = distance_new(graph);
    struct ir_point targets[2];
    uint32_t count = 1 + (uint32_t)random_below(random, 2);
    for (uint32_t i = 0; i < count; i++)
        targets[i] = random_place(random, program, (uint32_t)random_below(random, bodies));
    distance_set(distance, targets, count);
    for (unsigned i = 0; i < 4; i++) {
        struct configuration stack = random_stack(random, program, graph, bodies);
        uint8_t taken[8] = {0};
        struct search search = {
            .program = program, .taken = taken, .most_depth = MIN(MOST_DEPTH, stack.depth + 2 * bodies)};
        find_taken(&search);
        uint32_t expected, got = ask(distance, &stack);
        if (!search_explicitly(&search, &stack, targets, count, &expected)) continue;
        ++*compared;
        *finite += expected != DISTANCE_NONE;
        if (jumps)
            assert_true(got <= expected); // a jump may be counted as shorter than it is, never as impossible
        else
            assert_int_equal(got, expected);
    }
    distance_free(distance);
    graph_free(graph);
    ir_program_free(program);
}

static void as_explicit_search(void **unused) {
    struct random random = {11};
    unsigned compared = 0, finite = 0;
    for (unsigned i = 0; i < 3000; i++) try_program(&random, false, &compared, &finite);
    assert_true(compared > 8000 && finite > 2000); // enough distances were compared
}

static void jumps_are_never_missed(void **unused) {
    struct random random = {12};
    unsigned compared = 0, finite = 0;
    for (unsigned i = 0; i < 3000; i++) try_program(&random, true, &compared, &finite);
    assert_true(compared > 6000 && finite > 2000);
}

static void targets_can_go(void **unused) {
    struct random random = {13};
    for (unsigned i = 0; i < 200; i++) {
        struct ir_program *program = random_program(&random, 3, false);
        struct graph *graph = graph_new(program);
        struct distance *one = distance_new(graph), *two = distance_new(graph);
        struct ir_point targets[2] = {random_place(&random, program, 1), random_place(&random, program, 2)};
        distance_set(one, targets, 2);
        distance_set(one, targets, 1); // as if the second target had never been set
        distance_set(two, targets, 1);
        for (unsigned k = 0; k < 10; k++) {
            struct configuration stack = random_stack(&random, program, graph, 3);
            assert_int_equal(ask(one, &stack), ask(two, &stack));
        }
        distance_set(one, NULL, 0);
        assert_int_equal(distance_within(one, targets[0]), DISTANCE_NONE);
        distance_free(one);
        distance_free(two);
        graph_free(graph);
        ir_program_free(program);
    }
}

static void inside_one_function(void **unused) {
    struct random random = {14};
    for (unsigned i = 0; i < 500; i++) {
        struct ir_program *program = random_program(&random, 3, false);
        struct graph *graph = graph_new(program);
        struct distance *distance = distance_new(graph);
        struct ir_point target = random_place(&random, program, 1);
        distance_set(distance, &target, 1);
        for (uint32_t f = 0; f < 3; f++) {
            struct ir_point place = random_place(&random, program, f);
            uint32_t intra = distance_intra(distance, place);
            assert_true(intra >= distance_within(distance, place));
            if (f != 1) assert_int_equal(intra, DISTANCE_NONE);
        }
        assert_int_equal(distance_intra(distance, target), 0);
        distance_free(distance);
        graph_free(graph);
        ir_program_free(program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_explicit_search),
        cmocka_unit_test(jumps_are_never_missed),
        cmocka_unit_test(targets_can_go),
        cmocka_unit_test(inside_one_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
