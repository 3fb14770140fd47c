// KLEE's klee_alias_function("f", "g"): from then on the program's calls of f by name call g. Each such f gets a
// variable that holds the function to call; NULL means f itself. The calls of f become calls through that variable, in
// native builds for replay, too.
#include "front/front_int.h"

#define ALIAS_CALL "klee_alias_function"
#define VARIABLE   ALIAS_CALL "." // followed by the name of the function

struct alias_names {
    vec(const char *) at;
};

// Returns the text of a constant string; NULL: the argument is something else.
static const char *constant_text(LLVMValueRef value) {
    size_t length;
    if (!LLVMIsAGlobalVariable(value) || !LLVMIsGlobalConstant(value) || !LLVMGetInitializer(value))
        return NULL;
    LLVMValueRef content = LLVMGetInitializer(value);
    if (!LLVMIsConstantString(content)) return NULL;
    const char *text = LLVMGetAsString(content, &length);
    return length && !text[length - 1] ? text : NULL;
}

static LLVMValueRef variable_for(struct front *front, LLVMModuleRef module, const char *name, bool define) {
    struct text variable = {0};
    text_add(&variable, VARIABLE "%s", name);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(front->context, 0);
    LLVMValueRef global = LLVMGetNamedGlobal(module, variable.at);
    if (!global) global = LLVMAddGlobal(module, pointer, variable.at);
    if (define) {
        LLVMSetInitializer(global, LLVMConstNull(pointer));
        LLVMSetLinkage(global, LLVMWeakAnyLinkage); // several files may have calls
    }
    text_free(&variable);
    return global;
}

// Replaces a call of klee_alias_function whose names are constants by an assignment; keeps others, which end the path.
static void assign_alias(struct front *front, LLVMModuleRef module, LLVMValueRef call,
                         struct alias_names *names) {
    const char *from = constant_text(LLVMGetOperand(call, 0)), *to = constant_text(LLVMGetOperand(call, 1));
    if (!from || !to) return;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(front->context, 0);
    LLVMValueRef target = LLVMConstNull(pointer);
    if (strcmp(from, to) != 0) {
        target = LLVMGetNamedFunction(module, to);
        LLVMValueRef old = LLVMGetNamedFunction(module, from);
        LLVMTypeRef type = old ? LLVMGlobalGetValueType(old)
                               : LLVMFunctionType(LLVMVoidTypeInContext(front->context), NULL, 0, true);
        if (!target) target = LLVMAddFunction(module, to, type);
    }
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(front->context);
    LLVMPositionBuilderBefore(builder, call);
    LLVMBuildStore(builder, target, variable_for(front, module, from, true));
    LLVMDisposeBuilder(builder);
    vec_push(&names->at, arena_strdup(front->scratch, from));
    LLVMInstructionEraseFromParent(call);
}

static bool calls(LLVMValueRef user, LLVMValueRef function) {
    return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function;
}

static void assign_aliases(struct front *front, LLVMModuleRef module, struct alias_names *names) {
    LLVMValueRef function = LLVMGetNamedFunction(module, ALIAS_CALL);
    for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL, next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        if (calls(user, function) && LLVMGetNumArgOperands(user) == 2)
            assign_alias(front, module, user, names);
    }
}

// Replaces the module's calls of the function by calls through its variable.
static void route_calls(struct front *front, LLVMModuleRef module, const char *name) {
    assert(*name);
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    vec(LLVMValueRef) found = {0};
    for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = LLVMGetNextUse(use))
        if (calls(LLVMGetUser(use), function)) vec_push(&found, LLVMGetUser(use));
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(front->context);
    vec_each (LLVMValueRef, call, &found) {
        LLVMTypeRef pointer = LLVMPointerTypeInContext(front->context, 0);
        LLVMPositionBuilderBefore(builder, *call);
        LLVMValueRef to = LLVMBuildLoad2(builder, pointer, variable_for(front, module, name, false), "");
        LLVMValueRef none = LLVMBuildIsNull(builder, to, "");
        LLVMSetOperand(*call, (unsigned)LLVMGetNumOperands(*call) - 1,
                       LLVMBuildSelect(builder, none, function, to, ""));
    }
    LLVMDisposeBuilder(builder);
    vec_free(&found);
}

void function_alias_route(struct front *front) {
    struct alias_names names = {0};
    vec_each (struct unit, unit, &front->units)
        if (!unit->reader) assign_aliases(front, unit->module, &names);
    for (uint32_t i = 0; i < names.at.count; i++) {
        bool known = false;
        for (uint32_t k = 0; k < i; k++) known |= !strcmp(names.at.at[i], names.at.at[k]);
        if (known) continue;
        vec_each (struct unit, unit, &front->units)
            if (!unit->reader) route_calls(front, unit->module, names.at.at[i]);
    }
    vec_free(&names.at);
}
