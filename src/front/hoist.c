// Hoists constants that a loop would load in every iteration to the start of the function.
#include "front/assign.h"
#include "ir/registers.h"

#define MOST_HOISTED 24 // each one costs a register, and time at every call

struct hoisting {
    struct lowering *l;
    uint32_t *renamed; // register -> 1 + the register that holds the hoisted constant
};

static uint32_t hoisted_register(struct hoisting *h, const struct ir_insn *insn) {
    struct lowering *l = h->l;
    vec_each (struct ir_insn, known, &l->hoisted)
        if (known->a == insn->a && known->b == insn->b && known->aux == insn->aux) return known->dst;
    if (l->hoisted.count >= MOST_HOISTED) return UINT32_MAX;
    struct ir_insn copy = *insn;
    copy.dst = emit_new_registers(l, 1);
    vec_push(&l->hoisted, copy);
    return copy.dst;
}

static void rename_read(void *context, uint32_t *reg, uint32_t slots, bool write) {
    struct hoisting *h = context;
    if (!write && slots == 1 && h->renamed[*reg]) *reg = h->renamed[*reg] - 1;
}

void hoist_constants(struct liveness *live) {
    struct lowering *l = live->l;
    uint32_t registers = l->unit.count;
    struct hoisting h = {l, NEW_ARRAY(uint32_t, registers + 1)};
    bool any = false;
    for (uint32_t i = 0; i < live->block_count; i++) {
        if (!live->depth[i]) continue;
        const struct work_block *block = &l->blocks.at[live->order[i]];
        for (uint32_t k = block->start; k < block->end; k += ir_op_info[l->code.at[k].op].words) {
            struct ir_insn *insn = &l->code.at[k];
            if (insn->op != IR_IMM || !l->temporary.at[insn->dst]) continue;
            uint32_t to = hoisted_register(&h, insn);
            if (to == UINT32_MAX) continue;
            h.renamed[insn->dst] = to + 1;
            *insn = (struct ir_insn){IR_MOV, insn->aux, insn->dst, insn->dst, 0}; // removed by finish.c
            any = true;
        }
    }
    for (uint32_t k = 0; any && k < l->code.count; k += ir_op_info[l->code.at[k].op].words) {
        struct ir_insn *insn = &l->code.at[k];
        if (!has_vanished(insn)) ir_visit_registers(insn, l->arguments.at, rename_read, &h);
    }
    DELETE_ARRAY(h.renamed, registers + 1);
}
