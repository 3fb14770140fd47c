#include "cover/assertions.h"

#include "base/alloc.h"

#include <string.h>

// Whether a failing assertion calls this function: of assert, of tamar_assert and its variants, or of a task of
// SV-COMP or Test-Comp.
static bool is_failure(const struct ir_function *callee) {
    static const char *const names[] = {"__assert_fail", "tamar_assert_failed", "reach_error",
                                        "__VERIFIER_error"};
    for (unsigned i = 0; i < COUNT(names); i++)
        if (!strcmp(callee->name, names[i])) return true;
    return false;
}

bool assertions_is_task(const struct ir_program *program) {
    for (uint32_t i = 0; i < program->function_count; i++)
        if (!strncmp(program->functions[i].name, "__VERIFIER_", 11)) return true;
    return false;
}

// Returns the first call in the block that reports a failed assertion; UINT32_MAX: none.
static uint32_t failing_call(const struct ir_program *program, const struct ir_function *function,
                             const struct ir_block *block) {
    for (uint32_t i = block->start; i < block->end; i += ir_op_info[function->code[i].op].words)
        if (function->code[i].op == IR_CALL && is_failure(&program->functions[function->code[i].a])) return i;
    return UINT32_MAX;
}

void assertions_blocks(const struct ir_program *program, uint8_t *failing) {
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *function = &program->functions[f];
        for (uint32_t b = 0; !function->runtime && b < function->block_count; b++)
            failing[function->first_block + b] =
                failing_call(program, function, &function->blocks[b]) != UINT32_MAX;
    }
}

enum { REACHED = 1, ENTERED = 2, FAILED = 4, OPEN = 8 };

// Marks the blocks whose failing call was executed: a path may enter the block and end before the call.
static void mark_failed(const struct ir_program *program, const uint8_t *positions, const uint8_t *left,
                        uint8_t *marks) {
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *function = &program->functions[f];
        for (uint32_t b = 0; !function->runtime && b < function->block_count; b++) {
            const struct ir_block *block = &function->blocks[b];
            uint32_t call = failing_call(program, function, block), at = function->first_block + b;
            if (call == UINT32_MAX) continue;
            uint32_t position = ir_position(function, call);
            if (left[at] || (position && memchr(positions + position, 1, block->end - call)))
                marks[at] |= FAILED;
        }
    }
}

struct assertion_counts assertions_count(const struct ir_program *program, const struct cover_seen *seen,
                                         const uint8_t *undecided, bool complete) {
    uint32_t blocks = program->block_count;
    uint8_t *failing = NEW_ARRAY(uint8_t, blocks), *left = NEW_ARRAY(uint8_t, blocks),
            *marks = NEW_ARRAY(uint8_t, blocks);
    assertions_blocks(program, failing);
    for (uint32_t e = 0; e < program->edge_count; e++) left[program->edges[e].from] |= seen->edges[e];
    mark_failed(program, seen->positions, left, marks);
    for (uint32_t e = 0; e < program->edge_count; e++) {
        struct ir_edge edge = program->edges[e];
        if (!failing[edge.to]) continue;
        if (left[edge.from]) marks[edge.to] |= REACHED;
        if (seen->edges[e]) marks[edge.to] |= ENTERED;
        if (undecided && undecided[edge.from]) marks[edge.to] |= REACHED | OPEN;
    }
    struct assertion_counts counts = {0};
    for (uint32_t b = 0; b < blocks; b++) {
        if (marks[b] & FAILED)
            counts.failed++;
        else if (marks[b] & OPEN || (marks[b] & REACHED && !complete))
            counts.open++;
        else if (marks[b] & REACHED && !(marks[b] & ENTERED))
            counts.proved++;
    }
    DELETE_ARRAY(failing, blocks);
    DELETE_ARRAY(left, blocks);
    DELETE_ARRAY(marks, blocks);
    return counts;
}
