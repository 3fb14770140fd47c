// Converts the options of a run to those of the front end and the exploration.
#include "run/run_options.h"

#include "base/error.h"
#include "search/search.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

OPTIONS_TABLE(run_options, RUN_OPTIONS)
const struct option_table *run_table(void) { return &run_options_table; }

const struct option_group run_groups[] = {{"sym_arg", "What is symbolic"},
                                          {"check", "What is reported"},
                                          {"target", "What to reach"},
                                          {"search", "Which state runs next"},
                                          {"seeds", "Inputs to start from, and fuzzers"},
                                          {"max_time", "Limits and processes"},
                                          {"solver_timeout", "The solver"},
                                          {"slice", "A simplified program first"},
                                          {"emit", "Results"},
                                          {"stack_size", "The program"},
                                          {"no_sandbox", "Other"},
                                          {NULL, NULL}};

// Prints a message of the program: tamar_print, klee_warning.
static void print_message(void *context, const char *message) { log_line("%s", message); }

struct explore_options run_explore_options(const struct run_options *options,
                                           const struct program_inputs *program_inputs,
                                           const char *directory) {
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
        .max_bugs = options->max_bugs,
        .seeds_by_environment = options->as_recorded,
        .solver = solver_defaults,
        .machine = {.host = {.log = print_message,
                             .host_files = true,
                             .unmodelled = (enum unmodelled)options->unmodelled,
                             .input_file = options->stdin,
                             .directory = directory,
                             .hidden = program_inputs->hidden.at,
                             .hidden_count = program_inputs->hidden.count,
                             .start_time = 1700000000,
                             .input = program_inputs->input,
                             .sockets = program_inputs->sockets.at,
                             .socket_count = program_inputs->sockets.count,
                             .failures = (uint32_t)options->fail,
                             .short_reads = (uint32_t)options->short_reads,
                             .peers = program_inputs->peers.count ? &program_inputs->peers : NULL,
                             .symbolic_random = (uint32_t)options->sym_random},
                    .files = program_inputs->files.at,
                    .file_count = program_inputs->files.count,
                    .stack_size = options->stack_size << 20,
                    .checks = options->check,
                    .unset = (enum unset)options->uninitialised},
        .environments = program_inputs->environments.at,
        .environment_count = program_inputs->environments.count,
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

const char *run_program_name(const struct operands *operands) {
    vec_each (const char *, word, &operands->words)
        if ((*word)[0] != '-') return *word;
    return "program";
}

// Whether the program makes something symbolic itself. The substitute for main of a libFuzzer harness does not count if
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

// Whether neither the options nor the program make anything symbolic. Then a few arguments and bytes are tried.
static bool nothing_symbolic(const struct run_options *options, const struct ir_program *program) {
    return !options->entry && !options->sym_arg.count && !options->sym_args.count && !options->sym_stdin &&
           !options->sym_file.count && !options->sym_env.count && !options->sym_socket.count &&
           !options->sym_random && !options->fail && !options->short_reads && !options->peers &&
           !marks_something(program);
}

#define MOST_INPUT_FILE (256ll << 20) // as for files that a program writes (runtime/linux)

// Checks that the file for standard input can be read and fits the other options. Returns false if an error has been
// reported.
static bool stdin_is_good(const struct run_options *options) {
    struct stat st;
    if (!options->stdin) return true;
    if (options->sym_stdin)
        user_error_at("--stdin", "Give only one of them.",
                      "standard input cannot also be symbolic (--sym-stdin)");
    else if (access(options->stdin, R_OK) != 0)
        user_error_at("--stdin", "Name a file that can be read.", "%s: %s", options->stdin, strerror(errno));
    else if (stat(options->stdin, &st) != 0 || !S_ISREG(st.st_mode))
        user_error_at("--stdin", "Name a regular file: every path reads it from its beginning.",
                      S_ISDIR(st.st_mode) ? "%s is a directory" : "%s is not a regular file", options->stdin);
    else if (st.st_size > MOST_INPUT_FILE)
        user_error_at("--stdin", "Use a part of the file: the limit is 256 MB.",
                      "%s is too large: %lld bytes", options->stdin, (long long)st.st_size);
    else
        return true;
    return false;
}

bool run_program_inputs(struct program_inputs *program_inputs, const struct run_options *options,
                        const struct operands *operands, const char *name, const char *directory,
                        const struct ir_program *program) {
    struct option_use few = {0, {"0", "2", "4"}};
    struct option_use one_file = {0, {"input=0..16"}};
    struct option_list default_arguments = {&few, 1, 1}, default_files = {&one_file, 1, 1};
    static char driver_argument[] = "input";
    static char *const driver_arguments[] = {driver_argument, NULL};
    char *const *arguments = operands->arguments;
    struct symbolic_options symbolic = {&options->sym_arg, &options->sym_args,   &options->sym_file,
                                        &options->sym_env, &options->sym_socket, options->sym_stdin,
                                        options->peers,    options->sym_input,   directory};
    if (nothing_symbolic(options, program) && ir_is_file_driver(program) && !*arguments) {
        log_line("nothing is symbolic: trying --sym-file input=0..16 -- input (LLVMFuzzerTestOneInput with a "
                 "main)");
        symbolic.file = &default_files;
        arguments = driver_arguments;
    } else if (nothing_symbolic(options, program)) {
        log_line("nothing is symbolic: trying --sym-args 0 2 4%s", options->stdin ? "" : " --sym-stdin 8");
        symbolic.args = &default_arguments;
        symbolic.stdin_size = "8";
    }
    if (strcmp(options->sym_input, "16") != 0 && !ir_is_harness(program))
        user_warning(
            "--sym-input has no effect: the program's main is run; --sym-file and --sym-stdin give it input");
    if (options->stdin) symbolic.stdin_size = NULL;
    static char *const no_variables[] = {NULL};
    bool good = program_inputs_make(program_inputs, &symbolic, name, arguments, no_variables);
    return stdin_is_good(options) && good;
}

struct front_options run_front_options(const struct run_options *options) {
    return (struct front_options){
        .no_libc = options->no_libc,
        .types = search_is_backward(options->search),
        .mark_entries = search_is_backward(options->search),
        .undefined_symbolic = options->undefined == 1,
        .join_conditions = options->join_conditions,
        .unwind = (uint64_t)options->unwind,
        .allow_undefined = options->allow_undefined || options->unmodelled != UNMODELLED_END,
        .checks = options->check,
        .unset = true,
    };
}
