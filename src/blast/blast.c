#include "blast/blast_int.h"

#include "base/clock.h"
#include "base/run_limits.h"
#include "blast/float.h"

// A circuit of more cells than this is not built: a multiplication of 2,048 by 2,048 bits has four million.
#define MOST_CELLS (1u << 22)

const struct blast_options blast_all = {
#define X(name, what) .name = true,
    BLAST_SWITCHES(X)
#undef X
};

// Removes pairs with a dead term; the high half is a term, the low half a term or a plain number.
static void forget_pairs(struct map *map, struct terms *terms, bool low_is_term) {
    struct map kept = {0};
    for (uint32_t i = 0; i < map->capacity; i++) {
        uint64_t key = map->keys[i];
        if (key == UINT64_MAX || !term_alive(terms, (Term)(key >> 32))) continue;
        if (!low_is_term || term_alive(terms, (Term)key)) *map_put(&kept, key) = map->values[i];
    }
    map_free(map);
    *map = kept;
}

// Drops entries of collected terms: their ids may be reused.
static void forget_dead(struct terms *terms, void *context) {
    struct blaster *blaster = context;
    for (Term t = 1; t < blaster->offset_of.count; t++) {
        if (!blaster->offset_of.at[t] || term_alive(terms, t)) continue;
        blaster->offset_of.at[t] = 0;
        map_remove(&blaster->rests_on, t);
        map_remove(&blaster->cone_of, t);
    }
    forget_pairs(&blaster->read_of, terms, true);
    forget_pairs(&blaster->open_of, terms, true);
    forget_pairs(&blaster->element_of, terms, false);
    vec_each (struct read, read, &blaster->reads) {
        if (read->array && term_alive(terms, read->array) && term_alive(terms, read->index)) continue;
        read->array = read->index = 0;
    }
}

struct blaster *blaster_new(struct terms *terms, const struct blast_options *options) {
    struct blaster *blaster = NEW(struct blaster);
    blaster->terms = terms;
    blaster->options = *options;
    blaster->sat = sat_new();
    blaster->gates = gates_new(blaster->sat, options->sharing);
    vec_push(&blaster->words, GATE_FALSE); // so that no word has offset 0
    terms_on_collect(terms, forget_dead, blaster);
    return blaster;
}

void blaster_free(struct blaster *blaster) {
    if (!blaster) return;
    terms_off_collect(blaster->terms, forget_dead, blaster);
    gates_free(blaster->gates);
    sat_free(blaster->sat);
    vec_free(&blaster->words);
    vec_free(&blaster->offset_of);
    map_free(&blaster->byte_of);
    vec_free(&blaster->reads);
    map_free(&blaster->read_of);
    map_free(&blaster->open_of);
    map_free(&blaster->rests_on);
    map_free(&blaster->cone_of);
    map_free(&blaster->element_of);
    vec_free(&blaster->cones);
    vec_free(&blaster->active);
    vec_free(&blaster->worklist);
    map_free(&blaster->entries);
    vec_free(&blaster->entry);
    vec_free(&blaster->chain);
    vec_free(&blaster->clauses);
    DELETE(blaster);
}

size_t blaster_size(const struct blaster *blaster) {
    return gates_count(blaster->gates) + sat_statistics(blaster->sat)->variables;
}
const struct blast_statistics *blaster_statistics(const struct blaster *blaster) {
    return &blaster->statistics;
}
const struct sat_statistics *blaster_sat_statistics(const struct blaster *blaster) {
    return sat_statistics(blaster->sat);
}

// Words

uint32_t blaster_new_word(struct blaster *blaster, unsigned width) {
    uint32_t offset = blaster->words.count;
    vec_reserve(&blaster->words, width);
    memset(blaster->words.at + offset, 0, width * sizeof(gate));
    blaster->words.count += width;
    return offset;
}

const gate *blaster_word_of(const struct blaster *blaster, Term t) {
    assert(!term_is_array(blaster->terms, t));
    uint32_t offset = t < blaster->offset_of.count ? blaster->offset_of.at[t] : 0;
    return offset ? &blaster->words.at[offset] : NULL;
}

void blaster_set_word(struct blaster *blaster, Term t, uint32_t offset) {
    if (t >= blaster->offset_of.count) {
        uint32_t had = blaster->offset_of.count, now = MAX(terms_id_limit(blaster->terms), t + 1);
        vec_reserve(&blaster->offset_of, now - had);
        memset(blaster->offset_of.at + had, 0, (now - had) * sizeof(uint32_t));
        blaster->offset_of.count = now;
    }
    blaster->offset_of.at[t] = offset;
    blaster->statistics.terms++;
}

uint32_t blaster_byte_word(struct blaster *blaster, uint32_t var) {
    uint64_t *place = map_get(&blaster->byte_of, var);
    if (place) return (uint32_t)*place;
    uint32_t offset = blaster_new_word(blaster, 8);
    for (unsigned i = 0; i < 8; i++) blaster->words.at[offset + i] = gate_input(blaster->gates);
    return (uint32_t)(*map_put(&blaster->byte_of, var) = offset);
}

// Terms

static uint64_t cells(enum kind kind, uint64_t width) {
    switch (kind) {
    case KIND_MUL:
    case KIND_UDIV:
    case KIND_UREM:
    case KIND_SDIV:
    case KIND_SREM: return width * width;
    case KIND_SHL:
    case KIND_LSHR:
    case KIND_ASHR: return width * 17;
    default: return width;
    }
}

static void divide_signed(struct gates *gates, gate *out, const gate *a, const gate *b, unsigned width,
                          bool remainder) {
    gate *word = NEW_ARRAY(gate, 5 * (size_t)width);
    gate *x = word, *y = x + width, *quotient = y + width, *rest = quotient + width, *negated = rest + width;
    gate x_sign = a[width - 1], y_sign = b[width - 1];
    circuit_negate(gates, negated, a, width);
    circuit_mux(gates, x, x_sign, negated, a, width);
    circuit_negate(gates, negated, b, width);
    circuit_mux(gates, y, y_sign, negated, b, width);
    circuit_divide(gates, quotient, rest, x, y, width);
    const gate *result = remainder ? rest : quotient;
    circuit_negate(gates, negated, result, width);
    circuit_mux(gates, out, remainder ? x_sign : gate_xor(gates, x_sign, y_sign), negated, result, width);
    DELETE_ARRAY(word, 5 * (size_t)width);
}

// Builds the circuit of an operation. `a`, `b`: the operands' words, of `width` bits; `out` has the result's width.
static void build_arithmetic(struct blaster *blaster, enum kind kind, gate *out, const gate *a, const gate *b,
                             unsigned width) {
    struct gates *gates = blaster->gates;
    gate *scratch = NULL;
    switch (kind) {
    case KIND_NEG: circuit_negate(gates, out, a, width); break;
    case KIND_ADD: circuit_add(gates, out, a, b, GATE_FALSE, width); break;
    case KIND_MUL: circuit_multiply(gates, out, a, b, width); break;
    case KIND_UDIV:
    case KIND_UREM:
        scratch = NEW_ARRAY(gate, width);
        if (kind == KIND_UDIV)
            circuit_divide(gates, out, scratch, a, b, width);
        else
            circuit_divide(gates, scratch, out, a, b, width);
        DELETE_ARRAY(scratch, width);
        break;
    case KIND_SDIV: divide_signed(gates, out, a, b, width, false); break;
    case KIND_SREM: divide_signed(gates, out, a, b, width, true); break;
    case KIND_SHL: circuit_shift(gates, SHIFT_LEFT, out, a, b, width); break;
    case KIND_LSHR: circuit_shift(gates, SHIFT_RIGHT, out, a, b, width); break;
    case KIND_ASHR: circuit_shift(gates, SHIFT_RIGHT_SIGNED, out, a, b, width); break;
    case KIND_EQ: out[0] = circuit_equal(gates, a, b, width); break;
    case KIND_ULT: out[0] = circuit_less(gates, a, b, width); break;
    case KIND_SLT: out[0] = circuit_less_signed(gates, a, b, width); break;
    default: assert(!"an arithmetic kind");
    }
}

static void build_bits(struct blaster *blaster, Term t, gate *out, const gate *const *arg) {
    struct terms *terms = blaster->terms;
    struct gates *gates = blaster->gates;
    unsigned width = term_width(terms, t), from;
    switch (term_kind(terms, t)) {
    case KIND_NOT:
        for (unsigned i = 0; i < width; i++) out[i] = gate_not(arg[0][i]);
        break;
    case KIND_AND:
        for (unsigned i = 0; i < width; i++) out[i] = gate_and(gates, arg[0][i], arg[1][i]);
        break;
    case KIND_OR:
        for (unsigned i = 0; i < width; i++) out[i] = gate_or(gates, arg[0][i], arg[1][i]);
        break;
    case KIND_XOR:
        for (unsigned i = 0; i < width; i++) out[i] = gate_xor(gates, arg[0][i], arg[1][i]);
        break;
    case KIND_CONCAT:
        from = term_width(terms, term_arg(terms, t, 1));
        memcpy(out, arg[1], from * sizeof *out);
        memcpy(out + from, arg[0], (width - from) * sizeof *out);
        break;
    case KIND_EXTRACT: memcpy(out, arg[0] + term_low(terms, t), width * sizeof *out); break;
    case KIND_SEXT:
        from = term_width(terms, term_arg(terms, t, 0));
        for (unsigned i = 0; i < width; i++) out[i] = arg[0][MIN(i, from - 1)];
        break;
    case KIND_ITE: circuit_mux(gates, out, arg[0][0], arg[1], arg[2], width); break;
    default:
        build_arithmetic(blaster, term_kind(terms, t), out, arg[0], arg[1],
                         term_width(terms, term_arg(terms, t, 0)));
    }
}

static bool is_supported(struct terms *terms, Term t) {
    enum kind kind = term_kind(terms, t);
    if (kind == KIND_ARRAY_EQ) return false;
    if (kind_infos[kind].properties & KP_FLOAT)
        return float_cells(term_shape(terms, t), term_width(terms, term_arg(terms, t, 0))) <= MOST_CELLS;
    return cells(kind, term_width(terms, t)) <= MOST_CELLS;
}

// Builds a node whose operands have words.
static void build(struct blaster *blaster, Term t) {
    struct terms *terms = blaster->terms;
    unsigned width = term_width(terms, t);
    enum kind kind = term_kind(terms, t);
    if (kind == KIND_BYTE) {
        blaster_set_word(blaster, t, blaster_byte_word(blaster, term_var(terms, t)));
        return;
    }
    uint32_t offset = blaster_new_word(blaster, width);
    gate *out = &blaster->words.at[offset];
    if (kind == KIND_CONST) {
        for (unsigned i = 0; i < width; i++) out[i] = term_const_bit(terms, t, i);
    } else {
        const gate *arg[3] = {NULL};
        for (uint32_t i = 0; i < term_arity(terms, t); i++)
            arg[i] = blaster_word_of(blaster, term_arg(terms, t, i));
        if (kind_infos[kind].properties & KP_FLOAT)
            float_circuit(blaster->gates, term_shape(terms, t), term_width(terms, term_arg(terms, t, 0)), arg,
                          out);
        else
            build_bits(blaster, t, out, arg);
    }
    blaster_set_word(blaster, t, offset);
}

// Pushes the operands of t that have no word yet; true when there are none.
static bool operands_ready(struct blaster *blaster, Term t) {
    struct terms *terms = blaster->terms;
    if (term_kind(terms, t) == KIND_SELECT) {
        Term index = term_arg(terms, t, 1);
        if (blaster_word_of(blaster, index)) return true;
        vec_push(&blaster->worklist, index);
        return false;
    }
    bool ready = true;
    for (uint32_t i = 0; i < term_arity(terms, t); i++) {
        Term operand = term_arg(terms, t, i);
        if (term_is_array(terms, operand) || blaster_word_of(blaster, operand)) continue;
        vec_push(&blaster->worklist, operand);
        ready = false;
    }
    return ready;
}

static bool out_of_time(const struct blaster *blaster) {
    const struct sat_limits *limits = blaster->limits;
    return limits_over() || (limits && limits->deadline && clock_nanoseconds() >= limits->deadline);
}

// The clock is read every 1024 terms, or after this many gates: a multiplication of floats has thousands of gates.
#define GATES_BETWEEN 65536u

// Whether encoding must stop: `top` is not supported, or a limit is reached.
static bool must_stop(struct blaster *blaster, Term top, uint32_t steps, uint32_t *asked) {
    uint32_t gates = gates_count(blaster->gates), most = blaster->options.most_gates;
    if (!is_supported(blaster->terms, top)) blaster->obstacle = BLAST_UNSUPPORTED;
    if (most && gates > most) blaster->obstacle = BLAST_TOO_LARGE;
    if (blaster->obstacle != BLAST_UNDECIDED) return true;
    if (steps % 1024 && gates - *asked < GATES_BETWEEN) return false;
    *asked = gates;
    return out_of_time(blaster);
}

bool blaster_encode(struct blaster *blaster, Term t) {
    if (blaster_word_of(blaster, t)) return true;
    uint32_t base = blaster->worklist.count, asked = gates_count(blaster->gates);
    vec_push(&blaster->worklist, t);
    for (uint32_t steps = 1; blaster->worklist.count > base; steps++) {
        Term top = *vec_last(&blaster->worklist);
        if (blaster_word_of(blaster, top)) {
            blaster->worklist.count--;
            continue;
        }
        if (must_stop(blaster, top, steps, &asked)) {
            blaster->worklist.count = base;
            return false;
        }
        if (!operands_ready(blaster, top)) continue;
        if (term_kind(blaster->terms, top) != KIND_SELECT)
            build(blaster, top);
        else if (blaster_encode_select(blaster, top))
            assert(blaster_word_of(blaster, top));
    }
    return true;
}

// Queries

void blaster_add_clause(struct blaster *blaster, const gate *disjuncts, unsigned count) {
    vec_push(&blaster->clauses, count);
    for (unsigned i = 0; i < count; i++) vec_push(&blaster->clauses, disjuncts[i]);
}

static void add_clauses(struct blaster *blaster) {
    for (uint32_t i = 0; i < blaster->clauses.count; i += 1 + blaster->clauses.at[i])
        gates_assert_clause(blaster->gates, &blaster->clauses.at[i + 1], blaster->clauses.at[i]);
    vec_clear(&blaster->clauses);
}

static void assume_all(struct blaster *blaster, const Term *conditions, size_t count) {
    for (size_t i = 0; i < count; i++) {
        assert(term_width(blaster->terms, conditions[i]) == 1);
        sat_assume(blaster->sat, gates_literal(blaster->gates, *blaster_word_of(blaster, conditions[i])));
    }
}

enum blast_answer blaster_solve(struct blaster *blaster, const Term *conditions, size_t count,
                                const struct sat_limits *limits) {
    blaster->limits = limits;
    blaster->obstacle = BLAST_UNDECIDED;
    for (size_t i = 0; i < count; i++)
        if (!blaster_encode(blaster, conditions[i])) return blaster->obstacle;
    blaster_activate(blaster, conditions, count);
    for (;;) {
        if (out_of_time(blaster)) return BLAST_UNDECIDED;
        add_clauses(blaster);
        assume_all(blaster, conditions, count);
        enum sat_answer answer = sat_solve(blaster->sat, limits);
        if (answer == SAT_REFUTED) return BLAST_NO;
        if (answer == SAT_UNDECIDED) return BLAST_UNDECIDED;
        gates_new_model(blaster->gates);
        if (!blaster->active.count) return BLAST_YES;
        int lemmas = blaster_refine(blaster);
        if (lemmas < 0) return blaster->obstacle;
        if (!lemmas && !blaster->clauses.count)
            return BLAST_YES; // encoding for the check may have added clauses: then the search continues
        blaster->statistics.rounds++;
        blaster->statistics.lemmas += (uint64_t)lemmas;
    }
}

bool blaster_failed(struct blaster *blaster, Term condition) {
    return sat_failed(blaster->sat, gates_literal(blaster->gates, *blaster_word_of(blaster, condition)));
}

bool blaster_byte(struct blaster *blaster, uint32_t var, uint8_t *value) {
    uint64_t *place = map_get(&blaster->byte_of, var);
    if (!place) return false;
    const gate *word = &blaster->words.at[*place];
    bool known = false;
    for (unsigned i = 0; i < 8; i++) known |= gates_in_model(blaster->gates, word[i]);
    if (!known) return false;
    *value = 0;
    for (unsigned i = 0; i < 8; i++) *value |= (uint8_t)(gates_simulate(blaster->gates, word[i]) << i);
    return true;
}
