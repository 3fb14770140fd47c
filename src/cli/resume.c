#include "cli/resume.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/out_folder.h"
#include "explore/checkpoint.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Options of the new command line; everything else is the old one's.
#define NEW_OPTIONS(X)                                                                                       \
    X(max_time)                                                                                              \
    X(max_memory)                                                                                            \
    X(max_tests)                                                                                             \
    X(max_depth)                                                                                             \
    X(max_forks)                                                                                             \
    X(max_instructions)                                                                                      \
    X(max_paths)                                                                                             \
    X(solver_timeout)                                                                                        \
    X(log_queries)                                                                                           \
    X(json)                                                                                                  \
    X(color)                                                                                                 \
    X(quiet)                                                                                                 \
    X(verbose)

static bool read_description(struct resumed *resumed, const char *folder) {
    char absolute[PATH_MAX];
    if (!realpath(folder, absolute)) {
        user_error_at(folder, "Name the folder that `tamar run` made.", "%s", strerror(errno));
        return false;
    }
    resumed->folder = arena_strdup(resumed->arena, absolute);
    const struct json_value *description = out_read_json(resumed->arena, absolute, "program.json");
    if (!description) return false;
    const char *version = json_get_text(description, "version", "");
    if (strcmp(version, version_line) != 0) {
        user_error_at(folder, "Run the program anew, or use that version.",
                      "the run was made by another version: %s", version);
        return false;
    }
    if (!strcmp(json_get_text(description, "kind", "run"), "regress")) {
        user_error_at(
            folder,
            "Give the same `tamar regress` again, with a longer --max-time; --seeds can name this folder, "
            "to start from its tests.",
            "a run of `tamar regress` cannot go on: it compares all of its tests when it ends");
        return false;
    }
    const struct json_value *command = json_get(description, "command");
    resumed->command = ARENA_ARRAY(resumed->arena, char *, (command ? command->count : 0) + 1);
    uint32_t count = 0;
    json_each(word, command) resumed->command[count++] =
        arena_strdup(resumed->arena, word->text ? word->text : "");
    resumed->directory = json_get_text(description, "directory", "/");
    return true;
}

// The new command line is about the directory that it was given in.
static const char *here(struct arena *arena, const char *path) {
    char directory[PATH_MAX];
    return path && *path != '/' && getcwd(directory, sizeof directory) ? out_path(arena, directory, path)
                                                                       : path;
}

bool resume_options(struct resumed *resumed, struct run_options *options, struct operands *operands) {
    resumed->arena = arena_new();
    if (operands->words.count) {
        user_error_at("--resume", "Leave the program out: it is the one of the interrupted run.",
                      "'%s' is one operand too many", operands->words.at[0]);
        return false;
    }
    struct run_options old = {0};
    struct operands old_operands = {0};
    if (!read_description(resumed, options->resume) ||
        !options_parse(run_table(), "run", OPERANDS_COMPILER, resumed->command, &old, &old_operands))
        return false;
#define X(name) old.name = options->name;
    NEW_OPTIONS(X)
#undef X
    old.log_queries = here(resumed->arena, old.log_queries);
    options_free(run_table(), options);
    operands_free(operands);
    *options = old;
    *operands = old_operands;
    if (chdir(resumed->directory) == 0) return true;
    user_error_at(resumed->directory, "The run was started there; put it back, or run anew.", "%s",
                  strerror(errno));
    return false;
}

static bool same_program(struct resumed *resumed, const struct text *bitcode) {
    const char *path = out_path(resumed->arena, resumed->folder, "program.bc");
    struct text kept = {0};
    bool same = file_read(path, &kept) && kept.count == bitcode->count &&
                !memcmp(kept.at ? kept.at : "", bitcode->at ? bitcode->at : "", kept.count);
    text_free(&kept);
    if (!same)
        user_error_at(resumed->folder, "Run it anew; the tests that are there can serve as --seeds.",
                      "the program has changed since the run was interrupted");
    return same;
}

bool resume_read(struct resumed *resumed, const struct ir_program *program, const struct text *bitcode) {
    const char *path = out_path(resumed->arena, resumed->folder, "checkpoint");
    struct text bytes = {0}, problem = {0};
    if (!same_program(resumed, bitcode)) return false;
    if (!file_read(path, &bytes))
        user_error_at(path, "Run it anew: it ended before anything could be kept.", "%s", strerror(errno));
    else if (!(resumed->checkpoint =
                   checkpoint_read(resumed->arena, bytes.at ? bytes.at : "", bytes.count, program, &problem)))
        user_error_at(path, "Run it anew; the tests that are there can serve as --seeds.",
                      "the file is damaged, or of another version: %s", problem.at);
    text_free(&bytes);
    text_free(&problem);
    return resumed->checkpoint;
}

void resumed_free(struct resumed *resumed) { arena_free(resumed->arena); }
