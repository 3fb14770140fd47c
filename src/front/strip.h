// For transformations of bitcode whose result is not checked.
#ifndef TAMAR_FRONT_STRIP_H
#define TAMAR_FRONT_STRIP_H

#include <llvm-c/Types.h>

// Removes the instrumentation of all of clang's checks: the code is what it would be without them.
void front_strip_module(LLVMModuleRef module);

#endif
