// Removes remains of erased instrumentation: unused values, and tests whose sides are equal.
#include "front/instrumented.h"

static unsigned nosanitize(void) {
    static unsigned kind; // the same in all contexts, because LLVM predefines it
    if (!kind) kind = LLVMGetMDKindID("nosanitize", strlen("nosanitize"));
    return kind;
}

bool sweep_is_instrumentation(LLVMValueRef instruction) {
    return LLVMGetMetadata(instruction, nosanitize()) != NULL;
}

void sweep_mark_instrumentation(LLVMValueRef value, LLVMValueRef like) {
    if (LLVMIsAInstruction(value)) LLVMSetMetadata(value, nosanitize(), LLVMGetMetadata(like, nosanitize()));
}

bool sweep_has_phis(LLVMBasicBlockRef block) {
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    return first && LLVMIsAPHINode(first);
}

void sweep_replace_terminator(LLVMBuilderRef builder, LLVMValueRef terminator, LLVMBasicBlockRef target) {
    LLVMPositionBuilderBefore(builder, terminator);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(terminator));
    sweep_mark_instrumentation(LLVMBuildBr(builder, target), terminator);
    LLVMInstructionEraseFromParent(terminator);
}

// Whether an intrinsic is called: instrumentation calls intrinsics only for their results.
static bool is_intrinsic(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee);
}

// The operation of llvm.[su](add|sub|mul).with.overflow: 'a', 's' or 'm'. 0: another call.
static char overflow_operation(LLVMValueRef call) {
    if (!LLVMIsACallInst(call) || !is_intrinsic(call)) return 0;
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
    if (length < 10 || !strstr(name, ".with.overflow")) return 0;
    return name[6];
}

// Whether the value is an intermediate result: an address or a number without side effects.
static bool is_intermediate(LLVMValueRef value) {
    if (LLVMIsALoadInst(value)) return !LLVMGetVolatile(value);
    return LLVMIsAGetElementPtrInst(value) || LLVMIsACastInst(value) || LLVMIsABinaryOperator(value);
}

// Whether the program uses a value that instrumentation computes, such as the result of a checked addition. True also
// if the chain of uses is too long to follow.
static bool is_used(LLVMValueRef value, unsigned depth) {
    if (!depth) return true;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (sweep_is_instrumentation(user)) {
            if (!LLVMIsATerminatorInst(user) && is_used(user, depth - 1)) return true;
        } else if (!is_intermediate(user) || !LLVMGetFirstUse(user) || is_used(user, depth - 1)) {
            return true;
        }
    }
    return false;
}

bool sweep_is_used_by_program(LLVMValueRef value) {
    enum { DEEPEST = 64 }; // limit of the operations of one expression
    return is_used(value, DEEPEST);
}

static bool is_dead(LLVMValueRef instruction) {
    if (LLVMGetFirstUse(instruction) || !sweep_is_instrumentation(instruction)) return false;
    if (LLVMIsATerminatorInst(instruction) || LLVMIsAStoreInst(instruction)) return false;
    bool has_result = LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind;
    return has_result && (!LLVMIsACallInst(instruction) || is_intrinsic(instruction));
}

// Replaces an operation with overflow by the plain one if its overflow bit is not used.
static bool make_plain(LLVMValueRef call, LLVMBuilderRef builder) {
    char operation = overflow_operation(call);
    if (!operation || !sweep_is_instrumentation(call)) return false;
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

// The block that a chain of empty blocks leads to.
static LLVMBasicBlockRef follow(LLVMBasicBlockRef block) {
    for (unsigned steps = 0; steps < 8; steps++) {
        LLVMValueRef only = LLVMGetFirstInstruction(block);
        if (!only || !LLVMIsABranchInst(only) || LLVMIsConditional(only) ||
            sweep_has_phis(LLVMGetSuccessor(only, 0)))
            break;
        block = LLVMGetSuccessor(only, 0);
    }
    return block;
}

// Removes a branch of the instrumentation if both sides lead to the same block.
static bool join_sides(LLVMBasicBlockRef block, LLVMBuilderRef builder) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end) || !sweep_is_instrumentation(end))
        return false;
    LLVMBasicBlockRef target = follow(LLVMGetSuccessor(end, 0));
    if (target != follow(LLVMGetSuccessor(end, 1)) || sweep_has_phis(target)) return false;
    sweep_replace_terminator(builder, end, target);
    return true;
}

// Replaces an incoming block of a phi by another one.
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
    sweep_mark_instrumentation(renamed, phi);
    LLVMReplaceAllUsesWith(phi, renamed);
    LLVMInstructionEraseFromParent(phi);
}

// Merges the block that instrumentation has split off with this one again, so that the blocks are those of the program.
static bool merge_next(LLVMBasicBlockRef block, LLVMBuilderRef builder) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!end || !LLVMIsABranchInst(end) || LLVMIsConditional(end) || !sweep_is_instrumentation(end))
        return false;
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, 0);
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(next));
    if (next == block || LLVMGetNextUse(use) || sweep_has_phis(next)) return false;
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
        LLVMInsertIntoBuilderWithName(builder, i,
                                      LLVMGetValueName(i)); // without a name it would lose its own
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
