// Lowers intrinsics on memory: block copies and fills, variadic arguments. Also inline assembly that has no effect in a
// single thread (barriers, pauses).
#include "front/front_int.h"

#include <ctype.h>

static uint32_t length_register(struct lowering *l, LLVMValueRef length) {
    unsigned width = types_shape_of(l->front, LLVMTypeOf(length))->leaves[0].width;
    struct operand operand = lower_operand_leaf(l, length, 0);
    if (operand.constant) return lower_operand_register(l, operand, 64);
    if (width == 64) return operand.reg;
    uint32_t wide = emit_new_registers(l, 1);
    emit_convert(l, IR_FN_ZEXT, width, 64, wide, operand.reg);
    return wide;
}

void lower_memory_intrinsic(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    uint32_t to = lower_leaf_register(l, LLVMGetOperand(call, 0), 0),
             from = lower_leaf_register(l, LLVMGetOperand(call, 1), 0);
    emit(l, (enum ir_op)row->extra, 0, to, from, length_register(l, LLVMGetOperand(call, 2)));
}

void lower_va_copy(struct lowering *l, LLVMValueRef call, const struct intrinsic *row) {
    uint32_t to = lower_leaf_register(l, LLVMGetOperand(call, 0), 0),
             from = lower_leaf_register(l, LLVMGetOperand(call, 1), 0);
    emit(l, IR_MEMCPY, 0, to, from, lower_operand_register(l, operand_of_word(24), 64));
}

// ---- inline assembly

// Normalises the text: lower case, without comments, one space between words.
static void normalise(const char *text, size_t length, char *out, size_t size) {
    size_t count = 0;
    bool gap = false;
    for (size_t i = 0; i < length && count + 2 < size; i++) {
        char c = text[i];
        if (c == '#') {
            while (i < length && text[i] != '\n') i++;
            c = '\n';
        }
        if (isspace((unsigned char)c) || c == ';') {
            gap = count > 0;
            continue;
        }
        if (gap) out[count++] = ' ';
        gap = false;
        out[count++] = (char)tolower((unsigned char)c);
    }
    out[count] = 0;
}

static bool is_idle(const char *text) {
    static const char *const idle[] = {"",        "nop",      "pause",
                                       "rep nop", "mfence",   "lfence",
                                       "sfence",  "rep; nop", "lock addl $0,0(%rsp)",
                                       "endbr64", "cld",      "yield",
                                       NULL};
    for (int i = 0; idle[i]; i++)
        if (!strcmp(text, idle[i])) return true;
    return false;
}

// One constraint of the list, without commas.
struct constraint {
    char text[32];
    bool output, clobber, memory;
    int tied; // number of the output that the input is tied to, or -1
};

static unsigned parse_constraints(const char *list, size_t length, struct constraint *constraints,
                                  unsigned most) {
    unsigned count = 0;
    size_t i = 0;
    while (i < length && count < most) {
        size_t end = i;
        while (end < length && list[end] != ',') end++;
        struct constraint *c = &constraints[count++];
        *c = (struct constraint){.tied = -1};
        size_t n = MIN(end - i, sizeof c->text - 1);
        memcpy(c->text, list + i, n);
        c->output = c->text[0] == '=';
        c->clobber = c->text[0] == '~';
        c->memory = strchr(c->text, '*') != NULL;
        if (isdigit((unsigned char)c->text[0])) c->tied = c->text[0] - '0';
        i = end + 1;
    }
    return count;
}

// Lowers assembly that does nothing: an output gets the value of the input tied to it, else zero.
static bool lower_idle_asm(struct lowering *l, LLVMValueRef call, const struct constraint *constraints,
                           unsigned count) {
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(call));
    unsigned outputs = 0, argument = 0;
    uint32_t dst = shape->slots ? lower_result_register(l, call) : 0;
    for (unsigned i = 0; i < count && constraints[i].output; i++)
        if (!constraints[i].memory) outputs++;
    if (outputs != shape->leaf_count) return false;
    uint64_t written = 0;
    for (unsigned i = 0; i < count; i++) {
        if (constraints[i].clobber || (constraints[i].output && !constraints[i].memory)) continue;
        if (argument >= LLVMGetNumArgOperands(call)) return false;
        LLVMValueRef value = LLVMGetOperand(call, argument++);
        int tied = constraints[i].tied;
        if (tied < 0) continue;
        unsigned output = 0;
        for (int k = 0; k < tied; k++) output += !constraints[k].memory;
        if (output >= shape->leaf_count || types_shape_of(l->front, LLVMTypeOf(value))->leaf_count != 1)
            return false;
        lower_copy_leaf(l, shape->leaves[output].width, dst + shape->leaves[output].slot,
                        lower_operand_leaf(l, value, 0));
        written |= 1ull << output;
    }
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        if (!(written >> i & 1))
            lower_copy_leaf(l, shape->leaves[i].width, dst + shape->leaves[i].slot,
                            lower_operand_leaf(l, LLVMConstNull(shape->type), i));
    return true;
}

void lower_asm(struct lowering *l, LLVMValueRef call) {
    LLVMValueRef assembly = LLVMGetCalledValue(call);
    size_t text_length, list_length;
    const char *text = LLVMGetInlineAsmAsmString(assembly, &text_length);
    const char *list = LLVMGetInlineAsmConstraintString(assembly, &list_length);
    char plain[200];
    struct constraint constraints[64];
    normalise(text, text_length, plain, sizeof plain);
    unsigned count = parse_constraints(list, list_length, constraints, COUNT(constraints));
    if (LLVMGetInstructionOpcode(call) != LLVMCallBr && text_length < sizeof plain &&
        count < COUNT(constraints) && is_idle(plain) &&
        !types_shape_of(l->front, LLVMTypeOf(call))->unusable && lower_idle_asm(l, call, constraints, count))
        return;
    bool clock = !strcmp(plain, "rdtsc") || !strcmp(plain, "rdtscp");
    if (!clock)
        emit_not_modelled(l,
                          "inline assembly \"%.200s\"; leave it out (many projects have --disable-asm or "
                          "-DNO_ASM) or write it in C",
                          plain);
    lower_result_zero(l, call);
}
