// The program with a record of what it chooses, for native code: that the same input takes the same path
// there can be seen, not only hoped.
#include "front/front_int.h"

#include <llvm-c/BitWriter.h>
#include <stdio.h>

#define MOST_PLACED ((uint64_t)256 << 20) // bytes of variables that are put where they are here

struct tracing {
    struct front *front;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef type;
    LLVMValueRef function;
};

// va_arg's own branch: natively some arguments come in registers, here all of them in memory. That is no choice of the
// program's.
static bool is_argument_place(LLVMValueRef choice) {
    if (LLVMGetInstructionOpcode(choice) != LLVMBr) return false;
    const char *name = LLVMGetBasicBlockName(LLVMGetSuccessor(choice, 0));
    return name && !strncmp(name, "vaarg.in_reg", 12);
}

static void trace_choice(struct tracing *t, LLVMValueRef choice, uint64_t number) {
    LLVMTypeRef word = LLVMInt64TypeInContext(t->front->context);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(choice);
    if (opcode != LLVMBr && opcode != LLVMSwitch) return; // labels have other addresses natively
    LLVMValueRef on = opcode == LLVMBr ? LLVMGetCondition(choice) : LLVMGetOperand(choice, 0);
    if (is_argument_place(choice)) on = LLVMConstInt(LLVMInt1TypeInContext(t->front->context), 0, false);
    LLVMPositionBuilderBefore(t->builder, choice);
    LLVMSetCurrentDebugLocation2(t->builder, LLVMInstructionGetDebugLoc(choice));
    LLVMValueRef arguments[] = {LLVMConstInt(word, number, false),
                                LLVMBuildZExtOrBitCast(t->builder, on, word, "")};
    LLVMBuildCall2(t->builder, t->type, t->function, arguments, 2, "");
}

// ---- addresses

// Each variable in a section named after its address, for the linker to put it there (front_link_script).
static void place_variables(struct front *front, LLVMModuleRef module) {
    for (LLVMValueRef one = LLVMGetFirstGlobal(module); one; one = LLVMGetNextGlobal(one)) {
        uint64_t *address = map_get(&front->address, (uintptr_t)one);
        const char *section = LLVMGetSection(one);
        if (!address || LLVMIsDeclaration(one) || LLVMIsThreadLocal(one) || (section && *section)) continue;
        if (LLVMGetLinkage(one) == LLVMAvailableExternallyLinkage) continue;
        if (LLVMGetLinkage(one) == LLVMCommonLinkage) LLVMSetLinkage(one, LLVMExternalLinkage);
        char name[40];
        snprintf(name, sizeof name, ".tamar.%llx", (unsigned long long)*address);
        LLVMSetSection(one, name);
        LLVMSetAlignment(one, 1u << MIN(__builtin_ctzll(*address), 12)); // none behind the place
    }
}

// Locals have other addresses natively, but as good an alignment as here.
static void align_locals(LLVMModuleRef module) {
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                if (LLVMGetInstructionOpcode(i) == LLVMAlloca)
                    LLVMSetAlignment(i, MAX(LLVMGetAlignment(i), FRAME_ALIGN));
}

void front_link_script(const struct ir_program *program, struct text *to) {
    uint64_t ends[2] = {program->readonly_end, program->data_end}, at = IR_DATA_BASE;
    uint32_t next = 0;
    if (program->data_end - IR_DATA_BASE > MOST_PLACED) return;
    text_add(to, "SECTIONS {\n");
    for (int part = 0; part < 2; at = ends[part++]) {
        text_add(to, ".tamar.%s 0x%llx : {\n", part ? "data" : "constant", (unsigned long long)at);
        for (; next < program->first_thread_local && program->globals[next].address < ends[part]; next++) {
            const struct ir_global *global = &program->globals[next];
            if (global->runtime) continue;
            text_add(to, ". = 0x%llx; KEEP(*(.tamar.%llx))\n", (unsigned long long)global->address,
                     (unsigned long long)global->address);
        }
        text_add(to, "}\n");
    }
    text_add(to, "}\nINSERT AFTER .bss;\n");
}

void add_trace(struct front *front, struct text *to) {
    LLVMTypeRef word = LLVMInt64TypeInContext(front->context), words[] = {word, word};
    struct tracing t = {.front = front, .module = front->units.at[0].module};
    t.builder = LLVMCreateBuilderInContext(front->context);
    t.type = LLVMFunctionType(LLVMVoidTypeInContext(front->context), words, 2, false);
    t.function = LLVMAddFunction(t.module, "__tamar_trace", t.type);
    for (uint32_t i = 0; i < front->choices.count; i++) {
        LLVMValueRef choice = front->choices.at[i];
        char own = choice != NULL;
        if (front->options->own_choices) text_add_bytes(front->options->own_choices, &own, 1);
        if (!choice) continue;
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(choice));
        if (LLVMGetGlobalParent(function) == t.module) trace_choice(&t, choice, i);
    }
    LLVMDisposeBuilder(t.builder);
    place_variables(front, t.module);
    align_locals(t.module);
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(t.module);
    text_add_bytes(to, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
}
