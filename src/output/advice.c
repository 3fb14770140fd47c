// The advice at the end of a run: one command that can be copied, and the reason for it.
#include "base/text.h"
#include "base/vec.h"
#include "output/report.h"
#include "output/summary.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *option(const struct summary *summary, const char *name) {
    for (uint32_t i = 0; i < summary->option_count; i++)
        if (!strcmp(summary->options[i].name, name)) return summary->options[i].value;
    return "";
}

static bool is_given(const struct summary *summary, const char *name) {
    const char *value = option(summary, name);
    return *value && strcmp(value, "0") != 0 && strcmp(value, "off") != 0;
}

// Returns true if no symbolic input was named: the default inputs were used.
static bool has_defaults(const struct summary *summary) {
    static const char *const names[] = {"sym-stdin",  "sym-args",    "sym-arg", "sym-file",
                                        "sym-socket", "sym-env",     "entry",   "sym-random",
                                        "fail",       "short-reads", "peers",   "as-recorded"};
    for (unsigned i = 0; i < COUNT(names); i++)
        if (is_given(summary, names[i])) return false;
    return !summary->reads.marks;
}

// Returns true if the default input was --sym-file input=0..16 -- input, else it was --sym-args 0 2 4 --sym-stdin 8.
static bool has_driver_default(const struct summary *summary) {
    for (const char *const *word = summary->command; word && *word; word++)
        if (!strcmp(*word, "--")) return false;
    return summary->reads.driver && has_defaults(summary);
}

// ---- the command again, with one more option or another value

static void add_word(struct text *to, const char *word) {
    text_add(to, " ");
    report_add_word(to, word, strlen(word));
}

static void add_option(struct text *to, const char *name, const char *value) {
    text_add(to, " --%s", name);
    if (*value) add_word(to, value);
}

// Appends the option. If the run used default inputs, appends these, too: naming any input switches the defaults off.
static void add_new(struct text *to, const struct summary *summary, const char *name, const char *value) {
    bool replaces = !strncmp(name, "sym-", 4) || !strcmp(name, "fail"); // switches the defaults off
    if (replaces && has_driver_default(summary)) {
        if (strcmp(name, "sym-file") != 0) add_option(to, "sym-file", "input=0..16");
        add_option(to, name, value);
        text_add(to, " -- input");
        return;
    }
    if (has_defaults(summary) && replaces) {
        if (strncmp(name, "sym-arg", 7) != 0 && summary->reads.arguments) text_add(to, " --sym-args 0 2 4");
        if (strcmp(name, "sym-stdin") != 0 && summary->reads.stdin && !*option(summary, "stdin"))
            text_add(to, " --sym-stdin 8");
    }
    add_option(to, name, value);
}

// Appends the words of the command. --OTHER VALUE replaces the first --NAME; otherwise --NAME VALUE is inserted before
// "--".
static void add_changed(struct text *to, const struct summary *summary, const char *name, const char *other,
                        const char *value) {
    bool done = false;
    size_t length = strlen(name);
    text_add(to, "tamar %s", summary->kind);
    for (const char *const *word = summary->command; *word; word++) {
        bool is_end = !strcmp(*word, "--"),
             same = !strncmp(*word, "--", 2) && !strncmp(*word + 2, name, length);
        if (!strncmp(*word, "--out=", 6)) continue;
        if ((!strcmp(*word, "--out") || !strcmp(*word, "-o")) && word[1]) {
            word++; // the next run gets its own results folder
            continue;
        }
        if (is_end && !done) {
            add_new(to, summary, name, value);
            done = true;
        }
        if (!done && same && (*word)[2 + length] == '=') {
            add_option(to, other, value);
            done = true;
        } else if (!done && same && !(*word)[2 + length] && *value && word[1]) {
            add_option(to, other, value);
            word++;
            done = true;
        } else {
            add_word(to, *word);
        }
    }
    if (!done) add_new(to, summary, name, value);
}

static void add_command(struct text *to, const struct summary *summary, const char *name, const char *value) {
    add_changed(to, summary, name, name, value);
}

// ---- more input

// Increases the size in the option's value ("8", "0..8", "NAME=8" or "NAME=0..8") and allows any length up to it, if
// the option can. If the option was given several times, the first value is used. Returns false if the option was not
// given or has no size. A single --sym-arg becomes --sym-args, so that the number of arguments varies, too.
static bool add_larger(struct text *command, const struct summary *summary, const char *name) {
    const char *given = option(summary, name);
    size_t length = strcspn(given, " "), digits = length, prefix;
    while (digits && isdigit((unsigned char)given[digits - 1])) digits--;
    if (digits == length || memchr(given, '@', length)) return false;
    unsigned long size = strtoul(given + digits, NULL, 10);
    const char *equals = memchr(given, '=', length);
    prefix = equals ? (size_t)(equals + 1 - given) : 0;
    struct text value = {0};
    text_add(&value, "%.*s%s%lu", (int)prefix, given, strcmp(name, "sym-arg") ? "0.." : "",
             size > 8 ? 2 * size : 4 * size);
    bool one_argument = !strcmp(name, "sym-arg") && !given[length] && !is_given(summary, "sym-args");
    add_changed(command, summary, name, one_argument ? "sym-args 0 2" : name, value.at);
    text_free(&value);
    return true;
}

// Returns true if the program reads the kind of input that the option makes symbolic.
static bool is_read(const struct summary_reads *reads, const char *name) {
    if (!strcmp(name, "sym-stdin")) return reads->stdin || reads->stream;
    if (!strcmp(name, "sym-socket")) return reads->socket;
    if (!strcmp(name, "sym-arg")) return reads->arguments;
    return strcmp(name, "sym-input") != 0 || reads->harness;
}

// The only concrete argument that is not an option, if it looks like a file name: probably the file that the program
// opens. NULL: there is none.
static const char *file_argument(const struct summary *summary) {
    const char *const *word = summary->command;
    const char *file = NULL;
    while (*word && strcmp(*word, "--") != 0) word++;
    if (!*word) return NULL;
    while (*++word) {
        if (**word == '-' || !**word) continue;
        if (file) return NULL;
        file = *word;
    }
    const char *rest = file;
    while (rest && (isalnum((unsigned char)*rest) || (*rest && strchr("._-+/", *rest)))) rest++;
    return rest && !*rest ? file : NULL;
}

// Suggests --sym-file, with the file's name if that is known.
static void add_file(struct text *command, struct text *why, const struct summary *summary) {
    const char *name = file_argument(summary);
    struct text value = {0};
    text_add(&value, "%s=16", name ? name : "NAME");
    add_command(command, summary, "sym-file", value.at);
    text_add(why, "makes %s that the program reads symbolic%s", name ? "the file" : "a file",
             name ? "" : ": replace NAME by its name");
    text_free(&value);
}

// Suggests a kind of input that the program reads and that is not symbolic yet, otherwise a larger symbolic input.
static bool add_more_input(struct text *command, struct text *why, const struct summary *summary) {
    const struct summary_reads *reads = &summary->reads;
    bool defaults = has_defaults(summary);
    static const struct {
        size_t reads;
        const char *name, *value, *why;
    } kinds[] = {
        {offsetof(struct summary_reads, socket), "sym-socket", "16",
         "makes the bytes of a connection symbolic"},
        {offsetof(struct summary_reads, stdin), "sym-stdin", "0..16", "makes standard input symbolic"},
        {offsetof(struct summary_reads, file), "sym-file", NULL, NULL},
        {offsetof(struct summary_reads, variable), "sym-env", "NAME=8",
         "makes an environment variable that the program reads symbolic: replace NAME by its name"}};
    if (is_given(summary, "entry")) return false;
    if (has_driver_default(summary)) {
        add_command(command, summary, "sym-file", "input=0..64");
        text_add(why, "more symbolic input");
        return true;
    }
    if (defaults && !reads->file && !reads->socket &&
        (reads->stdin || reads->arguments)) { // the default inputs
        add_command(command, summary, reads->stdin ? "sym-stdin" : "sym-args 0 4",
                    reads->stdin ? "0..32" : "8");
        text_add(why, "more symbolic input");
        return true;
    }
    for (unsigned i = 0; i < COUNT(kinds); i++) {
        bool asks = *((const bool *)reads + kinds[i].reads);
        bool other = !kinds[i].value && is_given(summary, "sym-stdin") && !file_argument(summary);
        if (!asks || other || is_given(summary, kinds[i].name)) continue;
        if (kinds[i].value) {
            add_command(command, summary, kinds[i].name, kinds[i].value);
            text_add(why, "%s", kinds[i].why);
        } else {
            add_file(command, why, summary);
        }
        return true;
    }
    static const char *const sizes[] = {"sym-stdin", "sym-file", "sym-socket", "sym-arg", "sym-input"};
    for (unsigned i = 0; i < COUNT(sizes); i++) {
        bool used = is_given(summary, sizes[i]) && is_read(reads, sizes[i]);
        if (!used || !add_larger(command, summary, sizes[i])) continue;
        text_add(why, "more symbolic input");
        return true;
    }
    if (!reads->arguments || is_given(summary, "sym-args")) return false;
    add_command(command, summary, "sym-arg", "8");
    text_add(why, "more symbolic input");
    return true;
}

// Returns true if the program reads a kind of input that is not symbolic at all, and has coverage gaps.
static bool misses_input(const struct summary *summary) {
    const struct summary_reads *reads = &summary->reads;
    bool socket = reads->socket && !is_given(summary, "sym-socket") && !is_given(summary, "peers");
    bool file = reads->file && !has_driver_default(summary) && !is_given(summary, "sym-file") &&
                !is_given(summary, "sym-stdin") && !is_given(summary, "sym-arg") &&
                !is_given(summary, "sym-args");
    return (socket || file) && summary->gaps.count > summary->gaps.by_reason[GAP_ASSERTION];
}

// ---- a run that ended at a limit

#define LEAST_MEMORY 500ul // MB; a lower limit is hardly more than what Tamar needs to start

// Suggests fewer queries or real inputs if no path has ended and the solver takes almost all the time.
static bool add_relief(struct text *command, struct text *why, const struct summary *summary) {
    bool stuck = summary->counts.completed + summary->counts.errors == 0 && summary->time.work > 0 &&
                 summary->time.solver > 0.8 * summary->time.work;
    if (!stuck) return false;
    if (!is_given(summary, "relax-checks")) {
        add_command(command, summary, "relax-checks", "");
        text_add(why, "no path ended, and most time went into the solver: this defers bug checks");
    } else if (!is_given(summary, "seeds")) {
        add_command(command, summary, "seeds", "DIR");
        text_add(why, "no path ended: start from real inputs, in a folder DIR");
    }
    return command->count > 0;
}

static void add_resume(struct text *command, struct text *why, const struct summary *summary) {
    if (!strcmp(summary->end, "--slice")) { // resumed, it would end there again
        add_command(command, summary, "max-time", "60");
        text_add(why, "explores the original program in the time that the sliced one leaves");
        return;
    }
    double limit = atof(option(summary, "max-time"));
    bool timed = !strcmp(summary->end, "--max-time");
    text_add(command, "tamar %s --resume ", summary->kind);
    report_add_word(command, summary->folder, strlen(summary->folder));
    if (timed) text_add(command, " --max-time %lu", (unsigned long)(4 * limit + 0.999));
    if (!timed && strcmp(summary->end, "interrupted") != 0 && summary->end[0] == '-')
        add_option(command, summary->end + 2, "0");
    bool cores = summary->idle_cores && !is_given(summary, "jobs") && !summary->fuzz.tool;
    if (cores) text_add(command, " --jobs auto");
    text_add(why, "continues the run");
    if (cores)
        text_add(why, ", with %u more processor%s", summary->idle_cores, summary->idle_cores == 1 ? "" : "s");
    if (!summary->gaps.count) text_add(why, ": everything is covered, but further paths may have bugs");
}

static bool gave_up_for(const struct summary *summary, const char *words) {
    for (uint32_t i = 0; i < summary->gave_up_count; i++)
        if (strstr(summary->gave_up[i].what, words)) return true;
    return false;
}

// Suggests all values for memory that the program reads before it writes it. In CBMC's programs that is intended.
static bool add_unset(struct text *command, struct text *why, const struct summary *summary) {
    if (!gave_up_for(summary, "never set: only 0 was tried")) return false;
    add_command(command, summary, "uninitialised", "symbolic");
    text_add(why, "tries all values of memory that was never set");
    return true;
}

// Suggests a larger --unwind if it ended paths.
static bool add_rounds(struct text *command, struct text *why, const struct summary *summary) {
    unsigned long rounds = strtoul(option(summary, "unwind"), NULL, 10);
    if (!rounds || !gave_up_for(summary, "--unwind")) return false;
    struct text more = {0};
    text_add(&more, "%lu", 4 * rounds);
    add_command(command, summary, "unwind", more.at);
    text_add(why, "loops have more rounds");
    text_free(&more);
    return true;
}

void advice_add(struct text *command, struct text *why, const struct summary *summary) {
    bool unconfirmed = false, known = summary->command != NULL;
    const uint32_t *gaps = summary->gaps.by_reason;
    for (uint32_t i = 0; i < summary->bug_count; i++) unconfirmed |= summary->bugs[i]->replayed < 0;
    if (unconfirmed) {
        text_add(command, "tamar replay %s", summary->folder);
        text_add(why, "runs the tests natively, and confirms the bugs");
    } else if (summary->counts.states && known && add_relief(command, why, summary)) {
    } else if (summary->counts.states && summary->kind && strcmp(summary->kind, "regress") != 0) {
        add_resume(command, why, summary);
    } else if (summary->counts.killed && known && !strcmp(summary->end, "--max-memory")) {
        struct text more = {0};
        text_add(&more, "%lu", MAX(LEAST_MEMORY, 2 * strtoul(option(summary, "max-memory"), NULL, 10)));
        add_command(command, summary, "max-memory", more.at);
        text_add(why, "paths were dropped for lack of memory");
        text_free(&more);
    } else if (known && misses_input(summary) && add_more_input(command, why, summary)) {
    } else if (gaps[GAP_FAILURE] > gaps[GAP_MORE_INPUT] && known && !is_given(summary, "fail")) {
        add_command(command, summary, "fail", "1");
        text_add(why, "lets one call fail on each path");
    } else if (known && add_rounds(command, why, summary)) {
    } else if (known && add_unset(command, why, summary)) {
    } else if (summary->gave_up_count) {
        text_add(command, "tamar report %s", summary->folder);
        text_add(why, "shows what was given up, and where");
    } else if (known && (gaps[GAP_MORE_INPUT] || gaps[GAP_SUCCESS] || gaps[GAP_NOT_CALLED]) &&
               add_more_input(command, why, summary)) {
    } else if (gaps[GAP_FAILURE] && known && !is_given(summary, "fail")) {
        add_command(command, summary, "fail", "1");
        text_add(why, "lets one call fail on each path");
    } else {
        text_add(command, "tamar report %s", summary->folder);
        text_add(why, "a page with the covered source");
    }
}
