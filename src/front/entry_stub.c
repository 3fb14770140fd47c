// The possible targets of a function pointer: functions of the program that have its type and whose address is taken.
// If there is none, a stub is made, which returns a new symbolic value of the result's type at each call. A stub that
// takes integers and returns a pointer to void is an allocator: it returns memory of that size.
#include "front/entry.h"

#define MOST_FUNCTIONS 8

enum { SUBPROGRAM_TYPE = 4, SUBROUTINE_TYPES = 3 };

// ---- functions of the program

static bool is_passed_around(LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function) return true;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == function) return true;
    }
    return false;
}

static bool fits(struct entry *e, LLVMValueRef function, LLVMMetadataRef subroutine) {
    LLVMMetadataRef program = LLVMIsDeclaration(function) ? NULL : LLVMGetSubprogram(function);
    LLVMMetadataRef own = program ? debug_node_operand(e->front, program, SUBPROGRAM_TYPE, NULL) : NULL;
    return own && function != e->function &&
           debug_node_operand(e->front, own, SUBROUTINE_TYPES, NULL) ==
               debug_node_operand(e->front, subroutine, SUBROUTINE_TYPES, NULL);
}

static unsigned find_functions(struct entry *e, LLVMMetadataRef subroutine, LLVMValueRef *found) {
    unsigned count = 0;
    vec_each (struct unit, unit, &e->front->units)
        for (LLVMValueRef one = LLVMGetFirstFunction(unit->module); one && count < MOST_FUNCTIONS;
             one = LLVMGetNextFunction(one)) {
            if (!fits(e, one, subroutine)) continue;
            bool here = unit->module == e->module, local = LLVMGetLinkage(one) == LLVMInternalLinkage;
            LLVMValueRef seen = here || local ? one : LLVMGetNamedFunction(e->module, LLVMGetValueName(one));
            if ((!here && local) || (!is_passed_around(one) && !(seen && is_passed_around(seen)))) continue;
            found[count++] =
                here ? one : entry_declare(e, LLVMGetValueName(one), LLVMGlobalGetValueType(one));
        }
    return count;
}

// ---- stubs

// The LLVM type in which a value of up to 8 bytes, or a long double, is passed. NULL: a type whose calling convention
// only clang knows.
static LLVMTypeRef lowered(struct entry *e, LLVMMetadataRef node, const struct entry_type *type) {
    LLVMContextRef context = e->front->context;
    switch (type->kind) {
    case __TAMAR_PLAIN:
        if (type->integer) return LLVMIntTypeInContext(context, (unsigned)(8 * type->size));
        // Floats and doubles; other types without integers in them are passed differently.
        while (node && LLVMGetMetadataKind(node) == LLVMDIDerivedTypeMetadataKind)
            node = debug_node_operand(e->front, node, 3, NULL);
        if (!node || LLVMGetMetadataKind(node) != LLVMDIBasicTypeMetadataKind) return NULL;
        if (!strcmp(entry_text(e, node, 2), "float")) return LLVMFloatTypeInContext(context);
        return !strcmp(entry_text(e, node, 2), "double") ? LLVMDoubleTypeInContext(context) : NULL;
    case __TAMAR_BOOL: return LLVMInt1TypeInContext(context);
    case __TAMAR_ENUM:
    case __TAMAR_FLAGS: return LLVMIntTypeInContext(context, (unsigned)(8 * type->size));
    case __TAMAR_X87: return LLVMX86FP80TypeInContext(context);
    case __TAMAR_POINTER:
    case __TAMAR_STRING:
    case __TAMAR_FUNCTION:
    case __TAMAR_STREAM: return e->pointer;
    default: return NULL;
    }
}

static LLVMValueRef call_runtime(struct entry *e, const char *name, LLVMValueRef *arguments, unsigned count) {
    LLVMTypeRef types[2];
    for (unsigned i = 0; i < count; i++) types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(e->pointer, types, count, false);
    return LLVMBuildCall2(e->builder, type, entry_declare(e, name, type), arguments, count, "");
}

// The product of the integers among the parameters; NULL: there is none.
static LLVMValueRef wanted_size(struct entry *e, LLVMValueRef stub) {
    LLVMValueRef size = NULL;
    for (LLVMValueRef p = LLVMGetFirstParam(stub); p; p = LLVMGetNextParam(p)) {
        if (LLVMGetTypeKind(LLVMTypeOf(p)) != LLVMIntegerTypeKind) continue;
        LLVMValueRef one = LLVMBuildZExt(e->builder, p, e->word, "");
        size = size ? LLVMBuildMul(e->builder, size, one, "") : one;
    }
    return size;
}

static void emit_result(struct entry *e, LLVMValueRef stub, LLVMTypeRef result, struct entry_type *type) {
    LLVMValueRef size = type->kind == __TAMAR_POINTER && type->of == e->unknown ? wanted_size(e, stub) : NULL;
    if (size) {
        LLVMBuildRet(e->builder, call_runtime(e, "__tamar_entry_memory", &size, 1));
        return;
    }
    LLVMValueRef arguments[] = {entry_emit_type(e, type), entry_emit_string(e, "result")};
    LLVMValueRef at = call_runtime(e, "__tamar_entry_result", arguments, 2);
    bool bit = type->kind == __TAMAR_BOOL;
    LLVMValueRef value = LLVMBuildLoad2(e->builder, bit ? e->byte : result, at, "");
    LLVMSetAlignment(value, 1);
    LLVMBuildRet(e->builder, bit ? LLVMBuildTrunc(e->builder, value, result, "") : value);
}

static LLVMValueRef make_stub(struct entry *e, LLVMMetadataRef subroutine) {
    LLVMMetadataRef list = debug_node_operand(e->front, subroutine, SUBROUTINE_TYPES, NULL);
    unsigned count =
        list ? (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(e->front->context, list)) : 0;
    LLVMTypeRef *types = NEW_ARRAY(LLVMTypeRef, count + 1), result = e->nothing;
    struct entry_type *returned = NULL;
    bool variadic = false, known = true;
    unsigned parameters = 0;
    for (unsigned i = 0; i < count && known; i++) {
        LLVMMetadataRef node = debug_node_operand(e->front, list, i, NULL);
        if (!node) { // void, or "..."
            variadic |= i > 0;
            continue;
        }
        struct entry_type *type = entry_describe(e, node);
        LLVMTypeRef one = e->problem ? NULL : lowered(e, node, type);
        known = one != NULL;
        if (i)
            types[parameters++] = one;
        else
            result = one, returned = type;
    }
    LLVMValueRef stub = NULL;
    entry_finish_types(e);
    if (known) {
        stub = LLVMAddFunction(e->module, "tamar.entry.stub",
                               LLVMFunctionType(result, types, parameters, variadic));
        LLVMSetLinkage(stub, LLVMInternalLinkage);
        LLVMBasicBlockRef before = LLVMGetInsertBlock(e->builder);
        LLVMPositionBuilderAtEnd(e->builder, LLVMAppendBasicBlockInContext(e->front->context, stub, ""));
        if (returned)
            emit_result(e, stub, result, returned);
        else
            LLVMBuildRetVoid(e->builder);
        if (before) LLVMPositionBuilderAtEnd(e->builder, before);
    } else if (!e->problem) {
        e->problem = "it needs a function that takes or returns a structure by value, and the program has "
                     "none to pass";
    }
    DELETE_ARRAY(types, count + 1);
    return stub;
}

unsigned entry_functions(struct entry *e, const struct entry_type *type, LLVMValueRef **functions) {
    LLVMValueRef found[MOST_FUNCTIONS];
    unsigned count = find_functions(e, type->subroutine, found);
    if (!count && (found[0] = make_stub(e, type->subroutine))) count = 1;
    *functions = count ? NEW_ARRAY(LLVMValueRef, count) : NULL;
    if (count) memcpy(*functions, found, count * sizeof *found);
    return count;
}
