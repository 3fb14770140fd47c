// Reading and writing open files.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

bool __tamar_may_read(const struct file *file) {
    return (file->flags & O_ACCMODE) != O_WRONLY && !(file->flags & O_PATH);
}
bool __tamar_may_write(const struct file *file) {
    return (file->flags & O_ACCMODE) != O_RDONLY && !(file->flags & O_PATH);
}
bool __tamar_is_seekable(const struct inode *inode) {
    if (inode->stream) return S_ISREG(inode->mode) && inode->stream == 1;
    return S_ISREG(inode->mode) || S_ISDIR(inode->mode) || S_ISBLK(inode->mode) ||
           (S_ISCHR(inode->mode) && !inode->is_terminal);
}

static long read_all(struct file *file, void *buffer, size_t size) {
    struct inode *inode = file->inode;
    if (S_ISDIR(inode->mode)) return -EISDIR;
    if (inode->stream) return __tamar_stream_read(file, buffer, size);
    if (inode->socket && !size) return 0;
    if (inode->pipe) return __tamar_pipe_read(file, buffer, size);
    if (inode->socket) return __tamar_socket_read(file, buffer, size);
    if (inode->special) return __tamar_special_read(file, buffer, size);
    if (inode->device) return __tamar_device_read(file, buffer, size);
    long n = __tamar_inode_read(inode, buffer, size, file->offset);
    if (n > 0) file->offset += (unsigned long)n;
    return n;
}

// Whether a buffer is in the first page and would be accessed: not by the null device or at the end of a file.
static bool is_fault(const struct file *file, const void *buffer, size_t size, bool write) {
    const struct inode *inode = file->inode;
    if (!size || !__tamar_is_bad((long)buffer) || inode->device || S_ISDIR(inode->mode)) return false;
    if (inode->stream && !write) return false; // device.c
    bool content = !inode->stream && !inode->pipe && !inode->socket && !inode->special;
    return write || !content || file->offset < inode->size;
}

// Reads from the file. With --short-reads it may return fewer bytes than available; a later read returns the rest.
long __tamar_file_read(struct file *file, void *buffer, size_t size) {
    struct inode *inode = file->inode;
    if (is_fault(file, buffer, size, false)) return -EFAULT;
    if (!KERNEL->short_reads || size < 2 || inode->special || inode->device)
        return read_all(file, buffer, size);
    if (inode->pipe || inode->socket) {
        unsigned long there = inode->pipe ? __tamar_pipe_available(inode) : __tamar_socket_available(inode);
        size_t most = there < size ? there : size;
        return read_all(file, buffer, most > 1 ? __tamar_short_read(most) : size);
    }
    long n = read_all(file, buffer, size);
    if (n < 2 || !S_ISREG(inode->mode)) return n;
    size_t given = __tamar_short_read((size_t)n);
    file->offset -= (size_t)n - given;
    return (long)given;
}

long __tamar_file_write(struct file *file, const void *buffer, size_t size) {
    struct inode *inode = file->inode;
    if (is_fault(file, buffer, size, true)) return -EFAULT;
    if (inode->stream) return __tamar_stream_write(file, buffer, size);
    if (inode->pipe) return __tamar_pipe_write(file, buffer, size);
    if (inode->socket) return __tamar_socket_write(file, buffer, size);
    if (inode->special) return __tamar_special_write(file, buffer, size);
    if (inode->device) return __tamar_device_write(file, buffer, size);
    if (file->flags & O_APPEND) file->offset = inode->size;
    long n = __tamar_inode_write(inode, buffer, size, file->offset);
    if (n > 0) file->offset += (unsigned long)n;
    return n;
}

int __tamar_file_events(struct file *file) {
    if (file->inode->pipe) return __tamar_pipe_events(file->inode, file->flags);
    if (file->inode->socket) return __tamar_socket_events(file->inode);
    if (file->inode->special) return __tamar_special_events(file->inode);
    // A file is always ready for both, however it was opened.
    bool any = !file->inode->stream || S_ISREG(file->inode->mode);
    return (any || __tamar_may_read(file) ? POLLIN | POLLRDNORM : 0) |
           (any || __tamar_may_write(file) ? POLLOUT | POLLWRNORM : 0);
}

long __tamar_sys_read(long descriptor, long buffer, long size) {
    struct file *file = __tamar_file((int)descriptor);
    if (!file || !__tamar_may_read(file)) return -EBADF;
    if (size < 0) return -EFAULT; // no buffer is that large
    return __tamar_file_read(file, POINTER(buffer), (size_t)size);
}

long __tamar_sys_write(long descriptor, long buffer, long size) {
    struct file *file = __tamar_file((int)descriptor);
    if (!file || !__tamar_may_write(file)) return -EBADF;
    if (size < 0) return -EFAULT; // no buffer is that large
    return __tamar_file_write(file, POINTER(buffer), (size_t)size);
}

// Reads at an offset: the file's own offset is saved and restored.
long __tamar_sys_pread64(long descriptor, long buffer, long size, long offset) {
    struct file *file = __tamar_file((int)descriptor);
    if (offset < 0) return -EINVAL;
    if (!file || (file->flags & O_PATH)) return -EBADF;
    if (!__tamar_is_seekable(file->inode)) return -ESPIPE;
    if (!__tamar_may_read(file)) return -EBADF;
    if (size < 0) return -EFAULT;
    unsigned long old = file->offset;
    file->offset = (unsigned long)offset;
    long n = __tamar_file_read(file, POINTER(buffer), (size_t)size);
    file->offset = old;
    return n;
}

long __tamar_sys_pwrite64(long descriptor, long buffer, long size, long offset) {
    struct file *file = __tamar_file((int)descriptor);
    if (offset < 0) return -EINVAL;
    if (!file || (file->flags & O_PATH)) return -EBADF;
    if (!__tamar_is_seekable(file->inode)) return -ESPIPE;
    if (!__tamar_may_write(file)) return -EBADF;
    if (size < 0) return -EFAULT;
    unsigned long old = file->offset;
    file->offset = (unsigned long)offset;
    long n = __tamar_file_write(file, POINTER(buffer), (size_t)size);
    file->offset = old;
    return n;
}

typedef long transfer(struct file *file, char *buffer, size_t size);
static long read_part(struct file *file, char *buffer, size_t size) {
    return __tamar_file_read(file, buffer, size);
}
static long write_part(struct file *file, char *buffer, size_t size) {
    return __tamar_file_write(file, buffer, size);
}

bool __tamar_has_bad_part(const struct iovec *parts, size_t count) {
    for (size_t i = 0; i < count; i++)
        if ((long)parts[i].iov_len < 0) return true;
    return false;
}

// Stops at the first short part, as the kernel does; an error after some bytes is not reported. A read that has some
// bytes does not wait for more: a pipe or an event descriptor may be empty now.
static long vector(struct file *file, transfer *part, const struct iovec *parts, long count) {
    long total = 0;
    size_t size = 0;
    if (count < 0 || count > IOV_MAX || __tamar_has_bad_part(parts, (size_t)count)) return -EINVAL;
    for (long i = 0; i < count; i++) size += parts[i].iov_len;
    if (!size) return 0; // not even an empty packet is sent
    if (file->inode->socket) return __tamar_socket_vector(file, parts, (size_t)count, part == write_part);
    for (long i = 0; i < count; i++) {
        if (!parts[i].iov_len) continue;
        if (total && part == read_part && !(__tamar_file_events(file) & POLLIN)) break;
        long n = part(file, parts[i].iov_base, parts[i].iov_len);
        if (n < 0) return total ? total : n;
        total += n;
        if ((size_t)n < parts[i].iov_len) break;
    }
    return total;
}

long __tamar_sys_readv(long descriptor, long parts, long count) {
    struct file *file = __tamar_file((int)descriptor);
    if (!file || !__tamar_may_read(file)) return -EBADF;
    return vector(file, read_part, POINTER(parts), count);
}

long __tamar_sys_writev(long descriptor, long parts, long count) {
    struct file *file = __tamar_file((int)descriptor);
    if (!file || !__tamar_may_write(file)) return -EBADF;
    return vector(file, write_part, POINTER(parts), count);
}

static long vector_at(int descriptor, bool writes, long parts, long count, long offset) {
    struct file *file = __tamar_file(descriptor);
    if (offset < 0) return -EINVAL;
    if (!file || (file->flags & O_PATH)) return -EBADF;
    if (!__tamar_is_seekable(file->inode)) return -ESPIPE;
    if (!(writes ? __tamar_may_write(file) : __tamar_may_read(file))) return -EBADF;
    unsigned long old = file->offset;
    file->offset = (unsigned long)offset;
    long n = vector(file, writes ? write_part : read_part, POINTER(parts), count);
    file->offset = old;
    return n;
}

long __tamar_sys_preadv(long descriptor, long parts, long count, long offset) {
    return vector_at((int)descriptor, false, parts, count, offset);
}
long __tamar_sys_pwritev(long descriptor, long parts, long count, long offset) {
    return vector_at((int)descriptor, true, parts, count, offset);
}

long __tamar_sys_lseek(long descriptor, long offset, long whence) {
    struct file *file = __tamar_file((int)descriptor);
    if (!file || (file->flags & O_PATH)) return -EBADF;
    struct inode *inode = file->inode;
    if ((int)whence < SEEK_SET || (int)whence > SEEK_HOLE) return -EINVAL;
    if (inode->special) return 0; // accepted and ignored
    if (!__tamar_is_seekable(inode)) return -ESPIPE;
    if (inode->device) return 0;
    long base, size = (long)inode->size;
    switch ((int)whence) {
    case SEEK_SET: base = 0; break;
    case SEEK_CUR: base = (long)(S_ISDIR(inode->mode) ? file->directory_position : file->offset); break;
    case SEEK_END: base = size; break;
    case SEEK_DATA: // no holes: all bytes up to the end are data
        if (offset < 0 || offset >= size) return -ENXIO;
        base = 0;
        break;
    case SEEK_HOLE:
        if (offset < 0 || offset >= size) return -ENXIO;
        base = size - offset;
        break;
    default: return -EINVAL;
    }
    long result;
    if (__builtin_add_overflow(base, offset, &result)) return -EOVERFLOW;
    if (result < 0) return -EINVAL;
    if (S_ISDIR(inode->mode))
        file->directory_position = (unsigned long)result;
    else
        file->offset = (unsigned long)result;
    return result;
}

long __tamar_sys_ftruncate(long descriptor, long size) {
    struct file *file = __tamar_file((int)descriptor);
    if (size < 0) return -EINVAL;
    if (!file || (file->flags & O_PATH)) return -EBADF;
    if (!__tamar_may_write(file) || !S_ISREG(file->inode->mode) || file->inode->stream) return -EINVAL;
    return __tamar_inode_resize(file->inode, (unsigned long)size);
}

long __tamar_sys_truncate(long path, long size) {
    struct inode *inode;
    if (size < 0) return -EINVAL;
    long error = __tamar_find(AT_FDCWD, POINTER(path), FOLLOW, &inode);
    if (error < 0) return error;
    if (S_ISDIR(inode->mode)) return -EISDIR;
    if (!S_ISREG(inode->mode)) return -EINVAL;
    if (!__tamar_may(inode, W_OK)) return -EACCES;
    return __tamar_inode_resize(inode, (unsigned long)size);
}

long __tamar_sys_fallocate(long descriptor, long mode, long offset, long size) {
    struct file *file = __tamar_file((int)descriptor);
    if (!file || (file->flags & O_PATH)) return -EBADF;
    if (offset < 0 || size <= 0) return -EINVAL;
    if (mode & ~(long)FALLOC_FL_KEEP_SIZE) return -EOPNOTSUPP;
    if (!__tamar_may_write(file)) return -EBADF;
    if (!S_ISREG(file->inode->mode)) return file->inode->pipe ? -ESPIPE : -ENODEV;
    if (mode & FALLOC_FL_KEEP_SIZE) return 0;
    unsigned long end = (unsigned long)offset + (unsigned long)size;
    return end > file->inode->size ? __tamar_inode_resize(file->inode, end) : 0;
}

// Copies through a small buffer until either side stops.
static long copy(struct file *from, struct file *to, size_t size) {
    char buffer[4096];
    long total = 0;
    while (size) {
        long n = __tamar_file_read(from, buffer, size < sizeof buffer ? size : sizeof buffer);
        if (n <= 0) return total ? total : n;
        long written = __tamar_file_write(to, buffer, (size_t)n);
        if (written < 0) return total ? total : written;
        total += written;
        size -= (size_t)written;
        if (written < n) break;
    }
    return total;
}

static long copy_at(struct file *from, long *from_offset, struct file *to, long *to_offset, size_t size) {
    unsigned long old_from = from->offset, old_to = to->offset;
    if ((from_offset && *from_offset < 0) || (to_offset && *to_offset < 0)) return -EINVAL;
    if (from_offset) from->offset = (unsigned long)*from_offset;
    if (to_offset) to->offset = (unsigned long)*to_offset;
    long n = copy(from, to, size);
    if (from_offset) *from_offset = (long)from->offset, from->offset = old_from;
    if (to_offset) *to_offset = (long)to->offset, to->offset = old_to;
    return n;
}

long __tamar_sys_sendfile(long out, long in, long offset, long size) {
    struct file *from = __tamar_file((int)in), *to = __tamar_file((int)out);
    if (!from || !__tamar_may_read(from)) return -EBADF;
    if (offset && !__tamar_is_seekable(from->inode)) return -ESPIPE;
    if (!to || !__tamar_may_write(to)) return -EBADF;
    if (!S_ISREG(from->inode->mode) || (to->flags & O_APPEND)) return -EINVAL;
    return copy_at(from, POINTER(offset), to, NULL, (size_t)size);
}

// Whether a copy within one file would read what it writes.
static bool overlap(struct file *from, const long *from_offset, struct file *to, const long *to_offset,
                    long size) {
    unsigned long in = from_offset ? (unsigned long)*from_offset : from->offset;
    unsigned long out = to_offset ? (unsigned long)*to_offset : to->offset;
    unsigned long left = in < from->inode->size ? from->inode->size - in : 0;
    if ((unsigned long)size < left) left = (unsigned long)size;
    return from->inode == to->inode && out + left > in && out < in + left;
}

long __tamar_sys_copy_file_range(long in, long in_offset, long out, long out_offset, long size, long flags) {
    struct file *from = __tamar_file((int)in), *to = __tamar_file((int)out);
    if (!from || !to || ((from->flags | to->flags) & O_PATH)) return -EBADF;
    if (flags) return -EINVAL;
    if (S_ISDIR(from->inode->mode) || S_ISDIR(to->inode->mode)) return -EISDIR;
    if (!S_ISREG(from->inode->mode) || !S_ISREG(to->inode->mode)) return -EINVAL;
    if (!__tamar_may_read(from) || !__tamar_may_write(to) || (to->flags & O_APPEND)) return -EBADF;
    if (overlap(from, POINTER(in_offset), to, POINTER(out_offset), size)) return -EINVAL;
    if (to->inode->stream) return -EXDEV; // a host file: callers fall back to read and write
    return copy_at(from, POINTER(in_offset), to, POINTER(out_offset), (size_t)size);
}

static long need_file(long descriptor) { return __tamar_file((int)descriptor) ? 0 : -EBADF; }
long __tamar_sys_fsync(long descriptor) {
    struct file *file = __tamar_file((int)descriptor);
    if (!file || (file->flags & O_PATH)) return -EBADF;
    return S_ISREG(file->inode->mode) || S_ISDIR(file->inode->mode) || S_ISBLK(file->inode->mode) ? 0
                                                                                                  : -EINVAL;
}
long __tamar_sys_fdatasync(long descriptor) { return __tamar_sys_fsync(descriptor); }
long __tamar_sys_syncfs(long descriptor) { return need_file(descriptor); }
long __tamar_sys_sync(void) { return 0; }
long __tamar_sys_readahead(long descriptor, long offset, long size) { return need_file(descriptor); }
long __tamar_sys_fadvise64(long descriptor, long offset, long size, long advice) {
    struct file *file = __tamar_file((int)descriptor);
    if (!file) return -EBADF;
    return file->inode->pipe ? -ESPIPE : 0;
}
