// The language of strategies: valid expressions, and the positions of errors.
#include "../check.h"
#include "base/alloc.h"
#include "search/search.h"

#include <string.h>

static void good(const char *expression, bool pending) {
    struct search_error error;
    struct search_options options = {.expression = expression};
    struct search *search = search_new(&options, &error);
    assert_non_null(search);
    bool puts_off = false;
    assert_true(search_check(expression, &puts_off, &error));
    assert_int_equal(puts_off, pending);
    search_free(search);
}

static void bad(const char *expression, uint32_t place, const char *words) {
    struct search_error error;
    size_t before = mem_in_use();
    struct search_options options = {.expression = expression};
    assert_null(search_new(&options, &error));
    assert_int_equal(error.offset, place);
    assert_non_null(strstr(error.message, words));
    assert_int_equal(mem_in_use(), before);
}

static void accepted(void **state) {
    good("dfs", false);
    good(" rr ( rp , dfs,bfs ) ", false);
    good("batch(rr(rp,exe))", false);
    good("share(fair,fresh(exe))", false);
    good("batch(rp,250)", false);
    good("ph(rp,depth,0.5)", false);
    good("ph(rp,depth,3e2)", false);
    good("rr(pending(rp),dfs)", true);
}

static void mistakes(void **state) {
    bad("", 0, "a strategy is expected");
    bad("rr(", 3, "a strategy is expected");
    bad("rr(rp,)", 6, "a strategy is expected");
    bad("rr(rp", 5, "')' is missing");
    bad("rr(rp dfs)", 6, "',' or ')'");
    bad("rr(rp)", 5, "argument is missing");
    bad("rr", 2, "needs arguments");
    bad("batch", 5, "needs arguments");
    bad("dfs(rp)", 3, "takes no arguments");
    bad("dfs()", 3, "takes no arguments");
    bad("rp,dfs", 2, "ends before this");
    bad("ph(rp,dfs)", 9, "argument is missing");
    bad("ph(rp,dfs,dfs)", 10, "a number");
    bad("ph(rp,dfs,-1)", 10, "a number");
    bad("ph(rp,dfs,0)", 10, "greater than 0");
    bad("ph(rp,dfs,3,4)", 12, "too many arguments");
    bad("batch(3)", 6, "no strategy of this name");
    bad("batch(rr(rp,nothing))", 12, "no strategy of this name");
    bad("batch(batch(batch(batch(batch(batch(batch(batch(batch(batch(batch(batch(batch(batch(batch(batch("
        "batch(batch(batch(batch(batch(batch(batch(batch(batch(batch(batch(batch(batch(batch(batch(batch(dfs",
        192, "too deeply");
    bad("pending(pending(pending(pending(rr(rp,rp)))))", 0, "too many strategies that walk");
}

static void suggestions(void **state) {
    struct search_error error;
    struct search_options options = {.expression = "batch(dsf)"};
    assert_null(search_new(&options, &error));
    assert_string_equal(error.nearest, "dfs");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(suggestions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
