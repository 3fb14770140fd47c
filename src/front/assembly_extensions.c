// Translation of instructions of inline assembly that later processors added: BMI, ADX, MOVBE, CRC32. cpuid reports
// that the processor lacks them, but programs may use them without a test. See assembly.h.
#include "front/assembly.h"

typedef struct asm_state *state;
typedef const struct asm_instruction *insn_ref;

#define BUILD(operation, a, b) LLVMBuild##operation(s->builder, a, b, "")

// Returns the width of an instruction with that many operands, or fails.
static unsigned width_of(state s, insn_ref insn, unsigned width, unsigned count) {
    width = asm_width(s, insn, width);
    if (insn->count != count || width < 32) s->failed = true;
    return width;
}

// adcx and adox: additions with a carry in CF or OF, which leave the other flags alone.
void asm_carry_add(state s, insn_ref insn, unsigned width) {
    enum asm_flag flag = insn->name[2] == 'c' ? ASM_CF : ASM_OF;
    width = width_of(s, insn, width, 2);
    if (!s->flags[flag]) s->failed = true;
    if (s->failed) return;
    LLVMTypeRef wide = asm_int(s, width + 1);
    LLVMValueRef sum = BUILD(Add, LLVMBuildZExt(s->builder, asm_read(s, &insn->at[0], width), wide, ""),
                             LLVMBuildZExt(s->builder, asm_read(s, &insn->at[1], width), wide, ""));
    sum = BUILD(Add, sum, LLVMBuildZExt(s->builder, s->flags[flag], wide, ""));
    LLVMValueRef carry = BUILD(LShr, sum, LLVMConstInt(wide, width, false));
    s->flags[flag] = LLVMBuildTrunc(s->builder, carry, asm_int(s, 1), "");
    asm_write(s, &insn->at[1], width, LLVMBuildTrunc(s->builder, sum, asm_int(s, width), ""));
}

// mulx: the product with rdx, its low half and then its high half as destinations. If both are the same register, the
// high half stays.
void asm_multiply_flagless(state s, insn_ref insn, unsigned width) {
    width = width_of(s, insn, width, 3);
    if (s->failed) return;
    LLVMTypeRef wide = asm_int(s, 2 * width);
    LLVMValueRef whole = BUILD(Mul, LLVMBuildZExt(s->builder, asm_read(s, &insn->at[0], width), wide, ""),
                               LLVMBuildZExt(s->builder, asm_read_register(s, ASM_RDX, width), wide, ""));
    LLVMValueRef high = BUILD(LShr, whole, LLVMConstInt(wide, width, false));
    asm_write(s, &insn->at[1], width, LLVMBuildTrunc(s->builder, whole, asm_int(s, width), ""));
    asm_write(s, &insn->at[2], width, LLVMBuildTrunc(s->builder, high, asm_int(s, width), ""));
}

// shlx, shrx, sarx; rorx, whose count is constant.
void asm_shift_flagless(state s, insn_ref insn, unsigned width) {
    width = width_of(s, insn, width, 3);
    if (s->failed) return;
    LLVMValueRef count = BUILD(And, asm_read(s, &insn->at[0], width), asm_number(s, width, width - 1));
    LLVMValueRef value = asm_read(s, &insn->at[1], width), arguments[] = {value, value, count};
    LLVMValueRef result = insn->name[2] == 'l'   ? BUILD(Shl, value, count)
                          : insn->name[1] == 'h' ? BUILD(LShr, value, count)
                          : insn->name[1] == 'a'
                              ? BUILD(AShr, value, count)
                              : asm_intrinsic(s, "llvm.fshr", asm_int(s, width), arguments, 3);
    asm_write(s, &insn->at[2], width, result);
}

static void set_flags(state s, LLVMValueRef result, LLVMValueRef carry) {
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(result));
    memset(s->flags, 0, sizeof s->flags);
    s->flags[ASM_CF] = carry;
    s->flags[ASM_OF] = asm_number(s, 1, 0);
    s->flags[ASM_ZF] = LLVMBuildICmp(s->builder, LLVMIntEQ, result, zero, "");
    s->flags[ASM_SF] = LLVMBuildICmp(s->builder, LLVMIntSLT, result, zero, "");
}

void asm_and_not(state s, insn_ref insn, unsigned width) {
    width = width_of(s, insn, width, 3);
    if (s->failed) return;
    LLVMValueRef inverse = LLVMBuildNot(s->builder, asm_read(s, &insn->at[1], width), "");
    LLVMValueRef result = BUILD(And, inverse, asm_read(s, &insn->at[0], width));
    set_flags(s, result, asm_number(s, 1, 0));
    asm_write(s, &insn->at[2], width, result);
}

// blsr clears the lowest bit that is set, blsi isolates it, blsmsk sets all bits up to it.
void asm_lowest_bit(state s, insn_ref insn, unsigned width) {
    width = width_of(s, insn, width, 2);
    if (s->failed) return;
    LLVMValueRef value = asm_read(s, &insn->at[0], width), less = BUILD(Sub, value, asm_number(s, width, 1));
    bool isolates = insn->name[3] == 'i';
    LLVMValueRef result = isolates               ? BUILD(And, value, LLVMBuildNeg(s->builder, value, ""))
                          : insn->name[3] == 'r' ? BUILD(And, value, less)
                                                 : BUILD(Xor, value, less);
    LLVMIntPredicate carries = isolates ? LLVMIntNE : LLVMIntEQ;
    set_flags(s, result, LLVMBuildICmp(s->builder, carries, value, asm_number(s, width, 0), ""));
    asm_write(s, &insn->at[1], width, result);
}

// movbe: a move to or from memory that swaps the bytes.
void asm_move_swapped(state s, insn_ref insn, unsigned width) {
    width = asm_width(s, insn, width);
    if (insn->count != 2 || width < 16) s->failed = true;
    if (s->failed) return;
    LLVMValueRef value = asm_read(s, &insn->at[0], width);
    asm_write(s, &insn->at[1], width, asm_intrinsic(s, "llvm.bswap", asm_int(s, width), &value, 1));
}

// crc32: the sum is the destination. The width is that of the source; without a size, it is that of the operand.
void asm_checksum(state s, insn_ref insn, unsigned width) {
    struct asm_instruction source = {.count = 1, .at = {insn->at[0]}};
    if (insn->count != 2) s->failed = true;
    width = width ? width : asm_width(s, &source, 0);
    if (s->failed) return;
    assert(width == 8 || width == 16 || width == 32 || width == 64);
    unsigned sum_width = width == 64 ? 64 : 32;
    char name[40];
    snprintf(name, sizeof name, "llvm.x86.sse42.crc32.%u.%u", sum_width, width);
    LLVMTypeRef sum = asm_int(s, sum_width);
    LLVMTypeRef type = LLVMFunctionType(sum, (LLVMTypeRef[]){sum, asm_int(s, width)}, 2, false);
    LLVMValueRef function = symbols_declare(s->module, name, type);
    LLVMValueRef arguments[] = {asm_read(s, &insn->at[1], sum_width), asm_read(s, &insn->at[0], width)};
    if (!s->failed)
        asm_write(s, &insn->at[1], sum_width, LLVMBuildCall2(s->builder, type, function, arguments, 2, ""));
}
