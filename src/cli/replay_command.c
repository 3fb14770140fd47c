// `tamar replay`: runs the tests natively and compares the outcomes.
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "output/results.h"
#include "output/tests.h"
#include "run/jobs.h"
#include "run/native_replay.h"
#include "run/out_folder.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define REPLAY_OPTIONS(X, T)                                                                                 \
    X(T, FLAG, exact, 0, "use the exact build: the same bitcode and C library as native code")               \
    X(T, FLAG, sanitizers, 0, "use the build with sanitizers")                                               \
    X(T, FLAG, plain, 0, "use a build without checks, with the host's C library")                            \
    X(T, FLAG, valgrind, 0, "use the plain build, under valgrind")                                           \
    X(T, FLAG, gcov, 0,                                                                                      \
      "use a build that counts lines, from source or bitcode; annotated source goes to OUT/gcov")            \
    X(T, SECONDS, max_time, "S", 10, "time limit for one test")                                              \
    X(T, NUMBER, max_memory, "MB", 4000, 1, 1000000,                                                         \
      "memory limit for one test; twice as much with checkers")                                              \
    X(T, TEXT, jobs, "N", "auto", "run N tests at once; auto: one for each processor")                       \
    NATIVE_OPTIONS(X, T)                                                                                     \
    COMMON_OPTIONS(X, T)
OPTIONS_STRUCT(replay_options, REPLAY_OPTIONS)
OPTIONS_TABLE(replay_options, REPLAY_OPTIONS)

// ---- which tests

static bool list_tests(struct native_replay *replay, const struct operands *operands,
                       struct replay_numbers *numbers) {
    uint32_t number;
    for (uint32_t i = 1; i < operands->words.count; i++) {
        if (!out_test_number(operands->words.at[i], &number)) {
            user_error_at("replay", "Give the numbers of tests.", "'%s' is not a test",
                          operands->words.at[i]);
            return false;
        }
        vec_push(numbers, number);
    }
    if (numbers->count) return true;
    uint32_t count;
    const uint32_t *all = out_list_tests(replay->arena, replay->folder, &count);
    for (uint32_t i = 0; i < count; i++) vec_push(numbers, all[i]);
    return true;
}

// ---- results

struct tally {
    uint32_t tests, damaged, as_predicted, bugs, confirmed, alone;
    vec(struct replayed_test) bug_tests;
};

static void count_test(void *context, const struct replayed_test *result, const char *message) {
    struct tally *tally = context;
    tally->tests++;
    tally->damaged += result->damaged;
    tally->as_predicted += result->as_predicted;
    tally->bugs += result->bug;
    tally->confirmed += result->bug && result->as_predicted && result->independent;
    tally->alone += result->bug && result->confirmed && !result->independent;
    if (result->bug) vec_push(&tally->bug_tests, *result);
    bool good = result->as_predicted && (!result->bug || result->independent);
    if (!good || log_level() > LOG_QUIET) puts(message);
}

// ---- `replayed` in summary.json

static const struct replayed_test *result_of(const struct tally *tally, uint64_t test) {
    vec_each (struct replayed_test, result, &tally->bug_tests)
        if (result->number == test) return result;
    return NULL;
}

static void add_builds(struct json *json, uint32_t builds) {
    json_key(json, "replayed_by");
    json_open(json, '[');
    for (int build = 0; build < BUILD_COUNT; build++)
        if (builds & 1u << build) json_string(json, replay_build_names[build]);
    json_close(json, ']');
}

// Whether the result can refute the bug: a build without checks detects few bugs.
static bool says_something(const struct replayed_test *result) {
    uint32_t checks = 1u << BUILD_SANITIZER | 1u << BUILD_VALGRIND;
    return result && (result->confirmed || (result->ran & checks) || !result->as_predicted);
}

static void copy_bugs(struct json *json, const struct json_value *bugs, const struct tally *tally) {
    json_open(json, '[');
    json_each(bug, bugs) {
        const struct replayed_test *result = result_of(tally, json_get_number(bug, "test", 0));
        bool known = says_something(result);
        json_open(json, '{');
        json_each(field, bug) {
            if (known && !strcmp(field->key, "replayed_by")) continue;
            json_key(json, field->key);
            if (known && !strcmp(field->key, "replayed")) {
                json_bool(json, result->independent && result->as_predicted);
                add_builds(json, result->confirmed);
            } else {
                json_copy(json, field);
            }
        }
        json_close(json, '}');
    }
    json_close(json, ']');
}

// Sets *summary; NULL: there is none (a folder of seeds). Returns false if it is damaged; an error has been reported.
static bool read_summary(struct native_replay *replay, const struct json_value **summary) {
    *summary = NULL;
    if (access(out_path(replay->arena, replay->folder, "summary.json"), F_OK) != 0) return true;
    *summary = out_read_json(replay->arena, replay->folder, "summary.json");
    if (!*summary) return false;
    if ((*summary)->kind == JSON_OBJECT) return true;
    user_error_at(replay->folder, "Run the program again.", "summary.json is damaged");
    return false;
}

// Reads summary.json again, since a run that is still going on may have replaced it. Returns false if an error has been
// reported.
static bool update_summary(struct native_replay *replay, const struct tally *tally) {
    const struct json_value *summary;
    if (!read_summary(replay, &summary)) return false;
    if (!summary) return true;
    struct text content = {0};
    struct json json = {.to = &content};
    json_open(&json, '{');
    json_each(field, summary) {
        json_key(&json, field->key);
        if (!strcmp(field->key, "bugs"))
            copy_bugs(&json, field, tally);
        else
            json_copy(&json, field);
    }
    json_close(&json, '}');
    struct results *results = results_open(replay->folder);
    bool good = results_write_durably(results, "summary.json", content.at, content.count);
    results_free(results);
    text_free(&content);
    return good;
}

// ---- the command

static bool make_builds(struct native_replay *replay, const struct replay_options *options) {
    bool chosen[BUILD_COUNT] = {[BUILD_EXACT] = options->exact,
                                [BUILD_SANITIZER] = options->sanitizers,
                                [BUILD_PLAIN] = options->plain,
                                [BUILD_VALGRIND] = options->valgrind,
                                [BUILD_GCOV] = options->gcov};
    bool any = false;
    for (int i = 0; i < BUILD_COUNT; i++) any |= chosen[i];
    if (!any) chosen[BUILD_EXACT] = true;
    if (!any) chosen[BUILD_SANITIZER] = true;
    // Only the build for valgrind reports uninitialised memory.
    if (!any && check_wanted(replay->options.check, CHECK_UNINIT) && access(VALGRIND, X_OK) == 0)
        chosen[BUILD_VALGRIND] = true;
    for (int i = 0; i < BUILD_COUNT; i++) {
        if (!chosen[i]) continue;
        if (!replay_build(replay, (enum replay_build)i)) return false;
    }
    return true;
}

// `exact_only`: no build ran that could have confirmed a bug independently.
static void say_result(const struct tally *tally, bool exact_only) {
    printf("%u test%s, %u as predicted", tally->tests, tally->tests == 1 ? "" : "s", tally->as_predicted);
    if (tally->bugs) printf("; %u of %u that show a bug confirmed", tally->confirmed, tally->bugs);
    if (tally->alone) printf(", %u by the exact build alone", tally->alone);
    if (tally->damaged) printf("; %u damaged", tally->damaged);
    printf("\n");
    if (tally->alone && exact_only)
        puts("status 1: the exact build alone confirms no bug, since it shares the engine's model; replay "
             "without --exact, or with --sanitizers or --valgrind, too");
}

static int replay_all(struct native_replay *replay, const struct replay_options *options,
                      const struct operands *operands) {
    struct replay_numbers numbers = {0};
    struct tally tally = {0};
    uint32_t jobs;
    const struct json_value *summary;
    bool good = jobs_parse(options->jobs, &jobs) && read_summary(replay, &summary) &&
                list_tests(replay, operands, &numbers) && make_builds(replay, options);
    // Line counts of concurrent processes would be mixed up.
    if (good && replay->binaries[BUILD_GCOV]) jobs = 1;
    good = good && replay_jobs(replay, options->valgrind, &numbers, jobs, count_test, &tally);
    int status = EXIT_USAGE;
    if (good) {
        bool kept = update_summary(replay, &tally);
        if (replay->binaries[BUILD_GCOV]) {
            if (replay_collect_gcov(replay))
                printf("annotated source in %s/gcov\n", replay->folder);
            else
                user_warning("no line was counted: no test ended in a way that writes the counts");
        }
        say_result(&tally, !replay->binaries[BUILD_SANITIZER] && !replay->binaries[BUILD_VALGRIND]);
        bool all = tally.as_predicted == tally.tests && tally.confirmed == tally.bugs;
        bool none = tally.tests && tally.damaged == tally.tests;
        status = !kept ? EXIT_INTERNAL : none ? EXIT_USAGE : all ? EXIT_OK : EXIT_BUG_FOUND;
    }
    vec_free(&numbers);
    vec_free(&tally.bug_tests);
    return status;
}

static const char *to_remove; // the work folder

// Called on a signal, perhaps in the middle of malloc: only async-signal-safe functions may be called, so another
// program removes the folder. The processes of the replay are killed when this one ends.
static void interrupted(int number) {
    pid_t child = to_remove ? _Fork() : -1;
    if (child == 0) {
        char *const words[] = {"rm", "-rf", "--", (char *)(uintptr_t)to_remove, NULL}, *const none[] = {NULL};
        execve("/bin/rm", words, none);
        _exit(EXIT_FAILURE);
    }
    if (child > 0) waitpid(child, NULL, 0);
    _exit(128 + number);
}

static int run(const struct command *command, char **argv) {
    struct replay_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    NATIVE_APPLY(&options);
    status = EXIT_USAGE;
    if (!operands.words.count) {
        user_error_at("replay", "Name the folder that `tamar run` made, such as tamar-last.",
                      "no folder given");
    } else {
        struct native_replay replay = {
            .arena = arena_new(), .seconds = options.max_time, .memory = options.max_memory << 20};
        if (replay_open(&replay, operands.words.at[0]) && replay_make_work(&replay)) {
            to_remove = replay.work;
            for (unsigned i = 0; i < COUNT(replay_signals); i++) signal(replay_signals[i], interrupted);
            status = replay_all(&replay, &options, &operands);
            for (unsigned i = 0; i < COUNT(replay_signals); i++) signal(replay_signals[i], SIG_DFL);
        }
        replay_close(&replay);
    }
    options_free(command->options, &options);
    operands_free(&operands);
    return status;
}

const struct command replay_command = {
    .name = "replay",
    .help = "run the tests of a run natively, and confirm its bugs",
    .operands = "OUT [TEST...]",
    .description =
        "Builds the program natively and runs the tests that `tamar run` left in OUT. By default there are "
        "two builds: the exact build (the same bitcode and C library, as native code) must make the same "
        "choices in the same order; a build from the source with sanitizers must report the same bugs. Each "
        "test runs "
        "in "
        "a sandbox (docs/security.md), with limits on time and memory.\n\n"
        "The status is 0 when every test ends as predicted and every bug is confirmed by a build that does "
        "not share the engine's C library, and 1 when a test differs or a bug is not confirmed (others: "
        "docs/reference/exit-status.md). OUT/summary.json then says for each bug whether it was confirmed, "
        "and by which builds.",
    .options = &replay_options_table,
    .style = OPERANDS_PLAIN,
    .run = run,
};
