// Translation of instructions of inline assembly whose results depend on the machine: the processor's identity, its
// clock, its random numbers, system calls. They are translated in native builds, too, so that both executions see the
// same modelled machine. See assembly.h.
#include "front/assembly.h"

typedef struct asm_state *state;
typedef const struct asm_instruction *insn_ref;

bool assembly_asks_machine(const struct asm_text *text) {
    static const char *const names[] = {"cpuid", "rdtsc", "rdtscp", "rdrand", "rdseed", "syscall"};
    for (unsigned i = 0; i < text->count; i++)
        for (unsigned k = 0; k < COUNT(names); k++)
            if (!strcmp(text->at[i].name, names[k])) return true;
    return false;
}

// ---- the processor: x86-64 without extensions, so that libraries use their C code. runtime/x86/cpu.c gives the same
// answers to libgcc's functions.

static const struct {
    uint32_t leaf, eax, ebx, ecx, edx;
} processor[] = {
    {0, 1, 0x756e6547, 0x6c65746e, 0x49656e69}, // "GenuineIntel"
    // x87, virtual mode, paging of large pages, clock, cmpxchg8b, cmov, clflush, MMX, fxsave, SSE, SSE2
    {1, 0x00000f00, 0x00000800, 0, 0x07888119},
    {0x80000000, 0x80000001, 0, 0, 0},
    {0x80000001, 0, 0, 1, 0x20100800}, // lahf; syscall, no-execute, long mode
};

void asm_cpuid(state s, insn_ref insn, unsigned width) {
    static const unsigned order[] = {ASM_RAX, ASM_RBX, ASM_RCX, ASM_RDX};
    LLVMValueRef leaf = asm_read_register(s, ASM_RAX, 32), values[4];
    for (unsigned r = 0; r < 4; r++) values[r] = asm_number(s, 32, 0);
    for (size_t i = 0; i < COUNT(processor); i++) {
        const uint32_t row[] = {processor[i].eax, processor[i].ebx, processor[i].ecx, processor[i].edx};
        LLVMValueRef same =
            LLVMBuildICmp(s->builder, LLVMIntEQ, leaf, asm_number(s, 32, processor[i].leaf), "");
        for (unsigned r = 0; r < 4; r++)
            values[r] = LLVMBuildSelect(s->builder, same, asm_number(s, 32, row[r]), values[r], "");
    }
    for (unsigned r = 0; r < 4; r++) asm_write_register(s, order[r], 32, values[r]);
}

LLVMValueRef asm_local(LLVMBuilderRef builder, LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(builder));
    LLVMBuilderRef entry = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMPositionBuilderBefore(entry, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef local = LLVMBuildAlloca(entry, type, "");
    LLVMDisposeBuilder(entry);
    return local;
}

// The time-stamp counter: the monotonic clock in nanoseconds, so that loops that wait for it end. Calls clock_gettime
// of the C library, which every build of the program has; 0 in a module that defines clock_gettime itself.
LLVMValueRef assembly_clock(LLVMBuilderRef builder, LLVMModuleRef module) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef word = LLVMInt64TypeInContext(context), number = LLVMInt32TypeInContext(context);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0), pair = LLVMArrayType2(word, 2);
    LLVMTypeRef type = LLVMFunctionType(number, (LLVMTypeRef[]){number, pointer}, 2, false);
    LLVMValueRef clock = symbols_declare(module, "clock_gettime", type);
    if (!LLVMIsDeclaration(clock)) return LLVMConstInt(word, 0, false);
    LLVMValueRef time = asm_local(builder, pair);
    LLVMValueRef arguments[] = {LLVMConstInt(number, 1 /* CLOCK_MONOTONIC */, false), time};
    LLVMBuildCall2(builder, type, clock, arguments, 2, "");
    LLVMValueRef second = LLVMConstInt(word, 1000000000, false);
    LLVMValueRef one = LLVMConstInt(number, 1, false);
    LLVMValueRef seconds = LLVMBuildLoad2(builder, word, time, "");
    LLVMValueRef rest =
        LLVMBuildLoad2(builder, word, LLVMBuildInBoundsGEP2(builder, word, time, &one, 1, ""), "");
    return LLVMBuildAdd(builder, LLVMBuildMul(builder, seconds, second, ""), rest, "");
}

void asm_clock(state s, insn_ref insn, unsigned width) {
    LLVMValueRef ticks = assembly_clock(s->builder, s->module);
    LLVMValueRef high = LLVMBuildLShr(s->builder, ticks, asm_number(s, 64, 32), "");
    asm_write_register(s, ASM_RAX, 32, LLVMBuildTrunc(s->builder, ticks, asm_int(s, 32), ""));
    asm_write_register(s, ASM_RDX, 32, LLVMBuildTrunc(s->builder, high, asm_int(s, 32), ""));
    if (!strcmp(insn->name, "rdtscp")) asm_write_register(s, ASM_RCX, 32, asm_number(s, 32, 0));
}

// rdrand and rdseed always succeed. Their numbers come from getrandom, like all others of the program.
void asm_random(state s, insn_ref insn, unsigned width) {
    width = asm_width(s, insn, width);
    if (insn->count != 1 || width < 16) s->failed = true;
    if (s->failed) return;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(s->context, 0), word = asm_int(s, 64);
    LLVMTypeRef type = LLVMFunctionType(word, (LLVMTypeRef[]){pointer, word, asm_int(s, 32)}, 3, false);
    LLVMValueRef number = asm_local(s->builder, word);
    LLVMValueRef arguments[] = {number, asm_number(s, 64, width / 8), asm_number(s, 32, 0)};
    LLVMBuildCall2(s->builder, type, symbols_declare(s->module, "getrandom", type), arguments, 3, "");
    asm_write(s, &insn->at[0], width, LLVMBuildLoad2(s->builder, asm_int(s, width), number, ""));
    for (unsigned i = 0; i < ASM_FLAGS; i++) s->flags[i] = asm_number(s, 1, i == ASM_CF);
}

// A system call by the C library's syscall(), which sets errno: its old value is restored, and rax gets -errno.
void asm_system_call(state s, insn_ref insn, unsigned width) {
    static const unsigned order[] = {ASM_RAX, ASM_RDI, ASM_RSI, ASM_RDX, 10, 8, 9};
    LLVMTypeRef word = asm_int(s, 64), number = asm_int(s, 32),
                pointer = LLVMPointerTypeInContext(s->context, 0);
    if (insn->count || !s->registers[ASM_RAX]) s->failed = true;
    if (s->failed) return;
    assert(LLVMTypeOf(s->registers[ASM_RAX]) == word);
    LLVMValueRef arguments[COUNT(order)];
    for (unsigned i = 0; i < COUNT(order);
         i++) { // a register without a value is one that the call does not read
        LLVMValueRef value = s->registers[order[i]];
        arguments[i] = value && !LLVMIsUndef(value) ? value : asm_number(s, 64, 0);
    }
    LLVMTypeRef location_type = LLVMFunctionType(pointer, NULL, 0, false);
    LLVMTypeRef type = LLVMFunctionType(word, &word, 1, true);
    LLVMValueRef location = symbols_declare(s->module, "__errno_location", location_type);
    LLVMValueRef error = LLVMBuildCall2(s->builder, location_type, location, NULL, 0, "");
    LLVMValueRef old = LLVMBuildLoad2(s->builder, number, error, "");
    LLVMValueRef result = LLVMBuildCall2(s->builder, type, symbols_declare(s->module, "syscall", type),
                                         arguments, COUNT(order), "");
    LLVMValueRef reason = LLVMBuildLoad2(s->builder, number, error, "");
    LLVMBuildStore(s->builder, old, error);
    LLVMValueRef failed = LLVMBuildICmp(s->builder, LLVMIntEQ, result, LLVMConstInt(word, ~0ull, true), "");
    LLVMValueRef negative = LLVMBuildSExt(s->builder, LLVMBuildNeg(s->builder, reason, ""), word, "");
    asm_write_register(s, ASM_RAX, 64, LLVMBuildSelect(s->builder, failed, negative, result, ""));
    s->registers[ASM_RCX] = s->registers[11] = NULL;
    memset(s->flags, 0, sizeof s->flags);
}
