#include "run/resume_tests.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/run_limits.h"
#include "base/vec.h"
#include "explore/checkpoint.h"
#include "output/results.h"
#include "output/tests.h"
#include "run/out_folder.h"
#include "run/resume_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMED  10 // most damaged tests that get a warning each
#define CHECK_SHARE 8. // the check takes at most this part of the time that is left

// Reads tests/NNNNNN.json as this version has written it. Returns NULL, or the error.
static const char *read_own(struct arena *arena, const char *path, struct test_case *test,
                            struct finding *finding) {
    struct text content = {0};
    const char *wrong = file_read_kept(path, &content);
    if (!wrong && !test_is_sealed(&content)) wrong = "it has been damaged or changed: its checksum is wrong";
    text_free(&content);
    return wrong ? wrong : test_read(arena, path, test, finding);
}

// ---- tests that were written after the checkpoint

typedef vec(struct written_test) written_list;

static int by_number(const void *a, const void *b) {
    const struct written_test *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int compare_numbers(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// Whether the checkpoint counts this test among those found.
static bool is_known(const struct resumed *resumed, uint32_t number) {
    if (!resumed->checkpoint || number > resumed->checkpoint->status->counts.tests) return false;
    const struct coverage_delta *from = resumed->checkpoint->coverage;
    return !from->unfound_count ||
           !bsearch(&number, from->unfound, from->unfound_count, sizeof number, compare_numbers);
}

// A test that cannot be read keeps its number, so that it is not overwritten.
static void list_written(struct resumed *resumed) {
    const char *folder = out_path(resumed->arena, resumed->folder, "tests");
    DIR *tests = opendir(folder);
    written_list list = {0};
    for (struct dirent *entry = tests ? readdir(tests) : NULL; entry; entry = readdir(tests)) {
        struct written_test written = {0};
        struct test_case test;
        struct finding finding;
        if (!text_ends_with(entry->d_name, ".json") || !out_test_number(entry->d_name, &written.number) ||
            is_known(resumed, written.number))
            continue;
        struct arena *arena = arena_new();
        const char *path = out_path(arena, folder, entry->d_name);
        const char *problem = read_own(arena, path, &test, &finding);
        if (problem) user_warning("%s: %s", path, problem);
        if (!problem && test.outcome == TEST_BUG) test.bug = finding.kind;
        written.path = problem ? INT64_MAX - written.number : test_case_path(&test);
        vec_push(&list, written);
        arena_free(arena);
    }
    if (tests) closedir(tests);
    if (list.count) qsort(list.at, list.count, sizeof *list.at, by_number);
    resumed->written = arena_memdup(resumed->arena, list.at, list.count * sizeof *list.at);
    resumed->written_count = list.count;
    vec_free(&list);
}

// ---- tests that the checkpoint counts

struct test_check {
    struct results *results;
    uint32_t lost, restored;
};

static void check_test(struct test_check *check, uint32_t number) {
    struct test_case test;
    struct finding finding;
    struct arena *arena = arena_new();
    struct text path = results_path(check->results, "tests/%06u.json", number);
    const char *problem = read_own(arena, path.at, &test, &finding);
    if (problem && check->lost++ < MOST_NAMED) user_warning("%s: %s", path.at, problem);
    test.number = number;
    if (!problem && !test_has_copies(check->results, &test) && test_write_copies(check->results, &test))
        check->restored++;
    text_free(&path);
    arena_free(arena);
}

static void check_known(struct resumed *resumed) {
    struct test_check check = {.results = results_open(resumed->folder)};
    uint32_t count = resumed->checkpoint ? (uint32_t)resumed->checkpoint->status->counts.tests : 0, number;
    double end = limits_elapsed() + limits_left() / CHECK_SHARE;
    for (number = 1; number <= count && limits_elapsed() < end && !results_failed(check.results); number++)
        if (is_known(resumed, number)) check_test(&check, number);
    if (check.lost)
        user_warning("%u test%s of the run cannot be used, and what %s is not explored again. To explore "
                     "everything again, remove the checkpoint: whole tests are kept",
                     check.lost, check.lost == 1 ? "" : "s", check.lost == 1 ? "it covers" : "they cover");
    if (check.restored)
        log_line("%u test%s had missing or damaged copies (folder, .ktest): written again from the .json",
                 check.restored, check.restored == 1 ? "" : "s");
    if (number <= count && !results_failed(check.results))
        log_line("tests from %06u on have not been checked: too little time is left", number);
    results_free(check.results);
}

void resume_tests(struct resumed *resumed) {
    list_written(resumed);
    check_known(resumed);
}
