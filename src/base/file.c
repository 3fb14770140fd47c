#include "base/file.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
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

const char *file_read_kept(const char *path, struct text *content) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return errno == ELOOP ? "a symbolic link, which is not followed" : strerror(errno);
    const char *wrong = fstat(fd, &st) != 0                        ? strerror(errno)
                        : !S_ISREG(st.st_mode)                     ? "not a regular file"
                        : (uint64_t)st.st_size > FILE_LARGEST_KEPT ? "too large"
                                                                   : NULL;
    char buffer[1 << 16];
    ssize_t n = 0;
    while (!wrong && content->count <= FILE_LARGEST_KEPT && (n = read(fd, buffer, sizeof buffer)) > 0)
        text_add_bytes(content, buffer, (size_t)n);
    if (!wrong && n < 0) wrong = strerror(errno);
    close(fd);
    return wrong;
}

bool file_read_bytes(int fd, void *to, size_t size) {
    for (char *at = to; size;) {
        ssize_t n = read(fd, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool file_write_bytes(int fd, const void *from, size_t size) {
    for (const char *at = from; size;) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool file_replace(const char *path, const void *content, size_t size) {
    struct text other = {0};
    text_add(&other, "%s.new.%ld", path, (long)getpid());
    unlink(other.at);
    int fd = open(other.at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    bool good = fd >= 0 && file_write_bytes(fd, content, size);
    if (good && fsync(fd) != 0 && errno != EINVAL) good = false;
    int error = errno;
    if (fd >= 0 && close(fd) != 0 && good) good = false, error = errno;
    if (good && rename(other.at, path) != 0) good = false, error = errno;
    if (!good && fd >= 0) unlink(other.at);
    text_free(&other);
    errno = error;
    return good;
}

bool file_put(const char *path, const void *content, size_t size) {
    struct stat st;
    bool special = stat(path, &st) == 0 && !S_ISREG(st.st_mode); // /dev/stdout
    return special ? file_write(path, content, size) : file_replace(path, content, size);
}

bool file_make_folder(const char *path) {
    struct stat st;
    if (mkdir(path, 0777) == 0) return true;
    if (errno != EEXIST || lstat(path, &st) != 0) return false;
    errno = S_ISLNK(st.st_mode) ? ELOOP : ENOTDIR;
    return S_ISDIR(st.st_mode);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where) {
    return remove(path);
}

void file_remove_tree(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }
