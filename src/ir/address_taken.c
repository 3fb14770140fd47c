// Finds functions whose address is taken: in code, or in the initial bytes of a global. Any constant equal to the
// address of a function counts. This overapproximates: an extra function only makes the graph larger.
#include "ir/intrinsics.h"

#include <string.h>

struct taking {
    const struct ir_program *program;
    uint8_t *taken;
};

static void take(const struct taking *taking, uint64_t value) {
    const struct ir_function *function = ir_function_at(taking->program, value);
    if (function) taking->taken[function->index] = 1;
}

// Whether the instruction calls an intrinsic whose first argument is its callee: that does not take an address.
static bool names_callee(const struct taking *taking, const struct ir_insn *insn) {
    if (insn->op != IR_CALL) return false;
    enum ir_intrinsic intrinsic = ir_intrinsic_of(&taking->program->functions[insn->a]);
    return intrinsic != IR_INTRINSIC_COUNT && ir_intrinsic_facts[intrinsic].flow == IR_FLOW_CALLS;
}

static void take_arguments(const struct taking *taking, const struct ir_function *function,
                           const struct ir_insn *insn) {
    const uint32_t *list = function->arguments + insn->b;
    uint32_t count = *list++ & ~IR_CALL_VARIADIC;
    for (uint32_t i = names_callee(taking, insn) ? 1 : 0; i < count; i++)
        if (list[i] & IR_CONSTANT) take(taking, function->constants[list[i] & ~IR_CONSTANT]);
}

static void take_in_code(const struct taking *taking, const struct ir_function *function) {
    for (uint32_t i = 0; i < function->code_count;) {
        const struct ir_insn *insn = &function->code[i];
        const struct ir_op_info *info = &ir_op_info[insn->op];
        switch (info->format) {
        case IR_FORMAT_IMM: take(taking, insn->a | (uint64_t)insn->b << 32); break;
        case IR_FORMAT_POOL:
            for (uint32_t k = 0; k < ir_slots(insn->aux); k++) take(taking, function->constants[insn->a + k]);
            break;
        case IR_FORMAT_STORE_I: take(taking, (uint64_t)(int32_t)insn->dst); break;
        case IR_FORMAT_RRI:
        case IR_FORMAT_RRJ: take(taking, insn->b); break;
        case IR_FORMAT_CALL:
        case IR_FORMAT_CALL_R: take_arguments(taking, function, insn); break;
        default: break;
        }
        i += info->words;
    }
}

void ir_find_taken(const struct ir_program *program, bool own, uint8_t *taken) {
    const struct taking taking = {program, taken};
    for (uint32_t f = 0; f < program->function_count; f++)
        if (program->functions[f].code && !(own && program->functions[f].runtime))
            take_in_code(&taking, &program->functions[f]);
    for (uint32_t g = 0; g < program->global_count; g++) {
        const struct ir_global *global = &program->globals[g];
        if (own && global->runtime) continue;
        for (uint64_t i = 0; global->bytes && i + 8 <= global->size; i++) {
            uint64_t value;
            memcpy(&value, global->bytes + i, sizeof value);
            take(&taking, value);
        }
    }
}
