#include "cli/cc_compile.h"

#include "base/resources.h"
#include "base/text.h"
#include "cli/cc_line.h"
#include "cli/cc_run.h"

#define CLANG "clang-19"

// In front of the user's flags: what they may change. The bitcode that is kept is clang's output before any
// optimisation, at the user's own -O level, so that inline functions and __OPTIMIZE__ mean the same to the
// native code and to Tamar. Old C that gcc accepts with a warning is accepted.
static const char *const defaults[] = {"--target=x86_64-linux-musl",
                                       "-Qunused-arguments",
                                       "-fno-pic",
                                       "-Wno-error=implicit-function-declaration",
                                       "-Wno-error=implicit-int",
                                       "-Wno-error=int-conversion",
                                       "-Wno-error=incompatible-function-pointer-types"};
// Behind them: what must hold. No builtins, so that library calls stay calls; no protectors and fortified
// variants, which the model's checks replace.
static const char *const fixed[] = {
    "-nostdinc",         "-fno-stack-protector",     "-U_FORTIFY_SOURCE",
    "-fno-builtin",      "-fno-vectorize",           "-fno-slp-vectorize",
    "-ffp-contract=off", "-fno-discard-value-names", "-Wno-unknown-warning-option"};

static void add_headers(struct cc_command *command) {
    const char *folder = resources_folder();
    cc_add_format(command, "-isystem%s/include", folder);
    cc_add_format(command, "-isystem%s/include/gnu", folder); // in front of musl's, which it includes
    cc_add_format(command, "-isystem%s/sysroot/usr/include", folder);
    cc_add_format(command, "-isystem%s/sysroot/clang", folder);
}

static void add_compiler(struct cc_command *command, const struct cc_line *line) {
    cc_add(command, CLANG);
    for (size_t i = 0; i < COUNT(defaults); i++) cc_add(command, defaults[i]);
    vec_each (struct cc_word, word, &line->words)
        if (word->use & CC_FOR_COMPILER) cc_add(command, word->text);
    for (size_t i = 0; i < COUNT(fixed); i++) cc_add(command, fixed[i]);
    add_headers(command);
}

static void add_embedding(struct cc_command *command, const struct cc_line *line) {
    if (!line->has_debug) cc_add(command, "-g");
    cc_add(command, "-Xclang");
    cc_add(command, "-disable-O0-optnone");
    cc_add(command, "-Xclang");
    cc_add(command, "-fsanitize-address-use-after-scope"); // the scopes of variables, not the check
    if (line->emits_llvm) return;
    cc_add(command, "-Xclang");
    cc_add(command, "-fembed-bitcode=bitcode");
}

// `language` is what the last -x of the command said.
static void add_source(struct cc_command *command, const struct cc_word *word, const char **language) {
    if (word->language != *language) {
        cc_add(command, "-x");
        cc_add(command, word->language ? word->language : "none");
        *language = word->language;
    }
    cc_add(command, word->text);
}

// "a/b.c" gives "b" + suffix, where the compiler puts an output without -o.
static char *default_output(const char *source, const char *suffix) {
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source, *dot = strrchr(name, '.');
    struct text output = {0};
    text_add_bytes(&output, name, dot ? (size_t)(dot - name) : strlen(name));
    text_add(&output, "%s", suffix);
    char *copy = mem_strdup(output.at);
    text_free(&output);
    return copy;
}

static bool adopt_outputs(const struct cc_line *line) {
    if (line->output) return cc_adopt(line->output);
    bool good = true;
    vec_each (struct cc_word, word, &line->words) {
        if (!word->is_source) continue;
        char *object = default_output(word->text, ".o");
        good = cc_adopt(object) && good;
        mem_free_string(object);
    }
    return good;
}

int cc_compile_all(const struct cc_line *line) {
    static const char *const mode_flags[] = {[CC_OBJECT] = "-c", [CC_ASSEMBLY] = "-S"};
    struct cc_command command = {0};
    add_compiler(&command, line);
    if (line->mode != CC_PREPROCESS) {
        add_embedding(&command, line);
        cc_add(&command, mode_flags[line->mode]);
    }
    if (line->output) {
        cc_add(&command, "-o");
        cc_add(&command, line->output);
    }
    const char *language = NULL;
    vec_each (struct cc_word, word, &line->words)
        if (word->use & CC_INPUT) add_source(&command, word, &language);
    int status = cc_run(&command);
    if (status == 0 && line->mode == CC_OBJECT && !adopt_outputs(line)) status = 1;
    return status;
}

// -MD in a command that links names its file after the output of the whole command, not after our object.
static void add_dependencies(struct cc_command *command, const struct cc_line *line,
                             const struct cc_word *word) {
    if (!line->makes_dependencies) return;
    const char *output = line->output ? line->output : "a.out";
    if (!line->names_dependency_file) {
        char *file = default_output(line->output ? line->output : word->text, ".d");
        const char *slash = strrchr(output, '/');
        cc_add(command, "-MF");
        cc_add_format(command, "%.*s%s", slash ? (int)(slash + 1 - output) : 0, output, file);
        mem_free_string(file);
    }
    if (!line->names_dependency_target) {
        cc_add(command, "-MT");
        cc_add(command, output);
    }
}

int cc_compile_for_link(const struct cc_line *line, const struct cc_word *word, const char *object) {
    struct cc_command command = {0};
    add_compiler(&command, line);
    add_embedding(&command, line);
    add_dependencies(&command, line, word);
    cc_add(&command, "-c");
    cc_add(&command, "-o");
    cc_add(&command, object);
    const char *language = NULL;
    add_source(&command, word, &language);
    int status = cc_run(&command);
    return status == 0 && !cc_adopt(object) ? 1 : status;
}

int cc_query(const struct cc_line *line) {
    struct cc_command command = {0};
    cc_add(&command, CLANG);
    cc_add(&command, defaults[0]);
    cc_add_format(&command, "--sysroot=%s/sysroot", resources_folder());
    vec_each (struct cc_word, word, &line->words) cc_add(&command, word->text);
    return cc_run(&command);
}
