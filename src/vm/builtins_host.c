// Intrinsics of the runtime for read-only access to the host. Results below zero are negated error numbers.
#include "vm/choice.h"
#include "vm/host_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Most bytes of one read: a program may ask for more than the file has.
#define MOST      (1u << 20)
#define MOST_PART (1u << 16) // host files below this size are read with a symbolic size or offset

static enum step finish(struct call *call, int64_t result) {
    call->result = (uint64_t)result;
    return STEP_NEXT;
}

// Checks that the program's buffer, the second argument, is accessible.
static enum step check_buffer(struct vm *vm, const struct call *call, uint64_t size, bool write) {
    enum step step = vm_check_buffer(vm, call, 1, 0, size, write);
    return step == STEP_NEXT ? vm_check_access(vm, call->arguments[1], size, write) : step;
}

// Copies `size` bytes to the program's buffer and returns their number to the program.
static enum step give(struct vm *vm, struct call *call, const void *bytes, int64_t size) {
    if (size == VM_NOT_SHARED)
        return vm_report_not_modelled(vm, "a file of the machine that started the run");
    enum step step = STEP_NEXT;
    if (size > 0) step = vm_check_buffer(vm, call, 1, 0, (uint64_t)size, true);
    if (size > 0 && step == STEP_NEXT) step = vm_write_bytes(vm, call->arguments[1], bytes, (uint64_t)size);
    return step == STEP_NEXT ? finish(call, size) : step;
}

// ---- symbolic files: standard input and files of the options. The bytes of a file are an input.
// Its length is between `least` and `most`; the path forks on the length when it is first needed.

static uint32_t use_input(struct vm *vm, struct input_id id, uint32_t size) {
    uint32_t input = inputs_get(vm->inputs, id, size);
    state_inputs_use(&vm->state->inputs, input, size);
    return input;
}

uint32_t vm_file_input(struct vm *vm, const struct vm_file *file) {
    return use_input(vm, input_file(file->path), file->endless ? 0 : file->most);
}

// Returns a byte of the file. The input has the file's whole length, even if only a part is symbolic.
static Term file_byte(struct vm *vm, const struct vm_file *file, uint32_t input, uint64_t at) {
    const uint8_t *known = file->content ? file->content : file->around;
    bool symbolic = !file->content && (!file->around || (at >= file->from && at < file->to));
    return symbolic ? term_byte(vm->terms, input, (uint32_t)at) : term_const(vm->terms, 8, known[at]);
}

static enum step choose_length(struct vm *vm, struct input_id of, struct vm_range range, uint64_t *length) {
    assert(range.least <= range.most);
    *length = range.most;
    if (range.least == range.most || !vm->terms) return STEP_NEXT;
    uint32_t input = use_input(vm, input_length(of), 4);
    Term term = term_input_bits(vm->terms, input, 0, 4), least = term_const(vm->terms, 32, range.least);
    Term most = term_const(vm->terms, 32, range.most);
    Term fits = term_and(vm->terms, term_ule(vm->terms, least, term), term_ule(vm->terms, term, most));
    enum step step = vm_assume(vm, fits);
    return step == STEP_NEXT ? vm_fork_on_value(vm, term, length) : step;
}

static enum step file_length(struct vm *vm, const struct vm_file *file, uint64_t *length) {
    return choose_length(vm, input_file(file->path), (struct vm_range){file->least, file->most}, length);
}

// Returns the size of a libFuzzer harness's input to the program.
static enum step harness_size(struct vm *vm, struct call *call) {
    const struct vm_start_config *around = vm->state->start.around;
    if (!vm->terms && around->input) return finish(call, around->input_size);
    return choose_length(vm, input_object(input_roles[ROLE_HARNESS].name, 0), vm->options.host.input,
                         &call->result);
}

// Forks on the value of an argument that must be concrete.
static enum step fork_on_argument(struct vm *vm, struct call *call, unsigned i) {
    assert(i < IR_INTRINSIC_MOST_ARGUMENTS);
    if (!call->terms[i]) return STEP_NEXT;
    enum step step = vm_fork_on_value(vm, call->terms[i], &call->arguments[i]);
    call->terms[i] = 0;
    return step;
}

static Term argument(struct vm *vm, struct call *call, unsigned i) {
    return call->terms[i] ? term_resize(vm->terms, call->terms[i], 64)
                          : term_const(vm->terms, 64, call->arguments[i]);
}

// Reads a symbolic number of bytes, or from a symbolic offset, from a content of known length.
static enum step read_guarded(struct vm *vm, struct call *call, struct block_source *source) {
    struct terms *terms = vm->terms;
    Term size = argument(vm, call, 2), offset = argument(vm, call, 3);
    Term length = term_const(terms, 64, source->count), left = term_sub(terms, length, offset);
    Term got = term_ite(terms, term_ult(terms, size, left), size, left);
    got = term_ite(terms, term_ult(terms, offset, length), got, term_const(terms, 64, 0));
    source->first = offset;
    enum step step = vm_check_buffer(vm, call, 1, got, 0, true);
    if (step == STEP_NEXT) step = vm_write_guarded(vm, argument(vm, call, 1), got, source);
    if (step != STEP_NEXT) return step;
    if (term_is_const(terms, got)) return finish(call, (int64_t)term_value(terms, got));
    call->result_term = got;
    return STEP_NEXT;
}

// Reads from a symbolic file. Arguments: the file's name or descriptor, buffer, size, offset.
static enum step read_symbolic(struct vm *vm, struct call *call, const struct vm_file *file) {
    uint64_t length;
    enum step step = file_length(vm, file, &length);
    if (step != STEP_NEXT) return step;
    for (unsigned i = 1; file->endless && i < 4; i++) { // the number of bytes read must be concrete
        step = fork_on_argument(vm, call, i);
        if (step != STEP_NEXT) return step;
    }
    uint64_t to = call->arguments[1], size = call->arguments[2], offset = call->arguments[3];
    if (call->terms[1] || call->terms[2] || call->terms[3]) {
        uint32_t input = vm_file_input(vm, file);
        struct block_source source = {.bytes = NEW_ARRAY(Term, length), .count = (uint32_t)length};
        for (uint32_t i = 0; i < length; i++) source.bytes[i] = file_byte(vm, file, input, i);
        step = read_guarded(vm, call, &source);
        vm_source_free(&source);
        return step;
    }
    size = offset < length ? MIN(size, length - offset) : 0;
    if (file->content) return give(vm, call, size ? file->content + offset : NULL, (int64_t)size);
    step = check_buffer(vm, call, size, true);
    if (step != STEP_NEXT) return step;
    if (file->endless && size) use_input(vm, input_file(file->path), (uint32_t)(offset + size));
    uint32_t input = size ? vm_file_input(vm, file) : 0;
    if (size && !file->around) vm_make_symbolic(vm, to, size, input, (uint32_t)offset);
    for (uint64_t i = 0; file->around && i < size; i++)
        vm_store_byte(vm, to + i, file_byte(vm, file, input, offset + i));
    if (file->around) vm_sync_translations(vm);
    return finish(call, (int64_t)size);
}

// Reads at most `size` bytes of a host file from an offset. Returns their number or a negated error number.
static int64_t read_path(const char *path, void *buffer, uint64_t size, uint64_t offset) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return -errno;
    int64_t got = pread(fd, buffer, size, (off_t)offset);
    if (got < 0) got = -errno;
    close(fd);
    return got;
}

// Checks that the descriptor is one of the given standard streams: other descriptors are Tamar's own. Forks on a
// symbolic descriptor.
static enum step check_stream(struct vm *vm, struct call *call, uint64_t first, uint64_t last) {
    enum step step = fork_on_argument(vm, call, 0);
    if (step != STEP_NEXT || (call->arguments[0] >= first && call->arguments[0] <= last)) return step;
    return vm_report_bug(vm, BUG_BAD_CALL, "descriptor %d is not a standard stream", (int)call->arguments[0]);
}

enum step builtin_host_read(struct vm *vm, struct call *call) {
    const struct vm_host *host = &vm->options.host;
    enum step step = check_stream(vm, call, 0, 2);
    if (step != STEP_NEXT) return step;
    const struct vm_file *symbolic = call->arguments[0] == 0 ? host_symbolic_file(vm, NULL) : NULL;
    if (symbolic) return read_symbolic(vm, call, symbolic);
    if (!host->read && !host->input_file) return finish(call, 0);
    for (unsigned i = 1; i < 4; i++) {
        step = fork_on_argument(vm, call, i);
        if (step != STEP_NEXT) return step;
    }
    uint64_t size = MIN(call->arguments[2], MOST);
    void *buffer = mem_alloc(size);
    int fd = (int)call->arguments[0];
    int64_t got = host->read ? host->read(host->context, fd, buffer, size, (int64_t)call->arguments[3])
                             : read_path(host->input_file, buffer, size, call->arguments[3]);
    step = give(vm, call, buffer, got);
    mem_free(buffer, size);
    return step;
}

// Keeps the output for the test of the path, at most PRINTED_MOST bytes per path. `length`: term of the number of bytes
// written, at most `size`; 0: all of them.
static void keep_printed(struct vm *vm, unsigned stream, uint64_t address, uint64_t size, Term length) {
    struct printed *printed = &vm->state->printed;
    uint32_t count = (uint32_t)MIN(size, printed_room(printed));
    if (!vm->state->path || vm->state->speculation.is_on || printed->cut) return;
    printed->cut = count < size;
    if (!count) return;
    bool symbolic = vm_any_symbolic(vm, address, count);
    struct printed_write *write = printed_add(printed, stream, count, symbolic);
    uint32_t taint = vm->instruction.change_taint; // the write itself computes nothing
    write->length = length;
    if (!symbolic) memory_peek(vm->state->memory, address, write->bytes, count);
    for (uint32_t i = 0; symbolic && i < count; i++)
        write->terms[i] = uninit_as_zero(vm, vm_load_term(vm, address + i, 1));
    vm->instruction.change_taint = taint;
}

// Keeps the output of a write with a symbolic length or address. The bytes fit into the object for every length. Output
// from a symbolic address is not kept.
static void keep_printed_part(struct vm *vm, const struct call *call, Term length) {
    uint64_t address = call->arguments[1];
    struct object object;
    if (call->terms[1] || !object_at(vm->state, address, &object)) {
        vm->state->printed.cut = true;
        return;
    }
    uint64_t most = object.start + object.size - MIN(address, object.start + object.size);
    keep_printed(vm, (unsigned)call->arguments[0], address, MIN(most, term_facts(vm->terms, length).high),
                 length);
}

// Accepts a write whose output is only kept: neither the bytes nor their number need to be concrete.
static enum step write_unseen(struct vm *vm, struct call *call) {
    if (!call->terms[1] && !call->terms[2]) {
        uint64_t size = MIN(call->arguments[2], MOST);
        enum step step = check_buffer(vm, call, size, false);
        if (step != STEP_NEXT) return step;
        keep_printed(vm, (unsigned)call->arguments[0], call->arguments[1], size, 0);
        return finish(call, (int64_t)size);
    }
    Term size = argument(vm, call, 2), most = term_const(vm->terms, 64, MOST);
    size = term_ite(vm->terms, term_ult(vm->terms, size, most), size, most);
    enum step step = vm_check_buffer(vm, call, 1, size, 0, false);
    if (step == STEP_NEXT) step = vm_check_guarded(vm, argument(vm, call, 1), size, false);
    if (step != STEP_NEXT) return step;
    keep_printed_part(vm, call, size);
    if (term_is_const(vm->terms, size)) return finish(call, (int64_t)term_value(vm->terms, size));
    call->result_term = size;
    return STEP_NEXT;
}

enum step builtin_host_write(struct vm *vm, struct call *call) {
    const struct vm_host *host = &vm->options.host;
    enum step allowed = check_stream(vm, call, 1, 2);
    if (allowed != STEP_NEXT) return allowed;
    if (uninit_is_checked(vm) && !call->terms[1] && !call->terms[2]) {
        enum step step = check_buffer(vm, call, MIN(call->arguments[2], MOST), false);
        if (step == STEP_NEXT)
            step = uninit_use_bytes(vm, call->arguments[1], MIN(call->arguments[2], MOST), "the output");
        if (step != STEP_NEXT) return step;
    }
    if (!host->write) return write_unseen(vm, call);
    for (unsigned i = 0; i < 3; i++) {
        enum step step = fork_on_argument(vm, call, i);
        if (step != STEP_NEXT) return step;
    }
    uint64_t size = MIN(call->arguments[2], MOST);
    void *buffer = mem_alloc(size);
    enum step step = vm_check_buffer(vm, call, 1, 0, size, false);
    if (step == STEP_NEXT) step = vm_read_bytes(vm, call->arguments[1], buffer, size);
    if (step == STEP_NEXT) finish(call, host->write(host->context, (int)call->arguments[0], buffer, size));
    mem_free(buffer, size);
    return step;
}

static enum step stat_symbolic(struct vm *vm, struct call *call, const struct vm_file *file,
                               uint64_t number) {
    struct __tamar_host_stat result = {
        .device = 1, .inode = number, .links = 1, .mode = S_IFREG | 0644, .block_size = 4096};
    enum step step = file_length(vm, file, &result.size);
    if (step != STEP_NEXT) return step;
    if (vm->terms)
        vm_file_input(vm, file); // the test contains the file, even if the program does not read it
    result.blocks = (result.size + 511) / 512;
    return vm_write_bytes(vm, call->arguments[2], &result, sizeof result);
}

// Gives the stat of a standard stream in a run without the host's streams (vm_host.read). runtime/native gives the
// same.
static enum step stat_stream(struct vm *vm, struct call *call, int fd) {
    const char *input = vm->options.host.input_file;
    struct __tamar_host_stat result = {.device = 1, .links = 1, .block_size = 4096};
    struct stat st;
    result.inode = (uint64_t)fd + 1;
    result.mode = fd == 0 ? S_IFREG | 0644 : S_IFIFO | 0600;
    if (fd == 0 && input && stat(input, &st) == 0) result.size = (uint64_t)st.st_size;
    result.blocks = (result.size + 511) / 512;
    return vm_write_bytes(vm, call->arguments[2], &result, sizeof result);
}

static void use_files_below(struct vm *vm, const char *path) {
    uint32_t count;
    const struct vm_file *files = host_symbolic_files(vm, &count);
    for (uint32_t i = 0; i < count; i++)
        if (host_is_above(vm, path, &files[i])) vm_file_input(vm, &files[i]);
}

// Gives the stat of a folder that exists only because a symbolic file is in it.
static enum step stat_folder(struct vm *vm, struct call *call, const char *path) {
    struct __tamar_host_stat result = {.device = 1,
                                       .inode = __tamar_path_number(path),
                                       .links = 2,
                                       .mode = S_IFDIR | 0755,
                                       .block_size = 4096};
    use_files_below(vm, path);
    return vm_write_bytes(vm, call->arguments[2], &result, sizeof result);
}

#define NOT_SHARED 1

// Returns 0, -1 with errno set, or NOT_SHARED.
static int stat_host_file(const struct vm *vm, const char *path, bool follow, struct stat *st) {
    const struct vm_foreign *foreign = vm->options.host.foreign;
    if (!foreign) return follow ? stat(path, st) : lstat(path, st);
    int64_t result = foreign->stat(foreign->context, path, follow, st);
    if (result == VM_NOT_SHARED) return NOT_SHARED;
    if (result < 0) errno = (int)-result;
    return result < 0 ? -1 : 0;
}

enum step builtin_host_stat(struct vm *vm, struct call *call) {
    struct text path = {0};
    struct stat st;
    enum step step = vm_read_string(vm, call->arguments[0], &path);
    if (step == STEP_NEXT) {
        int failed = -1, fd = -1;
        errno = ENOENT;
        const struct vm_file *symbolic = NULL;
        if (path.at) symbolic = host_symbolic_file(vm, strcmp(path.at, "fd:0") ? path.at : NULL);
        if (symbolic) {
            step = stat_symbolic(vm, call, symbolic, symbolic->path ? __tamar_path_number(path.at) : 1);
            text_free(&path);
            return step;
        }
        bool is_stream = path.at && sscanf(path.at, "fd:%d", &fd) == 1 && fd >= 0 && fd <= 2;
        if (is_stream && !vm->options.host.read) {
            text_free(&path);
            return stat_stream(vm, call, fd);
        }
        if (is_stream)
            failed = fstat(fd, &st);
        else if (path.at && vm->options.host.host_files && !host_is_hidden(vm, path.at))
            failed = stat_host_file(vm, path.at, call->arguments[1] != 0, &st);
        if (failed == NOT_SHARED) {
            step = vm_report_not_modelled(vm, "a file of the machine that started the run");
        } else if (failed && path.at && host_leads_to_symbolic(vm, path.at)) {
            step = stat_folder(vm, call, path.at);
        } else if (failed) {
            finish(call, -errno);
        } else {
            struct __tamar_host_stat result = {.device = st.st_dev,
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
            step = vm_write_bytes(vm, call->arguments[2], &result, sizeof result);
        }
    }
    text_free(&path);
    return step;
}

static int64_t read_host_file(struct vm *vm, const char *path, void *buffer, uint64_t size, uint64_t offset) {
    const struct text *peers = vm->options.host.peers;
    if (path && peers && !strcmp(path, __TAMAR_PEERS_FILE)) {
        uint64_t got = offset < peers->count ? MIN(size, peers->count - offset) : 0;
        memcpy(buffer, peers->at + (got ? offset : 0), got);
        return (int64_t)got;
    }
    const struct vm_foreign *foreign = vm->options.host.foreign;
    if (!path || !vm->options.host.host_files) return -ENOENT;
    return foreign ? foreign->read(foreign->context, path, buffer, size, offset)
                   : read_path(path, buffer, size, offset);
}

// Reads from a host file with a symbolic buffer, size or offset. If the file has at least MOST_PART bytes, forks on
// their values.
static enum step read_part_of_host_file(struct vm *vm, struct call *call, const char *path) {
    uint8_t *content = mem_alloc(MOST_PART);
    int64_t got = read_host_file(vm, path, content, MOST_PART, 0);
    enum step step;
    if (got < 0 || got == MOST_PART) {
        step = fork_on_argument(vm, call, 2);
        if (step == STEP_NEXT) step = fork_on_argument(vm, call, 3);
        if (step == STEP_NEXT) step = fork_on_argument(vm, call, 1);
        if (step == STEP_NEXT) step = builtin_host_read_file(vm, call);
    } else {
        struct block_source source = {.bytes = NEW_ARRAY(Term, got), .count = (uint32_t)got};
        for (int64_t i = 0; i < got; i++) source.bytes[i] = term_const(vm->terms, 8, content[i]);
        step = read_guarded(vm, call, &source);
        vm_source_free(&source);
    }
    mem_free(content, MOST_PART);
    return step;
}

enum step builtin_host_read_file(struct vm *vm, struct call *call) {
    struct text path = {0};
    enum step step = fork_on_argument(vm, call, 0);
    if (step == STEP_NEXT) step = vm_read_string(vm, call->arguments[0], &path);
    const struct vm_file *symbolic = step == STEP_NEXT && path.at ? host_symbolic_file(vm, path.at) : NULL;
    if (symbolic) {
        step = read_symbolic(vm, call, symbolic);
    } else if (step == STEP_NEXT && (call->terms[1] || call->terms[2] || call->terms[3])) {
        step = read_part_of_host_file(vm, call, path.at);
    } else if (step == STEP_NEXT) {
        uint64_t size = MIN(call->arguments[2], MOST);
        void *buffer = mem_alloc(size);
        int64_t got = read_host_file(vm, path.at, buffer, size, call->arguments[3]);
        step = give(vm, call, buffer, got);
        mem_free(buffer, size);
    }
    text_free(&path);
    return step;
}

enum step builtin_host_read_link(struct vm *vm, struct call *call) {
    struct text path = {0};
    enum step step = vm_read_string(vm, call->arguments[0], &path);
    if (step == STEP_NEXT) {
        char target[4096];
        int64_t length = -ENOENT;
        const struct vm_foreign *foreign = vm->options.host.foreign;
        uint64_t room = MIN(sizeof target, call->arguments[2]);
        if (path.at && vm->options.host.host_files && foreign) {
            length = foreign->read_link(foreign->context, path.at, target, room);
        } else if (path.at && vm->options.host.host_files) {
            length = readlink(path.at, target, room);
            if (length < 0) length = -errno;
        }
        step = give(vm, call, target, length);
    }
    text_free(&path);
    return step;
}

static enum step give_name(struct vm *vm, struct call *call, const char *name) {
    uint64_t length = strlen(name);
    if (length + 1 > call->arguments[3]) return finish(call, -ERANGE);
    finish(call, (int64_t)length);
    return vm_write_bytes(vm, call->arguments[2], name, length + 1);
}

// Gives the program the name of entry `index`. The result is 0 after the last entry, or a negated error number.
static enum step give_entry(struct vm *vm, struct call *call, const struct text *path) {
    int64_t count = host_list(vm, path->at);
    if (count > 0 && call->arguments[1] < (uint64_t)count)
        return give_name(vm, call, vm->kernel.dir_cache.names.at[call->arguments[1]]);
    if (count == VM_NOT_SHARED)
        return vm_report_not_modelled(vm, "a folder of the machine that started the run");
    return finish(call, MIN(count, 0));
}

// Lists a folder. The test contains the symbolic files that the program has seen in a list.
enum step builtin_host_list(struct vm *vm, struct call *call) {
    struct text path = {0};
    enum step step = vm_read_string(vm, call->arguments[0], &path);
    if (step == STEP_NEXT && path.at) use_files_below(vm, path.at);
    if (step == STEP_NEXT) step = give_entry(vm, call, &path);
    text_free(&path);
    return step;
}

enum step builtin_host_candidate(struct vm *vm, struct call *call) {
    struct text path = {0};
    enum step step = vm_read_string(vm, call->arguments[0], &path);
    if (step == STEP_NEXT) step = give_entry(vm, call, &path);
    text_free(&path);
    return step;
}

enum step builtin_host_value(struct vm *vm, struct call *call) {
    const struct vm_host *host = &vm->options.host;
    const struct vm_start_config *around = vm->state->start.around;
    const struct vm_range *sockets = around->own_files ? around->sockets : host->sockets;
    uint32_t socket_count = around->own_files ? around->socket_count : host->socket_count;
    uint64_t socket = (call->arguments[0] - __TAMAR_SOCKET_SIZES) / 2;
    if (call->arguments[0] >= __TAMAR_SOCKET_SIZES && socket < socket_count)
        return finish(call, call->arguments[0] % 2 ? sockets[socket].most : sockets[socket].least);
    switch (call->arguments[0]) {
    case __TAMAR_UID: return finish(call, host->foreign ? host->foreign->user : getuid());
    case __TAMAR_GID: return finish(call, host->foreign ? host->foreign->group : getgid());
    case __TAMAR_UMASK: return finish(call, 022);
    case __TAMAR_START_TIME: return finish(call, vm->options.host.start_time);
    case __TAMAR_MAX_STACK: return finish(call, (int64_t)8 << 20);
    case __TAMAR_HOST_FILES: return finish(call, vm->options.host.host_files);
    case __TAMAR_UNMODELLED_ERRORS: return finish(call, host->unmodelled == UNMODELLED_ERROR);
    case __TAMAR_INPUT_SIZE: return harness_size(vm, call);
    case __TAMAR_SOCKETS: return finish(call, socket_count);
    case __TAMAR_FAILURES: return finish(call, host->failures);
    case __TAMAR_SHORT_READS: return finish(call, host->short_reads);
    case __TAMAR_SYMBOLIC_RANDOM: return finish(call, host->symbolic_random);
    case __TAMAR_PEERS: return finish(call, host->peers ? (int64_t)host->peers->count : 0);
    default: return finish(call, -EINVAL);
    }
}

enum step builtin_host_directory(struct vm *vm, struct call *call) {
    const char *directory = host_start_directory(vm);
    uint64_t size = strlen(directory) + 1;
    if (size > call->arguments[1]) return finish(call, -ERANGE);
    enum step step = vm_write_bytes(vm, call->arguments[0], directory, size);
    return step == STEP_NEXT ? finish(call, (int64_t)size - 1) : step;
}

enum step builtin_wants_files(struct vm *vm, struct call *call) {
    return finish(call, vm->options.host.wants_files);
}

enum step builtin_save_file(struct vm *vm, struct call *call) {
    const struct vm_host *host = &vm->options.host;
    struct text path = {0};
    uint64_t size = call->arguments[4];
    if (!host->save_file) return STEP_NEXT;
    enum step step = vm_read_string(vm, call->arguments[0], &path);
    // Bounds the size: the bytes lie in an object of the program, so there is enough memory for a copy.
    if (step == STEP_NEXT) step = vm_check_access(vm, call->arguments[3], size, false);
    if (step == STEP_NEXT) {
        void *content = mem_alloc(size);
        step = vm_read_bytes(vm, call->arguments[3], content, size);
        if (step == STEP_NEXT)
            host->save_file(host->context, path.at ? path.at : "", (int)call->arguments[1],
                            (unsigned)call->arguments[2], content, size);
        mem_free(content, size);
    }
    text_free(&path);
    return step;
}
