// The verifier accepts a valid program and detects each way to break it.
#include "../check.h"
#include "base/alloc.h"
#include "small_program.h"

#include <stdio.h>
#include <string.h>

static void test_sound(void **state) {
    struct ir_program *program = small_program();
    const char *problem = ir_verify(program);
    if (problem) print_error("%s\n", problem);
    assert_null(problem);
    ir_program_free(program);
    assert_int_equal(mem_in_use(), 0);
}

// Each row breaks one thing and names a part of the expected message.
#define BREAKS(X)                                                                                            \
    X(f->code[AT_FRAME].dst = 7, "of 7 registers")                                                           \
    X(f->code[AT_WIDE].dst = 6, "of 7 registers")                                                            \
    X(f->code[AT_WIDE].a = 2, "wide constant")                                                               \
    X(f->code[AT_FRAME].b = 4000, "past the frame")                                                          \
    X(f->code[AT_CONVERT].aux = 64 | 32 << 8, "conversion from 64 to 32")                                    \
    X(f->code[AT_CONVERT].aux = 0 | 32 << 8, "conversion from 0 to 32")                                      \
    X(f->code[AT_CONVERT].aux = 32 | 65 << 8, "conversion from 32 to 65")                                    \
    X(f->code[AT_CONVERT].aux = 32 | 32 << 8, "conversion from 32 to 32")                                    \
    X(f->code[AT_BRANCH].dst = 5, "says 5 instructions")                                                     \
    X(f->code[AT_BRANCH + 1].op = IR_MOV, "no second word")                                                  \
    X(f->code[AT_BRANCH + 1].a = AT_RETURN, "not the start of a block")                                      \
    X(f->code[AT_BRANCH + 1].a = AT_GOTO, "leads from block")                                                \
    X(f->code[AT_BRANCH + 1].dst = 1, "leads from block")                                                    \
    X(f->code[AT_BRANCH].op = IR_OP_COUNT, "does not exist")                                                 \
    X(f->code[AT_BRANCH].op = IR_BR_EQ64_I, "width 32")                                                      \
    X(f->code[AT_CALL].a = 2, "function 2 does not exist")                                                   \
    X(f->code[AT_CALL].b = 3, "argument list 3 does not exist")                                              \
    X(f->arguments[0] = 3, "cut off")                                                                        \
    X(f->arguments[0] = IR_CALL_VARIADIC, "without its buffer")                                              \
    X(f->arguments[2] = IR_CONSTANT | 3, "constant 3 does not exist")                                        \
    X(f->arguments[1] = 7, "of 7 registers")                                                                 \
    X(f->arguments[1] = 5, "reads r5, which is not written")                                                 \
    X(f->code[AT_RETURN].aux = 0, "returns 0 slots instead of 1")                                            \
    X(f->code[AT_RETURN].op = IR_MOV, "the block ends with")                                                 \
    X(f->code[AT_CALL] = f->code[AT_RETURN], "before the end of its block")                                  \
    X(f->code[AT_SWITCH].b = 1, "switch 1 does not exist")                                                   \
    X(f->switches[0].dense = false, "dense")                                                                 \
    X(f->switches[0].values[1] = 1, "not ascending")                                                         \
    X(f->switches[0].values[1] = 1ull << 32, "wider")                                                        \
    X(f->switches[0].edges[1] = 2, "edge 2 leads")                                                           \
    X(f->gotos[0].edges[0] = 0, "used twice")                                                                \
    X(f->switches[0].default_edge = 6, "edge 6 does not exist")                                              \
    X(f->code[AT_GOTO].b = 1, "goto 1 does not exist")                                                       \
    X(f->gotos[0].labels[0] = 1, "not of this function")                                                     \
    X(p->labels[0].target = AT_LAST, "label 0 is not the start")                                             \
    X(p->labels[0].function = 2, "label 0 belongs to no function")                                           \
    X(f->code[AT_MULTIPLY + 1].dst = IR_FN_FADD, "does not exist")                                           \
    X(f->code[AT_MULTIPLY + 1].aux = 64, "a result of 64 bits")                                              \
    X(f->code[AT_MULTIPLY].b = 4, "not written on every path")                                               \
    X(f->code[AT_LAST].dst = 1, "says 1 instructions")                                                       \
    X(f->blocks[1].end--, "does not continue")                                                               \
    X(f->blocks[4].end--, "of 12 words")                                                                     \
    X(f->first_block = 1, "blocks start at number 1")                                                        \
    X(p->block_count = 6, "blocks are numbered")                                                             \
    X(p->edge_count = 5, "edge 5 does not exist")                                                            \
    X(p->edges[3].to = 5, "edge 3 has no blocks")                                                            \
    X(p->edges[3].to = 1, "leads from block")                                                                \
    X(f->locations[2] = 2, "location 2 does not exist")                                                      \
    X(f->location = 9, "location 9 does not exist")                                                          \
    X(f->index = 1, "index is 1")                                                                            \
    X(f->parameter_slots = 8, "more parameters than registers")                                              \
    X(f->parameter_slots = 0, "not written on every path")                                                   \
    X(f->allocas[0].offset = 8, "no red zone")                                                               \
    X(f->allocas[0].size = 32, "past the frame")                                                             \
    X(f->code[AT_CONVERT].op = IR_SCOPE_END, "the scope of a local that does not exist")                     \
    X(f->frame_align = 3, "aligned to 3")                                                                    \
    X(p->locations[1].inlined_at = 1, "inlined at a later one")                                              \
    X(p->locations[1].file = 2, "does not exist")                                                            \
    X(p->globals[1].address += 4, "not aligned")                                                             \
    X(p->globals[0].size = 9000, "past its section")                                                         \
    X(p->globals[0].address = p->globals[1].address, "ends past its section")                                \
    X(p->globals[2].address = 126, "not aligned")                                                            \
    X(p->globals[2].size = 100, "past its section")                                                          \
    X(p->globals[1].thread_local_ = true, "among variables of another kind")                                 \
    X(p->readonly_end++, "not in order")

#define ROW(change, text) {#change, text},
static const struct {
    const char *change, *message;
} rows[] = {BREAKS(ROW)};

static void make_change(struct ir_program *p, unsigned number) {
    struct ir_function *f = &p->functions[0];
    unsigned i = 0;
#define CASE(change, text)                                                                                   \
    if (i++ == number) change;
    BREAKS(CASE)
}

static void test_each_break_is_found(void **state) {
    for (unsigned i = 0; i < COUNT(rows); i++) {
        struct ir_program *program = small_program();
        make_change(program, i);
        const char *problem = ir_verify(program);
        if (!problem || !strstr(problem, rows[i].message))
            fail_msg("%s: \"%s\" instead of \"%s\"", rows[i].change, problem ? problem : "sound",
                     rows[i].message);
        ir_program_free(program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sound),
                                       cmocka_unit_test(test_each_break_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
