// Finds Tamar's own files (share/tamar: the runtime's bitcode, headers, the sysroot): in the folder that TAMAR_RUNTIME
// names, else relative to the binary, in a build folder as well as after installation.
#ifndef TAMAR_RESOURCES_H
#define TAMAR_RESOURCES_H

#include "base/base.h"

// The path of the running binary. NULL: the system does not provide it.
const char *resources_binary(void);
// The folder share/tamar, without a trailing slash. NULL: not found.
const char *resources_find(void);
// The folder share/tamar. If it is not found: a user error (exit status 2).
const char *resources_folder(void);
// The path of a file in that folder. The caller frees it with mem_free_string.
char *resources_path(const char *name);
// The folder where `tamar deps` installs libraries and `tamar cc` looks for them: TAMAR_PREFIX, or tamar/prefix in the
// user's data folder. It need not exist.
const char *resources_prefix(void);
struct text;
// Appends the names of the libraries on which a static library of the prefix depends, one per line, as `tamar deps`
// recorded them. Returns false if there are none.
bool resources_needed_libraries(const char *library, struct text *names);

#endif
