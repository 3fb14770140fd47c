// Lowers intrinsics on floats: functions that the VM computes, functions of libm, and constrained ones. The latter are
// treated like the others: rounding modes and exceptions are not modelled.
#include "front/front_int.h"

void lower_float_leaves(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(LLVMGetOperand(call, 0)));
    const struct type_shape *result = types_shape_of(l->front, LLVMTypeOf(call));
    unsigned arity = ir_fn_info[row->fn].arity;
    uint32_t dst = lower_result_register(l, call), extra = row->extra;
    if (row->fn == IR_FN_FIS_CLASS) extra = (uint32_t)constant_word(l->front, LLVMGetOperand(call, 1));
    for (uint32_t i = 0; i < shape->leaf_count; i++) {
        uint32_t reg[3] = {0};
        for (unsigned k = 0; k < arity; k++) {
            LLVMValueRef operand = LLVMGetOperand(call, k);
            uint32_t leaves = types_shape_of(l->front, LLVMTypeOf(operand))->leaf_count;
            reg[k] = lower_leaf_register(l, operand, MIN(i, leaves - 1));
        }
        emit_float(l, row->fn, (enum ir_float)shape->leaves[i].format, dst + result->leaves[i].slot, reg[0],
                   reg[1], reg[2], extra);
    }
}

// Lowers fmuladd. Rounds twice, like x86-64 without FMA.
void lower_multiply_add(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(call));
    uint32_t dst = lower_result_register(l, call);
    for (uint32_t i = 0; i < shape->leaf_count; i++) {
        enum ir_float format = (enum ir_float)shape->leaves[i].format;
        uint32_t product = emit_new_registers(l, ir_slots(shape->leaves[i].width));
        emit_float(l, IR_FN_FMUL, format, product, lower_leaf_register(l, LLVMGetOperand(call, 0), i),
                   lower_leaf_register(l, LLVMGetOperand(call, 1), i), 0, 0);
        emit_float(l, IR_FN_FADD, format, dst + shape->leaves[i].slot, product,
                   lower_leaf_register(l, LLVMGetOperand(call, 2), i), 0, 0);
    }
}

void lower_float_to_int(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    LLVMValueRef value = LLVMGetOperand(call, 0);
    const struct type_shape *from = types_shape_of(l->front, LLVMTypeOf(value)),
                            *to = types_shape_of(l->front, LLVMTypeOf(call));
    uint32_t dst = lower_result_register(l, call);
    for (uint32_t i = 0; i < to->leaf_count; i++)
        emit_float(l, row->fn, (enum ir_float)from->leaves[i].format, dst + to->leaves[i].slot,
                   lower_leaf_register(l, value, i), 0, 0, to->leaves[i].width);
}

void lower_round_to_int(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    LLVMValueRef value = LLVMGetOperand(call, 0);
    const struct type_shape *from = types_shape_of(l->front, LLVMTypeOf(value)),
                            *to = types_shape_of(l->front, LLVMTypeOf(call));
    uint32_t dst = lower_result_register(l, call);
    for (uint32_t i = 0; i < to->leaf_count; i++) {
        enum ir_float format = (enum ir_float)from->leaves[i].format;
        uint32_t rounded = emit_new_registers(l, ir_slots(from->leaves[i].width));
        emit_float(l, row->fn, format, rounded, lower_leaf_register(l, value, i), 0, 0, 0);
        emit_float(l, IR_FN_FTO_SINT, format, dst + to->leaves[i].slot, rounded, 0, 0, to->leaves[i].width);
    }
}

// ---- libm

#define CONSTRAINED "llvm.experimental.constrained."

static const char *type_suffix(const char *type, size_t length) { // libm's suffix for ".f64", ".v4f32"
    if (length >= 4 && type[length - 1] == '2' && !memcmp(type + length - 3, "f3", 2)) return "f";
    if (length >= 4 && !memcmp(type + length - 3, "f64", 3)) return "";
    if (length >= 4 && !memcmp(type + length - 3, "f80", 3)) return "l";
    return NULL;
}

const char *lower_intrinsic_library_name(const char *name, size_t length, struct text *buffer) {
    size_t prefix = length > strlen(CONSTRAINED) && !memcmp(name, CONSTRAINED, strlen(CONSTRAINED))
                        ? strlen(CONSTRAINED)
                        : 5;
    if (length <= prefix) return NULL;
    const struct intrinsic *row = lower_intrinsic_named(name + prefix, length - prefix);
    if (!row && length > 9 && !memcmp(name, "llvm.x86.", 9)) { // runtime/x86
        text_add(buffer, "__tamar_x86_%.*s", (int)(length - 9), name + 9);
        for (char *at = buffer->at; *at; at++)
            if (*at == '.') *at = '_';
        return buffer->at;
    }
    if (!row || (row->lower != lower_library_call && row->lower != lower_frexp)) return NULL;
    const char *type = name + prefix + strlen(row->name);
    size_t type_length = length - prefix - strlen(row->name);
    if (!strcmp(row->name, "powi")) { // ".f64.i32"
        if (type_length > 4) type_length -= 4;
        const char *suffix = type_suffix(type, type_length);
        if (!suffix) return NULL;
        text_add(buffer, "__powi%cf2", *suffix == 'f' ? 's' : *suffix == 'l' ? 'x' : 'd');
        return buffer->at;
    }
    if (!strcmp(row->name, "frexp") && type_length > 4) type_length -= 4;
    const char *suffix = type_suffix(type, type_length);
    if (!suffix) return NULL;
    text_add(buffer, "%s%s", row->name, suffix);
    return buffer->at;
}

static bool library_function(struct lowering *l, LLVMValueRef call, uint32_t *index) {
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
    struct text buffer = {0};
    const char *library = lower_intrinsic_library_name(name, length, &buffer);
    LLVMValueRef function = library ? symbols_named_function(l->front, library) : NULL;
    text_free(&buffer);
    if (function) {
        *index = layout_function_index(l->front, function);
        return true;
    }
    emit_not_modelled(l, "%.*s", (int)length, name);
    lower_result_zero(l, call);
    return false;
}

static uint32_t add_slots(struct operand *slots, uint32_t count, uint32_t reg, unsigned width) {
    for (uint32_t i = 0; i < ir_slots(width); i++) slots[count++] = operand_of_register(reg + i);
    return count;
}

void lower_library_call(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    uint32_t function;
    if (!library_function(l, call, &function)) return;
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(call));
    unsigned arity = !strcmp(row->name, "pow") || !strcmp(row->name, "powi") ? 2 : 1;
    uint32_t dst = lower_result_register(l, call);
    for (uint32_t i = 0; i < shape->leaf_count; i++) {
        struct operand slots[8];
        uint32_t count = 0;
        for (unsigned k = 0; k < arity; k++) {
            LLVMValueRef operand = LLVMGetOperand(call, k);
            const struct type_shape *own = types_shape_of(l->front, LLVMTypeOf(operand));
            uint32_t leaf = MIN(i, own->leaf_count - 1);
            count = add_slots(slots, count, lower_leaf_register(l, operand, leaf), own->leaves[leaf].width);
        }
        lower_call_function(l, function, dst + shape->leaves[i].slot, ir_slots(shape->leaves[i].width), slots,
                            count);
    }
}

void lower_frexp(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    uint32_t function;
    LLVMValueRef value = LLVMGetOperand(call, 0);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(value));
    if (shape->leaf_count != 1) {
        emit_not_modelled(l, "llvm.frexp of vectors");
        lower_result_zero(l, call);
        return;
    }
    if (!library_function(l, call, &function)) return;
    uint32_t exponent = lower_frame_object_register(l, lower_add_frame_object(l, 4, 4, 0, l->location));
    struct operand slots[4];
    uint32_t count = add_slots(slots, 0, lower_leaf_register(l, value, 0), shape->leaves[0].width);
    count = add_slots(slots, count, exponent, 64);
    uint32_t dst = lower_result_register(l, call);
    lower_call_function(l, function, dst, shape->slots, slots, count);
    lower_load_leaf(l, lower_address_in_register(exponent), 0, 32, dst + shape->slots);
}

// ---- constrained

static void constrained_compare(struct lowering *l, LLVMValueRef call) {
    static const char *const names[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                        "uno",   "ueq", "ugt", "uge", "ult", "ule", "une", "true"};
    unsigned length = 0;
    const char *text = LLVMGetMDString(LLVMGetOperand(call, 2), &length);
    uint32_t predicate = 0;
    while (text && predicate < 15 &&
           (strlen(names[predicate]) != length || memcmp(names[predicate], text, length) != 0))
        predicate++;
    struct intrinsic row = {"fcmp", lower_float_leaves, IR_FN_FCMP, predicate};
    lower_float_leaves(l, call, &row);
}

static void constrained_convert(struct lowering *l, LLVMValueRef call, enum ir_fn fn) {
    LLVMValueRef value = LLVMGetOperand(call, 0);
    const struct type_shape *from = types_shape_of(l->front, LLVMTypeOf(value)),
                            *to = types_shape_of(l->front, LLVMTypeOf(call));
    uint32_t dst = lower_result_register(l, call);
    for (uint32_t i = 0; i < to->leaf_count; i++) {
        const struct leaf *source = &from->leaves[i], *target = &to->leaves[i];
        bool from_int = fn == IR_FN_FFROM_SINT || fn == IR_FN_FFROM_UINT;
        uint32_t extra = fn == IR_FN_FCONVERT ? (uint32_t)target->format
                         : from_int           ? source->width
                                              : target->width;
        emit_float(l, fn, (enum ir_float)(from_int ? target->format : source->format), dst + target->slot,
                   lower_leaf_register(l, value, i), 0, 0, extra);
    }
}

void lower_constrained(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    static const struct {
        const char *name;
        enum ir_fn fn;
        bool converts;
    } plain[] = {
        {"fadd", IR_FN_FADD, false},        {"fsub", IR_FN_FSUB, false},
        {"fmul", IR_FN_FMUL, false},        {"fdiv", IR_FN_FDIV, false},
        {"frem", IR_FN_FREM, false},        {"fptosi", IR_FN_FTO_SINT, true},
        {"fptoui", IR_FN_FTO_UINT, true},   {"sitofp", IR_FN_FFROM_SINT, true},
        {"uitofp", IR_FN_FFROM_UINT, true}, {"fptrunc", IR_FN_FCONVERT, true},
        {"fpext", IR_FN_FCONVERT, true},
    };
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length) + strlen(CONSTRAINED);
    length -= strlen(CONSTRAINED);
    size_t base = 0;
    while (base < length && name[base] != '.') base++;
    if ((base == 4 && !memcmp(name, "fcmp", 4)) || (base == 5 && !memcmp(name, "fcmps", 5))) {
        constrained_compare(l, call);
        return;
    }
    for (size_t i = 0; i < COUNT(plain); i++) {
        if (strlen(plain[i].name) != base || memcmp(name, plain[i].name, base) != 0) continue;
        struct intrinsic own = {plain[i].name, NULL, plain[i].fn, 0};
        if (plain[i].converts)
            constrained_convert(l, call, plain[i].fn);
        else
            lower_float_leaves(l, call, &own);
        return;
    }
    const struct intrinsic *other = lower_intrinsic_named(name, length);
    if (other) {
        other->lower(l, call, other);
        return;
    }
    emit_not_modelled(l, "constrained %.*s", (int)base, name);
    lower_result_zero(l, call);
}
