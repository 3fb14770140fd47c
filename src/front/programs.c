// Further programs (--program), which the first one may start by execve: they become part of the same IR program. Each
// has its own names: its definitions get a suffix, in all of its modules. The C library is common to all, since it
// has no name of a program but main; runtime/linux/process.c says why its data is not.
//
// The table for the runtime is an array of struct __tamar_program (runtime/linux/linux.h), ended by a row of zeros.
#include "base/error.h"
#include "front/front_int.h"

#include <stdlib.h>

#define TABLE "__tamar_programs"

struct program_functions {
    vec(LLVMValueRef) at; // constructors or destructors, in their order
};

// ---- names

static bool is_named(LLVMValueRef value) {
    LLVMLinkage linkage = LLVMGetLinkage(value);
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    return length && strncmp(name, "llvm.", 5) != 0 && linkage != LLVMInternalLinkage &&
           linkage != LLVMPrivateLinkage && linkage != LLVMAppendingLinkage;
}

static uint64_t name_hash(LLVMValueRef value) {
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    return hash_bytes(name, length, 0) | 1;
}

static void visit_globals(LLVMModuleRef module, void (*visit)(LLVMValueRef value, void *context),
                          void *context) {
    for (LLVMValueRef v = LLVMGetFirstFunction(module); v; v = LLVMGetNextFunction(v)) visit(v, context);
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v)) visit(v, context);
    for (LLVMValueRef v = LLVMGetFirstGlobalAlias(module); v; v = LLVMGetNextGlobalAlias(v))
        visit(v, context);
}

static void note_definition(LLVMValueRef value, void *context) {
    if (is_named(value) && symbols_is_definition(value)) *map_put(context, name_hash(value)) = 1;
}

struct program_names {
    struct map *defined;
    uint32_t number;
};

static void rename_global(LLVMValueRef value, void *context) {
    const struct program_names *names = context;
    if (!is_named(value) || !map_get(names->defined, name_hash(value))) return;
    struct text name = {0};
    text_add(&name, "%s.program%u", LLVMGetValueName(value), names->number);
    LLVMSetValueName2(value, name.at, name.count);
    text_free(&name);
}

static void rename_program(struct front *front, uint32_t number) {
    struct map defined = {0};
    struct program_names names = {&defined, number};
    vec_each (struct unit, unit, &front->units)
        if (unit->program == number) visit_globals(unit->module, note_definition, &defined);
    vec_each (struct unit, unit, &front->units)
        if (unit->program == number) visit_globals(unit->module, rename_global, &names);
    map_free(&defined);
}

// ---- constructors and destructors

struct program_row {
    uint64_t priority;
    uint32_t order;
    LLVMValueRef function;
};

static int compare_rows(const void *a, const void *b) {
    const struct program_row *x = a, *y = b;
    if (x->priority != y->priority) return x->priority < y->priority ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

// Takes the functions of a list (llvm.global_ctors) out of the program's modules. They become visible to other modules.
static void take_functions(struct front *front, uint32_t number, const char *list,
                           struct program_functions *functions) {
    vec(struct program_row) rows = {0};
    vec_each (struct unit, unit, &front->units) {
        LLVMValueRef variable = unit->program == number ? LLVMGetNamedGlobal(unit->module, list) : NULL;
        LLVMValueRef initial = variable ? LLVMGetInitializer(variable) : NULL;
        bool is_array = initial && LLVMGetTypeKind(LLVMTypeOf(initial)) == LLVMArrayTypeKind;
        for (unsigned i = 0; is_array && i < LLVMGetArrayLength2(LLVMTypeOf(initial)); i++) {
            LLVMValueRef row = LLVMGetAggregateElement(initial, i);
            LLVMValueRef function = LLVMGetAggregateElement(row, 1);
            if (!LLVMIsAFunction(function)) continue;
            uint64_t priority = LLVMConstIntGetZExtValue(LLVMGetAggregateElement(row, 0));
            struct program_row added = {priority, rows.count, function};
            vec_push(&rows, added);
        }
        if (variable) LLVMDeleteGlobal(variable);
    }
    if (rows.count) qsort(rows.at, rows.count, sizeof *rows.at, compare_rows);
    for (uint32_t i = 0; i < rows.count; i++) {
        struct text name = {0};
        text_add(&name, "%s.%u.program%u", list + strlen("llvm."), i, number);
        if (LLVMGetLinkage(rows.at[i].function) == LLVMInternalLinkage)
            LLVMSetValueName2(rows.at[i].function, name.at, name.count);
        LLVMSetLinkage(rows.at[i].function, LLVMExternalLinkage);
        vec_push(&functions->at, rows.at[i].function);
        text_free(&name);
    }
    vec_free(&rows);
}

// ---- the table

static LLVMValueRef declared(LLVMModuleRef module, LLVMValueRef function) {
    const char *name = LLVMGetValueName(function);
    LLVMValueRef known = LLVMGetNamedFunction(module, name);
    return known ? known : LLVMAddFunction(module, name, LLVMGlobalGetValueType(function));
}

static LLVMValueRef constant_array(struct front *front, LLVMModuleRef module,
                                   struct program_functions *list) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(front->context, 0);
    vec(LLVMValueRef) values = {0};
    vec_each (LLVMValueRef, function, &list->at) vec_push(&values, declared(module, *function));
    vec_push(&values, LLVMConstNull(pointer));
    LLVMValueRef content = LLVMConstArray2(pointer, values.at, values.count);
    LLVMValueRef array = LLVMAddGlobal(module, LLVMTypeOf(content), "functions");
    LLVMSetInitializer(array, content);
    LLVMSetGlobalConstant(array, true);
    LLVMSetLinkage(array, LLVMInternalLinkage);
    vec_free(&values);
    vec_free(&list->at);
    return array;
}

static LLVMValueRef constant_path(struct front *front, LLVMModuleRef module, const char *path) {
    LLVMValueRef content = LLVMConstStringInContext2(front->context, path, strlen(path), false);
    LLVMValueRef text = LLVMAddGlobal(module, LLVMTypeOf(content), "path");
    LLVMSetInitializer(text, content);
    LLVMSetGlobalConstant(text, true);
    LLVMSetLinkage(text, LLVMInternalLinkage);
    return text;
}

static LLVMValueRef main_of(struct front *front, uint32_t number) {
    struct text name = {0};
    text_add(&name, "main.program%u", number);
    LLVMValueRef found = NULL;
    vec_each (struct unit, unit, &front->units) {
        LLVMValueRef function = LLVMGetNamedFunction(unit->module, name.at);
        if (function && !LLVMIsDeclaration(function) && (!found || unit->rank == RANK_PROGRAM))
            found = function;
    }
    text_free(&name);
    return found;
}

bool programs_separate(struct front *front) {
    uint32_t count = front->options->program_count;
    if (!count) return true;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(front->context, 0);
    LLVMTypeRef row_type = LLVMStructTypeInContext(
        front->context, (LLVMTypeRef[]){pointer, pointer, pointer, pointer}, 4, false);
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("programs", front->context);
    LLVMSetDataLayout(module, LLVMGetDataLayoutStr(front->units.at[0].module));
    LLVMSetTarget(module, LLVMGetTarget(front->units.at[0].module));
    vec(LLVMValueRef) rows = {0};
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        const struct front_program *program = &front->options->programs[i];
        struct program_functions first = {0}, last = {0};
        rename_program(front, i + 1);
        take_functions(front, i + 1, "llvm.global_ctors", &first);
        take_functions(front, i + 1, "llvm.global_dtors", &last);
        LLVMValueRef main = main_of(front, i + 1);
        if (!main) {
            user_error_at(program->file, "Name a whole program, such as one linked by \"tamar cc\".",
                          "the program has no function \"main\"");
            good = false;
            main = LLVMConstNull(pointer);
        }
        LLVMValueRef row[] = {constant_path(front, module, program->path),
                              LLVMIsAFunction(main) ? declared(module, main) : main,
                              constant_array(front, module, &first), constant_array(front, module, &last)};
        vec_push(&rows, LLVMConstNamedStruct(row_type, row, 4));
    }
    vec_push(&rows, LLVMConstNull(row_type));
    LLVMValueRef content = LLVMConstArray2(row_type, rows.at, rows.count);
    LLVMValueRef table = LLVMAddGlobal(module, LLVMTypeOf(content), TABLE);
    LLVMSetInitializer(table, content);
    LLVMSetGlobalConstant(table, true);
    vec_free(&rows);
    vec_push(&front->units, ((struct unit){.module = module, .name = "programs", .built = true}));
    return good;
}
