// The verifier checks every invariant of the IR, with code that is independent of the front end. verify.c: blocks,
// targets and edges; verify_insn.c: single instructions; verify_data.c: globals, frames and tables;
// verify_assignment.c: registers are written before they are read.
#include "ir/verify.h"
#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool verify_fail(struct verifier *v, const char *format, ...) {
    if (v->failed) return false;
    v->failed = true;
    int at = 0;
    if (v->function)
        at = snprintf(v->message, sizeof v->message, "function %.100s, instruction %u: ", v->function->name,
                      v->instruction);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(v->message + at, sizeof v->message - (size_t)at, format, arguments);
    va_end(arguments);
    return false;
}

uint32_t verify_block_starting_at(const struct ir_function *function, uint32_t instruction) {
    if (instruction >= function->code_count) return UINT32_MAX;
    uint32_t block = ir_block_at(function, instruction);
    return function->blocks[block].start == instruction ? block : UINT32_MAX;
}

bool verify_each_target(struct verifier *v, uint32_t block,
                        bool (*visit)(struct verifier *v, uint32_t block, uint32_t target, uint32_t edge,
                                      void *context),
                        void *context) {
    const struct ir_function *function = v->function;
    const struct ir_insn *last = &function->code[function->blocks[block].end - 1];
    if (last->op == IR_EXTRA)
        return visit(v, block, last->a, last->dst, context) &&
               visit(v, block, last->b, last->dst + 1, context);
    if (last->op == IR_JMP) return visit(v, block, last->a, last->b, context);
    if (last->op == IR_SWITCH) {
        const struct ir_switch *s = &function->switches[last->b];
        for (uint32_t i = 0; i < s->count; i++)
            if (!visit(v, block, s->targets[i], s->edges[i], context)) return false;
        return visit(v, block, s->default_target, s->default_edge, context);
    }
    if (last->op == IR_GOTO) {
        const struct ir_goto *g = &function->gotos[last->b];
        for (uint32_t i = 0; i < g->count; i++)
            if (!visit(v, block, g->targets[i], g->edges[i], context)) return false;
    }
    return true;
}

static bool verify_edge(struct verifier *v, uint32_t block, uint32_t target, uint32_t edge, void *context) {
    (void)context;
    const struct ir_function *function = v->function;
    uint32_t to = verify_block_starting_at(function, target);
    if (to == UINT32_MAX) return verify_fail(v, "target %u is not the start of a block", target);
    if (edge >= v->program->edge_count) return verify_fail(v, "edge %u does not exist", edge);
    // Cases of a switch that have the same target share their edge.
    bool shared = function->code[function->blocks[block].end - 1].op == IR_SWITCH;
    if (v->edge_seen[edge] && !shared) return verify_fail(v, "edge %u is used twice", edge);
    v->edge_seen[edge] = 1;
    const struct ir_edge *e = &v->program->edges[edge];
    if (e->from != function->first_block + block || e->to != function->first_block + to)
        return verify_fail(v, "edge %u leads from block %u to %u, not from %u to %u", edge, e->from, e->to,
                           function->first_block + block, function->first_block + to);
    return true;
}

// Checks one block: two-word instructions are complete; the last instruction is the only terminator, and holds their
// number.
static bool verify_block(struct verifier *v, uint32_t number) {
    const struct ir_function *function = v->function;
    const struct ir_block *block = &function->blocks[number];
    uint32_t count = 0;
    for (uint32_t i = block->start; i < block->end;) {
        const struct ir_insn *insn = &function->code[i];
        v->instruction = i;
        if (insn->op >= IR_OP_COUNT) return verify_fail(v, "operation %u does not exist", insn->op);
        const struct ir_op_info *info = &ir_op_info[insn->op];
        if (insn->op == IR_EXTRA) return verify_fail(v, "a second word without a first one");
        if (i + info->words > block->end) return verify_fail(v, "the block ends within an instruction");
        if (info->words == 2 && insn[1].op != IR_EXTRA)
            return verify_fail(v, "%s has no second word", info->name);
        if (function->locations[i] >= v->program->location_count)
            return verify_fail(v, "location %u does not exist", function->locations[i]);
        if (!verify_instruction(v, insn)) return false;
        count += ir_is_counted(insn->op);
        i += info->words;
        if (info->terminator != (i == block->end))
            return verify_fail(v,
                               info->terminator ? "%s before the end of its block" : "the block ends with %s",
                               info->name);
        if (info->terminator && insn->dst != count)
            return verify_fail(v, "the terminator says %u instructions, the block has %u", insn->dst, count);
    }
    return verify_each_target(v, number, verify_edge, NULL);
}

static bool verify_blocks(struct verifier *v, uint32_t *numbered) {
    const struct ir_function *function = v->function;
    if (!function->block_count) return verify_fail(v, "no blocks");
    if (function->first_block != *numbered)
        return verify_fail(v, "blocks start at number %u instead of %u", function->first_block, *numbered);
    if (function->first_position &&
        (uint64_t)function->first_position + function->code_count > (uint64_t)v->program->position_count + 1)
        return verify_fail(v, "its last position is beyond %u", v->program->position_count);
    *numbered += function->block_count;
    uint32_t at = 0;
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct ir_block *block = &function->blocks[i];
        v->instruction = at;
        if (block->start != at || block->end <= block->start)
            return verify_fail(v, "block %u does not continue the one before", i);
        at = block->end;
    }
    if (at != function->code_count)
        return verify_fail(v, "the blocks hold %u of %u words", at, function->code_count);
    for (uint32_t i = 0; i < function->block_count; i++)
        if (!verify_block(v, i)) return false;
    return true;
}

static bool verify_function(struct verifier *v, uint32_t *numbered) {
    const struct ir_function *function = v->function;
    v->instruction = 0;
    if (function->location >= v->program->location_count)
        return verify_fail(v, "location %u does not exist", function->location);
    if (!function->code)
        return !function->code_count && !function->block_count ? true : verify_fail(v, "blocks without code");
    if (function->parameter_slots + function->variadic > function->register_count)
        return verify_fail(v, "more parameters than registers");
    return verify_blocks(v, numbered) && verify_assignment(v);
}

static bool verify_program(struct verifier *v) {
    const struct ir_program *program = v->program;
    uint32_t numbered = 0;
    if (!verify_data(v)) return false;
    for (uint32_t i = 0; i < program->function_count; i++) {
        v->function = &program->functions[i];
        if (v->function->index != i)
            return verify_fail(v, "the function's index is %u instead of %u", v->function->index, i);
        if (!verify_function(v, &numbered)) return false;
    }
    v->function = NULL;
    if (numbered != program->block_count)
        return verify_fail(v, "%u blocks are numbered, the program says %u", numbered, program->block_count);
    for (uint32_t i = 0; i < program->edge_count; i++)
        if (!v->edge_seen[i]) return verify_fail(v, "edge %u belongs to no terminator", i);
    return true;
}

const char *ir_verify(const struct ir_program *program) {
    static char message[400];
    struct verifier v = {.program = program};
    v.edge_seen = NEW_ARRAY(uint8_t, program->edge_count + 1);
    bool good = verify_program(&v);
    DELETE_ARRAY(v.edge_seen, program->edge_count + 1);
    if (good) return NULL;
    memcpy(message, v.message, sizeof message);
    return message;
}
