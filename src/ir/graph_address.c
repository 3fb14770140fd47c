// Functions whose address is a value somewhere: in code, or in the initial bytes of a global. Any number that
// looks like one counts: a function too many only makes the graph larger.
#include "ir/graph_int.h"
#include "ir/intrinsics.h"

static void take(struct graph *graph, uint64_t value) {
    const struct ir_function *function = ir_function_at(graph->program, value);
    if (function) graph->functions[function->index].address_taken = true;
}

// The function that these are given is called there, and nowhere else on account of it.
static bool names_callee(const struct graph *graph, const struct ir_insn *insn) {
    if (insn->op != IR_CALL) return false;
    enum ir_intrinsic intrinsic = ir_intrinsic_of(&graph->program->functions[insn->a]);
    return intrinsic != IR_INTRINSIC_COUNT && ir_intrinsic_facts[intrinsic].flow == IR_FLOW_CALLS;
}

static void take_arguments(struct graph *graph, const struct ir_function *function,
                           const struct ir_insn *insn) {
    const uint32_t *list = function->arguments + insn->b;
    uint32_t count = *list++ & ~IR_CALL_VARIADIC;
    for (uint32_t i = names_callee(graph, insn) ? 1 : 0; i < count; i++)
        if (list[i] & IR_CONSTANT) take(graph, function->constants[list[i] & ~IR_CONSTANT]);
}

static void take_in_code(struct graph *graph, const struct ir_function *function) {
    for (uint32_t i = 0; i < function->code_count;) {
        const struct ir_insn *insn = &function->code[i];
        const struct ir_op_info *info = &ir_op_info[insn->op];
        switch (info->format) {
        case IR_FORMAT_IMM: take(graph, insn->a | (uint64_t)insn->b << 32); break;
        case IR_FORMAT_POOL:
            for (uint32_t k = 0; k < ir_slots(insn->aux); k++) take(graph, function->constants[insn->a + k]);
            break;
        case IR_FORMAT_STORE_I: take(graph, (uint64_t)(int32_t)insn->dst); break;
        case IR_FORMAT_RRI:
        case IR_FORMAT_RRJ: take(graph, insn->b); break;
        case IR_FORMAT_CALL:
        case IR_FORMAT_CALL_R: take_arguments(graph, function, insn); break;
        default: break;
        }
        i += info->words;
    }
}

void graph_find_taken(struct graph *graph) {
    const struct ir_program *program = graph->program;
    for (uint32_t f = 0; f < program->function_count; f++)
        if (program->functions[f].code) take_in_code(graph, &program->functions[f]);
    for (uint32_t g = 0; g < program->global_count; g++) {
        const struct ir_global *global = &program->globals[g];
        for (uint64_t i = 0; global->bytes && i + 8 <= global->size; i++) {
            uint64_t value;
            memcpy(&value, global->bytes + i, sizeof value);
            take(graph, value);
        }
    }
}
