// Evaluates constants to numbers: all addresses are known before the first function is lowered.
#include "front/front_int.h"

uint32_t lower_label_of(struct front *front, LLVMBasicBlockRef block) {
    uint64_t *place = map_put(&front->labels, (uintptr_t)block);
    if (!*place) {
        // The function's index is known; the instruction is filled in by finish.c.
        LLVMValueRef function = LLVMGetBasicBlockParent(block);
        vec_push(&front->label_list, ((struct ir_label){layout_function_index(front, function), NO_TARGET}));
        *place = front->label_list.count;
    }
    return (uint32_t)*place - 1;
}

static uint64_t global_address(struct front *front, LLVMValueRef value) {
    LLVMValueRef definition = symbols_resolve(front, value);
    LLVMValueKind kind = LLVMGetValueKind(definition);
    if (kind == LLVMGlobalAliasValueKind) return constant_word(front, LLVMAliasGetAliasee(definition));
    if (kind == LLVMFunctionValueKind) {
        if (LLVMGetLinkage(definition) == LLVMExternalWeakLinkage && !symbols_is_definition(definition))
            return 0;
        return IR_CODE_BASE + 16ull * layout_function_index(front, definition);
    }
    if (kind == LLVMGlobalVariableValueKind) {
        if (LLVMGetLinkage(definition) == LLVMExternalWeakLinkage && !symbols_is_definition(definition))
            return 0;
        uint64_t *address = map_get(&front->address, (uintptr_t)definition);
        if (LLVMIsThreadLocal(definition)) front->thread_local_seen = true;
        return address ? *address : 0;
    }
    return 0; // ifuncs: rejected when they are reached
}

// The byte offset that a GEP (instruction or constant) with constant indices adds.
static uint64_t gep_constant_offset(struct front *front, LLVMValueRef gep) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    uint64_t offset = 0;
    int count = LLVMGetNumOperands(gep);
    for (int i = 1; i < count; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            offset += LLVMOffsetOfElement(front->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1) type = LLVMGetElementType(type);
        const struct type_shape *shape = types_shape_of(front, LLVMTypeOf(index));
        int64_t number = sign_extend(constant_word(front, index), MIN(shape->leaves[0].width, 64));
        offset += (uint64_t)number * types_size_of(front, type);
    }
    return offset;
}

static uint64_t expression_word(struct front *front, LLVMValueRef constant) {
    LLVMValueRef first = LLVMGetOperand(constant, 0);
    unsigned width = types_shape_of(front, LLVMTypeOf(constant))->leaves[0].width;
    uint64_t mask = mask_bits(MIN(width, 64));
    switch (LLVMGetConstOpcode(constant)) {
    case LLVMGetElementPtr: return constant_word(front, first) + gep_constant_offset(front, constant);
    case LLVMAdd:
        return (constant_word(front, first) + constant_word(front, LLVMGetOperand(constant, 1))) & mask;
    case LLVMSub:
        return (constant_word(front, first) - constant_word(front, LLVMGetOperand(constant, 1))) & mask;
    case LLVMMul:
        return (constant_word(front, first) * constant_word(front, LLVMGetOperand(constant, 1))) & mask;
    case LLVMXor:
        return (constant_word(front, first) ^ constant_word(front, LLVMGetOperand(constant, 1))) & mask;
    case LLVMAnd: return constant_word(front, first) & constant_word(front, LLVMGetOperand(constant, 1));
    case LLVMOr: return constant_word(front, first) | constant_word(front, LLVMGetOperand(constant, 1));
    case LLVMShl:
        return (constant_word(front, first) << (constant_word(front, LLVMGetOperand(constant, 1)) & 63)) &
               mask;
    case LLVMLShr:
        return constant_word(front, first) >> (constant_word(front, LLVMGetOperand(constant, 1)) & 63);
    case LLVMSExt: {
        unsigned from = types_shape_of(front, LLVMTypeOf(first))->leaves[0].width;
        return (uint64_t)sign_extend(constant_word(front, first), MIN(from, 64)) & mask;
    }
    default: return constant_word(front, first) & mask; // casts between pointers and integers, trunc, zext
    }
}

// Computes the slots of integers and floats. llvm-c returns only 64 bits, so wider values are shifted by folding.
static void integer_slots(struct front *front, LLVMValueRef constant, unsigned width, uint64_t *slots) {
    LLVMTypeRef type = LLVMTypeOf(constant), word = LLVMInt64TypeInContext(front->context);
    if (width <= 64) {
        slots[0] = LLVMConstIntGetZExtValue(constant);
        return;
    }
    for (unsigned i = 0; i < ir_slots(width); i++) {
        LLVMValueRef amount = LLVMConstInt(type, 64ull * i, false);
        LLVMValueRef shifted = LLVMBuildLShr(front->folder, constant, amount, "");
        LLVMValueRef low = LLVMBuildTrunc(front->folder, shifted, word, "");
        slots[i] = LLVMConstIntGetZExtValue(low);
    }
}

static void scalar_slots(struct front *front, LLVMValueRef constant, LLVMValueKind kind, unsigned width,
                         uint64_t *slots) {
    switch (kind) {
    case LLVMConstantIntValueKind: integer_slots(front, constant, width, slots); break;
    case LLVMConstantFPValueKind: {
        LLVMTypeRef integer = LLVMIntTypeInContext(front->context, width);
        integer_slots(front, LLVMConstBitCast(constant, integer), width, slots);
        break;
    }
    case LLVMConstantExprValueKind:
        if (LLVMGetConstOpcode(constant) == LLVMBitCast && width > 64) {
            constant_slots(front, LLVMGetOperand(constant, 0), slots);
            break;
        }
        slots[0] = expression_word(front, constant);
        break;
    case LLVMBlockAddressValueKind:
        slots[0] = IR_LABEL_BASE + lower_label_of(front, LLVMGetBlockAddressBasicBlock(constant));
        break;
    case LLVMFunctionValueKind:
    case LLVMGlobalAliasValueKind:
    case LLVMGlobalIFuncValueKind:
    case LLVMGlobalVariableValueKind: slots[0] = global_address(front, constant); break;
    default: break; // undef, poison, null: zero
    }
}

void constant_slots(struct front *front, LLVMValueRef constant, uint64_t *slots) {
    const struct type_shape *shape = types_shape_of(front, LLVMTypeOf(constant));
    memset(slots, 0, shape->slots * sizeof *slots);
    LLVMValueKind kind = LLVMGetValueKind(constant);
    if (kind == LLVMUndefValueValueKind || kind == LLVMPoisonValueValueKind ||
        kind == LLVMConstantAggregateZeroValueKind)
        return;
    if (shape->kind != LLVMStructTypeKind && shape->kind != LLVMArrayTypeKind &&
        shape->kind != LLVMVectorTypeKind) {
        if (shape->slots) scalar_slots(front, constant, kind, shape->leaves[0].width, slots);
        return;
    }
    unsigned count = shape->kind == LLVMStructTypeKind  ? LLVMCountStructElementTypes(shape->type)
                     : shape->kind == LLVMArrayTypeKind ? (unsigned)LLVMGetArrayLength2(shape->type)
                                                        : LLVMGetVectorSize(shape->type);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef element = LLVMGetAggregateElement(constant, i);
        if (!element && shape->kind == LLVMVectorTypeKind) // a vector expression
            element = LLVMConstExtractElement(constant,
                                              LLVMConstInt(LLVMInt32TypeInContext(front->context), i, false));
        if (!element) continue;
        constant_slots(front, element, slots);
        slots += types_shape_of(front, LLVMTypeOf(element))->slots;
    }
}

uint64_t constant_word(struct front *front, LLVMValueRef constant) {
    const struct type_shape *shape = types_shape_of(front, LLVMTypeOf(constant));
    if (shape->slots == 1 && shape->leaf_count == 1) {
        uint64_t word = 0;
        constant_slots(front, constant, &word);
        return word;
    }
    uint64_t *slots = NEW_ARRAY(uint64_t, shape->slots + 1);
    constant_slots(front, constant, slots);
    uint64_t word = slots[0];
    DELETE_ARRAY(slots, shape->slots + 1);
    return word;
}

static void store_slots(const uint64_t *slots, unsigned width, uint8_t *bytes) {
    for (unsigned i = 0; i < bytes_of(width); i++) bytes[i] = (uint8_t)(slots[i / 8] >> (i % 8 * 8));
}

static void array_bytes(struct front *front, LLVMValueRef constant, LLVMTypeRef type, uint8_t *bytes) {
    LLVMTypeRef element = LLVMGetElementType(type);
    uint64_t size = types_size_of(front, element), count = LLVMGetArrayLength2(type);
    if (LLVMGetValueKind(constant) == LLVMConstantDataArrayValueKind) {
        size_t length;
        const char *raw = LLVMGetAsString(constant, &length); // the raw bytes, for any type of elements
        if (length == size * count) {
            memcpy(bytes, raw, length);
            return;
        }
    }
    for (uint64_t i = 0; i < count; i++) {
        LLVMValueRef item = LLVMGetAggregateElement(constant, (unsigned)i);
        if (item) constant_bytes(front, item, bytes + i * size);
    }
}

static void note_left_pointer(struct front *front, LLVMValueRef constant, uint64_t word,
                              const uint8_t *bytes) {
    if (!front->initialised || front->initialised->thread_local_) return;
    LLVMValueRef object = lower_constant_left_object(front, constant, word);
    if (!object && !lower_constant_computed_from(constant)) return;
    struct ir_left_pointer left = {front->initialised->address + (uint64_t)(bytes - front->initial),
                                   object ? constant_word(front, object) : 0};
    vec_push(&front->left_pointers, left);
}

void constant_bytes(struct front *front, LLVMValueRef constant, uint8_t *bytes) {
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMValueKind kind = LLVMGetValueKind(constant);
    if (kind == LLVMUndefValueValueKind || kind == LLVMPoisonValueValueKind ||
        kind == LLVMConstantAggregateZeroValueKind)
        return;
    switch (LLVMGetTypeKind(type)) {
    case LLVMArrayTypeKind: array_bytes(front, constant, type, bytes); return;
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            constant_bytes(front, LLVMGetAggregateElement(constant, i),
                           bytes + LLVMOffsetOfElement(front->layout, type, i));
        return;
    default: break;
    }
    const struct type_shape *shape = types_shape_of(front, type);
    uint64_t *slots = NEW_ARRAY(uint64_t, shape->slots + 1);
    constant_slots(front, constant, slots);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) note_left_pointer(front, constant, slots[0], bytes);
    if (shape->packed) { // one integer without gaps
        for (uint32_t i = 0; i < shape->leaf_count; i++)
            for (unsigned bit = 0; bit < shape->leaves[i].width; bit++)
                if (slots[shape->leaves[i].slot + bit / 64] >> (bit % 64) & 1) {
                    unsigned at = i * shape->leaves[i].width + bit;
                    bytes[at / 8] |= (uint8_t)(1u << (at % 8));
                }
    } else {
        for (uint32_t i = 0; i < shape->leaf_count; i++)
            store_slots(slots + shape->leaves[i].slot, shape->leaves[i].width,
                        bytes + shape->leaves[i].offset);
    }
    DELETE_ARRAY(slots, shape->slots + 1);
}
