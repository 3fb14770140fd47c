// Lowers vector intrinsics lane by lane: reductions, masked accesses, permutations.
#include "front/front_int.h"

void lower_reduce(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    bool starts =
        row->fn == IR_FN_FADD || row->fn == IR_FN_FMUL; // these have a start value before the vector
    LLVMValueRef vector = LLVMGetOperand(call, starts ? 1 : 0);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(vector));
    const struct leaf *leaf = &shape->leaves[0];
    uint32_t sum = lower_leaf_register(l, starts ? LLVMGetOperand(call, 0) : vector, 0),
             dst = lower_result_register(l, call);
    for (uint32_t i = starts ? 0 : 1; i < shape->leaf_count; i++) {
        uint32_t next = i + 1 == shape->leaf_count ? dst : emit_new_registers(l, ir_slots(leaf->width));
        uint32_t lane = lower_leaf_register(l, vector, i);
        if (leaf->format >= 0)
            emit_float(l, row->fn, (enum ir_float)leaf->format, next, sum, lane, 0, 0);
        else
            emit_int(l, row->fn, leaf->width, next, operand_of_register(sum), operand_of_register(lane));
        sum = next;
    }
    if (sum != dst) emit_move(l, leaf->width, dst, sum);
}

// ---- masked accesses: a lane whose bit is 0 accesses no memory

struct masked {
    LLVMValueRef value, pointer, mask; // value: the stored value, or the result of inactive lanes
    bool store, each, packed; // each: one pointer per lane; packed: active lanes are adjacent in memory
};

static struct masked masked_operands(LLVMValueRef call, uint32_t kind) {
    LLVMValueRef at[4] = {0};
    for (unsigned i = 0; i < MIN(LLVMGetNumArgOperands(call), 4u); i++) at[i] = LLVMGetOperand(call, i);
    switch (kind) {
    case 'l': return (struct masked){at[3], at[0], at[2], false, false, false};
    case 's': return (struct masked){at[0], at[1], at[3], true, false, false};
    case 'g': return (struct masked){at[3], at[0], at[2], false, true, false};
    case 'c': return (struct masked){at[0], at[1], at[3], true, true, false};
    case 'e': return (struct masked){at[2], at[0], at[1], false, false, true};
    default: return (struct masked){at[0], at[1], at[2], true, false, true};
    }
}

// Emits the access of one lane; the caller branches around it.
static void lane_access(struct lowering *l, const struct masked *m, uint32_t lane, const struct leaf *leaf,
                        uint32_t pointer, uint32_t dst) {
    struct address address =
        lower_address_in_register(m->each ? lower_leaf_register(l, m->pointer, lane) : pointer);
    uint64_t offset = m->each || m->packed ? 0 : leaf->offset;
    if (m->store)
        lower_store_leaf(l, address, offset, leaf->width, lower_operand_leaf(l, m->value, lane));
    else
        lower_load_leaf(l, address, offset, leaf->width, dst + leaf->slot);
    if (m->packed)
        emit_int(l, IR_FN_ADD, 64, pointer, operand_of_register(pointer), operand_of_word(leaf->width / 8));
}

void lower_masked(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    struct masked m = masked_operands(call, row->extra);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(m.value));
    if (shape->packed) {
        emit_not_modelled(l, "masked access to elements that are not whole bytes");
        lower_result_zero(l, call);
        return;
    }
    uint32_t dst = m.store ? 0 : lower_result_register(l, call);
    uint32_t pointer = m.each ? 0 : lower_leaf_register(l, m.pointer, 0);
    if (m.packed) {
        uint32_t running = emit_new_registers(l, 1);
        emit_move(l, 64, running, pointer);
        pointer = running;
    }
    for (uint32_t i = 0; i < shape->leaf_count; i++) {
        const struct leaf *leaf = &shape->leaves[i];
        struct operand bit = lower_operand_leaf(l, m.mask, i);
        if (!m.store && !(bit.constant && bit.value))
            lower_copy_leaf(l, leaf->width, dst + leaf->slot, lower_operand_leaf(l, m.value, i));
        if (bit.constant) {
            if (bit.value) lane_access(l, &m, i, leaf, pointer, dst);
            continue;
        }
        uint32_t on = emit_new_block(l), after = emit_new_block(l);
        emit_branch(l, bit.reg, on, after);
        emit_start_block(l, on);
        lane_access(l, &m, i, leaf, pointer, dst);
        emit_jump(l, after);
        emit_start_block(l, after);
    }
}

// ---- permutations

static void active_lanes(struct lowering *l, LLVMValueRef call) { // bit i: base + i < limit, without overflow
    LLVMValueRef base = LLVMGetOperand(call, 0), limit = LLVMGetOperand(call, 1);
    unsigned width = types_shape_of(l->front, LLVMTypeOf(base))->leaves[0].width;
    uint32_t count = types_shape_of(l->front, LLVMTypeOf(call))->leaf_count,
             dst = lower_result_register(l, call);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t sum = emit_new_registers(l, ir_slots(width)),
                 step = lower_operand_register(l, operand_of_word(i), width);
        emit_int_general(l, IR_FN_UADD_SAT, width, width, sum, lower_leaf_register(l, base, 0), step, 0);
        emit_int(l, IR_FN_ULT, width, dst + i, operand_of_register(sum), lower_operand_leaf(l, limit, 0));
    }
}

static void first_set_lane(struct lowering *l, LLVMValueRef call) { // the number of lanes when none is set
    LLVMValueRef vector = LLVMGetOperand(call, 0);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(vector));
    unsigned width = types_shape_of(l->front, LLVMTypeOf(call))->leaves[0].width;
    uint32_t found = lower_operand_register(l, operand_of_word(shape->leaf_count), width);
    for (uint32_t i = shape->leaf_count; i-- > 0;) {
        uint32_t bit = emit_new_registers(l, 1),
                 next = i ? emit_new_registers(l, 1) : lower_result_register(l, call);
        emit_int(l, IR_FN_NE, shape->leaves[i].width, bit, lower_operand_leaf(l, vector, i),
                 operand_of_word(0));
        emit_select(l, width, next, bit, lower_operand_register(l, operand_of_word(i), width), found);
        found = next;
    }
}

// The lane of an operand that becomes lane i of the result.
static struct operand source_lane(struct lowering *l, LLVMValueRef call, uint32_t kind, uint32_t i,
                                  uint32_t count) {
    LLVMValueRef a = LLVMGetOperand(call, 0),
                 b = LLVMGetNumArgOperands(call) > 1 ? LLVMGetOperand(call, 1) : NULL;
    switch (kind) {
    case 'i': {
        uint64_t at = constant_word(l->front, LLVMGetOperand(call, 2));
        uint32_t part = types_shape_of(l->front, LLVMTypeOf(b))->leaf_count;
        return i >= at && i < at + part ? lower_operand_leaf(l, b, i - (uint32_t)at)
                                        : lower_operand_leaf(l, a, i);
    }
    case 'x': return lower_operand_leaf(l, a, i + (uint32_t)constant_word(l->front, b));
    case 'r': return lower_operand_leaf(l, a, count - 1 - i);
    case 'm': return lower_operand_leaf(l, i % 2 ? b : a, i / 2);
    case 'd': return lower_operand_leaf(l, a, i < count / 2 ? 2 * i : 2 * (i - count / 2) + 1);
    default: { // splice: lanes of both operands from an index; a negative index counts from the end of the first
        int64_t at = (int32_t)constant_word(l->front, LLVMGetOperand(call, 2));
        uint64_t lane = (uint64_t)(at < 0 ? (int64_t)count + at : at) + i;
        return lane < count ? lower_operand_leaf(l, a, (uint32_t)lane)
                            : lower_operand_leaf(l, b, (uint32_t)lane - count);
    }
    }
}

void lower_vector_part(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    if (row->extra == 'a') {
        active_lanes(l, call);
        return;
    }
    if (row->extra == 'z') {
        first_set_lane(l, call);
        return;
    }
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(call));
    uint32_t dst = lower_result_register(l, call);
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        lower_copy_leaf(l, shape->leaves[i].width, dst + shape->leaves[i].slot,
                        source_lane(l, call, row->extra, i, shape->leaf_count));
}
