// The verifier's checks of single instructions: registers, widths, immediates, and their entries in the tables.
#include "ir/registers.h"
#include "ir/verify.h"

// NOLINTNEXTLINE(readability-non-const-parameter): the type of a visitor
static void check_register(void *context, uint32_t *reg, uint32_t slots, bool write) {
    struct verifier *v = context;
    if (!slots) verify_fail(v, "an operand of no width");
    if ((uint64_t)*reg + slots > v->function->register_count)
        verify_fail(v, "%s r%u..r%u of %u registers", write ? "writes" : "reads", *reg, *reg + slots - 1,
                    v->function->register_count);
}

static bool verify_list(struct verifier *v, uint32_t at) {
    const struct ir_function *function = v->function;
    if (at >= function->argument_count) return verify_fail(v, "argument list %u does not exist", at);
    uint32_t header = function->arguments[at], count = header & ~IR_CALL_VARIADIC;
    if (count >= function->argument_count - at) return verify_fail(v, "argument list %u is cut off", at);
    if (header & IR_CALL_VARIADIC && !count) return verify_fail(v, "a variadic call without its buffer");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t entry = function->arguments[at + 1 + i];
        if (entry & IR_CONSTANT && (entry & ~IR_CONSTANT) >= function->constant_count)
            return verify_fail(v, "constant %u does not exist", entry & ~IR_CONSTANT);
    }
    return true;
}

static bool verify_call(struct verifier *v, const struct ir_insn *insn) {
    if (!verify_list(v, insn->b)) return false;
    if (insn->op == IR_CALL && insn->a >= v->program->function_count)
        return verify_fail(v, "function %u does not exist", insn->a);
    return true;
}

static bool verify_switch(struct verifier *v, const struct ir_insn *insn) {
    if (insn->b >= v->function->switch_count) return verify_fail(v, "switch %u does not exist", insn->b);
    const struct ir_switch *s = &v->function->switches[insn->b];
    if (insn->aux < 1 || insn->aux > 64) return verify_fail(v, "a switch over %u bits", insn->aux);
    bool dense = s->count > 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (i && s->values[i] <= s->values[i - 1])
            return verify_fail(v, "the switch's values are not ascending");
        if (s->values[i] & ~mask_bits(insn->aux))
            return verify_fail(v, "a value of the switch is wider than its operand");
        if (s->values[i] != s->values[0] + i) dense = false;
    }
    return dense == s->dense ? true : verify_fail(v, "the switch's flag `dense` is wrong");
}

static bool verify_goto(struct verifier *v, const struct ir_insn *insn) {
    if (insn->b >= v->function->goto_count) return verify_fail(v, "goto %u does not exist", insn->b);
    const struct ir_goto *g = &v->function->gotos[insn->b];
    for (uint32_t i = 0; i < g->count; i++) {
        if (g->labels[i] >= v->program->label_count ||
            v->program->labels[g->labels[i]].function != v->function->index)
            return verify_fail(v, "label %u is not of this function", g->labels[i]);
        if (i && g->labels[i] <= g->labels[i - 1])
            return verify_fail(v, "the goto's labels are not ascending");
    }
    return true;
}

static bool verify_conversion(struct verifier *v, const struct ir_insn *insn) {
    unsigned from = insn->aux & 255, to = insn->aux >> 8;
    if (insn->op == IR_MOV)
        return insn->aux >= 1 && insn->aux <= 64 ? true : verify_fail(v, "a move of %u bits", insn->aux);
    if (insn->op == IR_MOV_WIDE)
        return insn->aux > 64 ? true : verify_fail(v, "a wide move of %u bits", insn->aux);
    bool good =
        from >= 1 && to >= 1 && from <= 64 && to <= 64 && (insn->op == IR_TRUNC ? from > to : from < to);
    return good ? true : verify_fail(v, "a conversion from %u to %u bits", from, to);
}

static bool verify_general(struct verifier *v, const struct ir_insn *insn) {
    enum ir_fn fn = (enum ir_fn)insn[1].dst;
    bool float_fn = fn >= IR_FN_FADD;
    if (fn == IR_FN_NONE || fn >= IR_FN_COUNT || float_fn != (insn->op == IR_FLOAT))
        return verify_fail(v, "function %u does not exist", fn);
    if (!float_fn) {
        char result = ir_fn_info[fn].result;
        unsigned expected = result == 'B' ? 1 : insn->aux;
        if (!insn->aux) return verify_fail(v, "no width");
        if (result != 'C' && insn[1].aux != expected)
            return verify_fail(v, "a result of %u bits instead of %u", insn[1].aux, expected);
        return true;
    }
    if (insn->aux >= IR_FLOAT_COUNT) return verify_fail(v, "float format %u does not exist", insn->aux);
    if (fn == IR_FN_FCMP && insn[1].b > 15) return verify_fail(v, "predicate %u does not exist", insn[1].b);
    if (fn == IR_FN_FCONVERT && insn[1].b >= IR_FLOAT_COUNT)
        return verify_fail(v, "float format %u does not exist", insn[1].b);
    return true;
}

// Checks aux: it repeats the width of an opcode of fixed width, else is a valid width.
static bool verify_width(struct verifier *v, const struct ir_insn *insn) {
    const struct ir_op_info *info = &ir_op_info[insn->op];
    if (info->fn >= IR_FN_FADD) return true; // a float format or predicate
    if (info->width ? insn->aux != info->width : insn->aux < 1 || insn->aux > 64)
        return verify_fail(v, "width %u", insn->aux);
    bool immediate = info->format == IR_FORMAT_RRI || info->format == IR_FORMAT_BRI;
    if (immediate && insn->aux < 32 && insn->op != IR_ALLOCA && insn->b & ~mask_bits(insn->aux))
        return verify_fail(v, "the immediate is wider than %u bits", insn->aux);
    return true;
}

static bool verify_fields(struct verifier *v, const struct ir_insn *insn) {
    const struct ir_function *function = v->function;
    switch ((enum ir_format)ir_op_info[insn->op].format) {
    case IR_FORMAT_RRR:
    case IR_FORMAT_RRI:
    case IR_FORMAT_RRJ:
    case IR_FORMAT_BRR:
    case IR_FORMAT_BRI:
    case IR_FORMAT_BRJ: return verify_width(v, insn);
    case IR_FORMAT_RR: return verify_conversion(v, insn);
    case IR_FORMAT_RJ:
        if (insn->op == IR_FRAME && insn->b > function->frame_size)
            return verify_fail(v, "an address past the frame");
        return true;
    case IR_FORMAT_IMM:
        if (insn->aux < 1 || insn->aux > 64 || (insn->a | (uint64_t)insn->b << 32) & ~mask_bits(insn->aux))
            return verify_fail(v, "the immediate is wider than %u bits", insn->aux);
        return true;
    case IR_FORMAT_POOL:
        if (insn->aux <= 64 || insn->a + ir_slots(insn->aux) > function->constant_count)
            return verify_fail(v, "a wide constant that does not exist");
        return true;
    case IR_FORMAT_INT:
    case IR_FORMAT_FLOAT: return verify_general(v, insn);
    case IR_FORMAT_SELECT:
    case IR_FORMAT_CHECK: return insn->aux ? true : verify_fail(v, "no width");
    case IR_FORMAT_PARTS:
        if (!insn->aux || insn->aux != insn->b * insn[1].a)
            return verify_fail(v, "%u bits from %u parts of %u", insn->aux, insn->b, insn[1].a);
        return true;
    case IR_FORMAT_LEA:
    case IR_FORMAT_LOADX:
    case IR_FORMAT_STOREX: return insn->aux ? true : verify_fail(v, "a scale of zero");
    case IR_FORMAT_LOAD:
    case IR_FORMAT_STORE: return insn->aux ? true : verify_fail(v, "no width");
    case IR_FORMAT_SWITCH: return verify_switch(v, insn);
    case IR_FORMAT_GOTO: return verify_goto(v, insn);
    case IR_FORMAT_CALL:
    case IR_FORMAT_CALL_R: return verify_call(v, insn);
    case IR_FORMAT_RET:
        if (insn->aux != function->result_slots)
            return verify_fail(v, "returns %u slots instead of %u", insn->aux, function->result_slots);
        if (insn->b != ir_position(function, (uint32_t)(insn - function->code)))
            return verify_fail(v, "returns at position %u, which belongs to another instruction", insn->b);
        return true;
    case IR_FORMAT_TEXT:
        return insn->a < v->program->string_count ? true
                                                  : verify_fail(v, "string %u does not exist", insn->a);
    case IR_FORMAT_BELOW:
        if (insn->aux < 1 || insn->aux > 64) return verify_fail(v, "width %u", insn->aux);
        return insn->b < v->program->check_count ? true : verify_fail(v, "check %u does not exist", insn->b);
    case IR_FORMAT_HOLDS:
        return insn->b < v->program->check_count ? true : verify_fail(v, "check %u does not exist", insn->b);
    case IR_FORMAT_MARK:
        if (insn->a & IR_MARK_ENTRY)
            return (insn->a & ~IR_MARK_ENTRY) == function->index
                       ? true
                       : verify_fail(v, "marks the entry of another function");
        return insn->a < v->program->mark_count ? true : verify_fail(v, "mark %u does not exist", insn->a);
    case IR_FORMAT_SCOPE:
        if (insn->a >= function->alloca_count || function->allocas[insn->a].offset != insn->dst ||
            function->allocas[insn->a].size != insn->b)
            return verify_fail(v, "the scope of a local that does not exist");
        return true;
    default: return true;
    }
}

bool verify_instruction(struct verifier *v, const struct ir_insn *insn) {
    if (!verify_fields(v, insn)) return false;
    struct ir_insn copy[2] = {insn[0]};
    if (ir_op_info[insn->op].words == 2) copy[1] = insn[1];
    ir_visit_registers(copy, v->function->arguments, check_register, v);
    return !v->failed;
}
