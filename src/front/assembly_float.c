// Translation of instructions of inline assembly on floats: scalars in SSE registers, square roots of vectors, the x87
// stack. Rounding is to nearest, and no flag is raised. See assembly.h.
#include "front/assembly.h"

#include <math.h>

typedef struct asm_state *state;
typedef const struct asm_instruction *insn_ref;

#define BUILD(operation, a, b) LLVMBuild##operation(s->builder, a, b, "")

static LLVMTypeRef float_type(state s, bool twice) {
    return twice ? LLVMDoubleTypeInContext(s->context) : LLVMFloatTypeInContext(s->context);
}

static struct asm_constraint *float_operand(state s, const struct asm_place *place) {
    if (place->kind != ASM_OPERAND || place->number >= s->count || s->operands[place->number].clobber) {
        s->failed = true;
        return NULL;
    }
    struct asm_constraint *c = &s->operands[place->number];
    return c->tied >= 0 ? &s->operands[c->tied] : c;
}

static LLVMValueRef read_float(state s, const struct asm_place *place, LLVMTypeRef type) {
    LLVMValueRef value = NULL;
    if (asm_is_memory(s, place)) {
        value = LLVMBuildLoad2(s->builder, type, asm_pointer(s, place), "");
        LLVMSetAlignment(value, 1);
    } else {
        struct asm_constraint *c = float_operand(s, place);
        value = c && c->reg < 0 && !c->x87 ? c->value : NULL;
    }
    if (!value || LLVMTypeOf(value) != type) s->failed = true;
    return s->failed ? LLVMGetUndef(type) : value;
}

static void write_float(state s, const struct asm_place *place, LLVMValueRef value) {
    struct asm_constraint *to = float_operand(s, place);
    if (!to || to->indirect || to->reg >= 0 || to->x87 || to->type != LLVMTypeOf(value))
        s->failed = true;
    else
        to->value = value;
}

// ---- SSE. Natively the scalar forms keep the rest of the vector. Here operands are scalars or, for the packed forms,
// vectors. The names end in ss, sd, ps or pd.

static LLVMTypeRef operation_type(state s, insn_ref insn) {
    const char *end = insn->name + strlen(insn->name) - 2;
    LLVMTypeRef type = float_type(s, end[1] == 'd');
    return *end == 'p' ? LLVMVectorType(type, end[1] == 'd' ? 2 : 4) : type;
}

void asm_float_root(state s, insn_ref insn, unsigned width) {
    if (insn->count != 2) s->failed = true;
    if (s->failed) return;
    LLVMTypeRef type = operation_type(s, insn);
    LLVMValueRef value = read_float(s, &insn->at[0], type);
    if (!s->failed) write_float(s, &insn->at[1], asm_intrinsic(s, "llvm.sqrt", type, &value, 1));
}

// If an operand of min or max is a NaN, or both are zeros, the result is the source.
void asm_float_binary(state s, insn_ref insn, unsigned width) {
    if (insn->count != 2) s->failed = true;
    if (s->failed) return;
    LLVMTypeRef type = operation_type(s, insn);
    LLVMValueRef by = read_float(s, &insn->at[0], type), value = read_float(s, &insn->at[1], type), result;
    if (s->failed) return;
    switch (insn->name[0] << 8 | insn->name[1]) {
    case 'a' << 8 | 'd': result = BUILD(FAdd, value, by); break;
    case 's' << 8 | 'u': result = BUILD(FSub, value, by); break;
    case 'm' << 8 | 'u': result = BUILD(FMul, value, by); break;
    case 'd' << 8 | 'i': result = BUILD(FDiv, value, by); break;
    default: {
        LLVMRealPredicate wins = insn->name[1] == 'i' ? LLVMRealOLT : LLVMRealOGT;
        LLVMValueRef keeps = LLVMBuildFCmp(s->builder, wins, value, by, "");
        result = LLVMBuildSelect(s->builder, keeps, value, by, "");
    }
    }
    write_float(s, &insn->at[1], result);
}

// Makes a signalling NaN quiet, as every operation of SSE does.
static LLVMValueRef quiet(state s, LLVMValueRef value, LLVMValueRef result, bool twice) {
    LLVMTypeRef bits = asm_int(s, twice ? 64 : 32);
    LLVMValueRef mark = LLVMConstInt(bits, twice ? 1ull << 51 : 1ull << 22, false);
    LLVMValueRef nan = BUILD(Or, LLVMBuildBitCast(s->builder, value, bits, ""), mark);
    LLVMValueRef unordered = LLVMBuildFCmp(s->builder, LLVMRealUNO, value, value, "");
    return LLVMBuildSelect(s->builder, unordered, LLVMBuildBitCast(s->builder, nan, LLVMTypeOf(value), ""),
                           result, "");
}

// roundss, roundsd: bits 0 and 1 of the immediate are the direction, bit 2 means the current one, which is to nearest.
void asm_float_round(state s, insn_ref insn, unsigned width) {
    static const char *const directions[] = {"llvm.rint", "llvm.floor", "llvm.ceil", "llvm.trunc"};
    if (insn->count != 3 || insn->at[0].kind != ASM_IMMEDIATE) s->failed = true;
    if (s->failed) return;
    bool twice = insn->name[strlen(insn->name) - 1] == 'd';
    LLVMTypeRef type = float_type(s, twice);
    LLVMValueRef value = read_float(s, &insn->at[1], type);
    if (s->failed) return;
    unsigned how = insn->at[0].value & 4 ? 0 : (unsigned)insn->at[0].value & 3;
    write_float(s, &insn->at[2], quiet(s, value, asm_intrinsic(s, directions[how], type, &value, 1), twice));
}

void asm_float_compare(state s, insn_ref insn, unsigned width) {
    if (insn->count != 2) s->failed = true;
    if (s->failed) return;
    LLVMTypeRef type = operation_type(s, insn);
    LLVMValueRef by = read_float(s, &insn->at[0], type), value = read_float(s, &insn->at[1], type);
    if (s->failed) return;
    s->flags[ASM_CF] = LLVMBuildFCmp(s->builder, LLVMRealULT, value, by, "");
    s->flags[ASM_ZF] = LLVMBuildFCmp(s->builder, LLVMRealUEQ, value, by, "");
    s->flags[ASM_PF] = LLVMBuildFCmp(s->builder, LLVMRealUNO, value, by, "");
    s->flags[ASM_SF] = s->flags[ASM_OF] = asm_number(s, 1, 0);
}

// The value as an integer of that width; if it does not fit, the smallest one ("integer indefinite").
static LLVMValueRef to_integer(state s, LLVMValueRef value, unsigned width, bool truncates) {
    assert(width == 16 || width == 32 || width == 64);
    LLVMTypeRef type = LLVMTypeOf(value), integer = asm_int(s, width);
    LLVMValueRef whole = asm_intrinsic(s, truncates ? "llvm.trunc" : "llvm.rint", type, &value, 1);
    LLVMValueRef smallest = LLVMConstInt(integer, 1ull << (width - 1), false);
    LLVMValueRef low = LLVMConstReal(type, -ldexp(1, (int)width - 1)),
                 high = LLVMConstReal(type, ldexp(1, (int)width - 1));
    LLVMValueRef fits = BUILD(And, LLVMBuildFCmp(s->builder, LLVMRealOGE, whole, low, ""),
                              LLVMBuildFCmp(s->builder, LLVMRealOLT, whole, high, ""));
    LLVMValueRef safe = LLVMBuildSelect(s->builder, fits, whole, LLVMConstNull(type), "");
    return LLVMBuildSelect(s->builder, fits, LLVMBuildFPToSI(s->builder, safe, integer, ""), smallest, "");
}

// cvtsd2si, cvttsd2si, cvtss2si, cvttss2si, with a size or without.
void asm_float_to_integer(state s, insn_ref insn, unsigned width) {
    if (insn->count != 2) s->failed = true;
    struct asm_instruction target = {.count = 1, .at = {insn->at[1]}};
    width = width ? width : asm_width(s, &target, 0);
    bool truncates = insn->name[3] == 't';
    if (s->failed || width < 32) s->failed = true;
    if (s->failed) return;
    LLVMValueRef value = read_float(s, &insn->at[0], float_type(s, insn->name[truncates ? 5 : 4] == 'd'));
    if (!s->failed) asm_write(s, &insn->at[1], width, to_integer(s, value, width, truncates));
}

// cvtsi2sd, cvtsi2ss. Without a size, the source is one of 32 bits unless it is a 64-bit register.
void asm_integer_to_float(state s, insn_ref insn, unsigned width) {
    if (insn->count != 2) s->failed = true;
    struct asm_instruction source = {.count = 1, .at = {insn->at[0]}};
    if (!width) width = s->failed || asm_is_memory(s, &insn->at[0]) ? 32 : asm_width(s, &source, 0);
    if (s->failed || width < 32) s->failed = true;
    if (s->failed) return;
    LLVMValueRef value = asm_read(s, &insn->at[0], width);
    LLVMTypeRef type = float_type(s, insn->name[7] == 'd');
    if (!s->failed) write_float(s, &insn->at[1], LLVMBuildSIToFP(s->builder, value, type, ""));
}

void asm_float_convert(state s, insn_ref insn, unsigned width) {
    if (insn->count != 2) s->failed = true;
    if (s->failed) return;
    bool twice = insn->name[4] == 'd'; // cvtsd2ss
    LLVMValueRef value = read_float(s, &insn->at[0], float_type(s, twice));
    LLVMTypeRef type = float_type(s, !twice);
    if (!s->failed) write_float(s, &insn->at[1], LLVMBuildFPCast(s->builder, value, type, ""));
}

// ---- x87: the stack holds values of 80 bits

static bool is_letter_of_memory(char letter) { return letter && strchr("sltq", letter) != NULL; }

static LLVMTypeRef x87_type(state s) { return LLVMX86FP80TypeInContext(s->context); }

static void x87_push(state s, LLVMValueRef value) {
    assert(LLVMTypeOf(value) == x87_type(s));
    if (s->x87_depth >= COUNT(s->x87))
        s->failed = true;
    else
        s->x87[s->x87_depth++] = value;
}

static LLVMValueRef *x87_top(state s, unsigned below) {
    if (below < s->x87_depth && s->x87[s->x87_depth - 1 - below]) return &s->x87[s->x87_depth - 1 - below];
    s->failed = true;
    return NULL;
}

// Operations on the top without an operand.
void asm_x87(state s, insn_ref insn, unsigned width) {
    static const struct {
        const char *name, *intrinsic;
    } functions[] = {{"fsqrt", "llvm.sqrt"}, {"fabs", "llvm.fabs"}, {"frndint", "llvm.rint"}};
    LLVMValueRef *top = x87_top(s, 0);
    if (insn->count) s->failed = true;
    if (s->failed) return;
    if (!strcmp(insn->name, "fchs")) *top = LLVMBuildFNeg(s->builder, *top, "");
    for (unsigned i = 0; i < COUNT(functions); i++)
        if (!strcmp(insn->name, functions[i].name))
            *top = asm_intrinsic(s, functions[i].intrinsic, x87_type(s), top, 1);
}

void asm_x87_constant(state s, insn_ref insn, unsigned width) {
    static const char *const constants[][2] = {{"fld1", "1"},
                                               {"fldz", "0"},
                                               {"fldpi", "3.14159265358979323846264338327950288"},
                                               {"fldl2e", "1.44269504088896340735992468100189214"},
                                               {"fldl2t", "3.32192809488736234787031942948939018"},
                                               {"fldlg2", "0.301029995663981195213738894724493027"},
                                               {"fldln2", "0.693147180559945309417232121458176568"}};
    for (unsigned i = 0; i < COUNT(constants); i++)
        if (!strcmp(insn->name, constants[i][0]))
            x87_push(s, LLVMConstRealOfString(x87_type(s), constants[i][1]));
    if (insn->count) s->failed = true;
}

void asm_x87_exchange(state s, insn_ref insn, unsigned width) {
    LLVMValueRef *top = x87_top(s, 0), *next = x87_top(s, 1);
    if (insn->count) s->failed = true;
    if (s->failed) return;
    LLVMValueRef value = *top;
    *top = *next;
    *next = value;
}

// The type of a load or store in memory, by the end of its name: s, l, t; for integers s, l, q or ll. NULL: none.
static LLVMTypeRef memory_type(state s, const char *end, bool integer) {
    if (!strcmp(end, "ll")) end = "q";
    if (!is_letter_of_memory(*end) || end[1]) return NULL;
    if (integer) return *end == 't' ? NULL : asm_int(s, *end == 's' ? 16 : *end == 'l' ? 32 : 64);
    return *end == 'q' ? NULL : *end == 't' ? x87_type(s) : float_type(s, *end == 'l');
}

// flds, fldl, fldt, filds, fildl, fildll.
void asm_x87_load(state s, insn_ref insn, unsigned width) {
    bool integer = insn->name[1] == 'i';
    LLVMTypeRef type = memory_type(s, insn->name + (integer ? 4 : 3), integer);
    if (!type || insn->count != 1 || !asm_is_memory(s, &insn->at[0])) s->failed = true;
    if (s->failed) return;
    LLVMValueRef value = LLVMBuildLoad2(s->builder, type, asm_pointer(s, &insn->at[0]), "");
    LLVMSetAlignment(value, 1);
    x87_push(s, integer ? LLVMBuildSIToFP(s->builder, value, x87_type(s), "")
                        : LLVMBuildFPCast(s->builder, value, x87_type(s), ""));
}

// fst, fstp, fist, fistp and fisttp with a size.
void asm_x87_store(state s, insn_ref insn, unsigned width) {
    bool integer = insn->name[1] == 'i', truncates = !strncmp(insn->name, "fisttp", 6);
    const char *end = insn->name + (truncates ? 5 : integer ? 4 : 3);
    bool pops = *end == 'p';
    LLVMTypeRef type = memory_type(s, end + pops, integer);
    LLVMValueRef *top = x87_top(s, 0);
    if (!type || insn->count != 1 || !asm_is_memory(s, &insn->at[0])) s->failed = true;
    if (s->failed) return;
    LLVMValueRef value = integer ? to_integer(s, *top, LLVMGetIntTypeWidth(type), truncates)
                                 : LLVMBuildFPCast(s->builder, *top, type, "");
    LLVMSetAlignment(LLVMBuildStore(s->builder, value, asm_pointer(s, &insn->at[0])), 1);
    if (pops) s->x87_depth--;
}

// ---- the control words: reading them, and restoring what was read

void asm_control_word(state s, insn_ref insn, unsigned width) {
    static const struct {
        const char *name, *function;
    } forms[] = {{"fstcw", "__tamar_x86_fstcw"},
                 {"fnstcw", "__tamar_x86_fstcw"},
                 {"fldcw", "__tamar_x86_fldcw"},
                 {"stmxcsr", "__tamar_x86_sse_stmxcsr"},
                 {"ldmxcsr", "__tamar_x86_sse_ldmxcsr"}};
    if (insn->count != 1 || !asm_is_memory(s, &insn->at[0])) s->failed = true;
    if (s->failed) return;
    LLVMValueRef address = asm_address(s, &insn->at[0]);
    for (unsigned i = 0; i < COUNT(forms); i++)
        if (!strcmp(insn->name, forms[i].name))
            asm_call(s, LLVMVoidTypeInContext(s->context), forms[i].function, &address, 1);
}
