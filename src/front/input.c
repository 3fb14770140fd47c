// Determines the kind of each file by its contents, reads it, and parses it as a module. Bad input is reported here,
// with location, cause and remedy.
#include "front/input.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/resources.h"
#include "base/sha256.h"
#include "base/text.h"
#include "front/elf_bitcode.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/IRReader.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define REBUILD                                                                                              \
    "Build it with \"tamar cc\" as the compiler (CC=\"tamar cc\"), or with clang-19 -c -emit-llvm."

// Reads the file's bytes, which must outlive the modules that refer to them.
static LLVMMemoryBufferRef read_bytes(const char *path) {
    struct stat status;
    if (stat(path, &status)) {
        user_error_at(path, "Check the name and the current directory.", "%s", strerror(errno));
        return NULL;
    }
    if (S_ISDIR(status.st_mode)) {
        user_error_at(path, "Name a C file, a bitcode file or a program built with \"tamar cc\".",
                      "is a directory");
        return NULL;
    }
    if (!S_ISREG(status.st_mode)) {
        user_error_at(path, "Name a C file, a bitcode file or a program built with \"tamar cc\".",
                      "is not a regular file");
        return NULL;
    }
    LLVMMemoryBufferRef buffer = NULL;
    char *text = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &text)) {
        user_error_at(path, NULL, "cannot be read: %s", text ? text : "unknown cause");
        LLVMDisposeMessage(text);
        return NULL;
    }
    return buffer;
}

// Keeps the file's bytes until the end of the load, and its hash for the key of the program cache.
static void keep_file(struct front *front, LLVMMemoryBufferRef buffer, const char *path) {
    char digits[65];
    sha256_hex(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), digits);
    text_add(&front->contents, "%zu %s %s\n", strlen(path), path, digits);
    vec_push(&front->buffers, buffer);
}

// Adds a module that input_add_modules reads. Takes ownership of the buffer.
static struct input_part *add_part(struct front *front, LLVMMemoryBufferRef buffer, const char *name) {
    struct input_part part = {.buffer = buffer, .name = arena_strdup(front->scratch, name)};
    vec_push(&front->parts, part);
    return vec_last(&front->parts);
}

static void diagnose(LLVMDiagnosticInfoRef info, void *argument) {
    struct text *text = argument;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
    char *description = LLVMGetDiagInfoDescription(info);
    text_add(text, "%s%s", text->count ? "; " : "", description);
    LLVMDisposeMessage(description);
}

static bool check_target(LLVMModuleRef module, const char *name) {
    const char *target = LLVMGetTarget(module);
    if (!*target || !strncmp(target, "x86_64", 6) || !strncmp(target, "amd64", 5)) return true;
    user_error_at(name, "Compile it for x86-64 (--target=x86_64-linux-musl).", "is compiled for %s", target);
    return false;
}

static LLVMModuleRef parse_bitcode(struct front *front, const struct input_part *part) {
    struct text cause = {0};
    LLVMModuleRef module = NULL;
    LLVMContextSetDiagnosticHandler(front->context, diagnose, &cause);
    guard_on(part->name, LLVMGetBufferSize(part->buffer));
    bool failed = LLVMParseBitcodeInContext2(front->context, part->buffer, &module);
    char *broken = NULL;
    if (!failed && !part->trusted && LLVMVerifyModule(module, LLVMReturnStatusAction, &broken)) {
        text_add(&cause, "%s", broken);
        failed = true;
    }
    LLVMDisposeMessage(broken);
    guard_off();
    LLVMContextSetDiagnosticHandler(front->context, NULL, NULL);
    if (failed)
        user_error_at(part->name,
                      "The file is damaged or from another version: build it again with clang 19.",
                      "not bitcode that LLVM 19 can read: %.300s", cause.count ? cause.at : "unknown cause");
    text_free(&cause);
    return failed ? NULL : module;
}

static LLVMModuleRef parse_assembly(struct front *front, struct input_part *part) {
    char *message = NULL;
    LLVMModuleRef module = NULL;
    guard_on(part->name, LLVMGetBufferSize(part->buffer));
    bool failed = LLVMParseIRInContext(front->context, part->buffer, &module, &message);
    part->buffer = NULL; // it belonged to the parser
    if (!failed && LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) failed = true;
    guard_off();
    if (failed)
        user_error_at(part->name, "Correct the file, or make it with clang-19 -S -emit-llvm.",
                      "not valid LLVM assembly: %.500s", message ? message : "unknown cause");
    LLVMDisposeMessage(message);
    return failed ? NULL : module;
}

bool input_add_modules(struct front *front, struct front_times *times) {
    double start = clock_processor_seconds();
    bool good = true;
    vec_each (struct input_part, part, &front->parts) {
        LLVMModuleRef module = part->assembly ? parse_assembly(front, part) : parse_bitcode(front, part);
        good = module && check_target(module, part->name);
        if (!good) break;
        struct unit unit = {.module = module,
                            .name = part->name,
                            .rank = part->rank,
                            .program = part->program,
                            .instrumented = part->instrumented,
                            .plain = part->plain,
                            .built = part->built,
                            .linked = part->linked};
        vec_push(&front->units, unit);
    }
    times->read += clock_processor_seconds() - start;
    return good;
}

void input_free(struct front *front) {
    vec_each (struct input_part, part, &front->parts)
        if (part->buffer) LLVMDisposeMemoryBuffer(part->buffer);
    vec_each (LLVMMemoryBufferRef, buffer, &front->buffers) LLVMDisposeMemoryBuffer(*buffer);
    vec_free(&front->parts);
    vec_free(&front->buffers);
    text_free(&front->contents);
}

// Adds the modules of an ELF file. They refer to its bytes, which the caller keeps.
static bool add_elf(struct front *front, LLVMMemoryBufferRef buffer, const char *name) {
    struct elf_bitcode records;
    const char *start = LLVMGetBufferStart(buffer);
    size_t size = LLVMGetBufferSize(buffer);
    const char *cause = elf_bitcode_read(start, size, &records);
    if (cause) {
        user_error_at(name, REBUILD, "%s", cause);
        return false;
    }
    for (uint32_t i = 0; i < records.count; i++) {
        const struct elf_bitcode_part *record = &records.parts[i];
        struct input_part *part = add_part(
            front,
            LLVMCreateMemoryBufferWithMemoryRange((const char *)record->data, record->size, name, false),
            name);
        part->rank = record->flags & ELF_BITCODE_SHARED ? RANK_SHARED : RANK_PROGRAM;
        part->trusted = true;
        part->linked = elf_bitcode_is_linked(start, size);
        part->instrumented = true;
        part->plain = true; // `tamar cc` embeds clang's output before optimisation
    }
    elf_bitcode_free(&records);
    return true;
}

static bool is_bitcode(const char *bytes, size_t size) {
    return size >= 4 && (!memcmp(bytes, "BC\xC0\xDE", 4) || !memcmp(bytes, "\xDE\xC0\x17\x0B", 4));
}

static bool is_archive(const char *bytes, size_t size) { return size >= 8 && !memcmp(bytes, "!<arch>\n", 8); }

// Adds one member of an archive. The bytes are copied, because they may be unaligned in the archive.
static bool add_member(struct front *front, const char *bytes, size_t size, const char *name) {
    if (!is_bitcode(bytes, size) && !elf_bitcode_is_elf(bytes, size))
        return true; // the archive's symbol table or name table
    LLVMMemoryBufferRef copy = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, size, name);
    if (is_bitcode(bytes, size)) {
        add_part(front, copy, name);
        return true;
    }
    vec_push(&front->buffers, copy);
    return add_elf(front, copy, name);
}

// Adds all members of an archive: functions that the entry does not reach are left out later.
static bool add_archive(struct front *front, const char *bytes, size_t size, const char *path) {
    enum { HEADER = 60, SIZE_AT = 48, SIZE_DIGITS = 10 };
    uint32_t before = front->parts.count;
    for (size_t at = 8; at + HEADER <= size;) {
        char digits[SIZE_DIGITS + 1] = {0};
        memcpy(digits, bytes + at + SIZE_AT, SIZE_DIGITS);
        size_t length = strtoul(digits, NULL, 10);
        at += HEADER;
        if (bytes[at - 2] != '`' || length > size - at) {
            user_error_at(path, "Build it again.", "the archive is damaged");
            return false;
        }
        if (!add_member(front, bytes + at, length, path)) return false;
        at += length + length % 2;
    }
    if (front->parts.count == before)
        user_error_at(path, REBUILD, "the archive has no member that carries bitcode");
    return front->parts.count > before;
}

// Adds a part that is a whole file; keep_file keeps its bytes.
static struct input_part *add_whole(struct front *front, LLVMMemoryBufferRef file, const char *name) {
    return add_part(
        front,
        LLVMCreateMemoryBufferWithMemoryRange(LLVMGetBufferStart(file), LLVMGetBufferSize(file), name, true),
        name);
}

// Adds a library to a program: definitions of the program have priority.
static bool add_library_archive(struct front *front, const char *bytes, size_t size, const char *path) {
    uint32_t first = front->parts.count;
    bool good = add_archive(front, bytes, size, path);
    for (uint32_t i = first; i < front->parts.count; i++) {
        front->parts.at[i].rank = RANK_SHARED;
        front->parts.at[i].linked = true;
    }
    return good;
}

// Adds a file that is not C, by its contents. `alone`: no other file is named, so that a library would be the program.
static bool add_built(struct front *front, const char *path, bool alone) {
    LLVMMemoryBufferRef buffer = read_bytes(path);
    if (!buffer) return false;
    keep_file(front, buffer, path);
    const char *bytes = LLVMGetBufferStart(buffer);
    size_t size = LLVMGetBufferSize(buffer);
    if (is_bitcode(bytes, size)) return add_whole(front, buffer, path);
    if (elf_bitcode_is_elf(bytes, size)) return add_elf(front, buffer, path);
    if (text_ends_with(path, ".ll")) {
        add_whole(front, buffer, path)->assembly = true;
        return true;
    }
    if (is_archive(bytes, size) && front->options->driver) return add_archive(front, bytes, size, path);
    if (is_archive(bytes, size) && !alone) return add_library_archive(front, bytes, size, path);
    if (is_archive(bytes, size))
        user_error_at(
            path,
            "Link it into a program with \"tamar cc\" and name that, or name a function of it with --entry.",
            "is a library, not a program");
    else if (text_ends_with(path, ".bc"))
        user_error_at(path, REBUILD, "is not bitcode: it does not start with bitcode's magic number");
    else
        user_error_at(path, REBUILD, "neither C, nor bitcode, nor a program that carries bitcode");
    return false;
}

static bool add_file(struct front *front, const char *path, bool alone) {
    uint32_t first = front->parts.count;
    bool good = add_built(front, path, alone);
    for (uint32_t i = first; i < front->parts.count; i++) front->parts.at[i].built = true;
    return good;
}

// ---- the words

static bool is_source(const char *word) { return text_ends_with(word, ".c") || text_ends_with(word, ".i"); }

static bool is_cplusplus(const char *word) {
    static const char *const ends[] = {".cc", ".cpp", ".cxx", ".c++", ".C"};
    for (size_t i = 0; i < COUNT(ends); i++)
        if (text_ends_with(word, ends[i])) return true;
    return false;
}

// Whether a flag takes the next word as its value, if it is not written in one word.
static bool takes_value(const char *flag) {
    static const char *const flags[] = {"-I",
                                        "-D",
                                        "-U",
                                        "-include",
                                        "-imacros",
                                        "-isystem",
                                        "-iquote",
                                        "-idirafter",
                                        "-L",
                                        "-l",
                                        "-o",
                                        "-x",
                                        "-Xclang",
                                        "-MF",
                                        "-MT",
                                        "-MQ",
                                        "-Xlinker",
                                        "-T",
                                        "-u",
                                        "-z",
                                        "-arch",
                                        "-target",
                                        "-mllvm",
                                        "-isysroot",
                                        "-iprefix",
                                        "-iwithprefix",
                                        "-Xpreprocessor",
                                        "-Xassembler",
                                        NULL};
    for (int i = 0; flags[i]; i++)
        if (!strcmp(flag, flags[i])) return true;
    return false;
}

// Whether a flag is not passed to the compiler: it is for the linker (-l and -L are handled below), or about outputs,
// which Tamar chooses itself.
static bool is_ignored(const char *flag) {
    return !strncmp(flag, "-l", 2) || !strncmp(flag, "-L", 2) || !strncmp(flag, "-Wl,", 4) ||
           !strcmp(flag, "-o") || !strcmp(flag, "-c") || !strcmp(flag, "-S") || !strcmp(flag, "-E") ||
           !strcmp(flag, "-static") || !strcmp(flag, "-shared") || !strcmp(flag, "-pie") ||
           !strcmp(flag, "-no-pie") || !strcmp(flag, "-rdynamic") || !strcmp(flag, "-s") ||
           !strcmp(flag, "-Xlinker") || !strcmp(flag, "-MF") || !strcmp(flag, "-MT") ||
           !strcmp(flag, "-MQ") || !strcmp(flag, "-MD") || !strcmp(flag, "-MMD") || !strcmp(flag, "-z") ||
           !strcmp(flag, "-T") || !strcmp(flag, "-flto");
}

struct input_words {
    vec(const char *) files, flags, libraries, folders; // libraries: names after -l; folders: names after -L
};

static void sort_words(const struct front_input *input, struct input_words *words) {
    for (unsigned i = 0; i < input->count; i++) {
        const char *word = input->words[i];
        if (word[0] != '-' || !word[1]) {
            vec_push(&words->files, word);
            continue;
        }
        bool more = takes_value(word) && i + 1 < input->count, ignored = is_ignored(word);
        bool named = !strncmp(word, "-l", 2), folder = !strncmp(word, "-L", 2);
        const char *value = word[2] ? word + 2 : more ? input->words[i + 1] : "";
        if (named) vec_push(&words->libraries, value);
        if (folder) vec_push(&words->folders, value);
        if ((named || folder) && word[2]) more = false;
        if (!ignored) vec_push(&words->flags, word);
        if (more && !ignored) vec_push(&words->flags, input->words[i + 1]);
        i += more;
    }
}

static bool add_source(struct front *front, const char *source, const struct input_words *words,
                       const char *runtime, struct compile_folder *folder, struct front_times *times) {
    if (access(source, R_OK)) {
        user_error_at(source, "Check the name and the current directory.", "%s", strerror(errno));
        return false;
    }
    double start = clock_seconds();
    struct text bitcode = {0};
    bool good = compile_c(front, source, words->flags.at, words->flags.count, runtime, folder, &bitcode);
    times->compile += clock_seconds() - start;
    LLVMMemoryBufferRef buffer =
        good ? LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode.at, bitcode.count, source) : NULL;
    text_free(&bitcode);
    if (!buffer) return false;
    keep_file(front, buffer, source);
    struct input_part *part = add_whole(front, buffer, source);
    part->trusted = part->plain = part->instrumented = true;
    return true;
}

// ---- libraries: -lNAME, in the folders of -L and of `tamar deps`. Definitions of the program have priority.

static bool add_library(struct front *front, const struct input_words *words, const char *name) {
    static const char *const own[] = {"c",     "m",    "pthread", "rt",    "dl",     "util",  "resolv",
                                      "crypt", "xnet", "gcc",     "gcc_s", "gcc_eh", "atomic"};
    for (size_t i = 0; i < COUNT(own); i++)
        if (!strcmp(own[i], name)) return true; // part of the runtime
    struct text path = {0};
    for (uint32_t i = 0; i <= words->folders.count; i++) {
        text_clear(&path);
        if (i < words->folders.count)
            text_add(&path, "%s/lib%s.a", words->folders.at[i], name);
        else
            text_add(&path, "%s/lib/lib%s.a", resources_prefix(), name);
        if (access(path.at, R_OK) == 0) break;
        text_clear(&path);
    }
    bool good = true;
    LLVMMemoryBufferRef buffer = path.count ? read_bytes(path.at) : NULL;
    if (buffer) keep_file(front, buffer, path.at);
    if (!path.count)
        user_warning(
            "-l%s: no such library carries bitcode in the folders of -L or in %s/lib; `tamar deps %s` "
            "builds Debian's version",
            name, resources_prefix(), name);
    else
        good = buffer &&
               add_library_archive(front, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), path.at);
    text_free(&path);
    return good;
}

static bool add_words(struct front *front, const struct input_words *words, const char *runtime,
                      struct front_times *times) {
    struct compile_folder folder = {0};
    bool good = true;
    for (uint32_t i = 0; i < words->files.count && good; i++) {
        const char *file = words->files.at[i];
        if (is_cplusplus(file)) {
            user_error_at(
                file,
                "Name the parts that are in C, or give bitcode (clang++-19 -c -emit-llvm) if the file "
                "needs nothing of the C++ library.",
                "is C++, which Tamar does not compile");
            good = false;
            break;
        }
        good = is_source(file) ? add_source(front, file, words, runtime, &folder, times)
                               : add_file(front, file, words->files.count == 1);
    }
    compile_folder_remove(&folder);
    for (uint32_t i = 0; i < words->libraries.count && good; i++)
        good = add_library(front, words, words->libraries.at[i]);
    return good;
}

// Adds the further programs that execve may start.
static bool add_programs(struct front *front, const struct input_words *words, const char *runtime,
                         struct front_times *times) {
    struct compile_folder folder = {0};
    bool good = true;
    for (uint32_t i = 0; i < front->options->program_count && good; i++) {
        const struct front_program *program = &front->options->programs[i];
        uint32_t first = front->parts.count;
        good = is_source(program->file) ? add_source(front, program->file, words, runtime, &folder, times)
                                        : add_file(front, program->file, true);
        for (uint32_t k = first; k < front->parts.count; k++) front->parts.at[k].program = i + 1;
        text_add(&front->contents, "program %zu %s\n", strlen(program->path), program->path);
    }
    compile_folder_remove(&folder);
    return good;
}

static bool has_library(const struct input_words *words, const char *name) {
    vec_each (const char *, one, &words->libraries)
        if (!strcmp(*one, name)) return true;
    return false;
}

// Adds the libraries that static libraries need.
static void add_needed(struct front *front, struct input_words *words) {
    for (uint32_t i = 0; i < words->libraries.count; i++) {
        struct text needs = {0};
        char *state;
        if (resources_needed_libraries(words->libraries.at[i], &needs))
            for (char *one = strtok_r(needs.at, "\n", &state); one; one = strtok_r(NULL, "\n", &state))
                if (!has_library(words, one)) vec_push(&words->libraries, arena_strdup(front->scratch, one));
        text_free(&needs);
    }
}

bool input_read(struct front *front, const struct front_input *input, const char *runtime,
                struct front_times *times) {
    struct input_words words = {0};
    sort_words(input, &words);
    add_needed(front, &words);
    bool good = words.files.count > 0;
    double start = clock_processor_seconds();
    if (good)
        good = add_words(front, &words, runtime, times) && add_programs(front, &words, runtime, times);
    else
        user_error_at(NULL, "Name a C file, a bitcode file or a program built with \"tamar cc\".",
                      "no program given");
    times->read += clock_processor_seconds() - start;
    vec_free(&words.files);
    vec_free(&words.flags);
    vec_free(&words.libraries);
    vec_free(&words.folders);
    return good;
}

// ---- the runtime

bool input_read_library(struct front *front, const char *directory, const char *name) {
    char path[4300];
    snprintf(path, sizeof path, "%.4000s/%.200s", directory, name);
    if (access(path, R_OK)) return false;
    LLVMMemoryBufferRef buffer = read_bytes(path);
    LLVMModuleRef module = NULL;
    struct text cause = {0};
    if (!buffer) return false;
    LLVMContextSetDiagnosticHandler(front->context, diagnose, &cause);
    if (LLVMGetBitcodeModuleInContext2(front->context, buffer, &module)) // refers to the buffer
        error_internal("%s: %s", path, cause.count ? cause.at : "cannot be read");
    LLVMContextSetDiagnosticHandler(front->context, NULL, NULL);
    text_free(&cause);
    struct unit unit = {.module = module,
                        .reader = LLVMCreateFunctionPassManagerForModule(module),
                        .name = arena_strdup(front->scratch, path),
                        .rank = RANK_LIBRARY};
    vec_push(&front->units, unit);
    return true;
}
