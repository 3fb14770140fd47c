// Assertions of random programs: each failing block is judged by itself from the edges that lead to it.
#include "../check.h"
#include "../ir/random_program.h"
#include "cover/assertions.h"

#include <string.h>

#define MOST 64

static bool calls(const struct ir_program *program, const struct ir_function *function, uint32_t block,
                  uint32_t callee) {
    for (uint32_t i = function->blocks[block].start; i < function->blocks[block].end;
         i += ir_op_info[function->code[i].op].words)
        if (function->code[i].op == IR_CALL && function->code[i].a == callee) return true;
    return false;
}

static bool is_left(const struct ir_program *program, const uint8_t *taken, uint32_t block) {
    for (uint32_t e = 0; e < program->edge_count; e++)
        if (program->edges[e].from == block && taken[e]) return true;
    return false;
}

static void judge(const struct ir_program *program, const uint8_t *taken, const uint8_t *undecided,
                  uint32_t block, struct assertion_counts *counts) {
    bool failed = false, open = false, reached = false;
    for (uint32_t e = 0; e < program->edge_count; e++) {
        if (program->edges[e].to != block) continue;
        failed |= taken[e] != 0;
        open |= undecided && undecided[program->edges[e].from];
        reached |= is_left(program, taken, program->edges[e].from);
    }
    counts->failed += failed;
    counts->open += !failed && open;
    counts->proved += !failed && !open && reached;
}

static uint32_t check_program(uint64_t seed, const char *name) {
    struct random random = {seed};
    struct ir_program *program = random_program(&random, 3, false);
    uint8_t taken[MOST] = {0}, undecided[MOST] = {0}, failing[MOST] = {0};
    uint32_t callee = 3 + BUILTIN_PLAIN, found = 0;
    assert_true(program->edge_count <= MOST && program->block_count <= MOST);
    program->functions[callee].name = name;
    program->functions[2].runtime = seed % 2; // not the program's own source
    assertion_blocks(program, failing);
    for (unsigned round = 0; round < 40; round++) {
        struct assertion_counts expected = {0};
        for (uint32_t e = 0; e < program->edge_count; e++) taken[e] = random_below(&random, 3) == 0;
        for (uint32_t b = 0; b < program->block_count; b++) undecided[b] = random_below(&random, 4) == 0;
        const uint8_t *open = round % 2 ? undecided : NULL;
        found = 0;
        for (uint32_t f = 0; f < 3; f++)
            for (uint32_t b = 0; b < program->functions[f].block_count; b++) {
                const struct ir_function *function = &program->functions[f];
                bool fails = !function->runtime && calls(program, function, b, callee);
                assert_int_equal(failing[function->first_block + b], fails && strcmp(name, "plain") != 0);
                if (failing[function->first_block + b])
                    judge(program, taken, open, function->first_block + b, &expected), found++;
            }
        struct assertion_counts counts = count_assertions(program, taken, open);
        assert_int_equal(counts.failed, expected.failed);
        assert_int_equal(counts.open, expected.open);
        assert_int_equal(counts.proved, expected.proved);
    }
    assert_int_equal(is_verification_task(program), !strcmp(name, "__VERIFIER_error"));
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
