#include "ir/registers.h"

static void visit_int(struct ir_insn *insn, ir_visit_fn *visit, void *context) {
    const struct ir_fn_info *fn = &ir_fn_info[insn[1].dst];
    uint32_t slots = ir_slots(insn->aux);
    visit(context, &insn->a, slots, false);
    if (fn->arity >= 2) visit(context, &insn->b, slots, false);
    if (fn->arity >= 3) visit(context, &insn[1].a, slots, false);
    uint32_t result = fn->result == 'B'   ? 1
                      : fn->result == 'V' ? slots + 1
                      : fn->result == 'C' ? ir_slots(insn[1].aux)
                                          : slots;
    visit(context, &insn->dst, result, true);
}

static void visit_float(struct ir_insn *insn, ir_visit_fn *visit, void *context) {
    enum ir_fn fn = (enum ir_fn)insn[1].dst;
    uint32_t own = ir_slots(ir_float_width((enum ir_float)insn->aux)), extra = insn[1].b, first = own,
             result = own;
    if (fn == IR_FN_FFROM_SINT || fn == IR_FN_FFROM_UINT) first = ir_slots(extra);
    if (fn >= IR_FN_FTO_SINT && fn <= IR_FN_FTO_UINT_SAT) result = ir_slots(extra);
    if (fn == IR_FN_FCONVERT) result = ir_slots(ir_float_width((enum ir_float)extra));
    if (fn == IR_FN_FCMP || fn == IR_FN_FIS_CLASS) result = 1;
    visit(context, &insn->a, first, false);
    if (ir_fn_info[fn].arity >= 2) visit(context, &insn->b, fn == IR_FN_FLDEXP ? 1 : own, false);
    if (ir_fn_info[fn].arity >= 3) visit(context, &insn[1].a, own, false);
    visit(context, &insn->dst, result, true);
}

static void visit_parts(struct ir_insn *insn, ir_visit_fn *visit, void *context) {
    uint32_t whole = ir_slots(insn->aux), parts = insn->b * ir_slots(insn[1].a);
    bool concat = insn->op == IR_CONCAT;
    visit(context, &insn->a, concat ? parts : whole, false);
    visit(context, &insn->dst, concat ? whole : parts, true);
}

static void visit_call(struct ir_insn *insn, uint32_t *arguments, ir_visit_fn *visit, void *context) {
    uint32_t count = arguments[insn->b] & ~IR_CALL_VARIADIC;
    if (insn->op == IR_CALL_R) visit(context, &insn->a, 1, false);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *entry = &arguments[insn->b + 1 + i];
        if (!(*entry & IR_CONSTANT)) visit(context, entry, 1, false);
    }
    if (insn->aux) visit(context, &insn->dst, insn->aux, true);
}

void ir_visit_registers(struct ir_insn *insn, uint32_t *arguments, ir_visit_fn *visit, void *context) {
    const struct ir_op_info *info = &ir_op_info[insn->op];
    uint32_t width = info->width ? info->width : insn->aux, slots = ir_slots(width);
    switch ((enum ir_format)info->format) {
    case IR_FORMAT_RRR:
    case IR_FORMAT_LEA:
    case IR_FORMAT_LOADX:
        visit(context, &insn->a, 1, false);
        visit(context, &insn->b, 1, false);
        visit(context, &insn->dst, 1, true);
        break;
    case IR_FORMAT_RRI:
    case IR_FORMAT_RRJ:
    case IR_FORMAT_LEA_I:
        visit(context, &insn->a, 1, false);
        visit(context, &insn->dst, 1, true);
        break;
    case IR_FORMAT_RR: {
        uint32_t count = insn->op == IR_MOV_WIDE ? slots : 1;
        visit(context, &insn->a, count, false);
        visit(context, &insn->dst, count, true);
        break;
    }
    case IR_FORMAT_RJ:
    case IR_FORMAT_R:
    case IR_FORMAT_IMM:
    case IR_FORMAT_LOADA: visit(context, &insn->dst, 1, true); break;
    case IR_FORMAT_POOL: visit(context, &insn->dst, slots, true); break;
    case IR_FORMAT_A: visit(context, &insn->a, 1, false); break;
    case IR_FORMAT_AAA:
    case IR_FORMAT_STOREX:
        visit(context, &insn->dst, 1, false);
        visit(context, &insn->a, 1, false);
        visit(context, &insn->b, 1, false);
        break;
    case IR_FORMAT_INT: visit_int(insn, visit, context); break;
    case IR_FORMAT_FLOAT: visit_float(insn, visit, context); break;
    case IR_FORMAT_SELECT:
        visit(context, &insn->a, 1, false);
        visit(context, &insn->b, slots, false);
        visit(context, &insn[1].a, slots, false);
        visit(context, &insn->dst, slots, true);
        break;
    case IR_FORMAT_PARTS: visit_parts(insn, visit, context); break;
    case IR_FORMAT_LOAD:
        visit(context, &insn->a, 1, false);
        visit(context, &insn->dst, slots, true);
        break;
    case IR_FORMAT_STORE:
        visit(context, &insn->dst, slots, false);
        visit(context, &insn->a, 1, false);
        break;
    case IR_FORMAT_STORE_I: visit(context, &insn->a, 1, false); break;
    case IR_FORMAT_STOREA: visit(context, &insn->dst, 1, false); break;
    case IR_FORMAT_CHECK:
        visit(context, &insn->a, slots, false);
        visit(context, &insn->b, slots, false);
        break;
    case IR_FORMAT_HOLDS:
        visit(context, &insn->a, 1, false);
        visit(context, &insn[1].a, 1, false);
        visit(context, &insn[1].b, 1, false);
        break;
    case IR_FORMAT_BRR:
        visit(context, &insn->a, 1, false);
        visit(context, &insn->b, 1, false);
        break;
    case IR_FORMAT_BR:
    case IR_FORMAT_BELOW:
    case IR_FORMAT_BRI:
    case IR_FORMAT_BRJ:
    case IR_FORMAT_SWITCH:
    case IR_FORMAT_GOTO: visit(context, &insn->a, 1, false); break;
    case IR_FORMAT_RET:
        if (insn->aux) visit(context, &insn->a, insn->aux, false);
        break;
    case IR_FORMAT_CALL:
    case IR_FORMAT_CALL_R: visit_call(insn, arguments, visit, context); break;
    case IR_FORMAT_JMP:
    case IR_FORMAT_END:
    case IR_FORMAT_TEXT:
    case IR_FORMAT_MARK:
    case IR_FORMAT_SCOPE:
    case IR_FORMAT_PLAIN: break;
    }
}
