// --join-conditions: turns `a && b` and `a || b` into one branch if b has no side effect and cannot fail, as Otter does
// for line, block and edge coverage (section 4.4 of the thesis, docs/papers/otter.md). Clang compiles these operators
// to a branch on a, one side of which leads to a block that computes b. Here b is always computed: the instructions of
// its block move to the end of the first block, and one branch on both conditions remains. Runs before the bitcode is
// saved, so native builds have the same branches.
#include "front/front_int.h"

#define MOST_MOVED 32 // largest number of instructions of b; a longer b is not joined

struct joiner {
    struct front *front;
    LLVMBuilderRef builder;
    bool arithmetic,
        floats; // integer arithmetic, operations on floats may be moved: they are not checked
};

// `first` ends with a branch on `condition`. The side `side` leads to `second`, which computes b; the other leads to
// `common`. `second` ends with a branch to `common` and to `other`, or with a jump to `common` (`other` is NULL).
struct join {
    LLVMBasicBlockRef first, second, common, other;
    LLVMValueRef condition;
    bool side;
};

// ---- instructions that may be executed even if the program would not execute them

// The variable that the address points into; *offset: the distance from its start. NULL: not known.
static LLVMValueRef variable_of(const struct joiner *joiner, LLVMValueRef address, uint64_t *offset) {
    *offset = 0;
    bool constant = LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr;
    if (!LLVMIsAGetElementPtrInst(address) && !constant) return address;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    for (int i = 1; i < LLVMGetNumOperands(address); i++) {
        LLVMValueRef index = LLVMGetOperand(address, (unsigned)i);
        if (!LLVMIsAConstantInt(index) || LLVMConstIntGetSExtValue(index) < 0) return NULL;
        uint64_t number = LLVMConstIntGetZExtValue(index);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            *offset += LLVMOffsetOfElement(joiner->front->layout, type, (unsigned)number);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)number);
            continue;
        }
        if (i > 1) type = LLVMGetElementType(type);
        if (number > UINT32_MAX) return NULL;
        *offset += number * LLVMABISizeOfType(joiner->front->layout, type);
    }
    return LLVMGetOperand(address, 0);
}

// Whether the load reads inside of a local or global variable, which exists as long as the function runs.
static bool is_load_of_variable(const struct joiner *joiner, LLVMValueRef load) {
    if (LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic) return false;
    uint64_t offset, size = LLVMStoreSizeOfType(joiner->front->layout, LLVMTypeOf(load));
    LLVMValueRef variable = variable_of(joiner, LLVMGetOperand(load, 0), &offset);
    LLVMTypeRef type = NULL;
    if (variable && LLVMIsAGlobalVariable(variable) && !LLVMIsDeclaration(variable))
        type = LLVMGlobalGetValueType(variable);
    else if (variable && LLVMIsAAllocaInst(variable) && LLVMIsAConstantInt(LLVMGetOperand(variable, 0)))
        type = LLVMGetAllocatedType(variable);
    if (!type || !LLVMTypeIsSized(type)) return false;
    uint64_t room = LLVMABISizeOfType(joiner->front->layout, type);
    return offset <= room && size <= room - offset;
}

static bool is_expectation(LLVMValueRef call) {
    static const char prefix[] = "llvm.expect.";
    LLVMValueRef function = LLVMGetCalledValue(call);
    return LLVMIsAFunction(function) && !strncmp(LLVMGetValueName(function), prefix, sizeof prefix - 1);
}

static bool can_move(const struct joiner *joiner, LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad: return is_load_of_variable(joiner, instruction);
    case LLVMCall: return is_expectation(instruction);
    case LLVMGetElementPtr: { // the address of such a load
        uint64_t offset;
        return variable_of(joiner, instruction, &offset) != NULL;
    }
    case LLVMICmp:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMSelect: return true;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul: return joiner->arithmetic;
    case LLVMFCmp:
    case LLVMFNeg:
    case LLVMFPExt:
    case LLVMSIToFP:
    case LLVMUIToFP: return joiner->floats;
    default: return false;
    }
}

static bool can_move_all(const struct joiner *joiner, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    unsigned count = 0;
    for (LLVMValueRef one = LLVMGetFirstInstruction(block); one != end; one = LLVMGetNextInstruction(one))
        if (count++ == MOST_MOVED || !can_move(joiner, one)) return false;
    return true;
}

// ---- the shape of the blocks

static bool has_one_predecessor(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use && !LLVMGetNextUse(use);
}

// Whether `a && b` or `a || b` is used as a value: the block where both sides meet has phis, and all of them are single
// bits.
static bool meets_in_bits(LLVMBasicBlockRef block) {
    LLVMValueRef one = LLVMGetFirstInstruction(block);
    if (!LLVMIsAPHINode(one)) return false;
    for (; LLVMIsAPHINode(one); one = LLVMGetNextInstruction(one)) {
        LLVMTypeRef type = LLVMTypeOf(one);
        if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 1) return false;
    }
    return true;
}

static bool is_conditional(LLVMValueRef end) {
    return end && LLVMIsABranchInst(end) && LLVMIsConditional(end);
}

// Whether `first` and the block on this side of its branch can be joined; sets `join`.
static bool find_join(const struct joiner *joiner, LLVMBasicBlockRef first, bool side, struct join *join) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(first);
    *join = (struct join){first, LLVMGetSuccessor(end, !side), LLVMGetSuccessor(end, side),
                          NULL,  LLVMGetCondition(end),        side};
    LLVMBasicBlockRef second = join->second;
    LLVMValueRef last = LLVMGetBasicBlockTerminator(second);
    if (second == first || second == join->common || !has_one_predecessor(second) || !last) return false;
    if (LLVMIsAPHINode(LLVMGetFirstInstruction(second)) || !can_move_all(joiner, second)) return false;
    if (LLVMIsABranchInst(last) && !LLVMIsConditional(last))
        return LLVMGetSuccessor(last, 0) == join->common && meets_in_bits(join->common);
    if (!is_conditional(last)) return false;
    LLVMBasicBlockRef yes = LLVMGetSuccessor(last, 0), no = LLVMGetSuccessor(last, 1);
    if ((yes == join->common) == (no == join->common)) return false;
    join->other = yes == join->common ? no : yes;
    return join->other != second;
}

// ---- the change

static void move_instructions(const struct joiner *joiner, const struct join *join) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(join->first);
    LLVMValueRef last = LLVMGetBasicBlockTerminator(join->second);
    for (LLVMValueRef one = LLVMGetFirstInstruction(join->second), next; one != last; one = next) {
        next = LLVMGetNextInstruction(one);
        LLVMMetadataRef location = LLVMInstructionGetDebugLoc(one);
        LLVMPositionBuilderBefore(joiner->builder, end);
        LLVMSetCurrentDebugLocation2(joiner->builder, location);
        LLVMInstructionRemoveFromParent(one);
        LLVMInsertIntoBuilder(joiner->builder, one);
    }
}

// Rebuilds the phis of `block`. `meeting`: both `first` and `second` led there, with values that may differ; else only
// `second` did.
static void join_phis(const struct joiner *joiner, const struct join *join, LLVMBasicBlockRef block,
                      bool meeting) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(join->first);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block), next; LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        LLVMPositionBuilderBefore(joiner->builder, phi);
        LLVMValueRef joined = LLVMBuildPhi(joiner->builder, LLVMTypeOf(phi), "");
        LLVMValueRef of_first = NULL, of_second = NULL;
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
            if (from == join->second)
                of_second = value;
            else if (from == join->first && meeting)
                of_first = value;
            else
                LLVMAddIncoming(joined, &value, &from, 1);
        }
        assert(of_second && (of_first || !meeting));
        LLVMValueRef value = of_second;
        if (meeting && of_first != of_second) {
            LLVMPositionBuilderBefore(joiner->builder, end);
            value = LLVMBuildSelect(joiner->builder, join->condition, join->side ? of_second : of_first,
                                    join->side ? of_first : of_second, "");
        }
        LLVMBasicBlockRef from = join->first;
        LLVMAddIncoming(joined, &value, &from, 1);
        LLVMReplaceAllUsesWith(phi, joined);
        LLVMInstructionEraseFromParent(phi);
    }
}

// Builds the branch on both conditions. If a alone decides, the branch goes to `common`.
static void build_branch(const struct joiner *joiner, const struct join *join) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(join->first);
    LLVMValueRef last = LLVMGetBasicBlockTerminator(join->second);
    LLVMPositionBuilderBefore(joiner->builder, end);
    if (!join->other) {
        LLVMBuildBr(joiner->builder, join->common);
        return;
    }
    LLVMTypeRef bit = LLVMInt1TypeInContext(joiner->front->context);
    bool common_if = LLVMGetSuccessor(last, 0) == join->common; // b leads to `common` if it has this value
    LLVMValueRef b = LLVMGetCondition(last), a = join->condition;
    // a && b: the first side of the branch is `other`; a || b: it is `common`.
    if (common_if == join->side) b = LLVMBuildXor(joiner->builder, b, LLVMConstInt(bit, 1, false), "");
    if (join->side)
        LLVMBuildCondBr(joiner->builder, LLVMBuildAnd(joiner->builder, a, b, ""), join->other, join->common);
    else
        LLVMBuildCondBr(joiner->builder, LLVMBuildOr(joiner->builder, a, b, ""), join->common, join->other);
}

static void join_blocks(const struct joiner *joiner, const struct join *join) {
    move_instructions(joiner, join);
    join_phis(joiner, join, join->common, true);
    if (join->other) join_phis(joiner, join, join->other, false);
    build_branch(joiner, join);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(join->first));
    LLVMDeleteBasicBlock(join->second);
}

// Joins blocks with `first` as long as possible: `a && b && c` needs two joins. Returns whether anything was joined.
static bool join_at(const struct joiner *joiner, LLVMBasicBlockRef first) {
    struct join join;
    bool joined = false;
    while (is_conditional(LLVMGetBasicBlockTerminator(first)) &&
           (find_join(joiner, first, true, &join) || find_join(joiner, first, false, &join))) {
        join_blocks(joiner, &join);
        joined = true;
    }
    return joined;
}

// Repeats until nothing can be joined: in `a && (b || c)` the right operand must be joined first. So a program that is
// loaded from the saved bitcode has the same branches.
static void join_function(const struct joiner *joiner, LLVMValueRef function) {
    for (bool joined = true; joined;) {
        joined = false;
        LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
        for (; block; block = LLVMGetNextBasicBlock(block)) joined |= join_at(joiner, block);
    }
}

void join_conditions(struct front *front) {
    uint64_t checks = front->options->checks;
    if (!front->options->join_conditions || check_wanted(checks, CHECK_UNINIT)) return;
    struct joiner joiner = {.front = front, .builder = LLVMCreateBuilderInContext(front->context)};
    joiner.arithmetic = !check_wanted(checks, CHECK_ARITHMETIC) && !check_wanted(checks, CHECK_OVERFLOW);
    joiner.floats = !check_wanted(checks, CHECK_FLOAT);
    vec_each (struct unit, unit, &front->units) {
        if (unit->rank == RANK_LIBRARY || unit->reader) continue;
        for (LLVMValueRef one = LLVMGetFirstFunction(unit->module); one; one = LLVMGetNextFunction(one))
            join_function(&joiner, one);
    }
    LLVMDisposeBuilder(joiner.builder);
}
