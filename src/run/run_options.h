// The options of `tamar run`, and their translation to the options of the front end and the exploration. `tamar
// replay` and `--follow` set up the same run again from its command line.
#ifndef TAMAR_RUN_RUN_OPTIONS_H
#define TAMAR_RUN_RUN_OPTIONS_H

#include "explore/explore.h"
#include "front/front.h"
#include "run/check_options.h"
#include "run/common_options.h"
#include "run/known.h"
#include "run/layer_options.h"
#include "run/program_inputs.h"
#include "run/recorded.h"
#include "run/target_set.h"

// `run` and `reach` have the same options, with different defaults of --search and --step. `reach` asks its strategy
// more often, because a state near a target may run for long without forking.
#define RUN_OPTIONS(X, T)   SEARCHING_OPTIONS(X, T, RUN_SEARCH, 200000)
#define REACH_OPTIONS(X, T) SEARCHING_OPTIONS(X, T, REACH_SEARCH, 200)
#define RUN_SEARCH          "share(fair,fresh(exe))" // docs/measurements/search.md says why
#define REACH_SEARCH        "rr(sdse-pr,sdse,rp)"

#define SEARCHING_OPTIONS(X, T, SEARCH, STEP)                                                                \
    SYMBOLIC_OPTIONS(X, T)                                                                                   \
    X(T, TEXT, stdin, "FILE", NULL, "the file for standard input, if that is not symbolic (default: empty)") \
    CHECK_OPTIONS(X, T)                                                                                      \
    KNOWN_OPTIONS(X, T)                                                                                      \
    X(T, CHOICE, on_bug, "stop|continue", "stop",                                                            \
      "at a bug, end the path, or continue as a native run would (after an ignored bug always continue)")    \
    TARGET_OPTIONS(X, T)                                                                                     \
    X(T, TEXT, search, "EXPR", SEARCH, "the strategy, as an expression")                                     \
    X(T, CHOICE, feasibility, "eager|pending", "eager",                                                      \
      "when to check whether the other side of a branch is feasible: at the branch, or when no other state " \
      "is left")                                                                                             \
    X(T, FLAG, relax_checks, 0,                                                                              \
      "also defer the checks for bugs: coverage comes sooner, bugs later (implies "                          \
      "--feasibility pending)")                                                                              \
    X(T, NUMBER, step, "N", STEP, 1, UINT64_MAX,                                                             \
      "pick another state when one forks, or after about N instructions or as much work of the solver")      \
    X(T, NUMBER, random_seed, "N", 1, 0, UINT64_MAX, "the same seed, program and options give the same run") \
    X(T, TEXT, seeds, "DIR", NULL,                                                                           \
      "inputs to start from: tests of Tamar, .ktest, raw files (AFL++ and libFuzzer corpora)")               \
    X(T, SECONDS, seed_time, "S", 10,                                                                        \
      "time for the path of one seed before it is suspended in favour of others (0: no limit)")              \
    X(T, FLAG, as_recorded, 0,                                                                               \
      "make the recorded inputs of each seed symbolic (`tamar record`), instead of --sym-... options")       \
    RECORDED_OPTIONS(X, T)                                                                                   \
    X(T, TEXT, afl_sync, "DIR", NULL,                                                                        \
      "exchange inputs with a running afl-fuzz -o DIR: take its queue as seeds, give it tests that cover "   \
      "new code")                                                                                            \
    X(T, CHOICE, fuzz, "auto|afl++|libfuzzer|none", "none",                                                  \
      "run a fuzzer concurrently; it and the exploration exchange inputs")                                   \
    X(T, TEXT, dict, "FILE", NULL, "dictionary for the fuzzer of --fuzz, in AFL++'s format")                 \
    X(T, SECONDS, max_time, "S", 0, "end after this time (0: no limit)")                                     \
    X(T, NUMBER, max_memory, "MB", 4000, 0, 1000000, "drop states beyond this much memory (0: no limit)")    \
    X(T, TEXT, jobs, "N", NULL,                                                                              \
      "explore in N worker processes; auto: one for each usable processor (default: no workers)")            \
    X(T, TEXT, workers, "URL", NULL,                                                                         \
      "share the run with `tamar worker` on other machines: redis://HOST:PORT/RUN (docs/howto/cluster.md)")  \
    X(T, SECONDS, worker_timeout, "S", 15,                                                                   \
      "--workers: a worker that is silent for this long counts as dead")                                     \
    X(T, NUMBER, max_tests, "N", 0, 0, UINT64_MAX, "end after N tests (0: no limit)")                        \
    X(T, NUMBER, max_depth, "N", 0, 0, UINT64_MAX, "end a path after N forks (0: no limit)")                 \
    X(T, NUMBER, unwind, "N", 0, 0, UINT64_MAX,                                                              \
      "end a path after N iterations of a loop; if the run is complete, no loop needs more (0: no limit)")   \
    X(T, FLAG, join_conditions, 0,                                                                           \
      "a && b and a || b are one branch if b has no side effect and cannot fail: fewer paths")               \
    X(T, NUMBER, max_forks, "N", 0, 0, UINT64_MAX, "end after N forks (0: no limit)")                        \
    X(T, NUMBER, max_instructions, "N", 0, 0, UINT64_MAX, "end after about N instructions (0: no limit)")    \
    X(T, NUMBER, max_paths, "N", 0, 0, UINT64_MAX, "end after N paths (0: no limit)")                        \
    X(T, NUMBER, max_bugs, "N", 0, 0, UINT64_MAX, "end after N different bugs (0: no limit)")                \
    X(T, SECONDS, solver_timeout, "S", 10, "time limit for one query (0: none)")                             \
    X(T, TEXT, solver_cache, "FILE", NULL,                                                                   \
      "keep answers of the solver in FILE, and look them up before solving")                                 \
    X(T, FLAG, check_solver, 0, "check every refutation with Z3; if Z3 finds a model, end with an error")    \
    X(T, SET, layers, LAYER_CHOICES, LAYER_DEFAULTS, "the layers of the solver that are used")               \
    X(T, SWITCH, independence, true,                                                                         \
      "send the whole path condition with every query, not only the constraints that share its inputs")      \
    X(T, TEXT, log_queries, "FILE", NULL, "write every query to FILE, as one SMT-LIB 2 script")              \
    X(T, TEXT, log_statements, "FILE", NULL,                                                                 \
      "write every executed line of user code, every fork and end of a path to FILE")                        \
    X(T, CHOICE, slice, "0|1|2|3|4|5|auto", "0",                                                             \
      "first find inputs in the program that `tamar slice --mode N` makes, then run the original on them "   \
      "(0: off; auto: all modes in turn)")                                                                   \
    X(T, TEXT, slice_only, "PATTERN", NULL,                                                                  \
      "slice only functions of source files whose path, or a suffix of it after a slash, matches: 'src/*'")  \
    X(T, CHOICE, emit, "all|new|errors", "new",                                                              \
      "write tests for all paths, for bugs and new coverage, or only for bugs")                              \
    X(T, TEXT, out, "DIR", NULL, "where results go (default: tamar-out-N, with the link tamar-last)")        \
    X(T, TEXT, resume, "DIR", NULL,                                                                          \
      "continue the interrupted run whose results are in DIR, with other limits or --jobs if given")         \
    X(T, SECONDS, checkpoint_every, "S", 2,                                                                  \
      "least time between two checkpoints, from which --resume continues")                                   \
    X(T, TEXT, follow, "TEST", NULL, "replay one path of a finished run and print it, choice by choice")     \
    X(T, TEXT, serve, "[PORT]", NULL,                                                                        \
      "show the page of `tamar report` during the run, to browsers on this machine")                         \
    X(T, FLAG, json, 0, "print the summary as JSON, for scripts")                                            \
    X(T, CHOICE, color, "auto|always|never", "auto", "colours in the summary (auto: on a terminal)")         \
    X(T, NUMBER, stack_size, "MB", 64, 1, 1024, "size of the program's stack")                               \
    X(T, FLAG, no_libc, 0, "do not link a C library")                                                        \
    X(T, CHOICE, unmodelled, "end|error|native", "end",                                                      \
      "a call that is not modelled ends the path, fails with ENOSYS, or runs natively")                      \
    X(T, CHOICE, uninitialised, "zero|symbolic", "zero",                                                     \
      "value of memory that is read before it is written: 0 (if the path depends on it, the run is not "     \
      "complete), or symbolic")                                                                              \
    X(T, CHOICE, undefined, "error|symbolic", "error",                                                       \
      "a function without a body is an error, or returns a symbolic value")                                  \
    X(T, FLAG, allow_undefined, 0,                                                                           \
      "load a program with functions that have no body; a path that calls one ends there")                   \
    PROGRAM_OPTIONS(X, T)                                                                                    \
    NATIVE_OPTIONS(X, T)                                                                                     \
    COMMON_OPTIONS(X, T)

// Headings of the help.
extern const struct option_group run_groups[];

enum { SLICE_AUTO = 6 };

OPTIONS_STRUCT(run_options, RUN_OPTIONS)

enum { ON_BUG_STOP, ON_BUG_CONTINUE };
enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum { FEASIBILITY_EAGER, FEASIBILITY_PENDING };

// Callbacks of `tamar regress`, which runs a program as `tamar run` does.
struct run_hooks {
    void *context;
    // Called when the program is loaded. *changed: one byte per source location, not 0 if its line has changed; NULL:
    // no line has. Returns false if the program cannot be used; an error has been reported.
    bool (*loaded)(void *context, const struct ir_program *program, const struct front_input *input,
                   const uint8_t **changed);
    // Called with each new test.
    void (*tested)(void *context, const struct test_case *test);
    // Called when the results are in the folder. Returns the exit status of the command.
    int (*finished)(void *context, struct explore *explore, const char *folder, int status);
};

const struct option_table *run_table(void);
// Returns the first operand that is not a flag.
const char *run_program_name(const struct operands *operands);
struct front_options run_front_options(const struct run_options *options);
// Makes the program inputs that the options describe. `name` is argv[0], `directory` where the program starts. Returns
// false if an option's value is wrong; an error has been reported. Free them with program_inputs_free in either case.
bool run_program_inputs(struct program_inputs *program_inputs, const struct run_options *options,
                        const struct operands *operands, const char *name, const char *directory,
                        const struct ir_program *program);
// Returns options without callbacks. They point into the arguments, which must outlive them.
struct explore_options run_explore_options(const struct run_options *options,
                                           const struct program_inputs *program_inputs,
                                           const char *directory);

#endif
