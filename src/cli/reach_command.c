// `tamar reach`: an input that reaches a line, or a proof that none does.
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
    .description = "Explores the program only to reach what is named: FILE:LINE, or FUNCTION or "
                   "FILE:FUNCTION for all lines of a "
                   "function. Further targets come from --uncovered-by, --trace and --sarif. Paths from "
                   "which no way leads to a "
                   "target are not followed.\n\n"
                   "Each target ends as reached, with a test that was run natively to prove it; as "
                   "unreachable, when every path "
                   "was explored or the program has no way there; or as not found, with what stood in the "
                   "way. The status is 0 "
                   "when all were reached, 1 when some are unreachable, 3 when some were not found.",
    .options = &run_options_table,
    .groups = run_groups,
    .style = OPERANDS_COMPILER,
    .run = run,
};
