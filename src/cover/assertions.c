#include "cover/assertions.h"

#include "base/memory.h"

#include <string.h>

// What a failing assertion calls: assert, tamar_assert and its kin, the competitions' tasks.
static bool is_failure(const struct ir_function *callee) {
    static const char *const names[] = {"__assert_fail", "tamar_assert_failed", "reach_error",
                                        "__VERIFIER_error"};
    for (unsigned i = 0; i < COUNT(names); i++)
        if (!strcmp(callee->name, names[i])) return true;
    return false;
}

bool is_verification_task(const struct ir_program *program) {
    for (uint32_t i = 0; i < program->function_count; i++)
        if (!strncmp(program->functions[i].name, "__VERIFIER_", 11)) return true;
    return false;
}

static bool has_failure(const struct ir_program *program, const struct ir_function *function,
                        const struct ir_block *block) {
    for (uint32_t i = block->start; i < block->end; i += ir_op_info[function->code[i].op].words)
        if (function->code[i].op == IR_CALL && is_failure(&program->functions[function->code[i].a]))
            return true;
    return false;
}

void assertion_blocks(const struct ir_program *program, uint8_t *failing) {
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *function = &program->functions[f];
        for (uint32_t b = 0; !function->runtime && b < function->block_count; b++)
            failing[function->first_block + b] = has_failure(program, function, &function->blocks[b]);
    }
}

struct assertion_counts count_assertions(const struct ir_program *program, const uint8_t *edges_taken,
                                         const uint8_t *undecided) {
    enum { REACHED = 1, FAILED = 2, OPEN = 4 };
    uint32_t blocks = program->block_count;
    uint8_t *failing = NEW_ARRAY(uint8_t, blocks), *left = NEW_ARRAY(uint8_t, blocks),
            *seen = NEW_ARRAY(uint8_t, blocks);
    assertion_blocks(program, failing);
    for (uint32_t e = 0; e < program->edge_count; e++) left[program->edges[e].from] |= edges_taken[e];
    for (uint32_t e = 0; e < program->edge_count; e++) {
        struct ir_edge edge = program->edges[e];
        if (!failing[edge.to]) continue;
        if (left[edge.from]) seen[edge.to] |= REACHED;
        if (edges_taken[e]) seen[edge.to] |= FAILED;
        if (undecided && undecided[edge.from]) seen[edge.to] |= REACHED | OPEN;
    }
    struct assertion_counts counts = {0};
    for (uint32_t b = 0; b < blocks; b++) {
        if (seen[b] & FAILED)
            counts.failed++;
        else if (seen[b] & OPEN)
            counts.open++;
        else if (seen[b] & REACHED)
            counts.proved++;
    }
    DELETE_ARRAY(failing, blocks);
    DELETE_ARRAY(left, blocks);
    DELETE_ARRAY(seen, blocks);
    return counts;
}
