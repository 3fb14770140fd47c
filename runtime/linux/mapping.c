// mmap and related calls. Private mappings are copies; a shared mapping of a file
// is a copy that is synchronized with it whenever a system call accesses either.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <sys/mman.h>

#define PAGE 4096ul

struct mapping { // a mapping of one process
    struct mapping *next;
    struct area *area;
};

static size_t overlap(const struct area *area) {
    size_t size = area->inode->size;
    if (size <= area->offset) return 0;
    size -= area->offset;
    return size < area->size ? size : area->size;
}

void __tamar_mappings_to_file(struct inode *inode) {
    for (struct area *area = KERNEL->areas; area; area = area->next)
        if (area->inode == inode && area->writable && overlap(area))
            memcpy(inode->data + area->offset, area->at, overlap(area));
}

void __tamar_file_to_mappings(struct inode *inode) {
    for (struct area *area = KERNEL->areas; area; area = area->next)
        if (area->inode == inode && overlap(area))
            memcpy(area->at, inode->data + area->offset, overlap(area));
}

static bool map_area(struct process *process, struct area *area) {
    struct mapping *mapping = __tamar_new(sizeof *mapping);
    if (!mapping) return false;
    *mapping = (struct mapping){process->mappings, area};
    process->mappings = mapping;
    area->users++;
    return true;
}

static bool add_area(struct area new) {
    struct area *area = __tamar_new(sizeof *area);
    if (!area) return false;
    *area = new;
    area->next = KERNEL->areas;
    KERNEL->areas = area;
    if (area->inode) area->inode->open_count++;
    return map_area(PROCESS, area);
}

static void release_area(struct area *area) {
    if (--area->users) return;
    for (struct area **p = &KERNEL->areas; *p; p = &(*p)->next)
        if (*p == area) {
            *p = area->next;
            break;
        }
    __tamar_unmap(area->at, (area->size + PAGE - 1) & ~(PAGE - 1));
    if (area->inode) {
        area->inode->open_count--;
        __tamar_inode_drop(area->inode);
    }
    __tamar_delete(area);
}

bool __tamar_mappings_copy(struct process *to) {
    for (struct mapping *m = PROCESS->mappings; m; m = m->next)
        if (!map_area(to, m->area)) return false;
    return true;
}

static void drop_mapping(struct mapping **link) {
    struct mapping *mapping = *link;
    if (mapping->area->inode) __tamar_mappings_to_file(mapping->area->inode);
    *link = mapping->next;
    struct segment *segment = mapping->area->segment;
    release_area(mapping->area);
    __tamar_delete(mapping);
    if (segment) __tamar_segment_detached(segment);
}

void __tamar_mappings_drop(void) {
    while (PROCESS->mappings) drop_mapping(&PROCESS->mappings);
}

bool __tamar_is_shared(const void *address) {
    const unsigned char *at = address;
    for (struct mapping *m = PROCESS->mappings; m; m = m->next)
        if (at >= m->area->at && at < m->area->at + m->area->size) return true;
    return false;
}

struct area *__tamar_area_new(struct segment *segment, size_t size) {
    struct area *area = __tamar_new(sizeof *area);
    unsigned char *at = area ? __tamar_alloc((size + PAGE - 1) & ~(PAGE - 1), PAGE, __TAMAR_SHARED) : NULL;
    if (!at) return NULL;
    *area = (struct area){.next = KERNEL->areas, .at = at, .size = size, .users = 1, .segment = segment};
    return KERNEL->areas = area;
}

bool __tamar_area_attach(struct area *area) { return map_area(PROCESS, area); }
void __tamar_area_release(struct area *area) { release_area(area); }

bool __tamar_area_detach(const void *at) {
    for (struct mapping **p = &PROCESS->mappings; *p; p = &(*p)->next)
        if ((*p)->area->at == at && (*p)->area->segment) {
            drop_mapping(p);
            return true;
        }
    return false;
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
    if (error) return error;
    struct area area = {NULL, inode, at, size, (unsigned long)offset, (prot & PROT_WRITE) != 0, 0, NULL};
    if (!add_area(area)) return -ENOMEM;
    if (overlap(&area)) memcpy(at, inode->data + offset, overlap(&area));
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
        bool shared = (flags & MAP_TYPE) != MAP_PRIVATE;
        at = __tamar_alloc(size, PAGE, shared ? __TAMAR_SHARED : __TAMAR_MAPPED);
        error = at ? 0 : -ENOMEM;
        if (!error && shared && anonymous && !add_area((struct area){.at = at, .size = size}))
            error = -ENOMEM;
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
    bool shared = false; // pages that other processes still map stay
    for (struct mapping **p = &PROCESS->mappings; *p;) {
        const struct area *area = (*p)->area;
        bool overlaps = area->at < at + size && at < area->at + area->size;
        shared |= overlaps && area->users > 1;
        if (area->at >= at && area->at + area->size <= at + size)
            drop_mapping(p);
        else
            p = &(*p)->next;
    }
    return shared ? 0 : __tamar_unmap(at, size);
}

long __tamar_sys_mprotect(long address, long length, long prot) {
    if (address & (long)(PAGE - 1)) return -EINVAL;
    size_t size = ((size_t)length + PAGE - 1) & ~(PAGE - 1);
    return size ? __tamar_protect(POINTER(address), size, (int)prot) : 0;
}

// Moves the content of the old pages; the mapping of a file moves with it.
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
    unsigned char *to =
        __tamar_alloc(new_size, PAGE, __tamar_is_shared(from) ? __TAMAR_SHARED : __TAMAR_MAPPED);
    if (!to) return -ENOMEM;
    memcpy(to, from, old_size);
    for (struct area *area = KERNEL->areas; area; area = area->next)
        if (area->at == from) {
            area->at = to;
            area->size = (size_t)new_length;
            if (area->inode) __tamar_file_to_mappings(area->inode);
        }
    __tamar_unmap(from, old_size);
    return (long)to;
}

long __tamar_sys_msync(long address, long length, long flags) {
    unsigned char *at = POINTER(address);
    for (struct area *area = KERNEL->areas; area; area = area->next)
        if (area->inode && area->at < at + length && at < area->at + area->size)
            __tamar_mappings_to_file(area->inode);
    return 0;
}

long __tamar_sys_madvise(long address, long length, long advice) {
    if (address & (long)(PAGE - 1)) return -EINVAL;
    if (advice == MADV_DONTNEED) memset(POINTER(address), 0, (size_t)length);
    return 0;
}
long __tamar_sys_mlock(long address, long length) { return 0; }
long __tamar_sys_munlock(long address, long length) { return 0; }

// The break: an area of fixed size, created when a program first moves it. musl itself never does.
long __tamar_sys_brk(long wanted) {
    enum { AREA = 16 << 20 };
    static unsigned char *area, *current;
    if (!area) area = current = __tamar_alloc(AREA, PAGE, __TAMAR_MAPPED);
    unsigned char *end = POINTER(wanted);
    if (area && end >= area && end <= area + AREA) current = end;
    return (long)current;
}
