#include "solver/lanes.h"

#include "base/hash.h"
#include "base/run_limits.h"
#include "base/vec.h"

#define LANES   256
#define DEEPEST 2000 // levels of recursion

typedef uint64_t lane[LANES];

struct lanes {
    struct terms *terms;
    struct evaluator *evaluator;
    const struct assignment *assignment;
    uint32_t budget, depth, used;
    const struct lane_bytes *bytes; // those whose values differ between lanes
    struct lane_bytes single;       // for lanes_start: one byte, with the lane's number as its value
    struct map known;               // Term -> number of its block, plus 1
    vec(lane *) blocks;             // allocated separately: they must not move
};

struct lanes *lanes_new(struct terms *terms) {
    struct lanes *lanes = NEW(struct lanes);
    lanes->terms = terms;
    lanes->single.count = 1;
    for (unsigned i = 0; i < LANES; i++) lanes->single.values[0][i] = (uint8_t)i;
    return lanes;
}

void lanes_free(struct lanes *lanes) {
    if (!lanes) return;
    vec_each (lane *, block, &lanes->blocks) DELETE(*block);
    vec_free(&lanes->blocks);
    map_free(&lanes->known);
    DELETE(lanes);
}

void lanes_start(struct lanes *lanes, struct evaluator *evaluator, const struct assignment *assignment,
                 uint32_t var, uint32_t budget) {
    lanes->single.vars[0] = var;
    lanes_start_bytes(lanes, evaluator, assignment, &lanes->single, budget);
}

void lanes_start_bytes(struct lanes *lanes, struct evaluator *evaluator, const struct assignment *assignment,
                       const struct lane_bytes *bytes, uint32_t budget) {
    assert(evaluator && assignment->byte && bytes->count <= LANE_BYTES);
    lanes->evaluator = evaluator;
    lanes->assignment = assignment;
    lanes->bytes = bytes;
    lanes->budget = budget;
    lanes->depth = lanes->used = 0;
    map_clear(&lanes->known);
}

uint32_t lanes_budget(const struct lanes *lanes) { return lanes->budget; }

static uint64_t *new_block(struct lanes *lanes) {
    if (lanes->used == lanes->blocks.count) vec_push(&lanes->blocks, (lane *)mem_alloc(sizeof(lane)));
    return *lanes->blocks.at[lanes->used++];
}

#define EACH_LANE(expression)                                                                                \
    for (unsigned i = 0; i < count; i++) out[i] = (expression)
#define SIGNED(x, w) ((uint64_t)sign_extend((x), (w)))

static void divide(enum kind kind, uint64_t *out, const uint64_t *a, const uint64_t *b, unsigned width,
                   unsigned count) {
    uint64_t mask = mask_bits(width), sign = 1ull << (width - 1);
    for (unsigned i = 0; i < count; i++) {
        uint64_t x = a[i], y = b[i];
        bool x_negative = kind >= KIND_SDIV && x & sign, y_negative = kind >= KIND_SDIV && y & sign;
        if (x_negative) x = -x & mask;
        if (y_negative) y = -y & mask;
        uint64_t quotient = y ? x / y : mask, rest = y ? x % y : x;
        if (kind == KIND_UDIV || kind == KIND_SDIV)
            out[i] = (x_negative != y_negative ? -quotient : quotient) & mask;
        else
            out[i] = (x_negative ? -rest : rest) & mask;
    }
}
_Static_assert(KIND_SDIV > KIND_UREM && KIND_SREM > KIND_SDIV,
               "divide tells the signed kinds by their order");

static void shift(enum kind kind, uint64_t *out, const uint64_t *a, const uint64_t *b, unsigned width,
                  unsigned count) {
    uint64_t mask = mask_bits(width);
    if (kind == KIND_SHL)
        EACH_LANE(b[i] < width ? a[i] << b[i] & mask : 0);
    else if (kind == KIND_LSHR)
        EACH_LANE(b[i] < width ? a[i] >> b[i] : 0);
    else
        EACH_LANE((uint64_t)(sign_extend(a[i], width) >> MIN(b[i], 63u)) & mask);
}

static bool bitwise(enum kind kind, uint64_t *out, const uint64_t *a, const uint64_t *b, uint64_t mask,
                    unsigned count) {
    switch (kind) {
    case KIND_NOT: EACH_LANE(~a[i] & mask); return true;
    case KIND_AND: EACH_LANE(a[i] & b[i]); return true;
    case KIND_OR: EACH_LANE(a[i] | b[i]); return true;
    case KIND_XOR: EACH_LANE(a[i] ^ b[i]); return true;
    case KIND_NEG: EACH_LANE(-a[i] & mask); return true;
    case KIND_ADD: EACH_LANE((a[i] + b[i]) & mask); return true;
    case KIND_MUL: EACH_LANE(a[i] * b[i] & mask); return true;
    case KIND_EQ: EACH_LANE(a[i] == b[i]); return true;
    case KIND_ULT: EACH_LANE(a[i] < b[i]); return true;
    default: return false;
    }
}

bool lanes_apply(struct terms *terms, Term t, uint64_t *out, const uint64_t *const *arg, unsigned count) {
    unsigned width = term_width(terms, t);
    enum kind kind = term_kind(terms, t);
    assert(width <= 64 && count <= LANES);
    const uint64_t *a = arg[0], *b = arg[1], *c = arg[2];
    if (bitwise(kind, out, a, b, mask_bits(width), count)) return true;
    unsigned from = term_width(terms, term_arg(terms, t, kind == KIND_CONCAT)), low;
    switch (kind) {
    case KIND_UDIV:
    case KIND_UREM:
    case KIND_SDIV:
    case KIND_SREM: divide(kind, out, a, b, width, count); return true;
    case KIND_SHL:
    case KIND_LSHR:
    case KIND_ASHR: shift(kind, out, a, b, width, count); return true;
    case KIND_CONCAT: EACH_LANE(a[i] << from | b[i]); return true;
    case KIND_EXTRACT:
        low = term_low(terms, t);
        EACH_LANE(a[i] >> low & mask_bits(width));
        return true;
    case KIND_SEXT: EACH_LANE(SIGNED(a[i], from) & mask_bits(width)); return true;
    case KIND_SLT: EACH_LANE(sign_extend(a[i], from) < sign_extend(b[i], from)); return true;
    case KIND_ITE: EACH_LANE(a[i] ? b[i] : c[i]); return true;
    default: return false;
    }
}

#define READ_TABLE(type)                                                                                     \
    for (unsigned i = 0; i < count; i++) out[i] = index[i] < size ? ((const type *)table)[index[i]] : 0

bool lanes_read_table(struct terms *terms, Term array, uint64_t *out, const uint64_t *index, unsigned count) {
    unsigned bytes;
    if (!term_is_table(terms, array)) return false;
    const void *table = term_literal_packed(terms, array, &bytes);
    uint64_t size = term_arity(terms, array);
    switch (bytes) {
    case 1: READ_TABLE(uint8_t); return true;
    case 2: READ_TABLE(uint16_t); return true;
    case 4: READ_TABLE(uint32_t); return true;
    default:
        assert(bytes == 8);
        READ_TABLE(uint64_t);
        return true;
    }
}

static bool depends(const struct lanes *lanes, Term t) {
    VarSet support = term_support(lanes->terms, t);
    for (unsigned k = 0; k < lanes->bytes->count; k++)
        if (varset_has(lanes->terms, support, lanes->bytes->vars[k])) return true;
    return false;
}

// The values of a byte in the lanes; NULL: it has the same value in all of them.
static const uint8_t *byte_values(const struct lanes *lanes, uint32_t var) {
    for (unsigned k = 0; k < lanes->bytes->count; k++)
        if (lanes->bytes->vars[k] == var) return lanes->bytes->values[k];
    return NULL;
}

// The value in lane i of an operand of an array term: index, value or condition. False: gave up.
static bool part(struct lanes *lanes, Term t, unsigned i, uint64_t *value) {
    const uint64_t *all = lanes_of(lanes, t);
    if (all) *value = all[i];
    return all;
}

// Reads element `index` of `array` in lane i.
static bool read_lane(struct lanes *lanes, Term array, uint64_t index, unsigned i, uint64_t *value) {
    struct terms *terms = lanes->terms;
    for (uint64_t place;;) {
        unsigned bytes;
        uint32_t var;
        const uint8_t *values;
        switch (term_kind(terms, array)) {
        case KIND_STORE:
            if (!part(lanes, term_arg(terms, array, 1), i, &place)) return false;
            if (place == index) return part(lanes, term_arg(terms, array, 2), i, value);
            array = term_arg(terms, array, 0);
            break;
        case KIND_ARRAY_ITE:
            if (!part(lanes, term_arg(terms, array, 0), i, &place)) return false;
            array = term_arg(terms, array, place ? 1 : 2);
            break;
        case KIND_ARRAY_CONST: return part(lanes, term_arg(terms, array, 0), i, value);
        case KIND_ARRAY_LITERAL:
            *value = 0;
            if (index >= term_arity(terms, array)) return true;
            if (!term_literal_packed(terms, array, &bytes))
                return part(lanes, term_arg(terms, array, (uint32_t)index), i, value);
            *value = term_literal_value(terms, array, (uint32_t)index);
            return true;
        case KIND_ARRAY_INPUT:
            *value = 0;
            if (index >= term_array_input_size(terms, array)) return true;
            var = terms_input_var(terms, term_array_input(terms, array), (uint32_t)index);
            values = byte_values(lanes, var);
            *value = values ? values[i] : lanes->assignment->byte(lanes->assignment->context, var);
            return true;
        default: return false;
        }
    }
}

// The lanes whose element is not yet known.
struct open_lanes {
    unsigned count;
    uint8_t at[LANES];
};

// Reads the lanes that a chain of stores hits, looking at each store once. Returns the array below the chain, which the
// lanes left in `open` read; 0: gave up.
static Term read_stores(struct lanes *lanes, Term array, const uint64_t *index, struct open_lanes *open,
                        uint64_t *out) {
    struct terms *terms = lanes->terms;
    for (; open->count && term_kind(terms, array) == KIND_STORE; array = term_arg(terms, array, 0)) {
        const uint64_t *place = lanes_of(lanes, term_arg(terms, array, 1)), *value = NULL;
        if (!place) return 0;
        unsigned left = 0;
        for (unsigned k = 0; k < open->count; k++) {
            unsigned i = open->at[k];
            if (place[i] != index[i]) {
                open->at[left++] = (uint8_t)i;
            } else {
                if (!value && !(value = lanes_of(lanes, term_arg(terms, array, 2)))) return 0;
                out[i] = value[i];
            }
        }
        open->count = left;
    }
    return array;
}

// Reads the open lanes from an array of equal elements, or from a list of terms, looking at each of the first elements
// once. False: gave up.
static bool read_terms(struct lanes *lanes, Term array, const uint64_t *index, const struct open_lanes *open,
                       uint64_t *out) {
    const uint64_t *elements[LANES] = {NULL};
    bool is_equal = term_kind(lanes->terms, array) == KIND_ARRAY_CONST;
    uint32_t count = term_arity(lanes->terms, array);
    for (unsigned k = 0; k < open->count; k++) {
        unsigned i = open->at[k];
        uint64_t at = is_equal ? 0 : index[i];
        const uint64_t *element = at < LANES ? elements[at] : NULL;
        if (at >= count) {
            out[i] = 0;
            continue;
        }
        if (!element) element = lanes_of(lanes, term_arg(lanes->terms, array, (uint32_t)at));
        if (!element) return false;
        if (at < LANES) elements[at] = element;
        out[i] = element[i];
    }
    return true;
}

static bool read_lanes(struct lanes *lanes, Term select, uint64_t *out) {
    Term array = term_arg(lanes->terms, select, 0), index = term_arg(lanes->terms, select, 1);
    if (term_width(lanes->terms, index) > 64) return false;
    const uint64_t *at = lanes_of(lanes, index);
    if (at && lanes_read_table(lanes->terms, array, out, at, LANES)) return true;
    struct open_lanes open = {.count = LANES};
    for (unsigned i = 0; i < LANES; i++) open.at[i] = (uint8_t)i;
    array = at ? read_stores(lanes, array, at, &open, out) : 0;
    enum kind kind = array ? term_kind(lanes->terms, array) : KIND_BYTE;
    if (kind == KIND_ARRAY_CONST || (kind == KIND_ARRAY_LITERAL && !term_is_table(lanes->terms, array)))
        return read_terms(lanes, array, at, &open, out);
    for (unsigned k = 0; array && k < open.count; k++)
        if (!read_lane(lanes, array, at[open.at[k]], open.at[k], &out[open.at[k]])) return false;
    return array;
}

static bool compute(struct lanes *lanes, Term t, uint64_t *out) {
    limits_poll();
    struct terms *terms = lanes->terms;
    enum kind kind = term_kind(terms, t);
    if (kind == KIND_BYTE) {
        const uint8_t *values = byte_values(lanes, term_var(terms, t));
        assert(values); // t depends on such a byte
        for (unsigned i = 0; i < LANES; i++) out[i] = values[i];
        return true;
    }
    if (kind == KIND_SELECT) return read_lanes(lanes, t, out);
    if (kind_infos[kind].properties & KP_FLOAT || kind == KIND_ARRAY_EQ) return false;
    const uint64_t *arg[3] = {NULL};
    assert(term_arity(terms, t) <= COUNT(arg));
    for (uint32_t i = 0; i < term_arity(terms, t); i++)
        if (!(arg[i] = lanes_of(lanes, term_arg(terms, t, i)))) return false;
    return lanes_apply(terms, t, out, arg, LANES);
}

const uint64_t *lanes_of(struct lanes *lanes, Term t) {
    uint64_t *known = map_get(&lanes->known, t);
    assert(!known || *known <= lanes->used);
    if (known) return *lanes->blocks.at[*known - 1];
    if (term_width(lanes->terms, t) > 64 || !lanes->budget || lanes->depth >= DEEPEST) return NULL;
    lanes->budget--;
    uint64_t *out = new_block(lanes);
    uint32_t number = lanes->used;
    if (!depends(lanes, t)) {
        uint64_t value = evaluate(lanes->evaluator, t);
        for (unsigned i = 0; i < LANES; i++) out[i] = value;
    } else {
        lanes->depth++;
        bool done = compute(lanes, t, out);
        lanes->depth--;
        if (!done) return NULL;
    }
    *map_put(&lanes->known, t) = number;
    return out;
}
