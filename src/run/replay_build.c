// The native builds of a program.
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/resources.h"
#include "base/sanitizers.h"
#include "base/text.h"
#include "native/tool.h"
#include "run/native_replay.h"
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

static char *path_in(struct native_replay *replay, const char *folder, const char *name) {
    struct text path = {0};
    text_add(&path, "%s/%s", folder, name);
    char *copy = arena_strdup(replay->arena, path.at);
    text_free(&path);
    return copy;
}

// Returns a path in the work folder, to which only Tamar writes. Compilers write to the folder of their build, in the
// sandbox: a results folder determines their arguments, and could otherwise make Tamar write through a link.
static char *work_path(struct native_replay *replay, const char *name) {
    return path_in(replay, replay->work, name);
}

// ---- running compilers

// Runs a tool in `directory`, in a private view of the host's files: only writes to `folder` persist. Frees the
// command.
static bool run_tool(struct native_replay *replay, struct process_command *command, const char *directory,
                     const char *folder) {
    return tool_run(command, replay->work, directory, folder);
}

static const char *build_folder(struct native_replay *replay, enum replay_build build) {
    const char *folder = work_path(replay, replay_build_names[build]);
    mkdir(folder, 0700);
    return folder;
}

// Whether the bitcode has bodies (front/undefined.c) or declarations (front/undeclared.c) that the source does not have,
// recognized by their names.
static bool has_made_bodies(const struct native_replay *replay) {
    struct text bitcode = {0};
    static const char prefix[] = "nondet_";
    const char *path = replay->operands.words.count ? replay->operands.words.at[0] : NULL;
    bool read = path && text_ends_with(path, ".bc") && file_read(path, &bitcode);
    bool found = read && memmem(bitcode.at, bitcode.count, prefix, sizeof prefix - 1) &&
                 !memmem(bitcode.at, bitcode.count, "__VERIFIER_nondet_", 18);
    // Calls that the front end changed, and functions whose declarations it added.
    static const char *const changed[] = {"klee_alias_function.", "__CPROVER_", "__ESBMC_"};
    for (size_t i = 0; i < COUNT(changed); i++)
        found |= read && memmem(bitcode.at, bitcode.count, changed[i], strlen(changed[i]));
    text_free(&bitcode);
    return found;
}

static bool is_library_of_deps(const char *word) {
    if (strncmp(word, "-l", 2) != 0 || !word[2]) return false;
    struct text path = {0};
    text_add(&path, "%s/lib/lib%s.a", resources_prefix(), word + 2);
    bool found = access(path.at, R_OK) == 0;
    text_free(&path);
    return found;
}

bool replay_has_source(const struct native_replay *replay) {
    bool any = false;
    if (replay->options.entry)
        return false; // the driver of --entry is in the bitcode, and may call a static function
    if (replay->options.undefined || has_made_bodies(replay)) return false;
    json_each(word, json_get(replay->description, "words")) {
        if (is_library_of_deps(word->text)) return false; // the host may lack it
        if (word->text[0] == '-') continue;
        if (!text_ends_with(word->text, ".c") && !text_ends_with(word->text, ".i")) {
            // Bitcode is a program without source; any other word is the value of the flag before it.
            if (text_ends_with(word->text, ".bc") || text_ends_with(word->text, ".ll")) return false;
            continue;
        }
        any = true;
    }
    return any;
}

// ---- the exact build

// Builds the same bitcode, not optimised, with the same C library and kernel model, so that it behaves as in the
// engine. `script` gives the addresses of variables; NULL: any.
static bool link_exact(struct native_replay *replay, const char *bitcode, const char *script,
                       const char *folder, const char *binary) {
    char *object = path_in(replay, folder, "program.o");
    char *library = resources_path("lib/libtamar-native.a"),
         *helpers = resources_path("sysroot/usr/lib/libgcc.a");
    struct process_command compile = {0};
    const char *const flags[] = {
        "clang-19", "--target=x86_64-linux-musl", "-fno-pic", "-w", "-O0", "-c", "-x", "ir"};
    for (size_t i = 0; i < COUNT(flags); i++) process_add(&compile, flags[i]);
    process_add(&compile, bitcode);
    process_add(&compile, "-o");
    process_add(&compile, object);
    bool good = run_tool(replay, &compile, folder, folder);
    if (good) {
        struct process_command link = {0};
        // Symbols that only dead code refers to may be missing; a native call of one would be seen as another outcome.
        const char *const start[] = {
            "ld.lld-19", "-static", "--gc-sections", "--unresolved-symbols=ignore-all", "-o", binary,
            object,      library,   helpers};
        for (size_t i = 0; i < COUNT(start); i++) process_add(&link, start[i]);
        if (script) {
            process_add(&link, "-O0"); // strings are not merged, and keep the addresses of the script
            process_add(&link, "-T");
            process_add(&link, script);
        }
        if (replay->fuzzer) process_add(&link, "--defsym=main=__tamar_fuzzer_main");
        good = run_tool(replay, &link, folder, folder);
    }
    mem_free_string(library);
    mem_free_string(helpers);
    return good;
}

static bool build_exact(struct native_replay *replay, const char *folder, const char *binary) {
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
    return good && link_exact(replay, bitcode, placed ? script : NULL, folder, binary);
}

// ---- the exact build with counters

// LLVM's pass names the .gcno file after the first unit; this renames it to match the .gcda file.
static bool rename_notes(struct native_replay *replay) {
    bool good = false;
    DIR *folder = opendir(replay->counts);
    for (struct dirent *entry; folder && !good && (entry = readdir(folder));)
        if (text_ends_with(entry->d_name, ".gcno"))
            good = rename(path_in(replay, replay->counts, entry->d_name),
                          path_in(replay, replay->counts, REPLAY_COUNTS ".gcno")) == 0;
    if (folder) closedir(folder);
    return good;
}

bool replay_build_counting(struct native_replay *replay, const char *bitcode, const char *binary) {
    struct text whole = {0}, changed = {0};
    char *one = work_path(replay, "one.bc"), *counting = path_in(replay, replay->counts, "counting.bc");
    bool good = !file_read_kept(bitcode, &whole) && transform_one_unit(&whole, &changed);
    if (!good)
        user_error_at(bitcode, "Build the program with -g.", "the program has no debug lines to count");
    if (good && !file_write(one, changed.at, changed.count)) {
        user_error_at(one, "Is the disk full?", "cannot be written: %s", strerror(errno));
        good = false;
    }
    if (good) {
        struct process_command pass = {0};
        const char *const words[] = {"opt-19", "-passes=insert-gcov-profiling", "-o", counting, one};
        for (size_t i = 0; i < COUNT(words); i++) process_add(&pass, words[i]);
        good = run_tool(replay, &pass, replay->counts, replay->counts) && rename_notes(replay) &&
               link_exact(replay, counting, NULL, replay->counts, binary);
    }
    replay->counts_exactly = good;
    text_free(&whole);
    text_free(&changed);
    return good;
}

// ---- builds from source

static void add_checks(struct process_command *command, const struct native_replay *replay) {
    // The checks of the run, besides those that are always on. Others would report errors that the run did not check.
    struct text flag = {0};
    text_add(&flag, "-fsanitize=address,unreachable,");
    sanitizers_add_names(&flag, sanitizers_wanted(replay->options.check));
    process_add_format(command, "%s", flag.at);
    text_free(&flag);
    if (check_wanted(replay->options.check, CHECK_POINTER_DIFFERENCE)) {
        process_add(command, "-mllvm");
        process_add(command, "-asan-detect-invalid-pointer-sub");
    }
    process_add(command, "-fsanitize-recover=address"); // for tests that go on after a bug
    process_add(command, "-fno-omit-frame-pointer");
}

// Drops sanitizer flags of the user: the options of the run determine the checks.
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

// Makes each argument and variable a separate heap block, so that the checks detect accesses past its end.
static void add_own_arguments(struct process_command *command) {
    process_add(command, "-Wl,-u,__tamar_own_arguments");
    process_add(command, "-Wl,--wrap=main");
}

const char *const replay_socket_calls[] = {"listen",  "bind",   "connect",    "accept", "accept4",
                                           "poll",    "select", "epoll_wait", "recv",   "recvfrom",
                                           "recvmsg", "read",   "sendto",     NULL};

// Bytes that arrive over sockets come from the test.
static void add_own_sockets(struct process_command *command, const struct native_replay *replay) {
    if (!replay->explore.machine.host.socket_count) return;
    for (const char *const *call = replay_socket_calls; *call; call++)
        process_add_format(command, "-Wl,--wrap=%s", *call);
}

static bool build_source(struct native_replay *replay, enum replay_build build, const char *folder,
                         const char *binary) {
    struct process_command command = {0};
    char *headers = resources_path("include");
    char *driver = work_path(replay, "driver.c");
    const char *const flags[] = {"clang-19",
                                 "-g",
                                 "-O0",
                                 "-w",
                                 "-fno-builtin",
                                 "-ffp-contract=off",
                                 "-Wno-error=implicit-function-declaration",
                                 "-Wno-error=implicit-int",
                                 "-Wno-error=int-conversion"};
    for (size_t i = 0; i < COUNT(flags); i++) process_add(&command, flags[i]);
    if (build == BUILD_SANITIZER) add_checks(&command, replay);
    if (build == BUILD_GCOV) process_add(&command, "--coverage");
    if (build == BUILD_VALGRIND)
        process_add(&command, "-gdwarf-4"); // valgrind of Debian 12 reads no newer format
    if (build == BUILD_VALGRIND || build == BUILD_SANITIZER) add_own_arguments(&command);
    add_own_sockets(&command, replay);
    json_each(word, json_get(replay->description, "words")) {
        if (!strncmp(word->text, "-O", 2) || !strcmp(word->text, "-c") || is_sanitizer_flag(word->text))
            continue;
        process_add(&command, word->text);
    }
    if (replay->fuzzer && write_driver(driver)) process_add(&command, driver);
    process_add_format(&command, "-idirafter%s", headers); // the host's headers come first
    tool_add_host_libraries(&command);
    process_add(&command, "-o");
    process_add(&command, binary);
    // File names are relative to the directory in which the run was started.
    bool good = access(replay->directory, X_OK) == 0;
    if (good) {
        good = run_tool(replay, &command, replay->directory, folder);
    } else {
        user_error_at(replay->directory, "Replay needs the source in this folder.", "%s", strerror(errno));
        process_free(&command);
    }
    mem_free_string(headers);
    return good;
}

// Builds the bitcode with the host's C library, if there is no source. Every function is marked for the sanitizer's
// pass.
static bool build_from_bitcode(struct native_replay *replay, enum replay_build build, const char *folder,
                               const char *binary) {
    char *marked = path_in(replay, folder, build == BUILD_VALGRIND ? "program.o" : "marked.bc");
    char *driver = work_path(replay, "driver.c");
    const char *bitcode = replay->operands.words.at[0];
    bool good = true, checks = build == BUILD_SANITIZER;
    if (checks || build == BUILD_VALGRIND) {
        struct process_command mark = {0};
        const char *const for_checks[] = {
            "opt-19", "-passes=forceattrs", "--force-attribute=sanitize_address", "-o", marked, bitcode};
        // For IR, clang ignores -gdwarf-4.
        const char *const for_valgrind[] = {
            "llc-19",           "-O0", "-filetype=obj", "-relocation-model=static",
            "-dwarf-version=4", "-o",  marked,          bitcode};
        const char *const *words = checks ? for_checks : for_valgrind;
        for (size_t i = 0; i < (checks ? COUNT(for_checks) : COUNT(for_valgrind)); i++)
            process_add(&mark, words[i]);
        good = run_tool(replay, &mark, folder, folder);
        bitcode = marked;
    }
    struct process_command compile = {0};
    const char *const start[] = {"clang-19",
                                 "-w",
                                 "-O0",
                                 "-no-pie",
                                 checks ? "-fsanitize=address" : "-gdwarf-4",
                                 "-x",
                                 build == BUILD_VALGRIND ? "none" : "ir",
                                 bitcode,
                                 "-x",
                                 "none"};
    for (size_t i = 0; i < COUNT(start); i++) process_add(&compile, start[i]);
    if (replay->fuzzer && write_driver(driver)) process_add(&compile, driver);
    if (build != BUILD_PLAIN) add_own_arguments(&compile);
    add_own_sockets(&compile, replay);
    tool_add_host_libraries(&compile);
    process_add(&compile, "-Wl,--unresolved-symbols=ignore-all"); // dead code, as in the exact build
    process_add(&compile, "-o");
    process_add(&compile, binary);
    if (good)
        good = run_tool(replay, &compile, folder, folder);
    else
        process_free(&compile);
    return good;
}

bool replay_build(struct native_replay *replay, enum replay_build build) {
    const char *folder = build_folder(replay, build);
    char *binary = path_in(replay, folder, "program");
    bool good = build == BUILD_EXACT        ? build_exact(replay, folder, binary)
                : replay_has_source(replay) ? build_source(replay, build, folder, binary)
                : build == BUILD_GCOV ? replay_build_counting(replay, replay->operands.words.at[0], binary)
                                      : build_from_bitcode(replay, build, folder, binary);
    if (good)
        replay->binaries[build] = binary;
    else
        user_error_at("replay", NULL, "the %s build failed", replay_build_names[build]);
    return good;
}

// ---- gcov

// Copies the annotated sources to OUT/gcov. Returns false if there are none.
static bool keep_annotated(struct native_replay *replay, const char *from) {
    const char *target = path_in(replay, replay->folder, "gcov");
    bool any = false;
    if (!file_make_folder(target)) {
        user_error_at(target, NULL, "cannot be created: %s", strerror(errno));
        return false;
    }
    DIR *folder = opendir(from);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct text content = {0};
        if (text_ends_with(entry->d_name, ".gcov") &&
            !file_read_kept(path_in(replay, from, entry->d_name), &content))
            any |= file_replace(path_in(replay, target, entry->d_name), content.at, content.count);
        text_free(&content);
    }
    if (folder) closedir(folder);
    return any;
}

bool replay_collect_gcov(struct native_replay *replay) {
    const char *target = work_path(replay, "annotated");
    struct process_command command = {0};
    // Sources have names relative to the run's folder: gcov must be run there, on a private copy. Its messages are
    // discarded.
    const char *const start[] = {
        "sh", "-c",
        sandbox_is_off() ? "cd \"$0\" && exec llvm-cov-19 gcov \"$@\" 2>/dev/null"
                         : "rm -f ./*.gcov; llvm-cov-19 gcov \"$@\" 2>/dev/null && cp ./*.gcov \"$0\"",
        target};
    for (size_t i = 0; i < COUNT(start); i++) process_add(&command, start[i]);
    // -p keeps files of one name in different folders apart.
    process_add(&command, replay->counts_exactly ? "-bp" : "-b");
    bool any = false;
    DIR *folder = opendir(replay->counts);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (!text_ends_with(entry->d_name, ".gcda")) continue;
        process_add_format(&command, "%s/%s", replay->counts, entry->d_name);
        any = true;
    }
    if (folder) closedir(folder);
    file_remove_tree(target);
    bool good = any && mkdir(target, 0700) == 0;
    if (good)
        good = run_tool(replay, &command, replay->directory, target);
    else
        process_free(&command);
    return good && keep_annotated(replay, target);
}
