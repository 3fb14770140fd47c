// Puts the bitcode into the objects that `tamar cc` makes.
#ifndef TAMAR_DRIVER_CC_ADOPT_H
#define TAMAR_DRIVER_CC_ADOPT_H

#include "base/base.h"

// Gives an object that clang just wrote its bitcode section: the file `bitcode`; NULL: the bitcode that clang embedded.
// False: an error has been reported.
bool cc_adopt(const char *object, const char *bitcode);
// Adds the file's bytes to the assembly that clang just wrote, for the section in which cc_adopt will find it.
bool cc_adopt_assembly(const char *assembly, const char *bitcode);

#endif
