// The last stage of lowering a function: removes redundant copies, numbers blocks and edges, and resolves targets to
// instruction indices.
#include "front/front_int.h"

#include <stdlib.h>

struct finishing {
    struct lowering *l;
    uint32_t *order;      // emitted work blocks, sorted by start
    uint32_t block_count; // number of emitted work blocks
    uint32_t *number;     // work block -> number in the function
    uint32_t *forward;    // work block -> its target if it is empty, else itself
};

// Whether a block made for copies holds none any more.
static bool is_empty_split(struct lowering *l, uint32_t block) {
    const struct work_block *b = &l->blocks.at[block];
    if (!b->split) return false;
    for (uint32_t i = b->start; i + 1 < b->end; i++)
        if (!has_vanished(&l->code.at[i])) return false;
    return true;
}

static int by_start(const void *a, const void *b, void *blocks) {
    const struct work_block *at = blocks;
    uint32_t x = at[*(const uint32_t *)a].start, y = at[*(const uint32_t *)b].start;
    return x < y ? -1 : x > y;
}

static void number_blocks(struct finishing *f) {
    struct lowering *l = f->l;
    for (uint32_t i = 0; i < l->blocks.count; i++) {
        f->forward[i] = i;
        if (!l->blocks.at[i].emitted) continue;
        if (is_empty_split(l, i))
            f->forward[i] = l->code.at[l->blocks.at[i].end - 1].a;
        else
            f->order[f->block_count++] = i;
    }
    qsort_r(f->order, f->block_count, sizeof *f->order, by_start, l->blocks.at);
    for (uint32_t i = 0; i < f->block_count; i++) f->number[f->order[i]] = i;
}

static void copy_code(struct finishing *f, struct ir_function *result) {
    struct lowering *l = f->l;
    result->code = ARENA_ARRAY(l->front->arena, struct ir_insn, l->code.count + l->hoisted.count);
    result->locations = ARENA_ARRAY(l->front->arena, uint32_t, l->code.count + l->hoisted.count);
    result->blocks = ARENA_ARRAY(l->front->arena, struct ir_block, f->block_count);
    uint32_t at = 0;
    for (uint32_t i = 0; i < f->block_count; i++) {
        const struct work_block *block = &l->blocks.at[f->order[i]];
        result->blocks[i].start = at;
        for (uint32_t k = 0; i == 0 && k < l->hoisted.count; k++) {
            result->code[at] = l->hoisted.at[k];
            result->locations[at++] = result->location;
        }
        for (uint32_t k = block->start; k < block->end; k++) {
            if (has_vanished(&l->code.at[k])) continue;
            result->code[at] = l->code.at[k];
            result->locations[at++] = l->code_locations.at[k];
        }
        result->blocks[i].end = at;
    }
    result->code_count = at;
    result->block_count = f->block_count;
    result->first_block = l->front->block_count;
    l->front->block_count += f->block_count;
    if (result->runtime) return;
    result->first_position = l->front->position_count + 1;
    l->front->position_count += at;
}

// Replaces the work block in *target by an instruction index, and adds the edge.
static uint32_t resolve(struct finishing *f, struct ir_function *result, uint32_t from, uint32_t *target) {
    uint32_t block = f->number[f->forward[*target]];
    vec_push(&f->l->front->edges,
             ((struct ir_edge){result->first_block + from, result->first_block + block}));
    *target = result->blocks[block].start;
    return f->l->front->edges.count - 1;
}

// Cases with the same target share one edge: the VM takes them together, so that a path does not fork on which of them
// the input selects.
static uint32_t resolve_case(struct finishing *f, struct ir_function *result, uint32_t from, uint32_t first,
                             uint32_t *target) {
    uint32_t block = f->number[f->forward[*target]];
    for (uint32_t edge = first; edge < f->l->front->edges.count; edge++) {
        if (f->l->front->edges.at[edge].to != result->first_block + block) continue;
        *target = result->blocks[block].start;
        return edge;
    }
    return resolve(f, result, from, target);
}

static void resolve_switch(struct finishing *f, struct ir_function *result, uint32_t from,
                           struct ir_switch *s) {
    uint32_t first = f->l->front->edges.count;
    for (uint32_t i = 0; i < s->count; i++)
        s->edges[i] = resolve_case(f, result, from, first, &s->targets[i]);
    s->default_edge = resolve_case(f, result, from, first, &s->default_target);
}

static void resolve_targets(struct finishing *f, struct ir_function *result, uint32_t block) {
    uint32_t end = result->blocks[block].end, count = 0;
    for (uint32_t i = result->blocks[block].start; i < end; i++) count += ir_is_counted(result->code[i].op);
    struct ir_insn *last = &result->code[end - 1];
    if (last->op == IR_EXTRA) {
        struct ir_insn *branch = last - 1;
        branch->dst = count;
        last->dst = resolve(f, result, block, &last->a);
        resolve(f, result, block, &last->b);
        return;
    }
    last->dst = count;
    if (last->op == IR_JMP) {
        last->b = resolve(f, result, block, &last->a);
    } else if (last->op == IR_RET) {
        last->b = ir_position(result, end - 1);
    } else if (last->op == IR_SWITCH) {
        resolve_switch(f, result, block, &f->l->switches.at[last->b]);
    } else if (last->op == IR_GOTO) {
        struct ir_goto *g = &f->l->gotos.at[last->b];
        for (uint32_t i = 0; i < g->count; i++) g->edges[i] = resolve(f, result, block, &g->targets[i]);
    }
}

static void fill_labels(struct finishing *f, struct ir_function *result) {
    struct lowering *l = f->l;
    if (!l->front->labels.count) return;
    vec_each (LLVMBasicBlockRef, block, &l->order) {
        uint64_t *label = map_get(&l->front->labels, (uintptr_t)*block);
        uint32_t work = lower_work_block_of(l, *block);
        if (!label || l->merged.at[work]) continue;
        l->front->label_list.at[*label - 1].target = result->blocks[f->number[work]].start;
    }
}

#define KEEP(list)                                                                                           \
    (result->list = arena_memdup(l->front->arena, l->list.at, l->list.count * sizeof *l->list.at))

static void keep_lists(struct lowering *l, struct ir_function *result) {
    KEEP(arguments);
    result->argument_count = l->arguments.count;
    KEEP(constants);
    result->constant_count = l->constants.count;
    KEEP(switches);
    result->switch_count = l->switches.count;
    KEEP(gotos);
    result->goto_count = l->gotos.count;
    KEEP(allocas);
    result->alloca_count = l->allocas.count;
    result->frame_align = MAX(l->frame_align, 16);
    result->frame_size = align_up(l->frame_size, result->frame_align);
}

void finish_function(struct lowering *l) {
    struct ir_function *result = l->result;
    assign_registers(l);
    uint32_t count = l->blocks.count;
    struct finishing f = {.l = l};
    f.order = NEW_ARRAY(uint32_t, count);
    f.number = NEW_ARRAY(uint32_t, count);
    f.forward = NEW_ARRAY(uint32_t, count);
    number_blocks(&f);
    copy_code(&f, result);
    for (uint32_t i = 0; i < f.block_count; i++) resolve_targets(&f, result, i);
    if (l->function) fill_labels(&f, result);
    keep_lists(l, result);
    DELETE_ARRAY(f.order, count);
    DELETE_ARRAY(f.number, count);
    DELETE_ARRAY(f.forward, count);
}
