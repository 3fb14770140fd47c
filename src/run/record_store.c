// The folder of seeds. Many processes may record into it at once (a test suite with `make -j`): a process that changes
// it holds a lock. `.known` has a file for each input, by its hash, so that no input is kept twice.
#include "run/record_store.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/sha256.h"
#include "output/results.h"
#include "output/tests.h"
#include "output/writer.h"
#include "run/native_replay.h"
#include "run/out_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool record_open(struct record_store *store, struct arena *arena, const char *folder) {
    char absolute[PATH_MAX];
    bool good = (mkdir(folder, 0777) == 0 || errno == EEXIST) && realpath(folder, absolute);
    *store = (struct record_store){.arena = arena};
    if (good) {
        store->folder = arena_strdup(arena, absolute);
        good = file_make_folder(out_path(arena, absolute, "tests")) &&
               file_make_folder(out_path(arena, absolute, ".known"));
    }
    if (!good)
        user_error_at("--into", "Name a folder that can be written.", "%s: %s", folder, strerror(errno));
    return good;
}

// Takes the lock of the folder; closing the descriptor releases it.
static int lock(const struct record_store *store) {
    int fd =
        open(out_path(store->arena, store->folder, ".lock"), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    while (fd >= 0 && flock(fd, LOCK_EX) != 0 && errno == EINTR) {}
    return fd;
}

void record_note(const struct record_store *store, const char *line) {
    FILE *log = fopen(out_path(store->arena, store->folder, "log.txt"), "a");
    if (!log) return;
    time_t now = time(NULL);
    struct tm when;
    char text[32];
    localtime_r(&now, &when);
    strftime(text, sizeof text, "%H:%M:%S", &when);
    fprintf(log, "%s %s\n", text, line);
    fclose(log);
}

static void add_words(struct json *json, const char *key, const char *const *words, uint32_t count) {
    json_key(json, key);
    json_open(json, '[');
    for (uint32_t i = 0; i < count; i++) json_string(json, words[i]);
    json_close(json, ']');
}

bool record_describe(struct record_store *store, const char *name, const char *const *words, uint32_t count,
                     const struct text *bitcode, const char *version) {
    vec(const char *) command = {0};
    const char *const options[] = {"--as-recorded", "--relax-checks", "--seeds", store->folder};
    for (unsigned i = 0; i < COUNT(options); i++) vec_push(&command, options[i]);
    for (uint32_t i = 0; i < count; i++) vec_push(&command, words[i]);
    char *directory = getcwd(NULL, 0);
    struct text content = {0};
    struct json json = {.to = &content};
    json_open(&json, '{');
    json_field(&json, string, "program", name);
    json_field(&json, string, "directory", directory ? directory : "/");
    json_field(&json, string, "bitcode", "program.bc");
    add_words(&json, "words", words, count);
    add_words(&json, "command", command.at, command.count);
    json_field(&json, string, "version", version);
    json_field(&json, number, "format", WRITER_FORMAT);
    json_close(&json, '}');
    int held = lock(store);
    struct results *results = results_open(store->folder);
    bool good = results_write(results, "program.bc", bitcode->at, bitcode->count) &&
                results_write(results, "program.json", content.at, content.count);
    results_free(results);
    if (held >= 0) close(held);
    text_free(&content);
    free(directory);
    vec_free(&command);
    return good;
}

// ---- tests

static void add_part(struct text *to, const char *name, const void *bytes, size_t size) {
    text_add(to, "%zu:%s %zu:", strlen(name), name, size);
    text_add_bytes(to, bytes, size);
}

// Hashes the arguments without argv[0] and the inputs, not the outcome.
static void hash_input(const struct test_case *test, char digits[65]) {
    struct text all = {0};
    for (uint32_t i = 1; i < test->argument_count; i++)
        add_part(&all, "argument", test->arguments[i], strlen(test->arguments[i]));
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        text_add(&all, "%d ", (int)input->kind);
        add_part(&all, input->name, input->bytes, input->size);
    }
    sha256_hex(all.at ? all.at : "", all.count, digits);
    text_free(&all);
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void record_numbers(const struct record_store *store, struct record_list *numbers) {
    DIR *folder = opendir(out_path(store->arena, store->folder, "tests"));
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        uint32_t number;
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && !strcmp(dot, ".json") && out_test_number(entry->d_name, &number))
            vec_push(numbers, number);
    }
    if (folder) closedir(folder);
    if (numbers->count) qsort(numbers->at, numbers->count, sizeof *numbers->at, by_number);
}

bool record_add(struct record_store *store, struct test_case *test, uint32_t *number, bool *failed) {
    char digits[65], name[96];
    hash_input(test, digits);
    snprintf(name, sizeof name, ".known/%s", digits);
    const char *path = out_path(store->arena, store->folder, name);
    struct text known = {0};
    int held = lock(store);
    bool new = file_read_kept(path, &known) != NULL;
    *failed = false;
    *number = known.at ? (uint32_t)strtoul(known.at, NULL, 10) : 0;
    if (new) {
        struct record_list numbers = {0};
        record_numbers(store, &numbers);
        test->number = *number = numbers.count ? *vec_last(&numbers) + 1 : 1;
        vec_free(&numbers);
        struct results *results = results_open(store->folder);
        snprintf(digits, sizeof digits, "%u\n", *number);
        *failed = !test_write(results, test, NULL, NULL, 0) || !file_write(path, digits, strlen(digits));
        results_free(results);
    }
    if (held >= 0) close(held);
    text_free(&known);
    return new;
}

bool record_replace(struct record_store *store, const struct test_case *test, const struct finding *finding,
                    const struct text *constraints) {
    char name[64];
    snprintf(name, sizeof name, "tests/%06u", test->number);
    int held = lock(store);
    file_remove_tree(out_path(store->arena, store->folder, name));
    struct results *results = results_open(store->folder);
    bool good = test_write(results, test, finding, NULL, 0);
    snprintf(name, sizeof name, "tests/%06u.smt2", test->number);
    if (constraints->count)
        good = results_write(results, name, constraints->at, constraints->count) && good;
    else
        unlink(out_path(store->arena, store->folder, name));
    results_free(results);
    if (held >= 0) close(held);
    return good;
}
