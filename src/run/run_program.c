// A run, from its command line to its exit status.
#include "run/run_program.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/run_limits.h"
#include "cluster/processes.h"
#include "cluster/starter.h"
#include "native/tool.h"
#include "output/report.h"
#include "run/afl_sync.h"
#include "run/entry_options.h"
#include "run/further_programs.h"
#include "run/fuzz.h"
#include "run/jobs.h"
#include "run/live.h"
#include "run/reached.h"
#include "run/resume_folder.h"
#include "run/run_results.h"
#include "run/seed_files.h"
#include "run/serve.h"
#include "run/share.h"
#include "run/sliced.h"
#include "run/statement_log.h"
#include "run/test_names.h"
#include "search/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
    const struct run_options *options;
    const struct operands *operands;
    const struct ir_program *program;
    const struct text *bitcode; // the program as one module
    const char *directory;
    struct program_inputs program_inputs;
    struct seeds seeds;
    struct sliced sliced;
    struct target_set *wanted; // NULL: no targets
    bool reach;
    struct run_results *results;
    struct explore *explore;
    const struct checkpoint *resume;    // NULL: from the beginning
    const struct written_test *written; // tests that the resumed folder has already
    uint32_t written_count;
    uint32_t jobs;                     // worker processes; 0: this process explores itself
    struct share *share;               // NULL: no other machine takes part
    struct sharing sharing;            // has methods if several workers explore
    struct test_names *names;          // NULL: tests keep their numbers
    struct afl_sync *sync;             // NULL: no --afl-sync
    struct fuzz *fuzz;                 // NULL: no --fuzz
    uint64_t memory;                   // bytes for the exploration; 0: no limit
    const struct run_hooks *hooks;     // NULL: no other command takes part
    const uint8_t *changed;            // per source location: its line has changed; NULL: none has
    struct statement_log *statements;  // NULL: no log
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
    log_detail("test %u: %s", test->number, text.at ? text.at : "no input");
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

// Called when the exploration has no state left but is not complete: if there is a time limit, the fuzzer continues
// until then.
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

static bool wants_color(unsigned color) {
    const char *none = getenv("NO_COLOR");
    if (color == COLOR_AUTO) return isatty(STDOUT_FILENO) == 1 && !(none && *none);
    return color == COLOR_ALWAYS;
}

// Makes seeds of the inputs found in the sliced program.
static bool explore_sliced_first(struct run *run, struct explore_options *explore) {
    const struct run_options *options = run->options;
    struct sliced *sliced = &run->sliced;
    if (!options->slice) return true;
    *sliced = (struct sliced){.seeds = &run->seeds, .original = run->program, .jobs = run->jobs};
    if (!sliced_explore(sliced, run->bitcode, options, &run->program_inputs, run->directory)) return false;
    run_results_sliced(run->results, sliced->slices, sliced->count);
    explore->max_time = sliced->left;
    // With a time limit, the rest of the time goes to the original.
    if (options->slice == SLICE_AUTO || options->max_time > 0) return true;
    explore->seeds_only = explore->pending = true;
    run->jobs = 0; // a single process follows the seeds
    return true;
}

// Returns the fuzzer's memory: a quarter of the limit, up to a gigabyte.
static uint64_t fuzz_memory(const struct run_options *options) {
    uint64_t quarter = (options->max_memory << 20) / 4;
    return options->fuzz == FUZZ_NONE ? 0 : MIN(quarter, (uint64_t)1 << 30);
}

static struct fuzz_setup fuzz_setup(const struct run *run) {
    return (struct fuzz_setup){.choice = run->options->fuzz,
                               .program = run->program,
                               .bitcode = run->bitcode,
                               .program_inputs = &run->program_inputs,
                               .seeds = &run->seeds,
                               .directory = run->directory,
                               .dictionary = run->options->dict,
                               .memory = fuzz_memory(run->options),
                               .random_seed = run->options->random_seed};
}

// Checks the options of the fuzzer before the results folder is made. Returns false if an error has been reported.
static bool may_fuzz(const struct run *run) {
    const struct run_options *options = run->options;
    if (options->dict && options->fuzz == FUZZ_NONE) {
        user_error_at("--dict", "Add --fuzz auto.", "a dictionary needs a fuzzer");
        return false;
    }
    if (options->fuzz == FUZZ_NONE) return true;
    if (options->dict && !fuzz_check_dictionary(options->dict)) return false;
    if (options->entry || options->as_recorded) {
        user_error_at("--fuzz", "Leave out one of them.",
                      "a fuzzer runs main on inputs of its own, not with %s",
                      options->entry ? "--entry" : "--as-recorded");
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

// Opens the query log. Returns false if it cannot be written; an error has been reported.
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
        user_warning("%s: the log of queries is not complete", options->log_queries);
}

// Returns a given option that works in one process only; NULL: none.
static const char *alone_option(const struct run_options *options) {
    return search_is_backward(options->search) ? "a --search that searches backward"
           : options->trace                    ? "--trace"
           : options->afl_sync                 ? "--afl-sync"
           : options->log_queries              ? "--log-queries"
           : options->log_statements           ? "--log-statements"
           : options->fuzz != FUZZ_NONE        ? "--fuzz"
                                               : NULL;
}

// Checks that the options can be used with several processes. Returns false if an error has been reported.
static bool jobs_fit(struct run *run) {
    const struct run_options *options = run->options;
    const char *other = alone_option(options);
    if (options->workers) return share_fits(options, other, &run->jobs);
    if (!options->jobs) return true;
    if (!jobs_parse(options->jobs, &run->jobs)) return false;
    if (!other) return true;
    if (run->jobs > 1)
        user_error_at("--jobs", "Leave out one of them.", "%s works in one process only", other);
    bool alone = run->jobs == 1;
    run->jobs = 0;
    return alone;
}

static bool is_shared(const struct run *run) { return run->share || run->jobs; }

// Prepares the exploration in several processes, if there are any; their reports are merged here. Returns false if an
// error has been reported.
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

// Workers find tests in any order. If no state is left, numbers the tests independently of this order.
static void number_tests(struct run *run) {
    uint32_t count;
    const uint32_t *numbers = run->names ? test_names_order(run->names, &count) : NULL;
    if (numbers && count == explore_result(run->explore)->counts.tests &&
        !explore_result(run->explore)->counts.states)
        run_results_renumber(run->results, numbers, count);
}

static struct explore *new_exploration(const struct run *run, struct explore_options explore) {
    if (is_shared(run))
        explore.solver.disk =
            false; // only workers query the solver, and a process can open the cache file once
    return explore_new(run->program, &explore);
}

// Sets the options of the exploration that come from the run; `kinds` is by target.
static void set_exploration(struct run *run, struct explore_options *explore, int *kinds) {
    struct target_set *wanted = run->wanted;
    explore->seeds = run->seeds.at.at;
    explore->seed_count = run->seeds.at.count;
    explore->resume = run->resume;
    explore->written = run->written;
    explore->written_count = run->written_count;
    explore->machine.changed = run->changed;
    explore->emit_changed = run->changed != NULL;
    explore->on_message = on_message;
    explore->findings = true;
    if (run->known) explore->known = find_known;
    explore->known_context = run->known;
    explore->goes_on_after_bugs = run->options->on_bug == ON_BUG_CONTINUE;
    explore->on_progress = on_progress;
    explore->every_step = run->options->checkpoint_every <= 0;
    if (run->fuzz) explore->on_idle = on_idle;
    explore->max_memory = run->memory;
    explore->context = run;
    explore->targets = wanted ? target_set_targets(wanted, run->program) : NULL;
    explore->targets_only = run->reach;
    for (uint32_t i = 0; wanted && i < wanted->lines.count; i++) kinds[i] = wanted->lines.at[i].kind;
    explore->target_kinds = kinds;
}

static void run_exploration(struct run *run, const struct explore_options *explore) {
    const struct sharing *sharing = &run->sharing;
    live_start(run_program_name(run->operands), run->options->max_time);
    run_results_start(run->results, run->explore, run->program);
    if (run->fuzz) fuzz_start(run->fuzz, run->explore, explore);
    if (sharing->methods) {
        sharing->methods->run(sharing->self);
        run_results_share(run->results, *sharing, !sharing->methods->has_all(sharing->self));
        number_tests(run);
    } else {
        explore_run(run->explore);
    }
    if (run->fuzz) fuzz_stop(run->fuzz);
    limits_end();
}

// Writes and prints the results. Returns the exit status.
static int finish_exploration(struct run *run, struct serve *serve) {
    const struct run_options *options = run->options;
    const struct explore_result *result = explore_result(run->explore);
    if (run->wanted && options->prove) reached_prove(run->wanted, result, run_results_folder(run->results));
    run_results_finish(run->results, options->json && !run->hooks, wants_color(options->color));
    bool over = limits_reached() != LIMIT_NONE;
    limits_close();
    serve_end(serve);
    if (log_level() == LOG_VERBOSE) solver_print_statistics(explore_solver(run->explore), stderr);
    int status = run->reach && run->wanted ? reached_status(run->wanted, result) : exit_status(run, result);
    if (run_results_failed(run->results)) status = EXIT_INTERNAL;
    if (run->wanted && !options->json) reached_print(run->wanted, result, run->program);
    if (run->reach && !options->json)
        log_line("%s; results in %s",
                 (result->end == END_COMPLETE || result->end == END_PRUNED) && !result->decided
                     ? "not every path was explored"
                     : explore_end_names[result->end],
                 run_results_folder(run->results));
    if (run->hooks && status != EXIT_INTERNAL)
        status =
            run->hooks->finished(run->hooks->context, run->explore, run_results_folder(run->results), status);
    if (run->sharing.methods) run->sharing.methods->free(run->sharing.self);
    fuzz_free(run->fuzz);
    run_results_fuzzed(run->results, NULL);
    run->fuzz = NULL;
    if (!over) explore_free_at_exit(run->explore); // else exiting the process is faster
    return status;
}

static int explore_program(struct run *run) {
    const struct run_options *options = run->options;
    struct target_set *wanted = run->wanted;
    program_inputs_hide(&run->program_inputs, run_results_folder(run->results), run->directory);
    struct explore_options explore = run_explore_options(options, &run->program_inputs, run->directory);
    if (!explore_sliced_first(run, &explore)) return EXIT_USAGE;
    if (!open_query_log(options, &explore.solver) || !open_fuzz(run)) return EXIT_USAGE;
    if (run->statements) statement_log_set_explore(run->statements, &explore);
    int *kinds = wanted ? NEW_ARRAY(int, wanted->lines.count) : NULL;
    set_exploration(run, &explore, kinds);
    int status = EXIT_USAGE;
    struct serve *serve = NULL;
    if (options->serve && !(serve = serve_start(options->serve, run_results_folder(run->results))))
        return status;
    if ((run->explore = new_exploration(run, explore)) && share_exploration(run, &explore)) {
        run_exploration(run, &explore);
        status = finish_exploration(run, serve);
    }
    close_query_log(options, &explore.solver);
    targets_free(explore.targets);
    if (wanted) DELETE_ARRAY(kinds, wanted->lines.count);
    return status;
}

// Warns about bitcode, in which implicit conversions cannot be recognized unless clang has instrumented them.
static void say_narrowing(const struct operands *operands) {
    vec_each (const char *, word, &operands->words) {
        size_t length = strlen(*word);
        if (length > 3 && (*word)[0] != '-' &&
            (!strcmp(*word + length - 3, ".bc") || !strcmp(*word + length - 3, ".ll")))
            user_warning("--check overflow: this bitcode may lack clang's instrumentation; then only signed "
                         "arithmetic "
                         "is checked, not narrowing: %s",
                         *word);
    }
}

// Makes program inputs and seeds: either may depend on the other.
static bool find_inputs(struct run *run, const char *name) {
    const struct run_options *options = run->options;
    if (!options->as_recorded)
        return run_program_inputs(&run->program_inputs, options, run->operands, name, run->directory,
                                  run->program) &&
               seed_files_read(&run->seeds, options->seeds, &run->program_inputs, run->program);
    if (!options->seeds) {
        user_error_at("--as-recorded", "Give --seeds DIR, which `tamar record` made.", "there are no seeds");
        return false;
    }
    if (!seed_files_read(&run->seeds, options->seeds, &run->program_inputs, run->program)) return false;
    if (!run->seeds.at.count) {
        user_error_at("--seeds", "`tamar record --into DIR -- PROGRAM ARGS...` makes some.",
                      "%s: there are no recorded inputs", options->seeds);
        return false;
    }
    recorded_program_inputs(&run->program_inputs, run->seeds.at.at, run->seeds.at.count, options->symbolic);
    return true;
}

// Continues a run that is in Redis already in its folder. Returns false if an error has been reported.
static bool share_results(const struct run_call *call, struct run *run, struct run_results_options *where,
                          struct resumed *resumed) {
    const struct run_options *options = run->options;
    if (!options->workers) return true;
    struct explore_options explore = run_explore_options(options, &run->program_inputs, run->directory);
    explore.seeds = run->seeds.at.at;
    explore.seed_count = run->seeds.at.count;
    explore.goes_on_after_bugs = options->on_bug == ON_BUG_CONTINUE;
    explore.targets_only = run->reach;
    explore.machine.changed = run->changed;
    struct share_run shared = {.options = options,
                               .version = call->version,
                               .explore = &explore,
                               .program = run->program,
                               .bitcode = run->bitcode,
                               .name = where->writer.program,
                               .targets = run->wanted,
                               .known = run->known};
    const char *folder;
    run->share = share_open(&shared, &folder);
    if (!run->share || !folder) return run->share != NULL;
    if (!share_joins(resumed, folder, options->out, run->program, run->bitcode)) return false;
    where->writer.out = resumed->folder;
    where->writer.reopen = true;
    run->resume = resumed->checkpoint;
    run->written = resumed->written;
    run->written_count = resumed->written_count;
    return true;
}

// Whether the strategy fits the options: a backward search needs targets without an order, and ends at main. If not,
// an error has been reported.
static bool search_fits(const struct run_options *options, const struct target_set *wanted) {
    const char *why = NULL, *remedy = NULL;
    if (!search_is_backward(options->search)) return true;
    if (!wanted) {
        why = "it searches backward from a target, and none is named";
        remedy = "Name one with --target FILE:LINE, or use `tamar reach FILE:LINE PROGRAM`.";
    } else if (options->entry) {
        why = "it searches backward to main, but --entry begins elsewhere";
        remedy = "Leave --entry out, or use a strategy that searches forward: `tamar help search`.";
    } else if (options->trace) {
        why = "it cannot reach lines in a given order";
        remedy = "With --trace, use a strategy that searches forward: `tamar help search`.";
    }
    if (why) user_error_at("--search", remedy, "%s: %s", options->search, why);
    return !why;
}

// Called with the loaded program: makes the results folder and explores.
static int explore_loaded(const struct run_call *call, struct run *run, struct resumed *resumed,
                          const struct front_input *input) {
    const struct run_options *options = run->options;
    struct run_results_options where = {
        .writer = {.out = resumed->folder ? resumed->folder : options->out,
                   .command = (const char *const *)call->words,
                   .reopen = resumed->folder != NULL,
                   .kind = run->hooks   ? "regress"
                           : run->reach ? "reach"
                                        : "run",
                   .program = run_program_name(run->operands),
                   .stdin = options->stdin,
                   .words = run->operands->words.at,
                   .word_count = run->operands->words.count,
                   .directory = run->directory,
                   .bitcode = run->bitcode,
                   .table = call->table,
                   .values = options,
                   .version = call->version},
        .targets = run->wanted,
        .known = run->known,
        .checkpoint_seconds = options->checkpoint_every,
        .live = options->serve != NULL,
        .brief = run->reach || run->hooks,
    };
    int status = EXIT_USAGE;
    if ((!run->hooks || run->hooks->loaded(run->hooks->context, run->program, input, &run->changed)) &&
        explore_check_search(options->search) && jobs_fit(run) && find_inputs(run, where.writer.program) &&
        (!options->afl_sync ||
         (run->sync = afl_sync_open(options->afl_sync, &run->program_inputs, run->program))) &&
        may_fuzz(run) && share_results(call, run, &where, resumed)) {
        // From now on there is a folder, in which a limit must leave a summary. Building a fuzzer is ended like loading.
        if (options->fuzz == FUZZ_NONE) limits_begin(0);
        if ((run->results = run_results_open(&where))) status = explore_program(run);
    }
    share_free(run->share);
    afl_sync_free(run->sync);
    test_names_free(run->names);
    seed_files_free(&run->seeds);
    if (run->program_inputs.arena) program_inputs_free(&run->program_inputs);
    run_results_free(run->results);
    return status;
}

// Opens the log of statements. Returns false if an error has been reported.
static bool open_statement_log(struct run *run, struct front_options *front) {
    const char *path = run->options->log_statements;
    if (!path) return true;
    if (run->wanted) {
        user_error_at("--log-statements", "Leave out one of them; `tamar run --follow TEST` prints a path.",
                      "statements cannot be logged while targets are looked for");
        return false;
    }
    run->statements = statement_log_open(path);
    if (run->statements) statement_log_set_front(run->statements, front);
    return run->statements != NULL;
}

static int load_and_explore(const struct run_call *call, struct run *run, struct resumed *resumed,
                            struct text *bitcode) {
    const struct run_options *options = run->options;
    struct front_input input = {run->operands->words.at, run->operands->words.count};
    struct front_options front = run_front_options(options);
    front.bitcode = bitcode;
    if (resumed->arena) front.compiler = tool_compile; // the folder names the flags
    struct arena *arena = arena_new();
    bool good, unreachable = false;
    front.driver = entry_options(options, arena, &good);
    if (run->wanted) target_set_front(run->wanted, &front);
    front.programs = good ? further_programs(&options->program, arena, &good) : NULL;
    front.program_count = front.programs ? options->program.count : 0;
    good = good && open_statement_log(run, &front);
    if (check_wanted(front.checks, CHECK_OVERFLOW)) say_narrowing(run->operands);
    struct known_reports *known = good ? known_open(options->ignore, resumed->folder, &good) : NULL;
    run->known = known;
    struct ir_program *program = good ? front_load(&input, &front, NULL) : NULL;
    int status = EXIT_USAGE;
    good = program && (!resumed->arena || resume_read(resumed, program, bitcode));
    if (good && (!run->wanted || target_set_resolve(run->wanted, program, &input, &unreachable))) {
        char *directory = getcwd(NULL, 0);
        run->program = program;
        run->directory = directory;
        run->resume = resumed->checkpoint;
        run->written = resumed->written;
        run->written_count = resumed->written_count;
        status = explore_loaded(call, run, resumed, &input);
        free(directory);
    }
    arena_free(arena);
    known_free(known);
    ir_program_free(program);
    return status;
}

int run_program(const struct run_call *call, struct run_options *options, struct operands *operands) {
    limits_open(options->max_time, (options->max_memory << 20) - fuzz_memory(options),
                "the program was being loaded");
    limits_catch_signals();
    struct resumed resumed = {0};
    int status = EXIT_USAGE;
    if (!options->resume || resume_options(&resumed, call->version, options, operands)) {
        bool none;
        struct target_set *wanted = reached_wanted(options, operands, call->reach, &none);
        if ((wanted || none) && search_fits(options, wanted)) {
            struct text bitcode = {0};
            struct run run = {.options = options,
                              .operands = operands,
                              .bitcode = &bitcode,
                              .wanted = wanted,
                              .memory = (options->max_memory << 20) - fuzz_memory(options),
                              .reach = call->reach,
                              .hooks = call->hooks};
            status = load_and_explore(call, &run, &resumed, &bitcode);
            statement_log_close(run.statements, options->log_statements);
            text_free(&bitcode);
        }
        target_set_free(wanted);
    }
    resumed_free(&resumed);
    limits_close();
    return status;
}
