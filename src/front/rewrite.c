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

// ---- main: if a harness and a built program both define main, the harness's is run

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

// ---- getcontext and swapcontext return again when the context that they save is activated. So the point to return to
// must be in the caller: a call of setjmp is inserted there, between two functions of the runtime
// (runtime/libc/context.c). Native code has functions of these names.

static LLVMValueRef runtime_function(LLVMModuleRef module, const char *name, LLVMTypeRef result,
                                     LLVMTypeRef *parameters, unsigned count) {
    return symbols_declare(module, name, LLVMFunctionType(result, parameters, count, false));
}

static LLVMValueRef build_runtime_call(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef *arguments,
                                       unsigned count) {
    return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

static void rewrite_context_call(struct front *front, LLVMModuleRef module, LLVMValueRef call) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(front->context, 0);
    LLVMTypeRef number = LLVMInt32TypeInContext(front->context);
    LLVMValueRef save = runtime_function(module, "__tamar_context_save", pointer, &pointer, 1);
    LLVMValueRef jump = runtime_function(module, "__tamar_setjmp", number, &pointer, 1);
    unsigned twice = LLVMGetEnumAttributeKindForName("returns_twice", strlen("returns_twice"));
    LLVMAddAttributeAtIndex(jump, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(front->context, twice, 0));
    LLVMValueRef load =
        runtime_function(module, "__tamar_context_load", number, (LLVMTypeRef[]){pointer, number}, 2);
    LLVMValueRef out = LLVMGetOperand(call, 0);
    LLVMValueRef in = LLVMGetNumArgOperands(call) == 2 ? LLVMGetOperand(call, 1) : LLVMConstNull(pointer);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(front->context);
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef buffer = build_runtime_call(builder, save, &out, 1);
    LLVMValueRef jumped = build_runtime_call(builder, jump, &buffer, 1);
    LLVMValueRef result = build_runtime_call(builder, load, (LLVMValueRef[]){in, jumped}, 2);
    LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(builder);
}

static bool is_context_call(LLVMValueRef user, LLVMValueRef function, unsigned arguments) {
    if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function ||
        LLVMGetNumArgOperands(user) != arguments ||
        LLVMGetTypeKind(LLVMTypeOf(user)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(user)) != 32)
        return false;
    for (unsigned i = 0; i < arguments; i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(user, i))) != LLVMPointerTypeKind) return false;
    return true;
}

static bool program_defines(struct front *front, const char *name) {
    vec_each (struct unit, unit, &front->units) {
        LLVMValueRef function = unit->reader ? NULL : LLVMGetNamedFunction(unit->module, name);
        if (function && !LLVMIsDeclaration(function)) return true;
    }
    return false;
}

void rewrite_contexts(struct front *front) {
    static const char *const names[] = {"getcontext", "swapcontext"}; // with one and two arguments
    for (unsigned i = 0; i < COUNT(names); i++) {
        if (program_defines(front, names[i])) continue;
        vec_each (struct unit, unit, &front->units) {
            LLVMValueRef function = unit->reader ? NULL : LLVMGetNamedFunction(unit->module, names[i]);
            for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL, next; use; use = next) {
                next = LLVMGetNextUse(use);
                LLVMValueRef user = LLVMGetUser(use);
                if (is_context_call(user, function, i + 1)) rewrite_context_call(front, unit->module, user);
            }
        }
    }
}

// ---- __builtin_constant_p: tests an expression without evaluating it. Clang still emits the
// computation, and leaves its removal to the optimiser.

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
// the program itself, is an ordinary call; no library can implement it. If alloca is not declared at all, its result is
// an int in C, while compilers that know the function return the pointer.

static bool is_alloca_call(LLVMValueRef user, LLVMValueRef function) {
    if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function || LLVMGetNumArgOperands(user) != 1 ||
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(user, 0))) != LLVMIntegerTypeKind)
        return false;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(user));
    LLVMTypeRef type = LLVMGetCalledFunctionType(user);
    bool undeclared = LLVMIsFunctionVarArg(type) && kind == LLVMIntegerTypeKind;
    return kind == LLVMPointerTypeKind || undeclared;
}

// Replaces the result, an int, by the pointer where it is converted to one, and else by its low bits.
static void use_as_pointer(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef memory) {
    for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef wide = LLVMGetUser(use);
        if (!LLVMIsASExtInst(wide)) continue;
        for (LLVMUseRef next, inner = LLVMGetFirstUse(wide); inner; inner = next) {
            LLVMValueRef pointer = LLVMGetUser(inner);
            next = LLVMGetNextUse(inner);
            if (!LLVMIsAIntToPtrInst(pointer)) continue;
            LLVMReplaceAllUsesWith(pointer, memory);
            LLVMInstructionEraseFromParent(pointer);
        }
    }
    LLVMReplaceAllUsesWith(call, LLVMBuildPtrToInt(builder, memory, LLVMTypeOf(call), ""));
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
            if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind)
                LLVMReplaceAllUsesWith(call, memory);
            else
                use_as_pointer(builder, call, memory);
            LLVMInstructionEraseFromParent(call);
        }
    }
    LLVMDisposeBuilder(builder);
}

// ---- functions of the C library that return a pointer but are not declared: their result is an int in C, while
// compilers that know the functions return the pointer.

static void call_for_pointer(struct front *front, LLVMBuilderRef builder, LLVMValueRef call) {
    enum { MOST_ARGUMENTS = 4 };
    LLVMTypeRef pointer = LLVMPointerTypeInContext(front->context, 0), types[MOST_ARGUMENTS];
    LLVMTypeRef word = LLVMInt64TypeInContext(front->context);
    LLVMValueRef arguments[MOST_ARGUMENTS], function = LLVMGetCalledValue(call);
    unsigned count = LLVMGetNumArgOperands(call);
    if (count > MOST_ARGUMENTS) return;
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    for (unsigned i = 0; i < count; i++) {
        arguments[i] = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(arguments[i])) == LLVMIntegerTypeKind)
            arguments[i] = LLVMBuildIntCast2(builder, arguments[i], word, true, "");
        types[i] = LLVMTypeOf(arguments[i]);
    }
    LLVMTypeRef type = LLVMFunctionType(pointer, types, count, false);
    use_as_pointer(builder, call, LLVMBuildCall2(builder, type, function, arguments, count, ""));
    LLVMInstructionEraseFromParent(call);
}

void rewrite_undeclared(struct front *front) {
    static const char *const names[] = {"malloc",  "calloc",  "realloc", "strdup",  "strndup",
                                        "strchr",  "strrchr", "strstr",  "strpbrk", "strcpy",
                                        "strncpy", "strcat",  "strncat", "memcpy",  "memmove",
                                        "memset",  "memchr",  "stpcpy",  "index",   "rindex"};
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(front->context);
    for (unsigned i = 0; i < COUNT(names); i++) {
        if (program_defines(front, names[i])) continue;
        vec_each (struct unit, unit, &front->units) {
            LLVMValueRef function = unit->reader ? NULL : LLVMGetNamedFunction(unit->module, names[i]);
            for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL, next; use; use = next) {
                LLVMValueRef call = LLVMGetUser(use);
                next = LLVMGetNextUse(use);
                if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == function &&
                    LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call)) &&
                    LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMIntegerTypeKind)
                    call_for_pointer(front, builder, call);
            }
        }
    }
    LLVMDisposeBuilder(builder);
}

// ---- __builtin_frame_address(0): programs compare it with addresses of locals, for the direction and the depth of the
// stack. It becomes the address of a local, which is below the locals of callers and above the locals of callees. The
// address of any other frame is 0, as on a stack without a chain of frames.

void rewrite_frame_addresses(struct front *front) {
    LLVMTypeRef two_words = LLVMArrayType2(LLVMInt64TypeInContext(front->context), 2);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(front->context);
    vec_each (struct unit, unit, &front->units) {
        LLVMValueRef function =
            unit->reader ? NULL : LLVMGetNamedFunction(unit->module, "llvm.frameaddress.p0");
        for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL, next; use; use = next) {
            LLVMValueRef call = LLVMGetUser(use), level = LLVMGetOperand(call, 0);
            next = LLVMGetNextUse(use);
            if (!LLVMIsAConstantInt(level) || LLVMConstIntGetZExtValue(level) != 0) continue;
            LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
            LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(caller)));
            LLVMSetCurrentDebugLocation2(builder, NULL);
            LLVMValueRef local = LLVMBuildAlloca(builder, two_words, "");
            LLVMSetAlignment(local, 16);
            LLVMReplaceAllUsesWith(call, local);
            LLVMInstructionEraseFromParent(call);
        }
    }
    LLVMDisposeBuilder(builder);
}
