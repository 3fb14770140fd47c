// `tamar config --prove`: runs the configurations natively, under gcov. The lines that they execute are compared with
// the lines of one native run for each path of each test. Together, these paths represent all configurations.
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/process.h"
#include "config/config_study.h"
#include "output/results.h"
#include "run/native_replay.h"
#include "transform/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_SECONDS 10 // time limit of one run

// Executed lines as "FILE:LINE", sorted.
struct line_set {
    vec(const char *) at;
};

struct proof {
    struct config *config;
    struct native_replay replay;
    uint32_t runs, failed; // failed: not started, ended by a limit, or not modelled
};

// ---- one run

static void run_natively(struct proof *proof, const struct test_run *one,
                         const struct vm_start_config *environment, const struct test_input *inputs) {
    struct native_replay *replay = &proof->replay;
    const struct spec_test *test = one->test;
    replay->explore.machine.host.peers = one->peers.count ? &one->peers : NULL;
    replay->explore.environments = environment;
    replay->explore.environment_count = 1;
    const char **words = ARENA_ARRAY(replay->arena, const char *, environment->argument_count + 1);
    for (uint32_t i = 0; i < environment->argument_count; i++) words[i] = environment->arguments[i].text;
    struct test_case run = {.arguments = words,
                            .argument_count = environment->argument_count,
                            .inputs = inputs,
                            .input_count = proof->config->variable_count};
    struct native_run end;
    struct text input = {0};
    if (test->input)
        text_add(&input, "%s%s%s", *test->input == '/' ? "" : replay->directory,
                 *test->input == '/' ? "" : "/", test->input);
    replay->options.stdin = test->input ? input.at : NULL;
    bool good = replay_run(replay, BUILD_GCOV, &run, &end);
    proof->runs++;
    // Status 125: something is not modelled.
    proof->failed += !good || end.end.limit != SANDBOX_LIMIT_NONE ||
                     (WIFEXITED(end.end.status) && WEXITSTATUS(end.end.status) == 125);
    if (good) native_run_free(&end);
    replay->options.stdin = NULL;
    text_free(&input);
}

static struct test_input *no_inputs(struct proof *proof) {
    struct config *config = proof->config;
    struct test_input *inputs =
        ARENA_ARRAY(proof->replay.arena, struct test_input, config->variable_count + 1);
    for (uint32_t v = 0; v < config->variable_count; v++)
        inputs[v] = (struct test_input){.kind = INPUT_OBJECT,
                                        .name = config->variables[v].name,
                                        .bytes = ARENA_ARRAY(proof->replay.arena, uint8_t, 8),
                                        .size = config->variables[v].size};
    return inputs;
}

static void run_configuration(struct proof *proof, const struct configuration *configuration) {
    struct config *config = proof->config;
    struct test_input *inputs = no_inputs(proof);
    uint32_t variable = 0, combination = config_combination(config, configuration->settings);
    for (uint32_t i = 0; i < config->spec.options.count; i++)
        if (config->spec.options.at[i].kind == SPEC_VARIABLE)
            memcpy((uint8_t *)inputs[variable++].bytes, &config->setting_values[configuration->settings[i]],
                   sizeof(int64_t));
    for (uint32_t t = 0; t < config->spec.tests.count; t++)
        run_natively(proof, &config->tests[t], &config->tests[t].environments[combination], inputs);
}

// Runs the test natively with the example configuration of this path.
static void run_path(struct proof *proof, struct test_run *run, const struct kept_path *path) {
    struct config *config = proof->config;
    struct terms *terms = explore_terms(run->explore);
    struct inputs *all = vm_inputs(explore_vm(run->explore));
    struct test_input *inputs = no_inputs(proof);
    for (uint32_t v = 0; v < config->variable_count; v++) {
        uint32_t input = inputs_find(all, input_object(config->variables[v].name, 0));
        for (uint32_t b = 0; input != NO_INPUT && b < config->variables[v].size; b++)
            ((uint8_t *)inputs[v].bytes)[b] = path_byte(&path->condition, terms_input_var(terms, input, b));
    }
    run_natively(proof, run, &run->environments[path->environment], inputs);
}

// ---- the lines that gcov reports

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void read_lines(struct arena *arena, char *text, struct line_set *lines) {
    const char *file = "?";
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        unsigned number;
        unsigned long long count;
        if (!strncmp(line, "file:", 5)) file = line + 5;
        if (sscanf(line, "lcount:%u,%llu", &number, &count) != 2 || !count) continue;
        struct text place = {0};
        text_add(&place, "%s:%u", file, number);
        vec_push(&lines->at, arena_strdup(arena, place.at));
        text_free(&place);
    }
    if (lines->at.count) qsort(lines->at.at, lines->at.count, sizeof *lines->at.at, by_text);
}

// Sets `lines` to the lines that were executed since the last call. Returns false if an error has been reported.
static bool take_lines(struct proof *proof, struct line_set *lines) {
    struct text counts = {0}, listed = {0}, content = {0};
    text_add(&counts, "%s/" REPLAY_COUNTS ".gcda", proof->replay.counts);
    text_add(&listed, "%s/" REPLAY_COUNTS ".gcda.gcov", proof->replay.counts);
    struct process_command command = {0};
    const char *const words[] = {"sh",
                                 "-c",
                                 "cd \"$1\" && exec llvm-cov-19 gcov -i \"$2\" >/dev/null 2>&1",
                                 "gcov",
                                 proof->replay.counts,
                                 counts.at};
    for (size_t i = 0; i < COUNT(words); i++) process_add(&command, words[i]);
    bool good = process_run(&command) == 0 && file_read(listed.at, &content);
    if (good)
        read_lines(proof->replay.arena, content.at ? content.at : (char[]){""}, lines);
    else
        user_error_at("--prove", NULL, "llvm-cov-19 cannot read the counts");
    unlink(counts.at);
    text_free(&counts);
    text_free(&listed);
    text_free(&content);
    return good;
}

// Returns the elements of `all` that are not in `some`; both are sorted.
static const char **difference(const struct line_set *all, const struct line_set *some, uint32_t *count,
                               struct arena *arena) {
    const char **only = ARENA_ARRAY(arena, const char *, all->at.count + 1);
    *count = 0;
    for (uint32_t i = 0, k = 0; i < all->at.count; i++) {
        while (k < some->at.count && strcmp(some->at.at[k], all->at.at[i]) < 0) k++;
        if (k == some->at.count || strcmp(some->at.at[k], all->at.at[i]) != 0)
            only[(*count)++] = all->at.at[i];
    }
    return only;
}

// ---- all runs

static bool build(struct proof *proof) {
    struct native_replay *replay = &proof->replay;
    struct text bitcode = results_path(proof->config->results, "program.bc"), binary = {0};
    bool good = replay_make_work(replay);
    if (good) {
        text_add(&binary, "%s/program", replay->counts);
        good = replay_build_counting(replay, bitcode.at, binary.at);
        replay->binaries[BUILD_GCOV] = arena_strdup(replay->arena, binary.at);
    }
    text_free(&bitcode);
    text_free(&binary);
    return good;
}

bool config_prove(struct config *config, const struct covering *covering, struct config_proof *to) {
    struct proof proof = {.config = config,
                          .replay = {.arena = config->arena,
                                     .directory = config->directory,
                                     .program = (struct ir_program *)config->program, // only read
                                     .seconds = MOST_SECONDS,
                                     .memory = (uint64_t)4000 << 20}};
    struct line_set some = {0}, all = {0};
    proof.replay.options.stack_size = 64;
    proof.replay.fuzzer = !ir_find_function(config->program, "main");
    bool good = build(&proof);
    for (uint32_t i = 0; good && i < covering->count; i++) run_configuration(&proof, &covering->at[i]);
    good = good && take_lines(&proof, &some);
    to->configuration_runs = proof.runs;
    for (uint32_t t = 0; good && t < config->spec.tests.count; t++) {
        log_line("%s: %u native runs", config->tests[t].test->name, config->tests[t].paths.count);
        vec_each (struct kept_path, path, &config->tests[t].paths) run_path(&proof, &config->tests[t], path);
    }
    good = good && take_lines(&proof, &all);
    if (good) {
        to->path_runs = proof.runs - to->configuration_runs;
        to->failed = proof.failed;
        to->lines = some.at.count;
        to->all_lines = all.at.count;
        to->missed = difference(&all, &some, &to->missed_count, config->arena);
        to->extra = difference(&some, &all, &to->extra_count, config->arena);
    }
    to->done = good;
    vec_free(&some.at);
    vec_free(&all.at);
    if (proof.replay.work) file_remove_tree(proof.replay.work);
    return good;
}
