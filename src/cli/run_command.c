// `tamar run`: explores a program.
#include "cli/run_command.h"

#include "base/error.h"
#include "cli/command.h"
#include "run/follow_test.h"
#include "run/run_program.h"

OPTIONS_TABLE(run_options, RUN_OPTIONS)

int run_command_call(const struct command *command, char **argv, bool reach, const struct run_hooks *hooks) {
    struct run_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    NATIVE_APPLY(&options);
    struct run_call call = {
        .table = command->options, .words = argv, .version = version_line, .reach = reach, .hooks = hooks};
    status = options.follow ? follow_test(options.follow) : run_program(&call, &options, &operands);
    options_free(command->options, &options);
    operands_free(&operands);
    return status;
}

static int run(const struct command *command, char **argv) {
    return run_command_call(command, argv, false, NULL);
}

const struct command run_command = {
    .name = "run",
    .help = "explore a program: find the inputs that break it, write tests that cover it",
    .operands = "PROGRAM [-- ARGS...]",
    .description =
        "Explores the paths of the program with symbolic inputs. At each dangerous operation it "
        "checks whether "
        "an input of this path makes the operation fail, and reports this input.\n\n"
        "Without an option of the first group, and if the program marks no input itself, --sym-args "
        "0 2 4 --sym-stdin 8 is assumed.",
    .options = &run_options_table,
    .groups = run_groups,
    .style = OPERANDS_COMPILER,
    .run = run,
};
