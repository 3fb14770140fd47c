// Pipes and named pipes: a ring of bytes. With one process, waiting for the other end is waiting for a
// signal.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <poll.h>

enum { PIPE_SIZE = 65536, PIPE_ATOMIC = 4096 };

struct pipe {
    unsigned int readers, writers;
    size_t start, count;
    unsigned char bytes[PIPE_SIZE];
};

struct pipe *__tamar_pipe_new(void) { return __tamar_new(sizeof(struct pipe)); }

void __tamar_pipe_opened(struct inode *inode, int flags) {
    int mode = flags & O_ACCMODE;
    inode->pipe->readers += mode != O_WRONLY;
    inode->pipe->writers += mode != O_RDONLY;
}

void __tamar_pipe_closed(struct inode *inode, int flags) {
    int mode = flags & O_ACCMODE;
    inode->pipe->readers -= mode != O_WRONLY;
    inode->pipe->writers -= mode != O_RDONLY;
}

unsigned long __tamar_pipe_available(const struct inode *inode) { return inode->pipe->count; }

int __tamar_pipe_events(const struct inode *inode, int flags) {
    const struct pipe *pipe = inode->pipe;
    int events = 0;
    if ((flags & O_ACCMODE) != O_WRONLY) {
        if (pipe->count) events |= POLLIN | POLLRDNORM;
        if (!pipe->writers) events |= POLLHUP;
    }
    if ((flags & O_ACCMODE) != O_RDONLY) {
        if (!pipe->readers)
            events |= POLLERR | POLLOUT | POLLWRNORM;
        else if (PIPE_SIZE - pipe->count >= PIPE_ATOMIC)
            events |= POLLOUT | POLLWRNORM;
    }
    return events;
}

long __tamar_pipe_read(struct file *file, void *buffer, size_t size) {
    struct pipe *pipe = file->inode->pipe;
    unsigned char *out = buffer;
    if (!size) return 0;
    if (!pipe->count) {
        if (!pipe->writers) return 0;
        if (file->flags & O_NONBLOCK) return -EAGAIN;
        return __tamar_wait_until(0, "reading from a pipe that nobody fills");
    }
    if (size > pipe->count) size = pipe->count;
    size_t first = size < PIPE_SIZE - pipe->start ? size : PIPE_SIZE - pipe->start;
    memcpy(out, pipe->bytes + pipe->start, first);
    memcpy(out + first, pipe->bytes, size - first);
    pipe->start = (pipe->start + size) % PIPE_SIZE;
    pipe->count -= size;
    return (long)size;
}

long __tamar_pipe_write(struct file *file, const void *buffer, size_t size) {
    struct pipe *pipe = file->inode->pipe;
    const unsigned char *in = buffer;
    if (!pipe->readers) {
        __tamar_signal_send(SIGPIPE);
        return -EPIPE;
    }
    size_t room = PIPE_SIZE - pipe->count;
    bool too_small = size <= PIPE_ATOMIC ? room < size : !room; // small writes are all or nothing
    if (size && too_small) {
        if (file->flags & O_NONBLOCK) return -EAGAIN;
        return __tamar_wait_until(0, "writing to a full pipe that nobody empties");
    }
    if (size > room && !(file->flags & O_NONBLOCK))
        return __tamar_wait_until(0, "writing more to a pipe than it holds");
    if (size > room) size = room;
    size_t end = (pipe->start + pipe->count) % PIPE_SIZE;
    size_t first = size < PIPE_SIZE - end ? size : PIPE_SIZE - end;
    memcpy(pipe->bytes + end, in, first);
    memcpy(pipe->bytes, in + first, size - first);
    pipe->count += size;
    return (long)size;
}

long __tamar_sys_pipe2(long result, long flags) {
    int *ends = POINTER(result), kept = (int)flags & (O_NONBLOCK | O_DIRECT),
        close_on_exec = (flags & O_CLOEXEC) != 0;
    if (flags & ~(long)(O_NONBLOCK | O_CLOEXEC | O_DIRECT)) return -EINVAL;
    struct inode *inode = __tamar_inode_new(S_IFIFO | 0600, 12);
    if (!inode || !(inode->pipe = __tamar_pipe_new())) return -ENFILE;
    inode->open_count = 1; // until both ends are there
    struct file *reader = __tamar_file_new(inode, O_RDONLY | kept),
                *writer = __tamar_file_new(inode, O_WRONLY | kept);
    inode->open_count--;
    if (!reader || !writer) return -ENFILE;
    long first = __tamar_descriptor_new(reader, 0, close_on_exec);
    long second = first < 0 ? first : __tamar_descriptor_new(writer, 0, close_on_exec);
    if (second < 0) {
        if (first >= 0) __tamar_close((int)first);
        return second;
    }
    ends[0] = (int)first, ends[1] = (int)second;
    return 0;
}
long __tamar_sys_pipe(long result) { return __tamar_sys_pipe2(result, 0); }
