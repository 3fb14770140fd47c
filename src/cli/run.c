// `tamar run`: explores a program.
#include "base/error.h"
#include "base/run_limits.h"
#include "cli/afl_sync.h"
#include "cli/command.h"
#include "cli/entry_options.h"
#include "cli/follow.h"
#include "cli/fuzz.h"
#include "cli/jobs.h"
#include "cli/live.h"
#include "cli/reach.h"
#include "cli/resume.h"
#include "cli/run_options.h"
#include "cli/run_results.h"
#include "cli/seeds.h"
#include "cli/serve.h"
#include "cli/share.h"
#include "cli/sliced.h"
#include "cli/test_names.h"
#include "cluster/processes.h"
#include "cluster/starter.h"
#include "output/report.h"
#include "search/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

OPTIONS_TABLE(run_options, RUN_OPTIONS)
const struct option_table *run_table(void) { return &run_options_table; }

struct run {
    const struct run_options *options;
    const struct operands *operands;
    const struct ir_program *program;
    const struct text *bitcode; // the program as one module
    const char *directory;
    struct surroundings surroundings;
    struct seeds seeds;
    struct sliced sliced;
    struct target_set *wanted; // NULL: nothing in particular
    bool reach;
    struct run_results *results;
    struct explore *explore;
    const struct checkpoint *resume;    // NULL: from the beginning
    const struct written_test *written; // tests that are there already
    uint32_t written_count;
    uint32_t jobs;                     // worker processes; 0: this process explores itself
    struct share *share;               // NULL: no other machine takes part
    struct sharing sharing;            // with several workers
    struct test_names *names;          // NULL: tests keep the numbers that they are found with
    struct afl_sync *sync;             // NULL: no fuzzer to work with
    struct fuzz *fuzz;                 // NULL: no fuzzer of our own
    uint64_t memory;                   // bytes for the exploration; 0: no limit
    const struct run_hooks *hooks;     // NULL: it is a run and nothing else
    const uint8_t *changed;            // lines, by location; NULL: none
    const struct known_reports *known; // NULL: none
};

static void print_bytes(struct text *text, const struct test_input *input) {
    text_add(text, "\"");
    text_add_escaped(text, input->bytes, input->size);
    text_add(text, "\"");
}

static void on_test(struct run *run, const struct message *message) {
    const struct test_case *test = message->test_case;
    struct text text = {0};
    for (uint32_t i = 0; i < test->input_count; i++) {
        text_add(&text, "%s%s", i ? ", " : "", input_kinds[test->inputs[i].kind].log);
        text_add_escaped(&text, test->inputs[i].name, strlen(test->inputs[i].name));
        text_add(&text, "=");
        print_bytes(&text, &test->inputs[i]);
    }
    say_detail("test %u: %s", test->number, text.at ? text.at : "no input");
    const struct finding *bug = run_results_take(run->results, message);
    if (run->names) test_names_add(run->names, test);
    if (run->hooks) run->hooks->tested(run->hooks->context, test);
    if (run->sync) afl_sync_give(run->sync, test);
    if (run->fuzz) fuzz_give(run->fuzz, test);
    if (bug && !run->options->json && !run->hooks) {
        struct text line = {0};
        text_add(&line, "tamar: ");
        report_add_headline(&line, bug);
        if (text.at) text_add(&line, "  with %s\n", text.at);
        log_clear();
        fputs(line.at, stdout);
        fflush(stdout);
        text_free(&line);
    }
    text_free(&text);
}

static void on_message(void *context, const struct message *message) {
    struct run *run = context;
    if (message->kind == MESSAGE_TEST)
        on_test(run, message);
    else
        run_results_take(run->results, message);
}

static bool on_progress(void *context) {
    struct run *run = context;
    if (run->sync) afl_sync_take(run->sync, run->explore);
    if (run->fuzz) fuzz_tick(run->fuzz);
    return run_results_progress(run->results);
}

// A fuzzer goes on where the exploration has come to an end without being complete, until the time is over.
static bool on_idle(void *context) {
    struct run *run = context;
    return run->options->max_time > 0 && fuzz_wait(run->fuzz);
}

static const char *find_known(const void *context, const struct finding *finding) {
    return known_match(context, finding);
}

static int exit_status(struct run *run, const struct explore_result *result) {
    if (run_results_failed(run->results)) return EXIT_INTERNAL;
    if (result->bug_count > result->ignored_count || (run->fuzz && fuzz_unfollowed_bugs(run->fuzz)))
        return EXIT_BUG_FOUND;
    return result->complete ? EXIT_OK : EXIT_LIMIT;
}

struct explore_options run_explore_options(const struct run_options *options,
                                           const struct surroundings *surroundings, const char *directory) {
    struct explore_options explore = {
        .search = options->search,
        .pending = options->feasibility == FEASIBILITY_PENDING || options->relax_checks,
        .relax_checks = options->relax_checks,
        .seed_time = options->seed_time,
        .step = options->step,
        .random_seed = options->random_seed,
        .emit = (enum emit)options->emit,
        .max_time = options->max_time,
        .max_memory = options->max_memory << 20,
        .may_abandon = true,
        .max_tests = options->max_tests,
        .max_depth = options->max_depth,
        .max_forks = options->max_forks,
        .max_instructions = options->max_instructions,
        .max_paths = options->max_paths,
        .seeds_by_environment = options->as_recorded,
        .solver = solver_defaults,
        .machine = {.host = {.host_files = true,
                             .unmodelled = (enum unmodelled)options->unmodelled,
                             .input_file = options->stdin,
                             .directory = directory,
                             .hidden = surroundings->hidden.at,
                             .hidden_count = surroundings->hidden.count,
                             .start_time = 1700000000,
                             .input = surroundings->input,
                             .sockets = surroundings->sockets.at,
                             .socket_count = surroundings->sockets.count,
                             .failures = (uint32_t)options->fail,
                             .short_reads = (uint32_t)options->short_reads,
                             .peers = surroundings->peers.count ? &surroundings->peers : NULL,
                             .symbolic_random = (uint32_t)options->sym_random},
                    .files = surroundings->files.at,
                    .file_count = surroundings->files.count,
                    .stack_size = options->stack_size << 20,
                    .checks = options->check,
                    .unset = (enum unset)options->uninitialised},
        .environments = surroundings->environments.at,
        .environment_count = surroundings->environments.count,
    };
    layers_apply(&explore.solver, options->layers);
    explore.solver.independence = options->independence;
    if (options->solver_cache) {
        explore.solver.disk = true;
        explore.solver.cache_file = options->solver_cache;
    }
    explore.solver.timeout = options->solver_timeout;
    explore.solver.check = options->check_solver;
    return explore;
}

static bool wants_color(unsigned color) {
    const char *none = getenv("NO_COLOR");
    if (color == COLOR_AUTO) return isatty(STDOUT_FILENO) == 1 && !(none && *none);
    return color == COLOR_ALWAYS;
}

// Inputs that the sliced program gives become seeds.
static bool explore_sliced_first(struct run *run, struct explore_options *explore) {
    const struct run_options *options = run->options;
    struct sliced *sliced = &run->sliced;
    if (!options->slice) return true;
    *sliced = (struct sliced){.seeds = &run->seeds};
    if (!sliced_explore(sliced, run->bitcode, options, &run->surroundings, run->directory)) return false;
    run_results_sliced(run->results, sliced->slices, sliced->count);
    explore->max_time = sliced->left;
    if (options->slice != SLICE_AUTO) explore->seeds_only = explore->pending = true;
    return true;
}

// A quarter of the memory is the fuzzer's, up to a gigabyte.
static uint64_t fuzz_memory(const struct run_options *options) {
    uint64_t quarter = (options->max_memory << 20) / 4;
    return options->fuzz == FUZZ_NONE ? 0 : MIN(quarter, (uint64_t)1 << 30);
}

static struct fuzz_setup fuzz_setup(const struct run *run) {
    return (struct fuzz_setup){.choice = run->options->fuzz,
                               .program = run->program,
                               .bitcode = run->bitcode,
                               .surroundings = &run->surroundings,
                               .seeds = &run->seeds,
                               .directory = run->directory,
                               .dictionary = run->options->dict,
                               .memory = fuzz_memory(run->options),
                               .random_seed = run->options->random_seed};
}

// Before there is a folder of results. False: an error has been reported.
static bool may_fuzz(const struct run *run) {
    const struct run_options *options = run->options;
    if (options->dict && options->fuzz == FUZZ_NONE) {
        user_error_at("--dict", "Add --fuzz auto.", "the words are for a fuzzer, and none is wanted");
        return false;
    }
    if (options->fuzz == FUZZ_NONE) return true;
    if (options->dict && !fuzz_check_dictionary(options->dict)) return false;
    if (options->entry || options->as_recorded) {
        user_error_at("--fuzz", "Leave one of them out.",
                      "a fuzzer runs the program from its beginning, with %s",
                      options->entry ? "nothing of --entry" : "other inputs than --as-recorded");
        return false;
    }
    struct fuzz_setup setup = fuzz_setup(run);
    return fuzz_check(&setup);
}

static bool open_fuzz(struct run *run) {
    if (run->options->fuzz == FUZZ_NONE) return true;
    struct fuzz_setup setup = fuzz_setup(run);
    run->fuzz = fuzz_open(&setup, run_results_folder(run->results));
    run_results_fuzzed(run->results, run->fuzz);
    return run->fuzz != NULL;
}

// False: it cannot be written, and the user was told.
static bool open_query_log(const struct run_options *options, struct solver_options *solver) {
    if (!options->log_queries) return true;
    solver->log = fopen(options->log_queries, "w");
    if (!solver->log)
        user_error_at("--log-queries", "Name a file that can be written.", "%s: %s", options->log_queries,
                      strerror(errno));
    return solver->log != NULL;
}

static void close_query_log(const struct run_options *options, struct solver_options *solver) {
    if (!solver->log) return;
    bool failed = ferror(solver->log);
    if (fclose(solver->log) != 0 || failed)
        warning("%s: the log of queries is not complete", options->log_queries);
}

// What works in one process only; NULL: nothing of that is wanted.
static const char *alone_option(const struct run_options *options) {
    return search_is_backward(options->search) ? "a --search that searches backward"
           : options->trace                    ? "--trace"
           : options->afl_sync                 ? "--afl-sync"
           : options->log_queries              ? "--log-queries"
           : options->slice                    ? "--slice"
           : options->fuzz != FUZZ_NONE        ? "--fuzz"
                                               : NULL;
}

// Options that concern one exploration of the whole program. False: an error has been reported.
static bool jobs_fit(struct run *run) {
    const struct run_options *options = run->options;
    const char *other = alone_option(options);
    if (options->workers) return share_fits(options, other, run->hooks || run->reach, &run->jobs);
    if (!options->jobs) return true;
    if (!jobs_parse(options->jobs, &run->jobs)) return false;
    if (!other) return true;
    if (run->jobs > 1)
        user_error_at("--jobs", "Leave one of them out.", "%s works in one process only", other);
    bool alone = run->jobs == 1;
    run->jobs = 0;
    return alone;
}

static bool is_shared(const struct run *run) { return run->share || run->jobs; }

// The exploration of the run, in this process or in several; with several, what results are made from is added up here. False: an error
// has been reported.
static bool share_exploration(struct run *run, const struct explore_options *explore) {
    if (!is_shared(run)) return true;
    uint64_t memory = run->options->max_memory << 20;
    if (run->share) {
        struct starter_begin begin = {.folder = run_results_folder(run->results),
                                      .explore = run->explore,
                                      .options = explore,
                                      .ir = run->program,
                                      .jobs = run->jobs,
                                      .max_memory = memory};
        if (!share_begin(run->share, &begin, &run->sharing)) return false;
    } else {
        struct processes_options options = {.jobs = run->jobs, .explore = explore, .max_memory = memory};
        run->sharing = processes_sharing(processes_new(run->explore, run->program, &options));
    }
    if (!run->hooks && !run->resume && !run->written_count) run->names = test_names_new();
    run_results_share(run->results, run->sharing, true);
    return true;
}

// Workers find tests in any order. Where the run has come to its end, the tests get numbers that do not depend on it.
static void number_tests(struct run *run) {
    uint32_t count;
    const uint32_t *numbers = run->names ? test_names_order(run->names, &count) : NULL;
    if (numbers && count == explore_result(run->explore)->counts.tests &&
        !explore_result(run->explore)->counts.states)
        run_results_renumber(run->results, numbers, count);
}

static struct explore *new_exploration(const struct run *run, struct explore_options explore) {
    if (is_shared(run))
        explore.solver.disk = false; // it executes nothing, and a file of answers is for one use in a process
    return explore_new(run->program, &explore);
}

static int explore_program(struct run *run) {
    const struct run_options *options = run->options;
    struct target_set *wanted = run->wanted;
    surroundings_hide(&run->surroundings, run_results_folder(run->results), run->directory);
    struct explore_options explore = run_explore_options(options, &run->surroundings, run->directory);
    limits_catch_signals();
    if (!explore_sliced_first(run, &explore)) return EXIT_USAGE;
    if (!open_query_log(options, &explore.solver) || !open_fuzz(run)) return EXIT_USAGE;
    explore.seeds = run->seeds.at.at;
    explore.seed_count = run->seeds.at.count;
    explore.resume = run->resume;
    explore.written = run->written;
    explore.written_count = run->written_count;
    explore.machine.changed = run->changed;
    explore.emit_changed = run->changed != NULL;
    explore.on_message = on_message;
    explore.findings = true;
    if (run->known) explore.known = find_known;
    explore.known_context = run->known;
    explore.goes_on_after_bugs = options->on_bug == ON_BUG_CONTINUE;
    explore.on_progress = on_progress;
    if (run->fuzz) explore.on_idle = on_idle;
    explore.max_memory = run->memory;
    explore.context = run;
    explore.targets = wanted ? target_set_targets(wanted, run->program) : NULL;
    explore.targets_only = run->reach;
    int *kinds = wanted ? NEW_ARRAY(int, wanted->lines.count) : NULL;
    for (uint32_t i = 0; wanted && i < wanted->lines.count; i++) kinds[i] = wanted->lines.at[i].kind;
    explore.target_kinds = kinds;
    int status = EXIT_USAGE;
    struct serve *serve = NULL;
    if (options->serve && !(serve = serve_start(options->serve, run_results_folder(run->results))))
        return status;
    if ((run->explore = new_exploration(run, explore)) && share_exploration(run, &explore)) {
        const struct sharing *sharing = &run->sharing;
        live_start(run_program_name(run->operands), options->max_time);
        run_results_start(run->results, run->explore, run->program);
        if (run->fuzz) fuzz_start(run->fuzz, run->explore, &explore);
        if (sharing->methods) {
            sharing->methods->run(sharing->self);
            run_results_share(run->results, *sharing, !sharing->methods->has_all(sharing->self));
            number_tests(run);
        } else {
            explore_run(run->explore);
        }
        if (run->fuzz) fuzz_stop(run->fuzz);
        limits_end();
        const struct explore_result *result = explore_result(run->explore);
        if (wanted && options->prove) reach_prove(wanted, result, run_results_folder(run->results));
        run_results_finish(run->results, options->json && !run->hooks, wants_color(options->color));
        bool over = limits_reached() != LIMIT_NONE;
        limits_close();
        serve_end(serve);
        if (log_level() == LOG_VERBOSE) solver_print_statistics(explore_solver(run->explore), stderr);
        status = run->reach && wanted ? reach_status(wanted, result) : exit_status(run, result);
        if (run_results_failed(run->results)) status = EXIT_INTERNAL;
        if (wanted && !options->json) reach_say(wanted, result, run->program);
        if (run->reach && !options->json)
            say_line("%s; results in %s",
                     (result->end == END_COMPLETE || result->end == END_PRUNED) && !result->decided
                         ? "not every path was explored"
                         : explore_end_names[result->end],
                     run_results_folder(run->results));
        if (run->hooks && status != EXIT_INTERNAL)
            status = run->hooks->finished(run->hooks->context, run->explore, run_results_folder(run->results),
                                          status);
        if (sharing->methods) sharing->methods->free(sharing->self);
        fuzz_free(run->fuzz);
        run_results_fuzzed(run->results, NULL);
        run->fuzz = NULL;
        if (!over) explore_free(run->explore); // else the end of the process is faster
    }
    close_query_log(options, &explore.solver);
    targets_free(explore.targets);
    if (wanted) DELETE_ARRAY(kinds, wanted->lines.count);
    return status;
}

const char *run_program_name(const struct operands *operands) {
    vec_each (const char *, word, &operands->words)
        if ((*word)[0] != '-') return *word;
    return "program";
}

// Does the program make something symbolic itself? What stands in for main in a libFuzzer harness does not count where
// there is a main.
static bool marks_something(const struct ir_program *program) {
    const struct ir_function *symbolic = ir_find_function(program, "__tamar_symbolic");
    bool has_main = ir_find_function(program, "main") != NULL;
    for (uint32_t i = 0; symbolic && i < program->function_count; i++) {
        const struct ir_function *function = &program->functions[i];
        if (has_main && !strcmp(function->name, "__tamar_fuzzer_main")) continue;
        for (uint32_t j = 0; j < function->code_count; j++)
            if (function->code[j].op == IR_CALL && function->code[j].a == symbolic->index) return true;
    }
    return false;
}

// When the user names nothing symbolic and the program marks nothing, a few arguments and bytes are tried.
static bool nothing_symbolic(const struct run_options *options, const struct ir_program *program) {
    return !options->entry && !options->sym_arg.count && !options->sym_args.count && !options->sym_stdin &&
           !options->sym_file.count && !options->sym_env.count && !options->sym_socket.count &&
           !options->sym_random && !options->fail && !options->short_reads && !options->peers &&
           !marks_something(program);
}

#define MOST_INPUT_FILE (256ll << 20) // as for files that a program writes (runtime/linux)

// The file for standard input can be read, and does not contradict another option. False: the user was told.
static bool stdin_is_good(const struct run_options *options) {
    struct stat st;
    if (!options->stdin) return true;
    if (options->sym_stdin)
        user_error_at("--stdin", "Give one of them.", "standard input cannot also be symbolic (--sym-stdin)");
    else if (access(options->stdin, R_OK) != 0)
        user_error_at("--stdin", "Name a file that can be read.", "%s: %s", options->stdin, strerror(errno));
    else if (stat(options->stdin, &st) != 0 || !S_ISREG(st.st_mode))
        user_error_at("--stdin", "Name a regular file: every path reads it from its beginning.",
                      S_ISDIR(st.st_mode) ? "%s is a directory" : "%s is no regular file", options->stdin);
    else if (st.st_size > MOST_INPUT_FILE)
        user_error_at("--stdin", "Give the part of it that matters: the limit is 256 MB.",
                      "%s is too large: %lld bytes", options->stdin, (long long)st.st_size);
    else
        return true;
    return false;
}

bool run_surroundings(struct surroundings *surroundings, const struct run_options *options,
                      const struct operands *operands, const char *name, const char *directory,
                      const struct ir_program *program) {
    struct option_use few = {0, {"0", "2", "4"}};
    struct option_list default_arguments = {&few, 1, 1};
    struct symbolic_options symbolic = {&options->sym_arg, &options->sym_args,   &options->sym_file,
                                        &options->sym_env, &options->sym_socket, options->sym_stdin,
                                        options->peers,    options->sym_input,   directory};
    if (nothing_symbolic(options, program)) {
        say_line("nothing is symbolic: trying --sym-args 0 2 4%s", options->stdin ? "" : " --sym-stdin 8");
        symbolic.args = &default_arguments;
        symbolic.stdin_size = "8";
    }
    if (options->stdin) symbolic.stdin_size = NULL;
    static char *const no_variables[] = {NULL};
    bool good = surroundings_make(surroundings, &symbolic, name, operands->arguments, no_variables);
    return stdin_is_good(options) && good;
}

// Which conversions are implicit stands in the source alone.
static void say_narrowing(const struct operands *operands) {
    vec_each (const char *, word, &operands->words) {
        size_t length = strlen(*word);
        if (length > 3 && (*word)[0] != '-' &&
            (!strcmp(*word + length - 3, ".bc") || !strcmp(*word + length - 3, ".ll")))
            warning("--check overflow: narrowing is looked for in what clang has instrumented; of bitcode "
                    "that was made "
                    "otherwise it is signed arithmetic: %s",
                    *word);
    }
}

struct front_options run_front_options(const struct run_options *options) {
    return (struct front_options){
        .no_libc = options->no_libc,
        .types = search_is_backward(options->search),
        .mark_entries = search_is_backward(options->search),
        .undefined_symbolic = options->undefined == 1,
        .allow_undefined = options->allow_undefined || options->unmodelled != UNMODELLED_END,
        .checks = options->check,
        .unset = true,
    };
}

// Surroundings and seeds: either may follow from the other.
static bool find_inputs(struct run *run, const char *name) {
    const struct run_options *options = run->options;
    if (!options->as_recorded)
        return run_surroundings(&run->surroundings, options, run->operands, name, run->directory,
                                run->program) &&
               seeds_read(&run->seeds, options->seeds, &run->surroundings, run->program);
    if (!options->seeds) {
        user_error_at("--as-recorded", "Give --seeds DIR, which `tamar record` made.", "there are no seeds");
        return false;
    }
    if (!seeds_read(&run->seeds, options->seeds, &run->surroundings, run->program)) return false;
    if (!run->seeds.at.count) {
        user_error_at("--seeds", "`tamar record --into DIR -- PROGRAM ARGS...` makes some.",
                      "%s: there are no recorded inputs", options->seeds);
        return false;
    }
    recorded_surroundings(&run->surroundings, run->seeds.at.at, run->seeds.at.count, options->symbolic);
    return true;
}

// A run that is in Redis already goes on in its folder. False: an error has been reported.
static bool share_results(struct run *run, struct run_results_options *where, struct resumed *resumed) {
    const struct run_options *options = run->options;
    if (!options->workers) return true;
    struct explore_options explore = run_explore_options(options, &run->surroundings, run->directory);
    explore.seeds = run->seeds.at.at;
    explore.seed_count = run->seeds.at.count;
    explore.goes_on_after_bugs = options->on_bug == ON_BUG_CONTINUE;
    if (run->known) {
        user_error_at("--workers", "Leave the list out: --ignore /dev/null.",
                      "known reports work on one machine only");
        return false;
    }
    const char *folder;
    run->share = share_open(options, &explore, run->program, run->bitcode, where->writer.program, &folder);
    if (!run->share || !folder) return run->share != NULL;
    if (!share_joins(resumed, folder, options->out, run->program, run->bitcode)) return false;
    where->writer.out = resumed->folder;
    where->writer.reopen = true;
    run->resume = resumed->checkpoint;
    run->written = resumed->written;
    run->written_count = resumed->written_count;
    return true;
}

// A search from the middle of the program needs to know for what, and how the program begins.
static bool search_fits(const struct run_options *options, const struct target_set *wanted) {
    const char *why = NULL, *remedy = NULL;
    if (!search_is_backward(options->search)) return true;
    if (!wanted) {
        why = "it searches backward from a target, and none is named";
        remedy = "Name one with --target FILE:LINE, or use `tamar reach FILE:LINE PROGRAM`.";
    } else if (options->entry) {
        why = "it searches backward to main, but --entry begins elsewhere";
        remedy = "Leave --entry out, or take a strategy that searches forward: `tamar help search`.";
    } else if (options->trace) {
        why = "it knows nothing of lines in an order";
        remedy = "With --trace, take a strategy that searches forward: `tamar help search`.";
    }
    if (why) user_error_at("--search", remedy, "%s: %s", options->search, why);
    return !why;
}

int run_or_reach(const struct command *command, char **argv, bool reach, const struct run_hooks *hooks) {
    struct run_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    NATIVE_APPLY(&options);
    if (options.follow) {
        status = follow_test(options.follow);
        options_free(command->options, &options);
        operands_free(&operands);
        return status;
    }
    limits_open(options.max_time, (options.max_memory << 20) - fuzz_memory(&options),
                "the program was being loaded");
    struct resumed resumed = {0};
    struct known_reports *known = NULL;
    if (options.resume && !resume_options(&resumed, &options, &operands)) {
        options_free(command->options, &options);
        operands_free(&operands);
        resumed_free(&resumed);
        limits_close();
        return EXIT_USAGE;
    }
    bool none, unreachable = false;
    struct target_set *wanted = reach_wanted(&options, &operands, reach, &none);
    if ((!wanted && !none) || !search_fits(&options, wanted)) {
        target_set_free(wanted);
        options_free(command->options, &options);
        operands_free(&operands);
        resumed_free(&resumed);
        limits_close();
        return EXIT_USAGE;
    }
    struct front_input input = {operands.words.at, operands.words.count};
    struct text bitcode = {0};
    struct front_options front = run_front_options(&options);
    front.bitcode = &bitcode;
    struct arena *arena = arena_new();
    bool good;
    front.driver = entry_options(&options, arena, &good);
    if (wanted) target_set_front(wanted, &front);
    if (check_wanted(front.checks, CHECK_OVERFLOW)) say_narrowing(&operands);
    if (good) known = known_open(options.ignore, resumed.folder, &good);
    struct ir_program *program = good ? front_load(&input, &front, NULL) : NULL;
    status = EXIT_USAGE;
    good = program && (!resumed.arena || resume_read(&resumed, program, &bitcode));
    if (good && (!wanted || target_set_resolve(wanted, program, &input, &unreachable))) {
        char *directory = getcwd(NULL, 0);
        struct run_results_options where = {
            .writer = {.out = resumed.folder ? resumed.folder : options.out,
                       .command = (const char *const *)argv,
                       .reopen = resumed.folder != NULL,
                       .kind = hooks   ? "regress"
                               : reach ? "reach"
                                       : "run",
                       .program = run_program_name(&operands),
                       .stdin = options.stdin,
                       .words = operands.words.at,
                       .word_count = operands.words.count,
                       .directory = directory,
                       .bitcode = &bitcode,
                       .table = command->options,
                       .values = &options,
                       .version = version_line},
            .targets = wanted,
            .known = known,
            .live = options.serve != NULL,
            .brief = reach || hooks,
        };
        struct run run = {.options = &options,
                          .operands = &operands,
                          .program = program,
                          .bitcode = &bitcode,
                          .directory = directory,
                          .wanted = wanted,
                          .resume = resumed.checkpoint,
                          .written = resumed.written,
                          .written_count = resumed.written_count,
                          .memory = (options.max_memory << 20) - fuzz_memory(&options),
                          .reach = reach,
                          .known = known,
                          .hooks = hooks};
        if ((!hooks || hooks->loaded(hooks->context, program, &input, &run.changed)) &&
            explore_check_search(options.search) && jobs_fit(&run) &&
            find_inputs(&run, where.writer.program) &&
            (!options.afl_sync || (run.sync = afl_sync_open(options.afl_sync, &run.surroundings, program))) &&
            may_fuzz(&run) && share_results(&run, &where, &resumed) &&
            (run.results = run_results_open(&where)))
            status = explore_program(&run);
        share_free(run.share);
        afl_sync_free(run.sync);
        test_names_free(run.names);
        seeds_free(&run.seeds);
        if (run.surroundings.arena) surroundings_free(&run.surroundings);
        run_results_free(run.results);
        free(directory);
    }
    text_free(&bitcode);
    arena_free(arena);
    target_set_free(wanted);
    known_free(known);
    ir_program_free(program);
    options_free(command->options, &options);
    operands_free(&operands);
    resumed_free(&resumed);
    limits_close();
    return status;
}

static int run(const struct command *command, char **argv) {
    return run_or_reach(command, argv, false, NULL);
}

const struct option_group run_groups[] = {{"sym_arg", "What is symbolic"},
                                          {"check", "What is reported"},
                                          {"target", "What to reach"},
                                          {"search", "Which path goes on"},
                                          {"seeds", "Inputs to start from, and fuzzers"},
                                          {"max_time", "Limits and processes"},
                                          {"solver_timeout", "The solver"},
                                          {"slice", "A simplified program first"},
                                          {"emit", "Results"},
                                          {"stack_size", "The program"},
                                          {"no_sandbox", "Other"},
                                          {NULL, NULL}};

const struct command run_command = {
    .name = "run",
    .help = "explore a program: find the inputs that break it, write tests that cover it",
    .operands = "PROGRAM [-- ARGS...]",
    .description =
        "Explores the paths of the program with symbolic inputs. At each dangerous operation it asks whether "
        "any input on this path makes it fail; if so, that input is reported.",
    .options = &run_options_table,
    .groups = run_groups,
    .style = OPERANDS_COMPILER,
    .run = run,
};
