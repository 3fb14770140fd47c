#include "driver/cc_compile.h"

#include "base/process.h"
#include "base/resources.h"
#include "base/sanitizers.h"
#include "base/text.h"
#include "driver/cc_adopt.h"
#include "driver/cc_line.h"
#include "front/host_headers.h"

#include <unistd.h>

#define CLANG "clang-19"

// Flags before the user's, which may override them. The bitcode that is kept is clang's output before any
// optimisation, at the user's own -O level, so that inline functions and __OPTIMIZE__ are the same in the
// native code and in Tamar. Old C that gcc accepts with a warning is accepted.
static const char *const defaults[] = {"--target=x86_64-linux-musl",
                                       "-Qunused-arguments",
                                       "-fno-pic",
                                       "-Wno-error=implicit-function-declaration",
                                       "-Wno-error=implicit-int",
                                       "-Wno-error=int-conversion",
                                       "-Wno-error=incompatible-function-pointer-types"};
// Warnings of clang's -Wall, -Wextra and -pedantic that gcc does not have, or gives in fewer cases: a project that
// builds with gcc and -Werror must build here, too. Those that configure scripts test with -Werror (attributes,
// implicit declarations, types) stay errors. Five are given for macros of the C library's headers: cast-align and
// sign-compare (CMSG_NXTHDR), double-promotion (INFINITY), constant-logical-operand (INT64_C), long-long (isnan).
static const char *const not_of_gcc[] = {"-Wno-error=absolute-value",
                                         "-Wno-error=asm-operand-widths",
                                         "-Wno-error=bitwise-instead-of-logical",
                                         "-Wno-error=cast-align",
                                         "-Wno-error=cast-function-type-mismatch",
                                         "-Wno-error=constant-conversion",
                                         "-Wno-error=constant-logical-operand",
                                         "-Wno-error=deprecated-non-prototype",
                                         "-Wno-error=double-promotion",
                                         "-Wno-error=enum-conversion",
                                         "-Wno-error=extra-semi-stmt",
                                         "-Wno-error=for-loop-analysis",
                                         "-Wno-error=gnu-folding-constant",
                                         "-Wno-error=gnu-variable-sized-type-not-at-end",
                                         "-Wno-error=implicit-const-int-float-conversion",
                                         "-Wno-error=initializer-overrides",
                                         "-Wno-error=invalid-source-encoding",
                                         "-Wno-error=knr-promoted-parameter",
                                         "-Wno-error=long-long",
                                         "-Wno-error=macro-redefined",
                                         "-Wno-error=non-literal-null-conversion",
                                         "-Wno-error=null-pointer-arithmetic",
                                         "-Wno-error=null-pointer-subtraction",
                                         "-Wno-error=parentheses-equality",
                                         "-Wno-error=pointer-bool-conversion",
                                         "-Wno-error=self-assign",
                                         "-Wno-error=sign-compare",
                                         "-Wno-error=single-bit-bitfield-constant-conversion",
                                         "-Wno-error=sometimes-uninitialized",
                                         "-Wno-error=strict-prototypes",
                                         "-Wno-error=string-plus-char",
                                         "-Wno-error=string-plus-int",
                                         "-Wno-error=tautological-compare",
                                         "-Wno-error=tautological-constant-out-of-range-compare",
                                         "-Wno-error=tautological-pointer-compare",
                                         "-Wno-error=tautological-unsigned-enum-zero-compare",
                                         "-Wno-error=typedef-redefinition",
                                         "-Wno-error=unneeded-internal-declaration",
                                         "-Wno-error=unused-but-set-variable",
                                         "-Wno-error=unused-const-variable",
                                         "-Wno-error=unused-function",
                                         "-Wno-error=varargs"};
// Flags after the user's, which cannot override them. No builtins, so that library calls stay calls; no stack
// protector and no fortified functions: Tamar's checks replace them.
static const char *const fixed[] = {
    "-nostdinc",         "-fno-stack-protector",     "-U_FORTIFY_SOURCE",
    "-fno-builtin",      "-fno-vectorize",           "-fno-slp-vectorize",
    "-ffp-contract=off", "-fno-discard-value-names", "-Wno-unknown-warning-option"};

static void add_headers(struct process_command *command) {
    const char *folder = resources_folder();
    process_add_format(command, "-isystem%s/include", folder);
    process_add_format(command, "-isystem%s/include/gnu",
                       folder); // before musl's headers, which these include
    struct text prefix = {0};
    text_add(&prefix, "%s/include", resources_prefix());
    if (access(prefix.at, X_OK) == 0) process_add_format(command, "-isystem%s", prefix.at);
    text_free(&prefix);
    process_add_format(command, "-isystem%s/sysroot/usr/include", folder);
    process_add_format(command, "-isystem%s/sysroot/clang", folder);
}

static void add_compiler(struct process_command *command, const struct cc_line *line) {
    process_add(command, CLANG);
    for (size_t i = 0; i < COUNT(defaults); i++) process_add(command, defaults[i]);
    for (size_t i = 0; i < COUNT(not_of_gcc); i++) process_add(command, not_of_gcc[i]);
    vec_each (struct cc_word, word, &line->words)
        if (word->use & CC_FOR_COMPILER) process_add(command, word->text);
    for (size_t i = 0; i < COUNT(fixed); i++) process_add(command, fixed[i]);
    add_headers(command);
}

static void add_bitcode_flags(struct process_command *command, const struct cc_line *line) {
    if (!line->has_debug) process_add(command, "-g");
    process_add(command, "-Xclang");
    process_add(command, "-disable-O0-optnone");
    process_add(command, "-Xclang");
    process_add(
        command,
        "-fsanitize-address-use-after-scope"); // for the markers of scopes; the check itself is not used
}

// Enables every check that a run may use: the front end removes the checks that are off.
static void add_sanitizers(struct process_command *command) {
    struct text flag = {0};
    text_add(&flag, "-fsanitize=");
    sanitizers_add_names(&flag, SANITIZERS_ALL);
    process_add(command, flag.at);
    text_free(&flag);
}

// Native code is compiled without instrumentation, so a separate compilation makes the bitcode, and the object gets an
// empty section for it. For a source that cannot be read twice, the native compilation embeds the bitcode.
static void add_embedding(struct process_command *command, const struct cc_line *line, bool separate) {
    add_bitcode_flags(command, line);
    if (line->emits_llvm) {
        add_sanitizers(command);
        return;
    }
    process_add(command, "-Xclang");
    process_add(command, separate ? "-fembed-bitcode=marker" : "-fembed-bitcode=bitcode");
}

// `language`: the value of the last -x of the command.
static void add_source(struct process_command *command, const struct cc_word *word, const char **language) {
    if (word->language != *language) {
        process_add(command, "-x");
        process_add(command, word->language ? word->language : "none");
        *language = word->language;
    }
    process_add(command, word->text);
}

// Returns the compiler's output file without -o: "b" + suffix for "a/b.c".
static char *default_output(const char *source, const char *suffix) {
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source, *dot = strrchr(name, '.');
    struct text output = {0};
    text_add_bytes(&output, name, dot ? (size_t)(dot - name) : strlen(name));
    text_add(&output, "%s", suffix);
    char *copy = mem_strdup(output.at);
    text_free(&output);
    return copy;
}

// ---- bitcode

// Whether the source can be compiled twice, to bitcode and to native code. Standard input can be read only once.
static bool is_c_file(const struct cc_word *word) {
    const char *dot = strrchr(word->text, '.');
    if (!word->is_source || strcmp(word->text, "-") == 0) return false;
    if (word->language) return !strcmp(word->language, "c") || !strcmp(word->language, "cpp-output");
    return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".i"));
}

static bool all_are_c_files(const struct cc_line *line) {
    vec_each (struct cc_word, word, &line->words)
        if ((word->use & CC_INPUT) && !is_c_file(word)) return false;
    return true;
}

// Options about files besides the output, which only the native compilation writes.
static bool is_about_outputs(const char *word, bool *has_value) {
    static const char *const with_value[] = {"-MF", "-MQ", "-MT", "-MJ"};
    static const char *const prefixes[] = {"-MD",    "-MMD",        "-MP",        "-MG",
                                           "-Wp,-M", "-save-temps", "-emit-llvm", "-v"};
    *has_value = false;
    for (size_t i = 0; i < COUNT(with_value); i++) {
        if (strncmp(word, with_value[i], 3) != 0) continue;
        *has_value = !word[3];
        return true;
    }
    for (size_t i = 0; i < COUNT(prefixes); i++)
        if (!strncmp(word, prefixes[i], strlen(prefixes[i]))) return true;
    return false;
}

// Makes the command that compiles a source to bitcode: before any optimisation, at the user's own -O level, with all
// instrumentation. It prints no diagnostics: the native compilation prints them.
static void make_bitcode_command(struct process_command *command, const struct cc_line *line,
                                 const struct cc_word *source, const char *bitcode) {
    bool skip = false;
    process_add(command, CLANG);
    for (size_t i = 0; i < COUNT(defaults); i++) process_add(command, defaults[i]);
    vec_each (struct cc_word, word, &line->words) {
        if (!(word->use & CC_FOR_COMPILER)) continue;
        bool has_value;
        if (!skip && !is_about_outputs(word->text, &has_value))
            process_add(command, word->text);
        else
            skip = !skip && has_value;
    }
    for (size_t i = 0; i < COUNT(fixed); i++) process_add(command, fixed[i]);
    add_headers(command);
    add_bitcode_flags(command, line);
    add_sanitizers(command);
    const char *const last[] = {
        "-w", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", SANITIZER_ATTRIBUTES, "-o", bitcode};
    for (size_t i = 0; i < COUNT(last); i++) process_add(command, last[i]);
    const char *language = NULL;
    add_source(command, source, &language);
}

struct bitcode_job {
    const struct cc_word *source;
    char *file;
    pid_t pid;
};
typedef vec(struct bitcode_job) bitcode_jobs;

// Starts the compilation to bitcode, which runs in parallel with the native one.
static void start_bitcode(bitcode_jobs *jobs, const struct cc_line *line, const struct cc_word *source) {
    static unsigned number;
    struct text file = {0};
    text_add(&file, "%s/%u.bc", process_temporary_folder(), number++);
    struct bitcode_job job = {.source = source, .file = mem_strdup(file.at)};
    text_free(&file);
    struct process_command command = {0};
    make_bitcode_command(&command, line, source, job.file);
    job.pid = process_start(&command, true);
    vec_push(jobs, job);
}

// Repeats a compilation that failed although the native one succeeded, to print its errors. Returns false if it failed
// again.
static bool await_bitcode(bitcode_jobs *jobs, const struct cc_line *line, bool native_good) {
    bool good = true;
    vec_each (struct bitcode_job, job, jobs) {
        if (process_wait(job->pid) == 0 || !native_good) continue;
        struct process_command command = {0};
        make_bitcode_command(&command, line, job->source, job->file);
        good = process_run(&command) == 0 && good;
    }
    return good;
}

static void free_bitcode(bitcode_jobs *jobs) {
    vec_each (struct bitcode_job, job, jobs) mem_free_string(job->file);
    vec_free(jobs);
}

// ---- outputs

static bool adopt_one(const struct cc_line *line, const char *output, const char *bitcode) {
    if (line->mode != CC_ASSEMBLY) return cc_adopt(output, bitcode);
    return !bitcode || cc_adopt_assembly(output, bitcode);
}

static bool adopt_outputs(const struct cc_line *line, const bitcode_jobs *jobs) {
    const char *suffix = line->mode == CC_ASSEMBLY ? ".s" : ".o";
    uint32_t next = 0;
    bool good = true;
    vec_each (struct cc_word, word, &line->words) {
        if (!word->is_source) continue;
        const char *bitcode = next < jobs->count ? jobs->at[next++].file : NULL;
        char *output = line->output ? mem_strdup(line->output) : default_output(word->text, suffix);
        good = adopt_one(line, output, bitcode) && good;
        mem_free_string(output);
    }
    return good;
}

int cc_compile_all(const struct cc_line *line) {
    static const char *const mode_flags[] = {[CC_OBJECT] = "-c", [CC_ASSEMBLY] = "-S"};
    struct process_command command = {0};
    bitcode_jobs jobs = {0};
    bool separate = line->mode != CC_PREPROCESS && !line->emits_llvm && all_are_c_files(line);
    add_compiler(&command, line);
    if (line->mode != CC_PREPROCESS) {
        add_embedding(&command, line, separate);
        process_add(&command, mode_flags[line->mode]);
    }
    if (line->output) {
        process_add(&command, "-o");
        process_add(&command, line->output);
    }
    const char *language = NULL;
    vec_each (struct cc_word, word, &line->words)
        if (word->use & CC_INPUT) add_source(&command, word, &language);
    vec_each (struct cc_word, word, &line->words)
        if (separate && word->is_source) start_bitcode(&jobs, line, word);
    int status = process_run(&command);
    bool good = await_bitcode(&jobs, line, status == 0);
    bool adopts = line->mode == CC_OBJECT || (separate && line->mode == CC_ASSEMBLY);
    if (status == 0 && adopts && (!good || !adopt_outputs(line, &jobs))) status = 1;
    free_bitcode(&jobs);
    vec_each (struct cc_word, word, &line->words)
        if (status != 0 && word->is_source) host_headers_explain(word->text);
    return status;
}

// Adds the names for -MD in a command that links: they come from the output of the command, not from the temporary
// object.
static void add_dependencies(struct process_command *command, const struct cc_line *line,
                             const struct cc_word *word) {
    if (!line->makes_dependencies) return;
    const char *output = line->output ? line->output : "a.out";
    if (!line->names_dependency_file) {
        char *file = default_output(line->output ? line->output : word->text, ".d");
        const char *slash = strrchr(output, '/');
        process_add(command, "-MF");
        process_add_format(command, "%.*s%s", slash ? (int)(slash + 1 - output) : 0, output, file);
        mem_free_string(file);
    }
    if (!line->names_dependency_target) {
        process_add(command, "-MT");
        process_add(command, output);
    }
}

int cc_compile_for_link(const struct cc_line *line, const struct cc_word *word, const char *object) {
    struct process_command command = {0};
    bitcode_jobs jobs = {0};
    bool separate = is_c_file(word);
    add_compiler(&command, line);
    add_embedding(&command, line, separate);
    add_dependencies(&command, line, word);
    process_add(&command, "-c");
    process_add(&command, "-o");
    process_add(&command, object);
    const char *language = NULL;
    add_source(&command, word, &language);
    if (separate) start_bitcode(&jobs, line, word);
    int status = process_run(&command);
    bool good = await_bitcode(&jobs, line, status == 0);
    if (status == 0 && (!good || !cc_adopt(object, separate ? jobs.at[0].file : NULL))) status = 1;
    free_bitcode(&jobs);
    if (status != 0) host_headers_explain(word->text);
    return status;
}

int cc_query(const struct cc_line *line) {
    struct process_command command = {0};
    process_add(&command, CLANG);
    process_add(&command, defaults[0]);
    process_add_format(&command, "--sysroot=%s/sysroot", resources_folder());
    vec_each (struct cc_word, word, &line->words) process_add(&command, word->text);
    return process_run(&command);
}
