// Normalises the names of symbolic files, and checks that a file of that name can exist.
#ifndef TAMAR_RUN_SYMBOLIC_FILES_H
#define TAMAR_RUN_SYMBOLIC_FILES_H

#include "base/base.h"

struct arena;

// Returns the name without ".", ".." and repeated slashes. It is relative to `directory`, in which the program starts,
// or absolute if the file is outside of it. Returns NULL if the name has no last part, or is the directory itself; an
// error has been reported.
const char *symbolic_file_name(struct arena *arena, const char *directory, const char *name);
// Whether a file of this name is compatible with the earlier ones and with the host: no folder has that name, and no
// parent folder is a file. If it is not, an error has been reported.
bool symbolic_file_fits(const char *directory, const char *const *earlier, uint32_t count, const char *name);

#endif
