#include "run/run_results.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/log.h"
#include "base/run_limits.h"
#include "cluster/cores.h"
#include "explore/checkpoint.h"
#include "output/record.h"
#include "output/wrap.h"
#include "run/fuzz.h"
#include "run/known.h"
#include "run/live.h"
#include "run/target_set.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECKPOINT_SHARE                                                                                     \
    40.0 // least time between two checkpoints, as a multiple of the time that the last one took
#define SECONDS_BETWEEN 1.0 // between two updates of summary.json and the database

struct run_results {
    struct run_results_options options;
    struct writer *writer;
    struct explore *explore;
    struct sharing sharing; // without methods: the run is one process
    bool shared;            // other processes hold the states
    double last;
    double next_checkpoint; // time of the next checkpoint, in the run's seconds
    double checkpoint_at;   // time of the last checkpoint, in the run's seconds; 0: there is none
    const struct summary_slice *sliced;
    uint32_t sliced_count;
    bool fatal;        // an internal error ends the run
    struct fuzz *fuzz; // NULL: none
};

// ---- the start

struct run_results *run_results_open(const struct run_results_options *options) {
    struct writer *writer = writer_open(&options->writer);
    if (!writer) return NULL;
    struct run_results *results = NEW(struct run_results);
    results->options = *options;
    results->writer = writer;
    if (options->known && !options->writer.reopen)
        writer_put(writer, KNOWN_KEPT_FILE, known_content(options->known));
    return results;
}

const char *run_results_folder(const struct run_results *results) { return writer_folder(results->writer); }
bool run_results_failed(const struct run_results *results) { return writer_failed(results->writer); }

static void save_now(void *context) { // the process is about to end
    struct run_results *results = context;
    results->fatal = true;
    if (results->explore) run_results_finish(results, false, false);
}

void run_results_sliced(struct run_results *results, const struct summary_slice *sliced, uint32_t count) {
    results->sliced = sliced;
    results->sliced_count = count;
}

void run_results_start(struct run_results *results, struct explore *explore,
                       const struct ir_program *program) {
    results->explore = explore;
    writer_start(results->writer, program);
    error_on_fatal(save_now, results);
    explore_tell(explore, false);
    run_results_progress(results);
}

void run_results_share(struct run_results *results, struct sharing sharing, bool running) {
    results->sharing = sharing;
    results->shared = running;
}

void run_results_renumber(struct run_results *results, const uint32_t *numbers, uint32_t count) {
    explore_renumber(results->explore, numbers, count);
    writer_renumber(results->writer, numbers, count);
}

void run_results_free(struct run_results *results) {
    if (!results) return;
    error_on_fatal(NULL, NULL);
    writer_free(results->writer);
    DELETE(results);
}

// ---- the current summary

static struct summary_target summary_target(const struct target_line *line,
                                            const struct target_status *status) {
    const struct target_status none = {.outcome = reach_outcome_names[TARGET_UNREACHABLE]};
    if (!status) status = &none; // nothing refers to its function
    return (struct summary_target){.file = line->file,
                                   .line = line->line,
                                   .reached = status->reached,
                                   .outcome = status->outcome,
                                   .test = status->test,
                                   .seconds = status->seconds,
                                   .instructions = status->instructions,
                                   .bug = status->bug,
                                   .proved = line->proved,
                                   .distance = status->near ? (int64_t)status->distance : -1,
                                   .obstacle = status->obstacle};
}

static int by_test(const void *a, const void *b) {
    const struct finding *x = *(const struct finding *const *)a, *y = *(const struct finding *const *)b;
    return x->test != y->test ? (x->test < y->test ? -1 : 1)
                              : (x->number > y->number) - (x->number < y->number);
}

static int by_place(const void *a, const void *b) {
    const struct incompleteness *x = a, *y = b;
    int order = strcmp(x->place.file, y->place.file);
    if (!order) order = (x->place.line > y->place.line) - (x->place.line < y->place.line);
    return order ? order : strcmp(x->what, y->what);
}

// Sorts, since workers report in any order.
static void sort_lists(struct arena *arena, struct summary *summary) {
    const struct finding **bugs =
        arena_memdup(arena, summary->bugs, summary->bug_count * sizeof(struct finding *));
    struct incompleteness *gave_up =
        arena_memdup(arena, summary->gave_up, summary->gave_up_count * sizeof *gave_up);
    if (summary->bug_count) qsort(bugs, summary->bug_count, sizeof(struct finding *), by_test);
    if (summary->gave_up_count) qsort(gave_up, summary->gave_up_count, sizeof *gave_up, by_place);
    summary->bugs = bugs;
    summary->gave_up = gave_up;
}

static void add_jobs(struct run_results *results, struct arena *arena, struct summary *summary) {
    const struct sharing *sharing = &results->sharing;
    if (!sharing->methods) {
        summary->idle_cores = cores_usable() - 1;
        return;
    }
    sort_lists(arena, summary);
    summary->job_count = sharing->methods->job_count(sharing->self);
    struct summary_job *jobs = ARENA_ARRAY(arena, struct summary_job, summary->job_count);
    for (uint32_t i = 0; i < summary->job_count; i++) {
        struct coordinator_job job = sharing->methods->job(sharing->self, i);
        jobs[i] = (struct summary_job){.paths = job.paths,
                                       .instructions = job.instructions,
                                       .given = job.given,
                                       .taken = job.taken,
                                       .busy = job.present > 0 ? MIN(1, job.busy / job.present) : 0,
                                       .rebuilding = job.busy > 0 ? MIN(1, job.rebuilding / job.busy) : 0,
                                       .present = job.present,
                                       .killed = job.killed};
    }
    summary->jobs = jobs;
    summary->messages = sharing->methods->messages(sharing->self, &summary->job_bytes);
}

void run_results_fuzzed(struct run_results *results, struct fuzz *fuzz) { results->fuzz = fuzz; }

// Lists the entries that name no bug of the run.
static void add_unmatched(struct run_results *results, struct arena *arena, struct summary *summary) {
    const struct known_reports *known = results->options.known;
    uint32_t count = 0;
    while (known_entry(known, count)) count++;
    const char **unmatched = ARENA_ARRAY(arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        bool seen = false;
        for (uint32_t k = 0; k < summary->ignored_count && !seen; k++)
            seen = !strcmp(summary->ignored[k]->ignored, known_entry(known, i));
        if (!seen) unmatched[summary->unmatched_count++] = known_entry(known, i);
    }
    summary->unmatched = unmatched;
}

static struct summary make_summary(struct run_results *results, struct arena *arena, bool ended) {
    const struct target_set *set = results->options.targets;
    struct summary summary = writer_summary(results->writer, arena, ended && !results->fatal);
    summary.running = !ended;
    if (results->fatal) summary.end = "a failure of Tamar";
    summary.sliced = results->sliced;
    summary.sliced_count = results->sliced_count;
    add_jobs(results, arena, &summary);
    if (ended) add_unmatched(results, arena, &summary);
    if (results->fuzz) fuzz_summary(results->fuzz, &summary.fuzz);
    if (!set) return summary;
    struct summary_target *list = ARENA_ARRAY(arena, struct summary_target, set->lines.count);
    for (uint32_t i = 0; i < set->lines.count; i++)
        list[i] = summary_target(&set->lines.at[i], record_target(writer_record(results->writer), i));
    summary.targets = list;
    summary.target_count = set->lines.count;
    return summary;
}

static void write_checkpoint(struct run_results *results) {
    struct text content = {0};
    double before = limits_elapsed(), now = explore_result(results->explore)->seconds;
    const struct sharing *sharing = &results->sharing;
    if (results->shared && !sharing->methods->can_checkpoint(sharing->self)) return;
    if (results->shared ? sharing->methods->checkpoint(sharing->self, &content)
                        : explore_checkpoint(results->explore, &content)) {
        writer_put(results->writer, "checkpoint", &content);
        results->checkpoint_at = now;
    } else if (results->checkpoint_at > 0) {
        user_warning("the checkpoint is too large for the limits: --resume will continue from the checkpoint "
                     "at %.0f s",
                     results->checkpoint_at);
    } else {
        user_warning("the checkpoint is too large for the limits: the run cannot be resumed");
    }
    text_free(&content);
    results->next_checkpoint =
        now + MAX(results->options.checkpoint_seconds, CHECKPOINT_SHARE * (limits_elapsed() - before));
}

const struct finding *run_results_take(struct run_results *results, const struct message *message) {
    return writer_take(results->writer, message);
}

bool run_results_progress(struct run_results *results) {
    const struct explore_result *result = explore_result(results->explore);
    if (result->counts.states && result->seconds >= results->next_checkpoint) write_checkpoint(results);
    bool due = result->seconds - results->last >= SECONDS_BETWEEN || result->seconds <= 0;
    if (!due && !live_wants(result->seconds)) return !run_results_failed(results);
    explore_tell(results->explore, false);
    struct arena *arena = arena_new();
    struct summary summary = make_summary(results, arena, false);
    live_update(&summary);
    if (due) writer_progress(results->writer, &summary, results->options.live);
    if (due) results->last = summary.time.wall;
    arena_free(arena);
    return !run_results_failed(results);
}

// ---- the end

void run_results_finish(struct run_results *results, bool json, bool color) {
    live_stop();
    if (!results->fatal) write_checkpoint(results);
    explore_tell(results->explore, true);
    struct arena *arena = arena_new();
    struct text content = {0};
    struct summary summary = make_summary(results, arena, true);
    writer_finish(results->writer, &summary, json ? &content : NULL);
    if (json) {
        fputs(content.at, stdout);
    } else if (!results->options.brief && log_level() > LOG_QUIET) {
        struct text shown = {0};
        summary_add_text(&content, &summary, color);
        wrap_add(&shown, content.at, isatty(STDOUT_FILENO) ? live_columns(STDOUT_FILENO) : UINT_MAX);
        fputs(shown.at, stdout);
        text_free(&shown);
    }
    text_free(&content);
    arena_free(arena);
}
