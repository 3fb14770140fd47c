// `tamar regress`: starts from recorded inputs and explores changed code first.
#include "base/error.h"
#include "cli/command.h"
#include "cli/run_command.h"
#include "explore/render.h"
#include "regress/regress.h"
#include "run/common_options.h"
#include "run/record_store.h"
#include "run/run_options.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Options of `tamar run` are passed on unchanged, and checked there.
#define PASSED_OPTIONS(X, T)                                                                                 \
    X(T, TEXT, symbolic, "LIST", NULL,                                                                       \
      "the parts of recorded inputs that are symbolic: args, stdin, files, env")                             \
    X(T, TEXT, check, "LIST", NULL, "the checks that are on, as for `tamar run`")                            \
    X(T, TEXT, ignore, "FILE", NULL, "known reports, as for `tamar run` (default: .tamar-ignore)")           \
    X(T, TEXT, search, "EXPR", "oasis", "the strategy, as an expression")                                    \
    X(T, TEXT, emit, "all|new|errors", NULL,                                                                 \
      "which paths become tests, besides those of seeds, bugs and changed lines")                            \
    X(T, TEXT, max_time, "S", "60", "end after this time (0: no limit)")                                     \
    X(T, TEXT, max_memory, "MB", NULL, "drop states beyond this much memory")                                \
    X(T, TEXT, max_paths, "N", NULL, "end after N paths (0: no limit)")                                      \
    X(T, TEXT, max_instructions, "N", NULL, "end after about N instructions (0: no limit)")                  \
    X(T, TEXT, solver_timeout, "S", NULL, "time limit for one query")                                        \
    X(T, TEXT, solver_cache, "FILE", NULL,                                                                   \
      "keep answers of the solver in FILE, and look them up before solving")                                 \
    X(T, TEXT, random_seed, "N", NULL, "the same seed, program and options give the same run")               \
    X(T, TEXT, unmodelled, "end|error|native", NULL,                                                         \
      "effect of a call that is not modelled, as for `tamar run`")                                           \
    X(T, TEXT, jobs, "N", NULL, "explore with N worker processes (auto: one for each processor)")            \
    X(T, TEXT, workers, "URL", NULL, "share the run with other machines, as for `tamar run`")                \
    X(T, TEXT, worker_timeout, "S", NULL, "--workers: a worker that is silent for this long counts as dead") \
    X(T, TEXT, out, "DIR", NULL, "where results go (default: tamar-out-N, with the link tamar-last)")

#define REGRESS_OPTIONS(X, T)                                                                                \
    X(T, TEXT, seeds, "DIR", RECORD_FOLDER, "the recorded inputs to start from")                             \
    X(T, TEXT, since, "REV", NULL, "find the changes since this revision of git")                            \
    X(T, TEXT, old, "TREE", NULL, "find the changes against this folder (or file) of the old version")       \
    X(T, TEXT, diff, "FILE", NULL, "take the changes from a unified diff that leads to this version")        \
    X(T, TEXT, old_program, "PROGRAM", NULL,                                                                 \
      "the program of the old version, if it cannot be built from --since or --old")                         \
    X(T, SWITCH, compare, true, "do not run the tests on both versions to compare their behaviour")          \
    PASSED_OPTIONS(X, T)                                                                                     \
    X(T, FLAG, json, 0, "print the report as JSON, for scripts")                                             \
    NATIVE_OPTIONS(X, T)                                                                                     \
    COMMON_OPTIONS(X, T)
OPTIONS_STRUCT(regress_options, REGRESS_OPTIONS)
OPTIONS_TABLE(regress_options, REGRESS_OPTIONS)

// ---- during the run

static bool loaded(void *context, const struct ir_program *program, const struct front_input *input,
                   const uint8_t **changed) {
    struct regress *regress = context;
    bool good = regress_find_changes(regress, program);
    *changed = regress->changed;
    return good;
}

static bool has_arguments(const struct test_case *test) {
    for (uint32_t i = 0; i < test->input_count; i++)
        if (test->inputs[i].kind == INPUT_ARGUMENT) return true;
    return false;
}

// Returns the inputs as one text: the command line without the program's name, if a part of it is symbolic, then the
// other inputs, each after its name.
static void describe_input(struct regress *regress, const struct test_case *test, struct regress_test *to) {
    struct text text = {0};
    for (uint32_t i = 1; has_arguments(test) && i < test->argument_count; i++)
        text_add(&text, "%s%s", text.count ? " " : "", test->arguments[i]);
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        if (input->kind == INPUT_ARGUMENT) continue;
        text_add(&text, "%s[%s] ", text.count ? " " : "", input->kind == INPUT_STDIN ? "stdin" : input->name);
        text_add_bytes(&text, input->bytes, input->size);
    }
    to->input = arena_memdup(regress->arena, text.at ? text.at : "", text.count);
    to->input_size = text.count;
    text_free(&text);
}

static void tested(void *context, const struct test_case *test) {
    struct regress *regress = context;
    struct regress_test made = {.number = test->number, .forked_by = (uint8_t)test->forked_by};
    describe_input(regress, test, &made);
    made.seed = test->seed;
    if (!made.seed) made.line = test->forked_line;
    if (test->outcome == TEST_BUG) {
        made.now.bug = true;
        made.now.end = test->bug;
        made.bug = test->finding;
    }
    vec_push(&regress->tests, made);
}

// Sets the outcome of tests with a bug to its kind and location; the comparison may replace it.
static void name_bugs(struct regress *regress, struct explore *explore) {
    vec_each (struct regress_test, test, &regress->tests) {
        if (!test->bug) continue;
        assert(test->bug <= regress->result.bug_count);
        const struct found_bug *bug = &regress->result.bugs[test->bug - 1];
        struct finding_frame place = render_place(explore_vm(explore), bug->site);
        if (place.line) test->now.end = regress_bug_name(regress, bug_facts[bug->kind].name, &place);
    }
}

static int finished(void *context, struct explore *explore, const char *folder, int status) {
    struct regress *regress = context;
    const struct solver_counters *solver = solver_statistics(explore_solver(explore));
    regress->result = *explore_result(explore);
    regress->queries = solver->queries;
    regress->cached = counters_answered(solver, LAYER_GROUP_CACHE);
    regress->seed_count = (uint32_t)regress->result.counts.of_seeds;
    name_bugs(regress, explore);
    regress_compare(regress, folder);
    regress_report(regress, folder);
    return status;
}

// ---- the command

typedef vec(char *) word_list;

static void add_option(word_list *list, const char *name, const char *value) {
    if (!value) return;
    vec_push(list, (char *)name);
    vec_push(list, (char *)value);
}

// Turns max_time into --max-time.
static const char *option_word(struct arena *arena, const char *name) {
    char *word = arena_alloc(arena, strlen(name) + 3);
    memcpy(word, "--", 2);
    for (size_t i = 0; name[i]; i++) word[i + 2] = name[i] == '_' ? '-' : name[i];
    return word;
}

static bool is_good(const struct regress_options *options, const struct operands *operands) {
    int ways = (options->since != NULL) + (options->old != NULL) + (options->diff != NULL);
    struct stat status;
    if (!operands->words.count)
        user_error_at("regress", "Name a program that `tamar cc` built, or C files.", "no program is named");
    else if (ways != 1)
        user_error_at("regress", "Give one of --since REV, --old TREE, --diff FILE.",
                      ways ? "--since, --old and --diff exclude each other" : "the changes are not given");
    else if (operands->argument_count)
        user_error_at("regress", "Record that command line: tamar record -- PROGRAM ARGS...",
                      "no arguments can be given: they come from the seeds");
    else if (stat(options->seeds, &status) != 0)
        user_error_at("--seeds", "`tamar record --into DIR -- PROGRAM ARGS...` makes some.",
                      "%s: there are no recorded inputs", options->seeds);
    else
        return true;
    return false;
}

static int regress_run(const struct regress_options *options, const struct operands *operands) {
    struct regress regress = {.arena = arena_new(),
                              .version = version_line,
                              .since = options->since,
                              .tree = options->old,
                              .diff_file = options->diff,
                              .old_program = options->old_program,
                              .words = operands->words.at,
                              .word_count = operands->words.count,
                              .compare = options->compare,
                              .json = options->json};
    struct run_hooks hooks = {&regress, loaded, tested, finished};
    word_list words = {0};
    vec_push(&words, "--as-recorded");
    vec_push(&words, "--relax-checks");
    if (options->quiet) vec_push(&words, "-q");
    if (options->verbose) vec_push(&words, "-v");
    add_option(&words, "--seeds", options->seeds);
#define PASS(T, KIND, name, ...) add_option(&words, option_word(regress.arena, #name), options->name);
    PASSED_OPTIONS(PASS, )
#undef PASS
    vec_each (const char *, word, &operands->words) vec_push(&words, (char *)*word);
    vec_push(&words, NULL);
    const struct command *command = command_find("run");
    int status = run_command_call(command, words.at, false, &hooks);
    vec_each (struct regress_test, test, &regress.tests) {
        text_free(&test->old.output);
        text_free(&test->now.output);
    }
    vec_free(&regress.tests);
    vec_free(&regress.lines);
    diff_free(&regress.diff);
    vec_free(&words);
    arena_free(regress.arena);
    return status;
}

static int run(const struct command *command, char **argv) {
    struct regress_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    NATIVE_APPLY(&options);
    status = is_good(&options, &operands) ? regress_run(&options, &operands) : EXIT_USAGE;
    options_free(command->options, &options);
    operands_free(&operands);
    return status;
}

const struct command regress_command = {
    .name = "regress",
    .help = "start from recorded inputs, and explore changed code first",
    .operands = "PROGRAM",
    .description =
        "Follows the inputs that `tamar record` kept on the new version of a program, then "
        "explores other paths in this order: checks in changed code, other choices in changed code or into "
        "it, "
        "other checks, the rest. A choice is in changed code "
        "if it is on a changed line, or depends on a value from a changed line.\n\n"
        "The report lists the changed lines that were reached, with their tests, and the tests that "
        "behave differently in the old version, if that can be built. It is in OUT/regress.md "
        "(Markdown, for a pull request) and in OUT/regress.json (for scripts). OUT is a folder of results "
        "like those of `tamar "
        "run`. The status is 1 "
        "when a bug was found, 3 when the run was not complete, else 0.",
    .options = &regress_options_table,
    .style = OPERANDS_COMPILER,
    .run = run,
};
