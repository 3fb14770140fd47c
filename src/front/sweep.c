// What is left of instrumentation that was removed: values that nothing uses, tests that decide nothing.
#include "front/instrumented.h"

static unsigned nosanitize(void) {
    static unsigned kind; // the same in all contexts: it is one of LLVM's own
    if (!kind) kind = LLVMGetMDKindID("nosanitize", strlen("nosanitize"));
    return kind;
}

bool is_instrumentation(LLVMValueRef instruction) {
    return LLVMGetMetadata(instruction, nosanitize()) != NULL;
}

void mark_instrumentation(LLVMValueRef value, LLVMValueRef like) {
    if (LLVMIsAInstruction(value)) LLVMSetMetadata(value, nosanitize(), LLVMGetMetadata(like, nosanitize()));
}

bool has_phis(LLVMBasicBlockRef block) {
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    return first && LLVMIsAPHINode(first);
}

void replace_terminator(LLVMBuilderRef builder, LLVMValueRef terminator, LLVMBasicBlockRef target) {
    LLVMPositionBuilderBefore(builder, terminator);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(terminator));
    mark_instrumentation(LLVMBuildBr(builder, target), terminator);
    LLVMInstructionEraseFromParent(terminator);
}

// Instrumentation calls intrinsics for their results alone.
static bool is_intrinsic(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee);
}

// Which of llvm.[su](add|sub|mul).with.overflow: 'a', 's', 'm', or 0.
static char overflow_operation(LLVMValueRef call) {
    if (!LLVMIsACallInst(call) || !is_intrinsic(call)) return 0;
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
    if (length < 10 || !strstr(name, ".with.overflow")) return 0;
    return name[6];
}

// An address or a number that is computed on the way.
static bool is_intermediate(LLVMValueRef value) {
    if (LLVMIsALoadInst(value)) return !LLVMGetVolatile(value);
    return LLVMIsAGetElementPtrInst(value) || LLVMIsACastInst(value) || LLVMIsABinaryOperator(value);
}

// What instrumentation computes counts where the program goes on with it, as with the result of a checked addition. Where the
// chain is too long to follow, it counts.
static bool is_used(LLVMValueRef value, unsigned depth) {
    if (!depth) return true;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_instrumentation(user)) {
            if (!LLVMIsATerminatorInst(user) && is_used(user, depth - 1)) return true;
        } else if (!is_intermediate(user) || !LLVMGetFirstUse(user) || is_used(user, depth - 1)) {
            return true;
        }
    }
    return false;
}

bool is_used_by_program(LLVMValueRef value) {
    enum { DEEPEST = 64 }; // operations of one expression
    return is_used(value, DEEPEST);
}

static bool is_dead(LLVMValueRef instruction) {
    if (LLVMGetFirstUse(instruction) || !is_instrumentation(instruction)) return false;
    if (LLVMIsATerminatorInst(instruction) || LLVMIsAStoreInst(instruction)) return false;
    bool has_result = LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind;
    return has_result && (!LLVMIsACallInst(instruction) || is_intrinsic(instruction));
}

// Where nothing asks whether the operation overflows it is the plain one.
static bool make_plain(LLVMValueRef call, LLVMBuilderRef builder) {
    char operation = overflow_operation(call);
    if (!operation || !is_instrumentation(call)) return false;
    for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use))
        if (!LLVMIsAExtractValueInst(LLVMGetUser(use)) || LLVMGetIndices(LLVMGetUser(use))[0] != 0)
            return false;
    LLVMValueRef a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1);
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef value = operation == 'a'   ? LLVMBuildAdd(builder, a, b, "")
                         : operation == 's' ? LLVMBuildSub(builder, a, b, "")
                                            : LLVMBuildMul(builder, a, b, "");
    for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetFirstUse(call)) {
        LLVMValueRef part = LLVMGetUser(use);
        LLVMReplaceAllUsesWith(part, value);
        LLVMInstructionEraseFromParent(part);
    }
    LLVMInstructionEraseFromParent(call);
    return true;
}

static bool sweep_block(LLVMBasicBlockRef block, LLVMBuilderRef builder) {
    bool changed = false;
    for (LLVMValueRef i = LLVMGetLastInstruction(block), previous; i; i = previous) {
        previous = LLVMGetPreviousInstruction(i);
        if (is_dead(i)) {
            LLVMInstructionEraseFromParent(i);
            changed = true;
        }
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        while (next && LLVMIsAExtractValueInst(next)) next = LLVMGetNextInstruction(next); // may be erased
        if (make_plain(i, builder)) changed = true;
    }
    return changed;
}

// Where empty blocks lead.
static LLVMBasicBlockRef follow(LLVMBasicBlockRef block) {
    for (unsigned steps = 0; steps < 8; steps++) {
        LLVMValueRef only = LLVMGetFirstInstruction(block);
        if (!only || !LLVMIsABranchInst(only) || LLVMIsConditional(only) ||
            has_phis(LLVMGetSuccessor(only, 0)))
            break;
        block = LLVMGetSuccessor(only, 0);
    }
    return block;
}

// A test of the instrumentation both sides of which lead to one place.
static bool join_sides(LLVMBasicBlockRef block, LLVMBuilderRef builder) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end) || !is_instrumentation(end)) return false;
    LLVMBasicBlockRef target = follow(LLVMGetSuccessor(end, 0));
    if (target != follow(LLVMGetSuccessor(end, 1)) || has_phis(target)) return false;
    replace_terminator(builder, end, target);
    return true;
}

// The phi with another block in the place of one that it names.
static void rename_incoming(LLVMBuilderRef builder, LLVMValueRef phi, LLVMBasicBlockRef from,
                            LLVMBasicBlockRef to) {
    LLVMPositionBuilderBefore(builder, phi);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(phi));
    LLVMValueRef renamed = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        if (block == from) block = to;
        LLVMAddIncoming(renamed, &value, &block, 1);
    }
    mark_instrumentation(renamed, phi);
    LLVMReplaceAllUsesWith(phi, renamed);
    LLVMInstructionEraseFromParent(phi);
}

// The block that instrumentation has split off becomes part of this one again: the blocks are those of the program.
static bool merge_next(LLVMBasicBlockRef block, LLVMBuilderRef builder) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!end || !LLVMIsABranchInst(end) || LLVMIsConditional(end) || !is_instrumentation(end)) return false;
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, 0);
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(next));
    if (next == block || LLVMGetNextUse(use) || has_phis(next)) return false;
    LLVMValueRef last = LLVMGetBasicBlockTerminator(next);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
        for (LLVMValueRef phi = LLVMGetFirstInstruction(LLVMGetSuccessor(last, i)), after;
             LLVMIsAPHINode(phi); phi = after) {
            after = LLVMGetNextInstruction(phi);
            rename_incoming(builder, phi, next, block);
        }
    LLVMInstructionEraseFromParent(end);
    for (LLVMValueRef i = LLVMGetFirstInstruction(next); i; i = LLVMGetFirstInstruction(next)) {
        LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
        LLVMInstructionRemoveFromParent(i);
        LLVMPositionBuilderAtEnd(builder, block);
        LLVMSetCurrentDebugLocation2(builder, NULL);
        LLVMInsertIntoBuilder(builder, i);
        LLVMInstructionSetDebugLoc(i, location);
    }
    LLVMDeleteBasicBlock(next);
    return true;
}

void sweep_function(LLVMValueRef function, LLVMBuilderRef builder) {
    for (bool changed = true; changed;) {
        changed = false;
        for (LLVMBasicBlockRef block = LLVMGetLastBasicBlock(function); block;
             block = LLVMGetPreviousBasicBlock(block)) {
            changed = sweep_block(block, builder) || changed;
            changed = join_sides(block, builder) || changed;
        }
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        while (merge_next(block, builder)) {}
}
