// Lowers LLVM's intrinsics by a table, which is searched once for each intrinsic of a program. An intrinsic without a
// row is reported as not modelled when it is executed.
#include "front/front_int.h"

void lower_result_zero(struct lowering *l, LLVMValueRef call) {
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(call));
    if (!shape->slots || shape->unusable) return;
    uint32_t dst = lower_result_register(l, call);
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        lower_copy_leaf(l, shape->leaves[i].width, dst + shape->leaves[i].slot,
                        lower_operand_leaf(l, LLVMConstNull(shape->type), i));
}

typedef const struct intrinsic *row_ref;

static void nothing(struct lowering *l, LLVMValueRef call, row_ref row) { lower_result_zero(l, call); }

static void first_operand(struct lowering *l, LLVMValueRef call, row_ref row) {
    lower_define_alias(l, call, lower_whole_register(l, LLVMGetOperand(call, 0)));
}

static void number(struct lowering *l, LLVMValueRef call, row_ref row) {
    emit_imm(l, types_shape_of(l->front, LLVMTypeOf(call))->leaves[0].width, lower_result_register(l, call),
             row->extra);
}

static void object_size(struct lowering *l, LLVMValueRef call, row_ref row) {
    unsigned width = types_shape_of(l->front, LLVMTypeOf(call))->leaves[0].width;
    bool smallest = constant_word(l->front, LLVMGetOperand(call, 1)) & 1; // the result for an unknown size
    emit_imm(l, width, lower_result_register(l, call), smallest ? 0 : mask_bits(width));
}

static void trap(struct lowering *l, LLVMValueRef call, row_ref row) { emit(l, IR_TRAP, 0, 0, 0, 0); }

static void int_leaves(struct lowering *l, LLVMValueRef call, row_ref row) {
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(LLVMGetOperand(call, 0)));
    const struct type_shape *result = types_shape_of(l->front, LLVMTypeOf(call));
    unsigned arity = ir_fn_info[row->fn].arity;
    uint32_t dst = lower_result_register(l, call);
    for (uint32_t i = 0; i < shape->leaf_count; i++) {
        uint32_t reg[3] = {0};
        for (unsigned k = 0; k < arity; k++) reg[k] = lower_leaf_register(l, LLVMGetOperand(call, k), i);
        emit_int_general(l, row->fn, shape->leaves[i].width, result->leaves[i].width,
                         dst + result->leaves[i].slot, reg[0], reg[1], reg[2]);
    }
}

// The result is the value, then the overflow bit; for vectors all values, then all bits.
static void with_overflow(struct lowering *l, LLVMValueRef call, row_ref row) {
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(LLVMGetOperand(call, 0)));
    uint32_t dst = lower_result_register(l, call);
    for (uint32_t i = 0; i < shape->leaf_count; i++) {
        uint32_t a = lower_leaf_register(l, LLVMGetOperand(call, 0), i),
                 b = lower_leaf_register(l, LLVMGetOperand(call, 1), i);
        unsigned width = shape->leaves[i].width;
        bool single = shape->leaf_count == 1;
        uint32_t both = single ? dst : emit_new_registers(l, ir_slots(width) + 1);
        emit_int_general(l, row->fn, width, width, both, a, b, 0);
        if (single) continue;
        emit_move(l, width, dst + shape->leaves[i].slot, both);
        emit_move(l, 1, dst + shape->slots + i, both + ir_slots(width));
    }
}

static void stack_save(struct lowering *l, LLVMValueRef call, row_ref row) {
    emit(l, IR_STACK_SAVE, 64, lower_result_register(l, call), 0, 0);
}

static void stack_restore(struct lowering *l, LLVMValueRef call, row_ref row) {
    emit(l, IR_STACK_RESTORE, 64, 0, lower_leaf_register(l, LLVMGetOperand(call, 0), 0), 0);
}

static void pointer_mask(struct lowering *l, LLVMValueRef call, row_ref row) {
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(call));
    uint32_t dst = lower_result_register(l, call);
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        emit_int(l, IR_FN_AND, 64, dst + i, lower_operand_leaf(l, LLVMGetOperand(call, 0), i),
                 lower_operand_leaf(l, LLVMGetOperand(call, 1), i));
}

// llvm.load.relative: a table of 32-bit offsets from its own start.
static void load_relative(struct lowering *l, LLVMValueRef call, row_ref row) {
    uint32_t base = lower_leaf_register(l, LLVMGetOperand(call, 0), 0), place = emit_new_registers(l, 1);
    uint32_t distance = emit_new_registers(l, 1), wide = emit_new_registers(l, 1);
    LLVMValueRef offset = LLVMGetOperand(call, 1);
    unsigned width = types_shape_of(l->front, LLVMTypeOf(offset))->leaves[0].width;
    uint32_t reg = lower_leaf_register(l, offset, 0), extended = reg;
    if (width < 64) emit_convert(l, IR_FN_SEXT, width, 64, extended = emit_new_registers(l, 1), reg);
    emit_int(l, IR_FN_ADD, 64, place, operand_of_register(base), operand_of_register(extended));
    lower_load_leaf(l, lower_address_in_register(place), 0, 32, distance);
    emit_convert(l, IR_FN_SEXT, 32, 64, wide, distance);
    emit_int(l, IR_FN_ADD, 64, lower_result_register(l, call), operand_of_register(base),
             operand_of_register(wide));
}

static void thread_pointer(struct lowering *l, LLVMValueRef call, row_ref row) {
    LLVMValueRef function = symbols_named_function(l->front, "__tamar_thread_pointer");
    if (!function) {
        emit(l, IR_TLS, 64, lower_result_register(l, call), 0, 0);
        return;
    }
    lower_call_function(l, layout_function_index(l->front, function), lower_result_register(l, call), 1, NULL,
                        0);
}

static void half_from_bits(struct lowering *l, LLVMValueRef call, row_ref row) {
    enum ir_float format = (enum ir_float)types_shape_of(l->front, LLVMTypeOf(call))->leaves[0].format;
    emit_float(l, IR_FN_FCONVERT, IR_F16, lower_result_register(l, call),
               lower_leaf_register(l, LLVMGetOperand(call, 0), 0), 0, 0, format);
}

static void half_to_bits(struct lowering *l, LLVMValueRef call, row_ref row) {
    LLVMValueRef value = LLVMGetOperand(call, 0);
    enum ir_float format = (enum ir_float)types_shape_of(l->front, LLVMTypeOf(value))->leaves[0].format;
    emit_float(l, IR_FN_FCONVERT, format, lower_result_register(l, call), lower_leaf_register(l, value, 0), 0,
               0, IR_F16);
}

#define INT_ROW(name, fn)   {name, int_leaves, IR_FN_##fn, 0}
#define FLOAT_ROW(name, fn) {name, lower_float_leaves, IR_FN_##fn, 0}
#define LIBM(name)          {name, lower_library_call, IR_FN_NONE, 0}

static const struct intrinsic intrinsics[] = {
    {"dbg.declare", lower_declare, 0, 0},
    {"dbg.value", nothing, 0, 0},
    {"dbg.assign", nothing, 0, 0},
    {"dbg.label", nothing, 0, 0},
    {"lifetime.start", lower_scope, 0, IR_SCOPE_BEGIN},
    {"lifetime.end", lower_scope, 0, IR_SCOPE_END},
    {"invariant.start", nothing, 0, 0},
    {"invariant.end", nothing, 0, 0},
    {"assume", nothing, 0, 0},
    {"experimental.noalias.scope.decl", nothing, 0, 0},
    {"prefetch", nothing, 0, 0},
    {"donothing", nothing, 0, 0},
    {"sideeffect", nothing, 0, 0},
    {"pseudoprobe", nothing, 0, 0},
    {"var.annotation", nothing, 0, 0},
    {"codeview.annotation", nothing, 0, 0},
    {"va_end", nothing, 0, 0},
    {"clear_cache", nothing, 0, 0},
    {"is.constant", nothing, 0, 0},
    {"frameaddress", nothing, 0, 0},
    {"returnaddress", nothing, 0, 0},
    {"addressofreturnaddress", nothing, 0, 0},
    {"sponentry", nothing, 0, 0},
    {"readcyclecounter", nothing, 0, 0},
    {"readsteadycounter", nothing, 0, 0},
    {"get.dynamic.area.offset", nothing, 0, 0},
    {"eh.typeid.for", nothing, 0, 0},
    {"x86.rdtsc", nothing, 0, 0},
    {"x86.sse2.pause", nothing, 0, 0},
    {"x86.sse2.clflush", nothing, 0, 0},
    {"x86.sse2.mfence", nothing, 0, 0},
    {"x86.sse2.lfence", nothing, 0, 0},
    {"x86.sse.sfence", nothing, 0, 0},
    {"get.rounding", number, 0, 1},
    {"flt.rounds", number, 0, 1},
    {"allow.runtime.check", number, 0, 1},
    {"allow.ubsan.check", number, 0, 1},
    {"expect", first_operand, 0, 0},
    {"expect.with.probability", first_operand, 0, 0},
    {"launder.invariant.group", first_operand, 0, 0},
    {"strip.invariant.group", first_operand, 0, 0},
    {"ptr.annotation", first_operand, 0, 0},
    {"annotation", first_operand, 0, 0},
    {"ssa.copy", first_operand, 0, 0},
    {"threadlocal.address", first_operand, 0, 0},
    {"arithmetic.fence", first_operand, 0, 0},
    {"canonicalize", first_operand, 0, 0},
    {"objectsize", object_size, 0, 0},
    {"trap", trap, 0, 0},
    {"debugtrap", trap, 0, 0},
    {"ubsantrap", trap, 0, 0},
    {"memcpy", lower_memory_intrinsic, 0, IR_MEMCPY},
    {"memcpy.inline", lower_memory_intrinsic, 0, IR_MEMCPY},
    {"memmove", lower_memory_intrinsic, 0, IR_MEMMOVE},
    {"memset", lower_memory_intrinsic, 0, IR_MEMSET},
    {"memset.inline", lower_memory_intrinsic, 0, IR_MEMSET},
    {"va_start", lower_va_start, 0, 0},
    {"va_copy", lower_va_copy, 0, 0},
    {"stacksave", stack_save, 0, 0},
    {"stackrestore", stack_restore, 0, 0},
    {"ptrmask", pointer_mask, 0, 0},
    {"load.relative", load_relative, 0, 0},
    {"thread.pointer", thread_pointer, 0, 0},
    {"convert.from.fp16", half_from_bits, 0, 0},
    {"convert.to.fp16", half_to_bits, 0, 0},
    INT_ROW("abs", ABS),
    INT_ROW("bswap", BSWAP),
    INT_ROW("bitreverse", BITREVERSE),
    INT_ROW("ctpop", CTPOP),
    INT_ROW("ctlz", CTLZ),
    INT_ROW("cttz", CTTZ),
    INT_ROW("smin", SMIN),
    INT_ROW("smax", SMAX),
    INT_ROW("umin", UMIN),
    INT_ROW("umax", UMAX),
    INT_ROW("uadd.sat", UADD_SAT),
    INT_ROW("sadd.sat", SADD_SAT),
    INT_ROW("usub.sat", USUB_SAT),
    INT_ROW("ssub.sat", SSUB_SAT),
    INT_ROW("ushl.sat", USHL_SAT),
    INT_ROW("sshl.sat", SSHL_SAT),
    INT_ROW("fshl", FSHL),
    INT_ROW("fshr", FSHR),
    INT_ROW("ucmp", UCMP),
    INT_ROW("scmp", SCMP),
    {"uadd.with.overflow", with_overflow, IR_FN_UADD_OVERFLOW, 0},
    {"sadd.with.overflow", with_overflow, IR_FN_SADD_OVERFLOW, 0},
    {"usub.with.overflow", with_overflow, IR_FN_USUB_OVERFLOW, 0},
    {"ssub.with.overflow", with_overflow, IR_FN_SSUB_OVERFLOW, 0},
    {"umul.with.overflow", with_overflow, IR_FN_UMUL_OVERFLOW, 0},
    {"smul.with.overflow", with_overflow, IR_FN_SMUL_OVERFLOW, 0},
    FLOAT_ROW("sqrt", FSQRT),
    FLOAT_ROW("fabs", FABS),
    FLOAT_ROW("floor", FFLOOR),
    FLOAT_ROW("ceil", FCEIL),
    FLOAT_ROW("trunc", FTRUNC),
    FLOAT_ROW("rint", FRINT),
    FLOAT_ROW("nearbyint", FNEARBYINT),
    FLOAT_ROW("round", FROUND),
    FLOAT_ROW("roundeven", FROUNDEVEN),
    FLOAT_ROW("copysign", FCOPYSIGN),
    FLOAT_ROW("minnum", FMINNUM),
    FLOAT_ROW("maxnum", FMAXNUM),
    FLOAT_ROW("minimum", FMINIMUM),
    FLOAT_ROW("maximum", FMAXIMUM),
    FLOAT_ROW("ldexp", FLDEXP),
    FLOAT_ROW("fma", FMA),
    FLOAT_ROW("is.fpclass", FIS_CLASS),
    {"fmuladd", lower_multiply_add, 0, 0},
    {"fptosi.sat", lower_float_to_int, IR_FN_FTO_SINT_SAT, 0},
    {"fptoui.sat", lower_float_to_int, IR_FN_FTO_UINT_SAT, 0},
    {"lrint", lower_round_to_int, IR_FN_FRINT, 0},
    {"llrint", lower_round_to_int, IR_FN_FRINT, 0},
    {"lround", lower_round_to_int, IR_FN_FROUND, 0},
    {"llround", lower_round_to_int, IR_FN_FROUND, 0},
    {"x86.sse.cvtss2si", lower_round_to_int, IR_FN_FRINT, 0},
    {"x86.sse.cvtss2si64", lower_round_to_int, IR_FN_FRINT, 0},
    {"x86.sse2.cvtsd2si", lower_round_to_int, IR_FN_FRINT, 0},
    {"x86.sse2.cvtsd2si64", lower_round_to_int, IR_FN_FRINT, 0},
    {"x86.sse.cvttss2si", lower_round_to_int, IR_FN_FTRUNC, 0},
    {"x86.sse.cvttss2si64", lower_round_to_int, IR_FN_FTRUNC, 0},
    {"x86.sse2.cvttsd2si", lower_round_to_int, IR_FN_FTRUNC, 0},
    {"x86.sse2.cvttsd2si64", lower_round_to_int, IR_FN_FTRUNC, 0},
    {"frexp", lower_frexp, 0, 0},
    LIBM("sin"),
    LIBM("cos"),
    LIBM("tan"),
    LIBM("asin"),
    LIBM("acos"),
    LIBM("atan"),
    LIBM("sinh"),
    LIBM("cosh"),
    LIBM("tanh"),
    LIBM("exp"),
    LIBM("exp2"),
    LIBM("exp10"),
    LIBM("log"),
    LIBM("log2"),
    LIBM("log10"),
    LIBM("pow"),
    LIBM("powi"),
    {"vector.reduce.add", lower_reduce, IR_FN_ADD, 0},
    {"vector.reduce.mul", lower_reduce, IR_FN_MUL, 0},
    {"vector.reduce.and", lower_reduce, IR_FN_AND, 0},
    {"vector.reduce.or", lower_reduce, IR_FN_OR, 0},
    {"vector.reduce.xor", lower_reduce, IR_FN_XOR, 0},
    {"vector.reduce.smin", lower_reduce, IR_FN_SMIN, 0},
    {"vector.reduce.smax", lower_reduce, IR_FN_SMAX, 0},
    {"vector.reduce.umin", lower_reduce, IR_FN_UMIN, 0},
    {"vector.reduce.umax", lower_reduce, IR_FN_UMAX, 0},
    {"vector.reduce.fadd", lower_reduce, IR_FN_FADD, 0},
    {"vector.reduce.fmul", lower_reduce, IR_FN_FMUL, 0},
    {"vector.reduce.fmin", lower_reduce, IR_FN_FMINNUM, 0},
    {"vector.reduce.fmax", lower_reduce, IR_FN_FMAXNUM, 0},
    {"vector.reduce.fminimum", lower_reduce, IR_FN_FMINIMUM, 0},
    {"vector.reduce.fmaximum", lower_reduce, IR_FN_FMAXIMUM, 0},
    {"masked.load", lower_masked, 0, 'l'},
    {"masked.store", lower_masked, 0, 's'},
    {"masked.gather", lower_masked, 0, 'g'},
    {"masked.scatter", lower_masked, 0, 'c'},
    {"masked.expandload", lower_masked, 0, 'e'},
    {"masked.compressstore", lower_masked, 0, 'o'},
    {"vector.insert", lower_vector_part, 0, 'i'},
    {"vector.extract", lower_vector_part, 0, 'x'},
    {"vector.reverse", lower_vector_part, 0, 'r'},
    {"vector.splice", lower_vector_part, 0, 's'},
    {"vector.interleave2", lower_vector_part, 0, 'm'},
    {"vector.deinterleave2", lower_vector_part, 0, 'd'},
    {"get.active.lane.mask", lower_vector_part, 0, 'a'},
    {"experimental.cttz.elts", lower_vector_part, 0, 'z'},
};

// Whether the name of an intrinsic, without "llvm.", is the row's name, optionally followed by a dot and types.
static bool name_matches(const char *row, const char *name, size_t length) {
    size_t own = strlen(row);
    return own <= length && !memcmp(row, name, own) && (own == length || name[own] == '.');
}

static row_ref find_row(const char *name, size_t length) {
    static const struct intrinsic constrained = {"experimental.constrained", lower_constrained, 0, 0};
    if (name_matches(constrained.name, name, length)) return &constrained;
    row_ref best = NULL;
    for (size_t i = 0; i < COUNT(intrinsics); i++)
        if (name_matches(intrinsics[i].name, name, length) &&
            (!best || strlen(intrinsics[i].name) > strlen(best->name)))
            best = &intrinsics[i];
    return best;
}

row_ref lower_intrinsic_named(const char *name, size_t length) { return find_row(name, length); }

static bool only_metadata_matters(row_ref row) {
    return row && (row->lower == nothing || row->lower == lower_declare);
}

void lower_intrinsic(struct lowering *l, LLVMValueRef call, LLVMValueRef callee) {
    uint64_t *place = map_put(&l->front->intrinsic_of, (uintptr_t)callee);
    size_t length;
    if (!*place) {
        const char *name = LLVMGetValueName2(callee, &length);
        row_ref row = length > 5 ? find_row(name + 5, length - 5) : NULL;
        *place = row ? (uintptr_t)row : 1;
    }
    row_ref row = *place == 1 ? NULL : (row_ref)(uintptr_t)*place;
    bool unusable = types_shape_of(l->front, LLVMTypeOf(call))->unusable;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !unusable && !only_metadata_matters(row); i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
        unusable = LLVMGetTypeKind(type) != LLVMMetadataTypeKind && types_shape_of(l->front, type)->unusable;
    }
    if (row && !unusable) {
        row->lower(l, call, row);
        return;
    }
    if (!row && !unusable && lower_x86(l, call)) return;
    const char *name = LLVMGetValueName2(callee, &length);
    emit_not_modelled(l, "%.*s", (int)length, name);
    lower_result_zero(l, call);
}
