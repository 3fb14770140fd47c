#include "cover/assertions.h"

#include "base/alloc.h"

#include <string.h>

// Functions that a failing assertion calls: those of assert and of tamar_assert with its variants, then those of the
// tasks of SV-COMP and Test-Comp.
static const char *const failures[] = {"__assert_fail", "tamar_assert_failed", "reach_error",
                                       "__VERIFIER_error"};
enum { FIRST_OF_TASKS = 2 };

static bool is_one_of(const char *name, unsigned first) {
    for (unsigned i = first; i < COUNT(failures); i++)
        if (!strcmp(name, failures[i])) return true;
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
        if (function->code[i].op == IR_CALL && is_one_of(program->functions[function->code[i].a].name, 0))
            return i;
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

// Returns the location of the block's last instruction, which leaves it; 0: unknown.
static uint32_t leaving_location(const struct ir_function *function, const struct ir_block *block) {
    uint32_t last = block->start;
    for (uint32_t i = block->start; i < block->end; i += ir_op_info[function->code[i].op].words) last = i;
    return function->locations && block->start < block->end ? function->locations[last] : 0;
}

// What is known of each block, one byte each.
struct block_facts {
    const uint8_t *left, *undecided; // undecided may be NULL
};

static uint8_t marks_of(const struct block_facts *facts, uint32_t block) {
    return (facts->left[block] ? REACHED : 0) |
           (facts->undecided && facts->undecided[block] ? REACHED | OPEN : 0);
}

// Marks for each assertion whether its branches were reached, and whether some are open. All code that a macro expands
// to has the location of the macro's use. So the branches of an assertion are all branches at the location of the
// failing call, not only the last one: in assert(a || b) the last one tests b alone. An assertion of a constant has no
// branch: it fails or is not reached. In a task of SV-COMP, and in code without locations, only the branch that leads
// to the failing call counts. If that branch is undecided, the assertion is open.
static void mark_reached(const struct ir_program *program, const struct block_facts *facts,
                         const uint8_t *failing, uint8_t *marks) {
    uint8_t *places = NEW_ARRAY(uint8_t, program->location_count + 1);
    uint8_t *by_edge = NEW_ARRAY(uint8_t, program->block_count);
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *function = &program->functions[f];
        for (uint32_t b = 0; !function->runtime && b < function->block_count; b++)
            places[leaving_location(function, &function->blocks[b])] |=
                marks_of(facts, function->first_block + b);
    }
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *function = &program->functions[f];
        for (uint32_t b = 0; !function->runtime && b < function->block_count; b++) {
            uint32_t at = function->first_block + b;
            if (!failing[at]) continue;
            uint32_t call = failing_call(program, function, &function->blocks[b]);
            uint32_t place = function->locations ? function->locations[call] : 0;
            by_edge[at] =
                !place || is_one_of(program->functions[function->code[call].a].name, FIRST_OF_TASKS);
            if (!by_edge[at]) marks[at] |= places[place];
        }
    }
    for (uint32_t e = 0; e < program->edge_count; e++) {
        uint8_t told = marks_of(facts, program->edges[e].from);
        if (by_edge[program->edges[e].to] || told & OPEN) marks[program->edges[e].to] |= told;
    }
    DELETE_ARRAY(by_edge, program->block_count);
    DELETE_ARRAY(places, program->location_count + 1);
}

// Functions of the runtime that test the condition themselves.
static const char *const testing[] = {"__CPROVER_assert", "__CPROVER_precondition", "__CPROVER_postcondition",
                                      "__ESBMC_assert"};

static bool is_testing(const struct ir_function *callee) {
    for (unsigned i = 0; i < COUNT(testing); i++)
        if (callee->runtime && !strcmp(callee->name, testing[i])) return true;
    return false;
}

// Counts the calls of a block that test an assertion. They are executed if the block was left, or if a path ended or
// returned in it at the call or later.
static void count_calls(const struct assertion_facts *facts, const struct ir_function *function,
                        const struct ir_block *block, bool left, struct assertion_counts *counts) {
    const struct ir_program *program = facts->program;
    for (uint32_t i = block->start; i < block->end; i += ir_op_info[function->code[i].op].words) {
        const struct ir_insn *insn = &function->code[i];
        if (insn->op != IR_CALL || !is_testing(&program->functions[insn->a])) continue;
        uint32_t position = ir_position(function, i);
        if (!left && !(position && memchr(facts->seen.positions + position, 1, block->end - i))) continue;
        if (function->locations && facts->failed[function->locations[i]])
            counts->failed++;
        else if (facts->complete)
            counts->proved++;
        else
            counts->open++;
    }
}

struct assertion_counts assertions_count(const struct assertion_facts *facts) {
    const struct ir_program *program = facts->program;
    const struct cover_seen *seen = &facts->seen;
    const uint8_t *undecided = facts->undecided;
    bool complete = facts->complete;
    uint32_t blocks = program->block_count;
    uint8_t *failing = NEW_ARRAY(uint8_t, blocks), *left = NEW_ARRAY(uint8_t, blocks),
            *marks = NEW_ARRAY(uint8_t, blocks);
    assertions_blocks(program, failing);
    for (uint32_t e = 0; e < program->edge_count; e++) left[program->edges[e].from] |= seen->edges[e];
    mark_failed(program, seen->positions, left, marks);
    mark_reached(program, &(struct block_facts){left, undecided}, failing, marks);
    for (uint32_t e = 0; e < program->edge_count; e++)
        if (seen->edges[e]) marks[program->edges[e].to] |= ENTERED;
    struct assertion_counts counts = {0};
    for (uint32_t b = 0; b < blocks; b++) {
        if (!failing[b]) continue;
        if (marks[b] & FAILED)
            counts.failed++;
        else if (marks[b] & OPEN || (marks[b] & REACHED && !complete))
            counts.open++;
        else if (marks[b] & REACHED && !(marks[b] & ENTERED))
            counts.proved++;
    }
    for (uint32_t k = 0; k < program->function_count; k++) {
        const struct ir_function *function = &program->functions[k];
        for (uint32_t b = 0; facts->failed && !function->runtime && b < function->block_count; b++)
            count_calls(facts, function, &function->blocks[b], left[function->first_block + b], &counts);
    }
    DELETE_ARRAY(failing, blocks);
    DELETE_ARRAY(left, blocks);
    DELETE_ARRAY(marks, blocks);
    return counts;
}
