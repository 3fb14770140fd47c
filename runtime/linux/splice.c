// splice, tee and vmsplice: bytes move between a pipe and another file without a buffer of the program.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

enum { ALL_FLAGS = 15, NONBLOCK = 2, PART = 4096 }; // SPLICE_F_*

// Whether the file is a pipe of the model, or a standard stream that is a pipe of the host.
static bool is_pipe(const struct file *file) {
    return file->inode->pipe || (file->inode->stream && S_ISFIFO(file->inode->mode));
}

// Moves one part. Bytes that the other side does not accept stay in a pipe or a file.
static long move_part(struct file *from, struct file *to, size_t size, bool may_wait) {
    char buffer[PART];
    if (size > sizeof buffer) size = sizeof buffer;
    if (to->inode->pipe) {
        long room = __tamar_pipe_wait_room(to, may_wait);
        if (room < 0) return room;
        if (size > (size_t)room) size = (size_t)room;
    }
    if (from->inode->pipe) {
        long there = __tamar_pipe_wait_data(from, may_wait);
        if (there <= 0) return there;
        size = __tamar_pipe_peek(from->inode, 0, buffer, size);
        long written = __tamar_file_write(to, buffer, size);
        return written > 0 ? __tamar_pipe_read(from, buffer, (size_t)written) : written;
    }
    long n = __tamar_file_read(from, buffer, size);
    if (n <= 0) return n;
    long written = __tamar_file_write(to, buffer, (size_t)n);
    if (written < n && __tamar_is_seekable(from->inode))
        from->offset -= (unsigned long)(n - (written > 0 ? written : 0));
    return written;
}

// Whether a further part can be moved without waiting. False if that is not known: it is known only for pipes and
// regular files.
static bool moves_on(const struct file *from, const struct file *to) {
    if (to->inode->pipe && !(__tamar_pipe_events(to->inode, O_WRONLY))) return false;
    if (from->inode->pipe) return __tamar_pipe_available(from->inode) != 0;
    return S_ISREG(from->inode->mode) && !from->inode->stream;
}

static long move(struct file *from, struct file *to, size_t size, bool may_wait) {
    long total = 0;
    do {
        long n = move_part(from, to, size - (size_t)total, may_wait && !total);
        if (n <= 0) return total ? total : n;
        total += n;
    } while ((size_t)total < size && moves_on(from, to));
    return total;
}

static long check_splice(const struct file *from, const long *from_offset, const struct file *to,
                         const long *to_offset) {
    if (!from || !to) return -EBADF;
    if ((is_pipe(from) && from_offset) || (is_pipe(to) && to_offset)) return -ESPIPE;
    if (!__tamar_may_read(from) || !__tamar_may_write(to)) return -EBADF;
    if (!is_pipe(from) && !is_pipe(to)) return -EINVAL;
    if (from->inode->pipe && from->inode->pipe == to->inode->pipe) return -EINVAL;
    if ((from_offset && !__tamar_is_seekable(from->inode)) || (to_offset && !__tamar_is_seekable(to->inode)))
        return -EINVAL;
    if ((from_offset && *from_offset < 0) || (to_offset && *to_offset < 0)) return -EINVAL;
    if (!is_pipe(to) && (to->flags & O_APPEND)) return -EINVAL;
    return S_ISDIR(from->inode->mode) || S_ISDIR(to->inode->mode) ? -EINVAL : 0;
}

long __tamar_sys_splice(long in, long in_offset, long out, long out_offset, long size, long flags) {
    struct file *from = __tamar_file((int)in), *to = __tamar_file((int)out);
    long *from_offset = POINTER(in_offset), *to_offset = POINTER(out_offset);
    if (!size) return 0;
    if (flags & ~(long)ALL_FLAGS) return -EINVAL;
    long error = check_splice(from, from_offset, to, to_offset);
    if (error) return error;
    unsigned long old_from = from->offset, old_to = to->offset;
    if (from_offset) from->offset = (unsigned long)*from_offset;
    if (to_offset) to->offset = (unsigned long)*to_offset;
    long n = move(from, to, size < 0 ? LONG_MAX : (size_t)size, !(flags & NONBLOCK));
    if (from_offset) *from_offset = (long)from->offset, from->offset = old_from;
    if (to_offset) *to_offset = (long)to->offset, to->offset = old_to;
    return n;
}

long __tamar_sys_tee(long in, long out, long size, long flags) {
    struct file *from = __tamar_file((int)in), *to = __tamar_file((int)out);
    bool may_wait = !(flags & NONBLOCK);
    if (flags & ~(long)ALL_FLAGS) return -EINVAL;
    if (!size) return 0;
    if (!from || !to || !__tamar_may_read(from) || !__tamar_may_write(to)) return -EBADF;
    if (!is_pipe(from) || !is_pipe(to)) return -EINVAL;
    if (!from->inode->pipe) {
        __tamar_not_modelled("tee from a standard stream, whose bytes cannot be read twice");
        return -EINVAL;
    }
    if (from->inode->pipe == to->inode->pipe) return -EINVAL;
    long there = __tamar_pipe_wait_data(from, may_wait);
    if (there <= 0) return there;
    long room = to->inode->pipe ? __tamar_pipe_wait_room(to, may_wait) : there;
    if (room < 0) return room;
    size_t most = (size_t)(there < room ? there : room), done = 0;
    if (size > 0 && (size_t)size < most) most = (size_t)size;
    while (done < most) {
        char buffer[PART];
        size_t part = most - done < sizeof buffer ? most - done : sizeof buffer;
        part = __tamar_pipe_peek(from->inode, done, buffer, part);
        long written = __tamar_file_write(to, buffer, part);
        if (written <= 0) return done ? (long)done : written;
        done += (size_t)written;
    }
    return (long)done;
}

long __tamar_sys_vmsplice(long descriptor, long parts, long count, long flags) {
    struct file *file = __tamar_file((int)descriptor);
    if (flags & ~(long)ALL_FLAGS) return -EINVAL;
    if (!file || !is_pipe(file)) return -EBADF;
    int old = file->flags;
    if (flags & NONBLOCK) file->flags |= O_NONBLOCK;
    long n = __tamar_may_write(file) ? __tamar_sys_writev(descriptor, parts, count)
                                     : __tamar_sys_readv(descriptor, parts, count);
    file->flags = old;
    return n;
}
