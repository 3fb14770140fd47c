// File attributes: queries and changes.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

static unsigned long visible_size(const struct inode *inode) {
    if (S_ISDIR(inode->mode) && !inode->size) return 4096;
    return inode->pipe ? 0 : inode->size;
}

// musl's struct stat is the kernel's on x86-64.
static void fill(const struct inode *inode, struct stat *result) {
    *result = (struct stat){
        .st_dev = inode->device_number,
        .st_ino = inode->number,
        .st_nlink = inode->pipe || inode->socket || inode->special ? 1 : inode->links,
        .st_mode = inode->mode,
        .st_uid = inode->uid,
        .st_gid = inode->gid,
        .st_rdev = inode->special_device,
        .st_size = (off_t)visible_size(inode),
        .st_blksize = 4096,
        .st_blocks = (blkcnt_t)((visible_size(inode) + 4095) / 4096 * 8),
        .st_atim = inode->access_time,
        .st_mtim = inode->modify_time,
        .st_ctim = inode->change_time,
    };
}

// Finds a path, or with AT_EMPTY_PATH and "" the descriptor itself.
static long find_at(int directory, const char *path, int flags, struct inode **inode) {
    bool follow = !(flags & AT_SYMLINK_NOFOLLOW);
    return __tamar_find(directory, path, (follow ? FOLLOW : 0) | (flags & AT_EMPTY_PATH ? EMPTY_PATH : 0),
                        inode);
}

static long stat_at(int directory, const char *path, int flags, struct stat *result) {
    struct inode *inode;
    long error = find_at(directory, path, flags, &inode);
    if (error < 0) return error;
    __tamar_mappings_to_file(inode);
    fill(inode, result);
    return 0;
}

long __tamar_sys_stat(long path, long result) { return stat_at(AT_FDCWD, POINTER(path), 0, POINTER(result)); }
long __tamar_sys_lstat(long path, long result) {
    return stat_at(AT_FDCWD, POINTER(path), AT_SYMLINK_NOFOLLOW, POINTER(result));
}
long __tamar_sys_fstat(long descriptor, long result) {
    struct file *file = __tamar_file((int)descriptor);
    if (!file) return -EBADF;
    fill(file->inode, POINTER(result));
    return 0;
}
long __tamar_sys_newfstatat(long directory, long path, long result, long flags) {
    return stat_at((int)directory, POINTER(path), (int)flags, POINTER(result));
}

struct kernel_statx_time {
    int64_t seconds;
    uint32_t nanoseconds;
    int32_t reserved;
};
struct kernel_statx { // <linux/stat.h>
    uint32_t mask, block_size;
    uint64_t attributes;
    uint32_t links, uid, gid;
    uint16_t mode, spare;
    uint64_t inode, size, blocks, attributes_mask;
    struct kernel_statx_time access, birth, change, modify;
    uint32_t special_major, special_minor, device_major, device_minor;
    uint64_t more[14];
};
_Static_assert(sizeof(struct kernel_statx) == 256, "the kernel's layout");

static struct kernel_statx_time statx_time(struct timespec time) {
    return (struct kernel_statx_time){time.tv_sec, (uint32_t)time.tv_nsec, 0};
}

long __tamar_sys_statx(long directory, long path, long flags, long mask, long result) {
    struct stat st;
    struct kernel_statx *out = POINTER(result);
    long error = stat_at((int)directory, POINTER(path), (int)flags, &st);
    if (error < 0) return error;
    memset(out, 0, sizeof *out);
    out->mask = 0x7ff; // STATX_BASIC_STATS
    out->block_size = (uint32_t)st.st_blksize;
    out->links = (uint32_t)st.st_nlink;
    out->uid = st.st_uid;
    out->gid = st.st_gid;
    out->mode = (uint16_t)st.st_mode;
    out->inode = st.st_ino;
    out->size = (uint64_t)st.st_size;
    out->blocks = (uint64_t)st.st_blocks;
    out->access = statx_time(st.st_atim);
    out->modify = statx_time(st.st_mtim);
    out->change = statx_time(st.st_ctim);
    out->device_major = major(st.st_dev);
    out->device_minor = minor(st.st_dev);
    out->special_major = major(st.st_rdev);
    out->special_minor = minor(st.st_rdev);
    return 0;
}

// access() checks the real user, unlike every other check.
static long access_at(int directory, const char *path, int wanted, int flags) {
    struct inode *inode;
    if (wanted & ~7) return -EINVAL;
    struct process *p = PROCESS;
    unsigned int euid = p->euid, egid = p->egid;
    uint64_t effective = p->effective;
    if (!(flags & AT_EACCESS)) {
        p->euid = p->uid, p->egid = p->gid;
        p->effective = p->uid ? 0 : p->permitted;
    }
    long error = find_at(directory, path, flags, &inode);
    if (error == 0 && !__tamar_may(inode, wanted)) error = -EACCES;
    p->euid = euid, p->egid = egid, p->effective = effective;
    return error;
}

long __tamar_sys_access(long path, long wanted) { return access_at(AT_FDCWD, POINTER(path), (int)wanted, 0); }
long __tamar_sys_faccessat(long directory, long path, long wanted) {
    return access_at((int)directory, POINTER(path), (int)wanted, 0);
}
long __tamar_sys_faccessat2(long directory, long path, long wanted, long flags) {
    return access_at((int)directory, POINTER(path), (int)wanted, (int)flags);
}

static long change_mode(struct inode *inode, long mode) {
    if (!__tamar_owns(inode)) return -EPERM;
    inode->mode = (inode->mode & S_IFMT) | ((unsigned)mode & 07777);
    __tamar_touch(inode, false, false, true);
    return 0;
}

static long chmod_at(int directory, long path, long mode) {
    struct inode *inode;
    long error = find_at(directory, POINTER(path), 0, &inode);
    return error < 0 ? error : change_mode(inode, mode);
}

long __tamar_sys_chmod(long path, long mode) { return chmod_at(AT_FDCWD, path, mode); }
long __tamar_sys_fchmodat(long directory, long path, long mode) {
    return chmod_at((int)directory, path, mode);
}
long __tamar_sys_fchmod(long descriptor, long mode) {
    struct file *file = __tamar_file((int)descriptor);
    return file ? change_mode(file->inode, mode) : -EBADF;
}

static long change_owner(struct inode *inode, long uid, long gid) {
    bool other_user = (int)uid != -1 && (unsigned)uid != inode->uid;
    bool other_group = (int)gid != -1 && (unsigned)gid != inode->gid && !__tamar_in_group((unsigned)gid);
    if (!__tamar_capable(CAP_CHOWN) && (inode->uid != PROCESS->euid || other_user || other_group))
        return -EPERM;
    if ((int)uid != -1) inode->uid = (unsigned)uid;
    if ((int)gid != -1) inode->gid = (unsigned)gid;
    if (S_ISREG(inode->mode) && (inode->mode & 0111)) inode->mode &= ~(unsigned)(S_ISUID | S_ISGID);
    __tamar_touch(inode, false, false, true);
    return 0;
}

static long chown_at(int directory, long path, long uid, long gid, int flags) {
    struct inode *inode;
    long error = find_at(directory, POINTER(path), flags, &inode);
    return error < 0 ? error : change_owner(inode, uid, gid);
}

long __tamar_sys_chown(long path, long uid, long gid) { return chown_at(AT_FDCWD, path, uid, gid, 0); }
long __tamar_sys_lchown(long path, long uid, long gid) {
    return chown_at(AT_FDCWD, path, uid, gid, AT_SYMLINK_NOFOLLOW);
}
long __tamar_sys_fchownat(long directory, long path, long uid, long gid, long flags) {
    return chown_at((int)directory, path, uid, gid, (int)flags);
}
long __tamar_sys_fchown(long descriptor, long uid, long gid) {
    struct file *file = __tamar_file((int)descriptor);
    return file ? change_owner(file->inode, uid, gid) : -EBADF;
}

static long set_times(struct inode *inode, const struct timespec *times) {
    bool now = !times || (times[0].tv_nsec == UTIME_NOW && times[1].tv_nsec == UTIME_NOW);
    if (!__tamar_owns(inode) && !(now && __tamar_may(inode, W_OK))) return now ? -EACCES : -EPERM;
    if (!times) {
        __tamar_touch(inode, true, true, true);
        return 0;
    }
    struct timespec *fields[] = {&inode->access_time, &inode->modify_time};
    for (int i = 0; i < 2; i++) {
        if (times[i].tv_nsec == UTIME_OMIT) continue;
        if (times[i].tv_nsec == UTIME_NOW)
            __tamar_touch(inode, i == 0, i == 1, false);
        else if (times[i].tv_nsec < 0 || times[i].tv_nsec > 999999999)
            return -EINVAL;
        else
            *fields[i] = times[i];
    }
    __tamar_touch(inode, false, false, true);
    return 0;
}

long __tamar_sys_utimensat(long directory, long path, long times, long flags) {
    struct inode *inode;
    if (!path) { // futimens
        struct file *file = __tamar_file((int)directory);
        return file ? set_times(file->inode, POINTER(times)) : -EBADF;
    }
    long error = find_at((int)directory, POINTER(path), (int)flags, &inode);
    return error < 0 ? error : set_times(inode, POINTER(times));
}

static long set_micro_times(int directory, long path, const struct timeval *times) {
    struct inode *inode;
    long error = find_at(directory, POINTER(path), 0, &inode);
    if (error < 0) return error;
    if (!times) return set_times(inode, NULL);
    struct timespec fine[2];
    for (int i = 0; i < 2; i++) {
        if (times[i].tv_usec < 0 || times[i].tv_usec > 999999) return -EINVAL;
        fine[i] = (struct timespec){times[i].tv_sec, times[i].tv_usec * 1000};
    }
    return set_times(inode, fine);
}

long __tamar_sys_utimes(long path, long times) { return set_micro_times(AT_FDCWD, path, POINTER(times)); }
long __tamar_sys_futimesat(long directory, long path, long times) {
    return set_micro_times((int)directory, path, POINTER(times));
}
long __tamar_sys_utime(long path, long times) {
    const struct utimbuf *coarse = POINTER(times);
    if (!coarse) return set_micro_times(AT_FDCWD, path, NULL);
    return set_micro_times(AT_FDCWD, path, (struct timeval[]){{coarse->actime, 0}, {coarse->modtime, 0}});
}

static void fill_statfs(struct statfs *result) {
    *result = (struct statfs){.f_type = 0x01021994, // TMPFS_MAGIC
                              .f_bsize = 4096,
                              .f_frsize = 4096,
                              .f_blocks = 1 << 20,
                              .f_bfree = 1 << 19,
                              .f_bavail = 1 << 19,
                              .f_files = 1 << 20,
                              .f_ffree = 1 << 19,
                              .f_namelen = NAME_MAX};
}

long __tamar_sys_statfs(long path, long result) {
    struct inode *inode;
    long error = find_at(AT_FDCWD, POINTER(path), 0, &inode);
    if (error == 0) fill_statfs(POINTER(result));
    return error;
}
long __tamar_sys_fstatfs(long descriptor, long result) {
    if (!__tamar_file((int)descriptor)) return -EBADF;
    fill_statfs(POINTER(result));
    return 0;
}

long __tamar_sys_umask(long mask) {
    unsigned int old = PROCESS->umask;
    PROCESS->umask = (unsigned)mask & 0777;
    return old;
}

static long read_link(int directory, const char *path, char *buffer, long size) {
    struct inode *inode;
    if (size <= 0) return -EINVAL;
    long error = __tamar_find(directory, path, EMPTY_PATH, &inode);
    if (error < 0) return error;
    if (!S_ISLNK(inode->mode)) return -EINVAL;
    long length = (long)inode->size < size ? (long)inode->size : size;
    memcpy(buffer, inode->data, (size_t)length);
    return length;
}

long __tamar_sys_readlink(long path, long buffer, long size) {
    return *(const char *)POINTER(path) ? read_link(AT_FDCWD, POINTER(path), POINTER(buffer), size) : -ENOENT;
}
long __tamar_sys_readlinkat(long directory, long path, long buffer, long size) {
    return read_link((int)directory, POINTER(path), POINTER(buffer), size);
}
