// Names of symbolic files: each has one, however it was written, and stands where a file can stand.
#ifndef TAMAR_RUN_SYMBOLIC_FILES_H
#define TAMAR_RUN_SYMBOLIC_FILES_H

#include "base/base.h"

struct arena;

// Without ".", ".." and repeated slashes. A name outside of the directory in which the program starts is absolute. NULL: it has no last
// part, or is the directory itself; an error has been reported.
const char *symbolic_file_name(struct arena *arena, const char *directory, const char *name);
// Whether a file of this name may stand beside those before it, and on the host: no folder in its place, and no file where it needs a
// folder. False: an error has been reported.
bool symbolic_file_fits(const char *directory, const char *const *earlier, uint32_t count, const char *name);

#endif
