// Compares a native run with the prediction.
#include "base/sanitizers.h"
#include "run/native_replay.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

// Whether FILE:LINE is in the text. Folders are ignored: tools shorten them.
static bool names_place(const char *errors, const struct finding_frame *place) {
    const char *slash = strrchr(place->file, '/');
    struct text wanted = {0};
    text_add(&wanted, "%s:%u", slash ? slash + 1 : place->file, place->line);
    bool found = false;
    for (const char *at = strstr(errors, wanted.at); at && !found; at = strstr(at + 1, wanted.at)) {
        char next = at[wanted.count];
        found = next < '0' || next > '9';
    }
    text_free(&wanted);
    return found;
}

// Whether the report describes a jump to an address without code, made by the function of the finding. The jump's
// target makes no frame, so the sanitizer's unwinder, which follows frame pointers, also skips the function that
// jumped. The first frame with a line must therefore be a caller of that function, or of a function into which it was
// inlined.
static bool names_jump_from(const char *errors, const struct finding *finding) {
    static const char nowhere[] = "(<unknown module>)";
    const struct finding_stack *stack = &finding->stack;
    const char *at = strstr(errors, "#0 ");
    if (!at || !memmem(at, strcspn(at, "\n"), nowhere, sizeof nowhere - 1)) return false;
    struct text line = {0};
    while ((at = strchr(at, '\n'))) {
        at += 1 + strspn(at + 1, " ");
        if (*at != '#') break; // the end of the stack
        text_clear(&line);
        text_add(&line, "%.*s", (int)strcspn(at, "\n"), at);
        if (line.at[line.count - 1] != ')') break; // not MODULE+OFFSET
    }
    bool has_line = at && *at == '#', outer = false;
    bool found = has_line && strstr(line.at, " in __libc_start"); // which calls main
    for (unsigned i = 0; has_line && i < stack->count && !found; i++) {
        const struct finding_frame *frame = &stack->frames[i];
        found = outer && frame->line && names_place(line.at, frame);
        outer |= frame->line == finding->place.line && !strcmp(frame->file, finding->place.file);
    }
    text_free(&line);
    return found;
}

static const char *first_line(const char *errors, struct text *to) {
    static const char *const starts[] = {"ERROR: ", "runtime error: ", "Invalid ",
                                         "tamar: ", "Assertion",       NULL};
    for (int i = 0; starts[i]; i++) {
        const char *at = strstr(errors, starts[i]);
        if (!at) continue;
        text_add_escaped(to, at, MIN(strcspn(at, "\n"), 120));
        return to->at;
    }
    return NULL;
}

// Whether a sanitizer reported an error. An index that is out of bounds for its type counts only if the run checked
// it.
static bool is_error(const char *errors, uint64_t checks) {
    if (strstr(errors, "ERROR: AddressSanitizer") || strstr(errors, "ERROR: LeakSanitizer")) return true;
    for (const char *at = errors; (at = strstr(at, "runtime error: ")); at++) {
        size_t length = strcspn(at, "\n");
        const char *bounds = strstr(at, "out of bounds for type");
        if (!bounds || bounds >= at + length || checks_addresses(checks)) return true;
    }
    return false;
}

static void say_end(struct text *why, const struct native_run *run) {
    struct text line = {0};
    int status = run->end.status;
    if (run->end.limit != SANDBOX_LIMIT_NONE)
        text_add(why, "%s", sandbox_limit_texts[run->end.limit]);
    else if (WIFEXITED(status))
        text_add(why, "it ended with status %d", WEXITSTATUS(status));
    else
        text_add(why, "signal %d (%s) ended it", WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (run->errors.count && first_line(run->errors.at, &line)) text_add(why, ": %s", line.at);
    text_free(&line);
}

static enum verdict judge_bug(enum replay_build build, const struct finding *finding,
                              const struct native_run *run, struct text *why) {
    const char *errors = run->errors.count ? run->errors.at : "";
    enum bug_kind kind = bug_kind_by_name(finding->kind);
    if (kind == BUG_COUNT) {
        text_add(why, "this version does not know the kind of bug");
        return VERDICT_NOT_SEEN;
    }
    if (kind == BUG_HANG) {
        if (run->end.limit == SANDBOX_LIMIT_TIME) return VERDICT_CONFIRMED;
        say_end(why, run);
        return VERDICT_NOT_SEEN;
    }
    if (build == BUILD_EXACT || build == BUILD_PLAIN || build == BUILD_GCOV) {
        if (WIFSIGNALED(run->end.status) && bug_confirmed_by_signal(kind, WTERMSIG(run->end.status)))
            return VERDICT_CONFIRMED;
        say_end(why, run);
        return VERDICT_NOT_SEEN; // without checks most bugs are not detected
    }
    struct text own = {
        0}; // printed by failing harness functions, without a location; the path is compared instead
    text_add(&own, "tamar: %s: ", finding->kind);
    bool placeless = strstr(errors, own.at) || !finding->place.line ||
                     (bug_facts[kind].traits & BUG_PLACELESS) || !strncmp(finding->place.file, "<tamar>", 7);
    text_free(&own);
    bool seen = bug_confirmed_by_text(kind, errors);
    if (seen && (placeless || names_place(errors, &finding->place) || names_jump_from(errors, finding)))
        return VERDICT_CONFIRMED;
    say_end(why, run);
    if (seen) text_add(why, "; the predicted location is not in the report");
    return VERDICT_NOT_SEEN;
}

static bool same_end(const struct test_case *test, const struct native_run *run) {
    int status = run->end.status;
    if (run->end.limit != SANDBOX_LIMIT_NONE) return false;
    switch (test->outcome) {
    case TEST_EXITED: return WIFEXITED(status) && WEXITSTATUS(status) == test->exit_status;
    case TEST_SIGNALLED: return WIFSIGNALED(status) && 128 + WTERMSIG(status) == test->exit_status;
    case TEST_REACHED:
    case TEST_NOT_MODELLED: return true; // nothing was predicted
    default: return WIFEXITED(status);
    }
}

// The sanitizer reports an abort as an error, also if it was predicted as the end of the path.
static bool is_reported_abort(const struct test_case *test, const struct native_run *run) {
    return test->outcome == TEST_SIGNALLED && test->exit_status == 128 + SIGABRT && run->errors.count &&
           strstr(run->errors.at, "AddressSanitizer: ABRT");
}

enum verdict replay_judge(const struct native_replay *replay, enum replay_build build,
                          const struct test_case *test, const struct finding *finding,
                          const struct native_run *run, struct text *why) {
    if (test->outcome == TEST_BUG) return judge_bug(build, finding, run, why);
    bool same = same_end(test, run) || (build == BUILD_SANITIZER && is_reported_abort(test, run));
    // The run may continue to another bug, or has continued after one.
    bool open_end = test->outcome == TEST_REACHED || test->survived;
    if (build == BUILD_SANITIZER && !open_end && !is_reported_abort(test, run) && run->errors.count &&
        is_error(run->errors.at, replay->options.check))
        same = false;
    if (same) return VERDICT_SAME;
    say_end(why, run);
    // In other builds the bytes around an object differ.
    return test->survived && build != BUILD_EXACT ? VERDICT_NOT_SEEN : VERDICT_DIFFERS;
}
