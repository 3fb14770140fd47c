// Emits the types as constants of the program: the structs of runtime/entry.h.
#include "front/entry.h"

LLVMValueRef entry_declare(struct entry *e, const char *name, LLVMTypeRef type) {
    return symbols_declare(e->module, name, type);
}

LLVMValueRef entry_emit_data(struct entry *e, LLVMValueRef constant) {
    LLVMValueRef global = LLVMAddGlobal(e->module, LLVMTypeOf(constant), "tamar.entry.data");
    LLVMSetInitializer(global, constant);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    return global;
}

LLVMValueRef entry_emit_string(struct entry *e, const char *text) {
    return entry_emit_data(e, LLVMConstStringInContext2(e->front->context, text, strlen(text), false));
}

static LLVMValueRef word(struct entry *e, uint64_t value) { return LLVMConstInt(e->word, value, false); }

static LLVMValueRef emit_members(struct entry *e, const struct entry_type *type) {
    LLVMValueRef *rows = NEW_ARRAY(LLVMValueRef, type->count);
    for (uint64_t i = 0; i < type->count; i++) {
        const struct entry_member *m = &type->members[i];
        LLVMValueRef fields[] = {entry_emit_string(e, m->name),
                                 entry_emit_type(e, m->type),
                                 word(e, m->offset),
                                 word(e, m->bits),
                                 word(e, m->length),
                                 word(e, m->fixed)};
        rows[i] = LLVMConstNamedStruct(e->member_row, fields, COUNT(fields));
    }
    LLVMValueRef list = entry_emit_data(e, LLVMConstArray2(e->member_row, rows, type->count));
    DELETE_ARRAY(rows, type->count);
    return list;
}

static LLVMValueRef emit_values(struct entry *e, const struct entry_type *type) {
    LLVMValueRef *values = NEW_ARRAY(LLVMValueRef, type->count);
    for (uint64_t i = 0; i < type->count; i++) values[i] = word(e, (uint64_t)type->values[i]);
    LLVMValueRef list = entry_emit_data(e, LLVMConstArray2(e->word, values, type->count));
    DELETE_ARRAY(values, type->count);
    return list;
}

static LLVMValueRef emit_functions(struct entry *e, struct entry_type *type) {
    LLVMValueRef *functions;
    unsigned count = entry_functions(e, type, &functions);
    if (!count) return LLVMConstNull(e->pointer);
    type->count = count;
    LLVMValueRef list = entry_emit_data(e, LLVMConstArray2(e->pointer, functions, count));
    DELETE_ARRAY(functions, count);
    return list;
}

LLVMValueRef entry_emit_type(struct entry *e, struct entry_type *type) {
    if (type->global) return type->global;
    LLVMValueRef global = type->global = LLVMAddGlobal(e->module, e->type_row, "tamar.entry.type");
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMValueRef list = type->kind == __TAMAR_FUNCTION ? emit_functions(e, type)
                        : type->values                 ? emit_values(e, type)
                        : type->members                ? emit_members(e, type)
                                                       : LLVMConstNull(e->pointer);
    LLVMValueRef fields[] = {LLVMConstInt(e->half, type->kind, false),
                             LLVMConstInt(e->half, type->flags, false),
                             word(e, type->size),
                             word(e, type->count),
                             type->of ? entry_emit_type(e, type->of) : LLVMConstNull(e->pointer),
                             list};
    LLVMSetInitializer(global, LLVMConstNamedStruct(e->type_row, fields, COUNT(fields)));
    return global;
}
