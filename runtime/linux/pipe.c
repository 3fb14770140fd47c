// Pipes and named pipes: a ring of bytes.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <poll.h>

enum { PIPE_SIZE = 65536, PIPE_ATOMIC = 4096 };

struct pipe {
    unsigned int readers, writers;
    unsigned int opened_readers, opened_writers; // number of opens so far
    size_t start, count;
    unsigned char bytes[PIPE_SIZE];
};

struct pipe *__tamar_pipe_new(void) { return __tamar_new(sizeof(struct pipe)); }

void __tamar_pipe_opened(struct inode *inode, int flags) {
    int mode = flags & O_ACCMODE;
    inode->pipe->readers += mode != O_WRONLY;
    inode->pipe->opened_readers += mode != O_WRONLY;
    inode->pipe->opened_writers += mode != O_RDONLY;
    inode->pipe->writers += mode != O_RDONLY;
    __tamar_changed();
}

void __tamar_pipe_closed(struct inode *inode, int flags) {
    int mode = flags & O_ACCMODE;
    inode->pipe->readers -= mode != O_WRONLY;
    inode->pipe->writers -= mode != O_RDONLY;
    __tamar_changed();
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

// Waits until the other side of a named pipe is opened.
long __tamar_pipe_wait_open(struct file *file) {
    struct pipe *pipe = file->inode->pipe;
    int mode = file->flags & O_ACCMODE;
    if (mode == O_RDWR || (mode == O_RDONLY && (file->flags & O_NONBLOCK))) return 0;
    const unsigned int *others = mode == O_RDONLY ? &pipe->opened_writers : &pipe->opened_readers;
    unsigned int before = *others;
    while (!(mode == O_RDONLY ? pipe->writers : pipe->readers) && *others == before) {
        if (file->flags & O_NONBLOCK) return -ENXIO;
        long error = __tamar_wait(0, WAIT_RESTART, "opening a named pipe whose other end is never opened");
        if (error) return error;
    }
    return 0;
}

static void take(struct inode *inode, unsigned char *out, size_t size) {
    struct pipe *pipe = inode->pipe;
    size_t first = size < PIPE_SIZE - pipe->start ? size : PIPE_SIZE - pipe->start;
    memcpy(out, pipe->bytes + pipe->start, first);
    memcpy(out + first, pipe->bytes, size - first);
    pipe->start = (pipe->start + size) % PIPE_SIZE;
    pipe->count -= size;
    inode->activity++;
    __tamar_changed();
}

static void put(struct inode *inode, const unsigned char *in, size_t size) {
    struct pipe *pipe = inode->pipe;
    size_t end = (pipe->start + pipe->count) % PIPE_SIZE;
    size_t first = size < PIPE_SIZE - end ? size : PIPE_SIZE - end;
    memcpy(pipe->bytes + end, in, first);
    memcpy(pipe->bytes, in + first, size - first);
    pipe->count += size;
    inode->activity++;
    __tamar_changed();
}

long __tamar_pipe_wait_data(struct file *file, bool may_wait) {
    struct pipe *pipe = file->inode->pipe;
    while (!pipe->count) {
        if (!pipe->writers) return 0;
        if (!may_wait || (file->flags & O_NONBLOCK)) return -EAGAIN;
        long error = __tamar_wait(0, WAIT_RESTART, "reading from a pipe that is never filled");
        if (error) return error;
    }
    return (long)pipe->count;
}

long __tamar_pipe_wait_room(struct file *file, bool may_wait) {
    struct pipe *pipe = file->inode->pipe;
    for (;;) {
        if (!pipe->readers) {
            __tamar_signal_send(SIGPIPE);
            return -EPIPE;
        }
        if (pipe->count < PIPE_SIZE) return (long)(PIPE_SIZE - pipe->count);
        if (!may_wait || (file->flags & O_NONBLOCK)) return -EAGAIN;
        long error = __tamar_wait(0, WAIT_RESTART, "writing to a full pipe that is never emptied");
        if (error) return error;
    }
}

size_t __tamar_pipe_peek(const struct inode *inode, size_t offset, void *buffer, size_t size) {
    const struct pipe *pipe = inode->pipe;
    unsigned char *out = buffer;
    size_t left = offset < pipe->count ? pipe->count - offset : 0;
    if (size > left) size = left;
    for (size_t i = 0; i < size; i++) out[i] = pipe->bytes[(pipe->start + offset + i) % PIPE_SIZE];
    return size;
}

long __tamar_pipe_read(struct file *file, void *buffer, size_t size) {
    if (!size) return 0;
    long available = __tamar_pipe_wait_data(file, true);
    if (available <= 0) return available;
    if (size > (size_t)available) size = (size_t)available;
    take(file->inode, buffer, size);
    return (long)size;
}

// Small writes are atomic; a larger one that may wait is split.
long __tamar_pipe_write(struct file *file, const void *buffer, size_t size) {
    struct pipe *pipe = file->inode->pipe;
    size_t done = 0;
    if (!size) return 0;
    do {
        if (!pipe->readers) {
            if (done) return (long)done;
            __tamar_signal_send(SIGPIPE);
            return -EPIPE;
        }
        size_t room = PIPE_SIZE - pipe->count, left = size - done;
        if (size <= PIPE_ATOMIC && room < left) room = 0;
        size_t piece = left < room ? left : room;
        if (piece) {
            put(file->inode, (const unsigned char *)buffer + done, piece);
            done += piece;
        } else if (left) {
            if (file->flags & O_NONBLOCK) return done ? (long)done : -EAGAIN;
            long error = __tamar_wait(0, WAIT_RESTART, "writing to a full pipe that is never emptied");
            if (error) return done ? (long)done : error;
        }
    } while (done < size);
    return (long)done;
}

long __tamar_sys_pipe2(long result, long flags) {
    int *ends = POINTER(result), kept = (int)flags & (O_NONBLOCK | O_DIRECT),
        close_on_exec = (flags & O_CLOEXEC) != 0;
    if (flags & ~(long)(O_NONBLOCK | O_CLOEXEC | O_DIRECT)) return -EINVAL;
    struct inode *inode = __tamar_inode_new(S_IFIFO | 0600, 12);
    if (!inode || !(inode->pipe = __tamar_pipe_new())) return -ENFILE;
    inode->open_count = 1; // until both ends exist
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
