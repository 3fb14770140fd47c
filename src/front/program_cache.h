// The program cache: loaded programs as images (ir/image.h) in the user's cache folder, so that loading the same
// program again does not use LLVM. A key is a hash of everything that the result of a load depends on. The folder is
// that of cache_folder.h.
#ifndef TAMAR_FRONT_PROGRAM_CACHE_H
#define TAMAR_FRONT_PROGRAM_CACHE_H

#include "base/text.h"
#include "front/cache_folder.h"
#include "front/front.h"

// Computes the key of a load. `contents`: the files' names and hashes. Returns false if the load has results that are
// not kept: marks, traced bitcode, a driver for --entry.
bool program_cache_key(const struct front_options *options, const char *runtime, const struct text *contents,
                       char key[CACHE_KEY]);
// The program of this key, or NULL. Calls sources_allow for its source folders, and appends its module to `bitcode`
// unless that is NULL.
struct ir_program *program_cache_find(const char *key, struct text *bitcode);
// Keeps a program. `bitcode` may be NULL; `folders`: its source folders, each NUL-terminated.
void program_cache_keep(const char *key, const struct ir_program *program, const struct text *bitcode,
                        const struct text *folders);

#endif
