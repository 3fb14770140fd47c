#include "base/file.h"

#include "base/text.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>

bool file_read(const char *path, struct text *content) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    char buffer[1 << 16];
    size_t n;
    do {
        n = fread(buffer, 1, sizeof buffer, file);
        text_add_bytes(content, buffer, n);
    } while (n == sizeof buffer);
    bool good = !ferror(file);
    int error = errno;
    fclose(file);
    errno = error;
    return good;
}

bool file_write(const char *path, const void *content, size_t size) {
    FILE *file = fopen(path, "wb"); // the file keeps its mode and its links
    if (!file) return false;
    bool good = fwrite(content, 1, size, file) == size;
    if (fclose(file) != 0) good = false;
    return good;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where) {
    return remove(path);
}

void file_remove_tree(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }
