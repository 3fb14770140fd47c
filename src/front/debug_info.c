// Source locations: adds LLVM's debug locations to the program's table, each one once.
#include "front/front_int.h"

#include <llvm-c/DebugInfo.h>

static uint32_t intern(struct front *front, struct map *map, void *list, const char *text, size_t length) {
    vec(const char *) *strings = list;
    uint64_t hash = hash_bytes(text, length, 1);
    for (;; hash = hash_u64(hash)) {
        uint64_t *place = map_put(map, hash & ~(1ull << 63));
        if (!*place) {
            char *copy = arena_alloc(front->arena, length + 1);
            memcpy(copy, text, length);
            vec_push(strings, copy);
            *place = strings->count;
            return strings->count - 1;
        }
        const char *known = strings->at[*place - 1];
        if (!strncmp(known, text, length) && !known[length]) return (uint32_t)*place - 1;
    }
}

uint32_t debug_intern_string(struct front *front, const char *text, size_t length) {
    return intern(front, &front->string_of, &front->strings, text, length);
}

static uint32_t file_of(struct front *front, LLVMMetadataRef file) {
    if (!file) return 0;
    uint64_t *known = map_get(&front->file_of, (uintptr_t)file);
    if (known) return (uint32_t)*known;
    unsigned name_length, directory_length;
    const char *name = LLVMDIFileGetFilename(file, &name_length);
    const char *directory = LLVMDIFileGetDirectory(file, &directory_length);
    struct text path = {0};
    if (name_length && name[0] != '/' && directory_length) {
        text_add_bytes(&path, directory, directory_length);
        text_add(&path, "/");
        if (name_length > 2 && name[0] == '.' && name[1] == '/') name += 2, name_length -= 2;
    }
    text_add_bytes(&path, name, name_length);
    uint32_t index = intern(front, &front->file_hash, &front->files, path.at ? path.at : "", path.count);
    text_free(&path);
    *map_put(&front->file_of, (uintptr_t)file) = index;
    return index;
}

// The i-th operand of a metadata node as metadata, or NULL. llvm-c has it only as a value.
LLVMMetadataRef debug_node_operand(struct front *front, LLVMMetadataRef node, unsigned index,
                                   LLVMValueRef *as_value) {
    LLVMValueRef wrapped = LLVMMetadataAsValue(front->context, node);
    unsigned count = LLVMGetMDNodeNumOperands(wrapped);
    if (index >= count) return NULL;
    LLVMValueRef *operands = NEW_ARRAY(LLVMValueRef, count);
    LLVMGetMDNodeOperands(wrapped, operands);
    LLVMValueRef operand = operands[index];
    DELETE_ARRAY(operands, count);
    if (as_value) *as_value = operand;
    return operand ? LLVMValueAsMetadata(operand) : NULL;
}

// The value of an enumerator. llvm-c has no function for it, so it is read from the node's text ("value: -3").
int64_t debug_enumerator_value(struct front *front, LLVMMetadataRef node) {
    char *text = LLVMPrintValueToString(LLVMMetadataAsValue(front->context, node));
    const char *at = strstr(text, "value: ");
    bool negative = at && at[7] == '-';
    int64_t value = 0;
    for (at = at ? at + 7 + negative : ""; *at >= '0' && *at <= '9'; at++)
        value = (int64_t)((uint64_t)value * 10 + (uint64_t)(*at - '0'));
    LLVMDisposeMessage(text);
    return negative ? -value : value;
}

static uint32_t node_string(struct front *front, LLVMMetadataRef node, unsigned index) {
    LLVMValueRef value = NULL;
    if (!debug_node_operand(front, node, index, &value) || !value) return 0;
    unsigned length = 0;
    const char *text = LLVMGetMDString(value, &length);
    return text ? debug_intern_string(front, text, length) : 0;
}

// The name of the function that contains a scope.
static uint32_t scope_name(struct front *front, LLVMMetadataRef scope) {
    uint64_t *known = map_get(&front->scope_names, (uintptr_t)scope);
    if (known) return (uint32_t)*known;
    LLVMMetadataRef at = scope;
    LLVMMetadataKind kind = LLVMGetMetadataKind(at);
    while (at && (kind == LLVMDILexicalBlockMetadataKind || kind == LLVMDILexicalBlockFileMetadataKind)) {
        at = debug_node_operand(front, at, 1, NULL);
        if (at) kind = LLVMGetMetadataKind(at);
    }
    uint32_t name = at && kind == LLVMDISubprogramMetadataKind ? node_string(front, at, 2) : 0;
    *map_put(&front->scope_names, (uintptr_t)scope) = name;
    return name;
}

static uint32_t add_location(struct front *front, struct ir_location location) {
    vec_push(&front->locations, location);
    return front->locations.count - 1;
}

uint32_t debug_location_of(struct front *front, LLVMMetadataRef location) {
    if (!location) return 0;
    uint64_t *known = map_get(&front->location_of, (uintptr_t)location);
    if (known) return (uint32_t)*known;
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    struct ir_location row = {
        .file = file_of(front, LLVMDIScopeGetFile(scope)),
        .line = LLVMDILocationGetLine(location),
        .column = LLVMDILocationGetColumn(location),
        .inlined_at = debug_location_of(front, LLVMDILocationGetInlinedAt(location)),
        .function = scope_name(front, scope),
    };
    uint32_t index = add_location(front, row);
    *map_put(&front->location_of, (uintptr_t)location) = index;
    return index;
}

uint32_t debug_location_of_function(struct front *front, LLVMValueRef function) {
    LLVMMetadataRef program = LLVMGetSubprogram(function);
    if (!program) return 0;
    return add_location(front, (struct ir_location){.file = file_of(front, LLVMDIScopeGetFile(program)),
                                                    .line = LLVMDISubprogramGetLine(program),
                                                    .function = scope_name(front, program)});
}

uint32_t debug_location_of_variable(struct front *front, LLVMMetadataRef variable, uint32_t *name) {
    if (name) *name = node_string(front, variable, 1);
    LLVMMetadataRef scope = LLVMDIVariableGetScope(variable);
    bool in_function = scope && LLVMGetMetadataKind(variable) == LLVMDILocalVariableMetadataKind;
    return add_location(front, (struct ir_location){.file = file_of(front, LLVMDIVariableGetFile(variable)),
                                                    .line = LLVMDIVariableGetLine(variable),
                                                    .function = in_function ? scope_name(front, scope) : 0});
}

uint32_t debug_location_of_global(struct front *front, LLVMValueRef global) {
    size_t count = 0;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
    uint32_t result = 0;
    for (unsigned i = 0; i < count && !result; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
        if (LLVMGetMetadataKind(node) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
        result = debug_location_of_variable(front, LLVMDIGlobalVariableExpressionGetVariable(node), NULL);
    }
    LLVMDisposeValueMetadataEntries(entries);
    return result;
}
