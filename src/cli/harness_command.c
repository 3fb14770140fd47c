// `tamar harness`: writes a first version of a harness for functions of a library.
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/suggest.h"
#include "base/text.h"
#include "cli/command.h"
#include "driver/harness.h"
#include "front/front.h"
#include "run/common_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HARNESS_OPTIONS(X, T)                                                                                \
    X(T, TEXT, out, "FILE", NULL, "where the harness goes (default: standard output)")                       \
    X(T, NUMBER, elements, "N", 8, 1, 4096,                                                                  \
      "limit of the characters of a string and of the elements of an array")                                 \
    COMMON_OPTIONS(X, T)

OPTIONS_STRUCT(harness_options, HARNESS_OPTIONS)
OPTIONS_TABLE(harness_options, HARNESS_OPTIONS)

typedef vec(const char *) names;
typedef vec(const struct harness_function *) chosen;

// Adds a flag; its value may be the next word. Returns the number of words.
static uint32_t add_flag(struct harness *harness, const struct operands *operands, uint32_t at) {
    static const char *const with_value[] = {"-I",       "-D",      "-U",        "-isystem",
                                             "-include", "-iquote", "-idirafter"};
    const char *word = operands->words.at[at];
    if (!strncmp(word, "-l", 2) || !strncmp(word, "-L", 2))
        return word[2] ? 1 : 2; // -l and -L matter only to `tamar run`
    vec_push(&harness->flags, word);
    for (size_t i = 0; i < COUNT(with_value); i++) {
        if (strcmp(word, with_value[i]) != 0 || at + 1 == operands->words.count) continue;
        vec_push(&harness->flags, operands->words.at[at + 1]);
        return 2;
    }
    return 1;
}

static bool add_file(struct harness *harness, const char *word) {
    if (harness->file) {
        user_error_at(word, "Name one header or C file; further ones may be included by it.",
                      "only one header or C file can be given");
        return false;
    }
    harness->file = word;
    harness->is_header = text_ends_with(word, ".h");
    return true;
}

// Words are a header or a C file, names of functions, flags, and built programs or libraries, in any order.
static bool sort_words(struct harness *harness, const struct operands *operands, names *wanted,
                       names *programs) {
    for (uint32_t i = 0, step; i < operands->words.count; i += step) {
        const char *word = operands->words.at[i];
        step = word[0] == '-' ? add_flag(harness, operands, i) : 1;
        if (word[0] == '-') continue;
        struct stat status;
        bool exists = stat(word, &status) == 0 && S_ISREG(status.st_mode);
        if (text_ends_with(word, ".h") || text_ends_with(word, ".c")) {
            if (!add_file(harness, word)) return false;
        } else if (exists || strpbrk(word, "./")) {
            vec_push(programs, word);
        } else {
            vec_push(wanted, word);
        }
    }
    if (harness->file || programs->count) return true;
    user_error_at("harness",
                  "Name a header (png.h), the C file that defines the function, or a program or library that "
                  "`tamar cc` built.",
                  "no header, C file or program given");
    return false;
}

// main is the entry of a program, not a function to test.
static bool is_candidate(const struct harness *harness, const struct harness_function *function) {
    return function->own && strcmp(function->name, "main") != 0 && !strstr(function->type, "...") &&
           (!harness->is_header || !function->hidden) && strncmp(function->name, "__", 2) != 0;
}

// Makes the declarations from the debug information of the built programs, if no header or C file is given.
static bool declare(struct harness *harness, const names *programs) {
    if (harness->file) return true; // the programs and libraries matter only to `tamar run`
    struct front_input input = {programs->at, programs->count};
    struct text declarations = {0};
    bool good = front_declarations(&input, &declarations);
    harness->file = programs->at[0];
    if (good) harness->declarations = arena_strdup(harness->arena, declarations.at);
    text_free(&declarations);
    return good;
}

static bool choose(const struct harness *harness, const names *wanted, chosen *functions) {
    vec_each (const char *, name, wanted) {
        const struct harness_function *found = harness_find(harness, *name);
        if (!found) {
            struct suggestion near = {.typed = *name};
            vec_each (struct harness_function, one, &harness->functions)
                if (one->own) suggest_consider(&near, one->name);
            user_error_at(*name,
                          near.best ? "Check the spelling."
                          : harness->declarations
                              ? "Name a function that other files can call; for a static one "
                                "name its C file instead."
                              : "Name a function that the file declares or defines.",
                          "no such function in %s%s%s", harness->file, near.best ? "; near: " : "",
                          near.best ? near.best : "");
            return false;
        }
        vec_push(functions, found);
    }
    if (wanted->count) return true;
    vec_each (struct harness_function, one, &harness->functions)
        if (is_candidate(harness, one)) vec_push(functions, one);
    if (functions->count) return true;
    user_error_at(harness->file, "Name the header that declares the functions.", "declares no function");
    return false;
}

static int put(const struct harness_options *options, const struct text *text) {
    if (!options->out) {
        fwrite(text->at, 1, text->count, stdout);
        return 0;
    }
    if (access(options->out, F_OK) == 0) {
        user_error_at(options->out, "Name another file, or remove it.",
                      "already exists, and may have been edited");
        return EXIT_USAGE;
    }
    if (file_write(options->out, text->at, text->count)) return 0;
    user_error_at(options->out, "Name a file that can be written.", "%s", strerror(errno));
    return EXIT_USAGE;
}

static int write_harness(struct harness *harness, const struct harness_options *options,
                         const chosen *functions) {
    struct text text = {0}, skipped = {0};
    harness_write(harness, functions->at, functions->count, &text, &skipped);
    int status = text.count ? put(options, &text) : EXIT_USAGE;
    if (skipped.count)
        for (char *state, *line = strtok_r(skipped.at, "\n", &state); line;
             line = strtok_r(NULL, "\n", &state))
            user_warning("%s", line);
    if (!text.count)
        user_error_at(harness->file, "Write the harness by hand (docs/howto/harness.md).",
                      "no harness can be made");
    text_free(&text);
    text_free(&skipped);
    return status;
}

static int run(const struct command *command, char **argv) {
    struct harness_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    struct harness harness = {.arena = arena_new(), .elements = options.elements};
    names wanted = {0}, programs = {0};
    chosen functions = {0};
    status = EXIT_USAGE;
    if (sort_words(&harness, &operands, &wanted, &programs) && declare(&harness, &programs) &&
        harness_read(&harness) && choose(&harness, &wanted, &functions))
        status = write_harness(&harness, &options, &functions);
    vec_free(&wanted);
    vec_free(&programs);
    vec_free(&functions);
    harness_free(&harness);
    operands_free(&operands);
    return status;
}

const struct command harness_command = {
    .name = "harness",
    .help = "write a harness for functions of a library, to start from",
    .operands = "HEADER|FILE.c|PROGRAM [FUNCTION...] [-I DIR] [-D NAME], in any order",
    .description =
        "Writes C code that calls each FUNCTION (default: all that the file declares or the program has) "
        "with symbolic arguments. Their C types determine the values: numbers, strings with a NUL, a buffer "
        "and its length, structs with their pointers, callbacks, and objects that other functions of the "
        "header create and free. The result compiles as it is with `tamar cc`, and "
        "`tamar run` explores it at once:\n\n"
        "  tamar harness parser.h parser_feed --out harness.c && tamar run harness.c libparser.a\n\n"
        "Without a header the types come from the debug information of a program or library that `tamar cc` "
        "built:\n\n"
        "  tamar harness parser_feed ./parser --out harness.c && tamar run harness.c ./parser\n\n"
        "The harness is a first version: add assumptions about the arguments, and assertions about the "
        "results (docs/howto/harness.md).",
    .options = &harness_options_table,
    .style = OPERANDS_COMPILER,
    .run = run,
};
