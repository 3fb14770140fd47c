#include "transform/variables.h"

#include "base/error.h"
#include "base/suggest.h"
#include "transform/module.h"

#include <llvm-c/DebugInfo.h>

#include <string.h>

struct change {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef nothing, flag, word, pointer;
};

static bool wrong(const struct variable_input *variable, const char *remedy, const char *cause,
                  const char *name) {
    user_error_at(variable->place, remedy, cause, name);
    return false;
}

static bool not_there(struct change *c, const struct variable_input *variable, bool is_function) {
    const char *name = is_function ? variable->function : variable->name;
    struct suggestion nearest = {.typed = name};
    struct text remedy = {0};
    LLVMValueRef at = is_function ? LLVMGetFirstFunction(c->module) : LLVMGetFirstGlobal(c->module);
    for (; at; at = is_function ? LLVMGetNextFunction(at) : LLVMGetNextGlobal(at)) {
        size_t length;
        if (!LLVMIsDeclaration(at)) suggest_consider(&nearest, LLVMGetValueName2(at, &length));
    }
    if (nearest.best) text_add(&remedy, "Did you mean %s? ", nearest.best);
    text_add(&remedy, is_function ? "Name a function with a body."
                                  : "Name a global variable of the program (static ones too).");
    wrong(variable, remedy.at,
          is_function ? "the program has no function '%s'" : "the program has no variable '%s'", name);
    text_free(&remedy);
    return false;
}

// ---- code

static LLVMValueRef declare(struct change *c, const char *name, LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetNamedFunction(c->module, name);
    return function ? function : LLVMAddFunction(c->module, name, type);
}

static void call_symbolic(struct change *c, LLVMValueRef variable, const struct variable_input *input) {
    LLVMTypeRef types[] = {c->pointer, c->word, c->pointer};
    LLVMTypeRef type = LLVMFunctionType(c->nothing, types, 3, false);
    LLVMValueRef arguments[] = {variable, LLVMConstInt(c->word, input->size, false),
                                LLVMBuildGlobalStringPtr(c->builder, input->name, "")};
    LLVMBuildCall2(c->builder, type, declare(c, "tamar_symbolic", type), arguments, 3, "");
}

// Assumes the allowed values, as one condition without branches, so that it does not fork.
static void assume_values(struct change *c, LLVMValueRef variable, const struct variable_input *input) {
    if (!input->value_count && !input->ranged) return;
    LLVMTypeRef type = LLVMGlobalGetValueType(variable), number = LLVMInt32TypeInContext(c->context);
    LLVMValueRef value = LLVMBuildLoad2(c->builder, type, variable, ""), condition = NULL;
    for (uint32_t i = 0; i < input->value_count; i++) {
        LLVMValueRef wanted = LLVMConstInt(type, (uint64_t)input->values[i], true);
        LLVMValueRef is = LLVMBuildICmp(c->builder, LLVMIntEQ, value, wanted, "");
        condition = condition ? LLVMBuildOr(c->builder, condition, is, "") : is;
    }
    if (input->ranged)
        condition = LLVMBuildAnd(c->builder,
                                 LLVMBuildICmp(c->builder, input->is_unsigned ? LLVMIntUGE : LLVMIntSGE,
                                               value, LLVMConstInt(type, (uint64_t)input->low, true), ""),
                                 LLVMBuildICmp(c->builder, input->is_unsigned ? LLVMIntULE : LLVMIntSLE,
                                               value, LLVMConstInt(type, (uint64_t)input->high, true), ""),
                                 "");
    LLVMTypeRef assume = LLVMFunctionType(c->nothing, &number, 1, false);
    LLVMValueRef argument = LLVMBuildZExt(c->builder, condition, number, "");
    LLVMBuildCall2(c->builder, assume, declare(c, "tamar_assume", assume), &argument, 1, "");
}

// Makes the function void set(void) { static char done; if (done) return; done = 1; ... }.
static LLVMValueRef setter(struct change *c, struct variable_input *variables, uint32_t count,
                           const char *function) {
    LLVMValueRef set =
        LLVMAddFunction(c->module, "__tamar_options", LLVMFunctionType(c->nothing, NULL, 0, false));
    LLVMSetLinkage(set, LLVMInternalLinkage);
    LLVMValueRef done = LLVMAddGlobal(c->module, c->flag, "__tamar_options_done");
    LLVMSetInitializer(done, LLVMConstInt(c->flag, 0, false));
    LLVMSetLinkage(done, LLVMInternalLinkage);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(c->context, set, ""),
                      first = LLVMAppendBasicBlockInContext(c->context, set, ""),
                      end = LLVMAppendBasicBlockInContext(c->context, set, "");
    LLVMPositionBuilderAtEnd(c->builder, entry);
    LLVMValueRef again = LLVMBuildICmp(c->builder, LLVMIntNE, LLVMBuildLoad2(c->builder, c->flag, done, ""),
                                       LLVMConstInt(c->flag, 0, false), "");
    LLVMBuildCondBr(c->builder, again, end, first);
    LLVMPositionBuilderAtEnd(c->builder, first);
    LLVMBuildStore(c->builder, LLVMConstInt(c->flag, 1, false), done);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(variables[i].function, function) != 0) continue;
        LLVMValueRef variable = LLVMGetNamedGlobal(c->module, variables[i].name);
        call_symbolic(c, variable, &variables[i]);
        assume_values(c, variable, &variables[i]);
    }
    LLVMBuildBr(c->builder, end);
    LLVMPositionBuilderAtEnd(c->builder, end);
    LLVMBuildRetVoid(c->builder);
    return set;
}

static void call_setter(struct change *c, LLVMValueRef function, LLVMValueRef set) {
    LLVMValueRef before = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(before)) before = LLVMGetNextInstruction(before);
    LLVMPositionBuilderBefore(c->builder, before);
    LLVMMetadataRef scope = LLVMGetSubprogram(function);
    LLVMMetadataRef place =
        scope ? LLVMDIBuilderCreateDebugLocation(c->context, LLVMDISubprogramGetLine(scope), 0, scope, NULL)
              : NULL;
    LLVMSetCurrentDebugLocation2(c->builder, place); // required by the verifier if the function has any
    LLVMBuildCall2(c->builder, LLVMFunctionType(c->nothing, NULL, 0, false), set, NULL, 0, "");
    LLVMSetCurrentDebugLocation2(c->builder, NULL);
}

// ---- signedness

enum { VARIABLE_TYPE = 3, BASE_TYPE = 3 }; // operands of metadata nodes, by LLVM's order

static LLVMMetadataRef operand(const struct change *c, LLVMMetadataRef node, unsigned index) {
    LLVMValueRef value = LLVMMetadataAsValue(c->context, node), operands[32];
    unsigned count = (unsigned)LLVMGetMDNodeNumOperands(value);
    if (index >= count || count > COUNT(operands)) return NULL;
    LLVMGetMDNodeOperands(value, operands);
    return operands[index] ? LLVMValueAsMetadata(operands[index]) : NULL;
}

// Whether a type is unsigned: a basic type by its name in C; typedefs, qualifiers and enumerations by their base type.
static bool is_unsigned_type(const struct change *c, LLVMMetadataRef type) {
    for (unsigned depth = 0; type && depth < 100; depth++) {
        LLVMMetadataKind kind = LLVMGetMetadataKind(type);
        size_t length = 0;
        const char *name = kind == LLVMDIBasicTypeMetadataKind ? LLVMDITypeGetName(type, &length) : NULL;
        if (name) return memmem(name, length, "unsigned", 8) || memmem(name, length, "ool", 3);
        bool derived = kind == LLVMDIDerivedTypeMetadataKind || kind == LLVMDICompositeTypeMetadataKind;
        type = derived ? operand(c, type, BASE_TYPE) : NULL;
    }
    return false;
}

static bool is_unsigned(const struct change *c, LLVMValueRef global) {
    size_t count = 0;
    bool found = false;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
    for (unsigned i = 0; i < count; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
        if (LLVMGetMetadataKind(node) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
        found |=
            is_unsigned_type(c, operand(c, LLVMDIGlobalVariableExpressionGetVariable(node), VARIABLE_TYPE));
    }
    LLVMDisposeValueMetadataEntries(entries);
    return found;
}

// ---- the interface

static bool look_up(struct change *c, struct variable_input *variable) {
    LLVMValueRef global = LLVMGetNamedGlobal(c->module, variable->name);
    if (!global || LLVMIsDeclaration(global)) return not_there(c, variable, false);
    LLVMValueRef function = LLVMGetNamedFunction(c->module, variable->function);
    if (!function || LLVMIsDeclaration(function)) return not_there(c, variable, true);
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
        return wrong(variable, "Only integer variables can be options; for others write a harness.",
                     "'%s' is not an integer", variable->name);
    if (LLVMIsGlobalConstant(global))
        return wrong(variable, "Name a variable that the program can set.", "'%s' is a constant",
                     variable->name);
    variable->size = (LLVMGetIntTypeWidth(type) + 7) / 8;
    LLVMValueRef initial = LLVMGetInitializer(global);
    variable->is_unsigned = is_unsigned(c, global);
    if (initial && LLVMIsAConstantInt(initial))
        variable->initial = variable->is_unsigned ? (int64_t)LLVMConstIntGetZExtValue(initial)
                                                  : LLVMConstIntGetSExtValue(initial);
    return true;
}

static void change_module(struct change *c, struct variable_input *variables, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        bool earlier = false;
        for (uint32_t k = 0; k < i; k++) earlier |= !strcmp(variables[k].function, variables[i].function);
        if (earlier) continue;
        LLVMValueRef set = setter(c, variables, count, variables[i].function);
        call_setter(c, LLVMGetNamedFunction(c->module, variables[i].function), set);
    }
}

bool transform_variables(const struct text *bitcode, struct variable_input *variables, uint32_t count,
                         struct text *changed) {
    struct change c = {.context = LLVMContextCreate()};
    c.module = module_open(c.context, bitcode);
    c.builder = LLVMCreateBuilderInContext(c.context);
    c.nothing = LLVMVoidTypeInContext(c.context);
    c.flag = LLVMInt8TypeInContext(c.context);
    c.word = LLVMInt64TypeInContext(c.context);
    c.pointer = LLVMPointerTypeInContext(c.context, 0);
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) good = look_up(&c, &variables[i]);
    if (good) {
        change_module(&c, variables, count);
        module_write(c.module, changed);
    }
    LLVMDisposeBuilder(c.builder);
    LLVMDisposeModule(c.module);
    LLVMContextDispose(c.context);
    return good;
}
