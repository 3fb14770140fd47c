// What a person reads at the end of a run: bugs first, then coverage, what was not covered and why, and one
// thing to do next.
#include "base/text.h"
#include "output/report.h"
#include "output/summary.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BUGS   10 // shown with their source; the others in one line each
#define MOST_PLACES 4  // for each reason

struct painter {
    struct text *to;
    bool color;
};

static void paint(const struct painter *painter, const char *code) {
    if (painter->color) text_add(painter->to, "\033[%sm", code);
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

// ---- bugs

static void add_indented(struct text *to, const char *text, const char *indent) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        text_add(to, "%s", indent);
        text_add_bytes(to, text, length);
        text_add(to, "\n");
        text += length + (text[length] == '\n');
    }
}

static void add_bug(const struct painter *painter, const struct summary *summary, uint32_t index) {
    struct text *to = painter->to;
    const struct finding *bug = summary->bugs[index];
    text_add(to, "%s%2u. ", index && index < MOST_BUGS ? "\n" : "", index + 1);
    paint(painter, "1;31");
    text_add(to, "%s", bug->kind);
    paint(painter, "0");
    text_add(to, "  ");
    struct finding_frame place = bug->place;
    place.column = 0;
    if (place.line) {
        report_add_path(to, place.file);
        text_add(to, ":%u", place.line);
    } else {
        text_add(to, "(no line)");
    }
    text_add(to, "  ");
    report_add_safe(to, bug->message);
    text_add(to, ", in ");
    report_add_safe(to, place.function);
    text_add(to, bug->replayed > 0    ? "  (confirmed natively)\n"
                 : bug->replayed == 0 ? "  (NOT confirmed natively)\n"
                                      : "\n");
    if (index >= MOST_BUGS) return;
    struct text source = {0};
    report_add_source(&source, &bug->place, 2);
    if (source.at) add_indented(to, source.at, "   ");
    if (*bug->details) {
        struct text details = {0};
        text_add_shown(&details, bug->details, strlen(bug->details));
        add_indented(to, details.at, "      ");
        text_free(&details);
    }
    text_free(&source);
    report_add_others(to, bug, "      ");
    if (bug->command) {
        text_add(to, "      to see it:  ");
        report_add_safe(to, bug->command);
    }
    text_add(to, "\n      report:     tamar show %s/bugs/%s.txt\n", summary->folder, finding_name(bug));
}

static void add_bugs(const struct painter *painter, const struct summary *summary) {
    if (!summary->bug_count) {
        text_add(painter->to, "no bug found\n");
        return;
    }
    uint32_t unconfirmed = 0;
    for (uint32_t i = 0; i < summary->bug_count; i++) unconfirmed += summary->bugs[i]->replayed < 0;
    paint(painter, "1");
    text_add(painter->to, "%u bug%s%s:\n", summary->bug_count, plural(summary->bug_count),
             unconfirmed ? ", not yet confirmed natively" : "");
    paint(painter, "0");
    for (uint32_t i = 0; i < summary->bug_count; i++) add_bug(painter, summary, i);
    text_add(painter->to, "\n");
}

// Known reports: how often, and entries that may be out of date.
static void add_ignored(struct text *to, const struct summary *summary) {
    uint64_t paths = 0;
    for (uint32_t i = 0; i < summary->ignored_count; i++) paths += summary->ignored[i]->paths;
    if (summary->ignored_count)
        text_add(to, "ignored: %u known report%s, on %llu path%s\n", summary->ignored_count,
                 plural(summary->ignored_count), (unsigned long long)paths, plural(paths));
    for (uint32_t i = 0; i < summary->unmatched_count; i++) {
        text_add(to, "%s: not seen in this run\n", summary->unmatched[i]);
    }
}

// ---- paths and coverage

static void add_count(struct text *to, const char *name, struct cover_count count) {
    text_add(to, "%s %u of %u (%.0f %%)", name, count.covered, count.total,
             100.0 * count.covered / count.total);
}

static void add_paths(struct text *to, const struct summary *summary) {
    uint64_t ended = summary->counts.completed + summary->counts.errors;
    text_add(to, "%llu path%s, %llu test%s; %s\n", (unsigned long long)ended, plural(ended),
             (unsigned long long)summary->counts.tests, plural(summary->counts.tests),
             summary->complete   ? "every path was explored"
             : summary->explored ? "every path was explored except what was given up"
                                 : "not every path was explored");
    if (!summary->explored)
        text_add(to, "ended by %s; %llu path%s left, %llu dropped\n", summary->end,
                 (unsigned long long)summary->counts.states, plural(summary->counts.states),
                 (unsigned long long)summary->counts.killed);
}

// Workers that were killed: nothing is lost with them, but the user wants to know.
static void add_killed(struct text *to, const struct summary *summary) {
    uint32_t killed = 0;
    for (uint32_t i = 0; i < summary->job_count; i++) killed += summary->jobs[i].killed;
    if (killed)
        text_add(to, "%u worker%s killed; what %s held went to others\n", killed,
                 killed == 1 ? " was" : "s were", killed == 1 ? "it" : "they");
}

static void add_covered(struct text *to, const struct summary *summary) {
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
        if (assertions->open) text_add(to, ", %u open (not decided for every input)", assertions->open);
        text_add(to, "\n");
    }
}

static void add_fuzz(struct text *to, const struct summary_fuzz *fuzz) {
    if (!fuzz->tool) return;
    text_add(to, "%s: %llu input%s run, %llu with new coverage, %llu of them followed; %llu of ours given\n",
             fuzz->tool, (unsigned long long)fuzz->inputs, plural(fuzz->inputs),
             (unsigned long long)fuzz->fresh, (unsigned long long)fuzz->followed,
             (unsigned long long)fuzz->given);
    for (uint32_t i = 0; i < fuzz->bug_count; i++) {
        const struct summary_fuzz_bug *bug = &fuzz->bugs[i];
        if (bug->followed) continue;
        text_add(to, "  only the fuzzer's input shows: %s  ", bug->kind);
        report_add_path(to, bug->file);
        text_add(to, ":%u, in ", bug->line);
        report_add_safe(to, bug->function);
        text_add(to, "  (fuzz/kept/%s, run concretely; not explored)\n", bug->input);
    }
    if (fuzz->unexplained)
        text_add(to, "  %llu of %llu crashes do not happen in the engine: fuzz/kept/unexplained-*\n",
                 (unsigned long long)fuzz->unexplained, (unsigned long long)fuzz->crashes);
    if (fuzz->only_fuzzed)
        text_add(to,
                 "  %llu edges and functions were run with inputs of the fuzzer only, and do not count as "
                 "covered\n",
                 (unsigned long long)fuzz->only_fuzzed);
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void add_gaps(struct text *to, const struct summary *summary) {
    const struct gaps *gaps = &summary->gaps;
    if (gaps->count) text_add(to, "not covered, and why:\n");
    for (unsigned reason = 0; reason < GAP_REASON_COUNT; reason++) {
        uint32_t shown = 0;
        if (!gaps->by_reason[reason]) continue;
        text_add(to, "  %s\n     ", gap_reason_helps[reason]);
        for (uint32_t i = 0; i < gaps->count && shown < MOST_PLACES; i++) {
            const struct gap *gap = &gaps->at[i];
            if (gap->reason != (enum gap_reason)reason) continue;
            text_add(to, shown++ ? "; " : " ");
            report_add_safe(to, base_name(gap->file));
            text_add(to, ":%u ", gap->line);
            if (gap->function) {
                report_add_safe(to, gap->function);
                text_add(to, " ");
            }
            gap_add_side(to, gap);
        }
        if (gaps->by_reason[reason] > shown) text_add(to, "; and %u more", gaps->by_reason[reason] - shown);
        text_add(to, "\n");
    }
}

static void add_given_up(struct text *to, const struct summary *summary) {
    for (uint32_t i = 0; i < summary->gave_up_count; i++) {
        text_add(to, summary->gave_up[i].lost ? "given up: " : "slower: ");
        report_add_safe(to, summary->gave_up[i].what);
        if (summary->gave_up[i].place.line) {
            text_add(to, " at ");
            report_add_path(to, summary->gave_up[i].place.file);
            text_add(to, ":%u", summary->gave_up[i].place.line);
        }
        text_add(to, " (%llu time%s)\n", (unsigned long long)summary->gave_up[i].count,
                 plural(summary->gave_up[i].count));
    }
}

// ---- one thing to do next

static const char *option(const struct summary *summary, const char *name) {
    for (uint32_t i = 0; i < summary->option_count; i++)
        if (!strcmp(summary->options[i].name, name)) return summary->options[i].value;
    return "";
}

// Twice the size that was given, "8", "0..8", "NAME=8" or "NAME=0..8", in the same words: --sym-file NAME=0..16.
// Of several, the first. False when the option was not given.
static bool add_doubled(struct text *to, const struct summary *summary, const char *name) {
    const char *given = option(summary, name);
    if (!*given) return false;
    size_t length = strcspn(given, " "), digits = length;
    while (digits && isdigit((unsigned char)given[digits - 1])) digits--;
    if (digits == length) return false;
    struct text words = {0};
    text_add(&words, "more symbolic input: --%s %.*s%lu instead of %.*s", name, (int)digits, given,
             2 * strtoul(given + digits, NULL, 10), (int)length, given);
    report_add_safe(to, words.at);
    text_free(&words);
    return true;
}

static void add_more_input(struct text *to, const struct summary *summary) {
    if (!add_doubled(to, summary, "sym-stdin") && !add_doubled(to, summary, "sym-file"))
        text_add(to, "more symbolic input, for example --sym-stdin 16 or --sym-file NAME=16");
    else
        text_add(to, ", or --sym-args, --sym-env");
}

static void add_suggestion(struct text *to, const struct summary *summary) {
    bool unconfirmed = false;
    for (uint32_t i = 0; i < summary->bug_count; i++) unconfirmed |= summary->bugs[i]->replayed < 0;
    text_add(to, "next: ");
    if (unconfirmed)
        text_add(to, "tamar replay %s   (runs the tests natively, and confirms the bugs)\n", summary->folder);
    else if (!strcmp(summary->end, "--max-time") && summary->idle_cores)
        text_add(to, "--jobs auto: %u more processor%s can work on it\n", summary->idle_cores,
                 plural(summary->idle_cores));
    else if (!strcmp(summary->end, "--max-time"))
        text_add(to, "more time, --max-time %.0f, or less to explore; `tamar stats %s` says where it went\n",
                 ceil(4 * atof(option(summary, "max-time"))), summary->folder);
    else if (summary->counts.states || summary->counts.killed)
        text_add(to, "let it run on without %s, or give it less to explore\n",
                 strcmp(summary->end, "interrupted") ? summary->end : "interrupting it");
    else if (summary->gave_up_count)
        text_add(to, "look at what was given up: tamar report %s\n", summary->folder);
    else if (summary->gaps.by_reason[GAP_MORE_INPUT] || summary->gaps.by_reason[GAP_NOT_CALLED])
        add_more_input(to, summary), text_add(to, "\n");
    else
        text_add(to, "tamar report %s   (a page with the covered source)\n", summary->folder);
}

void summary_add_text(struct text *to, const struct summary *summary, bool color) {
    struct painter painter = {to, color};
    add_bugs(&painter, summary);
    add_ignored(to, summary);
    add_paths(to, summary);
    add_killed(to, summary);
    add_covered(to, summary);
    add_fuzz(painter.to, &summary->fuzz);
    add_gaps(to, summary);
    add_given_up(to, summary);
    text_add(to, "%.2f s, %.0f %% of it in the solver; %llu instructions; results in %s\n",
             summary->time.wall, summary->time.work > 0 ? 100 * summary->time.solver / summary->time.work : 0,
             (unsigned long long)summary->counts.instructions, summary->folder);
    add_suggestion(to, summary);
}
