// Whole files in memory.
#ifndef TAMAR_BASE_FILE_H
#define TAMAR_BASE_FILE_H

#include "base/base.h"

struct text;

// False: errno says why.
bool file_read(const char *path, struct text *content);
bool file_write(const char *path, const void *content, size_t size);

#endif
