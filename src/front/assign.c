// Register assignment. Copies between units that are never live at the same time are coalesced, innermost loops first.
// Then a linear scan assigns slots, lowest first, so that frames stay small.
#include "front/assign.h"
#include "ir/registers.h"

#include <stdlib.h>

struct assigning {
    struct lowering *l;
    struct liveness live;
    uint32_t *parent; // union-find: the unit that each unit was merged into, by first register
    uint32_t *color;  // per unit: its first register in the result
    uint8_t *busy;    // per slot of the result: whether it is in use
    uint32_t busy_count, used;
};

static uint32_t find(struct assigning *a, uint32_t unit) {
    while (a->parent[unit] != unit) unit = a->parent[unit] = a->parent[a->parent[unit]];
    return unit;
}

static uint32_t unit_size(struct lowering *l, uint32_t first) {
    uint32_t size = 1;
    while (first + size < l->unit.count && l->unit.at[first + size] == first) size++;
    return size;
}

// ---- merging copies

// Whether both are live at some position other than the one right after the copy itself.
static bool overlap(struct assigning *a, uint32_t x, uint32_t y, uint32_t copy) {
    struct segment *at = a->live.segments.at;
    uint32_t p = a->live.head[x], q = a->live.head[y];
    while (p && q) {
        uint32_t start = MAX(at[p - 1].start, at[q - 1].start), end = MIN(at[p - 1].end, at[q - 1].end);
        if (start < end && !(start == copy && end == copy + 1)) return true;
        if (at[p - 1].end < at[q - 1].end)
            p = at[p - 1].next;
        else
            q = at[q - 1].next;
    }
    return false;
}

static uint32_t merge_lists(struct assigning *a, uint32_t p, uint32_t q) {
    struct segment *at = a->live.segments.at;
    uint32_t head = 0, last = 0;
    while (p || q) {
        uint32_t *from = !q || (p && at[p - 1].start <= at[q - 1].start) ? &p : &q, next = *from;
        *from = at[next - 1].next;
        if (last && at[last - 1].end >= at[next - 1].start) {
            at[last - 1].end = MAX(at[last - 1].end, at[next - 1].end);
            continue;
        }
        if (last)
            at[last - 1].next = next;
        else
            head = next;
        last = next;
    }
    if (last) at[last - 1].next = 0;
    return head;
}

static void try_merge(struct assigning *a, const struct ir_insn *insn, uint32_t position) {
    struct lowering *l = a->l;
    uint32_t x = l->unit.at[insn->dst], y = l->unit.at[insn->a];
    if (insn->dst - x != insn->a - y || unit_size(l, x) != unit_size(l, y)) return;
    x = find(a, x), y = find(a, y);
    if (x == y || (x < l->fixed && y < l->fixed)) return;
    if (y < l->fixed) { // a parameter keeps its register: merge the other unit into it
        uint32_t t = x;
        x = y;
        y = t;
    }
    if (overlap(a, x, y, position + 1)) return;
    a->live.head[x] = merge_lists(a, a->live.head[x], a->live.head[y]);
    a->live.head[y] = 0;
    a->parent[y] = x;
}

struct copy {
    uint32_t depth, instruction;
};

static int deepest_first(const void *a, const void *b) {
    const struct copy *x = a, *y = b;
    if (x->depth != y->depth) return x->depth > y->depth ? -1 : 1;
    return x->instruction < y->instruction ? -1 : x->instruction > y->instruction;
}

static void merge_copies(struct assigning *a) {
    struct lowering *l = a->l;
    vec(struct copy) copies = {0};
    for (uint32_t i = 0; i < a->live.block_count; i++) {
        const struct work_block *block = &l->blocks.at[a->live.order[i]];
        for (uint32_t k = block->start; k < block->end; k++)
            if ((l->code.at[k].op == IR_MOV || l->code.at[k].op == IR_MOV_WIDE) &&
                !has_vanished(&l->code.at[k]))
                vec_push(&copies, ((struct copy){a->live.depth[i], k}));
    }
    if (copies.count) qsort(copies.at, copies.count, sizeof *copies.at, deepest_first);
    vec_each (struct copy, copy, &copies) try_merge(a, &l->code.at[copy->instruction], 2 * copy->instruction);
    vec_free(&copies);
}

// ---- assigning slots

struct live_interval {
    uint32_t unit, start, end, size;
};

static int earliest_first(const void *a, const void *b) {
    const struct live_interval *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return x->unit < y->unit ? -1 : x->unit > y->unit;
}

struct live_intervals {
    struct live_interval *at;
    uint32_t count, capacity;
};

static void collect_intervals(struct assigning *a, struct live_intervals *intervals) {
    struct lowering *l = a->l;
    for (uint32_t unit = 0; unit < l->unit.count;) {
        uint32_t size = unit_size(l, unit), head = a->live.head[unit];
        if (head) {
            const struct segment *last = &a->live.segments.at[head - 1];
            struct live_interval interval = {unit, last->start, 0, size};
            while (last->next) last = &a->live.segments.at[last->next - 1];
            interval.end = last->end;
            vec_push(intervals, interval);
        }
        unit += size;
    }
    if (intervals->count) qsort(intervals->at, intervals->count, sizeof *intervals->at, earliest_first);
}

static uint32_t take_slots(struct assigning *a, uint32_t size) {
    uint32_t first = 0;
    for (uint32_t run = 0; run < size; run++) {
        if (first + run < a->busy_count && a->busy[first + run]) {
            first += run + 1;
            run = UINT32_MAX; // restart after the slot in use
        }
    }
    return first;
}

static void mark(struct assigning *a, uint32_t first, uint32_t size, uint8_t busy) {
    for (uint32_t i = 0; i < size; i++) a->busy[first + i] = busy;
    a->used = MAX(a->used, first + size);
}

// The active intervals as a heap; the one that ends first is on top.
struct heap {
    struct live_interval **at;
    uint32_t count;
};

static void heap_push(struct heap *heap, struct live_interval *item) {
    uint32_t i = heap->count++;
    for (; i && heap->at[(i - 1) / 2]->end > item->end; i = (i - 1) / 2) heap->at[i] = heap->at[(i - 1) / 2];
    heap->at[i] = item;
}

static struct live_interval *heap_pop(struct heap *heap) {
    struct live_interval *top = heap->at[0], *item = heap->at[--heap->count];
    uint32_t i = 0;
    for (uint32_t child; (child = 2 * i + 1) < heap->count; i = child) {
        if (child + 1 < heap->count && heap->at[child + 1]->end < heap->at[child]->end) child++;
        if (heap->at[child]->end >= item->end) break;
        heap->at[i] = heap->at[child];
    }
    if (heap->count) heap->at[i] = item;
    return top;
}

static void color_units(struct assigning *a) {
    struct lowering *l = a->l;
    struct live_intervals intervals = {0};
    collect_intervals(a, &intervals);
    a->busy_count = l->unit.count + 1;
    a->busy = NEW_ARRAY(uint8_t, a->busy_count);
    struct heap active = {NEW_ARRAY(struct live_interval *, intervals.count + 1), 0};
    // Parameters come first and keep their registers; they are live from the start, if at all.
    vec_each (struct live_interval, interval, &intervals) {
        if (interval->unit >= l->fixed) continue;
        a->color[interval->unit] = interval->unit;
        mark(a, interval->unit, interval->size, 1);
        heap_push(&active, interval);
    }
    vec_each (struct live_interval, interval, &intervals) {
        if (interval->unit < l->fixed) continue;
        while (active.count && active.at[0]->end <= interval->start) {
            struct live_interval *ended = heap_pop(&active);
            mark(a, a->color[ended->unit], ended->size, 0);
        }
        a->color[interval->unit] = take_slots(a, interval->size);
        mark(a, a->color[interval->unit], interval->size, 1);
        heap_push(&active, interval);
    }
    DELETE_ARRAY(active.at, intervals.count + 1);
    DELETE_ARRAY(a->busy, a->busy_count);
    vec_free(&intervals);
}

static void rename_register(void *context, uint32_t *reg, uint32_t slots, bool write) {
    struct assigning *a = context;
    (void)slots, (void)write;
    uint32_t unit = a->l->unit.at[*reg];
    *reg = a->color[find(a, unit)] + (*reg - unit);
}

void assign_registers(struct lowering *l) {
    if (l->returns_twice) { // no sharing: each virtual register gets its own
        l->result->register_count = l->unit.count;
        return;
    }
    struct assigning a = {.l = l, .used = l->fixed};
    liveness_find(&a.live, l);
    uint32_t registers = l->unit.count;
    a.parent = NEW_ARRAY(uint32_t, registers + 1);
    a.color = NEW_ARRAY(uint32_t, registers + 1);
    for (uint32_t i = 0; i < registers; i++) a.parent[i] = i;
    merge_copies(&a);
    color_units(&a);
    for (uint32_t i = 0; i < l->code.count; i += ir_op_info[l->code.at[i].op].words)
        ir_visit_registers(&l->code.at[i], l->arguments.at, rename_register, &a);
    vec_each (struct ir_insn, insn, &l->hoisted) rename_register(&a, &insn->dst, 1, true);
    l->result->register_count = a.used;
    DELETE_ARRAY(a.parent, registers + 1);
    DELETE_ARRAY(a.color, registers + 1);
    liveness_free(&a.live);
}
