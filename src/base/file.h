// Whole files in memory, and whole folders away.
#ifndef TAMAR_BASE_FILE_H
#define TAMAR_BASE_FILE_H

#include "base/base.h"

struct text;

// False: errno says why.
bool file_read(const char *path, struct text *content);
bool file_write(const char *path, const void *content, size_t size);
// A file of a results folder, which others may have made: a regular one, not a link, and not larger than FILE_LARGEST_KEPT. NULL: done; else what
// is wrong.
#define FILE_LARGEST_KEPT ((uint64_t)4 << 30)
const char *file_read_kept(const char *path, struct text *content);
// Puts a new file in the place of what is there, which is neither followed nor written to; at once, or not at all.
bool file_replace(const char *path, const void *content, size_t size);
// The same for a place that the user has named, which may be a device or a pipe.
bool file_put(const char *path, const void *content, size_t size);
// Makes a folder unless it is there; a link to one is refused. False: errno says why.
bool file_make_folder(const char *path);
// Removes a file, or a folder with everything below it; what cannot be removed stays.
void file_remove_tree(const char *path);

#endif
