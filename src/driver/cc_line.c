#include "driver/cc_line.h"

#include "base/error.h"
#include "driver/cc_options.h"
#include "driver/cc_response.h"

#include <stdio.h>

struct cc_parser {
    struct cc_line *line;
    char **argv; // words not yet parsed
    const char *language;
    bool good;
};

static const struct {
    const char *name;
    int use;
    bool joined;
} with_value[] = {
#define ROW(name, use, joined) {name, use, joined},
    CC_OPTIONS_WITH_VALUE(ROW)
#undef ROW
};

#define ROW(prefix) prefix,
static const char *const dropped[] = {CC_DROPPED_PREFIXES(ROW)};
static const char *const instrumentation[] = {CC_INSTRUMENTATION_PREFIXES(ROW)};
static const char *const refused[] = {CC_REFUSED_PREFIXES(ROW)};
#undef ROW

static bool starts_with(const char *word, const char *prefix) {
    return strncmp(word, prefix, strlen(prefix)) == 0;
}

static bool is_one_of(const char *word, const char *const *prefixes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (starts_with(word, prefixes[i])) return true;
    return false;
}
#define IS_ONE_OF(word, list) is_one_of(word, list, COUNT(list))

static void add(struct cc_parser *parser, char *text, int use) {
    struct cc_word word = {.text = text, .use = use};
    vec_push(&parser->line->words, word);
}

static bool is_source_name(const char *name) {
    static const char *const suffixes[] = {".c",  ".i",  ".s",   ".S",   ".sx", ".ll", ".bc",
                                           ".cc", ".cp", ".cpp", ".cxx", ".C",  ".ii", ".h"};
    const char *dot = strrchr(name, '.');
    if (!dot) return false;
    for (size_t i = 0; i < COUNT(suffixes); i++)
        if (strcmp(dot, suffixes[i]) == 0) return true;
    return false;
}

static bool is_cplusplus(const char *name, const char *language) {
    static const char *const suffixes[] = {".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".ii"};
    const char *dot = strrchr(name, '.');
    if (language) return starts_with(language, "c++");
    for (size_t i = 0; dot && i < COUNT(suffixes); i++)
        if (strcmp(dot, suffixes[i]) == 0) return true;
    return false;
}

static void add_input(struct cc_parser *parser, char *text) {
    if (is_cplusplus(text, parser->language)) {
        user_error_at("cc", "Leave the file out, or compile that part of the program with another compiler.",
                      "%s is C++, which Tamar does not execute", text);
        parser->good = false;
        return;
    }
    bool is_source = parser->language || strcmp(text, "-") == 0 || is_source_name(text);
    struct cc_word word = {
        .text = text, .use = CC_INPUT, .language = parser->language, .is_source = is_source};
    vec_push(&parser->line->words, word);
    parser->line->inputs++;
    parser->line->sources += is_source;
}

static char *next_word(struct cc_parser *parser, const char *option) {
    char *value = *parser->argv;
    if (value) {
        parser->argv++;
        return value;
    }
    user_error_at("cc", NULL, "argument to '%s' is missing", option);
    parser->good = false;
    return NULL;
}

// Takes -o and -x: Tamar passes its own -o and -x to each clang command.
static bool take_own_value(struct cc_parser *parser, char *word) {
    if (!starts_with(word, "-o") && !starts_with(word, "-x")) return false;
    if (starts_with(word, "-objc") || starts_with(word, "-o-")) return false;
    char *value = word[2] ? word + 2 : next_word(parser, word);
    if (!value) return true;
    if (word[1] == 'o')
        parser->line->output = value;
    else
        parser->language = strcmp(value, "none") ? value : NULL;
    return true;
}

// The host's headers belong to another C library: -I of their folder is ignored.
static bool is_host_folder(const char *path) {
    return strcmp(path, "/usr/include") == 0 || strcmp(path, "/usr/include/") == 0 ||
           starts_with(path, "/usr/include/x86_64-linux-gnu");
}

static bool is_host_library_folder(const char *path) {
    static const char *const folders[] = {"/usr/lib", "/lib", "/usr/lib64", "/lib64"};
    for (size_t i = 0; i < COUNT(folders); i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) != 0) continue;
        const char *rest = path + length;
        if (!*rest || strcmp(rest, "/") == 0 || starts_with(rest, "/x86_64-linux-gnu")) return true;
    }
    return false;
}

static void note_value(struct cc_line *line, const char *option) {
    if (strcmp(option, "-MF") == 0) line->names_dependency_file = true;
    if (strcmp(option, "-MT") == 0 || strcmp(option, "-MQ") == 0) line->names_dependency_target = true;
}

static bool take_option_with_value(struct cc_parser *parser, char *word) {
    for (size_t i = 0; i < COUNT(with_value); i++) {
        const char *name = with_value[i].name;
        if (!starts_with(word, name)) continue;
        size_t length = strlen(name);
        if (word[length] && !with_value[i].joined) continue;
        char *value = word[length] ? word + length : next_word(parser, word);
        if (!value) return true;
        bool is_folder =
            strcmp(name, "-I") == 0 || strcmp(name, "-isystem") == 0 || strcmp(name, "-idirafter") == 0;
        if (is_folder && is_host_folder(value)) {
            user_warning("cc: %s%s is ignored: the host's headers are for another C library. `tamar deps "
                         "LIBRARY` builds "
                         "Debian's libraries for Tamar.",
                         name, value);
            return true;
        }
        if (strcmp(name, "-L") == 0 && is_host_library_folder(value)) {
            user_warning("cc: -L%s is ignored: the host's libraries are for another C library. `tamar deps "
                         "LIBRARY` builds "
                         "Debian's for Tamar.",
                         value);
            return true;
        }
        note_value(parser->line, name);
        add(parser, word, with_value[i].use);
        if (!word[length]) add(parser, value, with_value[i].use);
        return true;
    }
    return false;
}

static bool take_mode(struct cc_line *line, const char *word) {
    static const char *const without_code[] = {"-E", "-M", "-MM", "-fsyntax-only", "--analyze"};
    if (strcmp(word, "-c") == 0 && line->mode != CC_PREPROCESS && line->mode != CC_ASSEMBLY) {
        line->mode = CC_OBJECT;
        return true;
    }
    if (strcmp(word, "-S") == 0 && line->mode != CC_PREPROCESS) {
        line->mode = CC_ASSEMBLY;
        return true;
    }
    for (size_t i = 0; i < COUNT(without_code); i++)
        if (strcmp(word, without_code[i]) == 0) line->mode = CC_PREPROCESS;
    return strcmp(word, "-c") == 0 || strcmp(word, "-S") == 0;
}

// Handles words that affect linking. Returns true if the word is not passed on.
static bool take_link_option(struct cc_line *line, const char *word) {
    static const char *const not_passed[] = {"-pie", "-no-pie", "-static-pie", "-nopie", "-rdynamic"};
    if (strcmp(word, "-shared") == 0) line->shared = true;
    if (strcmp(word, "-r") == 0) line->relocatable = true;
    if (strcmp(word, "-static") == 0 || strcmp(word, "-static-pie") == 0) line->wants_static = true;
    if (strcmp(word, "-nostdlib") == 0) line->no_start_files = line->no_default_libraries = true;
    if (strcmp(word, "-nostartfiles") == 0) line->no_start_files = true;
    if (strcmp(word, "-nodefaultlibs") == 0 || strcmp(word, "-nolibc") == 0)
        line->no_default_libraries = true;
    for (size_t i = 0; i < COUNT(not_passed); i++)
        if (strcmp(word, not_passed[i]) == 0) return true;
    return strcmp(word, "-static") == 0 || strcmp(word, "-shared") == 0 || strcmp(word, "-r") == 0;
}

static void note_flag(struct cc_line *line, const char *word) {
    if (strcmp(word, "-fPIC") == 0 || strcmp(word, "-fpic") == 0) line->is_pic = true;
    if (strcmp(word, "-emit-llvm") == 0) line->emits_llvm = true;
    if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0) line->makes_dependencies = true;
    if (starts_with(word, "-g") && strcmp(word, "-g0") != 0 && !starts_with(word, "-gno-"))
        line->has_debug = true;
}

static bool take_unwanted(struct cc_parser *parser, const char *word) {
    if (IS_ONE_OF(word, dropped)) return true;
    if (IS_ONE_OF(word, instrumentation) && !starts_with(word, "-fno-")) {
        if (starts_with(word, "-fsanitize=") && strstr(word, "fuzzer") && !strstr(word, "fuzzer-no-link"))
            parser->line->is_fuzzer = true;
        else
            user_warning("cc: %s is ignored: `tamar run` has its own checks and coverage", word);
        return true;
    }
    if (IS_ONE_OF(word, refused) && !starts_with(word, "-mno-")) {
        user_error_at("cc", "Leave it out: programs are compiled for the basic x86-64 that Tamar executes.",
                      "error: unsupported option '%s'", word);
        parser->good = false;
        return true;
    }
    return false;
}

static void take(struct cc_parser *parser, char *word) {
    struct cc_line *line = parser->line;
    if (word[0] != '-' || !word[1]) {
        add_input(parser, word);
        return;
    }
    if (take_unwanted(parser, word) || take_mode(line, word) || take_link_option(line, word)) return;
    if (starts_with(word, "-Wl,")) {
        add(parser, word, CC_FOR_LINKER);
        return;
    }
    // -o and -x come before the options that begin with the same letter
    if (take_own_value(parser, word) || take_option_with_value(parser, word)) return;
    note_flag(line, word);
    add(parser, word, CC_FOR_COMPILER | CC_FOR_LINKER);
}

static bool is_query(const struct cc_line *line) { return line->inputs == 0; }

bool cc_line_parse(struct cc_line *line, char **argv) {
    *line = (struct cc_line){0};
    struct cc_response response = {0};
    if (!cc_response_expand(&response, argv)) {
        cc_response_free(&response);
        return false;
    }
    struct cc_parser parser = {.line = line, .argv = response.words.at, .good = true};
    while (*parser.argv && parser.good) take(&parser, *parser.argv++);
    if (is_query(line)) line->mode = CC_QUERY;
    // The words must live as long as the line.
    vec_each (char *, word, &response.owned) vec_push(&line->owned, *word);
    vec_free(&response.owned);
    vec_free(&response.words);
    return parser.good;
}

void cc_line_free(struct cc_line *line) {
    vec_each (char *, word, &line->owned) mem_free_string(*word);
    vec_free(&line->owned);
    vec_free(&line->words);
}
