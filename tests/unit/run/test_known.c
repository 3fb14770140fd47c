// Known reports: lines that are entries, lines that are rejected, and bugs that an entry matches.
#include "../check.h"
#include "base/alloc.h"
#include "base/text.h"
#include "run/known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/tamar-known-XXXXXX";

static int make_folder(void **state) { return !mkdtemp(folder) || chdir(folder) != 0; }

static int remove_folder(void **state) {
    unlink("list");
    unlink(KNOWN_DEFAULT_FILE);
    return rmdir(folder);
}

static void write_file(const char *name, const char *content) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(content, file);
    assert_int_equal(fclose(file), 0);
}

static struct known_reports *read_list(const char *content, bool *good) {
    write_file("list", content);
    return known_open("list", NULL, good);
}

static struct finding bug(const char *kind, const char *file, uint32_t line, const char *function) {
    return (struct finding){
        .kind = kind, .place = {.file = file, .line = line, .function = function}, .hash = 0x1234};
}

// Whether a list with only this entry matches the bug.
static bool names(const char *entry, struct finding finding) {
    bool good;
    struct known_reports *known = read_list(entry, &good);
    assert_true(good && known);
    const char *match = known_match(known, &finding);
    if (match) assert_string_equal(match, known_entry(known, 0));
    assert_null(known_entry(known, 1));
    known_free(known);
    return match != NULL;
}

static void matching(void **state) {
    struct finding found = bug("div-by-zero", "/home/me/src/parse.c", 17, "number");
    static const struct {
        const char *entry;
        bool names;
    } all[] = {
        {"div-by-zero parse.c", true},          {"div-by-zero src/parse.c:17", true},
        {"any parse.c:17 number", true},        {"div-by-zero /home/me/src/parse.c", true},
        {"div-by-zero *.c:17 num*", true},      {"any /home/*/parse.c", true},
        {"fingerprint:0000000000001234", true}, {"null parse.c", false},
        {"div-by-zero parse.c:18", false},      {"div-by-zero parse.c:17 numbers", false},
        {"div-by-zero arse.c", false}, // a suffix begins after a slash
        {"div-by-zero rc/parse.c", false},      {"fingerprint:0000000000001235", false},
    };
    for (size_t i = 0; i < COUNT(all); i++) {
        bool is = names(all[i].entry, found);
        if (is != all[i].names) print_error("%s\n", all[i].entry);
        assert_true(is == all[i].names);
    }
}

static void first_of_several(void **state) {
    bool good;
    struct known_reports *known =
        read_list("# a comment\n\n any b.c # why\nany a.c until=2999-01-01\r\nany *.c\n", &good);
    assert_true(good && known);
    struct finding found = bug("null", "a.c", 1, "f");
    assert_string_equal(known_match(known, &found), "list:4: any a.c until=2999-01-01");
    found = bug("null", "c.c", 1, "f");
    assert_string_equal(known_match(known, &found), "list:5: any *.c");
    found = bug("null", "c.h", 1, "f");
    assert_null(known_match(known, &found));
    assert_string_equal(known_entry(known, 0), "list:3: any b.c");
    assert_null(known_entry(known, 3));
    assert_non_null(strstr(known_content(known)->at, "# a comment")); // kept as it was read
    known_free(known);
}

static void refused(void **state) {
    static const char *const lines[] = {
        "div-by-zer a.c",
        "div-by-zero",
        "any a.c:0",
        "any a.c:x",
        "any a.c f g",
        "fingerprint:123",
        "any a.c:",
        "any a.c until=soon",
        "fingerprint:0000000000000000",
        "any until=2999-01-01 a.c",
        "any a.c until=2030-13-01",
        "fingerprint:0000000000001234 a.c",
    };
    for (size_t i = 0; i < COUNT(lines); i++) {
        bool good;
        struct known_reports *known = read_list(lines[i], &good);
        if (good) print_error("%s\n", lines[i]);
        assert_true(!good && !known);
    }
}

static void expired_and_missing(void **state) {
    bool good;
    assert_null(read_list("any a.c until=2001-01-01\n", &good)); // no entry is left
    assert_true(good);
    assert_null(known_open("none", NULL, &good)); // a file that is named must exist
    assert_false(good);
    assert_null(known_open(NULL, NULL, &good)); // the default file need not exist
    assert_true(good);
    write_file(KNOWN_DEFAULT_FILE, "any a.c\n");
    struct known_reports *known = known_open(NULL, NULL, &good);
    assert_true(good && known);
    known_free(known);
    assert_null(known_open(NULL, "/nowhere", &good)); // a resumed run has its own list, here none
    assert_true(good);
}

static void nothing_remains(void **state) { assert_int_equal(mem_in_use(), 0); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matching),        cmocka_unit_test(first_of_several),
        cmocka_unit_test(refused),         cmocka_unit_test(expired_and_missing),
        cmocka_unit_test(nothing_remains),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
