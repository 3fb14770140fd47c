// Emits instructions: chooses the form (width, immediate) and keeps code, locations and blocks consistent.
#include "front/front_int.h"

#include <stdarg.h>
#include <stdio.h>

uint32_t emit(struct lowering *l, enum ir_op op, unsigned aux, uint32_t dst, uint32_t a, uint32_t b) {
    assert(l->block != NO_BLOCK && aux <= UINT16_MAX);
    vec_push(&l->code, ((struct ir_insn){(uint16_t)op, (uint16_t)aux, dst, a, b}));
    vec_push(&l->code_locations, l->location);
    if (l->front->options->traced && ir_is_branch(op))
        vec_push(&l->front->choices, l->result->runtime ? NULL : l->choosing);
    if (ir_op_info[op].terminator && ir_op_info[op].words == 1) {
        l->blocks.at[l->block].end = l->code.count;
        l->block = NO_BLOCK;
    }
    return l->code.count - 1;
}

void emit_extra(struct lowering *l, unsigned aux, uint32_t dst, uint32_t a, uint32_t b) {
    bool terminator = ir_op_info[vec_last(&l->code)->op].terminator;
    emit(l, IR_EXTRA, aux, dst, a, b);
    if (terminator) {
        l->blocks.at[l->block].end = l->code.count;
        l->block = NO_BLOCK;
    }
}

uint32_t emit_new_registers(struct lowering *l, uint32_t slots) {
    uint32_t first = l->unit.count;
    for (uint32_t i = 0; i < slots; i++) {
        vec_push(&l->unit, first);
        vec_push(&l->temporary, 0);
    }
    return first;
}

uint32_t emit_new_block(struct lowering *l) {
    vec_push(&l->blocks, ((struct work_block){0}));
    vec_push(&l->predecessors, 0);
    vec_push(&l->merged, 0);
    return l->blocks.count - 1;
}

void emit_start_block(struct lowering *l, uint32_t block) {
    assert(l->block == NO_BLOCK && !l->blocks.at[block].emitted);
    l->blocks.at[block].start = l->code.count;
    l->blocks.at[block].emitted = true;
    l->block = block;
}

void emit_jump(struct lowering *l, uint32_t target) { emit(l, IR_JMP, 0, 0, target, 0); }

void emit_branch(struct lowering *l, uint32_t bit, uint32_t target, uint32_t other) {
    emit(l, IR_BR, 1, 0, bit, 0);
    emit_extra(l, 0, 0, target, other);
}

void emit_move(struct lowering *l, unsigned width, uint32_t dst, uint32_t src) {
    if (dst != src) emit(l, width <= 64 ? IR_MOV : IR_MOV_WIDE, width, dst, src, 0);
}

void emit_imm(struct lowering *l, unsigned width, uint32_t dst, uint64_t value) {
    emit(l, IR_IMM, width, dst, (uint32_t)value, (uint32_t)(value >> 32));
}

uint32_t emit_constants(struct lowering *l, const uint64_t *slots, uint32_t count) {
    if (count == 1) {
        uint64_t key = slots[0] == UINT64_MAX ? 0xfffffffffffffff0u ^ 0x5a5a : slots[0];
        uint64_t *known = map_put(&l->constant_index, key);
        if (*known && l->constants.at[*known - 1] == slots[0]) return (uint32_t)*known - 1;
        *known = l->constants.count + 1;
    }
    uint32_t first = l->constants.count;
    for (uint32_t i = 0; i < count; i++) vec_push(&l->constants, slots[i]);
    return first;
}

void emit_constant(struct lowering *l, unsigned width, uint32_t dst, const uint64_t *slots) {
    if (width <= 64)
        emit_imm(l, width, dst, slots[0]);
    else
        emit(l, IR_IMM_WIDE, width, dst, emit_constants(l, slots, ir_slots(width)), 0);
}

void emit_not_modelled(struct lowering *l, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    emit(l, IR_NOT_MODELLED, 0, 0, debug_intern_string(l->front, text, strlen(text)), 0);
}

// The opcodes of an integer function: `first` is the 8-bit (or the only) register form; the others follow in the order
// of IR_ALU and IR_ALU_ANY.
struct op_family {
    uint16_t first, branch;
    bool any, commutes, present;
};
#define SIZED(f)          [IR_FN_##f] = {IR_##f##8, 0, false, false, true}
#define SIZED_COMMUTES(f) [IR_FN_##f] = {IR_##f##8, 0, false, true, true}
#define ANY(f)            [IR_FN_##f] = {IR_##f, 0, true, true, true}
#define COMPARE_ANY(f, c) [IR_FN_##f] = {IR_##f, IR_BR_##f, true, c, true}
#define COMPARE_SIZED(f)  [IR_FN_##f] = {IR_##f##8, IR_BR_##f##8, false, false, true}
static const struct op_family families[IR_FN_COUNT] = {
    SIZED_COMMUTES(ADD),
    SIZED(SUB),
    SIZED_COMMUTES(MUL),
    SIZED(UDIV),
    SIZED(SDIV),
    SIZED(UREM),
    SIZED(SREM),
    SIZED(SHL),
    SIZED(LSHR),
    SIZED(ASHR),
    ANY(AND),
    ANY(OR),
    ANY(XOR),
    COMPARE_ANY(EQ, true),
    COMPARE_ANY(NE, true),
    COMPARE_ANY(ULT, false),
    COMPARE_ANY(ULE, false),
    COMPARE_ANY(UGT, false),
    COMPARE_ANY(UGE, false),
    COMPARE_SIZED(SLT),
    COMPARE_SIZED(SLE),
    COMPARE_SIZED(SGT),
    COMPARE_SIZED(SGE),
};

static unsigned width_index(unsigned width) { // index of the form in IR_ALU
    return width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : width == 64 ? 3 : 4;
}

static bool fits_signed(uint64_t value) { return (uint64_t)(int64_t)(int32_t)value == value; }

// The distance of the immediate form from the register form. 0: the value does not fit.
static unsigned immediate_form(const struct op_family *family, unsigned width, uint64_t value) {
    if (family->any) return width == 64 && fits_signed(value) ? 2 : value <= UINT32_MAX ? 1 : 0;
    if (width == 64) return fits_signed(value) ? 5 : 0;
    return value <= UINT32_MAX ? 5 : 0;
}

static enum ir_fn swapped(enum ir_fn fn) { // a fn b == b swapped(fn) a
    switch (fn) {
    case IR_FN_ULT: return IR_FN_UGT;
    case IR_FN_ULE: return IR_FN_UGE;
    case IR_FN_UGT: return IR_FN_ULT;
    case IR_FN_UGE: return IR_FN_ULE;
    case IR_FN_SLT: return IR_FN_SGT;
    case IR_FN_SLE: return IR_FN_SGE;
    case IR_FN_SGT: return IR_FN_SLT;
    case IR_FN_SGE: return IR_FN_SLE;
    default: return families[fn].commutes ? fn : IR_FN_NONE;
    }
}

static void constant_to_the_right(enum ir_fn *fn, struct operand *a, struct operand *b) {
    if (!a->constant || b->constant || swapped(*fn) == IR_FN_NONE) return;
    struct operand t = *a;
    *a = *b;
    *b = t;
    *fn = swapped(*fn);
}

void emit_int(struct lowering *l, enum ir_fn fn, unsigned width, uint32_t dst, struct operand a,
              struct operand b) {
    const struct op_family *family = &families[fn];
    if (width > 64 || !family->present) {
        uint32_t first = lower_operand_register(l, a, width), second = lower_operand_register(l, b, width);
        emit_int_general(l, fn, width, ir_fn_info[fn].result == 'B' ? 1 : width, dst, first, second, 0);
        return;
    }
    constant_to_the_right(&fn, &a, &b);
    family = &families[fn];
    uint32_t first = lower_operand_register(l, a, width);
    unsigned base = family->any ? family->first : family->first + width_index(width);
    unsigned immediate = b.constant ? immediate_form(family, width, b.value) : 0;
    if (immediate)
        emit(l, (enum ir_op)(base + immediate), width, dst, first, (uint32_t)b.value);
    else
        emit(l, (enum ir_op)base, width, dst, first, lower_operand_register(l, b, width));
}

void emit_int_general(struct lowering *l, enum ir_fn fn, unsigned width, unsigned result_width, uint32_t dst,
                      uint32_t a, uint32_t b, uint32_t c) {
    emit(l, IR_INT, width, dst, a, b);
    emit_extra(l, result_width, fn, c, 0);
}

bool emit_can_fuse_compare(enum ir_fn fn, unsigned width) {
    const struct op_family *family = &families[fn];
    return family->branch && width <= 64 && (family->any || width_index(width) < 4);
}

void emit_compare_branch(struct lowering *l, enum ir_fn fn, unsigned width, struct operand a,
                         struct operand b, uint32_t target, uint32_t other) {
    assert(emit_can_fuse_compare(fn, width));
    constant_to_the_right(&fn, &a, &b);
    const struct op_family *family = &families[fn];
    uint32_t first = lower_operand_register(l, a, width);
    unsigned base = family->any ? family->branch : family->branch + width_index(width);
    unsigned immediate = b.constant ? immediate_form(family, width, b.value) : 0;
    if (immediate && !family->any) immediate = 4; // branches have no form for odd widths
    if (immediate)
        emit(l, (enum ir_op)(base + immediate), width, 0, first, (uint32_t)b.value);
    else
        emit(l, (enum ir_op)base, width, 0, first, lower_operand_register(l, b, width));
    emit_extra(l, 0, 0, target, other);
}

void emit_float(struct lowering *l, enum ir_fn fn, enum ir_float format, uint32_t dst, uint32_t a, uint32_t b,
                uint32_t c, uint32_t extra) {
    static const uint16_t quick[2][4] = {{IR_F32ADD, IR_F32SUB, IR_F32MUL, IR_F32DIV},
                                         {IR_F64ADD, IR_F64SUB, IR_F64MUL, IR_F64DIV}};
    bool machine = format == IR_F32 || format == IR_F64;
    if (check_wanted(l->front->options->checks, CHECK_FLOAT) && !l->result->runtime)
        machine = machine && fn == IR_FN_FCMP;
    if (machine && fn >= IR_FN_FADD && fn <= IR_FN_FDIV) {
        emit(l, (enum ir_op)quick[format == IR_F64][fn - IR_FN_FADD], format, dst, a, b);
    } else if (machine && fn == IR_FN_FCMP) {
        emit(l, format == IR_F64 ? IR_F64CMP : IR_F32CMP, extra, dst, a, b);
    } else {
        emit(l, IR_FLOAT, format, dst, a, b);
        emit_extra(l, 0, fn, c, extra);
    }
}

void emit_select(struct lowering *l, unsigned width, uint32_t dst, uint32_t condition, uint32_t yes,
                 uint32_t no) {
    emit(l, IR_SELECT, width, dst, condition, yes);
    emit_extra(l, 0, 0, no, 0);
}

void emit_convert(struct lowering *l, enum ir_fn fn, unsigned from, unsigned to, uint32_t dst, uint32_t a) {
    if (from > 64 || to > 64) {
        emit_int_general(l, fn, from, to, dst, a, 0, 0);
        return;
    }
    enum ir_op op = fn == IR_FN_ZEXT ? IR_ZEXT : fn == IR_FN_TRUNC ? IR_TRUNC : IR_SEXT;
    if (fn == IR_FN_SEXT && from == 8) op = to == 32 ? IR_SEXT8_32 : to == 64 ? IR_SEXT8_64 : IR_SEXT;
    if (fn == IR_FN_SEXT && from == 16) op = to == 32 ? IR_SEXT16_32 : to == 64 ? IR_SEXT16_64 : IR_SEXT;
    if (fn == IR_FN_SEXT && from == 32) op = to == 64 ? IR_SEXT32_64 : IR_SEXT;
    emit(l, op, from | to << 8, dst, a, 0);
}
