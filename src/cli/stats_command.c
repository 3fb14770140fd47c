// `tamar stats`: prints how a run spent its time and queries.
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "output/report.h"
#include "run/common_options.h"
#include "run/compare_runs.h"
#include "run/out_folder.h"

#include <stdio.h>

#define STATS_OPTIONS(X, T)                                                                                  \
    X(T, FLAG, json, 0, "print the run's summary as JSON")                                                   \
    COMMON_OPTIONS(X, T)
OPTIONS_STRUCT(stats_options, STATS_OPTIONS)
OPTIONS_TABLE(stats_options, STATS_OPTIONS)

static double real(const struct json_value *object, const char *key) {
    return json_real_value(json_get(object, key), 0);
}

static double share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

static void add_group(struct text *to, const struct json_value *summary, const char *key) {
    text_add(to, "%s\n", key);
    json_each(item, json_get(summary, key))
        text_add(to, "  %-14s %12llu\n", item->key, (unsigned long long)json_number_value(item, 0));
}

static void add_times(struct text *to, const struct json_value *summary) {
    const struct json_value *time = json_get(summary, "time");
    double work = real(time, "work"), wall = work > 0 ? work : real(time, "wall");
    text_add(to, "time\n");
    json_each(item, time) text_add(to, "  %-14s %12.3f s  %5.1f %%\n", item->key, json_real_value(item, 0),
                                   share(json_real_value(item, 0), wall));
}

static void add_coverage(struct text *to, const struct json_value *summary) {
    text_add(to, "coverage\n");
    json_each(item, json_get(summary, "coverage")) {
        double covered = real(item, "covered"), total = real(item, "total");
        text_add(to, "  %-14s %6.0f of %6.0f  %5.1f %%\n", item->key, covered, total, share(covered, total));
    }
}

static void add_layers(struct text *to, const struct json_value *summary) {
    text_add(to, "layers of the solver\n");
    json_each(item, json_get(summary, "layers")) {
        double asked = real(item, "asked"), answered = real(item, "answered");
        if (asked > 0)
            text_add(to, "  %-14s %12.0f of %12.0f  %10.3f s\n", item->key, answered, asked,
                     real(item, "seconds"));
    }
}

static void add_bugs(struct text *to, const struct json_value *summary) {
    const struct json_value *bugs = json_get(summary, "bugs");
    text_add(to, "bugs %27u\n", bugs ? bugs->count : 0);
    json_each(bug, bugs) {
        uint64_t occurrences = json_get_number(bug, "occurrences", 1);
        text_add(to, "  %-14s ", json_get_text(bug, "kind", ""));
        report_add_safe(to, json_get_text(bug, "file", ""));
        text_add(to, ":%llu, test %llu, %llu call path%s%s\n",
                 (unsigned long long)json_get_number(bug, "line", 0),
                 (unsigned long long)json_get_number(bug, "test", 0), (unsigned long long)occurrences,
                 occurrences == 1 ? "" : "s",
                 !json_get(bug, "replayed") || json_get(bug, "replayed")->kind == JSON_NULL ? ", not replayed"
                 : json_get_bool(bug, "replayed", false)                                    ? ", confirmed"
                 : json_get(bug, "replayed_by") && json_get(bug, "replayed_by")->count
                     ? ", confirmed by the exact build alone"
                     : ", NOT confirmed");
    }
}

static void add_given_up(struct text *to, const struct json_value *summary) {
    json_each(item, json_get(summary, "gave_up")) {
        text_add(to, "given up: ");
        report_add_safe(to, json_get_text(item, "what", ""));
        text_add(to, " at ");
        report_add_safe(to, json_get_text(item, "file", ""));
        text_add(to, ":%llu, %llu times\n", (unsigned long long)json_get_number(item, "line", 0),
                 (unsigned long long)json_get_number(item, "count", 0));
    }
}

// Appends the workers of a run with --jobs, and the number of their messages.
static void add_jobs(struct text *to, const struct json_value *summary) {
    const struct json_value *jobs = json_get(summary, "jobs"), *messages = json_get(summary, "messages");
    double paths = 0;
    uint32_t number = 0;
    if (!jobs || !jobs->count) return;
    text_add(to, "jobs\n");
    json_each(job, jobs) {
        paths += real(job, "paths");
        text_add(to,
                 "  %-4u %12.0f paths %15.0f instructions  %3.0f %% busy, %2.0f %% rebuilding  %6.0f given "
                 "%6.0f taken%s\n",
                 ++number, real(job, "paths"), real(job, "instructions"), 100 * real(job, "busy"),
                 100 * real(job, "rebuilding"), real(job, "given"), real(job, "taken"),
                 json_get_bool(job, "killed", false) ? "  killed" : "");
    }
    double count = real(messages, "count"), bytes = real(messages, "bytes");
    text_add(to, "messages %23.0f  %.3f a path, %.0f bytes a path\n", count, paths > 0 ? count / paths : 0,
             paths > 0 ? bytes / paths : 0);
}

static void print_stats(const struct json_value *summary) {
    struct text text = {0};
    double wall = real(json_get(summary, "time"), "wall");
    double instructions = real(summary, "instructions");
    const char *end =
        json_get_bool(summary, "running", false) ? "running, or killed" : json_get_text(summary, "end", "");
    text_add(&text, "%s: %s\n", json_get_text(summary, "program", ""), end);
    add_group(&text, summary, "paths");
    text_add(&text, "tests %26llu\n", (unsigned long long)json_get_number(summary, "tests", 0));
    add_bugs(&text, summary);
    add_coverage(&text, summary);
    add_times(&text, summary);
    add_group(&text, summary, "queries");
    add_layers(&text, summary);
    add_group(&text, summary, "symbolic");
    text_add(&text, "instructions %19.0f  %.1f million a second\n", instructions,
             wall > 0 ? instructions / wall / 1e6 : 0);
    text_add(&text, "forks %26llu\n", (unsigned long long)json_get_number(summary, "forks", 0));
    text_add(&text, "memory, at most %13.1f MB\n", real(summary, "peak_memory") / 1048576);
    add_jobs(&text, summary);
    add_given_up(&text, summary);
    text_put_shown(&text, stdout);
    text_free(&text);
}

static int run(const struct command *command, char **argv) {
    struct stats_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    if (operands.words.count > 1 && !options.json) {
        status = compare_print(&operands);
        options_free(command->options, &options);
        operands_free(&operands);
        return status;
    }
    struct arena *arena = arena_new();
    const char *folder = operands.words.count ? operands.words.at[0] : "tamar-last";
    const struct json_value *summary = out_read_json(arena, folder, "summary.json");
    status = summary ? EXIT_OK : EXIT_USAGE;
    if (summary && options.json) {
        struct text text = {0};
        struct json json = {.to = &text};
        json_copy(&json, summary);
        fputs(text.at, stdout);
        text_free(&text);
    } else if (summary) {
        print_stats(summary);
    }
    arena_free(arena);
    options_free(command->options, &options);
    operands_free(&operands);
    return status;
}

const struct command stats_command = {
    .name = "stats",
    .help = "show how a run spent its time and queries",
    .operands = "[OUT...]",
    .description =
        "Prints the numbers of a run, from OUT/summary.json (default: tamar-last), also during the run. "
        "OUT/run.db has these numbers over time, for SQLite.\n\n"
        "Several folders are compared: one column for each, one for all of them together, then the bugs.",
    .options = &stats_options_table,
    .style = OPERANDS_PLAIN,
    .run = run,
};
