#include "small_program.h"

#include "base/arena.h"

#include <string.h>

// Registers: 0 parameter, 1 frame, 2..3 wide, 4 converted, 5..6 product.
static const struct ir_insn code[INSTRUCTIONS] = {
    [AT_FRAME] = {IR_FRAME, 64, 1, 0, 16},
    [AT_WIDE] = {IR_IMM_WIDE, 128, 2, 0, 0},
    [AT_CONVERT] = {IR_SEXT32_64, 32 | 64 << 8, 4, 0, 0},
    [AT_BRANCH] = {IR_BR_EQ_I, 32, 4, 0, 7},
    [AT_BRANCH + 1] = {IR_EXTRA, 0, 0, AT_CALL, AT_SWITCH},
    [AT_CALL] = {IR_CALL, 1, 0, 1, 0},
    [AT_RETURN] = {IR_RET, 1, 2, 0, 0},
    [AT_SWITCH] = {IR_SWITCH, 32, 1, 0, 0},
    [AT_GOTO] = {IR_GOTO, 64, 1, 4, 0},
    [AT_MULTIPLY] = {IR_INT, 128, 5, 2, 2},
    [AT_MULTIPLY + 1] = {IR_EXTRA, 128, IR_FN_MUL, 0, 0},
    [AT_LAST] = {IR_RET, 1, 2, 5, 0},
};

static void fill_function(struct ir_program *p, struct ir_function *f) {
    struct arena *arena = p->arena;
    static const struct ir_block blocks[] = {{AT_FRAME, AT_CALL},
                                             {AT_CALL, AT_SWITCH},
                                             {AT_SWITCH, AT_GOTO},
                                             {AT_GOTO, AT_MULTIPLY},
                                             {AT_MULTIPLY, INSTRUCTIONS}};
    static const uint32_t arguments[] = {2, 0, IR_CONSTANT | 2};
    static const uint64_t constants[] = {5, 6, 42}, values[] = {1, 2};
    static const uint32_t targets[] = {AT_GOTO, AT_MULTIPLY}, edges[] = {2, 3}, labels[] = {0},
                          goto_targets[] = {AT_MULTIPLY}, goto_edges[] = {5};
    static const struct ir_alloca allocas[] = {{16, 8, 1, 1, false}};
    f->name = "choose";
    f->code = arena_memdup(arena, code, sizeof code);
    f->locations = ARENA_ARRAY(arena, uint32_t, INSTRUCTIONS);
    for (uint32_t i = 0; i < INSTRUCTIONS; i++) f->locations[i] = 1;
    f->code_count = INSTRUCTIONS;
    f->register_count = 7;
    f->parameter_slots = f->result_slots = 1;
    f->frame_size = 48;
    f->frame_align = 16;
    f->allocas = arena_memdup(arena, allocas, sizeof allocas);
    f->alloca_count = 1;
    f->blocks = arena_memdup(arena, blocks, sizeof blocks);
    f->block_count = COUNT(blocks);
    f->arguments = arena_memdup(arena, arguments, sizeof arguments);
    f->argument_count = COUNT(arguments);
    f->constants = arena_memdup(arena, constants, sizeof constants);
    f->constant_count = COUNT(constants);
    f->switches = ARENA_ARRAY(arena, struct ir_switch, 1);
    f->switches[0] = (struct ir_switch){2,
                                        arena_memdup(arena, values, sizeof values),
                                        arena_memdup(arena, targets, sizeof targets),
                                        arena_memdup(arena, edges, sizeof edges),
                                        AT_CALL,
                                        4,
                                        true};
    f->switch_count = 1;
    f->gotos = ARENA_ARRAY(arena, struct ir_goto, 1);
    f->gotos[0] = (struct ir_goto){1, arena_memdup(arena, labels, sizeof labels),
                                   arena_memdup(arena, goto_targets, sizeof goto_targets),
                                   arena_memdup(arena, goto_edges, sizeof goto_edges)};
    f->goto_count = 1;
    f->location = 1;
}

struct ir_program *small_program(void) {
    struct arena *arena = arena_new();
    struct ir_program *p = ARENA_NEW(arena, struct ir_program);
    static const struct ir_edge edges[] = {{0, 1}, {0, 2}, {2, 3}, {2, 4}, {2, 1}, {3, 4}};
    static const struct ir_label labels[] = {{0, AT_MULTIPLY}};
    static const struct ir_location locations[] = {{0}, {1, 12, 3, 0, 2}};
    static const char *const strings[] = {"", "object", "choose"}, *const files[] = {"", "/src/small.c"};
    p->arena = arena;
    p->functions = ARENA_ARRAY(arena, struct ir_function, 2);
    p->function_count = 2;
    p->globals = ARENA_ARRAY(arena, struct ir_global, 3);
    p->globals[0] =
        (struct ir_global){"fixed", IR_DATA_BASE + 64, 10, 1, NULL, true, false, true, false, 0, 1};
    p->globals[1] =
        (struct ir_global){"free", IR_DATA_BASE + 4096 + 64, 8, 8, NULL, false, false, false, false, 0, 0};
    p->globals[2] = (struct ir_global){"own", 64, 4, 4, NULL, false, true, false, false, 0, 0};
    p->global_count = 3;
    p->first_thread_local = 2;
    p->readonly_end = IR_DATA_BASE + 4096;
    p->data_end = IR_DATA_BASE + 8192;
    p->tls_size = 128;
    p->tls_align = 64;
    p->locations = arena_memdup(arena, locations, sizeof locations);
    p->location_count = COUNT(locations);
    p->files = arena_memdup(arena, files, sizeof files);
    p->file_count = COUNT(files);
    p->strings = arena_memdup(arena, strings, sizeof strings);
    p->string_count = COUNT(strings);
    p->labels = arena_memdup(arena, labels, sizeof labels);
    p->label_count = COUNT(labels);
    p->edges = arena_memdup(arena, edges, sizeof edges);
    p->edge_count = COUNT(edges);
    p->block_count = 5;
    fill_function(p, &p->functions[0]);
    p->functions[1] =
        (struct ir_function){.name = "callee", .index = 1, .parameter_slots = 2, .result_slots = 1};
    return p;
}
