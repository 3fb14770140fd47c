// `tamar record`: runs a program on a real input and keeps the input as a seed.
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/process.h"
#include "base/resources.h"
#include "cli/command.h"
#include "front/elf_bitcode.h"
#include "native/record_trace.h"
#include "run/common_options.h"
#include "run/out_folder.h"
#include "run/record_install.h"
#include "run/record_store.h"
#include "run/run_options.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_CANNOT_RUN 127 // as in a shell

#define RECORD_OPTIONS(X, T)                                                                                 \
    X(T, TEXT, into, "DIR", RECORD_FOLDER, "the folder of the seeds")                                        \
    X(T, TEXT, install, "PROGRAM", NULL, "replace the program by a script that records each run")            \
    X(T, TEXT, uninstall, "PROGRAM", NULL, "restore the program, and follow the recorded inputs")            \
    X(T, TEXT, again, "DIR", NULL, "follow the seeds of DIR again, on PROGRAM if given")                     \
    X(T, NUMBER, max_input, "KB", 64, 1, 1048576, "do not keep inputs with a larger total size")             \
    X(T, LIST, env, "NAME", "record the environment variable NAME, too")                                     \
    X(T, TEXT, as, "NAME", NULL, "the program's argv[0]")                                                    \
    X(T, FLAG, later, 0,                                                                                     \
      "only keep the input, and print nothing; `tamar record --again DIR` follows it later")                 \
    NATIVE_OPTIONS(X, T)                                                                                     \
    COMMON_OPTIONS(X, T)
OPTIONS_STRUCT(record_options, RECORD_OPTIONS)
OPTIONS_TABLE(record_options, RECORD_OPTIONS)

struct record_call {
    const struct record_options *options;
    struct arena *arena;
    const char *const *words; // the words that name the program
    uint32_t word_count;
    char **arguments; // arguments of the program, its name first
    const char *native;
};

// ---- the program

static bool is_executable(const char *path) {
    struct text content = {0};
    bool is = file_read(path, &content) && elf_bitcode_is_linked(content.at, content.count);
    text_free(&content);
    return is;
}

// Finds the program and its arguments in `record -- prog args` or `record prog.c -- args`.
static bool find_program(struct record_call *record, const struct operands *operands) {
    const struct record_options *options = record->options;
    uint32_t count = operands->argument_count, skip = operands->words.count ? 0 : 1;
    if (skip > count) {
        user_error_at("record", "Write it as: tamar record -- PROGRAM ARGS...", "no program is named");
        return false;
    }
    record->words = skip ? (const char *const *)operands->arguments : operands->words.at;
    record->word_count = skip ? 1 : operands->words.count;
    struct operands words = {.words = {(const char **)record->words, record->word_count, 0}};
    const char *name = run_program_name(&words);
    char **arguments = ARENA_ARRAY(record->arena, char *, count + 2);
    arguments[0] = (char *)(options->as ? options->as : name);
    for (uint32_t i = skip; i < count; i++) arguments[i - skip + 1] = operands->arguments[i];
    record->arguments = arguments;
    record->native = name;
    return true;
}

// Checks that the program exists, before anything is built, so that the error names the program.
static bool exists(const struct record_call *record) {
    if (record->word_count != 1 || access(record->words[0], F_OK) == 0) return true;
    user_error_at(record->words[0], "Name a program that `tamar cc` built, or C files.", "cannot be run: %s",
                  strerror(errno));
    return false;
}

// Builds C files with `tamar cc`, so that the native run and the engine execute the same program.
static bool build_native(struct record_call *record) {
    if (record->word_count == 1 && is_executable(record->words[0])) return true;
    const char *self = resources_binary();
    if (!self) return false;
    struct process_command command = {0};
    process_add(&command, self);
    process_add(&command, "cc");
    process_add(&command, "-g");
    for (uint32_t i = 0; i < record->word_count; i++) process_add(&command, record->words[i]);
    record->native = out_path(record->arena, process_temporary_folder(), "program");
    process_add(&command, "-o");
    process_add(&command, record->native);
    return process_run(&command) == 0; // tamar cc prints its errors
}

static bool describe(struct record_call *record, struct record_store *store) {
    struct text bitcode = {0};
    struct front_options front = {.allow_undefined = true, .bitcode = &bitcode, .keep_checks = true};
    struct ir_program *program =
        front_load(&(struct front_input){record->words, record->word_count}, &front, NULL);
    bool good = program && record_describe(store, record->arguments[0], record->words, record->word_count,
                                           &bitcode, version_line);
    ir_program_free(program);
    text_free(&bitcode);
    return good;
}

// ---- the test

static void add_argument(struct record_call *record, struct recording *recording, uint32_t index) {
    const char *text = record->arguments[index];
    const char *plain = text;
    while (!strncmp(plain, "./", 2)) plain += 2;
    // An argument that names a recorded file stays concrete.
    vec_each (struct test_input, input, &recording->inputs)
        if (input->kind == INPUT_FILE && !strcmp(input->name, plain)) return;
    struct text name = {0};
    input_add_name(&name, input_numbered(INPUT_ARGUMENT, index));
    if (*text)
        vec_push(&recording->inputs,
                 ((struct test_input){INPUT_ARGUMENT, arena_strdup(record->arena, name.at),
                                      (const uint8_t *)text, (uint32_t)strlen(text)}));
    text_free(&name);
}

static void add_variables(const struct record_options *options, struct recording *recording) {
    for (uint32_t i = 0; i < options->env.count; i++) {
        const char *name = options->env.at[i].values[0], *value = getenv(name);
        if (value && *value)
            vec_push(&recording->inputs, ((struct test_input){INPUT_ENVIRONMENT, name, (const uint8_t *)value,
                                                              (uint32_t)strlen(value)}));
    }
}

static struct test_case make_test(struct record_call *record, struct recording *recording) {
    uint32_t count = 0;
    while (record->arguments[count]) count++;
    for (uint32_t i = 1; i < count; i++) add_argument(record, recording, i);
    add_variables(record->options, recording);
    bool signalled = WIFSIGNALED(recording->status);
    return (struct test_case){
        .outcome = signalled ? TEST_SIGNALLED : TEST_EXITED,
        .exit_status = signalled ? 128 + WTERMSIG(recording->status) : WEXITSTATUS(recording->status),
        .arguments = (const char *const *)record->arguments,
        .argument_count = count,
        .inputs = recording->inputs.at,
        .input_count = recording->inputs.count,
    };
}

// Prints a line, or with --later, where only the program may print, adds it to the folder's log.
static void tell(const struct record_call *record, const struct record_store *store,
                 const struct text *line) {
    if (record->options->later)
        record_note(store, line->at);
    else
        log_line("%s", line->at);
}

static void keep(struct record_call *record, struct record_store *store, struct recording *recording) {
    struct text line = {0};
    uint32_t number;
    bool failed = false;
    if (!recording->traced) {
        text_add(&line, "not recorded: the system does not allow tracing (ptrace)");
    } else if (recording->too_large) {
        text_add(&line, "not recorded: %llu bytes of input; --max-input allows %llu KB",
                 (unsigned long long)recording->bytes, (unsigned long long)record->options->max_input);
    } else {
        struct test_case test = make_test(record, recording);
        bool new = record_add(store, &test, &number, &failed);
        text_add(&line, new ? "recorded as %s/tests/%06u" : "this input was recorded before: %s/tests/%06u",
                 record->options->into, number);
        if (new && !failed && !record->options->later) failed = !record_follow(store, &number, 1, true);
    }
    tell(record, store, &line);
    if (recording->notes.count) tell(record, store, &recording->notes);
    text_free(&line);
}

// Ends this process as the program ended: with its status, or by its signal.
static int end_alike(int status) {
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    fflush(NULL);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

static int record_run(struct record_call *record) {
    struct record_store store;
    struct recording recording;
    if (!exists(record)) return EXIT_CANNOT_RUN;
    bool good = record_open(&store, record->arena, record->options->into) && build_native(record);
    bool described = good && access(out_path(record->arena, store.folder, "program.json"), F_OK) == 0;
    if (good && !(described && record->options->later)) good = describe(record, &store);
    if (!good) return EXIT_USAGE;
    if (!record_trace(record->native, record->arguments, record->options->max_input << 10, &recording)) {
        recording_free(&recording);
        return EXIT_CANNOT_RUN;
    }
    keep(record, &store, &recording);
    int status = recording.status;
    recording_free(&recording);
    process_remove_temporaries();
    return end_alike(status);
}

// ---- seeds of another version

static int record_again(struct record_call *record, const struct operands *operands) {
    struct record_store store;
    const char *folder = record->options->again;
    if (access(folder, F_OK) != 0) {
        user_error_at("--again", "Name a folder that `tamar record` made.", "%s: %s", folder,
                      strerror(errno));
        return EXIT_USAGE;
    }
    if (!record_open(&store, record->arena, folder)) return EXIT_USAGE;
    bool named = operands->words.count || operands->argument_count;
    if (named && (!find_program(record, operands) || !describe(record, &store))) return EXIT_USAGE;
    struct record_list numbers = {0};
    record_numbers(&store, &numbers);
    bool good = record_follow(&store, numbers.at, numbers.count, true);
    if (good) log_line("%u seed%s followed again", numbers.count, numbers.count == 1 ? "" : "s");
    vec_free(&numbers);
    return good ? EXIT_OK : EXIT_USAGE;
}

static int run(const struct command *command, char **argv) {
    struct record_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    NATIVE_APPLY(&options);
    struct record_call record = {.options = &options, .arena = arena_new()};
    if (options.install)
        status = record_install(options.install, options.into, version_line);
    else if (options.uninstall)
        status = record_uninstall(options.uninstall);
    else if (options.again)
        status = record_again(&record, &operands);
    else
        status = find_program(&record, &operands) ? record_run(&record) : EXIT_USAGE;
    arena_free(record.arena);
    options_free(command->options, &options);
    operands_free(&operands);
    return status;
}

const struct command record_command = {
    .name = "record",
    .help = "run a program on a real input, and keep the input as a seed",
    .operands = "[PROGRAM] -- [PROGRAM] ARGS...",
    .description =
        "Runs the program natively: its streams, files and exit status are as without Tamar. Its inputs "
        "(arguments, standard input, files, connections) are kept as a test in DIR. The engine then follows "
        "the test and adds the decisions and constraints of its path. `tamar regress` and `tamar run --seeds "
        "DIR --as-recorded` start from such seeds; `tamar show`, `tamar replay DIR` and `tamar run "
        "--follow` "
        "work on them as on the tests of a run.\n\n"
        "PROGRAM is an executable that `tamar cc` built. C files are given before the dashes: tamar record "
        "FILE.c -- ARGS... With --install a script replaces the "
        "executable, so that the program's test suite records every invocation. The program behaves as "
        "before.",
    .options = &record_options_table,
    .style = OPERANDS_COMPILER,
    .run = run,
};
