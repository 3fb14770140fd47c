// `tamar slice`: removes edges from a program, so that it has shorter paths, and writes it as bitcode.
#include "transform/slice.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "front/front.h"
#include "run/common_options.h"

#include <errno.h>
#include <string.h>

#define SLICE_OPTIONS(X, T)                                                                                  \
    X(T, NUMBER, mode, "N", 5, 1, 5,                                                                         \
      "cut 1: all acyclic paths in half, 2: the longest ones, 3: the longest one, 4: also paths through "    \
      "loops, 5: back edges")                                                                                \
    X(T, NUMBER, steps, "N", 10000000, 1, UINT64_MAX,                                                        \
      "limit of edges followed in the search for paths, per function")                                       \
    X(T, TEXT, only, "PATTERN", NULL,                                                                        \
      "slice only functions of source files whose path, or a suffix of it after a slash, matches: 'src/*'")  \
    COMMON_OPTIONS(X, T)

OPTIONS_STRUCT(slice_options, SLICE_OPTIONS)
OPTIONS_TABLE(slice_options, SLICE_OPTIONS)

static int slice(const struct slice_options *options, const struct front_input *input, const char *output) {
    struct text bitcode = {0}, sliced = {0};
    struct front_options front = {.bitcode = &bitcode};
    struct ir_program *program = front_load(input, &front, NULL);
    int status = EXIT_USAGE;
    if (program) {
        struct slice_counts counts;
        struct slice_how how = {(unsigned)options->mode, options->steps, options->only};
        transform_slice(&bitcode, &how, &sliced, &counts);
        if (!counts.functions)
            user_warning("--only %s: no function's source matches, so nothing is cut", options->only);
        if (counts.out_of_steps)
            user_warning("in %u of %u functions not all paths were examined; --steps allows more",
                         counts.out_of_steps, counts.functions);
        if (file_put(output, sliced.at, sliced.count)) {
            log_line("%s: %u of %u edges cut, in %u of %u functions", output, counts.cut, counts.edges,
                     counts.changed, counts.functions);
            status = EXIT_OK;
        } else {
            user_error_at(output, "Name a file that can be written with -o.", "%s", strerror(errno));
        }
    }
    ir_program_free(program);
    text_free(&bitcode);
    text_free(&sliced);
    return status;
}

// Finds the output file: the compiler's -o FILE or -oFILE among the words.
static const char *take_output(struct operands *operands) {
    const char *output = "sliced.bc";
    uint32_t kept = 0;
    for (uint32_t i = 0; i < operands->words.count; i++) {
        const char *word = operands->words.at[i];
        if (strncmp(word, "-o", 2) != 0)
            operands->words.at[kept++] = word;
        else if (word[2])
            output = word + 2;
        else if (i + 1 < operands->words.count)
            output = operands->words.at[++i];
    }
    operands->words.count = kept;
    return output;
}

static int run(const struct command *command, char **argv) {
    struct slice_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    const char *output = take_output(&operands);
    status = slice(&options, &(struct front_input){operands.words.at, operands.words.count}, output);
    options_free(command->options, &options);
    operands_free(&operands);
    return status;
}

const struct command slice_command = {
    .name = "slice",
    .help = "simplify a program so that its tests are cheaper to find",
    .operands = "PROGRAM [-o FILE]",
    .description =
        "Writes the program as bitcode with some of its control flow cut: after a cut edge the function "
        "returns. The result behaves differently from the program. Inputs found in it are meant for the "
        "original program: `tamar run --slice N` uses them as its seeds.",
    .options = &slice_options_table,
    .style = OPERANDS_COMPILER,
    .run = run,
};
