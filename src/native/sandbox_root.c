// The sandbox's file system. A tmpfs becomes the root; the host's folders are mounted into it, and the host's own
// root is then unmounted. READS, SHARES and COPIES are the views of enum sandbox_view (sandbox.h).
//
// READS and SHARES mount the host's tree as it is. COPIES mounts an overlay over each folder: programs read the
// host's files and write to memory. An overlay has its own FIFOs and sockets, so that those of the host cannot be
// reached; through a read-only mount they could. An overlay cannot be mounted over a folder with mounts below it:
// such a folder is recreated, and its entries are mounted one by one.
#include "base/vec.h"
#include "native/sandbox_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif

// While the root is built: the host's root, the new root, and the upper folders of overlays.
#define HOST   "/host"
#define ROOT   "/new"
#define UPPER  "/upper"
#define PREFIX (sizeof ROOT - 1)

struct root {
    const struct sandbox *sandbox;
    vec(char *) mounts; // the host's mount points
    uint32_t overlays;
};

static bool set_attributes(const char *path, unsigned flags, uint64_t set) {
    struct mount_attr attributes = {.attr_set = set};
    return syscall(SYS_mount_setattr, AT_FDCWD, path, flags, &attributes, sizeof attributes) == 0;
}

static void join(char to[PATH_MAX], const char *folder, const char *path) {
    if (snprintf(to, PATH_MAX, "%s%s", folder, path) >= PATH_MAX) to[0] = 0; // a path that does not exist
}

// ---- the host's mounts

// Decodes octal escapes (spaces and others) of a mount point in /proc/self/mountinfo.
static char *unescape(const char *from) {
    char *to = mem_strdup(from), *at = to;
    for (; *from; from++) {
        if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] && from[3]) {
            *at++ = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
            from += 3;
        } else {
            *at++ = *from;
        }
    }
    *at = 0;
    return to;
}

static bool list_mounts(struct root *root) {
    FILE *file = fopen("/proc/self/mountinfo", "re");
    char *line = NULL;
    size_t room = 0;
    while (file && getline(&line, &room, file) >= 0) {
        char point[PATH_MAX];
        if (sscanf(line, "%*s %*s %*s %*s %4095s", point) == 1) vec_push(&root->mounts, unescape(point));
    }
    free(line);
    if (!file) return false;
    fclose(file);
    return true;
}

static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return !strncmp(path, folder, length) && path[length] == '/';
}

static bool has_mounts_below(const struct root *root, const char *path) {
    vec_each (char *, point, &root->mounts)
        if (is_below(*point, path)) return true;
    return false;
}

// ---- folders

// Escapes commas, colons and backslashes, which separate the options of an overlay.
static void add_option(struct text *options, const char *name, const char *path) {
    text_add(options, "%s%s=", options->count ? "," : "", name);
    for (; *path; path++) text_add(options, strchr(",:\\", *path) ? "\\%c" : "%c", *path);
}

static void copy_attributes(const char *to, const struct stat *like) {
    int ignored = chown(to, like->st_uid, like->st_gid); // fails for users unknown in the sandbox
    (void)ignored;
    chmod(to, like->st_mode & 07777);
    const struct timespec times[] = {like->st_atim, like->st_mtim};
    utimensat(AT_FDCWD, to, times, 0);
}

static bool is_hidden(const struct sandbox *sandbox, const char *path) {
    for (const char *const *hidden = sandbox->hidden; hidden && *hidden; hidden++)
        if (!strcmp(*hidden, path)) return true;
    return false;
}

// Creates the parent folders of `path`, which lies below the host's folder `of`, in the overlay's upper folder.
// Returns false if the host does not have them.
static bool make_above(const char *upper, const char *of, const char *path, char above[PATH_MAX]) {
    char host[PATH_MAX];
    struct stat st;
    size_t start = strlen(of) + 1, base = strlen(upper) + 1;
    if (snprintf(above, PATH_MAX, "%s/%s", upper, path + start) >= PATH_MAX) return false;
    for (char *slash = strchr(above + base, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (snprintf(host, sizeof host, HOST "%s/%s", of, above + base) >= PATH_MAX ||
            lstat(host, &st) != 0 || !S_ISDIR(st.st_mode))
            return false;
        if (mkdir(above, 0700) == 0) copy_attributes(above, &st);
        *slash = '/';
    }
    return true;
}

// Prepares an overlay's upper folder. A character device 0/0 in it hides a file. An overlay cannot write to a folder
// of a user or group unknown in the sandbox, such as a /tmp of root: the folder in which the program starts is
// created beforehand.
static void prepare_upper(const struct sandbox *sandbox, const char *upper, const char *folder) {
    char above[PATH_MAX], entry[PATH_MAX];
    for (const char *const *hidden = sandbox->hidden; hidden && *hidden; hidden++)
        if (is_below(*hidden, folder) && make_above(upper, folder, *hidden, above)) {
            int ignored = mknod(above, S_IFCHR, makedev(0, 0));
            (void)ignored;
        }
    for (uint32_t i = 0; i < sandbox->file_count; i++)
        if (is_below(sandbox->files[i].path, folder))
            make_above(upper, folder, sandbox->files[i].path, above);
    join(entry, sandbox->directory, "/.");
    if (is_below(sandbox->directory, folder)) make_above(upper, folder, entry, above);
}

static bool mount_overlay(struct root *root, const char *path, const char *target, const struct stat *like) {
    char upper[64], work[64];
    snprintf(upper, sizeof upper, UPPER "/%u", root->overlays);
    snprintf(work, sizeof work, UPPER "/%u.work", root->overlays++);
    if (mkdir(upper, 0700) != 0 || mkdir(work, 0700) != 0) return false;
    prepare_upper(root->sandbox, upper, path);
    copy_attributes(upper, like);
    char host[PATH_MAX];
    join(host, HOST, path);
    struct text options = {0};
    add_option(&options, "lowerdir", host);
    add_option(&options, "upperdir", upper);
    add_option(&options, "workdir", work);
    size_t length = options.count;
    text_add(&options, ",userxattr");
    bool good = mount("overlay", target, "overlay", MS_NOSUID | MS_NODEV, options.at) == 0;
    if (!good) { // Linux before 5.11
        options.at[length] = 0;
        good = mount("overlay", target, "overlay", MS_NOSUID | MS_NODEV, options.at) == 0;
    }
    text_free(&options);
    return good;
}

// Mounts the host's folder or file as it is, with all mounts below it.
static bool mount_bound(const char *host, const char *target, uint64_t attributes) {
    return mount(host, target, NULL, MS_BIND | MS_REC, NULL) == 0 &&
           set_attributes(target, AT_RECURSIVE, attributes);
}

static bool bind_file(const char *host, const char *target) {
    int fd = open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
    return fd >= 0 && mount_bound(host, target, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
}

static bool is_special(const char *path) {
    return !strcmp(path, "/proc") || !strcmp(path, "/dev") || !strcmp(path, "/sys");
}

static void copy_folder(struct root *root, const char *path);

// Mounts one entry of a folder that is recreated. Failures are ignored: only the folder in which the program starts is
// required, and sandbox_enter_root checks it at the end.
static void copy_entry(struct root *root, const char *path) {
    char host[PATH_MAX], target[PATH_MAX], link[PATH_MAX];
    struct stat st;
    join(host, HOST, path);
    join(target, ROOT, path);
    if (lstat(host, &st) != 0 || is_special(path) || is_hidden(root->sandbox, path)) return;
    if (S_ISLNK(st.st_mode)) {
        ssize_t length = readlink(host, link, sizeof link - 1);
        if (length > 0) {
            link[length] = 0;
            int ignored = symlink(link, target);
            (void)ignored;
        }
    } else if (S_ISREG(st.st_mode)) {
        bind_file(host, target);
    } else if (S_ISDIR(st.st_mode) && mkdir(target, 0700) == 0) {
        copy_attributes(target, &st);
        if (has_mounts_below(root, path))
            copy_folder(root, path);
        else if (!mount_overlay(root, path, target, &st))
            chmod(target, 0);
    }
}

static void copy_folder(struct root *root, const char *path) {
    char host[PATH_MAX], entry_path[PATH_MAX];
    join(host, HOST, path);
    DIR *folder = opendir(host);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        if (snprintf(entry_path, sizeof entry_path, "%s/%s", path, entry->d_name) < PATH_MAX)
            copy_entry(root, entry_path);
    }
    if (folder) closedir(folder);
}

// ---- proc, dev, sys

static bool make_devices(void) {
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                          "/dev/urandom"};
    static const char *const links[][2] = {{"/proc/self/fd", ROOT "/dev/fd"},
                                           {"/proc/self/fd/0", ROOT "/dev/stdin"},
                                           {"/proc/self/fd/1", ROOT "/dev/stdout"},
                                           {"/proc/self/fd/2", ROOT "/dev/stderr"}};
    bool good = mount("tmpfs", ROOT "/dev", "tmpfs", MS_NOSUID, "mode=755,size=1m") == 0;
    for (unsigned i = 0; good && i < COUNT(devices); i++) {
        char host[64], target[64];
        snprintf(host, sizeof host, HOST "%s", devices[i]);
        snprintf(target, sizeof target, ROOT "%s", devices[i]);
        int fd = open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (fd >= 0) close(fd);
        good = fd >= 0 && mount(host, target, NULL, MS_BIND, NULL) == 0;
    }
    for (unsigned i = 0; good && i < COUNT(links); i++) good = symlink(links[i][0], links[i][1]) == 0;
    return good && mkdir(ROOT "/dev/shm", 0700) == 0 &&
           mount("tmpfs", ROOT "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV,
                 "mode=1777,size=256m,nr_inodes=10000") == 0;
}

// Allows every port in the sandbox's own network without a capability.
static void free_ports(void) {
    int fd = open(ROOT "/proc/sys/net/ipv4/ip_unprivileged_port_start", O_WRONLY | O_CLOEXEC);
    ssize_t ignored = fd < 0 ? 0 : write(fd, "0", 1);
    (void)ignored;
    if (fd >= 0) close(fd);
}

static bool make_special(const struct root *root) {
    bool shares = root->sandbox->view == SANDBOX_SHARES;
    mkdir(ROOT "/proc", 0555);
    mkdir(ROOT "/dev", 0755);
    mkdir(ROOT "/sys", 0555);
    // Root owns the kernel's settings below /proc/sys even without capabilities.
    unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    if (mount("proc", ROOT "/proc", "proc", flags, NULL) != 0) return false;
    if (!shares) free_ports();
    if (!set_attributes(ROOT "/proc", 0, MOUNT_ATTR_RDONLY)) return false;
    if (root->sandbox->view == SANDBOX_COPIES) {
        uint64_t attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
        bool ignored = mount_bound(HOST "/sys", ROOT "/sys", attributes); // programs work without it
        (void)ignored;
    }
    return shares || make_devices();
}

// ---- options of the caller

static bool share_folders(const struct sandbox *sandbox) {
    char host[PATH_MAX], target[PATH_MAX];
    for (const char *const *path = sandbox->writable; path && *path; path++) {
        join(host, HOST, *path);
        join(target, ROOT, *path);
        if (!mount_bound(host, target, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)) return false;
    }
    return true;
}

// Called in the new root, where the host's links lead to private copies only.
static bool place_file(const struct sandbox_file *file) {
    char path[PATH_MAX];
    join(path, file->path, "");
    if (!path[0]) return false;
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0755);
        *slash = '/';
    }
    unlink(path); // a FIFO of that name must not be opened
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    const char *at = file->bytes;
    size_t left = file->size;
    while (fd >= 0 && left) {
        ssize_t n = write(fd, at, left);
        if (n <= 0) break;
        at += n;
        left -= (size_t)n;
    }
    if (fd >= 0) close(fd);
    return fd >= 0 && !left;
}

static const char *prepare_files(const struct sandbox *sandbox) {
    if (sandbox->view != SANDBOX_COPIES) return NULL;
    for (uint32_t i = 0; i < sandbox->file_count; i++)
        if (!place_file(&sandbox->files[i])) return "placing the files of the test";
    return NULL;
}

// ---- the root

// Creates a root in memory, with the host's root below HOST.
static const char *leave_host(void) {
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return "private mounts";
    if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m") != 0)
        return "a file system in memory";
    if (mkdir("/tmp" HOST, 0755) != 0 || mkdir("/tmp" ROOT, 0755) != 0 || mkdir("/tmp" UPPER, 0755) != 0 ||
        chdir("/tmp") != 0 || syscall(SYS_pivot_root, "/tmp", "/tmp" HOST) != 0 || chdir("/") != 0)
        return "a root of its own";
    return NULL;
}

static const char *enter(void) {
    int old = open("/", O_DIRECTORY | O_PATH | O_CLOEXEC);
    bool good = umount2(HOST, MNT_DETACH) == 0 && chdir(ROOT) == 0 &&
                syscall(SYS_pivot_root, ".", ".") == 0 && fchdir(old) == 0 && umount2(".", MNT_DETACH) == 0 &&
                chdir("/") == 0;
    if (old >= 0) close(old);
    return good ? NULL : "a root of its own";
}

static const char *fill(struct root *root) {
    bool copies = root->sandbox->view == SANDBOX_COPIES;
    uint64_t attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
    if (root->sandbox->view == SANDBOX_READS) attributes |= MOUNT_ATTR_NODEV;
    char size[64];
    snprintf(size, sizeof size, "mode=755,size=%llu,nr_inodes=%u", (unsigned long long)PRIVATE_FILES,
             MOST_FILES);
    if (copies) {
        if (mount("tmpfs", UPPER, "tmpfs", MS_NOSUID | MS_NODEV, size) != 0 ||
            mount("tmpfs", ROOT, "tmpfs", MS_NOSUID | MS_NODEV, size) != 0)
            return "a file system in memory";
        copy_folder(root, "");
    } else if (!mount_bound(HOST, ROOT, attributes)) {
        return "a read-only view of the files";
    }
    if (!make_special(root)) return "a /proc and /dev of its own";
    if (!share_folders(root->sandbox)) return "sharing a folder";
    return NULL;
}

const char *sandbox_enter_root(const struct sandbox *sandbox) {
    struct root root = {.sandbox = sandbox};
    if (!list_mounts(&root)) return "the list of mounts";
    mode_t mask = umask(0);
    const char *failed = leave_host();
    if (!failed) failed = fill(&root);
    if (!failed) failed = enter();
    umask(mask);
    if (!failed) failed = prepare_files(sandbox);
    vec_each (char *, point, &root.mounts) mem_free_string(*point);
    vec_free(&root.mounts);
    if (!failed && sandbox->directory && access(sandbox->directory, X_OK) != 0)
        failed = "an overlay over the folder in which the program starts";
    return failed;
}

const char *sandbox_enter_empty_root(void) {
    const char *failed = leave_host();
    if (!failed && mount("tmpfs", ROOT, "tmpfs", MS_NOSUID | MS_NODEV | MS_RDONLY, "mode=555,size=4k") != 0)
        failed = "a file system in memory";
    return failed ? failed : enter();
}
