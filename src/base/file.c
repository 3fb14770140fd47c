#include "base/file.h"

#include "base/text.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

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

bool file_replace(const char *path, const void *content, size_t size) {
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return file_write(path, content, size); // /dev/stdout
    struct text other = {0};
    text_add(&other, "%s.new.%ld", path, (long)getpid());
    FILE *file = fopen(other.at, "wbx");
    bool good = file && fwrite(content, 1, size, file) == size && fflush(file) == 0;
    if (good && fsync(fileno(file)) != 0 && errno != EINVAL) good = false;
    int error = errno;
    if (file && fclose(file) != 0 && good) good = false, error = errno;
    if (good && rename(other.at, path) != 0) good = false, error = errno;
    if (file && !good) unlink(other.at);
    text_free(&other);
    errno = error;
    return good;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where) {
    return remove(path);
}

void file_remove_tree(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }
