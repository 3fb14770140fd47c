// Reads and writes whole files, makes and removes folders.
#ifndef TAMAR_BASE_FILE_H
#define TAMAR_BASE_FILE_H

#include "base/base.h"

struct text;

// Functions that return bool return false on an error and set errno.
bool file_read(const char *path, struct text *content);
bool file_write(const char *path, const void *content, size_t size);
// Reads a file of a results folder, which may come from an untrusted source: only a regular file, not a link, of at
// most FILE_LARGEST_KEPT bytes. Returns NULL on success, else the error as text.
#define FILE_LARGEST_KEPT ((uint64_t)4 << 30)
const char *file_read_kept(const char *path, struct text *content);
// Reads or writes `size` bytes, however many calls that takes. The end of the file is an error of reading.
bool file_read_bytes(int fd, void *to, size_t size);
bool file_write_bytes(int fd, const void *from, size_t size);
// Replaces a file atomically by a new one. An existing link is replaced, not followed.
bool file_replace(const char *path, const void *content, size_t size);
// Like file_replace, but writes to an existing device or pipe. For paths that the user gives.
bool file_put(const char *path, const void *content, size_t size);
// Makes a folder unless it exists. A link to a folder is an error.
bool file_make_folder(const char *path);
// Removes a file, or a folder and its contents. Errors are ignored.
void file_remove_tree(const char *path);

#endif
