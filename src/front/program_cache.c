#include "front/program_cache.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/resources.h"
#include "base/sha256.h"
#include "base/sources.h"
#include "ir/image.h"

#include <link.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC "TAMARPR1"

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
                       char key[CACHE_KEY]) {
    if (options->mark || options->traced || options->driver) return false;
    struct text all = {0};
    dl_iterate_phdr(add_build_id, &all);
    bool good = all.count > 0;
    text_add(&all, "\n");
    good = good && add_runtime(&all, options->no_libc ? NULL : runtime);
    text_add(&all, "%s %llx %llu %d%d%d%d%d%d%d%d%d%d\n", options->start ? options->start : "",
             (unsigned long long)options->checks, (unsigned long long)options->unwind, options->types,
             options->no_libc, options->unset, options->keep_checks, options->whole, options->intrinsics,
             options->undefined_symbolic, options->allow_undefined, options->join_conditions,
             options->bitcode != NULL);
    text_add_bytes(&all, contents->at, contents->count);
    sha256_hex(all.at, all.count, key);
    text_free(&all);
    return good;
}

// ---- finding

static bool is_whole(const struct cache_header *header, const char *content, size_t size) {
    uint64_t most = (uint64_t)1 << 40;
    return !memcmp(header->magic, MAGIC, sizeof header->magic) && header->image_size < most &&
           header->bitcode_size < most && header->folders_size < most &&
           header->image_size + header->bitcode_size + header->folders_size == size &&
           hash_bytes(content, size, 0) == header->checksum;
}

static struct ir_program *open_file(int fd, size_t size, struct text *bitcode) {
    struct cache_header header;
    if (size < sizeof header || !file_read_bytes(fd, &header, sizeof header)) return NULL;
    size -= sizeof header;
    struct arena *arena = arena_new();
    char *content = arena_alloc(arena, size);
    struct ir_program *program = NULL;
    if (file_read_bytes(fd, content, size) && is_whole(&header, content, size))
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
    size_t size;
    int fd = cache_folder_open(CACHE_PROGRAM, key, &size);
    struct ir_program *program = fd >= 0 ? open_file(fd, size, bitcode) : NULL;
    if (fd >= 0) cache_folder_close(fd, program != NULL);
    return program;
}

// ---- keeping

void program_cache_keep(const char *key, const struct ir_program *program, const struct text *bitcode,
                        const struct text *folders) {
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
        cache_folder_write(CACHE_PROGRAM, key, &content);
    }
    text_free(&content);
}
