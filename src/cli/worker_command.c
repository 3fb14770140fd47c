// `tamar worker`: lends this machine to a run that is shared through Redis.
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/run_limits.h"
#include "cli/command.h"
#include "cluster/crew.h"
#include "cluster/parcel.h"
#include "cover/targets.h"
#include "front/front.h"
#include "run/common_options.h"
#include "run/jobs.h"
#include "run/known.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORKER_OPTIONS(X, T)                                                                                 \
    X(T, TEXT, jobs, "N", "auto", "number of processes; auto: one for each processor that may be used")      \
    X(T, NUMBER, max_memory, "MB", 4000, 0, 1000000, "memory limit for all processes together (0: none)")    \
    X(T, SECONDS, wait, "S", 30, "wait at most S seconds for the server and the run")                        \
    NATIVE_OPTIONS(X, T)                                                                                     \
    COMMON_OPTIONS(X, T)
OPTIONS_STRUCT(worker_command_options, WORKER_OPTIONS)
OPTIONS_TABLE(worker_command_options, WORKER_OPTIONS)

#define REPLY_SECONDS 5.0
#define LOOK_MS       100
#define END_SECONDS   20.0 // time for the last commits of workers that were asked to end

struct lending {
    const struct worker_command_options *options;
    struct board *board;
    struct board_meta meta;
    struct parcel parcel;
    struct ir_program *program;
    struct targets *targets;     // NULL: none
    struct known_reports *known; // NULL: none
    uint32_t jobs;
    char folder[64]; // temporary folder with the program and standard input; empty: none
};

// ---- the run

static void say_away(const struct lending *lending, const char *remedy) {
    struct text address = {0};
    redis_add_address(&address, board_address(lending->board));
    user_error_at(address.at, remedy, "%s",
                  lending->meta.state == BOARD_NONE ? "there is no such run" : board_problem(lending->board));
    text_free(&address);
}

// Returns false if the run does not exist.
static bool find_run(struct lending *lending) {
    double began = limits_elapsed();
    while (!limits_over()) {
        board_meta_free(&lending->meta);
        bool answers = board_read_meta(lending->board, &lending->meta);
        if (answers && lending->meta.state != BOARD_NONE) return true;
        if (!answers && redis_was_refused(board_redis(lending->board)))
            break; // a wrong password: trying again does not help
        if (limits_elapsed() - began >= lending->options->wait) break;
        clock_pause(LOOK_MS);
    }
    say_away(lending, lending->meta.state == BOARD_NONE
                          ? "Start it: tamar run PROGRAM ... --workers URL."
                          : "Is redis-server running there, and does it take connections from this host?");
    return false;
}

static bool version_fits(const struct lending *lending) {
    if (!strcmp(lending->meta.version.at, version_line)) return true;
    struct text theirs = {0};
    text_add_line(&theirs, lending->meta.version.at, lending->meta.version.count);
    user_error_at(lending->meta.host.at, "Install the same version here.",
                  "the run was started by another version: %s; this is %s", theirs.at, version_line);
    text_free(&theirs);
    return false;
}

static bool fetch(struct lending *lending, const struct text *name, const char *what, struct text *to) {
    if (board_get_blob(lending->board, name->at, to)) return true;
    user_error_at(board_address(lending->board)->run, "Start the run again.",
                  "the %s that it names is not in Redis, or is damaged", what);
    return false;
}

static bool put_file(struct lending *lending, const char *name, const void *bytes, size_t size,
                     struct text *path) {
    text_add(path, "%s/%s", lending->folder, name);
    if (file_write(path->at, bytes, size)) return true;
    user_error_at(path->at, "Set TMPDIR to a directory with free space.", "%s", strerror(errno));
    return false;
}

static bool make_folder(struct lending *lending) {
    const char *parent = getenv("TMPDIR");
    int size = snprintf(lending->folder, sizeof lending->folder, "%.40s/tamar-worker-XXXXXX",
                        parent && *parent && strlen(parent) <= 40 ? parent : "/tmp");
    assert(size > 0);
    if (mkdtemp(lending->folder)) return true;
    user_error_at(lending->folder, "Set TMPDIR to a directory that can be written.", "%s", strerror(errno));
    lending->folder[0] = 0;
    return false;
}

static uint32_t mark(void *context, const char *file, uint32_t line, const char *function) {
    const struct parcel_front *how = context;
    (void)function;
    for (uint32_t i = 0; i < how->target_count; i++)
        if (how->targets[i].line == line && !strcmp(how->targets[i].file, file)) return i + 1;
    return 0;
}

static const char *find_known(const void *context, const struct finding *finding) {
    return known_match(context, finding);
}

// Makes the targets and the list of known reports from the data. Returns false if an error has been reported.
static bool set_aims(struct lending *lending) {
    const struct parcel_front *how = &lending->parcel.front;
    struct explore_options *explore = &lending->parcel.explore;
    if (lending->program->mark_count > how->target_count ||
        (explore->machine.changed && lending->parcel.changed_size != lending->program->location_count)) {
        user_error_at(board_address(lending->board)->run, NULL, "the data in Redis is rejected: %s",
                      "its targets or changed lines are not those of the program");
        return false;
    }
    if (how->target_count) explore->targets = lending->targets = targets_new(lending->program);
    if (!how->known) return true;
    lending->known = known_parse(how->known_name, how->known);
    explore->known = find_known;
    explore->known_context = lending->known;
    return lending->known != NULL;
}

static bool load_program(struct lending *lending, const struct text *bitcode) {
    struct text path = {0};
    struct parcel_front *how = &lending->parcel.front;
    struct front_options front = {.no_libc = how->no_libc,
                                  .allow_undefined = true, // the starter of the run has checked this
                                  .checks = how->checks,
                                  .unset = true};
    if (how->target_count) {
        front.mark = mark;
        front.mark_context = how;
    }
    if (put_file(lending, "program.bc", bitcode->at, bitcode->count, &path)) {
        const char *word = path.at;
        struct front_input input = {&word, 1};
        lending->program = front_load(&input, &front, NULL);
    }
    text_free(&path);
    if (lending->program && parcel_form(lending->program) != lending->parcel.form) {
        user_error_at(lending->parcel.name, "Install the same build of Tamar on all machines.",
                      "the program is not the same here: another build of Tamar or of its C library");
        return false;
    }
    return lending->program && set_aims(lending);
}

// Fetches the program and its inputs. Returns false if an error has been reported.
static bool take_run(struct lending *lending) {
    struct text parcel = {0}, bitcode = {0}, problem = {0};
    bool good = fetch(lending, &lending->meta.run, "run", &parcel) &&
                fetch(lending, &lending->meta.program, "program", &bitcode);
    if (good && !parcel_read(&lending->parcel, parcel.at, parcel.count, &problem)) {
        user_error_at(board_address(lending->board)->run, NULL, "the data in Redis is rejected: %s",
                      problem.at);
        good = false;
    }
    good = good && make_folder(lending) && load_program(lending, &bitcode);
    text_free(&parcel);
    text_free(&bitcode);
    text_free(&problem);
    return good;
}

static bool give_input(struct lending *lending, struct text *path) {
    const struct parcel *parcel = &lending->parcel;
    if (!parcel->input_file) return true;
    if (!put_file(lending, "stdin", parcel->input_file, parcel->input_file_size, path)) return false;
    lending->parcel.explore.machine.host.input_file = path->at;
    return true;
}

// ---- the work

static int work(struct lending *lending) {
    struct text input = {0};
    if (!give_input(lending, &input)) return EXIT_USAGE;
    lending->parcel.explore.max_memory = lending->options->max_memory << 20;
    struct crew_options options = {.jobs = lending->jobs,
                                   .max_memory = lending->options->max_memory << 20,
                                   .timeout = lending->meta.timeout,
                                   .board = lending->board,
                                   .program = lending->program,
                                   .explore = &lending->parcel.explore,
                                   .foreign = true,
                                   .user = lending->parcel.user,
                                   .group = lending->parcel.group};
    struct crew *crew = crew_new(&options);
    log_line("working for %s: %u processes", lending->parcel.name, lending->jobs);
    bool good = true;
    while (good && !limits_over() && (crew_state(crew) == BOARD_RUN || crew_count(crew))) {
        good = crew_tend(crew, crew_state(crew) == BOARD_RUN);
        clock_pause(LOOK_MS);
    }
    crew_end(crew, END_SECONDS);
    bool over = crew_state(crew) != BOARD_RUN;
    if (good)
        log_line(over ? "the run is over" : "asked to end: the states of this worker go to other workers");
    crew_free(crew);
    text_free(&input);
    return !good ? EXIT_INTERNAL : over ? EXIT_OK : EXIT_LIMIT;
}

static int lend(struct lending *lending) {
    if (!find_run(lending) || !version_fits(lending)) return EXIT_USAGE;
    if (lending->meta.state != BOARD_RUN) {
        log_line("the run is over");
        return EXIT_OK;
    }
    int status = take_run(lending) ? work(lending) : EXIT_USAGE;
    if (lending->folder[0]) file_remove_tree(lending->folder);
    return status;
}

static int run(const struct command *command, char **argv) {
    struct worker_command_options options;
    struct operands operands;
    struct redis_address address;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    NATIVE_APPLY(&options);
    struct lending lending = {.options = &options};
    status = EXIT_USAGE;
    if (operands.words.count != 1) {
        user_error_at("worker", "Give the address of one run: tamar worker redis://HOST:PORT/RUN.",
                      operands.words.count ? "there are %u operands" : "there is no address",
                      operands.words.count);
    } else if (jobs_parse(options.jobs, &lending.jobs) && redis_parse(operands.words.at[0], &address)) {
        limits_open(0, 0, "the program was being loaded");
        limits_begin(0);
        limits_catch_signals();
        lending.board = board_new(&address, REPLY_SECONDS);
        status = lend(&lending);
        limits_end();
        limits_close();
        board_free(lending.board);
        board_meta_free(&lending.meta);
        if (lending.parcel.arena) parcel_free(&lending.parcel);
        known_free(lending.known);
        targets_free(lending.targets);
        ir_program_free(lending.program);
    }
    options_free(command->options, &options);
    operands_free(&operands);
    return status;
}

const struct command worker_command = {
    .name = "worker",
    .help = "lend this machine to a run that is shared through Redis",
    .operands = "redis://HOST:PORT/RUN",
    .description = "Takes part in the run that `tamar run PROGRAM ... --workers redis://HOST:PORT/RUN` has "
                   "started, with all "
                   "processors of this machine. The program and all inputs come from Redis. Workers "
                   "may join and leave "
                   "at any time.\n\n"
                   "The status is 0 when the run is over, 3 when the worker was asked to end (SIGTERM, "
                   "Ctrl-C) before that.",
    .options = &worker_command_options_table,
    .style = OPERANDS_PLAIN,
    .run = run,
};
