// Subscripts of arrays whose size the type says: which of clang's checks are needed, and in which form.
//
// The machine checks every access against the object of the pointer that it was computed from. So a subscript of an array that
// is a whole object needs no check of its own. One of an array inside of an object does: what lies behind it is the object's,
// too.
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
    // A negative index is a large one in its own width, too, where no good one is as large.
    uint64_t most = LLVMIsASExtInst(left) ? UINT64_C(1) << (width - 1) : mask_bits(width);
    return width <= 64 && subscript->bound <= most && subscript->bound <= INT32_MAX;
}

// Is an array of this type all that the pointer points to? A variable-length one is of its elements' type.
static bool is_whole(LLVMValueRef pointer, LLVMTypeRef type, unsigned indices) {
    if (LLVMIsAGlobalVariable(pointer)) return indices == 2 && LLVMGlobalGetValueType(pointer) == type;
    if (!LLVMIsAAllocaInst(pointer) || LLVMGetAllocatedType(pointer) != type) return false;
    LLVMValueRef count = LLVMGetOperand(pointer, 0);
    bool one = LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1;
    return one ? indices == 2 : indices == 1;
}

static bool has_constant_indices(LLVMValueRef gep) {
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++)
        if (!LLVMIsAConstantInt(LLVMGetOperand(gep, i))) return false;
    return true;
}

// Are all uses of the address accesses, perhaps of a member, or subscripts of the array that it is the address of? These have
// checks of their own. `type`: of what stands there.
static bool is_for_accesses(LLVMValueRef address, LLVMTypeRef type, unsigned depth) {
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user) || is_instrumentation(user)) continue;
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address) continue;
        if (!LLVMIsAGetElementPtrInst(user) || LLVMGetOperand(user, 0) != address || depth == 0) return false;
        bool row = LLVMGetTypeKind(type) == LLVMArrayTypeKind && LLVMGetGEPSourceElementType(user) == type;
        if (!row && (!has_constant_indices(user) || LLVMGetGEPSourceElementType(user) != type)) return false;
        LLVMTypeRef inner = row ? LLVMGetElementType(type) : NULL;
        if (!row && LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMGetNumOperands(user) == 3)
            inner = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(user, 2)));
        if (!inner || !is_for_accesses(user, inner, depth - 1)) return false;
    }
    return true;
}

// The address that the subscript was checked for: the first one in the next block that is computed of the index.
static LLVMValueRef address_of_subscript(LLVMBasicBlockRef next, LLVMValueRef index) {
    enum { NEAR = 4 };
    unsigned steps = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(next); i && steps++ < NEAR; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAGetElementPtrInst(i)) continue;
        unsigned last = (unsigned)LLVMGetNumOperands(i) - 1;
        return without_extension(LLVMGetOperand(i, last)) == index ? i : NULL;
    }
    return NULL;
}

// Of a subscript that is not evaluated, as in __builtin_constant_p, only the check is left.
static bool is_used(LLVMValueRef index) {
    if (!LLVMIsAInstruction(index)) return true;
    for (LLVMUseRef use = LLVMGetFirstUse(index); use; use = LLVMGetNextUse(use))
        if (!is_instrumentation(LLVMGetUser(use))) return true;
    return false;
}

bool machine_checks_subscript(const struct handler *handler, LLVMValueRef condition, LLVMBasicBlockRef next) {
    enum { DEEPEST = 8 }; // members of members
    if (handler->parts[0].sanitizer != SANITIZER_BOUNDS || !is_test(condition)) return false;
    LLVMValueRef index = without_extension(LLVMGetOperand(condition, 0));
    if (!is_used(index)) return true;
    if (LLVMGetIntTypeWidth(LLVMTypeOf(index)) > 32) return false; // times the element's size it may wrap around
    LLVMValueRef gep = address_of_subscript(next, index);
    if (!gep) return false;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    unsigned indices = (unsigned)LLVMGetNumOperands(gep) - 1;
    if (!is_whole(LLVMGetOperand(gep, 0), type, indices)) return false;
    return is_for_accesses(gep, indices == 2 ? LLVMGetElementType(type) : type, DEEPEST);
}
