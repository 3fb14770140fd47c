#include "program_builder.h"

#include "base/arena.h"

#include <string.h>

#define LABEL_OPEN UINT32_MAX

// ---- the program

void builder_open(struct builder *builder, const char *const *functions, uint32_t count) {
    static const char *const none[] = {""};
    struct arena *arena = arena_new();
    struct ir_program *p = ARENA_NEW(arena, struct ir_program);
    *builder = (struct builder){.program = p};
    p->arena = arena;
    p->locations = ARENA_NEW(arena, struct ir_location);
    p->files = arena_memdup(arena, none, sizeof none);
    p->strings = arena_memdup(arena, none, sizeof none);
    p->location_count = p->file_count = p->string_count = 1;
    p->readonly_end = p->data_end = IR_DATA_BASE;
    p->tls_align = 1;
    p->function_count = count;
    p->functions = ARENA_ARRAY(arena, struct ir_function, count);
    for (uint32_t i = 0; i < count; i++)
        p->functions[i] = (struct ir_function){.name = functions[i], .index = i};
}

uint64_t builder_global(struct builder *builder, const char *name, uint32_t size, bool readonly,
                        const void *bytes) {
    struct ir_program *p = builder->program;
    uint64_t address = p->data_end + 64;
    if (!readonly && p->readonly_end == IR_DATA_BASE && p->data_end != IR_DATA_BASE) {
        p->readonly_end = align_up(p->data_end, 4096);
        address = p->readonly_end + 64;
    }
    struct ir_global global = {
        .name = name, .address = address, .size = size, .align = 16, .readonly = readonly};
    if (bytes) global.bytes = arena_memdup(p->arena, bytes, size);
    p->data_end = align_up(address + size + GLOBAL_GAP, 16);
    vec_push(&builder->globals, global);
    return address;
}

struct ir_program *builder_close(struct builder *builder) {
    struct ir_program *p = builder->program;
    p->data_end = align_up(p->data_end, 4096);
    p->globals =
        arena_memdup(p->arena, builder->globals.at, builder->globals.count * sizeof *builder->globals.at);
    p->global_count = p->first_thread_local = builder->globals.count;
    p->edges = arena_memdup(p->arena, builder->edges.at, builder->edges.count * sizeof *builder->edges.at);
    p->edge_count = builder->edges.count;
    p->block_count = builder->first_block;
    vec_free(&builder->globals);
    vec_free(&builder->edges);
    vec_free(&builder->code);
    vec_free(&builder->blocks);
    vec_free(&builder->labels);
    vec_free(&builder->arguments);
    vec_free(&builder->constants);
    vec_free(&builder->switches);
    return p;
}

// ---- functions

void builder_function(struct builder *builder, uint32_t function, uint32_t registers, uint32_t parameters,
                      uint32_t results) {
    builder->function = &builder->program->functions[function];
    builder->function->register_count = registers;
    builder->function->parameter_slots = parameters;
    builder->function->result_slots = results;
    builder->function->frame_align = 16;
    builder->function->allocas = ARENA_ARRAY(builder->program->arena, struct ir_alloca, 8);
    vec_clear(&builder->code);
    vec_clear(&builder->blocks);
    vec_clear(&builder->labels);
    vec_clear(&builder->arguments);
    vec_clear(&builder->constants);
    vec_clear(&builder->switches);
    builder->start = builder->instructions = 0;
    builder->first_edge = builder->edges.count;
}

uint32_t builder_local(struct builder *builder, uint32_t size) {
    struct ir_function *f = builder->function;
    uint32_t offset = (uint32_t)align_up(f->frame_size + FRAME_GAP, 16);
    assert(f->alloca_count < 8);
    f->allocas[f->alloca_count++] = (struct ir_alloca){.offset = offset, .size = size};
    f->frame_size = align_up(offset + size + FRAME_GAP, 16);
    return offset;
}

static uint32_t start_of(const struct builder *builder, uint32_t label) {
    assert(builder->labels.at[label] != LABEL_OPEN);
    return builder->blocks.at[builder->labels.at[label]].start;
}

static void resolve_labels(struct builder *builder) {
    for (uint32_t i = 0; i < builder->blocks.count; i++) {
        struct ir_insn *last = &builder->code.at[builder->blocks.at[i].end - 1];
        if (last->op == IR_JMP) last->a = start_of(builder, last->a);
        if (last->op != IR_EXTRA) continue;
        last->a = start_of(builder, last->a);
        last->b = start_of(builder, last->b);
    }
    vec_each (struct ir_switch, table, &builder->switches) {
        for (uint32_t i = 0; i < table->count; i++) table->targets[i] = start_of(builder, table->targets[i]);
        table->default_target = start_of(builder, table->default_target);
    }
    for (uint32_t i = builder->first_edge; i < builder->edges.count; i++)
        builder->edges.at[i].to = builder->first_block + builder->labels.at[builder->edges.at[i].to];
}

void builder_finish(struct builder *builder) {
    struct ir_function *f = builder->function;
    struct arena *arena = builder->program->arena;
    assert(builder->start == builder->code.count); // the last block has ended
    resolve_labels(builder);
    f->code_count = builder->code.count;
    f->code = arena_memdup(arena, builder->code.at, builder->code.count * sizeof *builder->code.at);
    f->locations = ARENA_ARRAY(arena, uint32_t, f->code_count);
    f->blocks = arena_memdup(arena, builder->blocks.at, builder->blocks.count * sizeof *builder->blocks.at);
    f->block_count = builder->blocks.count;
    f->first_block = builder->first_block;
    f->argument_count = builder->arguments.count;
    f->arguments =
        arena_memdup(arena, builder->arguments.at, f->argument_count * sizeof *builder->arguments.at);
    f->constant_count = builder->constants.count;
    f->constants =
        arena_memdup(arena, builder->constants.at, f->constant_count * sizeof *builder->constants.at);
    f->switch_count = builder->switches.count;
    f->switches = arena_memdup(arena, builder->switches.at, f->switch_count * sizeof *builder->switches.at);
    builder->first_block += f->block_count;
}

uint32_t builder_label(struct builder *builder) {
    vec_push(&builder->labels, LABEL_OPEN);
    return builder->labels.count - 1;
}

void builder_place(struct builder *builder, uint32_t label) {
    assert(builder->start == builder->code.count && builder->labels.at[label] == LABEL_OPEN);
    builder->labels.at[label] = builder->blocks.count;
}

// ---- instructions

void put(struct builder *builder, enum ir_op op, unsigned aux, uint32_t dst, uint32_t a, uint32_t b) {
    vec_push(&builder->code, ((struct ir_insn){(uint16_t)op, (uint16_t)aux, dst, a, b}));
    builder->instructions++;
}

void put_extra(struct builder *builder, unsigned aux, uint32_t dst, uint32_t a, uint32_t b) {
    vec_push(&builder->code, ((struct ir_insn){IR_EXTRA, (uint16_t)aux, dst, a, b}));
}

void put_constant(struct builder *builder, uint32_t dst, unsigned width, uint64_t value) {
    value &= mask_bits(width);
    put(builder, IR_IMM, width, dst, (uint32_t)value, (uint32_t)(value >> 32));
}

void put_call_list(struct builder *builder, enum ir_op op, uint32_t function, uint32_t dst, uint32_t results,
                   const struct argument *arguments, uint32_t count) {
    uint32_t list = builder->arguments.count;
    vec_push(&builder->arguments, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t entry = (uint32_t)arguments[i].value;
        if (arguments[i].constant) {
            entry = IR_CONSTANT | builder->constants.count;
            vec_push(&builder->constants, arguments[i].value);
        }
        vec_push(&builder->arguments, entry);
    }
    put(builder, op, results, dst, function, list);
}

// ---- terminators

static uint32_t add_edge(struct builder *builder, uint32_t label) {
    vec_push(&builder->edges, ((struct ir_edge){builder->first_block + builder->blocks.count, label}));
    return builder->edges.count - 1;
}

// Called at the first word of the terminator, which holds the number of instructions of the block.
static void end_block(struct builder *builder, uint32_t terminator) {
    builder->code.at[terminator].dst = builder->instructions;
    vec_push(&builder->blocks, ((struct ir_block){builder->start, builder->code.count}));
    builder->start = builder->code.count;
    builder->instructions = 0;
}

void put_jump(struct builder *builder, uint32_t label) {
    put(builder, IR_JMP, 0, 0, label, add_edge(builder, label));
    end_block(builder, builder->code.count - 1);
}

void put_branch(struct builder *builder, enum ir_op op, unsigned width, uint32_t a, uint32_t b, uint32_t yes,
                uint32_t no) {
    put(builder, op, op == IR_BR ? 0 : width, 0, a, op == IR_BR ? 0 : b);
    uint32_t edge = add_edge(builder, yes);
    add_edge(builder, no);
    put_extra(builder, 0, edge, yes, no);
    end_block(builder, builder->code.count - 2);
}

void put_switch(struct builder *builder, unsigned width, uint32_t a, const uint64_t *values,
                const uint32_t *labels, uint32_t count) {
    struct arena *arena = builder->program->arena;
    struct ir_switch table = {.count = count, .dense = count > 0, .default_target = labels[count]};
    table.values = arena_memdup(arena, values, count * sizeof *values);
    table.targets = arena_memdup(arena, labels, count * sizeof *labels);
    table.edges = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t same = 0;
        while (labels[same] != labels[i]) same++;
        table.edges[i] = same < i ? table.edges[same] : add_edge(builder, labels[i]);
        table.dense &= values[i] == values[0] + i;
    }
    table.default_edge = add_edge(builder, labels[count]);
    put(builder, IR_SWITCH, width, 0, a, builder->switches.count);
    vec_push(&builder->switches, table);
    end_block(builder, builder->code.count - 1);
}

void put_return(struct builder *builder, uint32_t a) {
    put(builder, IR_RET, builder->function->result_slots, 0, a, 0);
    end_block(builder, builder->code.count - 1);
}

void put_end(struct builder *builder) {
    put(builder, IR_UNREACHABLE, 0, 0, 0, 0);
    end_block(builder, builder->code.count - 1);
}
