// Lowers addresses. A virtual GEP has no register: its users include base, index and displacement in their own
// instructions. Accesses and further GEPs can do so for constant indices, a single access also for one variable index.
// This is always valid, because SSA values never change.
#include "front/front_int.h"

struct address lower_address_in_register(uint32_t reg) {
    return (struct address){.kind = AT_REGISTER, .base = reg};
}

static bool fits(int64_t offset) { return offset == (int32_t)offset; }

// ---- checked indices

static LLVMValueRef without_extension(LLVMValueRef value) {
    return LLVMIsASExtInst(value) || LLVMIsAZExtInst(value) ? LLVMGetOperand(value, 0) : value;
}

void lower_note_bounded(struct lowering *l, LLVMValueRef index, uint64_t bound) {
    vec_push(&l->bounded, ((struct bounded_index){without_extension(index), bound, l->bounded_last}));
    l->bounded_last = l->bounded.count;
}

bool lower_is_index_below(const struct lowering *l, LLVMValueRef index, uint64_t bound) {
    enum { MOST_STEPS = 32 };
    uint32_t at = l->bounded_last;
    for (unsigned i = 0; at && i < MOST_STEPS; i++, at = l->bounded.at[at - 1].previous)
        if (l->bounded.at[at - 1].index == without_extension(index) && l->bounded.at[at - 1].bound <= bound)
            return true;
    return false;
}

// Whether the last index of the GEP, the only variable one, is an array's and is known to be at most the array's
// length.
static bool is_bounded(struct lowering *l, LLVMValueRef gep) {
    int count = LLVMGetNumOperands(gep);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    LLVMValueRef last = LLVMGetOperand(gep, (unsigned)count - 1);
    for (int i = 1; i + 1 < count; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        if (!LLVMIsAConstantInt(index)) return false;
        if (i == 1 ? LLVMConstIntGetZExtValue(index) != 0 : false) return false;
        if (i == 1) continue;
        type = LLVMGetTypeKind(type) == LLVMStructTypeKind
                   ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index))
                   : LLVMGetElementType(type);
    }
    if (count < 3 || LLVMGetTypeKind(type) != LLVMArrayTypeKind) return false;
    return lower_is_index_below(l, last, LLVMGetArrayLength2(type) + 1);
}

static bool is_virtual(struct lowering *l, LLVMValueRef value) {
    uint64_t *place = map_get(&l->registers, (uintptr_t)value);
    return place && *place == VIRTUAL;
}

// ---- constant addresses

// The variable that a constant address is computed from by pointer arithmetic. NULL: none.
static LLVMValueRef constant_object(struct front *front, LLVMValueRef constant) {
    while (LLVMIsAConstantExpr(constant) && LLVMGetConstOpcode(constant) == LLVMGetElementPtr)
        constant = LLVMGetOperand(constant, 0);
    if (!LLVMIsAGlobalValue(constant)) return NULL;
    LLVMValueRef object = symbols_resolve(front, constant);
    return LLVMIsAGlobalVariable(object) && !LLVMIsThreadLocal(object) ? object : NULL;
}

LLVMValueRef lower_constant_left_object(struct front *front, LLVMValueRef constant, uint64_t word) {
    LLVMValueRef object = LLVMIsAConstantExpr(constant) ? constant_object(front, constant) : NULL;
    if (!object) return NULL;
    return word - constant_word(front, object) <= types_size_of(front, LLVMGlobalGetValueType(object))
               ? NULL
               : object;
}

LLVMValueRef lower_constant_computed_from(LLVMValueRef constant) {
    if (!LLVMIsAConstantExpr(constant) || LLVMGetConstOpcode(constant) != LLVMIntToPtr) return NULL;
    LLVMValueRef sum = LLVMGetOperand(constant, 0);
    if (!LLVMIsAConstantExpr(sum) ||
        (LLVMGetConstOpcode(sum) != LLVMAdd && LLVMGetConstOpcode(sum) != LLVMSub))
        return NULL;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef operand = LLVMGetOperand(sum, i);
        if (LLVMIsAConstantExpr(operand) && LLVMGetConstOpcode(operand) == LLVMPtrToInt) return operand;
    }
    return NULL;
}

// If a constant address is outside of the object that it is computed from, makes that object the base of the address.
static void keep_base(struct lowering *l, struct address *address) {
    if (address->kind != AT_ABSOLUTE || !address->start ||
        (uint64_t)address->offset - address->start <= address->room)
        return;
    int64_t offset = (int64_t)((uint64_t)address->offset - address->start);
    *address = lower_address_in_register(lower_operand_register(l, operand_of_word(address->start), 64));
    address->offset = offset;
}

// A constant address. If it is outside of the variable that it is computed from, that variable is its base.
static struct address constant_address(struct lowering *l, LLVMValueRef pointer, uint64_t word) {
    struct address address = {.kind = AT_ABSOLUTE, .offset = (int64_t)word};
    LLVMValueRef object = constant_object(l->front, pointer);
    if (!object) return address;
    address.start = constant_word(l->front, object);
    address.room = types_size_of(l->front, LLVMGlobalGetValueType(object));
    keep_base(l, &address);
    return address;
}

// The register of an index. Sets *narrow if the register must be sign-extended from 32 bits.
static uint32_t index_register(struct lowering *l, LLVMValueRef index, uint32_t leaf, bool *narrow) {
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(index));
    unsigned width = shape->leaves[MIN(leaf, shape->leaf_count - 1)].width;
    *narrow = false;
    if (is_virtual(l, index)) { // a sign extension from 32 bits
        *narrow = true;
        return lower_leaf_register(l, LLVMGetOperand(index, 0), 0);
    }
    uint32_t reg = lower_leaf_register(l, index, MIN(leaf, shape->leaf_count - 1));
    if (width == 32) *narrow = true;
    if (width == 32 || width == 64) return reg;
    uint32_t wide = emit_new_registers(l, 1);
    emit_convert(l, width < 64 ? IR_FN_SEXT : IR_FN_TRUNC, width, 64, wide, reg);
    return wide;
}

// Emits dst = base + index * scale.
static void emit_indexed(struct lowering *l, const struct address *address, uint32_t dst) {
    enum ir_op op = address->guarded ? (address->narrow ? IR_LEAG_S32 : IR_LEAG)
                                     : (address->narrow ? IR_LEA_S32 : IR_LEA);
    emit(l, op, address->scale, dst, address->base, address->index);
}

// Combines base and index in one register; the displacement is kept.
static void fold_index(struct lowering *l, struct address *address) {
    if (address->kind != AT_INDEXED) return;
    uint32_t reg = emit_new_registers(l, 1);
    emit_indexed(l, address, reg);
    *address = (struct address){.kind = AT_REGISTER, .base = reg, .offset = address->offset};
}

static void add_index(struct lowering *l, struct address *address, uint32_t index, bool narrow,
                      uint64_t scale) {
    if (!scale) return;
    fold_index(l, address);
    keep_base(l, address);
    if (scale > UINT16_MAX) {
        uint32_t product = emit_new_registers(l, 1), wide = index;
        if (narrow) emit_convert(l, IR_FN_SEXT, 32, 64, wide = emit_new_registers(l, 1), index);
        emit_int(l, IR_FN_MUL, 64, product, operand_of_register(wide), operand_of_word(scale));
        index = product;
        narrow = false;
        scale = 1;
    }
    if (address->kind == AT_ABSOLUTE) {
        address->base = lower_operand_register(l, operand_of_word((uint64_t)address->offset), 64);
        address->offset = 0;
    }
    address->kind = AT_INDEXED;
    address->room = 0;
    address->index = index;
    address->narrow = narrow;
    address->scale = (uint32_t)scale;
}

// The address that a GEP computes; for a vector of addresses, its element `leaf`.
static struct address gep_address(struct lowering *l, LLVMValueRef gep, uint32_t leaf) {
    struct front *front = l->front;
    LLVMValueRef pointer = LLVMGetOperand(gep, 0);
    struct address address;
    if (LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMVectorTypeKind)
        address = lower_address_in_register(lower_leaf_register(l, pointer, leaf));
    else
        address = lower_address_of(l, pointer);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int count = LLVMGetNumOperands(gep);
    for (int i = 1; i < count; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)constant_word(front, index);
            address.offset += (int64_t)LLVMOffsetOfElement(front->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1) type = LLVMGetElementType(type);
        uint64_t scale = types_size_of(front, type);
        if (LLVMIsConstant(index)) {
            struct operand number = lower_operand_leaf(
                l, index, LLVMGetTypeKind(LLVMTypeOf(index)) == LLVMVectorTypeKind ? leaf : 0);
            unsigned width = types_shape_of(front, LLVMTypeOf(index))->leaves[0].width;
            if (number.constant) {
                address.offset += (int64_t)((uint64_t)sign_extend(number.value, MIN(width, 64)) * scale);
                continue;
            }
        }
        bool narrow;
        uint32_t reg = index_register(l, index, leaf, &narrow);
        add_index(l, &address, reg, narrow, scale);
        address.guarded = map_get(&l->guarded, (uintptr_t)gep) != NULL;
    }
    keep_base(l, &address);
    return address;
}

struct address lower_address_of(struct lowering *l, LLVMValueRef pointer) {
    if (LLVMGetValueKind(pointer) == LLVMInstructionValueKind && is_virtual(l, pointer))
        return gep_address(l, pointer, 0);
    if (LLVMIsAConstant(pointer) && !lower_constant_computed_from(pointer)) {
        l->front->thread_local_seen = false;
        uint64_t word = constant_word(l->front, pointer);
        if (!l->front->thread_local_seen) return constant_address(l, pointer, word);
    }
    struct operand operand = lower_operand_leaf(l, pointer, 0);
    if (operand.constant) return (struct address){.kind = AT_ABSOLUTE, .offset = (int64_t)operand.value};
    struct address address = lower_address_in_register(operand.reg);
    uint64_t *local = LLVMIsAAllocaInst(pointer) ? map_get(&l->objects, (uintptr_t)pointer) : NULL;
    if (local) address.room = l->allocas.at[*local - 1].size;
    return address;
}

static void add_offset(struct lowering *l, uint32_t dst, uint32_t base, int64_t offset) {
    if (fits(offset))
        emit(l, IR_LEA_I, 64, dst, base, (uint32_t)offset);
    else
        emit(l, IR_LEA, 1, dst, base, lower_operand_register(l, operand_of_word((uint64_t)offset), 64));
}

// Emits the address into this register.
static void address_to(struct lowering *l, struct address address, uint32_t dst) {
    if (address.kind == AT_ABSOLUTE) {
        emit_imm(l, 64, dst, (uint64_t)address.offset);
    } else if (address.kind == AT_INDEXED) {
        uint32_t sum = address.offset ? emit_new_registers(l, 1) : dst;
        emit_indexed(l, &address, sum);
        if (address.offset) add_offset(l, dst, sum, address.offset);
    } else if (address.offset && address.room && (uint64_t)address.offset <= address.room) {
        emit_int(l, IR_FN_ADD, 64, dst, operand_of_register(address.base),
                 operand_of_word((uint64_t)address.offset));
    } else if (address.offset) {
        add_offset(l, dst, address.base, address.offset);
    } else {
        emit_move(l, 64, dst, address.base);
    }
}

uint32_t lower_address_register(struct lowering *l, struct address address) {
    if (address.kind == AT_REGISTER && !address.offset) return address.base;
    uint32_t reg = emit_new_registers(l, 1);
    address_to(l, address, reg);
    return reg;
}

// Simplifies an address for several accesses at small distances.
static struct address simple_address(struct lowering *l, struct address address) {
    fold_index(l, &address);
    if (address.kind == AT_ABSOLUTE && (address.offset < 0 || address.offset > INT32_MAX))
        return lower_address_in_register(lower_address_register(l, address));
    if (!fits(address.offset)) return lower_address_in_register(lower_address_register(l, address));
    return address;
}

static int machine_width(unsigned width) {
    return width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : width == 64 ? 3 : -1;
}

struct lowered_access {
    uint16_t plain, far, general, absolute, indexed[2], narrow[2]; // [1]: guarded
};
static const struct lowered_access load = {
    IR_LOAD8, IR_LOADF8, IR_LOADN, IR_LOADA8, {IR_LOADX8, IR_LOADG8}, {IR_LOADX8_S32, IR_LOADG8_S32}};
static const struct lowered_access store = {
    IR_STORE8, IR_STOREF8, IR_STOREN, IR_STOREA8, {IR_STOREX8, IR_STOREG8}, {IR_STOREX8_S32, IR_STOREG8_S32}};

static bool is_far(struct address address, unsigned width) {
    if (address.offset >= 0 && (uint64_t)address.offset + bytes_of(width) <= address.room) return false;
    return address.room || address.offset >= LOWER_FAR || address.offset <= -LOWER_FAR;
}

static void access_leaf(struct lowering *l, const struct lowered_access *access, struct address address,
                        uint64_t offset, unsigned width, uint32_t reg) {
    int machine = machine_width(width);
    address.offset += (int64_t)offset;
    if (address.kind == AT_INDEXED) {
        if (machine >= 0 && !address.offset) {
            enum ir_op op =
                (enum ir_op)((address.narrow ? access->narrow : access->indexed)[address.guarded] + machine);
            emit(l, op, address.scale, reg, address.base, address.index);
            return;
        }
        fold_index(l, &address);
    }
    if (address.kind == AT_ABSOLUTE && machine >= 0 && address.offset >= 0 && address.offset <= UINT32_MAX) {
        emit(l, (enum ir_op)(access->absolute + machine), width, reg, (uint32_t)address.offset, 0);
        return;
    }
    if (address.kind == AT_ABSOLUTE || !fits(address.offset))
        address = lower_address_in_register(lower_address_register(l, address));
    bool far = is_far(address, width);
    if (far && machine < 0)
        address = lower_address_in_register(lower_address_register(l, address)); // the LEA checks it
    enum ir_op op = machine < 0 ? (enum ir_op)access->general
                                : (enum ir_op)((far ? access->far : access->plain) + machine);
    emit(l, op, width, reg, address.base, (uint32_t)address.offset);
}

void lower_load_leaf(struct lowering *l, struct address address, uint64_t offset, unsigned width,
                     uint32_t dst) {
    access_leaf(l, &load, address, offset, width, dst);
}

void lower_store_leaf(struct lowering *l, struct address address, uint64_t offset, unsigned width,
                      struct operand value) {
    int machine = machine_width(width);
    if (value.constant && machine >= 0) {
        int64_t number = sign_extend(value.value, width);
        if (address.kind == AT_INDEXED && address.offset + (int64_t)offset) fold_index(l, &address);
        if (address.kind == AT_REGISTER && fits(number) && fits(address.offset + (int64_t)offset)) {
            struct address at = address;
            at.offset += (int64_t)offset;
            enum ir_op first = is_far(at, width) ? IR_STOREF8_I : IR_STORE8_I;
            emit(l, (enum ir_op)(first + machine), width, (uint32_t)number, address.base,
                 (uint32_t)(address.offset + (int64_t)offset));
            return;
        }
    }
    access_leaf(l, &store, address, offset, width, lower_operand_register(l, value, width));
}

void lower_load_shape(struct lowering *l, const struct type_shape *shape, struct address address,
                      uint32_t dst) {
    if (shape->packed) {
        unsigned bits = shape->leaf_count * shape->leaves[0].width;
        uint32_t joined = emit_new_registers(l, ir_slots(bits));
        lower_load_leaf(l, address, 0, bits, joined);
        emit(l, IR_SPLIT, bits, dst, joined, shape->leaf_count);
        emit_extra(l, 0, 0, shape->leaves[0].width, 0);
        return;
    }
    if (shape->leaf_count > 1) address = simple_address(l, address);
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        lower_load_leaf(l, address, shape->leaves[i].offset, shape->leaves[i].width,
                        dst + shape->leaves[i].slot);
}

void lower_store_value(struct lowering *l, LLVMValueRef value, struct address address) {
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(value));
    if (shape->packed) {
        unsigned bits = shape->leaf_count * shape->leaves[0].width;
        uint32_t joined = emit_new_registers(l, ir_slots(bits));
        emit(l, IR_CONCAT, bits, joined, lower_whole_register(l, value), shape->leaf_count);
        emit_extra(l, 0, 0, shape->leaves[0].width, 0);
        lower_store_leaf(l, address, 0, bits, operand_of_register(joined));
        return;
    }
    if (shape->leaf_count > 1) address = simple_address(l, address);
    if (LLVMGetValueKind(value) == LLVMInstructionValueKind && is_virtual(l, value))
        value = LLVMGetOperand(value, 0); // a truncation: the store takes the low bits itself
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        lower_store_leaf(l, address, shape->leaves[i].offset, shape->leaves[i].width,
                         lower_operand_leaf(l, value, i));
}

// ---- which GEPs are virtual

static bool has_one_leaf(struct lowering *l, LLVMTypeRef type) {
    const struct type_shape *shape = types_shape_of(l->front, type);
    return shape->leaf_count == 1 && machine_width(shape->leaves[0].width) >= 0;
}

static bool use_can_take(struct lowering *l, LLVMValueRef gep, LLVMUseRef use, bool constant) {
    LLVMValueRef user = LLVMGetUser(use);
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad: return constant || has_one_leaf(l, LLVMTypeOf(user));
    case LLVMStore: {
        LLVMValueRef value = LLVMGetOperand(user, 0);
        return value != gep && (constant || has_one_leaf(l, LLVMTypeOf(value)));
    }
    case LLVMGetElementPtr:
        return constant && LLVMGetOperand(user, 0) == gep &&
               LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind;
    default: return false;
    }
}

static bool all_uses_take(struct lowering *l, LLVMValueRef gep, bool constant) {
    unsigned count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(gep); use; use = LLVMGetNextUse(use), count++)
        if (!use_can_take(l, gep, use, constant) || (!constant && count)) return false;
    return true;
}

void lower_gep(struct lowering *l, LLVMValueRef gep) {
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(gep));
    if (shape->kind == LLVMPointerTypeKind) {
        unsigned variable = 0;
        for (int i = 1; i < LLVMGetNumOperands(gep); i++)
            variable += !LLVMIsConstant(LLVMGetOperand(gep, (unsigned)i));
        if (variable == 1 && is_bounded(l, gep)) *map_put(&l->guarded, (uintptr_t)gep) = 1;
        if (variable <= 1 && all_uses_take(l, gep, !variable)) {
            *map_put(&l->registers, (uintptr_t)gep) = VIRTUAL;
            return;
        }
        struct address address = gep_address(l, gep, 0);
        if (address.kind == AT_REGISTER && !address.offset)
            lower_define_alias(l, gep, address.base);
        else
            address_to(l, address, lower_result_register(l, gep));
        return;
    }
    uint32_t dst = lower_result_register(l, gep);
    for (uint32_t i = 0; i < shape->leaf_count; i++) address_to(l, gep_address(l, gep, i), dst + i);
}

bool lower_index_takes_extension(struct lowering *l, LLVMValueRef extension) {
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(extension, 0));
    if (LLVMGetTypeKind(from) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(from) != 32 ||
        LLVMGetIntTypeWidth(LLVMTypeOf(extension)) != 64 || LLVMIsConstant(LLVMGetOperand(extension, 0)))
        return false;
    LLVMUseRef use = LLVMGetFirstUse(extension);
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMGetInstructionOpcode(user) != LLVMGetElementPtr ||
            LLVMGetTypeKind(LLVMTypeOf(user)) != LLVMPointerTypeKind)
            return false;
    }
    return true;
}

bool lower_stores_take_truncation(struct lowering *l, LLVMValueRef truncation) {
    LLVMValueRef operand = LLVMGetOperand(truncation, 0);
    const struct type_shape *from = types_shape_of(l->front, LLVMTypeOf(operand));
    if (from->kind != LLVMIntegerTypeKind || from->leaves[0].width > 64 || LLVMIsConstant(operand) ||
        machine_width(LLVMGetIntTypeWidth(LLVMTypeOf(truncation))) < 0)
        return false;
    LLVMUseRef use = LLVMGetFirstUse(truncation);
    for (; use; use = LLVMGetNextUse(use))
        if (LLVMGetInstructionOpcode(LLVMGetUser(use)) != LLVMStore)
            return false; // a store's integer is its value, not its address
    return true;
}
