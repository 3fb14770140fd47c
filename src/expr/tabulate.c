// Tables of terms over one input byte: the value for each of the 256 values of the byte, one sweep per
// node.
//
// A table is kept in the narrowest of 1, 2, 4 or 8 bytes per value. Nodes that no sweep covers (reads over
// writes, wide intermediate results, floating point) are evaluated 256 times instead.
#include "expr/eval.h"

#include "expr/expr_int.h"

#define MEMORY_LIMIT NORMAL_OR_HOSTILE((size_t)64 << 20, (size_t)4096)

struct table {
    uint32_t bytes; // per value
    uint8_t data[];
};

struct tabulator {
    struct terms *terms;
    struct evaluator *evaluator;
    struct map tables; // Term to struct table *
    struct map sets;   // Term to uint64_t[4]
    size_t memory;
    uint64_t generation;
    uint32_t sweep_var; // of the evaluator's assignment
    uint8_t sweep_value;
    vec(Term) stack;
    uint64_t scratch[4][256];
};

static uint8_t sweep_byte(void *context, uint32_t var) {
    struct tabulator *tab = context;
    return var == tab->sweep_var ? tab->sweep_value : 0;
}

struct tabulator *tabulator_new(struct terms *terms) {
    struct tabulator *tab = NEW(struct tabulator);
    tab->terms = terms;
    tab->evaluator = evaluator_new(terms);
    tab->generation = terms_generation(terms);
    return tab;
}

static size_t table_size(const struct table *table) { return sizeof *table + 256 * (size_t)table->bytes; }

static void drop_tables(struct tabulator *tab) {
    for (uint32_t i = 0; i < tab->tables.capacity; i++) {
        if (tab->tables.keys[i] == UINT64_MAX) continue;
        struct table *table = (struct table *)(uintptr_t)tab->tables.values[i];
        mem_free(table, table_size(table));
    }
    map_clear(&tab->tables);
    tab->memory = 0;
}

static void drop_sets(struct tabulator *tab) {
    for (uint32_t i = 0; i < tab->sets.capacity; i++)
        if (tab->sets.keys[i] != UINT64_MAX) mem_free((void *)(uintptr_t)tab->sets.values[i], 32);
    map_clear(&tab->sets);
}

void tabulator_free(struct tabulator *tab) {
    if (!tab) return;
    drop_tables(tab);
    drop_sets(tab);
    map_free(&tab->tables);
    map_free(&tab->sets);
    vec_free(&tab->stack);
    evaluator_free(tab->evaluator);
    DELETE(tab);
}

static void pack(struct table *table, const uint64_t *values) {
    switch (table->bytes) {
    case 1:
        for (unsigned v = 0; v < 256; v++) table->data[v] = (uint8_t)values[v];
        break;
    case 2:
        for (unsigned v = 0; v < 256; v++) ((uint16_t *)(void *)table->data)[v] = (uint16_t)values[v];
        break;
    case 4:
        for (unsigned v = 0; v < 256; v++) ((uint32_t *)(void *)table->data)[v] = (uint32_t)values[v];
        break;
    default: memcpy(table->data, values, 256 * sizeof *values); break;
    }
}

static void unpack(const struct table *table, uint64_t *values) {
    switch (table->bytes) {
    case 1:
        for (unsigned v = 0; v < 256; v++) values[v] = table->data[v];
        break;
    case 2:
        for (unsigned v = 0; v < 256; v++) values[v] = ((const uint16_t *)(const void *)table->data)[v];
        break;
    case 4:
        for (unsigned v = 0; v < 256; v++) values[v] = ((const uint32_t *)(const void *)table->data)[v];
        break;
    default: memcpy(values, table->data, 256 * sizeof *values); break;
    }
}

static void keep(struct tabulator *tab, Term t, const uint64_t *values) {
    unsigned width = width_of(tab->terms, t), bytes = width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
    struct table *table = mem_alloc(sizeof *table + 256 * (size_t)bytes);
    table->bytes = bytes;
    pack(table, values);
    *map_put(&tab->tables, t) = (uintptr_t)table;
    tab->memory += table_size(table);
}

static const struct table *kept(const struct tabulator *tab, Term t) {
    uint64_t *found = map_get(&tab->tables, t);
    return found ? (const struct table *)(uintptr_t)*found : NULL;
}

// The operand's 256 values: constants and the byte itself need no table.
static const uint64_t *operand_values(struct tabulator *tab, Term t, unsigned slot) {
    uint64_t *values = tab->scratch[slot];
    if (is_const(tab->terms, t)) {
        uint64_t value = value_of(tab->terms, t);
        for (unsigned v = 0; v < 256; v++) values[v] = value;
    } else if (is_kind(tab->terms, t, KIND_BYTE)) {
        for (unsigned v = 0; v < 256; v++) values[v] = v;
    } else {
        unpack(kept(tab, t), values);
    }
    return values;
}

static bool needs_table(const struct tabulator *tab, Term t) {
    enum kind kind = kind_of(tab->terms, t);
    return kind != KIND_CONST && kind != KIND_BYTE && !kept(tab, t);
}

// ---- Sweeps ----

#define SWEEP(expression)                                                                                    \
    for (unsigned v = 0; v < 256; v++) {                                                                     \
        uint64_t x = a[v], y = b[v];                                                                         \
        (void)x, (void)y;                                                                                    \
        r[v] = (expression);                                                                                 \
    }                                                                                                        \
    break

static void sweep_same(enum kind kind, unsigned width, const uint64_t *a, const uint64_t *b, uint64_t *r) {
    uint64_t mask = mask_bits(width), sign = (uint64_t)1 << (width - 1);
    switch (kind) {
    case KIND_NOT: SWEEP(~x & mask);
    case KIND_AND: SWEEP(x & y);
    case KIND_OR: SWEEP(x | y);
    case KIND_XOR: SWEEP(x ^ y);
    case KIND_NEG: SWEEP(-x & mask);
    case KIND_ADD: SWEEP((x + y) & mask);
    case KIND_MUL: SWEEP(x * y & mask);
    case KIND_EQ: SWEEP(x == y);
    case KIND_ULT: SWEEP(x < y);
    case KIND_SLT: SWEEP((x ^ sign) < (y ^ sign));
    default: SWEEP(apply_small(kind, width, x, y));
    }
}

static void sweep_select(struct tabulator *tab, Term array, const uint64_t *index, uint64_t *r) {
    const struct literal *literal = node_of(tab->terms, array)->literal;
    if (literal->element_bytes == 1) {
        for (unsigned v = 0; v < 256; v++)
            r[v] = index[v] < literal->count ? literal_bytes(literal)[index[v]] : 0;
        return;
    }
    for (unsigned v = 0; v < 256; v++)
        r[v] = index[v] < literal->count ? term_literal_value(tab->terms, array, (uint32_t)index[v]) : 0;
}

static bool is_packed_select(const struct terms *terms, const struct node *node) {
    if (node->kind != KIND_SELECT || width_of(terms, node->args[1]) > 64) return false;
    const struct node *array = node_of(terms, node->args[0]);
    return array->kind == KIND_ARRAY_LITERAL && array->literal->element_bytes;
}

// Can one sweep over the operands' tables compute it?
static bool is_sweepable(const struct terms *terms, const struct node *node) {
    if (is_packed_select(terms, node)) return true;
    if (kind_infos[node->kind].properties & (KP_FLOAT | KP_LEAF)) return false;
    if (node->kind == KIND_SELECT || node->kind == KIND_ARRAY_EQ) return false;
    for (unsigned i = 0; i < kind_infos[node->kind].arity; i++)
        if (width_of(terms, node->args[i]) > 64) return false;
    return true;
}

static void sweep(struct tabulator *tab, Term t) {
    const struct node *node = node_of(tab->terms, t);
    uint64_t *r = tab->scratch[3];
    if (node->kind == KIND_SELECT) {
        sweep_select(tab, node->args[0], operand_values(tab, node->args[1], 0), r);
        keep(tab, t, r);
        return;
    }
    unsigned arity = kind_infos[node->kind].arity, width = width_of(tab->terms, node->args[0]);
    const uint64_t *a = operand_values(tab, node->args[0], 0);
    const uint64_t *b = arity > 1 ? operand_values(tab, node->args[1], 1) : a;
    const uint64_t *c = arity > 2 ? operand_values(tab, node->args[2], 2) : a;
    uint64_t mask = mask_bits(node->width);
    switch (node->kind) {
    case KIND_CONCAT: {
        unsigned shift = width_of(tab->terms, node->args[1]);
        SWEEP(x << shift | y);
    }
    case KIND_EXTRACT: {
        unsigned low = node->aux;
        SWEEP(x >> low & mask);
    }
    case KIND_SEXT: SWEEP((uint64_t)sign_extend(x, width) & mask);
    case KIND_ITE: SWEEP(x ? y : c[v]);
    default: sweep_same((enum kind)node->kind, width, a, b, r); break;
    }
    keep(tab, t, r);
}

static void evaluate_all(struct tabulator *tab, Term t) {
    struct assignment assignment = {.byte = sweep_byte, .context = tab};
    tab->sweep_var = term_single_var(tab->terms, t);
    for (unsigned v = 0; v < 256; v++) {
        tab->sweep_value = (uint8_t)v;
        evaluator_assign(tab->evaluator, &assignment);
        tab->scratch[3][v] = evaluate(tab->evaluator, t);
    }
    keep(tab, t, tab->scratch[3]);
}

static void build_tables(struct tabulator *tab, Term root) {
    if (tab->memory > MEMORY_LIMIT) drop_tables(tab);
    vec_push(&tab->stack, root);
    while (tab->stack.count) {
        Term t = *vec_last(&tab->stack);
        const struct node *node = node_of(tab->terms, t);
        uint32_t before = tab->stack.count;
        bool sweepable = is_sweepable(tab->terms, node);
        if (needs_table(tab, t) && sweepable)
            for (unsigned i = node->kind == KIND_SELECT; i < kind_infos[node->kind].arity; i++)
                if (needs_table(tab, node->args[i])) vec_push(&tab->stack, node->args[i]);
        if (tab->stack.count != before) continue;
        (void)vec_pop(&tab->stack);
        if (!needs_table(tab, t)) continue;
        if (sweepable)
            sweep(tab, t);
        else
            evaluate_all(tab, t);
    }
}

static bool prepare(struct tabulator *tab, Term t) {
    if (tab->generation != terms_generation(tab->terms)) {
        drop_tables(tab);
        drop_sets(tab);
        tab->generation = terms_generation(tab->terms);
    }
    if (is_array(tab->terms, t) || width_of(tab->terms, t) > 64) return false;
    if (term_single_var(tab->terms, t) == VAR_NONE) return false;
    if (needs_table(tab, t)) build_tables(tab, t);
    return true;
}

bool tabulate(struct tabulator *tab, Term t, uint64_t table[256]) {
    if (!prepare(tab, t)) return false;
    memcpy(table, operand_values(tab, t, 0), 256 * sizeof *table);
    return true;
}

const uint64_t *tabulate_set(struct tabulator *tab, Term t) {
    bool current = tab->generation == terms_generation(tab->terms);
    uint64_t *found = current ? map_get(&tab->sets, t) : NULL;
    if (found) return (const uint64_t *)(uintptr_t)*found;
    if (is_array(tab->terms, t) || width_of(tab->terms, t) != 1 || !prepare(tab, t)) return NULL;
    const uint64_t *values = operand_values(tab, t, 0);
    uint64_t *set = mem_alloc_zeroed(32);
    for (unsigned v = 0; v < 256; v++) set[v / 64] |= values[v] << (v % 64);
    *map_put(&tab->sets, t) = (uintptr_t)set;
    return set;
}
