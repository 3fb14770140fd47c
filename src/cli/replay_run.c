// One native run of a test.
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/replay_int.h"
#include "output/tests.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRACE_SIZE  ((off_t)1 << 30) // sparse: only what is written takes room
#define MOST_ERRORS (1u << 20)

static const char *path_in(struct replay *replay, const char *folder, const char *name) {
    struct text path = {0};
    text_add(&path, "%s/%s", folder, name);
    const char *copy = arena_strdup(replay->arena, path.at);
    text_free(&path);
    return copy;
}

// A private folder with the test as plain files; its files also stand where the program will look for them.
static const char *make_folder(struct replay *replay, const struct test_case *test) {
    const char *folder = path_in(replay, replay->work, "run");
    file_remove_tree(folder);
    if (mkdir(folder, 0700) != 0 || !test_write_files(folder, test)) {
        user_error_at(folder, "Is the disk full?", "cannot be written: %s", strerror(errno));
        return NULL;
    }
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        if (input->kind != INPUT_FILE || input->name[0] == '/' || strstr(input->name, "..")) continue;
        char *path = (char *)path_in(replay, path_in(replay, folder, "here"), input->name);
        for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
            *slash = 0;
            mkdir(path, 0777);
            *slash = '/';
        }
        file_write(path, input->bytes, input->size);
    }
    mkdir(path_in(replay, folder, "here"), 0777);
    return folder;
}

static bool make_trace(const char *path) {
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = fd >= 0 && ftruncate(fd, TRACE_SIZE) == 0;
    if (fd >= 0) close(fd);
    return good;
}

static void read_trace(const char *path, struct native_run *run) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    const uint64_t *words = mmap(NULL, TRACE_SIZE, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (words != MAP_FAILED) {
        run->choice_count = MIN(words[0], ((uint64_t)TRACE_SIZE - 16) / 16);
        run->choices_lost = words[1] != 0;
        run->choices = NEW_ARRAY(uint64_t, 2 * run->choice_count);
        if (run->choice_count) memcpy(run->choices, words + 2, 16 * run->choice_count);
        munmap((void *)words, TRACE_SIZE);
    }
    close(fd);
}

void native_run_free(struct native_run *run) {
    if (run->choices) DELETE_ARRAY(run->choices, 2 * run->choice_count);
    text_free(&run->errors);
    text_free(&run->output);
    *run = (struct native_run){0};
}

struct words {
    const char **at;
    uint32_t count, capacity;
};

static void add_format(struct replay *replay, struct words *words, const char *format, const char *value) {
    struct text text = {0};
    text_add(&text, format, value);
    vec_push(words, arena_strdup(replay->arena, text.at));
    text_free(&text);
}

static bool is_exact(const struct replay *replay, enum replay_build build) {
    return build == BUILD_EXACT || (build == BUILD_GCOV && replay->counts_exactly);
}

// What the kernel's model does besides, as the run's options had it.
static void add_kernel_variables(struct replay *replay, struct words *variables) {
    const struct vm_host *host = &replay->explore.machine.host;
    struct text sockets = {0};
    for (uint32_t i = 0; i < host->socket_count; i++)
        text_add(&sockets, "%s%u %u", i ? " " : "", host->sockets[i].least, host->sockets[i].most);
    if (sockets.at) add_format(replay, variables, "TAMAR_SOCKETS=%s", sockets.at);
    text_free(&sockets);
    struct text hidden = {0};
    for (uint32_t i = 0; i < host->hidden_count; i++) text_add(&hidden, "%s\n", host->hidden[i]);
    if (hidden.at) add_format(replay, variables, "TAMAR_HIDDEN=%s", hidden.at);
    text_free(&hidden);
    const char *peers = path_in(replay, replay->work, "peers");
    if (host->peers && file_write(peers, host->peers->at, host->peers->count))
        add_format(replay, variables, "TAMAR_PEERS=%s", peers);
    struct {
        const char *name;
        uint32_t value;
    } numbers[] = {{"FAILURES", host->failures},
                   {"SHORT_READS", host->short_reads},
                   {"SYMBOLIC_RANDOM", host->symbolic_random},
                   {"UNMODELLED_ERRORS", host->unmodelled == UNMODELLED_ERROR}};
    for (unsigned i = 0; i < COUNT(numbers); i++) {
        struct text text = {0};
        text_add(&text, "%s=%u", numbers[i].name, numbers[i].value);
        if (numbers[i].value) add_format(replay, variables, "TAMAR_%s", text.at);
        text_free(&text);
    }
}

// Where things lie: strings as far apart as in the machine, which makes room for the longest; the machine's object for
// thread-local variables; its first frame.
static void add_places(struct replay *replay, const struct test_case *test, struct words *variables) {
    assert(test->environment < replay->explore.environment_count);
    const struct vm_environment *around = &replay->explore.environments[test->environment];
    struct text rooms = {0}, block = {0};
    for (uint32_t i = 0; i < around->argument_count; i++)
        text_add(&rooms, "%u ", around->arguments[i].symbolic);
    for (uint32_t i = 0; i < around->variable_count; i++) {
        const struct vm_text *variable = &around->variables[i];
        text_add(&rooms, "%zu ", variable->symbolic ? strlen(variable->text) + 1 + variable->symbolic : 0);
    }
    if (rooms.at) add_format(replay, variables, "TAMAR_ROOM=%s", rooms.at);
    text_add(&block, "%llu %llu", (unsigned long long)replay->program->tls_size,
             (unsigned long long)replay->program->tls_align);
    add_format(replay, variables, "TAMAR_THREAD_BLOCK=%s", block.at);
    const struct ir_function *start = ir_find_function(replay->program, "__tamar_start");
    text_clear(&block);
    text_add(&block, "%llu %llu", (unsigned long long)(start ? start->frame_size : 0),
             (unsigned long long)(start ? start->frame_align : 0));
    add_format(replay, variables, "TAMAR_START_FRAME=%s", block.at);
    text_clear(&block);
    text_add(&block, "%llu", (unsigned long long)QUARANTINE);
    add_format(replay, variables, "TAMAR_QUARANTINE=%s", block.at);
    text_free(&rooms);
    text_free(&block);
}

static void add_variables(struct replay *replay, enum replay_build build, const struct test_case *test,
                          const char *folder, struct words *variables) {
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        const char *size_variable = input_roles[input_role(input->kind, input->name)].size_variable;
        struct text value = {0};
        if (input->kind == INPUT_ENVIRONMENT) {
            text_add(&value, "%s=%.*s", input->name, (int)strnlen((const char *)input->bytes, input->size),
                     (const char *)input->bytes);
            vec_push(variables, arena_strdup(replay->arena, value.at));
        } else if (size_variable) {
            text_add(&value, "%s=%u", size_variable, input->size);
            vec_push(variables, arena_strdup(replay->arena, value.at));
        }
        text_free(&value);
    }
    vec_push(variables, "TAMAR_STREAMS=1");
    add_format(replay, variables, "TAMAR_TEST=%s", folder);
    if (is_exact(replay, build)) {
        add_kernel_variables(replay, variables);
        add_places(replay, test, variables);
        if (build == BUILD_EXACT) add_format(replay, variables, "TAMAR_TRACE=%s/trace", folder);
        if (build == BUILD_GCOV)
            add_format(replay, variables, "TAMAR_GCOV=%s/" REPLAY_COUNTS ".gcda", replay->work);
    } else {
        bool leaks = check_wanted(replay->options.check, CHECK_LEAK);
        add_format(replay, variables,
                   "ASAN_OPTIONS=handle_abort=1:handle_sigfpe=1:handle_segv=1:allocator_may_return_null=1:"
                   "detect_stack_use_after_return=1:max_malloc_fill_size=0:detect_leaks=%s",
                   leaks ? "1" : "0");
        vec_push(variables, "UBSAN_OPTIONS=print_stacktrace=1");
        vec_push(variables, "ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-19");
        add_format(replay, variables, "GCOV_PREFIX=%s", replay->work);
        add_format(replay, variables, "TMPDIR=%s", folder); // valgrind's files
        vec_push(variables, "GCOV_PREFIX_STRIP=1000");
    }
    vec_push(variables, NULL);
}

static void add_words(struct replay *replay, enum replay_build build, const struct test_case *test,
                      struct words *words) {
    if (build == BUILD_VALGRIND) {
        const char *const valgrind[] = {"valgrind",
                                        "-q",
                                        "--vgdb=no",
                                        "--error-exitcode=99",
                                        "--track-origins=yes",
                                        check_wanted(replay->options.check, CHECK_LEAK) ? "--leak-check=full"
                                                                                        : "--leak-check=no"};
        for (size_t i = 0; i < COUNT(valgrind); i++) vec_push(words, valgrind[i]);
        vec_push(words, replay->binaries[build]);
    } else {
        vec_push(words, test->argument_count ? test->arguments[0] : "program");
    }
    for (uint32_t i = 1; i < test->argument_count; i++) vec_push(words, test->arguments[i]);
    vec_push(words, NULL);
}

static void read_errors(const char *path, struct text *to) {
    file_read(path, to);
    if (to->count > MOST_ERRORS) {
        to->count = MOST_ERRORS;
        to->at[MOST_ERRORS] = 0;
    }
    for (size_t i = 0; i < to->count; i++) // text is searched with functions of strings
        if (!to->at[i]) to->at[i] = '?';
}

// As in the run: the test's bytes, the user's file, or an empty one.
static const char *standard_input(struct replay *replay, const struct test_case *test, const char *folder) {
    for (uint32_t i = 0; i < test->input_count; i++)
        if (test->inputs[i].kind == INPUT_STDIN)
            return path_in(replay, folder, input_kinds[INPUT_STDIN].place);
    if (replay->options.stdin) return replay->options.stdin;
    const char *empty = path_in(replay, folder, "empty");
    return file_write(empty, "", 0) ? empty : NULL;
}

bool replay_run(struct replay *replay, enum replay_build build, const struct test_case *test,
                struct native_run *run) {
    *run = (struct native_run){0};
    const char *folder = make_folder(replay, test);
    if (!folder) return false;
    struct words words = {0}, variables = {0};
    const char *input = standard_input(replay, test, folder), *errors = path_in(replay, folder, "errors");
    add_words(replay, build, test, &words);
    add_variables(replay, build, test, folder, &variables);
    if (build == BUILD_EXACT && !make_trace(path_in(replay, folder, "trace")))
        user_error_at(folder, NULL, "no record of choices: %s", strerror(errno));
    // The exact build cannot write anywhere, so it starts where the run did; gcov's counts are collected.
    bool exact = is_exact(replay, build), collects = build == BUILD_GCOV, plain = build == BUILD_PLAIN;
    struct sandbox sandbox = {
        .program = build == BUILD_VALGRIND ? VALGRIND : replay->binaries[build],
        .words = words.at,
        .variables = variables.at,
        .input = input,
        .output = replay->wants_output ? path_in(replay, folder, "output") : NULL,
        .errors = errors,
        .directory = exact ? replay->directory : path_in(replay, folder, "here"),
        .writable = collects ? replay->work : folder,
        .seconds = replay->seconds * (build == BUILD_VALGRIND ? 20 : 1),
        .memory = exact || plain ? replay->memory + (uint64_t)TRACE_SIZE : 0, // sanitizers reserve terabytes
        .stack = exact ? replay->options.stack_size << 20 : 0,
    };
    if (exact) sandbox.memory += sandbox.stack;
    sandbox_run(&sandbox, &run->end);
    vec_free(&words);
    vec_free(&variables);
    if (!run->end.started) {
        user_error_at(sandbox.program, NULL, "cannot be run: %s", strerror(run->end.status));
        return false;
    }
    if (!run->end.contained && !replay->told_open) {
        replay->told_open = true;
        warning("this system does not let a program be shut off: it runs with the network and the files of "
                "its user");
    }
    read_errors(errors, &run->errors);
    if (sandbox.output) read_errors(sandbox.output, &run->output);
    if (build == BUILD_EXACT) read_trace(path_in(replay, folder, "trace"), run);
    return true;
}
