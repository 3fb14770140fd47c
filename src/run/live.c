#include "run/live.h"

#include "base/log.h"
#include "base/text.h"
#include "output/report.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define REDRAW_SECONDS 0.25
#define LINE_SECONDS   10.0 // between two lines, if the output is not a terminal
#define MOST_SHOWN     64u  // workers
#define JOB_COLUMNS    28u  // of a worker, with the space before it
#define FIRST_COLUMNS  6u   // the first worker of a line has so many more before it
#define OTHER_LINES    8u   // those above the workers, the number of workers not shown, the cursor's

static struct {
    bool running, terminal;
    unsigned drawn; // lines on the screen
    double last, limit;
    uint64_t last_instructions;
    uint64_t last_paths[MOST_SHOWN]; // per worker
    const char *program;
    uint32_t covered;  // edges
    double covered_at; // seconds, when it last changed
} live;

static void erase(void) {
    if (!live.drawn) return;
    fprintf(stderr, "\033[%uA\r\033[J", live.drawn);
    fflush(stderr);
    live.drawn = 0;
}

void live_start(const char *program, double limit) {
    memset(&live, 0, sizeof live);
    if (log_level() == LOG_QUIET) return;
    live.running = true;
    live.terminal = isatty(STDERR_FILENO) == 1;
    live.program = program;
    live.limit = limit;
    if (live.terminal) log_set_clear(erase);
}

void live_stop(void) {
    erase();
    log_set_clear(NULL);
    live.running = false;
}

bool live_wants(double seconds) {
    return live.running && seconds - live.last >= (live.terminal ? REDRAW_SECONDS : LINE_SECONDS);
}

// Appends 1234567 as 1,234,567.
static void add_number(struct text *to, uint64_t number) {
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    for (int i = 0; i < length; i++) text_add(to, i && (length - i) % 3 == 0 ? ",%c" : "%c", digits[i]);
}

static void add_time(struct text *to, double seconds) {
    unsigned whole = (unsigned)seconds;
    if (whole >= 3600)
        text_add(to, "%u:%02u:%02u", whole / 3600, whole / 60 % 60, whole % 60);
    else
        text_add(to, "%u:%02u", whole / 60, whole % 60);
}

static double percent(struct cover_count count) {
    return count.total ? 100.0 * count.covered / count.total : 100;
}

// Returns the millions of instructions per second since the last update.
static double speed(const struct summary *summary) {
    double seconds = summary->time.wall - live.last;
    uint64_t count = summary->counts.instructions - live.last_instructions;
    return seconds > 0 ? (double)count / seconds / 1e6 : 0;
}

static double solver_share(const struct summary *summary) {
    return summary->time.work > 0 ? 100 * summary->time.solver / summary->time.work : 0;
}

static void add_field(struct text *to, uint64_t number, const char *what) {
    struct text digits = {0};
    add_number(&digits, number);
    text_add(to, "%10s %-11s", digits.at, what);
    text_free(&digits);
}

// Returns the size of the terminal; 80 columns and 24 lines if it is not known.
static struct winsize terminal_size(int fd) {
    struct winsize size = {0};
    if (ioctl(fd, TIOCGWINSZ, &size) != 0) size = (struct winsize){0};
    if (!size.ws_col) size.ws_col = 80;
    if (!size.ws_row) size.ws_row = 24;
    return size;
}

// Adds for each active worker its paths a second since the last call, and the share of time that it was busy; not more
// workers than the terminal has space for.
static void add_jobs(struct text *to, const struct summary *summary) {
    double seconds = summary->time.wall - live.last;
    struct winsize size = terminal_size(STDERR_FILENO);
    uint32_t on_a_line = MAX((size.ws_col - 1u) / JOB_COLUMNS, 1u), shown = 0, active = 0;
    if (on_a_line > 1 && on_a_line * JOB_COLUMNS + FIRST_COLUMNS >= size.ws_col) on_a_line--;
    uint32_t most = on_a_line * (MAX(size.ws_row, OTHER_LINES + 1) - OTHER_LINES);
    for (uint32_t i = 0; i < MIN(summary->job_count, MOST_SHOWN); i++) {
        const struct summary_job *job = &summary->jobs[i];
        double rate = seconds > 0 ? (double)(job->paths - live.last_paths[i]) / seconds : 0;
        live.last_paths[i] = job->paths;
        if (job->killed || active++ >= most) continue;
        text_add(to, "%s%3u: %6.0f paths/s %3.0f %%",
                 shown % on_a_line ? "   "
                 : shown           ? "\n         "
                                   : "  jobs   ",
                 i + 1, rate, 100 * job->busy);
        shown++;
    }
    if (shown) text_add(to, "\n");
    if (active > shown) text_add(to, "         and %u more\n", active - shown);
}

static void add_block(struct text *to, const struct summary *summary) {
    text_add(to, "tamar run ");
    const char *slash = strrchr(live.program, '/'); // the folders would leave no space for the rest
    report_add_safe(to, slash && slash[1] ? slash + 1 : live.program);
    text_add(to, "   ");
    add_time(to, summary->time.wall);
    if (live.limit > 0) {
        text_add(to, " of ");
        add_time(to, live.limit);
    }
    text_add(to, "   (Ctrl-C ends it, with results)\n  paths  ");
    add_field(to, summary->counts.completed + summary->counts.errors, "done");
    add_field(to, summary->counts.states, "waiting");
    if (summary->counts.incomplete + summary->counts.killed)
        add_field(to, summary->counts.incomplete + summary->counts.killed, "given up");
    text_add(to, "\n  found  ");
    add_field(to, summary->counts.tests, summary->counts.tests == 1 ? "test" : "tests");
    add_field(to, summary->bug_count, summary->bug_count == 1 ? "bug" : "bugs");
    text_add(to, "\n  covered%9.0f %% lines%11.0f %% branches%8.0f %% conditions\n",
             percent(summary->coverage.line), percent(summary->coverage.edge),
             percent(summary->coverage.condition));
    if (live.covered) {
        text_add(to, "  new    ");
        add_time(to, summary->time.wall - live.covered_at);
        text_add(to, " ago something was covered for the first time\n");
    }
    text_add(to, "  speed  %10.1f million instructions a second; the solver takes %.0f %%\n", speed(summary),
             solver_share(summary));
    add_jobs(to, summary);
}

unsigned live_columns(int fd) { return terminal_size(fd).ws_col; }

// Cuts lines at the width of the terminal: wrapped lines could not be erased.
static void draw(const struct text *block) {
    unsigned columns = live_columns(STDERR_FILENO);
    struct text out = {0};
    unsigned lines = 0;
    if (live.drawn) text_add(&out, "\033[%uA\r", live.drawn);
    for (const char *line = block->at; *line;) {
        size_t length = strcspn(line, "\n");
        text_add_bytes(&out, line, MIN(length, columns - 1));
        text_add(&out, "\033[K\n");
        line += length + (line[length] == '\n');
        lines++;
    }
    fflush(stdout);
    fwrite(out.at, 1, out.count, stderr);
    fflush(stderr);
    live.drawn = lines;
    text_free(&out);
}

static void say_plain(const struct summary *summary) {
    struct text line = {0};
    uint64_t ended = summary->counts.completed + summary->counts.errors;
    add_time(&line, summary->time.wall);
    text_add(&line,
             "  %llu path%s done, %llu waiting; %llu test%s, %u bug%s; lines %.0f %%; %.1f M instructions/s; "
             "solver %.0f %%",
             (unsigned long long)ended, ended == 1 ? "" : "s", (unsigned long long)summary->counts.states,
             (unsigned long long)summary->counts.tests, summary->counts.tests == 1 ? "" : "s",
             summary->bug_count, summary->bug_count == 1 ? "" : "s", percent(summary->coverage.line),
             speed(summary), solver_share(summary));
    if (live.covered) text_add(&line, "; new code %.0f s ago", summary->time.wall - live.covered_at);
    log_line("%s", line.at);
    text_free(&line);
}

void live_update(const struct summary *summary) {
    if (!live_wants(summary->time.wall)) return;
    if (summary->coverage.edge.covered != live.covered) {
        live.covered = summary->coverage.edge.covered;
        live.covered_at = summary->time.wall;
    }
    if (live.terminal) {
        struct text block = {0};
        add_block(&block, summary);
        draw(&block);
        text_free(&block);
    } else {
        say_plain(summary);
    }
    live.last = summary->time.wall;
    live.last_instructions = summary->counts.instructions;
}
