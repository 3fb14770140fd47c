// The host's files, read-only, and the standard streams.
//   TAMAR_START_TIME=SECONDS      start of the clock (default: the VM's fixed time)
//   TAMAR_TEST=FOLDER             a test: its files replace the host's
//   TAMAR_STREAMS=1               the standard streams are a test's; their attributes and the umask are those of the VM
//   TAMAR_SOCKETS="0 8 4 4"       least and most bytes of each connection from outside
//   TAMAR_FAILURES, TAMAR_SHORT_READS, TAMAR_SYMBOLIC_RANDOM=N   as the options of `tamar run`
//   TAMAR_PEERS=FILE              the peers' script, in the format of boundary.h
//   TAMAR_SAVE_FILES=DIRECTORY    files that the program wrote are saved there at its end
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);

long __tamar_host_read(int fd, void *buffer, size_t size, long offset) {
    return offset < 0 ? RAW3(SYS_read, fd, buffer, size) : RAW4(SYS_pread64, fd, buffer, size, offset);
}

long __tamar_host_write(int fd, const void *buffer, size_t size) { return RAW3(SYS_write, fd, buffer, size); }

// ---- a test's files: TAMAR_TEST/files has the files that replace the host's, by their path
// below the directory in which the program starts; other files are below the folder "%2F".
// Names are encoded as by the writer of tests: '%' and the folders "." and ".." as %XX.

static char *copy(char *p, char *end, const char *text) {
    while (*text && p < end) *p++ = *text++;
    return p;
}

static char *copy_path(char *p, char *end, const char *path) {
    while (*path == '/') path++;
    for (const char *start = path; *path && p < end; path++) {
        if (*path == '/') start = path + 1;
        int dot = *path == '.' && (path == start || (path == start + 1 && *start == '.')) &&
                  (path[1] == '/' || !path[1] || (path[1] == '.' && (path[2] == '/' || !path[2])));
        p = copy(p, end, *path == '%' ? "%25" : dot ? "%2E" : (char[]){*path, 0});
    }
    return p;
}

// Returns the path of the test's version of this file or folder, or NULL. `buffer` has PATH_MAX bytes.
static const char *replacement(const char *path, char *buffer) {
    static char directory[PATH_MAX];
    const char *test = __tamar_native_variable("TAMAR_TEST");
    if (!test || path[0] != '/') return NULL;
    if (!directory[0]) __tamar_host_directory(directory, sizeof directory);
    char *end = buffer + PATH_MAX - 1, *files = copy(copy(buffer, end, test), end, "/files/"), *p;
    size_t length = 0;
    while (directory[length] && directory[length] == path[length]) length++;
    if (!directory[length] && (!path[length] || path[length] == '/' || length == 1)) {
        p = copy_path(files, end, path + length);
        *p = 0;
        if (RAW3(SYS_access, buffer, 0, 0) == 0) return buffer;
    }
    p = copy_path(copy(files, end, "%2F/"), end, path);
    *p = 0;
    return RAW3(SYS_access, buffer, 0, 0) == 0 ? buffer : NULL;
}

// Fills in the attributes that the VM gives a symbolic file, or a folder that leads to one.
static void describe_replacement(const struct stat *st, unsigned long number,
                                 struct __tamar_host_stat *result) {
    int folder = S_ISDIR(st->st_mode);
    unsigned long size = folder ? 0 : (unsigned long)st->st_size;
    *result = (struct __tamar_host_stat){.device = 1,
                                         .inode = number,
                                         .links = folder ? 2 : 1,
                                         .mode = folder ? S_IFDIR | 0755 : S_IFREG | 0644,
                                         .block_size = 4096,
                                         .size = size,
                                         .blocks = (size + 511) / 512};
}

static void convert(const struct stat *st, struct __tamar_host_stat *result) {
    *result = (struct __tamar_host_stat){
        .device = st->st_dev,
        .inode = st->st_ino,
        .links = st->st_nlink,
        .mode = st->st_mode,
        .uid = st->st_uid,
        .gid = st->st_gid,
        .special_device = st->st_rdev,
        .size = (unsigned long)st->st_size,
        .block_size = (unsigned long)st->st_blksize,
        .blocks = (unsigned long)st->st_blocks,
        .access_time = {st->st_atim.tv_sec, st->st_atim.tv_nsec},
        .modify_time = {st->st_mtim.tv_sec, st->st_mtim.tv_nsec},
        .change_time = {st->st_ctim.tv_sec, st->st_ctim.tv_nsec},
    };
}

// Whether the path is in TAMAR_HIDDEN: paths that do not exist for the program, each followed by a newline.
static int is_hidden(const char *path) {
    const char *list = __tamar_native_variable("TAMAR_HIDDEN");
    while (list && *list) {
        size_t length = 0;
        while (path[length] && list[length] == path[length]) length++;
        if (!path[length] && list[length] == '\n') return 1;
        while (*list && *list++ != '\n') {}
    }
    return 0;
}

static int is_hidden_in(const char *directory, const char *name) {
    char path[PATH_MAX], *end = path + PATH_MAX - 1;
    *copy(copy(copy(path, end, directory[1] ? directory : ""), end, "/"), end, name) = 0;
    return is_hidden(path);
}

long __tamar_host_stat(const char *path, int follow, struct __tamar_host_stat *result) {
    struct stat st;
    struct winsize size;
    if (path[0] == 'f' && path[1] == 'd' && path[2] == ':') {
        int fd = path[3] - '0';
        long error = RAW3(SYS_fstat, fd, &st, 0);
        if (error < 0) return error;
        if (__tamar_native_variable("TAMAR_STREAMS")) {
            describe_replacement(&st, (unsigned long)fd + 1, result);
            if (fd > 0) result->mode = S_IFIFO | 0600, result->size = result->blocks = 0;
            return 0;
        }
        convert(&st, result);
        result->is_terminal = RAW3(SYS_ioctl, fd, TIOCGWINSZ, &size) == 0;
        return 0;
    }
    char buffer[PATH_MAX];
    struct stat own;
    const char *other = replacement(path, buffer);
    if (other && RAW4(SYS_newfstatat, AT_FDCWD, other, &own, 0) != 0) other = NULL;
    long error = is_hidden(path) || (other && !S_ISDIR(own.st_mode))
                     ? -ENOENT
                     : RAW4(SYS_newfstatat, AT_FDCWD, path, &st, follow ? 0 : AT_SYMLINK_NOFOLLOW);
    if (error == 0) {
        convert(&st, result); // a folder of the host keeps its attributes
    } else if (other) {
        describe_replacement(&own, __tamar_path_number(path), result);
        error = 0;
    }
    return error;
}

static int compare(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

// The last file stays open, because reads come in sequences.
long __tamar_host_read_file(const char *path, void *buffer, size_t size, unsigned long offset) {
    static char last_path[PATH_MAX];
    static long last = -1;
    size_t length = 0;
    char buffer_path[PATH_MAX];
    const char *other = replacement(path, buffer_path);
    if (other) path = other;
    if (!compare(path, __TAMAR_PEERS_FILE)) path = __tamar_native_variable("TAMAR_PEERS");
    while (path[length] && path[length] == last_path[length]) length++;
    if (last < 0 || path[length] != last_path[length]) {
        if (last >= 0) RAW3(SYS_close, last, 0, 0);
        last = RAW3(SYS_open, path, O_RDONLY | O_CLOEXEC, 0);
        if (last < 0) return last;
        // A high number, because the program may see its own numbers in messages of the kernel.
        long high = RAW3(SYS_fcntl, last, F_DUPFD_CLOEXEC, 900);
        if (high >= 0) {
            RAW3(SYS_close, last, 0, 0);
            last = high;
        }
        for (length = 0; path[length] && length < PATH_MAX - 1; length++) last_path[length] = path[length];
        last_path[length] = 0;
    }
    return RAW4(SYS_pread64, last, buffer, size, offset);
}

long __tamar_host_read_link(const char *path, char *buffer, size_t size) {
    return RAW3(SYS_readlink, path, buffer, size);
}

// A directory is read as a whole and sorted once; the next
// query is mostly for the next entry of the same one.
struct listing {
    char path[PATH_MAX];
    char names[1 << 20];
    unsigned int offsets[1 << 16];
    unsigned long count;
    int valid;
};
static struct listing listing;

static void sift(unsigned long root, unsigned long end) {
    unsigned int *at = listing.offsets;
    for (unsigned long child; (child = 2 * root + 1) < end; root = child) {
        if (child + 1 < end && compare(listing.names + at[child], listing.names + at[child + 1]) < 0) child++;
        if (compare(listing.names + at[root], listing.names + at[child]) >= 0) return;
        unsigned int swap = at[root];
        at[root] = at[child], at[child] = swap;
    }
}

static void sort_listing(void) {
    unsigned int *at = listing.offsets;
    for (unsigned long i = listing.count / 2; i--;) sift(i, listing.count);
    for (unsigned long end = listing.count; end-- > 1;) {
        unsigned int swap = at[0];
        at[0] = at[end], at[end] = swap;
        sift(0, end);
    }
}

// Decodes %XX, as encoded by the writer of tests.
static size_t decode_name(char *to, const char *name) {
    size_t n = 0;
    for (; *name; name++) {
        if (name[0] != '%' || !name[1] || !name[2]) {
            to[n++] = *name;
            continue;
        }
        to[n++] = (char)((name[1] - '0') * 16 + (name[2] <= '9' ? name[2] - '0' : name[2] - 'A' + 10));
        name += 2;
    }
    to[n] = 0;
    return n;
}

// Adds the names in the folder `path`. The program sees it as `shown`; if that differs, `path` is a folder of the
// test, whose names are decoded.
static long add_names(const char *path, const char *shown, size_t *used) {
    char buffer[4096] __attribute__((aligned(8)));
    long fd = RAW3(SYS_open, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), n;
    if (fd < 0) return fd;
    while ((n = RAW3(SYS_getdents64, fd, buffer, sizeof buffer)) > 0)
        for (long at = 0; at < n; at += *(unsigned short *)(buffer + at + 16)) {
            const char *name = buffer + at + 19;
            if (name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]))) continue;
            size_t length = 0;
            while (name[length]) length++;
            if (*used + length + 1 > sizeof listing.names || listing.count == 1 << 16) break;
            char *to = listing.names + *used;
            if (path == shown)
                memcpy(to, name, length + 1);
            else if (name[0] == '%' && name[1] == '2' && name[2] == 'F') // other folders
                continue;
            else
                length = decode_name(to, name);
            if (path == shown && is_hidden_in(shown, to)) continue;
            listing.offsets[listing.count++] = (unsigned)*used;
            *used += length + 1;
        }
    RAW3(SYS_close, fd, 0, 0);
    return n;
}

static void drop_repeated(void) {
    unsigned long kept = 0;
    for (unsigned long i = 0; i < listing.count; i++)
        if (!kept || compare(listing.names + listing.offsets[kept - 1], listing.names + listing.offsets[i]))
            listing.offsets[kept++] = listing.offsets[i];
    listing.count = kept;
}

// Lists the names that the host and the test have in the folder.
static long read_listing(const char *path) {
    char buffer[PATH_MAX];
    size_t used = 0;
    listing.count = 0;
    long error = add_names(path, path, &used);
    if (replacement(path, buffer) && add_names(buffer, path, &used) >= 0) error = 0;
    sort_listing();
    drop_repeated();
    return error;
}

long __tamar_host_list(const char *path, unsigned long index, char *name, size_t size) {
    if (!listing.valid || compare(path, listing.path)) {
        listing.valid = 0;
        long error = read_listing(path);
        if (error < 0) return error;
        size_t i = 0;
        for (; path[i] && i < PATH_MAX - 1; i++) listing.path[i] = path[i];
        listing.path[i] = 0;
        listing.valid = 1;
    }
    if (index >= listing.count) return 0;
    const char *found = listing.names + listing.offsets[index];
    size_t length = 0;
    while (found[length]) length++;
    if (length + 1 > size) return -ENAMETOOLONG;
    memcpy(name, found, length + 1);
    return (long)length;
}

long __tamar_host_candidate(const char *path, unsigned long index, char *name, size_t size) { return 0; }

static long number(const char *text, long otherwise) {
    long value = 0;
    if (!text || !*text) return otherwise;
    for (; *text >= '0' && *text <= '9'; text++) value = value * 10 + (*text - '0');
    return value;
}

// Returns number `index` of a list separated by spaces; the list's length if index is -1.
static long number_in(const char *list, int index) {
    long count = 0;
    for (; list && *list; count++) {
        if (count == index) return number(list, 0);
        while (*list >= '0' && *list <= '9') list++;
        while (*list == ' ') list++;
    }
    return index < 0 ? count : 0;
}

static long peers_size(void) {
    struct stat st;
    const char *path = __tamar_native_variable("TAMAR_PEERS");
    return path && RAW4(SYS_newfstatat, AT_FDCWD, path, &st, 0) == 0 ? st.st_size : 0;
}

long __tamar_host_value(int which) {
    const char *sockets = __tamar_native_variable("TAMAR_SOCKETS");
    if (which >= __TAMAR_SOCKET_SIZES) return number_in(sockets, which - __TAMAR_SOCKET_SIZES);
    switch (which) {
    case __TAMAR_UID: return RAW3(SYS_getuid, 0, 0, 0);
    case __TAMAR_GID: return RAW3(SYS_getgid, 0, 0, 0);
    case __TAMAR_UMASK: {
        if (__tamar_native_variable("TAMAR_STREAMS")) return 022; // as in the VM
        long mask = RAW3(SYS_umask, 0, 0, 0);
        RAW3(SYS_umask, mask, 0, 0);
        return mask;
    }
    case __TAMAR_START_TIME: return number(__tamar_native_variable("TAMAR_START_TIME"), 1700000000);
    case __TAMAR_MAX_STACK: return 8 << 20;
    case __TAMAR_HOST_FILES: return 1;
    case __TAMAR_UNMODELLED_ERRORS: return number(__tamar_native_variable("TAMAR_UNMODELLED_ERRORS"), 0);
    case __TAMAR_INPUT_SIZE: return number(__tamar_native_variable("TAMAR_INPUT_SIZE"), 0);
    case __TAMAR_SOCKETS: return number_in(sockets, -1) / 2;
    case __TAMAR_FAILURES: return number(__tamar_native_variable("TAMAR_FAILURES"), 0);
    case __TAMAR_SHORT_READS: return number(__tamar_native_variable("TAMAR_SHORT_READS"), 0);
    case __TAMAR_SYMBOLIC_RANDOM: return number(__tamar_native_variable("TAMAR_SYMBOLIC_RANDOM"), 0);
    case __TAMAR_PEERS: return peers_size();
    default: return 0;
    }
}

long __tamar_host_directory(char *buffer, size_t size) {
    long length = RAW3(SYS_getcwd, buffer, size, 0);
    return length > 0 ? length - 1 : length;
}

int __tamar_wants_files(void) { return __tamar_native_variable("TAMAR_SAVE_FILES") != NULL; }

static void make_parents(char *path) {
    for (char *p = path + 1; *p; p++)
        if (*p == '/') {
            *p = 0;
            RAW3(SYS_mkdir, path, 0777, 0);
            *p = '/';
        }
}

void __tamar_save_file(const char *path, int kind, unsigned int mode, const void *content, size_t size) {
    char target[2 * PATH_MAX], *p = target;
    for (const char *from = __tamar_native_variable("TAMAR_SAVE_FILES"); *from;) *p++ = *from++;
    for (const char *from = path; *from && p < target + sizeof target - 1;) *p++ = *from++;
    *p = 0;
    make_parents(target);
    if (kind == __TAMAR_SAVED_DIRECTORY) {
        RAW3(SYS_mkdir, target, mode, 0);
    } else if (kind == __TAMAR_SAVED_LINK) {
        char text[PATH_MAX];
        if (size >= sizeof text) return;
        memcpy(text, content, size);
        text[size] = 0;
        RAW3(SYS_symlink, text, target, 0);
    } else if (kind == __TAMAR_SAVED_FILE) {
        long fd = RAW3(SYS_open, target, O_WRONLY | O_CREAT | O_TRUNC, mode);
        const char *at = content;
        while (fd >= 0 && size) {
            long n = RAW3(SYS_write, fd, at, size);
            if (n <= 0) break;
            at += n, size -= (size_t)n;
        }
        if (fd >= 0) RAW3(SYS_close, fd, 0, 0);
    } else if (kind == __TAMAR_SAVED_PIPE) {
        RAW3(SYS_mknod, target, S_IFIFO | mode, 0);
    } else if (kind == __TAMAR_SAVED_TIME) {
        long both[4];
        memcpy(both, content, sizeof both / 2);
        memcpy(both + 2, content, sizeof both / 2);
        RAW4(SYS_utimensat, AT_FDCWD, target, both, 0);
    }
}
