// Messages of `tamar cc` itself: why a file of the host cannot be used, and what to do.
#ifndef TAMAR_DRIVER_CC_EXPLAIN_H
#define TAMAR_DRIVER_CC_EXPLAIN_H

#include "base/base.h"

struct cc_line;

// Warns about an input of the linker that carries no bitcode; ignores other files. Returns whether it warned.
bool cc_explain_input(const char *path);
// Explains a -lNAME for which there is no library, after the linker has failed.
void cc_explain_library(const char *name);

#endif
