// Liveness of units: first sets per block, only for the few registers that are live across blocks; then segments, in
// one backward pass over the code.
#include "front/assign.h"
#include "ir/registers.h"

#include <stdlib.h>

struct work {
    struct liveness *live;
    struct lowering *l;
    uint32_t *seen_in; // register -> block + 1 in which it was written last
    uint32_t *global;  // register -> number + 1 among the registers that are live across blocks
    uint32_t *globals; // the inverse of `global`
    uint32_t count;    // number of registers that are live across blocks
    uint32_t words;    // words of a set
    uint64_t *use, *def, *in, *out;
    uint32_t *end; // register -> end of its current segment, 0: not live
    uint32_t block, position;
    bool extend; // the sources of this instruction must not share registers with its target
};

static int by_start(const void *a, const void *b, void *blocks) {
    const struct work_block *at = blocks;
    uint32_t x = at[*(const uint32_t *)a].start, y = at[*(const uint32_t *)b].start;
    return x < y ? -1 : x > y;
}

static void order_blocks(struct liveness *live) {
    struct lowering *l = live->l;
    live->order = NEW_ARRAY(uint32_t, l->blocks.count);
    live->depth = NEW_ARRAY(uint32_t, l->blocks.count + 1);
    for (uint32_t i = 0; i < l->blocks.count; i++)
        if (l->blocks.at[i].emitted) live->order[live->block_count++] = i;
    qsort_r(live->order, live->block_count, sizeof *live->order, by_start, l->blocks.at);
}

typedef void target_fn(void *context, uint32_t from, uint32_t to);

static void each_target(struct lowering *l, uint32_t block, target_fn *visit, void *context) {
    const struct ir_insn *last = &l->code.at[l->blocks.at[block].end - 1];
    if (last->op == IR_EXTRA) {
        visit(context, block, last->a);
        visit(context, block, last->b);
    } else if (last->op == IR_JMP) {
        visit(context, block, last->a);
    } else if (last->op == IR_SWITCH) {
        const struct ir_switch *s = &l->switches.at[last->b];
        for (uint32_t i = 0; i < s->count; i++) visit(context, block, s->targets[i]);
        visit(context, block, s->default_target);
    } else if (last->op == IR_GOTO) {
        const struct ir_goto *g = &l->gotos.at[last->b];
        for (uint32_t i = 0; i < g->count; i++) visit(context, block, g->targets[i]);
    }
}

// Treats all blocks between a backward jump and its target as a loop: a good approximation in reverse postorder.
struct loops {
    struct liveness *live;
    uint32_t *index_of; // work block -> index in the order
    int32_t *change;
};

static void note_loop(void *context, uint32_t from, uint32_t to) {
    struct loops *loops = context;
    if (loops->index_of[to] > loops->index_of[from]) return;
    loops->change[loops->index_of[to]]++;
    loops->change[loops->index_of[from] + 1]--;
}

static void find_loops(struct liveness *live) {
    struct lowering *l = live->l;
    struct loops loops = {.live = live};
    loops.index_of = NEW_ARRAY(uint32_t, l->blocks.count);
    loops.change = NEW_ARRAY(int32_t, l->blocks.count + 1);
    for (uint32_t i = 0; i < live->block_count; i++) loops.index_of[live->order[i]] = i;
    for (uint32_t i = 0; i < live->block_count; i++) each_target(l, live->order[i], note_loop, &loops);
    int32_t depth = 0;
    for (uint32_t i = 0; i < live->block_count; i++) live->depth[i] = (uint32_t)(depth += loops.change[i]);
    DELETE_ARRAY(loops.index_of, l->blocks.count);
    DELETE_ARRAY(loops.change, l->blocks.count + 1);
}

// ---- registers that are live across blocks

// NOLINTNEXTLINE(readability-non-const-parameter): the type of a visitor
static void note_global(void *context, uint32_t *reg, uint32_t slots, bool write) {
    struct work *w = context;
    for (uint32_t r = *reg; r < *reg + slots; r++) {
        if (write)
            w->seen_in[r] = w->block + 1;
        else if (w->seen_in[r] != w->block + 1 && !w->global[r])
            w->global[r] = ++w->count;
    }
}

// NOLINTNEXTLINE(readability-non-const-parameter): the type of a visitor
static void note_sets(void *context, uint32_t *reg, uint32_t slots, bool write) {
    struct work *w = context;
    for (uint32_t r = *reg; r < *reg + slots; r++) {
        if (!w->global[r]) continue;
        uint32_t g = w->global[r] - 1;
        uint64_t bit = 1ull << (g % 64), *def = &w->def[(size_t)w->block * w->words + g / 64];
        if (write)
            *def |= bit;
        else if (!(*def & bit))
            w->use[(size_t)w->block * w->words + g / 64] |= bit;
    }
}

static void each_instruction(struct work *w, ir_visit_fn *visit) {
    struct lowering *l = w->l;
    for (uint32_t i = 0; i < w->live->block_count; i++) {
        const struct work_block *block = &l->blocks.at[w->live->order[i]];
        w->block = w->live->order[i];
        for (uint32_t k = block->start; k < block->end; k += ir_op_info[l->code.at[k].op].words)
            if (!has_vanished(&l->code.at[k])) ir_visit_registers(&l->code.at[k], l->arguments.at, visit, w);
    }
}

static void join(void *context, uint32_t from, uint32_t to) {
    struct work *w = context;
    uint64_t *out = &w->out[(size_t)from * w->words], *in = &w->in[(size_t)to * w->words];
    for (uint32_t i = 0; i < w->words; i++) out[i] |= in[i];
}

static void solve(struct work *w) {
    bool changed = true;
    while (changed) { // backward over reverse postorder: a few more iterations than loops are nested
        changed = false;
        for (uint32_t i = w->live->block_count; i-- > 0;) {
            uint32_t b = w->live->order[i];
            each_target(w->l, b, join, w);
            for (uint32_t k = 0; k < w->words; k++) {
                size_t at = (size_t)b * w->words + k;
                uint64_t in = w->use[at] | (w->out[at] & ~w->def[at]);
                if (in == w->in[at]) continue;
                w->in[at] = in;
                changed = true;
            }
        }
    }
}

// ---- segments

// Adds a segment. The pass is backward, so starts only decrease.
static void add_segment(struct work *w, uint32_t reg, uint32_t start, uint32_t end) {
    struct liveness *live = w->live;
    uint32_t *head = &live->head[w->l->unit.at[reg]];
    while (*head && live->segments.at[*head - 1].start <= end) {
        struct segment *first = &live->segments.at[*head - 1];
        end = MAX(end, first->end);
        *head = first->next;
    }
    vec_push(&live->segments, ((struct segment){start, end, *head}));
    *head = live->segments.count;
}

// NOLINTNEXTLINE(readability-non-const-parameter): the type of a visitor
static void note_width(void *context, uint32_t *reg, uint32_t slots, bool write) {
    struct work *w = context;
    (void)reg, (void)write;
    if (slots > 1) w->extend = true;
}

// NOLINTNEXTLINE(readability-non-const-parameter): the type of a visitor
static void note_write(void *context, uint32_t *reg, uint32_t slots, bool write) {
    struct work *w = context;
    if (!write) return;
    for (uint32_t r = *reg; r < *reg + slots; r++) {
        add_segment(w, r, w->position + 1, w->end[r] ? w->end[r] : w->position + 2);
        w->end[r] = 0;
    }
}

// NOLINTNEXTLINE(readability-non-const-parameter): the type of a visitor
static void note_read(void *context, uint32_t *reg, uint32_t slots, bool write) {
    struct work *w = context;
    if (write) return;
    uint32_t end = w->position + (w->extend ? 2 : 1);
    for (uint32_t r = *reg; r < *reg + slots; r++) w->end[r] = MAX(w->end[r], end);
}

static void walk_block(struct work *w, uint32_t number) {
    struct lowering *l = w->l;
    const struct work_block *block = &l->blocks.at[number];
    for (uint32_t k = 0; k < w->words; k++)
        for (uint64_t set = w->out[(size_t)number * w->words + k]; set; set &= set - 1)
            w->end[w->globals[k * 64 + (uint32_t)__builtin_ctzll(set)]] = 2 * block->end;
    for (uint32_t i = block->end; i-- > block->start;) {
        struct ir_insn *insn = &l->code.at[i];
        if (insn->op == IR_EXTRA || has_vanished(insn)) continue;
        w->position = 2 * i;
        w->extend = insn->op == IR_INT || insn->op == IR_FLOAT;
        ir_visit_registers(insn, l->arguments.at, note_width, w);
        ir_visit_registers(insn, l->arguments.at, note_write, w);
        ir_visit_registers(insn, l->arguments.at, note_read, w);
    }
    for (uint32_t k = 0; k < w->words; k++)
        for (uint64_t set = w->in [(size_t)number * w->words + k]; set; set &= set - 1) {
            uint32_t r = w->globals[k * 64 + (uint32_t)__builtin_ctzll(set)];
            assert(w->end[r]);
            add_segment(w, r, 2 * block->start, w->end[r]);
            w->end[r] = 0;
        }
}

static void find_segments(struct work *w) {
    struct lowering *l = w->l;
    size_t size = (size_t)l->blocks.count * w->words, registers = l->unit.count;
    w->use = NEW_ARRAY(uint64_t, size + 1);
    w->def = NEW_ARRAY(uint64_t, size + 1);
    w->in = NEW_ARRAY(uint64_t, size + 1);
    w->out = NEW_ARRAY(uint64_t, size + 1);
    w->globals = NEW_ARRAY(uint32_t, w->count + 64);
    w->end = NEW_ARRAY(uint32_t, registers + 1);
    for (uint32_t r = 0; r < registers; r++)
        if (w->global[r]) w->globals[w->global[r] - 1] = r;
    each_instruction(w, note_sets);
    solve(w);
    for (uint32_t i = w->live->block_count; i-- > 0;) walk_block(w, w->live->order[i]);
    DELETE_ARRAY(w->use, size + 1);
    DELETE_ARRAY(w->def, size + 1);
    DELETE_ARRAY(w->in, size + 1);
    DELETE_ARRAY(w->out, size + 1);
    DELETE_ARRAY(w->globals, w->count + 64);
    DELETE_ARRAY(w->end, registers + 1);
}

void liveness_find(struct liveness *live, struct lowering *l) {
    *live = (struct liveness){.l = l};
    order_blocks(live);
    find_loops(live);
    hoist_constants(live);
    uint32_t registers = l->unit.count;
    live->head = NEW_ARRAY(uint32_t, registers + 1);
    struct work w = {.live = live, .l = l};
    w.seen_in = NEW_ARRAY(uint32_t, registers + 1);
    w.global = NEW_ARRAY(uint32_t, registers + 1);
    each_instruction(&w, note_global);
    w.words = (w.count + 63) / 64;
    find_segments(&w);
    DELETE_ARRAY(w.seen_in, registers + 1);
    DELETE_ARRAY(w.global, registers + 1);
}

void liveness_free(struct liveness *live) {
    DELETE_ARRAY(live->order, live->l->blocks.count);
    DELETE_ARRAY(live->depth, live->l->blocks.count + 1);
    DELETE_ARRAY(live->head, live->l->unit.count + 1);
    vec_free(&live->segments);
}
