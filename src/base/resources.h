// Where Tamar's own files lie (share/tamar: the runtime's bitcode, headers, the sysroot): beside the binary,
// in a build folder as well as after installation, or where TAMAR_RUNTIME says.
#ifndef TAMAR_RESOURCES_H
#define TAMAR_RESOURCES_H

#include "base/base.h"

// The file of the running binary, to start it again; NULL when the system does not say.
const char *resources_binary(void);
// The folder, without a slash at its end; NULL when it is nowhere.
const char *resources_find(void);
// The same; a user error (exit status 2) when it is nowhere.
const char *resources_folder(void);
// A path below it; the caller frees it with mem_free_string.
char *resource_path(const char *name);
// Where `tamar deps` puts libraries, and `tamar cc` looks for them: TAMAR_PREFIX, or tamar/prefix in the user's data folder. It need not exist.
const char *resources_prefix(void);

#endif
