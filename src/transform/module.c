#include "transform/module.h"

#include "base/error.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>

LLVMModuleRef module_open(LLVMContextRef context, const struct text *bitcode) {
    LLVMModuleRef module;
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode->at, bitcode->count, "program");
    if (LLVMParseBitcodeInContext2(context, buffer, &module))
        error_internal("the program's bitcode is damaged");
    LLVMDisposeMemoryBuffer(buffer);
    return module;
}

void module_write(LLVMModuleRef module, struct text *to) {
    char *message = NULL;
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
        error_internal("the changed program is not valid: %s", message);
    LLVMDisposeMessage(message);
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(module);
    text_add_bytes(to, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
}
