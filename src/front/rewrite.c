// Rewrites special constructs of LLVM to ordinary functions and calls before lowering.
#include "front/front_int.h"

// ---- indirect functions (ifunc). The dynamic linker calls a resolver and uses the function that it returns. Here a
// function of the same name does so at its first call. This works across modules, in initialisers, and natively, where
// musl's start-up code would leave such names unresolved.

static void build_call(LLVMBuilderRef builder, LLVMValueRef function, LLVMTypeRef type, LLVMValueRef target) {
    unsigned count = LLVMCountParams(function);
    LLVMValueRef *arguments = NEW_ARRAY(LLVMValueRef, count);
    LLVMGetParams(function, arguments);
    LLVMValueRef result = LLVMBuildCall2(builder, type, target, arguments, count, "");
    if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(builder);
    else
        LLVMBuildRet(builder, result);
    DELETE_ARRAY(arguments, count);
}

static void build_resolving(struct front *front, LLVMModuleRef module, LLVMValueRef function,
                            LLVMValueRef resolver) {
    LLVMContextRef context = front->context;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0), type = LLVMGlobalGetValueType(function);
    LLVMTypeRef resolver_type = LLVMGlobalGetValueType(resolver);
    LLVMValueRef slot = LLVMAddGlobal(module, pointer, "resolved");
    LLVMSetLinkage(slot, LLVMPrivateLinkage);
    LLVMSetInitializer(slot, LLVMConstNull(pointer));
    LLVMBasicBlockRef look = LLVMAppendBasicBlockInContext(context, function, "");
    LLVMBasicBlockRef resolve = LLVMAppendBasicBlockInContext(context, function, "");
    LLVMBasicBlockRef call = LLVMAppendBasicBlockInContext(context, function, "");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, look);
    LLVMValueRef known = LLVMBuildLoad2(builder, pointer, slot, "");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, known, ""), resolve, call);
    LLVMPositionBuilderAtEnd(builder, resolve);
    LLVMBuildStore(builder, LLVMBuildCall2(builder, resolver_type, resolver, NULL, 0, ""), slot);
    LLVMBuildBr(builder, call);
    LLVMPositionBuilderAtEnd(builder, call);
    build_call(builder, function, type, LLVMBuildLoad2(builder, pointer, slot, ""));
    LLVMDisposeBuilder(builder);
}

// Whether the function can be rewritten. Variable arguments cannot be forwarded: such a function is left unchanged, and
// reported when it is called.
static bool can_resolve(LLVMValueRef indirect) {
    LLVMValueRef resolver = LLVMGetGlobalIFuncResolver(indirect);
    return LLVMGetValueKind(resolver) == LLVMFunctionValueKind &&
           LLVMCountParamTypes(LLVMGlobalGetValueType(resolver)) == 0 &&
           !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(indirect));
}

static void resolve_indirect(struct front *front, LLVMModuleRef module, LLVMValueRef indirect) {
    size_t length;
    const char *name = arena_strdup(front->scratch, LLVMGetValueName2(indirect, &length));
    LLVMValueRef function = LLVMAddFunction(module, "", LLVMGlobalGetValueType(indirect));
    LLVMSetLinkage(function, LLVMGetLinkage(indirect));
    LLVMSetVisibility(function, LLVMGetVisibility(indirect));
    build_resolving(front, module, function, LLVMGetGlobalIFuncResolver(indirect));
    LLVMReplaceAllUsesWith(indirect, function);
    LLVMEraseGlobalIFunc(indirect);
    LLVMSetValueName2(function, name, length);
}

void rewrite_indirect_functions(struct front *front) {
    vec_each (struct unit, unit, &front->units) {
        if (unit->reader) continue;
        for (LLVMValueRef one = LLVMGetFirstGlobalIFunc(unit->module), next; one; one = next) {
            next = LLVMGetNextGlobalIFunc(one);
            if (can_resolve(one)) resolve_indirect(front, unit->module, one);
        }
    }
}

// ---- main: a harness beside a built program has the main that is run

void rewrite_main(struct front *front) {
    bool own = false;
    vec_each (struct unit, unit, &front->units) {
        LLVMValueRef function = LLVMGetNamedFunction(unit->module, "main");
        own |= function && !LLVMIsDeclaration(function) && !unit->built;
    }
    vec_each (struct unit, unit, &front->units) {
        LLVMValueRef function = own && unit->built ? LLVMGetNamedFunction(unit->module, "main") : NULL;
        if (!function || LLVMIsDeclaration(function)) continue;
        LLVMSetValueName2(function, "main.program", strlen("main.program"));
        LLVMSetLinkage(function, LLVMInternalLinkage);
    }
}

// ---- __builtin_setjmp and __builtin_longjmp: replaced by functions of the VM and the runtime, which have the same
// types. The buffer of five words is large enough for the VM's data. Native code keeps LLVM's intrinsics.

void rewrite_jumps(struct front *front) {
    static const char *const names[][2] = {{"llvm.eh.sjlj.setjmp", "__tamar_setjmp"},
                                           {"llvm.eh.sjlj.longjmp", "__tamar_builtin_longjmp"}};
    vec_each (struct unit, unit, &front->units) {
        for (unsigned i = 0; i < COUNT(names) && !unit->reader; i++) {
            LLVMValueRef intrinsic = LLVMGetNamedFunction(unit->module, names[i][0]);
            if (!intrinsic) continue;
            LLVMValueRef own = LLVMGetNamedFunction(unit->module, names[i][1]);
            if (!own) own = LLVMAddFunction(unit->module, names[i][1], LLVMGlobalGetValueType(intrinsic));
            LLVMReplaceAllUsesWith(intrinsic, own);
        }
    }
}

// ---- __builtin_constant_p: tests an expression without evaluating it. Clang emits its computation nevertheless, and
// leaves its removal to the optimiser.

static bool only_computes(LLVMValueRef value) {
    if (LLVMIsALoadInst(value)) return !LLVMGetVolatile(value);
    if (LLVMIsACallInst(value))
        return LLVMIsAFunction(LLVMGetCalledValue(value)) && LLVMGetIntrinsicID(LLVMGetCalledValue(value));
    return !LLVMIsATerminatorInst(value) && !LLVMIsAStoreInst(value) && !LLVMIsAAllocaInst(value) &&
           !LLVMIsAAtomicRMWInst(value) && !LLVMIsAAtomicCmpXchgInst(value) && !LLVMIsAFenceInst(value);
}

static void erase_unused(LLVMValueRef value) {
    vec(LLVMValueRef) worklist = {0};
    vec_push(&worklist, value);
    while (worklist.count) {
        LLVMValueRef one = vec_pop(&worklist);
        if (!LLVMIsAInstruction(one) || LLVMGetFirstUse(one) || !only_computes(one)) continue;
        vec(LLVMValueRef) operands = {0};
        for (int i = 0; i < LLVMGetNumOperands(one); i++) {
            LLVMValueRef operand = LLVMGetOperand(one, (unsigned)i);
            bool again = false; // x * x
            vec_each (LLVMValueRef, other, &operands) again |= *other == operand;
            if (!again) vec_push(&operands, operand);
        }
        LLVMInstructionEraseFromParent(one);
        vec_each (LLVMValueRef, operand, &operands) {
            bool listed = false; // x in two operands that are erased
            vec_each (LLVMValueRef, other, &worklist) listed |= *other == *operand;
            if (!listed) vec_push(&worklist, *operand);
        }
        vec_free(&operands);
    }
    vec_free(&worklist);
}

void rewrite_constant_questions(struct front *front) {
    LLVMTypeRef bit = LLVMInt1TypeInContext(front->context);
    vec_each (struct unit, unit, &front->units) {
        if (unit->reader) continue;
        for (LLVMValueRef one = LLVMGetFirstFunction(unit->module); one; one = LLVMGetNextFunction(one)) {
            size_t length;
            if (strncmp(LLVMGetValueName2(one, &length), "llvm.is.constant.", 17) != 0) continue;
            for (LLVMUseRef use = LLVMGetFirstUse(one); use; use = LLVMGetFirstUse(one)) {
                LLVMValueRef call = LLVMGetUser(use), asked = LLVMGetOperand(call, 0);
                LLVMReplaceAllUsesWith(call, LLVMConstInt(bit, LLVMIsConstant(asked), false));
                LLVMInstructionEraseFromParent(call);
                erase_unused(asked);
            }
        }
    }
}

// ---- alloca. Programs are compiled without builtins, so that library calls stay calls. Therefore alloca, declared by
// the program itself, is an ordinary call; no library can implement it.

static bool is_alloca_call(LLVMValueRef user, LLVMValueRef function) {
    return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function &&
           LLVMGetNumArgOperands(user) == 1 && LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(user, 0))) == LLVMIntegerTypeKind;
}

void rewrite_alloca(struct front *front) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(front->context), word = LLVMInt64TypeInContext(front->context);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(front->context);
    vec_each (struct unit, unit, &front->units) {
        LLVMValueRef function = unit->reader ? NULL : LLVMGetNamedFunction(unit->module, "alloca");
        if (!function || !LLVMIsDeclaration(function)) continue;
        for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
            LLVMValueRef call = LLVMGetUser(use);
            next = LLVMGetNextUse(use);
            if (!is_alloca_call(call, function)) continue;
            LLVMPositionBuilderBefore(builder, call);
            LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
            LLVMValueRef size = LLVMBuildIntCast2(builder, LLVMGetOperand(call, 0), word, false, "");
            LLVMValueRef memory = LLVMBuildArrayAlloca(builder, byte, size, "");
            LLVMSetAlignment(memory, 16);
            LLVMReplaceAllUsesWith(call, memory);
            LLVMInstructionEraseFromParent(call);
        }
    }
    LLVMDisposeBuilder(builder);
}
