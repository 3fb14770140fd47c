// The results folder is written from a recorded stream of messages only: this program is linked without the engine.
#include "../check.h"
#include "../ir/small_program.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/options.h"
#include "message/stream.h"
#include "output/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char home[] = "/tmp/tamar-test-writer-XXXXXX";

static int enter_folder(void **state) { return mkdtemp(home) && chdir(home) == 0 ? 0 : -1; }

static int remove_folder(void **state) {
    int left = chdir("/");
    file_remove_tree(home);
    return left;
}

#define OPTIONS(X, T) X(T, NUMBER, max_depth, "N", 100, 1, 1000, "as an example")
OPTIONS_STRUCT(options, OPTIONS)
OPTIONS_TABLE(options, OPTIONS)

// ---- the run

static const struct finding_frame frames[] = {{"choose", "/src/small.c", 4, 2, "x=7", true, 0, 0},
                                              {"main", "/src/small.c", 20, 0, NULL, true, 1, 26}};
static const struct finding_byte byte = {"stdin", 0, 'a', 'a', 'a'};
static const char *const conditions[] = {"stdin[0] == 'a'"};
static const struct finding finding = {.kind = "assert",
                                       .message = "x != 7",
                                       .details = "",
                                       .place = {"choose", "/src/small.c", 4, 2, "x=7", true, 0, 0},
                                       .stack = {frames, 2},
                                       .bytes = &byte,
                                       .byte_count = 1,
                                       .conditions = conditions,
                                       .condition_count = 1,
                                       .hash = 0x1122334455667788,
                                       .number = 1,
                                       .test = 2,
                                       .occurrences = 1,
                                       .paths = 1,
                                       .replayed = -1};

static const char *const arguments[] = {"prog", NULL};
static const struct test_input input = {INPUT_STDIN, "", (const uint8_t *)"a", 1};
static const uint32_t decisions[] = {1, 0, 300}, edges[] = {0, 1}, functions[] = {0};
static const uint32_t stacks[] = {1, 2, 3, 4, 5, 6};

static struct test_case test_of(uint32_t number, enum test_outcome outcome) {
    return (struct test_case){.number = number,
                              .outcome = outcome,
                              .finding = outcome == TEST_BUG,
                              .arguments = arguments,
                              .argument_count = 1,
                              .inputs = &input,
                              .input_count = 1,
                              .decisions = decisions,
                              .decision_count = 3,
                              .seconds = 0.25};
}

static void write_status(struct message_writer *stream, uint64_t value, const char *end) {
    struct run_status message = {.seconds = 1.5,
                                 .solver_seconds = 0.5,
                                 .end = end,
                                 .explored = end != NULL,
                                 .complete = false,
                                 .peak_memory = 12345,
                                 .counts = {.completed = value, .joined = value + 8, .tests = value + 9},
                                 .symbolic = {.branches = 5},
                                 .solver = {.queries = 77}};
    message.solver.layers[LAYER_CACHE] = (struct layer_counters){70, 60, 1000000000};
    message_write(stream, MESSAGE_STATUS, &message);
}

static void record_run(struct text *to) {
    struct message_writer *stream = message_writer_new(to);
    struct coverage_delta covered = {
        .edges = edges, .edge_count = 2, .functions = functions, .function_count = 1};
    struct test_case exits = test_of(1, TEST_EXITED), fails = test_of(2, TEST_BUG);
    struct engine_bug bug = {.number = 1, .kind = "assert", .place = frames[0], .test = 2, .paths = 9};
    bug.stacks = stacks;
    bug.stack_words = 6;
    struct incompleteness gap = {
        .number = 1, .what = "an array with a symbolic size", .place = frames[1], .count = 4, .lost = true};
    write_status(stream, 0, NULL);
    message_write(stream, MESSAGE_TEST, &exits);
    message_write(stream, MESSAGE_FINDING, &finding);
    message_write(stream, MESSAGE_TEST, &fails);
    message_write(stream, MESSAGE_COVERAGE, &covered);
    message_write(stream, MESSAGE_ENGINE_BUG, &bug);
    message_write(stream, MESSAGE_INCOMPLETE, &gap);
    gap.count = 6;
    message_write(stream, MESSAGE_INCOMPLETE, &gap);
    write_status(stream, 10, "every path was explored");
    message_writer_end(stream);
}

// ---- the folder

static struct writer *open_writer(const char *out, const struct options *values, const struct text *bitcode) {
    static const char *const words[] = {"prog.c", NULL};
    struct writer_options options = {.out = out,
                                     .command = words,
                                     .kind = "run",
                                     .program = "prog.c",
                                     .words = words,
                                     .word_count = 1,
                                     .directory = "/src",
                                     .bitcode = bitcode,
                                     .table = &options_table,
                                     .values = values,
                                     .version = "tamar test"};
    struct writer *writer = writer_open(&options);
    assert_non_null(writer);
    return writer;
}

// Reads the stream into a folder; returns the number of findings that tests were the first to show.
static uint32_t replay_stream(const struct text *stream, const char *out, const struct ir_program *program) {
    struct options values = {.max_depth = 12};
    struct text bitcode = {0};
    struct writer *writer = open_writer(out, &values, &bitcode);
    struct arena *arena = arena_new();
    struct message_reader *reader = message_reader_new(arena, stream->at, stream->count);
    struct message message;
    enum message_status status;
    uint32_t shown = 0;
    writer_start(writer, program);
    while ((status = message_read(reader, &message)) == MESSAGE_READ)
        shown += writer_take(writer, &message) != NULL;
    assert_int_equal(status, MESSAGE_END);
    struct summary summary = writer_summary(writer, arena, true);
    writer_finish(writer, &summary, NULL);
    assert_false(writer_failed(writer));
    message_reader_free(reader);
    writer_free(writer);
    arena_free(arena);
    return shown;
}

static const struct json_value *read_json(struct arena *arena, const char *path) {
    struct text content = {0};
    const char *error;
    size_t at;
    assert_true(file_read(path, &content));
    const struct json_value *root = json_parse(arena, content.at, content.count, &error, &at);
    assert_non_null(root);
    text_free(&content);
    return root;
}

static bool contains(const char *path, const char *word) {
    struct text content = {0};
    assert_true(file_read(path, &content));
    bool found = strstr(content.at ? content.at : "", word) != NULL;
    text_free(&content);
    return found;
}

static void folder_from_a_stream(void **state) {
    struct text stream = {0};
    struct arena *arena = arena_new();
    struct ir_program *program = small_program();
    record_run(&stream);
    assert_int_equal(replay_stream(&stream, "out", program), 1);
    const struct json_value *summary = read_json(arena, "out/summary.json");
    const struct json_value *paths = json_get(summary, "paths");
    assert_int_equal(json_get_number(paths, "completed", 0), 10);
    assert_int_equal(json_get_number(paths, "joined", 0), 18);
    assert_int_equal(json_get_number(summary, "tests", 0), 19);
    assert_int_equal(json_get_number(json_get(summary, "queries"), "cache", 0), 60);
    assert_int_equal(json_get_number(json_get(summary, "queries"), "total", 0), 77);
    assert_int_equal(json_get_number(json_get(summary, "symbolic"), "branches", 0), 5);
    const struct json_value *bug = json_get(summary, "bugs")->first;
    assert_int_equal(json_get_number(bug, "paths", 0), 9);
    assert_int_equal(json_get_number(bug, "line", 0), 4);
    assert_int_equal(json_get_number(bug, "column", 0), 2);
    assert_int_equal(json_get_number(bug, "occurrences", 0), 3);
    assert_string_equal(json_get_text(bug, "fingerprint", ""), "1122334455667788");
    assert_int_equal(json_get_number(json_get(summary, "gave_up")->first, "count", 0), 6);
    assert_int_equal(json_get(summary, "gave_up")->count, 1);
    assert_string_equal(json_get_text(summary, "end", ""),
                        "every path was explored except what was given up");
    assert_string_equal(json_get_text(json_get(summary, "options"), "max-depth", ""), "12");
    assert_string_equal(json_get_text(read_json(arena, "out/tests/000002.json"), "outcome", ""), "bug");
    assert_int_equal(access("out/tests/000001/stdin", F_OK), 0);
    const char *report = json_get_text(bug, "report", "");
    char path[200];
    snprintf(path, sizeof path, "out/%s", report);
    assert_true(contains(path, "choose(x=7)"));
    assert_true(contains(path, "stdin[0] == 'a'"));
    assert_true(contains(path, "... the frame above 26 times more"));
    assert_true(contains(path, "and 2 other call paths"));
    assert_true(contains("out/bugs.sarif", "1122334455667788"));
    assert_non_null(json_get(read_json(arena, "out/coverage.json"), "files"));
    assert_int_equal(access("out/coverage.info", F_OK), 0);
    assert_true(
        contains("out/log.txt", "given up: an array with a symbolic size at /src/small.c:20, 6 times"));
    assert_int_equal(access("out/run.db", F_OK), 0);
    ir_program_free(program);
    arena_free(arena);
    text_free(&stream);
}

// The same stream gives the same files.
static void folders_are_alike(void **state) {
    static const char *const files[] = {"tests/000001.json", "tests/000002.json", "tests/000002.ktest",
                                        "coverage.json",     "coverage.info",     "bugs.sarif"};
    struct text stream = {0};
    struct ir_program *program = small_program();
    record_run(&stream);
    replay_stream(&stream, "one", program);
    replay_stream(&stream, "two", program);
    for (unsigned i = 0; i < COUNT(files); i++) {
        struct text a = {0}, b = {0};
        char path[100];
        snprintf(path, sizeof path, "one/%s", files[i]);
        assert_true(file_read(path, &a));
        snprintf(path, sizeof path, "two/%s", files[i]);
        assert_true(file_read(path, &b));
        assert_int_equal(a.count, b.count);
        if (a.count) assert_memory_equal(a.at, b.at, a.count);
        text_free(&a);
        text_free(&b);
    }
    ir_program_free(program);
    text_free(&stream);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(folder_from_a_stream),
                                       cmocka_unit_test(folders_are_alike)};
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
