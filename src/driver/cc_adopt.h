// Puts the bitcode into the objects that `tamar cc` makes.
#ifndef TAMAR_DRIVER_CC_ADOPT_H
#define TAMAR_DRIVER_CC_ADOPT_H

#include "base/base.h"

// Adds a bitcode section to an object that clang just wrote: the content of the file `bitcode`, or (NULL) the bitcode
// that clang embedded.
// Returns false if an error has been reported.
bool cc_adopt(const char *object, const char *bitcode);
// Adds the bytes of a bitcode file to the assembly that clang just wrote, in the section that cc_adopt expects.
bool cc_adopt_assembly(const char *assembly, const char *bitcode);

#endif
