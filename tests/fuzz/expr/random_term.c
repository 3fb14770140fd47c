#include "random_term.h"

#include "bits.h"

#include <stdio.h>
#include <string.h>

static const uint8_t plain_kinds[] = { // all operands of one width
    KIND_NOT,
    KIND_AND,
    KIND_OR,
    KIND_XOR,
    KIND_NEG,
    KIND_ADD,
    KIND_ADD,
    KIND_MUL,
    KIND_UDIV,
    KIND_UREM,
    KIND_SDIV,
    KIND_SREM,
    KIND_SHL,
    KIND_LSHR,
    KIND_ASHR,
    KIND_SUB,
    KIND_SMOD,
    KIND_NAND,
    KIND_NOR,
    KIND_XNOR,
    KIND_ROTL,
    KIND_ROTR,
    KIND_EQ,
    KIND_EQ,
    KIND_ULT,
    KIND_SLT,
    KIND_NE,
    KIND_ULE,
    KIND_UGT,
    KIND_UGE,
    KIND_SLE,
    KIND_SGT,
    KIND_SGE,
    KIND_NEG_OVERFLOW,
    KIND_UADD_OVERFLOW,
    KIND_SADD_OVERFLOW,
    KIND_USUB_OVERFLOW,
    KIND_SSUB_OVERFLOW,
    KIND_UMUL_OVERFLOW,
    KIND_SMUL_OVERFLOW,
    KIND_SDIV_OVERFLOW};

static const uint8_t odd_widths[] = {1,  2,  3,  4,  5,  7,  8,  8,  8,  9,  12, 16, 16,  17,  24,
                                     31, 32, 32, 32, 33, 47, 63, 64, 64, 64, 65, 66, 100, 127, 128};

static uint64_t below(struct trace *trace, uint64_t bound) { return random_below(&trace->random, bound); }

static unsigned random_width(struct trace *trace) {
    if (below(trace, 3)) return trace->widths[below(trace, COUNT(trace->widths))];
    unsigned width = below(trace, 2) ? odd_widths[below(trace, sizeof odd_widths)]
                                     : 1 + (unsigned)below(trace, trace->max_width);
    return MIN(width, trace->max_width);
}

struct trace *trace_new(struct terms *terms, uint64_t seed, const struct trace_options *options) {
    struct trace *trace = NEW(struct trace);
    trace->terms = terms;
    trace->random.state = seed * 0x9e3779b97f4a7c15u + 1;
    trace->input_size = options->input_size;
    trace->input = terms_input(terms, "in", options->input_size);
    trace->max_width = options->max_width;
    trace->arrays = options->arrays;
    trace->floats = options->floats;
    for (unsigned i = 0; i < COUNT(trace->widths); i++)
        trace->widths[i] = MIN(options->max_width, odd_widths[below(trace, sizeof odd_widths)]);
    return trace;
}

void trace_free(struct trace *trace) {
    vec_free(&trace->entries);
    vec_free(&trace->elements);
    vec_free(&trace->array_vars);
    DELETE(trace);
}

static uint32_t push(struct trace *trace, struct entry entry) {
    assert(entry.term && term_width(trace->terms, entry.term) == entry.shape.width);
    vec_push(&trace->entries, entry);
    return trace->entries.count - 1;
}

static struct entry *at(struct trace *trace, uint32_t i) { return &trace->entries.at[i]; }

static uint32_t push_made(struct trace *trace, struct shape shape, uint32_t a, uint32_t b, uint32_t c) {
    struct entry entry = {.shape = shape, .args = {a, b, c}};
    Term args[3] = {at(trace, a)->term, at(trace, b)->term, at(trace, c)->term};
    entry.term = term_make(trace->terms, shape, args);
    return push(trace, entry);
}

// ---- Leaves ----

static bool is_array_entry(const struct entry *entry) {
    return kind_infos[entry->shape.kind].properties & KP_ARRAY;
}

static uint32_t push_const(struct trace *trace, unsigned width) {
    struct entry entry = {.shape = {.kind = KIND_CONST, .width = (uint16_t)width}};
    struct bits value = bits_zero(width);
    switch (below(trace, 9)) {
    case 7:
    case 8: // a bound of another entry's range, or a number beside it, to find off-by-one errors
        for (unsigned tries = 0; tries < 6 && trace->entries.count; tries++) {
            const struct entry *other = at(trace, (uint32_t)below(trace, trace->entries.count));
            if (other->shape.width != width || width > 64 || is_array_entry(other)) continue;
            struct facts facts = term_facts(trace->terms, other->term);
            value = bits_number(width, (below(trace, 2) ? facts.high : facts.low) + below(trace, 3) - 1);
            break;
        }
        break;
    case 0: break;
    case 1: value.at[0] = 1; break;
    case 2: memset(value.at, 1, width); break;
    case 3: value.at[width - 1] = 1; break;
    case 4: value = bits_number(width, below(trace, 17)); break;
    case 5: value.at[below(trace, width)] = 1; break;
    default:
        for (unsigned i = 0; i < width; i++) value.at[i] = below(trace, 2);
        break;
    }
    entry.constant = value;
    uint64_t limbs[RANDOM_MAX_WIDTH / 64];
    bits_limbs(&value, limbs);
    entry.term = term_const_limbs(trace->terms, width, limbs);
    return push(trace, entry);
}

static uint32_t push_byte(struct trace *trace) {
    uint32_t index = (uint32_t)below(trace, trace->input_size);
    struct entry entry = {.shape = {.kind = KIND_BYTE, .width = 8}};
    entry.from = terms_input_var(trace->terms, trace->input, index);
    entry.term = term_byte(trace->terms, trace->input, index);
    return push(trace, entry);
}

// Any entry that is a bit-vector, recent ones more often.
static uint32_t any_entry(struct trace *trace) {
    for (unsigned tries = 0; tries < 8 && trace->entries.count; tries++) {
        uint32_t n = trace->entries.count, window = below(trace, 2) ? MIN(n, 12u) : n;
        uint32_t i = n - 1 - (uint32_t)below(trace, window);
        if (!is_array_entry(at(trace, i))) return i;
    }
    return push_byte(trace);
}

// Another entry, truncated or extended to the width.
static uint32_t adapt(struct trace *trace, uint32_t i, unsigned width) {
    unsigned given = at(trace, i)->shape.width;
    struct shape shape = {.width = (uint16_t)width};
    if (given == width) return i;
    if (given > width) {
        shape.kind = KIND_EXTRACT;
        shape.low = (uint16_t)below(trace, given - width + 1);
        if (below(trace, 2)) shape.low = 0;
        return push_made(trace, shape, i, i, i);
    }
    if (below(trace, 3) == 0) {
        uint32_t high = trace_pick(trace, width - given);
        shape.kind = KIND_CONCAT;
        return push_made(trace, shape, high, i, i);
    }
    shape.kind = below(trace, 2) ? KIND_ZEXT : KIND_SEXT;
    return push_made(trace, shape, i, i, i);
}

uint32_t trace_pick(struct trace *trace, unsigned width) {
    if (below(trace, 6) == 0) return push_const(trace, width);
    for (unsigned tries = 0; tries < 6; tries++) {
        uint32_t i = any_entry(trace);
        if (at(trace, i)->shape.width == width) return i;
    }
    return adapt(trace, below(trace, 2) ? any_entry(trace) : push_byte(trace), width);
}

uint32_t trace_pick_condition(struct trace *trace) {
    for (uint32_t tries = 0; tries < 2 * trace->entries.count; tries++) {
        uint32_t i = trace->entries.count - 1 - (uint32_t)below(trace, trace->entries.count);
        const struct entry *entry = at(trace, i);
        if (entry->shape.width == 1 && !is_array_entry(entry) && !term_is_const(trace->terms, entry->term))
            return i;
    }
    return trace_pick(trace, 1);
}

// ---- Arrays ----

static uint32_t push_array_leaf(struct trace *trace, unsigned index_width, unsigned width) {
    struct entry entry = {.shape = {.width = (uint16_t)width, .index_width = (uint16_t)index_width}};
    switch (below(trace, width == 8 ? 4 : 3)) {
    case 0: {
        uint32_t value = trace_pick(trace, width);
        entry.shape.kind = KIND_ARRAY_CONST;
        return push_made(trace, entry.shape, value, value, value);
    }
    case 1: {
        entry.shape.kind = KIND_ARRAY_LITERAL;
        entry.count = (uint32_t)below(trace, ((uint64_t)1 << index_width) + 1);
        vec(uint32_t) picked = {0};
        vec(Term) terms = {0};
        bool constant = below(trace, 2);
        for (uint32_t i = 0; i < entry.count; i++) {
            uint32_t element = constant ? push_const(trace, width) : trace_pick(trace, width);
            vec_push(&picked, element);
            vec_push(&terms, at(trace, element)->term);
        }
        entry.from = trace->elements.count;
        vec_each (uint32_t, element, &picked) vec_push(&trace->elements, *element);
        entry.term = term_array_literal(trace->terms, index_width, width, terms.at, entry.count);
        vec_free(&picked);
        vec_free(&terms);
        return push(trace, entry);
    }
    case 2: {
        char name[32];
        snprintf(name, sizeof name, "a%u_%u_%u", index_width, width, (unsigned)below(trace, 2));
        entry.shape.kind = KIND_ARRAY_VAR;
        entry.term = term_array_variable(trace->terms, name, index_width, width);
        entry.from = term_var(trace->terms, entry.term);
        uint32_t i = push(trace, entry);
        vec_push(&trace->array_vars, i);
        return i;
    }
    default:
        entry.shape.kind = KIND_ARRAY_INPUT;
        entry.count = 1 + (uint32_t)below(trace, trace->input_size);
        entry.term = term_input_array(trace->terms, trace->input, entry.count, index_width);
        return push(trace, entry);
    }
}

static uint32_t pick_array(struct trace *trace, unsigned index_width, unsigned width) {
    for (unsigned tries = 0; tries < 30 && trace->entries.count; tries++) {
        uint32_t i = (uint32_t)below(trace, trace->entries.count);
        const struct entry *entry = at(trace, i);
        if (is_array_entry(entry) && entry->shape.index_width == index_width && entry->shape.width == width)
            return i;
    }
    return push_array_leaf(trace, index_width, width);
}

static void grow_array(struct trace *trace) {
    unsigned index_width = below(trace, 2) ? 3 : 1 + (unsigned)below(trace, RANDOM_MAX_INDEX);
    unsigned width = below(trace, 2) ? 8 : trace->widths[below(trace, COUNT(trace->widths))];
    uint32_t array = pick_array(trace, index_width, width), index = trace_pick(trace, index_width);
    struct shape shape = {.width = (uint16_t)width, .index_width = (uint16_t)index_width};
    switch (below(trace, 6)) {
    case 0:
    case 1:
        shape.kind = KIND_STORE;
        push_made(trace, shape, array, index, trace_pick(trace, width));
        break;
    case 2:
        shape.kind = KIND_ARRAY_ITE;
        push_made(trace, shape, trace_pick(trace, 1), array, pick_array(trace, index_width, width));
        break;
    case 3:
        shape.kind = KIND_ARRAY_EQ;
        shape.width = 1;
        shape.index_width = 0;
        push_made(trace, shape, array, pick_array(trace, index_width, width), array);
        break;
    default:
        shape.kind = KIND_SELECT;
        shape.index_width = 0;
        push_made(trace, shape, array, index, index);
        break;
    }
}

// ---- Floating point ----

static const fp_format formats[] = {FP_DOUBLE, FP_SINGLE, FP_HALF, FP_X87, FP_QUAD};

static void grow_conversion(struct trace *trace, struct shape shape) {
    uint32_t a;
    switch (below(trace, 3)) {
    case 0:
        a = trace_pick(trace, random_width(trace));
        shape.kind = below(trace, 2) ? KIND_SINT_TO_FP : KIND_UINT_TO_FP;
        break;
    case 1:
        a = trace_pick(trace, fp_width(shape.format));
        shape.kind = below(trace, 2) ? KIND_FP_TO_SINT : KIND_FP_TO_UINT;
        shape.source = shape.format;
        shape.format = 0;
        shape.width = (uint16_t)random_width(trace);
        break;
    default:
        shape.source = formats[below(trace, COUNT(formats))];
        a = trace_pick(trace, fp_width(shape.source));
        shape.kind = KIND_FP_TO_FP;
        break;
    }
    push_made(trace, shape, a, a, a);
}

static void grow_float(struct trace *trace) {
    static const uint8_t kinds[] = {
        KIND_FP_ADD,       KIND_FP_SUB,    KIND_FP_MUL,          KIND_FP_DIV,         KIND_FP_SQRT,
        KIND_FP_FMA,       KIND_FP_REM,    KIND_FP_MOD,          KIND_FP_MIN,         KIND_FP_MAX,
        KIND_FP_ROUND,     KIND_FP_EQ,     KIND_FP_LT,           KIND_FP_LE,          KIND_FP_NEG,
        KIND_FP_ABS,       KIND_FP_IS_NAN, KIND_FP_COPYSIGN,     KIND_FP_IS_INF,      KIND_FP_IS_ZERO,
        KIND_FP_IS_NORMAL, KIND_FP_LT,     KIND_FP_IS_SUBNORMAL, KIND_FP_IS_NEGATIVE, KIND_FP_IS_POSITIVE,
        KIND_FP_UNORDERED};
    fp_format f = formats[below(trace, below(trace, 2) ? 2 : COUNT(formats))];
    uint8_t rounding = below(trace, 2) ? FP_NEAREST_EVEN : (uint8_t)below(trace, FP_ROUNDINGS);
    struct shape shape = {.rounding = rounding, .format = f, .width = (uint16_t)fp_width(f)};
    if (below(trace, 2)) {
        grow_conversion(trace, shape);
        return;
    }
    shape.kind = kinds[below(trace, COUNT(kinds))];
    uint32_t a = trace_pick(trace, fp_width(f)), b = trace_pick(trace, fp_width(f)),
             c = trace_pick(trace, fp_width(f));
    if (kind_infos[shape.kind].properties & KP_PREDICATE) shape.width = 1;
    push_made(trace, shape, a, b, c);
}

// ---- Operations ----

static void grow_one(struct trace *trace) {
    if (trace->arrays && below(trace, 5) == 0) {
        grow_array(trace);
        return;
    }
    if (trace->floats && below(trace, 3) == 0) {
        grow_float(trace);
        return;
    }
    unsigned width = random_width(trace);
    struct shape shape = {.width = (uint16_t)width};
    switch (below(trace, 8)) {
    case 0: {
        uint32_t a = trace_pick(trace, width), b = trace_pick(trace, width), c = trace_pick(trace, 1);
        shape.kind = KIND_ITE;
        push_made(trace, shape, c, a, b);
        break;
    }
    case 1: {
        uint32_t a = any_entry(trace), b = any_entry(trace);
        unsigned both = at(trace, a)->shape.width + at(trace, b)->shape.width;
        if (both > MIN(2 * trace->max_width, RANDOM_MAX_WIDTH / 2)) break;
        shape.kind = KIND_CONCAT;
        shape.width = (uint16_t)both;
        push_made(trace, shape, a, b, b);
        break;
    }
    case 2: adapt(trace, any_entry(trace), width); break;
    default: {
        shape.kind = plain_kinds[below(trace, COUNT(plain_kinds))];
        uint32_t a = trace_pick(trace, width), b = below(trace, 12) ? trace_pick(trace, width) : a;
        if (kind_infos[shape.kind].properties & KP_PREDICATE) shape.width = 1;
        push_made(trace, shape, a, b, b);
        break;
    }
    }
}

void trace_grow(struct trace *trace, uint32_t count) {
    while (count-- > 0) grow_one(trace);
}

void trace_describe(const struct trace *trace, uint32_t i, char *text, size_t size) {
    const struct entry *entry = &trace->entries.at[i];
    snprintf(text, size, "e%u = %s(e%u, e%u, e%u) width %u low %u index %u", i,
             kind_infos[entry->shape.kind].text, entry->args[0], entry->args[1], entry->args[2],
             entry->shape.width, entry->shape.low, entry->shape.index_width);
}

// ---- Evaluation ----

static struct bits random_element(uint64_t seed, uint32_t var, unsigned index, unsigned width) {
    struct random random = {seed ^ ((uint64_t)var << 32 | index)};
    struct bits value = bits_zero(width);
    for (unsigned i = 0; i < width; i++) value.at[i] = random_below(&random, 2);
    return value;
}

static void evaluate_array_entry(struct trace *trace, struct values *values, uint32_t i) {
    const struct entry *entry = at(trace, i);
    unsigned size = 1u << entry->shape.index_width, width = entry->shape.width;
    struct bits *table = NEW_ARRAY(struct bits, size);
    values->array[i] = table;
    for (unsigned k = 0; k < size; k++) {
        switch (entry->shape.kind) {
        case KIND_ARRAY_CONST: table[k] = values->at[entry->args[0]]; break;
        case KIND_ARRAY_LITERAL:
            table[k] = k < entry->count ? values->at[trace->elements.at[entry->from + k]] : bits_zero(width);
            break;
        case KIND_ARRAY_VAR: table[k] = random_element(values->array_seed, entry->from, k, width); break;
        case KIND_ARRAY_INPUT: {
            uint32_t var = k < entry->count ? terms_input_var(trace->terms, trace->input, k) : UINT32_MAX;
            table[k] = bits_number(8, var < values->count ? values->bytes[var] : 0);
            break;
        }
        case KIND_STORE:
            table[k] = bits_low(&values->at[entry->args[1]]) == k ? values->at[entry->args[2]]
                                                                  : values->array[entry->args[0]][k];
            break;
        default:
            assert(entry->shape.kind == KIND_ARRAY_ITE);
            table[k] = values->array[entry->args[values->at[entry->args[0]].at[0] ? 1 : 2]][k];
            break;
        }
    }
}

static struct bits evaluate_entry(struct trace *trace, struct values *values, uint32_t i) {
    const struct entry *entry = at(trace, i);
    const uint32_t *args = entry->args;
    switch (entry->shape.kind) {
    case KIND_CONST: return entry->constant;
    case KIND_BYTE: return bits_number(8, entry->from < values->count ? values->bytes[entry->from] : 0);
    case KIND_SELECT: return values->array[args[0]][bits_low(&values->at[args[1]])];
    case KIND_ARRAY_EQ: {
        unsigned size = 1u << at(trace, args[0])->shape.index_width, width = at(trace, args[0])->shape.width;
        for (unsigned k = 0; k < size; k++)
            if (memcmp(values->array[args[0]][k].at, values->array[args[1]][k].at, width) != 0)
                return bits_number(1, 0);
        return bits_number(1, 1);
    }
    default: {
        bool is_float = kind_infos[entry->shape.kind].properties & KP_FLOAT;
        return (is_float ? bits_float : bits_apply)(entry->shape, &values->at[args[0]], &values->at[args[1]],
                                                    &values->at[args[2]]);
    }
    }
}

struct values *trace_evaluate(struct trace *trace, const uint8_t *bytes, uint32_t count,
                              uint64_t array_seed) {
    struct values *values = NEW(struct values);
    *values = (struct values){bytes, count, array_seed, NULL, NULL, trace->entries.count};
    values->at = NEW_ARRAY(struct bits, trace->entries.count);
    values->array = NEW_ARRAY(struct bits *, trace->entries.count);
    for (uint32_t i = 0; i < trace->entries.count; i++) {
        if (is_array_entry(at(trace, i)))
            evaluate_array_entry(trace, values, i);
        else
            values->at[i] = evaluate_entry(trace, values, i);
    }
    for (uint32_t i = 0; i < trace->entries.count; i++) // the tables' sizes for values_free
        if (is_array_entry(at(trace, i))) values->at[i].width = at(trace, i)->shape.index_width;
    return values;
}

void values_free(struct values *values) {
    for (uint32_t i = 0; i < values->entries; i++)
        if (values->array[i]) DELETE_ARRAY(values->array[i], 1u << values->at[i].width);
    DELETE_ARRAY(values->array, values->entries);
    DELETE_ARRAY(values->at, values->entries);
    DELETE(values);
}

struct given_arrays {
    uint32_t count;
    struct array_value *by_var[];
};

static const struct array_value *given_array(void *context, uint32_t var) {
    struct given_arrays *given = context;
    return var < given->count ? given->by_var[var] : NULL;
}

struct assignment values_assignment(struct values *values, struct trace *trace) {
    uint32_t vars = terms_var_count(trace->terms);
    struct given_arrays *given = mem_alloc_zeroed(sizeof *given + vars * sizeof(void *));
    given->count = vars;
    vec_each (uint32_t, i, &trace->array_vars) {
        const struct entry *entry = at(trace, *i);
        if (given->by_var[entry->from]) continue;
        struct array_value *array = array_value_new(entry->shape.index_width, entry->shape.width);
        for (uint64_t k = 0; k < (uint64_t)1 << entry->shape.index_width; k++) {
            struct bits element =
                random_element(values->array_seed, entry->from, (unsigned)k, entry->shape.width);
            uint64_t limbs[RANDOM_MAX_WIDTH / 64];
            bits_limbs(&element, limbs);
            array_value_set(array, &k, limbs);
        }
        given->by_var[entry->from] = array;
    }
    return (struct assignment){
        .bytes = values->bytes, .count = values->count, .array = given_array, .context = given};
}

void values_drop_assignment(struct assignment *assignment) {
    struct given_arrays *given = assignment->context;
    for (uint32_t i = 0; i < given->count; i++) array_value_free(given->by_var[i]);
    mem_free(given, sizeof *given + given->count * sizeof(void *));
}
