// Merges the debug compile units of a program into one: LLVM's gcov pass writes every function once for each unit.
#ifndef TAMAR_TRANSFORM_ONE_UNIT_H
#define TAMAR_TRANSFORM_ONE_UNIT_H

#include "base/text.h"

// Merges the units. Returns false, without reporting an error, if the program has no debug lines: there is nothing to
// count then.
bool transform_one_unit(const struct text *bitcode, struct text *changed);

#endif
