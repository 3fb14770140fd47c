// Subscripts of arrays of constant size: the form of their check, and the object that is subscripted.
#include "front/instrumented.h"

static LLVMValueRef without_extension(LLVMValueRef value) {
    return LLVMIsASExtInst(value) || LLVMIsAZExtInst(value) ? LLVMGetOperand(value, 0) : value;
}

static bool is_test(LLVMValueRef condition) {
    if (!LLVMIsAICmpInst(condition)) return false;
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
    return predicate == LLVMIntULT || predicate == LLVMIntULE;
}

bool subscript_read(struct subscript *subscript, LLVMValueRef condition) {
    if (!is_test(condition)) return false;
    LLVMValueRef left = LLVMGetOperand(condition, 0), right = LLVMGetOperand(condition, 1);
    if (!LLVMIsAConstantInt(right)) return false;
    *subscript = (struct subscript){without_extension(left), LLVMConstIntGetZExtValue(right)};
    if (LLVMGetICmpPredicate(condition) == LLVMIntULE) subscript->bound++;
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(subscript->index));
    // A negative index is large as an unsigned number of its own width, too, and no valid index is that large.
    uint64_t most = LLVMIsASExtInst(left) ? UINT64_C(1) << (width - 1) : mask_bits(width);
    return width <= 64 && subscript->bound <= most && subscript->bound <= INT32_MAX;
}

// The address computation that the subscript's check belongs to, or NULL.
static LLVMValueRef address_after(LLVMBasicBlockRef next) {
    enum { NEAR = 4 }; // limit of instructions between the check and the address
    unsigned steps = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(next); i && steps++ < NEAR; i = LLVMGetNextInstruction(i))
        if (LLVMIsAGetElementPtrInst(i)) return i;
    return NULL;
}

static bool is_accessed(LLVMValueRef address, unsigned depth) {
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (sweep_is_instrumentation(user)) continue;
        if (LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address))
            return true;
        if (LLVMIsAGetElementPtrInst(user) && depth && is_accessed(user, depth - 1)) return true; // a member
    }
    return false;
}

// Whether a subscript with a constant index of a global variable is an access: the address is then a constant operand
// of the instruction that uses it.
static bool is_access_at_constant(LLVMBasicBlockRef next) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(next); i; i = LLVMGetNextInstruction(i)) {
        if (sweep_is_instrumentation(i)) continue;
        if (LLVMIsAExtractElementInst(i) || LLVMIsAInsertElementInst(i)) return true;
        if (LLVMIsALoadInst(i)) return LLVMIsAConstantExpr(LLVMGetOperand(i, 0));
        if (LLVMIsAStoreInst(i)) return LLVMIsAConstantExpr(LLVMGetOperand(i, 1));
        if (LLVMIsACallInst(i)) return false;
    }
    return false;
}

bool subscript_is_access(LLVMValueRef condition, LLVMBasicBlockRef next) {
    enum { DEEPEST = 8 }; // limit of nested members
    LLVMValueRef address = address_after(next);
    if (LLVMIsConstant(condition)) {
        bool own = address && LLVMGetNumOperands(address) == 3 &&
                   LLVMIsConstant(LLVMGetOperand(address, 2)) &&
                   LLVMGetTypeKind(LLVMGetGEPSourceElementType(address)) == LLVMArrayTypeKind;
        return own ? is_accessed(address, DEEPEST) : is_access_at_constant(next);
    }
    if (!is_test(condition) || LLVMGetICmpPredicate(condition) == LLVMIntULT) return true;
    return address && is_accessed(address, 0);
}

LLVMValueRef subscript_object(LLVMValueRef index, LLVMBasicBlockRef next, LLVMTypeRef *element) {
    LLVMValueRef gep = address_after(next);
    if (!gep || LLVMGetNumOperands(gep) != 3 || without_extension(LLVMGetOperand(gep, 2)) != index)
        return NULL;
    LLVMValueRef pointer = LLVMGetOperand(gep, 0);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep), own = NULL;
    if (LLVMIsAGlobalVariable(pointer)) own = LLVMGlobalGetValueType(pointer);
    if (LLVMIsAAllocaInst(pointer)) own = LLVMGetAllocatedType(pointer);
    if (own != type || LLVMGetTypeKind(type) != LLVMArrayTypeKind) return NULL;
    *element = LLVMGetElementType(type);
    return pointer;
}
