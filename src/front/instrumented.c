// Removes clang's instrumentation, or rewrites it to checks: see instrumented.h.
#include "front/instrumented.h"
#include "front/strip.h"

#define MARK                                                                                                 \
    "tamar-checks" // attribute of functions that clang has instrumented: the VM does not check arithmetic there

struct rewriting {
    struct front *front;
    LLVMBuilderRef builder;
    uint64_t wanted;  // set of sanitizers
    bool keeps;       // instrumented_strip: wanted checks are left unchanged
    struct map swept; // functions to sweep (sweep.c)
    vec(LLVMValueRef) functions;
};

static void note_function(struct rewriting *r, LLVMBasicBlockRef block) {
    LLVMValueRef function = LLVMGetBasicBlockParent(block);
    uint64_t *place = map_put(&r->swept, (uintptr_t)function);
    if (!*place) vec_push(&r->functions, function);
    *place = 1;
}

// ---- shapes

// The branch to a handler's block. NULL: it is not the only use of the block.
static LLVMValueRef branch_to(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    if (!use || LLVMGetNextUse(use)) return NULL;
    LLVMValueRef branch = LLVMGetUser(use);
    bool conditional = LLVMIsABranchInst(branch) && LLVMIsConditional(branch);
    return conditional && LLVMGetSuccessor(branch, 0) != LLVMGetSuccessor(branch, 1) ? branch : NULL;
}

// Flattens the check of a shift's base, which is in a separate block after a test of the amount: moves its instructions
// before that test and turns the phi of its result into a select. These instructions cannot fault for any value.
static void flatten(struct rewriting *r, LLVMBasicBlockRef block) {
    LLVMValueRef phi = LLVMGetFirstInstruction(block);
    if (!phi || !LLVMIsAPHINode(phi) || !sweep_is_instrumentation(phi) || LLVMCountIncoming(phi) != 2) return;
    LLVMValueRef next = LLVMGetNextInstruction(phi);
    if (LLVMIsAPHINode(next)) return;
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, 0), base = LLVMGetIncomingBlock(phi, 1);
    LLVMValueRef branch = branch_to(base), base_end = LLVMGetBasicBlockTerminator(base);
    if (!branch || LLVMGetInstructionParent(branch) != from || LLVMGetSuccessor(branch, 0) != base ||
        LLVMGetSuccessor(branch, 1) != block || LLVMGetNumSuccessors(base_end) != 1)
        return;
    for (LLVMValueRef i = LLVMGetFirstInstruction(base); i != base_end; i = LLVMGetNextInstruction(i))
        if (!sweep_is_instrumentation(i) || LLVMIsACallInst(i) || LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
            return;
    LLVMPositionBuilderBefore(r->builder, branch);
    LLVMSetCurrentDebugLocation2(r->builder, LLVMInstructionGetDebugLoc(branch));
    for (LLVMValueRef i = LLVMGetFirstInstruction(base); i != base_end; i = LLVMGetFirstInstruction(base)) {
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(r->builder, i);
    }
    LLVMValueRef valid = LLVMGetIncomingValue(phi, 1), otherwise = LLVMGetIncomingValue(phi, 0);
    LLVMValueRef both = LLVMBuildSelect(r->builder, LLVMGetCondition(branch), valid, otherwise, "");
    sweep_mark_instrumentation(both, phi);
    LLVMReplaceAllUsesWith(phi, both);
    LLVMInstructionEraseFromParent(phi);
    sweep_replace_terminator(r->builder, branch, block);
    LLVMDeleteBasicBlock(base);
}

// Removes the handler's block or, if other code still refers to it, only the call.
static void remove_handler(LLVMBasicBlockRef block, LLVMValueRef call) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool free_of_phis = LLVMGetNumSuccessors(end) == 0 || !sweep_has_phis(LLVMGetSuccessor(end, 0));
    if (free_of_phis && !LLVMGetFirstUse(LLVMBasicBlockAsValue(block)))
        LLVMDeleteBasicBlock(block);
    else
        LLVMInstructionEraseFromParent(call);
}

// ---- one check

// Removes the conjuncts whose sanitizers are not wanted. The VM checks divisions itself, unless clang has folded the
// condition.
static void keep_wanted_parts(const struct rewriting *r, struct handler *handler) {
    unsigned count = handler->part_count;
    handler->part_count = 0;
    for (unsigned i = 0; i < count; i++) {
        struct handler_part part = handler->parts[i];
        bool by_machine = part.sanitizer == SANITIZER_DIVIDE && !LLVMIsConstant(part.condition);
        if (r->wanted >> part.sanitizer & 1 && !by_machine) handler->parts[handler->part_count++] = part;
    }
}

// The conjunction of the parts.
static LLVMValueRef conjunction(struct rewriting *r, const struct handler *handler) {
    LLVMValueRef all = NULL;
    for (unsigned i = 0; i < handler->part_count; i++) {
        const struct handler_part *part = &handler->parts[i];
        if (all == part->condition) continue;
        if (all) {
            all = LLVMBuildAnd(r->builder, all, part->condition, "");
            sweep_mark_instrumentation(all, handler->call);
        } else {
            all = part->condition;
        }
    }
    return all;
}

// The value that the handler's block stores to this variable, or NULL. Clang passes values of more than 64 bits in
// variables of their own.
static LLVMValueRef stored_value(LLVMBasicBlockRef block, LLVMValueRef variable) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == variable) return LLVMGetOperand(i, 0);
    return NULL;
}

// An argument of the handler's call, before clang converted it to a 64-bit word. NULL: there is none.
static LLVMValueRef checked_operand(LLVMValueRef call, unsigned index) {
    if (index >= LLVMGetNumArgOperands(call)) return NULL;
    LLVMValueRef value = LLVMGetOperand(call, index);
    while (LLVMIsAZExtInst(value) || LLVMIsAPtrToIntInst(value)) value = LLVMGetOperand(value, 0);
    LLVMValueRef stored =
        LLVMIsAAllocaInst(value) ? stored_value(LLVMGetInstructionParent(call), value) : NULL;
    return stored ? stored : value;
}

// An argument of the handler's call that the report can show, or NULL.
static LLVMValueRef shown_value(LLVMValueRef call, unsigned index) {
    LLVMValueRef value = checked_operand(call, index);
    if (!value) return NULL;
    bool usable =
        LLVMIsAConstantInt(value) || LLVMIsAArgument(value) ||
        (LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) != LLVMGetInstructionParent(call));
    LLVMTypeRef type = LLVMTypeOf(value);
    bool word = LLVMGetTypeKind(type) == LLVMPointerTypeKind ||
                (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64);
    return usable && word ? value : NULL;
}

// Builds a call that represents a check. The callee is empty inline assembly, which has no name that could clash.
static void build_call(struct rewriting *r, const struct handler *handler, uint32_t check,
                       LLVMValueRef *arguments, unsigned count) {
    LLVMTypeRef types[3];
    for (unsigned i = 0; i < count; i++) types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(r->front->context), types, count, false);
    LLVMValueRef nothing =
        LLVMGetInlineAsm(type, "", 0, "r,r,r", count * 2 - 1, true, false, LLVMInlineAsmDialectATT, false);
    LLVMSetCurrentDebugLocation2(r->builder, LLVMInstructionGetDebugLoc(handler->call));
    LLVMValueRef call = LLVMBuildCall2(r->builder, type, nothing, arguments, count, "");
    *map_put(&r->front->check_calls, (uintptr_t)call) = check + 1;
}

// Builds a check. `next`: the block that follows if the check holds.
static void build_check(struct rewriting *r, const struct handler *handler, LLVMValueRef condition,
                        LLVMBasicBlockRef next) {
    LLVMValueRef values[2] = {shown_value(handler->call, 1), shown_value(handler->call, 2)};
    uint32_t check = sanitizer_handler_check(r->front, handler, values);
    struct subscript subscript;
    if (handler->parts[0].sanitizer == SANITIZER_BOUNDS && subscript_read(&subscript, condition)) {
        LLVMTypeRef word = LLVMInt64TypeInContext(r->front->context);
        LLVMValueRef both[] = {subscript.index, LLVMConstInt(word, subscript.bound, false)};
        LLVMTypeRef element;
        LLVMValueRef object = next ? subscript_object(subscript.index, next, &element) : NULL;
        if (object) {
            r->front->checks.at[check].scale = types_size_of(r->front, element);
            *map_put(&r->front->check_objects, check) = (uintptr_t)object;
        }
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

// Whether the checked operation is evaluated. If not, as in __builtin_constant_p, only the check uses its operands.
static bool is_evaluated(const struct handler *handler) {
    bool any = false;
    for (unsigned i = 1; i <= 2; i++) {
        LLVMValueRef value = checked_operand(handler->call, i);
        if (!value || !LLVMIsAInstruction(value) || sweep_is_instrumentation(value)) continue;
        if (sweep_is_used_by_program(value)) return true;
        any = true;
    }
    return !any;
}

// Builds one check for each kind of bug among the parts.
static void build_checks(struct rewriting *r, const struct handler *handler, LLVMBasicBlockRef next) {
    uint64_t kinds = 0;
    if (!is_evaluated(handler)) return;
    for (unsigned i = 0; i < handler->part_count; i++) {
        enum bug_kind kind = sanitizers_kind(handler->parts[i].sanitizer);
        if (kinds >> kind & 1) continue;
        kinds |= UINT64_C(1) << kind;
        struct handler same = *handler;
        same.part_count = 0;
        for (unsigned k = i; k < handler->part_count; k++)
            if (sanitizers_kind(handler->parts[k].sanitizer) == kind)
                same.parts[same.part_count++] = handler->parts[k];
        LLVMValueRef condition = conjunction(r, &same);
        bool address_only =
            same.parts[0].sanitizer == SANITIZER_BOUNDS && !subscript_is_access(condition, next);
        if (address_only && !checks_addresses(r->front->options->checks)) continue;
        if (!is_true(condition)) build_check(r, &same, condition, next);
    }
}

static LLVMValueRef negation(struct rewriting *r, LLVMValueRef condition, LLVMValueRef like) {
    LLVMValueRef value = LLVMBuildNot(r->builder, condition, "");
    sweep_mark_instrumentation(value, like);
    return value;
}

// Handles a check whose handler is called after its own branch. Returns false if it does not have that form.
static bool take_branch(struct rewriting *r, LLVMValueRef call) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    LLVMValueRef branch = branch_to(block);
    if (!branch) return false;
    bool fails_first = LLVMGetSuccessor(branch, 0) == block;
    LLVMBasicBlockRef good = LLVMGetSuccessor(branch, fails_first), from = LLVMGetInstructionParent(branch);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (LLVMGetNumSuccessors(end) > 1 || (LLVMGetNumSuccessors(end) && LLVMGetSuccessor(end, 0) != good) ||
        (LLVMGetNumSuccessors(end) && sweep_has_phis(good)))
        return false;
    flatten(r, from);
    LLVMPositionBuilderBefore(r->builder, branch);
    LLVMSetCurrentDebugLocation2(r->builder, LLVMInstructionGetDebugLoc(branch));
    LLVMValueRef condition = LLVMGetCondition(branch);
    if (fails_first) condition = negation(r, condition, call);
    struct handler handler;
    sanitizer_handler_read(&handler, call, condition);
    keep_wanted_parts(r, &handler);
    note_function(r, block);
    if (handler.part_count && r->keeps) {
        LLVMValueRef wanted = conjunction(r, &handler);
        if (fails_first) wanted = negation(r, wanted, call);
        LLVMSetCondition(branch, wanted);
        return true;
    }
    build_checks(r, &handler, good);
    sweep_replace_terminator(r->builder, branch, good);
    remove_handler(block, call);
    return true;
}

// Handles a call of a handler without its own branch. Unreachable code is an error that the VM reports itself. Other
// calls without a branch occur in optimised code and always report an error; they are kept if wanted, or if the handler
// does not return.
static void take_plain_call(struct rewriting *r, LLVMValueRef call) {
    const char *name = sanitizer_handler_name(LLVMGetCalledValue(call));
    bool unreachable = !strcmp(name, "builtin_unreachable") || !strcmp(name, "missing_return");
    struct handler handler;
    LLVMValueRef never = LLVMConstInt(LLVMInt1TypeInContext(r->front->context), 0, false);
    bool known = !unreachable && sanitizer_handler_read(&handler, call, never);
    bool wanted = known && (handler.never_returns || r->wanted >> handler.parts[0].sanitizer & 1);
    if (wanted && r->keeps) return;
    LLVMPositionBuilderBefore(r->builder, call);
    if (wanted) build_check(r, &handler, never, NULL);
    LLVMInstructionEraseFromParent(call);
}

// ---- all checks

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
        LLVMSetIsNewDbgInfoFormat(unit->module, false); // debug records of variables move with the code
        for (LLVMValueRef one = LLVMGetFirstFunction(unit->module); one; one = LLVMGetNextFunction(one))
            if (sanitizer_handler_name(one)) take_calls(&r, one);
    }
    vec_each (LLVMValueRef, function, &r.functions) sweep_function(*function, r.builder);
    vec_free(&r.functions);
    map_free(&r.swept);
    LLVMDisposeBuilder(r.builder);
}

static bool has_handlers(LLVMModuleRef module) {
    for (LLVMValueRef one = LLVMGetFirstFunction(module); one; one = LLVMGetNextFunction(one))
        if (sanitizer_handler_name(one)) return true;
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

bool instrumented_has_checks(LLVMValueRef function) {
    return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, MARK, strlen(MARK)) != NULL;
}

static uint64_t wanted_sanitizers(const struct front *front) {
    return front->options->keep_checks ? SANITIZERS_ALL : sanitizers_wanted(front->options->checks);
}

void instrumented_strip(struct front *front) {
    mark_instrumented(front);
    rewrite(front, wanted_sanitizers(front), true);
}

void instrumented_rewrite(struct front *front) { rewrite(front, wanted_sanitizers(front), false); }

void front_strip_module(LLVMModuleRef module) {
    struct front front = {.context = LLVMGetModuleContext(module)};
    vec_push(&front.units, (struct unit){.module = module});
    rewrite(&front, 0, true);
    vec_free(&front.units);
}

void instrumented_erase(struct front *front) {
    for (uint32_t i = 0; i < front->check_calls.capacity; i++) {
        uint64_t call = front->check_calls.keys[i];
        if (call != UINT64_MAX) LLVMInstructionEraseFromParent((LLVMValueRef)(uintptr_t)call);
    }
}
