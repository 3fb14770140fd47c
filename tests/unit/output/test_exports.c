// Coverage, gaps and Test-Comp suites: numbers that must add up, names that would break the format, values of every
// type.
#include "../check.h"
#include "../ir/small_program.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"
#include "cover/cover.h"
#include "message/message.h"
#include "output/coverage.h"
#include "output/testcomp.h"

#include <math.h>
#include <string.h>

static struct ir_program *program;
static struct cover *cover;
static struct arena *arena;
static uint8_t edges[6], symbolic[6], functions[2], positions[INSTRUCTIONS + 1];

// Lines 12 (a branch), 13 (a call) and 20 (a switch of three cases and a computed goto).
static int make(void **state) {
    static struct ir_location places[] = {{0}, {1, 12, 3, 0, 2}, {1, 13, 5, 0, 2}, {1, 20, 1, 0, 2}};
    arena = arena_new();
    program = small_program();
    program->locations = places;
    program->location_count = 4;
    program->files[1] = "/src/a\tb\x7f.c";
    struct ir_function *choose = &program->functions[0];
    choose->name = "ch\noose";
    choose->first_position = 1;
    program->position_count = INSTRUCTIONS;
    for (uint32_t i = AT_CALL; i < INSTRUCTIONS; i++) choose->locations[i] = i < AT_SWITCH ? 2 : 3;
    cover = cover_new(program);
    return 0;
}

static int end(void **state) {
    cover_free(cover);
    ir_program_free(program);
    arena_free(arena);
    return 0;
}

static void cover_these(const char *taken, bool called) {
    memset(edges, 0, sizeof edges);
    memset(positions, 0, sizeof positions);
    for (; *taken; taken++) edges[*taken - '0'] = 1;
    functions[0] = called;
    cover_forget(cover);
    cover_update(cover, &(struct cover_seen){edges, functions, positions});
}

static const char *lcov(void) {
    static struct text text;
    text_free(&text);
    text = (struct text){0};
    coverage_add_lcov(&text, cover);
    return text.at;
}

static void test_lcov(void **state) {
    static const char begin[] = "TN:\nSF:/src/a?b?.c\nFN:12,ch?oose\n";
    struct text expected = {0};
    cover_these("", false);
    text_add(&expected,
             "%sFNDA:0,ch?oose\nFNF:1\nFNH:0\nBRDA:12,0,0,-\nBRDA:12,0,1,-\nBRDA:20,2,0,-\nBRDA:20,2,1,-"
             "\nBRDA:20,2,2,-\n"
             "BRDA:20,3,0,-\nBRF:6\nBRH:0\nDA:12,0\nDA:13,0\nDA:20,0\nLF:3\nLH:0\nend_of_record\n",
             begin);
    assert_string_equal(lcov(), expected.at);
    cover_these("13", true); // the switch was reached, and took its second case
    text_free(&expected);
    expected = (struct text){0};
    text_add(&expected,
             "%sFNDA:1,ch?oose\nFNF:1\nFNH:1\nBRDA:12,0,0,0\nBRDA:12,0,1,1\nBRDA:20,2,0,0\nBRDA:20,2,1,"
             "1\nBRDA:20,2,2,0\n"
             "BRDA:20,3,0,-\nBRF:6\nBRH:2\nDA:12,1\nDA:13,0\nDA:20,1\nLF:3\nLH:2\nend_of_record\n",
             begin);
    assert_string_equal(lcov(), expected.at);
    text_free(&expected);
}

static uint64_t count_of(const struct json_value *list, const char *flag) {
    uint64_t count = 0;
    for (const struct json_value *one = list->first; one; one = one->next)
        count += !flag || json_get_bool(one, flag, false);
    return count;
}

// For each kind of coverage the sum over the list is the total.
static void test_json(void **state) {
    static const char *const runs[] = {"", "0", "1", "13", "124", "012345"};
    for (unsigned i = 0; i < COUNT(runs); i++) {
        struct text text = {0};
        const char *error;
        size_t at;
        cover_these(runs[i], i > 0);
        struct gaps gaps = gaps_find(arena, cover, &(struct gap_facts){.left = false});
        coverage_add_json(&text, cover, &gaps);
        const struct json_value *root = json_parse(arena, text.at, text.count, &error, &at),
                                *totals = json_get(root, "totals"), *file = json_get(root, "files")->first,
                                *sides = json_get(file, "conditions"),
                                *condition = json_get(totals, "condition"), *line = json_get(totals, "line");
        assert_string_equal(json_get_text(file, "file", ""), "/src/a\tb\x7f.c");
        assert_int_equal(json_get_number(line, "covered", 99), json_get(file, "covered")->count);
        assert_int_equal(json_get_number(line, "total", 99),
                         json_get(file, "covered")->count + json_get(file, "missed")->count);
        assert_int_equal(json_get_number(condition, "covered", 99), count_of(sides, "covered"));
        assert_int_equal(json_get_number(condition, "total", 99), sides->count);
        assert_int_equal(json_get_number(json_get(totals, "edge"), "covered", 99), strlen(runs[i]));
        assert_int_equal(json_get(root, "gaps")->count, gaps.count);
        assert_int_equal(gaps.count, i ? count_of(sides, "reached") - count_of(sides, "covered") : 1);
        assert_int_equal(count_of(json_get(file, "functions"), "covered"), i > 0);
        assert_string_equal(json_get_text(json_get(file, "functions")->first, "name", ""), "ch\noose");
        text_free(&text);
    }
}

// ---- gaps

static const uint8_t *after_bug;

static enum gap_reason reason_by_hand(bool left, bool depends, bool lost_here, bool lost) {
    if (lost_here) return GAP_GIVEN_UP;
    if (left) return GAP_NOT_TRIED;
    if (!depends) return lost ? GAP_UNDECIDED : GAP_MORE_INPUT;
    if (lost) return GAP_REFUTED;
    return after_bug && after_bug[0] ? GAP_AFTER_BUG : GAP_INFEASIBLE;
}

// One entry of gave_up: its location, and whether anything was lost.
static void check_given_up(bool left, bool depends, bool lost, uint32_t block, uint32_t line,
                           bool same_file) {
    struct incompleteness one = {.place = {.file = same_file ? program->files[1] : "/src/b.c", .line = line},
                                 .block = block,
                                 .lost = lost};
    bool here = block ? block == 1 : line == 12 && same_file;
    struct gaps gaps = gaps_find(
        arena, cover,
        &(struct gap_facts){.left = left, .given_up = &one, .given_up_count = 1, .after_bug = after_bug});
    enum gap_reason expected = reason_by_hand(left, depends, lost && here, lost);
    assert_int_equal(gaps.count, 1);
    assert_int_equal(gaps.at[0].reason, expected);
    for (int i = 0; i < GAP_REASON_COUNT; i++)
        assert_int_equal(gaps.by_reason[i], (enum gap_reason)i == expected);
}

static void test_gap_reasons(void **state) {
    for (unsigned depends = 0; depends < 2; depends++) {
        cover_these("0", true); // the other side of the branch is the only gap
        memset(symbolic, 0, sizeof symbolic);
        symbolic[0] = (uint8_t)depends;
        cover_mark_symbolic(cover, symbolic);
        for (unsigned left = 0; left < 2; left++) {
            after_bug = NULL;
            struct gaps gaps = gaps_find(arena, cover, &(struct gap_facts){.left = left});
            assert_int_equal(gaps.count, 1);
            assert_int_equal(gaps.at[0].reason, reason_by_hand(left, depends, false, false));
            assert_true(gaps.at[0].line == 12 && gaps.at[0].column == 3 && gaps.at[0].side == 1 &&
                        gaps.at[0].sides == 2);
            assert_int_equal(gaps.at[0].to, 20);
            const uint8_t *marks[] = {NULL, (const uint8_t[]){0, 1, 1, 1}, (const uint8_t[]){1, 0, 0, 0}};
            for (unsigned bits = 0; bits < 12; bits++)
                for (uint32_t choice = 0; choice < 4; choice++)
                    for (uint32_t line = 11; line <= 13; line++) {
                        after_bug = marks[bits / 4];
                        check_given_up(left, depends, bits & 1, choice, line, bits & 2);
                    }
        }
    }
    cover_these("", false);
    for (unsigned left = 0; left < 2; left++) {
        struct gaps gaps = gaps_find(arena, cover, &(struct gap_facts){.left = left});
        assert_int_equal(gaps.count, 1);
        assert_int_equal(gaps.at[0].reason, left ? GAP_NOT_TRIED : GAP_NOT_CALLED);
        assert_true(gaps.at[0].line == 12 && strcmp(gaps.at[0].function, "ch\noose") == 0);
    }
}

static void test_gap_texts(void **state) {
    static const struct {
        struct gap gap;
        const char *text;
    } cases[] = {{{.function = "f", .side = 1, .sides = 2, .to = 3}, "never called"},
                 {{.line = 3, .side = 0, .sides = 2, .to = 4}, "never goes to line 4"},
                 {{.line = 3, .side = 1, .sides = 2, .to = 3}, "one side never taken"},
                 {{.line = 3, .side = 1, .sides = 2, .to = 0}, "one side never taken"},
                 {{.line = 3, .side = 0, .sides = 3, .to = 4}, "case 1 never taken"},
                 {{.line = 3, .side = 1, .sides = 3, .to = 4}, "case 2 never taken"},
                 {{.line = 3, .side = 2, .sides = 3, .to = 4}, "default never taken"}};
    for (unsigned i = 0; i < COUNT(cases); i++) {
        struct text text = {0};
        gap_add_side(&text, &cases[i].gap);
        assert_string_equal(text.at, cases[i].text);
        text_free(&text);
    }
    cover_these("13", true); // gaps: a side of the branch; the first case and the default of the switch
    struct gaps gaps = gaps_find(arena, cover, &(struct gap_facts){.left = false});
    assert_int_equal(gaps.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(gaps.at[i].line, i ? 20 : 12);
        assert_int_equal(gaps.at[i].sides, i ? 3 : 2);
        assert_int_equal(gaps.at[i].side, i == 2 ? 2 : 0);
    }
}

// ---- Test-Comp

static void expect_input(const char *name, const void *bytes, uint32_t size, const char *expected) {
    struct test_input inputs[] = {{INPUT_STDIN, "", (const uint8_t *)"x", 1},
                                  {INPUT_OBJECT, name, bytes, size}};
    struct test_case test = {.inputs = inputs, .input_count = 2};
    struct text text = {0};
    testcomp_add_case(&text, &test);
    const char *begin = strstr(text.at, "<testcase>\n");
    assert_non_null(begin);
    assert_string_equal(begin + strlen("<testcase>\n"), expected);
    text_free(&text);
}

static void expect_integer(const char *name, const char *type, uint64_t bits, uint32_t size,
                           const char *value) {
    char expected[200];
    snprintf(expected, sizeof expected, "  <input variable=\"%s\" type=\"%s\">%s</input>\n</testcase>\n",
             name, type, value);
    expect_input(name, &bits, size, expected);
}

static void test_values(void **state) {
    static const struct {
        const char *name, *type;
        uint32_t size;
        bool is_signed;
    } types[] = {{"bool", "bool", 1, false},
                 {"char", "char", 1, true},
                 {"uchar", "unsigned char", 1, false},
                 {"short", "short", 2, true},
                 {"ushort", "unsigned short", 2, false},
                 {"int", "int", 4, true},
                 {"uint", "unsigned int", 4, false},
                 {"unsigned", "unsigned int", 4, false},
                 {"long", "long", 8, true},
                 {"ulong", "unsigned long", 8, false},
                 {"longlong", "long long", 8, true},
                 {"ulonglong", "unsigned long long", 8, false},
                 {"loff_t", "long", 8, true},
                 {"size_t", "unsigned long", 8, false}};
    for (unsigned i = 0; i < COUNT(types); i++)
        for (uint64_t k = 0; k < 4; k++) {
            unsigned width = 8 * types[i].size;
            uint64_t edge[] = {0, ~(uint64_t)0, (uint64_t)1 << (width - 1), ((uint64_t)1 << (width - 1)) - 1};
            uint64_t bits = edge[k] & (~(uint64_t)0 >> (64 - width));
            char value[40], numbered[40];
            bool negative = types[i].is_signed && bits >> (width - 1);
            uint64_t size = negative ? (bits ^ (~(uint64_t)0 >> (64 - width))) + 1 : bits;
            snprintf(value, sizeof value, "%s%llu", negative ? "-" : "", (unsigned long long)size);
            snprintf(numbered, sizeof numbered, "%s#%llu", types[i].name, (unsigned long long)k + 2);
            expect_integer(types[i].name, types[i].type, bits, types[i].size, value);
            expect_integer(numbered, types[i].type, bits, types[i].size, value);
        }
    float narrow = -0.1f;
    double wide = 1e300, least = 4.9406564584124654e-324;
    expect_input("float", &narrow, 4,
                 "  <input variable=\"float\" type=\"float\">-0.10000000149011612</input>\n</testcase>\n");
    expect_input(
        "double#2", &wide, 8,
        "  <input variable=\"double#2\" type=\"double\">1.0000000000000001e+300</input>\n</testcase>\n");
    expect_input(
        "double", &least, 8,
        "  <input variable=\"double\" type=\"double\">4.9406564584124654e-324</input>\n</testcase>\n");
    // An input whose name only begins like a type has no type.
    expect_input("in", "\1\2\3", 3, "  <input variable=\"in\">197121</input>\n</testcase>\n");
    expect_input("integer", "", 0, "  <input variable=\"integer\">0</input>\n</testcase>\n");
    expect_input(
        "<&>\"'\n\x80", "123456789", 9,
        "  <input variable=\"&#60;&#38;&#62;&#34;&#39;??\">4050765991979987505</input>\n</testcase>\n");
}

static void test_suite(void **state) {
    struct test_case test = {.outcome = TEST_BUG};
    struct text text = {0};
    testcomp_add_case(&text, &test);
    assert_non_null(strstr(text.at, "<testcase coversError=\"true\">\n</testcase>\n"));
    text_free(&text);
    for (unsigned errors = 0; errors < 2; errors++) {
        text = (struct text){0};
        testcomp_add_metadata(&text, &(struct testcomp_program){"tamar <1>", "a&b.c", "00ff", errors});
        assert_non_null(strstr(text.at, "  <producer>tamar &#60;1&#62;</producer>\n"));
        assert_non_null(
            strstr(text.at, "  <programfile>a&#38;b.c</programfile>\n  <programhash>00ff</programhash>\n"));
        assert_int_equal(strstr(text.at, "EDGES(@CALL(reach_error))") != NULL, errors);
        assert_int_equal(strstr(text.at, "EDGES(@DECISIONEDGE)") != NULL, !errors);
        assert_string_equal(text.at + text.count - strlen("</test-metadata>\n"), "</test-metadata>\n");
        text_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lcov),        cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_gap_reasons), cmocka_unit_test(test_gap_texts),
                                       cmocka_unit_test(test_values),      cmocka_unit_test(test_suite)};
    return cmocka_run_group_tests(tests, make, end);
}
