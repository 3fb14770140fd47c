// `tamar replay`: runs the tests natively and compares.
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/jobs.h"
#include "cli/out_folder.h"
#include "cli/replay_int.h"
#include "output/results.h"
#include "output/tests.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_SHOWN 2000u // bytes of the program's own standard error

#define REPLAY_OPTIONS(X, T)                                                                                 \
    X(T, FLAG, exact, 0, "only the exact build: the same bitcode and C library, natively")                   \
    X(T, FLAG, sanitizers, 0, "only the build with sanitizers")                                              \
    X(T, FLAG, plain, 0, "a build without checks, for the host's C library")                                 \
    X(T, FLAG, valgrind, 0, "the same, under valgrind")                                                      \
    X(T, FLAG, gcov, 0,                                                                                      \
      "a build that counts lines: from source, else of the bitcode; OUT/gcov gets the annotated source")     \
    X(T, SECONDS, max_time, "S", 10, "for one test")                                                         \
    X(T, NUMBER, max_memory, "MB", 4000, 1, 1000000, "for one test; builds with checkers get twice as much") \
    X(T, TEXT, jobs, "N", "auto", "run so many tests at once; auto: one for each processor")                 \
    NATIVE_OPTIONS(X, T)                                                                                     \
    COMMON_OPTIONS(X, T)
OPTIONS_STRUCT(replay_options, REPLAY_OPTIONS)
OPTIONS_TABLE(replay_options, REPLAY_OPTIONS)

// ---- setting up

// A file that a results folder names: a FIFO or a device there would never end.
static bool is_regular(const char *path, bool follow) {
    struct stat st;
    bool there = (follow ? stat(path, &st) : lstat(path, &st)) == 0;
    if (there && S_ISREG(st.st_mode)) return true;
    user_error_at(path, "Run again to have it.", "%s", there ? "not a regular file" : strerror(errno));
    return false;
}

// The run's own words, parsed again; the program is the bitcode that was kept.
static bool parse_run(struct replay *replay) {
    char **words = out_command(replay->arena, replay->description);
    if (!options_parse(run_table(), "run", OPERANDS_COMPILER, words, &replay->options, &replay->operands))
        return false;
    replay->options.allow_undefined =
        true; // the run has accepted the program; an executable may keep such names
    const char *bitcode = out_path(replay->arena, replay->folder, "program.bc");
    if (!is_regular(bitcode, false)) return false;
    vec_clear(&replay->operands.words);
    vec_push(&replay->operands.words, bitcode);
    const char *input = replay->options.stdin; // as the run saw it
    if (input && *input != '/') replay->options.stdin = out_path(replay->arena, replay->directory, input);
    const char *peers = replay->options.peers;
    if (peers && *peers != '/') replay->options.peers = out_path(replay->arena, replay->directory, peers);
    return (!input || is_regular(replay->options.stdin, true)) &&
           (!peers || is_regular(replay->options.peers, true));
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Files that the run's folder did not hold when the run began: the engine has not seen them.
static void hide_new_entries(struct replay *replay) {
    const struct json_value *listed = json_get(replay->description, "entries");
    DIR *folder = listed ? opendir(replay->directory) : NULL;
    if (!folder) return;
    const char **names = ARENA_ARRAY(replay->arena, const char *, listed->count + 1);
    uint32_t count = 0;
    json_each(name, listed) names[count++] = name->text ? name->text : "";
    qsort(names, count, sizeof *names, by_text);
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct text name = {0};
        text_add_line(&name, entry->d_name, strlen(entry->d_name));
        const char *key = name.at;
        bool dots = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
        if (!dots && !bsearch(&key, names, count, sizeof *names, by_text))
            vec_push(&replay->surroundings.hidden, out_path(replay->arena, replay->directory, entry->d_name));
        text_free(&name);
    }
    closedir(folder);
}

static void set_explore_options(struct replay *replay) {
    surroundings_hide(&replay->surroundings, replay->folder, replay->directory);
    hide_new_entries(replay);
    if (replay->work) vec_push(&replay->surroundings.hidden, replay->work);
    replay->explore = run_explore_options(&replay->options, &replay->surroundings, replay->directory);
}

static bool load_program(struct replay *replay) {
    struct front_options front = run_front_options(&replay->options);
    front.allow_undefined = true; // the run has decided that; kept bitcode does not say what was linked
    struct front_input input = {replay->operands.words.at, replay->operands.words.count};
    replay->program = front_load(&input, &front, NULL);
    const char *name = json_get_text(replay->description, "program", "program");
    if (replay->program && replay->options.as_recorded) return true; // each test has its own
    if (!replay->program || !run_surroundings(&replay->surroundings, &replay->options, &replay->operands,
                                              name, replay->directory, replay->program))
        return false;
    replay->fuzzer = !ir_find_function(replay->program, "main");
    set_explore_options(replay);
    return true;
}

void replay_surround(struct replay *replay, struct test_case *test) {
    if (!replay->options.as_recorded) return;
    if (replay->surroundings.arena) surroundings_free(&replay->surroundings);
    recorded_surroundings(&replay->surroundings, test, 1, replay->options.symbolic);
    set_explore_options(replay);
    const struct vm_environment *environment = replay->surroundings.environments.at;
    replay->explore.machine.host.sockets = environment->sockets;
    replay->explore.machine.host.socket_count = environment->socket_count;
}

bool replay_make_work(struct replay *replay) {
    const char *parent = getenv("TMPDIR");
    struct text work = {0};
    text_add(&work, "%s/tamar-replay-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(work.at)) {
        user_error_at(work.at, "Set TMPDIR to a directory that can be written.", "%s", strerror(errno));
        text_free(&work);
        return false;
    }
    replay->work = arena_strdup(replay->arena, work.at);
    text_add(&work, "/%s", replay_build_names[BUILD_GCOV]);
    replay->counts = arena_strdup(replay->arena, work.at);
    if (mkdir(replay->counts, 0700) != 0) {
        user_error_at(replay->counts, NULL, "cannot be made: %s", strerror(errno));
        text_free(&work);
        return false;
    }
    text_free(&work);
    if (replay->surroundings.arena) {
        vec_push(&replay->surroundings.hidden, replay->work);
        replay->explore.machine.host.hidden = replay->surroundings.hidden.at;
        replay->explore.machine.host.hidden_count = replay->surroundings.hidden.count;
    }
    return true;
}

const char *const *replay_hidden(struct replay *replay) {
    uint32_t count = 0;
    const char **paths = ARENA_ARRAY(replay->arena, const char *, replay->surroundings.hidden.count + 1);
    vec_each (const char *, path, &replay->surroundings.hidden)
        if (*path != replay->work) paths[count++] = *path;
    return paths;
}

bool replay_open(struct replay *replay, const char *folder) {
    char absolute[PATH_MAX];
    if (!realpath(folder, absolute)) {
        user_error_at(folder, "Name the folder that `tamar run` made.", "%s", strerror(errno));
        return false;
    }
    replay->folder = arena_strdup(replay->arena, absolute);
    replay->description = out_read_json(replay->arena, absolute, "program.json");
    if (!replay->description || !out_check_format(folder, replay->description)) return false;
    replay->directory = json_get_text(replay->description, "directory", "/");
    return parse_run(replay) && load_program(replay);
}

void replay_close(struct replay *replay) {
    if (replay->work) file_remove_tree(replay->work);
    if (replay->surroundings.arena) surroundings_free(&replay->surroundings);
    ir_program_free(replay->program);
    text_free(&replay->own_choices);
    if (replay->description) {
        options_free(run_table(), &replay->options);
        operands_free(&replay->operands);
    }
    arena_free(replay->arena);
}

// ---- which tests

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool list_tests(struct replay *replay, const struct operands *operands,
                       struct replay_numbers *numbers) {
    uint32_t number;
    for (uint32_t i = 1; i < operands->words.count; i++) {
        if (!out_test_number(operands->words.at[i], &number)) {
            user_error_at("replay", "Give the numbers of tests.", "'%s' is no test", operands->words.at[i]);
            return false;
        }
        vec_push(numbers, number);
    }
    if (numbers->count) return true;
    DIR *folder = opendir(out_path(replay->arena, replay->folder, "tests"));
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && !strcmp(entry->d_name + length - 5, ".json") &&
            out_test_number(entry->d_name, &number))
            vec_push(numbers, number);
    }
    if (folder) closedir(folder);
    if (numbers->count) qsort(numbers->at, numbers->count, sizeof *numbers->at, by_number);
    return true;
}

// ---- one test

struct tally {
    uint32_t tests, as_predicted, bugs, confirmed, alone;
    vec(struct replayed_test) bug_tests;
};

static void say_expected(struct text *line, const struct test_case *test, const struct finding *finding) {
    if (test->outcome == TEST_BUG)
        text_add(line, "%s at %s:%u", finding->kind, finding->place.file, finding->place.line);
    else if (test->outcome == TEST_EXITED)
        text_add(line, "exit status %d", test->exit_status);
    else if (test->outcome == TEST_SIGNALLED)
        text_add(line, "signal %d", test->exit_status - 128);
    else
        text_add(line, "%s", test_outcome_names[test->outcome]);
}

// The first lines that the program itself wrote to standard error.
static void add_own_errors(struct text *to, enum replay_build build, const struct text *errors) {
    size_t end = MIN(errors->count, MOST_SHOWN);
    text_add(to, "\n  standard error of the %s build%s:", replay_build_names[build],
             end < errors->count ? ", its beginning" : "");
    for (size_t at = 0; at < end;) {
        size_t length = MIN(strcspn(errors->at + at, "\n"), end - at);
        text_add(to, "\n    | ");
        text_add_line(to, errors->at + at, length);
        at += length + 1;
    }
}

// One build's word on a test. Adds to the line; the test is no longer as predicted when the prediction does not hold.
static void try_build(struct replay *replay, enum replay_build build, const struct test_case *test,
                      const struct finding *finding, struct text *line, struct replayed_test *result,
                      struct text *own_errors) {
    struct native_run run;
    struct text why = {0};
    if (!replay_run(replay, build, test, &run)) {
        result->failed = true;
        return;
    }
    enum verdict verdict = replay_judge(replay, build, test, finding, &run, &why);
    bool differs = verdict == VERDICT_DIFFERS;
    result->ran |= 1u << build;
    if (verdict == VERDICT_CONFIRMED) result->confirmed |= 1u << build;
    text_add(line, "; %s: ", replay_build_names[build]);
    if (verdict == VERDICT_SAME) text_add(line, "the same");
    if (verdict == VERDICT_CONFIRMED) text_add(line, "confirmed");
    if (verdict == VERDICT_NOT_SEEN) text_add(line, "not seen (%s)", why.count ? why.at : "");
    if (differs) text_add(line, "DIFFERS: %s", why.count ? why.at : "");
    if (build == BUILD_EXACT) {
        uint64_t count = 0;
        text_clear(&why);
        if (replay_same_path(replay, test, &run, &why, &count)) {
            text_add(line, ", the same %llu choice%s", (unsigned long long)count, count == 1 ? "" : "s");
        } else {
            text_add(line, ", ANOTHER PATH: %s", why.at);
            differs = true;
        }
    }
    if (differs) result->as_predicted = false;
    if (run.errors.count) add_own_errors(own_errors, build, &run.errors);
    text_free(&why);
    native_run_free(&run);
}

// Valgrind is slow: where it was not asked for, it runs only what nothing else can see.
static bool needs_valgrind(const struct test_case *test, const struct finding *finding) {
    enum bug_kind kind = test->outcome == TEST_BUG ? bug_kind_by_name(finding->kind) : BUG_COUNT;
    return kind != BUG_COUNT && (bug_facts[kind].traits & BUG_VALGRIND_ONLY);
}

// Messages of scripted peers, random numbers and failing calls come from the kernel's model, which only the exact build has. NULL: not
// needed.
static const char *needs_model(const struct replay *replay, const struct test_case *test) {
    const struct vm_host *host = &replay->explore.machine.host;
    if (host->peers) return "peers of a script";
    for (uint32_t i = 0; i < test->input_count; i++) {
        enum input_role role = input_role(test->inputs[i].kind, test->inputs[i].name);
        if (host->symbolic_random && role == ROLE_RANDOM) return "symbolic random numbers";
        if ((host->failures || host->short_reads) && role == ROLE_CHOICES)
            return "failing calls or short reads";
    }
    return NULL;
}

// Memory that was never written natively holds what it happens to hold; the exact build has values of local variables only.
static bool needs_unset(const struct test_case *test, bool exactly) {
    for (uint32_t i = 0; i < test->input_count; i++) {
        const char *name = test->inputs[i].name, *local = __TAMAR_UNSET_LOCAL;
        if (input_role(test->inputs[i].kind, name) != ROLE_UNSET) continue;
        if (!exactly || strncmp(name, local, strlen(local)) != 0) return true;
    }
    return false;
}

static bool shares_model(const struct replay *replay, int build) {
    return build == BUILD_EXACT || (build == BUILD_GCOV && replay->counts_exactly);
}

// The exact build shares the C library, the kernel's model and the allocator with the engine: what only it shows may be
// a mistake of both.
static bool is_confirmed(const struct replay *replay, const struct replayed_test *result) {
    for (int build = 0; build < BUILD_COUNT; build++)
        if ((result->confirmed & 1u << build) && !shares_model(replay, build)) return true;
    return false;
}

static void judge_bug(struct replay *replay, struct replayed_test *result, struct text *line) {
    uint32_t checks = 1u << BUILD_SANITIZER | 1u << BUILD_VALGRIND;
    result->independent = is_confirmed(replay, result);
    if (result->confirmed && !result->independent)
        text_add(
            line,
            "; confirmed by the exact build alone, which shares the C library and the kernel's model with "
            "the engine");
    // A build without checks does not notice most bugs: that refutes nothing.
    if (!result->confirmed && (result->ran & checks)) result->as_predicted = false;
}

void replay_test(struct replay *replay, bool valgrind, uint32_t number, struct replayed_test *result,
                 struct text *message) {
    struct test_case test;
    struct finding finding;
    *result = (struct replayed_test){.number = number, .as_predicted = true};
    result->failed = !out_read_test(replay->arena, replay->folder, number, &test, &finding);
    if (result->failed) return;
    replay_surround(replay, &test);
    if (test.environment >= replay->explore.environment_count) {
        user_error_at(replay->folder, NULL, "test %u is of another run", number);
        result->failed = true;
        return;
    }
    struct text line = {0}, own_errors = {0};
    const char *model = needs_model(replay, &test);
    result->bug = test.outcome == TEST_BUG && !finding.ignored;
    text_add(&line, "test %06u: ", number);
    say_expected(&line, &test, &finding);
    // An endless run has an endless list of choices: only its time is looked at.
    bool hangs = test.outcome == TEST_BUG && !strcmp(finding.kind, bug_facts[BUG_HANG].name);
    for (int build = 0; build < BUILD_COUNT && !result->failed; build++)
        if (replay->binaries[build] && !(hangs && (build == BUILD_EXACT || build == BUILD_GCOV)) &&
            (!model || shares_model(replay, build)) && !needs_unset(&test, shares_model(replay, build)) &&
            (build != BUILD_VALGRIND || valgrind || needs_valgrind(&test, &finding)))
            try_build(replay, (enum replay_build)build, &test, &finding, &line, result, &own_errors);
    if (model && !replay->counts_exactly) text_add(&line, "; only the exact build has %s", model);
    if (needs_unset(&test, true))
        text_add(&line, "; natively memory that was never written holds what it happens to");
    else if (needs_unset(&test, false))
        text_add(&line, "; only the exact build has values for locals that were never set");
    if (!result->ran) text_add(&line, ": DID NOT RUN");
    if (!result->ran) result->as_predicted = false;
    if (result->bug) judge_bug(replay, result, &line);
    text_add_line(message, line.at, line.count);
    bool doubtful = !result->as_predicted || (result->bug && !result->confirmed);
    if (own_errors.count && (doubtful || log_level() == LOG_VERBOSE))
        text_add_bytes(message, own_errors.at, own_errors.count);
    text_free(&line);
    text_free(&own_errors);
}

static void count_test(void *context, const struct replayed_test *result, const char *message) {
    struct tally *tally = context;
    tally->tests++;
    tally->as_predicted += result->as_predicted;
    tally->bugs += result->bug;
    tally->confirmed += result->bug && result->as_predicted && result->independent;
    tally->alone += result->bug && result->confirmed && !result->independent;
    if (result->bug) vec_push(&tally->bug_tests, *result);
    bool good = result->as_predicted && (!result->bug || result->independent);
    if (!good || log_level() > LOG_QUIET) puts(message);
}

// ---- the summary's word on each bug

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

// A build that notices no bugs leaves open what was open.
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

// False: it cannot be read or written, and the user was told.
static bool update_summary(struct replay *replay, const struct tally *tally) {
    if (access(out_path(replay->arena, replay->folder, "summary.json"), F_OK) != 0)
        return true; // seeds have none
    const struct json_value *summary = out_read_json(replay->arena, replay->folder, "summary.json");
    if (!summary) return false;
    if (summary->kind != JSON_OBJECT) {
        user_error_at(replay->folder, "Run the program again.", "summary.json is damaged");
        return false;
    }
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

static bool make_builds(struct replay *replay, const struct replay_options *options) {
    bool chosen[BUILD_COUNT] = {[BUILD_EXACT] = options->exact,
                                [BUILD_SANITIZER] = options->sanitizers,
                                [BUILD_PLAIN] = options->plain,
                                [BUILD_VALGRIND] = options->valgrind,
                                [BUILD_GCOV] = options->gcov};
    bool any = false;
    for (int i = 0; i < BUILD_COUNT; i++) any |= chosen[i];
    if (!any) chosen[BUILD_EXACT] = true;
    if (!any) chosen[BUILD_SANITIZER] = true;
    // Of uninitialised memory sanitizers beside this one know nothing.
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
    printf("\n");
    if (tally->alone && exact_only)
        puts("status 1: the exact build shares the engine's model, and confirms no bug by itself; run it "
             "without "
             "--exact, or with --sanitizers or --valgrind, too");
}

static int replay_all(struct replay *replay, const struct replay_options *options,
                      const struct operands *operands) {
    struct replay_numbers numbers = {0};
    struct tally tally = {0};
    uint32_t jobs;
    bool good = jobs_parse(options->jobs, &jobs) && list_tests(replay, operands, &numbers) &&
                make_builds(replay, options);
    // Counts of several processes at once would be mixed up.
    if (good && replay->binaries[BUILD_GCOV]) jobs = 1;
    good = good && replay_jobs(replay, options->valgrind, &numbers, jobs, count_test, &tally);
    int status = EXIT_USAGE;
    if (good) {
        bool kept = update_summary(replay, &tally);
        if (replay->binaries[BUILD_GCOV]) {
            if (replay_collect_gcov(replay))
                printf("annotated source in %s/gcov\n", replay->folder);
            else
                warning("no line was counted: no test came to an end at which counts are written");
        }
        say_result(&tally, !replay->binaries[BUILD_SANITIZER] && !replay->binaries[BUILD_VALGRIND]);
        bool all = tally.as_predicted == tally.tests && tally.confirmed == tally.bugs;
        status = !kept ? EXIT_INTERNAL : all ? EXIT_OK : EXIT_BUG_FOUND;
    }
    vec_free(&numbers);
    vec_free(&tally.bug_tests);
    return status;
}

static const char *to_remove; // the work folder

// The processes of the replay end with this one.
static void interrupted(int number) {
    if (to_remove) file_remove_tree(to_remove);
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
        struct replay replay = {
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
    .help = "run a run's tests natively; confirm every bug",
    .operands = "OUT [TEST...]",
    .description =
        "Builds the program natively and gives it the tests that `tamar run` left in OUT: by default twice, "
        "once exactly (the same bitcode and C library as native code, which must make the same choices in "
        "the "
        "same order) and once from the source with sanitizers, which must see the same bugs. Each test runs "
        "in "
        "a sandbox (docs/security.md), with limits on time and memory.\n\n"
        "The status is 0 when every test ends as predicted and every bug is confirmed by a build that does "
        "not share "
        "the engine's C library, else 1. The summary of the run then says of each bug whether it was "
        "confirmed, and by "
        "which builds.",
    .options = &replay_options_table,
    .style = OPERANDS_PLAIN,
    .run = run,
};
