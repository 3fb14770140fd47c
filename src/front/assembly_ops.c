// Translation of the instructions of inline assembly: arithmetic, flags, shifts, bits. See assembly.h.
#include "front/assembly.h"

typedef struct asm_state *state;
typedef const struct asm_instruction *insn_ref;

#define BUILD(operation, a, b) LLVMBuild##operation(s->builder, a, b, "")

static LLVMValueRef compare(state s, LLVMIntPredicate predicate, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildICmp(s->builder, predicate, a, b, "");
}
static LLVMValueRef zero_of(LLVMValueRef value) { return LLVMConstNull(LLVMTypeOf(value)); }
static LLVMValueRef negative(state s, LLVMValueRef value) {
    return compare(s, LLVMIntSLT, value, zero_of(value));
}
static LLVMValueRef bit(state s, bool on) { return asm_number(s, 1, on); }
static LLVMValueRef choose(state s, LLVMValueRef which, LLVMValueRef yes, LLVMValueRef no) {
    return LLVMBuildSelect(s->builder, which, yes, no, "");
}

static LLVMValueRef asm_flag(state s, enum asm_flag flag) {
    if (!s->flags[flag]) s->failed = true;
    return s->flags[flag] ? s->flags[flag] : LLVMGetUndef(asm_int(s, 1));
}

// Sets zero, sign and parity.
static void asm_result_flags(state s, LLVMValueRef result) {
    s->flags[ASM_ZF] = compare(s, LLVMIntEQ, result, zero_of(result));
    s->flags[ASM_SF] = negative(s, result);
    LLVMValueRef low = LLVMBuildTruncOrBitCast(s->builder, result, asm_int(s, 8), "");
    LLVMValueRef ones = asm_intrinsic(s, "llvm.ctpop", asm_int(s, 8), &low, 1);
    s->flags[ASM_PF] = BUILD(Xor, LLVMBuildTrunc(s->builder, ones, asm_int(s, 1), ""), bit(s, true));
}

static unsigned letter_width(char letter) {
    const char *at = letter ? strchr("bwlq", letter) : NULL;
    return at ? 8u << (at - "bwlq") : 0;
}

// ---- conditions, as in setcc, cmovcc and "=@cc"

static LLVMValueRef base_condition(state s, const char *name) {
    static const struct {
        const char *names; // each followed by a space
        enum asm_flag flag;
    } single[] = {{"c b nae ", ASM_CF}, {"z e ", ASM_ZF}, {"s ", ASM_SF}, {"o ", ASM_OF}, {"p pe ", ASM_PF}};
    char wanted[8];
    snprintf(wanted, sizeof wanted, "%s ", name);
    for (size_t i = 0; i < COUNT(single); i++) {
        const char *at = strstr(single[i].names, wanted);
        if (at && (at == single[i].names || at[-1] == ' ')) return asm_flag(s, single[i].flag);
    }
    if (!strcmp(name, "be") || !strcmp(name, "na"))
        return BUILD(Or, asm_flag(s, ASM_CF), asm_flag(s, ASM_ZF));
    bool less = !strcmp(name, "l") || !strcmp(name, "nge"),
         less_equal = !strcmp(name, "le") || !strcmp(name, "ng");
    if (!less && !less_equal) return NULL;
    LLVMValueRef result = BUILD(Xor, asm_flag(s, ASM_SF), asm_flag(s, ASM_OF));
    return less ? result : BUILD(Or, result, asm_flag(s, ASM_ZF));
}

LLVMValueRef asm_condition(state s, const char *name) {
    static const char *const negated[][2] = {{"nc", "c"}, {"ae", "b"}, {"nb", "b"},   {"nz", "z"},
                                             {"ne", "z"}, {"ns", "s"}, {"no", "o"},   {"np", "p"},
                                             {"po", "p"}, {"a", "be"}, {"nbe", "be"}, {"ge", "l"},
                                             {"nl", "l"}, {"g", "le"}, {"nle", "le"}};
    for (size_t i = 0; i < COUNT(negated); i++)
        if (!strcmp(name, negated[i][0])) return BUILD(Xor, base_condition(s, negated[i][1]), bit(s, true));
    return base_condition(s, name);
}

static void set_condition(state s, insn_ref insn, unsigned width) {
    LLVMValueRef on = asm_condition(s, insn->name + 3);
    if (!on || insn->count != 1)
        s->failed = true;
    else
        asm_write(s, &insn->at[0], 8, LLVMBuildZExt(s->builder, on, asm_int(s, 8), ""));
}

static void move_condition(state s, insn_ref insn, unsigned width) {
    char name[sizeof insn->name];
    memcpy(name, insn->name, sizeof name);
    size_t length = strlen(name);
    LLVMValueRef on = insn->count == 2 ? asm_condition(s, name + 4) : NULL;
    if (!on && length > 5) { // cmovel: with a size suffix
        width = letter_width(name[length - 1]);
        name[length - 1] = 0;
        on = width ? asm_condition(s, name + 4) : NULL;
    }
    width = asm_width(s, insn, width);
    if (!on) s->failed = true;
    if (s->failed) return;
    asm_write(s, &insn->at[1], width,
              choose(s, on, asm_read(s, &insn->at[0], width), asm_read(s, &insn->at[1], width)));
}

// ---- additions and subtractions

static LLVMValueRef add(state s, LLVMValueRef a, LLVMValueRef b, LLVMValueRef carry) {
    LLVMValueRef sum = BUILD(Add, a, b);
    if (carry) sum = BUILD(Add, sum, LLVMBuildZExt(s->builder, carry, LLVMTypeOf(a), ""));
    LLVMValueRef out =
        BUILD(Or, BUILD(And, a, b), BUILD(And, BUILD(Or, a, b), LLVMBuildNot(s->builder, sum, "")));
    s->flags[ASM_CF] = negative(s, out);
    s->flags[ASM_OF] = negative(s, BUILD(And, BUILD(Xor, a, sum), BUILD(Xor, b, sum)));
    asm_result_flags(s, sum);
    return sum;
}

static LLVMValueRef subtract(state s, LLVMValueRef a, LLVMValueRef b, LLVMValueRef borrow) {
    LLVMValueRef result = BUILD(Sub, a, b);
    if (borrow) result = BUILD(Sub, result, LLVMBuildZExt(s->builder, borrow, LLVMTypeOf(a), ""));
    LLVMValueRef inverse = LLVMBuildNot(s->builder, a, "");
    s->flags[ASM_CF] =
        negative(s, BUILD(Or, BUILD(And, inverse, b), BUILD(And, BUILD(Or, inverse, b), result)));
    s->flags[ASM_OF] = negative(s, BUILD(And, BUILD(Xor, a, b), BUILD(Xor, a, result)));
    asm_result_flags(s, result);
    return result;
}

static LLVMValueRef logic(state s, LLVMOpcode operation, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef result = LLVMBuildBinOp(s->builder, operation, a, b, "");
    s->flags[ASM_CF] = s->flags[ASM_OF] = bit(s, false);
    asm_result_flags(s, result);
    return result;
}

static LLVMValueRef combine(state s, const char *name, LLVMValueRef a, LLVMValueRef b) {
    switch (name[0] << 16 | name[1] << 8 | name[2]) {
#define NAME(a, b, c) ((a) << 16 | (b) << 8 | (c))
    case NAME('a', 'd', 'd'): return add(s, a, b, NULL);
    case NAME('a', 'd', 'c'): return add(s, a, b, asm_flag(s, ASM_CF));
    case NAME('s', 'u', 'b'):
    case NAME('c', 'm', 'p'): return subtract(s, a, b, NULL);
    case NAME('s', 'b', 'b'): return subtract(s, a, b, asm_flag(s, ASM_CF));
    case NAME('x', 'o', 'r'): return logic(s, LLVMXor, a, b);
    case NAME('a', 'n', 'd'):
    case NAME('t', 'e', 's'): return logic(s, LLVMAnd, a, b);
    default: return logic(s, LLVMOr, a, b);
    }
}

static bool same_place(const struct asm_place *a, const struct asm_place *b) {
    return a->kind == b->kind && a->kind != ASM_MEMORY && a->number == b->number && a->high == b->high;
}

// "lock; addl $$0,0(%rsp)", a barrier of memory: the word on the stack, which has no value here, stays as it is.
static bool is_barrier(insn_ref insn) {
    const struct asm_place *from = &insn->at[0], *to = &insn->at[1];
    bool keeps = !strncmp(insn->name, "add", 3) || !strncmp(insn->name, "sub", 3) ||
                 !strncmp(insn->name, "or", 2) || !strncmp(insn->name, "xor", 3);
    return insn->prefixes & ASM_LOCK && keeps && from->kind == ASM_IMMEDIATE && !from->value &&
           to->kind == ASM_MEMORY && !to->base_is_operand && to->number == ASM_RSP && !to->scale;
}

static void binary(state s, insn_ref insn, unsigned width) {
    width = asm_width(s, insn, width);
    if (insn->count != 2) s->failed = true;
    if (s->failed) return;
    if (is_barrier(insn)) {
        memset(s->flags, 0, sizeof s->flags);
        return;
    }
    bool only_flags = !strncmp(insn->name, "cmp", 3) || !strncmp(insn->name, "test", 4);
    // "sbb %eax, %eax" and "xor %eax, %eax" do not depend on the value, which may be unknown.
    bool clears = same_place(&insn->at[0], &insn->at[1]) &&
                  (!strncmp(insn->name, "sbb", 3) || !strncmp(insn->name, "xor", 3));
    LLVMValueRef a = clears ? asm_number(s, width, 0) : asm_read(s, &insn->at[1], width);
    LLVMValueRef result = combine(s, insn->name, a, clears ? a : asm_read(s, &insn->at[0], width));
    if (!only_flags) asm_write(s, &insn->at[1], width, result);
}

static void unary(state s, insn_ref insn, unsigned width) {
    width = asm_width(s, insn, width);
    if (insn->count != 1) s->failed = true;
    if (s->failed) return;
    LLVMValueRef value = asm_read(s, &insn->at[0], width), result, carry = s->flags[ASM_CF];
    if (!strncmp(insn->name, "not", 3)) {
        result = LLVMBuildNot(s->builder, value, "");
    } else if (!strncmp(insn->name, "neg", 3)) {
        result = subtract(s, asm_number(s, width, 0), value, NULL);
    } else {
        LLVMValueRef one = asm_number(s, width, 1);
        result = insn->name[0] == 'i' ? add(s, value, one, NULL) : subtract(s, value, one, NULL);
        s->flags[ASM_CF] = carry;
    }
    asm_write(s, &insn->at[0], width, result);
}

// ---- moves

// An unknown value may be moved: rbx is saved around cpuid.
static void move(state s, insn_ref insn, unsigned width) {
    width = asm_width(s, insn, width);
    if (insn->count != 2) s->failed = true;
    if (s->failed) return;
    LLVMValueRef *from = asm_slot(s, &insn->at[0]), *to = asm_slot(s, &insn->at[1]);
    if (from && (!*from || LLVMIsPoison(*from)) && to && width >= 32)
        *to = LLVMGetPoison(asm_int(s, 64));
    else
        asm_write(s, &insn->at[1], width, asm_read(s, &insn->at[0], width));
}

// movzbl, movslq, movzx.
static void extend(state s, insn_ref insn, unsigned width) {
    unsigned from = letter_width(insn->name[4]), to = letter_width(insn->name[4] ? insn->name[5] : 0);
    if (insn->count != 2) s->failed = true;
    if (s->failed) return;
    struct asm_instruction half = {.count = 1, .at = {insn->at[0]}};
    if (!from) from = asm_width(s, &half, 0);
    half.at[0] = insn->at[1];
    if (!to) to = asm_width(s, &half, 0);
    if (s->failed || from > to) {
        s->failed = true;
        return;
    }
    LLVMValueRef value = asm_read(s, &insn->at[0], from);
    value = insn->name[3] == 's' ? LLVMBuildSExt(s->builder, value, asm_int(s, to), "")
                                 : LLVMBuildZExt(s->builder, value, asm_int(s, to), "");
    asm_write(s, &insn->at[1], to, value);
}

static void push(state s, insn_ref insn, unsigned width) {
    LLVMValueRef *slot = insn->count == 1 ? asm_slot(s, &insn->at[0]) : NULL;
    if (!slot || s->depth >= COUNT(s->stack))
        s->failed = true;
    else
        s->stack[s->depth++] = *slot;
}

static void pop(state s, insn_ref insn, unsigned width) {
    LLVMValueRef *slot = insn->count == 1 ? asm_slot(s, &insn->at[0]) : NULL;
    if (!slot || !s->depth)
        s->failed = true;
    else
        *slot = s->stack[--s->depth];
}

static void load_address(state s, insn_ref insn, unsigned width) {
    width = asm_width(s, insn, width);
    if (insn->count != 2 || !asm_is_memory(s, &insn->at[0])) s->failed = true;
    if (!s->failed)
        asm_write(s, &insn->at[1], width,
                  LLVMBuildTrunc(s->builder, asm_address(s, &insn->at[0]), asm_int(s, width), ""));
}

// cltq and similar instructions: extend a part of rax within rax, or into rdx.
static void extend_accumulator(state s, insn_ref insn, unsigned width) {
    static const struct {
        const char *name;
        unsigned from;
        bool into_rdx;
    } forms[] = {{"cltq", 32, false}, {"cdqe", 32, false}, {"cwtl", 16, false}, {"cwde", 16, false},
                 {"cbtw", 8, false},  {"cqto", 64, true},  {"cqo", 64, true},   {"cltd", 32, true},
                 {"cdq", 32, true},   {"cwtd", 16, true}};
    for (size_t i = 0; i < COUNT(forms); i++) {
        if (strcmp(forms[i].name, insn->name) != 0) continue;
        unsigned from = forms[i].from;
        LLVMValueRef value = asm_read_register(s, 0, from);
        if (forms[i].into_rdx)
            asm_write_register(s, 2, from,
                               LLVMBuildAShr(s->builder, value, asm_number(s, from, from - 1), ""));
        else
            asm_write_register(s, 0, 2 * from, LLVMBuildSExt(s->builder, value, asm_int(s, 2 * from), ""));
        return;
    }
    s->failed = true;
}

static void carry_flag(state s, insn_ref insn, unsigned width) {
    s->flags[ASM_CF] = !strcmp(insn->name, "cmc") ? BUILD(Xor, asm_flag(s, ASM_CF), bit(s, true))
                                                  : bit(s, !strcmp(insn->name, "stc"));
}

static void nothing(state s, insn_ref insn, unsigned width) {}

// ---- shifts: the count is masked, and a count of zero changes no flag

static LLVMValueRef count_of(state s, insn_ref insn, unsigned width, unsigned places) {
    LLVMValueRef count = insn->count < places ? asm_number(s, 8, 1) : asm_read(s, &insn->at[0], 8);
    return LLVMBuildZExt(s->builder, BUILD(And, count, asm_number(s, 8, width == 64 ? 63 : 31)),
                         asm_int(s, 64), "");
}

// Sets the flags after a shift. Overflow is unknown (it is defined only for a count of one), and so are all flags if
// the count may be zero.
static void shift_flags(state s, LLVMValueRef count, LLVMValueRef carry, LLVMValueRef result, bool all) {
    LLVMValueRef none = compare(s, LLVMIntEQ, count, asm_number(s, 64, 0));
    LLVMValueRef old[ASM_FLAGS];
    memcpy(old, s->flags, sizeof old);
    s->flags[ASM_CF] = carry;
    if (all) asm_result_flags(s, result);
    s->flags[ASM_OF] = NULL;
    bool certain = LLVMIsConstant(none);
    for (unsigned i = 0; i < ASM_FLAGS; i++) {
        if (s->flags[i] == old[i]) continue;
        if (certain && LLVMConstIntGetZExtValue(none))
            s->flags[i] = old[i];
        else if (!certain)
            s->flags[i] = old[i] && s->flags[i] ? choose(s, none, old[i], s->flags[i]) : NULL;
    }
}

static LLVMValueRef bit_at(state s, LLVMValueRef value,
                           LLVMValueRef index) { // one bit of a 64-bit value; masks the index
    index = BUILD(And, index, asm_number(s, 64, 63));
    return LLVMBuildTrunc(s->builder, BUILD(LShr, value, index), asm_int(s, 1), "");
}

static void shift(state s, insn_ref insn, unsigned width) {
    struct asm_instruction last = {.count = 1, .at = {insn->at[insn->count ? insn->count - 1 : 0]}};
    width = width ? width : asm_width(s, &last, 0);
    if (insn->count < 1 || insn->count > 2) s->failed = true;
    if (s->failed) return;
    LLVMValueRef count = count_of(s, insn, width, 2), value = asm_read(s, &last.at[0], width);
    bool left = insn->name[2] == 'l' && insn->name[1] != 'a',
         sign = insn->name[1] == 'a' && insn->name[2] == 'r';
    if (!strncmp(insn->name, "sal", 3)) left = true;
    LLVMValueRef wide = sign ? LLVMBuildSExt(s->builder, value, asm_int(s, 64), "")
                             : LLVMBuildZExt(s->builder, value, asm_int(s, 64), "");
    LLVMValueRef result = left   ? BUILD(Shl, wide, count)
                          : sign ? BUILD(AShr, wide, count)
                                 : BUILD(LShr, wide, count);
    LLVMValueRef at =
        left ? BUILD(Sub, asm_number(s, 64, width), count) : BUILD(Sub, count, asm_number(s, 64, 1));
    LLVMValueRef carry = bit_at(s, wide, at);
    result = LLVMBuildTrunc(s->builder, result, asm_int(s, width), "");
    shift_flags(s, count, carry, result, true);
    asm_write(s, &last.at[0], width, result);
}

static void rotate(state s, insn_ref insn, unsigned width) {
    struct asm_instruction last = {.count = 1, .at = {insn->at[insn->count ? insn->count - 1 : 0]}};
    width = width ? width : asm_width(s, &last, 0);
    if (insn->count < 1 || insn->count > 2) s->failed = true;
    if (s->failed) return;
    bool left = insn->name[2] == 'l';
    LLVMValueRef count = count_of(s, insn, width, 2), value = asm_read(s, &last.at[0], width);
    LLVMValueRef by = LLVMBuildTrunc(s->builder, count, asm_int(s, width), "");
    LLVMValueRef arguments[] = {value, value, by};
    LLVMValueRef result = asm_intrinsic(s, left ? "llvm.fshl" : "llvm.fshr", asm_int(s, width), arguments, 3);
    LLVMValueRef wide = LLVMBuildZExt(s->builder, result, asm_int(s, 64), "");
    shift_flags(s, count, bit_at(s, wide, asm_number(s, 64, left ? 0 : width - 1)), result, false);
    asm_write(s, &last.at[0], width, result);
}

// rcl and rcr by a constant: rotate through the carry flag.
static void rotate_carry(state s, insn_ref insn, unsigned width) {
    struct asm_instruction last = {.count = 1, .at = {insn->at[insn->count ? insn->count - 1 : 0]}};
    width = width ? width : asm_width(s, &last, 0);
    bool constant = insn->count == 1 || (insn->count == 2 && insn->at[0].kind == ASM_IMMEDIATE);
    if (!constant || width < 32) s->failed = true;
    if (s->failed) return;
    unsigned count = insn->count == 1 ? 1 : (unsigned)insn->at[0].value & (width - 1);
    bool left = insn->name[2] == 'l';
    LLVMValueRef value = asm_read(s, &last.at[0], width), one = asm_number(s, width, 1),
                 top = asm_number(s, width, width - 1);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef in = LLVMBuildZExt(s->builder, asm_flag(s, ASM_CF), asm_int(s, width), "");
        LLVMValueRef out = left ? BUILD(LShr, value, top) : value;
        s->flags[ASM_CF] = LLVMBuildTrunc(s->builder, out, asm_int(s, 1), "");
        value = left ? BUILD(Or, BUILD(Shl, value, one), in)
                     : BUILD(Or, BUILD(LShr, value, one), BUILD(Shl, in, top));
    }
    s->flags[ASM_OF] = NULL;
    asm_write(s, &last.at[0], width, value);
}

// shld, shrd: shift in bits of a second register.
static void shift_double(state s, insn_ref insn, unsigned width) {
    struct asm_instruction last = {.count = 2, .at = {insn->at[1], insn->at[2]}};
    width = width ? width : asm_width(s, &last, 0);
    if (insn->count != 3 || width < 32) s->failed = true;
    if (s->failed) return;
    bool left = insn->name[3] == 'd' && insn->name[2] == 'l';
    LLVMValueRef count = count_of(s, insn, width, 3), value = asm_read(s, &insn->at[2], width),
                 other = asm_read(s, &insn->at[1], width);
    LLVMValueRef by = LLVMBuildTrunc(s->builder, count, asm_int(s, width), "");
    LLVMValueRef arguments[] = {left ? value : other, left ? other : value, by};
    LLVMValueRef result = asm_intrinsic(s, left ? "llvm.fshl" : "llvm.fshr", asm_int(s, width), arguments, 3);
    LLVMValueRef wide = LLVMBuildZExt(s->builder, value, asm_int(s, 64), "");
    LLVMValueRef at =
        left ? BUILD(Sub, asm_number(s, 64, width), count) : BUILD(Sub, count, asm_number(s, 64, 1));
    shift_flags(s, count, bit_at(s, wide, at), result, true);
    asm_write(s, &insn->at[2], width, result);
}

// ---- bits

static void swap_bytes(state s, insn_ref insn, unsigned width) {
    width = asm_width(s, insn, width);
    if (insn->count != 1 || width < 32) s->failed = true;
    if (s->failed) return;
    LLVMValueRef value = asm_read(s, &insn->at[0], width);
    asm_write(s, &insn->at[0], width, asm_intrinsic(s, "llvm.bswap", asm_int(s, width), &value, 1));
}

// For the operand 0, bsf and bsr write nothing; tzcnt and lzcnt ("rep bsf", "rep bsr") write the width. Also translates
// popcnt.
static void count_bits(state s, insn_ref insn, unsigned width) {
    width = asm_width(s, insn, width);
    if (insn->count != 2) s->failed = true;
    if (s->failed) return;
    bool scan = insn->name[0] == 'b' && !(insn->prefixes & ASM_REP), population = insn->name[0] == 'p';
    bool from_top = !strncmp(insn->name, "bsr", 3) || insn->name[0] == 'l';
    LLVMValueRef value = asm_read(s, &insn->at[0], width), arguments[] = {value, bit(s, false)};
    LLVMValueRef result = asm_intrinsic(s,
                                        population ? "llvm.ctpop"
                                        : from_top ? "llvm.ctlz"
                                                   : "llvm.cttz",
                                        asm_int(s, width), arguments, population ? 1 : 2);
    LLVMValueRef empty = compare(s, LLVMIntEQ, value, zero_of(value));
    memset(s->flags, 0, sizeof s->flags);
    if (scan) {
        if (from_top) result = BUILD(Sub, asm_number(s, width, width - 1), result);
        s->flags[ASM_ZF] = empty;
        LLVMValueRef old = asm_is_memory(s, &insn->at[1]) ? NULL : asm_read(s, &insn->at[1], width);
        if (s->failed)
            s->failed = false,
            old = NULL; // an output that was never written: the result for zero is undefined
        if (old && !LLVMIsUndef(old)) result = choose(s, empty, old, result);
    } else {
        s->flags[ASM_CF] = population ? bit(s, false) : empty;
        s->flags[ASM_ZF] = population ? empty : compare(s, LLVMIntEQ, result, zero_of(result));
    }
    asm_write(s, &insn->at[1], width, result);
}

// bt, bts, btr, btc. For a bit string in memory, the index also selects the word.
static void test_bit(state s, insn_ref insn, unsigned width) {
    struct asm_instruction last = {.count = 1, .at = {insn->at[1]}};
    bool number = insn->at[0].kind == ASM_IMMEDIATE;
    width = width ? width : asm_width(s, number ? &last : insn, 0);
    if (insn->count != 2 || width < 16) s->failed = true;
    if (s->failed) return;
    LLVMValueRef index = asm_read(s, &insn->at[0], width), value, pointer = NULL;
    if (asm_is_memory(s, &insn->at[1]) && !LLVMIsConstant(index)) {
        LLVMValueRef word = LLVMBuildSExt(s->builder, index, asm_int(s, 64), "");
        word = BUILD(AShr, word, asm_number(s, 64, width == 64 ? 6 : width == 32 ? 5 : 4));
        LLVMValueRef address =
            BUILD(Add, asm_address(s, &insn->at[1]), BUILD(Mul, word, asm_number(s, 64, width / 8)));
        pointer = LLVMBuildIntToPtr(s->builder, address, LLVMPointerTypeInContext(s->context, 0), "");
        value = LLVMBuildLoad2(s->builder, asm_int(s, width), pointer, "");
        LLVMSetAlignment(value, 1);
    } else {
        value = asm_read(s, &insn->at[1], width);
    }
    LLVMValueRef low = BUILD(And, index, asm_number(s, width, width - 1)),
                 mask = BUILD(Shl, asm_number(s, width, 1), low);
    s->flags[ASM_CF] = LLVMBuildTrunc(s->builder, BUILD(LShr, value, low), asm_int(s, 1), "");
    s->flags[ASM_OF] = s->flags[ASM_SF] = s->flags[ASM_PF] = NULL;
    LLVMValueRef result = insn->name[2] == 's'   ? BUILD(Or, value, mask)
                          : insn->name[2] == 'r' ? BUILD(And, value, LLVMBuildNot(s->builder, mask, ""))
                          : insn->name[2] == 'c' ? BUILD(Xor, value, mask)
                                                 : NULL;
    if (!result) return;
    if (pointer)
        LLVMSetAlignment(LLVMBuildStore(s->builder, result, pointer), 1);
    else
        asm_write(s, &insn->at[1], width, result);
}

// ---- the table

static const struct asm_row {
    const char *name;
    bool sized; // the name may end in b, w, l or q
    asm_handler handler;
} rows[] = {
    {"add", true, binary},
    {"adc", true, binary},
    {"sub", true, binary},
    {"sbb", true, binary},
    {"and", true, binary},
    {"or", true, binary},
    {"xor", true, binary},
    {"cmp", true, binary},
    {"test", true, binary},
    {"inc", true, unary},
    {"dec", true, unary},
    {"neg", true, unary},
    {"not", true, unary},
    {"mov", true, move},
    {"movabs", true, move},
    {"lea", true, load_address},
    {"push", true, push},
    {"pop", true, pop},
    {"shl", true, shift},
    {"sal", true, shift},
    {"shr", true, shift},
    {"sar", true, shift},
    {"rol", true, rotate},
    {"ror", true, rotate},
    {"rcl", true, rotate_carry},
    {"rcr", true, rotate_carry},
    {"shld", true, shift_double},
    {"shrd", true, shift_double},
    {"bswap", true, swap_bytes},
    {"bsf", true, count_bits},
    {"bsr", true, count_bits},
    {"tzcnt", true, count_bits},
    {"lzcnt", true, count_bits},
    {"popcnt", true, count_bits},
    {"bt", true, test_bit},
    {"bts", true, test_bit},
    {"btr", true, test_bit},
    {"btc", true, test_bit},
    {"mul", true, asm_multiply},
    {"imul", true, asm_multiply_signed},
    {"div", true, asm_divide},
    {"idiv", true, asm_divide_signed},
    {"xchg", true, asm_exchange},
    {"xadd", true, asm_exchange_add},
    {"cmpxchg", true, asm_compare_exchange},
    {"cmpxchg8b", false, asm_compare_exchange_pair},
    {"cmpxchg16b", false, asm_compare_exchange_pair},
    {"movs", true, asm_move_string},
    {"stos", true, asm_store_string},
    {"lods", true, asm_load_string},
    {"scas", true, asm_scan_string},
    {"cltq", false, extend_accumulator},
    {"cdqe", false, extend_accumulator},
    {"cwtl", false, extend_accumulator},
    {"cwde", false, extend_accumulator},
    {"cbtw", false, extend_accumulator},
    {"cqto", false, extend_accumulator},
    {"cqo", false, extend_accumulator},
    {"cltd", false, extend_accumulator},
    {"cdq", false, extend_accumulator},
    {"cwtd", false, extend_accumulator},
    {"stc", false, carry_flag},
    {"clc", false, carry_flag},
    {"cmc", false, carry_flag},
    {"cpuid", false, asm_cpuid},
    {"rdtsc", false, asm_clock},
    {"rdtscp", false, asm_clock},
    {"rdrand", true, asm_random},
    {"rdseed", true, asm_random},
    {"syscall", false, asm_system_call},
    {"sqrtss", false, asm_float_root},
    {"sqrtsd", false, asm_float_root},
    {"sqrtps", false, asm_float_root},
    {"sqrtpd", false, asm_float_root},
    {"addss", false, asm_float_binary},
    {"addsd", false, asm_float_binary},
    {"addps", false, asm_float_binary},
    {"addpd", false, asm_float_binary},
    {"subss", false, asm_float_binary},
    {"subsd", false, asm_float_binary},
    {"subps", false, asm_float_binary},
    {"subpd", false, asm_float_binary},
    {"mulss", false, asm_float_binary},
    {"mulsd", false, asm_float_binary},
    {"mulps", false, asm_float_binary},
    {"mulpd", false, asm_float_binary},
    {"divss", false, asm_float_binary},
    {"divsd", false, asm_float_binary},
    {"divps", false, asm_float_binary},
    {"divpd", false, asm_float_binary},
    {"minss", false, asm_float_binary},
    {"minsd", false, asm_float_binary},
    {"maxss", false, asm_float_binary},
    {"maxsd", false, asm_float_binary},
    {"roundss", false, asm_float_round},
    {"roundsd", false, asm_float_round},
    {"comiss", false, asm_float_compare},
    {"comisd", false, asm_float_compare},
    {"ucomiss", false, asm_float_compare},
    {"ucomisd", false, asm_float_compare},
    {"cvtsd2si", true, asm_float_to_integer},
    {"cvtss2si", true, asm_float_to_integer},
    {"cvttsd2si", true, asm_float_to_integer},
    {"cvttss2si", true, asm_float_to_integer},
    {"cvtsi2sd", true, asm_integer_to_float},
    {"cvtsi2ss", true, asm_integer_to_float},
    {"cvtsd2ss", false, asm_float_convert},
    {"cvtss2sd", false, asm_float_convert},
    {"fsqrt", false, asm_x87},
    {"fabs", false, asm_x87},
    {"fchs", false, asm_x87},
    {"frndint", false, asm_x87},
    {"fld1", false, asm_x87_constant},
    {"fldz", false, asm_x87_constant},
    {"fldpi", false, asm_x87_constant},
    {"fldl2e", false, asm_x87_constant},
    {"fldl2t", false, asm_x87_constant},
    {"fldlg2", false, asm_x87_constant},
    {"fldln2", false, asm_x87_constant},
    {"fxch", false, asm_x87_exchange},
    {"flds", false, asm_x87_load},
    {"fldl", false, asm_x87_load},
    {"fldt", false, asm_x87_load},
    {"filds", false, asm_x87_load},
    {"fildl", false, asm_x87_load},
    {"fildq", false, asm_x87_load},
    {"fildll", false, asm_x87_load},
    {"fsts", false, asm_x87_store},
    {"fstl", false, asm_x87_store},
    {"fstps", false, asm_x87_store},
    {"fstpl", false, asm_x87_store},
    {"fstpt", false, asm_x87_store},
    {"fists", false, asm_x87_store},
    {"fistl", false, asm_x87_store},
    {"fistps", false, asm_x87_store},
    {"fistpl", false, asm_x87_store},
    {"fistpq", false, asm_x87_store},
    {"fistpll", false, asm_x87_store},
    {"fisttps", false, asm_x87_store},
    {"fisttpl", false, asm_x87_store},
    {"fisttpq", false, asm_x87_store},
    {"fisttpll", false, asm_x87_store},
    {"fstcw", false, asm_control_word},
    {"fnstcw", false, asm_control_word},
    {"fldcw", false, asm_control_word},
    {"stmxcsr", false, asm_control_word},
    {"ldmxcsr", false, asm_control_word},
    {"adcx", true, asm_carry_add},
    {"adox", true, asm_carry_add},
    {"mulx", true, asm_multiply_flagless},
    {"shlx", true, asm_shift_flagless},
    {"shrx", true, asm_shift_flagless},
    {"sarx", true, asm_shift_flagless},
    {"rorx", true, asm_shift_flagless},
    {"andn", true, asm_and_not},
    {"blsr", true, asm_lowest_bit},
    {"blsi", true, asm_lowest_bit},
    {"blsmsk", true, asm_lowest_bit},
    {"movbe", true, asm_move_swapped},
    {"movnti", true, move},
    {"crc32", true, asm_checksum},
    {"nop", true, nothing},
    {"pause", false, nothing},
    {"mfence", false, nothing},
    {"lfence", false, nothing},
    {"sfence", false, nothing},
    {"endbr64", false, nothing},
    {"cld", false, nothing},
    {"emms", false, nothing},
    {"prefetcht0", false, nothing},
    {"prefetcht1", false, nothing},
    {"prefetcht2", false, nothing},
    {"prefetchnta", false, nothing},
    {"prefetchw", false, nothing},
    {"prefetch", false, nothing},
    {"clflush", false, nothing},
    {"clflushopt", false, nothing},
    {"clwb", false, nothing},
    {"wait", false, nothing},
    {"fwait", false, nothing},
    {"fclex", false, nothing},
    {"fnclex", false, nothing},
};

asm_handler assembly_handler(const char *name, unsigned *width) {
    size_t length = strlen(name);
    if (!strncmp(name, "set", 3)) return set_condition;
    if (!strncmp(name, "cmov", 4)) return move_condition;
    if (!strncmp(name, "movz", 4) || (!strncmp(name, "movs", 4) && (length == 6 || name[4] == 'x')))
        return extend;
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t own = strlen(rows[i].name);
        if (strncmp(rows[i].name, name, own) != 0) continue;
        unsigned said = length == own + 1 && rows[i].sized ? letter_width(name[own]) : 0;
        if (length != own && !said) continue;
        *width = said;
        return rows[i].handler;
    }
    return NULL;
}
