#include "random_program.h"

#include "base/arena.h"
#include "base/vec.h"

#include <string.h>

#define MOST_BLOCKS 5

struct maker {
    struct random *random;
    struct ir_program *program;
    uint32_t bodies;
    bool jumps;
    vec(struct ir_insn) code;
    vec(struct ir_block) blocks;
    vec(struct ir_edge) edges;
    uint32_t first_block;
};

static uint32_t below(struct maker *maker, uint32_t bound) {
    return (uint32_t)random_below(maker->random, bound);
}

static void put(struct maker *maker, enum ir_op op, uint32_t dst, uint32_t a, uint32_t b) {
    vec_push(&maker->code,
             ((struct ir_insn){(uint16_t)op, op == IR_MOV || op == IR_IMM ? 64 : 0, dst, a, b}));
}

static void put_call(struct maker *maker) {
    uint32_t kind = below(maker, 12), callee = below(maker, maker->bodies);
    if (kind < 6) {
        put(maker, IR_CALL, 0, callee, 0);
    } else if (kind < 8) { // signature of any function whose address is taken
        if (below(maker, 2)) put(maker, IR_IMM, 0, IR_CODE_BASE + 16 * callee, 0);
        put(maker, IR_CALL_R, 0, 0, 0);
    } else if (kind < 9) {
        put(maker, IR_CALL, 0, maker->bodies + BUILTIN_PLAIN, 0);
    } else if (kind < 10) {
        put(maker, IR_CALL, 0, maker->bodies + BUILTIN_EXIT, 0);
    } else if (maker->jumps) {
        put(maker, IR_CALL, 0, maker->bodies + (kind < 11 ? BUILTIN_SETJMP : BUILTIN_LONGJMP), 0);
    }
}

static uint32_t put_edge(struct maker *maker, uint32_t from, uint32_t to) {
    vec_push(&maker->edges, ((struct ir_edge){maker->first_block + from, maker->first_block + to}));
    return maker->edges.count - 1;
}

// Targets are numbers of blocks until all blocks are placed.
static void put_terminator(struct maker *maker, uint32_t block, uint32_t blocks) {
    uint32_t kind = below(maker, 8), first = below(maker, blocks), second = below(maker, blocks);
    if (kind < 4 && blocks > 1) {
        put(maker, IR_BR, 0, 0, 0);
        uint32_t edge = put_edge(maker, block, first);
        put_edge(maker, block, second);
        put(maker, IR_EXTRA, edge, first, second);
    } else if (kind < 6 && blocks > 1) {
        put(maker, IR_JMP, 0, first, put_edge(maker, block, first));
    } else if (kind < 7) {
        put(maker, IR_RET, 0, 0, 0);
    } else {
        put(maker, IR_UNREACHABLE, 0, 0, 0);
    }
}

static void place_targets(struct maker *maker, struct ir_function *function) {
    for (uint32_t i = 0; i < function->code_count; i++) {
        struct ir_insn *insn = &function->code[i];
        if (insn->op == IR_JMP || insn->op == IR_EXTRA) insn->a = maker->blocks.at[insn->a].start;
        if (insn->op == IR_EXTRA) insn->b = maker->blocks.at[insn->b].start;
    }
    for (uint32_t b = 0; b < function->block_count; b++) { // each terminator holds its block's size
        struct ir_insn *last = &function->code[function->blocks[b].end - 1];
        if (last->op == IR_EXTRA) last--;
        last->dst = function->blocks[b].end - function->blocks[b].start - (last[0].op == IR_BR);
    }
}

static void fill_function(struct maker *maker, struct ir_function *function) {
    struct arena *arena = maker->program->arena;
    uint32_t blocks = 1 + below(maker, MOST_BLOCKS);
    vec_clear(&maker->code);
    vec_clear(&maker->blocks);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t start = maker->code.count;
        if (!b) put(maker, IR_IMM, 0, 1, 0); // nothing may be read before it is written
        for (uint32_t i = below(maker, 3); i; i--) put(maker, IR_MOV, 0, 0, 0);
        if (!below(maker, 3)) put_call(maker);
        for (uint32_t i = below(maker, 2); i; i--) put(maker, IR_MOV, 0, 0, 0);
        put_terminator(maker, b, blocks);
        vec_push(&maker->blocks, ((struct ir_block){start, maker->code.count}));
    }
    function->code_count = maker->code.count;
    function->code = arena_memdup(arena, maker->code.at, maker->code.count * sizeof *maker->code.at);
    function->locations = ARENA_ARRAY(arena, uint32_t, function->code_count);
    function->blocks = arena_memdup(arena, maker->blocks.at, blocks * sizeof *maker->blocks.at);
    function->block_count = blocks;
    function->first_block = maker->first_block;
    function->register_count = 1;
    function->frame_align = 16;
    function->arguments = ARENA_ARRAY(arena, uint32_t, 1); // no call passes arguments
    function->argument_count = 1;
    place_targets(maker, function);
    maker->first_block += blocks;
}

struct ir_program *random_program(struct random *random, uint32_t functions, bool jumps) {
    static const char *const bodies[] = {"main", "f", "g", "h"};
    static const char *const builtins[] = {"__tamar_exit", "__tamar_setjmp", "__tamar_longjmp",
                                           "__tamar_note"};
    assert(functions <= COUNT(bodies));
    struct arena *arena = arena_new();
    struct maker maker = {.random = random, .bodies = functions, .jumps = jumps};
    struct ir_program *p = maker.program = ARENA_NEW(arena, struct ir_program);
    static const char *const none[] = {""};
    p->arena = arena;
    p->locations = ARENA_NEW(arena, struct ir_location);
    p->files = arena_memdup(arena, none, sizeof none);
    p->strings = arena_memdup(arena, none, sizeof none);
    p->location_count = p->file_count = p->string_count = 1;
    p->readonly_end = p->data_end = IR_DATA_BASE;
    p->tls_align = 1;
    p->function_count = functions + BUILTINS;
    p->functions = ARENA_ARRAY(arena, struct ir_function, p->function_count);
    for (uint32_t f = 0; f < p->function_count; f++) {
        p->functions[f].index = f;
        p->functions[f].name = f < functions ? bodies[f] : builtins[f - functions];
        if (f < functions) fill_function(&maker, &p->functions[f]);
    }
    p->edges = arena_memdup(arena, maker.edges.at, maker.edges.count * sizeof *maker.edges.at);
    p->edge_count = maker.edges.count;
    p->block_count = maker.first_block;
    vec_free(&maker.code);
    vec_free(&maker.blocks);
    vec_free(&maker.edges);
    return p;
}
