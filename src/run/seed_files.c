#include "run/seed_files.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "output/ktest.h"
#include "output/tests.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct reading {
    struct seeds *seeds;
    struct test_input raw; // the input that a raw file stands for
    bool has_raw;
    uint32_t skipped; // raw files for which there is no symbolic input
};

static const char *join(struct arena *arena, const char *folder, const char *name) {
    struct text path = {0};
    text_add(&path, "%s/%s", folder, name);
    const char *joined = arena_strdup(arena, path.at);
    text_free(&path);
    return joined;
}

static bool is_folder(const char *path) {
    struct stat st;
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static bool exists(const char *path) {
    struct stat st;
    return !stat(path, &st);
}

// Reads the whole file into the arena and adds a NUL. Returns false if an error has been reported.
static bool read_whole(struct arena *arena, const char *path, const uint8_t **bytes, uint32_t *size) {
    struct text content = {0};
    if (!file_read(path, &content)) {
        user_error_at(path, NULL, "the seed cannot be read: %s", strerror(errno));
        text_free(&content);
        return false;
    }
    uint8_t *copy = arena_alloc(arena, content.count + 1);
    if (content.count) memcpy(copy, content.at, content.count);
    *bytes = copy;
    *size = (uint32_t)content.count;
    text_free(&content);
    return true;
}

static bool damaged(const char *path, const char *wrong) {
    user_error_at(path, "Take it out of the folder, or fix it.", "the seed cannot be used: %s", wrong);
    return false;
}

static bool add_json(struct reading *reading, const char *path) {
    struct test_case test;
    struct finding finding;
    const char *wrong = test_read(reading->seeds->arena, path, &test, &finding);
    if (wrong) return damaged(path, wrong);
    vec_push(&reading->seeds->at, test);
    return true;
}

static bool add_ktest(struct reading *reading, const char *path) {
    const uint8_t *bytes;
    uint32_t size;
    struct ktest ktest;
    struct test_case test;
    if (!read_whole(reading->seeds->arena, path, &bytes, &size)) return false;
    const char *wrong = ktest_read(reading->seeds->arena, bytes, size, &ktest);
    if (wrong) return damaged(path, wrong);
    test_from_ktest(reading->seeds->arena, &ktest, &test);
    vec_push(&reading->seeds->at, test);
    return true;
}

static bool add_raw(struct reading *reading, const char *path) {
    if (!reading->has_raw) {
        reading->skipped++;
        return true;
    }
    struct arena *arena = reading->seeds->arena;
    struct test_input *input = ARENA_NEW(arena, struct test_input);
    *input = reading->raw;
    if (!read_whole(arena, path, &input->bytes, &input->size)) return false;
    vec_push(&reading->seeds->at, ((struct test_case){.inputs = input, .input_count = 1}));
    return true;
}

// ---- a test as plain files: argv, stdin, files/...

struct plain {
    struct reading *reading;
    struct test_case test;
    vec(struct test_input) inputs;
};

static bool add_plain_input(struct plain *plain, enum input_kind kind, const char *name, const char *path) {
    struct test_input input = {.kind = kind, .name = name};
    if (!read_whole(plain->reading->seeds->arena, path, &input.bytes, &input.size)) return false;
    vec_push(&plain->inputs, input);
    return true;
}

static bool add_plain_files(struct plain *plain, const char *folder, const char *name) {
    struct arena *arena = plain->reading->seeds->arena;
    const char *path = *name ? join(arena, folder, name) : folder;
    if (!is_folder(path)) return add_plain_input(plain, INPUT_FILE, name, path);
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    bool good = count >= 0;
    for (int i = 0; i < count; i++) {
        if (good && strcmp(entries[i]->d_name, ".") != 0 && strcmp(entries[i]->d_name, "..") != 0)
            good = add_plain_files(plain, folder,
                                   *name ? join(arena, name, entries[i]->d_name)
                                         : arena_strdup(arena, entries[i]->d_name));
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    return good;
}

static bool read_words(struct plain *plain, const char *path) {
    struct arena *arena = plain->reading->seeds->arena;
    const uint8_t *bytes;
    uint32_t size, count = 0;
    if (!read_whole(arena, path, &bytes, &size)) return false;
    for (uint32_t i = 0; i < size; i++) count += !bytes[i];
    const char **words = ARENA_ARRAY(arena, const char *, count + 1);
    for (uint32_t i = 0, at = 0; i < count; i++) {
        words[i] = (const char *)bytes + at;
        at += (uint32_t)strlen(words[i]) + 1;
    }
    plain->test.arguments = words;
    plain->test.argument_count = count;
    return true;
}

static bool add_plain(struct reading *reading, const char *folder) {
    struct arena *arena = reading->seeds->arena;
    struct plain plain = {.reading = reading};
    const char *input = join(arena, folder, input_kinds[INPUT_STDIN].place),
               *files = join(arena, folder, input_kinds[INPUT_FILE].place);
    bool good = read_words(&plain, join(arena, folder, "argv"));
    if (good && exists(input)) good = add_plain_input(&plain, INPUT_STDIN, "", input);
    if (good && exists(files)) good = add_plain_files(&plain, files, "");
    plain.test.input_count = plain.inputs.count;
    if (plain.inputs.count)
        plain.test.inputs =
            arena_memdup(arena, plain.inputs.at, plain.inputs.count * sizeof *plain.inputs.at);
    if (good) vec_push(&reading->seeds->at, plain.test);
    vec_free(&plain.inputs);
    return good;
}

// ---- the folder

// A test may exist in several forms: only the most complete one is read.
static bool has_better(struct arena *arena, const char *folder, const char *name, const char *end) {
    size_t stem = strlen(name) - strlen(end);
    struct text other = {0};
    text_add(&other, "%.*s.json", (int)stem, name);
    bool better = exists(join(arena, folder, other.at));
    text_free(&other);
    return better;
}

static bool add_entry(struct reading *reading, const char *folder, const char *name) {
    struct arena *arena = reading->seeds->arena;
    const char *path = join(arena, folder, name);
    if (name[0] == '.' || !strcmp(name, "README.txt")) return true; // AFL++ keeps its own things there
    if (is_folder(path)) {
        bool plain = exists(join(arena, path, "argv")) && !has_better(arena, folder, name, "");
        return !plain || add_plain(reading, path);
    }
    if (text_ends_with(name, ".smt2")) return true; // the constraints of a recorded test
    if (text_ends_with(name, ".json")) return add_json(reading, path);
    if (text_ends_with(name, ".ktest"))
        return has_better(arena, folder, name, ".ktest") || add_ktest(reading, path);
    return add_raw(reading, path);
}

static bool add_folder(struct reading *reading, const char *folder) {
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    bool good = count >= 0;
    if (!good)
        user_error_at("--seeds", "Give a folder of tests or input files.", "%s: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (good) good = add_entry(reading, folder, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    return good;
}

// Results of Tamar and of AFL++ have the inputs in a subfolder.
static const char *inner_folder(struct arena *arena, const char *folder) {
    static const char *const inside[] = {"tests", "queue", "default/queue"};
    for (unsigned i = 0; i < COUNT(inside); i++)
        if (is_folder(join(arena, folder, inside[i]))) return join(arena, folder, inside[i]);
    return folder;
}

static void find_raw(struct reading *reading, const struct program_inputs *program_inputs,
                     const struct ir_program *program) {
    const struct vm_file *first = NULL;
    reading->has_raw = true;
    if (ir_is_harness(program)) {
        reading->raw = (struct test_input){.kind = INPUT_OBJECT, .name = input_roles[ROLE_HARNESS].name};
        return;
    }
    vec_each (struct vm_file, file, &program_inputs->files)
        if (!first || (first->path && !file->path)) first = file;
    reading->has_raw = first != NULL;
    if (first)
        reading->raw = (struct test_input){.kind = first->path ? INPUT_FILE : INPUT_STDIN,
                                           .name = first->path ? first->path : ""};
}

bool seed_files_raw_input(const struct program_inputs *program_inputs, const struct ir_program *program,
                          struct test_input *raw) {
    struct reading reading = {0};
    find_raw(&reading, program_inputs, program);
    *raw = reading.raw;
    return reading.has_raw;
}

bool seed_files_read(struct seeds *seeds, const char *folder, const struct program_inputs *program_inputs,
                     const struct ir_program *program) {
    *seeds = (struct seeds){.arena = arena_new()};
    if (!folder) return true;
    struct reading reading = {.seeds = seeds};
    find_raw(&reading, program_inputs, program);
    if (!add_folder(&reading, inner_folder(seeds->arena, folder))) return false;
    if (reading.skipped && !seeds->at.count) {
        user_error_at("--seeds", "Make standard input or a file symbolic: --sym-stdin N, --sym-file NAME=N.",
                      "%s: no symbolic input can take the content of these files", folder);
        return false;
    }
    if (reading.skipped)
        user_warning("--seeds: %u raw files are ignored: neither standard input nor a file is symbolic",
                     reading.skipped);
    log_detail("%u seeds", seeds->at.count);
    if (!seeds->at.count) user_warning("--seeds: there are no inputs in %s", folder);
    return true;
}

void seed_files_free(struct seeds *seeds) {
    vec_free(&seeds->at);
    if (seeds->arena) arena_free(seeds->arena);
}
