// Makes the driver, which replaces the program's main.
#include "front/entry.h"
#include "base/error.h"
#include "base/suggest.h"

#include <stdlib.h>

#define OWN_MAIN "main.program" // new name of the program's main, which the function may call
#define ALIGN    64             // alignment of a parameter in the block: no type needs more

enum { VARIABLE_TYPE = 3, SUBPROGRAM_TYPE = 4, SUBROUTINE_TYPES = 3 };

static unsigned attribute_kind(const char *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static LLVMAttributeRef attribute(LLVMValueRef function, unsigned parameter, const char *name) {
    return LLVMGetEnumAttributeAtIndex(function, parameter + 1, attribute_kind(name));
}

static bool fail(struct entry *e, const char *remedy) {
    user_error_at(e->wanted->function, remedy, "cannot be called: %s", e->problem);
    return false;
}

// ---- the parameters

// The name of a parameter; *part: "s.coerce0" is the first part of s.
static const char *parameter_name(struct entry *e, LLVMValueRef parameter, unsigned index, char *part) {
    size_t length;
    const char *name = LLVMGetValueName2(parameter, &length), *dot = strstr(name, ".coerce");
    *part = dot ? dot[strlen(".coerce")] : 0;
    if (*name && dot != name) {
        size_t kept = dot ? (size_t)(dot - name) : length;
        char *copy = arena_alloc(e->front->scratch, kept + 1);
        memcpy(copy, name, kept);
        return copy;
    }
    struct text text = {0};
    text_add(&text, "parameter%u", index + 1);
    const char *made = arena_strdup(e->front->scratch, text.at);
    text_free(&text);
    return made;
}

// One LLVM parameter: a part of a value in the block, or its address.
struct entry_piece {
    uint64_t offset;
    bool address;
};

struct parameters {
    struct entry_type *type; // a struct of all parameters
    vec(struct entry_piece) pieces;
    bool result; // the first LLVM parameter is the address for the result (sret)
};

// Adds the parts in which the calling convention passes a value: in memory, or in up to two registers of eight bytes.
// Returns the next parameter, or NULL if there is none. Sets e->problem if the parameters do not match the value.
static LLVMValueRef add_pieces(struct entry *e, struct parameters *list, LLVMValueRef at, uint64_t size,
                               uint64_t offset, char part) {
    bool in_memory = attribute(e->function, list->pieces.count + list->result, "byval");
    struct entry_piece first = {offset, in_memory}, second = {offset + 8, false};
    vec_push(&list->pieces, first);
    uint64_t covered = LLVMStoreSizeOfType(e->front->layout, LLVMTypeOf(at));
    at = LLVMGetNextParam(at);
    bool two = part ? part == '0' : size > 8 && covered <= 8;
    if (in_memory || !two) return at;
    if (!at) {
        e->problem = "its parameters are not those of its source (was it optimised?)";
        return NULL;
    }
    vec_push(&list->pieces, second);
    return LLVMGetNextParam(at);
}

// The type of a parameter from its LLVM type, if there is no debug information.
static struct entry_type *type_without_source(struct entry *e, LLVMTypeRef type) {
    struct entry_type *made = ARENA_NEW(e->front->scratch, struct entry_type);
    *made = (struct entry_type){.kind = __TAMAR_PLAIN, .size = LLVMABISizeOfType(e->front->layout, type)};
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
        made->kind = __TAMAR_POINTER;
        made->count = ENTRY_UNKNOWN_BYTES;
        made->of = e->unknown;
    } else if (LLVMGetTypeKind(type) == LLVMX86_FP80TypeKind) {
        made->kind = __TAMAR_X87;
    } else if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1) {
        made->kind = __TAMAR_BOOL;
    }
    return made;
}

static LLVMMetadataRef source_types(struct entry *e) {
    LLVMMetadataRef program = LLVMGetSubprogram(e->function);
    LLVMMetadataRef type = program ? debug_node_operand(e->front, program, SUBPROGRAM_TYPE, NULL) : NULL;
    return type ? debug_node_operand(e->front, type, SUBROUTINE_TYPES, NULL) : NULL;
}

static bool read_parameters(struct entry *e, struct parameters *list) {
    LLVMMetadataRef types = source_types(e);
    unsigned count = types ? (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(e->front->context, types))
                           : LLVMCountParams(e->function) + 1;
    LLVMValueRef at = LLVMGetFirstParam(e->function);
    list->result = at && attribute(e->function, 0, "sret");
    if (list->result) at = LLVMGetNextParam(at);
    struct entry_type *whole = list->type = ARENA_NEW(e->front->scratch, struct entry_type);
    whole->kind = __TAMAR_STRUCT;
    whole->members = ARENA_ARRAY(e->front->scratch, struct entry_member, count);
    for (unsigned i = 1; i < count && !e->problem; i++) {
        LLVMMetadataRef node = types ? debug_node_operand(e->front, types, i, NULL) : NULL;
        if (types ? !node : !at) break; // "..."
        struct entry_type *type = types ? entry_describe(e, node) : type_without_source(e, LLVMTypeOf(at));
        if (e->problem || !type->size) continue; // an empty struct is not passed
        if (!at) e->problem = "its parameters are not those of its source (was it optimised?)";
        if (e->problem) break;
        char part;
        const char *name = parameter_name(e, at, i - 1, &part);
        whole->members[whole->count++] =
            (struct entry_member){.name = name, .type = type, .offset = whole->size};
        at = add_pieces(e, list, at, type->size, whole->size, part);
        whole->size = (whole->size + type->size + ALIGN - 1) / ALIGN * ALIGN;
    }
    if (at && !e->problem) e->problem = "its parameters are not those of its source (was it optimised?)";
    return !e->problem || fail(e, "Compile with -O0 and -g, or write a harness (docs/howto/harness.md).");
}

// ---- lengths given by the user

static struct entry_member *find_member(struct entry_type *type, const char *name) {
    for (uint64_t i = 0; i < type->count; i++)
        if (!strcmp(type->members[i].name, name)) return &type->members[i];
    return NULL;
}

static bool wrong_length(const struct front_entry_length *length, const char *remedy, const char *cause) {
    user_error_at("--entry-length", remedy, "%s=%s: %s", length->pointer, length->length, cause);
    return false;
}

static bool apply_length(struct entry_type *all, const struct front_entry_length *wanted) {
    struct entry_member *pointer = find_member(all, wanted->pointer),
                        *length = find_member(all, wanted->length);
    if (!pointer) return wrong_length(wanted, "Name a parameter of the function.", "no such parameter");
    if (pointer->type->kind != __TAMAR_POINTER && pointer->type->kind != __TAMAR_STRING)
        return wrong_length(wanted, "Name a parameter that is a pointer to values.", "not such a pointer");
    char *end;
    unsigned long number = strtoul(wanted->length, &end, 10);
    pointer->length = 0;
    pointer->fixed = 0;
    if (!strcmp(wanted->length, "none")) return true;
    if (!*end && end != wanted->length && number >= 1 && number <= 65536) {
        pointer->fixed = number;
        return true;
    }
    const struct entry_type *type = length ? length->type : NULL;
    if (type && type->kind == __TAMAR_POINTER) type = type->of;
    if (!type || !type->integer)
        return wrong_length(wanted,
                            "Give an integer parameter, a number of elements from 1 to 65536, or none.",
                            "that is not a number of elements");
    pointer->length = (uint32_t)(length - all->members) + 1;
    return true;
}

// ---- the call

static LLVMValueRef address_in(struct entry *e, LLVMValueRef block, uint64_t offset) {
    LLVMValueRef index = LLVMConstInt(e->word, offset, false);
    return LLVMBuildGEP2(e->builder, e->byte, block, &index, 1, "");
}

static LLVMValueRef load_piece(struct entry *e, LLVMValueRef block, const struct entry_piece *piece,
                               LLVMTypeRef type) {
    LLVMValueRef at = address_in(e, block, piece->offset);
    if (piece->address) return at;
    bool bit = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
    LLVMValueRef value = LLVMBuildLoad2(e->builder, bit ? e->byte : type, at, "");
    LLVMSetAlignment(value, 1);
    return bit ? LLVMBuildTrunc(e->builder, value, type, "") : value;
}

static LLVMValueRef allocate(struct entry *e, uint64_t size) {
    LLVMValueRef block = LLVMBuildAlloca(e->builder, LLVMArrayType2(e->byte, size ? size : 1), "");
    LLVMSetAlignment(block, ALIGN);
    return block;
}

// Copies the attributes of the parameters, which define the calling convention (byval, sret, signext).
static void copy_attributes(struct entry *e, LLVMValueRef call, unsigned parameters) {
    for (unsigned i = 1; i <= parameters; i++) {
        unsigned count = LLVMGetAttributeCountAtIndex(e->function, i);
        LLVMAttributeRef *all = NEW_ARRAY(LLVMAttributeRef, count + 1);
        LLVMGetAttributesAtIndex(e->function, i, all);
        for (unsigned k = 0; k < count; k++) LLVMAddCallSiteAttribute(call, i, all[k]);
        DELETE_ARRAY(all, count + 1);
    }
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(e->function));
}

static void emit_call(struct entry *e, const struct parameters *list, LLVMValueRef block) {
    unsigned count = LLVMCountParams(e->function), i = 0;
    LLVMValueRef *arguments = NEW_ARRAY(LLVMValueRef, count + 1), at = LLVMGetFirstParam(e->function);
    if (list->result) {
        LLVMTypeRef type = LLVMGetTypeAttributeValue(attribute(e->function, 0, "sret"));
        arguments[i++] = allocate(e, LLVMABISizeOfType(e->front->layout, type));
        at = LLVMGetNextParam(at);
    }
    vec_each (struct entry_piece, piece, &list->pieces) {
        arguments[i++] = load_piece(e, block, piece, LLVMTypeOf(at));
        at = LLVMGetNextParam(at);
    }
    assert(i == count);
    LLVMTypeRef type = LLVMGlobalGetValueType(e->function);
    LLVMValueRef call = LLVMBuildCall2(e->builder, type, e->function, arguments, count, "");
    copy_attributes(e, call, count);
    DELETE_ARRAY(arguments, count + 1);
}

static LLVMValueRef call_runtime(struct entry *e, const char *name, LLVMValueRef *arguments) {
    LLVMTypeRef types[] = {e->pointer, e->pointer, e->pointer};
    LLVMTypeRef type = LLVMFunctionType(e->nothing, types, 3, false);
    return LLVMBuildCall2(e->builder, type, entry_declare(e, name, type), arguments, 3, "");
}

static LLVMValueRef emit_limits(struct entry *e) {
    uint64_t values[] = {e->wanted->elements, e->wanted->depth, e->wanted->null};
    LLVMValueRef words[COUNT(values)];
    for (size_t i = 0; i < COUNT(values); i++) words[i] = LLVMConstInt(e->word, values[i], false);
    return entry_emit_data(e, LLVMConstArray2(e->word, words, COUNT(words)));
}

// ---- global variables

static LLVMMetadataRef global_type(struct entry *e, LLVMValueRef global) {
    size_t count = 0;
    LLVMMetadataRef type = NULL;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
    for (unsigned i = 0; i < count; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
        if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind)
            type = debug_node_operand(e->front, LLVMDIGlobalVariableExpressionGetVariable(node),
                                      VARIABLE_TYPE, NULL);
    }
    LLVMDisposeValueMetadataEntries(entries);
    return type;
}

// The variable of this name in a unit of the program; *module: the module that defines it. NULL: an error has been
// reported.
static LLVMValueRef find_global(struct entry *e, const char *name, LLVMModuleRef *module) {
    struct suggestion nearest = {.typed = name};
    vec_each (struct unit, unit, &e->front->units)
        for (LLVMValueRef one = LLVMGetFirstGlobal(unit->module); one; one = LLVMGetNextGlobal(one)) {
            if (LLVMIsDeclaration(one) || LLVMIsGlobalConstant(one)) continue;
            *module = unit->module;
            if (!strcmp(LLVMGetValueName(one), name)) return one;
            suggest_consider(&nearest, LLVMGetValueName(one));
        }
    struct text remedy = {0};
    if (nearest.best) text_add(&remedy, "Did you mean %s? ", nearest.best);
    text_add(&remedy, "Name a global variable of the program that is not constant.");
    user_error_at("--sym-global", remedy.at, "the program has no such variable: %s", name);
    text_free(&remedy);
    return NULL;
}

static bool emit_global(struct entry *e, const char *name) {
    LLVMModuleRef module = NULL;
    LLVMValueRef global = find_global(e, name, &module);
    LLVMMetadataRef node = global ? global_type(e, global) : NULL;
    if (!global) return false;
    if (module != e->module && LLVMGetLinkage(global) == LLVMInternalLinkage) {
        user_error_at("--sym-global", "Give --entry a function of that file, or write a harness.",
                      "%s is static in another file than %s", name, e->wanted->function);
        return false;
    }
    LLVMTypeRef value = LLVMGlobalGetValueType(global);
    LLVMValueRef here = LLVMGetNamedGlobal(e->module, name);
    if (!here) here = LLVMAddGlobal(e->module, value, name);
    struct entry_type *type = node ? entry_describe(e, node) : type_without_source(e, value);
    if (e->problem) {
        user_error_at("--sym-global", "Set it in a harness.", "%s: %s", name, e->problem);
        return false;
    }
    entry_finish_types(e);
    LLVMValueRef arguments[] = {here, entry_emit_type(e, type), entry_emit_string(e, name)};
    call_runtime(e, "__tamar_entry_global", arguments);
    return true;
}

// ---- the interface

static void rename_main(struct entry *e) {
    vec_each (struct unit, unit, &e->front->units) {
        LLVMValueRef own = LLVMGetNamedFunction(unit->module, "main");
        if (own) LLVMSetValueName2(own, OWN_MAIN, strlen(OWN_MAIN));
    }
}

static bool emit_driver(struct entry *e, const struct parameters *list) {
    LLVMTypeRef number = LLVMInt32TypeInContext(e->front->context);
    LLVMValueRef driver = LLVMAddFunction(e->module, "main", LLVMFunctionType(number, NULL, 0, false));
    LLVMPositionBuilderAtEnd(e->builder, LLVMAppendBasicBlockInContext(e->front->context, driver, ""));
    LLVMValueRef block = allocate(e, list->type->size);
    LLVMValueRef arguments[] = {block, entry_emit_type(e, list->type), emit_limits(e)};
    call_runtime(e, "__tamar_entry_begin", arguments);
    bool good = true;
    for (unsigned i = 0; i < e->wanted->global_count && good; i++)
        good = emit_global(e, e->wanted->globals[i]);
    if (!good) return false;
    emit_call(e, list, block);
    LLVMBuildRet(e->builder, LLVMConstInt(number, 0, false));
    return !e->problem || fail(e, "Write a harness that passes one (docs/howto/harness.md).");
}

static void open_entry(struct entry *e) {
    LLVMContextRef context = e->front->context;
    e->builder = LLVMCreateBuilderInContext(context);
    e->nothing = LLVMVoidTypeInContext(context);
    e->byte = LLVMInt8TypeInContext(context);
    e->half = LLVMInt32TypeInContext(context);
    e->word = LLVMInt64TypeInContext(context);
    e->pointer = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef type[] = {e->half, e->half, e->word, e->word, e->pointer, e->pointer};
    LLVMTypeRef member[] = {e->pointer, e->pointer, e->word, e->word, e->word, e->word};
    e->type_row = LLVMStructCreateNamed(context, "tamar.entry.type");
    e->member_row = LLVMStructCreateNamed(context, "tamar.entry.member");
    LLVMStructSetBody(e->type_row, type, COUNT(type), false);
    LLVMStructSetBody(e->member_row, member, COUNT(member), false);
    e->unknown = ARENA_NEW(e->front->scratch, struct entry_type);
    *e->unknown = (struct entry_type){.kind = __TAMAR_PLAIN, .size = 1};
}

static bool find_function(struct entry *e) {
    struct suggestion nearest = {.typed = e->wanted->function};
    vec_each (struct unit, unit, &e->front->units)
        for (LLVMValueRef one = LLVMGetFirstFunction(unit->module); one; one = LLVMGetNextFunction(one)) {
            if (LLVMIsDeclaration(one)) continue;
            e->function = one;
            e->module = unit->module;
            if (!strcmp(LLVMGetValueName(one), e->wanted->function)) return true;
            suggest_consider(&nearest, LLVMGetValueName(one));
        }
    struct text remedy = {0};
    if (nearest.best) text_add(&remedy, "Did you mean %s? ", nearest.best);
    text_add(&remedy, "Name a function that is defined in the program.");
    user_error_at("--entry", remedy.at, "the program has no function \"%s\"", e->wanted->function);
    text_free(&remedy);
    return false;
}

bool entry_drive(struct front *front) {
    struct entry e = {.front = front, .wanted = front->options->driver};
    struct parameters list = {0};
    if (!e.wanted) return true;
    open_entry(&e);
    bool good = find_function(&e) && read_parameters(&e, &list);
    if (good) {
        entry_finish_types(&e);
        entry_pair_lengths(list.type->members, list.type->count, true);
        for (unsigned i = 0; i < e.wanted->length_count && good; i++)
            good = apply_length(list.type, &e.wanted->lengths[i]);
        entry_make_buffers(&e, list.type->members, list.type->count, true);
    }
    if (good) rename_main(&e);
    good = good && emit_driver(&e, &list);
    vec_free(&list.pieces);
    vec_free(&e.all);
    map_free(&e.types);
    LLVMDisposeBuilder(e.builder);
    return good;
}
