// Lowers loads, stores, atomics (as plain accesses: threads are switched only at system calls), and stack objects.
#include "front/front_int.h"

// ---- the frame

// The C library accesses its own locals only: their red zones are small, so that it needs less stack.
static uint64_t red_zone(const struct lowering *l, uint64_t size) {
    uint64_t least = l->result->runtime ? 16 : LOWER_FAR + LOWER_NEARNESS;
    return MAX(least, size < 64 ? 16 : size < 4096 ? 32 : 64);
}

// The red zone below the first local. Between it and the locals of a called function lie CALL_COST bytes more.
static uint64_t first_red_zone(const struct lowering *l) { return l->result->runtime ? 16 : 48; }

uint32_t lower_add_frame_object(struct lowering *l, uint64_t size, uint64_t align, uint32_t name,
                                uint32_t location) {
    align = MAX(align, 1);
    if (!l->frame_size) l->frame_size = first_red_zone(l);
    uint64_t offset = align_up(l->frame_size, MAX(align, 8));
    l->frame_size = offset + size + red_zone(l, size);
    l->frame_align = MAX(l->frame_align, MAX(align, 16));
    vec_push(&l->allocas, ((struct ir_alloca){offset, size, name, location, false}));
    return l->allocas.count - 1;
}

uint32_t lower_frame_object_register(struct lowering *l, uint32_t object) {
    uint32_t reg = emit_new_registers(l, 1);
    assert(l->allocas.at[object].offset <= INT32_MAX);
    emit(l, IR_FRAME, 64, reg, 0, (uint32_t)l->allocas.at[object].offset);
    return reg;
}

#define LARGEST_FIXED (1u << 30)

static bool alloca_size(struct front *front, LLVMValueRef instruction, uint64_t *size) {
    LLVMValueRef count = LLVMGetOperand(instruction, 0);
    if (!LLVMIsConstant(count)) return false;
    uint64_t number = constant_word(front, count),
             each = types_size_of(front, LLVMGetAllocatedType(instruction));
    return !__builtin_mul_overflow(number, each, size) && *size <= LARGEST_FIXED;
}

static uint32_t variable_name(struct lowering *l, LLVMValueRef instruction) {
    size_t length;
    const char *name = LLVMGetValueName2(instruction, &length);
    if (length > 5 && !memcmp(name + length - 5, ".addr", 5)) length -= 5;
    return length ? debug_intern_string(l->front, name, length) : 0;
}

// Lowers the allocas of the entry block with a constant size: their addresses are computed once, at the start.
void lower_fixed_allocas(struct lowering *l) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(l->function);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        uint64_t size;
        if (LLVMGetInstructionOpcode(i) != LLVMAlloca || !alloca_size(l->front, i, &size)) continue;
        if (l->frame_size + size > INT32_MAX) continue;
        uint32_t name = variable_name(l, i),
                 location = debug_location_of(l->front, LLVMInstructionGetDebugLoc(i));
        uint32_t object = lower_add_frame_object(l, size, LLVMGetAlignment(i), name, location);
        *map_put(&l->objects, (uintptr_t)i) = object + 1;
        if (l->front->options->traced)
            *map_put(&l->front->local_offsets, (uintptr_t)i) = l->allocas.at[object].offset + 1;
        if (LLVMGetFirstUse(i)) lower_define_alias(l, i, lower_frame_object_register(l, object));
    }
}

void lower_declare(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    (void)row;
    LLVMValueRef place = LLVMGetOperand(call, 0), alloca = NULL;
    if (LLVMGetMDNodeNumOperands(place) != 1) return;
    LLVMGetMDNodeOperands(place, &alloca);
    uint64_t *object = alloca ? map_get(&l->objects, (uintptr_t)alloca) : NULL;
    if (!object) return;
    struct ir_alloca *result = &l->allocas.at[*object - 1];
    LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(call, 1));
    if (LLVMGetMetadataKind(variable) != LLVMDILocalVariableMetadataKind) return;
    result->location = debug_location_of_variable(l->front, variable, &result->name);
}

// Lowers a lifetime marker of a fixed local. Markers in the runtime are ignored, because its bitcode was optimised.
void lower_scope(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    uint64_t *object = map_get(&l->objects, (uintptr_t)LLVMGetOperand(call, 1));
    if (l->result->runtime || !object) return;
    struct ir_alloca *local = &l->allocas.at[*object - 1];
    assert(local->offset <= UINT32_MAX && local->size <= UINT32_MAX);
    if (row->extra == IR_SCOPE_BEGIN) local->begins_later = true;
    uint32_t location = l->location;
    l->location = 0; // a declaration or a brace is not code
    emit(l, (enum ir_op)row->extra, 0, (uint32_t)local->offset, (uint32_t)*object - 1, (uint32_t)local->size);
    l->location = location;
}

static void lower_alloca(struct lowering *l, LLVMValueRef instruction) {
    if (map_get(&l->registers, (uintptr_t)instruction) || !LLVMGetFirstUse(instruction)) return;
    LLVMValueRef count = LLVMGetOperand(instruction, 0);
    uint64_t each = types_size_of(l->front, LLVMGetAllocatedType(instruction));
    unsigned width = types_shape_of(l->front, LLVMTypeOf(count))->leaves[0].width;
    struct operand number = lower_operand_leaf(l, count, 0);
    uint32_t size;
    if (number.constant) {
        size = lower_operand_register(l, operand_of_word(number.value * each), 64);
    } else {
        size = number.reg;
        if (width < 64) emit_convert(l, IR_FN_ZEXT, width, 64, size = emit_new_registers(l, 1), number.reg);
        if (each != 1) {
            uint32_t product = emit_new_registers(l, 1);
            emit_int(l, IR_FN_MUL, 64, product, operand_of_register(size), operand_of_word(each));
            size = product;
        }
    }
    emit(l, IR_ALLOCA, 64, lower_result_register(l, instruction), size,
         MAX(LLVMGetAlignment(instruction), 1));
}

// ---- atomics

static bool update_function(LLVMAtomicRMWBinOp operation, enum ir_fn *fn) {
    switch (operation) {
    case LLVMAtomicRMWBinOpAdd: *fn = IR_FN_ADD; return true;
    case LLVMAtomicRMWBinOpSub: *fn = IR_FN_SUB; return true;
    case LLVMAtomicRMWBinOpAnd:
    case LLVMAtomicRMWBinOpNand: *fn = IR_FN_AND; return true;
    case LLVMAtomicRMWBinOpOr: *fn = IR_FN_OR; return true;
    case LLVMAtomicRMWBinOpXor: *fn = IR_FN_XOR; return true;
    case LLVMAtomicRMWBinOpMax: *fn = IR_FN_SMAX; return true;
    case LLVMAtomicRMWBinOpMin: *fn = IR_FN_SMIN; return true;
    case LLVMAtomicRMWBinOpUMax: *fn = IR_FN_UMAX; return true;
    case LLVMAtomicRMWBinOpUMin: *fn = IR_FN_UMIN; return true;
    case LLVMAtomicRMWBinOpFAdd: *fn = IR_FN_FADD; return true;
    case LLVMAtomicRMWBinOpFSub: *fn = IR_FN_FSUB; return true;
    case LLVMAtomicRMWBinOpFMax: *fn = IR_FN_FMAXNUM; return true;
    case LLVMAtomicRMWBinOpFMin: *fn = IR_FN_FMINNUM; return true;
    default: return false;
    }
}

// UIncWrap: old >= limit ? 0 : old + 1. UDecWrap: old == 0 || old > limit ? limit : old - 1.
static void wrapping_step(struct lowering *l, bool up, unsigned width, uint32_t dst, uint32_t old,
                          uint32_t limit) {
    uint32_t next = emit_new_registers(l, ir_slots(width)), bit = emit_new_registers(l, 1);
    struct operand value = operand_of_register(old), one = operand_of_word(1), zero = operand_of_word(0);
    emit_int(l, up ? IR_FN_ADD : IR_FN_SUB, width, next, value, one);
    if (up) {
        emit_int(l, IR_FN_UGE, width, bit, value, operand_of_register(limit));
        emit_select(l, width, dst, bit, lower_operand_register(l, zero, width), next);
        return;
    }
    uint32_t above = emit_new_registers(l, 1), either = emit_new_registers(l, 1);
    emit_int(l, IR_FN_EQ, width, bit, value, zero);
    emit_int(l, IR_FN_UGT, width, above, value, operand_of_register(limit));
    emit_int(l, IR_FN_OR, 1, either, operand_of_register(bit), operand_of_register(above));
    emit_select(l, width, dst, either, limit, next);
}

static void lower_update(struct lowering *l, LLVMValueRef instruction) {
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(instruction));
    const struct leaf *leaf = &shape->leaves[0];
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(instruction);
    struct address address = lower_address_in_register(
        lower_address_register(l, lower_address_of(l, LLVMGetOperand(instruction, 0))));
    uint32_t old = lower_result_register(l, instruction), fresh = emit_new_registers(l, shape->slots);
    struct operand value = lower_operand_leaf(l, LLVMGetOperand(instruction, 1), 0);
    lower_load_leaf(l, address, 0, leaf->width, old);
    enum ir_fn fn;
    if (operation == LLVMAtomicRMWBinOpXchg) {
        lower_store_leaf(l, address, 0, leaf->width, value);
        return;
    }
    if (operation == LLVMAtomicRMWBinOpUIncWrap || operation == LLVMAtomicRMWBinOpUDecWrap) {
        wrapping_step(l, operation == LLVMAtomicRMWBinOpUIncWrap, leaf->width, fresh, old,
                      lower_operand_register(l, value, leaf->width));
    } else if (!update_function(operation, &fn)) {
        emit_not_modelled(l, "atomic operation %d", (int)operation);
        emit_move(l, leaf->width, fresh, old);
    } else if (leaf->format >= 0) {
        emit_float(l, fn, (enum ir_float)leaf->format, fresh, old,
                   lower_operand_register(l, value, leaf->width), 0, 0);
    } else {
        emit_int(l, fn, leaf->width, fresh, operand_of_register(old), value);
    }
    if (operation == LLVMAtomicRMWBinOpNand) {
        uint32_t inverse = emit_new_registers(l, shape->slots);
        uint64_t *ones = ARENA_ARRAY(l->front->scratch, uint64_t, shape->slots);
        for (uint32_t i = 0; i < shape->slots; i++) ones[i] = mask_bits(MIN(leaf->width - 64 * i, 64));
        struct operand all = {.constant = true, .value = ones[0], .wide = shape->slots > 1 ? ones : NULL};
        emit_int(l, IR_FN_XOR, leaf->width, inverse, operand_of_register(fresh), all);
        fresh = inverse;
    }
    lower_store_leaf(l, address, 0, leaf->width, operand_of_register(fresh));
}

// Always writes, like the processor's instruction: the old value if the comparison fails.
static void lower_compare_exchange(struct lowering *l, LLVMValueRef instruction) {
    LLVMValueRef expected = LLVMGetOperand(instruction, 1), desired = LLVMGetOperand(instruction, 2);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(expected));
    unsigned width = shape->leaves[0].width;
    struct address address = lower_address_in_register(
        lower_address_register(l, lower_address_of(l, LLVMGetOperand(instruction, 0))));
    uint32_t old = lower_result_register(l, instruction), bit = old + shape->slots;
    lower_load_leaf(l, address, 0, width, old);
    emit_int(l, IR_FN_EQ, width, bit, operand_of_register(old), lower_operand_leaf(l, expected, 0));
    uint32_t fresh = emit_new_registers(l, shape->slots);
    emit_select(l, width, fresh, bit, lower_leaf_register(l, desired, 0), old);
    lower_store_leaf(l, address, 0, width, operand_of_register(fresh));
}

// Reads the ABI's va_list with all arguments in the overflow area (see ir.h): its address is at byte 8.
static void lower_va_arg(struct lowering *l, LLVMValueRef instruction) {
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(instruction));
    struct address list = lower_address_in_register(
        lower_address_register(l, lower_address_of(l, LLVMGetOperand(instruction, 0))));
    uint32_t at = emit_new_registers(l, 1), next = emit_new_registers(l, 1);
    lower_load_leaf(l, list, 8, 64, at);
    if (LLVMABIAlignmentOfType(l->front->layout, shape->type) > 8) {
        uint32_t up = emit_new_registers(l, 1), aligned = emit_new_registers(l, 1);
        emit_int(l, IR_FN_ADD, 64, up, operand_of_register(at), operand_of_word(15));
        emit_int(l, IR_FN_AND, 64, aligned, operand_of_register(up), operand_of_word(~15ull));
        at = aligned;
    }
    lower_load_shape(l, shape, lower_address_in_register(at), lower_result_register(l, instruction));
    uint64_t size = align_up(types_size_of(l->front, shape->type), 8);
    emit_int(l, IR_FN_ADD, 64, next, operand_of_register(at), operand_of_word(size));
    lower_store_leaf(l, list, 8, 64, operand_of_register(next));
}

bool lower_memory(struct lowering *l, LLVMValueRef instruction, LLVMOpcode opcode) {
    switch (opcode) {
    case LLVMAlloca: lower_alloca(l, instruction); return true;
    case LLVMLoad:
        lower_load_shape(l, types_shape_of(l->front, LLVMTypeOf(instruction)),
                         lower_address_of(l, LLVMGetOperand(instruction, 0)),
                         lower_result_register(l, instruction));
        return true;
    case LLVMStore:
        lower_store_value(l, LLVMGetOperand(instruction, 0),
                          lower_address_of(l, LLVMGetOperand(instruction, 1)));
        return true;
    case LLVMGetElementPtr: lower_gep(l, instruction); return true;
    case LLVMAtomicRMW: lower_update(l, instruction); return true;
    case LLVMAtomicCmpXchg: lower_compare_exchange(l, instruction); return true;
    case LLVMFence: return true;
    case LLVMVAArg: lower_va_arg(l, instruction); return true;
    default: return false;
    }
}
