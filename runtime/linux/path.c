// Path lookup: one name after the other; links are replaced by their targets.
#include "runtime/linux/linux.h"

#include <unistd.h>

enum { MAX_LINKS = 40 };

static long start_of(int directory, const char *path, struct inode **result) {
    if (*path == '/') {
        *result = PROCESS->root;
    } else if (directory == AT_FDCWD) {
        *result = PROCESS->directory;
    } else {
        struct file *file = __tamar_file(directory);
        if (!file) return -EBADF;
        if (*path && !S_ISDIR(file->inode->mode)) return -ENOTDIR;
        *result = file->inode;
    }
    return 0;
}

// Moves the next name of the path into `name` and advances *path past it and its slashes. Returns 0 or an error.
static long take_name(const char **path, char *name, bool *slash_follows) {
    const char *p = *path;
    size_t length = strcspn(p, "/");
    if (length > NAME_MAX) return -ENAMETOOLONG;
    memcpy(name, p, length);
    name[length] = 0;
    p += length;
    *slash_follows = *p == '/';
    while (*p == '/') p++;
    *path = p;
    return 0;
}

// Sets work to the link's target, a slash, and the rest of the path.
static long splice_link(char *work, const struct inode *link, const char *rest, bool slash) {
    char joined[PATH_MAX];
    size_t length = link->size, rest_length = strlen(rest);
    if (length == 0) return -ENOENT;
    if (length + rest_length + 2 > sizeof joined) return -ENAMETOOLONG;
    memcpy(joined, link->data, length);
    if (slash) joined[length++] = '/';
    memcpy(joined + length, rest, rest_length + 1);
    memcpy(work, joined, length + rest_length + 1);
    return 0;
}

static long load_link(struct inode *link) {
    if (!link->host) return 0;
    char target[PATH_MAX];
    long length = __tamar_host_read_link(link->host, target, sizeof target);
    if (length < 0) return length;
    link->data = __tamar_new((size_t)length + 1);
    if (!link->data) return -ENOMEM;
    memcpy(link->data, target, (size_t)length);
    link->size = (size_t)length;
    __tamar_delete(link->host);
    link->host = NULL;
    return 0;
}

// Looks up one name in one directory.
static long step(struct inode *directory, const char *name, struct inode **found) {
    if (!S_ISDIR(directory->mode)) return -ENOTDIR;
    if (!__tamar_may(directory, X_OK)) return -EACCES;
    if (!strcmp(name, ".")) {
        *found = directory;
    } else if (!strcmp(name, "..")) {
        *found = directory->parent && directory != PROCESS->root ? directory->parent : directory;
    } else {
        struct entry *entry = __tamar_entry_find(directory, name);
        *found = entry ? entry->inode : NULL;
    }
    return 0;
}

static long walk(struct inode *at, char *work, int flags, struct lookup *result) {
    const char *path = work;
    unsigned int links = 0;
    while (*path == '/') path++;
    result->parent = at;
    result->inode = at;
    result->name[0] = 0;
    while (*path) {
        bool slash;
        struct inode *found;
        long error = take_name(&path, result->name, &slash);
        if (error == 0) error = step(at, result->name, &found);
        if (error < 0) return error;
        bool last = !*path;
        if (last) result->wants_directory = slash;
        if (found && S_ISLNK(found->mode) && (!last || slash || (flags & FOLLOW))) {
            if (++links > MAX_LINKS) return -ELOOP;
            error = load_link(found);
            if (error == 0) error = splice_link(work, found, path, slash);
            if (error < 0) return error;
            path = work;
            if (*path == '/') at = PROCESS->root;
            while (*path == '/') path++;
            result->parent = result->inode = at;
            continue;
        }
        result->parent = at;
        result->inode = found;
        if (!found && !last) return -ENOENT;
        at = found;
    }
    return 0;
}

long __tamar_lookup(int directory, const char *path, int flags, struct lookup *result) {
    char work[PATH_MAX];
    struct inode *at;
    memset(result, 0, sizeof *result);
    size_t length = strnlen(path, PATH_MAX);
    if (length == PATH_MAX) return -ENAMETOOLONG;
    if (length == 0 && !(flags & EMPTY_PATH)) return -ENOENT;
    long error = start_of(directory, path, &at);
    if (error < 0) return error;
    memcpy(work, path, length + 1);
    error = walk(at, work, flags, result);
    if (error < 0) return error;
    if (result->inode && S_ISLNK(result->inode->mode)) error = load_link(result->inode);
    if (error == 0 && result->wants_directory && result->inode && !S_ISDIR(result->inode->mode))
        return -ENOTDIR;
    return error;
}

long __tamar_find(int directory, const char *path, int flags, struct inode **result) {
    struct lookup lookup;
    long error = __tamar_lookup(directory, path, flags, &lookup);
    if (error < 0) return error;
    *result = lookup.inode;
    return lookup.inode ? 0 : -ENOENT;
}
