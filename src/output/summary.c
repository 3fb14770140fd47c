#include "output/summary.h"

#include "base/json.h"

static void add_bugs(struct json *json, const char *key, const struct finding *const *bugs, uint32_t count) {
    json_key(json, key);
    json_open(json, '[');
    for (uint32_t i = 0; i < count; i++) {
        const struct finding *bug = bugs[i];
        struct text report = {0};
        json_open(json, '{');
        json_field(json, string, "kind", bug->kind);
        json_field(json, string, "file", bug->place.file);
        json_field(json, number, "line", bug->place.line);
        json_field(json, number, "column", bug->place.column);
        json_field(json, string, "function", bug->place.function);
        json_field(json, string, "message", bug->message);
        json_field(json, number, "test", bug->test);
        json_field(json, number, "occurrences", bug->occurrences);
        json_field(json, number, "paths", bug->paths);
        json_key(json, "replayed");
        bug->replayed < 0 ? json_string(json, NULL) : json_bool(json, bug->replayed);
        json_field(json, string, "fingerprint", finding_hex(bug));
        if (bug->ignored) json_field(json, string, "entry", bug->ignored);
        json_key(json, "replayed_by"); // filled in by `tamar replay`
        json_open(json, '[');
        json_close(json, ']');
        text_add(&report, "bugs/%s.txt", finding_name(bug));
        if (!bug->ignored) json_field(json, string, "report", report.at);
        json_field(json, string, "command", bug->command);
        text_free(&report);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_paths(struct json *json, const struct run_counters *counts) {
    json_key(json, "paths");
    json_open(json, '{');
#define PATHS(name, key, meaning) json_field(json, number, key, counts->name);
#define COUNTER(name, meaning)
    RUN_COUNTERS(PATHS, COUNTER)
#undef PATHS
#undef COUNTER
    json_close(json, '}');
}

static void add_queries(struct json *json, const struct solver_counters *solver) {
    json_key(json, "queries");
    json_open(json, '{');
    json_field(json, number, "total", solver->queries);
    for (unsigned i = 0; i < LAYER_GROUP_COUNT; i++)
        if (layer_group_facts[i].in_summary)
            json_field(json, number, layer_group_facts[i].name, counters_answered(solver, i));
    json_field(json, number, "unknown", solver->unknown);
    json_close(json, '}');
}

// Adds the counters of each layer of the solver; "queries" is the sum over some of the layers.
static void add_layers(struct json *json, const struct solver_counters *solver) {
    json_key(json, "layers");
    json_open(json, '{');
    for (unsigned i = 0; i < LAYER_COUNT; i++) {
        const struct layer_counters *layer = &solver->layers[i];
        json_key(json, layer_facts[i].name);
        json_open_flat(json, '{');
        json_field(json, number, "asked", layer->asked);
        json_field(json, number, "answered", layer->answered);
        json_field(json, real, "seconds", 1e-9 * (double)layer->nanoseconds);
        json_close(json, '}');
    }
    json_close(json, '}');
}

static void add_symbolic(struct json *json, const struct symbolic_counters *symbolic) {
    json_key(json, "symbolic");
    json_open(json, '{');
#define COUNTER(name, meaning) json_field(json, number, #name, symbolic->name);
    SYMBOLIC_COUNTERS(COUNTER)
#undef COUNTER
    json_close(json, '}');
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

static void add_sliced(struct json *json, const struct summary *summary) {
    json_key(json, "sliced");
    json_open(json, '[');
    for (uint32_t i = 0; i < summary->sliced_count; i++) {
        const struct summary_slice *slice = &summary->sliced[i];
        json_open(json, '{');
        json_field(json, number, "mode", slice->mode);
        json_field(json, number, "cut", slice->cut);
        json_field(json, number, "paths", slice->paths);
        json_field(json, number, "tried", slice->tried);
        json_field(json, number, "inputs", slice->inputs);
        json_field(json, number, "queries", slice->queries);
        json_field(json, number, "solved", slice->solved);
        json_field(json, real, "slicing", slice->slicing);
        json_field(json, real, "trying", slice->trying);
        json_field(json, real, "seconds", slice->seconds);
        json_field(json, bool, "complete", slice->complete);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_fuzz(struct json *json, const struct summary_fuzz *fuzz) {
    if (!fuzz->tool) return;
    json_key(json, "fuzz");
    json_open(json, '{');
    json_field(json, string, "tool", fuzz->tool);
    json_field(json, number, "starts", fuzz->starts);
    json_field(json, number, "inputs", fuzz->inputs);
    json_field(json, number, "fresh", fuzz->fresh);
    json_field(json, number, "followed", fuzz->followed);
    json_field(json, number, "given", fuzz->given);
    json_field(json, number, "crashes", fuzz->crashes);
    json_field(json, number, "unexplained", fuzz->unexplained);
    json_field(json, number, "only_fuzzed", fuzz->only_fuzzed);
    json_key(json, "bugs");
    json_open(json, '[');
    for (uint32_t i = 0; i < fuzz->bug_count; i++) {
        const struct summary_fuzz_bug *bug = &fuzz->bugs[i];
        json_open_flat(json, '{');
        json_field(json, string, "kind", bug->kind);
        json_field(json, string, "file", bug->file);
        json_field(json, number, "line", bug->line);
        json_field(json, string, "function", bug->function);
        json_field(json, string, "input", bug->input);
        json_field(json, bool, "followed", bug->followed);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void add_gave_up(struct json *json, const struct summary *summary) {
    json_key(json, "gave_up");
    json_open(json, '[');
    for (uint32_t i = 0; i < summary->gave_up_count; i++) {
        json_open_flat(json, '{');
        json_field(json, string, "what", summary->gave_up[i].what);
        json_field(json, string, "file", summary->gave_up[i].place.file);
        json_field(json, number, "line", summary->gave_up[i].place.line);
        json_field(json, number, "count", summary->gave_up[i].count);
        json_field(json, bool, "lost", summary->gave_up[i].lost);
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
        json_field(json, string, "outcome", target->outcome);
        json_field(json, bool, "proved", target->proved);
        json_field(json, number, "instructions", target->instructions);
        if (target->bug) json_field(json, number, "bug", target->bug);
        if (target->distance >= 0) json_field(json, integer, "distance", target->distance);
        if (target->obstacle) json_field(json, string, "obstacle", target->obstacle);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_jobs(struct json *json, const struct summary *summary) {
    json_key(json, "jobs");
    json_open(json, '[');
    for (uint32_t i = 0; i < summary->job_count; i++) {
        const struct summary_job *job = &summary->jobs[i];
        json_open_flat(json, '{');
        json_field(json, number, "paths", job->paths);
        json_field(json, number, "instructions", job->instructions);
        json_field(json, real, "busy", job->busy);
        json_field(json, real, "rebuilding", job->rebuilding);
        json_field(json, number, "given", job->given);
        json_field(json, number, "taken", job->taken);
        json_field(json, bool, "killed", job->killed);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_key(json, "messages");
    json_open_flat(json, '{');
    json_field(json, number, "count", summary->messages);
    json_field(json, number, "bytes", summary->job_bytes);
    json_close(json, '}');
}

void summary_add_json(struct text *to, const struct summary *summary) {
    struct json json = {.to = to};
    json_open(&json, '{');
    json_field(&json, string, "program", summary->program);
    add_paths(&json, &summary->counts);
    json_field(&json, number, "tests", summary->counts.tests);
    add_bugs(&json, "bugs", summary->bugs, summary->bug_count);
    add_bugs(&json, "ignored", summary->ignored, summary->ignored_count);
    json_key(&json, "ignored_unmatched");
    json_open(&json, '[');
    for (uint32_t i = 0; i < summary->unmatched_count; i++) json_string(&json, summary->unmatched[i]);
    json_close(&json, ']');
    json_field(&json, number, "instructions", summary->counts.instructions);
    json_field(&json, number, "forks", summary->counts.forks);
    add_queries(&json, &summary->solver);
    add_layers(&json, &summary->solver);
    add_symbolic(&json, &summary->symbolic);
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
    json_key(&json, "not_covered");
    json_open(&json, '{');
    for (unsigned i = 0; i < GAP_REASON_COUNT; i++)
        json_field(&json, number, gap_reason_names[i], summary->gaps.by_reason[i]);
    json_close(&json, '}');
    json_field(&json, number, "not_linked", summary->unlinked);
    if (!summary->running) {
        struct text command = {0}, why = {0};
        advice_add(&command, &why, summary);
        json_field(&json, string, "next", command.at);
        text_free(&command);
        text_free(&why);
    }
    add_targets(&json, summary);
    add_sliced(&json, summary);
    add_jobs(&json, summary);
    add_fuzz(&json, &summary->fuzz);
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
