// The text at the end of a run: bugs first, then coverage, the gaps with their reasons, and one piece of advice.
#include "base/error.h"
#include "base/text.h"
#include "output/report.h"
#include "output/summary.h"

#include <string.h>

#define MOST_BUGS   10 // shown with source lines; the others take one line each
#define MOST_PLACES 4  // locations shown for each reason

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

// Adds the number of known reports, and the entries of the list that may be out of date.
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
        text_add(to, "ended by %s; %llu path%s left, %llu dropped\n",
                 strcmp(summary->end, "interrupted") ? summary->end : "an interrupt",
                 (unsigned long long)summary->counts.states, plural(summary->counts.states),
                 (unsigned long long)summary->counts.killed);
}

// Reports killed workers: no work was lost, but the user may want to find the cause.
static void add_killed(struct text *to, const struct summary *summary) {
    uint32_t killed = 0;
    for (uint32_t i = 0; i < summary->job_count; i++) killed += summary->jobs[i].killed;
    if (killed)
        text_add(to, "%u worker%s killed; other workers have explored %s states\n", killed,
                 killed == 1 ? " was" : "s were", killed == 1 ? "its" : "their");
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
    if (summary->unlinked)
        text_add(to, "not counted: %u function%s that nothing refers to\n", summary->unlinked,
                 plural(summary->unlinked));
    const struct assertion_counts *assertions = &summary->assertions;
    if (assertions->proved || assertions->failed || assertions->open) {
        text_add(to, "assertions: %u proved, %u failed", assertions->proved, assertions->failed);
        if (assertions->open) text_add(to, ", %u open (not decided for every input)", assertions->open);
        text_add(to, "\n");
    }
}

static void add_fuzz(struct text *to, const struct summary_fuzz *fuzz) {
    if (!fuzz->tool) return;
    text_add(to,
             "%s: %llu input%s run, %llu with new coverage, %llu of them followed; %llu of Tamar's tests "
             "given to it\n",
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

#define MOST_GIVEN_UP        12
#define MOST_GIVEN_UP_PLACES 4

static bool is_same_reason(const struct incompleteness *a, const struct incompleteness *b) {
    return a->lost == b->lost && !strcmp(a->what, b->what);
}

// Returns true if an earlier entry has the same reason: its line lists this one's place.
static bool is_reason_listed(const struct summary *summary, uint32_t index) {
    for (uint32_t i = 0; i < index; i++)
        if (is_same_reason(&summary->gave_up[i], &summary->gave_up[index])) return true;
    return false;
}

// Appends the places of all entries with the reason of the entry at `index`, and how often it applied.
static void add_reason_places(struct text *to, const struct summary *summary, uint32_t index) {
    uint64_t count = 0;
    uint32_t shown = 0, more = 0;
    for (uint32_t i = index; i < summary->gave_up_count; i++) {
        const struct incompleteness *one = &summary->gave_up[i];
        if (!is_same_reason(one, &summary->gave_up[index])) continue;
        count += one->count;
        if (!one->place.line) continue;
        if (shown == MOST_GIVEN_UP_PLACES) {
            more++;
            continue;
        }
        text_add(to, shown++ ? ", " : " at ");
        report_add_path(to, one->place.file);
        text_add(to, ":%u", one->place.line);
    }
    if (more) text_add(to, " and %u more line%s", more, plural(more));
    text_add(to, " (%llu time%s)\n", (unsigned long long)count, plural(count));
}

static void add_given_up(struct text *to, const struct summary *summary) {
    uint32_t shown = 0, more = 0;
    for (uint32_t i = 0; i < summary->gave_up_count; i++) {
        const struct incompleteness *one = &summary->gave_up[i];
        if (is_reason_listed(summary, i)) continue;
        if (shown == MOST_GIVEN_UP) {
            more++;
            continue;
        }
        shown++;
        text_add(to, one->lost ? "given up: " : "slower: ");
        report_add_safe(to, one->what);
        error_log_message(one->what);
        add_reason_places(to, summary, i);
    }
    if (more) text_add(to, "and %u more reason%s: tamar report %s\n", more, plural(more), summary->folder);
}

static void add_suggestion(struct text *to, const struct summary *summary) {
    struct text command = {0}, why = {0};
    advice_add(&command, &why, summary);
    text_add(to, "next: ");
    report_add_safe(to, command.at);
    text_add(to, "   (%s)\n", why.at);
    text_free(&command);
    text_free(&why);
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
