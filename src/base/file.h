// Whole files in memory, and whole folders away.
#ifndef TAMAR_BASE_FILE_H
#define TAMAR_BASE_FILE_H

#include "base/base.h"

struct text;

// False: errno says why.
bool file_read(const char *path, struct text *content);
bool file_write(const char *path, const void *content, size_t size);
// Writes under another name beside it and renames: the file is there whole, or as it was.
bool file_replace(const char *path, const void *content, size_t size);
// Removes a file, or a folder with everything below it; what cannot be removed stays.
void file_remove_tree(const char *path);

#endif
