// The files that a compilation depends on: those that the compiler read, with the hashes of their contents, and those
// that it would have read instead if they had existed (a header of the same name, earlier in the search path).
//
// As text, one file in a line: `HASH PATH` for a file that was read, `- PATH` for one that must not exist.
#ifndef TAMAR_FRONT_DEPENDENCIES_H
#define TAMAR_FRONT_DEPENDENCIES_H

#include "base/text.h"
#include "base/vec.h"

#include <time.h>

struct arena;

struct dependencies {
    struct arena *arena;
    // Folder of Tamar's own headers: their tests for headers (__has_include) always give the same result.
    const char *trusted;
    vec(const char *) folders; // of the search path, and of the files that were read
    struct timespec started;   // time of day when the compiler was started
};

// Appends the hash of a regular file's content. Returns false if it cannot be read.
bool dependencies_add_hash(const char *path, struct text *to);
// Adds a folder of the search path.
void dependencies_search(struct dependencies *all, const char *folder);

// Whether text makes the result of a compilation depend on more than the files that it reads: the time, a test for a
// header, embedded data.
bool dependencies_is_volatile(const char *text, size_t size);
// Appends the list of a finished compilation. `rules`: the compiler's output for make (-MD). Returns false if the
// result may depend on something else, or if a file may have changed since the compiler read it.
bool dependencies_list(struct dependencies *all, struct text *rules, struct text *list);
// Whether each file of the list is as it was.
bool dependencies_hold(const char *list, size_t size);

#endif
