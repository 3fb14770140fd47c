// Gives functions without a body one that returns a new symbolic value of the result's type at each call. CBMC's
// nondet_int() and similar functions always get such a body, all other functions with `--undefined symbolic`. The
// bodies become part of the program, also in native builds for replay.
#include "base/suggest.h"
#include "front/front_int.h"

#include <llvm-c/BitReader.h>

// ---- defined names

static bool is_defined_here(const struct front *front, const char *name) {
    vec_each (struct unit, unit, &front->units) {
        LLVMValueRef function = LLVMGetNamedFunction(unit->module, name);
        if (function && !LLVMIsDeclaration(function)) return true;
        if (LLVMGetNamedGlobalAlias(unit->module, name, strlen(name))) return true;
    }
    return false;
}

// Reads the runtime's module, only for its names. NULL: there is none.
static LLVMModuleRef read_names(LLVMContextRef context, const char *runtime) {
    char path[4300];
    LLVMMemoryBufferRef buffer = NULL;
    LLVMModuleRef module = NULL;
    char *message = NULL;
    snprintf(path, sizeof path, "%.4000s/lib/runtime.bc", runtime);
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        LLVMDisposeMessage(message);
        return NULL;
    }
    if (LLVMGetBitcodeModuleInContext2(context, buffer, &module)) return NULL; // owns the buffer now
    return module;
}

static bool is_reserved(const char *name) {
    static const char *const names[] = {"main", "LLVMFuzzerTestOneInput", "LLVMFuzzerInitialize"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (!strcmp(name, names[i])) return true;
    // Handlers of checks are not called: they become checks, in the sanitizers' build calls of its own functions.
    return !strncmp(name, "__tamar_", 8) || !strncmp(name, "llvm.", 5) ||
           !strncmp(name, "__ubsan_handle_", 15) || strstr(name, "setjmp");
}

// ---- bodies

struct unknown {
    struct front *front;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
};

static void make_symbolic(const struct unknown *u, LLVMValueRef at, uint64_t size, const char *name) {
    LLVMContextRef context = u->front->context;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef parameters[] = {pointer, LLVMInt64TypeInContext(context), pointer};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), parameters, 3, false);
    LLVMValueRef function = symbols_declare(u->module, "tamar_symbolic", type);
    LLVMValueRef text = LLVMBuildGlobalString(u->builder, name, "");
    LLVMValueRef arguments[] = {at, LLVMConstInt(parameters[1], size, false), text};
    LLVMBuildCall2(u->builder, type, function, arguments, 3, "");
}

static void define(const struct unknown *u, LLVMValueRef function) {
    LLVMContextRef context = u->front->context;
    const char *name = LLVMGetValueName(function);
    LLVMTypeRef type = LLVMGlobalGetValueType(function), result = LLVMGetReturnType(type);
    LLVMPositionBuilderAtEnd(u->builder, LLVMAppendBasicBlockInContext(context, function, ""));
    unsigned sret = LLVMGetEnumAttributeKindForName("sret", 4);
    LLVMAttributeRef memory =
        LLVMCountParams(function) ? LLVMGetEnumAttributeAtIndex(function, 1, sret) : NULL;
    if (memory)
        make_symbolic(u, LLVMGetParam(function, 0),
                      types_size_of(u->front, LLVMGetTypeAttributeValue(memory)), name);
    if (LLVMGetTypeKind(result) == LLVMVoidTypeKind) {
        LLVMBuildRetVoid(u->builder);
        return;
    }
    bool bit = LLVMGetTypeKind(result) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(result) == 1;
    LLVMTypeRef stored = bit ? LLVMInt8TypeInContext(context) : result;
    LLVMValueRef at = LLVMBuildAlloca(u->builder, stored, "");
    make_symbolic(u, at, types_size_of(u->front, stored), name);
    LLVMValueRef value = LLVMBuildLoad2(u->builder, stored, at, "");
    LLVMBuildRet(u->builder, bit ? LLVMBuildTrunc(u->builder, value, result, "") : value);
}

void undefined_define(struct front *front, const char *runtime) {
    bool all = front->options->undefined_symbolic;
    LLVMContextRef context = all && runtime ? LLVMContextCreate() : NULL;
    LLVMModuleRef library = context ? read_names(context, runtime) : NULL;
    struct unknown u = {.front = front, .builder = LLVMCreateBuilderInContext(front->context)};
    for (uint32_t i = 0; i < front->units.count; i++) {
        u.module = front->units.at[i].module;
        for (LLVMValueRef one = LLVMGetFirstFunction(u.module); one; one = LLVMGetNextFunction(one)) {
            const char *name = LLVMGetValueName(one);
            if (!LLVMIsDeclaration(one) || LLVMGetIntrinsicID(one) || !LLVMGetFirstUse(one)) continue;
            if (!all && strncmp(name, "nondet_", 7) != 0) continue;
            if (is_reserved(name) || is_defined_here(front, name)) continue;
            if (library && (LLVMGetNamedFunction(library, name) ||
                            LLVMGetNamedGlobalAlias(library, name, strlen(name)))) {
                LLVMValueRef own = LLVMGetNamedFunction(library, name);
                if (!own || !LLVMIsDeclaration(own)) continue;
            }
            define(&u, one);
        }
    }
    LLVMDisposeBuilder(u.builder);
    if (library) LLVMDisposeModule(library);
    if (context) LLVMContextDispose(context);
}

// ---- suggestions for misspelt names

// Functions for harnesses: ours, KLEE's, SV-COMP's, CBMC's.
static const char *const harness_prefixes[] = {"tamar_", "klee_", "__VERIFIER_", "__CPROVER_"};

static void consider_prefix(const struct front *front, const char *prefix, struct suggestion *nearest) {
    vec_each (struct unit, unit, &front->units) {
        if (unit->rank != RANK_LIBRARY) continue;
        for (LLVMValueRef one = LLVMGetFirstFunction(unit->module); one; one = LLVMGetNextFunction(one)) {
            const char *name = LLVMGetValueName(one);
            if (!strncmp(name, prefix, strlen(prefix)) && !LLVMIsDeclaration(one))
                suggest_consider(nearest, name);
        }
    }
}

const char *undefined_nearest(const struct front *front, const char *name) {
    struct suggestion nearest = {.typed = name};
    // Among equally near names, one with the prefix that was typed is preferred.
    for (size_t i = 0; i < COUNT(harness_prefixes); i++)
        if (!strncmp(name, harness_prefixes[i], strlen(harness_prefixes[i])))
            consider_prefix(front, harness_prefixes[i], &nearest);
    for (size_t i = 0; i < COUNT(harness_prefixes); i++)
        consider_prefix(front, harness_prefixes[i], &nearest);
    return nearest.best;
}
