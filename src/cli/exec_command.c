// `tamar exec`: one concrete run that behaves like a native one, with the checks of --check.
#include "base/arena.h"
#include "base/error.h"
#include "base/run_limits.h"
#include "cli/command.h"
#include "explore/hang.h"
#include "explore/render.h"
#include "front/front.h"
#include "output/report.h"
#include "run/check_options.h"
#include "run/common_options.h"
#include "run/further_programs.h"
#include "run/peers.h"
#include "run/save_files.h"
#include "solver/solver.h"
#include "vm/vm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Exit statuses that programs rarely use; `env` and `timeout` use the same.
#define EXIT_EXEC_BUG          125
#define EXIT_EXEC_NOT_MODELLED 126

#define EXEC_OPTIONS(X, T)                                                                                   \
    CHECK_OPTIONS(X, T)                                                                                      \
    X(T, TEXT, peers, "FILE", NULL, "a script of the peers that talk to the program (docs/sockets.md)")      \
    X(T, TEXT, save_files, "DIR", NULL, "save the files of the program in DIR when it ends")                 \
    X(T, SECONDS, max_time, "S", 0, "end after this time (0: no limit)")                                     \
    X(T, NUMBER, max_memory, "MB", 4000, 0, 1000000, "end beyond this much memory (0: no limit)")            \
    X(T, NUMBER, max_instructions, "N", 0, 0, UINT64_MAX, "stop after about N instructions (0: never)")      \
    X(T, NUMBER, stack_size, "MB", 64, 1, 1024, "size of the program's stack")                               \
    X(T, FLAG, no_libc, 0, "do not link a C library")                                                        \
    X(T, CHOICE, unmodelled, "end|error|native", "end",                                                      \
      "a call that is not modelled ends the path, fails with ENOSYS, or runs natively")                      \
    X(T, FLAG, allow_undefined, 0,                                                                           \
      "load a program with functions that have no body; a path that calls one ends there")                   \
    X(T, FLAG, stats, 0, "print the number of instructions at the end")                                      \
    PROGRAM_OPTIONS(X, T)                                                                                    \
    NATIVE_OPTIONS(X, T)                                                                                     \
    COMMON_OPTIONS(X, T)

OPTIONS_STRUCT(exec_options, EXEC_OPTIONS)
OPTIONS_TABLE(exec_options, EXEC_OPTIONS)

// ---- the program's streams, which are those of Tamar

struct host_work {
    const char *folder; // for the program's files
    bool failed;        // a file could not be saved
    bool received;      // standard input gave bytes
};

static int64_t host_read(void *context, int fd, void *buffer, uint64_t size, int64_t offset) {
    struct host_work *work = context;
    ssize_t got = offset < 0 ? read(fd, buffer, size) : pread(fd, buffer, size, offset);
    work->received |= got > 0;
    return got < 0 ? -errno : got;
}

static int64_t host_write(void *context, int fd, const void *buffer, uint64_t size) {
    ssize_t put = write(fd, buffer, size);
    return put < 0 ? -errno : put;
}

static void host_log(void *context, const char *message) {
    struct text line = {0};
    text_add_line(&line, message, strlen(message));
    fprintf(stderr, "tamar: %s\n", line.at ? line.at : "");
    text_free(&line);
}

static void save_file(void *context, const char *path, int kind, unsigned mode, const void *content,
                      uint64_t size) {
    struct host_work *work = context;
    work->failed |= !save_file_below(work->folder, path, kind, mode, content, size);
}

// ---- the run

static const char *program_name(const struct operands *operands) {
    vec_each (const char *, word, &operands->words)
        if ((*word)[0] != '-') return *word;
    return "program";
}

static void say_bug(struct vm *vm, const struct bug *bug, enum vm_event event) {
    struct text text = {0};
    struct arena *arena = arena_new();
    report_add_short(&text, render_bug(arena, vm, bug, NULL), event == VM_NOT_MODELLED);
    fputs(text.at, stderr);
    text_free(&text);
    arena_free(arena);
}

static int at_limit(void) {
    static const char *const names[] = {
        "the limit of instructions is reached",
        "--max-time is reached",
        "--max-memory is reached",
        "interrupted",
    };
    fprintf(stderr, "tamar: %s\n", names[limits_reached()]);
    return EXIT_LIMIT;
}

static int exec_outcome(struct vm *vm, enum vm_event event) {
    switch (event) {
    case VM_EXITED:
    case VM_SIGNALLED: return vm_exit_status(vm);
    case VM_STOPPED:
        fputs("tamar: the run ends at an assumption that does not hold\n", stderr);
        return EXIT_OK;
    case VM_BUDGET: return at_limit();
    case VM_FAILED: // the sink has reported it
        return EXIT_EXEC_BUG;
    case VM_FORKED:
    case VM_DEFERRED:
    case VM_UNKNOWN: error_internal("a symbolic outcome of a concrete run");
    case VM_BUG:
    case VM_NOT_MODELLED: break;
    }
    say_bug(vm, vm_bug(vm), event);
    return event == VM_BUG ? EXIT_EXEC_BUG : EXIT_EXEC_NOT_MODELLED;
}

// Called when the check for uninitialised memory reports a bug. The run is concrete, so no state continues after it.
static void found_bug(void *context, struct state *failing, const struct bug *bug) {
    struct vm *vm = *(struct vm **)context;
    say_bug(vm, bug, VM_BUG);
    vm_free_state(vm, failing);
}

static void forked(void *context, struct state *parent, struct state *child) {
    error_internal("a concrete run forks");
}

// Instructions between two checks of the limits, for code without other polls.
#define SLICE 5000000u

struct execution {
    struct vm *vm;
    struct state *state;
    uint64_t left; // instructions
    enum vm_event event;
    struct host_work *work;
    bool wants_hangs;
    struct hang_watch watch;
};

// Runs one slice. Returns whether the program may continue.
static bool execute_slice(struct execution *execution) {
    struct state *state = execution->state;
    uint64_t before = state->instructions, most = MIN(execution->left, SLICE);
    uint32_t covered = shared_list_count(state->coverage.fresh);
    execution->work->received = false;
    execution->event = vm_run(execution->vm, state,
                              execution->wants_hangs ? hang_watch_budget(&execution->watch, most) : most);
    uint64_t done = state->instructions - before;
    execution->left -= MIN(execution->left, done);
    if (execution->event != VM_BUDGET) return false;
    // Input is progress: the next bytes may be others, even if all bytes so far left the state as it was.
    bool progress = execution->work->received || shared_list_count(state->coverage.fresh) != covered;
    if (execution->wants_hangs && progress) {
        hang_watch_clear(&execution->watch, execution->vm);
    } else if (execution->wants_hangs && hang_watch_step(&execution->watch, execution->vm, state, done)) {
        execution->event = VM_BUG;
        return false;
    }
    return execution->left && !limits_over();
}

static void execute(void *context) {
    while (execute_slice(context)) continue;
}

typedef vec(struct vm_text) text_list;

// Collects the program's command line, and the environment variables of this process.
static void collect_words(const struct operands *operands, text_list *arguments, text_list *variables) {
    vec_push(arguments, ((struct vm_text){program_name(operands), 0}));
    for (unsigned i = 0; i < operands->argument_count; i++)
        vec_push(arguments, ((struct vm_text){operands->arguments[i], 0}));
    for (char **variable = environ; *variable; variable++)
        vec_push(variables, ((struct vm_text){*variable, 0}));
}

static int run_state(struct vm *vm, struct state *state, const struct exec_options *options,
                     struct host_work *work) {
    struct execution execution = {.vm = vm,
                                  .state = state,
                                  .left = options->max_instructions ? options->max_instructions : UINT64_MAX,
                                  .event = VM_BUDGET,
                                  .work = work,
                                  .wants_hangs = check_wanted(options->check, CHECK_HANG)};
    limits_begin(0);
    limits_allow_kill("the program was running", "");
    if (!limits_run(execute, &execution)) {
        fflush(stdout);
        exit(at_limit()); // the abandoned state is inconsistent
    }
    int status = exec_outcome(vm, execution.event);
    if (work->failed && status == 0) status = EXIT_INTERNAL; // as after a failed write to standard output
    if (options->stats)
        fprintf(stderr, "tamar: %llu instructions\n", (unsigned long long)state->instructions);
    hang_watch_clear(&execution.watch, vm);
    return status;
}

static int run_program(const struct ir_program *program, const struct exec_options *options,
                       const struct operands *operands) {
    struct text peers = {0};
    struct host_work work = {.folder = options->save_files};
    if (options->peers && !peers_read(options->peers, &peers)) return EXIT_USAGE;
    char *directory = getcwd(NULL, 0);
    struct vm_options machine = {
        .host = {.context = &work,
                 .read = host_read,
                 .write = host_write,
                 .log = host_log,
                 .save_file = options->save_files ? save_file : NULL,
                 .wants_files = options->save_files != NULL,
                 .host_files = true,
                 .unmodelled = (enum unmodelled)options->unmodelled,
                 .start_time = time(NULL),
                 .peers = peers.count ? &peers : NULL,
                 .directory = directory},
        .stack_size = options->stack_size << 20,
        .checks = options->check,
        .concrete = true,
    };
    struct vm *vm = NULL;
    if (check_wanted(options->check, CHECK_UNINIT)) {
        machine.terms = terms_new();
        machine.solver = solver_new(machine.terms, &solver_defaults);
        machine.sink = (struct vm_sink){.context = &vm, .forked = forked, .found = found_bug};
    }
    text_list arguments = {0}, variables = {0};
    collect_words(operands, &arguments, &variables);
    struct vm_start_config environment = {.arguments = arguments.at,
                                          .argument_count = arguments.count,
                                          .variables = variables.at,
                                          .variable_count = variables.count};

    vm = vm_new(program, &machine);
    struct state *state = vm_start(vm, &environment);
    int status = run_state(vm, state, options, &work);
    vm_free_state(vm, state);
    vm_free(vm);
    if (machine.solver) solver_free(machine.solver);
    if (machine.terms) terms_free(machine.terms);
    vec_free(&arguments);
    vec_free(&variables);
    text_free(&peers);
    free(directory);
    return status;
}

static int run(const struct command *command, char **argv) {
    struct exec_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    NATIVE_APPLY(&options);
    limits_open(options.max_time, options.max_memory << 20, "the program was being loaded");
    limits_catch_signals();
    struct front_input input = {operands.words.at, operands.words.count};
    struct front_options front = {
        .no_libc = options.no_libc,
        .allow_undefined = options.allow_undefined || options.unmodelled != UNMODELLED_END,
        .checks = options.check,
    };
    struct arena *arena = arena_new();
    bool good = true;
    front.programs = further_programs(&options.program, arena, &good);
    front.program_count = good ? options.program.count : 0;
    struct ir_program *program = good ? front_load(&input, &front, NULL) : NULL;
    arena_free(arena);
    status = program ? run_program(program, &options, &operands) : EXIT_USAGE;
    ir_program_free(program);
    options_free(command->options, &options);
    operands_free(&operands);
    limits_close();
    return status;
}

const struct command exec_command = {
    .name = "exec",
    .help = "run a program once, concretely, with the checks of `tamar run`",
    .operands = "PROGRAM [-- ARGS...]",
    .description =
        "Runs the program in the engine, as a native run would behave: the program gets Tamar's standard "
        "streams, the given arguments and the environment, and its exit status is Tamar's.\n\n"
        "A bug is reported on standard error and ends the run with status 125; something that is not "
        "modelled, with status 126. Files that the program writes stay in memory; --save-files saves them.",
    .options = &exec_options_table,
    .style = OPERANDS_COMPILER,
    .run = run,
};
