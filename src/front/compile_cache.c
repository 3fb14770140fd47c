#include "front/compile_cache.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/sha256.h"
#include "front/dependencies.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "TAMARCC1"

// A file: this header, then the list of dependencies, the messages, the bitcode.
struct compiled_header {
    char magic[8];
    uint64_t checksum; // hash of everything after the header
    uint64_t list_size, messages_size, bitcode_size;
};

// ---- flags and variables

static bool starts_with_any(const char *word, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!strncmp(word, list[i], strlen(list[i]))) return true;
    return false;
}

static bool is_any(const char *word, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(word, list[i])) return true;
    return false;
}

// Whether the flag reads and writes no file but headers, which are among the dependencies. A flag that is not known
// here may do so.
static bool is_plain(const char *flag) {
    static const char *const exact[] = {
        "-ansi",
        "-pedantic",
        "-pedantic-errors",
        "-w",
        "-pthread",
        "-pipe",
        "-g",
        "-fcommon",
        "-fsigned-char",
        "-fPIC",
        "-funsigned-char",
        "-fpic",
        "-fPIE",
        "-fpie",
        "-fgnu89-inline",
        "-fwrapv",
        "-fms-extensions",
        "-fshort-enums",
        "-fexceptions",
        "-ffast-math",
        "-ffunction-sections",
        "-m64",
        "-fdata-sections",
        "-fstrict-aliasing",
        "-fopenmp-simd",
        "-fomit-frame-pointer",
    };
    static const char *const starts[] = {"-D",
                                         "-U",
                                         "-std=",
                                         "-O",
                                         "-g0",
                                         "-g1",
                                         "-g2",
                                         "-g3",
                                         "-ggdb",
                                         "-gdwarf",
                                         "-fno-",
                                         "-msse",
                                         "-mno-",
                                         "-fvisibility=",
                                         "-fstack-protector",
                                         "-fsanitize="};
    if (flag[0] == '-' && flag[1] == 'W') return !strchr(flag, ',');
    return is_any(flag, exact, COUNT(exact)) || starts_with_any(flag, starts, COUNT(starts));
}

// Whether the flag names a header or a folder of headers. `joined`: its value, if it is in the same word.
static bool is_about_headers(const char *flag, const char **joined) {
    static const char *const folders[] = {"-I", "-isystem", "-iquote"};
    static const char *const separate[] = {"-include", "-imacros"};
    *joined = NULL;
    for (size_t i = 0; i < COUNT(folders); i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(flag, folders[i], length) != 0) continue;
        if (flag[length]) *joined = flag + length;
        return flag[length] != '='; // relative to a system root
    }
    return is_any(flag, separate, COUNT(separate));
}

static bool are_plain(const char *const *flags, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const char *joined;
        if (dependencies_is_volatile(flags[i], strlen(flags[i]))) return false;
        if (is_about_headers(flags[i], &joined))
            i += !joined;
        else if ((!strcmp(flags[i], "-D") || !strcmp(flags[i], "-U")) && i + 1 < count) {
            if (dependencies_is_volatile(flags[i + 1], strlen(flags[i + 1]))) return false;
            i++;
        } else if (!is_plain(flags[i]))
            return false;
    }
    return true;
}

// Whether a variable is set that changes what the compiler or the loader does.
static bool has_variables(void) {
    static const char *const names[] = {
        "CPATH=", "C_INCLUDE_PATH=", "GCC_EXEC_PREFIX=", "COMPILER_PATH=", "CCC_", "CC_", "CLANG_", "LD_"};
    for (char **variable = environ; *variable; variable++)
        if (starts_with_any(*variable, names, COUNT(names))) return true;
    return false;
}

// ---- the key

static void add_identity(struct text *to, const char *path) {
    struct stat st;
    if (stat(path, &st) == 0)
        text_add(to, "%s %lld %lld.%ld %lld\n", path, (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                 st.st_mtim.tv_nsec, (long long)st.st_ino);
}

// Finds a program on the PATH as posix_spawnp does.
static bool find_program(const char *name, struct text *path) {
    const char *list = getenv("PATH");
    for (const char *at = list; at && *at;) {
        size_t length = strcspn(at, ":");
        text_clear(path);
        text_add(path, "%.*s/%s", (int)length, at, name);
        if (*at == '/' && access(path->at, X_OK) == 0) return true;
        if (*at != '/') return false; // relative to the current directory
        at += length + (at[length] == ':');
    }
    return false;
}

// Appends the compiler's identity: its file and its libraries. Returns false if it is a script, which may start any
// compiler.
static bool add_compiler(struct text *to, const char *name) {
    static const char *const libraries[] = {"libclang-cpp.so.19.1", "libLLVM.so.19.1"};
    struct text path = {0};
    char real[PATH_MAX], magic[4] = {0};
    bool good = find_program(name, &path) && realpath(path.at, real);
    int fd = good ? open(real, O_RDONLY | O_CLOEXEC) : -1;
    good = fd >= 0 && file_read_bytes(fd, magic, sizeof magic) && !memcmp(magic, "\177ELF", sizeof magic);
    if (fd >= 0) close(fd);
    if (good) {
        text_add(to, "%s\n", path.at);
        add_identity(to, real);
        *strrchr(real, '/') = 0;
        for (size_t i = 0; i < COUNT(libraries); i++) {
            text_clear(&path);
            text_add(&path, "%s/../lib/%s", real, libraries[i]);
            add_identity(to, path.at);
        }
    }
    text_free(&path);
    return good;
}

// Appends the current directory by both of its names: debug information has $PWD if that is right.
static bool add_directory(struct text *to) {
    char directory[PATH_MAX];
    const char *shown = getenv("PWD");
    if (!getcwd(directory, sizeof directory)) return false;
    text_add(to, "%zu %s %s\n", strlen(directory), directory, shown ? shown : "");
    return true;
}

// The header that may be included before the source. A cached output may have been made without it, by a Tamar that
// knew fewer names: then no rule names it.
static bool add_undeclared(struct text *to, const char *runtime) {
    struct text path = {0};
    if (!runtime) return true;
    text_add(&path, "%s/include/cprover/undeclared.h", runtime);
    bool good = access(path.at, F_OK) != 0 || dependencies_add_hash(path.at, to);
    text_free(&path);
    return good;
}

bool compile_cache_key(const struct compilation *compilation, char key[CACHE_KEY]) {
    const char *const *command = compilation->command;
    unsigned count = compilation->count;
    if (!are_plain(compilation->flags, compilation->flag_count) || has_variables()) return false;
    struct text all = {0};
    bool good = add_compiler(&all, command[0]) && add_directory(&all) &&
                dependencies_add_hash(command[count - 1], &all) && add_undeclared(&all, compilation->runtime);
    for (unsigned i = 0; i < count; i++) text_add(&all, "%zu %s\n", strlen(command[i]), command[i]);
    if (good) sha256_hex(all.at, all.count, key);
    text_free(&all);
    return good;
}

// ---- finding and keeping

static bool is_whole(const struct compiled_header *header, const char *content, size_t size) {
    return !memcmp(header->magic, MAGIC, sizeof header->magic) && header->list_size <= size &&
           header->messages_size <= size && header->bitcode_size <= size &&
           header->list_size + header->messages_size + header->bitcode_size == size &&
           hash_bytes(content, size, 0) == header->checksum;
}

static bool read_file(int fd, size_t size, struct text *bitcode, struct text *messages) {
    struct compiled_header header;
    if (size < sizeof header || !file_read_bytes(fd, &header, sizeof header)) return false;
    size -= sizeof header;
    struct text content = {0};
    char *list = text_room(&content, size);
    bool good = file_read_bytes(fd, list, size) && is_whole(&header, list, size) &&
                dependencies_hold(list, header.list_size);
    if (good) {
        text_add_bytes(messages, list + header.list_size, header.messages_size);
        text_add_bytes(bitcode, list + header.list_size + header.messages_size, header.bitcode_size);
    }
    text_free(&content);
    return good;
}

bool compile_cache_find(const char *key, struct text *bitcode, struct text *messages) {
    size_t size;
    int fd = cache_folder_open(CACHE_COMPILED, key, &size);
    if (fd < 0) return false;
    bool good = read_file(fd, size, bitcode, messages);
    cache_folder_close(fd, good);
    return good;
}

// Appends the list of dependencies. Returns false if the output must not be kept.
static bool add_dependencies(const struct compilation *compilation, struct text *rules, struct text *list) {
    struct dependencies all = {
        .arena = arena_new(), .trusted = compilation->runtime, .started = compilation->started};
    for (unsigned i = 0; i + 1 < compilation->count; i++) {
        const char *joined;
        if (is_about_headers(compilation->command[i], &joined))
            dependencies_search(&all, joined ? joined : compilation->command[++i]);
    }
    bool good = dependencies_list(&all, rules, list);
    vec_free(&all.folders);
    arena_free(all.arena);
    return good;
}

void compile_cache_keep(const char *key, const struct compilation *compilation, struct text *rules,
                        const struct text *bitcode, const struct text *messages) {
    struct text content = {0};
    struct compiled_header header = {.messages_size = messages->count, .bitcode_size = bitcode->count};
    memcpy(header.magic, MAGIC, sizeof header.magic);
    text_add_bytes(&content, &header, sizeof header);
    if (add_dependencies(compilation, rules, &content)) {
        header.list_size = content.count - sizeof header;
        text_add_bytes(&content, messages->at, messages->count);
        text_add_bytes(&content, bitcode->at, bitcode->count);
        header.checksum = hash_bytes(content.at + sizeof header, content.count - sizeof header, 0);
        memcpy(content.at, &header, sizeof header);
        cache_folder_write(CACHE_COMPILED, key, &content);
    }
    text_free(&content);
}
