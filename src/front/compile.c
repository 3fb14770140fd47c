// C files: clang compiles them to bitcode in a directory of ours, its messages go to the user as they are.
#include "base/error.h"
#include "base/run_limits.h"
#include "base/sanitizers.h"
#include "front/input.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MUSL_HEADERS "/usr/include/x86_64-linux-musl"

// What makes the bitcode one that we model: the C library's own headers, no code that hides behind builtins,
// names and lines kept, nothing done twice by the optimiser. The user's flags come after these.
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
    "-fsanitize-address-use-after-scope", // alone it adds no check, but says where scopes begin and end
    "-Qunused-arguments",
};

// After the user's flags: the user's own sanitizers are checks of ours.
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

struct command {
    const char **at;
    uint32_t count, capacity;
};

// The headers that `tamar cc` uses too; without a runtime at least those of musl and the compiler.
static void add_headers(struct front *front, struct command *command, const char *runtime) {
    static const char *const folders[] = {"include", "include/gnu", "sysroot/usr/include", "sysroot/clang"};
    if (!runtime) {
        vec_push(command, "-nostdlibinc");
        vec_push(command, "-isystem" MUSL_HEADERS);
        return;
    }
    vec_push(command, "-nostdinc");
    for (size_t i = 0; i < COUNT(folders); i++) {
        struct text flag = {0};
        text_add(&flag, "-isystem%s/%s", runtime, folders[i]);
        vec_push(command, arena_strdup(front->scratch, flag.at));
        text_free(&flag);
    }
}

// Clang checks the division of the smallest number by -1 as part of signed arithmetic.
static void add_sanitizers(struct front *front, struct command *command) {
    struct text flag = {0};
    uint64_t wanted = sanitizers_wanted(front->options->checks) | SANITIZER_BIT(SIGNED_OVERFLOW);
    text_add(&flag, "-fsanitize=");
    sanitizers_add_names(&flag, front->options->keep_checks ? SANITIZERS_ALL : wanted);
    vec_push(command, arena_strdup(front->scratch, flag.at));
    text_free(&flag);
}

// The last -O decides.
static bool is_optimised(const char *const *flags, unsigned count) {
    bool optimised = false;
    for (unsigned i = 0; i < count; i++)
        if (!strncmp(flags[i], "-O", 2)) optimised = strcmp(flags[i], "-O0") != 0;
    return optimised;
}

bool compile_c(struct front *front, const char *source, const char *const *flags, unsigned flag_count,
               const char *runtime, const char *output) {
    struct command arguments = {0};
    for (size_t i = 0; i < COUNT(fixed_flags); i++) vec_push(&arguments, fixed_flags[i]);
    for (unsigned i = 0; i < flag_count; i++) vec_push(&arguments, flags[i]);
    for (size_t i = 0; i < COUNT(last_flags); i++) vec_push(&arguments, last_flags[i]);
    add_sanitizers(front, &arguments);
    if (is_optimised(
            flags, flag_count)) { // an optimiser removes bugs: as `tamar cc`, take what clang makes before it
        vec_push(&arguments, "-Xclang");
        vec_push(&arguments, "-disable-llvm-passes");
    }
    if (front->options->driver) { // it may be a static function that nothing calls
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
    if (status > 0)
        user_error_at(source,
                      "Correct the errors above, or give the flags that the file needs (-I, -D, -std).",
                      "does not compile");
    else if (status == -2)
        user_error_at(source, NULL, "the compiler was ended by a signal");
    return status == 0;
}
