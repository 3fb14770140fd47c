// Descriptors, which refer to open files: opening, closing, duplicating.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <sys/file.h>
#include <unistd.h>

struct file *__tamar_file(int descriptor) {
    if (descriptor < 0 || descriptor >= PROCESS->descriptor_capacity) return NULL;
    return PROCESS->descriptors[descriptor].file;
}

struct file *__tamar_file_new(struct inode *inode, int flags) {
    struct file *file = __tamar_new(sizeof *file);
    if (!file) return NULL;
    file->inode = inode;
    file->flags = flags;
    inode->open_count++;
    if (inode->pipe) __tamar_pipe_opened(inode, flags);
    return file;
}

void __tamar_file_release(struct file *file) {
    if (--file->references) return;
    __tamar_special_forget(file);
    struct inode *inode = file->inode;
    if (inode->pipe) __tamar_pipe_closed(inode, file->flags);
    inode->open_count--;
    __tamar_inode_drop(inode);
    __tamar_delete(file);
}

static bool grow_table(int wanted) {
    int capacity = PROCESS->descriptor_capacity ? PROCESS->descriptor_capacity : 16;
    while (capacity <= wanted) capacity *= 2;
    struct descriptor *table = __tamar_new((size_t)capacity * sizeof *table);
    if (!table) return false;
    if (PROCESS->descriptors)
        memcpy(table, PROCESS->descriptors, (size_t)PROCESS->descriptor_capacity * sizeof *table);
    __tamar_delete(PROCESS->descriptors);
    PROCESS->descriptors = table;
    PROCESS->descriptor_capacity = capacity;
    return true;
}

static long install(int descriptor, struct file *file, int close_on_exec) {
    if (descriptor >= PROCESS->descriptor_capacity && !grow_table(descriptor)) return -EMFILE;
    PROCESS->descriptors[descriptor] = (struct descriptor){file, close_on_exec};
    file->references++;
    return descriptor;
}

long __tamar_descriptor_new(struct file *file, int lowest, int close_on_exec) {
    int descriptor = lowest;
    while (__tamar_file(descriptor)) descriptor++;
    long result = descriptor < MAX_DESCRIPTORS ? install(descriptor, file, close_on_exec) : -EMFILE;
    if (result < 0 && file->references == 0) { // no other reference would close it
        file->references = 1;
        __tamar_file_release(file);
    }
    return result;
}

long __tamar_close(int descriptor) {
    struct file *file = __tamar_file(descriptor);
    if (!file) return -EBADF;
    PROCESS->descriptors[descriptor].file = NULL;
    __tamar_file_release(file);
    return 0;
}

static long create(struct lookup *lookup, int mode) {
    if (lookup->wants_directory) return -EISDIR;
    if (!__tamar_may(lookup->parent, W_OK | X_OK)) return -EACCES;
    if (!lookup->parent->links && lookup->parent != PROCESS->root)
        return -ENOENT; // removed, but still a current directory
    lookup->inode = __tamar_inode_new(S_IFREG | ((unsigned)mode & 07777 & ~PROCESS->umask),
                                      lookup->parent->device_number);
    if (!lookup->inode) return -ENOSPC;
    return __tamar_entry_add(lookup->parent, lookup->name, lookup->inode);
}

#define LARGE_FILE 0100000 // O_LARGEFILE: a 64-bit kernel sets it for every file that is opened by a path

static int wanted_access(int flags) {
    static const int access[] = {R_OK, W_OK, R_OK | W_OK, 0};
    return access[flags & O_ACCMODE] | (flags & O_TRUNC ? W_OK : 0);
}

static long check_open(const struct inode *inode, int flags) {
    if ((flags & O_DIRECTORY) && !S_ISDIR(inode->mode)) return -ENOTDIR;
    if (flags & O_PATH) return 0;
    if (S_ISLNK(inode->mode)) return -ELOOP;
    if (S_ISDIR(inode->mode) && ((flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC))))
        return -EISDIR;
    if (!__tamar_may(inode, wanted_access(flags))) return -EACCES;
    if (S_ISSOCK(inode->mode)) return -ENXIO;
    if (inode->device == DEVICE_TERMINAL) return -ENXIO;
    return 0;
}

static long open_at(int directory, const char *path, int flags, int mode) {
    struct lookup lookup;
    if (flags & O_PATH)
        flags &= O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    else
        flags |= LARGE_FILE;
    int follow = (flags & O_NOFOLLOW) || (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL) ? 0 : FOLLOW;
    long error = __tamar_lookup(directory, path, follow, &lookup);
    if (error < 0) return error;
    bool is_new = !lookup.inode;
    if (!is_new && (flags & O_CREAT) && (flags & O_EXCL)) return -EEXIST;
    if (is_new && !(flags & O_CREAT)) return -ENOENT;
    if (is_new) error = create(&lookup, mode);
    if (error == 0 && !is_new) error = check_open(lookup.inode, flags);
    if (error < 0) return error;
    if (lookup.inode->device == DEVICE_DESCRIPTOR) {
        struct file *same = __tamar_file((int)lookup.inode->special_device);
        return same ? __tamar_descriptor_new(same, 0, (flags & O_CLOEXEC) != 0) : -ENXIO;
    }
    if (S_ISREG(lookup.inode->mode) && (flags & O_TRUNC) && !is_new)
        error = __tamar_inode_resize(lookup.inode, 0);
    if (error < 0) return error;
    if (S_ISFIFO(lookup.inode->mode) && !lookup.inode->pipe) lookup.inode->pipe = __tamar_pipe_new();
    struct file *file =
        __tamar_file_new(lookup.inode, flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_NOCTTY | O_CLOEXEC));
    if (!file) return -ENFILE;
    error = lookup.inode->pipe && !(flags & O_PATH) ? __tamar_pipe_wait_open(file) : 0;
    if (error < 0) {
        file->references = 1;
        __tamar_file_release(file);
        return error;
    }
    return __tamar_descriptor_new(file, 0, (flags & O_CLOEXEC) != 0);
}

bool __tamar_descriptors_copy(struct process *to) {
    size_t size = (size_t)PROCESS->descriptor_capacity * sizeof *to->descriptors;
    to->descriptors = __tamar_new(size ? size : 1);
    if (!to->descriptors) return false;
    to->descriptor_capacity = PROCESS->descriptor_capacity;
    memcpy(to->descriptors, PROCESS->descriptors, size);
    for (int i = 0; i < to->descriptor_capacity; i++)
        if (to->descriptors[i].file) to->descriptors[i].file->references++;
    return true;
}

void __tamar_descriptors_close(void) {
    for (int i = 0; i < PROCESS->descriptor_capacity; i++) __tamar_close(i);
    __tamar_delete(PROCESS->descriptors);
    PROCESS->descriptors = NULL;
    PROCESS->descriptor_capacity = 0;
}

long __tamar_sys_open(long path, long flags, long mode) {
    return open_at(AT_FDCWD, POINTER(path), (int)flags, (int)mode);
}
long __tamar_sys_openat(long directory, long path, long flags, long mode) {
    return open_at((int)directory, POINTER(path), (int)flags, (int)mode);
}
long __tamar_sys_creat(long path, long mode) {
    return open_at(AT_FDCWD, POINTER(path), O_CREAT | O_WRONLY | O_TRUNC, (int)mode);
}

long __tamar_sys_close(long descriptor) { return __tamar_close((int)descriptor); }

long __tamar_sys_close_range(long first, long last, long flags) {
    if ((unsigned)first > (unsigned)last) return -EINVAL;
    for (long i = (unsigned)first; i <= (long)(unsigned)last && i < PROCESS->descriptor_capacity; i++)
        __tamar_close((int)i);
    return 0;
}

long __tamar_sys_dup(long descriptor) {
    struct file *file = __tamar_file((int)descriptor);
    return file ? __tamar_descriptor_new(file, 0, 0) : -EBADF;
}

static long duplicate_to(int old, int new, int close_on_exec) {
    struct file *file = __tamar_file(old);
    if (!file || new < 0 || new >= MAX_DESCRIPTORS) return -EBADF;
    if (old == new) return new;
    __tamar_close(new);
    return install(new, file, close_on_exec);
}

long __tamar_sys_dup2(long old, long new) { return duplicate_to((int)old, (int)new, 0); }
long __tamar_sys_dup3(long old, long new, long flags) {
    if ((int)old == (int)new || (flags & ~(long)O_CLOEXEC)) return -EINVAL;
    return duplicate_to((int)old, (int)new, (flags & O_CLOEXEC) != 0);
}

// Every lock is granted, also if another process holds a conflicting one.
static long lock(struct file *file, int command, struct flock *lock) {
    int mode = file->flags & O_ACCMODE;
    if (command == F_GETLK) {
        lock->l_type = F_UNLCK;
        return 0;
    }
    if (lock->l_type == F_RDLCK && mode == O_WRONLY) return -EBADF;
    if (lock->l_type == F_WRLCK && mode == O_RDONLY) return -EBADF;
    return 0;
}

long __tamar_sys_fcntl(long descriptor, long command, long argument) {
    const int changeable = O_APPEND | O_NONBLOCK | O_DIRECT | O_NOATIME | O_ASYNC;
    struct file *file = __tamar_file((int)descriptor);
    if (!file) return -EBADF;
    switch ((int)command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        if (argument < 0 || argument >= MAX_DESCRIPTORS) return -EINVAL;
        return __tamar_descriptor_new(file, (int)argument, command == F_DUPFD_CLOEXEC);
    case F_GETFD: return PROCESS->descriptors[descriptor].close_on_exec;
    case F_SETFD: PROCESS->descriptors[descriptor].close_on_exec = argument & FD_CLOEXEC; return 0;
    case F_GETFL: return file->flags | (file->inode->stream ? LARGE_FILE : 0);
    case F_SETFL: file->flags = (file->flags & ~changeable) | ((int)argument & changeable); return 0;
    case F_GETLK:
    case F_SETLK:
    case F_SETLKW: return lock(file, (int)command, POINTER(argument));
    case F_GETOWN:
    case F_GETSIG: return 0;
    case F_GETPIPE_SZ: return file->inode->pipe ? 65536 : -EBADF;
    case F_SETOWN: return 0;
    default: __tamar_not_modelled("fcntl with a rare command"); return -EINVAL;
    }
}

long __tamar_sys_flock(long descriptor, long operation) { return __tamar_file((int)descriptor) ? 0 : -EBADF; }
