#include "front/cache_folder.h"

#include "base/file.h"
#include "base/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Appends the folder's name; nothing if there is no cache.
static void add_folder(struct text *path) {
    const char *given = getenv("TAMAR_PROGRAM_CACHE"), *cache = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (given && !strcmp(given, "none")) return;
    if (given && *given)
        text_add(path, "%s", given);
    else if (cache && *cache == '/')
        text_add(path, "%s/tamar/programs", cache);
    else if (home && *home == '/' && access(home, W_OK) == 0) // never creates a home folder
        text_add(path, "%s/.cache/tamar/programs", home);
}

static bool make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        bool good = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!good) return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

// Whether only this user can have written the file or folder.
static bool is_own(const struct stat *st) {
    return st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

static int open_folder(bool make) {
    struct text path = {0};
    struct stat st;
    add_folder(&path);
    int fd = -1;
    if (path.count && (!make || make_folders(path.at)))
        fd = open(path.at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && (fstat(fd, &st) != 0 || !is_own(&st))) {
        close(fd);
        fd = -1;
    }
    text_free(&path);
    return fd;
}

static const char *const endings[] = {".program", ".compiled"}; // by cache_kind

static void name_of(enum cache_kind kind, const char *key, char name[128]) {
    snprintf(name, 128, "%.64s%s", key, endings[kind]);
}

// Whether the name is that of a file of the folder, or of one that is being written.
static bool is_kept(const char *name) {
    for (size_t i = 0; i < COUNT(endings); i++)
        if (strstr(name, endings[i])) return true;
    return false;
}

// ---- reading

int cache_folder_open(enum cache_kind kind, const char *key, size_t *size) {
    char name[128];
    name_of(kind, key, name);
    int folder = open_folder(false);
    int fd = folder < 0 ? -1 : openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) close(folder);
    struct stat st;
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && is_own(&st) &&
        (uint64_t)st.st_size <= CACHE_MOST_KEPT) {
        *size = (size_t)st.st_size;
        return fd;
    }
    if (fd >= 0) close(fd);
    return -1;
}

void cache_folder_close(int fd, bool used) {
    if (used) futimens(fd, NULL);
    close(fd);
}

// ---- writing

struct cache_file {
    char name[128];
    struct timespec used;
    uint64_t size;
};

static int by_use(const void *a, const void *b) {
    const struct cache_file *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    return x->used.tv_nsec < y->used.tv_nsec ? -1 : x->used.tv_nsec > y->used.tv_nsec;
}

// Removes the least recently used files until the others have at most CACHE_MOST_KEPT bytes.
static void make_room(int folder) {
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    vec(struct cache_file) all = {0};
    uint64_t total = 0;
    for (struct dirent *entry; list && (entry = readdir(list));) {
        struct cache_file one = {0};
        struct stat st;
        if (!is_kept(entry->d_name) || strlen(entry->d_name) >= sizeof one.name) continue;
        if (fstatat(folder, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
        snprintf(one.name, sizeof one.name, "%s", entry->d_name);
        one.used = st.st_mtim;
        one.size = (uint64_t)st.st_size;
        total += one.size;
        vec_push(&all, one);
    }
    if (total > CACHE_MOST_KEPT) qsort(all.at, all.count, sizeof *all.at, by_use);
    for (uint32_t i = 0; i < all.count && total > CACHE_MOST_KEPT; i++) {
        unlinkat(folder, all.at[i].name, 0);
        total -= all.at[i].size;
    }
    vec_free(&all);
    if (list)
        closedir(list);
    else if (fd >= 0)
        close(fd);
}

// Writes the file under another name first, so that it is never seen incomplete.
static void write_file(int folder, const char *name, const struct text *content) {
    char other[160];
    snprintf(other, sizeof other, "%s.%ld", name, (long)getpid());
    int fd = openat(folder, other, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) return;
    bool good = file_write_bytes(fd, content->at, content->count);
    close(fd);
    if (!good || renameat(folder, other, folder, name) != 0) unlinkat(folder, other, 0);
}

void cache_folder_write(enum cache_kind kind, const char *key, const struct text *content) {
    int folder = open_folder(true);
    if (folder < 0) return;
    char name[128];
    name_of(kind, key, name);
    write_file(folder, name, content);
    make_room(folder);
    close(folder);
}
