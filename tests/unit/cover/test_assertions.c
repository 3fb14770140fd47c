// Assertions of random programs. The expected verdict of a failing block is computed from the branches at its location
// (of a task, or without locations: from the edges that lead to it) and the positions executed in it.
#include "../check.h"
#include "../ir/random_program.h"
#include "cover/assertions.h"

#include <string.h>

#define MOST           64
#define MOST_POSITIONS 4096

// Returns the first call of `callee` in the block; UINT32_MAX: none.
static uint32_t call_of(const struct ir_function *function, uint32_t block, uint32_t callee) {
    for (uint32_t i = function->blocks[block].start; i < function->blocks[block].end;
         i += ir_op_info[function->code[i].op].words)
        if (function->code[i].op == IR_CALL && function->code[i].a == callee) return i;
    return UINT32_MAX;
}

static bool is_left(const struct ir_program *program, const uint8_t *taken, uint32_t block) {
    for (uint32_t e = 0; e < program->edge_count; e++)
        if (program->edges[e].from == block && taken[e]) return true;
    return false;
}

struct known {
    const uint8_t *taken, *undecided, *positions;
    bool complete, task;
};

// Whether leaving block `b` of the function evaluates the assertion whose failing call has this location.
static bool is_evaluated(const struct ir_function *function, uint32_t b, uint32_t place) {
    uint32_t last = 0;
    for (uint32_t i = function->blocks[b].start; i < function->blocks[b].end;
         i += ir_op_info[function->code[i].op].words)
        last = function->locations[i];
    return !function->runtime && last == place;
}

struct verdict {
    bool open, reached;
};

static void add_block(const struct ir_program *program, const struct known *known, uint32_t block,
                      struct verdict *verdict) {
    verdict->open |= known->undecided && known->undecided[block];
    verdict->reached |= is_left(program, known->taken, block);
}

static void judge(const struct ir_program *program, const struct known *known,
                  const struct ir_function *function, uint32_t b, uint32_t call,
                  struct assertion_counts *counts) {
    uint32_t block = function->first_block + b;
    bool failed = is_left(program, known->taken, block), entered = false;
    struct verdict verdict = {0};
    uint32_t place = function->locations[call];
    for (uint32_t i = call; i < function->blocks[b].end; i++)
        failed |= known->positions[function->first_position + i];
    for (uint32_t e = 0; e < program->edge_count; e++) {
        if (program->edges[e].to != block) continue;
        entered |= known->taken[e] != 0;
        bool undecided = known->undecided && known->undecided[program->edges[e].from];
        if (!place || known->task || undecided) add_block(program, known, program->edges[e].from, &verdict);
    }
    for (uint32_t f = 0; place && !known->task && f < 3; f++)
        for (uint32_t i = 0; i < program->functions[f].block_count; i++)
            if (is_evaluated(&program->functions[f], i, place))
                add_block(program, known, program->functions[f].first_block + i, &verdict);
    bool open = verdict.open || (verdict.reached && !known->complete);
    counts->failed += failed;
    counts->open += !failed && open;
    counts->proved +=
        !failed && !open && verdict.reached && !entered; // if entered, it ended before the assertion
}

static void place_functions(struct random *random, struct ir_program *program) {
    uint32_t next = 1;
    program->location_count = 6; // only the numbers matter
    for (uint32_t f = 0; f < 3; f++) {
        program->functions[f].first_position = next;
        next += program->functions[f].code_count;
        for (uint32_t i = 0; i < program->functions[f].code_count; i++)
            program->functions[f].locations[i] = (uint32_t)random_below(random, 6);
    }
    assert_true(next <= MOST_POSITIONS);
}

static uint32_t check_program(uint64_t seed, const char *name) {
    struct random random = {seed};
    struct ir_program *program = random_program(&random, 3, false);
    uint8_t taken[MOST] = {0}, undecided[MOST] = {0}, failing[MOST] = {0}, positions[MOST_POSITIONS];
    uint32_t callee = 3 + BUILTIN_PLAIN, found = 0;
    assert_true(program->edge_count <= MOST && program->block_count <= MOST);
    program->functions[callee].name = name;
    program->functions[2].runtime = seed % 2; // not user code
    place_functions(&random, program);
    assertions_blocks(program, failing);
    for (unsigned round = 0; round < 40; round++) {
        struct assertion_counts expected = {0};
        for (uint32_t e = 0; e < program->edge_count; e++) taken[e] = random_below(&random, 3) == 0;
        for (uint32_t b = 0; b < program->block_count; b++) undecided[b] = random_below(&random, 4) == 0;
        for (uint32_t i = 1; i < MOST_POSITIONS; i++) positions[i] = random_below(&random, 30) == 0;
        positions[0] = 1; // as in the VM
        struct known known = {taken, round % 2 ? undecided : NULL, positions, round % 3 != 0,
                              !strcmp(name, "reach_error") || !strcmp(name, "__VERIFIER_error")};
        found = 0;
        for (uint32_t f = 0; f < 3; f++)
            for (uint32_t b = 0; b < program->functions[f].block_count; b++) {
                const struct ir_function *function = &program->functions[f];
                uint32_t call = function->runtime ? UINT32_MAX : call_of(function, b, callee);
                bool fails = call != UINT32_MAX && strcmp(name, "plain") != 0;
                assert_int_equal(failing[function->first_block + b], fails);
                if (fails) judge(program, &known, function, b, call, &expected), found++;
            }
        struct assertion_facts facts = {.program = program,
                                        .seen = {.edges = taken, .positions = positions},
                                        .undecided = known.undecided,
                                        .complete = known.complete};
        struct assertion_counts counts = assertions_count(&facts);
        assert_int_equal(counts.failed, expected.failed);
        assert_int_equal(counts.open, expected.open);
        assert_int_equal(counts.proved, expected.proved);
    }
    assert_int_equal(assertions_is_task(program), !strcmp(name, "__VERIFIER_error"));
    program->location_count = 1;
    ir_program_free(program);
    return found;
}

static void test_random_programs(void **state) {
    static const char *const names[] = {"__assert_fail", "tamar_assert_failed", "reach_error",
                                        "__VERIFIER_error", "plain"};
    for (unsigned i = 0; i < COUNT(names); i++) {
        uint32_t found = 0;
        for (uint64_t seed = 1; seed <= 80; seed++) found += check_program(seed, names[i]);
        assert_int_equal(found > 0, i < 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
