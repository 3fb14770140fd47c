// The program chooses the paths, and an earlier run may have left links in the folder: every step goes from a
// descriptor of the folder to one entry of it, and never through a link.
#include "run/save_files.h"

#include "../runtime/boundary.h"
#include "base/error.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_folder(const char *folder) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s", folder) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    mkdir(path, 0777);
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int open_below(int at, const char *name) {
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool is_plain(const char *name) { return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0; }

// Opens the folder that contains the path's last part, *name. Missing folders are made, with the modes of the host's.
// -1: see errno.
static int open_parent(int root, char *path, const char **name) {
    int at = dup(root);
    char *part = path + 1;
    for (char *slash; at >= 0 && (slash = strchr(part, '/')); part = slash + 1) {
        struct stat st;
        *slash = 0;
        if (!is_plain(part)) {
            close(at);
            errno = EINVAL;
            return -1;
        }
        bool made = mkdirat(at, part, 0777) == 0;
        int below = open_below(at, part);
        if (below >= 0 && made && stat(path, &st) == 0) fchmod(below, st.st_mode & 07777);
        close(at);
        at = below;
        *slash = '/';
    }
    *name = part;
    if (at >= 0 && !is_plain(part)) {
        close(at);
        errno = EINVAL;
        return -1;
    }
    return at;
}

static bool put_all(int fd, const char *bytes, uint64_t size) {
    while (fd >= 0 && size) {
        ssize_t n = write(fd, bytes, size);
        if (n <= 0) return false;
        bytes += n;
        size -= (uint64_t)n;
    }
    return fd >= 0;
}

// Replaces an existing file instead of writing to it: it may be a FIFO, or have a second link.
static bool write_new(int at, const char *name, unsigned mode, const void *content, uint64_t size) {
    unlinkat(at, name, 0);
    int fd = openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool done = put_all(fd, content, size) && fchmod(fd, mode & 0777) == 0;
    if (fd >= 0) done = close(fd) == 0 && done;
    return done;
}

static bool make_directory(int at, const char *name, unsigned mode) {
    if (mkdirat(at, name, 0777) != 0 && errno != EEXIST) return false;
    int fd = open_below(at, name);
    bool done = fd >= 0 && fchmod(fd, mode & 07777) == 0;
    if (fd >= 0) close(fd);
    return done;
}

static bool make_link(int at, const char *name, const void *content, uint64_t size) {
    char target[PATH_MAX];
    if (size >= sizeof target) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(target, content, size);
    target[size] = 0;
    unlinkat(at, name, 0);
    return symlinkat(target, at, name) == 0;
}

static bool set_time(int at, const char *name, const void *content, uint64_t size) {
    int64_t time[2];
    if (size != sizeof time) {
        errno = EINVAL;
        return false;
    }
    memcpy(time, content, size);
    struct timespec both[2] = {{time[0], time[1]}, {time[0], time[1]}};
    return utimensat(at, name, both, AT_SYMLINK_NOFOLLOW) == 0;
}

// Adds the path to .removed, the list of removed files.
static bool note_removed(int root, const char *path) {
    int fd =
        openat(root, ".removed", O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    struct stat st;
    struct text line = {0};
    text_add_line(&line, path, strlen(path));
    text_add(&line, "\n");
    bool done = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && put_all(fd, line.at, line.count);
    if (fd >= 0) close(fd);
    text_free(&line);
    return done;
}

static bool save(int at, const char *name, int kind, unsigned mode, const void *content, uint64_t size) {
    switch (kind) {
    case __TAMAR_SAVED_DIRECTORY: return make_directory(at, name, mode);
    case __TAMAR_SAVED_LINK: return make_link(at, name, content, size);
    case __TAMAR_SAVED_FILE: return write_new(at, name, mode, content, size);
    case __TAMAR_SAVED_PIPE: unlinkat(at, name, 0); return mkfifoat(at, name, mode & 0777) == 0;
    case __TAMAR_SAVED_TIME: return set_time(at, name, content, size);
    default: errno = EINVAL; return false;
    }
}

bool save_file_below(const char *folder, const char *path, int kind, unsigned mode, const void *content,
                     uint64_t size) {
    char copy[PATH_MAX];
    const char *name;
    bool fits = path[0] == '/' && snprintf(copy, sizeof copy, "%s", path) < PATH_MAX, done = false;
    int root = open_folder(folder);
    errno = root < 0 ? errno : fits ? 0 : EINVAL;
    if (root >= 0 && kind == __TAMAR_SAVED_REMOVED) {
        done = note_removed(root, path);
    } else if (root >= 0 && fits) {
        int at = open_parent(root, copy, &name);
        done = at >= 0 && save(at, name, kind, mode, content, size);
        if (at >= 0) {
            int saved = errno;
            close(at);
            errno = saved;
        }
    }
    if (!done)
        user_error_at(folder, "Name a new folder: nothing is written through links.",
                      "%s of the program cannot be saved there: %s", path, strerror(errno));
    if (root >= 0) close(root);
    return done;
}
