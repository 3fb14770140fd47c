// Unified diffs: the output of git and diff, diffs with errors, random edits with known changed lines, and damaged
// diffs, which must give an error or lines.
#include "../check.h"
#include "base/arena.h"
#include "base/random.h"
#include "base/text.h"
#include "regress/diff.h"

#include <string.h>

struct parsed {
    struct arena *arena;
    struct diff diff;
    const char *wrong;
    uint32_t line;
};

static struct parsed parse(const char *text) {
    struct parsed parsed = {.arena = arena_new()};
    parsed.wrong = diff_parse(parsed.arena, text, strlen(text), &parsed.diff, &parsed.line);
    return parsed;
}

static void done(struct parsed *parsed) {
    diff_free(&parsed->diff);
    arena_free(parsed->arena);
}

static void of_git(void **state) {
    struct parsed p =
        parse("diff --git a/src/x.c b/src/x.c\nindex 1..2 100644\n--- a/src/x.c\n+++ b/src/x.c\n"
              "@@ -1,4 +1,4 @@ int f(void)\n one\n-two\n+2\n three\n four\n"
              "@@ -10,3 +10,2 @@\n ten\n-eleven\n twelve\n"
              "--- /dev/null\n+++ \"b/a\\303\\244\\t.c\"\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n"
              "Binary files a/p.png and b/p.png differ\n");
    assert_null(p.wrong);
    assert_int_equal(p.diff.files.count, 2);
    assert_int_equal(p.diff.binary, 1);
    const struct diff_file *file = &p.diff.files.at[0];
    assert_string_equal(file->name, "src/x.c");
    assert_int_equal(file->changed.count, 2);
    assert_int_equal(file->changed.at[0], 2);
    assert_int_equal(file->changed.at[1], 11); // the code after the removed line
    assert_int_equal(file->quoted.count, 6);
    assert_string_equal(file->quoted.at[1].text, "2");
    assert_true(file->quoted.at[1].changed);
    file = &p.diff.files.at[1];
    assert_null(file->old);
    assert_string_equal(file->name, "a\303\244\t.c");
    assert_int_equal(file->changed.at[0], 1);
    done(&p);
}

static void without_context(void **state) {
    struct parsed p = parse("--- old/x.c\t2020-01-01\n+++ new/x.c\t2020-01-02\n@@ -3,2 +2,0 @@\n-a\n-b\n@@ "
                            "-9 +7,2 @@\n-c\n+d\n+e\n");
    assert_null(p.wrong);
    const struct diff_file *file = &p.diff.files.at[0];
    assert_string_equal(file->name, "new/x.c");
    assert_int_equal(file->changed.count, 3);
    assert_int_equal(file->changed.at[0], 3);
    assert_int_equal(file->changed.at[1], 7);
    assert_int_equal(file->changed.at[2], 8);
    done(&p);
}

static void what_is_wrong(void **state) {
    static const struct {
        const char *text, *wrong;
        uint32_t line;
    } cases[] = {
        {"@@ -1 +1 @@\n-a\n+b\n", "before any file", 1},
        {"--- a\n@@ -1 +1 @@\n", "+++", 2},
        {"--- a\n+++ b\n@@ -1 +1\n", "begins with @@", 3},
        {"--- a\n+++ b\n@@ -1,2 +1 @@\n-a\n", "ends within", 4},
        {"--- a\n+++ b\n@@ -1 +1 @@\n+a\n+b\n", "more new lines", 5},
        {"--- a\n+++ b\n@@ -1 +1 @@\nxa\n", "begins with a space", 4},
        {"--- a\n+++ b\n@@ -9 +9 @@\n-a\n+b\n@@ -2 +2 @@\n-a\n+b\n", "order", 6},
        {"--- a\n+++ b\n@@ -1 +99999999999 @@\n", "begins with @@", 3},
        {"*** a.c\n--- b.c\n", "diff -u", 1},
        {"--- /dev/null\n+++ /dev/null\n", "neither", 2},
        {"--- \"a\\q\"\n+++ b\n", "old file", 1},
        {"@@@ -1 -1 +1 @@@\n", "merge", 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct parsed p = parse(cases[i].text);
        assert_non_null(p.wrong);
        if (!strstr(p.wrong, cases[i].wrong)) fail_msg("%s: %s", cases[i].text, p.wrong);
        assert_int_equal(p.line, cases[i].line);
        done(&p);
    }
    struct parsed p = parse("nothing of the kind\n");
    assert_null(p.wrong);
    assert_int_equal(p.diff.files.count, 0);
    done(&p);
}

// A random edit as one hunk over a whole file; each line is added, removed or kept.
static void random_edits(void **state) {
    struct random random = {7};
    for (int round = 0; round < 300; round++) {
        struct text body = {0}, all = {0};
        vec(uint32_t) expected = {0};
        uint32_t old = 0, new = 0;
        bool taken = false, added = false;
        for (uint32_t i = 0, count = 1 + (uint32_t)random_below(&random, 30); i < count; i++) {
            uint64_t dice = random_below(&random, 4);
            if (dice == 0) {
                new ++, added = true;
                vec_push(&expected, new);
                text_add(&body, "+line %u\n", i);
            } else if (dice == 1) {
                old++, taken = true;
                text_add(&body, "-line %u\n", i);
            } else {
                old++, new ++;
                if (taken && !added) vec_push(&expected, new);
                taken = added = false;
                text_add(&body, " line %u\n", i);
            }
        }
        if (taken && !added) vec_push(&expected, new + 1);
        text_add(&all, "--- x\n+++ y\n@@ -%u,%u +%u,%u @@\n%s", old ? 1 : 0, old, new ? 1 : 0, new, body.at);
        struct parsed p = parse(all.at);
        if (p.wrong) fail_msg("%s: %s", p.wrong, all.at);
        assert_int_equal(p.diff.files.at[0].changed.count, expected.count);
        for (uint32_t i = 0; i < expected.count; i++)
            assert_int_equal(p.diff.files.at[0].changed.at[i], expected.at[i]);
        done(&p);
        vec_free(&expected);
        text_free(&body);
        text_free(&all);
    }
}

static void damaged(void **state) {
    static const char whole[] =
        "diff --git a/x.c b/x.c\n--- a/x.c\n+++ \"b/x\\101.c\"\n@@ -1,3 +1,4 @@\n a\n-b\n+c\n+d\n e\n"
        "@@ -20,2 +21,1 @@\n-f\n g\n--- a/y\t1\n+++ b/y\t2\n@@ -0,0 +1,2 @@\n+1\n+2\n\\ No newline\n";
    struct random random = {11};
    for (int round = 0; round < 20000; round++) {
        char text[sizeof whole + 8];
        size_t size = sizeof whole - 1;
        memcpy(text, whole, sizeof whole);
        for (uint64_t i = 0, count = 1 + random_below(&random, 4); i < count; i++) {
            static const char marks[] = "@-+, 0199\n\t\"\\\\a/";
            size_t at = (size_t)random_below(&random, size);
            uint64_t dice = random_below(&random, 3);
            if (dice == 0) text[at] = (char)random_below(&random, 256);
            if (dice == 1) text[at] = marks[random_below(&random, sizeof marks - 1)];
            if (dice == 2) size = at + 1;
        }
        struct parsed p = {.arena = arena_new()};
        p.wrong = diff_parse(p.arena, text, size, &p.diff, &p.line);
        vec_each (struct diff_file, file, &p.diff.files) {
            assert_true(file->name || file->old);
            for (uint32_t i = 0; i < file->changed.count; i++)
                assert_true(file->changed.at[i] > (i ? file->changed.at[i - 1] : 0));
            for (uint32_t i = 0; i < file->quoted.count; i++)
                assert_true(file->quoted.at[i].number > (i ? file->quoted.at[i - 1].number : 0));
        }
        done(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_git), cmocka_unit_test(without_context),
                                       cmocka_unit_test(what_is_wrong), cmocka_unit_test(random_edits),
                                       cmocka_unit_test(damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
