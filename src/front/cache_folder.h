// The folder of the program cache and the compile cache, in the user's cache folder.
//
// The folder is TAMAR_PROGRAM_CACHE, or tamar/programs in the user's cache folder; the value `none` turns both caches
// off. The folder is used only if it belongs to the user and no other user can write to it. Errors of a cache never
// fail a load.
#ifndef TAMAR_FRONT_CACHE_FOLDER_H
#define TAMAR_FRONT_CACHE_FOLDER_H

#include "base/text.h"

#define CACHE_KEY       65                    // bytes of a key: hexadecimal digits and a NUL
#define CACHE_MOST_KEPT ((uint64_t)512 << 20) // bytes of all files in the folder

enum cache_kind { CACHE_PROGRAM, CACHE_COMPILED };

// Opens the file of this key. Returns -1 if there is none that can be used.
int cache_folder_open(enum cache_kind kind, const char *key, size_t *size);
// Closes the file. `used`: notes that it was used now (files that were not used for longest are removed first).
void cache_folder_close(int fd, bool used);
// Writes the file of this key, and removes old files while the folder is too large.
void cache_folder_write(enum cache_kind kind, const char *key, const struct text *content);

#endif
