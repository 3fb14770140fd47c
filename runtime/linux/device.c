// Devices, the host's standard streams, terminals, random numbers.
#include "runtime/linux/calls.h"
#include "runtime/linux/peer.h"

#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <termios.h>

// Fills in bytes that are the same in every run (splitmix64). With --sym-random the first bytes are symbolic.
void __tamar_random_bytes(void *buffer, size_t size) {
    unsigned char *out = buffer;
    size_t symbolic = (size_t)__tamar_host_value(__TAMAR_SYMBOLIC_RANDOM) - KERNEL->random_used;
    if (symbolic > size) symbolic = size;
    if (symbolic) __tamar_arrival(out, symbolic, "random");
    KERNEL->random_used += symbolic;
    out += symbolic;
    size -= symbolic;
    for (size_t i = 0; i < size; i++) {
        uint64_t x = KERNEL->random_state += 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        out[i] = (unsigned char)(x ^ (x >> 31));
    }
}

long __tamar_sys_getrandom(long buffer, long size, long flags) {
    if (flags & ~7l) return -EINVAL;
    if (size > 33554431) size = 33554431;
    __tamar_random_bytes(POINTER(buffer), (size_t)size);
    return size;
}

long __tamar_device_read(struct file *file, void *buffer, size_t size) {
    switch (file->inode->device) {
    case DEVICE_NULL: return 0;
    case DEVICE_ZERO:
    case DEVICE_FULL: memset(buffer, 0, size); return (long)size;
    case DEVICE_RANDOM: __tamar_random_bytes(buffer, size); return (long)size;
    default: return -EIO;
    }
}

long __tamar_device_write(struct file *file, const void *buffer, size_t size) {
    switch (file->inode->device) {
    case DEVICE_FULL: return -ENOSPC;
    case DEVICE_NULL:
    case DEVICE_ZERO:
    case DEVICE_RANDOM: return (long)size;
    default: return -EIO;
    }
}

long __tamar_stream_read(struct file *file, void *buffer, size_t size) {
    bool at_offset = S_ISREG(file->inode->mode);
    int stream = file->inode->stream - 1;
    char byte;
    bool bad = size && __tamar_is_bad((long)buffer); // at the end nothing is written, so no fault
    if (bad) buffer = &byte, size = 1;
    long n = __tamar_host_read(stream, buffer, size, at_offset ? (long)file->offset : -1);
    if (bad) return n > 0 ? -EFAULT : n;
    if (n > 0 && at_offset) file->offset += (unsigned long)n;
    return n;
}

long __tamar_stream_write(struct file *file, const void *buffer, size_t size) {
    long n = __tamar_host_write(file->inode->stream - 1, buffer, size);
    if (n == -EPIPE) __tamar_signal_send(SIGPIPE);
    return n;
}

static long terminal_ioctl(unsigned long request, void *argument) {
    switch (request) {
    case TIOCGWINSZ: *(struct winsize *)argument = (struct winsize){.ws_row = 24, .ws_col = 80}; return 0;
    case TCGETS: {
        struct termios *t = argument;
        memset(t, 0, 36); // the kernel's structure ends before musl's speeds
        t->c_iflag = ICRNL | IXON;
        t->c_oflag = OPOST | ONLCR;
        t->c_cflag = B38400 | CS8 | CREAD;
        t->c_lflag = ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE | IEXTEN;
        memcpy(t->c_cc, "\3\34\177\25\4\0\1\0\21\23\32\0\22\17\27\26", 16);
        return 0;
    }
    case TIOCSWINSZ:
    case TCSETS:
    case TCSETSW:
    case TCSETSF:
    case TCFLSH:
    case TIOCSPGRP: return 0;
    case TIOCGPGRP: *(int *)argument = (int)__tamar_sys_getpgrp(); return 0;
    default: return -ENOTTY;
    }
}

long __tamar_sys_ioctl(long descriptor, long request, long argument) {
    struct file *file = __tamar_file((int)descriptor);
    if (!file) return -EBADF;
    struct inode *inode = file->inode;
    switch ((unsigned)request) {
    case FIONBIO:
        file->flags = *(int *)POINTER(argument) ? file->flags | O_NONBLOCK : file->flags & ~O_NONBLOCK;
        return 0;
    case FIOCLEX: PROCESS->descriptors[descriptor].close_on_exec = 1; return 0;
    case FIONCLEX: PROCESS->descriptors[descriptor].close_on_exec = 0; return 0;
    case FIONREAD:
        if (inode->pipe)
            *(int *)POINTER(argument) = (int)__tamar_pipe_available(inode);
        else if (inode->socket)
            *(int *)POINTER(argument) = (int)__tamar_socket_available(inode);
        else if (S_ISREG(inode->mode))
            *(int *)POINTER(argument) = (int)(inode->size - file->offset);
        else
            return -ENOTTY;
        return 0;
    default:
        if (inode->socket) return __tamar_interface_ioctl((unsigned)request, POINTER(argument));
        return inode->is_terminal ? terminal_ioctl((unsigned)request, POINTER(argument)) : -ENOTTY;
    }
}

static void make(struct inode *directory, const char *name, enum device device, unsigned long number,
                 unsigned mode) {
    struct inode *inode = __tamar_inode_new(S_IFCHR | mode, directory->device_number);
    if (!inode) return;
    inode->device = device;
    inode->special_device = number;
    inode->uid = inode->gid = 0;
    __tamar_entry_add(directory, name, inode);
}

static struct inode *make_directory(struct inode *parent, const char *name) {
    struct inode *inode = __tamar_inode_new(S_IFDIR | 0755, 5);
    if (!inode) return NULL;
    inode->links = 1;
    inode->uid = inode->gid = 0;
    __tamar_entry_add(parent, name, inode);
    return inode;
}

// Creates /dev, which is modelled even if the host's files are visible: a program must not reach the host's devices.
void __tamar_devices_make(struct inode *root) {
    struct inode *dev = make_directory(root, "dev"), *fd = dev ? make_directory(dev, "fd") : NULL;
    if (!fd) return;
    make(dev, "null", DEVICE_NULL, makedev(1, 3), 0666);
    make(dev, "zero", DEVICE_ZERO, makedev(1, 5), 0666);
    make(dev, "full", DEVICE_FULL, makedev(1, 7), 0666);
    make(dev, "random", DEVICE_RANDOM, makedev(1, 8), 0666);
    make(dev, "urandom", DEVICE_RANDOM, makedev(1, 9), 0666);
    make(dev, "tty", DEVICE_TERMINAL, makedev(5, 0), 0666);
    static const char *const names[] = {"stdin", "stdout", "stderr"};
    for (unsigned i = 0; i < COUNT_OF(names); i++) make(dev, names[i], DEVICE_DESCRIPTOR, i, 0666);
    for (unsigned i = 0; i < 10; i++) make(fd, (char[]){(char)('0' + i), 0}, DEVICE_DESCRIPTOR, i, 0666);
}
