// `tamar export`: writes the tests of a run in formats of other tools.
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/sha256.h"
#include "cli/command.h"
#include "ir/dictionary.h"
#include "output/testcomp.h"
#include "output/tests.h"
#include "run/common_options.h"
#include "run/minimise.h"
#include "run/native_replay.h"
#include "run/out_folder.h"
#include "run/seed_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define EXPORT_OPTIONS(X, T)                                                                                 \
    X(T, CHOICE, as, "corpus|test-comp|dictionary", "corpus",                                                \
      "raw inputs for AFL++ and libFuzzer, a test suite in XML, or a dictionary of the program's constants") \
    X(T, TEXT, to, "PATH", NULL,                                                                             \
      "where the output goes (default: OUT/corpus, OUT/test-suite or OUT/dictionary)")                       \
    X(T, FLAG, minimise, 0, "corpus: only a small subset of the inputs, with the same coverage")             \
    X(T, TEXT, corpus, "DIR", NULL,                                                                          \
      "corpus: the inputs in DIR (formats as for --seeds) instead of the tests")                             \
    X(T, TEXT, input, "NAME", NULL,                                                                          \
      "corpus: the input to export (default: the first object, else stdin, else the first file, else the "   \
      "first argument)")                                                                                     \
    COMMON_OPTIONS(X, T)
OPTIONS_STRUCT(export_options, EXPORT_OPTIONS)
OPTIONS_TABLE(export_options, EXPORT_OPTIONS)

enum { AS_CORPUS, AS_TEST_COMP, AS_DICTIONARY };

struct export {
    struct arena *arena;
    const struct export_options *options;
    const char *folder, *to;
    vec(uint64_t) written; // hashes of the inputs written so far
    uint32_t tests, without;
    bool failed, errors;
};

static void put(struct export *export, const char *name, const void *bytes, size_t size) {
    struct text path = {0};
    text_add(&path, "%s/%s", export->to, name);
    if (!file_replace(path.at, bytes, size)) {
        user_error_at(path.at, "Choose another folder with --to DIR.", "%s", strerror(errno));
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

// Writes each distinct input once. Empty inputs are skipped: fuzzers do not accept them.
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
    if (!testcomp_can_express(test)) {
        export->without++;
        return;
    }
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
    if (wrong) user_warning("%s: %s: metadata.xml has the hash of an empty file", path.at, wrong);
    sha256_hex(content.at, content.count, hash);
    struct testcomp_program described = {version_line, name, hash, export->errors};
    testcomp_add_metadata(&text, &described);
    put(export, "metadata.xml", text.at, text.count);
    text_free(&path);
    text_free(&content);
    text_free(&text);
}

// ---- all tests

static void export_tests(struct export *export) {
    uint32_t count;
    const uint32_t *numbers = out_list_tests(export->arena, export->folder, &count);
    for (uint32_t i = 0; i < count && !export->failed; i++) {
        struct arena *own = arena_new();
        struct test_case test;
        struct finding finding;
        if (!out_read_test(own, export->folder, numbers[i], &test, &finding))
            export->failed = true;
        else if (export->options->as == AS_CORPUS)
            export_raw(export, &test);
        else
            export_case(export, &test);
        arena_free(own);
    }
}

// ---- exports that need the program

static void keep_test(void *context, const struct test_case *test) { export_raw(context, test); }

// Exports the inputs of --corpus, or the tests. With --minimise, exports a subset with the same coverage.
static void export_run_inputs(struct export *export, struct native_replay *replay) {
    struct seeds seeds = {0};
    struct minimised result;
    const char *from = export->options->corpus ? export->options->corpus : export->folder;
    export->failed = !seed_files_read(&seeds, from, &replay->program_inputs, replay->program);
    for (uint32_t i = 0; i < seeds.at.count; i++) seeds.at.at[i].number = i + 1;
    if (!export->failed && export->options->minimise) {
        minimise(replay->program, &replay->explore, seeds.at.at, seeds.at.count, keep_test, export, &result);
        log_line("%u of %u inputs cover %u of %u edges and functions", result.kept, result.inputs,
                 result.kept_items, result.items);
    } else if (!export->failed) {
        vec_each (struct test_case, test, &seeds.at) export_raw(export, test);
    }
    seed_files_free(&seeds);
}

static void with_program(struct export *export, void (*run)(struct export *, struct native_replay *)) {
    struct native_replay replay = {.arena = arena_new()};
    export->failed = !replay_open(&replay, export->folder);
    if (!export->failed && replay.options.as_recorded) {
        user_error_at(export->folder, "Export the tests as they are.",
                      "the tests of a recorded run do not have the same inputs");
        export->failed = true;
    }
    if (!export->failed) run(export, &replay);
    replay_close(&replay);
}

static void export_dictionary(struct export *export, struct native_replay *replay) {
    struct text words = {0};
    ir_add_dictionary(&words, replay->program);
    if (!file_put(export->to, words.at ? words.at : "", words.count)) {
        user_error_at(export->to, "Choose another file with --to FILE.", "%s", strerror(errno));
        export->failed = true;
    } else {
        uint32_t count = 0;
        for (size_t i = 0; i < words.count; i++) count += words.at[i] == '\n';
        log_line("%u words in %s", count, export->to);
    }
    text_free(&words);
}

static int export_words(const struct export_options *options, const char *folder) {
    struct export export = {.arena = arena_new(), .options = options, .folder = folder, .to = options->to};
    if (!export.to) export.to = out_path(export.arena, folder, "dictionary");
    with_program(&export, export_dictionary);
    arena_free(export.arena);
    return export.failed ? EXIT_USAGE : EXIT_OK;
}

static int export_run(const struct export_options *options, const char *folder) {
    struct export export = {.arena = arena_new(), .options = options, .folder = folder, .to = options->to};
    bool corpus = options->as == AS_CORPUS;
    if (!export.to) export.to = out_path(export.arena, folder, corpus ? "corpus" : "test-suite");
    export.failed = !out_read_json(export.arena, folder, "summary.json");
    bool made = !export.failed &&
                (options->to ? mkdir(export.to, 0777) == 0 || errno == EEXIST : file_make_folder(export.to));
    if (!export.failed && !made) {
        user_error_at(export.to, "Choose another folder with --to DIR.", "%s", strerror(errno));
        export.failed = true;
    }
    if (!export.failed && corpus && (options->minimise || options->corpus))
        with_program(&export, export_run_inputs);
    else if (!export.failed)
        export_tests(&export);
    if (!export.failed && !corpus) export_metadata(&export);
    if (!export.failed && !export.tests && options->as == AS_TEST_COMP) {
        user_error_at(folder, "Only values of __VERIFIER_nondet_* functions can be exported.",
                      "no test can be expressed in Test-Comp's format");
        export.failed = true;
    } else if (!export.failed && !export.tests) {
        user_error_at(folder,
                      options->input ? "--input names one of the inputs that `tamar show` lists." : NULL,
                      "no test has an input that is a plain sequence of bytes");
        export.failed = true;
    }
    if (!export.failed) {
        log_line("%u inputs in %s", export.tests, export.to);
        if (export.without && corpus)
            log_line("%u tests have no such input, or an empty one", export.without);
        else if (export.without)
            user_warning("%u test%s left out: arguments, files and standard input have no place in "
                         "Test-Comp's format",
                         export.without, export.without == 1 ? " is" : "s are");
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
        user_error_at("export", "Name one results folder.", "more than one results folder");
    else if (options.as == AS_DICTIONARY)
        status = export_words(&options, operands.words.count ? operands.words.at[0] : "tamar-last");
    else
        status = export_run(&options, operands.words.count ? operands.words.at[0] : "tamar-last");
    options_free(command->options, &options);
    operands_free(&operands);
    return status;
}

const struct command export_command = {
    .name = "export",
    .help = "export the tests of a run as a fuzzer's corpus or a Test-Comp suite, or a dictionary",
    .operands = "[OUT]",
    .description = "As corpus, each distinct raw input becomes a file in PATH, for afl-fuzz "
                   "-i or as the corpus of a libFuzzer "
                   "program. As test-comp, PATH gets metadata.xml and one XML file for each "
                   "test, with the values "
                   "that __VERIFIER_nondet_* returned. As dictionary, the file PATH gets the program's "
                   "constants and texts, in AFL++'s form. "
                   "Every run writes KLEE's format: OUT/tests/*.ktest.",
    .options = &export_options_table,
    .style = OPERANDS_PLAIN,
    .run = run,
};
