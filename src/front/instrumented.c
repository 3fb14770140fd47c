// Clang's instrumentation out of the program, or into checks: see instrumented.h.
#include "front/instrumented.h"
#include "front/strip.h"

#define MARK "tamar-checks" // attribute of functions that clang has instrumented: the machine checks no arithmetic there

struct rewriting {
    struct front *front;
    LLVMBuilderRef builder;
    uint64_t wanted;  // sanitizers
    bool keeps;       // checks_strip: what is wanted stays as it is
    struct map swept; // functions to sweep
    vec(LLVMValueRef) functions;
};

static void note_function(struct rewriting *r, LLVMBasicBlockRef block) {
    LLVMValueRef function = LLVMGetBasicBlockParent(block);
    uint64_t *place = map_put(&r->swept, (uintptr_t)function);
    if (!*place) vec_push(&r->functions, function);
    *place = 1;
}

// ---- shapes

// The branch that leads to a handler's block, when nothing else does.
static LLVMValueRef branch_to(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    if (!use || LLVMGetNextUse(use)) return NULL;
    LLVMValueRef branch = LLVMGetUser(use);
    bool conditional = LLVMIsABranchInst(branch) && LLVMIsConditional(branch);
    return conditional && LLVMGetSuccessor(branch, 0) != LLVMGetSuccessor(branch, 1) ? branch : NULL;
}

// The check of a shift's base stands in a block of its own, before which the amount is tested: its instructions move in front
// of that test, and its result becomes a select. They fault for no value.
static void flatten(struct rewriting *r, LLVMBasicBlockRef block) {
    LLVMValueRef phi = LLVMGetFirstInstruction(block);
    if (!phi || !LLVMIsAPHINode(phi) || !is_instrumentation(phi) || LLVMCountIncoming(phi) != 2) return;
    LLVMValueRef next = LLVMGetNextInstruction(phi);
    if (LLVMIsAPHINode(next)) return;
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, 0), base = LLVMGetIncomingBlock(phi, 1);
    LLVMValueRef branch = branch_to(base), base_end = LLVMGetBasicBlockTerminator(base);
    if (!branch || LLVMGetInstructionParent(branch) != from || LLVMGetSuccessor(branch, 0) != base ||
        LLVMGetSuccessor(branch, 1) != block || LLVMGetNumSuccessors(base_end) != 1)
        return;
    for (LLVMValueRef i = LLVMGetFirstInstruction(base); i != base_end; i = LLVMGetNextInstruction(i))
        if (!is_instrumentation(i) || LLVMIsACallInst(i) || LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) return;
    LLVMPositionBuilderBefore(r->builder, branch);
    LLVMSetCurrentDebugLocation2(r->builder, LLVMInstructionGetDebugLoc(branch));
    for (LLVMValueRef i = LLVMGetFirstInstruction(base); i != base_end; i = LLVMGetFirstInstruction(base)) {
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(r->builder, i);
    }
    LLVMValueRef valid = LLVMGetIncomingValue(phi, 1), otherwise = LLVMGetIncomingValue(phi, 0);
    LLVMValueRef both = LLVMBuildSelect(r->builder, LLVMGetCondition(branch), valid, otherwise, "");
    mark_instrumentation(both, phi);
    LLVMReplaceAllUsesWith(phi, both);
    LLVMInstructionEraseFromParent(phi);
    replace_terminator(r->builder, branch, block);
    LLVMDeleteBasicBlock(base);
}

// The handler's block goes, or, where other code still refers to it, its call.
static void remove_handler(LLVMBasicBlockRef block, LLVMValueRef call) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool free_of_phis = LLVMGetNumSuccessors(end) == 0 || !has_phis(LLVMGetSuccessor(end, 0));
    if (free_of_phis && !LLVMGetFirstUse(LLVMBasicBlockAsValue(block)))
        LLVMDeleteBasicBlock(block);
    else
        LLVMInstructionEraseFromParent(call);
}

// ---- one check

// The conjunction of the wanted parts; NULL: there is none. A division is checked by the machine, unless clang has folded it.
static LLVMValueRef wanted_condition(struct rewriting *r, const struct handler *handler) {
    LLVMValueRef all = NULL;
    for (unsigned i = 0; i < handler->part_count; i++) {
        const struct handler_part *part = &handler->parts[i];
        if (!(r->wanted >> part->sanitizer & 1)) continue;
        bool constant = LLVMIsConstant(part->condition);
        if (part->sanitizer == SANITIZER_DIVIDE && !constant) continue;
        all = all ? LLVMBuildAnd(r->builder, all, part->condition, "") : part->condition;
    }
    return all;
}

// A value of the handler's call as it was before clang made a word of it; NULL: not one that can be shown.
static LLVMValueRef shown_value(LLVMValueRef call, unsigned index) {
    if (index >= LLVMGetNumArgOperands(call)) return NULL;
    LLVMValueRef value = LLVMGetOperand(call, index);
    while (LLVMIsAZExtInst(value) || LLVMIsAPtrToIntInst(value)) value = LLVMGetOperand(value, 0);
    bool usable = LLVMIsAConstantInt(value) || LLVMIsAArgument(value) ||
                  (LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) != LLVMGetInstructionParent(call));
    LLVMTypeRef type = LLVMTypeOf(value);
    bool word = LLVMGetTypeKind(type) == LLVMPointerTypeKind ||
                (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64);
    return usable && word ? value : NULL;
}

// A call that stands for a check: of an empty piece of assembly, which has no name that a program could use.
static void build_call(struct rewriting *r, const struct handler *handler, uint32_t check, LLVMValueRef *arguments,
                       unsigned count) {
    LLVMTypeRef types[3];
    for (unsigned i = 0; i < count; i++) types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(r->front->context), types, count, false);
    LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, "r,r,r", count * 2 - 1, true, false, LLVMInlineAsmDialectATT, false);
    LLVMSetCurrentDebugLocation2(r->builder, LLVMInstructionGetDebugLoc(handler->call));
    LLVMValueRef call = LLVMBuildCall2(r->builder, type, nothing, arguments, count, "");
    *map_put(&r->front->check_calls, (uintptr_t)call) = check + 1;
}

static void build_check(struct rewriting *r, const struct handler *handler, LLVMValueRef condition) {
    LLVMValueRef values[2] = {shown_value(handler->call, 1), shown_value(handler->call, 2)};
    uint32_t check = handler_check(r->front, handler, values);
    struct subscript subscript;
    if (handler->parts[0].sanitizer == SANITIZER_BOUNDS && subscript_read(&subscript, condition)) {
        LLVMTypeRef word = LLVMInt64TypeInContext(r->front->context);
        LLVMValueRef both[] = {subscript.index, LLVMConstInt(word, subscript.bound, false)};
        build_call(r, handler, check, both, 2);
        return;
    }
    LLVMTypeRef bit = LLVMInt1TypeInContext(r->front->context);
    LLVMValueRef arguments[3] = {condition};
    for (unsigned i = 0; i < 2; i++) arguments[i + 1] = values[i] ? values[i] : LLVMConstInt(bit, 0, false);
    build_call(r, handler, check, arguments, 3);
}

static bool is_true(LLVMValueRef condition) {
    return LLVMIsAConstantInt(condition) && LLVMConstIntGetZExtValue(condition);
}

// A check that stands behind a branch of its own. False: it does not have that shape.
static bool take_branch(struct rewriting *r, LLVMValueRef call) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    LLVMValueRef branch = branch_to(block);
    if (!branch) return false;
    bool fails_first = LLVMGetSuccessor(branch, 0) == block;
    LLVMBasicBlockRef good = LLVMGetSuccessor(branch, fails_first), from = LLVMGetInstructionParent(branch);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (LLVMGetNumSuccessors(end) > 1 || (LLVMGetNumSuccessors(end) && LLVMGetSuccessor(end, 0) != good) ||
        (LLVMGetNumSuccessors(end) && has_phis(good)))
        return false;
    flatten(r, from);
    LLVMPositionBuilderBefore(r->builder, branch);
    LLVMSetCurrentDebugLocation2(r->builder, LLVMInstructionGetDebugLoc(branch));
    LLVMValueRef condition = LLVMGetCondition(branch);
    if (fails_first) condition = LLVMBuildNot(r->builder, condition, "");
    struct handler handler;
    bool known = handler_read(&handler, call, condition);
    LLVMValueRef wanted = known ? wanted_condition(r, &handler) : NULL;
    note_function(r, block);
    if (wanted && r->keeps) {
        if (fails_first) wanted = LLVMBuildNot(r->builder, wanted, "");
        LLVMSetCondition(branch, wanted);
        return true;
    }
    bool needed = wanted && !is_true(wanted) && !machine_checks_subscript(&handler, wanted, good);
    if (needed) build_check(r, &handler, wanted);
    replace_terminator(r->builder, branch, good);
    remove_handler(block, call);
    return true;
}

// Reaching what is unreachable is an error of the machine's own. Another call without a branch of its own, in code that was
// optimised, fails where it is wanted; where the program would end there it always is.
static void take_plain_call(struct rewriting *r, LLVMValueRef call) {
    const char *name = handler_name(LLVMGetCalledValue(call));
    bool unreachable = !strcmp(name, "builtin_unreachable") || !strcmp(name, "missing_return");
    struct handler handler;
    LLVMValueRef never = LLVMConstInt(LLVMInt1TypeInContext(r->front->context), 0, false);
    bool known = !unreachable && handler_read(&handler, call, never);
    bool wanted = known && (handler.never_returns || r->wanted >> handler.parts[0].sanitizer & 1);
    if (wanted && r->keeps) return;
    LLVMPositionBuilderBefore(r->builder, call);
    if (wanted) build_check(r, &handler, never);
    LLVMInstructionEraseFromParent(call);
}

// ---- all of them

static void take_calls(struct rewriting *r, LLVMValueRef function) {
    vec(LLVMValueRef) calls = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function) vec_push(&calls, user);
    }
    vec_each (LLVMValueRef, call, &calls)
        if (!take_branch(r, *call)) take_plain_call(r, *call);
    vec_free(&calls);
}

static void rewrite(struct front *front, uint64_t wanted, bool keeps) {
    struct rewriting r = {.front = front, .keeps = keeps, .wanted = wanted};
    r.builder = LLVMCreateBuilderInContext(front->context);
    vec_each (struct unit, unit, &front->units) {
        if (unit->reader) continue;
        LLVMSetIsNewDbgInfoFormat(unit->module, false); // what describes variables moves with the code
        for (LLVMValueRef one = LLVMGetFirstFunction(unit->module); one; one = LLVMGetNextFunction(one))
            if (handler_name(one)) take_calls(&r, one);
    }
    vec_each (LLVMValueRef, function, &r.functions) sweep_function(*function, r.builder);
    vec_free(&r.functions);
    map_free(&r.swept);
    LLVMDisposeBuilder(r.builder);
}

static bool has_handlers(LLVMModuleRef module) {
    for (LLVMValueRef one = LLVMGetFirstFunction(module); one; one = LLVMGetNextFunction(one))
        if (handler_name(one)) return true;
    return false;
}

static void mark_instrumented(struct front *front) {
    LLVMAttributeRef mark = LLVMCreateStringAttribute(front->context, MARK, strlen(MARK), "", 0);
    vec_each (struct unit, unit, &front->units) {
        if (unit->reader || (!unit->instrumented && !has_handlers(unit->module))) continue;
        for (LLVMValueRef one = LLVMGetFirstFunction(unit->module); one; one = LLVMGetNextFunction(one))
            if (!LLVMIsDeclaration(one)) LLVMAddAttributeAtIndex(one, LLVMAttributeFunctionIndex, mark);
    }
}

bool checks_are_compiled(LLVMValueRef function) {
    return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, MARK, strlen(MARK)) != NULL;
}

static uint64_t wanted_sanitizers(const struct front *front) {
    return front->options->keep_checks ? SANITIZERS_ALL : sanitizers_wanted(front->options->checks);
}

void checks_strip(struct front *front) {
    mark_instrumented(front);
    rewrite(front, wanted_sanitizers(front), true);
}

void checks_rewrite(struct front *front) { rewrite(front, wanted_sanitizers(front), false); }

void front_strip_module(LLVMModuleRef module) {
    struct front front = {.context = LLVMGetModuleContext(module)};
    vec_push(&front.units, (struct unit){.module = module});
    rewrite(&front, 0, true);
    vec_free(&front.units);
}

void checks_erase(struct front *front) {
    for (uint32_t i = 0; i < front->check_calls.capacity; i++) {
        uint64_t call = front->check_calls.keys[i];
        if (call != UINT64_MAX) LLVMInstructionEraseFromParent((LLVMValueRef)(uintptr_t)call);
    }
}
