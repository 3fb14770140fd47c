// execve: starts one of the further programs (--program), or the first one again. Others are never
// run: they have no bitcode.
//
// Before the C library is initialised, the first process makes a copy of itself, the image: a task that is not a
// process of the program. Its memory stays as the program's start left it. For an execve, the running process puts its
// arguments into the kernel's memory, and its own memory is freed. The image makes a copy of itself, which becomes the
// task of that process: it keeps the number and the descriptors, and its data have their initial values.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

enum { MOST_SCRIPTS = 4, LINE_SIZE = 256 };

struct words {
    size_t count;
    char **at; // in the kernel's memory, as the texts are
};

struct execution {
    const struct __tamar_program *program; // NULL: the first one
    struct words arguments, variables;
    uint64_t ignored; // signals
    unsigned char limits[LIMITS_SIZE];
};

static long refuse(const char *call, const char *path) {
    char what[PATH_MAX + 64];
    strcpy(what, call);
    strncat(what, path, PATH_MAX);
    __tamar_not_modelled(what);
    return -ENOSYS;
}

// ---- words

static void free_words(struct words *words) {
    for (size_t i = 0; i < words->count; i++) __tamar_delete(words->at[i]);
    __tamar_delete(words->at);
    *words = (struct words){0, NULL};
}

// Copies a list of texts into the kernel's memory, after room for `before` more. Returns false if there is no memory.
static bool copy_words(struct words *to, char *const *from, size_t before) {
    size_t count = 0;
    while (from && from[count]) count++;
    to->count = before;
    to->at = __tamar_new((before + count + 1) * sizeof *to->at);
    for (size_t i = 0; to->at && i < count; i++) {
        to->at[to->count] = __tamar_copy_text(from[i]);
        if (!to->at[to->count++]) return false;
    }
    return to->at;
}

// ---- the image

// Makes an empty executable file, or a folder, unless the name exists: a link that leads nowhere.
static struct inode *make_entry(struct inode *folder, const char *name, bool is_folder) {
    if (!S_ISDIR(folder->mode) || strlen(name) > NAME_MAX || __tamar_entry_find(folder, name)) return NULL;
    if (is_folder) return __tamar_make_directory(folder, name, 0755);
    struct inode *inode = __tamar_inode_new(S_IFREG | 0755, folder->device_number);
    if (!inode) return NULL;
    inode->links = 1;
    __tamar_entry_add(folder, name, inode);
    return inode;
}

// Makes the file and the folders above it that do not exist. Folders may be symbolic links, as /bin.
static void make_file(const char *path) {
    struct inode *at = PROCESS->root, *inode;
    char *whole = __tamar_copy_text(path), *word = whole;
    while (word && at && *(word += strspn(word, "/"))) {
        char *end = word + strcspn(word, "/"), separator = *end;
        *end = 0;
        at = __tamar_find(AT_FDCWD, whole, FOLLOW, &inode) == 0 ? inode : make_entry(at, word, separator);
        *end = separator;
        word = end;
    }
    __tamar_delete(whole);
}

// Programs that do not exist as files get an empty one.
static void make_files(const char *first) {
    struct inode *inode;
    for (const struct __tamar_program *program = __tamar_programs; program->path; program++)
        if (__tamar_find(AT_FDCWD, program->path, FOLLOW, &inode) == -ENOENT) make_file(program->path);
    if (__tamar_find(AT_FDCWD, first, FOLLOW, &inode) == 0) KERNEL->program_file = inode;
}

// Returns the initial stack of a program: as the kernel makes it, with the auxiliary vector of the first one.
static long *make_stack(const struct execution *execution, const long *first) {
    const struct words *lists[] = {&execution->arguments, &execution->variables};
    const long *vector = first + 1 + *first + 1;
    while (*vector++) {}
    size_t pairs = 1;
    while (vector[2 * pairs - 2]) pairs++;
    size_t count = 1 + execution->arguments.count + 1 + execution->variables.count + 1 + 2 * pairs, at = 1;
    long *stack = __tamar_alloc(count * sizeof *stack, 16, __TAMAR_SYSTEM);
    stack[0] = (long)execution->arguments.count;
    for (size_t k = 0; k < COUNT_OF(lists); k++) {
        for (size_t i = 0; i < lists[k]->count; i++) {
            size_t size = strlen(lists[k]->at[i]) + 1;
            char *text = __tamar_alloc(size, 1, __TAMAR_SYSTEM);
            memcpy(text, lists[k]->at[i], size);
            stack[at++] = (long)text;
        }
        stack[at++] = 0;
    }
    memcpy(stack + at, vector, 2 * pairs * sizeof *stack);
    return stack;
}

// Runs in the image.
static const struct __tamar_program *wait_for_execution(long **stack) {
    for (int copy; (copy = __tamar_task_fork(1));) {
        KERNEL->task->number = copy;
        __tamar_task_switch(copy, __TAMAR_TASK_WAITS);
    }
    struct execution *execution = KERNEL->execution;
    const struct __tamar_program *program = execution->program;
    KERNEL->execution = NULL;
    __tamar_signals_ignore(execution->ignored);
    __tamar_limits_copy(execution->limits, true);
    *stack = make_stack(execution, *stack);
    free_words(&execution->arguments);
    free_words(&execution->variables);
    __tamar_delete(execution);
    return program;
}

const struct __tamar_program *__tamar_image_start(long **stack) {
    if (!__tamar_programs) return NULL;
    make_files(**stack ? (const char *)(*stack)[1] : "");
    int image = __tamar_task_fork(1);
    if (!image) return wait_for_execution(stack);
    KERNEL->image = image;
    return NULL;
}

// ---- execve

// Whether there is a program for the file; *program is NULL for the first one.
static bool find_program(const struct inode *file, const struct __tamar_program **program) {
    struct inode *inode;
    for (*program = __tamar_programs; (*program)->path; ++*program)
        if (__tamar_find(AT_FDCWD, (*program)->path, FOLLOW, &inode) == 0 && inode == file) return true;
    *program = NULL;
    return file == KERNEL->program_file;
}

// Close-on-exec descriptors, other threads, mappings and handlers end with the memory.
__TAMAR_NORETURN static void begin(struct execution *execution) {
    struct process *process = PROCESS;
    execution->ignored = __tamar_signals_ignored();
    __tamar_limits_copy(execution->limits, false);
    __tamar_other_threads_end();
    KERNEL->task->id = process->id;
    KERNEL->task->clear_id = NULL;
    process->abandoned = NULL; // in the memory that ends
    for (int i = 0; i < process->descriptor_capacity; i++)
        if (process->descriptors[i].file && process->descriptors[i].close_on_exec) __tamar_close(i);
    __tamar_mappings_drop();
    KERNEL->execution = execution;
    __tamar_task_switch(KERNEL->image, __TAMAR_PROCESS_ENDS);
    __tamar_stop(); // not reached
}

// Reads "#!INTERPRETER [ARGUMENT]" from a file. Returns false if it begins in another way.
static bool read_script(struct inode *inode, char line[LINE_SIZE], char **interpreter, char **argument) {
    long size = __tamar_inode_read(inode, line, LINE_SIZE - 1, 0);
    if (size < 3 || line[0] != '#' || line[1] != '!') return false;
    line[size] = 0;
    line[strcspn(line, "\n")] = 0;
    *interpreter = line + 2 + strspn(line + 2, " \t");
    char *end = *interpreter + strcspn(*interpreter, " \t");
    *argument = end + strspn(end, " \t");
    *end = 0;
    for (size_t length = strlen(*argument); length && strchr(" \t", (*argument)[length - 1]);)
        (*argument)[--length] = 0;
    return **interpreter;
}

static long find_file(long directory, const char *path, int flags, struct inode **inode) {
    long error = __tamar_find((int)directory, path, flags, inode);
    if (error < 0) return error;
    return S_ISREG((*inode)->mode) && __tamar_may(*inode, 1) ? 0 : -EACCES;
}

// Puts the words of a script's first line, and its path, in place of the first argument.
static bool take_script(struct execution *execution, const char *interpreter, const char *argument,
                        const char *path) {
    struct words old = execution->arguments, new;
    char *const *rest = old.count ? old.at + 1 : NULL;
    size_t before = *argument ? 3 : 2;
    bool good = copy_words(&new, rest, before);
    if (good) {
        new.at[0] = __tamar_copy_text(interpreter);
        if (before == 3) new.at[1] = __tamar_copy_text(argument);
        new.at[before - 1] = __tamar_copy_text(path);
    }
    free_words(&execution->arguments);
    execution->arguments = new;
    return good;
}

static long execute(const char *call, long directory, const char *path, int flags, char *const *argv,
                    char *const *envp) {
    static char *const none[] = {(char *)"", NULL};
    struct inode *inode;
    long error = find_file(directory, path, flags, &inode);
    if (error < 0) return error;
    if (!KERNEL->image) return refuse(call, path);
    struct execution *execution = __tamar_new(sizeof *execution);
    if (!execution) return -ENOMEM;
    if (!copy_words(&execution->arguments, argv && *argv ? argv : none, 0) ||
        !copy_words(&execution->variables, envp, 0))
        error = -E2BIG;
    const char *script = path;
    char line[LINE_SIZE], name[LINE_SIZE], *interpreter, *argument;
    for (int depth = 0; !error && !find_program(inode, &execution->program); depth++) {
        if (!read_script(inode, line, &interpreter, &argument)) {
            error = refuse(call, script);
        } else if (depth == MOST_SCRIPTS) {
            error = -ELOOP;
        } else if (!take_script(execution, interpreter, argument, script)) {
            error = -E2BIG;
        } else {
            script = strcpy(name, interpreter);
            error = find_file(AT_FDCWD, name, FOLLOW, &inode);
        }
    }
    if (!error) begin(execution);
    free_words(&execution->arguments);
    free_words(&execution->variables);
    __tamar_delete(execution);
    return error;
}

// If the file does not exist, the error is the kernel's, because shells and execvp try one folder after the other.
long __tamar_sys_execve(long path, long argv, long envp) {
    return execute("system call execve of ", AT_FDCWD, POINTER(path), FOLLOW, POINTER(argv), POINTER(envp));
}
long __tamar_sys_execveat(long directory, long path, long argv, long envp, long flags) {
    if (flags & ~(long)(AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW)) return -EINVAL;
    int how = (flags & AT_SYMLINK_NOFOLLOW ? 0 : FOLLOW) | (flags & AT_EMPTY_PATH ? EMPTY_PATH : 0);
    return execute("system call execveat of ", directory, POINTER(path), how, POINTER(argv), POINTER(envp));
}
