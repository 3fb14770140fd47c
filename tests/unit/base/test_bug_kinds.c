#include "../check.h"
#include "base/sanitizers.h"
#include "base/text.h"

#include <signal.h>
#include <string.h>

static void test_names(void **state) {
    for (unsigned i = 0; i < BUG_COUNT; i++) {
        assert_int_equal(bug_kind_by_name(bug_facts[i].name), i);
        assert_true(bug_facts[i].cwe > 0);
        assert_true(*bug_facts[i].title && *bug_facts[i].advice);
    }
    assert_int_equal(bug_kind_by_name("out-of-bound"), BUG_COUNT);
    assert_int_equal(bug_kind_by_name(""), BUG_COUNT);
    assert_string_equal(bug_facts[BUG_NULL].name, "null");
    assert_int_equal(BUG_USER, BUG_COUNT - 1); // the order of SARIF's rules
}

// Each check reports some kind, and kinds that are always reported have no name for --check.
static void test_checks(void **state) {
    uint64_t reported = 0;
    for (unsigned i = 0; i < BUG_COUNT; i++) reported |= bug_facts[i].checks;
    for (unsigned i = 0; i < CHECK_COUNT; i++) // a group of clang reports the kinds of its members
        if (sanitizers_wanted(UINT64_C(1) << i) != sanitizers_wanted(0)) reported |= UINT64_C(1) << i;
    uint64_t other_names =
        CHECK_BIT(UNREACHABLE) | CHECK_BIT(OBJECT_SIZE) | CHECK_BIT(INTEGER_DIVIDE) | CHECK_BIT(RETURN);
    assert_int_equal(reported | other_names, (UINT64_C(1) << CHECK_COUNT) - 1);
    assert_int_equal(CHECKS_ALWAYS, CHECK_BIT(MEMORY) | CHECK_BIT(DIV) | CHECK_BIT(ASSERT) |
                                        CHECK_BIT(INTEGER_DIVIDE) | CHECK_BIT(UNREACHABLE) |
                                        CHECK_BIT(OBJECT_SIZE));
    assert_null(bug_check_name(BUG_OUT_OF_BOUNDS));
    assert_null(bug_check_name(BUG_DIVISION)); // checked on request for floats, always for integers
    assert_null(bug_check_name(BUG_ABORT));
    assert_string_equal(bug_check_name(BUG_OVERFLOW), "overflow");
    assert_string_equal(bug_check_name(BUG_SHIFT), "shift");
    assert_string_equal(bug_check_name(BUG_LEAK), "leak");
    assert_string_equal(bug_check_name(BUG_UNINITIALISED), "uninit");
    assert_string_equal(bug_check_name(BUG_NOT_A_NUMBER), "float");
}

static void test_option(void **state) {
    static const char first[] = "memory|div|assert|overflow|shift|leak|uninit|arithmetic|float|bounds|";
    assert_int_equal(strncmp(CHECK_CHOICES, first, strlen(first)), 0);
    assert_non_null(strstr(CHECK_CHOICES, "|~unsigned-integer-overflow|"));
    assert_string_equal(CHECK_DEFAULTS, "memory,div,assert,integer-divide-by-zero,unreachable,object-size");
}

// The sanitizers of clang that implement each check.
static void test_sanitizers(void **state) {
    struct text names = {0};
    sanitizers_add_names(&names, sanitizers_wanted(0));
    assert_string_equal(names.at, "array-bounds,integer-divide-by-zero");
    text_clear(&names);
    sanitizers_add_names(&names, sanitizers_wanted(CHECK_BIT(SHIFT)) & ~sanitizers_wanted(0));
    assert_string_equal(names.at, "shift-exponent,shift-base");
    text_free(&names);
    assert_int_equal(sanitizers_wanted(CHECK_BIT(ARITHMETIC)), sanitizers_wanted(CHECK_BIT(SIGNED_OVERFLOW)));
    assert_true(sanitizers_wanted(CHECK_BIT(OVERFLOW)) & SANITIZER_BIT(UNSIGNED_TRUNCATION));
    assert_false(sanitizers_wanted(CHECK_BIT(UNDEFINED)) & SANITIZER_BIT(UNSIGNED_OVERFLOW));
    assert_int_equal(sanitizers_kind(SANITIZER_BOUNDS), BUG_OUT_OF_BOUNDS);
}

static void test_native_ends(void **state) {
    assert_true(bug_confirmed_by_signal(BUG_ABORT, SIGTRAP));
    assert_false(bug_confirmed_by_signal(BUG_ABORT, SIGSEGV));
    assert_false(bug_confirmed_by_signal(BUG_LEAK, SIGSEGV));
    assert_false(bug_confirmed_by_signal(BUG_NOT_A_NUMBER, 0)); // 0 only terminates the list of signals
    assert_true(bug_confirmed_by_text(BUG_USE_AFTER_FREE, "ERROR: AddressSanitizer: heap-use-after-free on"));
    assert_false(bug_confirmed_by_text(BUG_DOUBLE_FREE, "ERROR: AddressSanitizer: heap-use-after-free on"));
    assert_true(bug_confirmed_by_text(BUG_UNINITIALISED, "AddressSanitizer: FPE on unknown address"));
    assert_false(bug_confirmed_by_text(BUG_NOT_A_NUMBER, "anything"));
}

static void test_rules(void **state) {
    assert_int_equal(bug_kind_by_rule("core.DivideZero", ""), BUG_DIVISION);
    assert_int_equal(bug_kind_by_rule("-Wanalyzer-double-free", "use after free"), BUG_USE_AFTER_FREE);
    assert_int_equal(bug_kind_by_rule("x", "Potential buffer overflow"), BUG_OUT_OF_BOUNDS);
    assert_int_equal(bug_kind_by_rule("memory leak", "null"),
                     BUG_LEAK); // the rule takes precedence over the message
    assert_int_equal(bug_kind_by_rule("style", "unused variable"), BUG_COUNT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),       cmocka_unit_test(test_checks), cmocka_unit_test(test_option),
        cmocka_unit_test(test_native_ends), cmocka_unit_test(test_rules),  cmocka_unit_test(test_sanitizers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
