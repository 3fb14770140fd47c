// Arrays: literals, reads over stores.
#include "expr/expr_int.h"

#define MAX_STORES_CROSSED 256 // stores that are crossed to find the one that a read sees
#define MAX_SCAN           64  // elements compared to find out whether all are equal
#define MAX_GATHERED       65536
#define LEAST_RUN_LENGTH   128 // elements per run, on average, of a literal that is read as a list of runs

Term term_array_const(struct terms *terms, unsigned index_width, Term value) {
    assert(!is_array(terms, value) && index_width >= 1 && index_width <= TERM_MAX_WIDTH);
    struct node node = {.kind = KIND_ARRAY_CONST,
                        .width = (uint16_t)width_of(terms, value),
                        .aux = index_width,
                        .args = {value}};
    return node_intern(terms, &node);
}

// Finds the runs of equal elements.
static void find_runs(struct literal *literal) {
    unsigned bytes = literal->element_bytes;
    const uint8_t *at = literal_bytes(literal);
    uint32_t most = MIN(MAX_RUNS, literal->count / LEAST_RUN_LENGTH), runs = 0;
    if (!bytes || !most) return;
    for (uint32_t i = 1; i <= literal->count; i++) {
        if (i < literal->count && !memcmp(at + (size_t)i * bytes, at + (size_t)(i - 1) * bytes, bytes))
            continue;
        if (runs == most) return;
        literal->ends[runs++] = i;
    }
    literal->runs = (uint8_t)runs;
}

static Term intern_literal(struct terms *terms, unsigned index_width, unsigned width,
                           struct literal *literal) {
    struct node node = {
        .kind = KIND_ARRAY_LITERAL, .width = (uint16_t)width, .aux = index_width, .literal = literal};
    terms->outside += literal->size;
    find_runs(literal);
    return node_intern(terms, &node);
}

static struct literal *new_literal(uint32_t count, unsigned item_size) {
    size_t size =
        MAX(sizeof(struct literal), sizeof(struct literal) + align_up((uint64_t)count * item_size, 8));
    assert(size <= UINT32_MAX);
    struct literal *literal = mem_alloc_zeroed(size);
    literal->count = count;
    literal->size = (uint32_t)size;
    return literal;
}

static bool all_small_consts(const struct terms *terms, const Term *elements, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!is_const(terms, elements[i])) return false;
    return true;
}

Term term_array_literal(struct terms *terms, unsigned index_width, unsigned width, const Term *elements,
                        uint32_t count) {
    assert(index_width >= 64 || count <= (uint64_t)1 << index_width);
    while (count && term_is_zero(terms, elements[count - 1])) count--; // elements past the end are 0
    if (!count) return term_array_const(terms, index_width, term_const(terms, width, 0));
    bool packed = width <= 64 && all_small_consts(terms, elements, count);
    unsigned bytes = width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
    struct literal *literal = new_literal(count, packed ? bytes : sizeof(Term));
    if (packed) literal->element_bytes = (uint8_t)bytes;
    for (uint32_t i = 0; i < count; i++) {
        assert(width_of(terms, elements[i]) == width && !is_array(terms, elements[i]));
        if (packed) {
            uint64_t value = value_of(terms, elements[i]);
            memcpy(literal_bytes(literal) + (size_t)i * bytes, &value, bytes);
        } else {
            literal_terms(literal)[i] = elements[i];
        }
        if (width > 64) continue;
        struct facts facts = node_of(terms, elements[i])->facts;
        literal->facts = i ? facts_join(literal->facts, facts) : facts;
    }
    return intern_literal(terms, index_width, width, literal);
}

// A loop for each type, without calls, which the compiler vectorizes: tables of many thousand elements are common, and
// a table is made for each access with a window of its own.
#define PACKED_FACTS(TYPE, NAME)                                                                             \
    static struct facts NAME(const uint8_t *from, uint32_t count) {                                          \
        TYPE all = (TYPE) - 1, any = 0, low = (TYPE) - 1, high = 0;                                          \
        for (uint32_t i = 0; i < count; i++) {                                                               \
            TYPE value;                                                                                      \
            memcpy(&value, from + (size_t)i * sizeof value, sizeof value);                                   \
            all &= value;                                                                                    \
            any |= value;                                                                                    \
            low = value < low ? value : low;                                                                 \
            high = value > high ? value : high;                                                              \
        }                                                                                                    \
        return (struct facts){(TYPE)~any, all, low, high};                                                   \
    }
PACKED_FACTS(uint8_t, packed_facts_8)
PACKED_FACTS(uint16_t, packed_facts_16)
PACKED_FACTS(uint32_t, packed_facts_32)
PACKED_FACTS(uint64_t, packed_facts_64)

// Returns the join of the facts of packed elements; there is at least one.
static struct facts packed_facts(const uint8_t *from, unsigned element_bytes, uint32_t count) {
    assert(count);
    switch (element_bytes) {
    case 1: return packed_facts_8(from, count);
    case 2: return packed_facts_16(from, count);
    case 4: return packed_facts_32(from, count);
    default: assert(element_bytes == 8); return packed_facts_64(from, count);
    }
}

Term term_array_bytes(struct terms *terms, unsigned index_width, unsigned element_bytes, const void *bytes,
                      uint32_t count) {
    assert(index_width >= 64 || count <= (uint64_t)1 << index_width);
    assert(element_bytes && element_bytes <= 8 && !(element_bytes & (element_bytes - 1)));
    const uint8_t *from = bytes;
    size_t size = (size_t)count * element_bytes;
    while (size && !from[size - 1]) size--; // elements past the end are 0
    count = (uint32_t)((size + element_bytes - 1) / element_bytes);
    unsigned width = 8 * element_bytes;
    if (!count) return term_array_const(terms, index_width, term_const(terms, width, 0));
    struct literal *literal = new_literal(count, element_bytes);
    literal->element_bytes = (uint8_t)element_bytes;
    memcpy(literal_bytes(literal), from, (size_t)count * element_bytes);
    literal->facts = packed_facts(from, element_bytes, count);
    return intern_literal(terms, index_width, width, literal);
}

// The value of a constant index; UINT64_MAX if it is past the end of any literal.
static uint64_t const_index(const struct terms *terms, Term index) {
    return limbs_amount(term_const_words(terms, index), width_of(terms, index));
}

// Reads an array of few runs by comparisons: i < 1000 ? 'a' : i < 1001 ? 'b' : 0. A solver would otherwise learn its
// elements one by one.
static Term select_run(struct terms *terms, Term array, Term index) {
    unsigned width = width_of(terms, index);
    Term value = term_const(terms, width_of(terms, array), 0);
    for (unsigned i = node_of(terms, array)->literal->runs; i-- > 0;) {
        uint32_t end = node_of(terms, array)->literal->ends[i];
        Term before =
            term_ule(terms, index, term_const(terms, width, end - 1)); // `end` may need one more bit
        value = term_ite(terms, before, term_arg(terms, array, end - 1), value);
    }
    return value;
}

static Term select_literal(struct terms *terms, Term array, Term index) {
    unsigned width = width_of(terms, array);
    uint32_t count = node_of(terms, array)->literal->count;
    if (is_const(terms, index)) {
        uint64_t i = const_index(terms, index);
        return i < count ? term_arg(terms, array, (uint32_t)i) : term_const(terms, width, 0);
    }
    if (width_of(terms, index) > 64) return 0;
    struct facts facts = term_facts(terms, index);
    if (facts.low >= count) return term_const(terms, width, 0);
    if (node_of(terms, array)->literal->runs) return select_run(terms, array, index);
    if (facts.high >= count || facts.high - facts.low >= MAX_SCAN) return 0;
    Term first = term_arg(terms, array, (uint32_t)facts.low);
    for (uint64_t i = facts.low + 1; i <= facts.high; i++)
        if (term_arg(terms, array, (uint32_t)i) != first) return 0;
    return first;
}

// table[c ? 3 : 5] is c ? table[3] : table[5].
static Term select_lifted(struct terms *terms, Term array, Term index) {
    if (!is_kind(terms, index, KIND_ITE) || is_kind(terms, array, KIND_ARRAY_VAR)) return 0;
    Term c = arg_of(terms, index, 0), i = arg_of(terms, index, 1), k = arg_of(terms, index, 2);
    if (!is_const(terms, i) || !is_const(terms, k)) return 0;
    Term left = term_select(terms, array, i);
    return term_ite(terms, c, left, term_select(terms, array, k));
}

// Walks down to the store that decides the read, or to the first array where this cannot be decided.
static Term simplify_select(struct terms *terms, Term array, Term index) {
    Term start = array;
    for (unsigned crossed = 0;; crossed++) {
        const struct node *node = node_of(terms, array);
        Term t = 0;
        if (node->kind == KIND_STORE && crossed < MAX_STORES_CROSSED) {
            Term below = node->args[0], value = node->args[2];
            Term same = term_eq(terms, node->args[1], index);
            if (same == terms->true_term) return value;
            if (same == terms->false_term) {
                array = below;
                continue;
            }
        } else if (node->kind == KIND_ARRAY_CONST) {
            return node->args[0];
        } else if (node->kind == KIND_ARRAY_LITERAL) {
            t = select_literal(terms, array, index);
        } else if (node->kind == KIND_ARRAY_INPUT && is_const(terms, index)) {
            uint64_t i = const_index(terms, index);
            return i < node->args[1] ? term_byte(terms, node->args[0], (uint32_t)i) : term_const(terms, 8, 0);
        } else if (node->kind == KIND_ARRAY_ITE && is_const(terms, index)) {
            Term c = node->args[0], other = node->args[2];
            Term x = term_select(terms, node->args[1], index);
            t = term_ite(terms, c, x, term_select(terms, other, index));
        }
        if (!t && node_of(terms, array)->kind != KIND_STORE) t = select_lifted(terms, array, index);
        if (t || array == start) return t;
        return node_intern2(terms, KIND_SELECT, width_of(terms, array), array, index);
    }
}

Term term_array_gather(struct terms *terms, Term array) {
    uint64_t stores = 0, size = 0;
    Term below = array;
    for (; is_kind(terms, below, KIND_STORE); below = arg_of(terms, below, 0), stores++) {
        Term index = arg_of(terms, below, 1);
        uint64_t i = is_const(terms, index) ? const_index(terms, index) : UINT64_MAX;
        if (i >= MAX_GATHERED) return array;
        size = MAX(size, i + 1);
    }
    bool zeros = is_kind(terms, below, KIND_ARRAY_CONST) && term_is_zero(terms, arg_of(terms, below, 0));
    if (!zeros || !stores || size > 16 * stores) return array; // a few stores far apart stay stores
    Term *elements = NEW_ARRAY(Term, size);
    for (below = array; is_kind(terms, below, KIND_STORE); below = arg_of(terms, below, 0)) {
        Term *element = &elements[const_index(terms, arg_of(terms, below, 1))];
        if (!*element) *element = arg_of(terms, below, 2); // the outermost store wins
    }
    Term zero = term_const(terms, width_of(terms, array), 0);
    for (uint64_t i = 0; i < size; i++)
        if (!elements[i]) elements[i] = zero;
    Term literal = term_array_literal(terms, node_of(terms, array)->aux, width_of(terms, array), elements,
                                      (uint32_t)size);
    DELETE_ARRAY(elements, size);
    return literal;
}

static Term simplify_store(struct terms *terms, Term array, Term index, Term value) {
    if (is_kind(terms, value, KIND_SELECT) && arg_of(terms, value, 0) == array &&
        arg_of(terms, value, 1) == index)
        return array;
    if (is_kind(terms, array, KIND_ARRAY_CONST) && arg_of(terms, array, 0) == value) return array;
    if (is_kind(terms, array, KIND_STORE) && arg_of(terms, array, 1) == index)
        return term_store(terms, arg_of(terms, array, 0), index, value);
    return 0;
}

Term term_select(struct terms *terms, Term array, Term index) {
    assert(is_array(terms, array) && width_of(terms, index) == node_of(terms, array)->aux);
    if (array_is_view(terms, array)) return array_views_select(terms, array, index);
    if (rules_enter(terms)) {
        Term t = simplify_select(terms, array, index);
        rules_leave(terms);
        if (t) return t;
    }
    return node_intern2(terms, KIND_SELECT, width_of(terms, array), array, index);
}

Term term_store(struct terms *terms, Term array, Term index, Term value) {
    assert(is_array(terms, array) && width_of(terms, index) == node_of(terms, array)->aux);
    assert(width_of(terms, value) == width_of(terms, array));
    if (rules_enter(terms)) {
        Term t = simplify_store(terms, array, index, value);
        rules_leave(terms);
        if (t) return t;
    }
    struct node node = {.kind = KIND_STORE,
                        .rounding = (uint8_t)array_is_view(terms, array),
                        .width = (uint16_t)width_of(terms, array),
                        .aux = term_index_width(terms, array),
                        .args = {array, index, value}};
    return node_intern(terms, &node);
}
