// Lowers arithmetic, comparisons, conversions and select. Vectors are lowered element by element, so every function
// here iterates over leaves.
#include "front/front_int.h"

static bool has_register(LLVMValueRef value) {
    LLVMValueKind kind = LLVMGetValueKind(value);
    return kind == LLVMInstructionValueKind || kind == LLVMArgumentValueKind;
}

static uint32_t register_of(struct lowering *l, LLVMValueRef value) {
    uint64_t *place = map_put(&l->registers, (uintptr_t)value);
    if (!*place) *place = emit_new_registers(l, types_shape_of(l->front, LLVMTypeOf(value))->slots) + 1ull;
    assert(*place != VIRTUAL);
    return (uint32_t)*place - 1;
}

uint32_t lower_result_register(struct lowering *l, LLVMValueRef value) { return register_of(l, value); }

void lower_define_alias(struct lowering *l, LLVMValueRef value, uint32_t reg) {
    uint64_t *place = map_put(&l->registers, (uintptr_t)value);
    assert(!*place);
    *place = reg + 1ull;
}

// A constant pointer that is computed from another constant by integer arithmetic.
static struct operand exposed_constant(struct lowering *l, uint64_t word, uint64_t from) {
    uint32_t reg = emit_new_registers(l, 1);
    uint32_t a = lower_operand_register(l, operand_of_word(word), 64),
             b = lower_operand_register(l, operand_of_word(from), 64);
    emit(l, IR_EXPOSED, 64, reg, a, b);
    return operand_of_register(reg);
}

struct operand lower_operand_leaf(struct lowering *l, LLVMValueRef value, uint32_t leaf) {
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(value));
    assert(leaf < shape->leaf_count);
    if (has_register(value)) return operand_of_register(register_of(l, value) + shape->leaves[leaf].slot);
    struct front *front = l->front;
    front->thread_local_seen = false;
    if (shape->slots == 1) {
        uint64_t word = constant_word(front, value);
        LLVMValueRef object =
            front->thread_local_seen ? NULL : lower_constant_left_object(front, value, word);
        if (object) return operand_of_register(lower_address_register(l, lower_address_of(l, value)));
        LLVMValueRef integer = lower_constant_computed_from(value);
        if (integer) return exposed_constant(l, word, constant_word(front, integer));
        if (!front->thread_local_seen) return operand_of_word(word);
        uint32_t reg = emit_new_registers(l, 1);
        emit(l, IR_TLS, 64, reg, 0, (uint32_t)word);
        return operand_of_register(reg);
    }
    uint64_t *slots = ARENA_ARRAY(front->scratch, uint64_t, shape->slots);
    constant_slots(front, value, slots);
    struct operand operand = {.constant = true, .value = slots[shape->leaves[leaf].slot]};
    if (shape->leaves[leaf].width > 64) operand.wide = slots + shape->leaves[leaf].slot;
    return operand;
}

uint32_t lower_operand_register(struct lowering *l, struct operand operand, unsigned width) {
    if (!operand.constant) return operand.reg;
    uint64_t word[2] = {operand.value, 0};
    if (width > 64) {
        uint32_t reg = emit_new_registers(l, ir_slots(width));
        if (operand.wide || width <= 128) {
            emit_constant(l, width, reg, operand.wide ? operand.wide : word);
        } else {
            uint64_t *slots = ARENA_ARRAY(l->front->scratch, uint64_t, ir_slots(width));
            slots[0] = operand.value;
            emit_constant(l, width, reg, slots);
        }
        return reg;
    }
    uint32_t reg = emit_new_registers(l, 1);
    l->temporary.at[reg] = 1;
    emit_imm(l, width, reg, operand.value);
    return reg;
}

uint32_t lower_leaf_register(struct lowering *l, LLVMValueRef value, uint32_t leaf) {
    unsigned width = types_shape_of(l->front, LLVMTypeOf(value))->leaves[leaf].width;
    return lower_operand_register(l, lower_operand_leaf(l, value, leaf), width);
}

void lower_copy_leaf(struct lowering *l, unsigned width, uint32_t dst, struct operand source) {
    if (!source.constant) {
        emit_move(l, width, dst, source.reg);
    } else if (width <= 64) {
        emit_imm(l, width, dst, source.value);
    } else {
        emit_constant(l, width, dst, source.wide);
    }
}

uint32_t lower_whole_register(struct lowering *l, LLVMValueRef value) {
    if (has_register(value)) return register_of(l, value);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(value));
    uint32_t reg = emit_new_registers(l, shape->slots);
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        lower_copy_leaf(l, shape->leaves[i].width, reg + shape->leaves[i].slot,
                        lower_operand_leaf(l, value, i));
    return reg;
}

enum ir_fn lower_int_predicate(LLVMIntPredicate predicate) {
    static const uint8_t table[] = {IR_FN_EQ,  IR_FN_NE,  IR_FN_UGT, IR_FN_UGE, IR_FN_ULT,
                                    IR_FN_ULE, IR_FN_SGT, IR_FN_SGE, IR_FN_SLT, IR_FN_SLE};
    return (enum ir_fn)table[predicate - LLVMIntEQ];
}

static void check_arithmetic(struct lowering *l, LLVMValueRef instruction, enum ir_fn fn, unsigned width,
                             struct operand *a, struct operand *b) {
    uint64_t checks = l->front->options->checks;
    bool arithmetic = fn == IR_FN_ADD || fn == IR_FN_SUB || fn == IR_FN_MUL;
    bool shift = fn == IR_FN_SHL || fn == IR_FN_LSHR || fn == IR_FN_ASHR;
    // The runtime's bitcode was optimised: values that are computed there but not used may overflow.
    if (l->result->runtime || l->compiled_checks) return;
    bool overflow = checks & (CHECK_BIT(OVERFLOW) | CHECK_BIT(ARITHMETIC));
    if (!(arithmetic && overflow && LLVMGetNSW(instruction)) &&
        !(shift && check_wanted(checks, CHECK_SHIFT) && !(b->constant && !b->wide && b->value < width)))
        return;
    *a = operand_of_register(lower_operand_register(l, *a, width));
    uint32_t right = lower_operand_register(l, *b, width);
    emit(l, arithmetic ? IR_CHECK_OVERFLOW : IR_CHECK_SHIFT, width, fn, a->reg, right);
    if (!b->constant) *b = operand_of_register(right);
}

// Whether the operand is a pointer, converted for a subtraction.
static bool is_pointer_value(LLVMValueRef value) {
    return LLVMIsAPtrToIntInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMPtrToInt);
}

// Clang names the subtraction of two pointers "sub.ptr.sub". The difference of two numbers that were cast from pointers
// is defined for any objects.
static void check_pointers(struct lowering *l, LLVMValueRef instruction, LLVMValueRef left,
                           LLVMValueRef right) {
    static const char name[] = "sub.ptr.sub";
    if (!check_wanted(l->front->options->checks, CHECK_POINTER_DIFFERENCE) || l->result->runtime) return;
    size_t length;
    if (strncmp(LLVMGetValueName2(instruction, &length), name, sizeof name - 1) || !is_pointer_value(left) ||
        !is_pointer_value(right))
        return;
    uint32_t a = lower_leaf_register(l, left, 0), b = lower_leaf_register(l, right, 0);
    emit(l, IR_CHECK_SAME_OBJECT, 64, 0, a, b);
}

static void lower_binary(struct lowering *l, LLVMValueRef instruction, enum ir_fn fn) {
    LLVMValueRef left = LLVMGetOperand(instruction, 0), right = LLVMGetOperand(instruction, 1);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(instruction));
    if (fn == IR_FN_SUB) check_pointers(l, instruction, left, right);
    uint32_t dst = lower_result_register(l, instruction);
    for (uint32_t i = 0; i < shape->leaf_count; i++) {
        const struct leaf *leaf = &shape->leaves[i];
        struct operand a = lower_operand_leaf(l, left, i), b = lower_operand_leaf(l, right, i);
        if (leaf->format >= 0) {
            uint32_t first = lower_operand_register(l, a, leaf->width),
                     second = lower_operand_register(l, b, leaf->width);
            emit_float(l, fn, (enum ir_float)leaf->format, dst + leaf->slot, first, second, 0, 0);
            continue;
        }
        check_arithmetic(l, instruction, fn, leaf->width, &a, &b);
        emit_int(l, fn, leaf->width, dst + leaf->slot, a, b);
    }
}

static LLVMValueRef only_user(LLVMValueRef value) {
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

static void lower_icmp(struct lowering *l, LLVMValueRef instruction) {
    LLVMValueRef left = LLVMGetOperand(instruction, 0), right = LLVMGetOperand(instruction, 1);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(left));
    enum ir_fn fn = lower_int_predicate(LLVMGetICmpPredicate(instruction));
    if (shape->kind != LLVMVectorTypeKind && emit_can_fuse_compare(fn, shape->leaves[0].width)) {
        LLVMValueRef user = only_user(instruction);
        if (user && LLVMGetInstructionOpcode(user) == LLVMBr) {
            *map_put(&l->registers, (uintptr_t)instruction) = VIRTUAL;
            return;
        }
    }
    uint32_t dst = lower_result_register(l, instruction);
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        emit_int(l, fn, shape->leaves[i].width, dst + i, lower_operand_leaf(l, left, i),
                 lower_operand_leaf(l, right, i));
}

static void lower_fcmp(struct lowering *l, LLVMValueRef instruction) {
    LLVMValueRef left = LLVMGetOperand(instruction, 0), right = LLVMGetOperand(instruction, 1);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(left));
    uint32_t predicate = LLVMGetFCmpPredicate(instruction), dst = lower_result_register(l, instruction);
    for (uint32_t i = 0; i < shape->leaf_count; i++) {
        uint32_t a = lower_leaf_register(l, left, i), b = lower_leaf_register(l, right, i);
        emit_float(l, IR_FN_FCMP, (enum ir_float)shape->leaves[i].format, dst + i, a, b, 0, predicate);
    }
}

static void lower_fneg(struct lowering *l, LLVMValueRef instruction) {
    LLVMValueRef operand = LLVMGetOperand(instruction, 0);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(operand));
    uint32_t dst = lower_result_register(l, instruction);
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        emit_float(l, IR_FN_FNEG, (enum ir_float)shape->leaves[i].format, dst + shape->leaves[i].slot,
                   lower_leaf_register(l, operand, i), 0, 0, 0);
}

static void lower_select(struct lowering *l, LLVMValueRef instruction) {
    LLVMValueRef condition = LLVMGetOperand(instruction, 0);
    LLVMValueRef yes = LLVMGetOperand(instruction, 1), no = LLVMGetOperand(instruction, 2);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(instruction));
    bool each = types_shape_of(l->front, LLVMTypeOf(condition))->kind == LLVMVectorTypeKind;
    uint32_t dst = lower_result_register(l, instruction),
             bit = each ? 0 : lower_leaf_register(l, condition, 0);
    for (uint32_t i = 0; i < shape->leaf_count; i++) {
        if (each) bit = lower_leaf_register(l, condition, i);
        uint32_t first = lower_leaf_register(l, yes, i), second = lower_leaf_register(l, no, i);
        emit_select(l, shape->leaves[i].width, dst + shape->leaves[i].slot, bit, first, second);
    }
}

static void convert_leaf(struct lowering *l, LLVMOpcode opcode, const struct leaf *from,
                         const struct leaf *to, uint32_t dst, uint32_t a) {
    switch (opcode) {
    case LLVMTrunc: emit_convert(l, IR_FN_TRUNC, from->width, to->width, dst, a); break;
    case LLVMZExt: emit_convert(l, IR_FN_ZEXT, from->width, to->width, dst, a); break;
    case LLVMSExt: emit_convert(l, IR_FN_SEXT, from->width, to->width, dst, a); break;
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        if (from->width == to->width)
            emit_move(l, to->width, dst, a);
        else
            emit_convert(l, from->width < to->width ? IR_FN_ZEXT : IR_FN_TRUNC, from->width, to->width, dst,
                         a);
        break;
    case LLVMFPTrunc:
    case LLVMFPExt:
        emit_float(l, IR_FN_FCONVERT, (enum ir_float)from->format, dst, a, 0, 0, (uint32_t)to->format);
        break;
    case LLVMFPToSI:
    case LLVMFPToUI:
        emit_float(l, opcode == LLVMFPToSI ? IR_FN_FTO_SINT : IR_FN_FTO_UINT, (enum ir_float)from->format,
                   dst, a, 0, 0, to->width);
        break;
    default:
        assert(opcode == LLVMSIToFP || opcode == LLVMUIToFP);
        emit_float(l, opcode == LLVMSIToFP ? IR_FN_FFROM_SINT : IR_FN_FFROM_UINT, (enum ir_float)to->format,
                   dst, a, 0, 0, from->width);
        break;
    }
}

static void lower_cast(struct lowering *l, LLVMValueRef instruction, LLVMOpcode opcode) {
    LLVMValueRef operand = LLVMGetOperand(instruction, 0);
    const struct type_shape *from = types_shape_of(l->front, LLVMTypeOf(operand));
    const struct type_shape *to = types_shape_of(l->front, LLVMTypeOf(instruction));
    // Registers hold narrow values zero-extended already.
    bool pointer = opcode == LLVMPtrToInt || opcode == LLVMIntToPtr;
    bool same = opcode == LLVMZExt ? to->leaves[0].width <= 64
                                   : pointer && from->leaves[0].width == to->leaves[0].width;
    if ((same || opcode == LLVMAddrSpaceCast) && has_register(operand)) {
        lower_define_alias(l, instruction, register_of(l, operand));
        return;
    }
    uint32_t dst = lower_result_register(l, instruction);
    for (uint32_t i = 0; i < to->leaf_count; i++)
        convert_leaf(l, opcode == LLVMAddrSpaceCast ? LLVMPtrToInt : opcode, &from->leaves[i], &to->leaves[i],
                     dst + to->leaves[i].slot, lower_leaf_register(l, operand, i));
}

// Whether a pointer is converted from a sum or a difference of integers: it may point into another object than the one
// it was computed from.
static bool is_computed_pointer(struct lowering *l, LLVMValueRef cast) {
    LLVMValueRef integer = LLVMGetOperand(cast, 0);
    const struct type_shape *from = types_shape_of(l->front, LLVMTypeOf(integer));
    return from->leaf_count == 1 && from->leaves[0].width == 64 && LLVMIsAInstruction(integer) &&
           (LLVMGetInstructionOpcode(integer) == LLVMAdd || LLVMGetInstructionOpcode(integer) == LLVMSub);
}

static void lower_exposed(struct lowering *l, LLVMValueRef instruction) {
    LLVMValueRef sum = LLVMGetOperand(instruction, 0), left = LLVMGetOperand(sum, 0),
                 right = LLVMGetOperand(sum, 1);
    LLVMValueRef from =
        LLVMIsConstant(left) || (LLVMIsAPtrToIntInst(right) && !LLVMIsAPtrToIntInst(left)) ? right : left;
    uint32_t a = lower_leaf_register(l, sum, 0), b = lower_leaf_register(l, from, 0);
    emit(l, IR_EXPOSED, 64, lower_result_register(l, instruction), a, b);
}

// Reuses the registers if both types have equally many leaves; else concatenates the bits and splits them again.
static void lower_bitcast(struct lowering *l, LLVMValueRef instruction) {
    LLVMValueRef operand = LLVMGetOperand(instruction, 0);
    const struct type_shape *from = types_shape_of(l->front, LLVMTypeOf(operand));
    const struct type_shape *to = types_shape_of(l->front, LLVMTypeOf(instruction));
    uint32_t source = lower_whole_register(l, operand);
    if (from->leaf_count == to->leaf_count) {
        lower_define_alias(l, instruction, source);
        return;
    }
    unsigned bits = from->leaf_count * from->leaves[0].width;
    if (from->leaf_count > 1) {
        uint32_t joined = to->leaf_count > 1 ? emit_new_registers(l, ir_slots(bits))
                                             : lower_result_register(l, instruction);
        emit(l, IR_CONCAT, bits, joined, source, from->leaf_count);
        emit_extra(l, 0, 0, from->leaves[0].width, 0);
        source = joined;
    }
    if (to->leaf_count > 1) {
        emit(l, IR_SPLIT, bits, lower_result_register(l, instruction), source, to->leaf_count);
        emit_extra(l, 0, 0, to->leaves[0].width, 0);
    }
}

static enum ir_fn binary_function(LLVMOpcode opcode) {
    switch (opcode) {
    case LLVMAdd: return IR_FN_ADD;
    case LLVMSub: return IR_FN_SUB;
    case LLVMMul: return IR_FN_MUL;
    case LLVMUDiv: return IR_FN_UDIV;
    case LLVMSDiv: return IR_FN_SDIV;
    case LLVMURem: return IR_FN_UREM;
    case LLVMSRem: return IR_FN_SREM;
    case LLVMShl: return IR_FN_SHL;
    case LLVMLShr: return IR_FN_LSHR;
    case LLVMAShr: return IR_FN_ASHR;
    case LLVMAnd: return IR_FN_AND;
    case LLVMOr: return IR_FN_OR;
    case LLVMXor: return IR_FN_XOR;
    case LLVMFAdd: return IR_FN_FADD;
    case LLVMFSub: return IR_FN_FSUB;
    case LLVMFMul: return IR_FN_FMUL;
    case LLVMFDiv: return IR_FN_FDIV;
    case LLVMFRem: return IR_FN_FREM;
    default: return IR_FN_NONE;
    }
}

bool lower_value(struct lowering *l, LLVMValueRef instruction, LLVMOpcode opcode) {
    enum ir_fn fn = binary_function(opcode);
    if (fn != IR_FN_NONE) {
        lower_binary(l, instruction, fn);
        return true;
    }
    switch (opcode) {
    case LLVMICmp: lower_icmp(l, instruction); return true;
    case LLVMFCmp: lower_fcmp(l, instruction); return true;
    case LLVMFNeg: lower_fneg(l, instruction); return true;
    case LLVMSelect: lower_select(l, instruction); return true;
    case LLVMFreeze:
        lower_define_alias(l, instruction, lower_whole_register(l, LLVMGetOperand(instruction, 0)));
        return true;
    case LLVMBitCast: lower_bitcast(l, instruction); return true;
    case LLVMSExt:
        if (lower_index_takes_extension(l, instruction)) {
            *map_put(&l->registers, (uintptr_t)instruction) = VIRTUAL;
            return true;
        }
        lower_cast(l, instruction, opcode);
        return true;
    case LLVMTrunc:
        if (lower_stores_take_truncation(l, instruction)) {
            *map_put(&l->registers, (uintptr_t)instruction) = VIRTUAL;
            return true;
        }
        lower_cast(l, instruction, opcode);
        return true;
    case LLVMZExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMAddrSpaceCast: lower_cast(l, instruction, opcode); return true;
    case LLVMIntToPtr:
        if (is_computed_pointer(l, instruction))
            lower_exposed(l, instruction);
        else
            lower_cast(l, instruction, opcode);
        return true;
    default: return false;
    }
}
