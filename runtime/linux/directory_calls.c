// Creating, removing and renaming names.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <dirent.h>
#include <stddef.h>
#include <unistd.h>

#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE  2

// Looks up a new name: the parent must allow it, and the name must be free.
static long find_free_name(int directory, const char *path, struct lookup *lookup) {
    long error = __tamar_lookup(directory, path, 0, lookup);
    if (error < 0) return error;
    if (lookup->inode) return -EEXIST;
    if (!lookup->parent->links && lookup->parent != PROCESS->root) return -ENOENT;
    return __tamar_may(lookup->parent, W_OK | X_OK) ? 0 : -EACCES;
}

static long make_node(int directory, const char *path, unsigned int mode, unsigned long device) {
    struct lookup lookup;
    long error = find_free_name(directory, path, &lookup);
    if (error < 0) return error;
    if (lookup.wants_directory && !S_ISDIR(mode)) return -ENOENT;
    struct inode *inode = __tamar_inode_new(mode, lookup.parent->device_number);
    if (!inode) return -ENOSPC;
    inode->special_device = device;
    if (S_ISDIR(mode)) inode->links = 1; // its own "."
    return __tamar_entry_add(lookup.parent, lookup.name, inode);
}

static long make_directory(int directory, const char *path, long mode) {
    return make_node(directory, path, S_IFDIR | ((unsigned)mode & 01777 & ~PROCESS->umask), 0);
}
long __tamar_sys_mkdir(long path, long mode) { return make_directory(AT_FDCWD, POINTER(path), mode); }
long __tamar_sys_mkdirat(long directory, long path, long mode) {
    return make_directory((int)directory, POINTER(path), mode);
}

long __tamar_sys_mknodat(long directory, long path, long mode, long device) {
    unsigned int kind = (unsigned)mode & S_IFMT;
    if (kind == 0) kind = S_IFREG;
    if (kind == S_IFDIR) return -EPERM;
    if (kind != S_IFREG && kind != S_IFIFO && kind != S_IFSOCK)
        return -EPERM; // devices cannot be made, not even by root
    return make_node((int)directory, POINTER(path), kind | ((unsigned)mode & 07777 & ~PROCESS->umask), 0);
}
long __tamar_sys_mknod(long path, long mode, long device) {
    return __tamar_sys_mknodat(AT_FDCWD, path, mode, device);
}

// Whether this user may remove the name. The sticky bit reserves that to the owners.
static long may_remove(const struct inode *parent, const struct inode *inode) {
    if (!__tamar_may(parent, W_OK | X_OK)) return -EACCES;
    if ((parent->mode & S_ISVTX) && !__tamar_owns(inode) && !__tamar_owns(parent)) return -EPERM;
    return 0;
}

static long remove_name(int directory, const char *path, bool is_directory) {
    struct lookup lookup;
    long error = __tamar_lookup(directory, path, 0, &lookup);
    if (error < 0) return error;
    struct inode *inode = lookup.inode;
    if (!inode) return -ENOENT;
    if (is_directory && !strcmp(lookup.name, ".")) return -EINVAL;
    if (is_directory && !strcmp(lookup.name, "..")) return -ENOTEMPTY;
    if (is_directory && !S_ISDIR(inode->mode)) return -ENOTDIR;
    if (!is_directory && S_ISDIR(inode->mode)) return -EISDIR;
    if (inode == PROCESS->root) return -EBUSY;
    error = may_remove(lookup.parent, inode);
    if (error < 0) return error;
    if (is_directory && !__tamar_directory_is_empty(inode)) return -ENOTEMPTY;
    __tamar_entry_remove(lookup.parent, lookup.name);
    if (is_directory) inode->links = 0;
    __tamar_touch(inode, false, false, true);
    if (inode != PROCESS->directory) __tamar_inode_drop(inode);
    return 0;
}

long __tamar_sys_rmdir(long path) { return remove_name(AT_FDCWD, POINTER(path), true); }
long __tamar_sys_unlink(long path) { return remove_name(AT_FDCWD, POINTER(path), false); }
long __tamar_sys_unlinkat(long directory, long path, long flags) {
    if (flags & ~(long)AT_REMOVEDIR) return -EINVAL;
    return remove_name((int)directory, POINTER(path), (flags & AT_REMOVEDIR) != 0);
}

static bool is_inside(const struct inode *inode, const struct inode *directory) {
    for (; inode; inode = inode == PROCESS->root ? NULL : inode->parent)
        if (inode == directory) return true;
    return false;
}

static bool is_dots(const char *name) { return !name[0] || !strcmp(name, ".") || !strcmp(name, ".."); }

static long check_replaced(const struct lookup *from, const struct lookup *to) {
    bool is_directory = S_ISDIR(from->inode->mode);
    if (is_directory && !S_ISDIR(to->inode->mode)) return -ENOTDIR;
    if (!is_directory && S_ISDIR(to->inode->mode)) return -EISDIR;
    if (is_directory && !__tamar_directory_is_empty(to->inode)) return -ENOTEMPTY;
    return may_remove(to->parent, to->inode);
}

static long rename_at(int from_directory, const char *from_path, int to_directory, const char *to_path,
                      long flags) {
    struct lookup from, to;
    if (flags & ~RENAME_NOREPLACE) return -EINVAL; // RENAME_EXCHANGE: as on a file system without it
    long error = __tamar_lookup(from_directory, from_path, 0, &from);
    if (error == 0) error = __tamar_lookup(to_directory, to_path, 0, &to);
    if (error < 0) return error;
    if (is_dots(from.name)) return -EBUSY;
    if (is_dots(to.name)) return flags & RENAME_NOREPLACE ? -EEXIST : -EBUSY;
    if (!from.inode) return -ENOENT;
    if (to.inode && (flags & RENAME_NOREPLACE)) return -EEXIST;
    if (to.wants_directory && !S_ISDIR(from.inode->mode)) return -ENOTDIR;
    error = may_remove(from.parent, from.inode);
    if (error == 0 && !__tamar_may(to.parent, W_OK | X_OK)) error = -EACCES;
    if (error < 0) return error;
    if (from.inode == to.inode) return 0;
    if (S_ISDIR(from.inode->mode) && is_inside(to.parent, from.inode)) return -EINVAL;
    if (to.inode && S_ISDIR(to.inode->mode) && is_inside(from.parent, to.inode)) return -ENOTEMPTY;
    if (to.inode) {
        error = check_replaced(&from, &to);
        if (error < 0) return error;
        __tamar_entry_remove(to.parent, to.name);
        if (S_ISDIR(to.inode->mode)) to.inode->links = 0;
        __tamar_inode_drop(to.inode);
    }
    from.inode->links++; // it must not be freed while it is renamed
    __tamar_entry_remove(from.parent, from.name);
    error = __tamar_entry_add(to.parent, to.name, from.inode);
    from.inode->links--;
    __tamar_touch(from.inode, false, false, true);
    return error;
}

long __tamar_sys_rename(long from, long to) {
    return rename_at(AT_FDCWD, POINTER(from), AT_FDCWD, POINTER(to), 0);
}
long __tamar_sys_renameat(long from_directory, long from, long to_directory, long to) {
    return rename_at((int)from_directory, POINTER(from), (int)to_directory, POINTER(to), 0);
}
long __tamar_sys_renameat2(long from_directory, long from, long to_directory, long to, long flags) {
    return rename_at((int)from_directory, POINTER(from), (int)to_directory, POINTER(to), flags);
}

long __tamar_sys_linkat(long from_directory, long from, long to_directory, long to, long flags) {
    struct inode *inode;
    struct lookup new_name;
    int follow = (flags & AT_SYMLINK_FOLLOW ? FOLLOW : 0) | (flags & AT_EMPTY_PATH ? EMPTY_PATH : 0);
    long error = __tamar_find((int)from_directory, POINTER(from), follow, &inode);
    if (error == 0) error = find_free_name((int)to_directory, POINTER(to), &new_name);
    if (error < 0) return error;
    if (S_ISDIR(inode->mode)) return -EPERM;
    if (new_name.wants_directory) return -ENOENT;
    error = __tamar_entry_add(new_name.parent, new_name.name, inode);
    __tamar_touch(inode, false, false, true);
    return error;
}
long __tamar_sys_link(long from, long to) { return __tamar_sys_linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

long __tamar_sys_symlinkat(long target, long directory, long path) {
    struct lookup new_name;
    const char *text = POINTER(target);
    if (!*text) return -ENOENT;
    long error = find_free_name((int)directory, POINTER(path), &new_name);
    if (error < 0) return error;
    if (new_name.wants_directory) return -ENOENT;
    struct inode *inode = __tamar_inode_new(S_IFLNK | 0777, new_name.parent->device_number);
    if (!inode) return -ENOSPC;
    inode->data = (unsigned char *)__tamar_copy_text(text);
    if (!inode->data) return -ENOSPC;
    inode->size = strlen(text);
    return __tamar_entry_add(new_name.parent, new_name.name, inode);
}
long __tamar_sys_symlink(long target, long path) { return __tamar_sys_symlinkat(target, AT_FDCWD, path); }

static long change_directory(struct inode *inode) {
    if (!S_ISDIR(inode->mode)) return -ENOTDIR;
    if (!__tamar_may(inode, X_OK)) return -EACCES;
    PROCESS->directory = inode;
    return 0;
}

long __tamar_sys_chdir(long path) {
    struct inode *inode;
    long error = __tamar_find(AT_FDCWD, POINTER(path), FOLLOW, &inode);
    return error < 0 ? error : change_directory(inode);
}
long __tamar_sys_fchdir(long descriptor) {
    struct file *file = __tamar_file((int)descriptor);
    return file ? change_directory(file->inode) : -EBADF;
}
long __tamar_sys_chroot(long path) {
    struct inode *inode;
    long error = __tamar_find(AT_FDCWD, POINTER(path), FOLLOW, &inode);
    if (error < 0) return error;
    if (!S_ISDIR(inode->mode)) return -ENOTDIR;
    if (!__tamar_capable(CAP_SYS_CHROOT)) return -EPERM;
    PROCESS->root = inode;
    return 0;
}

long __tamar_sys_getcwd(long buffer, long size) {
    return __tamar_directory_path(PROCESS->directory, POINTER(buffer), (size_t)size);
}

// The kernel's layout is musl's struct dirent up to the name.
long __tamar_sys_getdents64(long descriptor, long buffer, long size) {
    struct file *file = __tamar_file((int)descriptor);
    char *out = POINTER(buffer), name[NAME_MAX + 1];
    long used = 0;
    if (!file) return -EBADF;
    if (!S_ISDIR(file->inode->mode)) return -ENOTDIR;
    for (;;) {
        unsigned long position = file->directory_position;
        struct inode *inode;
        long length = __tamar_directory_next(file->inode, &position, name, &inode);
        if (length <= 0) return used;
        long record = (long)((offsetof(struct dirent, d_name) + (size_t)length + 1 + 7) & ~7ul);
        if (record > size - used) return used ? used : -EINVAL;
        struct dirent *entry = (struct dirent *)(out + used);
        entry->d_ino = inode->number;
        entry->d_off = (off_t)position;
        entry->d_reclen = (unsigned short)record;
        entry->d_type = (unsigned char)((inode->mode & S_IFMT) >> 12);
        memcpy(entry->d_name, name, (size_t)length + 1);
        used += record;
        file->directory_position = position;
    }
}
