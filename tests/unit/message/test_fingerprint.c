// Fingerprints survive edits of other lines, blanks, comments and moves to another folder; they differ between
// operations.
#include "../check.h"

#include "base/file.h"
#include "message/finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[] = "/tmp/tamar-fingerprint-XXXXXX", path[64];

static int begin(void **state) { return mkdtemp(home) ? 0 : -1; }
static int end(void **state) {
    file_remove_tree(home);
    return 0;
}

// Returns the fingerprint of the operation after the mark ^, which is removed from the source text.
static uint64_t marked(const char *source, const char *kind, const char *fault, uint32_t ordinal) {
    char text[1000];
    uint32_t line = 1, column = 1, count = 0;
    struct finding finding = {.kind = kind, .fault = fault, .ordinal = ordinal, .function_line = 1};
    finding.place = (struct finding_frame){.function = "f", .file = path};
    for (const char *at = source; *at; at++) {
        if (*at == '^') {
            finding.place.line = line;
            finding.place.column = column;
            continue;
        }
        text[count++] = *at;
        column = *at == '\n' ? 1 : column + 1;
        line += *at == '\n';
    }
    assert_true(finding.place.line);
    assert_true(file_write(path, text, count));
    return finding_fingerprint(&finding);
}

static uint64_t simple(const char *source) { return marked(source, "div-by-zero", "zero", 0); }

static void survives_edits(void **state) {
    snprintf(path, sizeof path, "%s/a.c", home);
    uint64_t first = simple("int f(int a, int b) {\n    return a ^/ b;\n}\n");
    assert_true(first == simple("int f(int a, int b) {\n    int c;\n\n    return a ^/ b;\n}\n"));
    assert_true(first == simple("int f(int a, int b) {\n  return a ^/b; // new\n}\nint g;\n"));
    assert_true(first == simple("int f(int a, int b) {\n\t/* x */ return /* y / */ a^/ b;\r\n}\n"));
    snprintf(path, sizeof path, "%s/sub", home);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/sub/a.c", home);
    assert_true(first == simple("int f(int a, int b) {\n    return a ^/ b;\n}\n"));
    snprintf(path, sizeof path, "%s/b.c", home);
    assert_false(first == simple("int f(int a, int b) {\n    return a ^/ b;\n}\n"));
}

static void tells_operations_apart(void **state) {
    snprintf(path, sizeof path, "%s/a.c", home);
    const char *one = "f\na ^/ b + c / d\n", *other = "f\na / b + c ^/ d\n";
    const char *again = "f\na / b + c / d\na ^/ b + c / d\n";
    uint64_t all[] = {simple(one),
                      simple(other),
                      simple(again),
                      marked(one, "div-by-zero", "quotient", 0),
                      marked(one, "overflow", "zero", 0),
                      marked(one, "div-by-zero", "zero", 1),
                      simple("f\na ^/ c + c / d\n"),
                      simple("f\n\"a \" ^/ b\n"),
                      simple("f\n\"a\" ^/ b\n"),
                      simple("f\n\"//\" ^/ b\n"),
                      simple("f\n\"//\" ^/ c\n")};
    for (size_t i = 0; i < COUNT(all); i++)
        for (size_t k = 0; k < i; k++) assert_false(all[i] == all[k]);
}

// If the source is missing, or is a file that must not be read, the line number is used.
static void without_source(void **state) {
    snprintf(path, sizeof path, "%s/pipe.c", home);
    assert_int_equal(mkfifo(path, 0600), 0);
    struct finding finding = {.kind = "null", .fault = "read"};
    finding.place = (struct finding_frame){.function = "f", .file = path, .line = 3, .column = 1};
    uint64_t first = finding_fingerprint(&finding);
    finding.place.line = 4;
    assert_false(first == finding_fingerprint(&finding));
    finding.place.file = "/dev/zero";
    finding_fingerprint(&finding);
    finding.place.file = "";
    finding.place.line = 0;
    finding_fingerprint(&finding);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(survives_edits),
                                       cmocka_unit_test(tells_operations_apart),
                                       cmocka_unit_test(without_source)};
    return cmocka_run_group_tests(tests, begin, end);
}
