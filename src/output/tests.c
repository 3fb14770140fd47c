#include "output/tests.h"

#include "../runtime/object_file.h"
#include "base/arena.h"
#include "base/bug_kinds.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "output/ktest.h"
#include "output/results.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const test_outcome_names[] = {
    [TEST_EXITED] = "exit",     [TEST_SIGNALLED] = "signal",
    [TEST_BUG] = "bug",         [TEST_NOT_MODELLED] = "not-modelled",
    [TEST_STOPPED] = "stopped", [TEST_REACHED] = "reached",
};

// ---- names

void test_add_file_path(struct text *to, const char *path) {
    if (*path == '/') text_add(to, "%%2F/");
    bool first = true;
    while (*path) {
        size_t length = strcspn(path, "/");
        if (length) {
            if (!first) text_add(to, "/");
            first = false;
            bool dots = path[0] == '.' && (length == 1 || (length == 2 && path[1] == '.'));
            if (dots)
                text_add(to, length == 1 ? "%%2E" : "%%2E%%2E");
            else
                for (size_t i = 0; i < length; i++) text_add(to, path[i] == '%' ? "%%25" : "%c", path[i]);
        }
        path += length + (path[length] == '/');
    }
}

// ---- JSON

static void add_arguments(struct json *json, const struct test_case *test) {
    json_key(json, "arguments");
    json_open(json, '[');
    for (uint32_t i = 0; i < test->argument_count; i++) {
        size_t size = strlen(test->arguments[i]);
        json_open_flat(json, '{');
        json_field(json, printable, "text", test->arguments[i], size);
        json_field(json, hex, "hex", test->arguments[i], size);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_output(struct json *json, const char *key, const uint8_t *bytes, uint32_t size) {
    if (!size) return;
    json_key(json, key);
    json_open_flat(json, '{');
    json_field(json, number, "size", size);
    json_field(json, printable, "text", bytes, size);
    json_field(json, hex, "hex", bytes, size);
    json_close(json, '}');
}

static void add_inputs(struct json *json, const struct test_case *test) {
    json_key(json, "inputs");
    json_open(json, '[');
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        json_open_flat(json, '{');
        json_field(json, string, "kind", input_kinds[input->kind].word);
        json_field(json, string, "name", input->name);
        if (!text_is_utf8(input->name)) json_field(json, hex, "name_hex", input->name, strlen(input->name));
        json_field(json, number, "size", input->size);
        json_field(json, printable, "text", input->bytes, input->size);
        json_field(json, hex, "hex", input->bytes, input->size);
        json_close(json, '}');
    }
    json_close(json, ']');
}

// Adds the callers of the function with the bug. A native run that jumps to an invalid address reports only callers
// (run/replay_judge.c).
static void add_callers(struct json *json, const struct finding *finding) {
    enum { MOST_CALLERS = 8 };
    const struct finding_stack *stack = &finding->stack;
    uint32_t at = 0, count = 0;
    while (at < stack->count && (stack->frames[at].line != finding->place.line ||
                                 strcmp(stack->frames[at].file, finding->place.file) != 0))
        at++;
    json_key(json, "callers");
    json_open(json, '[');
    for (at++; at < stack->count && count < MOST_CALLERS; at++) {
        if (!stack->frames[at].line) continue;
        count++;
        json_open(json, '{');
        json_field(json, string, "function", stack->frames[at].function);
        json_field(json, string, "file", stack->frames[at].file);
        json_field(json, number, "line", stack->frames[at].line);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_bug(struct json *json, const struct finding *finding) {
    json_key(json, "bug");
    json_open(json, '{');
    json_field(json, string, "kind", finding->kind);
    json_field(json, string, "message", finding->message);
    json_field(json, string, "file", finding->place.file);
    json_field(json, number, "line", finding->place.line);
    json_field(json, number, "column", finding->place.column);
    json_field(json, string, "function", finding->place.function);
    json_field(json, string, "fingerprint", finding_hex(finding));
    enum bug_kind kind = bug_kind_by_name(finding->kind);
    if (kind == BUG_NULL || kind == BUG_BAD_CALL) add_callers(json, finding);
    if (finding->ignored) json_field(json, string, "ignored", finding->ignored);
    struct text report = {0};
    text_add(&report, "bugs/%s.txt", finding_name(finding));
    if (!finding->ignored) json_field(json, string, "report", report.at);
    text_free(&report);
    json_close(json, '}');
}

static void add_covers(struct json *json, const struct new_lines *covers, uint32_t count) {
    json_key(json, "covers");
    json_open(json, '[');
    for (uint32_t i = 0; i < count; i++) {
        json_open(json, '{');
        json_field(json, string, "file", covers[i].file);
        json_key(json, "lines");
        json_open_flat(json, '[');
        for (uint32_t k = 0; k < covers[i].count; k++) json_number(json, covers[i].lines[k]);
        json_close(json, ']');
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void test_add_json(struct text *to, const struct test_case *test, const struct finding *finding,
                          const struct new_lines *covers, uint32_t covers_count) {
    struct json json = {.to = to};
    json_open(&json, '{');
    json_field(&json, number, "number", test->number);
    json_field(&json, string, "outcome", test_outcome_names[test->outcome]);
    if (test->outcome == TEST_EXITED || test->outcome == TEST_SIGNALLED)
        json_field(&json, integer, "exit_status", test->exit_status);
    if (finding) add_bug(&json, finding);
    if (test->survived) json_field(&json, number, "survived", test->survived);
    add_arguments(&json, test);
    add_inputs(&json, test);
    if (test->event_count) {
        json_key(&json, "events");
        json_open(&json, '[');
        for (uint32_t i = 0; i < test->event_count; i++) json_string(&json, test->events[i]);
        json_close(&json, ']');
    }
    add_output(&json, "stdout", test->standard_output, test->standard_output_size);
    add_output(&json, "stderr", test->standard_error, test->standard_error_size);
    if (test->output_cut) json_field(&json, bool, "output_cut", true);
    json_field(&json, number, "environment", test->environment);
    json_field(&json, number, "instructions", test->instructions);
    add_covers(&json, covers, covers_count);
    json_key(&json, "decisions");
    json_open_flat(&json, '[');
    for (uint32_t i = 0; i < test->decision_count; i++) json_number(&json, test->decisions[i]);
    json_close(&json, ']');
    json_field(&json, string, "checksum", "0000000000000000");
    json_close(&json, '}');
    test_seal(to);
}

// ---- the checksum, of all bytes before its key, which is the last one

#define CHECKSUM_KEY "\"checksum\": \""

static size_t checksum_offset(const struct text *content) {
    const size_t size = sizeof CHECKSUM_KEY - 1 + sizeof "0123456789abcdef\"\n}\n" - 1;
    if (content->count < size) return 0;
    size_t at = content->count - size;
    return memcmp(content->at + at, CHECKSUM_KEY, sizeof CHECKSUM_KEY - 1) == 0 ? at : 0;
}

static void add_checksum(struct text *to, const char *bytes, size_t size) {
    text_add(to, CHECKSUM_KEY "%016llx\"\n}\n", (unsigned long long)hash_bytes(bytes, size, 0));
}

void test_seal(struct text *content) {
    size_t at = checksum_offset(content);
    if (!at) return;
    content->count = at;
    add_checksum(content, content->at, at);
}

bool test_is_sealed(const struct text *content) {
    size_t at = checksum_offset(content);
    struct text expected = {0};
    if (at) add_checksum(&expected, content->at, at);
    bool sealed = at && memcmp(content->at + at, expected.at, expected.count) == 0;
    text_free(&expected);
    return sealed;
}

// ---- plain files

struct plain_files {
    const char *folder;
    bool compare; // instead of writing
};

// Writes a file, or compares it: then false means that it is missing or differs.
static bool put_file(const struct plain_files *files, const char *path, const void *bytes, size_t size) {
    if (!files->compare) return file_write(path, bytes, size);
    struct text content = {0};
    bool same = !file_read_kept(path, &content) && content.count == size &&
                (!size || memcmp(content.at, bytes, size) == 0);
    text_free(&content);
    return same;
}

static bool make_parents(const char *folder, char *path) {
    for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        bool good = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!good) return false;
    }
    return true;
}

static bool put_input(const struct plain_files *files, const struct test_input *input) {
    struct text path = {0};
    text_add(&path, "%s/%s", files->folder, input_kinds[input->kind].place);
    if (input->kind == INPUT_FILE) {
        test_add_file_path(&path, input->name);
    } else if (input->kind == INPUT_OBJECT) {
        char name[OBJECT_FILE_SIZE];
        object_file_name(name, input->name, 0);
        text_add(&path, "%s", name);
    }
    bool good = (files->compare || make_parents(files->folder, path.at)) &&
                put_file(files, path.at, input->bytes, input->size);
    text_free(&path);
    return good;
}

static bool put_named(const struct plain_files *files, const char *name, const void *bytes, size_t size) {
    struct text path = {0};
    text_add(&path, "%s/%s", files->folder, name);
    bool good = put_file(files, path.at, bytes, size);
    text_free(&path);
    return good;
}

// Most objects of the program that are files of their own. With more of them, all are in one file.
#define MOST_FILES 1000u

// Whether the input is an object of the program, not one of the runtime.
static bool is_own_object(const struct test_input *input) {
    return input->kind == INPUT_OBJECT && !input_role(input->kind, input->name);
}

static bool has_many_objects(const struct test_case *test) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < test->input_count; i++) count += is_own_object(&test->inputs[i]);
    return count > MOST_FILES;
}

static void list_object(struct text *list, const struct test_input *input) {
    char name[OBJECT_FILE_SIZE];
    struct object_list_entry entry = {object_file_name(name, input->name, 0), input->size};
    text_add_bytes(list, &entry, sizeof entry);
    text_add_bytes(list, input->bytes, input->size);
}

static bool put_inputs(const struct plain_files *files, const struct test_case *test) {
    struct text words = {0}, variables = {0}, list = {0};
    bool listed = has_many_objects(test);
    for (uint32_t i = 0; i < test->argument_count; i++)
        text_add_bytes(&words, test->arguments[i], strlen(test->arguments[i]) + 1);
    bool good = true;
    for (uint32_t i = 0; i < test->input_count && good; i++) {
        const struct test_input *input = &test->inputs[i];
        if (input->kind == INPUT_ENVIRONMENT) {
            text_add(&variables, "%s=", input->name);
            text_add_bytes(&variables, input->bytes, strnlen((const char *)input->bytes, input->size));
            text_add_bytes(&variables, "", 1);
        } else if (listed && is_own_object(input)) {
            list_object(&list, input);
        } else if (input->kind != INPUT_ARGUMENT) {
            good = put_input(files, input);
        }
    }
    good = good && (!listed || put_named(files, OBJECT_LIST, list.at, list.count)) &&
           put_named(files, input_kinds[INPUT_ARGUMENT].place, words.at, words.count) &&
           put_named(files, input_kinds[INPUT_ENVIRONMENT].place, variables.at, variables.count);
    text_free(&words);
    text_free(&variables);
    text_free(&list);
    return good;
}

bool test_write_files(const char *folder, const struct test_case *test) {
    const struct plain_files files = {.folder = folder};
    return put_inputs(&files, test);
}

static bool put_files(const struct plain_files *files, const struct test_case *test) {
    uint32_t printed = test->standard_output_size, complained = test->standard_error_size;
    return put_inputs(files, test) &&
           (!printed || put_named(files, "stdout", test->standard_output, printed)) &&
           (!complained || put_named(files, "stderr", test->standard_error, complained));
}

// ---- a test

static void add_ktest(struct text *to, const struct test_case *test) {
    struct arena *arena = arena_new();
    struct ktest ktest = test_as_ktest(arena, test);
    ktest_write(to, &ktest);
    arena_free(arena);
}

bool test_write_copies(struct results *results, const struct test_case *test) {
    char name[64], hidden[64];
    snprintf(hidden, sizeof hidden, "tests/.%06u", test->number);
    snprintf(name, sizeof name, "tests/%06u", test->number);
    if (!results_make_folder(results, hidden)) return false;
    struct text folder = results_path(results, "%s", hidden), content = {0};
    const struct plain_files files = {.folder = folder.at};
    bool good = put_files(&files, test);
    if (!good) results_fail(results, hidden, strerror(errno));
    good = good && results_rename(results, hidden, name);
    text_free(&folder);
    if (!good) return false;

    add_ktest(&content, test);
    snprintf(name, sizeof name, "tests/%06u.ktest", test->number);
    good = results_write(results, name, content.at, content.count);
    text_free(&content);
    return good;
}

bool test_has_copies(const struct results *results, const struct test_case *test) {
    struct text folder = results_path(results, "tests/%06u", test->number), content = {0};
    struct text ktest = results_path(results, "tests/%06u.ktest", test->number);
    const struct plain_files files = {.folder = folder.at, .compare = true};
    add_ktest(&content, test);
    bool same = put_file(&files, ktest.at, content.at, content.count) && put_files(&files, test);
    text_free(&folder);
    text_free(&ktest);
    text_free(&content);
    return same;
}

bool test_write(struct results *results, const struct test_case *test, const struct finding *finding,
                const struct new_lines *covers, uint32_t covers_count) {
    if (!test_write_copies(results, test)) return false;
    struct text content = {0};
    char name[64];
    test_add_json(&content, test, finding, covers, covers_count);
    snprintf(name, sizeof name, "tests/%06u.json", test->number);
    bool good = results_write(results, name, content.at, content.count);
    text_free(&content);
    return good;
}

// ---- KLEE's names: arg00, stdin, NAME-data; other names are objects of the program

static const char *arena_text(struct arena *arena, struct text *text) {
    const char *copy = arena_strdup(arena, text->at ? text->at : "");
    text_free(text);
    return copy;
}

static const char *ktest_name(struct arena *arena, const struct test_input *input, unsigned *arguments) {
    struct text name = {0};
    input_add_ktest_name(&name, input_parse(input->kind, input->name), *arguments);
    *arguments += input->kind == INPUT_ARGUMENT;
    return arena_text(arena, &name);
}

static uint32_t ktest_size(const struct test_input *input) {
    return input->size + (input->kind == INPUT_ARGUMENT); // KLEE counts the NUL
}

static const char *number_text(struct arena *arena, uint32_t number) {
    struct text text = {0};
    text_add(&text, "%u", number);
    return arena_text(arena, &text);
}

// Returns the words of a command line that makes the same arguments symbolic.
static const char *const *ktest_arguments(struct arena *arena, const struct test_case *test,
                                          uint32_t *count) {
    const char **words =
        ARENA_ARRAY(arena, const char *, 2 * (size_t)test->argument_count + 2 * test->input_count);
    const struct test_input **symbolic = ARENA_ARRAY(arena, const struct test_input *, test->argument_count);
    for (uint32_t i = 0; i < test->input_count; i++) {
        uint32_t index = input_parse(test->inputs[i].kind, test->inputs[i].name).index;
        if (test->inputs[i].kind == INPUT_ARGUMENT && index < test->argument_count)
            symbolic[index] = &test->inputs[i];
    }
    *count = 0;
    for (uint32_t i = 0; i < test->argument_count; i++) {
        if (symbolic[i]) words[(*count)++] = "--sym-arg";
        words[(*count)++] = symbolic[i] ? number_text(arena, symbolic[i]->size) : test->arguments[i];
    }
    for (uint32_t i = 0; i < test->input_count; i++) {
        if (test->inputs[i].kind != INPUT_STDIN) continue;
        words[(*count)++] = "--sym-stdin";
        words[(*count)++] = number_text(arena, test->inputs[i].size);
    }
    return words;
}

struct ktest test_as_ktest(struct arena *arena, const struct test_case *test) {
    bool environment = false;
    unsigned next_argument = 0;
    struct ktest_object *objects = ARENA_ARRAY(arena, struct ktest_object, test->input_count + 1);
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        uint32_t size = ktest_size(input);
        uint8_t *bytes = arena_alloc(arena, size + 1);
        memcpy(bytes, input->bytes, input->size);
        objects[i] = (struct ktest_object){ktest_name(arena, input, &next_argument), bytes, size};
        environment |= input->kind != INPUT_OBJECT;
    }
    static const uint8_t one[] = {1, 0, 0, 0};
    uint32_t count = test->input_count;
    if (environment) objects[count++] = (struct ktest_object){"model_version", one, sizeof one};
    struct ktest result = {.objects = objects, .object_count = count};
    result.arguments = ktest_arguments(arena, test, &result.argument_count);
    return result;
}
