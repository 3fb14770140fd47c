// Runs a test natively.
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "output/tests.h"
#include "run/native_replay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRACE_SIZE  ((off_t)1 << 30) // sparse: only written pages take space
#define MOST_ERRORS (1u << 20)
#define MOST_HIDDEN 120000u // the kernel rejects longer variables

static const char *path_in(struct native_replay *replay, const char *folder, const char *name) {
    struct text path = {0};
    text_add(&path, "%s/%s", folder, name);
    const char *copy = arena_strdup(replay->arena, path.at);
    text_free(&path);
    return copy;
}

// Makes the folder of this job's run, with the test as plain files.
static const char *make_folder(struct native_replay *replay, const struct test_case *test) {
    char name[32];
    snprintf(name, sizeof name, "run-%u", replay->job);
    const char *folder = path_in(replay, replay->work, name), *here = path_in(replay, folder, "here");
    file_remove_tree(folder);
    if (mkdir(folder, 0700) == 0 && test_write_files(folder, test) && mkdir(here, 0700) == 0) return folder;
    user_error_at(folder, "Is the disk full?", "cannot be written: %s", strerror(errno));
    return NULL;
}

// Puts the test's files into the folder `here`, in which the program starts if the sandbox is off: without a sandbox
// they cannot be put into the directory of the run.
static void place_here(struct native_replay *replay, const char *here, const struct test_case *test) {
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        if (input->kind != INPUT_FILE || input->name[0] == '/' || strstr(input->name, "..")) continue;
        char *path = (char *)path_in(replay, here, input->name);
        for (char *slash = strchr(path + strlen(here) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
            *slash = 0;
            mkdir(path, 0777);
            *slash = '/';
        }
        file_write(path, input->bytes, input->size);
    }
}

// Puts the test's files where the program will look for them.
static void list_files(struct native_replay *replay, const struct test_case *test, struct sandbox *sandbox) {
    struct sandbox_file *files = ARENA_ARRAY(replay->arena, struct sandbox_file, test->input_count + 1);
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        if (input->kind != INPUT_FILE) continue;
        const char *path =
            input->name[0] == '/' ? input->name : path_in(replay, replay->directory, input->name);
        files[sandbox->file_count++] = (struct sandbox_file){path, input->bytes, input->size};
    }
    sandbox->files = files;
}

static int make_file(const char *folder, const char *name, off_t size) {
    struct text path = {0};
    text_add(&path, "%s/%s", folder, name);
    int fd = open(path.at, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    text_free(&path);
    if (fd >= 0 && size && ftruncate(fd, size) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static void read_trace(int fd, struct native_run *run) {
    const uint64_t *words = mmap(NULL, TRACE_SIZE, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (words == MAP_FAILED) return;
    run->choice_count = MIN(words[0], ((uint64_t)TRACE_SIZE - 16) / 16);
    run->choices_lost = words[1] != 0;
    run->choices = NEW_ARRAY(uint64_t, 2 * run->choice_count);
    if (run->choice_count) memcpy(run->choices, words + 2, 16 * run->choice_count);
    munmap((void *)words, TRACE_SIZE);
}

void native_run_free(struct native_run *run) {
    if (run->choices) DELETE_ARRAY(run->choices, 2 * run->choice_count);
    text_free(&run->errors);
    text_free(&run->output);
    *run = (struct native_run){0};
}

struct replay_words {
    const char **at;
    uint32_t count, capacity;
};

static void add_format(struct native_replay *replay, struct replay_words *words, const char *format,
                       const char *value) {
    struct text text = {0};
    text_add(&text, format, value);
    vec_push(words, arena_strdup(replay->arena, text.at));
    text_free(&text);
}

static bool is_exact(const struct native_replay *replay, enum replay_build build) {
    return build == BUILD_EXACT || (build == BUILD_GCOV && replay->counts_exactly);
}

static void add_sockets(struct native_replay *replay, struct replay_words *variables) {
    const struct vm_host *host = &replay->explore.machine.host;
    struct text sockets = {0};
    for (uint32_t i = 0; i < host->socket_count; i++)
        text_add(&sockets, "%s%u %u", i ? " " : "", host->sockets[i].least, host->sockets[i].most);
    if (sockets.at) add_format(replay, variables, "TAMAR_SOCKETS=%s", sockets.at);
    text_free(&sockets);
}

// Adds the variables that configure the kernel's model as the run's options did.
static void add_kernel_variables(struct native_replay *replay, const char *folder,
                                 struct replay_words *variables) {
    const struct vm_host *host = &replay->explore.machine.host;
    struct text hidden = {0};
    for (uint32_t i = 0; i < host->hidden_count && hidden.count + strlen(host->hidden[i]) < MOST_HIDDEN; i++)
        text_add(&hidden, "%s\n", host->hidden[i]);
    if (hidden.at) add_format(replay, variables, "TAMAR_HIDDEN=%s", hidden.at);
    text_free(&hidden);
    const char *peers = path_in(replay, folder, "peers"); // a file of this job only
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

// Adds the sizes that determine the engine's addresses: of strings (the engine reserves space for the longest value),
// of the object for thread-local variables, of the first frame, and of the quarantine.
static void add_places(struct native_replay *replay, const struct test_case *test,
                       struct replay_words *variables) {
    assert(test->environment < replay->explore.environment_count);
    const struct vm_start_config *around = &replay->explore.environments[test->environment];
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

static void add_variables(struct native_replay *replay, enum replay_build build, const struct test_case *test,
                          const char *folder, struct replay_words *variables) {
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
    add_sockets(replay, variables);
    add_format(replay, variables, "TAMAR_TEST=%s", folder);
    if (is_exact(replay, build)) {
        add_kernel_variables(replay, folder, variables);
        add_places(replay, test, variables);
        if (build == BUILD_EXACT) vec_push(variables, "TAMAR_TRACE=3"); // the descriptor
        if (build == BUILD_GCOV)
            add_format(replay, variables, "TAMAR_GCOV=%s/" REPLAY_COUNTS ".gcda", replay->counts);
    } else {
        bool leaks = check_wanted(replay->options.check, CHECK_LEAK);
        add_format(
            replay, variables,
            "ASAN_OPTIONS=handle_abort=1:handle_sigfpe=1:handle_segv=1:handle_sigill=1:handle_sigtrap=1:"
            "allocator_may_return_null=1:"
            "detect_stack_use_after_return=1:max_malloc_fill_size=0:print_legend=0:detect_invalid_"
            "pointer_pairs=2:"
            "%s",
            !test->survived ? (leaks ? "detect_leaks=1" : "detect_leaks=0")
            : leaks         ? "detect_leaks=1:halt_on_error=0"
                            : "detect_leaks=0:halt_on_error=0");
        vec_push(variables, "UBSAN_OPTIONS=print_stacktrace=1");
        vec_push(variables, "ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-19");
        if (build == BUILD_GCOV) add_format(replay, variables, "GCOV_PREFIX=%s", replay->counts);
        if (sandbox_is_off()) add_format(replay, variables, "TMPDIR=%s", folder); // valgrind's files
        vec_push(variables, "GCOV_PREFIX_STRIP=1000");
    }
    vec_push(variables, NULL);
}

static void add_words(struct native_replay *replay, enum replay_build build, const struct test_case *test,
                      struct replay_words *words) {
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

static void read_stream(int fd, struct text *to) {
    struct stat st;
    size_t size = fstat(fd, &st) == 0 ? (size_t)MIN(st.st_size, (off_t)MOST_ERRORS) : 0;
    text_grow(to, size + 1);
    ssize_t got = pread(fd, to->at, size, 0);
    to->count = got > 0 ? (size_t)got : 0;
    to->at[to->count] = 0;
    for (size_t i = 0; i < to->count; i++) // text is searched with functions of strings
        if (!to->at[i]) to->at[i] = '?';
}

// Opens standard input as in the run: the test's bytes, the user's file, or an empty file.
static int standard_input(struct native_replay *replay, const struct test_case *test, const char *folder) {
    const char *path = replay->options.stdin;
    for (uint32_t i = 0; i < test->input_count; i++)
        if (test->inputs[i].kind == INPUT_STDIN)
            path = path_in(replay, folder, input_kinds[INPUT_STDIN].place);
    return path ? open(path, O_RDONLY | O_CLOEXEC) : make_file(folder, "empty", 0);
}

struct descriptors {
    int input, output, errors, trace;
};

static bool open_descriptors(struct native_replay *replay, enum replay_build build,
                             const struct test_case *test, const char *folder, struct descriptors *to) {
    to->input = standard_input(replay, test, folder);
    to->errors = make_file(folder, "errors", 0);
    to->output = replay->wants_output ? make_file(folder, "output", 0) : -1;
    to->trace = build == BUILD_EXACT ? make_file(folder, "trace", TRACE_SIZE) : -1;
    bool good = to->input >= 0 && to->errors >= 0 && (to->output >= 0 || !replay->wants_output) &&
                (to->trace >= 0 || build != BUILD_EXACT);
    if (!good)
        user_error_at(folder, "Is the disk full?", "a file of the test cannot be created: %s",
                      strerror(errno));
    return good;
}

static void close_descriptors(const struct descriptors *all) {
    const int each[] = {all->input, all->output, all->errors, all->trace};
    for (unsigned i = 0; i < COUNT(each); i++)
        if (each[i] >= 0) close(each[i]);
}

// Sets the sandbox's view and limits. The exact build cannot write anywhere, and starts in the directory of the run.
// Other builds start in a private copy of it.
static void describe(struct native_replay *replay, enum replay_build build, const struct test_case *test,
                     const char *folder, struct sandbox *sandbox) {
    bool exact = is_exact(replay, build), checks = build == BUILD_SANITIZER || build == BUILD_VALGRIND;
    const char **writable = ARENA_ARRAY(replay->arena, const char *, 2);
    if (build == BUILD_GCOV) writable[0] = replay->counts;
    sandbox->view = exact ? SANDBOX_READS : SANDBOX_COPIES;
    sandbox->calls = exact ? SANDBOX_MODEL : SANDBOX_PROGRAM;
    sandbox->program = build == BUILD_VALGRIND ? VALGRIND : replay->binaries[build];
    sandbox->directory = replay->directory;
    sandbox->writable = writable;
    sandbox->writes_files = build == BUILD_GCOV;
    sandbox->traces_itself = build == BUILD_SANITIZER && check_wanted(replay->options.check, CHECK_LEAK);
    sandbox->seconds = replay->seconds * (build == BUILD_VALGRIND ? 20 : 1);
    sandbox->memory = replay->memory * (checks ? 2 : 1); // shadow memory and blocks that are not reused
    if (exact) sandbox->stack = replay->options.stack_size << 20;
    // Sanitizers reserve terabytes of addresses.
    if (!checks) sandbox->address_space = replay->memory + (uint64_t)TRACE_SIZE + sandbox->stack;
    if (!exact && sandbox_is_off()) {
        sandbox->directory = path_in(replay, folder, "here");
        place_here(replay, sandbox->directory, test);
    } else if (!exact) {
        list_files(replay, test, sandbox);
        sandbox->hidden = replay_hidden(replay);
    }
}

bool replay_run(struct native_replay *replay, enum replay_build build, const struct test_case *test,
                struct native_run *run) {
    *run = (struct native_run){0};
    const char *folder = make_folder(replay, test);
    struct descriptors all;
    if (!folder || !open_descriptors(replay, build, test, folder, &all)) return false;
    struct replay_words words = {0}, variables = {0};
    add_words(replay, build, test, &words);
    add_variables(replay, build, test, folder, &variables);
    struct sandbox sandbox = {.words = words.at,
                              .variables = variables.at,
                              .input = all.input,
                              .output = all.output,
                              .errors = all.errors,
                              .extra = all.trace};
    describe(replay, build, test, folder, &sandbox);
    sandbox_run(&sandbox, &run->end);
    vec_free(&words);
    vec_free(&variables);
    if (run->end.started) {
        read_stream(all.errors, &run->errors);
        if (all.output >= 0) read_stream(all.output, &run->output);
        if (all.trace >= 0) read_trace(all.trace, run);
    }
    close_descriptors(&all);
    return run->end.started;
}
