// `tamar config`: explores the paths that the options and tests of the file allow (config_paths.c), then writes
// tables, files and pictures (config_print.c).
//
// Options that are variables become symbolic, by a transformation of the bitcode. Flags, choices and keys are tried in
// all combinations; each combination is a vm_start_config. So the condition of a path gives the values of variables
// that take it, and its vm_start_config gives the other options.
#ifndef TAMAR_CONFIG_CONFIG_STUDY_H
#define TAMAR_CONFIG_CONFIG_STUDY_H

#include "config/covering.h"
#include "config/spec.h"
#include "cover/cover.h"
#include "explore/explore.h"
#include "run/common_options.h"

#define CONFIG_OPTIONS(X, T)                                                                                 \
    X(T, CHOICE, kind, "line|block|edge|condition", "line",                                                  \
      "the coverage that the configurations are chosen for")                                                 \
    X(T, FLAG, join_conditions, 0,                                                                           \
      "a && b and a || b are one branch if b has no side effect and cannot fail: fewer paths")               \
    X(T, SECONDS, max_time, "S", 600, "time limit for the paths of one test (0: none)")                      \
    X(T, NUMBER, max_predicates, "N", 200000, 0, UINT32_MAX,                                                 \
      "limit of the sets of settings to examine, for each size (0: no limit)")                               \
    X(T, NUMBER, max_combinations, "N", 4096, 1, 1000000,                                                    \
      "limit of combinations of flags, choices and keys")                                                    \
    X(T, NUMBER, max_memory, "MB", 4000, 0, 1000000, "drop paths beyond this much memory (0: no limit)")     \
    X(T, SECONDS, solver_timeout, "S", 10, "time limit for one query (0: none)")                             \
    X(T, TEXT, jobs, "N", NULL, "explore with N worker processes (auto: one for each processor)")            \
    X(T, NUMBER, share, "PERCENT", 95, 1, 100,                                                               \
      "draw interactions until they guarantee this share of the coverage")                                   \
    X(T, FLAG, prove, 0, "run the configurations natively, under gcov, and compare with all configurations") \
    X(T, TEXT, out, "DIR", NULL, "where results go (default: tamar-out-N, with the link tamar-last)")        \
    X(T, FLAG, json, 0, "print config.json, for scripts")                                                    \
    NATIVE_OPTIONS(X, T)                                                                                     \
    COMMON_OPTIONS(X, T)

OPTIONS_STRUCT(config_options, CONFIG_OPTIONS)

struct results;
struct variable_input;

// One path of one test. Its condition belongs to the exploration of the test.
struct kept_path {
    struct path_condition condition;
    uint32_t environment;
    const uint32_t *decisions; // the paths of a test are sorted by them
    uint32_t decision_count;
    uint64_t *coverage;
};

struct test_run {
    const struct spec_test *test;
    struct explore *explore;
    struct vm_start_config *environments;
    struct text peers; // empty: none
    vec(struct kept_path) paths;
    vec(struct test_case) found; // with several processes: the paths as tests
    bool complete;
};

// Results of native runs under gcov.
struct config_proof {
    bool done;
    uint32_t configuration_runs, path_runs, failed; // failed: not started, ended by a limit, or not modelled
    uint32_t lines, all_lines; // lines that the configurations execute; lines that some path executes
    const char **missed;       // "FILE:LINE": lines that only other configurations execute
    uint32_t missed_count;
    // Lines that only the runs of the covering set counted. A few are expected: code may depend on addresses, and LLVM
    // computes some counts from others.
    const char **extra;
    uint32_t extra_count;
};

struct config {
    const struct config_options *options;
    struct arena *arena;
    struct spec spec;
    const struct ir_program *program;
    const char *program_name, *directory;
    struct results *results;
    struct variable_input *variables;
    uint32_t variable_count;
    struct cover *cover;
    uint32_t combinations; // number of combinations of flags, choices and keys
    uint32_t jobs;         // worker processes; 0: this process explores itself
    struct test_run *tests;
    struct test_run *running; // the test that is being explored
    // Results.
    uint32_t totals[CONFIG_KINDS]; // elements of user code
    struct config_space space;
    const char **setting_names; // "verbose=1"
    int64_t *setting_values;    // values of variables
    uint32_t *defaults;         // by option: a setting
    bool *looked_at;            // by option: some path depends on it
};

// Explores every test and fills in the space. Returns false if an error has been reported.
bool config_explore(struct config *config);
void config_close(struct config *config);
// Returns the combination of a configuration, which has a setting for each option.
uint32_t config_combination(const struct config *config, const uint32_t *settings);

// Runs every configuration with every test, and every path with its example, natively. Returns false if an error has
// been reported.
bool config_prove(struct config *config, const struct covering *covering, struct config_proof *proof);

// Whether every path of every test was explored.
bool config_is_complete(const struct config *config);
// Writes the files of the results folder, and the tables. Returns false if --prove failed, or missed a line that some
// path executes.
bool config_report(struct config *config, const struct interactions *interactions);

#endif
