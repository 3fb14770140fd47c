#include "output/summary.h"

#include "base/json.h"
#include "output/report.h"

#include <string.h>

static void add_bugs(struct json *json, const struct summary *summary) {
    json_key(json, "bugs");
    json_open(json, '[');
    for (uint32_t i = 0; i < summary->bug_count; i++) {
        const struct finding *bug = summary->bugs[i];
        struct text report = {0};
        json_open(json, '{');
        json_field(json, string, "kind", bug->kind);
        json_field(json, string, "file", bug->place.file);
        json_field(json, number, "line", bug->place.line);
        json_field(json, string, "function", bug->place.function);
        json_field(json, string, "message", bug->message);
        json_field(json, number, "test", bug->test);
        json_field(json, number, "paths", bug->paths);
        json_key(json, "replayed");
        bug->replayed < 0 ? json_string(json, NULL) : json_bool(json, bug->replayed);
        text_add(&report, "bugs/%s.txt", finding_name(bug));
        json_field(json, string, "report", report.at);
        text_free(&report);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_coverage(struct json *json, const struct cover_totals *totals) {
    json_key(json, "coverage");
    json_open(json, '{');
#define KIND(name)                                                                                           \
    json_key(json, #name);                                                                                   \
    json_open_flat(json, '{');                                                                               \
    json_field(json, number, "covered", totals->name.covered);                                               \
    json_field(json, number, "total", totals->name.total);                                                   \
    json_close(json, '}');
    COVER_KINDS(KIND)
#undef KIND
    json_close(json, '}');
}

static void add_gave_up(struct json *json, const struct summary *summary) {
    json_key(json, "gave_up");
    json_open(json, '[');
    for (uint32_t i = 0; i < summary->gave_up_count; i++) {
        json_open_flat(json, '{');
        json_field(json, string, "what", summary->gave_up[i].what);
        json_field(json, string, "file", summary->gave_up[i].file);
        json_field(json, number, "line", summary->gave_up[i].line);
        json_field(json, number, "count", summary->gave_up[i].count);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_targets(struct json *json, const struct summary *summary) {
    json_key(json, "targets");
    json_open(json, '[');
    for (uint32_t i = 0; i < summary->target_count; i++) {
        const struct summary_target *target = &summary->targets[i];
        json_open_flat(json, '{');
        json_field(json, string, "file", target->file);
        json_field(json, number, "line", target->line);
        json_field(json, bool, "reached", target->reached);
        json_field(json, number, "test", target->test);
        json_field(json, real, "seconds", target->seconds);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void summary_add_json(struct text *to, const struct summary *summary) {
    struct json json = {.to = to};
    json_open(&json, '{');
    json_field(&json, string, "program", summary->program);
    json_key(&json, "paths");
    json_open(&json, '{');
#define X(name) json_field(&json, number, #name, summary->paths.name);
    SUMMARY_PATHS(X)
#undef X
    json_close(&json, '}');
    json_field(&json, number, "tests", summary->tests);
    add_bugs(&json, summary);
    json_field(&json, number, "instructions", summary->instructions);
    json_field(&json, number, "forks", summary->forks);
    json_key(&json, "queries");
    json_open(&json, '{');
#define X(name) json_field(&json, number, #name, summary->queries.name);
    SUMMARY_QUERIES(X)
#undef X
    json_close(&json, '}');
    add_coverage(&json, &summary->coverage);
    json_key(&json, "assertions");
    json_open_flat(&json, '{');
    json_field(&json, number, "proved", summary->assertions.proved);
    json_field(&json, number, "failed", summary->assertions.failed);
    json_field(&json, number, "open", summary->assertions.open);
    json_close(&json, '}');
    json_key(&json, "time");
    json_open(&json, '{');
#define X(name) json_field(&json, real, #name, summary->time.name);
    SUMMARY_TIMES(X)
#undef X
    json_close(&json, '}');
    json_field(&json, number, "peak_memory", summary->peak_memory);
    add_gave_up(&json, summary);
    add_targets(&json, summary);
    json_field(&json, bool, "complete", summary->complete);
    json_field(&json, bool, "running", summary->running);
    json_field(&json, string, "end", summary->end);
    json_key(&json, "options");
    json_open(&json, '{');
    for (uint32_t i = 0; i < summary->option_count; i++)
        json_field(&json, string, summary->options[i].name, summary->options[i].value);
    json_close(&json, '}');
    json_close(&json, '}');
}

// ---- for people

static void add_bug_text(struct text *to, const struct finding *bug, const char *folder) {
    text_add(to, "  %s  ", bug->kind);
    if (bug->place.line) {
        report_add_safe(to, bug->place.file);
        text_add(to, ":%u", bug->place.line);
    } else {
        text_add(to, "(no line)");
    }
    text_add(to, "  ");
    report_add_safe(to, bug->message);
    text_add(to, ", in ");
    report_add_safe(to, bug->place.function);
    if (bug->replayed >= 0) text_add(to, bug->replayed ? "  (confirmed)" : "  (NOT confirmed)");
    text_add(to, "\n      %s/bugs/%s.txt\n", folder, finding_name(bug));
}

static void add_count(struct text *to, const char *name, struct cover_count count) {
    if (!count.total) return;
    text_add(to, "%s %u of %u (%.0f %%)", name, count.covered, count.total,
             100.0 * count.covered / count.total);
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void add_suggestion(struct text *to, const struct summary *summary) {
    if (summary->bug_count)
        text_add(to, "next: tamar replay %s\n", summary->folder);
    else if (!summary->explored)
        text_add(to,
                 "next: give it more time, or less to explore; `tamar stats %s` says where the time went\n",
                 summary->folder);
    else if (summary->coverage.line.covered < summary->coverage.line.total)
        text_add(to, "next: more symbolic input may reach the rest (--sym-stdin, --sym-args, --sym-file)\n");
}

void summary_add_text(struct text *to, const struct summary *summary) {
    if (summary->bug_count) {
        text_add(to, "%u bug%s:\n", summary->bug_count, plural(summary->bug_count));
        for (uint32_t i = 0; i < summary->bug_count; i++) add_bug_text(to, summary->bugs[i], summary->folder);
    } else {
        text_add(to, "no bug found\n");
    }
    uint64_t ended = summary->paths.completed + summary->paths.errors;
    text_add(to, "%llu path%s, %llu test%s; %s\n", (unsigned long long)ended, plural(ended),
             (unsigned long long)summary->tests, plural(summary->tests),
             summary->complete   ? "every path was explored"
             : summary->explored ? "every path was explored except what was given up"
                                 : "not every path was explored");
    if (!summary->explored)
        text_add(to, "ended by %s; %llu path%s left, %llu dropped\n", summary->end,
                 (unsigned long long)summary->paths.pending, plural(summary->paths.pending),
                 (unsigned long long)summary->paths.killed);
    const char *separator = "covered: ";
#define KIND(name)                                                                                           \
    if (summary->coverage.name.total) {                                                                      \
        text_add(to, "%s", separator);                                                                       \
        add_count(to, #name "s", summary->coverage.name);                                                    \
        separator = ", ";                                                                                    \
    }
    COVER_KINDS(KIND)
#undef KIND
    if (summary->coverage.line.total) text_add(to, "\n");
    const struct assertion_counts *assertions = &summary->assertions;
    if (assertions->proved || assertions->failed || assertions->open) {
        text_add(to, "assertions: %u proved, %u failed", assertions->proved, assertions->failed);
        if (assertions->open) text_add(to, ", %u not decided on every path", assertions->open);
        text_add(to, "\n");
    }
    for (uint32_t i = 0; i < summary->gave_up_count; i++) {
        text_add(to, "given up: ");
        report_add_safe(to, summary->gave_up[i].what);
        if (summary->gave_up[i].line) {
            text_add(to, " at ");
            report_add_safe(to, summary->gave_up[i].file);
            text_add(to, ":%u", summary->gave_up[i].line);
        }
        text_add(to, " (%llu time%s)\n", (unsigned long long)summary->gave_up[i].count,
                 plural(summary->gave_up[i].count));
    }
    text_add(to, "%.2f s, %.0f %% of it in the solver; %llu instructions; results in %s\n",
             summary->time.wall, summary->time.wall > 0 ? 100 * summary->time.solver / summary->time.wall : 0,
             (unsigned long long)summary->instructions, summary->folder);
    add_suggestion(to, summary);
}
