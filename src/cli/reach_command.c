// `tamar reach`: finds an input that reaches a line, or proves that none does.
#include "cli/command.h"
#include "cli/run_command.h"

OPTIONS_TABLE(run_options, REACH_OPTIONS)

static int run(const struct command *command, char **argv) {
    return run_command_call(command, argv, true, NULL);
}

const struct command reach_command = {
    .name = "reach",
    .help = "find an input that reaches a line, or prove that none does",
    .operands = "LOCATION... PROGRAM [-- ARGS...]",
    .description = "Explores the program only to reach the targets: FILE:LINE, or FUNCTION or "
                   "FILE:FUNCTION for all lines of a "
                   "function. Further targets come from --uncovered-by, --trace and --sarif. Paths that "
                   "cannot lead to a "
                   "target are not followed.\n\n"
                   "The verdict for each target is: reached, with a test that was run natively to prove it; "
                   "unreachable, when every path "
                   "was explored or no path of the program leads there; or not found, with the obstacle. "
                   "The status is 0 "
                   "when all were reached, 3 when some were not found, else 1: some are unreachable.",
    .options = &run_options_table,
    .groups = run_groups,
    .style = OPERANDS_COMPILER,
    .run = run,
};
