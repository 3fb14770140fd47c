// `tamar deps`: libraries that projects need, built from Debian's source packages. The work is done by
// share/tamar/deps/build-libraries.
#include "base/error.h"
#include "base/process.h"
#include "base/resources.h"
#include "base/text.h"
#include "cli/command.h"
#include "driver/build_files.h"
#include "run/common_options.h"

#include <stdlib.h>

#define DEPS_OPTIONS(X, T)                                                                                   \
    X(T, FLAG, list, 0, "print the names of the libraries that have a recipe")                               \
    COMMON_OPTIONS(X, T)

OPTIONS_STRUCT(deps_options, DEPS_OPTIONS)
OPTIONS_TABLE(deps_options, DEPS_OPTIONS)

// Sets TAMAR_CACHE, unless it is set: the folder of sources, build folders and logs.
static void set_cache(void) {
    struct text path = {0};
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache)
        text_add(&path, "%s/tamar", cache);
    else
        text_add(&path, "%s/.cache/tamar", home && *home ? home : "/tmp");
    setenv("TAMAR_CACHE", path.at, false);
    text_free(&path);
}

static int build(const struct deps_options *options, const struct operands *operands) {
    if (!options->list && !operands->words.count) {
        user_error_at("deps",
                      "Name libraries, such as zlib or libpng; --list shows those that have a recipe.",
                      "no library given");
        return EXIT_USAGE;
    }
    if (!options->list && !build_files_write()) return EXIT_USAGE;
    set_cache();
    setenv("TAMAR_PREFIX", resources_prefix(), true);
    setenv("TAMAR", resources_binary(), true);
    struct process_command command = {0};
    process_add(&command, "bash");
    process_add_format(&command, "%s/deps/build-libraries", resources_folder());
    if (options->list) process_add(&command, "--list");
    vec_each (const char *, word, &operands->words) process_add(&command, *word);
    return process_run(&command);
}

static int run(const struct command *command, char **argv) {
    struct deps_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    status = build(&options, &operands);
    operands_free(&operands);
    return status;
}

const struct command deps_command = {
    .name = "deps",
    .help = "build libraries from Debian's source packages, for programs that need them",
    .operands = "LIBRARY...",
    .description = "Each LIBRARY (zlib, libpng, png.h, libssl-dev, ...) and the libraries that it needs are "
                   "downloaded as Debian's source packages, built with "
                   "`tamar cc` and installed into a prefix: TAMAR_PREFIX, or tamar/prefix in the user's data "
                   "folder. `tamar cc` and `tamar run` search it by "
                   "themselves; `tamar cc --print-cmake-toolchain`, `--print-meson-file` and "
                   "`--print-environment` make build systems search it.\n\n"
                   "A library without a recipe is built by its own build system. If a library cannot be "
                   "built, a message names the cause and the log, and the exit status is 1.",
    .options = &deps_options_table,
    .run = run,
};
