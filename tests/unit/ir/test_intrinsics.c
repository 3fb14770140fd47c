#include "../check.h"
#include "ir/intrinsics.h"

#include <stdio.h>
#include <string.h>

static void test_each_is_found(void **state) {
    for (unsigned i = 0; i < IR_INTRINSIC_COUNT; i++) {
        char name[80];
        snprintf(name, sizeof name, INTRINSIC_PREFIX "%s", ir_intrinsic_facts[i].name);
        struct ir_function function = {.name = name};
        assert_int_equal(ir_intrinsic_of(&function), i);
    }
}

static void test_others_are_not(void **state) {
    struct ir_insn code[1] = {0};
    struct ir_function own = {.name = "__tamar_exit", .code = code}, unknown = {.name = "__tamar_exi"},
                       plain = {.name = "exit"};
    assert_int_equal(ir_intrinsic_of(&own), IR_INTRINSIC_COUNT);
    assert_int_equal(ir_intrinsic_of(&unknown), IR_INTRINSIC_COUNT);
    assert_int_equal(ir_intrinsic_of(&plain), IR_INTRINSIC_COUNT);
}

static void test_facts(void **state) {
    const struct ir_intrinsic_facts *call = &ir_intrinsic_facts[IR_INTRINSIC_call3];
    assert_int_equal(call->argument_count, 4);
    assert_int_equal(call->flow, IR_FLOW_CALLS);
    assert_false(call->takes_terms);
    assert_true(ir_intrinsic_facts[IR_INTRINSIC_alloc].takes_terms);
    assert_int_equal(ir_intrinsic_facts[IR_INTRINSIC_stop].flow, IR_FLOW_ENDS);
    assert_int_equal(ir_intrinsic_facts[IR_INTRINSIC_task_end].flow, IR_FLOW_RETURNS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_is_found),
                                       cmocka_unit_test(test_others_are_not), cmocka_unit_test(test_facts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
