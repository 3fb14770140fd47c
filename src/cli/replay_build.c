// The native builds of a program.
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/resources.h"
#include "base/sanitizers.h"
#include "cli/cc_run.h"
#include "cli/replay_int.h"
#include "transform/one_unit.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const replay_build_names[BUILD_COUNT] = {
#define BUILD(name, text) [BUILD_##name] = text,
    REPLAY_BUILDS(BUILD)
#undef BUILD
};

static char *work_path(struct replay *replay, const char *name) {
    struct text path = {0};
    text_add(&path, "%s/%s", replay->work, name);
    char *copy = arena_strdup(replay->arena, path.at);
    text_free(&path);
    return copy;
}

static bool ends_with(const char *word, const char *end) {
    size_t length = strlen(word), own = strlen(end);
    return length > own && !strcmp(word + length - own, end);
}

bool replay_has_source(const struct replay *replay) {
    bool any = false;
    json_each(word, json_get(replay->description, "words")) {
        if (word->text[0] == '-') continue;
        if (!ends_with(word->text, ".c") && !ends_with(word->text, ".i")) {
            // The value of a flag before it, or a program without source.
            if (ends_with(word->text, ".bc") || ends_with(word->text, ".ll")) return false;
            continue;
        }
        any = true;
    }
    return any;
}

// ---- the exact build

// The same bitcode, not optimised: what the machine did is what the code says. With the same C library and kernel. `script`
// says where variables lie; NULL: anywhere.
static bool link_exact(struct replay *replay, const char *bitcode, const char *script, const char *binary) {
    char *object = work_path(replay, "exact.o");
    char *library = resource_path("lib/libtamar-native.a"),
         *helpers = resource_path("sysroot/usr/lib/libgcc.a");
    struct cc_command compile = {0};
    const char *const flags[] = {
        "clang-19", "--target=x86_64-linux-musl", "-fno-pic", "-w", "-O0", "-c", "-x", "ir"};
    for (size_t i = 0; i < COUNT(flags); i++) cc_add(&compile, flags[i]);
    cc_add(&compile, bitcode);
    cc_add(&compile, "-o");
    cc_add(&compile, object);
    bool good = cc_run(&compile) == 0;
    if (good) {
        struct cc_command link = {0};
        // What dead code refers to need not be there; calling it natively would be seen as another end.
        const char *const start[] = {
            "ld.lld-19", "-static", "--gc-sections", "--unresolved-symbols=ignore-all", "-o", binary,
            object,      library,   helpers};
        for (size_t i = 0; i < COUNT(start); i++) cc_add(&link, start[i]);
        if (script) {
            cc_add(&link, "-O0"); // strings are not merged, but stay where the script has them
            cc_add(&link, "-T");
            cc_add(&link, script);
        }
        if (replay->fuzzer) cc_add(&link, "--defsym=main=__tamar_fuzzer_main");
        good = cc_run(&link) == 0;
    }
    mem_free_string(library);
    mem_free_string(helpers);
    return good;
}

static bool build_exact(struct replay *replay, const char *binary) {
    char *bitcode = work_path(replay, "traced.bc"), *script = work_path(replay, "addresses.ld");
    struct text traced = {0}, addresses = {0};
    struct front_options front = run_front_options(&replay->options);
    front.allow_undefined = true;
    front.traced = &traced;
    text_clear(&replay->own_choices);
    front.own_choices = &replay->own_choices;
    struct front_input input = {replay->operands.words.at, replay->operands.words.count};
    struct ir_program *program = front_load(&input, &front, NULL);
    bool good = program != NULL;
    if (good) front_link_script(program, &addresses);
    if (good && (!file_write(bitcode, traced.at, traced.count) ||
                 (addresses.count && !file_write(script, addresses.at, addresses.count)))) {
        user_error_at(bitcode, "Is the disk full?", "cannot be written: %s", strerror(errno));
        good = false;
    }
    bool placed = addresses.count;
    text_free(&traced);
    text_free(&addresses);
    ir_program_free(program);
    return good && link_exact(replay, bitcode, placed ? script : NULL, binary);
}

// ---- the exact build with counters

static bool run_in_work_folder(struct replay *replay, struct cc_command *command) {
    char *here = getcwd(NULL, 0);
    bool good = here && chdir(replay->work) == 0;
    if (good)
        good = cc_run(command) == 0;
    else
        cc_free(command);
    if (here && chdir(here) != 0) good = false;
    free(here);
    return good;
}

// The pass names its notes after the first unit; we after the counts.
static bool rename_notes(struct replay *replay) {
    bool good = false;
    DIR *folder = opendir(replay->work);
    for (struct dirent *entry; folder && !good && (entry = readdir(folder));)
        if (ends_with(entry->d_name, ".gcno"))
            good = rename(work_path(replay, entry->d_name), work_path(replay, REPLAY_COUNTS ".gcno")) == 0;
    if (folder) closedir(folder);
    return good;
}

bool replay_build_counting(struct replay *replay, const char *bitcode, const char *binary) {
    struct text whole = {0}, changed = {0};
    char *one = work_path(replay, "one.bc"), *counting = work_path(replay, "counting.bc");
    bool good = file_read(bitcode, &whole) && transform_one_unit(&whole, &changed);
    if (!good)
        user_error_at(bitcode, "Build the program with -g.", "the program has no debug lines to count");
    if (good && !file_write(one, changed.at, changed.count)) {
        user_error_at(one, "Is the disk full?", "cannot be written: %s", strerror(errno));
        good = false;
    }
    if (good) {
        struct cc_command pass = {0};
        const char *const words[] = {"opt-19", "-passes=insert-gcov-profiling", "-o", counting, one};
        for (size_t i = 0; i < COUNT(words); i++) cc_add(&pass, words[i]);
        good = run_in_work_folder(replay, &pass) && rename_notes(replay) &&
               link_exact(replay, counting, NULL, binary);
    }
    replay->counts_exactly = good;
    text_free(&whole);
    text_free(&changed);
    return good;
}

// ---- builds from source

static void add_checks(struct cc_command *command, const struct replay *replay) {
    // Beside what the engine always looks for: the checks of the run. Others would report what is not a bug of this run.
    struct text flag = {0};
    text_add(&flag, "-fsanitize=address,unreachable,");
    sanitizers_add_names(&flag, sanitizers_wanted(replay->options.check));
    cc_add_format(command, "%s", flag.at);
    text_free(&flag);
    cc_add(command, "-fno-omit-frame-pointer");
}

// The run made its own choice of checks.
static bool is_sanitizer_flag(const char *word) {
    return !strncmp(word, "-fsanitize", strlen("-fsanitize")) ||
           !strncmp(word, "-fno-sanitize", strlen("-fno-sanitize"));
}

static bool write_driver(const char *path) {
    static const char driver[] = "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n"
                                 "int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);\n"
                                 "__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);\n"
                                 "void __tamar_symbolic(void *at, size_t size, const char *name);\n"
                                 "int main(int argc, char **argv) {\n"
                                 "    const char *text = getenv(\"TAMAR_INPUT_SIZE\");\n"
                                 "    size_t size = text ? strtoul(text, NULL, 10) : 0;\n"
                                 "    uint8_t *data = malloc(size);\n"
                                 "    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);\n"
                                 "    __tamar_symbolic(data, size, \"input\");\n"
                                 "    LLVMFuzzerTestOneInput(data, size);\n"
                                 "    free(data);\n"
                                 "    return 0;\n}\n";
    return file_write(path, driver, sizeof driver - 1);
}

// Arguments and environment are objects of their own there, so that the checks see where they end.
static void add_own_arguments(struct cc_command *command) {
    cc_add(command, "-Wl,-u,__tamar_own_arguments");
    cc_add(command, "-Wl,--wrap=main");
}

static bool build_source(struct replay *replay, enum replay_build build, const char *binary) {
    struct cc_command command = {0};
    char *library = resource_path("lib/libtamar.a"), *headers = resource_path("include");
    char *driver = work_path(replay, "driver.c");
    const char *const flags[] = {"clang-19", "-g", "-O0", "-w", "-fno-builtin", "-ffp-contract=off"};
    for (size_t i = 0; i < COUNT(flags); i++) cc_add(&command, flags[i]);
    if (build == BUILD_SANITIZER) add_checks(&command, replay);
    if (build == BUILD_GCOV) cc_add(&command, "--coverage");
    if (build == BUILD_VALGRIND) cc_add(&command, "-gdwarf-4"); // Debian 12's reads no newer lines
    if (build == BUILD_VALGRIND || build == BUILD_SANITIZER) add_own_arguments(&command);
    json_each(word, json_get(replay->description, "words")) {
        if (!strncmp(word->text, "-O", 2) || !strcmp(word->text, "-c") || is_sanitizer_flag(word->text))
            continue;
        cc_add(&command, word->text);
    }
    if (replay->fuzzer && write_driver(driver)) cc_add(&command, driver);
    cc_add_format(&command, "-idirafter%s", headers); // the host's own come first
    cc_add(&command, library);
    cc_add(&command, "-lm");
    cc_add(&command, "-o");
    cc_add(&command, binary);
    // Names of files are relative to where the run was started.
    char *here = getcwd(NULL, 0);
    bool good = chdir(replay->directory) == 0;
    if (!good)
        user_error_at(replay->directory, "Replay needs the source where it was.", "%s", strerror(errno));
    if (good)
        good = cc_run(&command) == 0;
    else
        cc_free(&command);
    if (here && chdir(here) != 0) good = false;
    free(here);
    mem_free_string(library);
    mem_free_string(headers);
    return good;
}

// Without source: the bitcode, every function marked for the sanitizer's pass, with the host's C library.
static bool build_from_bitcode(struct replay *replay, const char *binary) {
    char *library = resource_path("lib/libtamar.a"), *marked = work_path(replay, "marked.bc");
    struct cc_command mark = {0}, compile = {0};
    const char *const marking[] = {
        "opt-19", "-passes=forceattrs",        "--force-attribute=sanitize_address", "-o",
        marked,   replay->operands.words.at[0]};
    for (size_t i = 0; i < COUNT(marking); i++) cc_add(&mark, marking[i]);
    const char *const start[] = {"clang-19", "-w", "-O0",  "-no-pie", "-fsanitize=address",
                                 "-x",       "ir", marked, "-x",      "none"};
    for (size_t i = 0; i < COUNT(start); i++) cc_add(&compile, start[i]);
    char *driver = work_path(replay, "driver.c");
    if (replay->fuzzer && write_driver(driver)) cc_add(&compile, driver);
    add_own_arguments(&compile);
    cc_add(&compile, library);
    cc_add(&compile, "-lm");
    cc_add(&compile, "-Wl,--unresolved-symbols=ignore-all"); // dead code, as in the exact build
    cc_add(&compile, "-o");
    cc_add(&compile, binary);
    bool good = cc_run(&mark) == 0;
    good = cc_run(&compile) == 0 && good;
    mem_free_string(library);
    return good;
}

bool replay_build(struct replay *replay, enum replay_build build) {
    char name[40];
    snprintf(name, sizeof name, "%s.build", replay_build_names[build]);
    char *binary = work_path(replay, name);
    bool good = build == BUILD_EXACT        ? build_exact(replay, binary)
                : replay_has_source(replay) ? build_source(replay, build, binary)
                : build == BUILD_GCOV ? replay_build_counting(replay, replay->operands.words.at[0], binary)
                                      : build_from_bitcode(replay, binary);
    if (good)
        replay->binaries[build] = binary;
    else
        user_error_at("replay", NULL, "the %s build failed", replay_build_names[build]);
    return good;
}

// ---- gcov

bool replay_collect_gcov(struct replay *replay) {
    struct text target = {0};
    text_add(&target, "%s/gcov", replay->folder);
    mkdir(target.at, 0777);
    struct cc_command command = {0};
    // What it says is no result: the files are.
    const char *const start[] = {"sh", "-c", "exec llvm-cov-19 gcov \"$@\" >/dev/null 2>&1", "gcov"};
    for (size_t i = 0; i < COUNT(start); i++) cc_add(&command, start[i]);
    // Of a program of many folders the files of one name are kept apart.
    cc_add(&command, replay->counts_exactly ? "-bp" : "-b");
    // The notes lie where the compiler was run, the counts in the work folder.
    bool any = false;
    DIR *folder = opendir(replay->work);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (!ends_with(entry->d_name, ".gcda")) continue;
        cc_add_format(&command, "%s/%s", replay->work, entry->d_name);
        any = true;
    }
    if (folder) closedir(folder);
    char *here = getcwd(NULL, 0);
    bool good = any && here && chdir(target.at) == 0;
    if (good)
        good = cc_run(&command) == 0;
    else
        cc_free(&command);
    if (here && chdir(here) != 0) good = false;
    free(here);
    text_free(&target);
    return good;
}
