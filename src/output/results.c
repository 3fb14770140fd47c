#include "output/results.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FOLDERS 1000000

struct results {
    char *folder;
    int lock; // -1: not held, or held by another part of the command
    bool failed;
};

// ---- the lock

// Uses a record lock: only this process holds it, it ends with the process, and others can query its owner.
int results_lock(const char *folder) {
    struct text path = {0};
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    text_add(&path, "%s/lock", folder);
    int fd = open(path.at, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    bool taken = fd >= 0 && fcntl(fd, F_SETLK, &lock) == 0;
    if (fd < 0) {
        user_error_at(path.at, "Results need a folder that can be written.", "%s", strerror(errno));
    } else if (!taken) {
        bool busy = (errno == EAGAIN || errno == EACCES) && fcntl(fd, F_GETLK, &lock) == 0;
        if (busy && lock.l_type != F_UNLCK)
            user_error_at(folder, "Wait until it ends, or end it.", "another run is using it: process %ld",
                          (long)lock.l_pid);
        else
            user_error_at(path.at, "Try again.", "cannot be locked");
    }
    if (!taken && fd >= 0) close(fd);
    text_free(&path);
    return taken ? fd : -1;
}

// ---- the folder

static bool create_numbered(struct text *folder) {
    for (unsigned number = 0; number < MOST_FOLDERS; number++) {
        text_clear(folder);
        text_add(folder, "tamar-out-%u", number);
        if (mkdir(folder->at, 0777) == 0) return true; // mkdir is atomic: only one process succeeds
        if (errno != EEXIST) break;
    }
    user_error_at(folder->at, "Choose another folder with --out DIR.", "cannot be created: %s",
                  strerror(errno));
    return false;
}

// Replaces the link tamar-last atomically. A file of that name that is not a link is kept.
static void link_last(const char *folder) {
    struct stat status;
    struct text other = {0};
    if (lstat("tamar-last", &status) == 0 && !S_ISLNK(status.st_mode)) return;
    text_add(&other, "tamar-last.%ld", (long)getpid());
    if (symlink(folder, other.at) == 0 && rename(other.at, "tamar-last") != 0) unlink(other.at);
    text_free(&other);
}

static bool create_named(const char *folder) {
    if (mkdir(folder, 0777) == 0) return true;
    int error = errno;
    if (error == EEXIST && rmdir(folder) == 0 && mkdir(folder, 0777) == 0) return true; // it was empty
    if (error == EEXIST)
        user_error_at(folder, "Name another folder with --out DIR, or remove this one first.",
                      "already exists");
    else
        user_error_at(folder, "Choose another folder with --out DIR.", "cannot be created: %s",
                      strerror(error));
    return false;
}

struct results *results_create(const char *wanted) {
    struct text folder = {0};
    bool good;
    if (wanted) {
        text_add(&folder, "%s", wanted);
        good = create_named(wanted);
    } else {
        good = create_numbered(&folder);
        if (good) link_last(folder.at);
    }
    struct results *results = NULL;
    char absolute[PATH_MAX];
    if (good && !realpath(folder.at, absolute)) {
        user_error_at(folder.at, NULL, "%s", strerror(errno));
        good = false;
    }
    int lock = good ? results_lock(folder.at) : -1;
    if (lock >= 0) {
        results = NEW(struct results);
        results->folder = mem_strdup(folder.at);
        results->lock = lock;
    }
    text_free(&folder);
    return results;
}

struct results *results_open(const char *folder) {
    struct results *results = NEW(struct results);
    results->folder = mem_strdup(folder);
    results->lock = -1;
    return results;
}

// Removes the lock file if the folder contains nothing else, so that the folder can be used again.
static void remove_lone_lock(const struct results *results) {
    DIR *folder = opendir(results->folder);
    bool others = !folder;
    for (struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder))
        others |= strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                  strcmp(entry->d_name, "lock") != 0;
    if (folder) closedir(folder);
    struct text path = results_path(results, "lock");
    if (!others) unlink(path.at);
    text_free(&path);
}

void results_free(struct results *results) {
    if (!results) return;
    if (results->lock >= 0) {
        remove_lone_lock(results);
        close(results->lock);
    }
    mem_free_string(results->folder);
    DELETE(results);
}

const char *results_folder(const struct results *results) { return results->folder; }
bool results_failed(const struct results *results) { return results->failed; }

struct text results_path(const struct results *results, const char *format, ...) {
    struct text path = {0};
    char name[PATH_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    text_add(&path, "%s/%s", results->folder, name);
    return path;
}

// ---- writing

void results_fail(struct results *results, const char *name, const char *cause) {
    if (results->failed) return;
    results->failed = true;
    struct text path = results_path(results, "%s", name);
    user_error_at(
        path.at, "The results up to here are kept. Free some space, or choose another folder with --out DIR.",
        "cannot be written: %s", cause);
    text_free(&path);
}

static bool write_file(struct results *results, const char *name, const void *bytes, size_t size,
                       bool durably) {
    if (results->failed) return false;
    struct text path = results_path(results, "%s", name), other = results_path(results, "%s.new", name);
    unlink(other.at); // it could be a link, which must not be followed
    int fd = open(other.at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    bool good = fd >= 0 && file_write_bytes(fd, bytes, size);
    if (good && durably && fsync(fd) != 0 && errno != EINVAL) good = false;
    int error = errno;
    if (fd >= 0 && close(fd) != 0 && good) good = false, error = errno;
    if (good && rename(other.at, path.at) != 0) good = false, error = errno;
    if (!good) {
        if (fd >= 0) unlink(other.at);
        results_fail(results, name, strerror(error));
    }
    text_free(&path);
    text_free(&other);
    return good;
}

bool results_write(struct results *results, const char *name, const void *bytes, size_t size) {
    return write_file(results, name, bytes, size, false);
}

bool results_write_durably(struct results *results, const char *name, const void *bytes, size_t size) {
    return write_file(results, name, bytes, size, true);
}

bool results_make_folder(struct results *results, const char *name) {
    if (results->failed) return false;
    struct text path = results_path(results, "%s", name);
    bool good = file_make_folder(path.at);
    if (!good) results_fail(results, name, strerror(errno));
    text_free(&path);
    return good;
}

bool results_rename(struct results *results, const char *from, const char *to) {
    if (results->failed) return false;
    struct text old = results_path(results, "%s", from), new = results_path(results, "%s", to);
    bool good = rename(old.at, new.at) == 0;
    // An existing folder is exchanged with the new one and then removed: one of them exists at any time.
    if (!good && (errno == ENOTEMPTY || errno == EEXIST)) {
        good = renameat2(AT_FDCWD, old.at, AT_FDCWD, new.at, RENAME_EXCHANGE) == 0;
        if (good) file_remove_tree(old.at);
    }
    if (!good) results_fail(results, to, strerror(errno));
    text_free(&old);
    text_free(&new);
    return good;
}
