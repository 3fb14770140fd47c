// The representation of types in registers and in memory, computed once for each type.
#include "front/front_int.h"

// The enum ir_float of a type; -1: not a float.
static int types_float_format(LLVMTypeKind kind) {
    switch (kind) {
    case LLVMHalfTypeKind: return IR_F16;
    case LLVMBFloatTypeKind: return IR_BF16;
    case LLVMFloatTypeKind: return IR_F32;
    case LLVMDoubleTypeKind: return IR_F64;
    case LLVMX86_FP80TypeKind: return IR_F80;
    case LLVMFP128TypeKind: return IR_F128;
    default: return -1;
    }
}

uint64_t types_size_of(struct front *front, LLVMTypeRef type) {
    uint64_t *known = map_get(&front->sizes, (uintptr_t)type);
    if (known) return *known;
    uint64_t size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(front->layout, type) : 0;
    *map_put(&front->sizes, (uintptr_t)type) = size;
    return size;
}

struct shaping {
    struct front *front;
    vec(struct leaf) leaves;
    uint32_t slots;
    bool unusable;
};

#define MOST_LEAVES 65536 // compilers do not emit longer first-class arrays

static void add_leaf(struct shaping *s, unsigned width, int format, uint64_t offset) {
    if (width > UINT16_MAX || s->leaves.count >= MOST_LEAVES) {
        s->unusable = true;
        return;
    }
    vec_push(&s->leaves, ((struct leaf){s->slots, (uint16_t)width, (int8_t)format, offset}));
    s->slots += ir_slots(width);
}

static unsigned scalar_width(LLVMTypeRef type, LLVMTypeKind kind) {
    if (kind == LLVMIntegerTypeKind) return LLVMGetIntTypeWidth(type);
    if (kind == LLVMPointerTypeKind || kind == LLVMX86_MMXTypeKind) return 64;
    int format = types_float_format(kind);
    return format >= 0 ? ir_float_width((enum ir_float)format) : 0;
}

static void add_type(struct shaping *s, LLVMTypeRef type, uint64_t offset) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned width = scalar_width(type, kind);
    if (width) {
        add_leaf(s, width, types_float_format(kind), offset);
    } else if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type) && !s->unusable; i++)
            add_type(s, LLVMStructGetTypeAtIndex(type, i),
                     offset + LLVMOffsetOfElement(s->front->layout, type, i));
    } else if (kind == LLVMArrayTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(type);
        uint64_t size = types_size_of(s->front, element), count = LLVMGetArrayLength2(type);
        for (uint64_t i = 0; i < count && !s->unusable; i++) add_type(s, element, offset + i * size);
    } else if (kind == LLVMVectorTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(type);
        LLVMTypeKind element_kind = LLVMGetTypeKind(element);
        unsigned bits = scalar_width(element, element_kind);
        for (unsigned i = 0; i < LLVMGetVectorSize(type) && !s->unusable; i++)
            add_leaf(s, bits, types_float_format(element_kind), offset + (uint64_t)i * bits / 8);
    } else if (kind != LLVMVoidTypeKind) { // metadata, tokens, AMX, scalable vectors
        s->unusable = true;
    }
}

const struct type_shape *types_shape_of(struct front *front, LLVMTypeRef type) {
    uint64_t *known = map_get(&front->shapes, (uintptr_t)type);
    if (known) return (const struct type_shape *)(uintptr_t)*known;
    struct shaping s = {.front = front};
    struct type_shape *shape = ARENA_NEW(front->scratch, struct type_shape);
    shape->type = type;
    shape->kind = LLVMGetTypeKind(type);
    add_type(&s, type, 0);
    shape->unusable = s.unusable;
    if (!s.unusable) {
        shape->slots = s.slots;
        shape->leaf_count = s.leaves.count;
        shape->leaves = arena_memdup(front->scratch, s.leaves.at, s.leaves.count * sizeof *s.leaves.at);
        shape->packed =
            shape->kind == LLVMVectorTypeKind && shape->leaf_count && shape->leaves[0].width % 8 != 0;
    }
    vec_free(&s.leaves);
    *map_put(&front->shapes, (uintptr_t)type) = (uintptr_t)shape;
    return shape;
}
