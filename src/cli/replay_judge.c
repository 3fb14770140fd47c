// Does a native run bear out the prediction?
#include "cli/replay_int.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

// What sanitizers, valgrind and the C library say for each kind of bug: SIGN(kind, text).
#define SIGNS(SIGN)                                                                                          \
    SIGN("out-of-bounds", "buffer-overflow")                                                                 \
    SIGN("out-of-bounds", "buffer-underflow")                                                                \
    SIGN("out-of-bounds", "use-after-poison")                                                                \
    SIGN("out-of-bounds", "out of bounds for type")                                                          \
    SIGN("out-of-bounds", "insufficient space for an object")                                                \
    SIGN("out-of-bounds", "negative-size-param")                                                             \
    SIGN("out-of-bounds", "AddressSanitizer: SEGV")                                                          \
    SIGN("out-of-bounds", "AddressSanitizer: BUS")                                                           \
    SIGN("out-of-bounds", "AddressSanitizer: unknown-crash")                                                 \
    SIGN("out-of-bounds", "Invalid read")                                                                    \
    SIGN("out-of-bounds", "Invalid write")                                                                   \
    SIGN("out-of-bounds", "Access not within mapped region")                                                 \
    SIGN("use-after-free", "use-after-free")                                                                 \
    SIGN("use-after-free", "stack-use-after")                                                                \
    SIGN("use-after-free", "free'd")                                                                         \
    SIGN("double-free", "double-free")                                                                       \
    SIGN("double-free", "Invalid free")                                                                      \
    SIGN("bad-free", "not malloc()-ed")                                                                      \
    SIGN("bad-free", "Invalid free")                                                                         \
    SIGN("null", "null pointer")                                                                             \
    SIGN("null", "zero page")                                                                                \
    SIGN("null", "Access not within mapped region at address 0x")                                            \
    SIGN("div-by-zero", "division by zero")                                                                  \
    SIGN("div-by-zero", "AddressSanitizer: FPE")                                                             \
    SIGN("div-by-zero", "SIGFPE")                                                                            \
    SIGN("assert", "tamar: assert")                                                                          \
    SIGN("assert", "Assertion")                                                                              \
    SIGN("assert", "AddressSanitizer: ABRT")                                                                 \
    SIGN("assert", "SIGABRT")                                                                                \
    SIGN("abort", "AddressSanitizer: ABRT")                                                                  \
    SIGN("abort", "AddressSanitizer: ILL")                                                                   \
    SIGN("abort", "AddressSanitizer: TRAP")                                                                  \
    SIGN("abort", "SIGABRT")                                                                                 \
    SIGN("overflow", "signed integer overflow")                                                              \
    SIGN("overflow", "cannot be represented")                                                                \
    SIGN("overflow", "implicit conversion from type")                                                        \
    SIGN("shift", "shift exponent")                                                                          \
    SIGN("shift", "left shift of")                                                                           \
    SIGN("unreachable", "reached an unreachable")                                                            \
    SIGN("unreachable", "AddressSanitizer: ILL")                                                             \
    SIGN("stack-overflow", "stack-overflow")                                                                 \
    SIGN("stack-overflow", "Stack overflow")                                                                 \
    SIGN("leak", "LeakSanitizer")                                                                            \
    SIGN("leak", "definitely lost")                                                                          \
    SIGN("uninitialised", "ninitialised value")                                                              \
    SIGN("uninitialised", "ninitialised byte")                                                               \
    SIGN("uninitialised", "AddressSanitizer: FPE") /* a divisor that happened to be zero */                  \
    SIGN("uninitialised", "division by zero")                                                                \
    SIGN("bad-call", "AddressSanitizer: SEGV")                                                               \
    SIGN("bad-call", "AddressSanitizer: ILL")                                                                \
    SIGN("bad-call", "Jump to the invalid address")                                                          \
    SIGN("deadlock", "tamar: deadlock")                                                                      \
    SIGN("user", "tamar: user")                                                                              \
    SIGN("user", "AddressSanitizer: ABRT")

static bool has_sign(const char *kind, const char *errors) {
    static const struct {
        const char *kind, *text;
    } signs[] = {
#define SIGN(kind, text) {kind, text},
        SIGNS(SIGN)
#undef SIGN
    };
    for (size_t i = 0; i < COUNT(signs); i++)
        if (!strcmp(signs[i].kind, kind) && strstr(errors, signs[i].text)) return true;
    return false;
}

// Does FILE:LINE stand in the text? Folders do not matter: tools shorten them.
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

static bool is_error(const char *errors) {
    return strstr(errors, "ERROR: AddressSanitizer") || strstr(errors, "ERROR: LeakSanitizer") ||
           strstr(errors, "runtime error: ");
}

static void say_end(struct text *why, const struct native_run *run) {
    struct text line = {0};
    int status = run->end.status;
    if (run->end.timed_out)
        text_add(why, "it did not end in time");
    else if (WIFEXITED(status))
        text_add(why, "it ended with status %d", WEXITSTATUS(status));
    else
        text_add(why, "signal %d (%s) ended it", WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (run->errors.count && first_line(run->errors.at, &line)) text_add(why, ": %s", line.at);
    text_free(&line);
}

// Ends that the exact build has for bugs that the processor or the runtime notices.
static bool is_trap(const char *kind, const struct native_run *run) {
    static const struct {
        const char *kind;
        int signal;
    } traps[] = {{"null", SIGSEGV},        {"out-of-bounds", SIGSEGV}, {"use-after-free", SIGSEGV},
                 {"bad-call", SIGSEGV},    {"bad-call", SIGILL},       {"stack-overflow", SIGSEGV},
                 {"div-by-zero", SIGFPE},  {"assert", SIGABRT},        {"abort", SIGABRT},
                 {"abort", SIGILL},        {"abort", SIGTRAP},         {"user", SIGABRT},
                 {"double-free", SIGABRT}, {"bad-free", SIGABRT},      {"unreachable", SIGILL},
                 {"unreachable", SIGTRAP}, {"deadlock", SIGABRT}};
    if (!WIFSIGNALED(run->end.status)) return false;
    for (size_t i = 0; i < COUNT(traps); i++)
        if (!strcmp(traps[i].kind, kind) && traps[i].signal == WTERMSIG(run->end.status)) return true;
    return false;
}

static enum verdict judge_bug(enum replay_build build, const struct finding *finding,
                              const struct native_run *run, struct text *why) {
    const char *errors = run->errors.count ? run->errors.at : "";
    if (build == BUILD_EXACT || build == BUILD_PLAIN || build == BUILD_GCOV) {
        if (is_trap(finding->kind, run)) return VERDICT_CONFIRMED;
        say_end(why, run);
        return VERDICT_NOT_SEEN; // most bugs go unnoticed without checks
    }
    struct text own = {0}; // said by the harness functions: they know no place, but the path is compared
    text_add(&own, "tamar: %s: ", finding->kind);
    bool placeless = strstr(errors, own.at) || !finding->place.line || !strcmp(finding->kind, "leak") ||
                     !strcmp(finding->kind, "stack-overflow") || !strncmp(finding->place.file, "<tamar>", 7);
    text_free(&own);
    bool kind = has_sign(finding->kind, errors), place = placeless || names_place(errors, &finding->place);
    if (kind && place) return VERDICT_CONFIRMED;
    say_end(why, run);
    if (kind) text_add(why, "; the predicted place is not in the report");
    return VERDICT_NOT_SEEN;
}

static bool same_end(const struct test_case *test, const struct native_run *run) {
    int status = run->end.status;
    if (run->end.timed_out) return false;
    switch (test->outcome) {
    case TEST_EXITED: return WIFEXITED(status) && WEXITSTATUS(status) == test->exit_status;
    case TEST_SIGNALLED: return WIFSIGNALED(status) && 128 + WTERMSIG(status) == test->exit_status;
    case TEST_REACHED:
    case TEST_NOT_MODELLED: return true; // nothing was predicted
    default: return WIFEXITED(status);
    }
}

enum verdict replay_judge(const struct replay *replay, enum replay_build build, const struct test_case *test,
                          const struct finding *finding, const struct native_run *run, struct text *why) {
    if (test->outcome == TEST_BUG) return judge_bug(build, finding, run, why);
    bool same = same_end(test, run);
    bool open_end = test->outcome == TEST_REACHED; // it may go on to any bug
    if (build == BUILD_SANITIZER && !open_end && run->errors.count && is_error(run->errors.at)) same = false;
    if (same) return VERDICT_SAME;
    say_end(why, run);
    return VERDICT_DIFFERS;
}
