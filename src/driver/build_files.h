// Files for build systems: a wrapper of `tamar cc` in one word, a toolchain file for CMake, a native file for Meson.
// They are in the prefix of `tamar deps`, which they name.
#ifndef TAMAR_DRIVER_BUILD_FILES_H
#define TAMAR_DRIVER_BUILD_FILES_H

#include "base/base.h"

// Writes the files that are missing, or of another version of Tamar. False: an error has been reported.
bool build_files_write(void);
// `tamar cc --print-...`: returns false if `word` is not such an option; else prints the answer and sets *status.
bool build_files_answer(const char *word, int *status);

#endif
