// Lowers phis to copies on edges. The copies of an edge are parallel: they are ordered so that no source is overwritten
// before it is read, and cycles are broken with an additional register.
#include "front/front_int.h"

static uint64_t edge_key(struct lowering *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    return (uint64_t)lower_work_block_of(l, from) << 32 | lower_work_block_of(l, to);
}

void phi_collect(struct lowering *l) {
    vec_each (LLVMBasicBlockRef, block, &l->order) {
        for (LLVMValueRef phi = LLVMGetFirstInstruction(*block);
             phi && LLVMGetInstructionOpcode(phi) == LLVMPHI; phi = LLVMGetNextInstruction(phi)) {
            if (!LLVMGetFirstUse(phi)) continue;
            unsigned count = LLVMCountIncoming(phi);
            for (unsigned i = 0; i < count; i++) {
                LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
                if (lower_work_block_of(l, from) == NO_BLOCK) continue; // unreachable
                uint64_t *first = map_put(&l->edge_copies, edge_key(l, from, *block));
                // A switch may have several edges to the block: their entries are equal, so the first one is used.
                if (*first && l->copies.at[*first - 1].phi == phi) continue;
                struct edge_copy copy = {phi, LLVMGetIncomingValue(phi, i), (uint32_t)*first};
                vec_push(&l->copies, copy);
                *first = l->copies.count;
            }
        }
    }
}

bool phi_edge_has_copies(struct lowering *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    return map_get(&l->edge_copies, edge_key(l, from, to)) != NULL;
}

struct move {
    uint32_t dst;
    unsigned width;
    struct operand source;
    bool done;
};

struct moves {
    struct move *at;
    uint32_t count, capacity;
};

// Changes `pending`, the number of moves that still have to read each register.
static void count_reads(struct lowering *l, const struct move *move, int change) {
    if (move->source.constant) return;
    for (uint32_t i = 0; i < ir_slots(move->width); i++)
        l->pending.at[move->source.reg + i] += (uint32_t)change;
}

static bool is_read(struct lowering *l, const struct move *move) {
    for (uint32_t i = 0; i < ir_slots(move->width); i++)
        if (l->pending.at[move->dst + i]) return true;
    return false;
}

static void finish_move(struct lowering *l, struct move *move) {
    lower_copy_leaf(l, move->width, move->dst, move->source);
    count_reads(l, move, -1);
    move->done = true;
}

// Breaks a cycle, in which every remaining move waits for another one: copies one source early.
static void break_cycle(struct lowering *l, struct move *move) {
    uint32_t early = emit_new_registers(l, ir_slots(move->width));
    while (l->pending.count < l->unit.count) vec_push(&l->pending, 0);
    emit_move(l, move->width, early, move->source.reg);
    count_reads(l, move, -1);
    move->source = operand_of_register(early);
    count_reads(l, move, 1);
}

static void emit_moves(struct lowering *l, struct moves *moves) {
    while (l->pending.count < l->unit.count) vec_push(&l->pending, 0);
    vec_each (struct move, move, moves) count_reads(l, move, 1);
    uint32_t left = moves->count;
    while (left) {
        uint32_t before = left;
        vec_each (struct move, move, moves) {
            if (move->done) continue;
            count_reads(l, move, -1); // a register may be moved to itself
            bool ready = !is_read(l, move);
            count_reads(l, move, 1);
            if (!ready) continue;
            finish_move(l, move);
            left--;
        }
        if (left && left == before) {
            struct move *move = moves->at;
            while (move->done) move++;
            break_cycle(l, move);
        }
    }
}

void phi_emit_edge_copies(struct lowering *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    uint64_t *first = map_get(&l->edge_copies, edge_key(l, from, to));
    if (!first) return;
    struct moves moves = {0};
    for (uint32_t i = (uint32_t)*first; i; i = l->copies.at[i - 1].next) {
        struct edge_copy copy = l->copies.at[i - 1];
        const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(copy.phi));
        uint32_t dst = lower_result_register(l, copy.phi);
        for (uint32_t k = 0; k < shape->leaf_count; k++) {
            struct move move = {dst + shape->leaves[k].slot, shape->leaves[k].width,
                                lower_operand_leaf(l, copy.value, k), false};
            vec_push(&moves, move);
        }
    }
    emit_moves(l, &moves);
    vec_free(&moves);
}
