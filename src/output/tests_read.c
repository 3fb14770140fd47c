// Reads tests: Tamar's own, and KLEE's.
#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "output/ktest.h"
#include "output/tests.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

// Decodes a hexadecimal string; a NUL follows the bytes. Returns NULL if the string is not hexadecimal.
static uint8_t *bytes_of(struct arena *arena, const char *hex, uint32_t *size) {
    size_t length = hex ? strlen(hex) : 1;
    if (length % 2) return NULL;
    uint8_t *bytes = arena_alloc(arena, length / 2 + 1);
    for (size_t i = 0; i < length; i += 2) {
        int high = digit(hex[i]), low = digit(hex[i + 1]);
        if (high < 0 || low < 0) return NULL;
        bytes[i / 2] = (uint8_t)(high << 4 | low);
    }
    *size = (uint32_t)(length / 2);
    return bytes;
}

static bool read_arguments(struct arena *arena, const struct json_value *list, struct test_case *test) {
    if (!list || list->kind != JSON_ARRAY) return false;
    const char **arguments = ARENA_ARRAY(arena, const char *, list->count + 1);
    json_each(item, list) {
        uint32_t size;
        const uint8_t *bytes = bytes_of(arena, json_get_text(item, "hex", NULL), &size);
        if (!bytes) return false;
        arguments[test->argument_count++] = (const char *)bytes;
    }
    test->arguments = arguments;
    return true;
}

static bool read_inputs(struct arena *arena, const struct json_value *list, struct test_case *test) {
    if (!list || list->kind != JSON_ARRAY) return false;
    struct test_input *inputs = ARENA_ARRAY(arena, struct test_input, list->count + 1);
    json_each(item, list) {
        struct test_input *input = &inputs[test->input_count++];
        bool known = input_find_kind(json_get_text(item, "kind", ""), &input->kind);
        const char *exact = json_get_text(item, "name_hex", NULL); // only if JSON cannot represent the name
        uint32_t length;
        input->name = exact ? (const char *)bytes_of(arena, exact, &length) : json_get_text(item, "name", "");
        if (!input->name) return false;
        input->bytes = bytes_of(arena, json_get_text(item, "hex", NULL), &input->size);
        if (!known || !input->bytes) return false;
    }
    test->inputs = inputs;
    return true;
}

static bool read_decisions(struct arena *arena, const struct json_value *list, struct test_case *test) {
    if (!list || list->kind != JSON_ARRAY) return false;
    uint32_t *decisions = ARENA_ARRAY(arena, uint32_t, list->count + 1);
    json_each(item, list) {
        uint64_t value = json_number_value(item, UINT64_MAX);
        if (value > UINT32_MAX) return false;
        decisions[test->decision_count++] = (uint32_t)value;
    }
    test->decisions = decisions;
    return true;
}

static bool read_events(struct arena *arena, const struct json_value *list, struct test_case *test) {
    const char **events = ARENA_ARRAY(arena, const char *, (list ? list->count : 0) + 1);
    json_each(one, list) {
        if (!one->text) return false;
        events[test->event_count++] = one->text;
    }
    test->events = events;
    return true;
}

// Reads the part of the call stack that the test has: the innermost frame in user code and its callers.
static void read_stack(struct arena *arena, const struct json_value *bug, struct finding *finding) {
    uint32_t count = 1;
    const struct json_value *callers = json_get(bug, "callers");
    json_each(one, callers) count++;
    struct finding_frame *frames = arena_alloc(arena, count * sizeof *frames);
    frames[0] = finding->place;
    finding->stack = (struct finding_stack){.frames = frames, .count = 1};
    json_each(one, callers) frames[finding->stack.count++] =
        (struct finding_frame){.function = json_get_text(one, "function", ""),
                               .file = json_get_text(one, "file", ""),
                               .line = (uint32_t)json_get_number(one, "line", 0)};
}

static bool read_output(struct arena *arena, const struct json_value *stream, const uint8_t **bytes,
                        uint32_t *size) {
    if (stream) *bytes = bytes_of(arena, json_get_text(stream, "hex", NULL), size);
    return !stream || *bytes;
}

static bool read_outcome(struct arena *arena, const struct json_value *root, struct test_case *test,
                         struct finding *finding) {
    const char *outcome = json_get_text(root, "outcome", "");
    int known = -1;
    for (int i = TEST_EXITED; i <= TEST_REACHED; i++)
        if (!strcmp(outcome, test_outcome_names[i])) known = i;
    if (known < 0) return false;
    test->outcome = (enum test_outcome)known;
    test->exit_status = (int)json_get_number(root, "exit_status", 0);
    const struct json_value *bug = json_get(root, "bug");
    if (!bug) return test->outcome != TEST_BUG;
    test->bug = finding->kind = json_get_text(bug, "kind", "");
    finding->message = json_get_text(bug, "message", "");
    finding->details = "";
    finding->place.file = json_get_text(bug, "file", "");
    finding->place.function = json_get_text(bug, "function", "");
    finding->place.line = (uint32_t)json_get_number(bug, "line", 0);
    finding->ignored = json_get_text(bug, "ignored", NULL);
    finding->replayed = -1;
    read_stack(arena, bug, finding);
    return true;
}

const char *test_read(struct arena *arena, const char *path, struct test_case *test,
                      struct finding *finding) {
    struct text content = {0};
    const char *error;
    size_t place;
    *test = (struct test_case){0};
    *finding = (struct finding){0};
    const char *wrong = file_read_kept(path, &content);
    if (wrong) {
        text_free(&content);
        return wrong;
    }
    const struct json_value *root =
        json_parse(arena, content.at ? content.at : "", content.count, &error, &place);
    text_free(&content);
    if (!root) return error;
    test->number = (uint32_t)json_get_number(root, "number", 0);
    test->environment = (uint32_t)json_get_number(root, "environment", 0);
    test->instructions = json_get_number(root, "instructions", 0);
    test->survived = (uint32_t)json_get_number(root, "survived", 0);
    if (!read_outcome(arena, root, test, finding)) return "its outcome is missing or unknown";
    if (!read_arguments(arena, json_get(root, "arguments"), test)) return "its arguments are damaged";
    if (!read_inputs(arena, json_get(root, "inputs"), test)) return "its inputs are damaged";
    if (!read_events(arena, json_get(root, "events"), test)) return "its events are damaged";
    test->output_cut = json_get_bool(root, "output_cut", false);
    if (!read_output(arena, json_get(root, "stdout"), &test->standard_output, &test->standard_output_size) ||
        !read_output(arena, json_get(root, "stderr"), &test->standard_error, &test->standard_error_size))
        return "its output is damaged";
    if (!read_decisions(arena, json_get(root, "decisions"), test)) return "its decisions are damaged";
    return NULL;
}

void test_from_ktest(struct arena *arena, const struct ktest *ktest, struct test_case *test) {
    *test = (struct test_case){0};
    const char **arguments = ARENA_ARRAY(arena, const char *, ktest->object_count + 2);
    struct test_input *inputs = ARENA_ARRAY(arena, struct test_input, ktest->object_count + 1);
    arguments[test->argument_count++] = ktest->argument_count ? ktest->arguments[0] : "program";
    for (uint32_t i = 0; i < ktest->object_count; i++) {
        const struct ktest_object *object = &ktest->objects[i];
        const char *name = object->name;
        if (!strcmp(name, "model_version") || !strcmp(name, "n_args") || text_ends_with(name, "-stat"))
            continue;
        struct input_id id = input_from_ktest(name);
        struct test_input *input = &inputs[test->input_count];
        *input = (struct test_input){.kind = id.kind, .bytes = object->bytes, .size = object->size};
        if (id.kind == INPUT_ARGUMENT) {
            id.index = test->argument_count; // KLEE numbers only symbolic arguments
            if (input->size && !input->bytes[input->size - 1]) input->size--; // KLEE's size includes the NUL
            arguments[test->argument_count++] = (const char *)input->bytes;
        }
        struct text text = {0};
        input_add_name(&text, id);
        input->name = arena_strdup(arena, text.at);
        text_free(&text);
        test->input_count++;
    }
    test->arguments = arguments;
    test->inputs = inputs;
}
