// `tamar config`: finds the options of a program that interact, and a few configurations that cover everything.
#include "base/error.h"
#include "cli/command.h"
#include "config/config_study.h"
#include "front/front.h"
#include "output/results.h"
#include "run/jobs.h"
#include "transform/variables.h"

#include <stdlib.h>
#include <unistd.h>

OPTIONS_TABLE(config_options, CONFIG_OPTIONS)

static void list_variables(struct config *config) {
    struct spec *spec = &config->spec;
    config->variables = ARENA_ARRAY(config->arena, struct variable_input, spec->options.count);
    vec_each (struct spec_option, option, &spec->options) {
        if (option->kind != SPEC_VARIABLE) continue;
        struct text place = {0};
        text_add(&place, "%s:%u", spec->path, option->line);
        int64_t *values = ARENA_ARRAY(config->arena, int64_t, option->settings.count);
        for (uint32_t i = 0; i < option->settings.count; i++) values[i] = option->settings.at[i].value;
        config->variables[config->variable_count++] = (struct variable_input){
            .name = option->name,
            .function = option->function,
            .place = arena_strdup(config->arena, place.at),
            .values = values,
            .value_count = option->settings.count,
            .ranged = option->ranged,
            .low = option->low,
            .high = option->high,
        };
        text_free(&place);
    }
}

// Loads the program as the user gave it, then again with symbolic variables. Returns NULL if an error has been
// reported.
static struct ir_program *load(struct config *config, const struct front_input *input) {
    struct text bitcode = {0}, changed = {0};
    struct front_options front = {
        .bitcode = &bitcode, .keep_checks = true, .join_conditions = config->options->join_conditions};
    struct ir_program *program = front_load(input, &front, NULL);
    bool good = program && (config->results = results_create(config->options->out));
    ir_program_free(program);
    program = NULL;
    if (good && transform_variables(&bitcode, config->variables, config->variable_count, &changed) &&
        results_write(config->results, "program.bc", changed.at, changed.count)) {
        struct text path = results_path(config->results, "program.bc");
        const char *word = path.at;
        // The original was accepted: an executable may have undefined functions that nothing calls.
        struct front_options again = {.allow_undefined = true, .unset = true};
        program = front_load(&(struct front_input){&word, 1}, &again, NULL);
        text_free(&path);
    }
    text_free(&bitcode);
    text_free(&changed);
    return program;
}

static int examine(struct config *config, const struct front_input *input) {
    int status = EXIT_USAGE;
    struct ir_program *program = NULL;
    if (spec_read(config->arena, &config->spec, config->spec.path)) {
        list_variables(config);
        program = load(config, input);
    }
    config->program = program;
    if (program && config_explore(config)) {
        struct interactions *found = interactions_find(config->arena, &config->space);
        bool proved = config_report(config, found), complete = !found->cut && config_is_complete(config);
        status = results_failed(config->results) ? EXIT_INTERNAL
                 : !proved                       ? EXIT_BUG_FOUND
                 : complete                      ? EXIT_OK
                                                 : EXIT_LIMIT;
    }
    config_close(config);
    ir_program_free(program);
    return status;
}

static int run(const struct command *command, char **argv) {
    struct config_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    NATIVE_APPLY(&options);
    status = EXIT_USAGE;
    uint32_t jobs = 0;
    if (options.jobs && !jobs_parse(options.jobs, &jobs)) {
        // the error has been reported
    } else if (operands.words.count < 2) {
        user_error_at("config", "`tamar help config` shows an example.",
                      "an options file and a program are needed");
    } else {
        struct config config = {.options = &options, .arena = arena_new(), .jobs = jobs};
        char *directory = getcwd(NULL, 0);
        config.spec.path = operands.words.at[0];
        config.directory = directory;
        config.program_name = operands.words.at[1];
        status = examine(&config, &(struct front_input){operands.words.at + 1, operands.words.count - 1});
        spec_free(&config.spec);
        results_free(config.results);
        arena_free(config.arena);
        free(directory);
    }
    options_free(command->options, &options);
    operands_free(&operands);
    return status;
}

const struct command config_command = {
    .name = "config",
    .help = "find options of a program that interact, and a few configurations that cover everything",
    .operands = "OPTIONS PROGRAM",
    .description = "Explores all paths of the tests named in the file OPTIONS, for all values of the options "
                   "named there, and "
                   "reports the coverage that each combination of settings guarantees.\n\n"
                   "The file has one line for each option and test:\n"
                   "  variable NAME bool|int|LOW..HIGH|A|B|C [= DEFAULT] [in FUNCTION]\n"
                   "  flag WORD\n"
                   "  choice NAME WORD|WORD|...\n"
                   "  key FILE NAME VALUE|VALUE|... [= DEFAULT]\n"
                   "  test [NAME:] WORDS... [< FILE] [<> FILE]\n\n"
                   "A variable is a global integer of the program; it becomes symbolic when FUNCTION "
                   "(default: main) is "
                   "first entered, which should be after the program has read its configuration. Flags and "
                   "choices are put on "
                   "the command line before the test's words; a key is a line of a configuration file that "
                   "the test names. < is standard input, <> the script of its socket peers.",
    .options = &config_options_table,
    .style = OPERANDS_COMPILER,
    .run = run,
};
