// `tamar export`: the tests of a run in the form that other tools take.
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/sha256.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/out_folder.h"
#include "output/testcomp.h"
#include "output/tests.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define EXPORT_OPTIONS(X, T)                                                                                 \
    X(T, CHOICE, as, "corpus|test-comp", "corpus", "raw inputs for AFL++ and libFuzzer, or a suite in XML")  \
    X(T, TEXT, to, "DIR", NULL, "where they go (default: OUT/corpus or OUT/test-suite)")                     \
    X(T, TEXT, input, "NAME", NULL,                                                                          \
      "corpus: which input (stdin, a file, an object; default: the first that is one)")                      \
    COMMON_OPTIONS(X, T)
OPTIONS_STRUCT(export_options, EXPORT_OPTIONS)
OPTIONS_TABLE(export_options, EXPORT_OPTIONS)

enum { AS_CORPUS, AS_TEST_COMP };

struct export {
    struct arena *arena;
    const struct export_options *options;
    const char *folder, *to;
    vec(uint64_t) written; // hashes of the contents so far
    uint32_t tests, without;
    bool failed, errors;
};

static void put(struct export *export, const char *name, const void *bytes, size_t size) {
    struct text path = {0};
    text_add(&path, "%s/%s", export->to, name);
    if (!file_replace(path.at, bytes, size)) {
        user_error_at(path.at, "Say where they may go with --to DIR.", "%s", strerror(errno));
        export->failed = true;
    }
    text_free(&path);
}

// ---- raw inputs

static const struct test_input *raw_input(const struct test_case *test, const char *wanted) {
    static const enum input_kind order[] = {INPUT_OBJECT, INPUT_STDIN, INPUT_FILE, INPUT_ARGUMENT};
    for (uint32_t i = 0; wanted && i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        if (!strcmp(input->name, wanted) || (input->kind == INPUT_STDIN && !strcmp(wanted, "stdin")))
            return input;
    }
    for (size_t k = 0; !wanted && k < COUNT(order); k++)
        for (uint32_t i = 0; i < test->input_count; i++)
            if (test->inputs[i].kind == order[k]) return &test->inputs[i];
    return NULL;
}

// The same bytes once; an empty input is none for a fuzzer.
static void export_raw(struct export *export, const struct test_case *test) {
    const struct test_input *input = raw_input(test, export->options->input);
    if (!input || !input->size) {
        export->without++;
        return;
    }
    uint64_t hash = hash_bytes(input->bytes, input->size, input->size);
    vec_each (uint64_t, known, &export->written)
        if (*known == hash) return;
    vec_push(&export->written, hash);
    char name[64];
    snprintf(name, sizeof name, "id:%06u,src:tamar", test->number);
    put(export, name, input->bytes, input->size);
    export->tests++;
}

// ---- Test-Comp

static void export_case(struct export *export, const struct test_case *test) {
    struct text text = {0};
    char name[64];
    snprintf(name, sizeof name, "testcase-%u.xml", test->number);
    testcomp_add_case(&text, test);
    put(export, name, text.at, text.count);
    text_free(&text);
    export->tests++;
    export->errors |= test->outcome == TEST_BUG;
}

static void export_metadata(struct export *export) {
    const struct json_value *program = out_read_json(export->arena, export->folder, "program.json");
    if (!program) {
        export->failed = true;
        return;
    }
    struct text path = {0}, content = {0}, text = {0};
    const char *name = json_get_text(program, "program", "program");
    if (*name != '/') text_add(&path, "%s/", json_get_text(program, "directory", "."));
    text_add(&path, "%s", name);
    char hash[65];
    const char *wrong = file_read_kept(path.at, &content);
    if (wrong) warning("%s: %s: its hash is that of nothing", path.at, wrong);
    sha256_hex(content.at, content.count, hash);
    struct testcomp_program described = {version_line, name, hash, export->errors};
    testcomp_add_metadata(&text, &described);
    put(export, "metadata.xml", text.at, text.count);
    text_free(&path);
    text_free(&content);
    text_free(&text);
}

// ---- all tests

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void export_tests(struct export *export) {
    vec(uint32_t) numbers = {0};
    uint32_t number;
    DIR *directory = opendir(out_path(export->arena, export->folder, "tests"));
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && !strcmp(entry->d_name + length - 5, ".json") &&
            out_test_number(entry->d_name, &number))
            vec_push(&numbers, number);
    }
    if (directory) closedir(directory);
    if (numbers.count) qsort(numbers.at, numbers.count, sizeof *numbers.at, by_number);
    vec_each (uint32_t, each, &numbers) {
        struct arena *own = arena_new();
        struct test_case test;
        struct finding finding;
        if (!out_read_test(own, export->folder, *each, &test, &finding))
            export->failed = true;
        else if (export->options->as == AS_CORPUS)
            export_raw(export, &test);
        else
            export_case(export, &test);
        arena_free(own);
        if (export->failed) break;
    }
    vec_free(&numbers);
}

static int export_run(const struct export_options *options, const char *folder) {
    struct export export = {.arena = arena_new(), .options = options, .folder = folder, .to = options->to};
    bool corpus = options->as == AS_CORPUS;
    if (!export.to) export.to = out_path(export.arena, folder, corpus ? "corpus" : "test-suite");
    export.failed = !out_read_json(export.arena, folder, "summary.json");
    bool made = !export.failed &&
                (options->to ? mkdir(export.to, 0777) == 0 || errno == EEXIST : file_make_folder(export.to));
    if (!export.failed && !made) {
        user_error_at(export.to, "Say where they may go with --to DIR.", "%s", strerror(errno));
        export.failed = true;
    }
    if (!export.failed) export_tests(&export);
    if (!export.failed && !corpus) export_metadata(&export);
    if (!export.failed && !export.tests) {
        user_error_at(folder,
                      options->input ? "--input names one of the inputs that `tamar show` lists." : NULL,
                      "no test has an input that is a plain sequence of bytes");
        export.failed = true;
    }
    if (!export.failed) {
        say_line("%u inputs in %s", export.tests, export.to);
        if (export.without) say_line("%u tests have no such input, or an empty one", export.without);
    }
    vec_free(&export.written);
    arena_free(export.arena);
    return export.failed ? EXIT_USAGE : EXIT_OK;
}

static int run(const struct command *command, char **argv) {
    struct export_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    status = EXIT_USAGE;
    if (operands.words.count > 1)
        user_error_at("export", "Name one folder of results.", "more than one thing to export");
    else
        status = export_run(&options, operands.words.count ? operands.words.at[0] : "tamar-last");
    options_free(command->options, &options);
    operands_free(&operands);
    return status;
}

const struct command export_command = {
    .name = "export",
    .help = "the tests of a run as a fuzzer's corpus, or as a Test-Comp suite",
    .operands = "[OUT]",
    .description = "As corpus, every test's raw input becomes a file of DIR, once: what afl-fuzz takes with "
                   "-i, and a libFuzzer "
                   "program as its corpus. As test-comp, DIR gets metadata.xml and one XML file for each "
                   "test, with the values "
                   "that __VERIFIER_nondet_* returned. KLEE's form is there already: OUT/tests/*.ktest.",
    .options = &export_options_table,
    .style = OPERANDS_PLAIN,
    .run = run,
};
