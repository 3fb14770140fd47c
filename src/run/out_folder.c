#include "run/out_folder.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/sources.h"
#include "base/text.h"
#include "base/vec.h"
#include "output/tests.h"
#include "output/writer.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *out_path(struct arena *arena, const char *folder, const char *name) {
    struct text path = {0};
    text_add(&path, "%s/%s", folder, name);
    const char *copy = arena_strdup(arena, path.at);
    text_free(&path);
    return copy;
}

bool out_check_format(const char *folder, const struct json_value *description) {
    uint64_t format = json_get_number(description, "format", 1);
    if (format == WRITER_FORMAT) return true;
    user_error_at(folder, "Run the program again; `--seeds` takes the tests of the old folder.",
                  format < WRITER_FORMAT
                      ? "the results are of version 0.1.0, which this version does not read"
                      : "the results are of a later version");
    return false;
}

// A run locks its folder first, and writes program.json soon after.
static const char *advice(struct arena *arena, const char *folder, const char *name) {
    bool early = !strcmp(name, "program.json") && access(out_path(arena, folder, "lock"), F_OK) == 0;
    return early ? "If the run was killed at its start, nothing is lost: remove the folder, and run again."
                 : "Name the folder that `tamar run` made, such as tamar-last.";
}

const struct json_value *out_read_json(struct arena *arena, const char *folder, const char *name) {
    const char *path = out_path(arena, folder, name), *error = NULL;
    struct text content = {0};
    size_t place;
    const struct json_value *value = NULL;
    const char *wrong = file_read_kept(path, &content);
    if (wrong)
        user_error_at(path, advice(arena, folder, name), "%s", wrong);
    else if (!(value = json_parse(arena, content.at ? content.at : "", content.count, &error, &place)))
        user_error_at(path, "The file is damaged: run again.", "byte %zu: %s", place, error);
    text_free(&content);
    return value;
}

void out_allow_sources(const struct json_value *program) {
    json_each(folder, json_get(program, "sources")) if (folder->text) sources_allow(folder->text);
}

bool out_test_number(const char *word, uint32_t *number) {
    const char *slash = strrchr(word, '/'), *start = slash ? slash + 1 : word;
    char *end;
    unsigned long value = strtoul(start, &end, 10);
    if (end == start || *start == '-' || (*end && strcmp(end, ".json") != 0 && strcmp(end, ".ktest") != 0) ||
        !value || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

const uint32_t *out_list_tests(struct arena *arena, const char *folder, uint32_t *count) {
    vec(uint32_t) numbers = {0};
    DIR *tests = opendir(out_path(arena, folder, "tests"));
    for (struct dirent *entry; tests && (entry = readdir(tests));) {
        uint32_t number;
        if (text_ends_with(entry->d_name, ".json") && out_test_number(entry->d_name, &number))
            vec_push(&numbers, number);
    }
    if (tests) closedir(tests);
    if (numbers.count) qsort(numbers.at, numbers.count, sizeof *numbers.at, by_number);
    *count = numbers.count;
    const uint32_t *kept =
        numbers.count ? arena_memdup(arena, numbers.at, numbers.count * sizeof *numbers.at) : NULL;
    vec_free(&numbers);
    return kept;
}

bool out_read_test(struct arena *arena, const char *folder, uint32_t number, struct test_case *test,
                   struct finding *finding) {
    char name[64];
    snprintf(name, sizeof name, "tests/%06u.json", number);
    const char *path = out_path(arena, folder, name), *wrong = test_read(arena, path, test, finding);
    if (wrong) user_error_at(path, NULL, "%s", wrong);
    return !wrong;
}

static char *from_hex(struct arena *arena, const char *hex) {
    size_t length = strlen(hex) / 2;
    char *bytes = arena_alloc(arena, length + 1);
    for (size_t i = 0; i < length; i++) {
        char digits[] = {hex[2 * i], hex[2 * i + 1], 0};
        bytes[i] = (char)strtoul(digits, NULL, 16);
    }
    return bytes;
}

char **out_command(struct arena *arena, const struct json_value *description) {
    const struct json_value *exact = json_get(description, "command_hex");
    const struct json_value *command = exact ? exact : json_get(description, "command");
    char **words = ARENA_ARRAY(arena, char *, (command ? command->count : 0) + 1);
    uint32_t count = 0;
    json_each(word, command) {
        const char *text = word->text ? word->text : "";
        words[count++] = exact ? from_hex(arena, text) : arena_strdup(arena, text);
    }
    return words;
}
