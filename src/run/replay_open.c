// Opens a results folder for a replay: parses the run's options again, loads its program, and makes the work folder.
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "run/native_replay.h"
#include "run/out_folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Whether a file that a results folder names is a regular file: reading a FIFO or a device might never end. If not, an
// error has been reported.
static bool is_regular(const char *path, bool follow) {
    struct stat st;
    bool there = (follow ? stat(path, &st) : lstat(path, &st)) == 0;
    if (there && S_ISREG(st.st_mode)) return true;
    user_error_at(path, "Run the program again.", "%s", there ? "not a regular file" : strerror(errno));
    return false;
}

// Parses the run's command line again; the program is the kept bitcode.
static bool parse_run(struct native_replay *replay) {
    char **words = out_command(replay->arena, replay->description);
    if (!options_parse(run_table(), "run", OPERANDS_COMPILER, words, &replay->options, &replay->operands))
        return false;
    replay->options.solver_cache = NULL; // the folder may name any file
    replay->options.allow_undefined =
        true; // the run has accepted the program: an executable may have undefined names
    const char *bitcode = out_path(replay->arena, replay->folder, "program.bc");
    if (!is_regular(bitcode, false)) return false;
    vec_clear(&replay->operands.words);
    vec_push(&replay->operands.words, bitcode);
    const char *input = replay->options.stdin; // as the run saw it
    if (input && *input != '/') replay->options.stdin = out_path(replay->arena, replay->directory, input);
    const char *peers = replay->options.peers;
    if (peers && *peers != '/') replay->options.peers = out_path(replay->arena, replay->directory, peers);
    return (!input || is_regular(replay->options.stdin, true)) &&
           (!peers || is_regular(replay->options.peers, true));
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Hides files that the run's folder did not have when the run began: the engine has not seen them.
static void hide_new_entries(struct native_replay *replay) {
    const struct json_value *listed = json_get(replay->description, "entries");
    DIR *folder = listed ? opendir(replay->directory) : NULL;
    if (!folder) return;
    const char **names = ARENA_ARRAY(replay->arena, const char *, listed->count + 1);
    uint32_t count = 0;
    json_each(name, listed) names[count++] = name->text ? name->text : "";
    qsort(names, count, sizeof *names, by_text);
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct text name = {0};
        text_add_line(&name, entry->d_name, strlen(entry->d_name));
        const char *key = name.at;
        bool dots = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
        if (!dots && !bsearch(&key, names, count, sizeof *names, by_text))
            vec_push(&replay->program_inputs.hidden,
                     out_path(replay->arena, replay->directory, entry->d_name));
        text_free(&name);
    }
    closedir(folder);
}

static void set_explore_options(struct native_replay *replay) {
    program_inputs_hide(&replay->program_inputs, replay->folder, replay->directory);
    hide_new_entries(replay);
    if (replay->work) vec_push(&replay->program_inputs.hidden, replay->work);
    replay->explore = run_explore_options(&replay->options, &replay->program_inputs, replay->directory);
}

static bool load_program(struct native_replay *replay) {
    struct front_options front = run_front_options(&replay->options);
    front.allow_undefined = true; // the run has checked this; the kept bitcode has no list of libraries
    struct front_input input = {replay->operands.words.at, replay->operands.words.count};
    replay->program = front_load(&input, &front, NULL);
    const char *name = json_get_text(replay->description, "program", "program");
    if (replay->program && replay->options.as_recorded) return true; // each test has its own
    if (!replay->program || !run_program_inputs(&replay->program_inputs, &replay->options, &replay->operands,
                                                name, replay->directory, replay->program))
        return false;
    replay->fuzzer = !ir_find_function(replay->program, "main");
    set_explore_options(replay);
    return true;
}

void replay_set_inputs(struct native_replay *replay, struct test_case *test) {
    if (!replay->options.as_recorded) return;
    if (replay->program_inputs.arena) program_inputs_free(&replay->program_inputs);
    recorded_program_inputs(&replay->program_inputs, test, 1, replay->options.symbolic);
    set_explore_options(replay);
    const struct vm_start_config *environment = replay->program_inputs.environments.at;
    replay->explore.machine.host.sockets = environment->sockets;
    replay->explore.machine.host.socket_count = environment->socket_count;
}

bool replay_make_work(struct native_replay *replay) {
    const char *parent = getenv("TMPDIR");
    struct text work = {0};
    text_add(&work, "%s/tamar-replay-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(work.at)) {
        user_error_at(work.at, "Set TMPDIR to a directory that can be written.", "%s", strerror(errno));
        text_free(&work);
        return false;
    }
    replay->work = arena_strdup(replay->arena, work.at);
    text_add(&work, "/%s", replay_build_names[BUILD_GCOV]);
    replay->counts = arena_strdup(replay->arena, work.at);
    if (mkdir(replay->counts, 0700) != 0) {
        user_error_at(replay->counts, NULL, "cannot be created: %s", strerror(errno));
        text_free(&work);
        return false;
    }
    text_free(&work);
    if (replay->program_inputs.arena) {
        vec_push(&replay->program_inputs.hidden, replay->work);
        replay->explore.machine.host.hidden = replay->program_inputs.hidden.at;
        replay->explore.machine.host.hidden_count = replay->program_inputs.hidden.count;
    }
    return true;
}

const char *const *replay_hidden(struct native_replay *replay) {
    uint32_t count = 0;
    const char **paths = ARENA_ARRAY(replay->arena, const char *, replay->program_inputs.hidden.count + 1);
    vec_each (const char *, path, &replay->program_inputs.hidden)
        if (*path != replay->work) paths[count++] = *path;
    return paths;
}

bool replay_open(struct native_replay *replay, const char *folder) {
    char absolute[PATH_MAX];
    if (!realpath(folder, absolute)) {
        user_error_at(folder, "Name the folder that `tamar run` made.", "%s", strerror(errno));
        return false;
    }
    replay->folder = arena_strdup(replay->arena, absolute);
    replay->description = out_read_json(replay->arena, absolute, "program.json");
    if (!replay->description || !out_check_format(folder, replay->description)) return false;
    replay->directory = json_get_text(replay->description, "directory", "/");
    return parse_run(replay) && load_program(replay);
}

void replay_close(struct native_replay *replay) {
    if (replay->work) file_remove_tree(replay->work);
    if (replay->program_inputs.arena) program_inputs_free(&replay->program_inputs);
    ir_program_free(replay->program);
    text_free(&replay->own_choices);
    if (replay->description) {
        options_free(run_table(), &replay->options);
        operands_free(&replay->operands);
    }
    arena_free(replay->arena);
}
