#include "native/fuzz_build.h"

#include "base/error.h"
#include "base/file.h"
#include "native/fuzzer_given.h"
#include "native/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define AFL_DRIVER "/usr/lib/afl/libAFLDriver.a"

// ---- packed inputs

// Appends the source of a wrapper of main. It passes the words of a packed input as the command line, and the rest as
// standard input.
static void add_unpacker(struct text *to, const struct fuzz_build *build) {
    text_add(to, "#define _GNU_SOURCE\n#include <fcntl.h>\n#include <stdlib.h>\n#include <string.h>\n"
                 "#include <unistd.h>\nstatic const unsigned sizes[] = {");
    for (uint32_t i = 0; i < build->most_words; i++) text_add(to, "%u, ", build->word_sizes[i]);
    text_add(
        to,
        "0};\nenum { LEAST = %u, MOST = %u, ROOM = 1 << 20 };\n"
        "static char input[ROOM + 1];\n"
        "int __real_main(int, char **, char **);\n"
        "int __wrap_main(int argc, char **argv, char **envp) {\n"
        "    size_t count = 0, at = 0, size;\n"
        "    int words = 0;\n"
        "    for (ssize_t n; count < ROOM && (n = read(0, input + count, ROOM - count)) > 0;) count += n;\n"
        "    char **all = calloc(argc + MOST + 1, sizeof *all);\n"
        "    for (int i = 0; i < argc; i++) all[i] = argv[i];\n"
        "    while (words < MOST && at < count && (input[at] || words < LEAST)) {\n"
        "        size = strlen(input + at);\n"
        "        all[argc + words] = strndup(input + at, sizes[words]);\n"
        "        words++;\n"
        "        at += size + (at + size < count);\n"
        "    }\n"
        "    while (words < LEAST) all[argc + words++] = strdup(\"\");\n"
        "    if (at < count && !input[at]) at++;\n"
        "    int fd = open(\"/dev/shm\", O_TMPFILE | O_RDWR, 0600);\n"
        "    if (fd < 0 || write(fd, input + at, count - at) < 0) _exit(1);\n"
        "    lseek(fd, 0, SEEK_SET);\n"
        "    dup2(fd, 0);\n"
        "    close(fd);\n"
        "    return __real_main(argc + words, all, envp);\n"
        "}\n",
        build->least_words, build->most_words);
}

// ---- commands

struct builder {
    const struct fuzz_build *build;
    char bitcode[4096], unpacker[4096], given[4096];
};

static void name(char path[4096], const struct fuzz_build *build, const char *file) {
    if (snprintf(path, 4096, "%s/%s", build->folder, file) >= 4096) path[0] = 0;
}

static void add_words(struct process_command *command, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) process_add(command, words[i]);
}

// Makes a failed check of clang abort. The runtime that would print a message is not linked: without it the program
// can be static, and a static program forks in about two thirds of the time.
static void add_handlers(struct process_command *command) {
    static const char *const checks[] = {
        "add_overflow",        "alignment_assumption",   "builtin_unreachable", "divrem_overflow",
        "float_cast_overflow", "function_type_mismatch", "implicit_conversion", "invalid_builtin",
        "load_invalid_value",  "missing_return",         "mul_overflow",        "negate_overflow",
        "nonnull_arg",         "nonnull_return_v1",      "nullability_arg",     "nullability_return_v1",
        "out_of_bounds",       "pointer_overflow",       "shift_out_of_bounds", "sub_overflow",
        "type_mismatch_v1",    "vla_bound_not_positive"};
    for (size_t i = 0; i < COUNT(checks); i++) {
        process_add_format(command, "-Wl,--defsym=__ubsan_handle_%s=abort", checks[i]);
        process_add_format(command, "-Wl,--defsym=__ubsan_handle_%s_abort=abort", checks[i]);
    }
    process_add(command, "-fno-sanitize-link-runtime");
    process_add(command, "-static");
}

// Optimises slightly, for more inputs per second. The checks in the bitcode are kept.
static bool build_program(const struct builder *builder, const char *output, const char *coverage) {
    const struct fuzz_build *build = builder->build;
    const char *const start[] = {
        "clang-19", "-w", "-O1", "-no-pie",
        // an access through null crashes; the optimiser must not remove it as undefined
        "-mllvm", "-force-attribute=null_pointer_is_valid", coverage, "-x", "ir"};
    struct process_command command = {0};
    char path[4096];
    bool afl = build->tool == FUZZER_AFL;
    name(path, build, output);
    add_words(&command, start, COUNT(start));
    process_add(&command, builder->bitcode);
    process_add(&command, "-x");
    process_add(&command, "none");
    if (afl) process_add(&command, fuzzer_facts[FUZZER_AFL].file); // AFL++'s runtime
    if (afl) add_handlers(&command);
    if (afl && build->harness) process_add(&command, AFL_DRIVER);
    if (afl && build->harness) process_add(&command, "-lstdc++");
    if (build->most_words) {
        process_add(&command, builder->unpacker);
        process_add(&command, "-Wl,--wrap=main");
    }
    tool_add_host_libraries(&command);
    process_add(&command, "-o");
    process_add(&command, path);
    return tool_run(&command, build->folder, build->folder, build->folder);
}

static bool build_mutator(const struct builder *builder) {
    const char *const start[] = {"clang-19", "-w", "-O1", "-shared", "-fPIC", builder->given, "-o"};
    struct process_command command = {0};
    char path[4096];
    name(path, builder->build, FUZZ_MUTATOR);
    add_words(&command, start, COUNT(start));
    process_add(&command, path);
    return tool_run(&command, builder->build->folder, builder->build->folder, builder->build->folder);
}

static bool build_all(const struct builder *builder) {
    if (builder->build->tool == FUZZER_LIBFUZZER)
        return build_program(builder, FUZZ_PROGRAM, "-fsanitize=fuzzer");
    return build_mutator(builder) &&
           build_program(builder, FUZZ_PROGRAM, "-fsanitize-coverage=trace-pc-guard") &&
           build_program(builder, FUZZ_COMPARE, "-fsanitize-coverage=trace-pc-guard,trace-cmp");
}

static bool write_sources(struct builder *builder, const struct text *bitcode) {
    struct text unpacker = {0};
    name(builder->bitcode, builder->build, "program.bc");
    name(builder->unpacker, builder->build, "unpacker.c");
    name(builder->given, builder->build, "given.c");
    add_unpacker(&unpacker, builder->build);
    bool good = file_make_folder(builder->build->folder) &&
                file_replace(builder->bitcode, bitcode->at, bitcode->count) &&
                file_replace(builder->unpacker, unpacker.at, unpacker.count) &&
                file_replace(builder->given, FUZZER_GIVEN_SOURCE, sizeof FUZZER_GIVEN_SOURCE - 1);
    if (!good)
        user_error_at(builder->build->folder, "Is the disk full?", "cannot be written: %s", strerror(errno));
    text_free(&unpacker);
    return good;
}

pid_t fuzz_build_start(const struct fuzz_build *build, const struct text *bitcode) {
    struct builder builder = {.build = build};
    if (!write_sources(&builder, bitcode)) return -1;
    pid_t parent = getpid();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        // The parent handles SIGINT, and kills this process.
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_DFL);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        _exit(build_all(&builder) ? 0 : 1);
    }
    if (child < 0) user_error_at("--fuzz", NULL, "cannot start a process: %s", strerror(errno));
    return child;
}
