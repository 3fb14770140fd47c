// `tamar cc`: a compiler driver on clang whose objects and executables carry their bitcode.
#include "base/error.h"
#include "base/process.h"
#include "cli/command.h"
#include "driver/build_files.h"
#include "driver/cc_compile.h"
#include "driver/cc_line.h"
#include "driver/cc_link.h"

static int run_line(const struct cc_line *line) {
    switch (line->mode) {
    case CC_QUERY: return cc_query(line);
    case CC_LINK: return cc_link_all(line);
    case CC_OBJECT:
    case CC_ASSEMBLY:
    case CC_PREPROCESS: return cc_compile_all(line);
    }
    return EXIT_INTERNAL;
}

static int run(const struct command *command, char **argv) {
    struct cc_line line;
    int answer;
    if (argv[0] && !argv[1] && build_files_answer(argv[0], &answer)) return answer;
    // An error on the command line has the compiler's exit status: configure scripts test whether it
    // failed.
    int status = cc_line_parse(&line, argv) ? run_line(&line) : 1;
    process_remove_temporaries();
    cc_line_free(&line);
    return status;
}

const struct command cc_command = {
    .name = "cc",
    .help = "compile C as gcc or clang would, and keep the bitcode with the code",
    .operands = "[compiler options] FILE...",
    .description =
        "A drop-in C compiler on clang 19: CC=\"tamar cc\" ./configure && make. Objects, archives, shared "
        "libraries and "
        "executables are ordinary native ones, for x86-64 Linux with musl as the C library, statically "
        "linked unless a shared library is named; they also "
        "carry the bitcode that `tamar run` and the other commands execute.\n\n"
        "Options of gcc and clang are passed on. Options for link-time "
        "optimisation, other "
        "processors and instrumentation are ignored; vector extensions beyond SSE4.2 are errors. The exit "
        "status is the "
        "compiler's.\n\n"
        "Its own options, each given alone: --print-environment (export lines for a shell), "
        "--print-cmake-toolchain and --print-meson-file (the file to pass to CMake or Meson), --print-prefix "
        "(where `tamar deps` installs libraries).",
    .run = run,
};
