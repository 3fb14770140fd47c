// Bitcode in memory to a module and back; private to the folder.
#ifndef TAMAR_TRANSFORM_MODULE_H
#define TAMAR_TRANSFORM_MODULE_H

#include "base/text.h"

#include <llvm-c/Core.h>

// The module owns nothing of the text.
LLVMModuleRef module_open(LLVMContextRef context, const struct text *bitcode);
// Verifies the module (a bug of ours when it is not valid) and writes it.
void module_write(LLVMModuleRef module, struct text *to);

#endif
