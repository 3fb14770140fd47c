// Uninitialised local variables. When LLVM promotes variables to registers, it may choose any value for a variable that
// is read before it is written: phi(3, undef) becomes 3. So each variable that will be promoted first gets the value of
// a call of __tamar_unset, at its declaration and at the start of its scope. Afterwards calls whose value is not used
// are erased; most functions have none left.
#include "front/front_int.h"

#define UNSET "__tamar_unset"

// Whether mem2reg will promote the variable: its address is used only for loads and stores of the whole variable.
static bool becomes_register(LLVMValueRef variable) {
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    if (LLVMIsAConstantInt(LLVMGetOperand(variable, 0)) == NULL) return false;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user) && LLVMTypeOf(user) == type && !LLVMGetVolatile(user)) continue;
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != variable && !LLVMGetVolatile(user) &&
            LLVMTypeOf(LLVMGetOperand(user, 0)) == type)
            continue;
        if (scopes_is_marker(user)) continue;
        return false;
    }
    return true;
}

struct unset_pass {
    struct front *front;
    LLVMBuilderRef builder;
    LLVMTypeRef word, type; // word: 64 bits; type: function type of __tamar_unset
    LLVMValueRef function;  // declaration of __tamar_unset in this module
};

static LLVMValueRef keep(struct unset_pass *unset, LLVMValueRef value) {
    vec_push(&unset->front->unset, value);
    return value;
}

static LLVMValueRef build_call(struct unset_pass *unset, uint64_t bytes) {
    LLVMValueRef size = LLVMConstInt(unset->word, bytes, false);
    return keep(unset, LLVMBuildCall2(unset->builder, unset->type, unset->function, &size, 1, ""));
}

// Builds an uninitialised integer of `bits` bits (at most 128).
static LLVMValueRef build_bits(struct unset_pass *unset, unsigned bits) {
    LLVMBuilderRef builder = unset->builder;
    LLVMTypeRef type = LLVMIntTypeInContext(unset->front->context, bits);
    unsigned bytes = (bits + 7) / 8;
    if (bits == 64) return build_call(unset, 8);
    if (bits < 64) return keep(unset, LLVMBuildTrunc(builder, build_call(unset, bytes), type, ""));
    LLVMValueRef low = keep(unset, LLVMBuildZExt(builder, build_call(unset, 8), type, ""));
    LLVMValueRef high = keep(unset, LLVMBuildZExt(builder, build_call(unset, bytes - 8), type, ""));
    high = keep(unset, LLVMBuildShl(builder, high, LLVMConstInt(type, 64, false), ""));
    return keep(unset, LLVMBuildOr(builder, low, high, ""));
}

// Builds an uninitialised value. NULL: variables of this type are not supported.
static LLVMValueRef build_value(struct unset_pass *unset, LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        return keep(unset, LLVMBuildIntToPtr(unset->builder, build_call(unset, 8), type, ""));
    case LLVMIntegerTypeKind: {
        unsigned bits = LLVMGetIntTypeWidth(type);
        return bits <= 128 ? build_bits(unset, bits) : NULL;
    }
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMX86_FP80TypeKind:
    case LLVMVectorTypeKind: {
        unsigned bits = (unsigned)LLVMSizeOfTypeInBits(unset->front->layout, type);
        if (bits > 128) return NULL;
        return keep(unset, LLVMBuildBitCast(unset->builder, build_bits(unset, bits), type, ""));
    }
    default: return NULL;
    }
}

static void set_before(struct unset_pass *unset, LLVMValueRef instruction, LLVMValueRef variable) {
    LLVMPositionBuilderBefore(unset->builder, instruction);
    LLVMValueRef value = build_value(unset, LLVMGetAllocatedType(variable));
    if (!value) return;
    LLVMBuildStore(unset->builder, value, variable);
    *map_put(&unset->front->unset_variables, (uintptr_t)variable) = 1;
}

static void mark_variable(struct unset_pass *unset, LLVMValueRef variable) {
    set_before(unset, LLVMGetNextInstruction(variable), variable);
    LLVMBasicBlockRef entry = LLVMGetInstructionParent(variable);
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if ((scopes_is_marker(user) && scopes_begins(user)) && LLVMGetInstructionParent(user) != entry)
            set_before(unset, LLVMGetNextInstruction(user), variable);
    }
}

static bool is_parameter(LLVMValueRef variable) {
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMIsAArgument(LLVMGetOperand(user, 0)) &&
            LLVMGetInstructionParent(user) == LLVMGetInstructionParent(variable))
            return true;
    }
    return false;
}

void unset_mark(struct front *front) {
    struct unset_pass unset = {.front = front,
                               .builder = LLVMCreateBuilderInContext(front->context),
                               .word = LLVMInt64TypeInContext(front->context)};
    unset.type = LLVMFunctionType(unset.word, &unset.word, 1, false);
    vec_each (struct unit, unit, &front->units) {
        if (unit->reader) continue;
        unset.function = symbols_declare(unit->module, UNSET, unset.type);
        for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f)) {
            if (LLVMIsDeclaration(f)) continue;
            vec(LLVMValueRef) variables = {0};
            for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)); i;
                 i = LLVMGetNextInstruction(i))
                if (LLVMIsAAllocaInst(i) && becomes_register(i) && !is_parameter(i)) vec_push(&variables, i);
            vec_each (LLVMValueRef, variable, &variables) mark_variable(&unset, *variable);
            vec_free(&variables);
        }
    }
    LLVMDisposeBuilder(unset.builder);
}

bool unset_is_marked(const struct front *front, LLVMValueRef variable) {
    return map_get(&front->unset_variables, (uintptr_t)variable) != NULL;
}

void unset_sweep(struct front *front) {
    for (uint32_t i = front->unset.count; i-- > 0;) // users come after their operands
        if (!LLVMGetFirstUse(front->unset.at[i])) LLVMInstructionEraseFromParent(front->unset.at[i]);
    vec_free(&front->unset);
}
