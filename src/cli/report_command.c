// `tamar report`: writes the results of a run as one HTML page.
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "run/common_options.h"
#include "run/compare_runs.h"
#include "run/out_folder.h"
#include "run/run_page.h"

#include <errno.h>
#include <stdio.h>

#define REPORT_OPTIONS(X, T)                                                                                 \
    X(T, TEXT, to, "FILE", NULL,                                                                             \
      "where the page goes (default: OUT/report.html; of several runs: tamar-compared.html)")                \
    COMMON_OPTIONS(X, T)
OPTIONS_STRUCT(report_options, REPORT_OPTIONS)
OPTIONS_TABLE(report_options, REPORT_OPTIONS)

static int report(const char *folder, const char *to) {
    struct arena *arena = arena_new();
    struct text text = {0};
    bool running, good = run_page_make(&text, folder, &running);
    bool own = !to; // in the results folder, in which another user may have put a link
    if (own) to = out_path(arena, folder, "report.html");
    if (good) {
        good = own ? file_replace(to, text.at, text.count) : file_put(to, text.at, text.count);
        if (good)
            puts(to);
        else
            user_error_at(to, "Choose another file with --to FILE.", "%s", strerror(errno));
    }
    text_free(&text);
    arena_free(arena);
    return good ? EXIT_OK : EXIT_USAGE;
}

static int run(const struct command *command, char **argv) {
    struct report_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    status = EXIT_USAGE;
    if (operands.words.count > 1)
        status = compare_write_page(&operands, options.to);
    else
        status = report(operands.words.count ? operands.words.at[0] : "tamar-last", options.to);
    options_free(command->options, &options);
    operands_free(&operands);
    return status;
}

const struct command report_command = {
    .name = "report",
    .help = "write a run's results as one HTML page: source with coverage, bugs, time, execution tree",
    .operands = "[OUT...]",
    .description =
        "Writes OUT/report.html (default: of tamar-last) and prints its name. The page needs no network and "
        "no other file: annotated source with line, branch and condition coverage, the bugs, coverage and "
        "paths over time, the execution tree of the tests, and the time by layer of the solver.\n\n"
        "For several folders the page compares the runs: bugs and coverage of each and of all together, "
        "and the lines that "
        "only one of them covers.",
    .options = &report_options_table,
    .style = OPERANDS_PLAIN,
    .run = run,
};
