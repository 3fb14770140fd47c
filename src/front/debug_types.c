// Types of parameters and variables, and of the objects they point to, from the debug information: for lazy
// initialisation, which makes an object when a pointer is first used.
#include "front/front_int.h"

#include <llvm-c/DebugInfo.h>

enum { TAG_ARRAY = 0x01, TAG_MEMBER = 0x0d, TAG_POINTER = 0x0f, TAG_STRUCTURE = 0x13 };
// Indices of operands of metadata nodes, in LLVM's order.
enum { VARIABLE_TYPE = 3, SUBPROGRAM_TYPE = 4, SUBROUTINE_TYPES = 3, BASE_TYPE = 3, ELEMENTS = 4, NAME = 2 };

static uint32_t type_of(struct front *front, LLVMMetadataRef type);

static uint32_t new_type(struct front *front, struct ir_type type) {
    vec_push(&front->types, type);
    return front->types.count - 1;
}

static const char *text_of(struct front *front, LLVMMetadataRef node) {
    LLVMValueRef value = NULL;
    unsigned length = 0;
    if (!debug_node_operand(front, node, NAME, &value) || !value) return "";
    const char *text = LLVMGetMDString(value, &length);
    if (!text) return "";
    uint32_t string = debug_intern_string(front, text, length); // may move the list
    return front->strings.at[string];
}

static unsigned count_of(struct front *front, LLVMMetadataRef node) {
    return node ? LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(front->context, node)) : 0;
}

static void add_members(struct front *front, LLVMMetadataRef record, uint32_t number) {
    LLVMMetadataRef elements = debug_node_operand(front, record, ELEMENTS, NULL);
    unsigned count = count_of(front, elements), used = 0;
    struct ir_member *members = ARENA_ARRAY(front->arena, struct ir_member, count);
    for (unsigned i = 0; i < count; i++) {
        LLVMMetadataRef member = debug_node_operand(front, elements, i, NULL);
        if (!member || LLVMGetMetadataKind(member) != LLVMDIDerivedTypeMetadataKind ||
            LLVMGetDINodeTag(member) != TAG_MEMBER)
            continue;
        uint32_t type =
            type_of(front, debug_node_operand(front, member, BASE_TYPE, NULL)); // may move the list
        members[used++] =
            (struct ir_member){text_of(front, member), LLVMDITypeGetOffsetInBits(member) / 8, type};
    }
    front->types.at[number].members = members;
    front->types.at[number].member_count = used;
}

static uint32_t composite_type(struct front *front, LLVMMetadataRef type, uint64_t size) {
    unsigned tag = LLVMGetDINodeTag(type);
    if (tag == TAG_ARRAY) {
        uint32_t number = new_type(front, (struct ir_type){.kind = IR_TYPE_ARRAY, .size = size});
        *map_put(&front->type_of, (uintptr_t)type) = number;
        uint32_t element = type_of(front, debug_node_operand(front, type, BASE_TYPE, NULL));
        front->types.at[number].target = element;
        return number;
    }
    uint32_t number = new_type(
        front, (struct ir_type){.kind = tag == TAG_STRUCTURE ? IR_TYPE_RECORD : IR_TYPE_OTHER, .size = size});
    *map_put(&front->type_of, (uintptr_t)type) = number;
    if (tag == TAG_STRUCTURE) add_members(front, type, number);
    return number;
}

// The index of a type in front->types. 0: void, or unknown.
static uint32_t type_of(struct front *front, LLVMMetadataRef type) {
    if (!type) return 0;
    uint64_t *known = map_get(&front->type_of, (uintptr_t)type);
    if (known) return (uint32_t)*known;
    LLVMMetadataKind kind = LLVMGetMetadataKind(type);
    uint32_t number = 0;
    if (kind == LLVMDIBasicTypeMetadataKind) {
        number = new_type(
            front, (struct ir_type){.kind = IR_TYPE_SCALAR, .size = LLVMDITypeGetSizeInBits(type) / 8});
    } else if (kind == LLVMDICompositeTypeMetadataKind) {
        return composite_type(front, type, LLVMDITypeGetSizeInBits(type) / 8);
    } else if (kind == LLVMDIDerivedTypeMetadataKind && LLVMGetDINodeTag(type) == TAG_POINTER) {
        number = new_type(front, (struct ir_type){.kind = IR_TYPE_POINTER, .size = 8});
        *map_put(&front->type_of, (uintptr_t)type) = number; // types may contain themselves
        uint32_t target = type_of(front, debug_node_operand(front, type, BASE_TYPE, NULL));
        front->types.at[number].target = target;
        return number;
    } else if (kind == LLVMDIDerivedTypeMetadataKind) { // typedef, const, volatile
        number = type_of(front, debug_node_operand(front, type, BASE_TYPE, NULL));
    }
    *map_put(&front->type_of, (uintptr_t)type) = number;
    return number;
}

static void start_types(struct front *front) {
    if (front->types.count) return;
    new_type(front, (struct ir_type){0}); // [0] unknown, [1] a pointer to it
    new_type(front, (struct ir_type){.kind = IR_TYPE_POINTER, .size = 8});
}

uint32_t debug_type_of_global(struct front *front, LLVMValueRef global) {
    size_t count = 0;
    uint32_t type = 0;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
    start_types(front);
    for (unsigned i = 0; i < count && !type; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
        if (LLVMGetMetadataKind(node) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
        LLVMMetadataRef variable = LLVMDIGlobalVariableExpressionGetVariable(node);
        type = type_of(front, debug_node_operand(front, variable, VARIABLE_TYPE, NULL));
    }
    LLVMDisposeValueMetadataEntries(entries);
    return type;
}

// Records one entry per slot of the parameters. Without debug information a pointer is one to an unknown type.
void debug_describe_types(struct front *front, struct ir_function *function, LLVMValueRef value) {
    start_types(front);
    struct ir_member *slots = ARENA_ARRAY(front->arena, struct ir_member, function->parameter_slots);
    LLVMMetadataRef subprogram = LLVMGetSubprogram(value);
    LLVMMetadataRef subroutine =
        subprogram ? debug_node_operand(front, subprogram, SUBPROGRAM_TYPE, NULL) : NULL;
    LLVMMetadataRef types = subroutine ? debug_node_operand(front, subroutine, SUBROUTINE_TYPES, NULL) : NULL;
    bool usable = count_of(front, types) == LLVMCountParams(value) + 1;
    uint32_t slot = 0;
    unsigned i = 0;
    for (LLVMValueRef p = LLVMGetFirstParam(value); p; p = LLVMGetNextParam(p), i++) {
        const struct type_shape *shape = types_shape_of(front, LLVMTypeOf(p));
        bool pointer = LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind;
        uint32_t type = usable ? type_of(front, debug_node_operand(front, types, i + 1, NULL)) : 0;
        if (pointer && (!type || front->types.at[type].kind != IR_TYPE_POINTER)) type = 1;
        bool narrow = shape->leaf_count == 1 && shape->leaves[0].width <= 64;
        uint32_t bytes = narrow ? (shape->leaves[0].width + 7) / 8 : 8;
        uint32_t scalar = new_type(front, (struct ir_type){.kind = IR_TYPE_SCALAR, .size = bytes});
        size_t length;
        const char *name = LLVMGetValueName2(p, &length);
        uint32_t string = debug_intern_string(front, name, length); // may move the list
        const char *kept = front->strings.at[string];
        for (uint32_t k = 0; k < shape->slots; k++)
            slots[slot++] = (struct ir_member){kept, k, pointer ? type : scalar};
    }
    function->slots = slots;
}
