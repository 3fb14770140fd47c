// Files for build systems: a wrapper script for `tamar cc`, a toolchain file for CMake, a native file for Meson. They
// are in the prefix of `tamar deps`, and refer to it.
#ifndef TAMAR_DRIVER_BUILD_FILES_H
#define TAMAR_DRIVER_BUILD_FILES_H

#include "base/base.h"

// Writes the files that are missing, or that another version of Tamar wrote. Returns false if an error has been
// reported.
bool build_files_write(void);
// Answers `tamar cc --print-...`: prints the answer and sets *status. Returns false if `word` is not such an option.
bool build_files_answer(const char *word, int *status);

#endif
