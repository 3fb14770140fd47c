#include "cli/run_results.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/log.h"
#include "base/options.h"
#include "cli/command.h"
#include "cli/findings.h"
#include "cli/live.h"
#include "cli/out_folder.h"
#include "cli/reach.h"
#include "cli/replay_int.h"
#include "cover/cover.h"
#include "explore/checkpoint.h"
#include "output/coverage.h"
#include "output/database.h"
#include "output/report.h"
#include "output/results.h"
#include "output/sarif.h"
#include "output/summary.h"
#include "output/tests.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

// Two checkpoints are apart by this much at least, and by this many times what the last one took.
#define CHECKPOINT_SECONDS 2.0
#define CHECKPOINT_SHARE   40.0
#define SECONDS_BETWEEN    1.0 // two states of summary.json and of the database, while the run goes on

struct run_results {
    struct run_results_options options;
    struct results *results;
    struct explore *explore;
    const struct ir_program *program;
    struct cover *cover;
    struct database *database;
    struct arena *arena; // of the findings
    vec(struct finding *) bugs;
    FILE *log;
    double last;
    double next_checkpoint; // in the run's seconds
    const struct summary_slice *sliced;
    uint32_t sliced_count;
    bool fatal; // a failure of ours ends the run
    // What tests cover: edges, functions, and the lines that follow from them (of all files, in their order).
    struct cover *told;
    uint8_t *told_edges, *told_functions, *told_lines;
};

// ---- the start

static void add_words(struct json *json, const char *key, const char *const *words, uint32_t count) {
    json_key(json, key);
    json_open(json, '[');
    for (uint32_t i = 0; i < count; i++) json_string(json, words[i]);
    json_close(json, ']');
}

// How to build the program and set up the run again.
static void write_program(struct run_results *results) {
    const struct run_results_options *options = &results->options;
    struct text content = {0};
    struct json json = {.to = &content};
    uint32_t count = 0;
    while (options->command[count]) count++;
    json_open(&json, '{');
    json_field(&json, string, "kind", options->kind);
    json_field(&json, string, "program", options->program);
    if (options->stdin) json_field(&json, string, "stdin", options->stdin);
    json_field(&json, string, "directory", options->directory);
    json_field(&json, string, "bitcode", "program.bc");
    add_words(&json, "words", options->words, options->word_count);
    add_words(&json, "command", options->command, count);
    json_field(&json, string, "version", version_line);
    json_close(&json, '}');
    results_write(results->results, "program.json", content.at, content.count);
    text_free(&content);
}

// A handler, unlike "ignore", does not reach the programs that are run natively later.
static void write_fails(int number) {}

struct run_results *run_results_open(const struct run_results_options *options) {
    signal(SIGXFSZ, write_fails); // a limit on the size of files is then a failing write, as a full disk is
    struct results *folder = options->reopen ? results_open(options->out) : results_create(options->out);
    if (!folder) return NULL;
    struct run_results *results = NEW(struct run_results);
    results->options = *options;
    results->results = folder;
    results->arena = arena_new();
    struct text path = results_path(folder, "log.txt");
    results->log = fopen(path.at, options->reopen ? "a" : "w");
    if (!results->log) results_fail(folder, "log.txt", strerror(errno));
    log_copy_to(results->log);
    text_free(&path);
    if (options->reopen) return results;
    results_make_folder(folder, "tests");
    results_make_folder(folder, "bugs");
    if (options->bitcode->count)
        results_write(folder, "program.bc", options->bitcode->at, options->bitcode->count);
    write_program(results);
    return results;
}

const char *run_results_folder(const struct run_results *results) { return results_folder(results->results); }
bool run_results_failed(const struct run_results *results) { return results_failed(results->results); }

static void save_now(void *context) { // the process is about to end
    struct run_results *results = context;
    results->fatal = true;
    if (results->explore) run_results_finish(results, false, false);
}

static void take_up(struct run_results *results);

static uint32_t all_lines(const struct cover *cover) {
    uint32_t count, lines = 0;
    const struct cover_file *files = cover_files(cover, &count);
    for (uint32_t i = 0; i < count; i++) lines += files[i].line_count;
    return lines;
}

void run_results_sliced(struct run_results *results, const struct summary_slice *sliced, uint32_t count) {
    results->sliced = sliced;
    results->sliced_count = count;
}

void run_results_start(struct run_results *results, struct explore *explore,
                       const struct ir_program *program) {
    results->explore = explore;
    results->program = program;
    results->cover = cover_new(program);
    results->told = cover_new(program);
    results->told_edges = arena_alloc(results->arena, program->edge_count + 1);
    results->told_functions = arena_alloc(results->arena, program->function_count + 1);
    results->told_lines = arena_alloc(results->arena, all_lines(results->cover) + 1);
    if (results->options.reopen)
        take_up(results);
    else
        results->database = database_create(results->results);
    on_fatal(save_now, results);
    run_results_progress(results);
}

void run_results_free(struct run_results *results) {
    if (!results) return;
    on_fatal(NULL, NULL);
    log_copy_to(NULL);
    if (results->log) fclose(results->log);
    database_free(results->database);
    cover_free(results->cover);
    cover_free(results->told);
    vec_free(&results->bugs);
    arena_free(results->arena);
    results_free(results->results);
    DELETE(results);
}

// ---- what the run looks like now

static const char *option_value(struct arena *arena, const struct option *option, const void *values) {
    const char *field = (const char *)values + option->offset;
    struct text text = {0};
    switch (option->kind) {
    case OPTION_FLAG:
    case OPTION_SWITCH: text_add(&text, *(const bool *)field ? "on" : "off"); break;
    case OPTION_NUMBER: text_add(&text, "%llu", (unsigned long long)*(const uint64_t *)field); break;
    case OPTION_SECONDS: text_add(&text, "%g", *(const double *)field); break;
    case OPTION_TEXT:
        text_add(&text, "%s", *(const char *const *)field ? *(const char *const *)field : "");
        break;
    case OPTION_CHOICE: {
        const char *start;
        size_t length = option_choice(option->choices, *(const unsigned *)field, &start);
        text_add_bytes(&text, start, length);
        break;
    }
    case OPTION_SET: {
        const char *start;
        size_t length;
        for (unsigned k = 0; (length = option_choice(option->choices, k, &start)); k++) {
            if (!(*(const uint64_t *)field >> k & 1)) continue;
            if (text.count) text_add(&text, ",");
            text_add_bytes(&text, start, length);
        }
        break;
    }
    case OPTION_LIST: {
        const struct option_list *list = (const struct option_list *)field;
        for (uint32_t i = 0; i < list->count; i++)
            for (unsigned k = 0; k < option_arity(option); k++)
                text_add(&text, "%s%s", text.count ? " " : "", list->at[i].values[k]);
        break;
    }
    }
    const char *copy = arena_strdup(arena, text.at ? text.at : "");
    text_free(&text);
    return copy;
}

static void fill_options(struct run_results *results, struct arena *arena, struct summary *summary) {
    const struct option_table *table = results->options.table;
    struct summary_option *options = ARENA_ARRAY(arena, struct summary_option, table->count);
    for (unsigned i = 0; i < table->count; i++) {
        char *name = arena_strdup(arena, table->at[i].name);
        for (char *p = name; *p; p++)
            if (*p == '_') *p = '-';
        options[i] =
            (struct summary_option){name, option_value(arena, &table->at[i], results->options.values)};
    }
    summary->options = options;
    summary->option_count = table->count;
}

static void fill_given_up(struct run_results *results, struct arena *arena, struct summary *summary,
                          const struct explore_result *result) {
    struct summary_given_up *list = ARENA_ARRAY(arena, struct summary_given_up, result->given_up_count);
    for (uint32_t i = 0; i < result->given_up_count; i++) {
        struct finding_frame at =
            finding_frame_at(results->explore, results->program, result->given_up[i].site);
        list[i] = (struct summary_given_up){result->given_up[i].what, at.file, at.line,
                                            result->given_up[i].count, result->given_up[i].lost};
    }
    summary->gave_up = list;
    summary->gave_up_count = result->given_up_count;
}

static void fill_targets(struct run_results *results, struct arena *arena, struct summary *summary,
                         const struct explore_result *result) {
    const struct target_set *set = results->options.targets;
    if (!set) return;
    struct summary_target *list = ARENA_ARRAY(arena, struct summary_target, set->lines.count);
    for (uint32_t i = 0; i < set->lines.count; i++) {
        const struct target_line *line = &set->lines.at[i];
        struct target_result one = reach_result_of(result, i);
        struct text obstacle = {0};
        reach_add_obstacle(&obstacle, results->program, &one);
        list[i] =
            (struct summary_target){.file = line->file,
                                    .line = line->line,
                                    .reached = one.outcome == TARGET_REACHED,
                                    .outcome = target_outcome_names[one.outcome],
                                    .test = one.test,
                                    .seconds = one.seconds,
                                    .instructions = one.instructions,
                                    .bug = one.bug,
                                    .proved = line->proved,
                                    .distance = one.nearest == DISTANCE_NONE ? -1 : (int64_t)one.nearest,
                                    .obstacle = obstacle.at ? arena_strdup(arena, obstacle.at) : NULL};
        text_free(&obstacle);
    }
    summary->targets = list;
    summary->target_count = set->lines.count;
}

static void fill_bugs(struct run_results *results, const struct explore_result *result) {
    vec_each (struct finding *, bug, &results->bugs)
        for (uint32_t i = 0; i < result->bug_count; i++)
            if (result->bugs[i].test == (*bug)->test) (*bug)->paths = result->bugs[i].paths;
}

// A choice of which a side was left out, or put off until now, decides no assertion.
static struct assertion_counts assertions(struct run_results *results, const struct explore_result *result) {
    const struct ir_program *program = results->program;
    struct vm *vm = explore_vm(results->explore);
    uint8_t *undecided = NEW_ARRAY(uint8_t, program->block_count);
    for (uint32_t i = 0; i < program->block_count; i++) undecided[i] = vm_put_off(vm)[i] != 0;
    for (uint32_t i = 0; i < result->given_up_count; i++) {
        if (!result->given_up[i].site || !result->given_up[i].lost) continue;
        struct site site = site_get(vm_sites(vm), result->given_up[i].site);
        const struct ir_function *function = &program->functions[site.function];
        undecided[function->first_block + ir_block_at(function, site.instruction)] |=
            ir_is_choice(function->code[site.instruction].op);
    }
    struct assertion_counts counts = count_assertions(program, vm_edges_seen(vm), undecided);
    DELETE_ARRAY(undecided, program->block_count);
    return counts;
}

static uint64_t peak_memory(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) ? 0 : (uint64_t)usage.ru_maxrss << 10;
}

static struct summary make_summary(struct run_results *results, struct arena *arena, bool running) {
    const struct explore_result *result = explore_result(results->explore);
    struct vm *vm = explore_vm(results->explore);
    cover_update(results->cover, vm_edges_seen(vm), vm_functions_seen(vm));
    cover_mark_symbolic(results->cover, vm_edges_decided(vm));
    fill_bugs(results, result);
    bool explored = !running && !results->fatal && result->end == END_COMPLETE;
    struct summary summary = {
        .folder = results_folder(results->results),
        .program = results->options.program,
        .counts = result->counts,
        .symbolic = *vm_counters(vm),
        .solver = *solver_statistics(explore_solver(results->explore)),
        .time = {.wall = result->seconds,
                 .solver = result->solver_seconds,
                 .execute = result->seconds - result->solver_seconds - result->search_seconds,
                 .search = result->search_seconds,
                 .infeasible = result->infeasible_seconds},
        .peak_memory = peak_memory(),
        .coverage = cover_totals(results->cover),
        .bugs = (const struct finding *const *)results->bugs.at,
        .bug_count = results->bugs.count,
        .assertions = assertions(results, result),
        .complete = explored && result->complete,
        .explored = explored,
        .running = running,
        .end = running          ? ""
               : results->fatal ? "a failure of Tamar"
                                : explore_end_names[result->end],
    };
    summary.sliced = results->sliced;
    summary.sliced_count = results->sliced_count;
    if (summary.explored && !summary.complete)
        summary.end = "every path was explored except what was given up";
    fill_options(results, arena, &summary);
    fill_given_up(results, arena, &summary, result);
    fill_targets(results, arena, &summary, result);
    summary.gaps = gaps_find(arena, results->cover, result->counts.states || result->counts.killed,
                             summary.gave_up, summary.gave_up_count);
    return summary;
}

static void write_text(struct run_results *results, const char *name, struct text *content) {
    results_write(results->results, name, content->at ? content->at : "", content->count);
    text_free(content);
}

static void write_progress(struct run_results *results, const struct summary *summary) {
    struct text content = {0};
    results->last = summary->time.wall;
    summary_add_json(&content, summary);
    write_text(results, "summary.json", &content);
    if (results->database) database_progress(results->database, summary);
}

static void write_checkpoint(struct run_results *results) {
    struct timespec before, after;
    struct text content = {0};
    clock_gettime(CLOCK_MONOTONIC, &before);
    explore_checkpoint(results->explore, &content);
    write_text(results, "checkpoint", &content);
    clock_gettime(CLOCK_MONOTONIC, &after);
    double cost = (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    results->next_checkpoint =
        explore_result(results->explore)->seconds + MAX(CHECKPOINT_SECONDS, CHECKPOINT_SHARE * cost);
}

bool run_results_progress(struct run_results *results) {
    const struct explore_result *result = explore_result(results->explore);
    if (result->counts.states && result->seconds >= results->next_checkpoint) write_checkpoint(results);
    bool due = result->seconds - results->last >= SECONDS_BETWEEN || result->seconds <= 0;
    if (!due && !live_wants(result->seconds)) return !results_failed(results->results);
    struct arena *arena = arena_new();
    struct summary summary = make_summary(results, arena, true);
    live_update(&summary);
    if (due) write_progress(results, &summary);
    arena_free(arena);
    return !results_failed(results->results);
}

// ---- tests

// The lines that this test is the first to cover.
static uint32_t new_lines(struct run_results *results, const struct test_case *test, struct arena *arena,
                          struct new_lines **list) {
    uint32_t count, used = 0, edges = results->program->edge_count;
    uint8_t *told = results->told_lines;
    for (uint32_t i = 0; i < test->fresh_count; i++) {
        uint32_t item = test->fresh[i];
        *(item < edges ? &results->told_edges[item] : &results->told_functions[item - edges]) = 1;
    }
    if (test->fresh_count) cover_update(results->told, results->told_edges, results->told_functions);
    const struct cover_file *files = cover_files(results->told, &count);
    *list = ARENA_ARRAY(arena, struct new_lines, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *lines = ARENA_ARRAY(arena, uint32_t, files[i].line_count + 1), found = 0;
        for (uint32_t k = 0; k < files[i].line_count; k++) {
            if (!files[i].lines[k].covered || told[k]) continue;
            told[k] = 1;
            lines[found++] = files[i].lines[k].line;
        }
        told += files[i].line_count;
        if (found) (*list)[used++] = (struct new_lines){files[i].name, lines, found};
    }
    return used;
}

// ---- a run that goes on

// A bug of the interrupted run, as if it had just been found.
static void take_up_bug(struct run_results *results, const struct found_bug *found) {
    struct bug bug = {.kind = found->kind,
                      .site = found->site,
                      .allocated_at = found->allocated_at,
                      .freed_at = found->freed_at};
    text_add(&bug.message, "%s", found->message);
    struct finding *finding = finding_make(results->arena, results->explore, results->program, &bug, NULL);
    text_free(&bug.message);
    vec_push(&results->bugs, finding);
    finding->number = results->bugs.count;
    finding->test = found->test;
    struct test_case test;
    struct finding read;
    if (!out_read_test(results->arena, results_folder(results->results), found->test, &test, &read)) return;
    struct report_program program = {results->options.program, results->options.words,
                                     results->options.word_count, report_check_of(finding->kind),
                                     results->options.stdin};
    struct text command = {0};
    report_add_command(&command, &test, results_folder(results->results), &program);
    finding->command = arena_strdup(results->arena, command.at);
    text_free(&command);
}

// Tests that were written after the checkpoint will be found again, under their old numbers or others.
static void remove_tests_after(struct run_results *results, uint64_t number) {
    static const char *const endings[] = {".json", ".ktest", ""};
    for (bool found = true; found;) {
        number++;
        found = false;
        for (unsigned i = 0; i < COUNT(endings); i++) {
            struct text path = results_path(results->results, "tests/%06u%s", (unsigned)number, endings[i]);
            if (access(path.at, F_OK) == 0) {
                found = true;
                replay_remove_tree(path.at);
            }
            text_free(&path);
        }
    }
}

static void take_up(struct run_results *results) {
    const struct explore_result *result = explore_result(results->explore);
    const uint8_t *claimed = explore_claimed(results->explore);
    const struct ir_program *program = results->program;
    struct arena *arena = arena_new();
    results->database = database_reopen(results->results, result->counts.tests);
    remove_tests_after(results, result->counts.tests);
    uint32_t all = program->edge_count + program->function_count;
    uint32_t *items = ARENA_ARRAY(arena, uint32_t, all + 1);
    struct test_case covered = {.fresh = items};
    for (uint32_t i = 0; i < all; i++)
        if (claimed[i]) items[covered.fresh_count++] = i;
    struct new_lines *lines;
    new_lines(results, &covered, arena, &lines);
    arena_free(arena);
    for (uint32_t i = 0; i < result->bug_count; i++) take_up_bug(results, &result->bugs[i]);
}

static const struct finding *find_known(const struct run_results *results, const struct finding *finding) {
    vec_each (struct finding *, known, &results->bugs)
        if ((*known)->hash == finding->hash && !strcmp((*known)->kind, finding->kind)) return *known;
    return NULL;
}

const struct finding *run_results_test(struct run_results *results, const struct test_case *test) {
    uint32_t known_bugs = results->bugs.count;
    struct arena *arena = arena_new();
    const struct finding *finding = NULL;
    if (test->outcome == TEST_BUG && test->bug) {
        finding = finding_make(arena, results->explore, results->program, test->bug, NULL);
        const struct finding *known = find_known(results, finding);
        if (known) {
            finding = known;
        } else {
            struct finding *new =
                finding_make(results->arena, results->explore, results->program, test->bug, test);
            vec_push(&results->bugs, new);
            new->number = results->bugs.count;
            new->paths = 1;
            struct report_program program = {results->options.program, results->options.words,
                                             results->options.word_count, report_check_of(new->kind),
                                             results->options.stdin};
            report_write(results->results, new, test, &program);
            struct text command = {0};
            report_add_command(&command, test, results_folder(results->results), &program);
            new->command = arena_strdup(results->arena, command.at);
            text_free(&command);
            finding = new;
        }
    }
    struct new_lines *covers;
    uint32_t count = new_lines(results, test, arena, &covers);
    test_write(results->results, test, finding, covers, count);
    if (results->database)
        database_test(results->database, test, finding, explore_result(results->explore)->seconds);
    arena_free(arena);
    return results->bugs.count > known_bugs ? *vec_last(&results->bugs) : NULL;
}

// ---- the end

void run_results_finish(struct run_results *results, bool json, bool color) {
    live_stop();
    if (!results->fatal) write_checkpoint(results);
    struct arena *arena = arena_new();
    struct summary summary = make_summary(results, arena, false);
    struct text content = {0};
    coverage_add_json(&content, results->cover, &summary.gaps);
    write_text(results, "coverage.json", &content);
    coverage_add_lcov(&content, results->cover);
    write_text(results, "coverage.info", &content);
    sarif_add(&content, summary.bugs, summary.bug_count, results->options.directory, version_line);
    write_text(results, "bugs.sarif", &content);
    if (results->database) {
        database_progress(results->database, &summary);
        database_finish(results->database, &summary);
    }
    for (uint32_t i = 0; i < summary.gave_up_count; i++) {
        struct text line = {0};
        text_add(&line, "given up: %s at %s:%u, %llu times", summary.gave_up[i].what, summary.gave_up[i].file,
                 summary.gave_up[i].line, (unsigned long long)summary.gave_up[i].count);
        log_copy(line.at);
        text_free(&line);
    }
    summary_add_json(&content, &summary);
    if (json) fputs(content.at, stdout);
    write_text(results, "summary.json", &content);
    if (!json && !results->options.brief && log_level() > LOG_QUIET) {
        summary_add_text(&content, &summary, color);
        fputs(content.at, stdout);
        text_free(&content);
    }
    arena_free(arena);
}
