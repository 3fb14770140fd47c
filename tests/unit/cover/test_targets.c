// Targets of random programs, closed one after the other: distances are to the remaining targets.
#include "../check.h"
#include "../ir/random_program.h"
#include "base/alloc.h"
#include "base/vec.h"
#include "cover/targets.h"

#define MARKS 4

typedef vec(struct ir_point) place_list;

// Replaces some MOV instructions by marks; a mark may occur several times, or not at all.
static void put_marks(struct random *random, struct ir_program *program, place_list *places) {
    program->mark_count = MARKS;
    for (uint32_t f = 0; f < program->function_count; f++)
        for (uint32_t i = 0; program->functions[f].code && i < program->functions[f].code_count; i++) {
            struct ir_insn *insn = &program->functions[f].code[i];
            if (insn->op != IR_MOV || random_below(random, 3) == 0) continue;
            uint32_t mark = (uint32_t)random_below(random, MARKS + 1);
            *insn = (struct ir_insn){.op = IR_MARK, .a = mark < MARKS ? mark : IR_MARK_ENTRY | f};
            if (mark < MARKS) vec_push(&places[mark], ((struct ir_point){f, i}));
        }
}

static void compare(const struct ir_program *program, const struct distance *a, const struct distance *b) {
    assert_int_equal(distance_target_count(a), distance_target_count(b));
    for (uint32_t f = 0; f < program->function_count; f++)
        for (uint32_t i = 0; program->functions[f].code && i < program->functions[f].code_count;
             i += ir_op_info[program->functions[f].code[i].op].words) {
            struct ir_point place = {f, i};
            assert_int_equal(distance_within(a, place), distance_within(b, place));
            assert_int_equal(distance_intra(a, place), distance_intra(b, place));
        }
}

// Compares the distances with those to a plain list of the open targets and goals.
static void check(const struct ir_program *program, struct targets *targets, const place_list *places,
                  const bool *open, const struct ir_point *goals, uint32_t goal_count) {
    place_list left = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < goal_count; i++) vec_push(&left, goals[i]);
    for (uint32_t m = 0; m < MARKS; m++) {
        count += open[m];
        assert_int_equal(targets_is_open(targets, m), open[m]);
        for (uint32_t i = 0; i < places[m].count && open[m]; i++) vec_push(&left, places[m].at[i]);
    }
    assert_int_equal(targets_open_count(targets), count);
    struct distance *plain = distance_new(targets_graph(targets));
    distance_set(plain, left.at, left.count);
    compare(program, targets_distance(targets), plain);
    compare(program, targets_distance(targets), plain); // the second call returns the same
    for (uint32_t m = 0; m < MARKS; m++) {              // distance to one target, open or closed
        distance_set(plain, places[m].at, places[m].count);
        compare(program, targets_distance_to(targets, m), plain);
    }
    distance_free(plain);
    vec_free(&left);
}

static void check_program(uint64_t seed) {
    struct random random = {seed};
    struct ir_program *program = random_program(&random, 3, false);
    place_list places[MARKS] = {{0}};
    bool open[MARKS] = {true, true, true, true};
    struct ir_point goals[2];
    put_marks(&random, program, places);
    struct targets *targets = targets_new(program);
    assert_int_equal(targets_count(targets), MARKS);
    uint32_t goal_count = 0, version = targets_version(targets);
    check(program, targets, places, open, goals, goal_count);
    for (uint32_t step = 0; step < MARKS + 2; step++) {
        uint32_t m = (uint32_t)random_below(&random, MARKS);
        if (step % 3 == 2 && goal_count < 2) {
            goals[goal_count++] = (struct ir_point){m % 3, 0};
            targets_add_goal(targets, m % 3);
        } else if (open[m]) {
            targets_close(targets, m);
            open[m] = false;
        } else {
            continue;
        }
        assert_int_not_equal(targets_version(targets), version);
        version = targets_version(targets);
        check(program, targets, places, open, goals, goal_count);
    }
    for (uint32_t m = 0; m < MARKS; m++) {
        uint32_t count;
        const struct ir_point *at = targets_points(targets, m, &count);
        assert_int_equal(count, places[m].count);
        for (uint32_t i = 0; i < count; i++)
            assert_true(at[i].function == places[m].at[i].function &&
                        at[i].instruction == places[m].at[i].instruction);
        vec_free(&places[m]);
    }
    targets_free(targets);
    ir_program_free(program);
}

static void test_distances(void **state) {
    size_t before = mem_in_use();
    for (uint64_t seed = 1; seed <= 60; seed++) check_program(seed);
    assert_int_equal(mem_in_use(), before);
}

static void test_order(void **state) {
    struct random random = {3};
    struct ir_program *program = random_program(&random, 2, false);
    place_list places[MARKS] = {{0}};
    put_marks(&random, program, places);
    struct targets *targets = targets_new(program);
    uint32_t count, version = targets_version(targets);
    assert_null(targets_order(targets, &count));
    targets_set_order(targets, (uint32_t[]){0, 1, 1}, 3);
    targets_set_order(targets, (uint32_t[]){2, 0, 2, 1}, 4);
    const uint32_t *order = targets_order(targets, &count);
    assert_int_equal(count, 4);
    assert_memory_equal(order, ((uint32_t[]){2, 0, 2, 1}), 16);
    assert_int_not_equal(targets_version(targets), version);
    assert_false(targets_main_is_open(targets));
    targets_open_main(targets);
    assert_true(targets_main_is_open(targets));
    for (uint32_t m = 0; m < MARKS; m++) vec_free(&places[m]);
    targets_free(targets);
    ir_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_distances), cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
