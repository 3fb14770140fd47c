// Translation of instructions of inline assembly on several registers or on memory: products, quotients, exchanges,
// strings. See assembly.h.
#include "front/assembly.h"

typedef struct asm_state *state;
typedef const struct asm_instruction *insn_ref;

#define BUILD(operation, a, b) LLVMBuild##operation(s->builder, a, b, "")

static LLVMValueRef widen(state s, LLVMValueRef value, unsigned width, bool sign) {
    return sign ? LLVMBuildSExt(s->builder, value, asm_int(s, width), "")
                : LLVMBuildZExt(s->builder, value, asm_int(s, width), "");
}
static LLVMValueRef narrow(state s, LLVMValueRef value, unsigned width) {
    return LLVMBuildTrunc(s->builder, value, asm_int(s, width), "");
}
static LLVMValueRef upper(state s, LLVMValueRef value,
                          unsigned width) { // the upper half of a value of twice the width
    return narrow(s, BUILD(LShr, value, asm_number(s, 2 * width, width)), width);
}

// Writes the two halves to rdx and rax; for bytes both to ax.
static void write_halves(state s, unsigned width, LLVMValueRef low, LLVMValueRef high) {
    if (width == 8) {
        LLVMValueRef both =
            BUILD(Or, widen(s, low, 16, false), BUILD(Shl, widen(s, high, 16, false), asm_number(s, 16, 8)));
        asm_write_register(s, ASM_RAX, 16, both);
        return;
    }
    asm_write_register(s, ASM_RAX, width, low);
    asm_write_register(s, ASM_RDX, width, high);
}

static LLVMValueRef read_halves(state s, unsigned width) {
    if (width == 8) return asm_read_register(s, ASM_RAX, 16);
    LLVMValueRef high = widen(s, asm_read_register(s, ASM_RDX, width), 2 * width, false);
    return BUILD(Or, BUILD(Shl, high, asm_number(s, 2 * width, width)),
                 widen(s, asm_read_register(s, ASM_RAX, width), 2 * width, false));
}

// The full product. Sets carry and overflow: whether the upper half is needed.
static LLVMValueRef product(state s, LLVMValueRef a, LLVMValueRef b, unsigned width, bool sign) {
    LLVMValueRef whole = BUILD(Mul, widen(s, a, 2 * width, sign), widen(s, b, 2 * width, sign));
    LLVMValueRef again = widen(s, narrow(s, whole, width), 2 * width, sign);
    memset(s->flags, 0, sizeof s->flags);
    s->flags[ASM_CF] = s->flags[ASM_OF] = LLVMBuildICmp(s->builder, LLVMIntNE, again, whole, "");
    return whole;
}

static void multiply_accumulator(state s, insn_ref insn, unsigned width, bool sign) {
    width = asm_width(s, insn, width);
    if (s->failed) return;
    LLVMValueRef whole =
        product(s, asm_read_register(s, ASM_RAX, width), asm_read(s, &insn->at[0], width), width, sign);
    write_halves(s, width, narrow(s, whole, width), upper(s, whole, width));
}

void asm_multiply(state s, insn_ref insn, unsigned width) {
    if (insn->count != 1) s->failed = true;
    if (!s->failed) multiply_accumulator(s, insn, width, false);
}

void asm_multiply_signed(state s, insn_ref insn, unsigned width) {
    if (insn->count == 1) {
        multiply_accumulator(s, insn, width, true);
        return;
    }
    width = asm_width(s, insn, width);
    if (insn->count < 2) s->failed = true;
    if (s->failed) return;
    unsigned last = insn->count - 1;
    LLVMValueRef whole = product(s, asm_read(s, &insn->at[last == 2 ? 1 : last], width),
                                 asm_read(s, &insn->at[0], width), width, true);
    asm_write(s, &insn->at[last], width, narrow(s, whole, width));
}

// If the quotient does not fit, the processor raises the same exception as for a zero divisor. So the divisor is then
// replaced by zero.
static void divide(state s, insn_ref insn, unsigned width, bool sign) {
    width = asm_width(s, insn, width);
    if (insn->count != 1) s->failed = true;
    if (s->failed) return;
    LLVMTypeRef type = asm_int(s, 2 * width);
    LLVMValueRef whole = read_halves(s, width),
                 divisor = widen(s, asm_read(s, &insn->at[0], width), 2 * width, sign);
    LLVMValueRef zero = LLVMConstNull(type), one = LLVMConstInt(type, 1, false);
    LLVMValueRef unfit = LLVMBuildICmp(s->builder, LLVMIntEQ, divisor, zero, "");
    LLVMValueRef safe = LLVMBuildSelect(s->builder, unfit, one, divisor, "");
    // Dividing the smallest number by -1 would be another error in the IR. It is replaced by a division by 1, whose
    // quotient is out of range, too.
    if (sign) {
        LLVMValueRef smallest = BUILD(Shl, one, LLVMConstInt(type, 2 * width - 1, false));
        LLVMValueRef is_smallest = LLVMBuildICmp(s->builder, LLVMIntEQ, whole, smallest, "");
        safe = LLVMBuildSelect(s->builder, is_smallest, one, safe, "");
    }
    LLVMValueRef trial = sign ? BUILD(SDiv, whole, safe) : BUILD(UDiv, whole, safe);
    LLVMValueRef again = widen(s, narrow(s, trial, width), 2 * width, sign);
    LLVMValueRef wrong = BUILD(Or, unfit, LLVMBuildICmp(s->builder, LLVMIntNE, again, trial, ""));
    LLVMValueRef by = LLVMBuildSelect(s->builder, wrong, zero, safe, "");
    LLVMValueRef quotient = sign ? BUILD(SDiv, whole, by) : BUILD(UDiv, whole, by);
    LLVMValueRef rest = sign ? BUILD(SRem, whole, by) : BUILD(URem, whole, by);
    memset(s->flags, 0, sizeof s->flags);
    write_halves(s, width, narrow(s, quotient, width), narrow(s, rest, width));
}
void asm_divide(state s, insn_ref insn, unsigned width) { divide(s, insn, width, false); }
void asm_divide_signed(state s, insn_ref insn, unsigned width) { divide(s, insn, width, true); }

// ---- exchanges. Threads are switched only at system calls, so that locked instructions are atomic here anyway.

void asm_exchange(state s, insn_ref insn, unsigned width) {
    width = asm_width(s, insn, width);
    if (insn->count != 2) s->failed = true;
    if (s->failed) return;
    // Unknown values may be swapped: rbx is saved around cpuid.
    LLVMValueRef *left = asm_slot(s, &insn->at[0]), *right = asm_slot(s, &insn->at[1]);
    if (left && right && width == 64) {
        LLVMValueRef swapped = *left;
        *left = *right;
        *right = swapped;
        return;
    }
    LLVMValueRef first = asm_read(s, &insn->at[0], width), second = asm_read(s, &insn->at[1], width);
    asm_write(s, &insn->at[0], width, second);
    asm_write(s, &insn->at[1], width, first);
}

void asm_exchange_add(state s, insn_ref insn, unsigned width) {
    width = asm_width(s, insn, width);
    if (insn->count != 2) s->failed = true;
    if (s->failed) return;
    struct asm_instruction sum = {.name = "add", .count = 2, .at = {insn->at[0], insn->at[1]}};
    LLVMValueRef old = asm_read(s, &insn->at[1], width);
    unsigned none;
    assembly_handler("add", &none)(s, &sum, width);
    asm_write(s, &insn->at[0], width, old);
}

void asm_compare_exchange(state s, insn_ref insn, unsigned width) {
    width = asm_width(s, insn, width);
    if (insn->count != 2) s->failed = true;
    if (s->failed) return;
    LLVMValueRef old = asm_read(s, &insn->at[1], width), expected = asm_read_register(s, ASM_RAX, width);
    LLVMValueRef desired = asm_read(s, &insn->at[0], width);
    LLVMValueRef same = LLVMBuildICmp(s->builder, LLVMIntEQ, old, expected, "");
    memset(s->flags, 0, sizeof s->flags);
    s->flags[ASM_ZF] = same;
    asm_write(s, &insn->at[1], width, LLVMBuildSelect(s->builder, same, desired, old, ""));
    asm_write_register(s, ASM_RAX, width, LLVMBuildSelect(s->builder, same, expected, old, ""));
}

static LLVMValueRef pair(state s, unsigned low, unsigned high, unsigned width) {
    LLVMValueRef top = BUILD(Shl, widen(s, asm_read_register(s, high, width), 2 * width, false),
                             asm_number(s, 2 * width, width));
    return BUILD(Or, top, widen(s, asm_read_register(s, low, width), 2 * width, false));
}

void asm_compare_exchange_pair(state s, insn_ref insn, unsigned width) {
    width = !strcmp(insn->name, "cmpxchg16b") ? 64 : 32;
    if (insn->count != 1 || !asm_is_memory(s, &insn->at[0])) s->failed = true;
    if (s->failed) return;
    LLVMValueRef old = asm_read(s, &insn->at[0], 2 * width), expected = pair(s, ASM_RAX, ASM_RDX, width);
    LLVMValueRef same = LLVMBuildICmp(s->builder, LLVMIntEQ, old, expected, "");
    asm_write(s, &insn->at[0], 2 * width,
              LLVMBuildSelect(s->builder, same, pair(s, ASM_RBX, ASM_RCX, width), old, ""));
    asm_write_register(s, ASM_RAX, width, narrow(s, old, width));
    asm_write_register(s, ASM_RDX, width, upper(s, old, width));
    memset(s->flags, 0, sizeof s->flags);
    s->flags[ASM_ZF] = same;
}

// ---- strings: forwards, since the ABI requires the direction flag to be clear

static LLVMValueRef advance(state s, unsigned reg, LLVMValueRef bytes) {
    LLVMValueRef old = asm_read_register(s, reg, 64);
    asm_write_register(s, reg, 64, BUILD(Add, old, bytes));
    return old;
}

static LLVMValueRef count_of(state s, insn_ref insn) {
    if (!(insn->prefixes & (ASM_REP | ASM_REPNE))) return asm_number(s, 64, 1);
    LLVMValueRef count = asm_read_register(s, ASM_RCX, 64);
    asm_write_register(s, ASM_RCX, 64, asm_number(s, 64, 0));
    return count;
}

void asm_move_string(state s, insn_ref insn, unsigned width) {
    if (insn->count || !width) s->failed = true;
    if (s->failed) return;
    LLVMValueRef count = count_of(s, insn), unit = asm_number(s, 64, width / 8),
                 bytes = BUILD(Mul, count, unit);
    LLVMValueRef arguments[] = {advance(s, ASM_RDI, bytes), advance(s, ASM_RSI, bytes), count, unit};
    if (!s->failed) asm_call(s, LLVMVoidTypeInContext(s->context), "__tamar_x86_movs", arguments, 4);
}

void asm_store_string(state s, insn_ref insn, unsigned width) {
    if (insn->count || !width) s->failed = true;
    if (s->failed) return;
    LLVMValueRef count = count_of(s, insn), unit = asm_number(s, 64, width / 8);
    LLVMValueRef value = widen(s, asm_read_register(s, ASM_RAX, width), 64, false);
    LLVMValueRef arguments[] = {advance(s, ASM_RDI, BUILD(Mul, count, unit)), value, count, unit};
    if (!s->failed) asm_call(s, LLVMVoidTypeInContext(s->context), "__tamar_x86_stos", arguments, 4);
}

void asm_load_string(state s, insn_ref insn, unsigned width) {
    if (insn->count || !width || insn->prefixes) s->failed = true;
    if (s->failed) return;
    struct asm_place source = {.kind = ASM_MEMORY, .number = ASM_RSI};
    asm_write_register(s, ASM_RAX, width, asm_read(s, &source, width));
    advance(s, ASM_RSI, asm_number(s, 64, width / 8));
}

// "repne scas": goes to just past the first equal unit, "repe scas": past the first that differs. The flags are unknown
// afterwards: with a count of 0 they are those of an earlier instruction.
void asm_scan_string(state s, insn_ref insn, unsigned width) {
    bool until_equal = insn->prefixes & ASM_REPNE;
    if (insn->count || !width || !(insn->prefixes & (ASM_REP | ASM_REPNE))) s->failed = true;
    if (s->failed) return;
    LLVMValueRef unit = asm_number(s, 64, width / 8), count = asm_read_register(s, ASM_RCX, 64);
    LLVMValueRef value = widen(s, asm_read_register(s, ASM_RAX, width), 64, false);
    LLVMValueRef arguments[] = {asm_read_register(s, ASM_RDI, 64), value, count, unit,
                                asm_number(s, 64, until_equal)};
    if (s->failed) return;
    LLVMValueRef done = asm_call(s, asm_int(s, 64), "__tamar_x86_scas", arguments, 5);
    advance(s, ASM_RDI, BUILD(Mul, done, unit));
    asm_write_register(s, ASM_RCX, 64, BUILD(Sub, count, done));
    memset(s->flags, 0, sizeof s->flags);
}
