// Coverage of a program made by hand: five blocks, six edges, one branch, one switch, one computed goto.
#include "../check.h"
#include "../ir/small_program.h"
#include "base/alloc.h"
#include "cover/cover.h"

static struct ir_program *program;
static uint8_t edges[6], functions[2], positions[INSTRUCTIONS + 1];
static const struct cover_seen seen = {edges, functions, positions};

// Three lines: the first block, the block of the call, and all others.
static int make_program(void **state) {
    static const struct ir_location locations[] = {{0}, {1, 12, 3, 0, 2}, {1, 13, 5, 0, 2}, {1, 20, 1, 0, 2}};
    static struct ir_location copy[4];
    program = small_program();
    for (int i = 0; i < 4; i++) copy[i] = locations[i];
    program->locations = copy;
    program->location_count = 4;
    struct ir_function *choose = &program->functions[0];
    choose->first_position = 1;
    program->position_count = INSTRUCTIONS;
    for (uint32_t i = AT_CALL; i < INSTRUCTIONS; i++) choose->locations[i] = i < AT_SWITCH ? 2 : 3;
    return 0;
}

static int free_program(void **state) {
    ir_program_free(program);
    return 0;
}

static void clear(void) {
    for (int i = 0; i < 6; i++) edges[i] = 0;
    functions[0] = functions[1] = 0;
    for (int i = 0; i <= INSTRUCTIONS; i++) positions[i] = 0;
}

static void expect(const struct cover *cover, uint32_t lines, uint32_t blocks, uint32_t taken,
                   uint32_t sides) {
    struct cover_totals totals = cover_totals(cover);
    assert_int_equal(totals.line.covered, lines);
    assert_int_equal(totals.block.covered, blocks);
    assert_int_equal(totals.edge.covered, taken);
    assert_int_equal(totals.condition.covered, sides);
}

static void test_growth(void **state) {
    struct cover *cover = cover_new(program);
    struct cover_totals totals = cover_totals(cover);
    clear();
    assert_int_equal(totals.line.total, 3);
    assert_int_equal(totals.block.total, 5);
    assert_int_equal(totals.edge.total, 6);
    assert_int_equal(totals.condition.total, 6); // 2 of the branch, 3 of the switch, 1 of the goto
    assert_false(cover_update(cover, &seen));
    expect(cover, 0, 0, 0, 0);
    functions[0] = 1; // the entry block
    assert_true(cover_update(cover, &seen));
    expect(cover, 1, 1, 0, 0);
    edges[0] = 1;
    assert_true(cover_update(cover, &seen));
    expect(cover, 2, 2, 1, 1);
    assert_false(cover_update(cover, &seen));
    edges[1] = edges[4] = 1; // the switch, by its default to a block that is known
    assert_true(cover_update(cover, &seen));
    expect(cover, 3, 3, 3, 3);
    for (int i = 0; i < 6; i++) edges[i] = 1;
    assert_true(cover_update(cover, &seen));
    expect(cover, 3, 5, 6, 6);
    cover_free(cover);
}

// A block of two lines, of which the second follows a call: it is covered when a position there is, or when the block
// was left.
static void test_positions(void **state) {
    struct ir_function *choose = &program->functions[0];
    struct cover *cover;
    clear();
    choose->locations[AT_WIDE] = choose->locations[AT_CONVERT] = choose->locations[AT_BRANCH] = 2;
    choose->locations[AT_BRANCH + 1] = 2;
    cover = cover_new(program);
    functions[0] = 1;
    cover_update(cover, &seen);
    expect(cover, 1, 1, 0, 0);
    positions[1 + AT_FRAME] = 1;
    assert_false(cover_update(cover, &seen));
    expect(cover, 1, 1, 0, 0);
    positions[1 + AT_WIDE] = 1;
    assert_true(cover_update(cover, &seen));
    expect(cover, 2, 1, 0, 0);
    cover_forget(cover);
    clear();
    positions[1 + AT_WIDE] = 1; // no function was entered: the position is of another run
    assert_false(cover_update(cover, &seen));
    expect(cover, 0, 0, 0, 0);
    positions[1 + AT_WIDE] = 0;
    functions[0] = edges[1] = 1; // left for the switch
    cover_update(cover, &seen);
    expect(cover, 3, 2, 1, 1);
    uint32_t count;
    assert_false(cover_files(cover, &count)[0].sides[2].reached); // the switch itself was not executed
    cover_free(cover);
    for (uint32_t i = AT_FRAME; i < AT_CALL; i++) choose->locations[i] = 1;
}

static void test_files(void **state) {
    struct cover *cover = cover_new(program);
    uint32_t count;
    clear();
    functions[0] = edges[0] = 1;
    cover_update(cover, &seen);
    const struct cover_file *files = cover_files(cover, &count);
    assert_int_equal(count, 1);
    assert_string_equal(files[0].name, "/src/small.c");
    assert_int_equal(files[0].line_count, 3);
    assert_int_equal(files[0].lines[1].line, 13);
    assert_true(files[0].lines[1].covered);
    assert_false(files[0].lines[2].covered);
    assert_int_equal(files[0].function_count, 1);
    assert_true(files[0].functions[0].covered);
    assert_int_equal(files[0].side_count, 6);
    assert_true(files[0].sides[0].covered && files[0].sides[0].reached);
    assert_true(!files[0].sides[1].covered && files[0].sides[1].reached);
    assert_true(!files[0].sides[2].covered && !files[0].sides[2].reached);
    cover_free(cover);
}

static void test_not_own(void **state) {
    const char *name = program->files[1];
    program->files[1] = "<tamar>/musl/src/x.c";
    struct cover *cover = cover_new(program);
    struct cover_totals totals = cover_totals(cover);
    uint32_t count;
    assert_int_equal(totals.line.total + totals.block.total + totals.edge.total + totals.condition.total, 0);
    cover_files(cover, &count);
    assert_int_equal(count, 0);
    cover_free(cover);
    program->files[1] = name;
}

static void test_nothing_remains(void **state) {
    size_t before = mem_in_use();
    cover_free(cover_new(program));
    assert_int_equal(mem_in_use(), before);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_growth), cmocka_unit_test(test_positions),
                                       cmocka_unit_test(test_files), cmocka_unit_test(test_not_own),
                                       cmocka_unit_test(test_nothing_remains)};
    return cmocka_run_group_tests(tests, make_program, free_program);
}
