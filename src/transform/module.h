// Converts bitcode in memory to a module and back; private to the folder.
#ifndef TAMAR_TRANSFORM_MODULE_H
#define TAMAR_TRANSFORM_MODULE_H

#include "base/text.h"

#include <llvm-c/Core.h>

// Parses the bitcode. The module does not refer to the text.
LLVMModuleRef module_open(LLVMContextRef context, const struct text *bitcode);
// Verifies the module and writes it. An invalid module is an internal error.
void module_write(LLVMModuleRef module, struct text *to);

#endif
