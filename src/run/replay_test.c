// Runs one test on all builds.
#include "base/arena.h"
#include "base/error.h"
#include "output/tests.h"
#include "run/native_replay.h"
#include "run/out_folder.h"

#include <string.h>

#define MOST_SHOWN 2000u // bytes of the program's own standard error

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

// Adds the first lines that the program itself wrote to standard error.
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

// Adds the verdict of one build to the line, and clears `as_predicted` if the prediction does not hold.
static void try_build(struct native_replay *replay, enum replay_build build, const struct test_case *test,
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

// Whether valgrind must run the test. It is slow: unless it was asked for, it runs only tests whose bugs no other
// build can show.
static bool needs_valgrind(const struct test_case *test, const struct finding *finding) {
    enum bug_kind kind = test->outcome == TEST_BUG ? bug_kind_by_name(finding->kind) : BUG_COUNT;
    return kind != BUG_COUNT && (bug_facts[kind].traits & BUG_VALGRIND_ONLY);
}

// Names the inputs that come from the kernel's model, which only the exact build has: scripted peers, random numbers,
// failing calls. Returns NULL if there are none.
static const char *needs_model(const struct native_replay *replay, const struct test_case *test) {
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

// Whether the test has values of memory that was never written. Natively these are arbitrary; the exact build sets only
// those of local variables.
static bool needs_unset(const struct test_case *test, bool exactly) {
    for (uint32_t i = 0; i < test->input_count; i++) {
        const char *name = test->inputs[i].name, *local = __TAMAR_UNSET_LOCAL;
        if (input_role(test->inputs[i].kind, name) != ROLE_UNSET) continue;
        if (!exactly || strncmp(name, local, strlen(local)) != 0) return true;
    }
    return false;
}

static bool shares_model(const struct native_replay *replay, int build) {
    return build == BUILD_EXACT || (build == BUILD_GCOV && replay->counts_exactly);
}

// Whether another build than the exact one confirmed the bug. The exact build shares the C library, the kernel model
// and the allocator with the engine: a bug that no other build shows may be an error of both.
static bool is_confirmed(const struct native_replay *replay, const struct replayed_test *result) {
    for (int build = 0; build < BUILD_COUNT; build++)
        if ((result->confirmed & 1u << build) && !shares_model(replay, build)) return true;
    return false;
}

// AddressSanitizer checks bytes, not pointers: it accepts an access outside of one object if it hits another one, and
// an access to a variable-length array after its scope.
static bool may_go_unnoticed(const struct finding *finding) {
    enum bug_kind kind = bug_kind_by_name(finding->kind);
    return kind == BUG_OUT_OF_BOUNDS || kind == BUG_USE_AFTER_SCOPE;
}

static void judge_bug(struct native_replay *replay, const struct finding *finding,
                      struct replayed_test *result, struct text *line) {
    uint32_t checks = 1u << BUILD_SANITIZER | 1u << BUILD_VALGRIND;
    result->independent = is_confirmed(replay, result);
    if (result->confirmed && !result->independent)
        text_add(
            line,
            "; confirmed by the exact build alone, which shares the C library and the kernel's model with "
            "the engine");
    // A build without checks does not notice most bugs, so its silence does not refute a bug.
    if (result->confirmed || !(result->ran & checks)) return;
    result->as_predicted = false;
    if (may_go_unnoticed(finding))
        text_add(line, "; AddressSanitizer does not see an access that lands in another object, nor one to a "
                       "variable-length array after its scope");
}

void replay_test(struct native_replay *replay, bool valgrind, uint32_t number, struct replayed_test *result,
                 struct text *message) {
    struct test_case test;
    struct finding finding;
    *result = (struct replayed_test){.number = number, .as_predicted = true};
    result->damaged = !out_read_test(replay->arena, replay->folder, number, &test, &finding);
    if (result->damaged) {
        result->as_predicted = false;
        text_add(message, "test %06u: DID NOT RUN: its file is damaged", number);
        return;
    }
    replay_set_inputs(replay, &test);
    if (test.environment >= replay->explore.environment_count) {
        user_error_at(replay->folder, NULL, "test %u belongs to another run", number);
        result->failed = true;
        return;
    }
    struct text line = {0}, own_errors = {0};
    const char *model = needs_model(replay, &test);
    result->bug = test.outcome == TEST_BUG && !finding.ignored;
    text_add(&line, "test %06u: ", number);
    say_expected(&line, &test, &finding);
    // An endless run has an endless list of choices: only its time is compared.
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
    if (result->bug) judge_bug(replay, &finding, result, &line);
    text_add_line(message, line.at, line.count);
    bool doubtful = !result->as_predicted || (result->bug && !result->confirmed);
    if (own_errors.count && (doubtful || log_level() == LOG_VERBOSE))
        text_add_bytes(message, own_errors.at, own_errors.count);
    text_free(&line);
    text_free(&own_errors);
}
