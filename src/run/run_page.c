#include "run/run_page.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "output/page.h"
#include "run/out_folder.h"

#include <string.h>
#include <unistd.h>

typedef vec(struct page_test) test_list;

// Adds the parts of a test that the tree needs, and frees the rest at once.
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
    uint32_t count;
    const uint32_t *numbers = out_list_tests(arena, folder, &count);
    for (uint32_t i = 0; i < count; i++) take_test(arena, folder, numbers[i], tests);
}

bool run_page_make(struct text *to, const char *folder, bool *running) {
    struct arena *arena = arena_new();
    struct report_page page = {.folder = folder};
    page.summary = out_read_json(arena, folder, "summary.json");
    page.program = page.summary ? out_read_json(arena, folder, "program.json") : NULL;
    *running = json_get_bool(page.summary, "running", false);
    bool good = page.program != NULL;
    if (good) {
        // A run that was killed has no coverage yet.
        if (access(out_path(arena, folder, "coverage.json"), R_OK) == 0)
            page.coverage = out_read_json(arena, folder, "coverage.json");
        else
            user_warning("%s has no coverage.json: the run is still going on, or was killed", folder);
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
