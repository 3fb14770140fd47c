// Files for build systems: a wrapper of `tamar cc` in one word, a toolchain file for CMake, a native file for Meson.
// They lie in the prefix of `tamar deps`, since they name it.
#ifndef TAMAR_DRIVER_BUILD_FILES_H
#define TAMAR_DRIVER_BUILD_FILES_H

#include "base/base.h"

// Writes those that are missing, or of another version of Tamar. False: an error has been reported.
bool build_files_write(void);
// `tamar cc --print-...`: false if `word` is no such option; else the answer is printed and *status set.
bool build_files_answer(const char *word, int *status);

#endif
