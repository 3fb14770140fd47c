// Removal of instrumentation, for transformations of bitcode whose result needs no checks.
#ifndef TAMAR_FRONT_STRIP_H
#define TAMAR_FRONT_STRIP_H

#include <llvm-c/Types.h>

// Removes the instrumentation of all of clang's checks. The code is then as if compiled without them.
void front_strip_module(LLVMModuleRef module);

#endif
