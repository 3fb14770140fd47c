#include "vm/host_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

const char *host_start_directory(const struct vm *vm) {
    return vm->options.host.directory ? vm->options.host.directory : "/";
}

bool host_is_hidden(const struct vm *vm, const char *path) {
    const struct vm_host *host = &vm->options.host;
    for (uint32_t i = 0; i < host->hidden_count; i++)
        // Paths below a hidden folder are never looked up.
        if (!strcmp(path, host->hidden[i])) return true;
    return false;
}

// ---- symbolic files

const struct vm_file *host_symbolic_files(const struct vm *vm, uint32_t *count) {
    const struct vm_start_config *around = vm->state->start.around;
    *count = around->own_files ? around->file_count : vm->options.file_count;
    return around->own_files ? around->files : vm->options.files;
}

static void set_path(struct text *path, const char *folder, const char *name) {
    text_clear(path);
    text_add(path, "%s/%s", folder[1] ? folder : "", name); // the root already ends with a slash
}

static void set_absolute(const struct vm *vm, struct text *path, const char *name) {
    while (name[0] == '.' && name[1] == '/') name += 2;
    text_clear(path);
    if (*name == '/')
        text_add(path, "%s", name);
    else
        set_path(path, host_start_directory(vm), name);
}

const struct vm_file *host_symbolic_file(struct vm *vm, const char *path) {
    uint32_t count;
    const struct vm_file *files = host_symbolic_files(vm, &count), *found = NULL;
    struct text whole = {0};
    for (uint32_t i = 0; i < count && !found; i++) {
        if (!files[i].path || !path) {
            if (!files[i].path && !path) found = &files[i];
            continue;
        }
        set_absolute(vm, &whole, files[i].path);
        if (!strcmp(path, whole.at)) found = &files[i];
    }
    text_free(&whole);
    return found;
}

// Returns the part of the path below the folder; NULL: the path is not in it.
static const char *rest_below(const char *path, const char *folder) {
    size_t length = folder[1] ? strlen(folder) : 0; // 0: the root
    return !strncmp(path, folder, length) && path[length] == '/' ? path + length + 1 : NULL;
}

bool host_is_above(struct vm *vm, const char *folder, const struct vm_file *file) {
    struct text whole = {0};
    if (!file->path) return false;
    set_absolute(vm, &whole, file->path);
    bool is_above = rest_below(whole.at, folder) != NULL;
    text_free(&whole);
    return is_above;
}

bool host_leads_to_symbolic(struct vm *vm, const char *folder) {
    uint32_t count;
    const struct vm_file *files = host_symbolic_files(vm, &count);
    for (uint32_t i = 0; i < count; i++)
        if (host_is_above(vm, folder, &files[i])) return true;
    return false;
}

// ---- lists of names

void host_forget_dir_cache(struct vm *vm) {
    struct dir_cache *dir_cache = &vm->kernel.dir_cache;
    vec_each (char *, name, &dir_cache->names) free(*name);
    vec_free(&dir_cache->names);
    text_free(&dir_cache->path);
}

static int by_bytes(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct names {
    struct vm *vm;
    const char *folder;
};

static void add_host_name(void *context, const char *name) {
    struct names *names = context;
    struct text whole = {0};
    set_path(&whole, names->folder, name);
    if (!host_is_hidden(names->vm, whole.at)) vec_push(&names->vm->kernel.dir_cache.names, strdup(name));
    text_free(&whole);
}

// Adds the host's names. Returns 0 or a negated error number.
static int64_t add_host_names(struct vm *vm, const char *path) {
    struct names names = {vm, path};
    const struct vm_foreign *foreign = vm->options.host.foreign;
    if (foreign) return foreign->list(foreign->context, path, add_host_name, &names);
    DIR *folder = opendir(path);
    if (!folder) return -errno;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            add_host_name(&names, entry->d_name);
    closedir(folder);
    return 0;
}

// Adds the symbolic files in the folder, and the subfolders that lead to others.
static void add_symbolic_names(struct vm *vm, const char *path) {
    uint32_t count;
    const struct vm_file *files = host_symbolic_files(vm, &count);
    struct text whole = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (!files[i].path) continue;
        set_absolute(vm, &whole, files[i].path);
        const char *rest = rest_below(whole.at, path);
        if (rest) vec_push(&vm->kernel.dir_cache.names, strndup(rest, strcspn(rest, "/")));
    }
    text_free(&whole);
}

static void sort_names(struct vm *vm) {
    struct dir_cache *dir_cache = &vm->kernel.dir_cache;
    uint32_t kept = 0;
    if (dir_cache->names.count)
        qsort(dir_cache->names.at, dir_cache->names.count, sizeof *dir_cache->names.at, by_bytes);
    for (uint32_t i = 0; i < dir_cache->names.count; i++) {
        if (kept && !strcmp(dir_cache->names.at[kept - 1], dir_cache->names.at[i]))
            free(dir_cache->names.at[i]);
        else
            dir_cache->names.at[kept++] = dir_cache->names.at[i];
    }
    dir_cache->names.count = kept;
}

int64_t host_list(struct vm *vm, const char *path) {
    struct dir_cache *dir_cache = &vm->kernel.dir_cache;
    uint32_t count;
    const struct vm_file *files = host_symbolic_files(vm, &count);
    if (!path) return -ENOENT;
    if (dir_cache->path.at && dir_cache->files == files && !strcmp(dir_cache->path.at, path))
        return dir_cache->names.count;
    host_forget_dir_cache(vm);
    int64_t error = vm->options.host.host_files ? add_host_names(vm, path) : -ENOENT;
    if (error == VM_NOT_SHARED) return error;
    if (error < 0 && !host_leads_to_symbolic(vm, path)) return error;
    text_add(&dir_cache->path, "%s", path);
    dir_cache->files = files;
    add_symbolic_names(vm, path);
    sort_names(vm);
    return dir_cache->names.count;
}
