// Traces the system calls of a native run, to record the bytes that it reads from outside.
//
// ptrace stops the program only at system calls, signals, fork and exec. Its streams, signals and exit status are as
// in an untraced run. Descriptors are identified by their links in /proc, so that copies, children and threads need no
// table. A file is copied when it is opened, before the program or another one can change it.
#include "native/record_trace.h"

#include "native/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/ptrace.h>

#define LINK 64 // characters of the link of a pipe or a socket in /proc

// A source whose bytes are read in pieces.
struct traced_source {
    char link[LINK]; // "pipe:[1234]"
    struct text bytes;
};

struct traced_call {
    pid_t pid;
    uint64_t number, arguments[6];
    bool made; // the file that is about to be opened does not exist yet, or will be truncated
};

struct traced_program {
    struct recording *recording;
    uint64_t most;
    char directory[PATH_MAX];
    pid_t child;
    bool started;         // execve has happened: before it, the process is a copy of Tamar
    char input[PATH_MAX]; // link of standard input in /proc
    bool input_is_file, input_used;
    struct text input_bytes;
    vec(struct traced_source) connections;
    vec(struct traced_call) calls; // one for each thread that is in a system call
    vec(const char *) made;        // files that the program has written itself
};

static void note(struct traced_program *watch, const char *what, const char *name) {
    text_add(&watch->recording->notes, "%s%s\n", what, name);
}

static bool link_of(pid_t pid, int fd, char *link, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, fd);
    ssize_t length = readlink(path, link, size - 1);
    if (length < 0) return false;
    link[length] = 0;
    return true;
}

// ---- bytes that are kept

static void keep_piece(struct traced_program *watch, struct text *to, pid_t pid, uint64_t address,
                       uint64_t size) {
    watch->recording->bytes += size;
    if (watch->recording->bytes > watch->most) {
        watch->recording->too_large = true;
        return;
    }
    char *buffer = mem_alloc(size);
    struct iovec here = {buffer, size},
                 there = {(void *)(uintptr_t)address, size}; // NOLINT(performance-no-int-to-ptr)
    ssize_t got = process_vm_readv(pid, &here, 1, &there, 1, 0);
    if (got > 0) text_add_bytes(to, buffer, (size_t)got);
    if (got != (ssize_t)size) note(watch, "bytes that were read could not be recorded", "");
    mem_free(buffer, size);
}

static void keep_parts(struct traced_program *watch, struct text *to, pid_t pid, uint64_t list,
                       uint64_t count, uint64_t size) {
    for (uint64_t i = 0; i < count && size; i++) {
        struct iovec part, here = {&part, sizeof part};
        struct iovec there = {(void *)(uintptr_t)(list + i * sizeof part), sizeof part}; // NOLINT
        if (process_vm_readv(pid, &here, 1, &there, 1, 0) != (ssize_t)sizeof part) return;
        uint64_t piece = MIN(size, part.iov_len);
        keep_piece(watch, to, pid, (uint64_t)(uintptr_t)part.iov_base, piece);
        size -= piece;
    }
}

static struct text *connection(struct traced_program *watch, const char *link) {
    vec_each (struct traced_source, known, &watch->connections)
        if (!strcmp(known->link, link)) return &known->bytes;
    struct traced_source made = {0};
    snprintf(made.link, sizeof made.link, "%s", link);
    vec_push(&watch->connections, made);
    return &vec_last(&watch->connections)->bytes;
}

// Returns the source of the bytes of this descriptor; NULL if they are not to be recorded, or were recorded before.
static struct text *place_of(struct traced_program *watch, pid_t pid, int fd) {
    char link[PATH_MAX];
    if (!link_of(pid, fd, link, sizeof link)) return NULL;
    if (watch->input[0] && !strcmp(link, watch->input)) {
        watch->input_used = true;
        return watch->input_is_file ? NULL : &watch->input_bytes;
    }
    return strncmp(link, "socket:", 7) == 0 ? connection(watch, link) : NULL;
}

static void add_input(struct traced_program *watch, enum input_kind kind, const char *name, const void *bytes,
                      size_t size) {
    struct arena *arena = watch->recording->arena;
    uint8_t *copy = arena_alloc(arena, size + 1);
    if (size) memcpy(copy, bytes, size);
    vec_push(&watch->recording->inputs,
             ((struct test_input){kind, arena_strdup(arena, name), copy, (uint32_t)size}));
}

// ---- files

// Files of the system are not recorded: every run finds them on the host.
static bool is_system_file(const char *path) {
    static const char *const folders[] = {"/proc/", "/sys/",   "/dev/", "/etc/",  "/usr/",
                                          "/lib/",  "/lib64/", "/bin/", "/sbin/", "/run/"};
    for (unsigned i = 0; i < COUNT(folders); i++)
        if (!strncmp(path, folders[i], strlen(folders[i]))) return true;
    return false;
}

static bool read_text(pid_t pid, uint64_t address, char *text, size_t size) {
    for (size_t i = 0; i + 1 < size;) {
        // Reads up to the end of a page: the next page may not be mapped.
        size_t piece = MIN(size - 1 - i, (size_t)(4096 - (address + i) % 4096));
        struct iovec here = {text + i, piece}, there = {(void *)(uintptr_t)(address + i), piece}; // NOLINT
        ssize_t got = process_vm_readv(pid, &here, 1, &there, 1, 0);
        if (got <= 0) return false;
        if (memchr(text + i, 0, (size_t)got)) return true;
        i += (size_t)got;
    }
    return false;
}

// Returns the name of the file in tests: relative to the directory if the file is below it, else the absolute path.
static const char *name_in(const struct traced_program *watch, const char *path) {
    size_t length = strlen(watch->directory);
    if (!strncmp(path, watch->directory, length) && path[length] == '/' && path[length + 1])
        return path + length + 1;
    return path;
}

static bool is_listed(const struct traced_program *watch, const char *path) {
    vec_each (const char *, made, &watch->made)
        if (!strcmp(*made, path)) return true;
    vec_each (struct test_input, input, &watch->recording->inputs)
        if (input->kind == INPUT_FILE && !strcmp(input->name, name_in(watch, path))) return true;
    return false;
}

// Sets `resolved` to the path as the program spelled it, made absolute. A path with "..", "//" or "/./", or relative to
// a descriptor, stays as the system resolved it.
static void plain_path(const struct traced_program *watch, const struct traced_call *call, const char *given,
                       char *resolved) {
    char directory[PATH_MAX], link[64];
    bool relative = given[0] != '/',
         at_other = relative && call->number == SYS_openat && (int)call->arguments[0] != AT_FDCWD;
    while (!strncmp(given, "./", 2)) given += 2;
    if (at_other || !*given || strstr(given, "..") || strstr(given, "//") || strstr(given, "/./")) return;
    snprintf(link, sizeof link, "/proc/%d/cwd", (int)call->pid);
    ssize_t length = relative ? readlink(link, directory, sizeof directory - 1) : 0;
    if (length < 0) return;
    directory[length] = 0;
    struct text whole = {0};
    text_add(&whole, relative ? "%s/%s" : "%s%s", directory, given);
    if (whole.count < PATH_MAX) memcpy(resolved, whole.at, whole.count + 1);
    text_free(&whole);
}

static void keep_file(struct traced_program *watch, const struct traced_call *call, int fd,
                      const char *given) {
    char path[PATH_MAX], proc[64];
    struct stat status;
    if (!link_of(call->pid, fd, path, sizeof path)) return;
    snprintf(proc, sizeof proc, "/proc/%d/fd/%d", (int)call->pid, fd);
    if (stat(proc, &status) != 0 || !S_ISREG(status.st_mode) || is_system_file(path)) return;
    plain_path(watch, call, given, path);
    if (is_listed(watch, path)) return;
    if (call->made) {
        vec_push(&watch->made, arena_strdup(watch->recording->arena, path));
        return;
    }
    watch->recording->bytes += (uint64_t)status.st_size;
    if (watch->recording->bytes > watch->most) {
        watch->recording->too_large = true;
        return;
    }
    int copy = open(proc, O_RDONLY | O_CLOEXEC);
    size_t size = (size_t)status.st_size;
    char *bytes = mem_alloc(size + 1);
    ssize_t got = copy >= 0 ? pread(copy, bytes, size, 0) : -1;
    if (got >= 0) add_input(watch, INPUT_FILE, name_in(watch, path), bytes, (size_t)got);
    if (got < 0) note(watch, "a file that was opened could not be read: ", path);
    if (copy >= 0) close(copy);
    mem_free(bytes, size + 1);
}

static uint64_t open_flags(const struct traced_call *call) {
    return call->number == SYS_openat ? call->arguments[2]
           : call->number == SYS_open ? call->arguments[1]
                                      : O_CREAT | O_WRONLY | O_TRUNC;
}

static bool is_open(const struct traced_call *call) {
    return call->number == SYS_open || call->number == SYS_openat || call->number == SYS_creat;
}

static uint64_t open_name(const struct traced_call *call) {
    return call->arguments[call->number == SYS_openat ? 1 : 0];
}

// Called before the file is opened: sets `made` if the call will create or truncate it, so that it has no content to
// record.
static void before_open(struct traced_call *call) {
    char given[PATH_MAX];
    uint64_t flags = open_flags(call);
    call->made = flags & O_TRUNC;
    if (call->made || !(flags & O_CREAT) || !read_text(call->pid, open_name(call), given, sizeof given))
        return;
    struct text path = {0};
    struct stat status;
    if (given[0] != '/') text_add(&path, "/proc/%d/cwd/", (int)call->pid);
    text_add(&path, "%s", given);
    call->made = stat(path.at, &status) != 0;
    text_free(&path);
}

static void after_open(struct traced_program *watch, const struct traced_call *call, int fd) {
    char given[PATH_MAX];
    if ((open_flags(call) & O_ACCMODE) == O_WRONLY && !call->made) return;
    if (!read_text(call->pid, open_name(call), given, sizeof given)) return;
    keep_file(watch, call, fd, given);
}

// ---- system calls

static void after_message(struct traced_program *watch, const struct traced_call *call, uint64_t size) {
    struct text *place = place_of(watch, call->pid, (int)call->arguments[0]);
    struct msghdr message;
    struct iovec here = {&message, sizeof message};
    struct iovec there = {(void *)(uintptr_t)call->arguments[1], sizeof message}; // NOLINT
    if (place && process_vm_readv(call->pid, &here, 1, &there, 1, 0) == (ssize_t)sizeof message)
        keep_parts(watch, place, call->pid, (uint64_t)(uintptr_t)message.msg_iov, message.msg_iovlen, size);
}

static void after_call(struct traced_program *watch, const struct traced_call *call, int64_t result) {
    if (is_open(call) && result >= 0) after_open(watch, call, (int)result);
    if (result < 0) return;
    switch (call->number) {
    case SYS_recvfrom:
        if (call->arguments[3] & 2) return; // MSG_PEEK: the same bytes will be read again
        __attribute__((fallthrough));
    case SYS_read:
    case SYS_pread64: {
        struct text *place = place_of(watch, call->pid, (int)call->arguments[0]);
        if (place && result) keep_piece(watch, place, call->pid, call->arguments[1], (uint64_t)result);
        return;
    }
    case SYS_readv:
    case SYS_preadv: {
        struct text *place = place_of(watch, call->pid, (int)call->arguments[0]);
        if (place)
            keep_parts(watch, place, call->pid, call->arguments[1], call->arguments[2], (uint64_t)result);
        return;
    }
    case SYS_recvmsg:
        if (!(call->arguments[2] & 2)) after_message(watch, call, (uint64_t)result);
        return;
    case SYS_mmap: // maps standard input, if it is a file
        if ((int)call->arguments[4] >= 0) place_of(watch, call->pid, (int)call->arguments[4]);
        return;
    default: return;
    }
}

static struct traced_call *call_of(struct traced_program *watch, pid_t pid) {
    vec_each (struct traced_call, call, &watch->calls)
        if (call->pid == pid) return call;
    vec_push(&watch->calls, ((struct traced_call){.pid = pid}));
    return vec_last(&watch->calls);
}

static void forget_call(struct traced_program *watch, pid_t pid) {
    for (uint32_t i = 0; i < watch->calls.count; i++)
        if (watch->calls.at[i].pid == pid) {
            watch->calls.at[i] = *vec_last(&watch->calls);
            (void)vec_pop(&watch->calls);
            return;
        }
}

static void at_call(struct traced_program *watch, pid_t pid) {
    struct ptrace_syscall_info info;
    struct traced_call *call = call_of(watch, pid);
    if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof info, &info) <= 0) return;
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
        call->number = info.entry.nr;
        call->made = false;
        for (unsigned i = 0; i < 6; i++) call->arguments[i] = info.entry.args[i];
        if (is_open(call)) before_open(call);
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && watch->started) {
        after_call(watch, call, info.exit.rval);
        call->number = UINT64_MAX;
    }
}

// ---- the run

// Handles one stop of one thread, and continues the thread.
static void at_stop(struct traced_program *watch, pid_t pid, int status) {
    int number = WSTOPSIG(status), event = status >> 16;
    if (number == (SIGTRAP | 0x80)) {
        at_call(watch, pid);
        ptrace(PTRACE_SYSCALL, pid, NULL, NULL);
    } else if (event == PTRACE_EVENT_EXEC && pid == watch->child && !watch->started) {
        watch->started = true;
        ptrace(PTRACE_SYSCALL, pid, NULL, NULL);
    } else if (event == PTRACE_EVENT_EXEC) { // another program, whose inputs are not recorded
        forget_call(watch, pid);
        ptrace(PTRACE_DETACH, pid, NULL, NULL);
    } else if (event == PTRACE_EVENT_STOP) {
        bool stopped = number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
        ptrace(stopped ? PTRACE_LISTEN : PTRACE_SYSCALL, pid, NULL, NULL);
    } else if (event) {
        ptrace(PTRACE_SYSCALL, pid, NULL, NULL);
    } else {
        ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(uintptr_t)number); // NOLINT(performance-no-int-to-ptr)
    }
}

static void follow(struct traced_program *watch) {
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, __WALL);
        if (pid < 0 && errno == EINTR) continue;
        if (pid < 0) return;
        if (WIFSTOPPED(status)) {
            at_stop(watch, pid, status);
            continue;
        }
        forget_call(watch, pid);
        if (pid != watch->child) continue;
        watch->recording->status = status;
        return;
    }
}

static void look_at_input(struct traced_program *watch) {
    struct stat status;
    if (!link_of(getpid(), 0, watch->input, sizeof watch->input) || fstat(0, &status) != 0)
        watch->input[0] = 0;
    if (!strcmp(watch->input, "/dev/null")) watch->input[0] = 0;
    off_t from = watch->input[0] && S_ISREG(status.st_mode) ? lseek(0, 0, SEEK_CUR) : -1;
    if (from < 0) return;
    watch->input_is_file = true;
    uint64_t size = status.st_size > from ? (uint64_t)(status.st_size - from) : 0;
    if (size > watch->most) return; // reported when the program reads it
    char *bytes = mem_alloc(size + 1);
    ssize_t got = pread(0, bytes, size, from);
    if (got > 0) text_add_bytes(&watch->input_bytes, bytes, (size_t)got);
    mem_free(bytes, size + 1);
}

static void finish(struct traced_program *watch) {
    struct recording *recording = watch->recording;
    struct stat status;
    if (watch->input_used && watch->input_is_file) {
        uint64_t size = fstat(0, &status) == 0 ? (uint64_t)status.st_size : 0;
        recording->bytes += MAX(watch->input_bytes.count, size > watch->most ? size : 0);
        recording->too_large |= recording->bytes > watch->most;
    }
    if (watch->input_used) add_input(watch, INPUT_STDIN, "", watch->input_bytes.at, watch->input_bytes.count);
    uint32_t number = 0;
    vec_each (struct traced_source, source, &watch->connections) {
        char name[32];
        snprintf(name, sizeof name, "%s%u", input_roles[ROLE_SOCKET].name, ++number);
        add_input(watch, INPUT_OBJECT, name, source->bytes.at, source->bytes.count);
        text_free(&source->bytes);
    }
    text_free(&watch->input_bytes);
    vec_free(&watch->connections);
    vec_free(&watch->calls);
    vec_free(&watch->made);
}

// Starts the program with the network, terminal and environment of the user. It may write to the folder in which it
// starts, and below /tmp and TMPDIR.
static bool start(struct traced_program *watch, const char *program, char *const *arguments,
                  struct sandbox *sandbox, struct sandbox_process *process) {
    struct recording *recording = watch->recording;
    const char **writable = ARENA_ARRAY(recording->arena, const char *, 4);
    const char *folders[] = {"/tmp", getenv("TMPDIR"), watch->directory};
    uint32_t count = 0;
    for (unsigned i = 0; i < COUNT(folders); i++) {
        char *real = folders[i] ? realpath(folders[i], NULL) : NULL;
        if (real && strcmp(real, "/") != 0) writable[count++] = arena_strdup(recording->arena, real);
        free(real);
    }
    *sandbox = (struct sandbox){.view = SANDBOX_SHARES,
                                .program = program,
                                .words = (const char *const *)arguments,
                                .variables = (const char *const *)environ,
                                .directory = watch->directory,
                                .input = 0,
                                .output = 1,
                                .errors = 2,
                                .extra = -1,
                                .writable = writable};
    return sandbox_begin(sandbox, process);
}

// Process 1 ends only after all others, and a traced process only after its tracer has waited for it.
static void end_sandbox(struct sandbox_process *process) {
    kill(process->init, SIGKILL);
    for (pid_t ended = 0; ended != process->init;) {
        ended = waitpid(-1, NULL, __WALL);
        if (ended < 0 && errno != EINTR) break;
    }
    process->init = -1;
    sandbox_finish(process);
}

bool record_trace(const char *program, char *const *arguments, uint64_t most, struct recording *recording) {
    *recording = (struct recording){.arena = arena_new()};
    struct traced_program watch = {.recording = recording, .most = most};
    struct sandbox sandbox;
    struct sandbox_process process;
    struct sandbox_end end;
    if (!getcwd(watch.directory, sizeof watch.directory)) return false;
    look_at_input(&watch);
    if (!start(&watch, program, arguments, &sandbox, &process)) return false;
    watch.child = process.program;
    long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                   PTRACE_O_TRACEEXEC;
    recording->traced = ptrace(PTRACE_SEIZE, watch.child, NULL, (void *)options) == 0 && // NOLINT
                        ptrace(PTRACE_INTERRUPT, watch.child, NULL, NULL) == 0;
    // The terminal sends these signals to the program as well, which decides whether it ends.
    void (*interrupt)(int) = signal(SIGINT, SIG_IGN), (*quit)(int) = signal(SIGQUIT, SIG_IGN);
    sandbox_go(&process);
    if (recording->traced) follow(&watch);
    sandbox_await(&sandbox, &process, &end);
    if (!recording->traced) recording->status = end.status;
    end_sandbox(&process);
    signal(SIGINT, interrupt);
    signal(SIGQUIT, quit);
    finish(&watch);
    return end.started;
}

void recording_free(struct recording *recording) {
    vec_free(&recording->inputs);
    text_free(&recording->notes);
    if (recording->arena) arena_free(recording->arena);
}
