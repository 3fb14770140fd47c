// CBMC declares its functions by itself, and functions like nondet_int() return new values without any declaration:
// programs written for it call them undeclared. The compiler's messages about such calls name what has to be declared.
#ifndef TAMAR_FRONT_UNDECLARED_H
#define TAMAR_FRONT_UNDECLARED_H

#include "base/text.h"

// Appends declarations of CBMC's functions, and of those named like nondet_int, that the messages call undeclared,
// without prototypes: a call is compiled as if nothing were declared (promoted arguments, result int). Appends to
// `flags` the compiler's flags for names that are macros, each with a newline. Returns whether anything was added.
bool undeclared_find(const char *messages, struct text *declarations, struct text *flags);

#endif
