// Compiles C files with clang to bitcode, or takes it from the compile cache. Clang's messages are passed to the user
// unchanged.
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/resources.h"
#include "base/run_limits.h"
#include "base/sanitizers.h"
#include "front/compile_cache.h"
#include "front/host_headers.h"
#include "front/input.h"
#include "front/undeclared.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MUSL_HEADERS "/usr/include/x86_64-linux-musl"

// Flags for bitcode that the VM can execute: headers of the modelled C library, no builtins that replace library
// functions, names and lines kept, no optimiser. The user's flags follow.
static const char *const fixed_flags[] = {
    "clang-19",
    "--no-default-config", // configuration files would be no part of the compile cache's key
    "-c",
    "-emit-llvm",
    "--target=x86_64-linux-musl",

    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
    "-fno-pic",
    "-g",
    "-fno-discard-value-names",
    "-fno-builtin",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-ffp-contract=off",
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-Xclang",
    "-fsanitize-address-use-after-scope", // by itself it adds no check, but emits lifetime markers
    "-Qunused-arguments",
    // Accept old C with a warning, as gcc and `tamar cc` do.
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
};

// Follow the user's flags: sanitizers that the user selects are replaced by Tamar's checks.
static const char *const last_flags[] = {SANITIZER_FLAGS, SANITIZER_ATTRIBUTES};

struct compile_command {
    const char **at;
    uint32_t count, capacity;
};

// Starts the compiler directly; otherwise a front_compiler (front.h).
static int run_here(char *const *arguments, const char *name, const char *messages) {
    pid_t child;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) {
        user_error_at(name, "Install clang 19 (package clang-19) and see that it is on the PATH.",
                      "cannot run %s: %s", arguments[0], strerror(error));
        return -1;
    }
    int status = 0;
    limits_set_child(child);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    limits_set_child(0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
}

// The output of the compiler.
struct compile_outputs {
    const char *folder;
    char bitcode[4200], messages[4200], rules[4200];
};

static int run(struct front *front, const struct compile_command *command, const char *source,
               const struct compile_outputs *outputs) {
    char *const *words = (char *const *)command->at;
    int status = front->options->compiler
                     ? front->options->compiler(words, outputs->messages, outputs->folder)
                     : run_here(words, source, outputs->messages);
    limits_end_loading(); // Ctrl-C reaches the compiler, too
    return status;
}

// Adds the headers of libraries that `tamar deps` built.
static void add_prefix(struct front *front, struct compile_command *command) {
    struct text flag = {0};
    text_add(&flag, "-isystem%s/include", resources_prefix());
    if (access(flag.at + strlen("-isystem"), X_OK) == 0)
        vec_push(command, arena_strdup(front->scratch, flag.at));
    text_free(&flag);
}

// Adds the same headers as `tamar cc`; without a runtime only musl's and the compiler's.
static void add_headers(struct front *front, struct compile_command *command, const char *runtime) {
    static const char *const folders[] = {"include", "include/gnu", "sysroot/usr/include", "sysroot/clang"};
    if (!runtime) {
        vec_push(command, "-nostdlibinc");
        vec_push(command, "-isystem" MUSL_HEADERS);
        return;
    }
    vec_push(command, "-nostdinc");
    for (size_t i = 0; i < COUNT(folders); i++) {
        if (i == 2) add_prefix(front, command);
        struct text flag = {0};
        text_add(&flag, "-isystem%s/%s", runtime, folders[i]);
        vec_push(command, arena_strdup(front->scratch, flag.at));
        text_free(&flag);
    }
}

// Adds -fsanitize=. It always includes signed overflow: only with it does clang check INT_MIN / -1.
static void add_sanitizers(struct front *front, struct compile_command *command) {
    struct text flag = {0};
    uint64_t wanted = sanitizers_wanted(front->options->checks) | SANITIZER_BIT(SIGNED_OVERFLOW);
    text_add(&flag, "-fsanitize=");
    sanitizers_add_names(&flag, front->options->keep_checks ? SANITIZERS_ALL : wanted);
    vec_push(command, arena_strdup(front->scratch, flag.at));
    text_free(&flag);
}

// Whether the flags request optimisation: the last -O decides.
static bool is_optimised(const char *const *flags, unsigned count) {
    bool optimised = false;
    for (unsigned i = 0; i < count; i++)
        if (!strncmp(flags[i], "-O", 2)) optimised = strcmp(flags[i], "-O0") != 0;
    return optimised;
}

// ---- the temporary folder

#define LEAST_ROOM (512u << 10) // bytes of disk space for the compiler's output

// Checks the disk space before compiling: clang's message about a full disk is a page of crash report.
static bool has_room(const char *directory, const char *parent) {
    struct statvfs status;
    if (statvfs(directory, &status) != 0 || status.f_blocks == 0) return true; // not known
    unsigned long long room = (unsigned long long)status.f_bavail * status.f_frsize;
    if (room >= LEAST_ROOM) return true;
    user_error_at(parent, "Free some space there, or set TMPDIR to another directory.",
                  "not enough space for temporary files: %llu KB are free", room >> 10);
    return false;
}

static bool make_folder(struct compile_folder *folder) {
    const char *given = getenv("TMPDIR"), *parent = given && *given ? given : "/tmp";
    if (folder->path[0]) return true;
    snprintf(folder->path, sizeof folder->path, "%.3000s/tamar-XXXXXX", parent);
    if (!mkdtemp(folder->path)) {
        user_error_at(folder->path, "Set TMPDIR to a directory that can be written.", "%s", strerror(errno));
        folder->path[0] = 0;
        return false;
    }
    limits_set_temporary(folder->path);
    return has_room(folder->path, parent);
}

void compile_folder_remove(struct compile_folder *folder) {
    if (folder->path[0]) rmdir(folder->path);
    limits_set_temporary(NULL);
}

// ---- one compilation

static void name_outputs(const struct compile_folder *folder, struct compile_outputs *to) {
    to->folder = folder->path;
    snprintf(to->bitcode, sizeof to->bitcode, "%s/out.bc", folder->path);
    snprintf(to->messages, sizeof to->messages, "%s/messages", folder->path);
    snprintf(to->rules, sizeof to->rules, "%s/rules", folder->path);
}

static void remove_outputs(const struct compile_outputs *outputs) {
    unlink(outputs->bitcode);
    unlink(outputs->messages);
    unlink(outputs->rules);
}

static void add_user_flags(struct front *front, struct compile_command *command, const char *const *flags,
                           unsigned count) {
    for (unsigned i = 0; i < count; i++) vec_push(command, flags[i]);
    for (size_t i = 0; i < COUNT(last_flags); i++) vec_push(command, last_flags[i]);
    add_sanitizers(front, command);
    // An optimiser removes bugs: like `tamar cc`, use clang's output before it.
    if (is_optimised(flags, count)) {
        vec_push(command, "-Xclang");
        vec_push(command, "-disable-llvm-passes");
    }
    if (front->options->driver) { // the function of --entry may be static and never called
        vec_push(command, "-Xclang");
        vec_push(command, "-femit-all-decls");
    }
}

// Whether the compiler would print colours if its messages went to Tamar's standard error.
static bool has_colors(void) {
    const char *terminal = getenv("TERM"), *none = getenv("NO_COLOR");
    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0 && !(none && *none);
}

// Adds the options that name the outputs.
static void add_outputs(struct front *front, struct compile_command *command,
                        const struct compile_outputs *outputs) {
    const char *const more[] = {"-MD", "-MT", "x", "-MF", outputs->rules, "-o", outputs->bitcode};
    struct winsize size;
    for (size_t i = 0; i < COUNT(more); i++) vec_push(command, more[i]);
    if (isatty(STDERR_FILENO) && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0) {
        char flag[64];
        snprintf(flag, sizeof flag, "-fmessage-length=%u", size.ws_col);
        vec_push(command, arena_strdup(front->scratch, flag));
    }
    vec_push(command, NULL);
}

enum { MOST_ROUNDS = 8 }; // of the compiler, which stops at 20 errors

// Adds declarations before the source, to the first `count` words of the command.
static void declare(struct front *front, struct compile_command *command, uint32_t count, const char *runtime,
                    const struct text *declarations, const struct text *flags) {
    struct text flag = {0};
    command->count = count;
    for (const char *at = flags->at; at && *at; at += strcspn(at, "\n") + 1) {
        text_clear(&flag);
        text_add(&flag, "%.*s", (int)strcspn(at, "\n"), at);
        vec_push(command, arena_strdup(front->scratch, flag.at));
    }
    text_clear(&flag);
    text_add(&flag, "-DTAMAR_UNDECLARED=%s", declarations->at ? declarations->at : "");
    vec_push(command, arena_strdup(front->scratch, flag.at));
    text_clear(&flag);
    text_add(&flag, "%s/include/cprover/undeclared.h", runtime);
    vec_push(command, "-include");
    vec_push(command, arena_strdup(front->scratch, flag.at));
    vec_push(command, NULL);
    text_free(&flag);
}

// Whether a C file names anything of CBMC, which -w would keep from being noticed.
static bool names_cbmc(const char *source) {
    struct text text = {0};
    bool found = file_read(source, &text) && text.at && strstr(text.at, "__CPROVER_");
    text_free(&text);
    return found;
}

// Replaces all words of the command that are `from`. Returns whether there are any.
static bool replace_words(struct compile_command *command, const char *from, const char *to) {
    bool found = false;
    for (uint32_t i = 0; i < command->count; i++) {
        if (!command->at[i] || strcmp(command->at[i], from) != 0) continue;
        command->at[i] = to;
        found = true;
    }
    return found;
}

// Runs the compiler, and reads its messages. If CBMC's names were used undeclared, it is run again with declarations of
// them, until no further name appears. Returns its exit status, as run() does.
static int run_declaring(struct front *front, struct compile_command *command, const char *runtime,
                         const char *source, const struct compile_outputs *outputs, struct text *messages) {
    struct text declarations = {0}, flags = {0};
    uint32_t count = command->count - 1; // without the NULL
    for (unsigned round = 0;; round++) {
        int status = run(front, command, source, outputs);
        bool is_read = status != -1 && file_read(outputs->messages, messages) && messages->count > 0;
        if (!is_read || status < 0 || !runtime || round >= MOST_ROUNDS ||
            !undeclared_find(messages->at, &declarations, &flags)) {
            text_free(&declarations);
            text_free(&flags);
            return status;
        }
        declare(front, command, count, runtime, &declarations, &flags);
        text_clear(messages);
    }
}

static int run_with_outputs(struct front *front, struct compile_command *command, const char *runtime,
                            const char *source, const struct compile_outputs *outputs,
                            struct text *messages) {
    static const char shown[] = "-Wimplicit-function-declaration"; // in place of -w
    add_outputs(front, command, outputs);
    bool is_quiet = runtime && names_cbmc(source) && replace_words(command, "-w", shown);
    int status = run_declaring(front, command, runtime, source, outputs, messages);
    if (!is_quiet || status < 0) return status;
    replace_words(command, shown, "-w");
    text_clear(messages);
    status = run(front, command, source, outputs);
    if (status != -1) file_read(outputs->messages, messages);
    return status;
}

static void explain_failure(const char *source, int status, const struct text *messages) {
    const char *quantifier = messages->at ? strstr(messages->at, "'__CPROVER_forall'") : NULL;
    if (!quantifier && messages->at) quantifier = strstr(messages->at, "'__CPROVER_exists'");
    if (status > 0) host_headers_explain(source);
    if (status > 0 && quantifier)
        user_error_at(
            source,
            "Assume or assert the condition for an index of any value (nondet_int(), __CPROVER_assume), or "
            "in a loop.",
            "does not compile: CBMC's quantifiers are not C");
    else if (status > 0)
        user_error_at(source,
                      "Correct the errors above, or give the flags that the file needs (-I, -D, -std).",
                      "does not compile");
    else if (status == -2)
        user_error_at(source, NULL, "the compiler was ended by a signal");
}

// Compiles without the cache, and keeps the output under this key unless that is NULL.
static bool compile_anew(struct front *front, struct compile_command *command,
                         struct compilation *compilation, const char *key, struct compile_folder *folder,
                         struct text *bitcode) {
    struct compile_outputs outputs = {0};
    struct text messages = {0}, rules = {0};
    const char *source = compilation->command[compilation->count - 1];
    if (!make_folder(folder)) return false;
    name_outputs(folder, &outputs);
    clock_gettime(CLOCK_REALTIME, &compilation->started);
    int status = run_with_outputs(front, command, compilation->runtime, source, &outputs, &messages);
    compilation->command = command->at; // it has grown
    if (messages.count) fwrite(messages.at, 1, messages.count, stderr);
    explain_failure(source, status, &messages);
    bool good = status == 0 && file_read(outputs.bitcode, bitcode);
    if (status == 0 && !good) user_error_at(outputs.bitcode, NULL, "cannot be read: %s", strerror(errno));
    if (good && key && file_read(outputs.rules, &rules))
        compile_cache_keep(key, compilation, &rules, bitcode, &messages);
    remove_outputs(&outputs);
    text_free(&messages);
    text_free(&rules);
    return good;
}

bool compile_c(struct front *front, const char *source, const char *const *flags, unsigned flag_count,
               const char *runtime, struct compile_folder *folder, struct text *bitcode) {
    struct compile_command command = {0};
    struct text messages = {0};
    char key[CACHE_KEY];
    for (size_t i = 0; i < COUNT(fixed_flags); i++) vec_push(&command, fixed_flags[i]);
    if (has_colors()) vec_push(&command, "-fcolor-diagnostics");
    add_user_flags(front, &command, flags, flag_count);
    add_headers(front, &command, runtime);
    vec_push(&command, source);
    struct compilation compilation = {.command = command.at,
                                      .count = command.count,
                                      .flags = flags,
                                      .flag_count = flag_count,
                                      .runtime = runtime};
    bool keyed = runtime && compile_cache_key(&compilation, key);
    bool good = keyed && compile_cache_find(key, bitcode, &messages);
    if (good) {
        log_detail("%s was compiled before: its bitcode is taken from the compile cache", source);
        fwrite(messages.at, 1, messages.count, stderr);
    } else {
        good = compile_anew(front, &command, &compilation, keyed ? key : NULL, folder, bitcode);
    }
    text_free(&messages);
    vec_free(&command);
    return good;
}
