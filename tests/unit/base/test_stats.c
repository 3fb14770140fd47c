#include "../check.h"
#include "base/memory.h"
#include "base/stats.h"

#include <string.h>

static void test_text(void **state) {
    struct stats some = {.process_warnings = 42};
    struct text text = {0};
    stats_add_text(&text, &some);
    assert_string_equal(text.at, "                42  process.warnings: warnings given\n");
    text_free(&text);
    assert_int_equal(mem_in_use(), 0);
}

static void test_json(void **state) {
    struct stats some = {.process_warnings = 42, .time_process_total = {.nanoseconds = 1500000000}};
    struct text text = {0};
    stats_add_json(&text, &some);
    assert_non_null(strstr(text.at, "\"warnings\": 42"));
    assert_non_null(strstr(text.at, "\"time\": {\"total\": 1.500000}"));
    int depth = 0;
    for (const char *p = text.at; *p; p++) {
        depth += (*p == '{') - (*p == '}');
        assert_true(depth >= 0);
    }
    assert_int_equal(depth, 0);
    assert_null(strstr(text.at, ", }"));
    assert_null(strstr(text.at, "{, "));
    text_free(&text);
}

static void test_timers(void **state) {
    struct timer timer = {0};
    uint64_t before = clock_now();
    timer_start(&timer);
    timer_start(&timer);
    timer_stop(&timer);
    assert_int_equal(timer.nanoseconds, 0); // only the outermost pair counts
    while (clock_now() == before) {}
    assert_true(timer_seconds(&timer) > 0);
    timer_stop(&timer);
    assert_true(timer.nanoseconds > 0);
    assert_true(timer.nanoseconds <= clock_now() - before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_timers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
