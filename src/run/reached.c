#include "run/reached.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/run_limits.h"
#include "output/report.h"
#include "run/native_replay.h"
#include "run/out_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- the targets

// Leading operands that are neither files nor flags name targets; so does any operand with a colon.
static bool names_target(const char *word) {
    struct stat status;
    return *word != '-' && (strchr(word, ':') || stat(word, &status) != 0);
}

static bool add_all(struct target_set *set, const struct run_options *options, struct operands *operands,
                    bool reach) {
    uint32_t taken = 0;
    while (reach && taken < operands->words.count && names_target(operands->words.at[taken]))
        if (!target_set_add_word(set, operands->words.at[taken++])) return false;
    for (uint32_t i = taken; i < operands->words.count; i++)
        operands->words.at[i - taken] = operands->words.at[i];
    operands->words.count -= taken;
    for (uint32_t i = 0; i < options->target.count; i++)
        if (!target_set_add_word(set, options->target.at[i].values[0])) return false;
    return (!options->uncovered_by || target_set_add_uncovered(set, options->uncovered_by)) &&
           (!options->trace || target_set_add_trace(set, options->trace)) &&
           (!options->sarif || target_set_add_sarif(set, options->sarif));
}

struct target_set *reached_wanted(const struct run_options *options, struct operands *operands, bool reach,
                                  bool *none) {
    struct target_set *set = target_set_new();
    *none = false;
    bool good = add_all(set, options, operands, reach), empty = target_set_is_empty(set);
    if (good && empty && reach)
        user_error_at("reach", "Usage: tamar reach FILE:LINE... PROGRAM [-- ARGS...]",
                      "no line to reach is named");
    else if (good && reach && !operands->words.count)
        user_error_at("reach", "Name the program after the lines: tamar reach FILE:LINE PROGRAM",
                      "no program is named");
    else if (good && empty)
        *none = true;
    else if (good)
        return set;
    target_set_free(set);
    return NULL;
}

// ---- native confirmation

static void remove_counts(const char *folder) {
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".gcda") != 0) continue;
        struct text path = {0};
        text_add(&path, "%s/%s", folder, entry->d_name);
        unlink(path.at);
        text_free(&path);
    }
    if (entries) closedir(entries);
}

// Whether the line was executed according to FILE.gcov.
static bool was_executed(const struct native_replay *replay, const struct target_line *line) {
    const char *slash = strrchr(line->file, '/');
    struct text path = {0}, content = {0};
    text_add(&path, "%s/gcov/%s.gcov", replay->folder, slash ? slash + 1 : line->file);
    bool executed = false;
    char *save = NULL;
    if (file_read(path.at, &content) && content.count)
        for (char *row = strtok_r(content.at, "\n", &save); row && !executed;
             row = strtok_r(NULL, "\n", &save)) {
            unsigned long long count;
            unsigned number;
            executed = sscanf(row, " %llu%*[*:] %u:", &count, &number) == 2 && number == line->line && count;
        }
    text_free(&path);
    text_free(&content);
    return executed;
}

static bool runs_exactly(struct native_replay *replay, const struct test_case *test) {
    struct native_run run;
    if (!replay->binaries[BUILD_EXACT] && !replay_build(replay, BUILD_EXACT)) return false;
    if (!replay_run(replay, BUILD_EXACT, test, &run)) return false;
    struct text why = {0};
    uint64_t count;
    bool same = replay_same_path(replay, test, &run, &why, &count);
    if (!same) user_warning("test %u takes another path natively: %s", test->number, why.at);
    text_free(&why);
    native_run_free(&run);
    return same;
}

// Whether a native run confirms the target: gcov counts the line as executed, or the exact build makes the choices of
// the test's path. A crash leaves no counts.
static bool prove_test(struct native_replay *replay, const struct test_case *test,
                       const struct target_line *line) {
    if (replay->binaries[BUILD_GCOV]) {
        struct native_run run;
        remove_counts(replay->counts);
        if (replay_run(replay, BUILD_GCOV, test, &run)) {
            native_run_free(&run);
            if (replay_collect_gcov(replay) && was_executed(replay, line)) return true;
        }
    }
    return runs_exactly(replay, test);
}

// Time that a native confirmation, with its build, may need: with less left it is not begun.
#define PROVE_SECONDS 2.0

void reached_prove(struct target_set *set, const struct explore_result *result, const char *folder) {
    struct native_replay replay = {.arena = arena_new(), .seconds = 10, .memory = (uint64_t)4000 << 20};
    bool any = false;
    for (uint32_t i = 0; i < result->target_count; i++) any |= result->targets[i].outcome == TARGET_REACHED;
    if (any && limits_left() < PROVE_SECONDS) {
        user_warning("no time is left to confirm reached targets natively");
        any = false;
    }
    bool good = any && replay_open(&replay, folder) && replay_make_work(&replay);
    if (good && replay_has_source(&replay)) replay_build(&replay, BUILD_GCOV);
    for (uint32_t i = 0; good && i < result->target_count; i++) {
        struct test_case test;
        struct finding finding;
        if (result->targets[i].outcome != TARGET_REACHED || limits_left() < PROVE_SECONDS) continue;
        replay.seconds = MIN(10.0, limits_left() / 2);
        if (!out_read_test(replay.arena, replay.folder, result->targets[i].test, &test, &finding)) continue;
        set->lines.at[i].tried = true;
        set->lines.at[i].proved = prove_test(&replay, &test, &set->lines.at[i]);
    }
    replay_close(&replay);
}

// ---- verdicts

// Returns the verdict on target number `i`.
static struct target_result reached_result_of(const struct explore_result *result, uint32_t i) {
    if (i < result->target_count) return result->targets[i];
    return (struct target_result){.outcome = TARGET_UNREACHABLE, // no code refers to its function
                                  .no_way = true,
                                  .nearest = DISTANCE_NONE,
                                  .blocked = {0, UINT32_MAX}};
}

static void say_target(const struct target_set *set, const struct explore_result *explored,
                       const struct ir_program *program, uint32_t i) {
    const struct target_line *line = &set->lines.at[i];
    struct target_result result = reached_result_of(explored, i);
    struct text text = {0};
    text_add(&text, "%-11s  %s:%u", reach_outcome_names[result.outcome], line->file, line->line);
    if (result.outcome == TARGET_REACHED) {
        text_add(&text, "  test %u, after %.2f s", result.test, result.seconds);
        if (line->tried) text_add(&text, line->proved ? ", and natively" : ", but NOT CONFIRMED natively");
    } else if (result.no_way) {
        text_add(&text, "  no way in the program leads there");
    } else {
        if (result.outcome == TARGET_UNREACHABLE)
            text_add(&text, "  every path that these inputs allow was explored");
        if (result.nearest != DISTANCE_NONE) {
            text_add(&text, result.outcome == TARGET_UNREACHABLE ? "; nearest: " : "  nearest: ");
            text_add(&text, "%u instructions away, ", result.nearest);
            reach_add_obstacle(&text, program, &result);
        } else if (result.outcome == TARGET_NOT_FOUND) {
            text_add(&text, "  no path came near: give it more time or more input");
        }
    }
    struct text safe = {0};
    text_add_shown(&safe, text.at, text.count);
    puts(safe.at);
    text_free(&safe);
    text_free(&text);
}

static bool has_bug(const struct explore_result *explored, const struct target_report *report) {
    return report->target < explored->target_count && explored->targets[report->target].bug;
}

static bool is_confirmed(const struct explore_result *explored, const struct target_report *report) {
    if (report->kind >= 0) return has_bug(explored, report);
    return report->target < explored->target_count &&
           explored->targets[report->target].outcome == TARGET_REACHED;
}

static void say_report(const struct target_set *set, const struct explore_result *explored,
                       const struct target_report *report) {
    struct text text = {0}, safe = {0};
    text_add(&text, "%-13s  %s:%u  %s", is_confirmed(explored, report) ? "confirmed" : "not confirmed",
             report->file, report->line, report->rule);
    if (report->target == UINT32_MAX || report->target >= explored->target_count)
        text_add(&text, "  (no code that the program can run)");
    else if (has_bug(explored, report))
        text_add(&text, "  (%s, test %u)", bug_facts[report->kind].name,
                 explored->targets[report->target].bug);
    else
        text_add(&text, "  (%s)",
                 explored->targets[report->target].outcome == TARGET_REACHED && report->kind >= 0
                     ? "reached, but no such bug was seen there"
                     : reach_outcome_names[explored->targets[report->target].outcome]);
    text_add_shown(&safe, text.at, text.count);
    puts(safe.at);
    text_free(&safe);
    text_free(&text);
}

static int by_line(const void *a, const void *b, void *context) {
    const struct target_set *set = context;
    const struct target_line *x = &set->lines.at[*(const uint32_t *)a],
                             *y = &set->lines.at[*(const uint32_t *)b];
    int files = strcmp(x->file, y->file);
    if (files) return files;
    return x->line < y->line ? -1 : x->line > y->line;
}

void reached_print(const struct target_set *set, const struct explore_result *result,
                   const struct ir_program *program) {
    if (set->reports.count) {
        uint32_t confirmed = 0;
        vec_each (struct target_report, report, &set->reports) {
            say_report(set, result, report);
            confirmed += is_confirmed(result, report);
        }
        printf("%u of %u reports confirmed\n", confirmed, set->reports.count);
        return;
    }
    uint32_t *order = NEW_ARRAY(uint32_t, set->lines.count);
    for (uint32_t i = 0; i < set->lines.count; i++) order[i] = i;
    qsort_r(order, set->lines.count, sizeof *order, by_line, (void *)set);
    for (uint32_t i = 0; i < set->lines.count; i++) say_target(set, result, program, order[i]);
    DELETE_ARRAY(order, set->lines.count);
}

int reached_status(const struct target_set *set, const struct explore_result *result) {
    bool unreachable = false;
    if (set->order.count) // for a trace only the last line counts
        return result->trace_reached                                                   ? EXIT_OK
               : result->targets[*vec_last(&set->order)].outcome == TARGET_UNREACHABLE ? EXIT_BUG_FOUND
                                                                                       : EXIT_LIMIT;
    for (uint32_t i = 0; i < set->lines.count; i++) {
        enum target_outcome outcome = reached_result_of(result, i).outcome;
        if (outcome == TARGET_NOT_FOUND) return EXIT_LIMIT;
        unreachable |= outcome == TARGET_UNREACHABLE;
    }
    return unreachable ? EXIT_BUG_FOUND : EXIT_OK;
}
