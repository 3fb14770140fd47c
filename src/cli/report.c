// `tamar report`: a run's results as one HTML page.
#include "cli/report.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/compare_runs.h"
#include "cli/out_folder.h"
#include "output/page.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define REPORT_OPTIONS(X, T)                                                                                 \
    X(T, TEXT, to, "FILE", NULL,                                                                             \
      "where the page goes (default: OUT/report.html; of several runs: tamar-compared.html)")                \
    COMMON_OPTIONS(X, T)
OPTIONS_STRUCT(report_options, REPORT_OPTIONS)
OPTIONS_TABLE(report_options, REPORT_OPTIONS)

typedef vec(struct page_test) test_list;

// What the tree needs of a test; everything else of it is dropped at once.
static void take_test(struct arena *arena, const char *folder, uint32_t number, test_list *tests) {
    struct arena *own = arena_new();
    struct test_case test;
    struct finding finding;
    if (out_read_test(own, folder, number, &test, &finding)) {
        uint32_t *decisions = ARENA_ARRAY(arena, uint32_t, test.decision_count + 1);
        if (test.decision_count) memcpy(decisions, test.decisions, test.decision_count * sizeof *decisions);
        struct page_test item = {number, test.outcome == TEST_BUG, decisions, test.decision_count};
        vec_push(tests, item);
    }
    arena_free(own);
}

static void list_tests(struct arena *arena, const char *folder, test_list *tests) {
    DIR *directory = opendir(out_path(arena, folder, "tests"));
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        uint32_t number;
        size_t length = strlen(entry->d_name);
        if (length > 5 && !strcmp(entry->d_name + length - 5, ".json") && entry->d_name[0] != '.' &&
            out_test_number(entry->d_name, &number))
            take_test(arena, folder, number, tests);
    }
    if (directory) closedir(directory);
}

bool report_make_page(struct text *to, const char *folder, bool *running) {
    struct arena *arena = arena_new();
    struct page page = {.folder = folder};
    page.summary = out_read_json(arena, folder, "summary.json");
    page.program = page.summary ? out_read_json(arena, folder, "program.json") : NULL;
    *running = json_get_bool(page.summary, "running", false);
    bool good = page.program != NULL;
    if (good) {
        // A run that was killed has no coverage yet.
        if (access(out_path(arena, folder, "coverage.json"), R_OK) == 0)
            page.coverage = out_read_json(arena, folder, "coverage.json");
        else
            warning("%s has no coverage.json: the run goes on, or was killed", folder);
        out_allow_sources(page.program);
        test_list tests = {0};
        list_tests(arena, folder, &tests);
        page.tests = tests.at;
        page.test_count = tests.count;
        page_add(to, &page);
        vec_free(&tests);
    }
    arena_free(arena);
    return good;
}

static int report(const char *folder, const char *to) {
    struct arena *arena = arena_new();
    struct text text = {0};
    bool running, good = report_make_page(&text, folder, &running);
    bool own = !to; // a place that the folder's maker may have prepared
    if (own) to = out_path(arena, folder, "report.html");
    if (good) {
        good = own ? file_replace(to, text.at, text.count) : file_put(to, text.at, text.count);
        if (good)
            puts(to);
        else
            user_error_at(to, "Say where the page may go with --to FILE.", "%s", strerror(errno));
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
    .help = "a run's results as one HTML page: source with coverage, bugs, time, the execution tree",
    .operands = "[OUT...]",
    .description =
        "Writes OUT/report.html (default: of tamar-last) and prints its name. The page needs no network and "
        "no other file: annotated source with line, branch and condition coverage, the bugs, coverage and "
        "paths over time, the execution tree of the tests, and the time by layer of the solver.\n\n"
        "Of several folders it is a page that compares them: what each found and covered, what all of them "
        "did together, and the lines that "
        "only one of them covers.",
    .options = &report_options_table,
    .style = OPERANDS_PLAIN,
    .run = run,
};
