// Lowers operations on aggregates and vectors, which are sequences of leaves. Extracting one is an alias of its
// registers; inserting one copies the rest.
#include "base/bug_kinds.h"
#include "front/front_int.h"

#include <stdio.h>

// The first leaf of the part that the indices select; *slot: its first slot.
static uint32_t find_part(struct front *front, LLVMTypeRef type, const unsigned *indices, unsigned count,
                          uint32_t *slot) {
    uint32_t leaf = 0;
    *slot = 0;
    for (unsigned i = 0; i < count; i++) {
        bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
        if (is_struct) {
            for (unsigned k = 0; k < indices[i]; k++) {
                const struct type_shape *shape = types_shape_of(front, LLVMStructGetTypeAtIndex(type, k));
                leaf += shape->leaf_count;
                *slot += shape->slots;
            }
            type = LLVMStructGetTypeAtIndex(type, indices[i]);
        } else {
            type = LLVMGetElementType(type);
            const struct type_shape *shape = types_shape_of(front, type);
            leaf += shape->leaf_count * indices[i];
            *slot += shape->slots * indices[i];
        }
    }
    return leaf;
}

static void lower_extract_value(struct lowering *l, LLVMValueRef instruction) {
    LLVMValueRef whole = LLVMGetOperand(instruction, 0);
    uint32_t slot;
    find_part(l->front, LLVMTypeOf(whole), LLVMGetIndices(instruction), LLVMGetNumIndices(instruction),
              &slot);
    lower_define_alias(l, instruction, lower_whole_register(l, whole) + slot);
}

static void copy_leaves(struct lowering *l, const struct type_shape *shape, uint32_t dst, LLVMValueRef value,
                        uint32_t skip, uint32_t skip_count) {
    if (LLVMIsUndef(value) && skip_count == shape->leaf_count) return;
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        if (i < skip || i >= skip + skip_count)
            lower_copy_leaf(l, shape->leaves[i].width, dst + shape->leaves[i].slot,
                            lower_operand_leaf(l, value, i));
}

static void lower_insert_value(struct lowering *l, LLVMValueRef instruction) {
    LLVMValueRef whole = LLVMGetOperand(instruction, 0), part = LLVMGetOperand(instruction, 1);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(instruction));
    const struct type_shape *part_shape = types_shape_of(l->front, LLVMTypeOf(part));
    uint32_t slot, dst = lower_result_register(l, instruction);
    uint32_t leaf =
        find_part(l->front, shape->type, LLVMGetIndices(instruction), LLVMGetNumIndices(instruction), &slot);
    copy_leaves(l, shape, dst, whole, leaf, part_shape->leaf_count);
    copy_leaves(l, part_shape, dst + slot, part, 0, 0);
}

// Emits the bit "index == i", for an index that is not constant.
static uint32_t index_is(struct lowering *l, LLVMValueRef index, uint32_t i) {
    uint32_t bit = emit_new_registers(l, 1);
    unsigned width = types_shape_of(l->front, LLVMTypeOf(index))->leaves[0].width;
    emit_int(l, IR_FN_EQ, width, bit, lower_operand_leaf(l, index, 0), operand_of_word(i));
    return bit;
}

// Checks the index of a vector element. The VM would not: registers have no bounds.
static void check_lane(struct lowering *l, LLVMValueRef index, const struct type_shape *shape) {
    unsigned width = types_shape_of(l->front, LLVMTypeOf(index))->leaves[0].width;
    if (LLVMIsAConstantInt(index) && constant_word(l->front, index) < shape->leaf_count) return;
    char text[100];
    snprintf(text, sizeof text, "element %%1 of a vector of %u", shape->leaf_count);
    uint32_t check = lower_add_check(l->front, BUG_OUT_OF_BOUNDS, text);
    l->front->checks.at[check].values[0] =
        (struct ir_check_value){.width = (uint8_t)width, .is_signed = true};
    emit(l, IR_BELOW, width, shape->leaf_count, lower_leaf_register(l, index, 0), check);
}

static void lower_extract_element(struct lowering *l, LLVMValueRef instruction) {
    LLVMValueRef vector = LLVMGetOperand(instruction, 0), index = LLVMGetOperand(instruction, 1);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(vector));
    check_lane(l, index, shape);
    uint32_t source = lower_whole_register(l, vector), slots = ir_slots(shape->leaves[0].width);
    if (LLVMIsConstant(index)) {
        uint64_t number = constant_word(l->front, index);
        lower_define_alias(l, instruction,
                           source + slots * (uint32_t)(number < shape->leaf_count ? number : 0));
        return;
    }
    unsigned width = shape->leaves[0].width;
    uint32_t chosen = source;
    for (uint32_t i = 1; i < shape->leaf_count; i++) {
        bool last = i + 1 == shape->leaf_count;
        uint32_t next = last ? lower_result_register(l, instruction) : emit_new_registers(l, slots);
        emit_select(l, width, next, index_is(l, index, i), source + i * slots, chosen);
        chosen = next;
    }
    if (shape->leaf_count == 1) lower_define_alias(l, instruction, chosen);
}

static void lower_insert_element(struct lowering *l, LLVMValueRef instruction) {
    LLVMValueRef vector = LLVMGetOperand(instruction, 0), element = LLVMGetOperand(instruction, 1);
    LLVMValueRef index = LLVMGetOperand(instruction, 2);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(instruction));
    uint32_t dst = lower_result_register(l, instruction), slots = ir_slots(shape->leaves[0].width);
    unsigned width = shape->leaves[0].width;
    check_lane(l, index, shape);
    if (LLVMIsConstant(index)) {
        uint32_t number = (uint32_t)constant_word(l->front, index);
        copy_leaves(l, shape, dst, vector, number, 1);
        if (number < shape->leaf_count)
            lower_copy_leaf(l, width, dst + number * slots, lower_operand_leaf(l, element, 0));
        return;
    }
    uint32_t fresh = lower_leaf_register(l, element, 0);
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        emit_select(l, width, dst + i * slots, index_is(l, index, i), fresh,
                    lower_leaf_register(l, vector, i));
}

static void lower_shuffle(struct lowering *l, LLVMValueRef instruction) {
    LLVMValueRef left = LLVMGetOperand(instruction, 0), right = LLVMGetOperand(instruction, 1);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(instruction));
    int count = (int)types_shape_of(l->front, LLVMTypeOf(left))->leaf_count;
    uint32_t dst = lower_result_register(l, instruction), slots = ir_slots(shape->leaves[0].width);
    for (uint32_t i = 0; i < shape->leaf_count; i++) {
        int from = LLVMGetMaskValue(instruction, i);
        struct operand source = from < 0       ? lower_operand_leaf(l, LLVMGetUndef(shape->type), i)
                                : from < count ? lower_operand_leaf(l, left, (uint32_t)from)
                                               : lower_operand_leaf(l, right, (uint32_t)(from - count));
        lower_copy_leaf(l, shape->leaves[0].width, dst + i * slots, source);
    }
}

bool lower_aggregate(struct lowering *l, LLVMValueRef instruction, LLVMOpcode opcode) {
    switch (opcode) {
    case LLVMExtractValue: lower_extract_value(l, instruction); return true;
    case LLVMInsertValue: lower_insert_value(l, instruction); return true;
    case LLVMExtractElement: lower_extract_element(l, instruction); return true;
    case LLVMInsertElement: lower_insert_element(l, instruction); return true;
    case LLVMShuffleVector: lower_shuffle(l, instruction); return true;
    default: return false;
    }
}
