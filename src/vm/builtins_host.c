// Intrinsics of the runtime: the host, read-only. Results below zero are negated error numbers.
#include "vm/vm_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Reads at most a megabyte at a time: a program may ask for more than there is.
#define MOST (1u << 20)

static enum step finish(struct call *call, int64_t result) {
    call->result = (uint64_t)result;
    return STEP_NEXT;
}

// Gives `size` bytes to the program's buffer, and their number as the result.
static enum step give(struct vm *vm, struct call *call, uint64_t to, const void *bytes, int64_t size) {
    enum step step = size > 0 ? write_bytes(vm, to, bytes, (uint64_t)size) : STEP_NEXT;
    return step == STEP_NEXT ? finish(call, size) : step;
}

static enum step host_read(struct vm *vm, struct call *call) {
    const struct vm_host *host = &vm->options.host;
    if (!host->read) return finish(call, 0);
    uint64_t size = MIN(call->arguments[2], MOST);
    void *buffer = mem_alloc(size);
    int64_t got =
        host->read(host->context, (int)call->arguments[0], buffer, size, (int64_t)call->arguments[3]);
    enum step step = give(vm, call, call->arguments[1], buffer, got);
    mem_free(buffer, size);
    return step;
}

static enum step host_write(struct vm *vm, struct call *call) {
    const struct vm_host *host = &vm->options.host;
    uint64_t size = MIN(call->arguments[2], MOST);
    void *buffer = mem_alloc(size);
    enum step step = read_bytes(vm, call->arguments[1], buffer, size);
    if (step == STEP_NEXT)
        finish(call, host->write ? host->write(host->context, (int)call->arguments[0], buffer, size)
                                 : (int64_t)size);
    mem_free(buffer, size);
    return step;
}

// As runtime/intrinsics.h lays it out.
struct host_stat {
    uint64_t device, inode, links;
    uint32_t mode, uid, gid, is_terminal;
    uint64_t special_device, size, block_size, blocks;
    int64_t access_time[2], modify_time[2], change_time[2];
};

static enum step host_stat(struct vm *vm, struct call *call) {
    struct text path = {0};
    struct stat st;
    enum step step = read_string(vm, call->arguments[0], &path);
    if (step == STEP_NEXT) {
        int failed = -1, fd = -1;
        errno = ENOENT;
        if (path.at && sscanf(path.at, "fd:%d", &fd) == 1 && fd >= 0 && fd <= 2)
            failed = fstat(fd, &st);
        else if (path.at && vm->options.host.host_files)
            failed = call->arguments[1] ? stat(path.at, &st) : lstat(path.at, &st);
        if (failed) {
            finish(call, -errno);
        } else {
            struct host_stat result = {.device = st.st_dev,
                                       .inode = st.st_ino,
                                       .links = st.st_nlink,
                                       .mode = st.st_mode,
                                       .uid = st.st_uid,
                                       .gid = st.st_gid,
                                       .is_terminal = fd >= 0 && isatty(fd),
                                       .special_device = st.st_rdev,
                                       .size = (uint64_t)st.st_size,
                                       .block_size = (uint64_t)st.st_blksize,
                                       .blocks = (uint64_t)st.st_blocks,
                                       .access_time = {st.st_atim.tv_sec, st.st_atim.tv_nsec},
                                       .modify_time = {st.st_mtim.tv_sec, st.st_mtim.tv_nsec},
                                       .change_time = {st.st_ctim.tv_sec, st.st_ctim.tv_nsec}};
            step = write_bytes(vm, call->arguments[2], &result, sizeof result);
        }
    }
    text_free(&path);
    return step;
}

static enum step host_read_file(struct vm *vm, struct call *call) {
    struct text path = {0};
    enum step step = read_string(vm, call->arguments[0], &path);
    if (step == STEP_NEXT) {
        int64_t got = -ENOENT;
        uint64_t size = MIN(call->arguments[2], MOST);
        void *buffer = mem_alloc(size);
        int fd =
            path.at && vm->options.host.host_files ? open(path.at, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
        if (fd >= 0) {
            got = pread(fd, buffer, size, (off_t)call->arguments[3]);
            if (got < 0) got = -errno;
            close(fd);
        } else if (path.at && vm->options.host.host_files) {
            got = -errno;
        }
        step = give(vm, call, call->arguments[1], buffer, got);
        mem_free(buffer, size);
    }
    text_free(&path);
    return step;
}

static enum step host_read_link(struct vm *vm, struct call *call) {
    struct text path = {0};
    enum step step = read_string(vm, call->arguments[0], &path);
    if (step == STEP_NEXT) {
        char target[4096];
        int64_t length = -ENOENT;
        if (path.at && vm->options.host.host_files) {
            length = readlink(path.at, target, MIN(sizeof target, call->arguments[2]));
            if (length < 0) length = -errno;
        }
        step = give(vm, call, call->arguments[1], target, length);
    }
    text_free(&path);
    return step;
}

static int not_dots(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static enum step host_list(struct vm *vm, struct call *call) {
    struct text path = {0};
    enum step step = read_string(vm, call->arguments[0], &path);
    if (step == STEP_NEXT) {
        struct dirent **entries = NULL;
        errno = ENOENT;
        int count =
            path.at && vm->options.host.host_files ? scandir(path.at, &entries, not_dots, by_bytes) : -1;
        int64_t result = count < 0 ? -errno : 0;
        if (count >= 0 && call->arguments[1] < (uint64_t)count) {
            const char *name = entries[call->arguments[1]]->d_name;
            result = (int64_t)strlen(name);
            if ((uint64_t)result + 1 > call->arguments[3])
                result = -ERANGE;
            else
                step = write_bytes(vm, call->arguments[2], name, (uint64_t)result + 1);
        }
        for (int i = 0; i < count; i++) free(entries[i]);
        free(entries);
        finish(call, result);
    }
    text_free(&path);
    return step;
}

static enum step host_value(struct vm *vm, struct call *call) {
    enum { OUR_UID, OUR_GID, OUR_UMASK, START_TIME, MAX_STACK, HOST_FILES, UNMODELLED_ERRORS };
    switch (call->arguments[0]) {
    case OUR_UID: return finish(call, getuid());
    case OUR_GID: return finish(call, getgid());
    case OUR_UMASK: return finish(call, 022);
    case START_TIME: return finish(call, vm->options.host.start_time);
    case MAX_STACK: return finish(call, (int64_t)8 << 20);
    case HOST_FILES: return finish(call, vm->options.host.host_files);
    case UNMODELLED_ERRORS: return finish(call, vm->options.host.unmodelled_errors);
    default: return finish(call, -EINVAL);
    }
}

static enum step host_directory(struct vm *vm, struct call *call) {
    const char *directory = vm->options.host.directory ? vm->options.host.directory : "/";
    uint64_t size = strlen(directory) + 1;
    if (size > call->arguments[1]) return finish(call, -ERANGE);
    enum step step = write_bytes(vm, call->arguments[0], directory, size);
    return step == STEP_NEXT ? finish(call, (int64_t)size - 1) : step;
}

static enum step wants_files(struct vm *vm, struct call *call) {
    return finish(call, vm->options.host.wants_files);
}

static enum step save_file(struct vm *vm, struct call *call) {
    const struct vm_host *host = &vm->options.host;
    struct text path = {0};
    uint64_t size = call->arguments[4];
    enum step step = read_string(vm, call->arguments[0], &path);
    if (step == STEP_NEXT) {
        void *content = mem_alloc(size);
        step = read_bytes(vm, call->arguments[3], content, size);
        if (step == STEP_NEXT && host->save_file)
            host->save_file(host->context, path.at ? path.at : "", (int)call->arguments[1],
                            (unsigned)call->arguments[2], content, size);
        mem_free(content, size);
    }
    text_free(&path);
    return step;
}

const struct builtin builtins_host[] = {
    {"host_read", host_read},
    {"host_write", host_write},
    {"host_stat", host_stat},
    {"host_read_file", host_read_file},
    {"host_read_link", host_read_link},
    {"host_list", host_list},
    {"host_value", host_value},
    {"host_directory", host_directory},
    {"wants_files", wants_files},
    {"save_file", save_file},
    {NULL, NULL},
};
