// Makes native code record its branches, so that replay can verify that the same input takes the same path natively.
#include "front/front_int.h"

#include <llvm-c/BitWriter.h>

struct tracing {
    struct front *front;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef type;
    LLVMValueRef function;
};

// Whether this branch belongs to a va_arg: natively some arguments are in registers, in the IR all are in memory. So it
// is not a branch of the program.
static bool is_argument_place(LLVMValueRef choice) {
    if (LLVMGetInstructionOpcode(choice) != LLVMBr) return false;
    const char *name = LLVMGetBasicBlockName(LLVMGetSuccessor(choice, 0));
    return name && !strncmp(name, "vaarg.in_reg", 12);
}

static void trace_choice(struct tracing *t, LLVMValueRef choice, uint64_t number) {
    LLVMTypeRef word = LLVMInt64TypeInContext(t->front->context);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(choice);
    if (opcode != LLVMBr && opcode != LLVMSwitch) return; // labels have other addresses in native code
    LLVMValueRef on = opcode == LLVMBr ? LLVMGetCondition(choice) : LLVMGetOperand(choice, 0);
    if (is_argument_place(choice)) on = LLVMConstInt(LLVMInt1TypeInContext(t->front->context), 0, false);
    LLVMPositionBuilderBefore(t->builder, choice);
    LLVMSetCurrentDebugLocation2(t->builder, LLVMInstructionGetDebugLoc(choice));
    LLVMValueRef arguments[] = {LLVMConstInt(word, number, false),
                                LLVMBuildZExtOrBitCast(t->builder, on, word, "")};
    LLVMBuildCall2(t->builder, t->type, t->function, arguments, 2, "");
}

void trace_add(struct front *front, struct text *to) {
    LLVMTypeRef word = LLVMInt64TypeInContext(front->context), words[] = {word, word};
    struct tracing t = {.front = front, .module = front->units.at[0].module};
    t.builder = LLVMCreateBuilderInContext(front->context);
    instrumented_erase(front); // native builds have their own checks
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
    place_program(front, t.module);
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(t.module);
    text_add_bytes(to, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
}
