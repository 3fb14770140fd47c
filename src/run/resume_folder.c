#include "run/resume_folder.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "explore/checkpoint.h"
#include "output/database.h"
#include "output/results.h"
#include "run/out_folder.h"
#include "run/resume_tests.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Options that the new command line may set. All others stay as in the interrupted run. Options that name a file or
// folder to which Tamar writes must be here: program.json may have been made by someone else.
#define NEW_OPTIONS(X)                                                                                       \
    X(max_time)                                                                                              \
    X(max_memory)                                                                                            \
    X(jobs)                                                                                                  \
    X(workers)                                                                                               \
    X(worker_timeout)                                                                                        \
    X(max_tests)                                                                                             \
    X(max_depth)                                                                                             \
    X(max_forks)                                                                                             \
    X(max_instructions)                                                                                      \
    X(max_paths)                                                                                             \
    X(max_bugs)                                                                                              \
    X(solver_timeout)                                                                                        \
    X(checkpoint_every)                                                                                      \
    X(solver_cache)                                                                                          \
    X(afl_sync)                                                                                              \
    X(log_queries)                                                                                           \
    X(log_statements)                                                                                        \
    X(serve)                                                                                                 \
    X(json)                                                                                                  \
    X(color)                                                                                                 \
    X(quiet)                                                                                                 \
    X(verbose)

static bool read_description(struct resumed *resumed, const char *folder, const char *version) {
    char absolute[PATH_MAX];
    if (!realpath(folder, absolute)) {
        user_error_at(folder, "Name the folder that `tamar run` made.", "%s", strerror(errno));
        return false;
    }
    resumed->folder = arena_strdup(resumed->arena, absolute);
    const struct json_value *description = out_read_json(resumed->arena, absolute, "program.json");
    if (!description) return false;
    if (!out_check_format(folder, description)) return false;
    const char *other = json_get_text(description, "version", "");
    if (strcmp(version, other) != 0) {
        user_error_at(folder, "Run the program again, or use that version.",
                      "the run was made by another version: %s", other);
        return false;
    }
    if (!strcmp(json_get_text(description, "kind", "run"), "regress")) {
        user_error_at(
            folder,
            "Give the same `tamar regress` again, with a longer --max-time; --seeds can name this folder, "
            "to start from its tests.",
            "a run of `tamar regress` cannot be resumed: it compares all of its tests when it ends");
        return false;
    }
    resumed->command = out_command(resumed->arena, description);
    resumed->directory = json_get_text(description, "directory", "/");
    return true;
}

// Paths of the new command line are relative to the directory in which it was given.
static const char *here(struct arena *arena, const char *path) {
    char directory[PATH_MAX];
    return path && *path != '/' && getcwd(directory, sizeof directory) ? out_path(arena, directory, path)
                                                                       : path;
}

static void say_not_continued(const char *option, const char *before, const char *now) {
    if (before && !now) log_line("%s is not continued: give it again", option);
}

bool resume_options(struct resumed *resumed, const char *version, struct run_options *options,
                    struct operands *operands) {
    resumed->arena = arena_new();
    resumed->lock = -1;
    if (operands->words.count) {
        user_error_at("--resume", "Leave the program out: it is the one of the interrupted run.",
                      "'%s' is an unexpected operand", operands->words.at[0]);
        return false;
    }
    struct run_options old = {0};
    struct operands old_operands = {0};
    if (!read_description(resumed, options->resume, version) ||
        !options_parse(run_table(), "run", OPERANDS_COMPILER, resumed->command, &old, &old_operands))
        return false;
    say_not_continued("--solver-cache", old.solver_cache, options->solver_cache);
    say_not_continued("--afl-sync", old.afl_sync, options->afl_sync);
#define X(name) old.name = options->name;
    NEW_OPTIONS(X)
#undef X
    old.log_queries = here(resumed->arena, old.log_queries);
    old.solver_cache = here(resumed->arena, old.solver_cache);
    old.afl_sync = here(resumed->arena, old.afl_sync);
    old.log_statements = here(resumed->arena, old.log_statements);
    options_free(run_table(), options);
    operands_free(operands);
    *options = old;
    *operands = old_operands;
    if (chdir(resumed->directory) == 0) return true;
    user_error_at(resumed->directory, "The run was started in this folder: restore it, or start a new run.",
                  "%s", strerror(errno));
    return false;
}

static bool same_program(struct resumed *resumed, const struct text *bitcode) {
    const char *path = out_path(resumed->arena, resumed->folder, "program.bc");
    struct text kept = {0};
    bool same = file_read(path, &kept) && kept.count == bitcode->count &&
                !memcmp(kept.at ? kept.at : "", bitcode->at ? bitcode->at : "", kept.count);
    text_free(&kept);
    if (!same)
        user_error_at(resumed->folder, "Run it again; the tests that are there can serve as --seeds.",
                      "the program has changed since the run was interrupted");
    return same;
}

// ---- the checkpoint

static bool database_fits(const struct resumed *resumed) {
    struct text problem = {0};
    bool whole = database_is_whole(resumed->folder, &problem);
    if (!whole)
        user_error_at(
            resumed->folder,
            "Remove run.db, run.db-wal and run.db-shm and resume again: only the statistics so far are lost.",
            "run.db is damaged: %s", problem.at ? problem.at : "");
    text_free(&problem);
    return whole;
}

static bool read_checkpoint(struct resumed *resumed, const struct ir_program *program) {
    const char *path = out_path(resumed->arena, resumed->folder, "checkpoint");
    struct text bytes = {0}, problem = {0};
    bool read = file_read(path, &bytes), none = !read && errno == ENOENT;
    if (none)
        log_line(
            "the run ended before its first checkpoint: it starts again, and keeps the tests that are there");
    else if (!read)
        user_error_at(path, NULL, "%s", strerror(errno));
    else if (!(resumed->checkpoint =
                   checkpoint_read(resumed->arena, bytes.at ? bytes.at : "", bytes.count, program, &problem)))
        user_error_at(path, "Remove it to start again; the tests that are there are kept.",
                      "the file is damaged, or of another version: %s", problem.at);
    text_free(&bytes);
    text_free(&problem);
    return none || resumed->checkpoint;
}

bool resume_read(struct resumed *resumed, const struct ir_program *program, const struct text *bitcode) {
    resumed->lock = results_lock(resumed->folder);
    if (resumed->lock < 0 || !same_program(resumed, bitcode) || !database_fits(resumed) ||
        !read_checkpoint(resumed, program))
        return false;
    resume_tests(resumed);
    return true;
}

void resumed_free(struct resumed *resumed) {
    if (resumed->arena && resumed->lock >= 0) close(resumed->lock);
    arena_free(resumed->arena);
}
