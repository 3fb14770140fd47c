// The listing names every operand, and look-ups find the right entries.
#include "../check.h"
#include "base/alloc.h"
#include "small_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_listing(void **state) {
    static const char *const lines[] = {
        "constant 0x8000040 fixed: 10 bytes",
        "variable 0x8001040 free: 8 bytes",
        "thread 0x40 own: 4 bytes",
        "function 0 choose: 1 parameter slots, 1 result slots, 7 registers, frame of 48 bytes",
        "frame+16: 8 bytes object (line 12)",
        "frame r1, 16  ; small.c:12:3",
        "imm_wide r2, 0x00000000000000060000000000000005  [128]",
        "sext32_64 r4, r0  [32 -> 64]",
        "br_eq_i r0, 0x7  [32] ? @5 : @7 (edges 0, 1)",
        "call r0 = callee(r0, 0x2a)",
        "switch r0, 32, dense",
        "0x2 -> @9 (edge 3)",
        "default -> @5 (edge 4)",
        "goto [r4] -> @9",
        "int.MUL r5, r2, r2  [128 -> 128]",
        "ret r5",
        "no body"};
    struct ir_program *program = small_program();
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ir_print(out, program);
    fclose(out);
    for (size_t i = 0; i < COUNT(lines); i++)
        if (!strstr(text, lines[i])) fail_msg("no line \"%s\" in:\n%s", lines[i], text);
    free(text);
    ir_program_free(program);
    assert_int_equal(mem_in_use(), 0);
}

static void test_look_ups(void **state) {
    struct ir_program *program = small_program();
    assert_ptr_equal(ir_find_function(program, "callee"), &program->functions[1]);
    assert_null(ir_find_function(program, "nobody"));
    assert_ptr_equal(ir_find_global(program, "free"), &program->globals[1]);
    assert_ptr_equal(ir_function_at(program, IR_CODE_BASE + 16), &program->functions[1]);
    assert_null(ir_function_at(program, IR_CODE_BASE + 17));
    assert_null(ir_function_at(program, IR_CODE_BASE + 32));
    assert_ptr_equal(ir_global_near(program, IR_DATA_BASE + 64), &program->globals[0]);
    assert_ptr_equal(ir_global_near(program, IR_DATA_BASE + 64 + 12), &program->globals[0]);
    assert_ptr_equal(ir_global_near(program, IR_DATA_BASE + 4096 + 60), &program->globals[1]);
    assert_int_equal(ir_block_at(&program->functions[0], AT_RETURN), 1);
    assert_int_equal(ir_block_at(&program->functions[0], AT_LAST), 4);
    ir_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_listing), cmocka_unit_test(test_look_ups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
