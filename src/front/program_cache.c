#include "front/program_cache.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/resources.h"
#include "base/sha256.h"
#include "base/sources.h"
#include "base/vec.h"
#include "ir/image.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC     "TAMARPR1"
#define ENDING    ".program"
#define MOST_KEPT ((uint64_t)512 << 20) // bytes of all programs in the folder

// A file: this header, then the image, the module, the source folders.
struct cache_header {
    char magic[8];
    uint64_t checksum; // hash of everything after the header
    uint64_t image_size, bitcode_size, folders_size;
    uint64_t reserved[3];
};
_Static_assert(sizeof(struct cache_header) % 16 == 0, "the image is aligned");

// ---- the key

// Appends the build identifier, which the linker computes from the binary's content.
static int add_build_id(struct dl_phdr_info *info, size_t size, void *argument) {
    struct text *to = argument;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_NOTE) continue;
        const char *at = (const char *)(info->dlpi_addr + part->p_vaddr), *end = at + part->p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const void *)at;
            at += sizeof *note;
            const char *name = at, *content = at + align_up(note->n_namesz, 4);
            at = content + align_up(note->n_descsz, 4);
            if (note->n_type != NT_GNU_BUILD_ID || note->n_namesz != 4 || memcmp(name, "GNU", 4) != 0)
                continue;
            for (unsigned k = 0; k < note->n_descsz; k++) text_add(to, "%02x", (unsigned char)content[k]);
        }
    }
    return 1; // the first object is the binary
}

// Appends the runtime's identity: the hash of its sources, and its file.
static bool add_runtime(struct text *to, const char *runtime) {
    if (!runtime) return true;
    struct text path = {0};
    struct stat st;
    text_add(&path, "%s/lib/runtime.bc", runtime);
    bool good = stat(path.at, &st) == 0;
    if (good)
        text_add(to, "%s %lld %lld.%ld %lld\n", path.at, (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                 st.st_mtim.tv_nsec, (long long)st.st_ino);
    text_free(&path);
    return good;
}

bool program_cache_key(const struct front_options *options, const char *runtime, const struct text *contents,
                       char key[PROGRAM_CACHE_KEY]) {
    if (options->mark || options->traced || options->driver) return false;
    struct text all = {0};
    dl_iterate_phdr(add_build_id, &all);
    bool good = all.count > 0;
    text_add(&all, "\n");
    good = good && add_runtime(&all, options->no_libc ? NULL : runtime);
    text_add(&all, "%s %llx %llu %d%d%d%d%d%d%d%d%d%d\n", options->entry ? options->entry : "",
             (unsigned long long)options->checks, (unsigned long long)options->unwind, options->types,
             options->no_libc, options->unset, options->keep_checks, options->whole, options->intrinsics,
             options->undefined_symbolic, options->allow_undefined, options->join_conditions,
             options->bitcode != NULL);
    text_add_bytes(&all, contents->at, contents->count);
    sha256_hex(all.at, all.count, key);
    text_free(&all);
    return good;
}

// ---- the folder

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

static void name_of(const char *key, char name[128]) { snprintf(name, 128, "%.64s%s", key, ENDING); }

// ---- finding

static bool read_all(int fd, char *to, size_t size) {
    while (size) {
        ssize_t n = read(fd, to, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        to += n;
        size -= (size_t)n;
    }
    return true;
}

static bool is_whole(const struct cache_header *header, const char *content, size_t size) {
    uint64_t most = (uint64_t)1 << 40;
    return !memcmp(header->magic, MAGIC, sizeof header->magic) && header->image_size < most &&
           header->bitcode_size < most && header->folders_size < most &&
           header->image_size + header->bitcode_size + header->folders_size == size &&
           hash_bytes(content, size, 0) == header->checksum;
}

static struct ir_program *open_file(int fd, size_t size, struct text *bitcode) {
    struct cache_header header;
    if (size < sizeof header || size > MOST_KEPT || !read_all(fd, (char *)&header, sizeof header))
        return NULL;
    size -= sizeof header;
    struct arena *arena = arena_new();
    char *content = arena_alloc(arena, size);
    struct ir_program *program = NULL;
    if (read_all(fd, content, size) && is_whole(&header, content, size))
        program = ir_image_open(content, header.image_size, arena);
    if (!program) {
        arena_free(arena);
        return NULL;
    }
    if (bitcode) text_add_bytes(bitcode, content + header.image_size, header.bitcode_size);
    const char *folder = content + header.image_size + header.bitcode_size, *end = content + size;
    for (; folder < end && memchr(folder, 0, (size_t)(end - folder)); folder += strlen(folder) + 1)
        sources_allow(folder);
    return program;
}

struct ir_program *program_cache_find(const char *key, struct text *bitcode) {
    char name[128];
    name_of(key, name);
    int folder = open_folder(false);
    int fd = folder < 0 ? -1 : openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    struct ir_program *program = NULL;
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && is_own(&st))
        program = open_file(fd, (size_t)st.st_size, bitcode);
    if (program) futimens(fd, NULL); // the least recently used programs are removed first
    if (fd >= 0) close(fd);
    if (folder >= 0) close(folder);
    return program;
}

// ---- keeping

struct kept {
    char name[128];
    struct timespec used;
    uint64_t size;
};

static int by_use(const void *a, const void *b) {
    const struct kept *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    return x->used.tv_nsec < y->used.tv_nsec ? -1 : x->used.tv_nsec > y->used.tv_nsec;
}

// Removes the least recently used programs until the others have at most MOST_KEPT bytes.
static void make_room(int folder) {
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    vec(struct kept) all = {0};
    uint64_t total = 0;
    for (struct dirent *entry; list && (entry = readdir(list));) {
        struct kept one = {0};
        struct stat st;
        if (!strstr(entry->d_name, ENDING) || strlen(entry->d_name) >= sizeof one.name) continue;
        if (fstatat(folder, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
        snprintf(one.name, sizeof one.name, "%s", entry->d_name);
        one.used = st.st_mtim;
        one.size = (uint64_t)st.st_size;
        total += one.size;
        vec_push(&all, one);
    }
    if (total > MOST_KEPT) qsort(all.at, all.count, sizeof *all.at, by_use);
    for (uint32_t i = 0; i < all.count && total > MOST_KEPT; i++) {
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
    bool good = true;
    for (size_t at = 0; good && at < content->count;) {
        ssize_t n = write(fd, content->at + at, content->count - at);
        if (n < 0 && errno == EINTR) continue;
        good = n > 0;
        at += n > 0 ? (size_t)n : 0;
    }
    close(fd);
    if (!good || renameat(folder, other, folder, name) != 0) unlinkat(folder, other, 0);
}

void program_cache_keep(const char *key, const struct ir_program *program, const struct text *bitcode,
                        const struct text *folders) {
    int folder = open_folder(true);
    if (folder < 0) return;
    struct text content = {0};
    struct cache_header header = {.magic = MAGIC, .folders_size = folders->count};
    text_add_bytes(&content, &header, sizeof header);
    if (ir_image_write(program, &content)) {
        header.image_size = content.count - sizeof header;
        if (bitcode) text_add_bytes(&content, bitcode->at, bitcode->count);
        if (bitcode) header.bitcode_size = bitcode->count;
        text_add_bytes(&content, folders->at, folders->count);
        header.checksum = hash_bytes(content.at + sizeof header, content.count - sizeof header, 0);
        memcpy(content.at, &header, sizeof header);
        char name[128];
        name_of(key, name);
        write_file(folder, name, &content);
        make_room(folder);
    }
    text_free(&content);
    close(folder);
}
