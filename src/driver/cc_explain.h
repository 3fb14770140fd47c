// What `tamar cc` says besides the compiler and the linker: why something of the host cannot be used, and what to do.
#ifndef TAMAR_DRIVER_CC_EXPLAIN_H
#define TAMAR_DRIVER_CC_EXPLAIN_H

#include "base/base.h"

struct cc_line;

// A file among the linker's inputs that carries no bitcode; other files are passed over.
void cc_explain_input(const char *path);
// -lNAME that is in no folder, after the linker has failed.
void cc_explain_library(const char *name);
// Headers that `source` includes and that only the host has, after the compiler has failed.
void cc_explain_headers(const char *source);

#endif
