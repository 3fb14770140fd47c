// The compile cache: the compiler's output for C files in the user's cache folder (cache_folder.h), so that the
// compiler is not run again for an unchanged file.
//
// A key names the compiler, the command, the current directory and the source's content. The file of a key lists the
// headers that were read (dependencies.h), and is used only if all of them are as they were. Not kept: compilations
// with flags or in an environment whose effects are not known here, and sources that depend on the time, test for
// headers or embed files.
#ifndef TAMAR_FRONT_COMPILE_CACHE_H
#define TAMAR_FRONT_COMPILE_CACHE_H

#include "front/cache_folder.h"

#include <time.h>

struct compilation {
    const char *const *command; // all words but the outputs; the last one is the source
    const char *const *flags;   // the user's flags
    const char *runtime;        // folder of Tamar's own headers; all folders of headers are in the command
    struct timespec started;    // time of day when the compiler was started
    unsigned count, flag_count;
};

// Computes the key of a compilation. Returns false if the result is not kept.
bool compile_cache_key(const struct compilation *compilation, char key[CACHE_KEY]);
// Appends the output of this key, and the messages that the compiler printed. Returns false if there is none.
bool compile_cache_find(const char *key, struct text *bitcode, struct text *messages);
// Keeps the output of a compilation. `rules`: the compiler's list of dependencies; the function modifies this text.
void compile_cache_keep(const char *key, const struct compilation *compilation, struct text *rules,
                        const struct text *bitcode, const struct text *messages);

#endif
