// Folders, tests, reports, SARIF: files can be read back, and hostile names do no harm.
#include "../check.h"
#include "../runtime/object_file.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/bug_kinds.h"
#include "base/json.h"
#include "output/report.h"
#include "output/results.h"
#include "output/sarif.h"
#include "output/tests.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[] = "/tmp/tamar-test-output-XXXXXX";

static int enter_folder(void **state) { return mkdtemp(home) && chdir(home) == 0 ? 0 : -1; }

static int remove_folder(void **state) {
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", home);
    return chdir("/") == 0 ? system(command) : -1;
}

static const char hostile[] = "../../etc/\x1b[31m<script>\"\n%n";

static const struct finding_frame place = {"ma\"in", "/src/a b.c", 12, 3, "n=3, s=\"\\033\"", true, 0, 0};
static struct finding finding = {.kind = "out-of-bounds",
                                 .message = hostile,
                                 .details = "just after \x1b[2J\n",
                                 .place = {"ma\"in", "/src/a b.c", 12, 3, "n=3, s=\"\\033\"", true, 0, 0},
                                 .stack = {&place, 1},
                                 .allocated = {&place, 1},
                                 .hash = 0x1234567890abcdef,
                                 .test = 3,
                                 .replayed = -1};

static const uint8_t all_bytes[] = {0, 1, 10, 13, 27, 34, 39, 92, 127, 128, 255, 'a'};
static const char *arguments[] = {"prog", "", "\xff'\"", NULL};
static const uint32_t decisions[] = {0, 1, UINT32_MAX};
static struct test_input inputs[] = {{INPUT_STDIN, "", all_bytes, sizeof all_bytes},
                                     {INPUT_FILE, "dir/../x%", all_bytes, 3},
                                     {INPUT_FILE, "/etc/passwd", all_bytes, 2},
                                     {INPUT_OBJECT, hostile, all_bytes, 1},
                                     {INPUT_ENVIRONMENT, "NAME", (const uint8_t *)"value", 5}};
static struct test_case test = {.number = 3,
                                .outcome = TEST_BUG,
                                .arguments = arguments,
                                .argument_count = 3,
                                .inputs = inputs,
                                .input_count = 5,
                                .decisions = decisions,
                                .decision_count = 3,
                                .instructions = 1ull << 40};

static bool exists(const char *path) { return access(path, F_OK) == 0; }

static void test_folders(void **state) {
    struct results *first = results_create(NULL), *second = results_create(NULL);
    assert_string_equal(results_folder(first), "tamar-out-0");
    assert_string_equal(results_folder(second), "tamar-out-1");
    char target[100] = {0};
    assert_true(readlink("tamar-last", target, sizeof target - 1) > 0);
    assert_string_equal(target, "tamar-out-1");
    assert_true(results_write(second, "x.json", "{}", 2));
    assert_true(exists("tamar-out-1/x.json"));
    assert_false(exists("tamar-out-1/x.json.new"));
    assert_null(results_create("tamar-out-1")); // not empty
    results_free(first);
    results_free(second);
    struct results *empty = results_create("tamar-out-0");
    assert_non_null(empty);
    results_free(empty);
}

static void test_full_disk(void **state) {
    struct results *results = results_create("full");
    assert_non_null(results);
    assert_true(results_write(results, "kept", "1", 1));
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    assert_false(results_write(results, "second", "2", 1));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_true(results_failed(results));
    assert_false(results_write(results, "third", "3", 1)); // after a failed write nothing more is written
    assert_true(exists("full/kept"));
    assert_false(exists("full/second"));
    assert_false(exists("full/third"));
    results_free(results);
}

// Links that have the names of result files are not followed.
static void test_links(void **state) {
    struct results *results = results_create("linked");
    assert_non_null(results);
    assert_int_equal(symlink("../outside", "linked/one.new"), 0);
    assert_int_equal(symlink("../outside", "linked/one"), 0);
    assert_true(results_write(results, "one", "1", 1));
    assert_false(exists("outside"));
    assert_int_equal(mkdir("elsewhere", 0777), 0);
    assert_int_equal(symlink("../elsewhere", "linked/tests"), 0);
    assert_false(results_make_folder(results, "tests"));
    results_free(results);
}

static void test_tests(void **state) {
    struct results *results = results_create("tests-out");
    struct arena *arena = arena_new();
    struct test_case back;
    struct finding bug;
    uint32_t lines[] = {4, 5};
    struct new_lines covers = {"/src/a b.c", lines, 2};
    assert_true(results_make_folder(results, "tests"));
    assert_true(test_write(results, &test, &finding, &covers, 1));
    assert_null(test_read(arena, "tests-out/tests/000003.json", &back, &bug));
    assert_int_equal(back.number, 3);
    assert_int_equal(back.outcome, TEST_BUG);
    assert_string_equal(bug.kind, "out-of-bounds");
    assert_string_equal(bug.message, hostile);
    assert_int_equal(bug.place.line, 12);
    assert_int_equal(back.argument_count, 3);
    for (int i = 0; i < 3; i++) assert_string_equal(back.arguments[i], arguments[i]);
    assert_int_equal(back.input_count, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(back.inputs[i].kind, inputs[i].kind);
        assert_string_equal(back.inputs[i].name, inputs[i].name);
        assert_int_equal(back.inputs[i].size, inputs[i].size);
        assert_memory_equal(back.inputs[i].bytes, inputs[i].bytes, inputs[i].size);
    }
    assert_memory_equal(back.decisions, decisions, sizeof decisions);
    assert_true(back.instructions == 1ull << 40);
    // Nothing was written outside of the folder.
    assert_true(exists("tests-out/tests/000003/files/dir/%2E%2E/x%25"));
    assert_true(exists("tests-out/tests/000003/files/%2F/etc/passwd"));
    assert_true(exists("tests-out/tests/000003/stdin"));
    struct text object = {0};
    char file[OBJECT_FILE_SIZE];
    object_file_name(file, hostile, 0);
    text_add(&object, "tests-out/tests/000003/objects/%s", file);
    assert_true(exists(object.at));
    assert_null(strstr(object.at + 31, "/"));
    text_free(&object);
    assert_non_null(test_read(arena, "tests-out/tests/000004.json", &back, &bug));
    assert_true(results_write(results, "tests/000005.json", "{\"outcome\": \"exit\"}", 19));
    assert_non_null(test_read(arena, "tests-out/tests/000005.json", &back, &bug));
    results_free(results);
    arena_free(arena);
}

static void test_report(void **state) {
    struct text text = {0};
    report_add(&text, &finding, &test, "tamar-out-0",
               &(struct report_program){"prog.c", NULL, 0, NULL, NULL});
    assert_null(strchr(text.at, 27)); // no escape sequence reaches a terminal
    assert_non_null(strstr(text.at, "out-of-bounds: /src/a b.c:12:3: "));
    assert_non_null(strstr(text.at, "tamar replay tamar-out-0 3"));
    text_free(&text);
    assert_string_equal(finding_name(&finding), "out-of-bounds-a_b.c-12-829f9b97");
}

// A shell splits the printed command into the words that the program must get.
static void test_command(void **state) {
    FILE *script = fopen("prog.sh", "w");
    fputs("#!/bin/sh\nprintf '%s|' \"$@\" >got\ncat >>got\n", script);
    fclose(script);
    chmod("prog.sh", 0700);
    struct test_case plain = test;
    plain.input_count = 1; // standard input
    struct text inner = {0};
    report_add_command(&inner, &plain, "tamar-out-0",
                       &(struct report_program){"prog.sh", NULL, 0, NULL, NULL});
    FILE *file = fopen("command.sh", "w");
    fputs(inner.at, file);
    fclose(file);
    assert_int_equal(system("bash command.sh"), 0);
    char got[100];
    file = fopen("got", "rb");
    size_t size = fread(got, 1, sizeof got, file);
    fclose(file);
    static const char head[] = "|\xff'\"|";
    assert_int_equal(size, sizeof head - 1 + sizeof all_bytes);
    assert_memory_equal(got, head, sizeof head - 1);
    assert_memory_equal(got + sizeof head - 1, all_bytes, sizeof all_bytes);
    text_free(&inner);
}

static void test_sarif(void **state) {
    const struct finding *findings[] = {&finding};
    struct text text = {0};
    struct arena *arena = arena_new();
    const char *error;
    size_t at;
    struct summary summary = {.bugs = findings, .bug_count = 1};
    sarif_add(&text, &summary, "/src", "tamar 1");
    const struct json_value *root = json_parse(arena, text.at, text.count, &error, &at);
    assert_non_null(root);
    assert_string_equal(json_get_text(root, "version", ""), "2.1.0");
    const struct json_value *run = json_get(root, "runs")->first;
    const struct json_value *rules = json_get(json_get(json_get(run, "tool"), "driver"), "rules");
    assert_int_equal(rules->count, BUG_COUNT);
    const struct json_value *result = json_get(run, "results")->first;
    const struct json_value *rule = rules->first;
    for (uint64_t i = json_get_number(result, "ruleIndex", 99); i && rule; i--) rule = rule->next;
    assert_string_equal(json_get_text(rule, "id", ""), json_get_text(result, "ruleId", "x"));
    const struct json_value *physical = json_get(json_get(result, "locations")->first, "physicalLocation");
    const struct json_value *artifact = json_get(physical, "artifactLocation");
    assert_string_equal(json_get_text(artifact, "uri", ""), "a%20b.c");
    assert_string_equal(json_get_text(artifact, "uriBaseId", ""), "%SRCROOT%");
    assert_int_equal(json_get_number(json_get(physical, "region"), "startLine", 0), 12);
    assert_string_equal(json_get_text(json_get(result, "partialFingerprints"), "tamarBug/v1", ""),
                        "1234567890abcdef");
    assert_string_equal(json_get_text(json_get(result, "message"), "text", ""), hostile);
    text_free(&text);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_folders), cmocka_unit_test(test_full_disk),
                                       cmocka_unit_test(test_links),   cmocka_unit_test(test_tests),
                                       cmocka_unit_test(test_report),  cmocka_unit_test(test_command),
                                       cmocka_unit_test(test_sarif)};
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
