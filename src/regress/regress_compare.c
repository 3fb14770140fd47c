// Makes the old version, and compares how both versions behave on the same tests: natively, as exact builds, and in the
// engine, which also detects errors that do not crash natively.
#include "base/error.h"
#include "base/log.h"
#include "base/process.h"
#include "cover/cover.h"
#include "explore/follow.h"
#include "explore/render.h"
#include "regress/regress.h"
#include "run/native_replay.h"
#include "run/out_folder.h"
#include "run/record_store.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS 10.0
#define MEMORY  ((uint64_t)4000 << 20)
#define MOST    200u // most tests that are compared

// ---- the old version

static bool is_folder(const char *path) {
    struct stat status;
    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

// Checks the old revision out into a temporary folder. Returns the folder there that corresponds to the current
// directory; NULL: a warning has been printed.
static const char *check_out(struct regress *regress) {
    struct text output = {0}, errors = {0};
    const char *tree = out_path(regress->arena, process_temporary_folder(), "old"), *place = NULL;
    const char *prefix[] = {"git", "rev-parse", "--show-prefix", NULL};
    const char *archive[] = {
        "sh",
        "-c",
        "cd \"$(git rev-parse --show-toplevel)\" && git archive --format=tar \"$1\" | tar -x -C \"$2\"",
        "sh",
        regress->since,
        tree,
        NULL};
    mkdir(tree, 0777);
    if (regress_capture(archive, NULL, &output, &errors) == 0) {
        text_clear(&output);
        if (regress_capture(prefix, NULL, &output, &errors) == 0) {
            if (output.count) output.at[strcspn(output.at, "\n")] = 0;
            place = out_path(regress->arena, tree, output.at ? output.at : "");
        }
    }
    if (!place) user_warning("the old version cannot be checked out: %s", errors.at ? errors.at : "");
    text_free(&output);
    text_free(&errors);
    return place;
}

// Sets `words` to the program's words, with paths relative to this folder. Returns false if the other tree lacks one
// of the files.
static bool old_words(struct regress *regress, const char *tree, const char **words) {
    char here[PATH_MAX];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    for (uint32_t i = 0; i < regress->word_count; i++) {
        const char *word = regress->words[i];
        words[i] = word;
        if (word[0] == '/' && length && !strncmp(word, here, length) && word[length] == '/')
            word += length + 1;
        if (word[0] == '-' || word[0] == '/' || access(word, F_OK) != 0) continue;
        if (access(out_path(regress->arena, tree, word), R_OK) != 0) return false;
        words[i] = word;
    }
    return true;
}

// Sets `words` to the program's words, with its C file replaced. Returns false if it does not have exactly one C file.
static bool old_file(struct regress *regress, const char *file, const char **words) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < regress->word_count; i++) {
        const char *dot = strrchr(regress->words[i], '.');
        bool source = regress->words[i][0] != '-' && dot && !strcmp(dot, ".c");
        words[i] = source ? file : regress->words[i];
        count += source;
    }
    return count == 1;
}

// Finds the folder and words of the old version. Returns false if there is none; not_compared then has the reason.
static bool find_old(struct regress *regress, const char **folder, const char **words, uint32_t *count) {
    *folder = ".";
    *count = regress->word_count;
    if (regress->old_program) {
        words[0] = regress->old_program;
        *count = 1;
        return true;
    }
    if (regress->tree && !is_folder(regress->tree)) {
        if (old_file(regress, regress->tree, words)) return true;
        regress->not_compared = "the program has several files, and --old names one file: give --old-program";
        return false;
    }
    *folder = regress->tree ? regress->tree : regress->since ? check_out(regress) : NULL;
    if (*folder && old_words(regress, *folder, words)) return true;
    regress->not_compared = "the source of the old version was not found: give --old-program";
    return false;
}

// Builds the old program in OUT/old, which has the form of a results folder.
static bool make_old(struct regress *regress, const char *folder) {
    const char **words = ARENA_ARRAY(regress->arena, const char *, regress->word_count + 1), *place;
    uint32_t count;
    if (!find_old(regress, &place, words, &count)) return false;
    char *here = getcwd(NULL, 0);
    struct text bitcode = {0};
    struct front_options front = {.allow_undefined = true, .bitcode = &bitcode, .keep_checks = true};
    struct ir_program *program = NULL;
    if (chdir(place) == 0) program = front_load(&(struct front_input){words, count}, &front, NULL);
    bool good = here && chdir(here) == 0 && program;
    free(here);
    if (good) {
        struct record_store store = {.folder = out_path(regress->arena, folder, "old"),
                                     .arena = regress->arena};
        mkdir(store.folder, 0777);
        good = record_describe(&store, words[0], words, count, &bitcode, regress->version);
    }
    if (!good) regress->not_compared = "the old version cannot be built: give --old-program";
    ir_program_free(program);
    text_free(&bitcode);
    return good;
}

// ---- one version on one test

static const char *say(struct regress *regress, const char *format, const char *a, const char *b,
                       int number) {
    struct text text = {0};
    text_add(&text, format, a, b, number);
    const char *copy = arena_strdup(regress->arena, text.at);
    text_free(&text);
    return copy;
}

const char *regress_bug_name(struct regress *regress, const char *kind, const struct finding_frame *place) {
    const char *slash = strrchr(place->file, '/');
    return say(regress, "%s at %s:%d", kind, slash ? slash + 1 : place->file, (int)place->line);
}

struct bug_seen {
    struct regress *regress;
    const struct ir_program *program;
    const char *what; // NULL: none
};

static void ended(void *context, struct vm *vm, enum vm_event event) {
    struct bug_seen *seen = context;
    if (event != VM_BUG) return;
    const struct bug *bug = vm_bug(vm);
    struct finding_frame place = render_place(vm, bug->site);
    seen->what = bug->site ? regress_bug_name(seen->regress, bug_facts[bug->kind].name, &place)
                           : bug_facts[bug->kind].name;
}

static const char *bug_of(struct regress *regress, struct native_replay *replay,
                          const struct test_case *test) {
    struct bug_seen seen = {.regress = regress, .program = replay->program};
    struct follow_view view = {.context = &seen, .ended = ended, .by_model = true};
    struct followed followed;
    explore_follow(replay->program, &replay->explore, test, &view, &followed);
    follow_free(&followed);
    return seen.what;
}

// Returns false if it cannot be run.
static bool behave(struct regress *regress, struct native_replay *replay, struct test_case *test,
                   struct behaviour *behaviour) {
    struct native_run run;
    replay_set_inputs(replay, test);
    if (!replay_run(replay, BUILD_EXACT, test, &run)) return false;
    const char *bug = bug_of(regress, replay, test);
    *behaviour = (struct behaviour){.bug = bug != NULL};
    int status = run.end.status;
    behaviour->natively = run.end.limit         ? "does not end"
                          : WIFSIGNALED(status) ? say(regress, "signal%s%s %d", "", "", WTERMSIG(status))
                                                : say(regress, "exit%s%s %d", "", "", WEXITSTATUS(status));
    behaviour->end = bug ? bug : behaviour->natively;
    text_add_bytes(&behaviour->output, run.output.at ? run.output.at : "", run.output.count);
    text_add_bytes(&behaviour->output, run.errors.at ? run.errors.at : "", run.errors.count);
    native_run_free(&run);
    return true;
}

static bool same_output(const struct behaviour *a, const struct behaviour *b) {
    return a->output.count == b->output.count &&
           (!a->output.count || !memcmp(a->output.at, b->output.at, a->output.count));
}

static void compare_test(struct regress *regress, struct native_replay *old, struct native_replay *now,
                         struct regress_test *one) {
    struct test_case test;
    struct finding finding;
    struct behaviour again;
    if (!out_read_test(regress->arena, now->folder, one->number, &test, &finding)) return;
    one->compared = behave(regress, old, &test, &one->old) && behave(regress, now, &test, &one->now);
    if (!one->compared) return;
    // If both versions have a bug, nothing is compared: after a bug any output is possible.
    bool output = !same_output(&one->old, &one->now) && !(one->now.bug && one->old.bug);
    bool end = strcmp(one->old.end, one->now.end) != 0 && !(one->old.bug && one->now.bug);
    one->output_differs = output;
    one->differs = output || end;
    // A second run detects output that changes from run to run, such as a process id.
    if (output && !end && behave(regress, now, &test, &again)) {
        one->unstable = !same_output(&one->now, &again);
        if (one->unstable) one->differs = one->output_differs = false;
        text_free(&again.output);
    }
}

// ---- which lines a test executes

static void note_lines(void *context, struct vm *vm, enum vm_event event) {
    struct cover_seen seen = {vm_edges_seen(vm), vm_functions_seen(vm), vm_positions_seen(vm)};
    cover_update(context, &seen);
}

static void mark_lines(struct regress *regress, struct native_replay *now, uint32_t number) {
    struct test_case test;
    struct finding finding;
    if (!out_read_test(regress->arena, now->folder, number, &test, &finding)) return;
    replay_set_inputs(now, &test);
    struct cover *cover = cover_new(now->program);
    struct follow_view view = {.context = cover, .ended = note_lines, .by_model = true};
    struct followed followed;
    explore_follow(now->program, &now->explore, &test, &view, &followed);
    follow_free(&followed);
    uint32_t count;
    const struct cover_file *files = cover_files(cover, &count);
    vec_each (struct changed_line, line, &regress->lines)
        for (uint32_t i = 0; i < count; i++) {
            if (strcmp(line->file, files[i].name) != 0) continue;
            for (uint32_t k = 0; k < files[i].line_count; k++)
                if (files[i].lines[k].line == line->line) line->differs |= files[i].lines[k].covered;
        }
    cover_free(cover);
}

void regress_compare(struct regress *regress, const char *folder) {
    if (!regress->compare) {
        regress->not_compared = "--no-compare";
        return;
    }
    if (!make_old(regress, folder)) return;
    struct native_replay old = {
        .arena = arena_new(), .seconds = SECONDS, .memory = MEMORY, .wants_output = true};
    struct native_replay now = old;
    now.arena = arena_new();
    const char *older = out_path(regress->arena, folder, "old");
    bool good = replay_open(&old, older) && replay_make_work(&old) && replay_build(&old, BUILD_EXACT) &&
                replay_open(&now, folder) && replay_make_work(&now) && replay_build(&now, BUILD_EXACT);
    if (!good) regress->not_compared = "a version cannot be built natively";
    for (uint32_t i = 0; good && i < MIN(MOST, regress->tests.count); i++)
        compare_test(regress, &old, &now, &regress->tests.at[i]);
    vec_each (struct regress_test, test, &regress->tests)
        if (good && test->differs) mark_lines(regress, &now, test->number);
    replay_close(&old);
    replay_close(&now);
    process_remove_temporaries();
}
