#include "solver/flat.h"

#include "base/hash.h"
#include "base/run_limits.h"
#include "expr/apply.h"
#include "expr/float_range.h"
#include "expr/softfloat.h"

#include <string.h>

#define MOST_OPS      30000u
#define MOST_ELEMENTS 100000u
#define LONGEST_CHAIN 64u
#define NAN_MISS      80.0f // distance of a comparison with a NaN: larger than any number's

enum how {
    HOW_CONST, // computed once
    HOW_BYTE,  // arg[0]: position
    HOW_SMALL, // apply_small
    HOW_EXTRACT,
    HOW_CONCAT,
    HOW_SEXT,
    HOW_ITE,
    HOW_DOUBLE, // round to nearest even; operands and result are double
    HOW_SINGLE,
    HOW_LIMBS,  // all other operations
    HOW_PACKED, // a table of constants: arg[0] the index, the term the table
    HOW_INPUTS, // a table of input bytes: arg[0] the index, arg[1], arg[2]: elements
    HOW_TABLE,  // a table of ops
};

struct compiler {
    struct flat *flat;
    struct map op_of; // Term -> op
    vec(Term) pending;
    bool failed;
};

// ---- Compilation

static bool known_op(struct compiler *compiler, Term t, uint32_t *op) {
    uint64_t *known = map_get(&compiler->op_of, t);
    if (known) *op = (uint32_t)*known;
    return known;
}

// The op of an operand. False: it has none yet and was put on the worklist.
static bool want(struct compiler *compiler, Term t, uint32_t *op) {
    if (known_op(compiler, t, op)) return true;
    vec_push(&compiler->pending, t);
    return false;
}

static uint32_t push_op(struct compiler *compiler, struct flat_op op) {
    struct flat *flat = compiler->flat;
    assert(op.width > 0 && flat->miss[0].count == flat->ops.count);
    op.value = flat->values.count;
    for (unsigned i = 0; i < (op.width + 63u) / 64; i++) vec_push(&flat->values, 0);
    vec_push(&flat->miss[0], 0);
    vec_push(&flat->miss[1], 0);
    vec_push(&flat->ops, op);
    compiler->failed |= flat->ops.count > MOST_OPS;
    return flat->ops.count - 1;
}

static enum how how_of(struct terms *terms, struct shape shape, const uint16_t *widths) {
    unsigned properties = kind_infos[shape.kind].properties;
    bool small = shape.width <= 64 && widths[0] <= 64;
    if (properties & KP_FLOAT) {
        bool nearest = shape.rounding == FP_NEAREST_EVEN;
        bool plain = shape.kind == KIND_FP_ADD || shape.kind == KIND_FP_SUB || shape.kind == KIND_FP_MUL ||
                     shape.kind == KIND_FP_DIV || shape.kind == KIND_FP_SQRT || shape.kind == KIND_FP_EQ ||
                     shape.kind == KIND_FP_LT || shape.kind == KIND_FP_LE;
        if (plain && nearest && shape.format == FP_DOUBLE) return HOW_DOUBLE;
        return plain && nearest && shape.format == FP_SINGLE ? HOW_SINGLE : HOW_LIMBS;
    }
    if (shape.kind == KIND_ITE) return HOW_ITE;
    if (!small) return HOW_LIMBS;
    switch (shape.kind) {
    case KIND_EXTRACT: return HOW_EXTRACT;
    case KIND_CONCAT: return HOW_CONCAT;
    case KIND_SEXT: return HOW_SEXT;
    default: return HOW_SMALL;
    }
}

static uint32_t plain_op(struct compiler *compiler, struct shape shape, Term t, const uint32_t *args,
                         unsigned arity) {
    struct flat_op op = {
        .kind = shape.kind, .arity = (uint8_t)arity, .width = shape.width, .shape = shape, .term = t};
    assert(arity <= COUNT(op.arg));
    for (unsigned i = 0; i < arity; i++) {
        assert(args[i] < compiler->flat->ops.count); // operands before users
        op.arg[i] = args[i];
        op.widths[i] = compiler->flat->ops.at[args[i]].width;
    }
    op.how = (uint8_t)how_of(compiler->flat->terms, shape, op.widths);
    return push_op(compiler, op);
}

// Appends all elements of a table of terms. False: some have no op yet and were put on the worklist.
static bool want_elements(struct compiler *compiler, Term array, uint32_t count) {
    uint32_t start = compiler->flat->elements.count, element = 0;
    bool ready = true;
    for (uint32_t i = 0; i < count; i++) {
        ready &= want(compiler, term_arg(compiler->flat->terms, array, i), &element);
        vec_push(&compiler->flat->elements, element);
    }
    if (!ready) compiler->flat->elements.count = start;
    return ready;
}

// Compiles a read at `index` through stores. False: some operand is not compiled yet.
static bool compile_read(struct compiler *compiler, Term array, Term index_term, unsigned depth,
                         uint32_t *result) {
    struct flat *flat = compiler->flat;
    struct terms *terms = flat->terms;
    uint32_t index, part[3];
    if (!want(compiler, index_term, &index)) return false;
    unsigned width = term_width(terms, array), bytes;
    if (depth > LONGEST_CHAIN || term_width(terms, index_term) > 64) {
        compiler->failed = true;
        return false;
    }
    struct flat_op op = {
        .kind = KIND_SELECT, .arity = 1, .width = (uint16_t)width, .arg = {index}, .term = array};
    struct shape choice = {.kind = KIND_ITE, .width = (uint16_t)width};
    switch (term_kind(terms, array)) {
    case KIND_STORE: {
        bool ready = want(compiler, term_arg(terms, array, 1), &part[0]);
        ready &= want(compiler, term_arg(terms, array, 2), &part[1]);
        if (!ready || !compile_read(compiler, term_arg(terms, array, 0), index_term, depth + 1, &part[2]))
            return false;
        part[0] = plain_op(compiler, (struct shape){.kind = KIND_EQ, .width = 1}, 0,
                           (uint32_t[]){part[0], index}, 2);
        *result = plain_op(compiler, choice, 0, part, 3);
        return true;
    }
    case KIND_ARRAY_ITE:
        if (!want(compiler, term_arg(terms, array, 0), &part[0]) ||
            !compile_read(compiler, term_arg(terms, array, 1), index_term, depth + 1, &part[1]) ||
            !compile_read(compiler, term_arg(terms, array, 2), index_term, depth + 1, &part[2]))
            return false;
        *result = plain_op(compiler, choice, 0, part, 3);
        return true;
    case KIND_ARRAY_CONST: return want(compiler, term_arg(terms, array, 0), result);
    case KIND_ARRAY_LITERAL:
        op.arg[1] = flat->elements.count;
        op.arg[2] = term_arity(terms, array);
        if (term_literal_packed(terms, array, &bytes)) {
            op.how = HOW_PACKED;
            break;
        }
        op.how = HOW_TABLE;
        if (!want_elements(compiler, array, op.arg[2])) return false;
        break;
    case KIND_ARRAY_INPUT:
        op.how = HOW_INPUTS;
        op.arg[1] = flat->elements.count;
        op.arg[2] = term_array_input_size(terms, array);
        for (uint32_t i = 0; i < op.arg[2]; i++) {
            uint32_t var = terms_input_var(terms, term_array_input(terms, array), i);
            vec_push(&flat->elements, flat->position[var] ? flat->position[var] - 1 : UINT32_MAX);
        }
        break;
    default: compiler->failed = true; return false;
    }
    compiler->failed |= flat->elements.count > MOST_ELEMENTS || width > 64;
    *result = push_op(compiler, op);
    return true;
}

static bool compile_node(struct compiler *compiler, Term t, uint32_t *result) {
    struct flat *flat = compiler->flat;
    struct terms *terms = flat->terms;
    enum kind kind = term_kind(terms, t);
    unsigned width = term_width(terms, t);
    if (kind == KIND_CONST) {
        *result =
            push_op(compiler, (struct flat_op){.kind = KIND_CONST, .width = (uint16_t)width, .term = t});
        memcpy(&flat->values.at[flat->ops.at[*result].value], term_limbs(terms, t), (width + 63) / 64 * 8);
        return true;
    }
    if (kind == KIND_BYTE) {
        uint32_t position = flat->position[term_var(terms, t)];
        compiler->failed |= !position;
        *result = push_op(
            compiler, (struct flat_op){
                          .kind = KIND_BYTE, .how = HOW_BYTE, .width = 8, .arg = {position - 1}, .term = t});
        return true;
    }
    if (kind == KIND_SELECT)
        return compile_read(compiler, term_arg(terms, t, 0), term_arg(terms, t, 1), 0, result);
    if (kind == KIND_ARRAY_EQ || kind_infos[kind].properties & KP_ARRAY) {
        compiler->failed = true;
        return false;
    }
    uint32_t args[3];
    unsigned arity = term_arity(terms, t);
    bool ready = true;
    for (unsigned i = 0; i < arity; i++) ready &= want(compiler, term_arg(terms, t, i), &args[i]);
    if (!ready) return false;
    struct shape shape = term_shape(terms, t);
    // Floats of formats without ranks have no distance: the conditions are not compiled.
    compiler->failed |= shape.format && !float_has_ranks(shape.format);
    *result = plain_op(compiler, shape, t, args, arity);
    return true;
}

bool flat_compile(struct flat *flat, struct terms *terms, const Term *conditions, uint32_t count,
                  const uint32_t *position) {
    struct compiler compiler = {.flat = flat};
    *flat = (struct flat){.terms = terms, .position = position};
    for (uint32_t i = 0; i < count && !compiler.failed; i++) {
        vec_push(&compiler.pending, conditions[i]);
        while (compiler.pending.count && !compiler.failed) {
            Term top = *vec_last(&compiler.pending);
            uint32_t op;
            if (!known_op(&compiler, top, &op)) {
                if (!compile_node(&compiler, top, &op)) continue;
                *map_put(&compiler.op_of, top) = op;
            }
            compiler.pending.count--;
        }
        uint32_t root;
        if (!compiler.failed && known_op(&compiler, conditions[i], &root)) vec_push(&flat->roots, root);
    }
    map_free(&compiler.op_of);
    vec_free(&compiler.pending);
    assert(compiler.failed || flat->roots.count == count);
    if (compiler.failed) flat_free(flat);
    return !compiler.failed;
}

void flat_free(struct flat *flat) {
    vec_free(&flat->ops);
    vec_free(&flat->values);
    vec_free(&flat->miss[0]);
    vec_free(&flat->miss[1]);
    vec_free(&flat->elements);
    vec_free(&flat->roots);
}

// ---- Running

#define NATIVE(type, word, root, bits)                                                                       \
    static bool run_##type(enum kind kind, const uint64_t *a, const uint64_t *b, uint64_t *out) {            \
        type x, y, r;                                                                                        \
        word first = (word) * a, second = (word) * b, result;                                                \
        memcpy(&x, &first, sizeof x);                                                                        \
        memcpy(&y, &second, sizeof y);                                                                       \
        switch (kind) {                                                                                      \
        case KIND_FP_ADD: r = x + y; break;                                                                  \
        case KIND_FP_SUB: r = x - y; break;                                                                  \
        case KIND_FP_MUL: r = x * y; break;                                                                  \
        case KIND_FP_DIV: r = x / y; break;                                                                  \
        case KIND_FP_SQRT: r = root(x); break;                                                               \
        case KIND_FP_EQ: *out = x == y; return true;                                                         \
        case KIND_FP_LT: *out = x < y; return true;                                                          \
        default: *out = x <= y; return true;                                                                 \
        }                                                                                                    \
        if (r != r) return false; /* softfloat.c decides which NaN */                                        \
        memcpy(&result, &r, sizeof r);                                                                       \
        *out = result;                                                                                       \
        return true;                                                                                         \
    }
NATIVE(double, uint64_t, __builtin_sqrt, 64)
NATIVE(float, uint32_t, __builtin_sqrtf, 32)

static uint64_t read_table(const struct flat *flat, const struct flat_op *op, uint64_t index) {
    if (index >= op->arg[2]) return 0;
    if (op->how == HOW_PACKED) return term_literal_value(flat->terms, op->term, (uint32_t)index);
    uint32_t element = flat->elements.at[op->arg[1] + index];
    if (op->how == HOW_TABLE) return *flat_value(flat, element);
    return element == UINT32_MAX ? 0 : flat->bytes[element];
}

static void run_limbs(struct flat *flat, const struct flat_op *op) {
    unsigned widths[3] = {op->widths[0], op->widths[1], op->widths[2]};
    const uint64_t *args[3] = {NULL};
    for (unsigned i = 0; i < op->arity; i++) args[i] = flat_value(flat, op->arg[i]);
    apply_limbs(op->shape, widths, args, &flat->values.at[op->value]);
}

static void run_op(struct flat *flat, const struct flat_op *op) {
    uint64_t *out = &flat->values.at[op->value];
    const uint64_t *a = op->arity ? flat_value(flat, op->arg[0]) : NULL;
    const uint64_t *b = op->arity > 1 ? flat_value(flat, op->arg[1]) : a;
    switch (op->how) {
    case HOW_CONST: break;
    case HOW_BYTE: *out = flat->bytes[op->arg[0]]; break;
    case HOW_SMALL: *out = apply_small((enum kind)op->kind, op->widths[0], *a, *b); break;
    case HOW_EXTRACT: *out = *a >> op->shape.low & mask_bits(op->width); break;
    case HOW_CONCAT: *out = *a << op->widths[1] | *b; break;
    case HOW_SEXT: *out = (uint64_t)sign_extend(*a, op->widths[0]) & mask_bits(op->width); break;
    case HOW_ITE: memcpy(out, *a ? b : flat_value(flat, op->arg[2]), (op->width + 63u) / 64 * 8); break;
    case HOW_DOUBLE:
        if (!run_double((enum kind)op->kind, a, b, out)) run_limbs(flat, op);
        break;
    case HOW_SINGLE:
        if (!run_float((enum kind)op->kind, a, b, out)) run_limbs(flat, op);
        break;
    case HOW_LIMBS: run_limbs(flat, op); break;
    default: assert(op->how >= HOW_PACKED && op->how <= HOW_TABLE); *out = read_table(flat, op, *a);
    }
}

// ---- Distance

bool flat_is_nan(fp_format f, const uint64_t *pattern) {
    __int128 rank;
    return !float_range_position(f, pattern, &rank);
}

// Ranks as in float_range.h, except that both zeros have rank 0.
__int128 flat_rank(fp_format f, const uint64_t *pattern) {
    __int128 rank = 0;
    float_range_position(f, pattern, &rank);
    return rank < 0 ? rank + 1 : rank;
}

void flat_from_rank(fp_format f, __int128 rank, uint64_t *pattern) {
    __int128 most = float_infinity(f);
    if (rank > most) rank = most;
    if (rank < -most) rank = -most;
    float_range_pattern(f, rank < 0 ? rank - 1 : rank, pattern);
}

// About log2(1 + x), and increasing in x.
static float bits_of(unsigned __int128 x) {
    if (!x) return 0;
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    if (high) return 64 + bits_of(high);
    if (low == UINT64_MAX) return 64;
    low++;
    unsigned top = 63 - (unsigned)__builtin_clzll(low);
    uint64_t rest = low ^ (uint64_t)1 << top;
    return (float)top + (float)((double)rest / (double)((uint64_t)1 << top));
}

static unsigned __int128 gap(__int128 a, __int128 b) {
    return a > b ? (unsigned __int128)a - (unsigned __int128)b : (unsigned __int128)b - (unsigned __int128)a;
}

static __int128 integer_of(const struct flat *flat, const struct flat_op *op, unsigned i) {
    const uint64_t *value = flat_value(flat, op->arg[i]);
    if (op->widths[i] > 64) { // only the highest bits are compared
        unsigned limbs = (op->widths[i] + 63u) / 64;
        return (__int128)((unsigned __int128)value[limbs - 1] << 32 | value[limbs - 2] >> 32);
    }
    return op->kind == KIND_SLT ? (__int128)sign_extend(*value, op->widths[i]) : (__int128)*value;
}

static float comparison(const struct flat *flat, const struct flat_op *op, bool wanted) {
    bool is_float = kind_infos[op->kind].properties & KP_FLOAT;
    __int128 a, b;
    if (is_float) {
        const uint64_t *x = flat_value(flat, op->arg[0]), *y = flat_value(flat, op->arg[1]);
        bool nan = flat_is_nan(op->shape.format, x) || flat_is_nan(op->shape.format, y);
        if (nan) return wanted ? NAN_MISS : 0;
        a = flat_rank(op->shape.format, x);
        b = flat_rank(op->shape.format, y);
    } else {
        a = integer_of(flat, op, 0);
        b = integer_of(flat, op, 1);
    }
    float miss;
    switch (op->kind) {
    case KIND_EQ:
    case KIND_FP_EQ: miss = wanted ? bits_of(gap(a, b)) : 1; break;
    case KIND_FP_LE: miss = bits_of(gap(a, b) + !wanted); break;
    default:
        assert(op->kind == KIND_ULT || op->kind == KIND_SLT || op->kind == KIND_FP_LT);
        miss = bits_of(gap(a, b) + wanted);
    }
    return MAX(miss, 0.01f); // not 0: the condition does not hold
}

static void measure(struct flat *flat, uint32_t number) {
    const struct flat_op *op = &flat->ops.at[number];
    float *no = flat->miss[0].at, *yes = flat->miss[1].at;
    bool value = *flat_value(flat, number) & 1;
    const uint32_t *arg = op->arg;
    switch (op->kind) {
    case KIND_NOT:
        no[number] = yes[arg[0]];
        yes[number] = no[arg[0]];
        return;
    case KIND_AND:
        no[number] = MIN(no[arg[0]], no[arg[1]]);
        yes[number] = yes[arg[0]] + yes[arg[1]];
        return;
    case KIND_OR:
        no[number] = no[arg[0]] + no[arg[1]];
        yes[number] = MIN(yes[arg[0]], yes[arg[1]]);
        return;
    case KIND_XOR:
        no[number] = MIN(no[arg[0]] + no[arg[1]], yes[arg[0]] + yes[arg[1]]);
        yes[number] = MIN(no[arg[0]] + yes[arg[1]], yes[arg[0]] + no[arg[1]]);
        return;
    case KIND_ITE:
        for (unsigned side = 0; side < 2; side++) {
            float *miss = flat->miss[side].at;
            miss[number] = MIN(yes[arg[0]] + miss[arg[1]], no[arg[0]] + miss[arg[2]]);
        }
        return;
    case KIND_EQ:
    case KIND_ULT:
    case KIND_SLT:
    case KIND_FP_EQ:
    case KIND_FP_LT:
    case KIND_FP_LE:
        yes[number] = value ? 0 : comparison(flat, op, true);
        no[number] = value ? comparison(flat, op, false) : 0;
        return;
    default: yes[number] = value ? 0 : 1; no[number] = value ? 1 : 0;
    }
}

static void run_one(struct flat *flat, uint32_t number) {
    const struct flat_op *op = &flat->ops.at[number];
    run_op(flat, op);
    if (op->width == 1) measure(flat, number);
}

void flat_run(struct flat *flat, const uint8_t *bytes, const uint32_t *list, uint32_t count) {
    assert(bytes && count <= flat->ops.count);
    limits_poll();
    flat->bytes = bytes;
    flat->ran += list ? count : flat->ops.count;
    if (list)
        for (uint32_t i = 0; i < count; i++) run_one(flat, list[i]);
    else
        for (uint32_t i = 0; i < flat->ops.count; i++) run_one(flat, i);
}

bool flat_holds(const struct flat *flat) {
    vec_each (const uint32_t, root, &flat->roots)
        if (!*flat_value(flat, *root)) return false;
    return true;
}

double flat_miss(const struct flat *flat) {
    double sum = 0;
    vec_each (const uint32_t, root, &flat->roots) sum += (double)flat->miss[1].at[*root];
    return sum;
}
