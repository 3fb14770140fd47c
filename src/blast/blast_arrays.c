// Array reads as gates: expanded if that is cheap, else lazy reads for refine.c.
#include "blast/blast_int.h"

// Limits of expansion: stores and ites of a chain; elements of a table of constants; of a table of terms.
#define EXPANDED_NODES     NORMAL_OR_HOSTILE(32, 2)
#define EXPANDED_CONSTANTS NORMAL_OR_HOSTILE(1024u, 16u)
#define EXPANDED_TERMS     NORMAL_OR_HOSTILE(64u, 2u)

static uint64_t pair(Term array, uint32_t low) { return (uint64_t)array << 32 | low; }

bool blaster_is_table(struct terms *terms, Term array) {
    return term_kind(terms, array) == KIND_ARRAY_LITERAL || term_kind(terms, array) == KIND_ARRAY_INPUT;
}

uint32_t blaster_table_size(struct blaster *blaster, Term array) {
    return term_kind(blaster->terms, array) == KIND_ARRAY_INPUT ? term_array_input_size(blaster->terms, array)
                                                                : term_arity(blaster->terms, array);
}

// Without substitution an element is a variable, constrained to equal the element's word.
static const gate *detached(struct blaster *blaster, Term array, uint32_t i, const gate *element,
                            unsigned width) {
    uint64_t *place = map_get(&blaster->element_of, pair(array, i));
    if (place) return &blaster->words.at[*place];
    gate *copy = NEW_ARRAY(gate, width);
    memcpy(copy, element, width * sizeof *copy);
    uint32_t offset = blaster_new_word(blaster, width);
    for (unsigned k = 0; k < width; k++) {
        gate bit = blaster->words.at[offset + k] = gate_input(blaster->gates);
        blaster_add_clause(blaster, (gate[]){bit, gate_not(copy[k])}, 2);
        blaster_add_clause(blaster, (gate[]){gate_not(bit), copy[k]}, 2);
    }
    DELETE_ARRAY(copy, width);
    *map_put(&blaster->element_of, pair(array, i)) = offset;
    return &blaster->words.at[offset];
}

const gate *blaster_element_word(struct blaster *blaster, Term array, uint32_t i, gate *scratch) {
    struct terms *terms = blaster->terms;
    unsigned width = term_width(terms, array), bytes;
    const gate *element = scratch;
    assert(i < blaster_table_size(blaster, array));
    if (term_kind(terms, array) == KIND_ARRAY_INPUT) {
        uint32_t offset =
            blaster_byte_word(blaster, terms_input_var(terms, term_array_input(terms, array), i));
        element = &blaster->words.at[offset]; // after blaster_byte_word, which may move the pool
    } else if (term_literal_packed(terms, array, &bytes)) {
        uint64_t value = term_literal_value(terms, array, i);
        for (unsigned k = 0; k < width; k++) scratch[k] = value >> k & 1;
    } else {
        Term t = term_arg(terms, array, i);
        element = blaster_word_of(blaster, t);
        if (!element) {
            vec_push(&blaster->worklist, t);
            return NULL;
        }
    }
    return blaster->options.substitution ? element : detached(blaster, array, i, element, width);
}

// The part of a table that an index can reach: [low, high]; `beyond`: also indices past the table; `none`: only
// those.
struct array_reach {
    uint32_t low, high;
    bool beyond, none;
};

static struct array_reach reach_of(struct blaster *blaster, Term array, Term index) {
    uint32_t size = blaster_table_size(blaster, array);
    struct facts facts = {.low = 0, .high = UINT64_MAX};
    if (term_width(blaster->terms, index) <= 64 && blaster->options.sharing)
        facts = term_facts(blaster->terms, index);
    struct array_reach reach = {.beyond = facts.high >= size, .none = size == 0 || facts.low >= size};
    if (reach.none) return reach;
    reach.low = (uint32_t)facts.low;
    reach.high = (uint32_t)MIN(facts.high, (uint64_t)size - 1);
    if (term_width(blaster->terms, index) < 32)
        reach.high = (uint32_t)MIN(reach.high, (1u << term_width(blaster->terms, index)) - 1);
    return reach;
}

// Builds a tree of multiplexers over the index bits. `leaves` has one word for each of the 2^bits indices,
// and is overwritten. An index that cannot occur gets the word of its sibling, which saves gates.
static void fold_tree(struct blaster *blaster, gate *leaves, bool *used, unsigned bits, const gate *index,
                      unsigned width) {
    for (unsigned level = 0; level < bits; level++)
        for (size_t i = 0; i < (size_t)1 << (bits - level - 1); i++) {
            gate *out = leaves + i * width, *even = leaves + 2 * i * width, *odd = even + width;
            bool has_even = used[2 * i], has_odd = used[2 * i + 1];
            if (has_even && has_odd)
                circuit_mux(blaster->gates, out, index[level], odd, even, width);
            else if (out != (has_odd ? odd : even))
                memmove(out, has_odd ? odd : even, width * sizeof *out);
            used[i] = has_even || has_odd;
        }
}

static void zero_beyond(struct blaster *blaster, gate *out, unsigned width, const gate *index, unsigned bits,
                        unsigned index_width) {
    gate beyond = GATE_FALSE;
    for (unsigned i = bits; i < index_width; i++) beyond = gate_or(blaster->gates, beyond, index[i]);
    for (unsigned k = 0; k < width; k++) out[k] = gate_and(blaster->gates, out[k], gate_not(beyond));
}

// Expands a read of a table to a tree of multiplexers. Returns the offset of its word, or 0 if elements must be encoded
// first.
static uint32_t expand_tree(struct blaster *blaster, Term array, Term index, struct array_reach reach) {
    unsigned width = term_width(blaster->terms, array), index_width = term_width(blaster->terms, index),
             bits = 0;
    while (bits < index_width && reach.high >> bits) bits++;
    size_t count = (size_t)1 << bits;
    gate *leaves = NEW_ARRAY(gate, count * width), *scratch = NEW_ARRAY(gate, width);
    bool *used = NEW_ARRAY(bool, count), ready = true;
    for (size_t i = reach.low; i < count; i++) {
        used[i] = i <= reach.high || reach.beyond; // zero past the end of the table
        if (i > reach.high) continue;
        const gate *element = blaster_element_word(blaster, array, (uint32_t)i, scratch);
        if (element) memcpy(leaves + i * width, element, width * sizeof *leaves);
        ready &= element != NULL;
    }
    uint32_t offset = 0;
    if (ready) {
        offset = blaster_new_word(blaster, width);
        gate *out = &blaster->words.at[offset];
        fold_tree(blaster, leaves, used, bits, blaster_word_of(blaster, index), width);
        memcpy(out, leaves, width * sizeof *out);
        if (reach.beyond)
            zero_beyond(blaster, out, width, blaster_word_of(blaster, index), bits, index_width);
    }
    DELETE_ARRAY(leaves, count * width);
    DELETE_ARRAY(scratch, width);
    DELETE_ARRAY(used, count);
    return offset;
}

static gate index_is(struct blaster *blaster, Term index, uint64_t value) {
    const gate *word = blaster_word_of(blaster, index);
    gate all = GATE_TRUE;
    for (unsigned i = 0; i < term_width(blaster->terms, index) && all != GATE_FALSE; i++)
        all = gate_and(blaster->gates, all, i < 64 && value >> i & 1 ? word[i] : gate_not(word[i]));
    return all;
}

// Naive read elimination: one comparison for each element.
static uint32_t expand_list(struct blaster *blaster, Term array, Term index) {
    unsigned width = term_width(blaster->terms, array);
    uint32_t size = blaster_table_size(blaster, array), offset = 0;
    gate *out = NEW_ARRAY(gate, width), *scratch = NEW_ARRAY(gate, width);
    bool ready = true;
    for (uint32_t i = 0; i < size; i++) ready &= blaster_element_word(blaster, array, i, scratch) != NULL;
    for (uint32_t i = 0; i < size && ready; i++) {
        gate here = index_is(blaster, index, i);
        circuit_mux(blaster->gates, out, here, blaster_element_word(blaster, array, i, scratch), out, width);
    }
    if (ready) {
        offset = blaster_new_word(blaster, width);
        memcpy(&blaster->words.at[offset], out, width * sizeof *out);
    }
    DELETE_ARRAY(out, width);
    DELETE_ARRAY(scratch, width);
    return offset;
}

// Without refinement: adds the congruence axioms of this read and all other reads of a declared array at once.
static void bind_to_others(struct blaster *blaster, uint32_t number) {
    const struct read *read = &blaster->reads.at[number];
    unsigned width = term_width(blaster->terms, read->array),
             index_width = term_width(blaster->terms, read->index);
    for (uint32_t i = 0; i < number; i++) {
        const struct read *other = &blaster->reads.at[i];
        if (other->array != read->array) continue; // reads of collected terms have no array
        gate same = circuit_equal(blaster->gates, blaster_word_of(blaster, read->index),
                                  blaster_word_of(blaster, other->index), index_width);
        gate equal = circuit_equal(blaster->gates, &blaster->words.at[read->offset],
                                   &blaster->words.at[other->offset], width);
        blaster_add_clause(blaster, (gate[]){gate_not(same), equal}, 2);
    }
}

static uint32_t leave_open(struct blaster *blaster, Term array, Term index) {
    struct read read = {.array = array, .index = index, .bound = 16};
    read.offset = blaster_new_word(blaster, term_width(blaster->terms, array));
    for (unsigned k = 0; k < term_width(blaster->terms, array); k++)
        blaster->words.at[read.offset + k] = gate_input(blaster->gates);
    vec_push(&blaster->reads, read);
    *map_put(&blaster->open_of, pair(array, index)) = blaster->reads.count - 1;
    blaster->statistics.lazy_reads++;
    if (!blaster->options.refinement) bind_to_others(blaster, blaster->reads.count - 1);
    return read.offset;
}

// Reads an array that is neither a store nor an ite. 0: a term must be encoded first.
static uint32_t read_base(struct blaster *blaster, Term array, Term index) {
    struct terms *terms = blaster->terms;
    if (term_kind(terms, array) == KIND_ARRAY_CONST) {
        Term value = term_arg(terms, array, 0);
        if (blaster_word_of(blaster, value)) return blaster->offset_of.at[value];
        vec_push(&blaster->worklist, value);
        return 0;
    }
    if (!blaster_is_table(terms, array)) return leave_open(blaster, array, index);
    struct array_reach reach = reach_of(blaster, array, index);
    if (reach.none) return blaster_new_word(blaster, term_width(terms, array));
    if (!blaster->options.refinement) return expand_list(blaster, array, index);
    uint32_t most = term_is_table(terms, array) ? EXPANDED_CONSTANTS : EXPANDED_TERMS;
    if (blaster->options.expansion && reach.high - reach.low < most)
        return expand_tree(blaster, array, index, reach);
    return leave_open(blaster, array, index);
}

// The offset of the word of a read that was built before, or 0.
static uint32_t known_read(struct blaster *blaster, Term array, Term index) {
    uint64_t *place = map_get(&blaster->read_of, pair(array, index));
    return place ? (uint32_t)*place : 0;
}

static uint32_t read_store(struct blaster *blaster, Term array, Term index, uint32_t below) {
    Term place = term_arg(blaster->terms, array, 1), value = term_arg(blaster->terms, array, 2);
    unsigned width = term_width(blaster->terms, array), index_width = term_width(blaster->terms, index);
    gate here = circuit_equal(blaster->gates, blaster_word_of(blaster, place),
                              blaster_word_of(blaster, index), index_width);
    uint32_t offset = blaster_new_word(blaster, width);
    circuit_mux(blaster->gates, &blaster->words.at[offset], here, blaster_word_of(blaster, value),
                &blaster->words.at[below], width);
    return offset;
}

static uint32_t read_choice(struct blaster *blaster, Term array, uint32_t then, uint32_t other) {
    unsigned width = term_width(blaster->terms, array);
    gate condition = *blaster_word_of(blaster, term_arg(blaster->terms, array, 0));
    uint32_t offset = blaster_new_word(blaster, width);
    circuit_mux(blaster->gates, &blaster->words.at[offset], condition, &blaster->words.at[then],
                &blaster->words.at[other], width);
    return offset;
}

// Pushes the bit-vector operands of a store or ite that have no word to `worklist`. True if there are none.
static bool parts_ready(struct blaster *blaster, Term array) {
    bool ready = true;
    for (uint32_t i = 0; i < 3; i++) {
        Term part = term_arg(blaster->terms, array, i);
        if (term_is_array(blaster->terms, part) || blaster_word_of(blaster, part)) continue;
        vec_push(&blaster->worklist, part);
        ready = false;
    }
    return ready;
}

static bool is_inner(struct terms *terms, Term array) {
    return term_kind(terms, array) == KIND_STORE || term_kind(terms, array) == KIND_ARRAY_ITE;
}

// Collects the stores and ites below `array` into `chain`, users before operands. False: there are too many.
static bool collect_chain(struct blaster *blaster, Term array) {
    struct terms *terms = blaster->terms;
    uint32_t most = blaster->options.expansion ? EXPANDED_NODES : 1;
    if (!blaster->options.refinement) most = 1u << 20;
    vec_clear(&blaster->chain);
    vec_push(&blaster->chain, array);
    for (uint32_t i = 0; i < blaster->chain.count; i++) {
        Term node = blaster->chain.at[i];
        if (!is_inner(terms, node)) continue;
        uint32_t arrays = term_kind(terms, node) == KIND_STORE ? 1 : 2, first = arrays - 1;
        for (uint32_t k = 0; k < arrays; k++) vec_push(&blaster->chain, term_arg(terms, node, first + k));
        if (blaster->chain.count > most) return false;
    }
    return true;
}

// Reads one node of the chain; all nodes below it have been read. 0: a term must be encoded first.
static uint32_t read_node(struct blaster *blaster, Term node, Term index) {
    struct terms *terms = blaster->terms;
    if (!is_inner(terms, node)) return read_base(blaster, node, index);
    if (!parts_ready(blaster, node)) return 0;
    if (term_kind(terms, node) == KIND_STORE)
        return read_store(blaster, node, index, known_read(blaster, term_arg(terms, node, 0), index));
    return read_choice(blaster, node, known_read(blaster, term_arg(terms, node, 1), index),
                       known_read(blaster, term_arg(terms, node, 2), index));
}

// Stores the lazy reads that the select depends on: those at its index in the arrays of `chain`.
static void note_reads(struct blaster *blaster, Term select, Term index) {
    uint32_t start = blaster->cones.count;
    vec_each (Term, node, &blaster->chain) {
        uint64_t *number = map_get(&blaster->open_of, pair(*node, index));
        if (number) vec_push(&blaster->cones, (uint32_t)*number);
    }
    *map_put(&blaster->rests_on, select) = (uint64_t)start << 32 | (blaster->cones.count - start);
}

bool blaster_encode_select(struct blaster *blaster, Term select) {
    Term array = term_arg(blaster->terms, select, 0), index = term_arg(blaster->terms, select, 1);
    uint32_t stack = blaster->worklist.count;
    bool expanded = collect_chain(blaster, array);
    if (expanded) {
        for (uint32_t i = blaster->chain.count; i-- > 0;) {
            Term node = blaster->chain.at[i];
            if (known_read(blaster, node, index)) continue;
            uint32_t offset = read_node(blaster, node, index);
            if (!offset) break;
            *map_put(&blaster->read_of, pair(node, index)) = offset;
        }
        if (blaster->worklist.count > stack) return false;
    } else if (!known_read(blaster, array, index)) {
        uint32_t offset = leave_open(blaster, array, index);
        *map_put(&blaster->read_of, pair(array, index)) = offset;
    }
    blaster_set_word(blaster, select, known_read(blaster, array, index));
    if (!expanded) blaster->chain.count = 1; // only the array itself
    if (blaster->reads.count) note_reads(blaster, select, index);
    return true;
}
