// Inodes: attributes, and the content of regular files.
#include "runtime/linux/linux.h"

#include <unistd.h>

void __tamar_touch(struct inode *inode, bool access, bool modify, bool change) {
    unsigned long now = __tamar_time();
    struct timespec time = {(time_t)(now / 1000000000), (long)(now % 1000000000)};
    if (access) inode->access_time = time;
    if (modify) inode->modify_time = time;
    if (change) inode->change_time = time;
}

struct inode *__tamar_inode_new(unsigned int mode, unsigned long device_number) {
    struct inode *inode = __tamar_new(sizeof *inode);
    if (!inode) return NULL;
    inode->number = KERNEL->next_inode++;
    inode->device_number = device_number;
    inode->mode = mode;
    inode->uid = PROCESS->euid;
    inode->gid = PROCESS->egid;
    __tamar_touch(inode, true, true, true);
    return inode;
}

struct inode *__tamar_inode_from_host(const char *host_path, const struct __tamar_host_stat *host) {
    bool shared = host->links > 1 && S_ISREG(host->mode);
    if (shared)
        for (struct inode *i = KERNEL->linked_inodes; i; i = i->next_linked)
            if (i->number == host->inode && i->device_number == host->device) return i;
    struct inode *inode = __tamar_inode_new(host->mode, host->device);
    if (!inode) return NULL;
    inode->number = host->inode;
    inode->special_device = host->special_device;
    inode->uid = host->uid;
    inode->gid = host->gid;
    inode->links = (unsigned int)host->links;
    inode->size = host->size;
    inode->is_terminal = (int)host->is_terminal;
    inode->access_time = (struct timespec){host->access_time[0], host->access_time[1]};
    inode->modify_time = (struct timespec){host->modify_time[0], host->modify_time[1]};
    inode->change_time = (struct timespec){host->change_time[0], host->change_time[1]};
    inode->host = __tamar_copy_text(host_path);
    if (shared) {
        inode->next_linked = KERNEL->linked_inodes;
        KERNEL->linked_inodes = inode;
    }
    return inode;
}

void __tamar_inode_drop(struct inode *inode) {
    if (inode->links || inode->open_count) return;
    for (struct inode **p = &KERNEL->linked_inodes; *p; p = &(*p)->next_linked)
        if (*p == inode) {
            *p = inode->next_linked;
            break;
        }
    if (inode->socket) __tamar_socket_closed(inode);
    if (inode->special) __tamar_special_closed(inode);
    __tamar_delete(inode->data);
    __tamar_delete(inode->host);
    __tamar_delete(inode->name);
    __tamar_delete(inode->pipe);
    for (struct entry *entry = inode->entries, *next; entry; entry = next) {
        next = entry->next;
        __tamar_delete(entry);
    }
    __tamar_delete(inode);
}

static long reserve(struct inode *inode, size_t size) {
    if (size <= inode->capacity) return 0;
    if (size > MAX_FILE_SIZE) {
        __tamar_gave_up("a file larger than 256 MB");
        return -ENOSPC;
    }
    size_t capacity = inode->capacity ? inode->capacity : 256;
    while (capacity < size) capacity *= 2;
    unsigned char *data = __tamar_new(capacity);
    if (!data) return -ENOSPC;
    if (inode->data) {
        memcpy(data, inode->data, inode->size);
        __tamar_delete(inode->data);
    }
    inode->data = data;
    inode->capacity = capacity;
    return 0;
}

long __tamar_inode_load(struct inode *inode) {
    if (!inode->host) return 0;
    size_t size = inode->size, done = 0;
    if (size > MAX_FILE_SIZE) {
        __tamar_gave_up("a file larger than 256 MB");
        return -EFBIG;
    }
    inode->size = 0;
    long result = reserve(inode, size);
    while (result == 0 && done < size) {
        long n = __tamar_host_read_file(inode->host, inode->data + done, size - done, done);
        if (n < 0) result = n;
        if (n <= 0) break;
        done += (size_t)n;
    }
    inode->size = result < 0 ? size : done;
    if (result < 0) return result;
    __tamar_delete(inode->host);
    inode->host = NULL;
    return 0;
}

long __tamar_inode_read(struct inode *inode, void *buffer, size_t size, unsigned long offset) {
    __tamar_mappings_to_file(inode);
    if (size > SSIZE_MAX) size = SSIZE_MAX;
    if (inode->host) return __tamar_host_read_file(inode->host, buffer, size, offset);
    if (offset >= inode->size) return 0;
    if (size > inode->size - offset) size = inode->size - offset;
    memcpy(buffer, inode->data + offset, size);
    return (long)size;
}

long __tamar_inode_resize(struct inode *inode, unsigned long size) {
    if (size == 0 && inode->host) { // no content is needed
        __tamar_delete(inode->host);
        inode->host = NULL;
        inode->size = 0;
    }
    long result = __tamar_inode_load(inode);
    if (result == 0 && size > inode->size) result = reserve(inode, size);
    if (result < 0) return result;
    if (size < inode->size)
        memset(inode->data + size, 0, inode->size - size); // bytes past the end are always zero
    inode->size = size;
    __tamar_touch(inode, false, true, true);
    __tamar_file_to_mappings(inode);
    return 0;
}

long __tamar_inode_write(struct inode *inode, const void *buffer, size_t size, unsigned long offset) {
    if (size == 0) return 0;
    unsigned long end;
    if (size > SSIZE_MAX || __builtin_add_overflow(offset, size, &end)) return -EFBIG;
    long result = __tamar_inode_load(inode);
    if (result == 0) result = reserve(inode, end);
    if (result < 0) return result;
    __tamar_mappings_to_file(inode);
    memcpy(inode->data + offset, buffer, size);
    if (end > inode->size) inode->size = end;
    __tamar_touch(inode, false, true, true);
    __tamar_file_to_mappings(inode);
    return (long)size;
}

bool __tamar_owns(const struct inode *inode) {
    return PROCESS->euid == inode->uid || __tamar_capable(CAP_FOWNER);
}

bool __tamar_may(const struct inode *inode, int wanted) {
    if (__tamar_capable(CAP_DAC_OVERRIDE)) // root only needs some execute bit
        return !(wanted & X_OK) || S_ISDIR(inode->mode) || (inode->mode & 0111);
    int shift = inode->uid == PROCESS->euid ? 6 : __tamar_in_group(inode->gid) ? 3 : 0;
    return (wanted & ~(int)(inode->mode >> shift) & 7) == 0;
}
