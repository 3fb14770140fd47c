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

// ---- symbolic files: standard input and files that the user asked for. Their bytes are an input; their
// length is a choice between the least and the most, made when it is first needed.

static const struct vm_file *symbolic_file(struct vm *vm, const char *path) {
    for (uint32_t i = 0; i < vm->options.file_count; i++) {
        const struct vm_file *file = &vm->options.files[i];
        if (!file->path && !path) return file;
        if (!file->path || !path) continue;
        size_t length = strlen(file->path), whole = strlen(path);
        // A relative name stands for the file in the program's directory: the end of an absolute path.
        if (!strcmp(path, file->path)) return file;
        if (file->path[0] != '/' && whole > length && path[whole - length - 1] == '/' &&
            !strcmp(path + whole - length, file->path))
            return file;
    }
    return NULL;
}

static uint32_t file_input(struct vm *vm, const struct vm_file *file, const char *prefix, uint32_t size) {
    struct text name = {0};
    text_add(&name, "%s%s%s", prefix, file->path ? "file:" : "stdin:", file->path ? file->path : "");
    uint32_t input = terms_input(vm->terms, name.at, size);
    text_free(&name);
    const struct state_inputs *inputs = vm->state->inputs;
    for (uint32_t i = 0; inputs && i < inputs->count; i++)
        if (inputs->at[i].input == input) return input;
    state_add_input(vm->state, input, size);
    return input;
}

static enum step file_length(struct vm *vm, const struct vm_file *file, uint64_t *length) {
    *length = file->most;
    if (file->least == file->most) return STEP_NEXT;
    uint32_t input = file_input(vm, file, "length:", 4);
    Term term = term_input_bits(vm->terms, input, 0, 4), least = term_const(vm->terms, 32, file->least);
    Term most = term_const(vm->terms, 32, file->most);
    Term fits = term_and(vm->terms, term_ule(vm->terms, least, term), term_ule(vm->terms, term, most));
    enum step step = add_condition(vm, fits);
    return step == STEP_NEXT ? split_values(vm, term, length) : step;
}

static enum step read_symbolic(struct vm *vm, struct call *call, const struct vm_file *file, uint64_t to,
                               uint64_t size, uint64_t offset) {
    uint64_t length;
    enum step step = file_length(vm, file, &length);
    if (step != STEP_NEXT) return step;
    size = offset < length ? MIN(size, length - offset) : 0;
    step = check_access(vm, to, size, true);
    if (step != STEP_NEXT) return step;
    if (size) make_symbolic(vm, to, size, file_input(vm, file, "", file->most), (uint32_t)offset);
    return finish(call, (int64_t)size);
}

static enum step host_read(struct vm *vm, struct call *call) {
    const struct vm_host *host = &vm->options.host;
    const struct vm_file *symbolic = call->arguments[0] == 0 ? symbolic_file(vm, NULL) : NULL;
    if (symbolic)
        return read_symbolic(vm, call, symbolic, call->arguments[1], call->arguments[2], call->arguments[3]);
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
    if (!host->write) { // nobody looks: what is written need not become concrete
        enum step step = check_access(vm, call->arguments[1], size, false);
        return step == STEP_NEXT ? finish(call, (int64_t)size) : step;
    }
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

static enum step stat_symbolic(struct vm *vm, struct call *call, const struct vm_file *file) {
    struct host_stat result = {
        .device = 1, .inode = 1, .links = 1, .mode = S_IFREG | 0644, .block_size = 4096};
    enum step step = file_length(vm, file, &result.size);
    if (step != STEP_NEXT) return step;
    file_input(vm, file, "", file->most); // that it is there is part of the test, even if nobody reads it
    result.blocks = (result.size + 511) / 512;
    return write_bytes(vm, call->arguments[2], &result, sizeof result);
}

static enum step host_stat(struct vm *vm, struct call *call) {
    struct text path = {0};
    struct stat st;
    enum step step = read_string(vm, call->arguments[0], &path);
    if (step == STEP_NEXT) {
        int failed = -1, fd = -1;
        errno = ENOENT;
        const struct vm_file *symbolic = NULL;
        if (path.at) symbolic = symbolic_file(vm, strcmp(path.at, "fd:0") ? path.at : NULL);
        if (symbolic) {
            step = stat_symbolic(vm, call, symbolic);
            text_free(&path);
            return step;
        }
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
    const struct vm_file *symbolic = step == STEP_NEXT && path.at ? symbolic_file(vm, path.at) : NULL;
    if (symbolic) {
        step = read_symbolic(vm, call, symbolic, call->arguments[1], call->arguments[2], call->arguments[3]);
    } else if (step == STEP_NEXT) {
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
    enum { OUR_UID, OUR_GID, OUR_UMASK, START_TIME, MAX_STACK, HOST_FILES, UNMODELLED_ERRORS, INPUT_SIZE };
    switch (call->arguments[0]) {
    case OUR_UID: return finish(call, getuid());
    case OUR_GID: return finish(call, getgid());
    case OUR_UMASK: return finish(call, 022);
    case START_TIME: return finish(call, vm->options.host.start_time);
    case MAX_STACK: return finish(call, (int64_t)8 << 20);
    case HOST_FILES: return finish(call, vm->options.host.host_files);
    case UNMODELLED_ERRORS: return finish(call, vm->options.host.unmodelled_errors);
    case INPUT_SIZE: return finish(call, vm->options.host.input_size);
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
    {"host_read", host_read, false},
    {"host_write", host_write, false},
    {"host_stat", host_stat, false},
    {"host_read_file", host_read_file, false},
    {"host_read_link", host_read_link, false},
    {"host_list", host_list, false},
    {"host_value", host_value, false},
    {"host_directory", host_directory, false},
    {"wants_files", wants_files, false},
    {"save_file", save_file, false},
    {NULL, NULL, false},
};
