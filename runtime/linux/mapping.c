// mmap and its kin. Private mappings are copies; a shared mapping of a file is a copy that is kept in step
// with it whenever either is looked at through a system call.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <sys/mman.h>

#define PAGE 4096ul

struct mapping {
    struct mapping *next;
    struct inode *inode;
    unsigned char *at;
    size_t size;
    unsigned long offset;
    bool writable;
};
static struct mapping *mappings;

static size_t overlap(const struct mapping *mapping) {
    size_t size = mapping->inode->size;
    if (size <= mapping->offset) return 0;
    size -= mapping->offset;
    return size < mapping->size ? size : mapping->size;
}

void __tamar_mappings_to_file(struct inode *inode) {
    for (struct mapping *m = mappings; m; m = m->next)
        if (m->inode == inode && m->writable && overlap(m))
            memcpy(inode->data + m->offset, m->at, overlap(m));
}

void __tamar_file_to_mappings(struct inode *inode) {
    for (struct mapping *m = mappings; m; m = m->next)
        if (m->inode == inode && overlap(m)) memcpy(m->at, inode->data + m->offset, overlap(m));
}

static long map_file(struct file *file, unsigned char *at, size_t size, long prot, long flags, long offset) {
    struct inode *inode = file->inode;
    bool shared = (flags & MAP_TYPE) != MAP_PRIVATE;
    if (!shared || !S_ISREG(inode->mode)) {
        size_t done = 0;
        while (done < size) {
            long n = __tamar_inode_read(inode, at + done, size - done, (unsigned long)offset + done);
            if (n <= 0) return n;
            done += (size_t)n;
        }
        return 0;
    }
    long error = __tamar_inode_load(inode);
    struct mapping *mapping = error ? NULL : __tamar_new(sizeof *mapping);
    if (!mapping) return error ? error : -ENOMEM;
    *mapping = (struct mapping){mappings, inode, at, size, (unsigned long)offset, (prot & PROT_WRITE) != 0};
    mappings = mapping;
    inode->open_count++;
    if (overlap(mapping)) memcpy(at, inode->data + offset, overlap(mapping));
    return 0;
}

static long check_file(const struct file *file, long prot, long flags) {
    if (!file) return -EBADF;
    if (file->inode->device == DEVICE_ZERO) return 0;
    if (!S_ISREG(file->inode->mode) || file->inode->stream) return -ENODEV;
    if ((file->flags & O_ACCMODE) == O_WRONLY) return -EACCES;
    bool shared = (flags & MAP_TYPE) != MAP_PRIVATE;
    if (shared && (prot & PROT_WRITE) && (file->flags & O_ACCMODE) != O_RDWR) return -EACCES;
    return 0;
}

long __tamar_sys_mmap(long address, long length, long prot, long flags, long descriptor, long offset) {
    bool anonymous = (flags & MAP_ANONYMOUS) != 0;
    struct file *file = anonymous ? NULL : __tamar_file((int)descriptor);
    if (length <= 0 || (offset & (long)(PAGE - 1)) || !(flags & MAP_TYPE))
        return length > 0 || !length ? -EINVAL : -ENOMEM;
    long error = anonymous ? 0 : check_file(file, prot, flags);
    if (error < 0) return error;
    size_t size = ((size_t)length + PAGE - 1) & ~(PAGE - 1);
    unsigned char *at;
    if (flags & MAP_FIXED) {
        if (address & (long)(PAGE - 1)) return -EINVAL;
        at = POINTER(address);
        error = __tamar_map_fixed(at, size);
    } else {
        at = __tamar_alloc(size, PAGE, __TAMAR_MAPPED);
        error = at ? 0 : -ENOMEM;
    }
    if (error == 0 && file && file->inode->device != DEVICE_ZERO)
        error = map_file(file, at, (size_t)length, prot, flags, offset);
    if (error == 0 && prot != (PROT_READ | PROT_WRITE)) error = __tamar_protect(at, size, (int)prot);
    return error < 0 ? error : (long)at;
}

long __tamar_sys_munmap(long address, long length) {
    unsigned char *at = POINTER(address);
    if ((address & (long)(PAGE - 1)) || length <= 0) return -EINVAL;
    size_t size = ((size_t)length + PAGE - 1) & ~(PAGE - 1);
    for (struct mapping **p = &mappings; *p;) {
        struct mapping *m = *p;
        if (m->at >= at && m->at + m->size <= at + size) {
            __tamar_mappings_to_file(m->inode);
            m->inode->open_count--;
            __tamar_inode_drop(m->inode);
            *p = m->next;
            __tamar_delete(m);
        } else {
            p = &m->next;
        }
    }
    return __tamar_unmap(at, size);
}

long __tamar_sys_mprotect(long address, long length, long prot) {
    if (address & (long)(PAGE - 1)) return -EINVAL;
    size_t size = ((size_t)length + PAGE - 1) & ~(PAGE - 1);
    return size ? __tamar_protect(POINTER(address), size, (int)prot) : 0;
}

// The old pages' content moves; the mapping of a file moves with it.
long __tamar_sys_mremap(long address, long old_length, long new_length, long flags, long new_address) {
    if ((address & (long)(PAGE - 1)) || old_length <= 0 || new_length <= 0) return -EINVAL;
    size_t old_size = ((size_t)old_length + PAGE - 1) & ~(PAGE - 1);
    size_t new_size = ((size_t)new_length + PAGE - 1) & ~(PAGE - 1);
    unsigned char *from = POINTER(address);
    if (new_size <= old_size && !(flags & MREMAP_FIXED)) {
        if (new_size < old_size) __tamar_unmap(from + new_size, old_size - new_size);
        return address;
    }
    if (!(flags & MREMAP_MAYMOVE)) return -ENOMEM;
    if (flags & MREMAP_FIXED) {
        __tamar_not_modelled("mremap to a fixed address");
        return -EINVAL;
    }
    unsigned char *to = __tamar_alloc(new_size, PAGE, __TAMAR_MAPPED);
    if (!to) return -ENOMEM;
    memcpy(to, from, old_size);
    for (struct mapping *m = mappings; m; m = m->next)
        if (m->at == from) {
            m->at = to;
            m->size = (size_t)new_length;
            __tamar_file_to_mappings(m->inode);
        }
    __tamar_unmap(from, old_size);
    return (long)to;
}

long __tamar_sys_msync(long address, long length, long flags) {
    unsigned char *at = POINTER(address);
    for (struct mapping *m = mappings; m; m = m->next)
        if (m->at < at + length && at < m->at + m->size) __tamar_mappings_to_file(m->inode);
    return 0;
}

long __tamar_sys_madvise(long address, long length, long advice) {
    if (address & (long)(PAGE - 1)) return -EINVAL;
    if (advice == MADV_DONTNEED) memset(POINTER(address), 0, (size_t)length);
    return 0;
}
long __tamar_sys_mlock(long address, long length) { return 0; }
long __tamar_sys_munlock(long address, long length) { return 0; }

// The break: an area of fixed size, made when somebody first asks to move it. musl itself never does.
long __tamar_sys_brk(long wanted) {
    enum { AREA = 16 << 20 };
    static unsigned char *area, *current;
    if (!area) area = current = __tamar_alloc(AREA, PAGE, __TAMAR_MAPPED);
    unsigned char *end = POINTER(wanted);
    if (area && end >= area && end <= area + AREA) current = end;
    return (long)current;
}
