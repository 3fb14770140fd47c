// One compile unit for the whole program: LLVM's pass for gcov writes every function once for each of them.
#ifndef TAMAR_TRANSFORM_ONE_UNIT_H
#define TAMAR_TRANSFORM_ONE_UNIT_H

#include "base/text.h"

// False: the program has no debug lines, so there is nothing to count (nobody was told).
bool transform_one_unit(const struct text *bitcode, struct text *changed);

#endif
