// Compiles C files with clang to bitcode in a temporary directory. Clang's messages are passed to the user unchanged.
#include "base/error.h"
#include "base/resources.h"
#include "base/run_limits.h"
#include "base/sanitizers.h"
#include "front/host_headers.h"
#include "front/input.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MUSL_HEADERS "/usr/include/x86_64-linux-musl"

// Flags for bitcode that the VM can execute: headers of the modelled C library, no builtins that replace library
// functions, names and lines kept, no optimiser. The user's flags follow.
static const char *const fixed_flags[] = {
    "clang-19",
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

static int run(char *const *arguments, const char *name) {
    pid_t child;
    int error = posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ);
    if (error) {
        user_error_at(name, "Install clang 19 (package clang-19) and see that it is on the PATH.",
                      "cannot run %s: %s", arguments[0], strerror(error));
        return -1;
    }
    int status;
    limits_set_child(child);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    limits_set_child(0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
}

struct compile_command {
    const char **at;
    uint32_t count, capacity;
};

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

bool compile_c(struct front *front, const char *source, const char *const *flags, unsigned flag_count,
               const char *runtime, const char *output) {
    struct compile_command arguments = {0};
    for (size_t i = 0; i < COUNT(fixed_flags); i++) vec_push(&arguments, fixed_flags[i]);
    for (unsigned i = 0; i < flag_count; i++) vec_push(&arguments, flags[i]);
    for (size_t i = 0; i < COUNT(last_flags); i++) vec_push(&arguments, last_flags[i]);
    add_sanitizers(front, &arguments);
    // An optimiser removes bugs: like `tamar cc`, use clang's output before it.
    if (is_optimised(flags, flag_count)) {
        vec_push(&arguments, "-Xclang");
        vec_push(&arguments, "-disable-llvm-passes");
    }
    if (front->options->driver) { // the function of --entry may be static and never called
        vec_push(&arguments, "-Xclang");
        vec_push(&arguments, "-femit-all-decls");
    }
    add_headers(front, &arguments, runtime);
    vec_push(&arguments, source);
    vec_push(&arguments, "-o");
    vec_push(&arguments, output);
    vec_push(&arguments, NULL);
    int status = run((char *const *)arguments.at, source);
    vec_free(&arguments);
    if (status > 0) host_headers_explain(source);
    if (status > 0)
        user_error_at(source,
                      "Correct the errors above, or give the flags that the file needs (-I, -D, -std).",
                      "does not compile");
    else if (status == -2)
        user_error_at(source, NULL, "the compiler was ended by a signal");
    return status == 0;
}
