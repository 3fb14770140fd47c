// Lazy array reads: adds the axioms that a model violates. (STP's refinement, with stores followed on demand.)
#include "blast/blast_int.h"

// The largest number of elements of a table that one violation axiomatizes.
#define MOST_BOUND 1024u
// Tables of constants with at least LEAST_INVERTED elements get inverse lemmas, too, for values that at most
// MOST_INVERTED elements have.
#define LEAST_INVERTED NORMAL_OR_HOSTILE(128u, 2u)
#define MOST_INVERTED  16u
#define LEAST_RUN      NORMAL_OR_HOSTILE(32u, 2u) // equal elements of a table that get one lemma
// Marks tables among the keys of `entries`: no var has this bit.
#define TABLE_KEY 0x80000000u

// Active reads

static bool visit_select(void *context, Term t) {
    struct blaster *blaster = context;
    if (term_kind(blaster->terms, t) != KIND_SELECT) return true;
    uint64_t *range = map_get(&blaster->rests_on, t);
    if (!range) return true;
    uint32_t start = (uint32_t)(*range >> 32), count = (uint32_t)*range;
    for (uint32_t i = 0; i < count; i++) vec_push(&blaster->cones, blaster->cones.at[start + i]);
    return true;
}

// The lazy reads that an encoded term depends on, as a range of `cones`. Encoding is final, so they are computed
// once.
static uint64_t cone_of(struct blaster *blaster, Term t) {
    uint64_t *known = map_get(&blaster->cone_of, t);
    if (known) return *known;
    uint32_t start = blaster->cones.count;
    if (blaster->reads.count) term_visit(blaster->terms, &t, 1, visit_select, blaster);
    return *map_put(&blaster->cone_of, t) = (uint64_t)start << 32 | (blaster->cones.count - start);
}

static void activate_read(struct blaster *blaster, uint32_t number) {
    struct read *read = &blaster->reads.at[number];
    if (read->round == blaster->round) return;
    assert(read->array);
    read->round = blaster->round;
    vec_push(&blaster->active, number);
}

static void activate_cone(struct blaster *blaster, Term t) {
    uint64_t range = cone_of(blaster, t);
    uint32_t start = (uint32_t)(range >> 32), size = (uint32_t)range;
    for (uint32_t i = 0; i < size; i++) activate_read(blaster, blaster->cones.at[start + i]);
}

void blaster_activate(struct blaster *blaster, const Term *conditions, size_t count) {
    blaster->round++;
    vec_clear(&blaster->active);
    for (size_t i = 0; i < count; i++) activate_cone(blaster, conditions[i]);
}

// Encodes t and activates the reads that it depends on. Must precede any use of the model's value of t: those reads
// may be new, or of another query. False: encoding failed.
static bool consult(struct blaster *blaster, Term t) {
    if (!blaster_encode(blaster, t)) return false;
    activate_cone(blaster, t);
    return true;
}

// The model

static bool bit(struct blaster *blaster, gate a) { return gates_simulate(blaster->gates, a); }

static bool same_value(struct blaster *blaster, uint32_t a, uint32_t b, unsigned width) {
    for (unsigned i = 0; i < width; i++)
        if (bit(blaster, blaster->words.at[a + i]) != bit(blaster, blaster->words.at[b + i])) return false;
    return true;
}

// The model's value of an index; UINT32_MAX above 32 bits, which is past the end of any table.
static uint32_t index_value(struct blaster *blaster, Term index) {
    uint32_t offset = blaster->offset_of.at[index], value = 0;
    for (unsigned i = 0; i < term_width(blaster->terms, index); i++) {
        if (!bit(blaster, blaster->words.at[offset + i])) continue;
        if (i >= 32) return UINT32_MAX;
        value |= 1u << i;
    }
    return value;
}

// Following a read through stores and ites to the array that decides it

struct way {
    Term array;   // where it ends: a store at that index, or a base array
    gate taken;   // condition under which a read goes this way; built only with `collect`
    bool collect; // build `taken`
};

static uint32_t offset_of(struct blaster *blaster, Term t) { return blaster->offset_of.at[t]; }

static void take(struct blaster *blaster, struct way *way, gate condition) {
    if (way->collect) way->taken = gate_and(blaster->gates, way->taken, condition);
}

// Follows a read through stores and ites, in the model. False: encoding failed.
static bool follow(struct blaster *blaster, const struct read *read, struct way *way) {
    struct terms *terms = blaster->terms;
    Term index = read->index;
    unsigned index_width = term_width(terms, index);
    way->array = read->array;
    way->taken = GATE_TRUE;
    for (;;) {
        enum kind kind = term_kind(terms, way->array);
        if (kind == KIND_ARRAY_ITE) {
            Term condition = term_arg(terms, way->array, 0);
            if (!consult(blaster, condition)) return false;
            gate c = *blaster_word_of(blaster, condition);
            bool then = bit(blaster, c);
            take(blaster, way, then ? c : gate_not(c));
            way->array = term_arg(terms, way->array, then ? 1 : 2);
        } else if (kind == KIND_STORE) {
            Term place = term_arg(terms, way->array, 1);
            if (!consult(blaster, place)) return false;
            bool here =
                same_value(blaster, offset_of(blaster, place), offset_of(blaster, index), index_width);
            gate equal = GATE_TRUE;
            if (way->collect)
                equal = circuit_equal(blaster->gates, blaster_word_of(blaster, place),
                                      blaster_word_of(blaster, index), index_width);
            take(blaster, way, here ? equal : gate_not(equal));
            if (here) return true;
            way->array = term_arg(terms, way->array, 0);
        } else {
            return true;
        }
    }
}

// Axioms

// Adds: `when` implies that the two words are equal.
static void bind(struct blaster *blaster, gate when, const gate *a, const gate *b, unsigned width) {
    for (unsigned i = 0; i < width; i++) {
        blaster_add_clause(blaster, (gate[]){gate_not(when), gate_not(a[i]), b[i]}, 3);
        blaster_add_clause(blaster, (gate[]){gate_not(when), a[i], gate_not(b[i])}, 3);
    }
}

static gate index_is(struct blaster *blaster, Term index, uint32_t value) {
    const gate *word = blaster_word_of(blaster, index);
    gate all = GATE_TRUE;
    for (unsigned i = 0; i < term_width(blaster->terms, index) && all != GATE_FALSE; i++)
        all = gate_and(blaster->gates, all, i < 32 && value >> i & 1 ? word[i] : gate_not(word[i]));
    return all;
}

static gate index_beyond(struct blaster *blaster, Term index, uint32_t size) {
    unsigned width = term_width(blaster->terms, index);
    gate *limit = NEW_ARRAY(gate, width);
    for (unsigned i = 0; i < width; i++) limit[i] = i < 32 && size >> i & 1;
    gate beyond = gate_not(circuit_less(blaster->gates, blaster_word_of(blaster, index), limit, width));
    DELETE_ARRAY(limit, width);
    return beyond;
}

// The term of a table's element i; 0 for an input byte, or an element of a table of constants.
static Term element_term(struct blaster *blaster, Term table, uint32_t i) {
    unsigned bytes;
    bool terms = term_kind(blaster->terms, table) != KIND_ARRAY_INPUT &&
                 !term_literal_packed(blaster->terms, table, &bytes);
    return terms ? term_arg(blaster->terms, table, i) : 0;
}

static uint64_t word_value(struct blaster *blaster, uint32_t offset, unsigned width) {
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++) value |= (uint64_t)bit(blaster, blaster->words.at[offset + i]) << i;
    return value;
}

static gate word_is(struct blaster *blaster, uint32_t offset, unsigned width, uint64_t value) {
    gate all = GATE_TRUE;
    for (unsigned i = 0; i < width; i++) {
        gate one = blaster->words.at[offset + i];
        all = gate_and(blaster->gates, all, value >> i & 1 ? one : gate_not(one));
    }
    return all;
}

// Adds the inverse lemma of a violated read: if the read has its value in the model, the index is one of the few at
// which the table has that value. If conditions fix the value (table[i] == 77), this decides at once; otherwise it
// would take a round for each element.
static int bind_inverse(struct blaster *blaster, const struct read *read, const struct way *way) {
    struct terms *terms = blaster->terms;
    unsigned width = term_width(terms, way->array), bytes;
    uint32_t size = blaster_table_size(blaster, way->array), count = 0;
    if (term_kind(terms, way->array) != KIND_ARRAY_LITERAL || size < LEAST_INVERTED || width > 64 ||
        !term_literal_packed(terms, way->array, &bytes))
        return 0;
    uint64_t value = word_value(blaster, read->offset, width);
    gate clause[MOST_INVERTED + 3];
    for (uint32_t i = 0; i < size; i++) {
        if (term_literal_value(terms, way->array, i) != value) continue;
        if (count == MOST_INVERTED) return 0;
        clause[count++] = index_is(blaster, read->index, i);
    }
    if (!value) clause[count++] = index_beyond(blaster, read->index, size);
    clause[count++] = gate_not(way->taken);
    clause[count++] = gate_not(word_is(blaster, read->offset, width, value));
    blaster_add_clause(blaster, clause, count);
    return 1;
}

// Adds the lemma for the run of equal constants around the violated element: in a buffer that was filled with one
// value, one lemma replaces one for each element. False: the run is short.
static bool bind_run(struct blaster *blaster, const struct read *read, const struct way *way,
                     uint32_t value) {
    struct terms *terms = blaster->terms;
    unsigned width = term_width(terms, way->array), bytes;
    if (term_kind(terms, way->array) != KIND_ARRAY_LITERAL || !term_literal_packed(terms, way->array, &bytes))
        return false;
    uint32_t size = blaster_table_size(blaster, way->array), first = value, end = value + 1;
    uint64_t constant = term_literal_value(terms, way->array, value);
    while (first && term_literal_value(terms, way->array, first - 1) == constant) first--;
    while (end < size && term_literal_value(terms, way->array, end) == constant) end++;
    if (end - first < LEAST_RUN) return false;
    gate inside = gate_and(blaster->gates, way->taken, index_beyond(blaster, read->index, first));
    unsigned bits = term_width(terms, read->index);
    if (bits >= 32 || end < 1u << bits)
        inside = gate_and(blaster->gates, inside, gate_not(index_beyond(blaster, read->index, end)));
    gate *element = NEW_ARRAY(gate, width);
    for (unsigned i = 0; i < width; i++) element[i] = constant >> i & 1;
    bind(blaster, inside, &blaster->words.at[read->offset], element, width);
    DELETE_ARRAY(element, width);
    return true;
}

// Axiomatizes the read for the table's elements around the violated one. Their number doubles at each violation, so
// that a refutation that needs the whole table gets it in a few rounds.
static int bind_table(struct blaster *blaster, uint32_t number, const struct way *way, uint32_t value) {
    struct terms *terms = blaster->terms;
    struct read *read = &blaster->reads.at[number];
    unsigned width = term_width(terms, way->array), bits = term_width(terms, read->index);
    uint32_t size = blaster_table_size(blaster, way->array);
    gate *scratch = NEW_ARRAY(gate, width);
    int lemmas = 0;
    if (value >= size) {
        gate beyond = gate_and(blaster->gates, way->taken, index_beyond(blaster, read->index, size));
        bind(blaster, beyond, &blaster->words.at[read->offset], scratch, width);
        DELETE_ARRAY(scratch, width);
        return 1;
    }
    if (bind_run(blaster, read, way, value)) {
        DELETE_ARRAY(scratch, width);
        return 1;
    }
    uint64_t half = read->bound / 2, last = MIN((uint64_t)size - 1, value + half);
    if (bits < 32) last = MIN(last, (1ull << bits) - 1);
    for (uint32_t i = value > half ? value - (uint32_t)half : 0; i <= last; i++) {
        Term term = element_term(blaster, way->array, i);
        if (term && !blaster_encode(blaster, term)) {
            DELETE_ARRAY(scratch, width);
            return -1;
        }
        read = &blaster->reads.at[number]; // encoding may have moved it
        gate here = gate_and(blaster->gates, way->taken, index_is(blaster, read->index, i));
        const gate *element = blaster_element_word(blaster, way->array, i, scratch);
        bind(blaster, here, &blaster->words.at[read->offset], element, width);
        lemmas++;
    }
    read->bound = MIN(2 * read->bound, MOST_BOUND);
    DELETE_ARRAY(scratch, width);
    return lemmas;
}

// Whether the read has the value of the table's element at index `value` in the model; -1: encoding failed.
static int table_holds(struct blaster *blaster, const struct read *read, Term table, uint32_t value) {
    unsigned width = term_width(blaster->terms, table);
    gate *scratch = NEW_ARRAY(gate, width);
    uint32_t offset = read->offset;
    const gate *element = scratch;
    int holds = 1;
    if (value < blaster_table_size(blaster, table)) {
        Term term = element_term(blaster, table, value);
        if (!term || consult(blaster, term))
            element = blaster_element_word(blaster, table, value, scratch);
        else
            holds = -1;
    }
    for (unsigned i = 0; i < width && holds == 1; i++)
        if (bit(blaster, blaster->words.at[offset + i]) != bit(blaster, element[i])) holds = 0;
    DELETE_ARRAY(scratch, width);
    return holds;
}

static int check_table(struct blaster *blaster, uint32_t number, Term table) {
    struct read read = blaster->reads.at[number];
    uint32_t value = index_value(blaster, read.index);
    int holds = table_holds(blaster, &read, table, value);
    if (holds) return holds > 0 ? 0 : -1;
    struct way way = {.collect = true};
    if (!follow(blaster, &read, &way)) return -1;
    assert(way.array == table);
    int inverse = bind_inverse(blaster, &read, &way), lemmas = bind_table(blaster, number, &way, value);
    return lemmas < 0 ? lemmas : lemmas + inverse;
}

// Checks a read of a constant array, or of a store at its index: it must equal that term.
static int check_value(struct blaster *blaster, uint32_t number, Term value) {
    if (!consult(blaster, value)) return -1;
    struct read read = blaster->reads.at[number];
    unsigned width = term_width(blaster->terms, value);
    if (same_value(blaster, read.offset, offset_of(blaster, value), width)) return 0;
    struct way way = {.collect = true};
    if (!follow(blaster, &read, &way)) return -1;
    bind(blaster, way.taken, &blaster->words.at[read.offset], blaster_word_of(blaster, value), width);
    return 1;
}

static uint64_t hash_index(struct blaster *blaster, uint32_t var, Term index) {
    uint64_t hash = var, limb = 0;
    uint32_t offset = offset_of(blaster, index);
    unsigned width = term_width(blaster->terms, index);
    for (unsigned i = 0; i < width; i++) {
        limb = limb << 1 | bit(blaster, blaster->words.at[offset + i]);
        if (i % 64 == 63) hash = hash_combine(hash, limb), limb = 0;
    }
    return hash_combine(hash, limb) >> 1;
}

// Checks congruence: two reads of one array at one index are equal. The first read sets the entry, the others must
// agree. This is the only axiom of declared arrays. For tables it avoids axiomatizing every element when two reads
// are compared.
static int check_congruence(struct blaster *blaster, uint32_t number, Term base) {
    struct read read = blaster->reads.at[number];
    bool declared = term_kind(blaster->terms, base) == KIND_ARRAY_VAR;
    uint32_t var = declared ? term_var(blaster->terms, base) : TABLE_KEY | base;
    unsigned index_width = term_width(blaster->terms, read.index), width = term_width(blaster->terms, base);
    uint64_t *head = map_put(&blaster->entries, hash_index(blaster, var, read.index));
    for (uint32_t e = (uint32_t)*head; e; e = blaster->entry.at[e - 1].next) {
        const struct array_entry *entry = &blaster->entry.at[e - 1];
        struct read other = blaster->reads.at[entry->read];
        if (entry->var != var) continue;
        if (!same_value(blaster, offset_of(blaster, other.index), offset_of(blaster, read.index),
                        index_width))
            continue;
        if (same_value(blaster, other.offset, read.offset, width)) return 0;
        struct way mine = {.collect = true}, theirs = {.collect = true};
        if (!follow(blaster, &read, &mine) || !follow(blaster, &other, &theirs)) return -1;
        gate same = circuit_equal(blaster->gates, blaster_word_of(blaster, read.index),
                                  blaster_word_of(blaster, other.index), index_width);
        same = gate_and(blaster->gates, same, gate_and(blaster->gates, mine.taken, theirs.taken));
        bind(blaster, same, &blaster->words.at[read.offset], &blaster->words.at[other.offset], width);
        return 1;
    }
    vec_push(&blaster->entry, ((struct array_entry){.var = var, .read = number, .next = (uint32_t)*head}));
    *head = blaster->entry.count;
    return 0;
}

static int check_read(struct blaster *blaster, uint32_t number) {
    struct terms *terms = blaster->terms;
    struct read read = blaster->reads.at[number];
    struct way way = {0};
    if (!follow(blaster, &read, &way)) return -1;
    switch (term_kind(terms, way.array)) {
    case KIND_STORE: return check_value(blaster, number, term_arg(terms, way.array, 2));
    case KIND_ARRAY_CONST: return check_value(blaster, number, term_arg(terms, way.array, 0));
    case KIND_ARRAY_VAR: return check_congruence(blaster, number, way.array);
    default: break;
    }
    assert(blaster_is_table(terms, way.array));
    int lemmas = check_congruence(blaster, number, way.array);
    return lemmas ? lemmas : check_table(blaster, number, way.array);
}

int blaster_refine(struct blaster *blaster) {
    int lemmas = 0;
    map_clear(&blaster->entries);
    vec_clear(&blaster->entry);
    // Checks may activate further reads: `active` grows in the loop.
    for (uint32_t i = 0; i < blaster->active.count; i++) {
        int added = check_read(blaster, blaster->active.at[i]);
        if (added < 0) return -1;
        lemmas += added;
    }
    return lemmas;
}

struct array_value *blaster_array(struct blaster *blaster, uint32_t var) {
    struct array_value *array = NULL;
    for (uint32_t i = 0; i < blaster->entry.count; i++) {
        const struct array_entry *entry = &blaster->entry.at[i];
        if (entry->var != var) continue;
        const struct read *read = &blaster->reads.at[entry->read];
        unsigned index_width = term_width(blaster->terms, read->index),
                 width = term_width(blaster->terms, read->array);
        unsigned index_limbs = (index_width + 63) / 64, limbs = (width + 63) / 64;
        uint64_t *value = NEW_ARRAY(uint64_t, index_limbs + limbs);
        for (unsigned k = 0; k < index_width; k++)
            value[k / 64] |= (uint64_t)bit(blaster, blaster->words.at[offset_of(blaster, read->index) + k])
                             << k % 64;
        for (unsigned k = 0; k < width; k++)
            value[index_limbs + k / 64] |= (uint64_t)bit(blaster, blaster->words.at[read->offset + k])
                                           << k % 64;
        if (!array) array = array_value_new(index_width, width);
        array_value_set(array, value, value + index_limbs);
        DELETE_ARRAY(value, index_limbs + limbs);
    }
    return array;
}
