// Lowers calls: argument lists, structs passed by value, variadic parts, and the few functions with special treatment.
#include "front/front_int.h"

struct call_list {
    struct lowering *l;
    vec(struct operand) slots;
};

static void add_value(struct call_list *list, LLVMValueRef value) {
    struct lowering *l = list->l;
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(value));
    for (uint32_t i = 0; i < shape->leaf_count; i++) {
        struct operand operand = lower_operand_leaf(l, value, i);
        for (uint32_t k = 0; k < ir_slots(shape->leaves[i].width); k++) {
            struct operand slot = operand.constant
                                      ? operand_of_word(operand.wide ? operand.wide[k] : operand.value)
                                      : operand_of_register(operand.reg + k);
            vec_push(&list->slots, slot);
        }
    }
}

static uint32_t write_list(struct lowering *l, const struct operand *slots, uint32_t count, bool variadic) {
    uint32_t at = l->arguments.count;
    vec_push(&l->arguments, count | (variadic ? IR_CALL_VARIADIC : 0));
    for (uint32_t i = 0; i < count; i++)
        vec_push(&l->arguments,
                 slots[i].constant ? IR_CONSTANT | emit_constants(l, &slots[i].value, 1) : slots[i].reg);
    return at;
}

void lower_call_function(struct lowering *l, uint32_t function, uint32_t dst, uint32_t result_slots,
                         const struct operand *arguments, uint32_t count) {
    uint32_t list = write_list(l, arguments, count, false);
    emit(l, IR_CALL, result_slots, dst, function, list);
}

// A buffer in the frame for arguments passed in memory. Calls with arguments of the same size share it, because it is
// not used after the call.
static uint32_t call_area(struct lowering *l, uint64_t size, uint64_t align, unsigned kind) {
    assert(size < 1ull << 32 && align <= UINT16_MAX && kind <= UINT16_MAX);
    uint64_t key = size << 32 | align << 16 | kind;
    uint64_t *known = map_put(&l->call_areas, key);
    if (!*known) *known = lower_add_frame_object(l, size, align, 0, l->location) + 1ull;
    return (uint32_t)*known - 1;
}

struct byval {
    LLVMTypeRef type; // NULL: not passed by value
    uint64_t size, align;
};

static struct byval byval_of(struct lowering *l, LLVMValueRef call, unsigned argument) {
    struct byval result = {0};
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, l->front->byval_kind);
    if (!attribute) return result;
    result.type = LLVMGetTypeAttributeValue(attribute);
    result.size = types_size_of(l->front, result.type);
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, argument + 1, l->front->align_kind);
    result.align =
        align ? LLVMGetEnumAttributeValue(align) : LLVMABIAlignmentOfType(l->front->layout, result.type);
    return result;
}

static void copy_memory(struct lowering *l, uint32_t to, uint32_t from, uint64_t size) {
    emit(l, IR_MEMCPY, 0, to, from, lower_operand_register(l, operand_of_word(size), 64));
}

// ---- variadic arguments (ir.h has the two layouts)

struct variadic_part {
    LLVMValueRef value;
    struct byval byval;
    uint64_t offset;
};

// The registers for arguments that the ABI has used so far.
struct abi_registers {
    unsigned general, vector;
    bool unknown; // an argument of a type that is not classified here
};
enum { GENERAL_REGISTERS = 6, VECTOR_REGISTERS = 8, VECTOR_AREA = 48, OVERFLOW_AREA = 176 };

// Takes the registers of an argument. Returns its offset in the register save area, or -1 if it is passed in memory.
static int64_t take_registers(struct lowering *l, struct abi_registers *used, LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
    case LLVMIntegerTypeKind: {
        unsigned width = LLVMGetTypeKind(type) == LLVMPointerTypeKind ? 64 : LLVMGetIntTypeWidth(type);
        unsigned count = width > 64 ? 2 : 1;
        used->unknown |= width > 128;
        if (used->general + count > GENERAL_REGISTERS) return -1;
        used->general += count;
        return 8 * (int64_t)(used->general - count);
    }
    case LLVMVectorTypeKind:
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMFP128TypeKind:
        used->unknown |= types_size_of(l->front, type) > 16;
        return used->vector < VECTOR_REGISTERS ? VECTOR_AREA + 16 * (int64_t)used->vector++ : -1;
    case LLVMX86_FP80TypeKind: return -1;
    default: used->unknown = true; return -1;
    }
}

// Whether the argument may be a struct that is aligned to 16 and passed in registers. The callee reads such a struct at
// a multiple of 16 if it looks for it in memory, but the call does not tell it from one that is aligned to 8.
static bool may_be_aligned_struct(LLVMValueRef argument) {
    if (!LLVMIsALoadInst(argument)) return false;
    LLVMValueRef pointer = LLVMGetOperand(argument, 0);
    LLVMTypeRef type = NULL;
    if (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAConstantExpr(pointer))
        return LLVMGetAlignment(argument) >= 16;
    if (LLVMIsAAllocaInst(pointer)) type = LLVMGetAllocatedType(pointer);
    if (LLVMIsAGlobalVariable(pointer)) type = LLVMGlobalGetValueType(pointer);
    bool scalar =
        type && LLVMGetTypeKind(type) != LLVMStructTypeKind && LLVMGetTypeKind(type) != LLVMArrayTypeKind;
    return LLVMGetAlignment(argument) >= 16 && !scalar;
}

static struct abi_registers fixed_registers(struct lowering *l, LLVMValueRef call, unsigned fixed) {
    struct abi_registers used = {0};
    for (unsigned i = 0; i < fixed; i++)
        if (!byval_of(l, call, i).type) take_registers(l, &used, LLVMTypeOf(LLVMGetOperand(call, i)));
    return used;
}

static bool needs_register_area(struct lowering *l, LLVMValueRef call, unsigned first, unsigned count) {
    bool needed = false;
    for (unsigned i = first; i < count && !needed; i++)
        needed = may_be_aligned_struct(LLVMGetOperand(call, i));
    return needed && !fixed_registers(l, call, count).unknown;
}

// The 128-bit variable of which the argument is the low or the high half, or NULL. If registers are left, clang passes
// an __int128 as two loads from a variable of its own.
static LLVMValueRef whole_of_half(LLVMValueRef argument, unsigned half) {
    LLVMValueRef pointer = LLVMIsALoadInst(argument) ? LLVMGetOperand(argument, 0) : NULL;
    if (pointer && LLVMIsAGetElementPtrInst(pointer)) {
        LLVMValueRef index = LLVMGetOperand(pointer, (unsigned)LLVMGetNumOperands(pointer) - 1);
        if (!LLVMIsAConstantInt(index) || LLVMConstIntGetZExtValue(index) != half) return NULL;
        pointer = LLVMGetOperand(pointer, 0);
    }
    if (!pointer || !LLVMIsAAllocaInst(pointer)) return NULL;
    LLVMTypeRef type = LLVMGetAllocatedType(pointer);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 128 ? pointer : NULL;
}

// Whether this argument and the next one are the halves of an __int128, which the callee reads at a multiple of 16.
static bool is_wide_pair(LLVMValueRef call, unsigned i, unsigned count) {
    LLVMValueRef whole = i + 1 < count ? whole_of_half(LLVMGetOperand(call, i), 0) : NULL;
    return whole && whole == whole_of_half(LLVMGetOperand(call, i + 1), 1);
}

// Sets the offsets of the parts in the buffer, and returns the buffer's size.
static uint64_t place_variadic(struct lowering *l, LLVMValueRef call, unsigned first, unsigned count,
                               bool registers, struct variadic_part *parts) {
    struct abi_registers used = registers ? fixed_registers(l, call, first) : (struct abi_registers){0};
    uint64_t at = registers ? OVERFLOW_AREA : 0;
    for (unsigned i = first; i < count; i++) {
        struct variadic_part *part = &parts[i - first];
        part->value = LLVMGetOperand(call, i);
        LLVMTypeRef type = LLVMTypeOf(part->value);
        part->byval = byval_of(l, call, i);
        int64_t in_registers = registers && !part->byval.type ? take_registers(l, &used, type) : -1;
        if (in_registers >= 0) {
            part->offset = (uint64_t)in_registers;
            continue;
        }
        uint64_t size = part->byval.type ? part->byval.size : types_size_of(l->front, type);
        uint64_t align =
            part->byval.type ? part->byval.align : LLVMABIAlignmentOfType(l->front->layout, type);
        if (!registers && is_wide_pair(call, i, count)) align = 16;
        at = align_up(at, MAX(align, 8));
        part->offset = at;
        at += align_up(size, 8);
    }
    return at;
}

static void store_variadic(struct lowering *l, struct address area, const struct variadic_part *part) {
    area.offset += (int64_t)part->offset;
    if (part->byval.type) {
        uint32_t from = lower_leaf_register(l, part->value, 0);
        if (part->byval.size) copy_memory(l, lower_address_register(l, area), from, part->byval.size);
        return;
    }
    lower_store_value(l, part->value, area);
    // Natively a 32-bit integer is passed in a register with a zero upper half, which va_arg of a long would read.
    LLVMTypeRef type = LLVMTypeOf(part->value);
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32)
        lower_store_leaf(l, area, 4, 32, operand_of_word(0));
}

static struct operand variadic_buffer(struct lowering *l, LLVMValueRef call, unsigned first, unsigned count) {
    if (first >= count) return operand_of_word(0);
    struct variadic_part *parts = NEW_ARRAY(struct variadic_part, count - first);
    bool registers = needs_register_area(l, call, first, count);
    uint64_t size = place_variadic(l, call, first, count, registers, parts);
    uint32_t reg = lower_frame_object_register(l, call_area(l, size, 16, 0));
    for (unsigned i = 0; i < count - first; i++) store_variadic(l, lower_address_in_register(reg), &parts[i]);
    DELETE_ARRAY(parts, count - first);
    if (!registers) return operand_of_register(reg);
    uint32_t marked = emit_new_registers(l, 1);
    emit_int(l, IR_FN_ADD, 64, marked, operand_of_register(reg), operand_of_word(IR_VARIADIC_REGISTERS));
    return operand_of_register(marked);
}

// The value of a field of the va_list: `memory`, or `memory` + `more` if the buffer has a register save area.
static struct operand list_field(struct lowering *l, uint32_t mark, struct operand memory, uint64_t more) {
    uint32_t scaled = emit_new_registers(l, 1), result = emit_new_registers(l, 1);
    emit_int(l, IR_FN_MUL, 64, scaled, operand_of_register(mark), operand_of_word(more));
    emit_int(l, IR_FN_ADD, 64, result, memory, operand_of_register(scaled));
    return operand_of_register(result);
}

// Fills the va_list (see ir.h). Both layouts are handled without a branch.
void lower_va_start(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    struct address list = lower_address_in_register(lower_leaf_register(l, LLVMGetOperand(call, 0), 0));
    struct operand general = operand_of_word(VECTOR_AREA), vector = operand_of_word(OVERFLOW_AREA),
                   overflow = operand_of_word(0), registers = operand_of_word(0);
    if (l->result->variadic) {
        struct abi_registers used = {0};
        unsigned i = 0;
        for (LLVMValueRef p = LLVMGetFirstParam(l->function); p; p = LLVMGetNextParam(p))
            if (!LLVMGetEnumAttributeAtIndex(l->function, ++i, l->front->byval_kind))
                take_registers(l, &used, LLVMTypeOf(p));
        uint32_t mark = emit_new_registers(l, 1), buffer = emit_new_registers(l, 1);
        emit_int(l, IR_FN_AND, 64, mark, operand_of_register(l->variadic_register),
                 operand_of_word(IR_VARIADIC_REGISTERS));
        emit_int(l, IR_FN_SUB, 64, buffer, operand_of_register(l->variadic_register),
                 operand_of_register(mark));
        registers = operand_of_register(buffer);
        general = list_field(l, mark, general, 8ull * used.general - VECTOR_AREA);
        vector = list_field(l, mark, vector, VECTOR_AREA + 16ull * used.vector - OVERFLOW_AREA);
        overflow = list_field(l, mark, registers, OVERFLOW_AREA);
    }
    lower_store_leaf(l, list, 0, 32, general);
    lower_store_leaf(l, list, 4, 32, vector);
    lower_store_leaf(l, list, 8, 64, overflow);
    lower_store_leaf(l, list, 16, 64, registers);
}

static void add_byval(struct call_list *list, LLVMValueRef value, struct byval byval, unsigned number) {
    struct lowering *l = list->l;
    uint32_t from = lower_leaf_register(l, value, 0);
    uint32_t to = lower_frame_object_register(l, call_area(l, byval.size, byval.align, 1 + number));
    if (byval.size) copy_memory(l, to, from, byval.size);
    vec_push(&list->slots, operand_of_register(to));
}

static void add_argument(struct call_list *list, LLVMValueRef call, unsigned i) {
    LLVMValueRef value = LLVMGetOperand(call, i);
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
        struct byval byval = byval_of(list->l, call, i);
        if (byval.type) {
            add_byval(list, value, byval, i);
            return;
        }
    }
    add_value(list, value);
}

// ---- setjmp: the VM's intrinsic, under any of its names

static int name_in(LLVMValueRef function, const char *const *names) {
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    for (int i = 0; names[i]; i++)
        if (strlen(names[i]) == length && !memcmp(name, names[i], length)) return i;
    return -1;
}

static const char *const setjmp_names[] = {"setjmp", "_setjmp", "__setjmp", NULL};
static const char *const sigsetjmp_names[] = {"sigsetjmp", "__sigsetjmp", NULL};

static const char *const machine_setjmp_name[] = {"__tamar_setjmp", NULL};

static bool lower_setjmp(struct lowering *l, LLVMValueRef call, LLVMValueRef callee) {
    if (symbols_is_definition(callee) || !l->front->machine_setjmp) return false;
    bool with_mask = name_in(callee, sigsetjmp_names) >= 0;
    if (!with_mask && name_in(callee, setjmp_names) < 0) return false;
    l->returns_twice = true;
    struct operand arguments[2] = {lower_operand_leaf(l, LLVMGetOperand(call, 0), 0)};
    if (with_mask && l->front->prepare_sigsetjmp) {
        arguments[1] = lower_operand_leaf(l, LLVMGetOperand(call, 1), 0);
        lower_call_function(l, l->front->prepare_sigsetjmp - 1, 0, 0, arguments, 2);
    }
    lower_call_function(l, l->front->machine_setjmp - 1, lower_result_register(l, call), 1, arguments, 1);
    return true;
}

// ---- ordinary calls

// The number of fixed arguments of a call. A definition of the callee decides: without a prototype the call looks
// variadic, but all its arguments are fixed unless the definition is variadic.
static unsigned fixed_arguments(LLVMValueRef callee, LLVMTypeRef type, unsigned count, bool *variadic) {
    *variadic = LLVMIsFunctionVarArg(type);
    unsigned fixed = MIN(LLVMCountParamTypes(type), count);
    if (callee && symbols_is_definition(callee)) {
        LLVMTypeRef own = LLVMGlobalGetValueType(callee);
        if (LLVMIsFunctionVarArg(own)) {
            *variadic = true;
            fixed = MIN(LLVMCountParamTypes(own), count);
        } else if (*variadic) {
            *variadic = false;
            fixed = count;
        }
    }
    return fixed;
}

static void emit_call(struct lowering *l, LLVMValueRef call, LLVMValueRef callee) {
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    unsigned count = LLVMGetNumArgOperands(call);
    bool variadic;
    unsigned fixed = fixed_arguments(callee, type, count, &variadic);
    struct call_list list = {.l = l};
    for (unsigned i = 0; i < fixed; i++) add_argument(&list, call, i);
    if (variadic) vec_push(&list.slots, variadic_buffer(l, call, fixed, count));
    bool used = LLVMGetFirstUse(call) != NULL;
    uint32_t slots = used ? types_shape_of(l->front, LLVMTypeOf(call))->slots : 0;
    uint32_t dst = slots ? lower_result_register(l, call) : 0;
    uint32_t address = callee ? 0 : lower_leaf_register(l, LLVMGetCalledValue(call), 0);
    uint32_t at = write_list(l, list.slots.at, list.slots.count, variadic);
    if (callee)
        emit(l, IR_CALL, slots, dst, layout_function_index(l->front, callee), at);
    else
        emit(l, IR_CALL_R, slots, dst, address, at);
    vec_free(&list.slots);
}

// Lowers an x86 intrinsic to a call of the runtime function that implements it (runtime/x86).
bool lower_x86(struct lowering *l, LLVMValueRef call) {
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
    struct text buffer = {0};
    const char *library = lower_intrinsic_library_name(name, length, &buffer);
    LLVMValueRef function = library ? symbols_named_function(l->front, library) : NULL;
    text_free(&buffer);
    if (function) emit_call(l, call, function);
    return function != NULL;
}

static bool has_unusable_argument(struct lowering *l, LLVMValueRef call) {
    if (types_shape_of(l->front, LLVMTypeOf(call))->unusable) return true;
    unsigned count = LLVMGetNumArgOperands(call);
    for (unsigned i = 0; i < count; i++)
        if (types_shape_of(l->front, LLVMTypeOf(LLVMGetOperand(call, i)))->unusable) return true;
    return false;
}

void lower_call(struct lowering *l, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    LLVMValueKind kind = LLVMGetValueKind(callee);
    if (lower_check(l, call)) return;
    if (kind == LLVMInlineAsmValueKind) {
        lower_asm(l, call);
        return;
    }
    if (kind == LLVMFunctionValueKind && LLVMGetIntrinsicID(callee)) {
        lower_intrinsic(l, call, callee);
        return;
    }
    if (has_unusable_argument(l, call)) {
        lower_unusable(l, call);
        return;
    }
    bool global = kind == LLVMFunctionValueKind || kind == LLVMGlobalAliasValueKind;
    if (kind == LLVMGlobalIFuncValueKind ||
        (global && LLVMGetValueKind(symbols_resolve(l->front, callee)) == LLVMGlobalIFuncValueKind)) {
        emit_not_modelled(l, "the indirect function %s", LLVMGetValueName(callee));
        lower_result_zero(l, call);
        return;
    }
    LLVMValueRef target = global ? symbols_alias_target(l->front, callee) : NULL;
    if (target && LLVMGetValueKind(target) != LLVMFunctionValueKind) target = NULL;
    if (target && LLVMGetLinkage(target) == LLVMExternalWeakLinkage && !symbols_is_definition(target))
        target = NULL;
    if (target && lower_setjmp(l, call, target)) return;
    if (target && name_in(target, machine_setjmp_name) >= 0) l->returns_twice = true;
    emit_call(l, call, target);
}
