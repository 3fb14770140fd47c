// Tables of terms over one input byte: the value for each of the 256 values of the byte, computed in one sweep per
// node.
//
// A table is kept in the narrowest of 1, 2, 4, 8 or 16 bytes per value. Nodes that no sweep supports (reads over
// stores, intermediate results of more than 128 bits) are evaluated 256 times instead.
#include "expr/eval.h"

#include "expr/expr_int.h"

#define RECENT       4096u
#define MEMORY_LIMIT NORMAL_OR_HOSTILE((size_t)64 << 20, (size_t)4096)

struct table {
    uint32_t bytes; // per value
    uint8_t data[];
};

// A term and its set; also the set of all terms of the same shape.
struct kept_set {
    Term term;
    uint64_t *set;
};

struct tabulator {
    struct terms *terms;
    struct evaluator *evaluator;
    struct map tables; // Term -> struct table *
    struct map sets;   // Term without a shape -> index in `kept_sets`, plus 1
    struct map shapes; // hash of a shape -> index in `kept_sets`, plus 1
    vec(struct kept_set) kept_sets;
    struct kept_set recent[RECENT]; // by term
    size_t memory;
    uint64_t generation;
    uint32_t sweep_var; // var of the evaluator's assignment
    uint8_t sweep_value;
    vec(Term) stack;
    uint64_t scratch[4][256];
    uint64_t wide[4][256][2]; // operands' values of up to 128 bits
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
    map_clear(&tab->sets);
    map_clear(&tab->shapes);
    vec_each (struct kept_set, kept, &tab->kept_sets) mem_free(kept->set, 32);
    vec_clear(&tab->kept_sets);
    memset(tab->recent, 0, sizeof tab->recent);
}

void tabulator_free(struct tabulator *tab) {
    if (!tab) return;
    drop_tables(tab);
    drop_sets(tab);
    map_free(&tab->tables);
    map_free(&tab->sets);
    map_free(&tab->shapes);
    vec_free(&tab->kept_sets);
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
    assert(width <= 64);
    struct table *table = mem_alloc(sizeof *table + 256 * (size_t)bytes);
    table->bytes = bytes;
    pack(table, values);
    *map_put(&tab->tables, t) = (uintptr_t)table;
    tab->memory += table_size(table);
}

static void keep_wide(struct tabulator *tab, Term t, const uint64_t (*values)[2]) {
    if (width_of(tab->terms, t) <= 64) {
        uint64_t *narrow = tab->scratch[3];
        for (unsigned v = 0; v < 256; v++) narrow[v] = values[v][0];
        keep(tab, t, narrow);
        return;
    }
    struct table *table = mem_alloc(sizeof *table + 256 * sizeof *values);
    table->bytes = sizeof *values;
    memcpy(table->data, values, 256 * sizeof *values);
    *map_put(&tab->tables, t) = (uintptr_t)table;
    tab->memory += table_size(table);
}

static const struct table *kept(const struct tabulator *tab, Term t) {
    uint64_t *found = map_get(&tab->tables, t);
    return found ? (const struct table *)(uintptr_t)*found : NULL;
}

// The 256 values of an operand: constants and the byte itself need no table.
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

// The 256 values of an operand of up to 128 bits.
static const uint64_t (*wide_values(struct tabulator *tab, Term t, unsigned slot))[2] {
    uint64_t(*values)[2] = tab->wide[slot];
    unsigned width = width_of(tab->terms, t);
    if (width <= 64) {
        const uint64_t *narrow = operand_values(tab, t, slot);
        for (unsigned v = 0; v < 256; v++) values[v][0] = narrow[v];
    } else if (is_const(tab->terms, t)) {
        const uint64_t *words = term_const_words(tab->terms, t);
        for (unsigned v = 0; v < 256; v++) memcpy(values[v], words, sizeof *values);
    } else {
        memcpy(values, kept(tab, t)->data, 256 * sizeof *values);
    }
    return (const uint64_t(*)[2])values;
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

// How one sweep over the operands' tables computes a node.
enum sweep {
    SWEEP_NONE,   // not supported
    SWEEP_PACKED, // a read of constants
    SWEEP_READ,   // a read of terms
    SWEEP_SMALL,  // up to 64 bits
    SWEEP_LIMBS,  // floats, and up to 128 bits
};

static enum sweep sweep_of(const struct terms *terms, const struct node *node) {
    if (node->kind == KIND_SELECT) {
        if (width_of(terms, node->args[1]) > 64 || !is_kind(terms, node->args[0], KIND_ARRAY_LITERAL))
            return SWEEP_NONE;
        if (is_packed_select(terms, node)) return SWEEP_PACKED;
        return node->width <= 64 ? SWEEP_READ : SWEEP_NONE;
    }
    if (kind_infos[node->kind].properties & (KP_LEAF | KP_ARRAY) || node->kind == KIND_ARRAY_EQ)
        return SWEEP_NONE;
    unsigned widest = node->width;
    for (unsigned i = 0; i < kind_infos[node->kind].arity; i++)
        widest = MAX(widest, width_of(terms, node->args[i]));
    if (widest > 128) return SWEEP_NONE;
    return widest <= 64 && !(kind_infos[node->kind].properties & KP_FLOAT) ? SWEEP_SMALL : SWEEP_LIMBS;
}

static void sweep_limbs(struct tabulator *tab, Term t) {
    const struct node *node = node_of(tab->terms, t);
    struct shape shape = node_shape(node);
    unsigned arity = kind_infos[node->kind].arity, widths[3] = {0};
    const uint64_t(*operands[3])[2] = {0};
    for (unsigned i = 0; i < arity; i++) {
        widths[i] = width_of(tab->terms, node->args[i]);
        operands[i] = wide_values(tab, node->args[i], i);
    }
    for (unsigned v = 0; v < 256; v++) {
        const uint64_t *args[3] = {0};
        for (unsigned i = 0; i < arity; i++) args[i] = operands[i][v];
        apply_limbs(shape, widths, args, tab->wide[3][v]);
    }
    keep_wide(tab, t, (const uint64_t(*)[2])tab->wide[3]);
}

// The element that a read of a table of terms returns at this index; 0 past the end.
static Term element_read(const struct terms *terms, const struct node *node, uint64_t index) {
    const struct literal *literal = node_of(terms, node->args[0])->literal;
    return index < literal->count ? literal_terms(literal)[index] : 0;
}

// Requests the tables that a read of terms needs: of the index, then of the elements that it can reach.
static void want_elements(struct tabulator *tab, const struct node *node) {
    if (needs_table(tab, node->args[1])) {
        vec_push(&tab->stack, node->args[1]);
        return;
    }
    const uint64_t *index = operand_values(tab, node->args[1], 0);
    for (unsigned v = 0; v < 256; v++) {
        Term element = element_read(tab->terms, node, index[v]);
        if (element && needs_table(tab, element)) vec_push(&tab->stack, element);
    }
}

static void sweep_read(struct tabulator *tab, Term t) {
    const struct node *node = node_of(tab->terms, t);
    const uint64_t *index = operand_values(tab, node->args[1], 0);
    uint64_t *r = tab->scratch[3];
    Term last = 0;
    const uint64_t *values = NULL;
    for (unsigned v = 0; v < 256; v++) {
        Term element = element_read(tab->terms, node, index[v]);
        if (element && element != last) values = operand_values(tab, element, 1);
        if (element) last = element;
        r[v] = element ? values[v] : 0;
    }
    keep(tab, t, r);
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
        const uint64_t *value = evaluate_limbs(tab->evaluator, t);
        memcpy(tab->wide[3][v], value, limbs_count(width_of(tab->terms, t)) * sizeof *value);
    }
    keep_wide(tab, t, (const uint64_t(*)[2])tab->wide[3]);
}

static void build_tables(struct tabulator *tab, Term root) {
    if (tab->memory > MEMORY_LIMIT) drop_tables(tab);
    vec_push(&tab->stack, root);
    while (tab->stack.count) {
        limits_poll();
        Term t = *vec_last(&tab->stack);
        const struct node *node = node_of(tab->terms, t);
        uint32_t before = tab->stack.count;
        enum sweep how = sweep_of(tab->terms, node);
        if (needs_table(tab, t) && how == SWEEP_READ)
            want_elements(tab, node);
        else if (needs_table(tab, t) && how != SWEEP_NONE)
            for (unsigned i = node->kind == KIND_SELECT; i < kind_infos[node->kind].arity; i++)
                if (needs_table(tab, node->args[i])) vec_push(&tab->stack, node->args[i]);
        if (tab->stack.count != before) continue;
        (void)vec_pop(&tab->stack);
        if (!needs_table(tab, t)) continue;
        switch (how) {
        case SWEEP_NONE: evaluate_all(tab, t); break;
        case SWEEP_READ: sweep_read(tab, t); break;
        case SWEEP_LIMBS: sweep_limbs(tab, t); break;
        default: sweep(tab, t);
        }
    }
}

static void drop_collected(struct tabulator *tab) {
    if (tab->generation == terms_generation(tab->terms)) return;
    drop_tables(tab);
    drop_sets(tab);
    tab->generation = terms_generation(tab->terms);
}

static bool has_one_byte(const struct tabulator *tab, Term t) {
    return !is_array(tab->terms, t) && width_of(tab->terms, t) <= 64 &&
           term_single_var(tab->terms, t) != VAR_NONE;
}

bool tabulate(struct tabulator *tab, Term t, uint64_t table[256]) {
    drop_collected(tab);
    if (!has_one_byte(tab, t)) return false;
    if (needs_table(tab, t)) build_tables(tab, t);
    memcpy(table, operand_values(tab, t, 0), 256 * sizeof *table);
    return true;
}

// ---- Sets of shapes ----
//
// The shape of a term over one byte is the term without the number of the byte. A parser asks the same of each byte of
// its input; terms of one shape have one set, which is computed once.

#define MOST_SHAPE 64u // nodes of a shape

// Adds the shape of t to the hash. Returns false if it has more than *left nodes, or a leaf other than bytes and
// constants.
static bool add_shape(const struct terms *terms, Term t, unsigned *left, uint64_t *hash) {
    const struct node *node = node_of(terms, t);
    if (!node->support) { // a constant, or a table of constants
        *hash = hash_combine(*hash, t);
        return true;
    }
    bool is_other_leaf = kind_infos[node->kind].properties & (KP_LEAF | KP_ARRAY) && node->kind != KIND_BYTE;
    if (!*left || is_other_leaf) return false;
    --*left;
    *hash = hash_combine(*hash, (uint64_t)node->kind << 56 | (uint64_t)node->rounding << 48 |
                                    (uint64_t)node->width << 32 | node->aux);
    if (node->kind == KIND_BYTE) return true;
    for (unsigned i = 0; i < kind_infos[node->kind].arity; i++)
        if (!add_shape(terms, node->args[i], left, hash)) return false;
    return true;
}

// Whether two terms over one byte each are equal, or of the same shape.
static bool is_same_shape(const struct terms *terms, Term a, Term b) {
    if (a == b) return true;
    const struct node *x = node_of(terms, a), *y = node_of(terms, b);
    if (!x->support || x->kind != y->kind || x->rounding != y->rounding || x->width != y->width ||
        x->aux != y->aux)
        return false;
    if (x->kind == KIND_BYTE) return true;
    for (unsigned i = 0; i < kind_infos[x->kind].arity; i++)
        if (!is_same_shape(terms, x->args[i], y->args[i])) return false;
    return true;
}

static uint64_t *new_set(struct tabulator *tab, Term t) {
    if (needs_table(tab, t)) build_tables(tab, t);
    const uint64_t *values = operand_values(tab, t, 0);
    struct kept_set kept = {.term = t, .set = mem_alloc_zeroed(32)};
    for (unsigned v = 0; v < 256; v++) kept.set[v / 64] |= values[v] << (v % 64);
    vec_push(&tab->kept_sets, kept);
    return kept.set;
}

// Returns the set of the term's shape, computed if no term of the shape was met before.
static uint64_t *find_set(struct tabulator *tab, Term t) {
    uint64_t hash = 0;
    unsigned left = MOST_SHAPE;
    uint64_t *index =
        add_shape(tab->terms, t, &left, &hash) ? map_put(&tab->shapes, hash >> 1) : map_put(&tab->sets, t);
    if (*index) {
        const struct kept_set *kept = &tab->kept_sets.at[*index - 1];
        return is_same_shape(tab->terms, t, kept->term) ? kept->set : new_set(tab, t);
    }
    uint64_t *set = new_set(tab, t); // may be left by limits_poll: the index is set afterwards
    *index = tab->kept_sets.count;
    return set;
}

const uint64_t *tabulate_set(struct tabulator *tab, Term t) {
    drop_collected(tab);
    struct kept_set *recent = &tab->recent[t % RECENT];
    if (recent->term == t) return recent->set;
    if (!has_one_byte(tab, t) || width_of(tab->terms, t) != 1) return NULL;
    *recent = (struct kept_set){.term = t, .set = find_set(tab, t)};
    return recent->set;
}
