// Describes parameters as in the source: names from the LLVM values, kinds from the debug information.
#include "front/front_int.h"

#include <llvm-c/DebugInfo.h>

#define TAG_POINTER  0x0f // DWARF tags
#define TAG_TYPEDEF  0x16
#define TAG_CONST    0x26
#define TAG_VOLATILE 0x35
#define TAG_RESTRICT 0x37

// The type without typedefs and qualifiers.
static LLVMMetadataRef bare_type(struct front *front, LLVMMetadataRef type) {
    while (type && LLVMGetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind) {
        unsigned tag = LLVMGetDINodeTag(type);
        if (tag != TAG_TYPEDEF && tag != TAG_CONST && tag != TAG_VOLATILE && tag != TAG_RESTRICT) break;
        type = debug_node_operand(front, type, 3, NULL);
    }
    return type;
}

static bool is_named(LLVMMetadataRef type, const char *word) {
    if (!type || LLVMGetMetadataKind(type) != LLVMDIBasicTypeMetadataKind) return false;
    size_t length = 0;
    const char *name = LLVMDITypeGetName(type, &length);
    for (size_t i = 0; name && i + strlen(word) <= length; i++)
        if (!strncmp(name + i, word, strlen(word))) return true;
    return false;
}

static enum ir_parameter_kind kind_of(struct front *front, LLVMTypeRef type, LLVMMetadataRef source) {
    source = bare_type(front, source);
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind: {
        if (!source || LLVMGetMetadataKind(source) != LLVMDIDerivedTypeMetadataKind ||
            LLVMGetDINodeTag(source) != TAG_POINTER)
            return IR_PARAMETER_POINTER;
        LLVMMetadataRef target = bare_type(front, debug_node_operand(front, source, 3, NULL));
        return is_named(target, "char") ? IR_PARAMETER_STRING : IR_PARAMETER_POINTER;
    }
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: return IR_PARAMETER_FLOAT;
    case LLVMIntegerTypeKind:
        if (LLVMGetIntTypeWidth(type) > 64) return IR_PARAMETER_OTHER;
        if (is_named(source, "char")) return IR_PARAMETER_CHAR;
        if (is_named(source, "unsigned") || is_named(source, "_Bool")) return IR_PARAMETER_UNSIGNED;
        return IR_PARAMETER_SIGNED;
    default: return IR_PARAMETER_OTHER;
    }
}

// The node that lists the types, result first. NULL: it does not match the LLVM parameters (a struct passed by value
// may become several parameters).
static LLVMMetadataRef source_types(struct front *front, LLVMValueRef value, uint32_t count) {
    LLVMMetadataRef program = LLVMGetSubprogram(value);
    LLVMMetadataRef type = program ? debug_node_operand(front, program, 4, NULL) : NULL;
    LLVMMetadataRef list = type ? debug_node_operand(front, type, 3, NULL) : NULL;
    if (!list) return NULL;
    return LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(front->context, list)) >= count + 1 ? list : NULL;
}

void parameters_describe(struct front *front, LLVMValueRef value, struct ir_function *function) {
    uint32_t count = LLVMCountParams(value), i = 0;
    LLVMMetadataRef types = source_types(front, value, count);
    function->parameters = ARENA_ARRAY(front->arena, struct ir_parameter, count + 1);
    function->parameter_count = count;
    for (LLVMValueRef p = LLVMGetFirstParam(value); p; p = LLVMGetNextParam(p), i++) {
        size_t length;
        const char *name = LLVMGetValueName2(p, &length);
        LLVMTypeRef type = LLVMTypeOf(p);
        const struct type_shape *shape = types_shape_of(front, type);
        LLVMMetadataRef source = types ? debug_node_operand(front, types, i + 1, NULL) : NULL;
        struct ir_parameter *parameter = &function->parameters[i];
        parameter->name = arena_memdup(front->arena, name, length + 1);
        parameter->kind = (uint8_t)kind_of(front, type, source);
        parameter->width = shape->leaf_count == 1 ? shape->leaves[0].width : 0;
        parameter->slots = shape->slots;
    }
}
